/*
 * recover - sets a damaged log aside and keeps all that verifies.
 *
 * Works without an opened migration: a damaged log does not open.
 */
#include "config.h"

#include "base/err.h"
#include "base/fs.h"
#include "command/groups.h"
#include "store/log_recover.h"
#include "workspace/actor.h"
#include "workspace/place.h"

static int check_allowed(struct call *c)
{
	struct actor actor = actor_establish(c->arena, NULL);

	if (c->read_only)
		return err_set(ERR_REFUSED, "recover writes, and --read-only was given");
	return actor.agent_marker
		? err_set(ERR_REFUSED,
			  "setting a log aside is for a person, and %s shows a coding agent",
			  actor.agent_marker)
		: 0;
}

static void list_report(struct call *c, const struct recover_report *r)
{
	static const struct report_column columns[] = {
		{ .name = "events_kept", .title = "events kept", .type = REPORT_INTEGER },
		{ .name = "events_lost", .title = "lost at least", .type = REPORT_INTEGER },
		{ .name = "unlinked", .title = "without predecessor", .type = REPORT_INTEGER },
		{ .name = "blobs_kept", .title = "texts kept", .type = REPORT_INTEGER },
		{ .name = "blobs_lost", .title = "texts lost", .type = REPORT_INTEGER },
		{ .name = "set_aside", .title = "set aside", .type = REPORT_TEXT },
	};

	c->table = report_table_new(c->arena, "recover", columns, ARRAY_LEN(columns));
	report_row(c->table);
	report_integer(c->table, "events_kept", r->events_kept);
	report_integer(c->table, "events_lost", r->events_lost);
	report_integer(c->table, "unlinked", r->unlinked);
	report_integer(c->table, "blobs_kept", r->blobs_kept);
	report_integer(c->table, "blobs_lost", r->blobs_lost);
	report_text(c->table, "set_aside", r->set_aside);
	report_note(c->table, "%s", r->text);
}

static int recover_run(struct call *c)
{
	struct recover_report r;
	struct place place;
	int rc = check_allowed(c);

	if (rc < 0 || (rc = place_find(&place, c->arena, c->directory)) < 0)
		return rc;
	if (!fs_exists(fs_join(c->arena, place.folder, "log.db")))
		return err_set(
			ERR_NOT_FOUND, "%s: there is no log, so none is damaged", place.folder);
	if ((rc = log_recover(place.folder, c->arena, &r)) < 0)
		return rc;
	list_report(c, &r);
	c->no = r.events_lost > 0 || r.blobs_lost > 0;
	return 0;
}

const struct operation recover_operations[] = {
	{ "recover", NULL, 0, "set a damaged log aside, keep all that verifies",
	  OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_WRITES, NULL, recover_run, 0 },
	{ 0 },
};
