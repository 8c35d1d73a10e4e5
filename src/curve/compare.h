/*
 * compare - does the attempt train like the reference?  Differences, tolerance,
 * first point out, and a verdict with the rule that gave it.
 *
 * d = A - R everywhere; worse = -s*d with s = +1 when higher is better, so that a
 * positive "worse" always means that the attempt is worse.  A point is inside
 * when |d| <= atol + rtol*|R|, or |d| <= k*sigma.  Two values that are NaN, or
 * the same infinity, are inside and counted apart; one alone is outside.
 *
 * The verdict is the first that applies:
 *	no overlap		nothing matched
 *	not decidable		no value is finite, and all are alike; or at half or more of
 *				the matched points the spread that is the tolerance is not
 *				known, or |d| is at or under the resolution of the logs, and
 *				that is over the tolerance
 *	match			inside / matched >= q
 *	differs from the start	the first matched point is out
 *	excursion		the last tenth (at least 3 points) is all inside
 *	diverges at X		otherwise; X begins the longest run out
 *
 * Those are the words for programs.  People get what they rest on with them: how many
 * points, when that is few; that the first matched point is no start; that a few points
 * out in a row do not tell whether they stay out.
 *
 * A figure of values near the limit of a double may not fit one: sentences then say "too
 * large to tell".
 *
 * Whether the two may be compared at all is asked first: see comparable.h.
 * Rules, vectors: tests/curve/test_compare.c.
 *
 *	struct compare_options o = COMPARE_OPTIONS_INIT;
 *	struct comparison c;
 *
 *	o.tolerance.rtol = 0.02;
 *	if (compare_series(&c, reference, attempt, &o) < 0)
 *		return -1;
 *	puts(compare_verdict_name(c.verdict));
 *	comparison_release(&c);
 */
#ifndef PORTSIDE_CURVE_COMPARE_H
#define PORTSIDE_CURVE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/align.h"
#include "curve/series.h"

enum better { BETTER_NONE, BETTER_HIGHER, BETTER_LOWER };

struct tolerance {
	double atol, rtol;
	double k_sigma;		/* > 0: |d| <= k_sigma * sigma in place of the above */
	/* "default, nobody chose it"; NULL or "": somebody did.  Borrowed */
	const char *origin;
};

enum sigma_source {
	SIGMA_NONE,
	SIGMA_SEEDS,		/* sd (n-1) over 3 or more reference seeds at that x */
	SIGMA_ROLLING,		/* rolling sd of R minus smoothed R: assumed, not measured */
};

/* How d is shown and drawn; the tolerance does not depend on it. */
enum delta_mode { DELTA_PLAIN, DELTA_ABSOLUTE, DELTA_RELATIVE, DELTA_LOG2, DELTA_SIGMA };

struct compare_options {
	struct align_options align;
	struct tolerance tolerance;
	/* share inside that is a match: 1 strict, 0.95 statistical */
	double q;
	enum better direction;	/* which way is better */
	bool direction_assumed;	/* by better_by_name(): nobody declared it */
	double resolution_reference;	/* of each log, from provenance.h; 0: not known */
	double resolution_attempt;
	double scale;			/* shown = logged * scale (100 for pp); 0 means 1 */
	int64_t examples;		/* evaluation examples; 0: not known or not a proportion */
	int decimals;			/* of the shown value; -1: not known */
	bool want_sigma;	/* also where the tolerance is none of it: for DELTA_SIGMA */
	const struct series *const *seeds;	/* further reference runs, for sigma */
	size_t n_seeds;
	int n_reference_seeds, n_attempt_seeds;	/* runs on each side; 0 means 1 */
};

#define COMPARE_OPTIONS_INIT { .q = 1, .decimals = -1 }

enum compare_verdict {
	COMPARE_NO_OVERLAP,
	COMPARE_NOT_DECIDABLE,
	COMPARE_MATCH,
	COMPARE_DIFFERS_FROM_START,
	COMPARE_EXCURSION,
	COMPARE_DIVERGES,
};

enum side { SIDE_NEITHER, SIDE_REFERENCE, SIDE_ATTEMPT, SIDE_UNKNOWN };

struct compare_run { int64_t first_key, last_key; double first_x, last_x; size_t n; };

/*
 * Where the attempt leaves and does not come back soon: the first run of
 * ONSET_POINTS points out, or a shorter one that lasts to the last point, which
 * takes ONSET_POINTS_AT_END.  What happened lies between the point before that
 * run and its first one: an interval, never one step.
 */
enum { ONSET_POINTS = 5, ONSET_POINTS_AT_END = 3 };
struct compare_onset {
	size_t n;			/* points of the run; 0: it never leaves for long */
	size_t pair;			/* the first of them */
	bool lasts;			/* up to the last matched point */
	bool has_agreeing;		/* a matched point inside comes before it */
	int64_t agreeing_key, disagreeing_key;
	double agreeing_x, disagreeing_x;
};

/* The gap of a final value in evaluation examples. */
enum examples_state {
	EXAMPLES_UNKNOWN,	/* no count was given */
	EXAMPLES_EXACT,		/* each printed value has exactly one k */
	EXAMPLES_AMBIGUOUS,	/* several k fit: n is too large for the digits */
	EXAMPLES_NONE,		/* no k fits: wrong n, weighted metric or wrong unit */
};

struct examples_gap {
	enum examples_state state;
	int64_t k_reference, k_attempt;
	int64_t examples;	/* k_reference - k_attempt */
	double power;		/* 1 - n*10^-decimals/100: what the test can reject */
};

struct comparison {
	struct compare_options options;		/* seeds are not kept */
	struct alignment alignment;		/* the pairs */
	double *sigma;				/* per pair, NaN where none; NULL: not wanted */
	unsigned char *inside;			/* per pair */
	enum sigma_source sigma_source;

	size_t n_inside;
	size_t n_nonfinite_pairs;		/* one value or both are not finite */
	size_t n_nonfinite_equal;		/* of these, the same on both sides: inside */
	bool has_first_out;
	double first_out_x;
	int64_t first_out_key;
	size_t first_out;			/* pair number; SIZE_MAX: none */
	struct compare_run longest_out;		/* n = 0: none */
	struct compare_onset onset;
	size_t n_finite;			/* pairs with both values finite */
	double bias, mean_abs, median_abs;	/* over those; NaN without any */
	/* pair number of the largest |d|; SIZE_MAX: none or all 0 */
	size_t max_abs;
	double final;				/* d of the last pair (NaN when not finite) */
	double final_reference, final_attempt;	/* values of the last pair */
	double best_reference, best_attempt;	/* by direction over the pairs; NaN without one */
	double resolution;			/* the coarser of the two logs; 0: not known */
	size_t n_at_resolution;			/* pairs with tolerance < resolution >= |d| */
	size_t n_without_tolerance;		/* of n_finite: no spread is known there */
	size_t n_above, n_below, n_equal;	/* of n_finite, by the sign of d */
	struct examples_gap gap;		/* of the last pair */
	enum side worse;			/* at the last pair, by the direction */
	enum compare_verdict verdict;
};

int compare_series(struct comparison *out, const struct series *reference,
	const struct series *attempt, const struct compare_options *options) ATTR_MUST_USE;
void comparison_release(struct comparison *c);

/* d of pair I in MODE; NaN where it has no value (R 0, A/R <= 0, sigma 0). */
double compare_delta(const struct comparison *c, size_t i, enum delta_mode mode);
/* The tolerance at pair I in units of d: the half height of the band. */
double compare_tolerance_at(const struct comparison *c, size_t i);
/* The same in the unit of MODE, a size: inside is |delta| <= it.  Of a ratio the two sides
 * differ: that of the side on which A lies.  NaN where there is none: R is 0 or no
 * number, no spread, a ratio without a lower limit. */
double compare_tolerance_in(const struct comparison *c, size_t i, enum delta_mode mode);
/* Why it, or the difference, may be missing in MODE: "R is 0 or no number there". */
const char *delta_mode_gap(enum delta_mode mode);

/* Fewer matched points do not tell how curves run. */
enum { COMPARE_POINTS_FEW = 10 };
bool compare_is_few(const struct comparison *c);

const char *compare_verdict_name(enum compare_verdict v);	/* "diverges", "match", ... */
/* "d", "|d|", "d/|R|", "log2 A/R", "d/sigma" */
const char *delta_mode_name(enum delta_mode m);
/* "difference", "absolute", "relative", "log2", "sigma" */
const char *delta_mode_word(enum delta_mode m);
/* Also "ratio", which is log2. */
bool delta_mode_from_word(enum delta_mode *out, const char *word);
/* "neither", "reference", "attempt", "unknown" */
const char *side_name(enum side s);
const char *direction_name(enum better d);		/* "", "higher", "lower" */
/* By a whole word of a series' name: "eval/loss" is lower, "top1_acc" higher, "power"
 * and whatever else says nothing BETTER_NONE. */
enum better better_by_name(const char *series);

/* Sentences for people; each appends one line without a newline. */
void compare_add_verdict(struct buf *out, const struct comparison *c);
		/* "diverges at 200", "match (2 points: too few to say how the curves run)" */
/* "8 of 10 pairs NaN or infinite alike: no number was compared there", with BEFORE and
 * BEHIND around it; nothing where there are none. */
void compare_add_alike_without_number(
	struct buf *out, const struct comparison *c, const char *before, const char *behind);
/* The same for a cell: "out at 32, and from 96 on"; a note tells how few points. */
void compare_add_verdict_cell(struct buf *out, const struct comparison *c);
void compare_add_alignment(struct buf *out, const struct comparison *c);
		/* "exact step: 30 of 31 matched, left over 1 reference, 1 attempt" */
void compare_add_tolerance(struct buf *out, const struct comparison *c);
void compare_add_sides(struct buf *out, const struct comparison *c);
		/* "below at 73 of 73 (a fact, not a p-value)" */
void compare_add_final(struct buf *out, const struct comparison *c);
		/* "R 86.53  A 84.89  d -1.64 (A worse), 161 of 9815 examples"; "(A worse if
		 * higher is better)" where that is assumed */
void compare_add_onset(struct buf *out, const struct comparison *c);
		/* "leaves between 170 and 180, out for 12 points in a row, up to the end" */
/* An x as people read it: a step in full, a count of samples too. */
void compare_add_x(struct buf *out, const struct comparison *c, int64_t key, double x);
/* A value in shown units; a difference with its sign. */
void compare_add_value(struct buf *out, const struct comparison *c, double logged);
void compare_add_difference(struct buf *out, const struct comparison *c, double logged);
/* A figure that was computed from finite values, with DIGITS in all. */
void compare_add_computed(struct buf *out, double v, int digits);
/* A number as a log has it: 0.25, NaN, Infinity. */
void compare_add_logged(struct buf *out, double v);
void compare_add_seeds(struct buf *out, const struct comparison *c);
		/* "1 seed a side: run-to-run spread unknown; cannot show equivalence" */

/* k such that 100k/n prints as SHOWN with DECIMALS: how many fit, the nearest in *K. */
int64_t examples_count(double shown_percent, int decimals, int64_t n, int64_t *k);
struct examples_gap examples_gap(
	double reference_percent, double attempt_percent, int decimals, int64_t n);

#endif
