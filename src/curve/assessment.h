/*
 * assessment - what the evidence about a pair of curves allows to say.
 *
 * A verdict (compare.h) says whether the points of one attempt lie inside a
 * tolerance.  This asks what a careful reader asks next: do they start alike, is
 * equal what must be equal to the last digit, where do they part, how far apart do
 * they end, is that more than the reference is apart from itself - and then gives
 * the one word that all of it allows:
 *
 *	agrees			several seeds a side, the interval inside the margin
 *	differs			the interval outside the margin; an invariant unequal; a
 *				start that the number format does not explain
 *	not distinguishable	the interval crosses the margin; what one seed a side
 *				gives, whatever the figures
 *	not comparable		a red item of comparable.h
 *	not measured		nothing finite on both sides
 *
 * One seed a side never agrees.  Of one run of the attempt beside 3 or more seeds
 * of the reference the interval is the gap +- t(.975, m-1) * s * sqrt(1 + 1/m);
 * with 2 or more a side it is Welch's of 90 %.
 *
 * All figures are as shown (scaled by the comparison), steps as in its pairs.  Texts
 * and arrays live in the caller's arena, what is borrowed must live as long.
 *
 *	struct assessment s;
 *	struct assessment_input in = { .comparison = &c, .reference = r, .attempt = a,
 *		.references = &reference, .n_references = 1,
 *		.attempts = &attempt, .n_attempts = 1, .margin = NAN };
 *
 *	assessment_make(&s, &arena, &in);
 *	for (i = 0; buf_clear(&line), assessment_statement(&line, &s, i, &id); i++)
 *		puts(line.s);
 *	assessment_release(&s);
 */
#ifndef PORTSIDE_CURVE_ASSESSMENT_H
#define PORTSIDE_CURVE_ASSESSMENT_H

#include "base/mem.h"
#include "curve/compare.h"
#include "curve/gap.h"
#include "curve/seeds.h"

/* One run of a side; all of a side have the same configuration. */
struct assessment_run {
	const char *name;
	const char *seed;		/* "": not known */
	const struct series *series;	/* of the metric; NULL: not logged */
};

/* Something that happened at a step: between the last point inside and the first out it
 * is worth a word. */
struct assessment_event { int64_t step; const char *text; };

struct assessment_input {
	const struct comparison *comparison;
	const struct series *reference, *attempt;
	const struct run_series *reference_run, *attempt_run;	/* NULL: not known */
	const struct assessment_run *references, *attempts;	/* the first is the one compared */
	size_t n_references, n_attempts;
	/* what the curves themselves do not tell: checkpoints; at steps as compared */
	const struct assessment_event *events;
	size_t n_events;
	const char *obstacle;		/* a red item by name; NULL: none */
	double margin;			/* as shown; NaN: the tolerance at the last pair */
	const char *margin_origin;	/* "default, nobody chose it"; NULL or "": declared */
	const char *unit;		/* "pp"; NULL: none */
	bool best_counts;		/* of a run its best value, not its last */
	const char *precision;		/* of both, "bf16"; NULL: not known, or not the same */
	bool same_start;		/* weights, data and seed are known to be equal */
	/* of predictions_statement(): what both answered, example by example */
	const char *const *predictions;
	size_t n_predictions;
};

/* The first matched point.  It is a start when it is step 0 or 1. */
enum first_state {
	FIRST_UNKNOWN,		/* nothing finite */
	FIRST_TOO_LATE,		/* not a start: training lies before it */
	FIRST_NOT_JUDGED,	/* weights, data or number format are not known to be equal */
	FIRST_AGREES,
	FIRST_DIFFERS,		/* by more than the number format explains */
};
struct assessment_first {
	enum first_state state;
	int64_t key;
	double x, reference, attempt, relative, expected;	/* EXPECTED: NaN, not known */
};

/* A series that both runs must have alike, whatever the device. */
struct assessment_invariant {
	const char *series;
	size_t n, n_different;
	int64_t first_step;		/* the first that differs */
	double reference, attempt;
};

/* The reference's runs against each other, at the last step that two have in common. */
struct assessment_self {
	size_t n_runs, n_pairs;
	double low, high;		/* |gap| of two runs; NaN below 2 */
	double sd;			/* of one run */
	struct interval sd95;
	size_t n_same_seed;		/* pairs of one and the same seed */
	bool cannot_gate;		/* such a pair is out of tolerance */
	const char *seed;		/* of it */
	double apart;			/* its largest |gap| */
};

struct assessment_band {
	size_t m;			/* seeds; below 3 there is no band */
	struct seed_bands bands;	/* as logged; for drawing */
	struct band_alarm alarm;
	int k;				/* points in a row */
	double phi, n_effective;
	double false_alarms;		/* NaN: not known, or of too few points */
	bool has_cusum;
	int64_t cusum_step;		/* where cumulative sums place it */
};

/* What single values of runs say: last ones at one step, or best ones. */
struct assessment_seeds {
	double *reference, *attempt;	/* of distinct seeds, as shown */
	size_t n_reference, n_attempt;
	struct welch welch;
	struct equivalence equivalence;
	struct interval interval;	/* of A - R; NaN: there is none */
	double level;			/* 0.90 or 0.95, of that interval */
	double resolution;		/* of it, each way: what both logs round away */
	bool suspiciously_better;
	int needed;			/* runs a side that could show the margin; 0: too many */
	struct convergence convergence;	/* steps to the reference's own result */
	double quality;			/* that result; NaN: not asked */
	size_t n_left_out;		/* seeds of the attempt that never reach it */
};

struct assessment {
	struct assessment_input input;
	struct assessment_first first;
	struct assessment_invariant *invariants;
	size_t n_invariants;
	bool has_lag;
	struct align_lag lag;
	bool lag_is_whole;		/* it leaves nearly nothing of what is apart */
	int64_t lag_shift;		/* the shift that pairs those rows; 0: there is none */
	struct gap gap;			/* as logged */
	struct examples_gap best_examples;	/* of the best values */
	struct assessment_event *events;
	size_t n_events;
	double phi, n_effective;	/* of the differences; NaN: not known */
	double early_sigma;		/* 1.4826 MAD of d while they agreed; NaN; assumed */
	struct assessment_self self;
	struct assessment_band band;
	struct assessment_seeds seeds;
	double margin;			/* as shown; NaN: none */
	bool margin_is_default;
	enum seed_word word;
	const char *reason;		/* of the word: one sentence */
};

void assessment_make(
	struct assessment *out, struct arena *a, const struct assessment_input *in);
void assessment_release(struct assessment *s);

/*
 * The I-th sentence, appended, and in *ID what it is about ("conclusion", "start",
 * "invariants", "leaves", "end", "noise", "reference", "band", "seeds", "needed",
 * "convergence", "predictions", "lag"); false beyond the last.  Nothing is appended
 * where there is nothing to say.
 */
bool assessment_statement(
	struct buf *out, const struct assessment *s, size_t i, const char **id);

/* The word with its reason. */
void assessment_add_conclusion(struct buf *out, const struct assessment *s);
/* The same in 78 columns: "not distinguishable: A - R -1.44 to +2.26pp, margin 1.00pp (R
 * 3, A 1 seeds)". */
void assessment_add_brief(struct buf *out, const struct assessment *s);

#endif
