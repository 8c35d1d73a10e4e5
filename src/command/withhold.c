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
#include "command/people.h"
#include "domain/kind.h"
#include "store/blob.h"

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

/* Each text of E; how many were there. */
static int withhold_texts(size_t *n, struct call *c, const struct event *e)
{
	struct log *log = workspace_log(c->workspace);

	*n = 0;
	for (const struct json *f = e->data->first; f; f = f->next) {
		enum blob_state state;
		struct digest d;
		int rc;

		if (f->type != JSON_STRING || !kind_field_is_blob(e->kind, f->key) || !digest_from_hex(&d, f->text))
			continue;
		if ((rc = log_blob(log, &d, &state, NULL)) < 0 && rc != ERR_DAMAGED)
			return rc;
		if ((rc = blob_withhold(log, &d)) < 0)
			return rc;
		*n += state == BLOB_PRESENT;
	}
	err_clear();
	return 0;
}

static int withhold_run(struct call *c)
{
	const char *reason = call_text(c, "--reason"), *copies;
	struct event *e;
	struct record r;
	char hex[DIGEST_HEX + 1];
	size_t n;
	int rc = log_event_by_prefix(workspace_log(c->workspace), call_text(c, "event"), c->arena, &e);

	if (rc < 0)
		return rc;
	if (!reason[strspn(reason, " \t\r\n")])
		return err_set(ERR_USAGE, "--reason: say in a few words why, without the text itself");
	digest_hex(hex, &e->id);
	if ((rc = withhold_texts(&n, c, e)) < 0)
		return rc;
	if (n == 0)
		return err_set(ERR_NOT_FOUND, "event %.10s has no free text, or it was withheld before", hex);
	r = (struct record){ .kind = "note.written", .object = "migration",
		.data = event_data(c->arena, "text", arena_printf(c->arena, "text of event %.10s (%s by %s) withheld: %s", hex, e->kind,
			e->actor, reason), NULL) };
	if ((rc = people_record(c, &r, 1, "withheld; the event stays")) < 0)
		return rc;
	copies = list_copies(c);
	if (*copies)
		c->message = arena_printf(c->arena, "%s\nstill in copies beside the log, look at them yourself: %s", c->message, copies);
	return 0;
}

static const struct argument withhold_arguments[] = {
	{ "event", ARGUMENT_TEXT, "the first digits of its id", true, false, NULL, NULL },
	{ "--reason", ARGUMENT_TEXT, "why, without the text itself", true, false, NULL, NULL },
	{ 0 },
};

const struct operation withhold_operations[] = {
	{ "withhold", NULL, 0, "take the free text of an event out for good",
	  OPERATION_CLI | OPERATION_WRITES | OPERATION_PERSON, withhold_arguments, withhold_run, 0 },
	{ 0 },
};
