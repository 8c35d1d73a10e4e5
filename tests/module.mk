# Files that serve all tests, and the tests of the files outside src/.
EXTRA_DIST += .ci/run tests/tally.sh tests/e2e/demo_story.sh

TESTS += tests/lint.sh tests/tally_test.sh tests/bootstrap_test.sh tests/e2e/demo_build.sh tests/e2e/demo_train.sh
EXTRA_DIST += tests/lint.sh tests/tally_test.sh tests/bootstrap_test.sh tests/e2e/demo_build.sh tests/e2e/demo_train.sh

TESTS += tests/layers.sh
EXTRA_DIST += tests/layers.sh tests/file_list.sh tests/tap.sh
