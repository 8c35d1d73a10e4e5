# Files of tests/store; see Makefile.am.
if HAVE_CMOCKA
check_PROGRAMS += tests/store/test_log
TESTS += tests/store/test_log
tests_store_test_log_SOURCES = tests/store/test_log.c tests/store/log_fixture.c tests/store/log_fixture.h
tests_store_test_log_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_store_test_log_LDADD = $(STORE_LIBS) $(CMOCKA_LIBS)
endif
