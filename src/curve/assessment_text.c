/* assessment_text - an assessment in sentences; see assessment.h. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "curve/assessment_private.h"

enum { FIGURE_DIGITS = 4 };
/* From here on digits behind the point say nothing. */
#define FIXED_MAX 1e15
/* Under that neighbouring points tell nearly as much as independent ones. */
#define PHI_WORTH_A_WORD 0.1
/* A share of the interval. */
#define RESOLUTION_WORTH_A_WORD 0.05

const char *assessment_unit(const struct assessment *s)
{
	return s->input.unit ? s->input.unit : "";
}

/* A figure that is shown already, with the digits of the values. */
void assessment_add_figure(struct buf *out, const struct assessment *s, double v)
{
	int decimals = s->input.comparison->options.decimals;

	if (isnan(v))
		buf_adds(out, "unknown");
	else if (decimals >= 0 && fabs(v) < FIXED_MAX)
		buf_addf(out, "%.*f", decimals, v);
	else
		compare_add_computed(out, v, FIGURE_DIGITS);
}

static void add_signed(struct buf *out, const struct assessment *s, double v)
{
	if (v > 0 && isfinite(v))
		buf_addc(out, '+');
	assessment_add_figure(out, s, v);
}

static void add_range(struct buf *out, const struct assessment *s, double low, double high)
{
	add_signed(out, s, low);
	buf_adds(out, " to ");
	add_signed(out, s, high);
	if (isfinite(high))
		buf_adds(out, assessment_unit(s));
}

void assessment_add_margin(struct buf *out, const struct assessment *s)
{
	assessment_add_figure(out, s, s->margin);
	if (isfinite(s->margin))
		buf_adds(out, assessment_unit(s));
	if (s->margin_is_default)
		buf_addf(out, " (%s)", s->input.margin_origin);
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* ---- the word ------------------------------------------------------------------------ */

static void add_interval(struct buf *out, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;

	buf_addf(out, "A - R is ");
	add_range(out, s, e->interval.low, e->interval.high);
	buf_addf(out, " (%.0f %% interval%s; R %zu seed%s, A %zu), the margin is ", e->level * 100,
		e->n_attempt < 2 ? " if A scatters as R does" : "", e->n_reference,
		plural(e->n_reference), e->n_attempt);
	assessment_add_margin(out, s);
	if (e->resolution > RESOLUTION_WORTH_A_WORD * (e->interval.high - e->interval.low)) {
		buf_adds(out, "; of the interval ");
		compare_add_computed(out, e->resolution, 2);
		buf_adds(out, " each way is what the logs round away");
	}
	if (e->suspiciously_better)
		buf_adds(out,
			"; suspiciously better: look for an early stop, a leaked evaluation, steps not counted");
}

static bool has_interval(const struct assessment_seeds *e)
{
	return isfinite(e->interval.low) && isfinite(e->interval.high);
}

/* Why there is no interval. */
static void add_too_few(struct buf *out, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;

	if (!e->n_attempt || !e->n_reference)
		buf_adds(out, "a side has no value there that can be told");
	else if (e->n_reference == 1 && e->n_attempt == 1)
		buf_adds(out,
			"1 run a side: how far two runs of one program are apart is unknown, and one seed never shows that two programs are equal");
	else if (e->level > 0)
		buf_adds(out, "the values are too large to tell them apart");
	else
		buf_addf(out,
			"%zu seed%s of R and %zu of A: 3 of R show a difference, 2 a side may show that there is none",
			e->n_reference, plural(e->n_reference), e->n_attempt);
}

static void add_differs(struct buf *out, const struct assessment *s)
{
	for (size_t i = 0; i < s->n_invariants; i++) {
		const struct assessment_invariant *v = &s->invariants[i];

		if (!v->n_different)
			continue;
		buf_addf(out, "%s must be equal whatever the device, and is not: ", v->series);
		compare_add_logged(out, v->reference);
		buf_adds(out, " (R), ");
		compare_add_logged(out, v->attempt);
		buf_addf(out, " (A) at %" PRId64, v->first_step);
		return;
	}
	if (s->first.state == FIRST_DIFFERS) {
		buf_adds(out, "the first step is ");
		compare_add_computed(out, s->first.relative, 2);
		buf_addf(out,
			" apart (relative), which %s does not explain (%.0e): not seed noise",
			s->input.precision, s->first.expected);
	} else {
		add_interval(out, s);
	}
}

static void add_not_distinguishable(struct buf *out, const struct assessment *s)
{
	if (s->self.cannot_gate) {
		buf_addf(out,
			"the reference cannot gate anything: two of its runs with seed %s are up to ",
			s->self.seed);
		assessment_add_figure(out, s, s->self.apart);
		buf_addf(out, "%s apart, more than the tolerance", assessment_unit(s));
	} else if (!has_interval(&s->seeds)) {
		add_too_few(out, s);
	} else if (!(s->margin > 0)) {
		buf_adds(out, "no margin is declared that a gap could be held against");
	} else if (s->seeds.n_attempt < 2 && s->seeds.interval.low >= -s->margin &&
		s->seeds.interval.high <= s->margin) {
		add_interval(out, s);
		buf_adds(out, "; a single seed of A never shows that it agrees");
	} else {
		add_interval(out, s);
	}
}

void assessment_find_reason(struct assessment *s, struct arena *a)
{
	struct buf b = BUF_INIT;

	switch (s->word) {
	case SEED_NOT_COMPARABLE:
		buf_addf(&b, "%s is not equal; make it equal first", s->input.obstacle);
		break;
	case SEED_NOT_MEASURED:
		buf_adds(&b, "no finite value of both at one point");
		break;
	case SEED_NOT_DISTINGUISHABLE:
		add_not_distinguishable(&b, s);
		break;
	case SEED_DIFFERS:
		add_differs(&b, s);
		break;
	case SEED_AGREES:
		add_interval(&b, s);
		break;
	}
	s->reason = arena_strndup(a, b.s, b.n);
	buf_release(&b);
}

void assessment_add_conclusion(struct buf *out, const struct assessment *s)
{
	buf_addf(out, "%s: %s", seed_word_name(s->word), s->reason);
}

void assessment_add_brief(struct buf *out, const struct assessment *s)
{
	const struct assessment_seeds *e = &s->seeds;
	bool open = s->word == SEED_NOT_DISTINGUISHABLE;

	buf_adds(out, open ? "not distinguishable" : seed_word_name(s->word));
	if (s->word == SEED_NOT_COMPARABLE)
		buf_addf(out, ": %s is not equal", s->input.obstacle);
	else if (open && s->self.cannot_gate)
		buf_addf(out, ": two runs of R with seed %s disagree, it cannot gate", s->self.seed);
	else if (open && !has_interval(e) && e->n_reference == 1 && e->n_attempt == 1)
		buf_adds(out, ": 1 run a side, so run-to-run spread is unknown");
	else if (s->word != SEED_NOT_MEASURED && has_interval(e)) {
		buf_adds(out, ": A - R ");
		add_range(out, s, e->interval.low, e->interval.high);
		buf_adds(out, ", margin ");
		assessment_add_figure(out, s, s->margin);
		buf_addf(out, "%s (R %zu, A %zu seed%s)", assessment_unit(s), e->n_reference,
			e->n_attempt, plural(e->n_attempt));
	} else if (s->word != SEED_NOT_MEASURED) {
		buf_addf(out, ": %s", s->reason);
	}
	if (e->suspiciously_better)
		buf_adds(out, ", suspiciously better");
}

static void say_conclusion(struct buf *out, const struct assessment *s)
{
	buf_adds(out, "conclusion: ");
	assessment_add_conclusion(out, s);
}

/* ---- start and invariants ------------------------------------------------------------- */

static void say_start(struct buf *out, const struct assessment *s)
{
	const struct assessment_first *f = &s->first;
	const struct comparison *c = s->input.comparison;

	if (f->state == FIRST_UNKNOWN)
		return;
	buf_adds(out, "start: the first matched point is ");
	compare_add_x(out, c, f->key, f->x);
	if (f->state == FIRST_TOO_LATE) {
		buf_adds(out, "; training lies before it, so it does not show whether they start alike");
		return;
	}
	buf_adds(out, ", there they are ");
	compare_add_computed(out, f->relative, 2);
	buf_adds(out, " apart (relative); ");
	if (f->state == FIRST_NOT_JUDGED)
		buf_adds(out,
			"not judged, since equal weights, data, seed and number format are not all on record");
	else
		buf_addf(out, f->state == FIRST_AGREES
				? "%s explains that (it does up to %.0e)"
				: "%s does not explain that (it does up to %.0e), and no seed does",
			s->input.precision, f->expected);
}

static void add_different(struct buf *out, const struct assessment_invariant *v)
{
	buf_addf(out, "DIFFERS at %zu of %zu step%s, first at %" PRId64 ": ", v->n_different, v->n,
		plural(v->n), v->first_step);
	compare_add_logged(out, v->reference);
	buf_adds(out, " (R), ");
	compare_add_logged(out, v->attempt);
	buf_adds(out, " (A)");
}

static void say_invariants(struct buf *out, const struct assessment *s)
{
	if (!s->n_invariants)
		return;
	buf_adds(out, "must be equal:");
	for (size_t i = 0; i < s->n_invariants; i++) {
		const struct assessment_invariant *v = &s->invariants[i];

		buf_addf(out, "%s %s ", i ? "," : "", v->series);
		if (v->n_different)
			add_different(out, v);
		else
			buf_addf(out, "is equal at %zu step%s", v->n, plural(v->n));
	}
}

/* ---- where and how far ------------------------------------------------------------------ */

static void say_onset(struct buf *out, const struct assessment *s)
{
	const struct comparison *c = s->input.comparison;

	buf_adds(out, "where: ");
	compare_add_onset(out, c);
	if (!c->onset.n)
		return;
	for (size_t i = 0; i < s->n_events; i++)
		buf_addf(out, "%s %s", i ? ";" : "; meanwhile", s->events[i].text);
	if (!s->n_events && c->alignment.options.axis == ALIGN_STEP)
		buf_adds(out, "; no event is on record in between");
}

static void add_examples(struct buf *out, const struct assessment *s)
{
	const struct examples_gap *g = &s->best_examples;

	if (g->state == EXAMPLES_EXACT || g->state == EXAMPLES_AMBIGUOUS)
		buf_addf(out, " (%s%" PRId64 " of %" PRId64 " examples)",
			g->state == EXAMPLES_EXACT ? "" : "about ",
			g->examples < 0 ? -g->examples : g->examples,
			s->input.comparison->options.examples);
}

static void say_end(struct buf *out, const struct assessment *s)
{
	const struct comparison *c = s->input.comparison;
	const struct gap *g = &s->gap;

	if (!g->n)
		return;
	buf_addf(out, "end: mean of the last %zu%s: R ",
		g->n < GAP_FINAL_COUNT ? g->n : (size_t)GAP_FINAL_COUNT,
		c->n_nonfinite_pairs ? " that are finite on both sides" : "");
	compare_add_value(out, c, g->final_reference);
	buf_adds(out, ", A ");
	compare_add_value(out, c, g->final_attempt);
	buf_adds(out, ", d ");
	compare_add_difference(out, c, g->final_attempt - g->final_reference);
	if (isnan(c->best_reference))
		return;
	buf_adds(out, "; best: R ");
	compare_add_value(out, c, c->best_reference);
	buf_adds(out, ", A ");
	compare_add_value(out, c, c->best_attempt);
	buf_adds(out, ", d ");
	compare_add_difference(out, c, c->best_attempt - c->best_reference);
	add_examples(out, s);
	if (!s->input.best_counts)
		buf_adds(out, "; a best of many is flattering");
}

/* Left out where it changes nothing. */
bool assessment_phi_matters(double phi)
{
	return phi > PHI_WORTH_A_WORD;
}

static void say_noise(struct buf *out, const struct assessment *s)
{
	bool scatters = isfinite(s->early_sigma), hangs = assessment_phi_matters(s->phi);

	if (!scatters && !hangs)
		return;
	buf_adds(out, "noise: ");
	if (scatters && s->early_sigma > 0) {
		buf_adds(out, "while they agree, d scatters by ");
		assessment_add_figure(out, s, s->early_sigma);
		buf_addf(out, "%s (assumed, from these two runs alone)", assessment_unit(s));
	} else if (scatters) {
		buf_adds(out, "while they agree, most points are equal");
	}
	if (hangs)
		buf_addf(out,
			"%sneighbouring points of d are alike, by noise or by drift (phi %.2f): %zu of them tell as much as %.1f independent ones",
			scatters ? "; " : "", s->phi, s->gap.n, s->n_effective);
}

static void add_lag(struct buf *out, const struct assessment *s)
{
	const struct align_lag *l = &s->lag;
	double scale = s->input.comparison->options.scale;

	buf_addf(out, "lag: with A taken %d row%s %s the median |d| is ", abs(l->lag),
		abs(l->lag) == 1 ? "" : "s", l->lag > 0 ? "earlier" : "later");
	compare_add_computed(out, l->median_abs * scale, 3);
	buf_adds(out, " in place of ");
	compare_add_computed(out, l->median_abs_at_0 * scale, 3);
}

static void say_lag(struct buf *out, const struct assessment *s)
{
	const struct align_lag *l = &s->lag;

	if (!s->has_lag)
		return;
	if (!l->lag) {
		buf_addf(out,
			"lag: none, no shift by up to %d rows brings the curves much closer",
			l->searched);
		return;
	}
	add_lag(out, s);
	if (!s->lag_is_whole) {
		buf_adds(out,
			"; a run that learns at another pace looks like that too: the reason is not known, so no shift is advised");
		return;
	}
	buf_adds(out, abs(l->lag) <= 2
			? ": as if one side logged a step before its update and the other after it; "
			: ", and one row more or less leaves far more: as if the steps of one side were counted from elsewhere; ");
	if (s->lag_shift)
		buf_addf(out,
			"where the code says so, --shift %" PRId64 " pairs these rows (it was not applied)",
			s->lag_shift);
	else
		buf_adds(out,
			"the rows are not evenly apart, so no one --shift pairs them: log both alike");
}

/* ---- all ------------------------------------------------------------------------------------ */

static const struct {
	const char *id;
	void (*say)(struct buf *out, const struct assessment *s);
} sayings[] = {
	{ "conclusion", say_conclusion },
	{ "start", say_start },
	{ "invariants", say_invariants },
	{ "leaves", say_onset },
	{ "end", say_end },
	{ "reference", assessment_say_self },
	{ "band", assessment_say_band },
	{ "seeds", assessment_say_seeds },
	{ "needed", assessment_say_needed },
	{ "convergence", assessment_say_convergence },
	{ "noise", say_noise },
	{ "lag", say_lag },
};

bool assessment_statement(struct buf *out, const struct assessment *s, size_t i, const char **id)
{
	if (i < ARRAY_LEN(sayings)) {
		*id = sayings[i].id;
		sayings[i].say(out, s);
		return true;
	}
	*id = "predictions";
	i -= ARRAY_LEN(sayings);
	if (i >= s->input.n_predictions)
		return false;
	buf_addf(out, "predictions: %s", s->input.predictions[i]);
	return true;
}
