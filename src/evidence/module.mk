# Files of src/evidence; see Makefile.am.
