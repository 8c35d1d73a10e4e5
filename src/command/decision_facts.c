/* decision_facts - gathers what decision.h promises: rule, gap, noise, cost, waiting. */
#include "config.h"

#include "command/decision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/json.h"
#include "base/text.h"
#include "store/blob.h"
#include "store/conffile.h"
#include "workspace/accepted.h"
#include "workspace/comparison.h"
#include "workspace/rule_curves.h"
#include "workspace/state.h"

enum { SELF_RUNS_MAX = 6 };	/* of the reference: 15 pairs say enough */

struct reader {
	struct decision_facts *out;
	struct workspace *ws;
	const struct position *at;
	const atomic_bool *cancel;
	struct arena *a;
};

/* ---- which alarm ---------------------------------------------------------------- */

int decision_find_alarm(const struct alarm_state **out, struct workspace *ws, const char *text, const struct position *at,
			struct arena *a)
{
	struct state_query q = { .type = "alarm", .at = at };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = NULL;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct alarm_state *s = rows[i];

		if (*text ? strlen(text) < 6 || !text_starts(s->id, text) : !s->open)
			continue;
		if (*text && *out)
			return err_set(ERR_USAGE, "\"%s\" means several alarms: %s and %s", text, (*out)->id, s->id);
		if (!*out || strcmp(s->raised.time, (*out)->raised.time) < 0)
			*out = s;
	}
	if (rc == 0 && !*out)
		rc = *text ? err_set(ERR_NOT_FOUND, "no alarm \"%s\"; portside alarms lists them", text) :
			err_set(ERR_NOT_FOUND, "no alarm asks for a decision");
	return rc;
}

const char *decision_choice_word(struct arena *a, enum decision_choice c)
{
	char *word = arena_strdup(a, word_name(&words_decision, (int)c));

	for (char *p = word; *p; p++)
		if (*p == ' ')
			*p = '-';
	return word;
}

/* ---- the rule as it was judged -------------------------------------------------- */

struct saw { const struct json *values; };

/* What the alarm stored: numbers and words as texts. */
static struct expr_value seen_value(void *user, const char *name)
{
	const struct saw *s = user;
	const struct json *v = s->values ? json_get(s->values, name) : NULL;
	struct expr_value out = { .type = EXPR_UNKNOWN };

	if (strcmp(name, "comparable_inputs") == 0)	/* it fired, so the precondition held */
		return (struct expr_value){ .type = EXPR_TEXT, .text = "yes" };
	if (strcmp(name, "reference_repeats") == 0)
		return (struct expr_value){ .type = EXPR_NUMBER, .number = RULE_NOISE_REPEATS };
	if (!v || v->type != JSON_STRING || strcmp(v->text, "unknown") == 0)
		return out;
	out.type = text_to_double(v->text, v->text_n, &out.number) ? EXPR_NUMBER : EXPR_TEXT;
	out.text = v->text;
	return out;
}

static void judge(struct reader *r, const struct rule *rule, const struct json *saw)
{
	struct saw values = { saw };
	struct rule_report report = rule_evaluate(rule, seen_value, &values, r->a);
	size_t n = strlen(report.gauge);

	r->out->when = arena_strdup(r->a, rule->when);
	/* The sign of firing is for lists; here everything fired. */
	r->out->gauge = n > 2 && text_ends(report.gauge, " !") ? arena_strndup(r->a, report.gauge, n - 2) : report.gauge;
}

/* The rule of CONFIG with the alarm's id; *SAME when its wording is the alarm's. */
static const struct rule *rule_of(const struct config *config, const struct alarm_state *s, bool *same)
{
	const struct rule *found = NULL;

	for (size_t i = 0; i < config->rules_n; i++) {
		const struct rule *rule = &config->rules[i];

		if (strcmp(rule->id, s->rule) != 0)
			continue;
		*same = strcmp(rule->version, s->rule_version) == 0;
		if (*same)
			return rule;
		found = found ? found : rule;
	}
	return found;
}

static int read_text(struct config *out, struct workspace *ws, const struct event *e)
{
	struct conf conf = CONF_INIT;
	struct buf text = BUF_INIT;
	enum blob_state state;
	int rc = log_blob_hex(workspace_log(ws), json_str(e->data, "text", ""), &state, &text);

	memset(out, 0, sizeof *out);
	if (rc == 0 && state == BLOB_PRESENT && conffile_parse(&conf, "portside.conf", text.s, text.n) == 0)
		rc = config_read(out, &conf);
	if (rc == ERR_PARSE)		/* a later version may know fewer keys */
		rc = 0;
	err_clear();
	conf_release(&conf);
	buf_release(&text);
	return rc;
}

/* Counts the wordings that this rule has had, up to the alarm's. */
static int read_rule(struct reader *r, const struct json *saw)
{
	struct event_query q = { .kind = "config.accepted" };
	const struct alarm_state *s = r->out->alarm;
	char last[DIGEST_HEX + 1] = "";
	struct event **events;
	int64_t wordings = 0;
	size_t n;
	int rc = log_events(workspace_log(r->ws), &q, r->a, &events, &n);

	for (size_t i = 0; rc == 0 && i < n && !r->out->version; i++) {
		const struct rule *rule;
		struct config config;
		bool same = false;

		if ((rc = read_text(&config, r->ws, events[i])) < 0)
			break;
		rule = rule_of(&config, s, &same);
		if (rule && !config.default_rules && strcmp(rule->version, last) != 0) {
			wordings++;
			memcpy(last, rule->version, sizeof last);
		}
		if (rule && same)
			judge(r, rule, saw);
		if (rule && same && !config.default_rules) {
			r->out->version = wordings;
			r->out->accepted_time = events[i]->time;
			r->out->accepted_by = text_sanitised(r->a, events[i]->actor);
		}
		config_release(&config);
	}
	return rc;
}

/* What somebody declared is the note that triggered the alarm. */
static int read_blocker(struct reader *r)
{
	struct digest id;
	struct event *note;
	int rc;

	r->out->when = "a blocker is declared unavoidable, with evidence";
	if (!digest_from_hex(&id, r->out->alarm->trigger))
		return 0;
	if ((rc = log_event(workspace_log(r->ws), &id, r->a, &note)) < 0)
		return rc;
	r->out->gauge = arena_printf(r->a, "%s, by %s", workspace_text(r->ws, r->a, json_str(note->data, "text", "")),
		text_sanitised(r->a, note->actor));
	return 0;
}

/* Before any acceptance, and for a declared blocker, which no file names. */
static int read_default_rule(struct reader *r, const struct json *saw)
{
	struct accepted accepted;
	const struct rule *rule;
	bool same = false;
	int rc;

	if (*r->out->when)
		return 0;
	if (strcmp(r->out->alarm->rule, "R3") == 0)
		return read_blocker(r);
	if ((rc = accepted_read(&accepted, r->ws, r->at)) < 0)
		return rc;
	rule = rule_of(&accepted.in_force, r->out->alarm, &same);
	if (rule && same)
		judge(r, rule, saw);
	accepted_release(&accepted);
	return 0;
}

/* ---- gaps ----------------------------------------------------------------------- */

/* "smoke_gap.accuracy": the kind of run and the goal that the rule is about. */
static enum run_kind gap_of(const struct json *saw, const char **goal)
{
	for (const struct json *f = saw ? saw->first : NULL; f; f = f->next) {
		const char *dot = strchr(f->key, '.');

		if (!dot)
			continue;
		*goal = dot + 1;
		return text_starts(f->key, "full") ? RUN_KIND_FULL : RUN_KIND_SMOKE;
	}
	return RUN_KIND_NONE;
}

static double worse_of(const struct run_comparison *c)
{
	double sign = c->comparison.options.direction == BETTER_HIGHER ? -1 : 1;

	return c->has_comparison ? sign * c->comparison.final * c->scale : NAN;
}

static const char *obstacles_of(struct arena *a, const struct comparable *c)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < c->n; i++) {
		const struct comparable_item *item = &c->items[i];

		if (item->status == COMPARABLE_DIFFERS && item->blocks)
			buf_addf(&b, "%s%s %.24s (R), %.24s (A)", b.n ? "; " : "", item->name, item->reference, item->attempt);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* The pair that the alarm is about, measured again from the files. */
static int read_pair(struct reader *r, enum run_kind kind)
{
	struct decision_facts *out = r->out;
	struct comparison_request q = { .attempt_run = out->alarm->attempt, .goal = out->goal, .kind = kind,
		.at = r->at, .cancel = r->cancel };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, r->ws, &q);

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();		/* its files are not here: unknown */
		return 0;
	}
	out->unit = arena_strdup(r->a, c->unit);
	if (c->has_comparison) {
		const struct alignment *al = &c->comparison.alignment;

		out->gap_now = worse_of(c);
		out->gap_step = al->n ? align_pair_at(al, al->n - 1).x : NAN;
		out->comparable = c->comparable.overall;
		out->obstacles = obstacles_of(r->a, &c->comparable);
	}
	run_comparison_free(c);
	return 0;
}

static int compare_self(struct reader *r, const struct run_state *x, const struct run_state *y)
{
	struct decision_facts *out = r->out;
	struct comparison_request q = { .attempt_run = x->id, .reference_run = y->id, .goal = out->goal,
		.at = r->at, .cancel = r->cancel };
	struct run_comparison *c;
	int rc = run_comparison_make(&c, r->ws, &q);
	double d;

	if (rc == ERR_CANCELLED)
		return rc;
	if (rc < 0) {
		err_clear();
		return 0;
	}
	d = fabs(worse_of(c));
	run_comparison_free(c);
	if (isnan(d))
		return 0;
	out->self_low = out->self_pairs ? fmin(out->self_low, d) : d;
	out->self_high = out->self_pairs ? fmax(out->self_high, d) : d;
	out->self_pairs++;
	return 0;
}

/* How far the reference is from itself: every pair of its runs of this kind. */
static int read_self(struct reader *r, enum run_kind kind)
{
	struct state_query q = { .type = "run", .parent = "reference", .at = r->at };
	const struct run_state *kept[SELF_RUNS_MAX];
	size_t n, runs = 0;
	void **rows;
	int rc = state_list(r->ws, &q, r->a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n && runs < SELF_RUNS_MAX; i++) {
		const struct run_state *run = rows[i];

		if (run->kind == kind && run->state == RUN_EXITED_0 && !*run->prepared.struck)
			kept[runs++] = run;
	}
	r->out->self_runs = runs;
	for (size_t i = 0; rc == 0 && i < runs; i++)
		for (size_t k = i + 1; rc == 0 && k < runs; k++)
			rc = compare_self(r, kept[k], kept[i]);
	return rc;
}

static int read_gaps(struct reader *r, const struct json *saw)
{
	const char *goal = "";
	enum run_kind kind = gap_of(saw, &goal);
	int rc;

	if (!kind)
		return 0;
	r->out->goal = arena_strdup(r->a, goal);
	for (const struct json *f = saw->first; f; f = f->next)
		if (strchr(f->key, '.') && !text_to_double(f->text, f->text_n, &r->out->gap))
			r->out->gap = NAN;
	rc = *r->out->alarm->attempt ? read_pair(r, kind) : 0;
	return rc < 0 ? rc : read_self(r, kind);
}

/* ---- going on ------------------------------------------------------------------- */

static int read_cost(struct reader *r)
{
	struct rule_curves curves;
	struct accepted accepted;
	int rc = accepted_read(&accepted, r->ws, r->at);

	if (rc < 0)
		return rc;
	rule_curves_init(&curves);
	rc = rule_curves_read(&curves, r->ws, &accepted.in_force, NULL, r->at, r->cancel, r->a);
	accepted_release(&accepted);
	/* A projection of another attempt says nothing about this one. */
	if (rc < 0 || (*r->out->alarm->attempt && strcmp(curves.smoke_attempt, r->out->alarm->attempt) != 0))
		return rc;
	r->out->hours = curves.projected_hours;
	r->out->low_hours = curves.projected_low_hours;
	r->out->high_hours = curves.projected_high_hours;
	r->out->usd = curves.projected_usd;
	return 0;
}

static bool is_going_on(const struct event *e)
{
	return strcmp(e->kind, "attempt.observed") == 0 || strcmp(e->kind, "run.prepared") == 0 ||
	       text_starts(e->actor, "agent:");
}

/* Does the agent wait at all?  The first thing that came from it after the alarm. */
static int read_waiting(struct reader *r, const struct event *raised)
{
	struct position from = event_position(raised);
	struct event_query q = { .from = &from, .limit = 200 };
	struct event **events;
	int64_t then;
	size_t n;
	int rc = log_events(workspace_log(r->ws), &q, r->a, &events, &n);

	if (clock_from_iso(&then, raised->time))
		r->out->waited_ns = clock_wall_ns() - then;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct position p = event_position(events[i]);

		if (r->at && position_compare(&p, r->at) > 0)
			break;
		if (!is_going_on(events[i]))
			continue;
		r->out->went_on = arena_printf(r->a, "%s %s", text_sanitised(r->a, events[i]->kind),
			text_sanitised(r->a, events[i]->object));
		break;
	}
	return rc;
}

static int count_open(struct reader *r)
{
	struct state_query q = { .type = "alarm", .at = r->at };
	void **rows;
	size_t n;
	int rc = state_list(r->ws, &q, r->a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++)
		r->out->open += ((const struct alarm_state *)rows[i])->open;
	return rc;
}

/* ---- words ---------------------------------------------------------------------- */

static void add_rule(struct buf *b, const struct decision_facts *f)
{
	int64_t when;

	if (f->version) {
		buf_addf(b, "rule v%lld, accepted ", (long long)f->version);
		if (clock_from_iso(&when, f->accepted_time))
			clock_add_short(b, when, clock_wall_ns());
		buf_addf(b, " by %s", f->accepted_by + strcspn(f->accepted_by, ":") + (strchr(f->accepted_by, ':') != NULL));
	} else if (strcmp(f->alarm->rule, "R3") == 0) {
		buf_adds(b, "a blocker, declared by hand");
	} else {
		buf_adds(b, "a default rule that no accepted file names");
	}
	buf_addf(b, "; judged at event %lld\n", (long long)f->judged_at);
	if (strcmp(f->alarm->rule, "R3") == 0)
		return;
	if (*f->when)
		buf_addf(b, "it fires when: %s\n", f->when);
	else
		buf_adds(b, "its wording is in no accepted file any more\n");
}

static void add_gap(struct buf *b, const struct decision_facts *f)
{
	const char *unit = f->unit;

	buf_addf(b, "gap %.4g%s", f->gap, unit);
	if (!isnan(f->gap_step))
		buf_addf(b, " at step %.0f", f->gap_step);
	buf_addf(b, " (%s)", *f->gauge ? f->gauge : "limit unknown");
	if (!isnan(f->gap_now) && fabs(f->gap_now - f->gap) > 0.005)
		buf_addf(b, ", now %.4g%s", f->gap_now, unit);
	buf_addc(b, '\n');
	if (f->self_pairs)
		buf_addf(b, "reference against itself, %zu runs: %.2g to %.2g%s\n", f->self_runs, f->self_low, f->self_high, unit);
	else
		buf_addf(b, "reference against itself: unknown (%zu run%s; repeat it to know its noise)\n", f->self_runs,
			f->self_runs == 1 ? "" : "s");
	switch (f->comparable) {
	case COMPARABLE_NO:
		buf_addf(b, "NOT COMPARABLE: %s\n", f->obstacles);
		break;
	case COMPARABLE_YES:
		buf_adds(b, "inputs comparable\n");
		break;
	case COMPARABLE_OPEN:
		buf_adds(b, "comparable: unknown, not every input was logged\n");
		break;
	}
}

static void add_hours(struct buf *b, double hours)
{
	clock_add_duration(b, (int64_t)(hours * 3600.0 * (double)NS_PER_S));
}

static void add_cost(struct buf *b, const struct decision_facts *f)
{
	buf_adds(b, "going on costs ");
	if (isnan(f->hours)) {
		buf_adds(b, "unknown: no projection of the full run");
	} else {
		buf_adds(b, "about ");
		add_hours(b, f->hours);
		if (!isnan(f->low_hours) && !isnan(f->high_hours)) {
			buf_adds(b, " (");
			add_hours(b, f->low_hours);
			buf_adds(b, " to ");
			add_hours(b, f->high_hours);
			buf_addc(b, ')');
		}
		if (isnan(f->usd))
			buf_adds(b, ", money unknown: no price");
		else
			buf_addf(b, ", $%.2f", f->usd);
	}
}

static void add_waiting(struct buf *b, const struct decision_facts *f)
{
	if (*f->went_on)
		buf_addf(b, "\nthe agent did not wait: %s came after the alarm", f->went_on);
	else if (f->waited_ns > 0) {
		buf_adds(b, "\nthe agent has waited ");
		clock_add_duration(b, f->waited_ns);
	}
}

static void write_words(struct reader *r)
{
	static const char *const class_words[] = { [CLASS_NONE] = "", [CLASS_BUDGET] = " budget",
		[CLASS_CORRECTNESS] = " correctness", [CLASS_COST] = " cost", [CLASS_FEASIBILITY] = " feasibility" };
	struct decision_facts *f = r->out;
	const struct alarm_state *s = f->alarm;
	struct buf b = BUF_INIT;

	f->title = arena_printf(r->a, "%s%s%s%s%s", s->rule, class_words[s->class], *s->attempt ? ", attempt " : "", s->attempt,
		s->open ? "" : " (decided)");
	add_rule(&b, f);
	if (*f->goal)
		add_gap(&b, f);
	else if (*f->gauge)
		buf_addf(&b, "it saw: %s\n", f->gauge);
	add_cost(&b, f);
	add_waiting(&b, f);
	f->text = arena_strndup(r->a, b.s, b.n);
	buf_release(&b);
}

int decision_facts_read(struct decision_facts *out, struct workspace *ws, const char *alarm, const struct position *at,
			const atomic_bool *cancel, struct arena *a)
{
	struct reader r = { .out = out, .ws = ws, .at = at, .cancel = cancel, .a = a };
	struct digest id;
	struct position p;
	struct event *raised;
	const struct json *saw = NULL;
	int rc;

	*out = (struct decision_facts){ .title = "", .text = "", .when = "", .accepted_time = "", .accepted_by = "",
		.gauge = "", .goal = "", .unit = "", .obstacles = "", .went_on = "", .gap = NAN, .gap_now = NAN, .gap_step = NAN,
		.hours = NAN, .low_hours = NAN, .high_hours = NAN, .usd = NAN, .comparable = COMPARABLE_OPEN };
	if ((rc = decision_find_alarm(&out->alarm, ws, alarm, at, a)) < 0)
		return rc;
	if (!digest_from_hex(&id, out->alarm->raised.event) || (rc = log_event(workspace_log(ws), &id, a, &raised)) < 0)
		return rc < 0 ? rc : err_set(ERR_DAMAGED, "alarm %s names no event", out->alarm->id);
	p = event_position(raised);
	if ((rc = log_position_rank(workspace_log(ws), &p, &out->judged_at)) < 0)
		return rc;
	rc = 0;
	if (*out->alarm->features)
		rc = json_parse(&saw, a, out->alarm->features, strlen(out->alarm->features), JSON_STRICT);
	if (rc == 0)
		rc = read_rule(&r, saw);
	if (rc == 0)
		rc = read_default_rule(&r, saw);
	if (rc == 0)
		rc = read_gaps(&r, saw);
	if (rc == 0)
		rc = read_cost(&r);
	if (rc == 0)
		rc = read_waiting(&r, raised);
	if (rc == 0)
		rc = count_open(&r);
	if (rc == 0)
		write_words(&r);
	return rc;
}
