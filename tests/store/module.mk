# Files of tests/store; see Makefile.am.
if HAVE_CMOCKA
check_PROGRAMS += tests/store/test_log
TESTS += tests/store/test_log
tests_store_test_log_SOURCES = tests/store/test_log.c tests/store/log_fixture.c tests/store/log_fixture.h
tests_store_test_log_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_store_test_log_LDADD = $(STORE_LIBS) $(CMOCKA_LIBS)
endif

if HAVE_CMOCKA
GIT_FIXTURE = tests/store/git_fixture.c tests/store/git_fixture.h
check_PROGRAMS += tests/store/test_repository
TESTS += tests/store/test_repository
tests_store_test_repository_SOURCES = tests/store/test_repository.c $(GIT_FIXTURE)
tests_store_test_repository_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_store_test_repository_LDADD = $(STORE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/store/test_discovery
TESTS += tests/store/test_discovery
tests_store_test_discovery_SOURCES = tests/store/test_discovery.c $(GIT_FIXTURE)
tests_store_test_discovery_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_store_test_discovery_LDADD = $(STORE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/store/test_churn
TESTS += tests/store/test_churn
tests_store_test_churn_SOURCES = tests/store/test_churn.c $(GIT_FIXTURE)
tests_store_test_churn_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_store_test_churn_LDADD = $(STORE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/store/test_conffile
TESTS += tests/store/test_conffile
tests_store_test_conffile_SOURCES = tests/store/test_conffile.c
tests_store_test_conffile_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_store_test_conffile_LDADD = $(STORE_LIBS) $(CMOCKA_LIBS)
endif
