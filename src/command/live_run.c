/* live_run - see live_run.h. */
#include "config.h"

#include "command/live_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/units.h"
#include "domain/cost.h"
#include "launch/verdict.h"
#include "workspace/reconcile.h"
#include "workspace/state.h"

void live_run_add(struct buf *out, const struct live_run *r, int64_t now_ns)
{
	int64_t elapsed = r->started_ns ? now_ns - r->started_ns : 0;

	buf_addf(out, "%s %s%s @%s %s", r->kind ? run_kind_text(r->kind) : "run",
		strcmp(r->attempt, "reference") == 0 ? "" : "#", r->attempt, r->target,
		word_name(&words_run_state, (int)r->state));
	if (elapsed <= 0)
		return;
	buf_addc(out, ' ');
	clock_add_duration(out, elapsed);
	buf_addc(out, ' ');
	if (r->price.known)
		units_add_money(out, price_cost_nano_usd(&r->price, elapsed, r->chips));
	else
		buf_adds(out, "$?");
}

struct collect {
	struct live_run *rows;
	size_t n, cap;
};

/* The local supervisor's word alone: nothing here may wait for a network.  What
 * it runs for so far is by a clock that cannot jump.  Is it an orphan? */
static bool look_at_directory(struct live_run *r, struct workspace *ws, struct arena *a)
{
	const char *rundir = fs_join(a, workspace_path(ws, a, "runs"), r->run);
	struct run_verdict v;
	int64_t elapsed_ns;

	if (!fs_is_dir(rundir))
		return false;
	verdict_read(&v, rundir);
	elapsed_ns = verdict_elapsed_ns(&v);
	if (elapsed_ns >= 0)
		r->started_ns = clock_wall_ns() - elapsed_ns;
	return v.kind == RUN_VERDICT_ORPHAN;
}

static int add_live(struct collect *c, struct workspace *ws, const char *run,
	const struct position *at, struct arena *a)
{
	struct run_state *s;
	struct live_run *r;
	void *state;
	int rc = state_get(ws, "run", run, at, a, &state);

	if (rc <= 0)
		return rc;
	s = state;
	ARRAY_GROW(c->rows, c->n, c->cap);
	r = &c->rows[c->n++];
	*r = (struct live_run){ .run = s->id,
		.attempt = s->attempt,
		.target = s->configuration,
		.kind = s->kind,
		.state = s->state,
		.price = { s->price_nano_usd_hour, s->price_per_chip, s->price_known },
		.chips = (int)s->chips };
	r->nano_usd_hour = price_cost_nano_usd(&r->price, 3600 * NS_PER_S, r->chips);
	if (!clock_from_iso(&r->started_ns, s->started))
		r->started_ns = 0;
	r->orphan = !at && look_at_directory(r, ws, a);
	return 0;
}

static int add_live_of(struct collect *c, struct workspace *ws, const struct attempt_state *s,
	const struct position *at, struct arena *a)
{
	int rc = 0;

	for (size_t i = 0; s->runs_live && rc >= 0 && i < s->runs_n; i++)
		if (!run_status_ended(s->runs[i].state) && !s->runs[i].struck)
			rc = add_live(c, ws, s->runs[i].run, at, a);
	return rc;
}

int live_runs_look(const char **note, struct workspace *ws, const struct position *at,
	const atomic_bool *cancel, struct arena *a)
{
	struct reconciled seen = { .note = "" };
	int rc = at ? 0 : reconcile(&seen, ws, cancel, a);

	*note = rc < 0 ? arena_strdup(a, err_text()) : seen.note;
	if (rc == ERR_CANCELLED)
		return rc;
	err_clear();
	return 0;
}

int live_runs_read(struct live_runs *out, struct workspace *ws, const struct attempt_rows *attempts,
	const struct position *at, struct arena *a)
{
	struct collect c = { 0 };
	void *reference;
	int rc;

	*out = (struct live_runs){ 0 };
	if (!attempts->migration->counts.runs_live)
		return 0;
	rc = state_get(ws, "attempt", "reference", at, a, &reference);
	if (rc > 0)
		rc = add_live_of(&c, ws, reference, at, a);
	for (size_t i = 0; rc >= 0 && i < attempts->n; i++)
		rc = add_live_of(&c, ws, attempts->rows[i].state, at, a);
	out->rows = arena_memdup(a, c.rows, c.n * sizeof *c.rows);
	out->n = c.n;
	free(c.rows);
	return rc < 0 ? rc : 0;
}
