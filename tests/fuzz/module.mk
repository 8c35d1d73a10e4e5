# Files of tests/fuzz; see Makefile.am.
