/* assessment_noise_text - what the reference's own repeats say, and what more runs would; the
 * rest of the sentences is in assessment_text.c. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "curve/assessment_private.h"

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

void assessment_say_self(struct buf *out, const struct assessment *s)
{
	const struct assessment_self *e = &s->self;

	if (e->n_runs < 2 || isnan(e->low)) {
		buf_adds(out, "reference: it ran once, so its run-to-run spread is unknown");
		return;
	}
	buf_addf(out, "reference: %zu runs of it are ", e->n_runs);
	assessment_add_figure(out, s, e->low);
	if (e->n_pairs > 1) {
		buf_adds(out, " to ");
		assessment_add_figure(out, s, e->high);
	}
	buf_addf(out, "%s apart from each other at the end", assessment_unit(s));
	if (isfinite(e->sd)) {
		buf_adds(out, "; spread of one run (sd) ");
		assessment_add_figure(out, s, e->sd);
		buf_addf(out, "%s, 95 %% interval ", assessment_unit(s));
		assessment_add_figure(out, s, e->sd95.low);
		buf_adds(out, " to ");
		assessment_add_figure(out, s, e->sd95.high);
	}
	if (e->cannot_gate)
		buf_addf(out,
			"; two runs with seed %s disagree beyond the tolerance, so the reference cannot gate anything",
			e->seed);
	else if (e->n_same_seed)
		buf_addf(out, "; runs of one seed agree within the tolerance");
}

/* How often chance does that.  A curve of fewer points than were tried is not told a
 * share that is not its own. */
static void add_false_alarms(struct buf *out, const struct assessment_band *b)
{
	size_t n = b->alarm.n_compared;

	if (n < SEED_FALSE_ALARM_POINTS) {
		buf_addf(out,
			"; %zu points are too few to say how often chance does that (it is known for %d)",
			n, SEED_FALSE_ALARM_POINTS);
		return;
	}
	if (!isfinite(b->false_alarms))
		return;
	buf_addf(out, "; chance keeps a run that is no different outside that long in %s%.0f %% of curves of %d points",
		b->false_alarms < 0.01 ? "under " : "about ", fmax(1, b->false_alarms * 100),
		SEED_FALSE_ALARM_POINTS);
	if (n > SEED_FALSE_ALARM_POINTS)
		buf_addf(out, ", and in more of those of %zu", n);
}

static void add_alarm(struct buf *out, const struct assessment_band *b)
{
	const struct band_alarm *m = &b->alarm;

	if (m->n_compared < (size_t)b->k) {
		buf_addf(out, "; too few to say more, which takes %d in a row", b->k);
		return;
	}
	if (!m->fired) {
		buf_addf(out, ", never for %d in a row", b->k);
		return;
	}
	if (m->has_agreeing)
		buf_addf(out, ", for %d in a row first between %" PRId64 " and %" PRId64, b->k,
			m->last_agreeing, m->first_disagreeing);
	else
		buf_addf(out, ", for %d in a row from the first one at %" PRId64, b->k,
			m->first_disagreeing);
	if (b->has_cusum && b->cusum_step != m->first_disagreeing)
		buf_addf(out, " (cumulative sums of its distance place it at %" PRId64 ")",
			b->cusum_step);
	add_false_alarms(out, b);
}

void assessment_say_band(struct buf *out, const struct assessment *s)
{
	const struct assessment_band *b = &s->band;

	if (!b->bands.n || !b->alarm.n_compared)
		return;
	buf_addf(out, "band: where 95 %% of further runs of the reference would lie at any one step, from %zu seeds; A is outside at %zu of %zu point%s",
		b->m, b->alarm.n_outside, b->alarm.n_compared, plural(b->alarm.n_compared));
	add_alarm(out, b);
	if (assessment_phi_matters(b->phi) && b->alarm.n_compared >= (size_t)b->k)
		buf_addf(out, "; neighbouring points of the seeds are alike (phi %.2f): %zu tell as much as %.1f independent ones",
			b->phi, b->alarm.n_compared, b->n_effective);
}

static void add_side(struct buf *out, const struct assessment *s, const char *side,
	const double *v, size_t n)
{
	buf_addf(out, "%s %zu seed%s", side, n, plural(n));
	if (n) {
		buf_adds(out, n > 1 ? ", mean " : ", ");
		assessment_add_figure(out, s, mean_of(v, n));
	}
	if (n > 1) {
		buf_adds(out, ", sd ");
		assessment_add_figure(out, s, sd_of(v, n));
	}
}

void assessment_say_seeds(struct buf *out, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;

	if (e->n_reference + e->n_attempt < 3)
		return;
	buf_adds(out, s->input.best_counts ? "seeds: best values: " : "seeds: at the last step: ");
	add_side(out, s, "R", e->reference, e->n_reference);
	buf_adds(out, "; ");
	add_side(out, s, "A", e->attempt, e->n_attempt);
	if (isnan(e->equivalence.p_tost))
		return;
	buf_addf(out, "; not worse than the margin: p %.3g; neither worse nor better: p %.3g",
		e->equivalence.p_non_inferior, e->equivalence.p_tost);
}

/* One evaluation, example by example: how many may be answered differently. */
static void add_paired(struct buf *out, const struct assessment *s, int64_t n)
{
	double budget = s->margin * (double)n / (100 * 1.959963984540054);

	buf_addf(out,
		"; or, for these examples and these two runs alone, at most %.0f of %" PRId64 " answered differently",
		floor(budget * budget), n);
}

void assessment_say_needed(struct buf *out, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;
	int64_t n = s->input.comparison->options.examples;

	if (!(s->margin > 0) || s->word != SEED_NOT_DISTINGUISHABLE)
		return;
	buf_adds(out, "needed: to show equality within ");
	assessment_add_margin(out, s);
	buf_adds(out, " with 3 seeds a side, one run may scatter by ");
	compare_add_computed(out, s->margin * seeds_largest_sd(3), 3);
	buf_adds(out, " at most (sd)");
	if (isfinite(s->self.sd) && e->needed)
		buf_addf(out,
			"; if the two are equal and scatter by the sd above, it takes at least %d seeds a side",
			e->needed);
	else if (isfinite(s->self.sd))
		buf_addf(out, "; with the sd above %d seeds a side are too few", SEEDS_MAX);
	if (n > 0 && strcmp(assessment_unit(s), "pp") == 0 && isfinite(s->margin))
		add_paired(out, s, n);
}

/* Of runs that never get there no time is known, and the others are a chosen few. */
static void add_not_reached(struct buf *out, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;

	if (!e->n_left_out)
		return;
	buf_addf(out, "convergence: not judged: %zu of %zu of A never reach%s ", e->n_left_out,
		e->n_attempt, e->n_left_out == 1 ? "es" : "");
	assessment_add_figure(out, s, e->quality);
	buf_addf(out, "%s, which every run of R does", assessment_unit(s));
}

void assessment_say_convergence(struct buf *out, const struct assessment *s)
{
	const struct convergence *c = &s->seeds.convergence;

	if (isnan(s->seeds.quality))
		return;
	if (c->state == CONVERGENCE_TOO_FEW || s->seeds.n_left_out) {
		add_not_reached(out, s);
		return;
	}
	buf_adds(out, "convergence: to ");
	assessment_add_figure(out, s, s->seeds.quality);
	buf_addf(out,
		"%s R takes %.6g steps and A %.6g (means without the extremes); under %.6g comes by chance in 5 %% of cases, and A is %s",
		assessment_unit(s), c->reference, c->attempt, c->bound,
		c->state == CONVERGENCE_TOO_FAST
			? "under it: look for an early stop, a leaked evaluation, steps not counted"
			: "not under it");
}
