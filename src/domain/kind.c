/* kind - see kind.h. */
#include "config.h"

#include "domain/kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/text.h"
#include "domain/cause.h"
#include "domain/check.h"
#include "domain/fold.h"

enum { NAME_MAX_BYTES = 64, OBJECT_MAX_BYTES = 256 };

const struct kind *kind_find(const char *name)
{
	for (size_t i = 0; i < kinds_n; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

const struct kind_field *kind_field_find(const struct kind *k, const char *name)
{
	for (size_t i = 0; i < KIND_FIELDS_MAX && k->fields[i].name; i++)
		if (strcmp(k->fields[i].name, name) == 0)
			return &k->fields[i];
	return NULL;
}

bool kind_field_is_blob(const char *kind, const char *field)
{
	const struct kind *k = kind_find(kind);
	const struct kind_field *f = k ? kind_field_find(k, field) : NULL;

	return f && f->type == KIND_FIELD_BLOB;
}

/* ---- object ids ----------------------------------------------------------- */

bool name_is_plain(const char *s)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	size_t n = strspn(s, allowed);

	return n && n <= NAME_MAX_BYTES && !s[n];
}

const char *attempt_object_id(struct arena *a, int64_t n, const char *line)
{
	if (line && *line)
		return arena_printf(a, "%s/%lld", line, (long long)n);
	return arena_printf(a, "%lld", (long long)n);
}

bool attempt_object_parse(int64_t *n, const char **line, struct arena *a, const char *id)
{
	const char *slash = strchr(id, '/');
	const char *digits = slash ? slash + 1 : id;
	size_t len = strlen(digits);

	*line = "";
	if (slash)
		*line = arena_strndup(a, id, (size_t)(slash - id));
	if (slash && !name_is_plain(*line))
		return false;
	if (strspn(digits, "0123456789") != len || (len > 1 && *digits == '0'))
		return false;
	return text_to_i64(digits, len, n);
}

const char *subject_make(struct arena *a, const char *type, const char *id)
{
	return arena_printf(a, "%s:%s", type, id);
}

void subject_parse(const char **type, const char **id, struct arena *a, const char *subject)
{
	const char *colon = strchr(subject, ':');

	*type = colon ? arena_strndup(a, subject, (size_t)(colon - subject)) : "attempt";
	*id = colon ? arena_strdup(a, colon + 1) : subject;
}

/* ---- checking a draft ----------------------------------------------------- */

static int bad_field(const struct event *e, const char *field, const char *wanted)
{
	return err_set(ERR_PARSE, "%s: %s: %s is needed", e->kind, field, wanted);
}

static int check_word(const struct event *e, const struct kind_field *f, const char *text)
{
	struct buf choices = BUF_INIT;
	int rc = 0;

	if (word_find(f->words, text) < 0) {
		word_add_choices(&choices, f->words);
		rc = err_set(ERR_PARSE, "%s: %s: \"%s\" is not a %s; allowed: %s", e->kind, f->name,
			text, f->words->what, choices.s);
	}
	buf_release(&choices);
	return rc;
}

static int check_text(const struct event *e, const struct kind_field *f, const struct json *v)
{
	struct digest d;
	int64_t whole;
	double number;

	if (v->type != JSON_STRING)
		return bad_field(e, f->name, "a text");
	if (!v->text_n)
		return 0;
	switch (f->type) {
	case KIND_FIELD_INTEGER:
		return text_to_i64(v->text, v->text_n, &whole)
			       ? 0
			       : bad_field(e, f->name, "a whole number");
	case KIND_FIELD_NUMBER:
		return text_to_double(v->text, v->text_n, &number)
			       ? 0
			       : bad_field(e, f->name, "a number");
	case KIND_FIELD_FLAG:
		return strcmp(v->text, "yes") == 0 || strcmp(v->text, "no") == 0 ? 0 :
			bad_field(e, f->name, "yes or no");
	case KIND_FIELD_DIGEST:
	case KIND_FIELD_BLOB:
		return digest_from_hex(&d, v->text)
			       ? 0
			       : bad_field(e, f->name, "a digest of 64 hexadecimal digits");
	case KIND_FIELD_WORD:
		return check_word(e, f, v->text);
	case KIND_FIELD_TEXT:
	case KIND_FIELD_LIST:
	case KIND_FIELD_OBJECT:
		break;
	}
	return 0;
}

static int check_field(const struct event *e, const struct kind_field *f)
{
	const struct json *v = json_get(e->data, f->name);

	if (!v)
		return f->required ? bad_field(e, f->name, f->help) : 0;
	if (f->type == KIND_FIELD_LIST)
		return v->type == JSON_ARRAY ? 0 : bad_field(e, f->name, "a list");
	if (f->type == KIND_FIELD_OBJECT)
		return v->type == JSON_OBJECT ? 0 : bad_field(e, f->name, "an object");
	if (f->required && v->type == JSON_STRING && !v->text_n)
		return bad_field(e, f->name, f->help);
	return check_text(e, f, v);
}

static bool attempt_object(const struct event *e)
{
	struct arena a = ARENA_INIT;
	int64_t n;
	const char *line;
	bool ok = attempt_object_parse(&n, &line, &a, e->object);

	arena_release(&a);
	return ok;
}

static bool check_object(const struct event *e, bool assessment)
{
	struct arena a = ARENA_INIT;
	struct check_name name;
	bool ok = assessment ? assessment_object_parse(&name, &a, e->object) :
		check_object_parse(&name, &a, e->object);

	arena_release(&a);
	return ok;
}

static int check_object_form(const struct event *e, const struct kind *k)
{
	struct digest d;

	if (!*e->object || strlen(e->object) > OBJECT_MAX_BYTES)
		return err_set(ERR_PARSE, "%s: an object id of 1 to %d bytes is needed", e->kind,
			OBJECT_MAX_BYTES);
	if (strcmp(k->object, "attempt") == 0 && !attempt_object(e))
		return err_set(ERR_PARSE, "%s: \"%s\" is no attempt; write N or LINE/N", e->kind,
			e->object);
	if (strcmp(k->object, "check") == 0 && !check_object(e, false))
		return err_set(ERR_PARSE,
			"%s: \"%s\" is no check; write ATTEMPT@CONFIGURATION:CHECK", e->kind,
			e->object);
	if (strcmp(k->object, "assessment") == 0 && !check_object(e, true))
		return err_set(ERR_PARSE,
			"%s: \"%s\" is no assessment; write ATTEMPT@CONFIGURATION", e->kind,
			e->object);
	if (strcmp(k->object, "event") == 0 && !digest_from_hex(&d, e->object))
		return err_set(ERR_PARSE, "%s: the object is the id of an event", e->kind);
	if (strcmp(k->object, "goal") == 0 && !name_is_plain(e->object))
		return err_set(ERR_PARSE,
			"%s: \"%s\": a goal's name is letters, digits, dot, dash, underscore",
			e->kind, e->object);
	return 0;
}

/* ---- rules that span fields ------------------------------------------------ */

static int rule_attempt(const struct event *e)
{
	struct arena a = ARENA_INIT;
	const char *line = "";
	int64_t n = -1;
	int rc = 0;

	if (!attempt_object_parse(&n, &line, &a, e->object) || n != json_i64(e->data, "n", -1) ||
	    strcmp(line, json_str(e->data, "line", "")) != 0)
		rc = err_set(ERR_PARSE, "%s: n and line do not agree with the attempt \"%s\"",
			e->kind, e->object);
	arena_release(&a);
	return rc;
}

static int rule_label(const struct event *e)
{
	const char *cause = json_str(e->data, "cause", "");
	const struct json *secondary = json_get(e->data, "secondary");

	if (actor_class(e->actor) == ACTOR_AGENT)
		return 0;
	if (*cause && !cause_find(cause))
		return bad_field(e, "cause", "one of C0 to C6");
	for (const struct json *c = secondary ? secondary->first : NULL; c; c = c->next)
		if (c->type != JSON_STRING || !cause_find(c->text))
			return bad_field(e, "secondary", "a list of C0 to C6");
	return 0;
}

static int rule_ended(const struct event *e)
{
	int state = word_find(&words_run_state, json_str(e->data, "state", ""));
	const struct json *rc = json_get(e->data, "rc");

	if (!run_status_ended((enum run_status)state))
		return bad_field(e, "state", "an end state");
	if (state == RUN_EXITED_0 && rc && json_i64(e->data, "rc", -1) != 0)
		return err_set(ERR_PARSE, "%s: state \"exited 0\" with rc %s", e->kind,
			json_str(e->data, "rc", ""));
	return 0;
}

static int rule_prepared(const struct event *e)
{
	const char *attempt = json_str(e->data, "attempt", "");
	struct arena a = ARENA_INIT;
	const char *line;
	int64_t n;
	bool ok = strcmp(attempt, REFERENCE_ID) == 0 || strcmp(attempt, UNASSIGNED_ID) == 0 ||
		attempt_object_parse(&n, &line, &a, attempt);

	arena_release(&a);
	if (!ok)
		return bad_field(e, "attempt",
			"an attempt (N or LINE/N), \"reference\" or \"unassigned\"");
	return name_is_plain(json_str(e->data, "target", "")) ? 0 :
		bad_field(e, "target", "a name of letters, digits, dot, dash, underscore");
}

static int rule_started(const struct event *e)
{
	int state = word_find(&words_run_state, json_str(e->data, "state", ""));

	return state > RUN_PREPARED && !run_status_ended((enum run_status)state) ? 0 :
		bad_field(e, "state", "launching, queued or running");
}

static int rule_check(const struct event *e)
{
	const struct json *evidence = json_get(e->data, "evidence");
	bool person = actor_class(e->actor) == ACTOR_HUMAN;

	if (strcmp(json_str(e->data, "result", ""), "confirmed") != 0 ||
		    actor_class(e->actor) == ACTOR_AGENT)
		return 0;
	if ((evidence && evidence->count) || (person && *json_str(e->data, "text", "")))
		return 0;
	return bad_field(
		e, "evidence", person ? "evidence or a text" : "evidence for a confirmation");
}

static int rule_decision(const struct event *e)
{
	const char *subject = json_str(e->data, "subject", "");
	int choice = word_find(&words_decision, json_str(e->data, "choice", ""));
	bool line = text_starts(subject, "line:") || text_starts(subject, "attempt:") ||
		text_starts(subject, "alarm:") || !strchr(subject, ':');

	if (choice == DECISION_ABANDON_LINE && !line)
		return bad_field(e, "subject", "line:NAME, attempt:ID or alarm:KEY");
	return 0;
}

static int rule_superseded(const struct event *e)
{
	const char *kind = json_str(e->data, "kind", "");

	if (strcmp(kind, "event.superseded") == 0)
		return err_set(ERR_PARSE,
			"%s: a correction cannot be struck; record the event again", e->kind);
	if (!kind_find(kind))
		return bad_field(e, "kind", "the kind of the old event");
	return 0;
}

static int rule_reviewer(const struct event *e)
{
	return name_is_plain(json_str(e->data, "reviewer", "")) ? 0 :
		bad_field(e, "reviewer", "a name of letters, digits, dot, dash, underscore");
}

static const struct { const char *kind; int (*check)(const struct event *e);
} span_rules[] = {
	{ "attempt.observed", rule_attempt },
	{ "attempt.added", rule_attempt },
	{ "attempt.labelled", rule_label },
	{ "run.prepared", rule_prepared }, { "run.ended", rule_ended },
	{ "run.started", rule_started },
	{ "check.recorded", rule_check },
	{ "decision.made", rule_decision },
	{ "event.superseded", rule_superseded },
	{ "label.seen", rule_reviewer },
};

static int check_configuration(const struct event *e)
{
	const char *configuration = json_str(e->data, "configuration", "");

	if (*configuration && !name_is_plain(configuration))
		return bad_field(
			e, "configuration", "a name of letters, digits, dot, dash, underscore");
	return 0;
}

static int check_author(const struct event *e, const struct kind *k)
{
	enum actor_class class = actor_class(e->actor);
	unsigned bit = class == ACTOR_HUMAN ? BY_HUMAN : class == ACTOR_AGENT ? BY_AGENT :
		class == ACTOR_TOOL ? BY_TOOL : 0;

	if (!bit)
		return err_set(ERR_PARSE,
			"%s: \"%s\" is no actor; write human:NAME, agent:NAME or tool:NAME",
			e->kind, e->actor);
	if (k->by & bit)
		return 0;
	return err_set(ERR_REFUSED, "%s: not for %s; it takes %s%s%s", e->kind,
		class == ACTOR_AGENT  ? "an agent"
		: class == ACTOR_TOOL ? "a tool"
				      : "a person",
		k->by & BY_HUMAN ? "a person" : "",
		k->by == (BY_HUMAN | BY_TOOL)	 ? " or "
		: k->by == (BY_HUMAN | BY_AGENT) ? " or an agent"
						 : "",
		k->by & BY_TOOL ? "a tool" : "");
}

static int check_fields(const struct event *e, const struct kind *k)
{
	int rc;

	for (size_t i = 0; i < KIND_FIELDS_MAX && k->fields[i].name; i++)
		if ((rc = check_field(e, &k->fields[i])) < 0)
			return rc;
	if ((rc = check_configuration(e)) < 0)
		return rc;
	for (size_t i = 0; i < ARRAY_LEN(span_rules); i++)
		if (strcmp(span_rules[i].kind, e->kind) == 0)
			return span_rules[i].check(e);
	return 0;
}

static int check_known(const struct event *e, const struct kind *k)
{
	int rc;

	if ((rc = check_author(e, k)) < 0 || (rc = check_object_form(e, k)) < 0)
		return rc;
	return check_fields(e, k);
}

int kind_check(const struct event *e)
{
	const struct kind *k = kind_find(e->kind);

	if (!k)
		return err_set(ERR_PARSE, "\"%s\" is not an event kind of this version", e->kind);
	for (const struct json *c = e->data->first; c; c = c->next)
		if (!kind_field_find(k, c->key))
			return err_set(
				ERR_PARSE, "%s: %s is not a field of this kind", e->kind, c->key);
	return check_known(e, k);
}

bool kind_folds(const struct event *e)
{
	const struct kind *k = kind_find(e->kind);

	return k && check_known(e, k) == 0;
}
