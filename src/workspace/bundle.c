/* bundle - see bundle.h.  Reading is in bundle_read.c. */
#include "config.h"

#include "workspace/bundle.h"

#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/redact.h"
#include "store/blob.h"
#include "store/segment.h"
#include "workspace/bundle_format.h"
#include "workspace/bundle_writer.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

enum { BLOB_PAGE = 200, TEXTS_BYTES = 64 << 20 };
/* One text more than is asked for is still read. */
static_assert(TEXTS_BYTES + 2 * BLOB_MAX + 1024 < BUNDLE_SECTION_MAX,
	"a section of texts is too large to be read");

/* ---- sections ------------------------------------------------------------------- */

int bundle_put_piece(struct bundle_writer *w, const void *p, size_t n)
{
	sha256_update(w->whole, p, n);
	return fs_write_all(w->fd, p, n) < 0 ? err_prefix("%s: ", w->path) : 0;
}

int bundle_put_header(
	struct bundle_writer *w, const char *name, int64_t size, const struct digest *d)
{
	char hex[DIGEST_HEX + 1], *line;

	digest_hex(hex, d);
	line = arena_printf(w->a, "section %s %lld %s\n", name, (long long)size, hex);
	w->sections++;
	return bundle_put_piece(w, line, strlen(line));
}

int bundle_put_footer(struct bundle_writer *w)
{
	return bundle_put_piece(w, "\n", 1);
}

int bundle_put_section(struct bundle_writer *w, const char *name, const void *p, size_t n)
{
	struct digest d = sha256_bytes(p, n);
	int rc = bundle_put_header(w, name, (int64_t)n, &d);

	if (rc == 0)
		rc = bundle_put_piece(w, p, n);
	return rc < 0 ? rc : bundle_put_footer(w);
}

void bundle_leave_out(struct bundle_writer *w, const char *name, const char *why)
{
	buf_addf(&w->left_out, "%s: %s\n", name, why);
	w->n_left_out++;
}

bool bundle_is_cancelled(const struct bundle_writer *w)
{
	return w->options->cancel && atomic_load(w->options->cancel);
}

/* Before the events: what is appended meanwhile is in the bundle and not in its
 * manifest, never the other way round. */
static int look_at_head(struct bundle_writer *w)
{
	struct replica_head *heads;
	size_t n;

	return log_heads(workspace_log(w->ws), w->a, &heads, &n, &w->events, &w->head);
}

/* ---- events and texts --------------------------------------------------------------- */

static int put_events(struct bundle_writer *w)
{
	struct event_segment *segments;
	size_t n;
	int64_t last;
	int rc = segment_export(workspace_log(w->ws), 0, w->a, &segments, &n, &last);

	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = bundle_put_section(
			w, segment_path(w->a, segments[i].name), segments[i].bytes, segments[i].n);
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

/* The texts of accepted configurations: rules, no free text; without them nobody
 * could say what was in force. */
static int list_kept(struct bundle_writer *w, struct digest **kept, size_t *n)
{
	struct event_query q = { .kind = "config.accepted" };
	struct event **events;
	size_t count;
	int rc = log_events(workspace_log(w->ws), &q, w->a, &events, &count);

	*kept = NULL;
	*n = 0;
	if (rc < 0)
		return rc;
	*kept = arena_alloc(w->a, (count + 1) * sizeof **kept);
	for (size_t i = 0; i < count; i++)
		if (digest_from_hex(&(*kept)[*n], json_str(events[i]->data, "text", "")))
			(*n)++;
	return 0;
}

static bool is_kept(const struct digest *d, const struct digest *kept, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (digest_equal(d, &kept[i]))
			return true;
	return false;
}

static int put_texts(struct bundle_writer *w, struct buf *out)
{
	int rc = bundle_put_section(w, "blobs.jsonl", out->s, out->n);

	buf_clear(out);
	return rc;
}

static int put_blobs(struct bundle_writer *w)
{
	size_t limit = w->options->section_bytes ? w->options->section_bytes : TEXTS_BYTES;
	struct buf out = BUF_INIT;
	struct digest *kept;
	size_t n_kept;
	struct digest after;
	bool first = true;
	int rc = list_kept(w, &kept, &n_kept);

	while (rc == 0) {
		struct blob_record *rows;
		struct arena page = ARENA_INIT;
		size_t n;

		rc = blob_records(
			workspace_log(w->ws), first ? NULL : &after, BLOB_PAGE, &page, &rows, &n);
		for (size_t i = 0; rc == 0 && i < n; i++) {
			add_blob(&out, &rows[i],
				w->options->without_texts &&
					!is_kept(&rows[i].digest, kept, n_kept));
			if (out.n > limit)
				rc = put_texts(w, &out);
		}
		if (rc == 0 && n)
			after = rows[n - 1].digest;
		first = false;
		arena_release(&page);
		if (rc < 0 || n < BLOB_PAGE)
			break;
	}
	if (rc == 0)
		rc = put_texts(w, &out);
	buf_release(&out);
	return rc;
}

/* ---- the whole ------------------------------------------------------------------------ */

static int put_manifest(struct bundle_writer *w)
{
	struct buf out = BUF_INIT;
	struct json_writer j = { .out = &out, .indent = true };
	char iso[CLOCK_ISO_MAX], head[DIGEST_HEX + 1];
	struct migration_state *m;
	int rc = state_migration(w->ws, NULL, w->a, &m);

	if (rc < 0)
		return rc;
	clock_iso(iso, clock_wall_ns());
	digest_hex(head, &w->head);
	json_begin_object(&j, NULL);
	json_put_i64(&j, "schema", 1);
	json_put_str(&j, "migration", m->name);
	json_put_str(&j, "made", iso);
	json_put_str(&j, "by", workspace_actor(w->ws)->text);
	json_put_str(&j, "head", head);
	json_put_i64(&j, "events", w->events);
	json_put_str(&j, "left_out", w->left_out.s);
	json_end_object(&j);
	rc = bundle_put_section(w, "manifest.json", out.s, out.n);
	buf_release(&out);
	return rc;
}

static int put_end(struct bundle_writer *w)
{
	char hex[DIGEST_HEX + 1], *line;
	struct digest d = sha256_final(w->whole);

	w->whole = NULL;
	digest_hex(hex, &d);
	line = arena_printf(w->a, "end %lld %s\n", (long long)w->sections, hex);
	return fs_write_all(w->fd, line, strlen(line)) < 0 ? err_prefix("%s: ", w->path) : 0;
}

static int put_all(struct bundle_writer *w)
{
	static const char first[] = BUNDLE_MAGIC "\n";
	const char *conf = workspace_place(w->ws)->conf_path;
	char *churn = workspace_path(w->ws, w->a, "cache");
	int rc = bundle_put_piece(w, first, sizeof first - 1);

	if (rc == 0)
		rc = look_at_head(w);
	if (rc == 0)
		rc = put_events(w);
	if (rc == 0)
		rc = put_blobs(w);
	if (rc == 0)
		rc = bundle_put_runs(w);
	if (rc == 0)
		rc = bundle_put_code(w);
	if (rc == 0 && fs_exists(fs_join(w->a, churn, "churn-1.cache")))
		rc = bundle_put_file(
			w, "cache/churn-1.cache", fs_join(w->a, churn, "churn-1.cache"));
	if (rc == 0 && conf && fs_exists(conf))
		rc = bundle_put_redacted(w, "conf/portside.conf", conf);
	if (rc == 0)
		rc = put_manifest(w);
	return rc < 0 ? rc : put_end(w);
}

static int write_to(struct bundle_writer *w, struct fs_new *f)
{
	int rc;

	w->fd = f->fd;
	w->whole = sha256_new();
	w->secrets = redact_new();
	redact_add_environment(w->secrets, environ);
	rc = put_all(w);
	if (w->whole)
		(void)sha256_final(w->whole);
	redact_free(w->secrets);
	if (rc == 0 && (rc = fs_new_name(f, 0600)) == ERR_EXISTS)
		err_set(rc, "%s is there already; choose another name", w->path);
	return rc;
}

int bundle_write(struct workspace *ws, const char *path, const struct bundle_options *o,
	struct bundle_written *out, struct arena *a)
{
	struct bundle_writer w = {
		.ws = ws, .a = a, .path = path, .options = o, .left_out = BUF_INIT
	};
	struct fs_new f;
	int rc;

	memset(out, 0, sizeof *out);
	if (workspace_place(ws)->bundle)
		return err_set(ERR_STATE, "this is a bundle already; copy the file: %s",
			workspace_place(ws)->bundle);
	if (fs_exists(path))
		return err_set(ERR_EXISTS, "%s is there already; choose another name", path);
	if ((rc = fs_new_open(&f, path)) < 0)
		return rc;
	rc = write_to(&w, &f);
	fs_new_drop(&f);
	out->sections = w.sections;
	out->bytes = rc == 0 ? fs_size(path) : 0;
	out->left_out = arena_strdup(a, w.left_out.s);
	out->n_left_out = w.n_left_out;
	buf_release(&w.left_out);
	return rc;
}
