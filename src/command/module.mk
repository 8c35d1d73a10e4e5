# Files of src/command; see Makefile.am.
