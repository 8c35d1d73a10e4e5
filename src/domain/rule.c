/* rule - see rule.h.  The defaults watch budget, correctness, cost and feasibility. */
#include "config.h"

#include "domain/rule.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "domain/kind.h"
#include "domain/level.h"

const struct feature features[] = {
	{ "attempts", "attempts", "attempts seen or run so far", false, false, false },
	{ "best_level", "", "best measured level on the intended configuration", false, true,
		false },
	{ "agent_hours", "agent-h", "working time in ingested sessions", false, false, false },
	{ "agent_usd", "USD", "token cost in ingested sessions", false, false, false },
	{ "run_usd", "USD", "cost of runs with a known price", false, false, false },
	{ "failures", "failures", "attempts labelled failure", false, false, false },
	{ "silent", "silent failures", "attempts labelled silent", false, false, false },
	{ "over_claims", "over-claims", "claims above what can still be true", false, false,
		false },
	{ "open_alarms", "open alarms", "alarms without a decision", false, false, false },
	{ "interventions", "interventions", "interventions of people", false, false, false },
	{ "human_minutes", "human-min", "minutes of interventions and decisions", false, false,
		false },
	{ "runs", "runs", "runs prepared so far", false, false, false },
	{ "projected_hours", "h", "projected length of the full run", false, false, false },
	{ "projected_usd", "USD", "projected cost of the full run", false, false, false },
	{ "smoke_gap", "", "smoke run against the smoke reference, larger is worse", true, false,
		true },
	{ "full_gap", "", "full run against the full reference, larger is worse", true, false,
		true },
	{ "blocker", "", "yes when a blocker was declared with evidence", false, false, false },
	{ "reference_repeats", "repeats", "runs of the reference with the same kind", false, false,
		false },
	{ "comparable_inputs", "", "yes when data, seed policy, teacher and examples are equal",
		false, false, false },
};
const size_t features_n = ARRAY_LEN(features);

const struct rule_default rule_defaults[] = {
	{ "R1", "attempts >= 10 and best_level < L0", "", ACTION_STOP, CLASS_BUDGET,
		"ten attempts and the experiment has not run to its end" },
	{ "R2", "agent_hours >= 3 and best_level < L0", "", ACTION_STOP, CLASS_BUDGET,
		"three agent hours and the experiment has not run to its end" },
	{ "R4", "smoke_gap.GOAL worse than 5.0", "comparable-inputs", ACTION_DECISION,
		CLASS_CORRECTNESS,
		"the smoke run is far from the reference, with comparable inputs" },
	{ "R5", "projected_hours > 4", "", ACTION_DECISION, CLASS_COST,
		"the full run would take more than four hours" },
};
const size_t rule_defaults_n = ARRAY_LEN(rule_defaults);

const struct feature *feature_find(const char *name)
{
	size_t n = strcspn(name, ".");

	for (size_t i = 0; i < features_n; i++) {
		const struct feature *f = &features[i];

		if (strlen(f->name) != n || memcmp(f->name, name, n) != 0)
			continue;
		if (f->per_goal)
			return name[n] && name_is_plain(name + n + 1) ? f : NULL;
		return name[n] ? NULL : f;
	}
	return NULL;
}

bool feature_known(void *user, const char *name)
{
	(void)user;
	return feature_find(name) != NULL;
}

/* ---- making ---------------------------------------------------------------- */

static void set_version(struct rule *r)
{
	struct buf b = BUF_INIT;
	struct digest d;

	buf_addf(&b, "portside-rule-v1\n%s\n", r->id);
	expr_print(&b, r->expr);
	buf_addf(&b, "\n%s\n%s\n%s\n", r->precondition,
		word_name(&words_rule_action, (int)r->action),
		word_name(&words_rule_class, (int)r->class));
	d = sha256_bytes(b.s, b.n);
	digest_hex(r->version, &d);
	buf_release(&b);
}

/* A level feature against anything but a level would compare as text. */
static int check_limits(const struct rule *r)
{
	struct expr_gauge g;

	for (size_t i = 0; expr_gauge(r->expr, i, &g); i++) {
		const struct feature *f = feature_find(g.feature);
		bool text = g.limit.type == EXPR_TEXT;
		int level = text ? word_find(&words_level, g.limit.text) : -1;

		if (f->level && level <= 0)
			return err_set(
				ERR_PARSE, "%s is compared with none, L0, L2, L3 or L4", g.feature);
		if (f->needs_noise && g.limit.type != EXPR_NUMBER)
			return err_set(ERR_PARSE, "%s is compared with a number", g.feature);
	}
	return 0;
}

int rule_make(struct rule *out, const char *id, const char *when, const char *precondition,
	      enum rule_action action, enum rule_class class)
{
	int rc;

	*out = (struct rule){ .id = id,
		.when = when,
		.precondition = precondition,
		.action = action,
		.class = class };
	if (*precondition && strcmp(precondition, "comparable-inputs") != 0)
		return err_set(ERR_PARSE,
			"\"%s\" is not a precondition; allowed: comparable-inputs", precondition);
	if ((rc = expr_parse(&out->expr, when, feature_known, NULL)) < 0)
		return rc;
	if ((rc = check_limits(out)) < 0) {
		rule_release(out);
		return rc;
	}
	set_version(out);
	return 0;
}

void rule_release(struct rule *r)
{
	expr_free(r->expr);
	r->expr = NULL;
}

/* ---- evaluating -------------------------------------------------------------- */

static bool is_yes(const struct expr_value *v)
{
	return (v->type == EXPR_TEXT && strcmp(v->text, "yes") == 0) ||
	       (v->type == EXPR_NUMBER && v->number != 0);
}

static enum truth precondition_truth(const struct rule *r, expr_feature_fn *value, void *user)
{
	struct expr_value v;

	if (!*r->precondition)
		return TRUTH_TRUE;
	v = value(user, "comparable_inputs");
	if (v.type == EXPR_UNKNOWN)
		return TRUTH_UNKNOWN;
	return is_yes(&v) ? TRUTH_TRUE : TRUTH_FALSE;
}

static bool is_calibrated(const struct rule *r, expr_feature_fn *value, void *user)
{
	size_t n;
	const char *const *names = expr_features(r->expr, &n);
	bool gap = false;
	struct expr_value v;

	for (size_t i = 0; i < n; i++) {
		const struct feature *f = feature_find(names[i]);

		gap = gap || (f && f->needs_noise);
	}
	if (!gap)
		return true;
	v = value(user, "reference_repeats");
	return v.type == EXPR_NUMBER && v.number >= RULE_NOISE_REPEATS;
}

static void read_features(struct rule_report *out, const struct rule *r, expr_feature_fn *value,
	void *user, struct arena *a)
{
	size_t n;
	const char *const *names = expr_features(r->expr, &n);
	struct rule_feature *list = arena_alloc(a, (n + 1) * sizeof *list);

	for (size_t i = 0; i < n; i++) {
		list[i].name = arena_strdup(a, names[i]);
		list[i].value = value(user, names[i]);
		if (list[i].value.type == EXPR_TEXT)
			list[i].value.text = arena_strdup(a, list[i].value.text);
	}
	out->features = list;
	out->features_n = n;
}

static enum rule_status status_of(const struct rule_report *r, bool calibrated)
{
	if (r->truth == TRUTH_FALSE)
		return RULE_QUIET;
	if (r->truth == TRUTH_UNKNOWN)
		return calibrated ? RULE_NO_SOURCE : RULE_UNCALIBRATED;
	if (r->precondition == TRUTH_UNKNOWN)
		return RULE_COMPARABLE_UNKNOWN;
	return r->precondition == TRUTH_TRUE ? RULE_FIRES : RULE_NOT_COMPARABLE;
}

/* ---- gauges ------------------------------------------------------------------- */

static void add_number(struct buf *out, double v)
{
	char text[TEXT_DOUBLE_MAX];

	if (v > -1e15 && v < 1e15 && v == trunc(v))
		buf_addf(out, "%lld", (long long)v);
	else
		buf_add(out, text, text_from_double(text, v));
}

/* Value and limit with the same decimals: "1.1/3.0", "4/10". */
static void add_pair(struct buf *out, double value, double limit, bool whole)
{
	if (whole) {
		add_number(out, value);
		buf_addc(out, '/');
		add_number(out, limit);
	} else {
		/* What rounds to 0 has no sign, nor has a 0 that was -0. */
		buf_addf(out, "%.1f/%.1f", value > -0.05 && value <= 0 ? 0 : value, limit);
	}
}

/* A count, against anything that is measured in fractions. */
static bool is_count(const struct feature *f)
{
	return strcmp(f->unit, "agent-h") != 0 && strcmp(f->unit, "h") != 0 &&
	       strcmp(f->unit, "USD") != 0 && !f->needs_noise;
}

/* A conjunct on a level that is false keeps the whole rule quiet. */
static bool quiet_by_level(
	const struct rule_report *report, const struct rule *r, enum level *limit)
{
	struct expr_gauge g;

	for (size_t i = 0; report->truth == TRUTH_FALSE && expr_gauge(r->expr, i, &g); i++) {
		const struct feature *f = feature_find(g.feature);

		if (!f->level || *g.op != '<')
			continue;
		for (size_t k = 0; k < report->features_n; k++) {
			const struct expr_value *v = &report->features[k].value;

			*limit = (enum level)word_find(&words_level, g.limit.text);
			if (strcmp(report->features[k].name, g.feature) == 0 &&
				    v->type == EXPR_TEXT &&
				    word_find(&words_level, v->text) >= (int)*limit)
				return true;
		}
	}
	return false;
}

static const struct expr_value *value_of(const struct rule_report *report, const char *name)
{
	for (size_t i = 0; i < report->features_n; i++)
		if (strcmp(report->features[i].name, name) == 0)
			return &report->features[i].value;
	return NULL;
}

static bool add_gauge(struct buf *out, const struct rule_report *report, const struct rule *r)
{
	struct expr_gauge g;

	for (size_t i = 0; expr_gauge(r->expr, i, &g); i++) {
		const struct feature *f = feature_find(g.feature);
		const struct expr_value *v = value_of(report, g.feature);

		if (f->level || !v || v->type != EXPR_NUMBER || g.limit.type != EXPR_NUMBER)
			continue;
		buf_adds(out, v->or_more ? ">=" : "");
		add_pair(out, v->number, g.limit.number, is_count(f));
		if (*f->unit)
			buf_addf(out, " %s", f->unit);
		return true;
	}
	return false;
}

/* Why nobody knows whether the rule holds. */
static void add_missing(struct buf *out, const struct rule_report *report)
{
	const char *in_part = "";

	for (size_t i = 0; i < report->features_n; i++) {
		const struct rule_feature *f = &report->features[i];

		if (f->value.type == EXPR_UNKNOWN) {
			buf_addf(out, "no source: %s", f->name);
			return;
		}
		if (f->value.or_more)
			in_part = f->name;
	}
	buf_addf(out, "known in part: %s", in_part);
}

static const char *gauge_text(
	const struct rule_report *report, const struct rule *r, struct arena *a, bool calibrated)
{
	struct buf b = BUF_INIT;
	enum level limit = LEVEL_UNSET;
	const char *text;

	buf_addf(&b, "%s ", r->id);
	if (report->status == RULE_NOT_COMPARABLE)
		buf_adds(&b, "inputs not comparable");
	else if (report->status == RULE_COMPARABLE_UNKNOWN)
		buf_adds(&b, "not known whether comparable");
	else if (quiet_by_level(report, r, &limit))
		buf_addf(&b, "no %s: ok", level_name(limit));
	else if (!calibrated && report->status != RULE_FIRES)
		buf_addf(&b, "uncalibrated: repeat the reference x%d", RULE_NOISE_REPEATS);
	else if (report->status == RULE_NO_SOURCE)
		add_missing(&b, report);
	else if (!add_gauge(&b, report, r))
		buf_adds(&b, report->truth == TRUTH_TRUE ? "yes" : "no");
	if (report->fires)
		buf_adds(&b, " !");
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

struct rule_report rule_evaluate(
	const struct rule *r, expr_feature_fn *value, void *user, struct arena *a)
{
	struct rule_report report = { .truth = expr_eval(r->expr, value, user) };
	bool calibrated = is_calibrated(r, value, user);

	report.precondition = precondition_truth(r, value, user);
	read_features(&report, r, value, user, a);
	report.status = status_of(&report, calibrated);
	report.fires = report.status == RULE_FIRES;
	report.gauge = gauge_text(&report, r, a, calibrated);
	return report;
}

const char *alarm_key(struct arena *a, const char *rule_version, const char *trigger_event)
{
	return arena_printf(a, "%.12s.%.16s", rule_version, trigger_event);
}
