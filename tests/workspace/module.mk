# Files of tests/workspace; see Makefile.am.
