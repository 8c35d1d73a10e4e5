/* The tables of the log, the steps from one format to the next, and the backup before them. */
#include "config.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "store/database.h"

/*
 * Format 1: the truth.  Rows are never deleted, so the largest row number is the
 * number of events.  The guards stop accidents; the hash chain is the real check.
 */
static const char truth[] =
	"CREATE TABLE event(row INTEGER PRIMARY KEY,"
	" id BLOB NOT NULL UNIQUE CHECK(length(id) = 32),"
	" replica BLOB NOT NULL CHECK(length(replica) = 16),"
	" seq INTEGER NOT NULL CHECK(seq > 0),"
	" prev BLOB CHECK(prev IS NULL OR length(prev) = 32),"
	" lamport INTEGER NOT NULL CHECK(lamport > 0),"
	" kind TEXT NOT NULL, object TEXT NOT NULL, body BLOB NOT NULL) STRICT;"
	"CREATE INDEX event_order ON event(lamport, replica, seq, id);"
	/* Not unique: a fork must be storable. */
	"CREATE INDEX event_rs ON event(replica, seq);"
	"CREATE INDEX event_kind ON event(kind, lamport, replica, seq, id);"
	"CREATE INDEX event_object ON event(object, lamport, replica, seq, id);"
	"CREATE TABLE blob(digest BLOB PRIMARY KEY CHECK(length(digest) = 32),"
	" salt BLOB NOT NULL, bytes BLOB) STRICT;"
	"CREATE TRIGGER event_no_update BEFORE UPDATE ON event BEGIN"
	" SELECT RAISE(ABORT, 'an event is never changed'); END;"
	"CREATE TRIGGER event_no_delete BEFORE DELETE ON event BEGIN"
	" SELECT RAISE(ABORT, 'an event is never deleted'); END;"
	/* OR REPLACE would delete an existing row without asking the trigger above. */
	"CREATE TRIGGER event_once BEFORE INSERT ON event"
	" WHEN EXISTS(SELECT 1 FROM event WHERE id = NEW.id)"
	" OR EXISTS(SELECT 1 FROM event WHERE row = NEW.row) BEGIN"
	" SELECT RAISE(IGNORE); END;"
	/* Bytes and salt may be withheld, once and for good; nothing else changes. */
	"CREATE TRIGGER blob_no_update BEFORE UPDATE ON blob"
	" WHEN NEW.digest IS NOT OLD.digest OR NEW.bytes IS NOT NULL"
	" OR length(NEW.salt) > 0 BEGIN"
	" SELECT RAISE(ABORT, 'a text is never changed'); END;"
	"CREATE TRIGGER blob_no_delete BEFORE DELETE ON blob BEGIN"
	" SELECT RAISE(ABORT, 'a text is withheld, never deleted'); END;"
	"CREATE TRIGGER blob_once BEFORE INSERT ON blob"
	" WHEN EXISTS(SELECT 1 FROM blob WHERE digest = NEW.digest) BEGIN"
	" SELECT RAISE(IGNORE); END;";

/* Format 2: what this clone knows about itself. */
static const char bookkeeping[] =
	/* The newest row is this clone; BINDING ties it to the machine and the file. */
	"CREATE TABLE own(row INTEGER PRIMARY KEY, replica BLOB NOT NULL UNIQUE"
	" CHECK(length(replica) = 16), binding BLOB NOT NULL CHECK(length(binding) = 32)) STRICT;"
	"CREATE TABLE fork(replica BLOB NOT NULL, seq INTEGER NOT NULL,"
	" PRIMARY KEY(replica, seq)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE verified(one INTEGER PRIMARY KEY CHECK(one = 1), row INTEGER NOT NULL) STRICT;"
	"CREATE TABLE spooled(digest BLOB PRIMARY KEY CHECK(length(digest) = 32)) STRICT, WITHOUT ROWID;";

/*
 * Format 3: the views.  Every row belongs to a generation, so that a rebuild
 * writes a new one beside the old one and swaps by one row of stamp.
 *
 * CURRENT has the latest version of each object, with its text, the small text
 * for lists that need no more, and CHAIN: how many versions before it are kept as
 * differences in a row.  VERSION has one row a version; STATE is NULL where the
 * object is gone, empty where CURRENT has the text, and else what
 * store/version_text.h makes of it, with the next version as the newer text.
 *
 * A slot is one stay of an object at one place of its lists, from FIRST until
 * UNTIL (exclusive; NULL: still); nearly always there is one per object, and the
 * list as of a position walks slots instead of versions.
 * '@' stands for the schema.
 */
static const char projections[] =
	"CREATE TABLE @version(gen INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL,"
	" position BLOB NOT NULL, parent TEXT NOT NULL, sort INTEGER NOT NULL, state BLOB,"
	" PRIMARY KEY(gen, type, id, position)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE @current(row INTEGER PRIMARY KEY, gen INTEGER NOT NULL, type TEXT NOT NULL,"
	" id TEXT NOT NULL, parent TEXT NOT NULL, sort INTEGER NOT NULL, position BLOB NOT NULL,"
	" chain INTEGER NOT NULL, brief TEXT, state BLOB NOT NULL) STRICT;"
	"CREATE UNIQUE INDEX @current_key ON current(gen, type, id);"
	"CREATE INDEX @current_all ON current(gen, type, sort, id);"
	"CREATE INDEX @current_parent ON current(gen, type, parent, sort, id);"
	"CREATE TABLE @slot(gen INTEGER NOT NULL, type TEXT NOT NULL, parent TEXT NOT NULL,"
	" sort INTEGER NOT NULL, id TEXT NOT NULL, first BLOB NOT NULL, until BLOB,"
	" PRIMARY KEY(gen, type, parent, sort, id, first)) STRICT, WITHOUT ROWID;"
	"CREATE INDEX @slot_all ON slot(gen, type, sort, id, first, until);"
	/* role 1: the views in use; role 2: the ones being built */
	"CREATE TABLE @stamp(role INTEGER PRIMARY KEY CHECK(role IN (1, 2)), gen INTEGER NOT NULL,"
	" fold_version INTEGER NOT NULL, row INTEGER NOT NULL, last BLOB NOT NULL,"
	" digest BLOB NOT NULL CHECK(length(digest) = 32)) STRICT;";

int database_make_projections(struct database *d, const char *schema)
{
	struct buf sql = BUF_INIT;
	const char *s;
	int rc;

	for (s = projections; *s; s++)
		if (*s == '@')
			buf_adds(&sql, schema);
		else
			buf_addc(&sql, *s);
	rc = database_exec(d, sql.s);
	buf_release(&sql);
	return rc;
}

static int make_truth(struct database *d)
{
	if (database_exec(d, truth) < 0)
		return err_code();
	return database_exec(d, "PRAGMA application_id = 0x50525431");
}

static int make_bookkeeping(struct database *d)
{
	return database_exec(d, bookkeeping);
}

/* Those of format 2 held every version whole; they are built anew. */
static int make_views(struct database *d)
{
	if (database_exec(d, "DROP TABLE IF EXISTS version; DROP TABLE IF EXISTS current;"
			     " DROP TABLE IF EXISTS slot; DROP TABLE IF EXISTS stamp") < 0)
		return err_code();
	return database_make_projections(d, "");
}

static const struct step {
	int (*make)(struct database *d);
	const char *done;
} steps[DATABASE_VERSION] = {
	{ make_truth, "PRAGMA user_version = 1" },
	{ make_bookkeeping, "PRAGMA user_version = 2" },
	{ make_views, "PRAGMA user_version = 3" },
};

struct migration {
	int from, to;
};

static int migrate_once(struct database *d, void *user)
{
	struct migration *m = user;
	int64_t version;

	/* Another process may have come first. */
	if (database_i64(d, "PRAGMA user_version", &version) < 0)
		return err_code();
	if (version != m->from)
		return 0;
	if (steps[m->from].make(d) < 0)
		return err_prefix("format %d: ", m->from + 1);
	return database_exec(d, steps[m->from].done);
}

int database_migrate(struct database *d, int to)
{
	int64_t version;

	if (database_i64(d, "PRAGMA user_version", &version) < 0)
		return err_code();
	if (version > 0 && version < to) {
		char *path = xasprintf("%s.before-%d", d->path, to);
		int rc = fs_exists(path) ? 0 : database_backup(d, path);

		free(path);
		if (rc < 0)
			return err_prefix("the backup before a change of format failed: ");
	}
	while (version < to) {
		struct migration m = { (int)version, to };

		if (database_write(d, migrate_once, &m) < 0 ||
		    database_i64(d, "PRAGMA user_version", &version) < 0)
			return err_code();
	}
	return 0;
}

static int copy_pages(struct database *d, sqlite3 *to)
{
	sqlite3_backup *b = sqlite3_backup_init(to, "main", d->db, "main");
	int rc, tries = 0;

	if (!b)
		return err_set(ERR_DB, "%s: backup: %s", d->path, sqlite3_errmsg(to));
	do {
		rc = sqlite3_backup_step(b, 1024);
		if (rc == SQLITE_BUSY || rc == SQLITE_LOCKED)
			sqlite3_sleep(10);
	} while (rc == SQLITE_OK || ((rc == SQLITE_BUSY || rc == SQLITE_LOCKED) && tries++ < 1000));
	sqlite3_backup_finish(b);
	if (rc != SQLITE_DONE)
		return err_set(rc == SQLITE_BUSY ? ERR_BUSY : ERR_IO, "%s: backup: %s", d->path,
			       sqlite3_errstr(rc));
	return 0;
}

static int check_copy(struct database *d, sqlite3 *copy)
{
	sqlite3_stmt *st;
	bool good = false;

	if (sqlite3_prepare_v2(copy, "PRAGMA integrity_check(1)", -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		good = !strcmp((const char *)sqlite3_column_text(st, 0), "ok");
	sqlite3_finalize(st);
	return good
		? 0
		: err_set(ERR_DAMAGED, "%s: its copy does not pass the check of SQLite", d->path);
}

static int sync_and_rename(const char *from, const char *to)
{
	struct arena a = ARENA_INIT;
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	int rc = 0;

	if (fd < 0 || fsync(fd) < 0)
		rc = err_errno(ERR_IO, "%s", from);
	if (fd >= 0)
		close(fd);
	if (!rc && rename(from, to) < 0)
		rc = err_errno(ERR_IO, "%s", to);
	if (!rc)
		rc = fs_sync_folder(fs_dirname(&a, to));
	arena_release(&a);
	return rc;
}

int database_backup(struct database *d, const char *path)
{
	char *temporary = xasprintf("%s.new", path);
	sqlite3 *copy = NULL;
	int rc;

	unlink(temporary);
	if (sqlite3_open_v2(temporary, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
		SQLITE_OK)
		rc = err_set(ERR_IO, "%s: %s", temporary, sqlite3_errmsg(copy));
	else
		rc = copy_pages(d, copy);
	if (!rc)
		rc = check_copy(d, copy);
	sqlite3_close(copy);
	if (!rc)
		rc = sync_and_rename(temporary, path);
	if (rc)
		unlink(temporary);
	free(temporary);
	return rc;
}
