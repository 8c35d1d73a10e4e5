# Files of ui; see Makefile.am.
