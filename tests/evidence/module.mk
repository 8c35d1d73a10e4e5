# Files of tests/evidence; see Makefile.am.
