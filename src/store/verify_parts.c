/* Checks what hangs on the events: texts, views, and an anchor held elsewhere. */
#include "config.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/blob.h"
#include "store/verify_internal.h"

enum { BLOB_SLICE = 100 };
enum { VIEW_TRIES = 3 };		/* others may write while the views are compared */

static void check_blob(struct verify *v, const struct blob_record *r)
{
	struct digest actual;
	char hex[DIGEST_HEX + 1];

	v->report->blobs++;
	if (!r->bytes) {
		v->report->blobs_withheld++;
		return;
	}
	actual = blob_digest(r->salt, r->salt_n, r->bytes, r->n);
	digest_hex(hex, &r->digest);
	if (!digest_equal(&actual, &r->digest))
		verify_find(v, VERIFY_BLOB, true, NULL,
			"the text %.12s was changed: it does not match "
			"its digest",
			hex);
}

int verify_blobs(struct verify *v)
{
	struct arena a = ARENA_INIT;
	struct blob_record *r;
	struct digest after;
	size_t n, i;
	int rc;

	memset(&after, 0, sizeof after);
	do {
		rc = blob_records(v->log, &after, BLOB_SLICE, &a, &r, &n);
		for (i = 0; i < n && !rc; i++)
			check_blob(v, &r[i]);
		if (n)
			after = r[n - 1].digest;
		arena_release(&a);
	} while (!rc && n == BLOB_SLICE);
	return rc;
}

/* What deflating gives is zlib's own affair: whole texts are compared as texts. */
#define VERSION_COLUMNS "type, id, position, parent, sort, whole_text(state)"
#define CURRENT_COLUMNS "type, id, position, parent, sort, chain, brief, whole_text(state)"
#define SLOT_COLUMNS "type, parent, sort, id, first, until"
#define IN_USE " WHERE gen = (SELECT gen FROM main.stamp WHERE role = 1)"

/* SQL's whole_text(): the text of a whole version, anything else as it is. */
static void whole_text(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct version_coder *coder = sqlite3_user_data(context);
	const void *bytes = sqlite3_value_blob(values[0]);
	size_t bytes_n = (size_t)sqlite3_value_bytes(values[0]);
	struct buf text = BUF_INIT;

	(void)n;
	if (!bytes_n || version_is_older(bytes, bytes_n) ||
		version_take(&text, coder, bytes, bytes_n, NULL, 0) < 0) {
		err_clear();
		sqlite3_result_value(context, values[0]);
	} else {
		sqlite3_result_blob64(context, text.s, text.n, SQLITE_TRANSIENT);
	}
	buf_release(&text);
}

static int add_whole_text(struct log *log)
{
	int rc = sqlite3_create_function_v2(log->db.db, "whole_text", 1,
		SQLITE_UTF8 | SQLITE_DETERMINISTIC, log->coder, whole_text, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : database_fail(&log->db, "preparing to compare views");
}

/*
 * The views in the file (main) against views of the same events folded anew in
 * memory (temp).  -1 in COUNT: not the same events at this moment.
 */
static int compare_views(struct database *d, int64_t *count)
{
	static const char same[] =
		"SELECT count(*) FROM main.stamp m JOIN temp.stamp t ON t.role = 1"
		" WHERE m.role = 1 AND m.row = t.row";
	static const char differ[] =
		"SELECT (SELECT count(*) FROM (SELECT " VERSION_COLUMNS " FROM main.version" IN_USE
		" EXCEPT SELECT " VERSION_COLUMNS " FROM temp.version))"
		" + (SELECT count(*) FROM (SELECT " VERSION_COLUMNS " FROM temp.version"
		" EXCEPT SELECT " VERSION_COLUMNS " FROM main.version" IN_USE "))"
		" + (SELECT count(*) FROM (SELECT " CURRENT_COLUMNS " FROM main.current" IN_USE
		" EXCEPT SELECT " CURRENT_COLUMNS " FROM temp.current))"
		" + (SELECT count(*) FROM (SELECT " SLOT_COLUMNS " FROM main.slot" IN_USE
		" EXCEPT SELECT " SLOT_COLUMNS " FROM temp.slot))"
		" + (SELECT count(*) FROM main.stamp m JOIN temp.stamp t ON t.role = 1"
		" WHERE m.role = 1 AND m.digest <> t.digest)";
	bool began;
	int rc;

	if (database_read_begin(d, &began) < 0)
		return err_code();
	rc = database_i64(d, same, count);
	if (!rc && !*count)
		*count = -1;
	else if (!rc)
		rc = database_i64(d, differ, count);
	database_read_end(d, began);
	return rc;
}

static int fold_and_compare(struct verify *v, struct log *other, int64_t *count)
{
	int tries;

	*count = -1;
	if (projection_leave_file(other) < 0 || add_whole_text(other) < 0)
		return err_code();
	for (tries = 0; tries < VIEW_TRIES && *count < 0; tries++)
		if (projection_rebuild(other, v->options->progress, v->options->user) < 0 ||
		    compare_views(&other->db, count) < 0)
			return err_code();
	return 0;
}

int verify_projections(struct verify *v)
{
	struct log_options o = { .read_only = true, .projector = v->log->projector };
	enum projection_state state;
	struct log *other;
	int64_t count;
	int rc;

	if (!v->log->projector)
		return 0;
	if (projection_state(v->log, &state) < 0)
		return err_code();
	if (v->log->own_projections || state == PROJECTION_NONE || state == PROJECTION_STALE) {
		verify_find(v, VERIFY_PROJECTION, false, NULL,
			"the views have yet to be built from all "
			"events, so they were not compared");
		return 0;
	}
	if (log_open(&other, v->log->folder, &o) < 0)
		return err_code();
	rc = fold_and_compare(v, other, &count);
	log_close(other);
	if (rc < 0)
		return rc;
	if (count < 0)
		verify_find(v, VERIFY_PROJECTION, false, NULL,
			"events arrived all the time, so the views "
			"were not compared");
	else if (count)
		verify_find(v, VERIFY_PROJECTION, true, NULL,
			"%" PRId64 " rows of the views are not what "
			"the events say; rebuild them",
			count);
	return 0;
}

/* The head digest of the first N events in the order of SQL. */
static int digest_of_first(struct verify *v, const char *sql, int64_t count, struct digest *out)
{
	struct digest *ids = xcalloc((size_t)count + 1, sizeof *ids);
	sqlite3_stmt *st;
	size_t n = 0;
	int rc = database_statement(&v->log->db, sql, &st);

	if (!rc) {
		bind_i64(st, 1, count);
		while ((rc = database_step(&v->log->db, st)) > 0)
			n += column_digest(st, 0, &ids[n]);
	}
	*out = event_head_digest(ids, n);
	free(ids);
	return rc;
}

/* All ids from HEAD back to the first of its chain, after N in IDS. */
static int walk_back(struct verify *v, struct digest id, struct digest *ids, size_t max, size_t *n)
{
	sqlite3_stmt *st;
	int rc;

	while (*n < max) {
		if (database_statement(&v->log->db, "SELECT prev FROM event WHERE id = ?", &st) < 0)
			return err_code();
		bind_digest(st, 1, &id);
		rc = database_step(&v->log->db, st);
		if (rc <= 0)
			return rc;
		ids[(*n)++] = id;
		rc = column_digest(st, 0, &id);
		sqlite3_reset(st);
		if (!rc)
			return 0;
	}
	return 0;
}

/* The digest of what a checkpoint event says: its heads, an id for each replica,
 * and all before them. */
static int digest_of_heads(
	struct verify *v, const struct event *e, int64_t count, struct digest *out)
{
	struct digest *ids = xcalloc((size_t)count + 1, sizeof *ids);
	const struct json *heads = json_get(e->data, "heads"), *h;
	struct digest head;
	size_t n = 0;
	int rc = 0;

	for (h = heads && heads->type == JSON_OBJECT ? heads->first : NULL; h && !rc; h = h->next)
		if (h->type == JSON_STRING && digest_from_hex(&head, h->text))
			rc = walk_back(v, head, ids, (size_t)count, &n);
	*out = event_head_digest(ids, n);
	free(ids);
	return rc;
}

/* 1 when a checkpoint of this log made the anchor and its events are here. */
static int matches_checkpoint(struct verify *v, bool *known)
{
	const struct verify_options *o = v->options;
	struct event_query q = { .kind = "checkpoint.published" };
	struct arena a = ARENA_INIT;
	char hex[DIGEST_HEX + 1];
	struct event **events;
	struct digest d;
	size_t n, i;
	int rc;

	digest_hex(hex, o->anchor);
	rc = log_events(v->log, &q, &a, &events, &n);
	for (i = 0; i < n && !rc; i++) {
		if (strcmp(json_str(events[i]->data, "digest", ""), hex))
			continue;
		*known = true;
		rc = digest_of_heads(v, events[i], o->anchor_count, &d);
		if (!rc && digest_equal(&d, o->anchor))
			rc = 1;
	}
	arena_release(&a);
	return rc;
}

static int matches_anchor(struct verify *v, bool *known)
{
	static const char *const orders[] = {
		"SELECT id FROM event ORDER BY row LIMIT ?",
		"SELECT id FROM event ORDER BY lamport, replica, seq, id LIMIT ?",
	};
	struct digest d;
	size_t i;

	for (i = 0; i < ARRAY_LEN(orders); i++) {
		if (digest_of_first(v, orders[i], v->options->anchor_count, &d) < 0)
			return err_code();
		if (digest_equal(&d, v->options->anchor))
			return 1;
	}
	return matches_checkpoint(v, known);
}

/*
 * An anchor is a digest over a set of events that only its count names.  It was
 * made of what one clone had then: what arrived first here, or came first in
 * order, or what a checkpoint names.
 */
int verify_anchored(struct verify *v)
{
	const struct verify_options *o = v->options;
	bool known = false;
	int rc;

	if (o->anchor_count < 0 || o->anchor_count > v->total) {
		v->report->anchor = ANCHOR_REFUTED;
		verify_find(v, VERIFY_ANCHOR, true, NULL,
			"the anchor was made of %" PRId64 " events and %" PRId64
			" are here: some were cut off, or have yet to be synchronised",
			o->anchor_count, v->total);
		return 0;
	}
	rc = matches_anchor(v, &known);
	if (rc < 0)
		return rc;
	v->report->anchor = rc ? ANCHOR_CONFIRMED :
			    known || v->report->replicas <= 1 ? ANCHOR_REFUTED : ANCHOR_UNKNOWN;
	if (v->report->anchor == ANCHOR_REFUTED)
		verify_find(v, VERIFY_ANCHOR, true, NULL,
			"the first %" PRId64 " events are not those that "
			"the anchor was made of: history was changed",
			o->anchor_count);
	if (v->report->anchor == ANCHOR_UNKNOWN)
		verify_find(v, VERIFY_ANCHOR, false, NULL,
			"no checkpoint here names the %" PRId64
			" events of the anchor, and the order of several replicas does not tell "
			"which they were",
			o->anchor_count);
	return 0;
}
