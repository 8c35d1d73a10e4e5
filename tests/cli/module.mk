# Files of tests/cli; see Makefile.am.
TESTS += tests/cli/people.sh
EXTRA_DIST += tests/cli/people.sh
