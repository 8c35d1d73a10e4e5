# Files of data; see Makefile.am.
