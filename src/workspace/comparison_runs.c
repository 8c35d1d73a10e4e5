/* comparison_runs - which runs stand beside each other, and one side; see comparison.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "workspace/comparison.h"
#include "workspace/run_facts.h"
#include "workspace/run_results.h"

/* ---- choosing ------------------------------------------------------------------ */

/* A curve that broke off says less than one of another seed. */
static bool broke_off(const struct run_state *r)
{
	return run_status_ended(r->state) && r->state != RUN_EXITED_0 && r->state != RUN_LOST;
}

enum { SAME_KIND = 32 };	/* more than all that partner_score() gives */

static int partner_score(
	const struct run_state *r, const struct run_state *run, const char *reference_target)
{
	int score = 0;

	if (!broke_off(r))
		score += 16;
	if (strcmp(r->seed, run->seed) == 0)
		score += 8;
	if (strcmp(r->target, reference_target) == 0)
		score += 4;
	if (run_status_ended(r->state))
		score += 2;
	if (r->state == RUN_EXITED_0)
		score += 1;
	return score;
}

const struct run_state *run_comparison_partner(struct run_state *const *reference_runs, size_t n,
	const struct run_state *run, const char *reference_target)
{
	const struct run_state *best = NULL;
	int top = -1;

	for (size_t i = 0; i < n; i++) {
		const struct run_state *r = reference_runs[i];
		int score = partner_score(r, run, reference_target) +
			(r->kind == run->kind ? SAME_KIND : 0);

		/* A smoke curve beside a full one would only show its beginning.  What
		 * kind a run is may not be known. */
		if (strcmp(r->id, run->id) == 0 || r->kind == RUN_KIND_CONTRACT ||
			(r->kind && run->kind && r->kind != run->kind) || *r->prepared.struck ||
			r->state == RUN_LAUNCH_FAILED || score < top)
			continue;
		top = score;
		best = r;
	}
	return best;
}

const struct run_state *run_comparison_best(struct run_state *const *runs, size_t n,
	enum run_kind kind, const char *configuration, const char *intended)
{
	const struct run_state *best = NULL;
	int top = -1;

	for (size_t i = 0; i < n; i++) {
		const struct run_state *r = runs[i];
		int score = (r->kind == RUN_KIND_FULL ? 8 : 0) +
			(strcmp(r->configuration, intended) == 0 ? 4 : 0);

		if (r->kind == RUN_KIND_CONTRACT || (kind && r->kind != kind))
			continue;
		if (configuration && strcmp(r->configuration, configuration) != 0 &&
			strcmp(r->target, configuration) != 0)
			continue;
		if (*r->prepared.struck || r->state == RUN_LAUNCH_FAILED || score < top)
			continue;
		top = score;
		best = r;
	}
	return best;
}

const char *run_comparison_name(struct arena *a, const struct run_state *r)
{
	bool reference = strcmp(r->attempt, "reference") == 0;

	return arena_printf(a, "%s%s%s%s%s%s%s", reference ? "" : "#", reference ? "" : r->attempt,
		reference ? "" : " ", r->configuration, r->kind == RUN_KIND_SMOKE ? " smoke" : "",
		*r->seed ? " seed " : "", r->seed);
}

/* ---- a moment in time ------------------------------------------------------------ */

int comparison_until(double *out, struct workspace *ws, const struct position *at)
{
	struct event_query q = { .limit = 1 };
	struct arena a = ARENA_INIT;
	struct position before;
	struct event **events;
	int64_t ns;
	size_t n = 0;
	int rc;

	*out = 0;
	if (!at)
		return 0;
	/* FROM is exclusive: the event after the one before. */
	rc = log_position_prev(workspace_log(ws), at, &before);
	if (rc > 0)
		q.from = &before;
	if (rc >= 0)
		rc = log_events(workspace_log(ws), &q, &a, &events, &n);
	if (rc >= 0 && n && clock_from_iso(&ns, events[0]->time))
		*out = (double)ns / (double)NS_PER_S;
	arena_release(&a);
	return rc < 0 ? rc : 0;
}

static size_t points_until(const struct series *s, double until_wall_s)
{
	size_t i = 0;

	while (i < s->n && !(series_wall(s, i) > until_wall_s))
		i++;
	return i;
}

/* The first N points of S, whose columns are borrowed. */
static void cut_series(struct series *out, const struct series *s, size_t n)
{
	*out = *s;
	out->n = n;
	out->n_segments = out->n_nonfinite = 0;
	out->has_pending = false;
	out->segments = xcalloc(s->n_segments + 1, sizeof *out->segments);
	for (size_t i = 0; i < s->n_segments && s->segments[i].first < n; i++) {
		struct segment *g = &out->segments[out->n_segments++];

		*g = s->segments[i];
		if (g->first + g->n > n)
			g->n = n - g->first;
	}
	for (size_t i = 0; i < n; i++)
		out->n_nonfinite += !isfinite(series_value(s, i));
}

/* ---- one side --------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* Whether both read the same points out of the same bytes. */
static bool same_options(const struct curve_options *a, const struct curve_options *b)
{
	if (a->ended != b->ended || a->n_patterns != b->n_patterns ||
	    a->steps_per_epoch < b->steps_per_epoch || a->steps_per_epoch > b->steps_per_epoch ||
	    a->changed_since_ns != b->changed_since_ns || !a->store_run != !b->store_run ||
	    (a->store_run && !same_text(a->store_run, b->store_run)))
		return false;
	for (size_t i = 0; i < a->n_patterns; i++)
		if (!same_text(a->patterns[i], b->patterns[i]))
			return false;
	return true;
}

static bool same_files(const struct run_files *a, const struct run_files *b)
{
	if (a->n_roots != b->n_roots || !same_options(&a->options, &b->options))
		return false;
	for (size_t i = 0; i < a->n_roots; i++)
		if (!same_text(a->roots[i], b->roots[i]))
			return false;
	return true;
}

/* What was read before is taken over when it is the same run in the same files. */
static void take_over(struct comparison_side *s, struct comparison_side *reuse)
{
	if (!reuse || !reuse->files || !reuse->run || !same_text(reuse->run->id, s->run->id) ||
	    !same_files(s->files, reuse->files))
		return;
	run_files_free(s->files);
	s->files = reuse->files;
	s->complete = reuse->complete;
	reuse->files = NULL;
}

int comparison_side_open(struct comparison_side *s, struct workspace *ws,
	const struct run_state *run, struct arena *a, struct comparison_side *reuse)
{
	s->run = run;
	s->name = run_comparison_name(a, run);
	s->brought_by = run->provenance == PROVENANCE_IMPORTED ? run->by : "";
	s->facts = (struct run_facts)RUN_FACTS_INIT;
	s->rundir = fs_join(a, workspace_path(ws, a, "runs"), run->id);
	if (run_results_open(&s->files, ws, run->id, a) < 0)
		return err_prefix("run %s: ", run->id);
	s->live = !s->files->options.ended;
	take_over(s, reuse);
	return 0;
}

void comparison_side_choose(struct comparison_side *s, const char *metric, double until_wall_s)
{
	const struct series *found = run_series_find(s->files->series, metric, -1);

	free(s->cut.segments);
	memset(&s->cut, 0, sizeof s->cut);
	s->series = found;
	s->hidden = false;
	if (!found || !(until_wall_s > 0) || run_status_ended(s->run->state))
		return;
	s->series = NULL;
	if (!series_has_instants(found)) {
		s->hidden = true;
		return;
	}
	cut_series(&s->cut, found, points_until(found, until_wall_s));
	if (s->cut.n)
		s->series = &s->cut;
}

void comparison_side_release(struct comparison_side *s)
{
	run_files_free(s->files);
	free(s->cut.segments);
	memset(s, 0, sizeof *s);
}
