# Files of tests/bench; see Makefile.am.
