/*
 * rule_noise - how far the reference's own smoke runs are apart, and the limit of a
 * rule about the smoke gap that follows from it.
 *
 * Two runs of one program end with different values.  A limit under that asks people
 * about noise, so it is taken from repeats of the reference, before there is any
 * attempt: theta = t(1 - share, n - 1) * sqrt(2) * sd, since the gap of a rule is that
 * of two single runs.  Nothing is written: a person puts it into portside.conf and
 * accepts the file.
 *
 * Repeats are smoke runs of the reference that ended well, on one configuration (the
 * reference's target where it ran there, else the one with most of them) and at one
 * last step.  Values are those that the goal counts, as shown.
 *
 *	struct rule_noises n;
 *
 *	if (rule_noise_read(&n, ws, 0.05, NULL, NULL, &arena) < 0)
 *		return -1;
 *	... n.rows[i].goal, n.rows[i].limit.limit ...
 */
#ifndef PORTSIDE_WORKSPACE_RULE_NOISE_H
#define PORTSIDE_WORKSPACE_RULE_NOISE_H

#include <stdatomic.h>

#include "curve/seeds.h"
#include "workspace/workspace.h"

struct rule_noise {
	const char *goal, *unit;
	const char *series;		/* "": no run logs one that the goal names */
	const char *configuration;	/* of the repeats; "": there is none */
	double *values;			/* N of them, by the runs' own order */
	size_t n, n_left;		/* left: other last step, or no such series */
	size_t n_copies;		/* left: the points of another, and no seed declared */
	double step;			/* the last one of most runs; NaN without a value */
	bool one_seed;			/* all have the same seed, and it is known */
	struct noise_limit limit;	/* see seeds.h */
	double proposed;		/* rounded up to what can be read; NaN: none */
	double smallest;		/* one example, as shown; NaN: not known */
	const char *rule;		/* id of the rule about this gap; "": none */
	double in_force;		/* its limit; NaN: none, or not a plain one */
	double share_in_force;		/* false alarms of that limit; NaN: not known */
};

struct rule_noises {
	struct rule_noise *rows;	/* one a goal that names a series */
	size_t n;
	bool from_file;			/* nothing is accepted yet: the goals of the file */
	const char *target;		/* of the reference, "" */
};

/* SHARE: of runs that are no different which the limit may still stop, over 0 and
 * under 1.  ERR_CANCELLED. */
int rule_noise_read(struct rule_noises *out, struct workspace *ws, double share,
	const struct position *at, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

#endif
