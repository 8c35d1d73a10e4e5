# Files of src/cli; see Makefile.am.
