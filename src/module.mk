# Files of src; see Makefile.am.
