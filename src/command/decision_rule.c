/* decision_rule - the rule of an alarm in the wording that was judged; see decision.h. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/decision_private.h"
#include "store/blob.h"
#include "store/conffile.h"
#include "workspace/accepted.h"
#include "workspace/workspace.h"

struct saw { const struct json *values; };

/* What the alarm stored: numbers and words as texts. */
static struct expr_value seen_value(void *user, const char *name)
{
	const struct saw *s = user;
	const struct json *v = s->values ? json_get(s->values, name) : NULL;
	struct expr_value out = { .type = EXPR_UNKNOWN };
	size_t mark;

	if (strcmp(name, "comparable_inputs") == 0)	/* it fired, so the precondition held */
		return (struct expr_value){ .type = EXPR_TEXT, .text = "yes" };
	if (strcmp(name, "reference_repeats") == 0)
		return (struct expr_value){ .type = EXPR_NUMBER, .number = RULE_NOISE_REPEATS };
	if (!v || v->type != JSON_STRING || strcmp(v->text, "unknown") == 0)
		return out;
	out.or_more = text_starts(v->text, ">=");
	mark = out.or_more ? 2 : 0;
	out.type = text_to_double(v->text + mark, v->text_n - mark, &out.number) ? EXPR_NUMBER
										 : EXPR_TEXT;
	out.text = v->text;
	return out;
}

static void judge(struct decision_reader *r, const struct rule *rule, const struct json *saw)
{
	struct saw values = { saw };
	struct rule_report report = rule_evaluate(rule, seen_value, &values, r->a);
	size_t n = strlen(report.gauge);

	r->out->when = arena_strdup(r->a, rule->when);
	/* The sign of firing is for lists; here everything fired. */
	r->out->gauge = n > 2 && text_ends(report.gauge, " !")
		? arena_strndup(r->a, report.gauge, n - 2)
		: report.gauge;
}

/* The rule of CONFIG with the alarm's id; *SAME when its wording is the alarm's. */
static const struct rule *rule_of(
	const struct config *config, const struct alarm_state *s, bool *same)
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
	if (rc == 0 && state == BLOB_PRESENT &&
		conffile_parse(&conf, "portside.conf", text.s, text.n) == 0)
		rc = config_read(out, &conf);
	if (rc == ERR_PARSE)		/* a later version may know fewer keys */
		rc = 0;
	err_clear();
	conf_release(&conf);
	buf_release(&text);
	return rc;
}

/* Counts the wordings that this rule has had, up to the alarm's. */
static int read_accepted_rule(struct decision_reader *r, const struct json *saw)
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
static int read_blocker(struct decision_reader *r)
{
	struct digest id;
	struct event *note;
	int rc;

	r->out->when = "a blocker is declared unavoidable, with evidence";
	if (!digest_from_hex(&id, r->out->alarm->trigger))
		return 0;
	if ((rc = log_event(workspace_log(r->ws), &id, r->a, &note)) < 0)
		return rc;
	r->out->gauge = arena_printf(r->a, "%s, by %s",
		workspace_text(r->ws, r->a, json_str(note->data, "text", "")),
		text_sanitised(r->a, note->actor));
	return 0;
}

/* Before any acceptance, and for a declared blocker, which no file names. */
static int read_default_rule(struct decision_reader *r, const struct json *saw)
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

int decision_read_rule(struct decision_reader *r, const struct json *saw)
{
	int rc = read_accepted_rule(r, saw);

	return rc < 0 ? rc : read_default_rule(r, saw);
}
