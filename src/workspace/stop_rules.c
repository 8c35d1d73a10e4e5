/* stop_rules - see stop_rules.h.  Features that read curves are in rule_curves.c. */
#include "config.h"

#include "workspace/stop_rules.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/units.h"
#include "domain/kind.h"
#include "domain/level.h"
#include "domain/object.h"
#include "workspace/accepted.h"
#include "workspace/rule_curves.h"
#include "workspace/state.h"

struct features {
	struct workspace *ws;
	const struct position *at;
	struct arena *a;
	struct migration_state *m;
	const struct config *config;
	struct rule_curves curves;
	bool blocker;
};

static struct expr_value number(double v)
{
	return isnan(v) ? (struct expr_value){ .type = EXPR_UNKNOWN } :
		(struct expr_value){ .type = EXPR_NUMBER, .number = v };
}

static double dollars(int64_t nano)
{
	return (double)nano / (double)NANO_USD;
}

/* The level that counts is the one on the intended configuration; what nobody
 * measured was not reached.  Levels are compared as texts, see rule.h. */
static const char *best_level(const struct features *f)
{
	const char *intended = f->config->migration.intended;
	enum level best = intended && *intended ? migration_best(f->m, intended) : migration_best_anywhere(f->m);

	return level_name(best == LEVEL_UNSET ? LEVEL_NONE : best);
}

/* Without ingested sessions nobody knows how long the agent worked. */
static double of_sessions(const struct features *f, double v)
{
	return f->m->counts.sessions ? v : NAN;
}

static double of_runs(const struct features *f, double v)
{
	return f->m->counts.runs && f->m->counts.runs == f->m->counts.runs_without_cost ? NAN : v;
}

static double feature_number(const struct features *f, const char *name)
{
	const struct migration_counts *c = &f->m->counts;
	const struct { const char *name; double value; } table[] = {
		{ "attempts", (double)c->attempts },
		{ "agent_hours", of_sessions(f, (double)c->agent_ns / (3600.0 * (double)NS_PER_S)) },
		{ "agent_usd", of_sessions(f, dollars(c->session_cost_nano_usd)) },
		{ "run_usd", of_runs(f, dollars(c->run_cost_nano_usd)) },
		{ "failures", (double)c->failures },
		{ "silent", (double)c->silent },
		{ "over_claims", (double)c->over_claims },
		{ "open_alarms", (double)c->alarms_open },
		{ "interventions", (double)c->interventions },
		{ "human_minutes", (double)(c->intervention_minutes + c->decision_minutes) },
		{ "runs", (double)c->runs },
		{ "projected_hours", f->curves.projected_hours },
		{ "projected_usd", f->curves.projected_usd },
		{ "reference_repeats", (double)f->curves.repeats },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (strcmp(table[i].name, name) == 0)
			return table[i].value;
	return NAN;
}

static struct expr_value feature_value(void *user, const char *name)
{
	struct features *f = user;
	const char *dot = strchr(name, '.');

	if (dot)
		return number(rule_curves_gap(&f->curves, strncmp(name, "smoke", 5) == 0, dot + 1));
	if (strcmp(name, "best_level") == 0)
		return (struct expr_value){ .type = EXPR_TEXT, .text = best_level(f) };
	if (strcmp(name, "blocker") == 0)
		return (struct expr_value){ .type = EXPR_TEXT, .text = f->blocker ? "yes" : "no" };
	if (strcmp(name, "comparable_inputs") == 0) {
		if (f->curves.comparable == TRUTH_UNKNOWN)
			return (struct expr_value){ .type = EXPR_UNKNOWN };
		return (struct expr_value){ .type = EXPR_TEXT, .text = f->curves.comparable == TRUTH_TRUE ? "yes" : "no" };
	}
	return number(feature_number(f, name));
}

/* The attempt whose curves a rule reads; "" when it reads none. */
static const char *subject_of(const struct rule_report *r, const struct rule_curves *c)
{
	for (size_t i = 0; i < r->features_n; i++) {
		const char *name = r->features[i].name;

		if (strncmp(name, "full_gap.", 9) == 0)
			return c->full_attempt;
		if (strncmp(name, "smoke_gap.", 10) == 0 || strncmp(name, "projected", 9) == 0)
			return *c->smoke_attempt ? c->smoke_attempt : c->full_attempt;
	}
	return "";
}

/* A rule whose curves were not read yet says so: it is neither quiet nor
 * uncalibrated. */
static void mark_unread(struct rule_gauge *g, struct arena *a)
{
	for (size_t i = 0; i < g->report.features_n; i++) {
		const char *name = g->report.features[i].name;

		if (strstr(name, "_gap.") || strncmp(name, "projected", 9) == 0) {
			g->report.gauge = arena_printf(a, "%s curves not read yet", g->id);
			return;
		}
	}
}

static int read_gauges(struct rule_gauges *out, struct workspace *ws, const char *run, const struct position *at, int flags,
		       const atomic_bool *cancel, struct arena *a)
{
	struct accepted accepted;
	struct features f = { .ws = ws, .at = at, .a = a };
	int rc = accepted_read(&accepted, ws, at);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	f.config = &accepted.in_force;
	rc = state_migration(ws, at, a, &f.m);
	rule_curves_init(&f.curves);
	if (rc == 0 && flags & STOP_RULES_CURVES)
		rc = rule_curves_read(&f.curves, ws, f.config, run, at, cancel, a);
	out->rows = arena_alloc(a, accepted.in_force.rules_n * sizeof *out->rows);
	for (size_t i = 0; rc == 0 && i < accepted.in_force.rules_n; i++) {
		const struct rule *r = &accepted.in_force.rules[i];
		struct rule_gauge *g = &out->rows[out->n++];

		g->id = arena_strdup(a, r->id);
		g->when = arena_strdup(a, r->when);
		g->version = arena_strdup(a, r->version);
		g->class = r->class;
		g->action = r->action;
		g->report = rule_evaluate(r, feature_value, &f, a);
		g->attempt = subject_of(&g->report, &f.curves);
		if (!(flags & STOP_RULES_CURVES))
			mark_unread(g, a);
	}
	out->from_accepted = accepted.has_accepted && !accepted.in_force.default_rules;
	accepted_release(&accepted);
	return rc;
}

int stop_rules_read(struct rule_gauges *out, struct workspace *ws, const struct position *at, int flags,
		    const atomic_bool *cancel, struct arena *a)
{
	return read_gauges(out, ws, NULL, at, flags, cancel, a);
}

/* ---- raising -------------------------------------------------------------------- */

static const struct json *features_json(struct arena *a, const struct rule_report *r)
{
	struct json *object = ARENA_NEW(a, struct json), **tail = &object->first;

	object->type = JSON_OBJECT;
	object->key = "features";
	object->key_n = strlen(object->key);
	for (size_t i = 0; i < r->features_n; i++) {
		const struct rule_feature *f = &r->features[i];
		struct json *child = *tail = ARENA_NEW(a, struct json);
		const char *text = f->value.type == EXPR_NUMBER ? arena_printf(a, "%.6g", f->value.number) :
			f->value.type == EXPR_TEXT ? f->value.text : "unknown";

		child->type = JSON_STRING;
		child->key = f->name;
		child->key_n = strlen(f->name);
		child->text = text;
		child->text_n = strlen(text);
		tail = &child->next;
		object->count++;
	}
	return object;
}

/* The alarm of a rule stays until it is answered; an answered one is raised
 * again only when the values that it saw have changed. */
static int is_news(bool *news, struct workspace *ws, const struct rule_gauge *g, const struct json *seen, struct arena *a)
{
	struct state_query q = { .type = "alarm" };
	struct buf now = BUF_INIT;
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*news = true;
	json_canonical(&now, seen);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct alarm_state *s = rows[i];

		if (strcmp(s->rule_version, g->version) != 0 || strcmp(s->attempt, g->attempt) != 0)
			continue;
		if (s->open || strcmp(s->features, now.s) == 0)
			*news = false;
	}
	buf_release(&now);
	return rc;
}

/* Of one alarm, for the check that runs where nobody else can write. */
struct raising {
	const char *key, *version, *attempt;
	int64_t known;			/* events that were there when it was found to be news */
};

/* Another process may have raised it since, from this event or from a later one. */
static int check_new(struct log *log, void *user)
{
	const struct raising *r = user;
	struct event_query q = { .kind = "alarm.raised", .object = r->key };
	struct arena a = ARENA_INIT;
	struct event **events;
	bool raised;
	size_t n;
	int rc = log_events(log, &q, &a, &events, &n);

	raised = rc == 0 && n > 0;
	if (rc == 0 && !raised)
		rc = log_events_arrived(log, r->known, 0, &a, &events, &n, NULL);
	for (size_t i = 0; rc == 0 && !raised && i < n; i++)
		raised = strcmp(events[i]->kind, "alarm.raised") == 0 &&
			strcmp(json_str(events[i]->data, "rule_version", ""), r->version) == 0 &&
			strcmp(json_str(events[i]->data, "attempt", ""), r->attempt) == 0;
	arena_release(&a);
	return rc < 0 ? rc : raised;
}

static int raise_one(struct workspace *ws, const struct rule_gauge *g, const char *trigger, struct arena *a)
{
	const struct json *seen = features_json(a, &g->report);
	char *key = arena_strdup(a, alarm_key(a, g->version, trigger));
	struct json *data;
	struct record r = { .actor = "tool:portside", .kind = "alarm.raised", .object = key };
	struct raising raising = { .key = key, .version = g->version, .attempt = g->attempt };
	bool news = false;
	int rc = log_count(workspace_log(ws), &raising.known);

	if (rc == 0)
		rc = is_news(&news, ws, g, seen, a);
	if (rc < 0 || !news)
		return rc < 0 ? rc : 1;
	r.data = event_data(a, "rule", g->id, "rule_version", g->version, "trigger", trigger,
		"class", word_name(&words_rule_class, (int)g->class), "action", word_name(&words_rule_action, (int)g->action),
		"attempt", *g->attempt ? g->attempt : NULL, NULL);
	data = arena_memdup(a, r.data, sizeof *r.data);
	for (struct json **tail = &data->first; ; tail = &(*tail)->next) {
		if (!*tail) {
			*tail = arena_memdup(a, seen, sizeof *seen);
			break;
		}
	}
	data->count++;
	r.data = data;
	return workspace_record_if(ws, check_new, &raising, &r, 1, a, NULL);
}

/* What made a rule true: the newest event that is not itself an alarm, a note
 * or a person's answer. */
static int find_trigger(char out[DIGEST_HEX + 1], struct workspace *ws, struct arena *a)
{
	static const char *const causes_of[] = { "run.", "attempt.", "session.", "evidence.", "check.", "migration." };
	struct position newest = { { 0 } };

	*out = '\0';
	for (size_t i = 0; i < ARRAY_LEN(causes_of); i++) {
		struct event_query q = { .kind = causes_of[i], .descending = true, .limit = 1 };
		struct event **events;
		struct position p;
		size_t n;
		int rc = log_events(workspace_log(ws), &q, a, &events, &n);

		if (rc < 0)
			return rc;
		if (!n)
			continue;
		p = event_position(events[0]);
		if (position_compare(&p, &newest) > 0) {
			newest = p;
			digest_hex(out, &events[0]->id);
		}
	}
	return 0;
}

static int raise_for(size_t *raised, struct workspace *ws, const char *run, int flags, const atomic_bool *cancel, struct arena *a)
{
	char trigger[DIGEST_HEX + 1];
	struct rule_gauges gauges;
	int rc;

	*raised = 0;
	if (workspace_read_only(ws))
		return 0;
	if ((rc = read_gauges(&gauges, ws, run, NULL, flags, cancel, a)) < 0)
		return rc;
	if ((rc = find_trigger(trigger, ws, a)) < 0 || !*trigger)
		return rc;
	for (size_t i = 0; i < gauges.n; i++) {
		if (!gauges.rows[i].report.fires)
			continue;
		if ((rc = raise_one(ws, &gauges.rows[i], trigger, a)) < 0)
			return rc;
		*raised += rc == 0;
	}
	return 0;
}

int stop_rules_raise(size_t *raised, struct workspace *ws, int flags, const atomic_bool *cancel, struct arena *a)
{
	return raise_for(raised, ws, NULL, flags, cancel, a);
}

int stop_rules_judge_run(size_t *raised, struct workspace *ws, const char *run, const atomic_bool *cancel, struct arena *a)
{
	return raise_for(raised, ws, run, STOP_RULES_CURVES, cancel, a);
}

int stop_rules_declare_blocker(struct workspace *ws, const char *attempt, const char *text, const char *evidence, struct arena *a)
{
	struct rule rule;
	char trigger[DIGEST_HEX + 1], *key;
	struct event *note;
	struct record n = { .kind = "note.written", .object = attempt && *attempt ? arena_printf(a, "attempt/%s", attempt) : "migration" };
	struct record r = { .actor = "tool:portside", .kind = "alarm.raised" };
	int rc;

	if (!evidence || !*evidence)
		return err_set(ERR_USAGE, "a blocker needs evidence: a file, a link or the id of an event");
	if ((rc = rule_make(&rule, "R3", "blocker = yes", "", ACTION_STOP, CLASS_FEASIBILITY)) < 0)
		return rc;
	n.data = event_data(a, "text", arena_printf(a, "Blocker: %s (evidence: %s)", text, evidence), NULL);
	if ((rc = workspace_record(ws, &n, a, &note)) == 0) {
		digest_hex(trigger, &note->id);
		key = arena_strdup(a, alarm_key(a, rule.version, trigger));
		r.object = key;
		r.data = event_data(a, "rule", "R3", "rule_version", rule.version, "trigger", trigger,
			"class", "feasibility", "action", "stop", "attempt", attempt && *attempt ? attempt : NULL, NULL);
		rc = workspace_record(ws, &r, a, NULL);
	}
	rule_release(&rule);
	return rc;
}
