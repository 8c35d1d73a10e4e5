/*
 * comparable - may these two runs be compared at all?  Asked before any verdict.
 *
 * Takes the known facts of both runs (every one may be unknown) and their
 * series, and gives one item a fact: equal, differs, unknown, or declared (a
 * difference that was stated before the runs).  One item that differs and is not
 * declared makes the pair not comparable and stops every verdict; unknown items
 * never count as equal.  Averaging window, decimals and step origin do not stop
 * a verdict: they choose the alignment, and are shown.
 *
 *	struct run_facts r = RUN_FACTS_INIT, a = RUN_FACTS_INIT;
 *	struct comparable c;
 *
 *	r.seed = "1"; a.seed = "2";
 *	comparable_check(&c, &arena, &(struct comparable_input){ .reference = &r, .attempt = &a });
 *	if (c.overall == COMPARABLE_NO)
 *		puts(c.first_obstacle->make_equal);
 */
#ifndef PORTSIDE_CURVE_COMPARABLE_H
#define PORTSIDE_CURVE_COMPARABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "curve/align.h"
#include "curve/series.h"

/* Text facts are NULL when not logged, numbers NaN. */
struct run_facts {
	double steps;			/* optimizer steps of the whole run */
	double batch;			/* effective: per device x devices x accumulation */
	double eval_examples;
	double warmup_steps, clipping, dropout;
	double parameters;
	double steps_per_epoch;
	double averaging_window;	/* steps that one logged loss is the mean of */
	double first_step;		/* of the metric: 0 or 1, before or after the update */
	double resolution;		/* grid of the logged values; 0: full doubles */
	double tokens_per_step;		/* for an axis of tokens; no item */
	const char *data;		/* revision or hash of the data set and its order */
	const char *tokenizer;
	const char *weights;		/* hash of the initial checkpoint */
	const char *teacher;		/* hash of a teacher model; "" for none used */
	const char *optimizer;
	const char *seed;
	const char *evaluation;		/* metric name and code hash */
	const char *checkpoint;		/* "best" or "last" */
	const char *packages;		/* hash or summary of versions */
	const char *environment;	/* variables that change arithmetic; "" for none set */
	const char *precision;		/* "fp32", "bf16", ... */
	const char *nan_filter;		/* "on", "off" */
	const char *device;		/* shown only: a migration changes it */
};

#define RUN_FACTS_INIT                                                                             \
	{                                                                                          \
		.steps = __builtin_nan(""), .batch = __builtin_nan(""),                            \
		.eval_examples = __builtin_nan(""), .warmup_steps = __builtin_nan(""),             \
		.clipping = __builtin_nan(""), .dropout = __builtin_nan(""),                       \
		.parameters = __builtin_nan(""), .steps_per_epoch = __builtin_nan(""),             \
		.averaging_window = __builtin_nan(""), .first_step = __builtin_nan(""),            \
		.resolution = __builtin_nan(""), .tokens_per_step = __builtin_nan("")              \
	}

enum comparable_status {
	COMPARABLE_EQUAL,
	COMPARABLE_DIFFERS,
	COMPARABLE_UNKNOWN,		/* one side or both did not log it */
	COMPARABLE_DECLARED,		/* differs, and that was stated beforehand */
	COMPARABLE_NOT_APPLICABLE,	/* a teacher where none is used */
};

enum comparable_overall { COMPARABLE_YES, COMPARABLE_NO, COMPARABLE_OPEN };

struct comparable_item {
	const char *name;		/* "lr", "batch", "data", ... */
	enum comparable_status status;
	const char *reference, *attempt;	/* values as shown; "" when unknown */
	const char *make_equal;		/* what to do; "" when equal */
	const char *reason;		/* of a declared difference; "" */
	bool blocks;			/* its difference stops a verdict */
	bool required;			/* unknown leaves the whole open */
};

/* A difference on purpose, by the item's name. */
struct comparable_declaration { const char *name, *reason; };

struct comparable_input {
	const struct run_facts *reference, *attempt;
	const struct run_series *reference_series, *attempt_series;	/* may be NULL */
	const struct comparable_declaration *declared;
	size_t n_declared;
	const char *metric;		/* series that is compared; NULL: no coverage item */
	const struct align_options *align;	/* how it is paired; NULL: equal steps */
	bool early_stop_declared;	/* a short span is then no obstacle */
};

struct comparable {
	struct comparable_item *items;	/* in the order in which to look at them */
	size_t n;
	enum comparable_overall overall;
	const struct comparable_item *first_obstacle;	/* NULL: none */
	size_t n_equal, n_differs, n_unknown, n_declared;
	/* steps on which the two can be compared; NaN: unknown */
	double common_first, common_last;
};

/* Everything in A. */
void comparable_check(struct comparable *out, struct arena *a, const struct comparable_input *in);

const struct comparable_item *comparable_find(const struct comparable *c, const char *name);
const char *comparable_status_name(enum comparable_status s);	/* "equal", "differs", ... */
/* "=", "DIFFERS", "?", "declared", "n/a" */
const char *comparable_status_mark(enum comparable_status s);
/* "comparable", "not comparable", "unknown" */
const char *comparable_overall_name(enum comparable_overall o);

/* Where an item stands on a line, by how much it matters: 0 in the way, 1 not known,
 * 2 differs and may, 3 equal; -1 for one that is not worth a word. */
enum { COMPARABLE_RANKS = 4 };
int comparable_item_rank(const struct comparable_item *item);

/* "not comparable: batch DIFFERS  data ?  lr =  steps =" on one line, by rank. */
void comparable_add_line(struct buf *out, const struct comparable *c);
/* The items of that line alone. */
void comparable_add_items(struct buf *out, const struct comparable *c);

/* What a verdict depends on: " (if data is equal, which is not known)" and
 * " (batch differs on purpose: 4 chips x 32)"; nothing when it depends on nothing. */
void comparable_add_conditions(struct buf *out, const struct comparable *c);

/* The learning rates of both runs at equal steps. */
struct learning_rate_check {
	bool known;			/* both were found */
	size_t n_common, n_different;
	/* first step that differs by more than 1e-6 relative */
	int64_t first_step;
	double reference, attempt;
};
void comparable_learning_rate(struct learning_rate_check *out, const struct run_series *reference,
		const struct run_series *attempt);

#endif
