/* comparison_words - see comparison_words.h. */
#include "config.h"

#include "workspace/comparison_words.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static const char *keep(struct run_comparison *c, struct buf *b)
{
	const char *text = arena_strndup(&c->metric_arena, b->s, b->n);

	buf_release(b);
	return text;
}

const char *comparison_no_reference(struct run_comparison *c, const char *named)
{
	const char *word = word_name(&words_run_kind, (int)c->attempt.run->kind);
	const char *target = c->accepted.in_force.migration.reference;
	const char *blank = *word ? " " : "", *kind = *word ? word : "smoke";

	if (named)
		return arena_printf(
			&c->arena, "%s has no %s%srun to compare with", named, word, blank);
	return arena_printf(&c->arena,
		"no %s%srun of the reference yet: portside run reference --kind %s --target %s, "
		"or portside import reference FILE...%s%s",
		word, blank, kind, target && *target ? target : "TARGET", *word ? " --kind " : "",
		word);
}

static const char *nothing_of_side(struct run_comparison *c, const struct comparison_side *s)
{
	if (s->hidden)
		return arena_printf(&c->metric_arena,
			"%s had not ended at this moment, and its points carry no times to cut them at",
			s->name);
	if (!s->files->series->n)
		return arena_printf(&c->metric_arena,
			"no curve yet in %s: nothing in its files reads as a metric", s->name);
	if (s->cut.name)
		return arena_printf(&c->metric_arena, "no point of %s in %s before this moment",
			text_sanitised(&c->metric_arena, c->metric), s->name);
	return arena_printf(&c->metric_arena, "%s does not log %s", s->name,
		text_sanitised(&c->metric_arena, c->metric));
}

const char *comparison_nothing(struct run_comparison *c)
{
	if (!c->attempt.series)
		return nothing_of_side(c, &c->attempt);
	if (!c->reference.series)
		return nothing_of_side(c, &c->reference);
	return "";
}

const char *comparison_verdict(struct run_comparison *c)
{
	const struct comparable_item *item = c->comparable.first_obstacle;
	struct buf b = BUF_INIT;

	if (c->comparable.overall == COMPARABLE_NO && item) {
		buf_addf(&b, "not comparable: %s: %s", item->name, item->make_equal);
		return keep(c, &b);
	}
	compare_add_verdict(&b, &c->comparison);
	comparable_add_conditions(&b, &c->comparable);
	return keep(c, &b);
}

static const char *step_after_match(struct run_comparison *c)
{
	const char *intended = c->accepted.in_force.migration.intended;
	const struct run_state *run = c->attempt.run;

	if (run->kind == RUN_KIND_SMOKE)
		return "inside as far as a smoke run goes; a full run says more";
	if (intended && *intended && strcmp(run->configuration, intended) != 0 &&
		!c->against_attempt)
		return arena_printf(
			&c->metric_arena, "not yet what was intended: the same on %s", intended);
	return c->spread.n < 2 ? "a second seed on both sides shows the run-to-run spread" : "";
}

/* Rows every 10 and every 15 steps: another pairing decides at once. */
static bool is_other_cadence(const struct run_comparison *c, const struct comparable_item *obstacle)
{
	const struct align_options *o = &c->comparison.options.align;
	double r = align_series_cadence(c->reference.series),
	       a = align_series_cadence(c->attempt.series);

	return strcmp(obstacle->name, "coverage") == 0 && o->mode == ALIGN_EXACT &&
		(o->axis == ALIGN_STEP || o->axis == ALIGN_FROM_START) && (r < a || r > a);
}

/* What was asked for may be in the way, and no run. */
static const char *step_to_comparable(
	struct run_comparison *c, const struct comparable_item *obstacle)
{
	if (c->request.align.shift && strcmp(obstacle->name, "coverage") == 0)
		return "compare without the shift, or by whole rows";
	if (is_other_cadence(c, obstacle))
		return c->comparison.options.align.evaluation
			? "they log at different steps: --align nearest pairs what lies closest, without a new run"
			: "they log at different steps: --align window compares the means between common ones, without a new run";
	return arena_printf(&c->metric_arena, "make %s equal and run again", obstacle->name);
}

const char *comparison_next_step(struct run_comparison *c, bool sibling_matches)
{
	const struct run_state *run = c->attempt.run;

	if (c->comparable.overall == COMPARABLE_NO)
		return step_to_comparable(c, c->comparable.first_obstacle);
	switch (c->comparison.verdict) {
	case COMPARE_NO_OVERLAP:
		return "no common x: try another alignment or axis";
	case COMPARE_NOT_DECIDABLE:
		if (2 * c->comparison.n_without_tolerance >= c->comparison.alignment.n)
			return "take a tolerance that needs no spread, or more seeds of the reference";
		return c->comparison.n_finite ? "log more digits on both sides"
					      : "find where the first NaN or infinity comes from";
	case COMPARE_MATCH:
		return step_after_match(c);
	case COMPARE_DIFFERS_FROM_START:
	case COMPARE_EXCURSION:
	case COMPARE_DIVERGES:
		break;
	}
	if (sibling_matches)
		return arena_printf(&c->metric_arena,
			"differs on %s, not on %s: grad norm of one batch on both",
			run->configuration, c->sibling.run->configuration);
	if (c->comparison.verdict == COMPARE_DIFFERS_FROM_START)
		return "cheapest next check: loss and grad norm of one batch from the same weights";
	if (c->comparison.verdict == COMPARE_EXCURSION)
		return "came back by the end; look at what happened at the first step out";
	return "cheapest next check: grad norm and learning rate at the first step out";
}

static void add_figure(struct buf *out, const struct run_comparison *c, double v)
{
	if (*c->goal)
		buf_addf(out, "%.2f", v);
	else
		buf_addf(out, "%.3g", v);
}

void comparison_add_spread_range(struct buf *out, const struct run_comparison *c)
{
	add_figure(out, c, c->spread.low);
	if (c->spread.n > 2) {
		buf_adds(out, " to ");
		add_figure(out, c, c->spread.high);
	}
	buf_adds(out, c->unit);
}

void comparison_add_spread(struct buf *out, const struct run_comparison *c)
{
	if (c->spread.n < 2 || !isfinite(c->spread.low))
		return;
	buf_addf(out, "reference against itself, %zu runs: ", c->spread.n);
	comparison_add_spread_range(out, c);
	buf_adds(out, " apart at the end");
}
