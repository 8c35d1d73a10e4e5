# Files of tests/cli; see Makefile.am.
TESTS += tests/cli/people.sh
EXTRA_DIST += tests/cli/people.sh
TESTS += tests/cli/operations.sh tests/cli/read_only.sh tests/cli/start.sh tests/cli/tutorial.sh
EXTRA_DIST += tests/cli/operations.sh tests/cli/read_only.sh tests/cli/start.sh tests/cli/tutorial.sh
