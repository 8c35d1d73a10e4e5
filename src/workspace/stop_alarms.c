/* stop_alarms - what fires becomes an alarm, once for each cause; see stop_rules.h. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/json_build.h"
#include "domain/kind.h"
#include "domain/object.h"
#include "workspace/accepted.h"
#include "workspace/rule_features.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

static struct json *features_json(struct arena *a, const struct rule_report *r)
{
	struct json *object = json_new_object(a, "features");

	for (size_t i = 0; i < r->features_n; i++) {
		const struct rule_feature *f = &r->features[i];
		const char *text = f->value.type == EXPR_NUMBER
			? arena_printf(a, "%s%.6g", f->value.or_more ? ">=" : "", f->value.number)
			: f->value.type == EXPR_TEXT ? f->value.text
						     : "unknown";

		json_append(object, json_new_text(a, f->name, text));
	}
	return object;
}

/* ---- when a rule became true ------------------------------------------------------ */

/* A rule over the past.  Places count from 1 in projection order. */
struct past {
	struct workspace *ws;
	const struct rule *rule;
	const struct config *config;
};

static int fires_at(bool *out, const struct past *p, int64_t place)
{
	struct arena a = ARENA_INIT;
	struct rule_features f;
	struct position at;
	int rc = log_position_at(workspace_log(p->ws), place, &at);

	*out = false;
	if (rc > 0) {
		rc = rule_features_read(&f, p->ws, p->config, &at, &a);
		*out = rc == 0 && rule_evaluate(p->rule, rule_features_value, &f, &a).fires;
	}
	arena_release(&a);
	return rc;
}

/* A place between LOW, where the rule may be quiet, and HIGH, where it fires:
 * the first one of the stretch that holds HIGH.  Steps back in doubling strides,
 * then halves: a short quiet stretch long ago can be stepped over, which asks a
 * person once less, never once more. */
static int find_edge(int64_t *out, const struct past *p, int64_t low, int64_t high)
{
	int64_t quiet = low;

	for (int64_t stride = 1; high - stride > low; stride *= 2) {
		bool fires;
		int rc = fires_at(&fires, p, high - stride);

		if (rc < 0)
			return rc;
		if (!fires) {
			quiet = high - stride;
			break;
		}
		high -= stride;
	}
	while (high - quiet > 1) {
		int64_t middle = quiet + (high - quiet) / 2;
		bool fires;
		int rc = fires_at(&fires, p, middle);

		if (rc < 0)
			return rc;
		*(fires ? &high : &quiet) = middle;
	}
	*out = high;
	return 0;
}

static int rank_of_event(int64_t *out, struct workspace *ws, const char *hex)
{
	struct digest id;
	struct position p;
	int rc = digest_from_hex(&id, hex) ? log_position_of(workspace_log(ws), &id, &p) : 0;

	*out = 0;
	return rc > 0 ? log_position_rank(workspace_log(ws), &p, out) : rc;
}

static int id_at_place(
	char out[DIGEST_HEX + 1], struct workspace *ws, int64_t place, struct arena *a)
{
	struct event_query q = { .limit = 1 };
	struct position before;
	struct event **events;
	size_t n;
	int rc = log_position_at(workspace_log(ws), place - 1, &before);

	if (rc < 0)
		return rc;
	q.from = rc > 0 ? &before : NULL;
	if ((rc = log_events(workspace_log(ws), &q, a, &events, &n)) == 0 && n)
		digest_hex(out, &events[0]->id);
	return rc;
}

static bool has_version(const struct config *config, const char *version)
{
	for (size_t i = 0; i < config->rules_n; i++)
		if (strcmp(config->rules[i].version, version) == 0)
			return true;
	return false;
}

static int in_force_at(
	bool *out, struct workspace *ws, const char *version, const struct position *at)
{
	struct accepted then;
	int rc = accepted_read(&then, ws, at);

	*out = false;
	if (rc < 0)
		return rc;
	*out = has_version(&then.in_force, version);
	accepted_release(&then);
	return 0;
}

/* The place of the acceptance since which this wording has ruled; 0: since ever. */
static int rank_of_acceptance(
	int64_t *out, struct workspace *ws, const char *version, struct arena *a)
{
	static const struct position before_all = { { 0 } };
	struct event_query q = { .kind = "config.accepted", .descending = true };
	struct event **events;
	bool same = true;
	size_t n;
	int rc = log_events(workspace_log(ws), &q, a, &events, &n);

	*out = 0;
	for (size_t i = 0; rc >= 0 && same && i < n; i++) {
		struct position p = event_position(events[i]);

		rc = in_force_at(&same, ws, version, &p);
		if (rc == 0 && same)
			rc = log_position_rank(workspace_log(ws), &p, out);
	}
	if (rc >= 0 && same)
		rc = in_force_at(&same, ws, version, &before_all);
	if (rc >= 0 && same)
		*out = 0;
	return rc < 0 ? rc : 0;
}

/* The event that made a rule of the state true, after the place RAISED of its
 * last alarm (0: none); "" when it has been true ever since. */
static int find_cause(char out[DIGEST_HEX + 1], struct workspace *ws, const char *version,
	int64_t raised, struct arena *a)
{
	struct accepted accepted;
	struct past p = { .ws = ws };
	int64_t begin = 0, last = 0, edge = 0;
	bool fires = false;
	int rc = accepted_read(&accepted, ws, NULL);

	*out = '\0';
	if (rc < 0)
		return rc;
	p.config = &accepted.in_force;
	for (size_t i = 0; i < p.config->rules_n && !p.rule; i++)
		if (strcmp(p.config->rules[i].version, version) == 0)
			p.rule = &p.config->rules[i];
	rc = rank_of_acceptance(&begin, ws, version, a);
	if (rc == 0)
		rc = log_count(workspace_log(ws), &last);
	/* Others write as well: what fired a moment ago need not fire now. */
	if (rc == 0 && p.rule)
		rc = fires_at(&fires, &p, last);
	if (rc >= 0 && fires)
		rc = find_edge(&edge, &p, raised >= begin ? raised : begin - 1, last);
	accepted_release(&accepted);
	if (rc < 0 || !edge || (raised && raised >= begin && edge == raised + 1))
		return rc < 0 ? rc : 0;
	return id_at_place(out, ws, edge, a);
}

/* ---- is it news? ----------------------------------------------------------------- */

static bool is_of(const struct alarm_state *s, const struct rule_gauge *g)
{
	return strcmp(s->rule_version, g->version) == 0 &&
		strcmp(s->attempt, g->subject.attempt) == 0;
}

int stop_rules_alarm(const struct alarm_state **out, struct workspace *ws,
	const struct rule_gauge *g, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "alarm", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (is_of(s, g) && (!*out || s->open >= (*out)->open))
			*out = s;
	}
	return rc;
}

/* Has a gap of this run been answered?  "Make comparable" asks for another look,
 * which another partner gives. */
static int gap_trigger(
	const char **out, struct workspace *ws, const struct rule_gauge *g, struct arena *a)
{
	struct state_query q = { .type = "alarm" };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = g->subject.ended;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (!is_of(s, g) || strcmp(s->run, g->subject.run) != 0)
			continue;
		if (s->choice != DECISION_MAKE_COMPARABLE ||
			strcmp(s->trigger, g->subject.pair_ended) == 0) {
			*out = "";
			break;
		}
		*out = g->subject.pair_ended;
	}
	return rc;
}

/* What to raise G for; "" when there is nothing new. */
static int find_trigger(
	const char **out, struct workspace *ws, const struct rule_gauge *g, struct arena *a)
{
	const struct alarm_state *last;
	char cause[DIGEST_HEX + 1];
	int64_t raised = 0;
	int rc = stop_rules_alarm(&last, ws, g, NULL, a);

	*out = "";
	if (rc < 0 || (last && last->open))
		return rc;
	if (g->of_gap)
		return gap_trigger(out, ws, g, a);
	if (g->of_curves) {
		*out = last ? "" : g->subject.ended;
		return 0;
	}
	if (last && (rc = rank_of_event(&raised, ws, last->raised.event)) < 0)
		return rc;
	rc = find_cause(cause, ws, g->version, raised, a);
	*out = arena_strdup(a, cause);
	return rc;
}

/* ---- raising ---------------------------------------------------------------------- */

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

static const char *or_none(const char *s)
{
	return *s ? s : NULL;
}

static const struct json *data_of(const struct rule_gauge *g, const char *trigger, struct arena *a)
{
	struct json *data = json_copy(a,
		event_data(a, "rule", g->id, "rule_version", g->version, "trigger", trigger,
			"class", word_name(&words_rule_class, (int)g->class), "action",
			word_name(&words_rule_action, (int)g->action), "attempt",
			or_none(g->subject.attempt), "run", or_none(g->subject.run), NULL));

	json_append(data, features_json(a, &g->report));
	return data;
}

/* 0 raised, 1 nothing new. */
static int raise_one(struct workspace *ws, const struct rule_gauge *g, struct arena *a)
{
	struct record r = { .actor = "tool:portside", .kind = "alarm.raised" };
	struct raising raising = { .version = g->version, .attempt = g->subject.attempt };
	const char *trigger = "", *key;
	int rc = log_count(workspace_log(ws), &raising.known);

	if (rc == 0)
		rc = find_trigger(&trigger, ws, g, a);
	if (rc < 0 || !*trigger)
		return rc < 0 ? rc : 1;
	key = alarm_key(a, g->version, trigger);
	raising.key = r.object = key;
	r.data = data_of(g, trigger, a);
	return workspace_record_if(ws, check_new, &raising, &r, 1, a, NULL);
}

static int raise_firing(
	size_t *raised, struct workspace *ws, const struct rule_gauges *gauges, struct arena *a)
{
	for (size_t i = 0; i < gauges->n; i++) {
		int rc = gauges->rows[i].report.fires ? raise_one(ws, &gauges->rows[i], a) : 1;

		if (rc < 0)
			return rc;
		*raised += rc == 0;
	}
	return 0;
}

int stop_rules_raise(
	size_t *raised, struct workspace *ws, int flags, const atomic_bool *cancel, struct arena *a)
{
	struct rule_gauges gauges;
	int rc;

	*raised = 0;
	if (workspace_read_only(ws))
		return 0;
	rc = stop_rules_read(&gauges, ws, NULL, flags, cancel, a);
	return rc < 0 ? rc : raise_firing(raised, ws, &gauges, a);
}

int stop_rules_judge_run(size_t *raised, struct workspace *ws, const char *run,
	const atomic_bool *cancel, struct arena *a)
{
	struct rule_gauges gauges;
	int rc;

	*raised = 0;
	if (workspace_read_only(ws))
		return 0;
	rc = stop_rules_read_run(&gauges, ws, run, cancel, a);
	return rc < 0 ? rc : raise_firing(raised, ws, &gauges, a);
}

/* ---- by declaration ----------------------------------------------------------------- */

struct declared {
	struct workspace *ws;
	const struct rule *rule;
	const char *attempt;
	struct arena *a;
};

/* The alarm is keyed by the note that declares the blocker. */
static int raise_declared(struct log *log, const struct event *note, void *user)
{
	struct declared *d = user;
	char trigger[DIGEST_HEX + 1];
	struct record r = { .actor = "tool:portside", .kind = "alarm.raised" };

	(void)log;
	digest_hex(trigger, &note->id);
	r.object = alarm_key(d->a, d->rule->version, trigger);
	r.data = event_data(d->a, "rule", "R3", "rule_version", d->rule->version, "trigger",
		trigger, "class", "feasibility", "action", "stop", "attempt",
		*d->attempt ? d->attempt : NULL, NULL);
	return workspace_record_next(d->ws, &r, d->a);
}

int stop_rules_declare_blocker(struct workspace *ws, const char *attempt, const char *text,
	const char *evidence, struct arena *a)
{
	struct rule rule;
	struct declared d = { .ws = ws, .rule = &rule, .attempt = attempt ? attempt : "", .a = a };
	struct record n = { .kind = "note.written",
		.object = *d.attempt ? arena_printf(a, "attempt/%s", attempt) : "migration" };
	struct event *note;
	int rc;

	if (!evidence || !*evidence)
		return err_set(ERR_USAGE,
			"a blocker needs evidence: a file, a link or the id of an event");
	if ((rc = rule_make(&rule, "R3", "blocker = yes", "", ACTION_STOP, CLASS_FEASIBILITY)) < 0)
		return rc;
	n.data = event_data(
		a, "text", arena_printf(a, "Blocker: %s (evidence: %s)", text, evidence), NULL);
	rc = workspace_record_then(ws, &n, raise_declared, &d, a, &note);
	rule_release(&rule);
	return rc;
}
