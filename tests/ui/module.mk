# Files of tests/ui; see Makefile.am.
