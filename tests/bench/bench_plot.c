/*
 * bench_plot - frame and comparison times on long series, against their limits.
 *
 *	bench_plot [POINTS]		(10,000,000 when not given)
 *
 * Prints one line a measurement, in processor time; ends with 1 when a limit is
 * passed.  Not part of "make check".
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "curve/compare.h"
#include "curve/plot_data.h"

enum {
	COLUMNS = 400, ROWS = 160, FRAMES = 20, COMPARE_POINTS = 1000000,
	GRID_CHARTS = 12, GRID_COLUMNS = 74, GRID_ROWS = 24,
};

static int failures;

static void report(const char *what, double ms, double limit_ms)
{
	printf("%-44s %9.3f ms", what, ms);
	if (limit_ms > 0) {
		printf("  limit %g ms%s", limit_ms, ms > limit_ms ? "  OVER" : "");
		failures += ms > limit_ms;
	}
	putchar('\n');
}

/* Processor time: other programs on the machine do not count. */
static int64_t now_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) < 0)
		exit(2);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static double since_ms(int64_t start)
{
	return (double)(now_ns() - start) / 1e6;
}

static struct series *make(struct run_series *run, const char *name, int64_t n, uint64_t seed)
{
	struct series *s = run_series_get(run, name, 1, AXIS_STEP);

	for (int64_t i = 0; i < n; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1;
		series_append_float(s, i, NAN,
			(float)(2 + 1e5 / (double)(i + 40000) + (double)(seed >> 40) / (1 << 24)));
	}
	return s;
}

/* One frame: both curves, window fitted, all columns. */
static double frame_ms(struct plot_source *const *sources, double share, bool clip)
{
	static struct plot_column columns[COLUMNS];
	struct plot_view v = PLOT_VIEW_INIT;
	double most = 0;

	for (int i = 0; i < FRAMES; i++) {
		int64_t start = now_ns();
		struct plot_counts counts;

		v.clip = clip;
		plot_view_fit(&v, sources, 2, COLUMNS, ROWS);
		plot_view_zoom(&v, v.x0 + (v.x1 - v.x0) * i / FRAMES, share);
		plot_view_fit_y(&v, sources, 2);
		plot_columns(sources[0], &v, columns, &counts);
		plot_columns(sources[1], &v, columns, &counts);
		most = fmax(most, since_ms(start));
	}
	return most;
}

static void bench_frames(const struct series *r, const struct series *a)
{
	struct plot_source *sources[] = { plot_source_new(), plot_source_new() };
	struct plot_how raw = { .axis = ALIGN_STEP },
			smooth = { .axis = ALIGN_STEP, .smooth = { SMOOTH_COUNT, 0.6 } };
	int64_t start = now_ns();

	if (plot_source_update(sources[0], r, &raw) < 0 ||
		plot_source_update(sources[1], a, &raw) < 0)
		exit(2);
	report("pyramids of both curves, once", since_ms(start), 0);
	report("frame, all points (worst of 20)", frame_ms(sources, 1, false), 5);
	report("frame, a tenth (worst of 20)", frame_ms(sources, 0.1, false), 5);
	report("frame, a ten-thousandth (worst of 20)", frame_ms(sources, 1e-4, false), 5);
	report("frame, all points, outliers clipped", frame_ms(sources, 1, true), 16);
	start = now_ns();
	if (plot_source_update(sources[0], r, &smooth) < 0 ||
		plot_source_update(sources[1], a, &smooth) < 0)
		exit(2);
	report("smoothing both curves, once", since_ms(start), 0);
	report("frame, smoothed (worst of 20)", frame_ms(sources, 1, false), 5);
	plot_source_free(sources[0]);
	plot_source_free(sources[1]);
}

/* The whole picture of a pair: both curves, and their difference on demand. */
static void bench_delta(const struct series *r, const struct series *a)
{
	struct plot_source *sources[] = { plot_source_new(), plot_source_new() },
			   *delta = plot_source_new();
	struct plot_how raw = { .axis = ALIGN_STEP };
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct plot_column columns[COLUMNS];
	struct plot_view v = PLOT_VIEW_INIT;
	struct comparison c;
	int64_t start = now_ns();
	double most = 0;

	o.tolerance.rtol = 0.02;
	if (plot_source_update(sources[0], r, &raw) < 0 ||
		plot_source_update(sources[1], a, &raw) < 0 || compare_series(&c, r, a, &o) < 0)
		exit(2);
	plot_source_delta(delta, &c, DELTA_PLAIN);
	report("comparison and difference, once", since_ms(start), 0);
	for (double share = 1; share > 1e-6; share /= 4) {
		start = now_ns();
		plot_view_fit(&v, sources, 2, COLUMNS, ROWS);
		plot_view_zoom(&v, v.x0 + (v.x1 - v.x0) / 3, share);
		plot_view_fit_y(&v, sources, 2);
		plot_columns(sources[0], &v, columns, NULL);
		plot_columns(sources[1], &v, columns, NULL);
		plot_view_fit_y(&v, &delta, 1);
		plot_columns(delta, &v, columns, NULL);
		most = fmax(most, since_ms(start));
	}
	report("frame with difference, worst of every zoom", most, 16);
	comparison_release(&c);
	plot_source_free(delta);
	plot_source_free(sources[0]);
	plot_source_free(sources[1]);
}

/* Twelve charts on one screen, each with both curves and their band. */
static void bench_grid(const struct series *r, const struct series *a)
{
	struct plot_source *sources[] = { plot_source_new(), plot_source_new() };
	struct plot_how raw = { .axis = ALIGN_STEP };
	struct plot_column columns[COLUMNS];
	struct plot_view v = PLOT_VIEW_INIT;
	double most = 0;

	if (plot_source_update(sources[0], r, &raw) < 0 ||
		plot_source_update(sources[1], a, &raw) < 0)
		exit(2);
	for (double share = 1; share > 1e-6; share /= 4) {
		int64_t start = now_ns();

		plot_view_fit(&v, sources, 2, GRID_COLUMNS, GRID_ROWS);
		plot_view_zoom(&v, v.x0 + (v.x1 - v.x0) / 3, share);
		for (int i = 0; i < GRID_CHARTS; i++) {
			plot_view_fit_y(&v, sources, 2);
			plot_band(sources, 2, &v, columns);
			plot_columns(sources[0], &v, columns, NULL);
			plot_columns(sources[1], &v, columns, NULL);
		}
		most = fmax(most, since_ms(start));
	}
	report("frame of 12 charts with bands, worst zoom", most, 16);
	plot_source_free(sources[0]);
	plot_source_free(sources[1]);
}

static void bench_compare(struct run_series *run)
{
	struct series *r = make(run, "r", COMPARE_POINTS, 3),
		      *a = make(run, "a", COMPARE_POINTS, 4);
	struct compare_options o = COMPARE_OPTIONS_INIT;
	double least = INFINITY;

	o.tolerance.rtol = 0.02;
	for (int i = 0; i < 5; i++) {
		int64_t start = now_ns();
		struct comparison c;

		if (compare_series(&c, r, a, &o) < 0)
			exit(2);
		least = fmin(least, since_ms(start));
		comparison_release(&c);
	}
	report("exact compare of 2 x 1,000,000 points", least, 150);
}

int main(int argc, char **argv)
{
	int64_t n = argc > 1 ? strtoll(argv[1], NULL, 10) : 10000000;
	struct run_series *run = run_series_new();

	printf("%lld points a curve, %d columns\n", (long long)n, COLUMNS);
	bench_frames(make(run, "R", n, 1), make(run, "A", n, 2));
	bench_delta(run_series_find(run, "R", AXIS_STEP), run_series_find(run, "A", AXIS_STEP));
	bench_grid(run_series_find(run, "R", AXIS_STEP), run_series_find(run, "A", AXIS_STEP));
	bench_compare(run);
	run_series_free(run);
	return failures > 0;
}
