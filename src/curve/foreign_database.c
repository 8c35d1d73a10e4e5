/* foreign_database - opens what other programs wrote, and leaves it as it is. */
#include "config.h"

#include "curve/foreign_database.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"

enum {
	HEADER_BYTES = 20,		/* as far as the two bytes that tell a write-ahead log */
	CHUNK_BYTES = 1024 * 1024,
	OPERATIONS_BETWEEN_LOOKS = 2000,
	COPY_TRIES = 3,
};
#define SETTLED_NS NS_PER_S
#define SCRATCH_NAME "portside-db-"
#define UNLOCKED_NS (60 * NS_PER_S)	/* a folder is made, and locked, in less */

static const char magic[16] = "SQLite format 3";

/* Ends a rollback journal that names another one. */
static const unsigned char named_end[8] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };

const char *const foreign_companions[FOREIGN_COMPANIONS] = { "-wal", "-journal", "-shm" };

bool foreign_database_is_magic(const char *head, size_t n)
{
	return n >= sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

/* ---- what a failure means ---- */

#define BUSY_TEXT                                                                                  \
	"another program has it locked and is writing to it; a view reads it at its next look, "    \
	"an import is repeated when that program is done, or has been stopped"

static const struct {
	int code;
	enum err err;
	const char *text;
} failures[] = {
	{ SQLITE_BUSY, ERR_BUSY, BUSY_TEXT },
	{ SQLITE_LOCKED, ERR_BUSY, BUSY_TEXT },
	{ SQLITE_CORRUPT, ERR_DAMAGED, "the database is damaged or cut short" },
	{ SQLITE_NOTADB, ERR_DAMAGED,
	  "it begins like an SQLite database and is none, or it is encrypted" },
	{ SQLITE_TOOBIG, ERR_PARSE, "it holds a value that is too large to be a metric" },
	{ SQLITE_PERM, ERR_IO, "permission denied" },
	{ SQLITE_CANTOPEN, ERR_IO, "it cannot be opened" },
	{ SQLITE_READONLY, ERR_IO, "a program was interrupted while it wrote" },
	{ SQLITE_FULL, ERR_IO, "there is no room for its private copy" },
	{ SQLITE_IOERR, ERR_IO, "it cannot be read" },
	{ SQLITE_NOMEM, ERR_PARSE, "reading it takes more memory than there is" },
	{ SQLITE_AUTH, ERR_REFUSED, "its schema asks for what is not allowed" },
};

static bool is_cancelled(const struct foreign_database *d)
{
	return d->cancel && atomic_load_explicit(d->cancel, memory_order_relaxed);
}

static int fail(struct foreign_database *d)
{
	int code = sqlite3_errcode(d->db) & 0xff;
	const char *said = sqlite3_errmsg(d->db);

	if (code == SQLITE_INTERRUPT && is_cancelled(d))
		return err_set(ERR_CANCELLED, "%s: reading was stopped", d->path);
	if (code == SQLITE_INTERRUPT || d->late)
		return err_set(ERR_PARSE, "%s: a query took longer than %d s and was ended",
			d->path, FOREIGN_QUERY_S);
	/* The statements are this program's own: what does not fit is the schema. */
	if (code == SQLITE_ERROR && strstr(said, "malformed database schema"))
		return err_set(
			ERR_DAMAGED, "%s: the database is damaged (SQLite: %s)", d->path, said);
	for (size_t i = 0; i < ARRAY_LEN(failures); i++)
		if (failures[i].code == code)
			return err_set(failures[i].err, "%s: %s (SQLite: %s)", d->path,
				failures[i].text, said);
	return err_set(ERR_PARSE, "%s: SQLite %d: %s", d->path, code, said);
}

static int look_at_clock(void *user)
{
	struct foreign_database *d = user;

	d->late = d->late || clock_boot_ns() > d->deadline_ns;
	return is_cancelled(d) || d->late;
}

/* A writer is waited for in short pieces, so that a stop is heard. */
static int wait_for_writer(void *user, int times)
{
	struct foreign_database *d = user;

	if (times * 10 >= FOREIGN_BUSY_MS || is_cancelled(d))
		return 0;
	sqlite3_sleep(10);
	return 1;
}

static void begin_query(struct foreign_database *d)
{
	d->late = false;
	d->deadline_ns = clock_boot_ns() + FOREIGN_QUERY_S * NS_PER_S;
}

/* ---- opening ---- */

static void distrust(struct foreign_database *d)
{
	static const struct { int id, value; } limits[] = {
		{ SQLITE_LIMIT_LENGTH, FOREIGN_VALUE_MAX },
		{ SQLITE_LIMIT_SQL_LENGTH, 1024 * 1024 },
		{ SQLITE_LIMIT_COLUMN, 500 },
		{ SQLITE_LIMIT_EXPR_DEPTH, 100 },
		{ SQLITE_LIMIT_COMPOUND_SELECT, 5 },
		{ SQLITE_LIMIT_VDBE_OP, 25000 },
		{ SQLITE_LIMIT_FUNCTION_ARG, 10 },
		{ SQLITE_LIMIT_ATTACHED, 0 },
		{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100 },
		{ SQLITE_LIMIT_VARIABLE_NUMBER, 10 },
		{ SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
		{ SQLITE_LIMIT_WORKER_THREADS, 0 },
	};
	int was;

	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		sqlite3_limit(d->db, limits[i].id, limits[i].value);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_DEFENSIVE, 1, &was);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, &was);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, &was);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, &was);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, &was);
	sqlite3_db_config(d->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, &was);
	sqlite3_busy_handler(d->db, wait_for_writer, d);
	sqlite3_progress_handler(d->db, OPERATIONS_BETWEEN_LOOKS, look_at_clock, d);
}

static int execute(struct foreign_database *d, const char *sql)
{
	begin_query(d);
	return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : fail(d);
}

/* The name for SQLite's own form of an address, whatever it has in it. */
static char *address_of(const char *path, const char *parameters)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-";
	struct arena a = ARENA_INIT;
	struct buf out = BUF_INIT;

	buf_adds(&out, "file:");
	for (const char *p = fs_absolute(&a, path); *p; p++) {
		if (strchr(plain, *p))
			buf_addc(&out, *p);
		else
			buf_addf(&out, "%%%02x", (unsigned char)*p);
	}
	buf_addf(&out, "?%s", parameters);
	arena_release(&a);
	return buf_detach(&out);
}

/* Opens, and looks at the schema, which is where a wrong file shows. */
static int connect_to(
	struct foreign_database *d, const char *path, const char *parameters, int mode)
{
	char *address = address_of(path, parameters);
	int rc = sqlite3_open_v2(address, &d->db,
		mode | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, NULL);

	free(address);
	if (rc == SQLITE_OK) {
		distrust(d);
		rc = execute(d, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;"
				" PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY;"
				" PRAGMA cache_size=-8192; PRAGMA query_only=ON;"
				" SELECT count(*) FROM sqlite_schema");
	} else {
		rc = fail(d);
	}
	if (rc < 0) {
		sqlite3_close(d->db);
		d->db = NULL;
	}
	return rc;
}

/* ---- a private copy ---- */

/* The clock of the file system, whatever clock the program shows. */
static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return t.tv_sec * NS_PER_S + t.tv_nsec;
}

static int copy_bytes(const struct foreign_database *d, int in, int out, const char *from)
{
	char *chunk = xmalloc(CHUNK_BYTES);
	int64_t copied = 0;
	ssize_t n;
	int rc = 0;

	while (rc == 0 && (n = read(in, chunk, CHUNK_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			rc = err_errno(ERR_IO, "%s cannot be read", from);
		else if (is_cancelled(d))
			rc = err_set(ERR_CANCELLED, "%s: reading was stopped", d->path);
		else if ((copied += n) > FOREIGN_COPY_MAX)
			rc = err_set(ERR_REFUSED, "%s grows while it is copied", from);
		else if ((rc = fs_write_all(out, chunk, (size_t)n)) < 0)
			rc = err_prefix("%s: no private copy: ", d->path);
	}
	free(chunk);
	return rc;
}

static int copy_file(const struct foreign_database *d, const char *from, const char *to)
{
	int in = fs_open_file(from), out, rc;

	if (in < 0)
		return in;
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	rc = out < 0 ? err_errno(ERR_IO, "%s cannot be created", to) : copy_bytes(d, in, out, from);
	if (out >= 0)
		close(out);
	close(in);
	return rc;
}

/* True when PATH is a private folder of this user, and whoever made it is gone. */
static bool is_left_behind(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	bool left = fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
		now_ns() - (int64_t)st.st_mtim.tv_sec * NS_PER_S > UNLOCKED_NS &&
		flock(fd, LOCK_EX | LOCK_NB) == 0;

	if (fd >= 0)
		close(fd);
	return left;
}

/* A program that was killed leaves its copy, which may be large. */
static void sweep_scratch(const char *base)
{
	DIR *dir = opendir(base);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *path;

		if (strlen(entry->d_name) != strlen(SCRATCH_NAME "XXXXXX") ||
			!text_starts(entry->d_name, SCRATCH_NAME))
			continue;
		path = xasprintf("%s/%s", base, entry->d_name);
		if (is_left_behind(path) && fs_remove_tree(path) < 0)
			err_clear();
		free(path);
	}
	if (dir)
		closedir(dir);
}

/* It is locked as long as it is used; the lock goes with the process. */
static int make_scratch(struct foreign_database *d)
{
	const char *base = getenv("TMPDIR");

	if (d->scratch)
		return 0;
	base = base && *base == '/' ? base : "/tmp";
	sweep_scratch(base);
	d->scratch = xasprintf("%s/" SCRATCH_NAME "XXXXXX", base);
	if (mkdtemp(d->scratch)) {
		d->scratch_lock = open(d->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (d->scratch_lock >= 0)
			flock(d->scratch_lock, LOCK_EX | LOCK_NB);
		return 0;
	}
	free(d->scratch);
	d->scratch = NULL;
	return err_errno(ERR_IO, "%s: no folder for a private copy", d->path);
}

/* Those beside it first: a checkpoint moves the log into the database. */
static int copy_all(struct foreign_database *d, struct arena *a, const char *to)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < FOREIGN_COMPANIONS_KEPT; i++) {
		const char *from = arena_printf(a, "%s%s", d->real, foreign_companions[i]);
		const char *copy = arena_printf(a, "%s%s", to, foreign_companions[i]);

		if (fs_size(from) > 0)
			rc = copy_file(d, from, copy);
		else
			unlink(copy);	/* of a try before this one */
	}
	return rc < 0 ? rc : copy_file(d, d->real, to);
}

/*
 * The journal of a transaction over several databases ends with the path of one
 * that they share, and SQLite removes the file at that path when it rolls back.
 * The path is the word of whoever wrote the journal.  It is the copy that is
 * looked at: nobody changes that one any more.
 */
static int refuse_named_journal(const struct foreign_database *d, struct arena *a, const char *to)
{
	const char *journal = arena_printf(a, "%s-journal", to);
	int64_t size = fs_size(journal);
	char end[sizeof named_end];
	int fd, rc = 0;

	if (size < (int64_t)sizeof end)
		return 0;
	if ((fd = fs_open_file(journal)) < 0)
		return fd;
	if (pread(fd, end, sizeof end, size - (int64_t)sizeof end) != (ssize_t)sizeof end)
		rc = err_errno(ERR_IO, "%s cannot be read", journal);
	else if (memcmp(end, named_end, sizeof end) == 0)
		rc = err_set(ERR_REFUSED,
			"%s: its rollback journal names another file, which reading would remove; open it once with the program that wrote it, which rolls back",
			d->path);
	close(fd);
	return rc;
}

static bool is_same_file(const struct foreign_stamp *a, const struct foreign_stamp *b)
{
	return memcmp(&a->file, &b->file, sizeof a->file) == 0 &&
		memcmp(&a->log, &b->log, sizeof a->log) == 0;
}

/* Again when a writer was at it meanwhile: half of a checkpoint is no database. */
static int make_copy(struct foreign_database *d, struct arena *a, const char *to)
{
	struct foreign_stamp before, after;
	int rc;

	for (int i = 0; i < COPY_TRIES; i++) {
		if ((rc = foreign_stamp_read(&before, d->path)) < 0)
			return rc;
		if (before.file.size + before.log.size > FOREIGN_COPY_MAX)
			return err_set(ERR_REFUSED,
				"%s is too large for a private copy, without which its log cannot be read; open it once with the program that wrote it, which merges the log",
				d->path);
		if ((rc = copy_all(d, a, to)) < 0 || (rc = foreign_stamp_read(&after, d->path)) < 0)
			return rc;
		if (is_same_file(&before, &after))
			return 0;
	}
	return err_set(ERR_BUSY, "%s: %s", d->path, BUSY_TEXT);
}

static void drop_scratch(struct foreign_database *d)
{
	if (d->scratch && fs_remove_tree(d->scratch) < 0)
		err_clear();
	if (d->scratch && d->scratch_lock >= 0)
		close(d->scratch_lock);
	free(d->scratch);
	d->scratch = NULL;
}

static int open_copy(struct foreign_database *d)
{
	struct arena a = ARENA_INIT;
	const char *to;
	int rc = make_scratch(d);

	if (rc == 0) {
		to = fs_join(&a, d->scratch, "database");
		rc = make_copy(d, &a, to);
		if (rc == 0)
			rc = refuse_named_journal(d, &a, to);
		if (rc == 0)
			rc = connect_to(d, to, "mode=rw", SQLITE_OPEN_READWRITE);
	}
	arena_release(&a);
	return rc;
}

/* ---- where it is opened ---- */

static bool has_log(const char *path)
{
	char header[HEADER_BYTES] = "";
	int fd = fs_open_file(path);
	ssize_t n = fd < 0 ? -1 : pread(fd, header, sizeof header, 0);

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)sizeof header && (header[18] == 2 || header[19] == 2);
}

/* What lies beside a database lies beside the file that a link leads to. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : xstrdup(path);
}

static bool is_there(const char *path, const char *end)
{
	char *beside = xasprintf("%s%s", path, end);
	bool there = fs_size(beside) > 0;

	free(beside);
	return there;
}

int foreign_database_open(
	struct foreign_database *d, const char *path, const atomic_bool *cancel)
{
	char *real = real_path(path);
	bool logged = has_log(real) || is_there(real, "-wal"), shared = is_there(real, "-shm");
	int rc = ERR_IO;

	*d = (struct foreign_database){ .path = xstrdup(path),
		.real = real,
		.cancel = cancel,
		.log_missing = logged && !is_there(real, "-wal") };
	if (!fs_exists(path))
		rc = err_set(ERR_NOT_FOUND, "%s does not exist", path);
	else if (!logged)
		rc = connect_to(d, real, "mode=ro", SQLITE_OPEN_READONLY);
	else if (logged && shared)
		rc = connect_to(d, real, "mode=ro&readonly_shm=1", SQLITE_OPEN_READONLY);
	else
		rc = open_copy(d);
	/* Shared memory that a dead program left, or a rollback that only a writer can do. */
	if (rc == ERR_IO && !d->scratch && fs_exists(path))
		rc = open_copy(d);
	if (rc < 0)
		foreign_database_close(d);
	return rc;
}

int foreign_database_lacks_log(const struct foreign_database *d)
{
	return err_set(ERR_NOT_FOUND,
		"%s: no run is in it, and the log that its newest rows go to, %s-wal, is not beside it; bring both from where the tracker wrote them, or close the tracker first, which merges them",
		d->path, fs_basename(d->path));
}

void foreign_database_close(struct foreign_database *d)
{
	sqlite3_close(d->db);
	d->db = NULL;
	drop_scratch(d);
	free(d->path);
	free(d->real);
	d->path = d->real = NULL;
}

/* ---- asking ---- */

int foreign_database_prepare(struct foreign_database *d, const char *sql, sqlite3_stmt **out)
{
	begin_query(d);
	*out = NULL;
	return sqlite3_prepare_v2(d->db, sql, -1, out, NULL) == SQLITE_OK ? 0 : fail(d);
}

int foreign_database_step(struct foreign_database *d, sqlite3_stmt *st)
{
	int rc = sqlite3_step(st);

	return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : fail(d);
}

int foreign_database_i64(struct foreign_database *d, const char *sql, int64_t *out)
{
	sqlite3_stmt *st;
	int rc = foreign_database_prepare(d, sql, &st);

	*out = 0;
	if (rc == 0 && (rc = foreign_database_step(d, st)) > 0) {
		*out = sqlite3_column_int64(st, 0);
		rc = 0;
	}
	sqlite3_finalize(st);
	return rc;
}

int foreign_database_has_table(struct foreign_database *d, const char *table)
{
	sqlite3_stmt *st;
	int rc = foreign_database_prepare(d,
		"SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0"
		" AND name = ?1 COLLATE NOCASE",
		&st);

	if (rc == 0) {
		sqlite3_bind_text(st, 1, table, -1, SQLITE_STATIC);
		rc = foreign_database_step(d, st);
	}
	sqlite3_finalize(st);
	return rc;
}

int foreign_database_has_column(struct foreign_database *d, const char *table, const char *column)
{
	sqlite3_stmt *st;
	int rc = foreign_database_prepare(d,
		"SELECT 1 FROM pragma_table_info(?1, 'main') WHERE name = ?2 COLLATE NOCASE", &st);

	if (rc == 0) {
		sqlite3_bind_text(st, 1, table, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 2, column, -1, SQLITE_STATIC);
		rc = foreign_database_step(d, st);
	}
	sqlite3_finalize(st);
	return rc;
}

const char *foreign_column_text(sqlite3_stmt *st, int i, size_t *n)
{
	const unsigned char *text = sqlite3_column_text(st, i);

	*n = text ? (size_t)sqlite3_column_bytes(st, i) : 0;
	return text ? (const char *)text : "";
}

/* ---- has it changed? ---- */

static void fill(struct foreign_file *out, const struct stat *st)
{
	out->device = st->st_dev;
	out->inode = st->st_ino;
	out->size = st->st_size;
	out->changed_ns = st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;
	out->status_ns = st->st_ctim.tv_sec * NS_PER_S + st->st_ctim.tv_nsec;
}

int foreign_stamp_read(struct foreign_stamp *out, const char *path)
{
	char *real = real_path(path), *log = xasprintf("%s-wal", real);
	struct stat st;
	int rc = 0;

	memset(out, 0, sizeof *out);
	if (stat(path, &st) < 0)
		rc = err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", path);
	else
		fill(&out->file, &st);
	if (rc == 0 && stat(log, &st) == 0)
		fill(&out->log, &st);
	free(log);
	free(real);
	out->settled = now_ns() - out->file.changed_ns > SETTLED_NS &&
		now_ns() - out->log.changed_ns > SETTLED_NS;
	return rc;
}

bool foreign_stamp_same(const struct foreign_stamp *a, const struct foreign_stamp *b)
{
	return a->settled && is_same_file(a, b);
}

bool foreign_stamp_replaced(const struct foreign_stamp *before, const struct foreign_stamp *now)
{
	return before->file.inode && (before->file.inode != now->file.inode ||
		before->file.device != now->file.device);
}
