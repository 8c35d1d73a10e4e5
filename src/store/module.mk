# Files of src/store; see Makefile.am.
