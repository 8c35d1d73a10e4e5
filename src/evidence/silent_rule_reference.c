/* silent_rule_reference - rules beside the reference; see silent_rule.h. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/statistics.h"
#include "evidence/silent_rule_private.h"

static const struct comparable_item *item_of(const struct silent_work *w, const char *name)
{
	return w->in->comparable ? comparable_find(w->in->comparable, name) : NULL;
}

static bool is(const struct comparable_item *item, enum comparable_status status)
{
	return item && item->status == status;
}

/* ---- one input that must be equal ---- */

static const struct probe_answer *answer_of(const struct silent_work *w, const char *check)
{
	for (size_t i = 0; w->in->answers && i < PROBE_QUESTIONS; i++)
		if (strcmp(w->in->answers[i].check, check) == 0)
			return &w->in->answers[i];
	return NULL;
}

static void say_item(struct silent_work *w, enum check_result result,
	const struct comparable_item *item, const char *what)
{
	silent_say(w, result, "%s: %s, and %s in the reference%s%s", what, item->attempt,
		item->reference, result == CHECK_UNKNOWN ? "; on purpose: " : "",
		result == CHECK_UNKNOWN ? item->reason : "");
}

static void ask_equal(
	struct silent_work *w, const char *check, const char *name, const char *what)
{
	const struct probe_answer *answer = answer_of(w, check);
	const struct comparable_item *item = item_of(w, name);
	enum check_result probed = answer ? answer->result : CHECK_NOT_CHECKED;

	if (is(item, COMPARABLE_DECLARED)) {
		say_item(w, CHECK_UNKNOWN, item, what);
	} else if (is(item, COMPARABLE_DIFFERS)) {
		say_item(w, CHECK_REFUTED, item, what);
	} else if (probed == CHECK_REFUTED || probed == CHECK_CONFIRMED) {
		silent_say(w, probed, "%s", answer->why);
		silent_place(w, answer->places);
	} else if (is(item, COMPARABLE_EQUAL)) {
		silent_say(w, CHECK_CONFIRMED, "%s: %s on both sides", what, item->attempt);
	} else if (probed == CHECK_UNKNOWN) {
		silent_say(w, CHECK_UNKNOWN, "%s", answer->why);
	} else {
		silent_say(w, item ? CHECK_UNKNOWN : CHECK_NOT_CHECKED, "%s",
			item ? "not logged on both sides" : "nothing to compare it with");
	}
}

void silent_ask_steps(struct silent_work *w)
{
	ask_equal(w, "steps", "steps", "optimizer steps");
}

void silent_ask_batch(struct silent_work *w)
{
	ask_equal(w, "batch", "batch", "effective batch");
}

/* ---- an experiment that was made smaller ---- */

struct part {
	const char *item, *what;
	double reference, attempt;	/* NaN: no number, any difference counts */
};

static bool is_less(const struct part *p)
{
	return isnan(p->reference) || isnan(p->attempt) || p->attempt < p->reference;
}

static double number(const struct run_facts *f, double value)
{
	return f ? value : NAN;
}

#define PART(item, what, field)                                                                    \
	{                                                                                          \
		item, what, r ? number(r, r->field) : NAN, t ? number(t, t->field) : NAN           \
	}

/* More steps are unequal, and no weaker. */
void silent_ask_weakened(struct silent_work *w)
{
	const struct run_facts *r = w->in->reference_facts, *t = w->in->facts;
	const struct part parts[] = {
		PART("steps", "fewer steps", steps),
		PART("parameters", "a smaller model", parameters),
		{ "data", "other data", NAN, NAN },
		PART("examples", "a smaller evaluation", eval_examples),
	};
	const struct comparable_item *declared = NULL;
	size_t equal = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const struct comparable_item *item = item_of(w, parts[i].item);

		if (is(item, COMPARABLE_DIFFERS) && is_less(&parts[i])) {
			say_item(w, CHECK_REFUTED, item, parts[i].what);
			return;
		}
		if (is(item, COMPARABLE_DECLARED))
			declared = item;
		equal += is(item, COMPARABLE_EQUAL) || is(item, COMPARABLE_NOT_APPLICABLE);
	}
	if (declared)
		say_item(w, CHECK_UNKNOWN, declared, declared->name);
	else if (equal == ARRAY_LEN(parts))
		silent_say(w, CHECK_CONFIRMED, "steps, model, data and evaluation are the reference's");
	else
		silent_say(w, w->in->comparable ? CHECK_UNKNOWN : CHECK_NOT_CHECKED, "%s",
			w->in->comparable ? "steps, model, data or evaluation are not known on both sides" :
					    "no run of the reference to compare it with");
}

/* ---- curves ---- */

/* A pair that may not be compared shows nothing. */
static bool may_compare(struct silent_work *w)
{
	const struct comparable *c = w->in->comparable;

	if (!w->in->comparison || !w->in->assessment) {
		silent_say(w, CHECK_NOT_CHECKED, "no curve of the reference to compare it with");
		return false;
	}
	if (c && c->overall == COMPARABLE_NO) {
		silent_say(w, CHECK_UNKNOWN, "not comparable: %s differs", c->first_obstacle->name);
		return false;
	}
	return true;
}

void silent_ask_first_step(struct silent_work *w)
{
	const struct assessment_first *f;

	if (!may_compare(w))
		return;
	f = &w->in->assessment->first;
	switch (f->state) {
	case FIRST_UNKNOWN:
		silent_say(w, CHECK_UNKNOWN, "no first value that both have");
		return;
	case FIRST_TOO_LATE:
		silent_say(w, CHECK_UNKNOWN, "the first value that both have is at step %" PRId64
			": training lies before it", f->key);
		return;
	case FIRST_NOT_JUDGED:
		silent_say(w, CHECK_UNKNOWN,
			"whether weights, data and number format are equal is not known");
		return;
	case FIRST_AGREES:
	case FIRST_DIFFERS:
		silent_value(w, f->relative);
		silent_say(w, f->state == FIRST_AGREES ? CHECK_CONFIRMED : CHECK_REFUTED,
			"at step %" PRId64 " %.6g, and %.6g in the reference: %.2g apart, where the format explains %.2g",
			f->key, f->attempt, f->reference, f->relative, f->expected);
	}
}

/* The points up to the last that are all out. */
static size_t out_at_end(const struct comparison *c)
{
	size_t n = 0;

	while (n < c->alignment.n && !c->inside[c->alignment.n - 1 - n])
		n++;
	return n;
}

/* How far out the last N points are, in tolerances. */
static double how_far(const struct silent_work *w, size_t n)
{
	const struct comparison *c = w->in->comparison;
	double *v = arena_alloc(w->a, (n + 1) * sizeof *v);
	size_t kept = 0;

	for (size_t i = c->alignment.n - n; i < c->alignment.n; i++) {
		double far = fabs(compare_delta(c, i, DELTA_PLAIN)) / compare_tolerance_at(c, i);

		if (isfinite(far))
			v[kept++] = far;
	}
	return median_of(v, kept);
}

#define FAR_OUT 2.0

static void say_diverged(struct silent_work *w, size_t n, double far)
{
	const struct comparison *c = w->in->comparison;
	struct align_pair p = align_pair_at(&c->alignment, c->alignment.n - n);

	silent_value(w, far);
	silent_say(w, CHECK_REFUTED,
		"from step %" PRId64 " on out for %zu points, up to the end, %.2g tolerances far",
		p.key, n, far);
}

/* With three seeds and more of the reference their band decides, else how far out. */
void silent_ask_divergence(struct silent_work *w)
{
	const struct comparison *c = w->in->comparison;
	bool has_band;
	size_t n;
	double far;

	if (!may_compare(w))
		return;
	has_band = w->in->assessment->band.m >= 3;
	n = out_at_end(c);
	far = n ? how_far(w, n) : NAN;
	if (n >= ONSET_POINTS && has_band && w->in->assessment->band.alarm.fired)
		say_diverged(w, n, far);
	else if (n >= SILENT_DIVERGED_MIN && !has_band && far >= FAR_OUT)
		say_diverged(w, n, far);
	else if (c->verdict == COMPARE_MATCH && !compare_is_few(c))
		silent_say(w, CHECK_CONFIRMED, "all of %zu points lie inside the tolerance",
			c->alignment.n);
	else if (c->verdict == COMPARE_NO_OVERLAP)
		silent_say(w, CHECK_UNKNOWN, "no points that both have");
	else
		silent_say(w, CHECK_UNKNOWN, "%s; %zu of %zu points lie inside the tolerance",
			compare_verdict_name(c->verdict), c->n_inside, c->alignment.n);
}

/* An interval needs repeats: 3 of the reference beside one run, or 2 on each side. */
void silent_ask_result(struct silent_work *w)
{
	const struct assessment *s = w->in->assessment;
	struct interval i;

	if (!may_compare(w))
		return;
	i = s->seeds.interval;
	if (isnan(i.low) || isnan(i.high) || isnan(s->margin)) {
		silent_say(w, CHECK_UNKNOWN,
			"too few repeats of the reference to say how far two runs of it end apart");
		return;
	}
	silent_value(w, (i.low + i.high) / 2);
	silent_say(w,
		i.low > s->margin || i.high < -s->margin ? CHECK_REFUTED
			: s->word == SEED_AGREES	 ? CHECK_CONFIRMED
							 : CHECK_UNKNOWN,
		"it ends %.3g to %.3g from the reference, the margin is %.3g (%zu and %zu seeds)", i.low,
		i.high, s->margin, s->seeds.n_reference, s->seeds.n_attempt);
}
