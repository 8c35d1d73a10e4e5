/* workspace - see workspace.h.  Recording events is in record.c. */
#include "config.h"

#include "workspace/workspace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/blob.h"
#include "workspace/actor.h"
#include "workspace/bundle.h"
#include "workspace/projector.h"
#include "workspace/user_config.h"

struct workspace {
	struct arena arena;
	struct place place;
	struct workspace_options options;
	struct actor actor;
	struct fold_projector *projector;
	struct log *log;
	struct repository *repository;
	char *temporary;	/* folder to remove at the end, or NULL */
};

/* A private empty state folder, for looking at what has no log yet. */
static int make_temporary(struct workspace *ws)
{
	const char *base = getenv("TMPDIR");
	char *path = arena_printf(&ws->arena, "%s/portside-XXXXXX", base && *base ? base : "/tmp");

	if (!mkdtemp(path))
		return err_errno(ERR_IO, "cannot make a temporary folder like %s", path);
	ws->temporary = path;
	return 0;
}

static int open_log(struct workspace *ws)
{
	const char *folder = ws->place.folder;
	bool exists = fs_exists(fs_join(&ws->arena, folder, "log.db"));
	struct log_options o = {
		.read_only = ws->options.read_only, .create = !ws->options.no_create,
		.projector = fold_projector_table(ws->projector),
	};
	int rc;

	if (!exists && ws->options.read_only) {
		if ((rc = make_temporary(ws)) < 0)
			return rc;
		o.read_only = false;
		return log_open(&ws->log, ws->temporary, &o);
	}
	return log_open(&ws->log, folder, &o);
}

/* A bundle is unpacked to a temporary folder and read there. */
static int open_bundle(struct workspace *ws, const char *path)
{
	struct log_options o = { .create = true, .projector = fold_projector_table(ws->projector) };
	int rc = make_temporary(ws);

	if (rc < 0)
		return rc;
	ws->options.read_only = true;
	ws->place.directory = ws->place.bundle = fs_absolute(&ws->arena, path);
	ws->place.folder = ws->temporary;
	if ((rc = log_open(&ws->log, ws->temporary, &o)) < 0)
		return rc;
	if ((rc = bundle_unpack(ws->log, ws->temporary, path)) < 0)
		return err_prefix("bundle %s: ", path);
	return projection_rebuild(ws->log, NULL, NULL);
}

int workspace_open(struct workspace **out, const char *directory, const struct workspace_options *o)
{
	struct workspace *ws = xcalloc(1, sizeof *ws);
	int rc;

	ws->options = *o;
	ws->projector = fold_projector_new();
	ws->actor = actor_establish(&ws->arena, user_config_text(&ws->arena, "user", "name"));
	if (bundle_is(directory)) {
		rc = open_bundle(ws, directory);
	} else {
		rc = place_find(&ws->place, &ws->arena, directory);
		if (!rc)
			rc = open_log(ws);
	}
	if (rc < 0) {
		workspace_close(ws);
		return rc;
	}
	*out = ws;
	return 0;
}

void workspace_close(struct workspace *ws)
{
	if (!ws)
		return;
	log_close(ws->log);
	repository_free(ws->repository);
	fold_projector_free(ws->projector);
	if (ws->temporary && fs_remove_tree(ws->temporary) < 0)
		err_clear();	/* a temporary folder left behind harms nobody */
	arena_release(&ws->arena);
	free(ws);
}

const struct place *workspace_place(const struct workspace *ws)
{
	return &ws->place;
}

struct log *workspace_log(struct workspace *ws)
{
	return ws->log;
}

bool workspace_read_only(const struct workspace *ws)
{
	return ws->options.read_only;
}

const struct actor *workspace_actor(const struct workspace *ws)
{
	return &ws->actor;
}

struct arena *workspace_arena(struct workspace *ws)
{
	return &ws->arena;
}

char *workspace_path(const struct workspace *ws, struct arena *a, const char *name)
{
	return fs_join(a, ws->temporary ? ws->temporary : ws->place.folder, name);
}

int workspace_repository(struct workspace *ws, struct repository **out)
{
	int rc;

	if (ws->place.bundle)
		return err_set(ERR_STATE, "a bundle carries no repository: diffs need the clone; "
			"open the bundle beside it with portside -C CLONE");
	if (!ws->repository && (rc = repository_open(&ws->repository, ws->place.directory)) < 0)
		return rc;
	*out = ws->repository;
	return 0;
}

const char *workspace_text(struct workspace *ws, struct arena *a, const char *hex)
{
	struct buf raw = BUF_INIT, clean = BUF_INIT;
	enum blob_state state = BLOB_ABSENT;
	const char *text;

	if (!hex || !*hex)
		return "";
	if (log_blob_hex(ws->log, hex, &state, &raw) < 0) {
		text = arena_printf(a, "(unreadable: %s)", err_text());
	} else if (state == BLOB_PRESENT) {
		text_sanitise(&clean, raw.s, raw.n);
		text = arena_strndup(a, clean.s, clean.n);
	} else {
		text = state == BLOB_WITHHELD ? "(withheld)" : "(not here)";
	}
	buf_release(&raw);
	buf_release(&clean);
	return text;
}
