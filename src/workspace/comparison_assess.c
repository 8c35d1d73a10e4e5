/* comparison_assess - what the evidence about two runs allows to say: gathers what
 * curve/assessment.h asks for; see comparison.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "workspace/comparison.h"

static struct assessment_run run_of(const struct comparison_side *s)
{
	return (struct assessment_run){ s->name, s->run->seed, s->series };
}

struct runs {
	struct assessment_run *rows;
	size_t n;
};

static bool is_one_run(const struct comparison_side *a, const struct comparison_side *b)
{
	return strcmp(a->run->id, b->run->id) == 0;
}

/*
 * FIRST, which is compared, then its repeats.  Where one run of a program stands beside
 * another of the same, the repeats of both are the same ones: each counts for the reference
 * alone, since runs would agree with themselves.
 */
static struct runs runs_of(struct arena *a, const struct comparison_side *first,
	const struct comparison_side *repeats, size_t n, const struct comparison_side *other,
	const struct comparison_side *others, size_t n_others)
{
	struct runs r = { arena_alloc(a, (n + 1) * sizeof *r.rows), 0 };

	r.rows[r.n++] = run_of(first);
	for (size_t i = 0; i < n; i++) {
		bool taken = is_one_run(&repeats[i], other);

		for (size_t k = 0; !taken && k < n_others; k++)
			taken = is_one_run(&repeats[i], &others[k]);
		if (!taken)
			r.rows[r.n++] = run_of(&repeats[i]);
	}
	return r;
}

static bool is_equal(const struct run_comparison *c, const char *item)
{
	const struct comparable_item *found = comparable_find(&c->comparable, item);

	return found && found->status == COMPARABLE_EQUAL;
}

/* Trainers name a folder after the step of its checkpoint; -1: none such. */
static int64_t checkpoint_of(const char *name)
{
	const char *at = strstr(name, "checkpoint-");
	size_t n;
	int64_t step;

	if (!at || (at > name && at[-1] != '/'))
		return -1;
	at += strlen("checkpoint-");
	n = strspn(at, "0123456789");
	return text_to_i64(at, n, &step) ? step : -1;
}

static void gather_checkpoints(struct run_comparison *c, struct assessment_input *in)
{
	const struct comparison_side *sides[] = { &c->reference, &c->attempt };
	struct assessment_event *events = arena_alloc(&c->metric_arena,
		(c->reference.files->n + c->attempt.files->n + 1) * sizeof *events);

	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		for (size_t k = 0; k < sides[i]->files->n; k++) {
			int64_t step = checkpoint_of(sides[i]->files->files[k].name);
			int64_t shift = i ? c->comparison.alignment.options.shift : 0;
			struct assessment_event *e = &events[in->n_events];

			if (step < 0 || __builtin_add_overflow(step, shift, &e->step))
				continue;
			in->n_events++;
			e->text = arena_printf(&c->metric_arena, "%s saves a checkpoint at %lld",
				i ? "A" : "R", (long long)step);
		}
	}
	in->events = events;
}

/* A sentence of a file; its name before it where there are several. */
static void add_line(struct run_comparison *c, struct assessment_input *in, const char ***lines,
	size_t *cap, const struct run_predictions *p, const char *line)
{
	const char *name = c->n_predictions > 1 ? text_sanitised(&c->metric_arena, p->name) : "";

	ARRAY_GROW(*lines, in->n_predictions, *cap);
	(*lines)[in->n_predictions++] = arena_printf(&c->metric_arena, "%s%s%s", name,
		*name ? ": " : "", text_sanitised(&c->metric_arena, line));
}

/* "R: 12 of 408 right, but 89.46 was logged": other answers than those behind the metric.
 * NULL when the metric is no share of the examples, or they agree. */
static const char *contradiction(struct run_comparison *c, char letter,
	const struct predictions_counts *p, double last, double best)
{
	const struct compare_options *o = &c->comparison.options;
	double share, one;

	if (o->examples <= 0 || p->examples <= 0 || !(o->scale > 0))
		return NULL;
	share = 100.0 * (double)p->correct / (double)p->examples;
	one = 100.0 / (double)p->examples;
	/* The digits that were logged may round one example away. */
	if (!isfinite(last) || fabs(share - last * o->scale) <= one ||
		(isfinite(best) && fabs(share - best * o->scale) <= one))
		return NULL;
	return arena_printf(&c->metric_arena,
		"%c's file has %lld of %lld right (%.2f %%), its run logged %.2f: these are not the answers behind the metric",
		letter, (long long)p->correct, (long long)p->examples, share, last * o->scale);
}

/* Whose files they are, and whether they fit the runs. */
static void add_origin(struct run_comparison *c, struct assessment_input *in,
	const char ***lines, size_t *cap, const struct run_predictions *p)
{
	const struct comparison *k = &c->comparison;
	const char *by[] = { p->reference_by, p->attempt_by };
	const char *against[] = {
		contradiction(c, 'R', &p->pair.reference, k->final_reference, k->best_reference),
		contradiction(c, 'A', &p->pair.attempt, k->final_attempt, k->best_attempt),
	};

	if (p->same_bytes)
		add_line(c, in, lines, cap, p,
			"both sides have the very same file: it can show no difference");
	for (size_t i = 0; i < ARRAY_LEN(by); i++) {
		if (*by[i])
			add_line(c, in, lines, cap, p,
				arena_printf(&c->metric_arena,
					"%c's file was brought by %s; nobody saw the run write it",
					i ? 'A' : 'R', by[i]));
		if (against[i])
			add_line(c, in, lines, cap, p, against[i]);
	}
}

static void add_predictions(struct run_comparison *c, struct assessment_input *in,
	const char ***lines, size_t *cap, const struct run_predictions *p)
{
	struct buf line = BUF_INIT;

	if (p->missing) {
		add_line(c, in, lines, cap, p, p->missing);
		return;
	}
	for (size_t i = 0; predictions_statement(&line, &p->pair, i); i++)
		add_line(c, in, lines, cap, p, line.s);
	add_origin(c, in, lines, cap, p);
	buf_release(&line);
}

static void gather_predictions(struct run_comparison *c, struct assessment_input *in)
{
	const char **lines = NULL, **kept;
	size_t cap = 0;

	for (size_t i = 0; i < c->n_predictions; i++)
		add_predictions(c, in, &lines, &cap, &c->predictions[i]);
	kept = arena_alloc(&c->metric_arena, (in->n_predictions + 1) * sizeof *kept);
	for (size_t i = 0; i < in->n_predictions; i++)
		kept[i] = lines[i];
	in->predictions = kept;
	free(lines);
}

void run_comparison_assess(struct run_comparison *c)
{
	const struct config_goal *g =
		*c->goal ? config_goal_find(&c->accepted.in_force, c->goal) : NULL;
	struct assessment_input in = {
		.comparison = &c->comparison,
		.reference = c->reference.series,
		.attempt = c->attempt.series,
		.margin = g && !c->request.has_tolerance ? g->test.margin : NAN,
		.margin_origin = c->comparison.options.tolerance.origin,
		.unit = c->unit,
		.best_counts = g && g->at == AT_BEST,
	};
	struct runs references, attempts;

	if (!c->has_comparison || c->has_assessment)
		return;
	in.reference_run = c->reference.files->series;
	in.attempt_run = c->attempt.files->series;
	references = runs_of(&c->metric_arena, &c->reference, c->repeats, c->n_repeats, &c->attempt,
		NULL, 0);
	attempts = runs_of(&c->metric_arena, &c->attempt, c->attempt_repeats,
		c->n_attempt_repeats, &c->reference, c->repeats, c->n_repeats);
	in.references = references.rows;
	in.n_references = references.n;
	in.attempts = attempts.rows;
	in.n_attempts = attempts.n;
	if (c->comparable.overall == COMPARABLE_NO)
		in.obstacle = c->comparable.first_obstacle->name;
	if (is_equal(c, "precision"))
		in.precision = c->reference.facts.precision;
	in.same_start = is_equal(c, "weights") && is_equal(c, "data") && is_equal(c, "seed");
	gather_checkpoints(c, &in);
	gather_predictions(c, &in);
	assessment_make(&c->assessment, &c->metric_arena, &in);
	c->has_assessment = true;
}
