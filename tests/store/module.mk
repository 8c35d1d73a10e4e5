# Files of tests/store; see Makefile.am.
