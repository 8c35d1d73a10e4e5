/* open - see open.h. */
#include "config.h"

#include "command/open.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "workspace/accepted.h"
#include "workspace/actor.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

int open_position(struct position *out, struct workspace *ws, const char *text)
{
	struct log *log = workspace_log(ws);
	struct arena a = ARENA_INIT;
	struct event *e;
	int64_t place;
	int rc;

	/* A short number is a place; 8 digits and more are an id's beginning. */
	if (strlen(text) < 8 && text_to_i64(text, strlen(text), &place)) {
		rc = log_position_at(log, place, out);
		if (rc == 0)
			rc = err_set(ERR_NOT_FOUND,
				"there is no event %s; portside events lists them", text);
	} else {
		rc = log_event_by_prefix(log, text, &a, &e);
		if (rc == 0)
			*out = event_position(e);
	}
	arena_release(&a);
	return rc < 0 ? rc : 0;
}

/* An agent never opens the log for writing.  What it asserts goes to the spool;
 * observations of the program itself (runs, files, references) do not. */
static bool for_agent(const struct operation *o, struct arena *a)
{
	if (o && o->flags & OPERATION_WRITES && !(o->flags & OPERATION_SPOOLS))
		return false;
	return actor_establish(a, NULL).agent_marker != NULL;
}

static int take_spool(struct opened *out)
{
	struct arena *a = workspace_arena(out->workspace);
	struct spool_result taken;
	int rc = workspace_ingest(out->workspace, a, &taken);

	if (rc == 0 && taken.rejected)
		out->note = arena_printf(a,
			"%zu of %zu waiting records of agents were refused (%s); they lie in %s/spool/rejected",
			taken.rejected, taken.rejected + taken.taken + taken.known, taken.reason,
			workspace_place(out->workspace)->folder);
	return rc;
}

static int open_workspace(
	struct opened *out, const struct workspace_options *how, const struct open_options *options)
{
	int rc = workspace_open(&out->workspace, options->directory, how);

	if (rc == 0 && !options->as_it_is && (rc = state_ready(out->workspace)) == 0)
		rc = take_spool(out);
	return rc;
}

/* A disk that takes nothing more does not keep anybody from reading. */
static int open_to_read(struct opened *out, const struct operation *o,
	struct workspace_options *how, const struct open_options *options)
{
	struct arena a = ARENA_INIT;
	char *why;
	int rc = open_workspace(out, how, options);

	if (rc != ERR_IO || how->read_only || how->spools || !o || o->flags & OPERATION_WRITES)
		return rc;
	why = arena_strdup(&a, err_text());
	err_clear();
	opened_release(out);
	how->read_only = true;
	rc = open_workspace(out, how, options);
	if (rc == 0)
		out->note = arena_printf(workspace_arena(out->workspace), "read only: %s", why);
	else
		rc = err_set(ERR_IO, "%s", why);
	arena_release(&a);
	return rc;
}

int open_migration(
	struct opened *out, const struct operation *o, const struct open_options *options)
{
	struct workspace_options how = { .read_only = options->read_only };
	struct arena a = ARENA_INIT;
	int rc;

	memset(out, 0, sizeof *out);
	how.spools = for_agent(o, &a);
	arena_release(&a);
	if ((rc = open_to_read(out, o, &how, options)) < 0)
		return rc;
	if (!options->position)
		return 0;
	if ((rc = open_position(&out->position, out->workspace, options->position)) < 0)
		return err_prefix("--at: ");
	out->has_position = true;
	return 0;
}

void opened_release(struct opened *opened)
{
	workspace_close(opened->workspace);
	opened->workspace = NULL;
}

const char *opened_again(const struct opened *opened)
{
	return workspace_again(opened->workspace);
}

const char *opened_refusal(const struct opened *opened)
{
	if (workspace_place(opened->workspace)->bundle)
		return "this is a bundle: it is read, nothing is recorded in it";
	if (workspace_read_only(opened->workspace) && !workspace_spools(opened->workspace))
		return "nothing is written with --read-only";
	return NULL;
}

/* What a person accepted; the log may have begun before there was a name. */
static const char *accepted_name(struct workspace *ws, struct arena *a)
{
	struct accepted accepted;
	const char *name = "";

	if (accepted_read(&accepted, ws, NULL) < 0) {
		err_clear();
		return "";
	}
	if (accepted.has_accepted && accepted.in_force.migration.name)
		name = text_sanitised(a, accepted.in_force.migration.name);
	accepted_release(&accepted);
	return name;
}

const char *open_title(struct workspace *ws, struct arena *a)
{
	const char *name = accepted_name(ws, a);
	struct migration_state *m;

	if (*name)
		return name;
	if (state_migration(ws, NULL, a, &m) < 0)
		err_clear();
	else if (*m->name)
		return text_sanitised(a, m->name);
	return text_sanitised(a, fs_basename(workspace_place(ws)->directory));
}
