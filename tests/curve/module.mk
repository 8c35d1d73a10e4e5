# Files of tests/curve; see Makefile.am.
