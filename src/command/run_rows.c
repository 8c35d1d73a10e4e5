/* run_rows - see run_rows.h. */
#include "config.h"

#include "command/run_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/fs.h"
#include "domain/cost.h"
#include "launch/end_marker.h"
#include "launch/launch.h"
#include "launch/run_directory.h"
#include "launch/verdict.h"
#include "workspace/accepted.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

enum { TAIL_BYTES = 64 * 1024 };

static const char *const mark_words[] = {
	[RUN_NOW_NONE] = "",
	[RUN_NOW_ORPHAN] = "orphan",
	[RUN_NOW_UNKILLABLE] = "unkillable",
	[RUN_NOW_STARTING] = "starting",
	[RUN_NOW_ENDED] = "ended",
	[RUN_NOW_UNREACHABLE] = "unreachable",
	[RUN_NOW_ELSEWHERE] = "elsewhere",
};

const char *run_mark_now_word(enum run_mark_now m)
{
	return mark_words[m];
}

const char *run_subject_text(struct arena *a, const struct run_state *r)
{
	if (strcmp(r->attempt, "reference") == 0 || strcmp(r->attempt, RUN_UNASSIGNED) == 0)
		return r->attempt;
	return arena_printf(a, "#%s", r->attempt);
}

/* ---- a live run --------------------------------------------------------------- */

static void take_verdict(struct run_row *row, const struct run_verdict *v, struct arena *a)
{
	row->now = arena_strdup(a, v->reason);
	switch (v->kind) {
	case RUN_VERDICT_NONE:
	case RUN_VERDICT_STARTING:
		row->mark = RUN_NOW_STARTING;
		return;
	case RUN_VERDICT_RUNNING:
		row->mark = v->status.why == WHY_UNKILLABLE ? RUN_NOW_UNKILLABLE : RUN_NOW_NONE;
		break;
	case RUN_VERDICT_ORPHAN:
		row->mark = RUN_NOW_ORPHAN;
		break;
	case RUN_VERDICT_FINAL:
		row->mark = RUN_NOW_ENDED;
		row->elapsed_ns = verdict_elapsed_ns(v);
		return;
	case RUN_VERDICT_LOST:
	case RUN_VERDICT_LAUNCH_FAILED:
		row->mark = RUN_NOW_ENDED;
		return;
	case RUN_VERDICT_MISSING:
		row->mark = RUN_NOW_ELSEWHERE;
		row->now = "its files are not on this machine";
		return;
	case RUN_VERDICT_UNKNOWN:
		row->mark = RUN_NOW_UNREACHABLE;
		return;
	}
	row->elapsed_ns = verdict_elapsed_ns(v);
	row->limit_ns = v->status.limit_ns;
}

static void take_step(struct run_row *row, const char *rundir, struct arena *a)
{
	char *tail = arena_alloc(a, TAIL_BYTES);
	size_t got;

	row->log_bytes = run_directory_log_bytes(rundir);
	if (row->log_bytes <= 0)
		return;
	if (launch_log_read(rundir, row->log_bytes > TAIL_BYTES ? row->log_bytes - TAIL_BYTES : 0,
		    tail, TAIL_BYTES, &got, NULL) < 0) {
		err_clear();	/* the step stays unknown */
		return;
	}
	row->has_step = end_marker_last_step(&row->step, tail, got, row->state->steps_declared);
}

static void look(struct run_row *row, struct workspace *ws, struct arena *a)
{
	const struct run_state *s = row->state;
	const struct price price = { s->price_nano_usd_hour, s->price_per_chip, s->price_known };
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), s->id);
	struct run_verdict v;

	if (s->provenance != PROVENANCE_OBSERVED)
		return;
	verdict_read(&v, rundir);
	take_verdict(row, &v, a);
	if (v.kind == RUN_VERDICT_MISSING)
		return;
	take_step(row, rundir, a);
	if (row->elapsed_ns >= 0)
		row->cost_nano_usd = price_cost_nano_usd(&price, row->elapsed_ns, (int)s->chips);
}

/* ---- all ------------------------------------------------------------------------- */

static void fill(struct run_row *row, const struct run_state *s)
{
	*row = (struct run_row){
		.state = s,
		.live = !run_status_ended(s->state),
		.now = "",
		.log_bytes = -1,
		.limit_ns = s->limit_ns,
		.elapsed_ns = s->elapsed_ns > 0 ? s->elapsed_ns : -1,
		.cost_nano_usd = s->cost_known ? s->cost_nano_usd : COST_UNKNOWN,
	};
	for (size_t i = 0; i < s->ends_n; i++)
		if (*s->ends[i].steps_done) {
			row->step = strtoll(s->ends[i].steps_done, NULL, 10);
			row->has_step = true;
		}
}

static int compare(const void *left, const void *right)
{
	const struct run_row *a = left, *b = right;
	int order = strcmp(b->state->prepared.time, a->state->prepared.time);

	if (a->live != b->live)
		return a->live ? -1 : 1;
	return order ? order : strcmp(a->state->id, b->state->id);
}

static void add_up(struct run_rows *out, const struct run_row *row)
{
	if (!row->live)
		return;
	out->n_live++;
	out->n_orphans += row->mark == RUN_NOW_ORPHAN;
	if (row->cost_nano_usd == COST_UNKNOWN)
		out->live_without_price++;
	else
		out->live_cost_nano_usd += row->cost_nano_usd;
}

static void take_scales(struct run_rows *out, const struct config *c, struct arena *a)
{
	out->scales = arena_alloc(a, (c->goals_n + 1) * sizeof *out->scales);
	for (size_t i = 0; i < c->goals_n; i++) {
		const struct config_goal *g = &c->goals[i];

		if (g->scale > 0 && g->scale != 1)
			out->scales[out->n_scales++] = (struct run_scale){
				arena_strdup(a, g->series), g->scale, arena_strdup(a, g->unit)
			};
	}
}

/* Logs that were read before say something else under other patterns. */
static uint64_t number_of(const struct config *c)
{
	uint64_t h = FNV1A_BEGIN;

	for (size_t i = 0; i < c->patterns_n; i++)
		h = fnv1a(h, c->patterns[i].match, strlen(c->patterns[i].match) + 1);
	return h;
}

/* Now also a file that differs from the accepted one: the person may think it rules. */
static int look_at_configuration(
	struct run_rows *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, at);

	if (rc < 0)
		return rc;
	if (!at)
		out->configuration = arena_strdup(a, accepted.sentence);
	take_scales(out, &accepted.in_force, a);
	out->patterns = number_of(&accepted.in_force);
	accepted_release(&accepted);
	return 0;
}

int run_rows_read(
	struct run_rows *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "run", .at = at };
	void **states;
	int rc;

	memset(out, 0, sizeof *out);
	out->folder = workspace_path(ws, a, "runs");
	out->past = at != NULL;
	out->configuration = "";
	if ((rc = look_at_configuration(out, ws, at, a)) < 0)
		return rc;
	if ((rc = state_list(ws, &q, a, &states, &out->n)) < 0)
		return rc;
	out->rows = arena_alloc(a, (out->n + 1) * sizeof *out->rows);
	for (size_t i = 0; i < out->n; i++) {
		fill(&out->rows[i], states[i]);
		if (!at && out->rows[i].live)
			look(&out->rows[i], ws, a);
		add_up(out, &out->rows[i]);
	}
	qsort(out->rows, out->n, sizeof *out->rows, compare);
	return 0;
}
