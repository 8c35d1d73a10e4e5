# Files of src/evidence; see Makefile.am.
noinst_LIBRARIES += libevidence.a
libevidence_a_SOURCES =
libevidence_a_SOURCES += src/evidence/static_hits.c
libevidence_a_SOURCES += src/evidence/static_scan.c src/evidence/static_scan.h
