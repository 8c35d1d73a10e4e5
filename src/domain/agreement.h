/*
 * agreement - do two people who label the same attempts say the same?  Cohen's kappa.
 *
 *	kappa = (po - pe) / (1 - pe)
 *
 * with po the share of attempts that both put into one category, and pe the share that
 * would agree by chance, from how often each uses each category.  Categories are the
 * causes C0 to C6, and "none" for an attempt that did not fail.
 *
 * Of each reviewer the first label that was not struck counts: later ones may have
 * followed a talk.  Of an attempt with more than two reviewers the first two count.  A
 * failure that somebody labelled without a cause is left out: that is no category.  A
 * second label is blind when its author asked for that and nothing on record says that
 * the labels were shown before.  Agents and tools are no reviewers here.
 *
 *	struct agreement g = { 0 };
 *
 *	for (size_t i = 0; i < n; i++)
 *		agreement_add(&g, attempts[i]);
 *	agreement_finish(&g);
 *	if (!isnan(g.kappa))
 *		printf("kappa %.2f, n = %lld, blind %lld of %lld\n", g.kappa, ...);
 *
 * Pure.
 */
#ifndef PORTSIDE_DOMAIN_AGREEMENT_H
#define PORTSIDE_DOMAIN_AGREEMENT_H

#include "domain/object.h"

enum { AGREEMENT_CATEGORIES = 8 };	/* none, C0 .. C6 */

struct agreement {
	int64_t counts[AGREEMENT_CATEGORIES][AGREEMENT_CATEGORIES];	/* first, second */
	int64_t n;			/* attempts with two labels */
	int64_t blind;			/* of these: the second was given blind */
	int64_t without_cause;		/* left out: a failure without a cause */
	double observed, expected;	/* NaN without attempts */
	double kappa;			/* NaN also when chance alone would agree always */
};

/* Of N x N counts, row by row; OBSERVED and EXPECTED may be NULL. */
double agreement_kappa(const int64_t *counts, size_t n, double *observed, double *expected);

/* The two labels of S that count; false: there are none. */
bool agreement_labels(const struct label **first, const struct label **second,
	const struct attempt_state *s);
void agreement_add(struct agreement *g, const struct attempt_state *s);
void agreement_finish(struct agreement *g);

/* "kappa 0.59, n = 20, blind 12 of 20"; "no attempt has labels of two reviewers". */
void agreement_add_text(struct buf *out, const struct agreement *g);
/* "none", "C0" ... */
const char *agreement_category_name(size_t category);

#endif
