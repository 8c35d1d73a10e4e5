/*
 * export_charts - the curves of several runs as values: CSV, JSON, text.
 *
 * What a grid of charts shows, without cells: every drawn point of every run, as it
 * was logged, its smoothed value beside it where the drawing is smoothed, segment and
 * time.  CSV keeps what is said of all of it in lines that start with #.  Steps are whole
 * numbers, also over 2^53.  JSON has no NaN (strings).  The picture of the same struct is in report/svg.h.
 *
 *	struct export_charts e = { .charts = charts, .n = 4, .lines..., .whole = true };
 *	export_charts_csv(&out, &e);
 */
#ifndef PORTSIDE_CURVE_EXPORT_CHARTS_H
#define PORTSIDE_CURVE_EXPORT_CHARTS_H

#include <stdbool.h>

#include "base/buf.h"
#include "curve/plot_data.h"
#include "curve/seeds.h"

/* A run, the same in every chart. */
struct export_run {
	char letter;			/* 'R', 'A', 'B', ... */
	const char *name;		/* "gpu-l4 seed 1" */
	const char *id;			/* of the run; NULL: not said */
};

struct export_chart {
	const char *metric;
	struct plot_source *const *lines;	/* one a run; NULL: it has no such series */
	struct plot_source *const *band;	/* seeds of the reference, with it */
	size_t n_band;
	/* where 95 % of further runs of it would lie, by step; NULL: not known */
	const struct seed_bands *likely;
	size_t likely_seeds;			/* that it rests on */
};

struct export_charts {
	const struct export_run *runs;
	size_t n_runs;
	const struct export_chart *charts;
	size_t n;
	enum align_axis axis;
	struct smooth_options smooth;
	struct plot_view window;	/* x range, logarithmic axes, outliers */
	bool whole;			/* all of x, whatever the window says */
};

enum { EXPORT_CHARTS_SCHEMA = 1 };

void export_charts_csv(struct buf *out, const struct export_charts *e);
void export_charts_json(struct buf *out, const struct export_charts *e);
/* A line a run and series: points, first, last, least and greatest value. */
void export_charts_text(struct buf *out, const struct export_charts *e);

/* What stands behind the lines of a chart: the band of the seeds, where further runs of the
 * reference would lie.  Nothing is appended where there is neither. */
void export_chart_add_bands(struct buf *out, const struct export_chart *c);

/* The I-th sentence about all of it; false beyond the last. */
bool export_charts_statement(struct buf *out, const struct export_charts *e, size_t i);

#endif
