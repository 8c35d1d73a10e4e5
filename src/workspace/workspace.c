/* workspace - see workspace.h.  Recording events is in record.c. */
#include "config.h"

#include "workspace/workspace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/blob.h"
#include "store/segment.h"
#include "workspace/actor.h"
#include "workspace/bundle.h"
#include "workspace/bundle_code.h"
#include "workspace/projector.h"
#include "workspace/user_config.h"

enum { BLOB_PAGE = 200 };

struct workspace {
	struct arena arena;
	struct place place;
	struct workspace_options options;
	struct actor actor;
	struct fold_projector *projector;
	struct log *log;
	struct repository *repository;
	const char *state_folder;	/* of runs, evidence, cache */
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

static int copy_blobs(struct log *to, struct log *from)
{
	struct digest after;
	bool first = true;

	for (;;) {
		struct arena page = ARENA_INIT;
		struct blob_record *rows;
		size_t n;
		int rc = blob_records(from, first ? NULL : &after, BLOB_PAGE, &page, &rows, &n);

		if (rc == 0 && n)
			rc = blob_insert_foreign(to, rows, n);
		if (rc == 0 && n)
			after = rows[n - 1].digest;
		first = false;
		arena_release(&page);
		if (rc < 0 || n < BLOB_PAGE)
			return rc;
	}
}

static int copy_events(struct log *to, struct log *from)
{
	struct event_segment *segments;
	struct foreign_result result;
	struct arena a = ARENA_INIT;
	int64_t last;
	size_t n;
	int rc = segment_export(from, 0, &a, &segments, &n, &last);

	if (rc == 0 && n)
		rc = segment_import(to, segments, n, &result);
	arena_release(&a);
	return rc;
}

/* An empty log in a private folder, to be written for reading only. */
static int open_private_log(struct workspace *ws)
{
	struct log_options o = { .create = true, .projector = fold_projector_table(ws->projector) };
	int rc = make_temporary(ws);

	return rc < 0 ? rc : log_open(&ws->log, ws->temporary, &o);
}

/*
 * Views that another version made, or none yet, cannot be rebuilt in a log that
 * must not be written: they are built in a private copy of it.
 */
static int refresh_in_copy(struct workspace *ws)
{
	enum projection_state state;
	struct log *original = ws->log;
	int rc = projection_state(original, &state);

	if (rc < 0 || state == PROJECTION_FRESH)
		return rc;
	ws->log = NULL;
	rc = open_private_log(ws);
	if (rc == 0)
		rc = copy_events(ws->log, original);
	if (rc == 0)
		rc = copy_blobs(ws->log, original);
	log_close(original);
	return rc < 0 ? rc : projection_rebuild(ws->log, NULL, NULL);
}

/* What to do about a log that does not open, where a command can help. */
static int explain(struct workspace *ws, int rc)
{
	if (rc == ERR_DAMAGED)
		return err_set(ERR_DAMAGED,
			"%s; set it aside and keep all that verifies: portside -C %s recover",
			arena_strdup(&ws->arena, err_text()), ws->place.directory);
	return rc;
}

/* A log that may not be looked at is not a missing one: a read-only handle must
 * not show an empty migration in its place. */
static int find_log(struct workspace *ws, bool *exists)
{
	const char *path = fs_join(&ws->arena, ws->place.folder, "log.db");
	struct stat st;

	*exists = lstat(path, &st) == 0;
	if (*exists || errno == ENOENT || errno == ENOTDIR)
		return 0;
	if (errno == EACCES)
		return err_set(ERR_IO,
			"%s: Permission denied; you may not look into this repository: its owner can allow it, "
			"or work on a clone of your own",
			path);
	return err_errno(ERR_IO, "%s", path);
}

static int open_log(struct workspace *ws)
{
	const char *folder = ws->place.folder;
	bool exists, read_only = ws->options.read_only || ws->options.spools;
	struct log_options o = {
		.read_only = read_only, .create = !ws->options.no_create,
		.projector = fold_projector_table(ws->projector),
	};
	int rc;

	ws->state_folder = folder;
	if ((rc = find_log(ws, &exists)) < 0)
		return rc;
	if (read_only && !exists)
		return ws->options.no_create
			? err_set(ERR_NOT_FOUND, "%s: there is no log yet", folder)
			: open_private_log(ws);
	if ((rc = log_open(&ws->log, folder, &o)) < 0)
		return explain(ws, rc);
	return read_only ? refresh_in_copy(ws) : 0;
}

/* In the folder of an unpacked bundle: the bundle's path. */
static const char origin_name[] = "bundle.origin";
enum { ORIGIN_BYTES_MAX = 4096 };

static void place_bundle(struct workspace *ws, const char *path, const char *folder)
{
	ws->options.read_only = true;
	ws->place.directory = ws->place.bundle = path;
	ws->place.folder = ws->state_folder = folder;
}

/* A bundle is unpacked to a temporary folder and read there. */
static int open_bundle(struct workspace *ws, const char *path)
{
	int rc = open_private_log(ws);

	if (rc < 0)
		return rc;
	place_bundle(ws, fs_absolute(&ws->arena, path), ws->temporary);
	if ((rc = bundle_unpack(ws->log, ws->temporary, path)) < 0)
		return err_prefix("bundle %s: ", path);
	if ((rc = projection_rebuild(ws->log, NULL, NULL)) < 0)
		return rc;
	return fs_write_durable(fs_join(&ws->arena, ws->temporary, origin_name), ws->place.bundle,
		strlen(ws->place.bundle), 0600);
}

/* Only this user can have made a folder that is closed to all others. */
static bool is_unpacked(const char *directory)
{
	struct arena a = ARENA_INIT;
	struct stat st;
	bool is = lstat(fs_join(&a, directory, origin_name), &st) == 0 && S_ISREG(st.st_mode) &&
		stat(directory, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 077) == 0;

	arena_release(&a);
	return is;
}

/* Another handle of this process has unpacked it, and removes it at its end. */
static int open_unpacked(struct workspace *ws, const char *directory)
{
	const char *folder = fs_absolute(&ws->arena, directory);
	struct log_options o = { .read_only = true,
		.projector = fold_projector_table(ws->projector) };
	struct buf origin = BUF_INIT;
	int rc = fs_read(&origin, fs_join(&ws->arena, folder, origin_name), ORIGIN_BYTES_MAX);

	if (rc == 0)
		place_bundle(ws, arena_strndup(&ws->arena, origin.s, origin.n), folder);
	buf_release(&origin);
	return rc < 0 ? rc : log_open(&ws->log, folder, &o);
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
	} else if (is_unpacked(directory)) {
		rc = open_unpacked(ws, directory);
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

const char *workspace_again(const struct workspace *ws)
{
	return ws->place.bundle ? ws->state_folder : ws->place.directory;
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
	return ws->options.read_only || ws->options.spools;
}

bool workspace_spools(const struct workspace *ws)
{
	return ws->options.spools && !ws->options.read_only;
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
	return fs_join(a, ws->state_folder, name);
}

int workspace_repository(struct workspace *ws, struct repository **out)
{
	const char *path = ws->place.directory;
	int rc;

	if (ws->place.bundle) {
		path = bundle_code_path(&ws->arena, ws->state_folder);
		if (!ws->repository && !fs_exists(path))
			return err_set(ERR_STATE,
				"this bundle was written without the code, so no diff can be shown; "
				"ask for one with it, or look at the clone");
	}
	if (!ws->repository && (rc = repository_open(&ws->repository, path)) < 0)
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
