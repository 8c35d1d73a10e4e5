/* silent_rule_numbers - rules over measured numbers; see silent_rule.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/projection.h"
#include "curve/statistics.h"
#include "evidence/silent_rule_private.h"

/* ---- the chip ---- */

#define DUTY_IDLE_PERCENT 2.0	/* a chip that does nothing may round up to 1 */
#define DUTY_BUSY_PERCENT 5.0	/* runs that waited for their host were busy for 11 % */

void silent_ask_idle(struct silent_work *w)
{
	const struct silent_numbers *duty = &w->in->duty_percent;
	double most = 0;
	size_t n = 0;

	if (!w->in->accelerator) {
		silent_say(w, CHECK_NOT_APPLICABLE, "it was not meant for an accelerator");
		return;
	}
	/* A sample that is no number saw nothing. */
	for (size_t i = 0; i < duty->n; i++) {
		if (!isfinite(duty->v[i]))
			continue;
		most = fmax(most, duty->v[i]);
		n++;
	}
	if (!n) {
		silent_say(w, CHECK_NOT_CHECKED, "nobody sampled the chip while it ran");
		return;
	}
	silent_value(w, most);
	silent_place(w, duty->place);
	if (n < SILENT_DUTY_MIN && most < DUTY_BUSY_PERCENT)
		silent_say(w, CHECK_UNKNOWN, "at most %.3g %% busy in %zu samples, too few to tell",
			most, n);
	else if (most < DUTY_IDLE_PERCENT)
		silent_say(w, CHECK_REFUTED, "at most %.3g %% busy in all %zu samples", most, n);
	else
		silent_say(w, most < DUTY_BUSY_PERCENT ? CHECK_UNKNOWN : CHECK_CONFIRMED,
			"up to %.3g %% busy in %zu samples", most, n);
}

/* ---- step times ---- */

/* The steps behind the warm-up; their number, 0 where there is no such place. */
static size_t settled(const struct silent_numbers *steps, struct projection *p, size_t *first)
{
	struct projection_input in = { .step_s = steps->v, .n = steps->n, .elapsed_s = NAN,
		.total_steps = (int64_t)steps->n };

	project_run_time(p, &in);
	if (p->state != RUN_TIME_OK)
		return 0;
	*first = p->warmup_end + SIGNAL_WARM_UP_STEPS;
	if (*first < steps->n / 5)
		*first = steps->n / 5;
	return *first < steps->n ? steps->n - *first : 0;
}

enum { LONG_MAX = 400, AHEAD = 3, PERIOD_MIN = 4, GRIDS = 2, UNEXPLAINED_MIN = 3 };
#define GRID_FULL 0.8
#define UNEXPLAINED_SHARE 0.01

/* Steps that take long, and which of them lie on a grid: an evaluation or a save comes
 * every so many steps. */
struct long_steps {
	const double *v;
	size_t n;
	double limit;
	bool *explained;	/* by step */
};

static bool is_long(const struct long_steps *l, size_t i)
{
	return i < l->n && l->v[i] >= l->limit && !l->explained[i];
}

/* Rows that stand for several steps are off by one now and then. */
static size_t long_near(const struct long_steps *l, size_t i, size_t period)
{
	if (is_long(l, i))
		return i;
	if (period >= 10 && is_long(l, i + 1))
		return i + 1;
	return period >= 10 && i && is_long(l, i - 1) ? i - 1 : SIZE_MAX;
}

/* How many long steps the grid through FIRST has, 0 unless nearly all of its places have
 * one; with TAKE they are explained by it. */
static size_t look_at_grid(struct long_steps *l, size_t first, size_t period, bool take)
{
	size_t places = 0, found = 0;

	for (size_t i = first % period; i < l->n; i += period) {
		size_t at = long_near(l, i, period);

		places++;
		found += at != SIZE_MAX;
		if (take && at != SIZE_MAX)
			l->explained[at] = true;
	}
	return (double)found >= GRID_FULL * (double)places && found >= 3 ? found : 0;
}

static void explain_one_grid(struct long_steps *l)
{
	size_t at[LONG_MAX], n = 0, best = 0, first = 0, period = 0;

	for (size_t i = 0; i < l->n && n < LONG_MAX; i++)
		if (is_long(l, i))
			at[n++] = i;
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && k <= i + AHEAD; k++) {
			size_t distance = at[k] - at[i], found;

			if (distance < PERIOD_MIN)
				continue;
			found = look_at_grid(l, at[i], distance, false);
			if (found > best) {
				best = found;
				first = at[i];
				period = distance;
			}
		}
	if (best)
		(void)look_at_grid(l, first, period, true);
}

static size_t unexplained(const double *v, size_t n, double limit)
{
	struct long_steps l = { v, n, limit, xcalloc(n + 1, sizeof(bool)) };
	size_t left = 0;

	for (int i = 0; i < GRIDS; i++)
		explain_one_grid(&l);
	for (size_t i = 0; i < n; i++)
		left += is_long(&l, i);
	free(l.explained);
	return left;
}

void silent_ask_step_classes(struct silent_work *w)
{
	const struct silent_numbers *steps = &w->in->step_s;
	struct projection p;
	struct step_split split;
	size_t first = 0, n, left;
	double limit;

	if (!steps->n) {
		silent_say(w, CHECK_NOT_CHECKED, "no times of steps");
		return;
	}
	silent_place(w, steps->place);
	n = settled(steps, &p, &first);
	if (n < SILENT_STEPS_MIN) {
		silent_say(w, CHECK_UNKNOWN,
			"%zu steps, %zu of them behind the warm-up: too few to tell",
			steps->n, n);
		return;
	}
	step_time_split(&split, steps->v + first, n);
	if (!split.valid || !split.two_classes) {
		silent_say(w, CHECK_CONFIRMED, "%zu steps of about %.3g s", n, p.median_s);
		return;
	}
	silent_value(w, split.share);
	limit = exp((split.mean_lower + split.mean_upper) / 2);
	left = unexplained(steps->v + first, n, limit);
	if (left < UNEXPLAINED_MIN || (double)left < UNEXPLAINED_SHARE * (double)n)
		silent_say(w, CHECK_UNKNOWN,
			"%zu of %zu steps take %.3g times as long, all but %zu at fixed "
			"distances: evaluations or saves?",
			split.n_upper, n, split.ratio, left);
	else
		silent_say(w, CHECK_REFUTED,
			"%zu of %zu steps take %.3g times as long as the others (%.3g s beside "
			"%.3g s), %zu of them at no fixed distance",
			split.n_upper, n, split.ratio, exp(split.mean_upper),
			exp(split.mean_lower), left);
}

#define SLOW_RATIO 3.0
#define FAST_RATIO 1.5

void silent_ask_slow_steps(struct silent_work *w)
{
	const struct silent_numbers *own = &w->in->step_s, *theirs = &w->in->reference_step_s;
	struct projection p, q;
	size_t first;
	double ratio;

	if (!own->n || !theirs->n) {
		silent_say(w, CHECK_NOT_CHECKED, "no times of steps on %s",
			own->n ? "the reference's side" : "this side");
		return;
	}
	silent_place(w, own->place);
	if (settled(own, &p, &first) < SILENT_STEPS_MIN ||
		settled(theirs, &q, &first) < SILENT_STEPS_MIN) {
		silent_say(w, CHECK_UNKNOWN, "too few steps behind the warm-up");
		return;
	}
	ratio = p.median_s / q.median_s;
	silent_value(w, ratio);
	silent_say(w,
		ratio > SLOW_RATIO	? CHECK_REFUTED
			: ratio > FAST_RATIO ? CHECK_UNKNOWN
					     : CHECK_CONFIRMED,
		"a step takes %.3g s, %.3g times the reference's %.3g s", p.median_s, ratio,
		q.median_s);
}

/* ---- memory ---- */

#define GROWTH_P 0.001
#define GROWTH_LEAST 0.1	/* of what it was at first, over what is looked at */
#define GROWTH_NONE 0.05
#define GROWTH_LATE 0.5		/* of the whole slope: what has filled up grows no more */

#define SHORT_GROWTH 1.5

/* Few samples tell when each is above the one before, and the last far above the first. */
static bool rises_throughout(const double *v, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (!(v[i] > v[i - 1]))
			return false;
	return n >= SILENT_MEMORY_SHORT && v[n - 1] >= SHORT_GROWTH * v[0];
}

void silent_ask_memory(struct silent_work *w)
{
	const struct silent_numbers *x = &w->in->memory_x, *y = &w->in->memory_bytes;
	size_t from = y->n / 5, n = y->n - from, half = n / 2;
	struct mann_kendall test;
	double *first, base, slope, late, growth;
	const char *size;

	if (!y->n) {
		silent_say(w, CHECK_NOT_CHECKED, "nobody sampled memory while it ran");
		return;
	}
	silent_place(w, y->place);
	if (n < SILENT_MEMORY_MIN && rises_throughout(y->v + from, n)) {
		silent_value(w, y->v[y->n - 1] / y->v[from] - 1);
		silent_say(w, CHECK_REFUTED,
			"it grows in each of %zu samples, to %.3g times what it was, and still at their end",
			n, y->v[y->n - 1] / y->v[from]);
		return;
	}
	if (n < SILENT_MEMORY_MIN) {
		silent_say(w, CHECK_UNKNOWN, "%zu samples of memory: too few to tell", y->n);
		return;
	}
	first = arena_memdup(w->a, y->v + from, (n / 4) * sizeof *first);
	base = median_of(first, n / 4);
	slope = theil_sen(x->v + from, y->v + from, n).slope;
	late = theil_sen(x->v + from + half, y->v + from + half, n - half).slope;
	test = mann_kendall(y->v + from, n);
	growth = slope * (x->v[y->n - 1] - x->v[from]) / base;
	silent_value(w, growth);
	size = w->in->memory_unit_unknown ? arena_printf(w->a, "%.3g", base) :
					    arena_printf(w->a, "%.3g GiB", base / 1073741824.0);
	if (growth >= GROWTH_LEAST && test.p < GROWTH_P && test.s > 0 &&
		late >= GROWTH_LATE * slope)
		silent_say(w, CHECK_REFUTED,
			"it grows by %.0f %% of %s over %zu samples, and still at their end",
			100 * growth, size, n);
	else
		silent_say(w, growth < GROWTH_NONE ? CHECK_CONFIRMED : CHECK_UNKNOWN,
			"it changes by %.0f %% of %s over %zu samples", 100 * growth, size, n);
}

/* ---- the loss ---- */

/* Without a gradient norm, or with one that is finite, a zero may be a rounded one. */
void silent_ask_zero_loss(struct silent_work *w)
{
	const struct silent_numbers *loss = &w->in->loss, *norm = &w->in->gradient_norm;
	size_t zeros = 0, row = 0, sick = 0, longest = 0;

	if (!loss->n) {
		silent_say(w, CHECK_NOT_CHECKED, "no loss was logged");
		return;
	}
	silent_place(w, loss->place);
	for (size_t i = 0; i < loss->n; i++) {
		bool zero = loss->v[i] == 0;

		zeros += zero;
		row = zero ? row + 1 : 0;
		longest = row > longest ? row : longest;
		sick += zero && i < norm->n && !isfinite(norm->v[i]);
	}
	silent_value(w, (double)zeros);
	if (longest < SILENT_ZEROS_MIN)
		silent_say(w, CHECK_CONFIRMED, "%zu of %zu values of the loss are exactly 0", zeros,
			loss->n);
	else if (sick >= SILENT_ZEROS_MIN)
		silent_say(w, CHECK_REFUTED,
			"the loss is exactly 0 at %zu points, and the gradient norm not finite at "
			"%zu of them: NaN was filtered",
			zeros, sick);
	else
		silent_say(w, CHECK_UNKNOWN,
			"the loss is exactly 0 at %zu points in a row; the gradient norm is %s",
			longest, norm->n ? "finite there" : "not logged");
}
