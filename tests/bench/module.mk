# Files of tests/bench; see Makefile.am.
check_PROGRAMS += tests/bench/bench_curve_read
tests_bench_bench_curve_read_SOURCES = tests/bench/bench_curve_read.c tests/bench/bench_events.h
tests_bench_bench_curve_read_LDADD = $(CURVE_LIBS)
check_PROGRAMS += tests/bench/bench_curve_open
tests_bench_bench_curve_open_SOURCES = tests/bench/bench_curve_open.c tests/bench/bench_events.h
tests_bench_bench_curve_open_LDADD = $(COMMAND_LIBS)
check_PROGRAMS += tests/bench/bench_plot
tests_bench_bench_plot_SOURCES = tests/bench/bench_plot.c
tests_bench_bench_plot_LDADD = $(CURVE_LIBS)
check_PROGRAMS += tests/bench/bench_log
tests_bench_bench_log_SOURCES = tests/bench/bench_log.c
tests_bench_bench_log_LDADD = $(WORKSPACE_LIBS)
check_PROGRAMS += tests/bench/bench_tensors
tests_bench_bench_tensors_SOURCES = tests/bench/bench_tensors.c
tests_bench_bench_tensors_LDADD = $(EVIDENCE_LIBS)
check_PROGRAMS += tests/bench/bench_log_scan
tests_bench_bench_log_scan_SOURCES = tests/bench/bench_log_scan.c
tests_bench_bench_log_scan_LDADD = $(EVIDENCE_LIBS)
if HAVE_VTERM
check_PROGRAMS += tests/bench/bench_first_screen
tests_bench_bench_first_screen_SOURCES = tests/bench/bench_first_screen.c tests/e2e/vtrun.h tests/e2e/vtrun_screen.c
tests_bench_bench_first_screen_CFLAGS = $(AM_CFLAGS) $(VTERM_CFLAGS)
tests_bench_bench_first_screen_LDADD = $(VTERM_LIBS) -lutil
endif
EXTRA_DIST += tests/bench/bench.sh tests/bench/bench_peers.py tests/bench/bench_probe.py tests/bench/large_repository.sh

# Prints figures; never fails because something is slow, and is no part of check.
bench: portside $(check_PROGRAMS)
	@srcdir='$(top_srcdir)' top_builddir='$(abs_top_builddir)' $(SHELL) $(top_srcdir)/tests/bench/bench.sh
.PHONY: bench
# Flips every condition of the checks: takes minutes, so "make check" leaves it out.
mutation: portside $(check_PROGRAMS)
	@python3 $(top_srcdir)/tests/mutation.py '$(top_srcdir)' '$(abs_top_builddir)'
.PHONY: mutation
EXTRA_DIST += tests/mutation.py tests/mutation.tsv tests/mutation_equivalent.tsv
