# Files of tests/workspace; see Makefile.am.
if HAVE_CMOCKA
WORKSPACE_FIXTURE = tests/workspace/fixture.c tests/workspace/fixture.h $(GIT_FIXTURE)
check_PROGRAMS += tests/workspace/test_discover
TESTS += tests/workspace/test_discover
tests_workspace_test_discover_SOURCES = tests/workspace/test_discover.c $(WORKSPACE_FIXTURE)
tests_workspace_test_discover_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_workspace_test_discover_LDADD = $(WORKSPACE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/workspace/test_discover_together
TESTS += tests/workspace/test_discover_together
tests_workspace_test_discover_together_SOURCES = tests/workspace/test_discover_together.c $(WORKSPACE_FIXTURE)
tests_workspace_test_discover_together_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_workspace_test_discover_together_LDADD = $(WORKSPACE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/workspace/test_place
TESTS += tests/workspace/test_place
tests_workspace_test_place_SOURCES = tests/workspace/test_place.c $(WORKSPACE_FIXTURE)
tests_workspace_test_place_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_workspace_test_place_LDADD = $(WORKSPACE_LIBS) $(CMOCKA_LIBS)
check_PROGRAMS += tests/workspace/test_place_open
TESTS += tests/workspace/test_place_open
tests_workspace_test_place_open_SOURCES = tests/workspace/test_place_open.c $(WORKSPACE_FIXTURE)
tests_workspace_test_place_open_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_workspace_test_place_open_LDADD = $(WORKSPACE_LIBS) $(CMOCKA_LIBS)
endif
