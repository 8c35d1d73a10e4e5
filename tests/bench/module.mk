# Files of tests/bench; see Makefile.am.
check_PROGRAMS += tests/bench/bench_curve_read
tests_bench_bench_curve_read_SOURCES = tests/bench/bench_curve_read.c
tests_bench_bench_curve_read_LDADD = $(CURVE_LIBS)
check_PROGRAMS += tests/bench/bench_plot
tests_bench_bench_plot_SOURCES = tests/bench/bench_plot.c
tests_bench_bench_plot_LDADD = $(CURVE_LIBS)
