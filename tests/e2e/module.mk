# Files of tests/e2e; see Makefile.am.
