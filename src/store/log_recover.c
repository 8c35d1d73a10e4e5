/* Sets a damaged database aside and makes a new one of all that verifies. */
#include "config.h"

#include "store/log_recover.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "store/log_internal.h"
#include "store/log_salvage.h"
#include "store/verify.h"

/* What SQLite locks in a database file: the pending byte and what follows it. */
enum { LOCK_START = 0x40000000, LOCK_BYTES = 512 };

/* The files that belong to one database, moved as one. */
static const char *const parts[] = { "-journal", "-wal", "-shm" };

struct recovery {
	const char *folder;
	struct arena *a;
	char *path;		/* log.db */
	char *copy;		/* what is salvaged from */
	char *made;		/* the new database before it gets its name */
	char *aside;
	struct salvage salvage;
	struct recover_report *report;
};

/* Whether verification found what only a new file can heal. */
static bool has_damage(const struct verify_report *r)
{
	size_t i;

	for (i = 0; i < r->n_findings; i++)
		if (r->findings[i].code == VERIFY_FILE || r->findings[i].code == VERIFY_BODY ||
		    r->findings[i].code == VERIFY_ID || r->findings[i].code == VERIFY_BLOB)
			return true;
	return false;
}

/* 0 when it is damaged; an error also when it is not, or is not ours to touch. */
static int require_damage(const char *folder)
{
	struct verify_options full = { .full = true };
	struct log_options o = { .create = false };
	struct arena a = ARENA_INIT;
	struct verify_report report;
	struct log *log;
	int rc = log_open(&log, folder, &o);

	if (rc == ERR_DAMAGED)
		return 0;
	if (rc < 0)
		return rc;
	rc = log_verify(log, &full, &a, &report);
	if (!rc && !has_damage(&report))
		rc = err_set(
			ERR_STATE, "%s/log.db reads well; there is nothing to recover", folder);
	log_close(log);
	arena_release(&a);
	return rc;
}

/*
 * Keeps others from writing until the files are swapped.  The lock belongs to the
 * descriptor, so that reading the file in between does not drop it.
 */
static int lock_out_others(const char *path, int *fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
			      .l_start = LOCK_START, .l_len = LOCK_BYTES };

	*fd = open(path, O_RDWR | O_CLOEXEC);
	if (*fd < 0)
		return err_errno(ERR_IO, "%s", path);
	if (fcntl(*fd, F_OFD_SETLK, &lock) < 0) {
		int held = errno == EAGAIN || errno == EACCES;

		close(*fd);
		return held ? err_set(ERR_BUSY, "%s: another process is using it; close it and try "
				      "again", path) : err_errno(ERR_IO, "%s: lock", path);
	}
	return 0;
}

static void remove_database(const char *path, struct arena *a)
{
	size_t i;

	unlink(path);
	for (i = 0; i < ARRAY_LEN(parts); i++)
		unlink(arena_printf(a, "%s%s", path, parts[i]));
}

static int copy_database(struct recovery *r)
{
	size_t i;

	remove_database(r->copy, r->a);
	if (fs_copy(r->path, r->copy, 0600) < 0)
		return err_code();
	for (i = 0; i < ARRAY_LEN(parts); i++) {
		char *from = arena_printf(r->a, "%s%s", r->path, parts[i]);

		if (fs_exists(from) &&
		    fs_copy(from, arena_printf(r->a, "%s%s", r->copy, parts[i]), 0600) < 0)
			return err_code();
	}
	return 0;
}

/* Inside the one transaction that fills the new database. */
struct fill {
	struct log *log;
	const struct salvage *salvage;
};

static int fill_in_transaction(struct database *d, void *user)
{
	const struct fill *f = user;
	size_t i;

	for (i = 0; i < f->salvage->n; i++)
		if (log_insert_event(f->log, f->salvage->events[i]) < 0)
			return err_code();
	for (i = 0; i < f->salvage->n_blobs; i++) {
		const struct blob_record *b = &f->salvage->blobs[i];

		if (blob_insert_row(f->log, &b->digest, b->salt, b->salt_n, b->bytes, b->n) < 0)
			return err_code();
	}
	return database_exec(d, "INSERT INTO fork(replica, seq) SELECT replica, seq FROM event"
			     " GROUP BY replica, seq HAVING count(*) > 1");
}

static int count_losses(struct recovery *r, struct log *log)
{
	static const char gaps[] =
		"SELECT sum(missing) FROM (SELECT max(seq) - count(DISTINCT seq) AS missing"
		" FROM event GROUP BY replica)";
	static const char unlinked[] =
		"SELECT count(*) FROM event e WHERE e.prev IS NOT NULL"
		" AND NOT EXISTS(SELECT 1 FROM event p WHERE p.id = e.prev)";
	struct recover_report *report = r->report;
	int64_t missing;

	if (database_i64(&log->db, gaps, &missing) < 0 ||
	    database_i64(&log->db, unlinked, &report->unlinked) < 0)
		return err_code();
	report->events_kept = (int64_t)r->salvage.n;
	/* An event that reads and does not verify may leave a gap as well. */
	report->events_lost = missing > r->salvage.invalid ? missing : r->salvage.invalid;
	report->blobs_kept = (int64_t)r->salvage.n_blobs;
	report->blobs_lost = r->salvage.blobs_invalid;
	return 0;
}

static int make_new(struct recovery *r)
{
	struct log_options o = { .create = true };
	struct fill f = { .salvage = &r->salvage };
	int rc;

	remove_database(r->made, r->a);
	if (log_open_file(&f.log, r->folder, fs_basename(r->made), &o) < 0)
		return err_code();
	rc = database_write(&f.log->db, fill_in_transaction, &f);
	if (rc >= 0)
		rc = count_losses(r, f.log);
	log_close(f.log);
	return rc;
}

static void choose_aside(struct recovery *r)
{
	char iso[CLOCK_ISO_MAX];
	int k;

	clock_iso(iso, clock_wall_ns());
	iso[strcspn(iso, ".Z")] = '\0';
	r->aside = arena_printf(r->a, "%s.damaged-%s", r->path, iso);
	for (k = 2; fs_exists(r->aside); k++)
		r->aside = arena_printf(r->a, "%s.damaged-%s-%d", r->path, iso, k);
}

/*
 * The damaged file gets its second name before the new one takes the first, so
 * that no crash leaves the folder without a log.
 */
static int swap(struct recovery *r)
{
	size_t i;

	choose_aside(r);
	if (link(r->path, r->aside) < 0 && rename(r->path, r->aside) < 0)
		return err_errno(ERR_IO, "%s", r->aside);
	for (i = 0; i < ARRAY_LEN(parts); i++) {
		char *from = arena_printf(r->a, "%s%s", r->path, parts[i]);

		if (rename(from, arena_printf(r->a, "%s%s", r->aside, parts[i])) < 0 &&
		    errno != ENOENT)
			return err_errno(ERR_IO, "%s", from);
	}
	if (rename(r->made, r->path) < 0)
		return err_errno(ERR_IO, "%s", r->path);
	return fs_sync_folder(r->folder);
}

static const char *describe(const struct recovery *r)
{
	const struct recover_report *p = r->report;
	const char *lost = p->events_lost
		? arena_printf(r->a, "at least %" PRId64 " lost", p->events_lost)
		: r->salvage.incomplete ? "whether the last ones were lost cannot be told"
					: "none lost";

	return arena_printf(r->a,
		"%s was damaged and is set aside as %s: %" PRId64 " events and %" PRId64
		" texts verify and are kept, %s%s. Synchronise with another clone to get "
		"back what it has, then run portside verify.",
		r->path, fs_basename(r->aside), p->events_kept, p->blobs_kept, lost,
		p->blobs_lost ? arena_printf(r->a, ", %" PRId64 " texts lost", p->blobs_lost) : "");
}

static int recover_locked(struct recovery *r)
{
	if (copy_database(r) < 0 || salvage_read(&r->salvage, r->copy) < 0 || make_new(r) < 0 ||
	    swap(r) < 0)
		return err_code();
	r->report->set_aside = r->aside;
	r->report->text = describe(r);
	return 0;
}

int log_recover(const char *folder, struct arena *a, struct recover_report *out)
{
	struct recovery r = { .folder = folder, .a = a, .report = out };
	int fd, rc;

	memset(out, 0, sizeof *out);
	r.path = fs_join(a, folder, "log.db");
	r.copy = fs_join(a, folder, "log.db.salvage");
	r.made = fs_join(a, folder, "log.db.recovered");
	if (require_damage(folder) < 0 || lock_out_others(r.path, &fd) < 0)
		return err_code();
	rc = recover_locked(&r);
	close(fd);
	remove_database(r.copy, a);
	if (rc < 0)
		remove_database(r.made, a);
	salvage_release(&r.salvage);
	return rc < 0 ? err_prefix("recovering the log: ") : 0;
}
