# Files that serve all tests, and the tests of the files outside src/.
EXTRA_DIST += .ci/run tests/tally.sh tests/e2e/demo_story.sh

TESTS += tests/e2e/demo_build.sh

# What a sanitizer has nothing to say of: sources and scripts.
if !SANITIZERS
TESTS += tests/bootstrap_test.sh tests/tally_test.sh
endif
EXTRA_DIST += tests/lint.sh tests/tally_test.sh tests/bootstrap_test.sh tests/e2e/demo_build.sh

EXTRA_DIST += tests/layers.sh tests/file_list.sh tests/tap.sh

if HAVE_CMOCKA
check_PROGRAMS += tests/test_tables
TESTS += tests/test_tables
tests_test_tables_SOURCES = tests/test_tables.c tests/unit.h
tests_test_tables_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_test_tables_LDADD = $(UI_LIBS) $(CMOCKA_LIBS)
endif
