# Files of tests/command; see Makefile.am.
