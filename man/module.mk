# Files of man; see Makefile.am.
