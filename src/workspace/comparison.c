/* run_comparison - see comparison.h.  Which runs: comparison_runs.c; one metric of
 * them: comparison_metric.c; facts of a run: run_facts.c. */
#include "config.h"

#include "workspace/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "workspace/comparison_words.h"
#include "workspace/state.h"

#define REPEAT_BYTES_MAX (INT64_C(64) << 20)

/* ---- choosing the runs --------------------------------------------------------- */

/* The run that was named, or of a named attempt the one that says most; never NOT. */
static int find_run(const struct run_state **out, struct workspace *ws, const char *text,
	enum run_kind kind, const char *configuration, const struct position *at,
	const char *intended, const struct run_state * not, struct arena *a)
{
	struct run_state **runs, *run;
	size_t kept = 0;
	struct attempt_state *s;
	size_t n;
	int rc;

	*out = NULL;
	if (text_starts(text, "ps-")) {
		rc = state_run(ws, text, at, a, &run);
		*out = rc == 0 ? run : NULL;
		return rc;
	}
	if ((rc = state_attempt(ws, text, at, a, &s)) < 0 ||
		(rc = state_runs(&runs, &n, ws, s->id, at, a)) < 0)
		return rc;
	for (size_t i = 0; i < n; i++)
		if (!not || strcmp(runs[i]->id, not->id) != 0)
			runs[kept++] = runs[i];
	*out = run_comparison_best(runs, kept, kind, configuration, intended);
	return 0;
}

static int64_t bytes_of(const struct run_files *files)
{
	int64_t sum = 0;

	for (size_t i = 0; i < files->n; i++) {
		int64_t size = files->files[i].file ? fs_size(files->files[i].file->path) : 0;

		sum += size > 0 ? size : 0;
	}
	return sum;
}

/* A side that is nice to have: without its files, or with too many bytes, there
 * is none.  False then. */
static bool open_small(struct comparison_side *s, struct workspace *ws, const struct run_state *run,
	struct arena *a, struct comparison_side *reuse)
{
	memset(s, 0, sizeof *s);
	if (comparison_side_open(s, ws, run, a, reuse) < 0) {
		err_clear();
		memset(s, 0, sizeof *s);
		return false;
	}
	if (bytes_of(s->files) <= REPEAT_BYTES_MAX)
		return true;
	comparison_side_release(s);
	return false;
}

static struct comparison_side *repeat_of(struct run_comparison *c, const struct run_state *run)
{
	for (size_t i = 0; c && i < c->n_repeats; i++)
		if (strcmp(c->repeats[i].run->id, run->id) == 0)
			return &c->repeats[i];
	for (size_t i = 0; c && i < c->n_attempt_repeats; i++)
		if (strcmp(c->attempt_repeats[i].run->id, run->id) == 0)
			return &c->attempt_repeats[i];
	if (c && c->reference.run && strcmp(c->reference.run->id, run->id) == 0)
		return &c->reference;
	return NULL;
}

static bool is_repeat(const struct run_state *r, const struct run_state *partner)
{
	return r != partner && r->kind == partner->kind && strcmp(r->id, partner->id) != 0 &&
		!*r->prepared.struck && strcmp(r->configuration, partner->configuration) == 0 &&
		(r->state == RUN_EXITED_0 || r->state == RUN_LOST);
}

/* Further seeds of the attempt: the same commit is the same attempt. */
static int open_attempt_repeats(struct run_comparison *c, struct workspace *ws,
	const struct position *at, struct run_comparison *reuse)
{
	const struct run_state *run = c->attempt.run;
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, ws, run->attempt, at, &c->arena);

	c->attempt_repeats =
		arena_alloc(&c->arena, COMPARISON_REPEATS_MAX * sizeof *c->attempt_repeats);
	for (size_t i = 0; rc == 0 && i < n && c->n_attempt_repeats < COMPARISON_REPEATS_MAX; i++) {
		if (is_repeat(runs[i], run) &&
			open_small(&c->attempt_repeats[c->n_attempt_repeats], ws, runs[i],
				&c->arena, repeat_of(reuse, runs[i])))
			c->n_attempt_repeats++;
	}
	return rc;
}

static void open_repeats(struct run_comparison *c, struct workspace *ws,
	struct run_state *const *references, size_t n, struct run_comparison *reuse)
{
	c->repeats = arena_alloc(&c->arena, COMPARISON_REPEATS_MAX * sizeof *c->repeats);
	for (size_t i = 0; i < n; i++) {
		if (!is_repeat(references[i], c->reference.run))
			continue;
		if (c->n_repeats == COMPARISON_REPEATS_MAX ||
			!open_small(&c->repeats[c->n_repeats], ws, references[i], &c->arena,
				repeat_of(reuse, references[i])))
			c->spread.left =
				"further repeats were not read: too large, too many, or not here";
		else
			c->n_repeats++;
	}
}

/* The same attempt, kind and seed somewhere else, best on fewer chips: tells
 * whether a difference belongs to the configuration. */
static int open_sibling(struct run_comparison *c, struct workspace *ws, const struct position *at,
	struct run_comparison *reuse)
{
	const struct run_state *run = c->attempt.run, *best = NULL;
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, ws, run->attempt, at, &c->arena);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *r = runs[i];

		if (r->kind == run->kind && r->state == RUN_EXITED_0 && !*r->prepared.struck &&
			strcmp(r->seed, run->seed) == 0 &&
			strcmp(r->configuration, run->configuration) != 0 &&
			(!best || r->chips <= best->chips))
			best = r;
	}
	if (rc == 0 && best &&
		!open_small(&c->sibling, ws, best, &c->arena, reuse ? &reuse->sibling : NULL))
		c->sibling.run = NULL;
	return rc;
}

static int open_reference(struct run_comparison *c, struct workspace *ws,
	const struct comparison_request *q, struct run_comparison *reuse)
{
	const struct config_migration *m = &c->accepted.in_force.migration;
	const struct run_state *run = c->attempt.run, *partner = NULL;
	struct run_state **references;
	size_t n;
	int rc = state_runs(&references, &n, ws, "reference", q->at, &c->arena);

	if (rc < 0)
		return rc;
	if (!q->reference_run)
		partner = run_comparison_partner(
			references, n, run, m->reference ? m->reference : "");
	else if ((rc = find_run(&partner, ws, q->reference_run, run->kind, NULL, q->at,
			  run->configuration, run, &c->arena)) < 0)
		return rc;
	if (!partner) {
		c->missing = comparison_no_reference(c, q->reference_run);
		return 0;
	}
	if (strcmp(partner->id, run->id) == 0 && !q->may_be_itself)
		return err_set(ERR_USAGE,
			"%s would stand beside itself, which shows nothing; name another run or attempt",
			run->id);
	c->has_reference = true;
	c->against_attempt = strcmp(partner->attempt, "reference") != 0;
	if ((rc = comparison_side_open(
		     &c->reference, ws, partner, &c->arena, reuse ? &reuse->reference : NULL)) < 0)
		return rc;
	if (!c->against_attempt)
		open_repeats(c, ws, references, n, reuse);
	return 0;
}

/* Was the difference on record before the run?  Said afterwards it may have been
 * made to fit. */
static int declared_before(
	bool *out, struct workspace *ws, const struct run_state *run, const char *input)
{
	struct accepted then;
	struct position at;
	struct digest id;
	int rc = digest_from_hex(&id, run->prepared.event)
		? log_position_of(workspace_log(ws), &id, &at)
		: 0;

	*out = false;
	if (rc <= 0)
		return rc;
	if ((rc = accepted_read(&then, ws, &at)) < 0)
		return rc;
	*out = config_declared_find(&then.in_force, input) != NULL;
	accepted_release(&then);
	return 0;
}

int comparison_declared(struct comparable_declaration **out, struct workspace *ws,
	const struct config *config, const struct run_state *run, struct arena *a)
{
	int rc = 0;

	*out = arena_alloc(a, (config->declared_n + 1) * sizeof **out);
	for (size_t i = 0; rc == 0 && i < config->declared_n; i++) {
		const struct config_declared *d = &config->declared[i];
		bool before;

		rc = declared_before(&before, ws, run, d->name);
		(*out)[i] = (struct comparable_declaration){ d->name, before ? d->reason
			: arena_printf(a, "%s (declared after the run)", d->reason) };
	}
	return rc;
}

static int read_declared(struct run_comparison *c, struct workspace *ws)
{
	const struct config *config = &c->accepted.in_force;

	c->n_declared = config->declared_n;
	return comparison_declared(&c->declared, ws, config, c->attempt.run, &c->arena);
}

/* Predictions that are not here, or cannot be read, are none. */
static int open_predictions(
	struct run_comparison *c, struct workspace *ws, const struct comparison_request *q)
{
	int rc;

	if (!q->want_predictions || !c->has_reference)
		return 0;
	rc = run_predictions_compare(&c->predictions, &c->n_predictions, ws, c->reference.run->id,
		c->attempt.run->id, &c->arena, q->cancel);
	if (rc >= 0 || rc == ERR_CANCELLED)
		return rc < 0 ? rc : 0;
	err_clear();
	c->n_predictions = 0;
	return 0;
}

static int open_runs(struct run_comparison *c, struct workspace *ws,
	const struct comparison_request *q, struct run_comparison *reuse)
{
	const char *intended = c->accepted.in_force.migration.intended;
	const struct run_state *run;
	int rc = find_run(&run, ws, q->attempt_run, q->kind, q->configuration, q->at,
		intended ? intended : "", NULL, &c->arena);

	if (rc < 0)
		return rc;
	if (!run) {
		return err_set(ERR_NOT_FOUND,
			"%s has no run%s%s%s%s yet; start one: portside run %s --kind smoke --target TARGET, "
			"or bring files: portside import %s FILE...",
			q->attempt_run, q->kind ? " of kind " : "",
			q->kind ? word_name(&words_run_kind, (int)q->kind) : "",
			q->configuration ? " on " : "", q->configuration ? q->configuration : "",
			q->attempt_run, q->attempt_run);
	}
	if ((rc = comparison_side_open(
		     &c->attempt, ws, run, &c->arena, reuse ? &reuse->attempt : NULL)) < 0 ||
		(rc = open_reference(c, ws, q, reuse)) < 0 ||
		(rc = open_attempt_repeats(c, ws, q->at, reuse)) < 0 ||
		(rc = open_predictions(c, ws, q)) < 0 || (rc = read_declared(c, ws)) < 0)
		return rc;
	return open_sibling(c, ws, q->at, reuse);
}

static void keep_request(struct run_comparison *c, const struct comparison_request *q)
{
	c->request = *q;
	c->request.attempt_run = arena_strdup(&c->arena, q->attempt_run);
	c->request.reference_run = arena_strdup(&c->arena, q->reference_run);
	c->request.goal = arena_strdup(&c->arena, q->goal);
	c->request.metric = arena_strdup(&c->arena, q->metric);
	c->request.configuration = arena_strdup(&c->arena, q->configuration);
	c->request.at = NULL;
	c->request.cancel = NULL;
}

int run_comparison_open(struct run_comparison **out, struct workspace *ws,
	const struct comparison_request *q, struct run_comparison *reuse)
{
	struct run_comparison *c = xcalloc(1, sizeof *c);
	int rc = accepted_read(&c->accepted, ws, q->at);

	c->missing = c->verdict = c->metric = c->goal = c->unit = c->next = c->spread.left = "";
	c->spread.low = c->spread.high = c->spread.last_low = c->spread.last_high = NAN;
	c->scale = 1;
	c->decimals = -1;
	if (rc == 0) {
		keep_request(c, q);
		rc = comparison_until(&c->until_wall_s, ws, q->at);
		if (rc == 0)
			rc = open_runs(c, ws, q, reuse);
	}
	run_comparison_free(reuse);
	if (rc < 0) {
		run_comparison_free(c);
		return rc;
	}
	*out = c;
	return 0;
}

/* ---- reading -------------------------------------------------------------------- */

static int read_side(struct comparison_side *s, const atomic_bool *cancel)
{
	int rc;

	if (!s->files || s->complete)
		return CURVE_SAME;
	if (s->live && (rc = run_files_rescan(s->files)) < 0)
		err_clear();	/* a folder that went away: what was read stays */
	rc = run_files_refresh(s->files, cancel);
	s->complete = rc == CURVE_SAME && !s->live;
	return rc;
}

int run_comparison_read(struct run_comparison *c, const atomic_bool *cancel)
{
	int most = CURVE_SAME;

	for (size_t i = 0; i < 3 + c->n_repeats + c->n_attempt_repeats; i++) {
		struct comparison_side *s = i == 0 ? &c->attempt
			: i == 1                   ? &c->reference
			: i == 2                   ? &c->sibling
			: i < 3 + c->n_repeats
			? &c->repeats[i - 3]
			: &c->attempt_repeats[i - 3 - c->n_repeats];
		int rc = read_side(s, cancel);

		if (rc == ERR_CANCELLED)
			return rc;
		if (rc < 0)
			return err_prefix("run %s: ", s->run->id);
		most = rc > most ? rc : most;
	}
	return most;
}

bool run_comparison_is_live(const struct run_comparison *c)
{
	return c->attempt.live || (c->has_reference && c->reference.live);
}

/* ---- all of it ------------------------------------------------------------------ */

int run_comparison_make(
	struct run_comparison **out, struct workspace *ws, const struct comparison_request *q)
{
	struct run_comparison *c;
	int rc = run_comparison_open(&c, ws, q, NULL);

	if (rc < 0)
		return rc;
	do
		rc = run_comparison_read(c, q->cancel);
	while (rc == CURVE_MORE);
	if (rc >= 0)
		rc = run_comparison_choose(c, NULL);
	if (rc < 0) {
		run_comparison_free(c);
		return rc;
	}
	*out = c;
	return 0;
}

void run_comparison_free(struct run_comparison *c)
{
	if (!c)
		return;
	if (c->has_assessment)
		assessment_release(&c->assessment);
	if (c->has_comparison)
		comparison_release(&c->comparison);
	comparison_side_release(&c->reference);
	comparison_side_release(&c->attempt);
	comparison_side_release(&c->sibling);
	for (size_t i = 0; i < c->n_repeats; i++)
		comparison_side_release(&c->repeats[i]);
	for (size_t i = 0; i < c->n_attempt_repeats; i++)
		comparison_side_release(&c->attempt_repeats[i]);
	accepted_release(&c->accepted);
	arena_release(&c->metric_arena);
	arena_release(&c->arena);
	free(c);
}
