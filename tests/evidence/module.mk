# Files of tests/evidence; see Makefile.am.
if HAVE_CMOCKA
check_PROGRAMS += tests/evidence/test_static_scan
TESTS += tests/evidence/test_static_scan
tests_evidence_test_static_scan_SOURCES = tests/evidence/test_static_scan.c
tests_evidence_test_static_scan_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_evidence_test_static_scan_LDADD = $(EVIDENCE_LIBS) $(CMOCKA_LIBS)
endif
