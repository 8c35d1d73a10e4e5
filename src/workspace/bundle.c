/* bundle - see bundle.h.  Reading is in bundle_read.c. */
#include "config.h"

#include "workspace/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "launch/redact.h"
#include "launch/run_directory.h"
#include "store/blob.h"
#include "store/segment.h"
#include "workspace/bundle_format.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

enum { REDACTED_LOG_MAX = 64 << 20, BLOB_PAGE = 200, TREE_DEPTH_MAX = 8 };

struct writer {
	int fd;
	struct sha256 *whole;
	int64_t sections;
	struct workspace *ws;
	struct arena *a;
	const struct bundle_options *options;
	struct buf left_out;	/* lines for the manifest: what is not in the bundle and why */
};

/* ---- sections ------------------------------------------------------------------- */

static int put(struct writer *w, const void *p, size_t n)
{
	sha256_update(w->whole, p, n);
	return fs_write_all(w->fd, p, n);
}

static int put_header(struct writer *w, const char *name, int64_t size, const struct digest *d)
{
	char hex[DIGEST_HEX + 1], *line;

	digest_hex(hex, d);
	line = arena_printf(w->a, "section %s %lld %s\n", name, (long long)size, hex);
	w->sections++;
	return put(w, line, strlen(line));
}

static int put_section(struct writer *w, const char *name, const void *p, size_t n)
{
	struct digest d = sha256_bytes(p, n);
	int rc = put_header(w, name, (int64_t)n, &d);

	if (rc == 0)
		rc = put(w, p, n);
	return rc < 0 ? rc : put(w, "\n", 1);
}

/* A file that grows meanwhile is cut at the size that was hashed. */
static int put_file(struct writer *w, const char *name, const char *path)
{
	char chunk[64 * 1024];
	struct digest d;
	int64_t size;
	int rc = sha256_file(&d, &size, path), fd;

	if (rc < 0)
		return rc;
	if ((rc = put_header(w, name, size, &d)) < 0)
		return rc;
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return err_errno(ERR_IO, "cannot read %s", path);
	while (rc == 0 && size > 0) {
		ssize_t k = read(fd, chunk, size < (int64_t)sizeof chunk ? (size_t)size : sizeof chunk);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			rc = err_set(ERR_IO, "%s changed while it was bundled; try again", path);
		else
			rc = put(w, chunk, (size_t)k);
		size -= k > 0 ? k : 0;
	}
	close(fd);
	return rc < 0 ? rc : put(w, "\n", 1);
}

static void leave_out(struct writer *w, const char *name, const char *why)
{
	buf_addf(&w->left_out, "%s: %s\n", name, why);
}

/* ---- events and texts --------------------------------------------------------------- */

static int put_events(struct writer *w)
{
	struct event_segment *segments;
	size_t n;
	int64_t last;
	int rc = segment_export(workspace_log(w->ws), 0, w->a, &segments, &n, &last);

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = put_section(w, segment_path(w->a, segments[i].name), segments[i].bytes, segments[i].n);
	return rc;
}

static void add_blob(struct buf *out, const struct blob_record *r, bool withhold)
{
	struct json_writer j = { .out = out };
	char hex[DIGEST_HEX + 1], salt[BLOB_SALT_MAX * 2 + 1];

	digest_hex(hex, &r->digest);
	json_begin_object(&j, NULL);
	json_put_str(&j, "digest", hex);
	if (!withhold && r->bytes) {
		struct buf body = BUF_INIT;

		hex_encode(salt, r->salt, r->salt_n);
		json_put_str(&j, "salt", salt);
		buf_reserve(&body, r->n * 2);
		hex_encode(body.s, r->bytes, r->n);
		json_put_strn(&j, "bytes", body.s, r->n * 2);
		buf_release(&body);
	}
	json_end_object(&j);
	buf_addc(out, '\n');
}

static int put_blobs(struct writer *w)
{
	struct buf out = BUF_INIT;
	struct digest after;
	bool first = true;
	int rc = 0;

	for (;;) {
		struct blob_record *rows;
		struct arena page = ARENA_INIT;
		size_t n;

		rc = blob_records(workspace_log(w->ws), first ? NULL : &after, BLOB_PAGE, &page, &rows, &n);
		for (size_t i = 0; rc == 0 && i < n; i++)
			add_blob(&out, &rows[i], w->options->without_texts);
		if (rc == 0 && n)
			after = rows[n - 1].digest;
		first = false;
		arena_release(&page);
		if (rc < 0 || n < BLOB_PAGE)
			break;
	}
	if (rc == 0)
		rc = put_section(w, "blobs.jsonl", out.s, out.n);
	buf_release(&out);
	return rc;
}

/* ---- runs ---------------------------------------------------------------------------- */

/* Text that a program wrote may hold secrets: it goes out redacted. */
static int put_redacted(struct writer *w, const char *name, const char *path)
{
	struct buf raw = BUF_INIT, clean = BUF_INIT;
	int rc;

	if (fs_size(path) > REDACTED_LOG_MAX) {
		leave_out(w, name, "larger than 64 MB");
		return 0;
	}
	rc = fs_read(&raw, path, REDACTED_LOG_MAX);
	if (rc == 0 && redact_text(NULL, &clean, raw.s, raw.n))
		leave_out(w, name, "secrets in it were taken out, so its digest differs from the evidence");
	if (rc == 0)
		rc = put_section(w, name, clean.s, clean.n);
	buf_release(&raw);
	buf_release(&clean);
	return rc;
}

static int put_tree(struct writer *w, const char *dir, const char *prefix, int depth)
{
	char **names;
	size_t n;
	int rc;

	if (!fs_is_dir(dir) || depth > TREE_DEPTH_MAX)
		return 0;
	rc = fs_list(&names, &n, w->a, dir);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char *path = fs_join(w->a, dir, names[i]), *name = arena_printf(w->a, "%s/%s", prefix, names[i]);
		struct stat st;

		if (lstat(path, &st) < 0 || !bundle_name_is_safe(name))
			continue;
		if (S_ISDIR(st.st_mode))
			rc = put_tree(w, path, name, depth + 1);
		else if (S_ISREG(st.st_mode))
			rc = put_file(w, name, path);
	}
	return rc;
}

static int put_run(struct writer *w, const char *run)
{
	static const enum run_directory_file texts[] = { RUN_FILE_SPEC, RUN_FILE_CMD, RUN_FILE_LOG };
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run), *prefix = arena_printf(w->a, "runs/%s", run);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(texts); i++) {
		char *path = run_directory_path(w->a, rundir, texts[i]);

		if (fs_exists(path))
			rc = put_redacted(w, arena_printf(w->a, "%s/%s", prefix, run_file_name(texts[i])), path);
	}
	if (rc == 0 && fs_exists(fs_join(w->a, rundir, "kept")))
		rc = put_section(w, arena_printf(w->a, "%s/kept", prefix), "", 0);
	if (rc == 0)
		rc = put_tree(w, run_directory_path(w->a, rundir, RUN_FILE_ARTIFACTS), arena_printf(w->a, "%s/artifacts", prefix), 0);
	if (rc == 0)
		rc = put_tree(w, run_directory_path(w->a, rundir, RUN_FILE_CAPTURE), arena_printf(w->a, "%s/capture", prefix), 0);
	return rc;
}

static int put_runs(struct writer *w)
{
	char **names;
	size_t n;
	int rc = run_directory_list(&names, &n, w->a, workspace_path(w->ws, w->a, "runs"));

	if (w->options->without_evidence) {
		leave_out(w, "runs", "left out on request");
		return rc;
	}
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = put_run(w, names[i]);
	return rc;
}

/* ---- the whole ------------------------------------------------------------------------ */

static int put_manifest(struct writer *w)
{
	struct buf out = BUF_INIT;
	struct json_writer j = { .out = &out, .indent = true };
	char iso[CLOCK_ISO_MAX], head[DIGEST_HEX + 1];
	struct migration_state *m;
	struct replica_head *heads;
	struct digest digest;
	int64_t count;
	size_t n;
	int rc = state_migration(w->ws, NULL, w->a, &m);

	if (rc == 0)
		rc = log_heads(workspace_log(w->ws), w->a, &heads, &n, &count, &digest);
	if (rc < 0)
		return rc;
	clock_iso(iso, clock_wall_ns());
	digest_hex(head, &digest);
	json_begin_object(&j, NULL);
	json_put_i64(&j, "schema", 1);
	json_put_str(&j, "migration", m->name);
	json_put_str(&j, "made", iso);
	json_put_str(&j, "by", workspace_actor(w->ws)->text);
	json_put_str(&j, "head", head);
	json_put_i64(&j, "events", count);
	json_put_str(&j, "left_out", w->left_out.s);
	json_end_object(&j);
	rc = put_section(w, "manifest.json", out.s, out.n);
	buf_release(&out);
	return rc;
}

static int put_end(struct writer *w)
{
	char hex[DIGEST_HEX + 1], *line;
	struct digest d = sha256_final(w->whole);

	w->whole = NULL;
	digest_hex(hex, &d);
	line = arena_printf(w->a, "end %lld %s\n", (long long)w->sections, hex);
	return fs_write_all(w->fd, line, strlen(line));
}

static int put_all(struct writer *w)
{
	static const char first[] = BUNDLE_MAGIC "\n";
	const char *conf = workspace_place(w->ws)->conf_path;
	char *churn = workspace_path(w->ws, w->a, "cache");
	int rc = put(w, first, sizeof first - 1);

	if (rc == 0)
		rc = put_events(w);
	if (rc == 0)
		rc = put_blobs(w);
	if (rc == 0)
		rc = put_runs(w);
	if (rc == 0 && fs_exists(fs_join(w->a, churn, "churn-1.cache")))
		rc = put_file(w, "cache/churn-1.cache", fs_join(w->a, churn, "churn-1.cache"));
	if (rc == 0 && conf && fs_exists(conf))
		rc = put_redacted(w, "conf/portside.conf", conf);
	if (rc == 0)
		rc = put_manifest(w);
	return rc < 0 ? rc : put_end(w);
}

int bundle_write(struct workspace *ws, const char *path, const struct bundle_options *o)
{
	struct arena a = ARENA_INIT;
	char *temporary = arena_printf(&a, "%s.tmp-%ld", path, (long)getpid());
	struct writer w = { .ws = ws, .a = &a, .options = o };
	int rc;

	buf_init(&w.left_out);
	if (fs_exists(path)) {
		arena_release(&a);
		return err_set(ERR_EXISTS, "%s is there already; choose another name", path);
	}
	w.fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (w.fd < 0) {
		rc = err_errno(ERR_IO, "cannot create %s", path);
		arena_release(&a);
		return rc;
	}
	w.whole = sha256_new();
	rc = put_all(&w);
	if (w.whole)
		(void)sha256_final(w.whole);
	if (rc == 0 && fsync(w.fd) < 0)
		rc = err_errno(ERR_IO, "cannot write %s", path);
	if (close(w.fd) < 0 && rc == 0)
		rc = err_errno(ERR_IO, "cannot write %s", path);
	if (rc == 0 && rename(temporary, path) < 0)
		rc = err_errno(ERR_IO, "cannot rename to %s", path);
	if (rc < 0)
		unlink(temporary);
	else
		rc = fs_sync_folder(fs_dirname(&a, path));
	buf_release(&w.left_out);
	arena_release(&a);
	return rc;
}
