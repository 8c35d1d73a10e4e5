# Files of src/workspace; see Makefile.am.
