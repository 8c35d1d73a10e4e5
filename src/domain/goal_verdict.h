/*
 * goal_verdict - does a goal hold on one configuration, and whose fault is it if not?
 *
 * Three answers about the values, and what is known of L2, decide together; the first row
 * that fits is the verdict, and there is one for every combination:
 *
 *	row  T        G        M                        L2             verdict
 *	1    unknown                                                   unknown
 *	2    yes                                        not confirmed  not counted
 *	3-5  yes      yes, no, unknown                  confirmed      pass
 *	6    no       yes      not no, gap may be 0,    confirmed      undecided
 *	                       margin is 0
 *	7    no       yes                                              fail: the migration
 *	8    no       no       yes                      confirmed      inherited
 *	9    no       no       yes                      not known      undecided
 *	10   no       no       yes                      refuted        fail
 *	11   no       no       no                                      fail: the migration, too
 *	12   no       no       unknown                                 undecided
 *	13   no       unknown                                          undecided: no reference
 *
 * T: the goal on the target, G: the goal on the reference, M: the target matches the
 * reference, s * (target - reference) >= -margin with s = -1 where lower is better.
 *
 * A margin of 0 makes "at least the reference" a coin toss: a program that changed
 * nothing misses it half of the time.  So with one seed a side and a margin of 0 a value
 * that is worse refutes a match only when it is worse by more than its own resolution;
 * with `strict` it always does.  A value that is not worse matches.
 *
 * Perplexities are compared by their logarithm (nats a token): 77.08 against 69.97 is
 * +0.09678 nats, +10.16 %.
 *
 *	struct goal_evidence e = { .test = &test, .value = 81.23, .reference = 81.39,
 *		.interval = { NAN, NAN }, .half_width = 1.10 };
 *	struct goal_facts f = goal_facts_of(&e);
 *	struct goal_verdict v = goal_verdict(&f, CHECK_CONFIRMED, false);
 *
 *	v.row == 6, v.result == GOAL_UNDECIDED, v.level == CHECK_UNKNOWN
 */
#ifndef PORTSIDE_DOMAIN_GOAL_VERDICT_H
#define PORTSIDE_DOMAIN_GOAL_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/expr.h"
#include "domain/check.h"
#include "domain/verdict.h"

/* What was measured, in the goal's shown unit; NaN: not measured. */
struct goal_evidence {
	const struct goal_test *test;
	bool reference_is_target;	/* the goal has no target of its own */
	bool strict;			/* worse is worse, whatever the resolution */
	bool perplexity;		/* gaps are differences of logarithms */
	double match_margin;		/* of M; that of the goal where it is a threshold */
	double value, reference;
	double baseline, reference_baseline;	/* read by an ordering only */
	/* Of s * (target - reference) with several seeds a side (of their logarithms for a
	 * perplexity); NaN: one seed. */
	struct { double low, high; } interval;
	/* 1.96 standard errors of the gap of one seed, from the number of examples; NaN. */
	double half_width;
};

struct goal_facts {
	enum truth holds;		/* T */
	enum truth reference;		/* G */
	enum truth matches;		/* M */
	bool may_be_equal;		/* the interval of the gap contains 0 */
	bool margin_is_zero;
};
struct goal_facts goal_facts_of(const struct goal_evidence *e);

/* s * (target - reference), of logarithms for a perplexity; NaN when one is missing. */
double goal_evidence_gap(const struct goal_evidence *e);
/* 100 * (exp(d) - 1) of a difference of logarithms. */
double goal_log_percent(double nats);
/* Is it the unit of a perplexity: "ppl", "perplexity"? */
bool goal_is_perplexity(const char *unit);

enum goal_result {
	GOAL_UNKNOWN, GOAL_NOT_COUNTED, GOAL_PASS, GOAL_UNDECIDED, GOAL_FAIL, GOAL_INHERITED,
};
extern const struct words words_goal_result;

struct goal_verdict {
	int row;			/* 1 to 13 */
	enum goal_result result;
	enum check_result level;	/* what it makes of L3 */
	bool reference_misses;		/* row 4: why is the migration better? */
	bool no_reference;		/* rows 5 and 13 */
	bool awaits_signoff;		/* row 8: L3 is confirmed only by a sign-off */
	const char *sentence;
};

enum { GOAL_ROWS = 13 };

/* INTEGRITY is L2; SIGNED_OFF: a person approved L3 there, which row 8 alone asks for. */
struct goal_verdict goal_verdict(
	const struct goal_facts *f, enum check_result integrity, bool signed_off);
/* By its number; NULL for another one. */
const char *goal_row_sentence(int row);

#endif
