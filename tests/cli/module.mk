# Files of tests/cli; see Makefile.am.
