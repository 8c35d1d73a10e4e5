/* status_command - `portside status`: what status.h read, as text and as JSON. */
#include "config.h"

#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "command/attempt.h"
#include "command/groups.h"
#include "command/live_run.h"
#include "command/people_time.h"
#include "command/rules.h"
#include "command/status.h"
#include "domain/cost.h"

/* ---- as text ----------------------------------------------------------------------------- */

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
		cost_add_sum(out, s->human_cost_nano_usd, people_without_minutes(c),
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

/* ---- as a table -------------------------------------------------------------------------- */

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
	if (people_without_minutes(c) && !(c->intervention_minutes + c->decision_minutes))
		report_unknown(t, "human_minutes");
	else
		report_integer(t, "human_minutes", c->intervention_minutes + c->decision_minutes);
	report_integer(t, "without_minutes", people_without_minutes(c));
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
