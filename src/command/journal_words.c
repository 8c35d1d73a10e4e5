/* journal_words - see journal_words.h. */
#include "config.h"

#include "command/journal_words.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "domain/cause.h"
#include "domain/check.h"
#include "domain/kind.h"
#include "store/blob.h"

/* Kinds that a journal shows, and the fields of their headline in order. */
static const struct { const char *kind, *word, *fields[6]; } shown[] = {
	{ "migration.created", "migration", { "name" } },
	{ "config.accepted", "configuration accepted", { "loosened" } },
	{ "goal.set", "goal", { "metric", "target", "margin", "unit", "direction", "at" } },
	{ "attempt.added", "attempt without a commit", { NULL } },
	{ "attempt.expected", "expected", { "level", "configuration" } },
	{ "attempt.claimed", "claimed", { "level", "configuration" } },
	{ "attempt.labelled", "labelled", { "outcome", "cause", "silent" } },
	{ "attempt.gone", "gone", { NULL } },
	{ "run.ended", "run ended", { "state", "why" } },
	{ "run.corrected", "run corrected", { "field", "old", "new" } },
	{ "check.recorded", "check", { "result" } },
	{ "alarm.raised", "ALARM", { "rule", "class", "attempt" } },
	{ "alarm.adjudicated", "adjudicated", { "verdict" } },
	{ "decision.made", "decision", { "choice", "subject", "minutes" } },
	{ "intervention.recorded", "intervention", { "kind", "attempt", "minutes" } },
	{ "note.written", "note", { NULL } },
	{ "signoff.given", "sign-off", { "meaning", "level" } },
	{ "event.superseded", "struck", { "kind", "of" } },
};

static long shown_index(const char *kind)
{
	for (size_t i = 0; i < ARRAY_LEN(shown); i++)
		if (strcmp(shown[i].kind, kind) == 0)
			return (long)i;
	return -1;
}

bool journal_shows(const char *kind)
{
	return shown_index(kind) >= 0;
}

static void add_field(struct buf *b, const struct json *data, const char *field)
{
	const struct json *v = json_get(data, field);

	if (!v || (v->type == JSON_STRING && !v->text_n) || (v->type == JSON_ARRAY && !v->count))
		return;
	/* An id of our own making says nothing to people. */
	if (strcmp(field, "of") == 0 && v->type == JSON_STRING &&
		(text_starts(v->text, "decision-") || text_starts(v->text, "intervention-")))
		return;
	buf_adds(b, b->s[b->n - 1] == ':' || strcmp(field, "unit") == 0 ? " " : ", ");
	if (v->type == JSON_ARRAY) {
		buf_addf(b, "%zu loosened", v->count);
		return;
	}
	if (strcmp(field, "subject") == 0 && text_starts(v->text, "alarm:")) {
		buf_adds(b, "alarm ");
		text_sanitise(
			b, v->text + strlen("alarm:"), strnlen(v->text + strlen("alarm:"), 8));
		return;
	}
	if (strcmp(field, "subject") == 0 && text_starts(v->text, "attempt:")) {
		buf_addc(b, '#');
		text_sanitise(b, v->text + strlen("attempt:"), v->text_n - strlen("attempt:"));
		return;
	}
	if (strcmp(field, "minutes") == 0) {
		buf_addf(b, "%s min", v->text);
		return;
	}
	/* An agent's own word for a cause is no word of ours. */
	if (strcmp(field, "target") == 0 || strcmp(field, "margin") == 0 ||
		(strcmp(field, "cause") == 0 && !cause_find(v->text)))
		buf_addf(b, "%s ", field);
	if (strcmp(field, "configuration") == 0)
		buf_addc(b, '@');
	if (strcmp(field, "silent") == 0)
		buf_adds(b, strcmp(v->text, "yes") == 0 ? "silent" : "not silent");
	else
		text_sanitise(b, v->text, v->text_n < 120 ? v->text_n : 120);
	if (strcmp(field, "direction") == 0)
		buf_adds(b, " is better");
	if (strcmp(field, "at") == 0)
		buf_adds(b, " value counts");
}

/* Which check, and where: "grad @v5e-4". */
static void add_check(struct buf *b, struct arena *a, const struct event *e)
{
	struct check_name name;

	if (strcmp(e->kind, "check.recorded") == 0 && check_object_parse(&name, a, e->object))
		buf_addf(b, ", %s @%s", text_sanitised(a, name.check),
			text_sanitised(a, name.configuration));
}

const char *journal_headline(struct arena *a, const struct event *e)
{
	long index = shown_index(e->kind);
	struct buf b = BUF_INIT;
	const char *text;

	if (index < 0) {
		buf_adds(&b, e->kind);
	} else {
		buf_adds(&b, shown[index].word);
		buf_addc(&b, ':');
		for (size_t i = 0; i < ARRAY_LEN(shown[index].fields) && shown[index].fields[i];
			i++)
			add_field(&b, e->data, shown[index].fields[i]);
		add_check(&b, a, e);
		if (b.s[b.n - 1] == ':')
			buf_truncate(&b, b.n - 1);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* Sanitised, with its lines kept: what people wrote in an editor stays readable. */
static void add_lines(struct buf *out, const char *s, size_t n)
{
	for (size_t i = 0; i < n; ) {
		const char *end = memchr(s + i, '\n', n - i);
		size_t k = end ? (size_t)(end - s) - i : n - i;

		text_sanitise(out, s + i, k && s[i + k - 1] == '\r' ? k - 1 : k);
		if (end)
			buf_addc(out, '\n');
		i += k + 1;
	}
}

static void add_blob(struct buf *out, struct workspace *ws, const char *hex)
{
	struct buf raw = BUF_INIT;
	enum blob_state state = BLOB_ABSENT;

	if (log_blob_hex(workspace_log(ws), hex, &state, &raw) < 0)
		buf_addf(out, "(unreadable: %s)", err_text());
	else if (state == BLOB_PRESENT)
		add_lines(out, raw.s, raw.n);
	else
		buf_adds(out, state == BLOB_WITHHELD ? "(withheld)" : "(not here)");
	buf_release(&raw);
}

/* The text of a configuration is not read in a journal; its summary is. */
static bool is_shown_blob(const struct event *e, const char *key)
{
	return kind_field_is_blob(e->kind, key) &&
		(strcmp(e->kind, "config.accepted") != 0 || strcmp(key, "text") != 0);
}

const char *journal_texts(struct workspace *ws, struct arena *a, const struct event *e)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (const struct json *d = e->data->first; d; d = d->next) {
		if (d->type != JSON_STRING || !d->text_n || !is_shown_blob(e, d->key))
			continue;
		if (b.n)
			buf_addc(&b, '\n');
		add_blob(&b, ws, d->text);
	}
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

/* "smoke_gap.accuracy 5.3, attempts 5" */
static void add_members(struct buf *out, const struct json *object)
{
	for (const struct json *d = object->first; d; d = d->next) {
		buf_addf(out, "%s%s ", d == object->first ? "" : ", ", d->key);
		if (d->type == JSON_STRING)
			buf_add(out, d->text, d->text_n);
		else
			json_canonical(out, d);
	}
}

const char *journal_fields(struct arena *a, const struct event *e)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (const struct json *d = e->data->first; d; d = d->next) {
		struct buf value = BUF_INIT;

		if (kind_field_is_blob(e->kind, d->key) || strcmp(d->key, "established") == 0 ||
		    (d->type == JSON_STRING && !d->text_n))
			continue;
		if (d->type == JSON_STRING)
			buf_add(&value, d->text, d->text_n);
		else if (d->type == JSON_OBJECT)
			add_members(&value, d);
		else
			json_canonical(&value, d);
		text_sanitise(&b, d->key, d->key_n);
		buf_addc(&b, ' ');
		text_sanitise(&b, value.s, value.n);
		buf_addc(&b, '\n');
		buf_release(&value);
	}
	buf_trim_end(&b);
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

const char *journal_alarm_of(struct arena *a, const struct event *e)
{
	const char *subject = json_str(e->data, "subject", json_str(e->data, "triggered_by", ""));

	if (text_starts(e->kind, "alarm."))
		return text_sanitised(a, e->object);
	if (text_starts(subject, "alarm:"))
		return text_sanitised(a, subject + strlen("alarm:"));
	return text_starts(e->object, "alarm/") ? text_sanitised(a, e->object + strlen("alarm/"))
						: "";
}

const char *journal_attempt_of(struct arena *a, const struct event *e)
{
	const char *subject = json_str(e->data, "subject", ""),
		   *id = json_str(e->data, "attempt", "");

	if (text_starts(e->kind, "attempt."))
		id = e->object;
	else if (text_starts(e->object, "attempt/"))
		id = e->object + strlen("attempt/");
	else if (text_starts(subject, "attempt:"))
		id = subject + strlen("attempt:");
	else if ((strcmp(e->kind, "signoff.given") == 0 || strcmp(e->kind, "check.recorded") == 0))
		id = arena_strndup(a, e->object, strcspn(e->object, "@"));
	return text_sanitised(a, id);
}
