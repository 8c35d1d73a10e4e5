# Files of src/launch; see Makefile.am.
