# Files of tests/launch; see Makefile.am.
