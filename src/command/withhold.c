/*
 * withhold - takes the free text of an event out of the log for good: a secret or
 * a name that somebody wrote down.  The event, its author and its place in the
 * chain stay, and so does everything that verifies.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/kind.h"
#include "store/blob.h"
#include "workspace/workspace.h"

/* Copies of the whole log, which hold the text still. */
static char *list_copies(struct call *c)
{
	struct buf b = BUF_INIT;
	char **names, *copy;
	size_t n = 0;

	if (fs_list(&names, &n, c->arena, workspace_place(c->workspace)->folder) < 0)
		err_clear();
	for (size_t i = 0; i < n; i++)
		if (text_starts(names[i], "log.db.") || strcmp(names[i], "spool") == 0)
			buf_addf(&b, "%s%s", b.n ? ", " : "", names[i]);
	copy = arena_strdup(c->arena, b.s);
	buf_release(&b);
	return copy;
}

/* The texts of E that are not withheld yet, also one that is damaged. */
struct texts { struct digest *list; size_t n; };

static int find_texts(struct texts *out, struct call *c, const struct event *e)
{
	struct log *log = workspace_log(c->workspace);
	size_t cap = 0;

	for (const struct json *f = e->data->first; f; f = f->next)
		cap++;
	*out = (struct texts){ .list = arena_alloc(c->arena, (cap + 1) * sizeof *out->list) };
	for (const struct json *f = e->data->first; f; f = f->next) {
		enum blob_state state = BLOB_PRESENT;
		struct digest d;
		int rc;

		if (f->type != JSON_STRING || !kind_field_is_blob(e->kind, f->key) ||
			!digest_from_hex(&d, f->text))
			continue;
		if ((rc = log_blob(log, &d, &state, NULL)) < 0 && rc != ERR_DAMAGED)
			return rc;
		if (rc < 0 || state != BLOB_WITHHELD)
			out->list[out->n++] = d;
	}
	err_clear();
	return 0;
}

/* In the transaction of the record: no text goes without a trace of who and why. */
static int withhold_texts(struct log *log, const struct event *record, void *user)
{
	const struct texts *texts = user;
	int rc = 0;

	(void)record;
	for (size_t i = 0; rc >= 0 && i < texts->n; i++)
		rc = blob_withhold_next(log, &texts->list[i]);
	return rc;
}

static int withhold_run(struct call *c)
{
	const char *reason = call_text(c, "--reason"), *copies;
	struct event *e, *record;
	struct texts texts;
	struct record r;
	char hex[DIGEST_HEX + 1];
	int rc = log_event_by_prefix(
		workspace_log(c->workspace), call_text(c, "event"), c->arena, &e);

	if (rc < 0)
		return rc;
	if (!reason[strspn(reason, " \t\r\n")])
		return err_set(
			ERR_USAGE, "--reason: say in a few words why, without the text itself");
	digest_hex(hex, &e->id);
	if ((rc = find_texts(&texts, c, e)) < 0)
		return rc;
	if (texts.n == 0)
		return err_set(ERR_NOT_FOUND,
			"event %.10s has no free text, or it was withheld before", hex);
	r = (struct record){ .kind = "note.written",
		.object = "migration",
		.data = event_data(c->arena, "text",
			arena_printf(c->arena, "text of event %.10s (%s by %s) withheld: %s", hex,
				e->kind, e->actor, reason),
			NULL) };
	if ((rc = workspace_record_then(
		     c->workspace, &r, withhold_texts, &texts, c->arena, &record)) < 0)
		return rc;
	digest_hex(hex, &record->id);
	c->message = arena_printf(c->arena, "withheld; the event stays (event %.10s)", hex);
	copies = list_copies(c);
	if (*copies)
		c->message = arena_printf(c->arena,
			"%s\nstill in copies beside the log, look at them yourself: %s", c->message,
			copies);
	return 0;
}

static const struct argument withhold_arguments[] = {
	{ "event", ARGUMENT_TEXT, "the first digits of its id", true, false, NULL, NULL },
	{ "--reason", ARGUMENT_TEXT, "why, without the text itself", true, false, NULL, NULL },
	{ 0 },
};

const struct operation withhold_operations[] = {
	{ "withhold", NULL, 0, "take the free text of an event out for good",
		OPERATION_CLI | OPERATION_WRITES | OPERATION_PERSON, withhold_arguments,
		withhold_run, 0 },
	{ 0 },
};
