/* Opens SQLite the safe way, runs statements, and retries transactions. */
#include "config.h"

#include "store/database.h"

#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"

struct database_statement {
	const char *sql;
	sqlite3_stmt *stmt;
};

/* What a result code of SQLite means for the caller and for a person; an extended
 * code comes before its plain one. */
static const struct {
	int code;
	enum err err;
	const char *text;
} failures[] = {
	{ SQLITE_BUSY, ERR_BUSY, "another process is writing to it; try again" },
	{ SQLITE_LOCKED, ERR_BUSY, "another part of this program is writing to it; try again" },
	{ SQLITE_CORRUPT, ERR_DAMAGED, "the file is damaged" },
	{ SQLITE_NOTADB, ERR_DAMAGED, "the file is not a database any more" },
	{ SQLITE_FULL, ERR_IO, "the disk is full; nothing of this was recorded: "
	  "free some space and do it again" },
	{ SQLITE_READONLY, ERR_IO, "it cannot be written; check the permissions of the "
	  "file and its folder" },
	{ SQLITE_PERM, ERR_IO, "permission denied" },
	{ SQLITE_CANTOPEN, ERR_IO, "it cannot be opened; check the permissions of the "
	  "file and its folder" },
	/* A quota or a size limit does not say that the disk is full. */
	{ SQLITE_IOERR_WRITE, ERR_IO, "the disk did not take the data, as when it is full or a "
	  "limit is reached; nothing of this was recorded: free some space and do it again" },
	{ SQLITE_IOERR, ERR_IO, "the disk did not take or give the data; nothing of this "
	  "was recorded" },
	{ SQLITE_TOOBIG, ERR_DB, "a value is too large" },
	{ SQLITE_AUTH, ERR_REFUSED, "not allowed" },
	{ SQLITE_CONSTRAINT, ERR_DB, "a guard of the log refused it" },
};

int database_fail(struct database *d, const char *doing)
{
	int code = sqlite3_extended_errcode(d->db);
	size_t i;

	if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
		return err_set(ERR_STATE, "%s: %s: a program was interrupted while it wrote, "
			       "and a read-only look cannot tidy up; open it once for writing",
			       d->path, doing);
	/* SQLite's word for a header or a schema that it cannot read: this program's
	 * own statements are never at fault. */
	if (code == SQLITE_ERROR && (strstr(sqlite3_errmsg(d->db), "unsupported file format") ||
				     strstr(sqlite3_errmsg(d->db), "malformed database schema")))
		return err_set(ERR_DAMAGED, "%s: %s: the file is damaged (SQLite %d: %s)", d->path,
			doing, code, sqlite3_errmsg(d->db));
	for (i = 0; i < ARRAY_LEN(failures); i++)
		if (failures[i].code == code || failures[i].code == (code & 0xff))
			return err_set(failures[i].err, "%s: %s: %s (SQLite %d: %s)", d->path,
				       doing, failures[i].text, code, sqlite3_errmsg(d->db));
	return err_set(ERR_DB, "%s: %s: SQLite %d: %s", d->path, doing, code,
		       sqlite3_errmsg(d->db));
}

/* Waits a random while that grows with TRY, so that writers do not march in step. */
static void wait_with_jitter(int try)
{
	unsigned char r;
	int64_t limit_ns = NS_PER_MS * (try < 5 ? 1 << try : 32);
	struct timespec t = { 0, 0 };

	random_bytes(&r, sizeof r);
	t.tv_nsec = (long)(limit_ns / 8 + limit_ns * r / 256);
	nanosleep(&t, NULL);
}

static int wait_for_lock(void *user, int try)
{
	struct database *d = user;

	if (try == 0)
		d->busy_since_ns = clock_boot_ns();
	if (clock_boot_ns() - d->busy_since_ns > d->busy_limit_ms * NS_PER_MS)
		return 0;
	wait_with_jitter(try);
	return 1;
}

/*
 * A database on descriptor 2 would receive every message that a library prints,
 * so the standard descriptors are taken before the file is opened.
 */
static int keep_standard_descriptors(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
		if (fd < 0)
			return err_errno(ERR_IO, "/dev/null cannot be opened");
	} while (fd <= STDERR_FILENO);
	close(fd);
	return 0;
}

static int configure(struct database *d)
{
	int mode;

	sqlite3_extended_result_codes(d->db, 1);
	sqlite3_busy_handler(d->db, wait_for_lock, d);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, &mode);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &mode);
	return database_exec(d,
		"PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;"
		" PRAGMA cell_size_check=ON; PRAGMA recursive_triggers=ON;"
		" PRAGMA synchronous=EXTRA; PRAGMA temp_store=MEMORY;"
		" PRAGMA mmap_size=0; PRAGMA secure_delete=ON; PRAGMA cache_size=-32768");
}

static int check_version(struct database *d)
{
	int64_t application, version, tables;

	if (database_i64(d, "PRAGMA application_id", &application) < 0 ||
	    database_i64(d, "PRAGMA user_version", &version) < 0 ||
	    database_i64(d, "SELECT count(*) FROM sqlite_schema", &tables) < 0)
		return err_code();
	if (application != DATABASE_APPLICATION_ID && (application || version || tables))
		return err_set(ERR_REFUSED, "%s: this is a database of another program "
			       "(application id %lld); move it away", d->path,
			       (long long)application);
	if (version > DATABASE_VERSION)
		return err_set(ERR_NEWER, "%s: written in format %lld by a newer portside; this "
			       "one knows formats up to %d: install the newer version", d->path,
			       (long long)version, DATABASE_VERSION);
	if (version == DATABASE_VERSION)
		return 0;
	if (d->read_only && !tables)
		return err_set(ERR_NOT_FOUND, "%s: the log is empty", d->path);
	if (d->read_only)
		return err_set(ERR_STATE, "%s: written in the older format %lld; open it once "
			       "without --read-only to bring it to format %d", d->path,
			       (long long)version, DATABASE_VERSION);
	return database_migrate(d, DATABASE_VERSION);
}

/* Somebody may have switched the file to WAL with another program. */
static int check_journal(struct database *d)
{
	sqlite3_stmt *st;
	char mode[16] = "";
	int rc;

	if (database_statement(d,
		    d->read_only ? "PRAGMA journal_mode" : "PRAGMA journal_mode=DELETE", &st) < 0)
		return err_code();
	while ((rc = database_step(d, st)) > 0)
		snprintf(mode, sizeof mode, "%s", (const char *)sqlite3_column_text(st, 0));
	if (rc < 0)
		return rc;
	if (strcmp(mode, "delete") && !d->read_only)
		return err_set(ERR_STATE, "%s: the journal mode is %s and cannot be set to delete; "
			       "close other programs that use the file", d->path, mode);
	return 0;
}

static int remember_file(struct database *d)
{
	struct stat st;

	if (stat(d->path, &st) < 0)
		return err_errno(ERR_IO, "%s", d->path);
	d->device = st.st_dev;
	d->inode = st.st_ino;
	return 0;
}

static pthread_once_t sqlite_set = PTHREAD_ONCE_INIT;

/* Statistics of memory that nobody reads would take a lock for each allocation,
 * on which the threads of a screen wait for each other.  Refused, and no harm,
 * when SQLite is in use already. */
static void set_sqlite(void)
{
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static int open_file(struct database *d, const struct database_options *o)
{
	int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOFOLLOW;

	if (o->read_only)
		flags |= SQLITE_OPEN_READONLY;
	else
		flags |= SQLITE_OPEN_READWRITE | (o->create ? SQLITE_OPEN_CREATE : 0);
	if (keep_standard_descriptors() < 0)
		return err_code();
	if ((o->read_only || !o->create) && !fs_exists(d->path))
		return err_set(ERR_NOT_FOUND, "%s: there is no log yet", d->path);
	pthread_once(&sqlite_set, set_sqlite);
	if (sqlite3_open_v2(d->path, &d->db, flags, NULL) != SQLITE_OK)
		return database_fail(d, "opening the log");
	return 0;
}

int database_open(struct database *d, const char *path, const struct database_options *o)
{
	memset(d, 0, sizeof *d);
	d->path = xstrdup(path);
	d->read_only = o->read_only;
	d->busy_limit_ms = o->busy_limit_ms ? o->busy_limit_ms : DATABASE_BUSY_LIMIT_MS;
	if (open_file(d, o) < 0 || configure(d) < 0 || check_version(d) < 0 ||
	    check_journal(d) < 0 || remember_file(d) < 0) {
		database_close(d);
		return err_code();
	}
	return 0;
}

void database_forget_statements(struct database *d)
{
	size_t i;

	for (i = 0; i < d->n_statements; i++)
		sqlite3_finalize(d->statements[i].stmt);
	d->n_statements = 0;
}

void database_close(struct database *d)
{
	database_forget_statements(d);
	free(d->statements);
	sqlite3_close(d->db);
	free(d->path);
	memset(d, 0, sizeof *d);
}

int database_exec(struct database *d, const char *sql)
{
	if (sqlite3_exec(d->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return database_fail(d, "using the log");
	return 0;
}

int database_statement(struct database *d, const char *sql, sqlite3_stmt **out)
{
	sqlite3_stmt *st = NULL;
	size_t i;

	for (i = 0; i < d->n_statements; i++)
		if (d->statements[i].sql == sql) {
			*out = d->statements[i].stmt;
			sqlite3_reset(*out);
			sqlite3_clear_bindings(*out);
			return 0;
		}
	if (sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) != SQLITE_OK)
		return database_fail(d, "using the log");
	ARRAY_GROW(d->statements, d->n_statements, d->cap_statements);
	d->statements[d->n_statements++] = (struct database_statement){ sql, st };
	*out = st;
	return 0;
}

int database_step(struct database *d, sqlite3_stmt *st)
{
	int rc = sqlite3_step(st);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE) {
		sqlite3_reset(st);
		return 0;
	}
	rc = database_fail(d, sqlite3_stmt_readonly(st) ? "reading the log" : "writing the log");
	sqlite3_reset(st);
	return rc;
}

int database_run(struct database *d, sqlite3_stmt *st)
{
	int rc;

	do
		rc = database_step(d, st);
	while (rc > 0);
	return rc < 0 ? rc : sqlite3_changes(d->db);
}

int database_i64(struct database *d, const char *sql, int64_t *out)
{
	sqlite3_stmt *st;
	int rc;

	*out = 0;
	if (database_statement(d, sql, &st) < 0)
		return err_code();
	rc = database_step(d, st);
	if (rc > 0)
		*out = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return rc < 0 ? rc : 0;
}

static void roll_back(struct database *d)
{
	/* SQLite has already rolled back after some errors of the disk. */
	if (!sqlite3_get_autocommit(d->db))
		sqlite3_exec(d->db, "ROLLBACK", NULL, NULL, NULL);
}

/*
 * A log whose file was replaced (a checkout, a clean, a restore) must not take
 * events: they would go to a file that nobody finds again.
 */
static int check_same_file(const struct database *d)
{
	struct stat st;

	if (d->inode && (stat(d->path, &st) < 0 || st.st_ino != d->inode || st.st_dev != d->device))
		return err_set(ERR_STATE, "%s: the file was removed or replaced while it was open; "
			       "nothing was recorded: close and open the migration again", d->path);
	return 0;
}

static int write_once(struct database *d, database_write_fn *fn, void *user)
{
	int result;

	if (check_same_file(d) < 0)
		return err_code();
	if (sqlite3_exec(d->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) {
		result = database_fail(d, "starting to write the log");
		roll_back(d);
		return result;
	}
	result = fn(d, user);
	if (result >= 0 && sqlite3_exec(d->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		result = database_fail(d, "writing the log");
	if (result < 0)
		roll_back(d);
	return result;
}

int database_write(struct database *d, database_write_fn *fn, void *user)
{
	int64_t start_ns = clock_boot_ns();
	int result, try;

	if (!sqlite3_get_autocommit(d->db))
		return err_set(ERR_STATE, "%s: a write inside another write", d->path);
	for (try = 0; ; try++) {
		result = write_once(d, fn, user);
		if (result != ERR_BUSY)
			return result;
		if (clock_boot_ns() - start_ns >= d->busy_limit_ms * NS_PER_MS)
			return result;
		wait_with_jitter(try);
	}
}

int database_read_begin(struct database *d, bool *began)
{
	*began = false;
	if (!sqlite3_get_autocommit(d->db))
		return 0;
	if (database_exec(d, "BEGIN") < 0)
		return err_code();
	*began = true;
	return 0;
}

void database_read_end(struct database *d, bool began)
{
	if (began)
		roll_back(d);
}

void bind_text(sqlite3_stmt *st, int i, const char *s)
{
	if (s)
		sqlite3_bind_text(st, i, s, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(st, i);
}

void bind_blob(sqlite3_stmt *st, int i, const void *p, size_t n)
{
	/* A NULL pointer would bind NULL, which is not the empty blob. */
	sqlite3_bind_blob64(st, i, n ? p : "", n, SQLITE_STATIC);
}

void bind_i64(sqlite3_stmt *st, int i, int64_t v)
{
	sqlite3_bind_int64(st, i, v);
}

void bind_digest(sqlite3_stmt *st, int i, const struct digest *d)
{
	bind_blob(st, i, d->bytes, sizeof d->bytes);
}

char *column_text(sqlite3_stmt *st, int i, struct arena *a)
{
	const unsigned char *s = sqlite3_column_text(st, i);

	return s ? arena_strndup(a, (const char *)s, (size_t)sqlite3_column_bytes(st, i)) : NULL;
}

bool column_digest(sqlite3_stmt *st, int i, struct digest *out)
{
	const void *p = sqlite3_column_blob(st, i);

	if (!p || sqlite3_column_bytes(st, i) != (int)sizeof out->bytes)
		return false;
	memcpy(out->bytes, p, sizeof out->bytes);
	return true;
}
