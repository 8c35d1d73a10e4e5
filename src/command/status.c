/* status - see status.h. */
#include "config.h"

#include "command/status.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/units.h"
#include "command/attempt.h"
#include "command/groups.h"
#include "command/open.h"
#include "domain/cost.h"
#include "launch/verdict.h"
#include "workspace/accepted.h"
#include "workspace/state.h"

/* ---- words -------------------------------------------------------------------- */

static void add_number(struct buf *out, double v, const char *unit)
{
	/* As people write a margin: 1.0pp, 0.05, 90.93. */
	if (fabs(v * 10 - round(v * 10)) < 1e-9)
		buf_addf(out, "%.1f%s", v, unit);
	else
		buf_addf(out, "%.6g%s", v, unit);
}

/* "<= 0.30 + 0.05", ">= reference - 1.0pp": the unit is written once. */
static void add_threshold(struct buf *out, const struct config_goal *g, bool lower)
{
	bool margin = g->has_margin && g->test.margin > 0;

	buf_adds(out, lower ? "<= " : ">= ");
	if (g->has_target)
		add_number(out, g->test.target, margin ? "" : g->unit);
	else
		buf_adds(out, "reference");
	if (margin) {
		buf_adds(out, lower ? " + " : " - ");
		add_number(out, g->test.margin, g->unit);
	}
}

void goal_add_test(struct buf *out, const struct config_goal *g)
{
	bool lower = g->test.direction == DIRECTION_LOWER;

	buf_addf(out, "%s ", g->metric);
	switch (g->test.form) {
	case FORM_BAND:
		buf_adds(out, "within ");
		add_number(out, g->test.low, "");
		buf_adds(out, " to ");
		add_number(out, g->test.high, g->unit);
		return;
	case FORM_ORDERING:
		buf_adds(out, lower ? "<= baseline - " : ">= baseline + ");
		add_number(out, g->test.margin, g->unit);
		return;
	case FORM_THRESHOLD: case FORM_NONE:
		break;
	}
	add_threshold(out, g, lower);
}

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

/* ---- runs that live --------------------------------------------------------------- */

struct collect {
	struct live_run *rows;
	size_t n, cap;
	struct need *orphans;
	size_t n_orphans, cap_orphans;
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
	if (!at && look_at_directory(r, ws, a)) {
		ARRAY_GROW(c->orphans, c->n_orphans, c->cap_orphans);
		c->orphans[c->n_orphans++] = (struct need){ .kind = NEED_ORPHAN,
			.attempt = s->attempt,
			.run = s->id,
			.alarm = "",
			.rule = "",
			.text = arena_printf(
				a, "%s of #%s goes on without its supervisor", s->id, s->attempt) };
	}
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

static int read_live(struct migration_status *out, struct collect *c, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	void *reference;
	int rc;

	if (!out->attempts.migration->counts.runs_live)
		return 0;
	rc = state_get(ws, "attempt", "reference", at, a, &reference);
	if (rc > 0)
		rc = add_live_of(c, ws, reference, at, a);
	for (size_t i = 0; rc >= 0 && i < out->attempts.n; i++)
		rc = add_live_of(c, ws, out->attempts.rows[i].state, at, a);
	out->live = arena_memdup(a, c->rows, c->n * sizeof *c->rows);
	out->n_live = c->n;
	return rc < 0 ? rc : 0;
}

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

static int read_needs(struct migration_status *out, const struct collect *c, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct need *needs, *all;
	size_t n;
	int rc = journal_needs(&needs, &n, ws, at, a);

	if (rc < 0)
		return rc;
	all = arena_alloc(a, (n + c->n_orphans) * sizeof *all);
	if (n)
		memcpy(all, needs, n * sizeof *needs);
	if (c->n_orphans)
		memcpy(all + n, c->orphans, c->n_orphans * sizeof *all);
	out->needs = all;
	out->n_needs = n + c->n_orphans;
	return 0;
}

/* Interventions and decisions of which nobody said how long they took. */
static int64_t without_minutes(const struct migration_counts *c)
{
	return c->interventions_without_minutes + c->decisions_without_minutes;
}

int64_t people_cost_nano_usd(const struct price *rate, const struct migration_counts *c)
{
	int64_t minutes = c->intervention_minutes + c->decision_minutes,
		without = without_minutes(c);

	if (!rate->known || (without && !minutes))
		return COST_UNKNOWN;
	return cost_human_nano_usd(minutes, rate->nano_usd_hour);
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
	struct collect c = { 0 };
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
		rc = read_live(out, &c, ws, at, a);
	if (rc == 0 && out->complete)
		rc = read_needs(out, &c, ws, at, a);
	else if (rc == 0)
		count_needs(out, a);
	free(c.rows);
	free(c.orphans);
	return rc;
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

/* ---- portside status -------------------------------------------------------------------- */

static void add_best_on(struct buf *out, const struct migration_status *s, const char *name)
{
	const struct attempt_state *best = migration_status_best(s, name);
	struct buf level = BUF_INIT;

	if (best)
		attempt_add_measured(&level, best, name);
	buf_addf(out, "@%s%s: %s", name,
		strcmp(name, s->attempts.intended) == 0 ? ", as intended" : "",
		best ? level.s : "not measured");
	if (best) {
		buf_addf(out, " (attempt %s)", best->id);
		measured_add_remarks(out, attempt_measured(best, name));
	}
	buf_addc(out, '\n');
	buf_clear(&level);
	level_count_add(&level, migration_level_count(s->attempts.migration, name));
	if (level.n)
		buf_addf(out, "%-10s%s\n", "", level.s);
	buf_release(&level);
}

/* A line a configuration: one says nothing about another. */
static void add_best(struct buf *out, const struct migration_status *s)
{
	for (size_t i = 0; i < s->attempts.n_configurations; i++) {
		buf_addf(out, "%-10s", i ? "" : "level");
		add_best_on(out, s, s->attempts.configurations[i]);
	}
	if (!s->attempts.n_configurations)
		buf_addf(out, "%-10snothing was measured yet\n", "level");
}

void rule_gauge_add(struct buf *out, const struct rule_gauge *g, const struct need *needs,
	size_t n)
{
	bool fired = false;

	buf_adds(out, g->report.gauge);
	for (size_t i = 0; i < n; i++) {
		if (!*needs[i].attempt || strcmp(needs[i].rule, g->id) != 0)
			continue;
		if (!fired && *g->subject.attempt)
			buf_addf(out, " is #%s", g->subject.attempt);
		buf_addf(out, "%s #%s", fired ? "" : "; fired for", needs[i].attempt);
		fired = true;
	}
}

void people_minutes_add(struct buf *out, const struct migration_counts *c)
{
	cost_add_minutes(out, c->intervention_minutes + c->decision_minutes, without_minutes(c),
		c->interventions + c->decisions);
}

static void add_run_cost(struct buf *out, const struct migration_counts *c)
{
	if (!c->runs_ended) {
		buf_adds(out, "no run has ended");
		return;
	}
	cost_add_sum(out, c->run_cost_nano_usd, c->runs_without_cost, c->runs_ended);
	buf_adds(out, " for runs");
	if (c->runs_without_cost)
		buf_addf(out, " (%lld of %lld have no known cost)", (long long)c->runs_without_cost,
			(long long)c->runs_ended);
}

static void add_costs(struct buf *out, const struct migration_status *s)
{
	const struct migration_counts *c = &s->attempts.migration->counts;

	buf_addf(out, "%-10s", "cost");
	add_run_cost(out, c);
	buf_adds(out, ", agent ");
	if (c->sessions)
		cost_add_sum(
			out, c->session_cost_nano_usd, c->sessions_without_cost, c->sessions);
	else
		buf_adds(out, "unknown");
	buf_adds(out, ", people ");
	people_minutes_add(out, c);
	if (s->human_cost_nano_usd != COST_UNKNOWN) {
		buf_adds(out, " (");
		cost_add_sum(out, s->human_cost_nano_usd, without_minutes(c),
			c->interventions + c->decisions);
		buf_addc(out, ')');
	}
	buf_addc(out, '\n');
}

/* "1 attempt", "2 attempts" */
static void add_number_of(struct buf *out, int64_t n, const char *noun)
{
	buf_addf(out, "%lld %s%s", (long long)n, noun, n == 1 ? "" : "s");
}

static void add_counts(struct buf *out, const struct migration_status *s)
{
	const struct migration_counts *c = &s->attempts.migration->counts;

	buf_addf(out, "%-10s%zu: %lld labelled a success, %lld a failure (%lld silent); ",
		"attempts", s->attempts.n, (long long)c->successes, (long long)c->failures,
		(long long)c->silent);
	add_number_of(out, c->over_claims, "over-claim");
	if (c->over_claims)
		buf_adds(out, " (a level is claimed that was refuted)");
	buf_addf(out, "\n%-10s%lld: %lld of attempts, %lld of the reference; %lld ended\n", "runs",
		(long long)c->runs, (long long)(c->runs - c->reference_runs),
		(long long)c->reference_runs, (long long)c->runs_ended);
}

static void add_text(struct buf *out, const struct migration_status *s)
{
	int64_t now = clock_wall_ns();

	buf_addf(out, "%s\n", s->name);
	buf_addf(out, "%-10s%s\n", "goal",
		*s->goal ? s->goal : "none; [goal \"NAME\"] in portside.conf sets one");
	add_best(out, s);
	add_counts(out, s);
	add_costs(out, s);
	buf_addf(out, "%-10s%s\n", "file", *s->config ? s->config : "portside.conf is accepted");
	for (size_t i = 0; i < s->n_live; i++) {
		buf_addf(out, "%-10s", i ? "" : "live");
		live_run_add(out, &s->live[i], now);
		buf_addf(out, "  %s\n", s->live[i].run);
	}
	if (!s->n_live)
		buf_addf(out, "%-10snothing runs\n", "live");
	for (size_t i = 0; i < s->gauges.n; i++) {
		buf_addf(out, "%-10s",
			i                                 ? ""
				: s->gauges.from_accepted ? "rules"
							  : "defaults");
		rule_gauge_add(out, &s->gauges.rows[i], s->needs, s->n_needs);
		buf_addf(out, "  (%s)\n", s->gauges.rows[i].when);
	}
	buf_addf(out, "NEEDS YOU%s\n", s->n_needs ? "" : " nothing");
	for (size_t i = 0; i < s->n_needs; i++)
		buf_addf(out, "  %s\n", s->needs[i].text);
}

static const struct report_column status_columns[] = {
	{ .name = "name", .title = "migration", .type = REPORT_TEXT },
	{ .name = "goal", .title = "goal", .type = REPORT_TEXT },
	{ .name = "intended", .title = "intended", .type = REPORT_TEXT },
	{ .name = "levels", .title = "levels", .type = REPORT_JSON },
	{ .name = "attempts", .title = "attempts", .type = REPORT_INTEGER },
	{ .name = "successes", .title = "successes", .type = REPORT_INTEGER },
	{ .name = "failures", .title = "failures", .type = REPORT_INTEGER },
	{ .name = "silent", .title = "silent", .type = REPORT_INTEGER },
	{ .name = "over_claims", .title = "over-claims", .type = REPORT_INTEGER },
	{ .name = "runs", .title = "runs", .type = REPORT_INTEGER },
	{ .name = "runs_ended", .title = "ended", .type = REPORT_INTEGER },
	{ .name = "run_cost_nano_usd", .title = "cost of runs", .type = REPORT_MONEY },
	{ .name = "runs_without_cost", .title = "runs of unknown cost", .type = REPORT_INTEGER },
	{ .name = "agent_cost_nano_usd", .title = "cost of the agent", .type = REPORT_MONEY },
	{ .name = "human_minutes", .title = "minutes", .type = REPORT_INTEGER },
	{ .name = "without_minutes", .title = "records that told none", .type = REPORT_INTEGER },
	{ .name = "human_cost_nano_usd", .title = "cost of people", .type = REPORT_MONEY },
	{ .name = "config", .title = "portside.conf", .type = REPORT_TEXT },
	{ .name = "live", .title = "live", .type = REPORT_JSON },
	{ .name = "needs", .title = "needs you", .type = REPORT_JSON },
	{ .name = "rules", .title = "rules", .type = REPORT_JSON },
};

static void put_levels(struct json_writer *w, const struct migration_status *s)
{
	json_begin_array(w, NULL);
	for (size_t i = 0; i < s->attempts.n_configurations; i++) {
		const struct level_count *count;
		const char *name = s->attempts.configurations[i];
		const struct attempt_state *best = migration_status_best(s, name);
		const struct measured *m = best ? attempt_measured(best, name) : NULL;

		json_begin_object(w, NULL);
		json_put_str(w, "configuration", name);
		json_put_bool(w, "intended", strcmp(name, s->attempts.intended) == 0);
		if (m) {
			json_put_str(w, "level", level_name(m->ladder.level));
			json_put_str(w, "upper", level_name(m->ladder.upper));
			json_put_str(w, "attempt", best->id);
			json_put_bool(w, "simulated", m->simulated);
			count = migration_level_count(s->attempts.migration, name);
			json_put_i64(w, "at_l3", count ? count->at[3] + count->at[4] : 0);
			json_put_i64(w, "inherited", count ? count->inherited : 0);
		} else {
			json_put_null(w, "level");
		}
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_live(struct json_writer *w, const struct migration_status *s)
{
	json_begin_array(w, NULL);
	for (size_t i = 0; i < s->n_live; i++) {
		const struct live_run *r = &s->live[i];

		json_begin_object(w, NULL);
		json_put_str(w, "run", r->run);
		json_put_str(w, "attempt", r->attempt);
		json_put_str(w, "configuration", r->target);
		json_put_str(w, "kind", run_kind_text(r->kind));
		json_put_str(w, "state", word_name(&words_run_state, (int)r->state));
		if (r->started_ns)
			json_put_i64(w, "elapsed_ns", clock_wall_ns() - r->started_ns);
		else
			json_put_null(w, "elapsed_ns");
		if (r->price.known)
			json_put_i64(w, "nano_usd_hour", r->nano_usd_hour);
		else
			json_put_null(w, "nano_usd_hour");
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_needs(struct json_writer *w, const struct migration_status *s)
{
	static const char *const kinds_of[] = {
		[NEED_ALARM] = "alarm",
		[NEED_OVER_CLAIM] = "over-claim",
		[NEED_CONFIG] = "configuration",
		[NEED_ORPHAN] = "orphan",
		[NEED_GONE] = "gone",
	};

	json_begin_array(w, NULL);
	for (size_t i = 0; i < s->n_needs; i++) {
		const struct need *n = &s->needs[i];

		json_begin_object(w, NULL);
		json_put_str(w, "kind", kinds_of[n->kind]);
		json_put_str(w, "text", n->text);
		if (*n->attempt)
			json_put_str(w, "attempt", n->attempt);
		if (*n->run)
			json_put_str(w, "run", n->run);
		if (*n->alarm)
			json_put_str(w, "alarm", n->alarm);
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_rules(struct json_writer *w, const struct migration_status *s)
{
	json_begin_array(w, NULL);
	for (size_t i = 0; i < s->gauges.n; i++) {
		const struct rule_gauge *g = &s->gauges.rows[i];

		json_begin_object(w, NULL);
		json_put_str(w, "rule", g->id);
		json_put_str(w, "gauge", g->report.gauge);
		json_put_bool(w, "fires", g->report.fires);
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_json(struct report_table *t, const char *name, const struct migration_status *s,
		     void (*put)(struct json_writer *, const struct migration_status *))
{
	struct buf json = BUF_INIT;
	struct json_writer w = { .out = &json };

	put(&w, s);
	report_json(t, name, json.s, "");
	buf_release(&json);
}

static void fill_table(struct report_table *t, const struct migration_status *s)
{
	const struct migration_counts *c = &s->attempts.migration->counts;

	report_row(t);
	report_text(t, "name", s->name);
	report_text(t, "goal", *s->goal ? s->goal : NULL);
	report_text(t, "intended", *s->attempts.intended ? s->attempts.intended : NULL);
	report_integer(t, "attempts", (int64_t)s->attempts.n);
	report_integer(t, "successes", c->successes);
	report_integer(t, "failures", c->failures);
	report_integer(t, "silent", c->silent);
	report_integer(t, "over_claims", c->over_claims);
	report_integer(t, "runs", c->runs);
	report_integer(t, "runs_ended", c->runs_ended);
	if (c->runs_without_cost && c->runs_without_cost == c->runs_ended)
		report_unknown(t, "run_cost_nano_usd");
	else
		report_integer(t, "run_cost_nano_usd", c->run_cost_nano_usd);
	report_integer(t, "runs_without_cost", c->runs_without_cost);
	if (c->sessions && c->sessions_without_cost < c->sessions)
		report_integer(t, "agent_cost_nano_usd", c->session_cost_nano_usd);
	else
		report_unknown(t, "agent_cost_nano_usd");
	if (without_minutes(c) && !(c->intervention_minutes + c->decision_minutes))
		report_unknown(t, "human_minutes");
	else
		report_integer(t, "human_minutes", c->intervention_minutes + c->decision_minutes);
	report_integer(t, "without_minutes", without_minutes(c));
	if (s->human_cost_nano_usd != COST_UNKNOWN)
		report_integer(t, "human_cost_nano_usd", s->human_cost_nano_usd);
	else
		report_unknown(t, "human_cost_nano_usd");
	report_text(t, "config", *s->config ? s->config : "accepted");
	put_json(t, "levels", s, put_levels);
	put_json(t, "live", s, put_live);
	put_json(t, "needs", s, put_needs);
	put_json(t, "rules", s, put_rules);
}

static int status_run(struct call *c)
{
	struct migration_status s;
	const char *note;
	int rc = attempt_look(&note, c->workspace, c->at, c->progress.cancel, c->arena);

	if (rc >= 0)
		rc = migration_status_read(&s, c->workspace, c->at, MIGRATION_STATUS_CURVES,
			c->progress.cancel, c->arena);
	if (rc < 0)
		return rc;
	if (*note)
		c->message = note;
	if (!c->wants_json) {
		add_text(&c->text, &s);
		return 0;
	}
	c->table = report_table_new(c->arena, "status", status_columns, ARRAY_LEN(status_columns));
	fill_table(c->table, &s);
	return 0;
}

const struct operation status_operations[] = {
	{ "status", NULL, 0, "where the migration stands, and what needs you",
	  OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG, NULL, status_run, 0 },
	{ 0 },
};
