/* Makes and checks the id of this clone. */
#include "config.h"

#include "store/replica.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "store/log_internal.h"

/* The machine's id is hashed with the rest, so that the database does not tell it. */
static const char binding_domain[] = "portside-replica-binding-v1";

static void add_machine(struct sha256 *h)
{
	static const char *const files[] = { "/etc/machine-id", "/var/lib/dbus/machine-id" };
	struct buf id = BUF_INIT;
	size_t i;

	for (i = 0; i < ARRAY_LEN(files); i++) {
		buf_clear(&id);
		if (!fs_read(&id, files[i], 4096) && id.n)
			break;
	}
	err_clear();
	sha256_update(h, id.s, id.n);
	buf_release(&id);
}

/*
 * An inode number is used again after its file is gone; the birth time, where
 * the file system has one, tells a restored file from the one it replaced.
 */
static int file_binding(struct digest *out, const char *path)
{
	struct statx st;
	uint64_t facts[5];
	struct sha256 *h;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &st) < 0)
		return err_errno(ERR_IO, "%s", path);
	facts[0] = st.stx_dev_major;
	facts[1] = st.stx_dev_minor;
	facts[2] = st.stx_ino;
	facts[3] = st.stx_mask & STATX_BTIME ? (uint64_t)st.stx_btime.tv_sec : 0;
	facts[4] = st.stx_mask & STATX_BTIME ? st.stx_btime.tv_nsec : 0;
	h = sha256_new();
	sha256_update(h, binding_domain, sizeof binding_domain);
	add_machine(h);
	sha256_update(h, facts, sizeof facts);
	*out = sha256_final(h);
	return 0;
}

static void set_replica(struct log *log, const void *raw)
{
	memcpy(log->replica_raw, raw, sizeof log->replica_raw);
	hex_encode(log->replica, log->replica_raw, sizeof log->replica_raw);
}

/* 1 when an id is bound to this file. */
static int read_own(struct log *log)
{
	static const char sql[] =
		"SELECT replica FROM own WHERE binding = ? ORDER BY row DESC LIMIT 1";
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&log->db, sql, &st) < 0)
		return err_code();
	bind_digest(st, 1, &log->binding);
	rc = database_step(&log->db, st);
	if (rc > 0) {
		rc = sqlite3_column_bytes(st, 0) == (int)sizeof log->replica_raw;
		if (rc)
			set_replica(log, sqlite3_column_blob(st, 0));
		sqlite3_reset(st);
	}
	return rc;
}

static int make_own(struct log *log)
{
	unsigned char raw[sizeof log->replica_raw];
	sqlite3_stmt *st;

	random_bytes(raw, sizeof raw);
	if (database_statement(&log->db, "INSERT INTO own(replica, binding) VALUES(?, ?)", &st) < 0)
		return err_code();
	bind_blob(st, 1, raw, sizeof raw);
	bind_digest(st, 2, &log->binding);
	if (database_run(&log->db, st) < 0)
		return err_code();
	set_replica(log, raw);
	return 0;
}

static int is_forked(struct log *log)
{
	sqlite3_stmt *st;
	int rc;

	if (database_statement(&log->db, "SELECT 1 FROM fork WHERE replica = ? LIMIT 1", &st) < 0)
		return err_code();
	bind_blob(st, 1, log->replica_raw, sizeof log->replica_raw);
	rc = database_step(&log->db, st);
	sqlite3_reset(st);
	return rc;
}

int replica_enter(struct log *log)
{
	/* Read each time: another handle may have left a fork, and an id that was
	 * made in a transaction that was rolled back is not ours. */
	int rc = read_own(log);

	if (rc > 0) {
		rc = is_forked(log);
		if (rc <= 0)
			return rc;
	}
	return rc < 0 ? rc : make_own(log);
}

static int enter_in_transaction(struct database *d, void *user)
{
	(void)d;
	return replica_enter(user);
}

int replica_load(struct log *log)
{
	int rc;

	if (file_binding(&log->binding, log->db.path) < 0)
		return err_code();
	rc = read_own(log);
	if (rc || log->db.read_only)
		return rc < 0 ? rc : 0;
	return database_write(&log->db, enter_in_transaction, log);
}
