/* status - see status.h. */
#include "config.h"

#include "command/status.h"

#include <string.h>

#include "base/err.h"
#include "command/goal_text.h"
#include "command/open.h"
#include "command/people_time.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

/* ---- needs -------------------------------------------------------------------------- */

/* What a first page can say without reading every attempt. */
static void count_needs(struct migration_status *out, struct arena *a)
{
	const struct migration_counts *c = &out->attempts.migration->counts;
	struct need *rows = arena_alloc(a, 3 * sizeof *rows);
	size_t n = 0;

	if (c->alarms_open)
		rows[n++] = (struct need){ .kind = NEED_ALARM,
			.attempt = "",
			.run = "",
			.alarm = "",
			.rule = "",
			.text = arena_printf(a, "%lld open alarm%s", (long long)c->alarms_open,
				c->alarms_open == 1 ? "" : "s") };
	if (c->over_claims)
		rows[n++] = (struct need){ .kind = NEED_OVER_CLAIM,
			.attempt = "",
			.run = "",
			.alarm = "",
			.rule = "",
			.text = arena_printf(a, "%lld over-claim%s", (long long)c->over_claims,
				c->over_claims == 1 ? "" : "s") };
	if (*out->config)
		rows[n++] = (struct need){ .kind = NEED_CONFIG,
			.attempt = "",
			.run = "",
			.alarm = "",
			.rule = "",
			.text = out->config };
	out->needs = rows;
	out->n_needs = n;
}

static int read_needs(struct migration_status *out, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct need *needs;
	size_t n;
	int rc = needs_read(&needs, &n, ws, at, a);

	if (rc < 0)
		return rc;
	out->needs = arena_alloc(a, (n + out->n_live) * sizeof *out->needs);
	if (n)
		memcpy(out->needs, needs, n * sizeof *needs);
	for (size_t i = 0; i < out->n_live; i++) {
		const struct live_run *r = &out->live[i];

		if (r->orphan)
			out->needs[n++] = (struct need){ .kind = NEED_ORPHAN,
				.attempt = r->attempt,
				.run = r->run,
				.alarm = "",
				.rule = "",
				.text = arena_printf(a, "%s of #%s goes on without its supervisor",
					r->run, r->attempt) };
	}
	out->n_needs = n;
	return 0;
}

/* ---- reading -------------------------------------------------------------------------- */

static int read_config(struct migration_status *out, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct buf b = BUF_INIT;
	struct accepted c;
	int rc = accepted_read(&c, ws, at);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c.in_force.goals_n; i++) {
		if (i)
			buf_adds(&b, ", ");
		goal_add_test(&b, &c.in_force.goals[i]);
	}
	out->goal = arena_strndup(a, b.s, b.n);
	out->config = arena_strdup(a, c.sentence);
	out->human_cost_nano_usd = people_cost_nano_usd(
		&c.in_force.migration.human_rate, &out->attempts.migration->counts);
	buf_release(&b);
	accepted_release(&c);
	return 0;
}

int migration_status_read(struct migration_status *out, struct workspace *ws,
	const struct position *at, int flags, const atomic_bool *cancel, struct arena *a)
{
	struct state_query q = { .type = "attempt", .at = at };
	int rows = (flags & MIGRATION_STATUS_FIRST_PAGE ? ATTEMPTS_NEWEST : 0) |
		   (flags & MIGRATION_STATUS_CHANGES ? ATTEMPTS_CHANGES_CACHED : 0);
	struct live_runs live;
	int rc;

	memset(out, 0, sizeof *out);
	if ((rc = log_count(workspace_log(ws), &out->events)) < 0 ||
	    (rc = attempt_rows_read(&out->attempts, ws, at, rows, cancel, a)) < 0 ||
	    (rc = read_config(out, ws, at, a)) < 0)
		return rc;
	out->n_attempts = (int64_t)out->attempts.n;
	out->complete = out->attempts.all;
	if (!out->complete && (rc = state_count(ws, &q, &out->n_attempts)) < 0)
		return rc;
	out->name = open_title(ws, a);
	out->curves_read = flags & MIGRATION_STATUS_CURVES;
	rc = stop_rules_read(
		&out->gauges, ws, at, out->curves_read ? STOP_RULES_CURVES : 0, cancel, a);
	if (rc == 0)
		rc = live_runs_read(&live, ws, &out->attempts, at, a);
	if (rc < 0)
		return rc;
	out->live = live.rows;
	out->n_live = live.n;
	if (out->complete)
		return read_needs(out, ws, at, a);
	count_needs(out, a);
	return 0;
}

const struct attempt_state *migration_status_best(
	const struct migration_status *s, const char *configuration)
{
	const struct attempt_state *best = NULL;
	int level = -1;

	for (size_t i = 0; i < s->attempts.n; i++) {
		const struct measured *m =
			attempt_measured(s->attempts.rows[i].state, configuration);

		if (m && level_index(m->ladder.level) >= level) {
			level = level_index(m->ladder.level);
			best = s->attempts.rows[i].state;
		}
	}
	return best;
}
