/*
 * curve_scene - what the view of curves shows, as one thing that is handed from
 * thread to thread: the pair with its comparison, further runs, and one chart a
 * series with the sources that are drawn, all on one axis.
 *
 * A worker opens it (database), then works on it in steps of about a tenth of a
 * second: reads on in the curve files, compares again, brings the charts up to
 * date.  Between two steps the screen has it and draws.  One owner at a time.
 *
 *	struct curve_scene *s;
 *	if (curve_scene_open(&s, &request, NULL, cancel) < 0)
 *		return -1;
 *	do
 *		rc = curve_scene_work(s, &look, cancel);
 *	while (rc == 0 && s->more);
 *	curve_scene_free(s);
 *
 * One series of the pair is compared: its chart is MAIN.  Others are drawn when
 * the look asks for them.  Opening finds the runs (curve_scene_open.c), work
 * reads and compares (curve_scene.c), curve_chart.h has the charts,
 * curve_picture.h writes what is shown.
 *
 * Memory: the columns of the runs (24 bytes a point at most) and the pairs of
 * the comparison; drawing copies no column but smoothed ones and those of runs
 * that were restarted.
 */
#ifndef PORTSIDE_COMMAND_CURVE_SCENE_H
#define PORTSIDE_COMMAND_CURVE_SCENE_H

#include "curve/plot_data.h"
#include "workspace/comparison.h"

enum { SCENE_FURTHER_MAX = 16, SCENE_SIDES_MAX = 2 + SCENE_FURTHER_MAX, SCENE_CHARTS_MAX = 64 };

/* What is drawn of a run that was restarted and went over the same steps again. */
enum curve_restarts {
	RESTARTS_LATEST,	/* the latest points; older ones faint behind them */
	RESTARTS_LATEST_ALONE,
	RESTARTS_FIRST,		/* the first points; later ones faint behind them */
	RESTARTS_ALL,		/* all alike */
	RESTARTS_COUNT
};

/* How the curves are shown; a change needs the worker. */
struct curve_look {
	enum align_axis axis;
	enum align_mode mode;
	int64_t shift;
	enum delta_mode delta;
	struct smooth_options smooth;	/* of the drawing, never of the numbers */
	enum curve_restarts restarts;
	const char *metric;		/* NULL or "": the goal's; borrowed for the call */
	const char *const *charts;	/* further series to draw; borrowed for the call */
	size_t n_charts;
};

struct curve_scene_request {
	const char *directory;
	bool read_only;
	const struct position *at;	/* NULL: now */
	const char *attempt;		/* its id; "": the one that ran last */
	const char *run;		/* "": the run of ATTEMPT that says most */
	const char *reference;		/* a run in place of the partner; "" */
	const char *goal;		/* "" */
	/* Runs or attempts, each with its letter: the first is B.  NULL: none. */
	const char *further[SCENE_FURTHER_MAX];
};

/* A run that can be chosen: of the attempt first, then of the reference, then of
 * the other attempts. */
struct curve_row {
	const char *run, *name, *state;
	const char *attempt;		/* "" for the reference's */
	char letter;			/* 'A', 'R', 'B', ...; 0: not shown */
	bool live;
};

/* A run that is drawn. */
struct curve_side {
	struct comparison_side *run;
	char letter;			/* 'R', 'A', 'B', ... */
};

/* A series by its name; those of one GROUP stand together. */
struct curve_name {
	const char *name;
	const char *group;		/* "train" of "train/loss", "eval" of "eval_loss"; "" */
	const char *only;		/* "only in A"; "" when A and R have it */
};

/* One run in one chart. */
struct curve_line {
	struct plot_source *drawn;	/* NULL: the run has no such series, or not this axis */
	struct plot_source *raw;	/* unsmoothed, when DRAWN is smoothed; else NULL */
	struct plot_source *older;	/* every point, behind DRAWN; NULL: nothing else is there */
	const struct series *series;	/* as logged */
	struct series cut;		/* SERIES points here when it is cut in time */
};

struct curve_chart {
	char *metric;
	struct curve_line lines[SCENE_SIDES_MAX];	/* as the sides of the scene */
	struct plot_source *repeats[COMPARISON_REPEATS_MAX];	/* of the reference */
	size_t n_repeats;
	bool no_axis;			/* R or A has no such axis in this series */
	unsigned round;			/* of work in which it was brought up to date */
};

struct curve_scene {
	struct arena arena;
	struct run_comparison *pair;	/* NULL: nothing to show, and NOTHING says why */
	const char *nothing;		/* and what to do next */
	struct curve_row *rows;
	size_t n_rows;
	struct comparison_side further[SCENE_FURTHER_MAX];
	char further_letters[SCENE_FURTHER_MAX];
	size_t n_further;
	struct curve_side sides[SCENE_SIDES_MAX];	/* R if there is one, A, further ones */
	size_t n_sides;
	struct arena names_arena;
	struct curve_name *names;	/* of all sides, by group */
	size_t n_names, n_common;	/* N_COMMON: A and R have it */
	/* as the sources are; borrowed names are NULL; the axis is the one that is drawn */
	struct curve_look look;
	enum align_axis asked_axis;	/* steps that the logs do not have are epochs in LOOK */
	struct curve_chart *charts[SCENE_CHARTS_MAX];
	size_t n_charts;
	struct curve_chart *main;	/* of the series that is compared; NULL: none yet */
	struct plot_source *delta;	/* of A and R */
	/* Likewise of further runs that can be paired with R; NULL: it is not drawn. */
	struct comparison further_comparisons[SCENE_FURTHER_MAX];
	struct plot_source *further_deltas[SCENE_FURTHER_MAX];
	bool has_further[SCENE_FURTHER_MAX];	/* the comparison of that place is there */
	struct plot_source *tolerance;	/* only when the band follows sigma */
	/* Where 95 % of further runs of the reference lie, by step; NULL: not known. */
	struct plot_source *band_low, *band_high;
	unsigned round;
	bool more;			/* call work again: more is there to do */
	bool compared;			/* there was a comparison, or nothing to compare */
	bool behind;			/* more was read since */
	bool shown;			/* long curves: drawn once before they are compared */
	bool assesses;			/* the next step assesses the pair */
	bool keeps;			/* the next step puts what was read into the cache */
	int64_t compare_took_ns, compared_at_ns;
	int64_t bytes_done, bytes_total;
	const char *trouble;		/* an axis that is not there, ...; "" */
};

/* REUSE (may be NULL) is used up.  A migration without such runs is no error:
 * OUT then holds no pair and says what to do. */
int curve_scene_open(struct curve_scene **out, const struct curve_scene_request *r,
	struct curve_scene *reuse) ATTR_MUST_USE;
int curve_scene_work(struct curve_scene *s, const struct curve_look *look,
	const atomic_bool *cancel) ATTR_MUST_USE;
void curve_scene_free(struct curve_scene *s);	/* NULL is fine */

bool curve_scene_is_live(const struct curve_scene *s);

/* By the name of the series; NULL: not drawn, or not brought up to date yet. */
struct curve_chart *curve_scene_chart(const struct curve_scene *s, const char *metric);

/* The run with that letter; NULL: there is none. */
const struct curve_side *curve_scene_side(const struct curve_scene *s, char letter);

/* "older points faint", ...: a few words. */
const char *curve_restarts_name(enum curve_restarts r);

#endif
