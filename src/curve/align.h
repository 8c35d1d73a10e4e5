/*
 * align - pairs the points of a reference and an attempt.
 *
 * Only current points take part (see series_current()).  The mode and both
 * unmatched counts belong beside every number derived from the pairs.  Steps are
 * compared as integers, never through a double.
 *
 *	mode		value of R at the x of A		unmatched
 *	exact		R point with equal x			A and R without a partner
 *	nearest		R point at least distance, at most k;	A farther than k
 *			tie: the smaller x
 *	hold		last R point with x' <= x		A outside [first, last] of R
 *	linear		between adjacent finite R points of	A outside, or beside a
 *			one segment				non-finite point
 *	window		both sides are means since the row	none
 *			before; compared on common borders,
 *			weighted by steps
 *
 * Evaluation metrics are never interpolated: linear and window are refused for
 * them, since between two evaluations nothing was measured.
 *
 * Where the batch differs, steps are not the same work: samples and tokens make
 * them so.  Each run brings its own scale, a factor a step or a series in which it
 * counted itself; a point without a place on the axis is counted, not guessed.
 *
 *	struct alignment al;
 *	if (align_series(&al, r, a, &(struct align_options){ .mode = ALIGN_EXACT }) < 0)
 *		return -1;
 *	...
 *	alignment_release(&al);
 */
#ifndef PORTSIDE_CURVE_ALIGN_H
#define PORTSIDE_CURVE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/series.h"

enum align_mode { ALIGN_EXACT, ALIGN_NEAREST, ALIGN_HOLD, ALIGN_LINEAR, ALIGN_WINDOW };

enum align_axis {
	ALIGN_STEP,		/* x as logged */
	ALIGN_FROM_START,	/* step - first step of each series */
	ALIGN_EPOCH,		/* the epoch column, or an epoch axis */
	ALIGN_TIME,		/* seconds since the first point of each series */
	ALIGN_CLIPPED_TIME,	/* the same, gaps over 10 x the median interval cut to it */
	ALIGN_WALL,		/* seconds since 1970: for drawing, never for a verdict */
	ALIGN_SAMPLES,		/* examples seen; needs a scale */
	ALIGN_TOKENS,		/* likewise */
};

/* How the steps of one run become samples or tokens. */
struct axis_scale {
	double per_step;		/* 0: not known */
	const struct series *counter;	/* what the run counted, by step; NULL: none.  Borrowed */
};

struct align_options {
	enum align_mode mode;
	enum align_axis axis;
	enum segment_policy policy;
	double nearest_max;	/* k of ALIGN_NEAREST, in units of the axis */
	int64_t shift;		/* added to the x of A; step axes only */
	bool evaluation;	/* the metric of an evaluation: never interpolated */
	struct axis_scale reference_scale, attempt_scale;	/* of samples and tokens */
};

/* The current points of one series on one axis, ascending. */
struct axis_points {
	size_t n;
	int64_t *key;		/* the step; or the bits of a double, ordered as integers */
	double *x;		/* for drawing and arithmetic */
	double *value;
	size_t *point;		/* number of the point in the series */
	uint32_t *segment;
	bool integer;		/* key is a step */
	size_t n_unplaced;	/* current points without a place on this axis */
};

struct align_pair {
	int64_t key;
	double x;
	double reference, attempt;
	size_t reference_point, attempt_point;	/* SIZE_MAX: computed, no single point */
	uint32_t reference_segment, attempt_segment;
};

/*
 * Two long plain curves whose steps are equal one after the other need no array
 * of pairs: PAIRS is then NULL, pair I is point FIRST + I of both, and the series
 * are borrowed until alignment_release().  align_pair_at() serves both.
 */
struct alignment {
	struct align_options options;
	struct align_pair *pairs;
	const struct series *reference, *attempt;
	size_t reference_first, attempt_first;
	size_t n;			/* matched */
	size_t n_reference, n_attempt;	/* current points on the axis */
	int64_t unmatched_reference;	/* -1: no meaning in this mode */
	int64_t unmatched_attempt;
	size_t n_unplaced_reference, n_unplaced_attempt;	/* without a place on the axis */
	double first_x, last_x;		/* of the overlap; NaN when there is none */
	/* pairs / least number of points inside the overlap; of windows, which need few
	 * common borders: what lies between the first and the last of them / overlap */
	double coverage;
	double span;			/* overlap / union length */
	bool integer;			/* x is a step */
};

/* ERR_NOT_FOUND when a series has no such axis, with a sentence that says so. */
int align_axis_points(struct axis_points *out, const struct series *s, enum align_axis axis,
		enum segment_policy policy) ATTR_MUST_USE;
/* The same with a scale; NULL: none. */
int align_axis_points_scaled(struct axis_points *out, const struct series *s, enum align_axis axis,
	enum segment_policy policy, const struct axis_scale *scale) ATTR_MUST_USE;
void axis_points_release(struct axis_points *p);
/* Samples and tokens exist for whatever has steps, if axis_scale_known(). */
bool align_axis_exists(const struct series *s, enum align_axis axis);
bool axis_scale_known(const struct axis_scale *scale);
bool align_axis_is_scaled(enum align_axis axis);	/* samples, tokens */

int align_series(struct alignment *out, const struct series *reference,
	const struct series *attempt, const struct align_options *options) ATTR_MUST_USE;
void alignment_release(struct alignment *al);
enum { ALIGN_PAIRS_MIN = 65536 };	/* fewer always have an array */
struct align_pair align_pair_at(const struct alignment *al, size_t i);

/* Of pair I its two values alone, and its x: what loops over long curves ask for. */
struct align_values { double reference, attempt; };

static inline double align_series_value(const struct series *s, size_t i)
{
	return s->kind == VALUE_FLOAT ? (double)s->value32[i] : s->value[i];
}

static inline struct align_values align_values_at(const struct alignment *al, size_t i)
{
	size_t r = al->reference_first + i, a = al->attempt_first + i;

	if (al->pairs)
		return (struct align_values){ al->pairs[i].reference, al->pairs[i].attempt };
	if (r >= al->reference->n || a >= al->attempt->n)
		return (struct align_values){ __builtin_nan(""), __builtin_nan("") };
	return (struct align_values){ align_series_value(al->reference, r),
		align_series_value(al->attempt, a) };
}

static inline double align_x_at(const struct alignment *al, size_t i)
{
	size_t a = al->attempt_first + i;

	if (al->pairs)
		return al->pairs[i].x;
	return a < al->attempt->n ? (double)al->attempt->x[a] : 0;
}

/* SHIFT added to every x of steps. */
void align_shift_points(struct axis_points *p, int64_t shift);

/*
 * The lag L with the smallest median |A(i) - R(i - L)|: the number of rows by which A lags
 * R on its grid.  Reported, never applied; a tie is the lag nearest to 0.  Up to 2 rows any
 * that is nearer counts; farther ones, up to a quarter of the pairs and LAG_ROWS_MAX, only
 * where they leave next to nothing and one row beside them far more.  False with fewer than
 * 3 pairs at lag 0.
 */
enum { LAG_ROWS_MAX = 512 };
struct align_lag {
	int lag;
	double median_abs, median_abs_at_0;
	int searched;			/* rows each way that were tried */
};
bool align_find_lag(const struct axis_points *reference, const struct axis_points *attempt,
	struct align_lag *out);
/* The same of two series as OPTIONS pair them, over their first LAG_POINTS_MAX
 * points: a lag belongs to a logger and shows from the beginning. */
enum { LAG_POINTS_MAX = 65536 };
bool align_series_lag(struct align_lag *out, const struct series *reference,
	const struct series *attempt, const struct align_options *options);

/* How many pairs are apart by more than the rounding of a printed number, 1e-6 of the
 * larger; NaN beside NaN, or an infinity beside the same, is no difference.  The first of them in *FIRST. */
size_t align_differing(const struct alignment *al, struct align_pair *first);

/* Median distance of neighbouring x; NaN with fewer than 2 points. */
double align_cadence(const struct axis_points *p);
/* The same of the current points of S on its own axis, without their columns where they
 * are those of S. */
double align_series_cadence(const struct series *s);

const char *align_mode_name(enum align_mode m);		/* "exact", ... */
bool align_mode_from_name(enum align_mode *out, const char *name);
const char *align_axis_name(enum align_axis a);		/* "step", "step-from-start", ... */
bool align_axis_from_name(enum align_axis *out, const char *name);

#endif
