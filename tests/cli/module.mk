# Files of tests/cli; see Makefile.am, which also starts the longest.
TESTS += tests/cli/arguments.sh tests/cli/import.sh
EXTRA_DIST += tests/cli/people.sh tests/cli/arguments.sh tests/cli/import.sh
TESTS += tests/cli/report.sh tests/cli/start.sh tests/cli/tutorial.sh
EXTRA_DIST += tests/cli/completion.sh tests/cli/operations.sh tests/cli/read_only.sh tests/cli/report.sh tests/cli/start.sh tests/cli/tutorial.sh
# Runs: the wrapper, the screen that is killed, the forms.
TESTS += tests/cli/run_reattach.sh tests/cli/run_table.sh tests/e2e/runs_start.vt
EXTRA_DIST += tests/cli/run_wrap.sh tests/cli/run_reattach.sh tests/cli/run_table.sh tests/e2e/runs_start.vt tests/e2e/runs_migration.sh
# What goes wrong around the program: streams, disks, spools, repositories.
TESTS += tests/cli/streams.sh tests/cli/secrets.sh
EXTRA_DIST += tests/cli/streams.sh tests/cli/full_disk.sh tests/cli/secrets.sh tests/cli/hostile_repository.sh tests/cli/killed.sh
EXTRA_DIST += tests/cli/run_probe.sh
# Tensors: files that Python writes byte by byte.
TESTS += tests/cli/tensors.sh
EXTRA_DIST += tests/cli/tensors.sh
TESTS += tests/cli/triage.sh
EXTRA_DIST += tests/cli/triage.sh
TESTS += tests/cli/silent.sh
EXTRA_DIST += tests/cli/silent.sh
# What a file tells.
TESTS += tests/cli/evidence.sh
EXTRA_DIST += tests/cli/evidence.sh
# What is proven, and by what.
EXTRA_DIST += tests/cli/check.sh
# The contract: accepted, run, judged, exported.
TESTS += tests/cli/contract.sh
EXTRA_DIST += tests/cli/contract.sh
# What a text tells before a run.
TESTS += tests/cli/scan.sh
EXTRA_DIST += tests/cli/scan.sh
# Two cases of the study, by their numbers.
TESTS += tests/cli/scenarios.sh
EXTRA_DIST += tests/cli/scenarios.sh
