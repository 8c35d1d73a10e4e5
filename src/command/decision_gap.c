/* decision_gap - how far the runs of an alarm are apart, and the reference from
 * itself; see decision.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/decision_private.h"
#include "workspace/comparison.h"
#include "workspace/state.h"

enum { SELF_RUNS_MAX = 6 };	/* of the reference: 15 pairs say enough */

/* "smoke_gap.accuracy": the kind of run and the goal that the rule is about. */
static enum run_kind gap_of(const struct json *saw, const char **goal)
{
	for (const struct json *f = saw ? saw->first : NULL; f; f = f->next) {
		const char *dot = strchr(f->key, '.');

		if (!dot)
			continue;
		*goal = dot + 1;
		return text_starts(f->key, "full") ? RUN_KIND_FULL : RUN_KIND_SMOKE;
	}
	return RUN_KIND_NONE;
}

static double worse_of(const struct run_comparison *c)
{
	double sign = c->comparison.options.direction == BETTER_HIGHER ? -1 : 1;

	return c->has_comparison ? sign * c->comparison.final * c->scale : NAN;
}

static const char *obstacles_of(struct arena *a, const struct comparable *c)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < c->n; i++) {
		const struct comparable_item *item = &c->items[i];

		if (item->status == COMPARABLE_DIFFERS && item->blocks)
			buf_addf(&b, "%s%s %.24s (R), %.24s (A)", b.n ? "; " : "", item->name,
				item->reference, item->attempt);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* The pair that the alarm is about, measured again from the files. */
static int read_pair(struct decision_reader *r, enum run_kind kind)
{
	struct decision_facts *out = r->out;
	const struct alarm_state *alarm = out->alarm;
	struct comparison_request q = { .attempt_run = *alarm->run ? alarm->run : alarm->attempt,
		.goal = out->goal,
		.kind = kind,
		.at = r->at,
		.cancel = r->cancel };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, r->ws, &q);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();		/* its files are not here: unknown */
		return 0;
	}
	out->unit = arena_strdup(r->a, c->unit);
	if (c->has_comparison) {
		const struct alignment *al = &c->comparison.alignment;

		out->gap_now = worse_of(c);
		out->gap_step = al->n ? align_pair_at(al, al->n - 1).x : NAN;
		out->comparable = c->comparable.overall;
		out->obstacles = obstacles_of(r->a, &c->comparable);
	}
	run_comparison_free(c);
	return 0;
}

static int compare_self(
	struct decision_reader *r, const struct run_state *x, const struct run_state *y)
{
	struct decision_facts *out = r->out;
	struct comparison_request q = { .attempt_run = x->id,
		.reference_run = y->id,
		.goal = out->goal,
		.at = r->at,
		.cancel = r->cancel };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, r->ws, &q);
	double d;

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();
		return 0;
	}
	d = fabs(worse_of(c));
	run_comparison_free(c);
	if (isnan(d))
		return 0;
	out->self_low = out->self_pairs ? fmin(out->self_low, d) : d;
	out->self_high = out->self_pairs ? fmax(out->self_high, d) : d;
	out->self_pairs++;
	return 0;
}

/* How far the reference is from itself: every pair of its runs of this kind. */
static int read_self(struct decision_reader *r, enum run_kind kind)
{
	struct state_query q = { .type = "run", .parent = "reference", .at = r->at };
	const struct run_state *kept[SELF_RUNS_MAX];
	size_t n, runs = 0;
	void **rows;
	int rc = state_list(r->ws, &q, r->a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n && runs < SELF_RUNS_MAX; i++) {
		const struct run_state *run = rows[i];

		if (run->kind == kind && run->state == RUN_EXITED_0 && !*run->prepared.struck)
			kept[runs++] = run;
	}
	r->out->self_runs = runs;
	for (size_t i = 0; rc == 0 && i < runs; i++)
		for (size_t k = i + 1; rc == 0 && k < runs; k++)
			rc = compare_self(r, kept[k], kept[i]);
	return rc;
}

int decision_read_gaps(struct decision_reader *r, const struct json *saw)
{
	const char *goal = "";
	enum run_kind kind = gap_of(saw, &goal);
	int rc;

	if (!kind)
		return 0;
	r->out->goal = arena_strdup(r->a, goal);
	for (const struct json *f = saw->first; f; f = f->next)
		if (strchr(f->key, '.') && !text_to_double(f->text, f->text_n, &r->out->gap))
			r->out->gap = NAN;
	rc = *r->out->alarm->attempt ? read_pair(r, kind) : 0;
	return rc < 0 ? rc : read_self(r, kind);
}
