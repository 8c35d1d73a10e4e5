/*
 * curve_scene - what the view of curves shows, as one thing that is handed from
 * thread to thread: the pair with its comparison, further runs, and the sources
 * that are drawn, all on one axis.
 *
 * A worker opens it (database), then works on it in steps of about a tenth of a
 * second: reads on in the curve files, compares again, brings the sources up to
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
 * Memory: the columns of the runs (24 bytes a point at most) and the pairs of
 * the comparison; drawing copies no column.
 */
#ifndef PORTSIDE_COMMAND_CURVE_SCENE_H
#define PORTSIDE_COMMAND_CURVE_SCENE_H

#include "curve/plot_data.h"
#include "workspace/comparison.h"

enum { SCENE_FURTHER_MAX = 3 };

/* How the curves are shown; a change needs the worker. */
struct curve_look {
	enum align_axis axis;
	enum align_mode mode;
	int64_t shift;
	enum delta_mode delta;
	int smoothing;			/* 0: none; see curve_smoothing_name() */
	const char *metric;		/* NULL or "": the goal's; borrowed for the call */
};

struct curve_scene_request {
	const char *directory;
	bool read_only;
	const struct position *at;	/* NULL: now */
	const char *attempt;		/* its id; "": the one that ran last */
	const char *run;		/* "": the run of ATTEMPT that says most */
	const char *reference;		/* a run in place of the partner; "" */
	const char *goal;		/* "" */
	const char *further[SCENE_FURTHER_MAX];	/* runs or attempts; NULL: none */
};

/* A run that can be chosen: of the attempt first, then of the reference. */
struct curve_row {
	const char *run, *name, *state;
	const char *attempt;		/* "" for the reference's */
	char letter;			/* 'A', 'R', 'B', ...; 0: not shown */
	bool live;
};

struct curve_scene {
	struct arena arena;
	struct run_comparison *pair;	/* NULL: nothing to show, and NOTHING says why */
	const char *nothing;		/* and what to do next */
	struct curve_row *rows;
	size_t n_rows;
	struct comparison_side further[SCENE_FURTHER_MAX];
	size_t n_further;
	struct curve_look look;		/* as the sources are; METRIC is NULL */
	struct plot_source *reference, *attempt, *others[SCENE_FURTHER_MAX];
	struct plot_source *raw;	/* the attempt unsmoothed, when it is smoothed */
	struct plot_source *delta;
	struct plot_source *tolerance;	/* only when the band follows sigma */
	bool more;			/* call work again: more is there to read */
	bool compared;			/* there was a comparison, or nothing to compare */
	bool behind;			/* more was read since */
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

/* The comparison as a file, its form by the name's end: .csv, .json, .svg, .txt. */
int curve_scene_write(const struct curve_scene *s, const char *path) ATTR_MUST_USE;

enum { CURVE_SMOOTHINGS = 4 };
/* "", "EMA 0.6", "EMA 0.9", "EMA by step". */
const char *curve_smoothing_name(int smoothing);

#endif
