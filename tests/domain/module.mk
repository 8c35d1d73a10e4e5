# Files of tests/domain; see Makefile.am.
