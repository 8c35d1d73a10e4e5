# Files of tests; see Makefile.am.
