/* changes_list - see changes_list.h. */
#include "config.h"

#include "workspace/changes_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/err.h"
#include "store/keyed_file.h"
#include "store/projection.h"
#include "workspace/state.h"

/* ---- bytes of the derived files ------------------------------------------------ */

/* With its NUL, so that it is used where it lies. */
static void put_text(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s) + 1);
}

static const char *take_text(struct bytes *c)
{
	const char *end = c->bad ? NULL : memchr(c->s, '\0', c->n);
	const char *text = end ? bytes_take(c, (size_t)(end - c->s) + 1) : NULL;

	if (!text)
		c->bad = true;
	return text ? text : "";
}

/* Reads the file of KEY into A. */
static bool read_file(struct bytes *out, struct workspace *ws, const char *name,
	const struct digest *key, struct arena *a)
{
	struct buf b = BUF_INIT;
	bool found = keyed_file_read(&b, workspace_path(ws, a, name), key);

	if (found)
		*out = (struct bytes){ .s = arena_memdup(a, b.s, b.n), .n = b.n };
	buf_release(&b);
	return found;
}

static void write_file(struct workspace *ws, const char *name, const struct digest *key,
	const struct buf *b, struct arena *a)
{
	if (!workspace_read_only(ws))
		keyed_file_write(workspace_path(ws, a, name), key, b->s, b->n);
}

/* ---- the attempts ---------------------------------------------------------------- */

struct attempts {
	struct attempt_state **rows;
	size_t n;
	const char *original;
};

static const char attempts_name[] = "cache/attempts";

static int read_views(
	struct attempts *out, struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "attempt", .at = at, .brief = true };
	struct migration_state *m;
	void **rows;
	size_t n;
	int rc;

	if ((rc = state_migration(ws, at, a, &m)) < 0 ||
		(rc = state_list(ws, &q, a, &rows, &n)) < 0)
		return rc;
	out->original = m->original;
	out->rows = (struct attempt_state **)rows;
	out->n = state_attempts_in_order(out->rows, n);
	return 0;
}

static void keep_attempts(struct workspace *ws, const struct attempts *list,
	const struct digest *key, struct arena *a)
{
	struct buf b = BUF_INIT;

	put_text(&b, list->original);
	bytes_put_i64(&b, (int64_t)list->n);
	for (size_t i = 0; i < list->n; i++) {
		const struct attempt_state *s = list->rows[i];

		buf_addc(&b, s->environment_only ? 1 : 0);
		put_text(&b, s->id);
		put_text(&b, s->tip);
		put_text(&b, s->base);
	}
	write_file(ws, attempts_name, key, &b, a);
	buf_release(&b);
}

static bool take_attempts(struct attempts *out, struct bytes *c, struct arena *a)
{
	struct attempt_state *states;
	size_t n;

	out->original = take_text(c);
	n = (size_t)bytes_take_i64(c);
	if (c->bad || n > c->n)
		return false;
	states = arena_alloc(a, n * sizeof *states);
	out->rows = arena_alloc(a, n * sizeof(struct attempt_state *));
	for (out->n = 0; out->n < n && !c->bad; out->n++) {
		struct attempt_state *s = out->rows[out->n] = &states[out->n];
		const char *flag = bytes_take(c, 1);

		s->environment_only = flag && *flag;
		s->id = take_text(c);
		s->tip = take_text(c);
		s->base = take_text(c);
	}
	return !c->bad && c->n == 0;
}

static int read_attempts(struct attempts *out, struct workspace *ws, const struct position *at,
	const struct digest *key, struct arena *a)
{
	struct bytes c;
	int rc;

	if (key && read_file(&c, ws, attempts_name, key, a) && take_attempts(out, &c, a))
		return 0;
	memset(out, 0, sizeof *out);
	rc = read_views(out, ws, at, a);
	if (rc == 0 && key)
		keep_attempts(ws, out, key, a);
	return rc;
}

/* ---- the figures ------------------------------------------------------------------ */

static const char *figures_name(int flags)
{
	return flags & CHANGES_PREVIOUS_ONLY ? "cache/churn-previous" : "cache/churn-both";
}

static void put_totals(struct buf *b, const struct change_totals *t)
{
	buf_addc(b, t->known ? 1 : 0);
	put_text(b, t->reason);
	if (!t->known)
		return;
	bytes_put_i64(b, (int64_t)t->files);
	bytes_put_i64(b, t->added);
	bytes_put_i64(b, t->removed);
	bytes_put_i64(b, (int64_t)t->binaries);
}

static void take_totals(struct change_totals *t, struct bytes *c)
{
	const char *known = bytes_take(c, 1);

	t->known = known && *known;
	t->reason = take_text(c);
	if (!t->known)
		return;
	t->files = (size_t)bytes_take_i64(c);
	t->added = bytes_take_i64(c);
	t->removed = bytes_take_i64(c);
	t->binaries = (size_t)bytes_take_i64(c);
}

static void keep_figures(struct workspace *ws, const struct changes_list *list, int flags,
	const struct digest *key, struct arena *a)
{
	struct buf b = BUF_INIT;

	bytes_put_i64(&b, (int64_t)list->n);
	for (size_t i = 0; i < list->n; i++) {
		buf_addc(&b, list->rows[i].environment_only ? 1 : 0);
		put_text(&b, list->rows[i].id);
		put_totals(&b, &list->rows[i].changes.previous);
		put_totals(&b, &list->rows[i].changes.original);
	}
	write_file(ws, figures_name(flags), key, &b, a);
	buf_release(&b);
}

static bool take_figures(struct changes_list *out, struct bytes *c, struct arena *a)
{
	size_t n = (size_t)bytes_take_i64(c);

	if (c->bad || n > c->n)
		return false;
	out->rows = arena_alloc(a, n * sizeof *out->rows);
	for (out->n = 0; out->n < n && !c->bad; out->n++) {
		struct changes_row *row = &out->rows[out->n];
		const char *flag = bytes_take(c, 1);

		row->environment_only = flag && *flag;
		row->id = take_text(c);
		take_totals(&row->changes.previous, c);
		take_totals(&row->changes.original, c);
	}
	return !c->bad && c->n == 0;
}

/* What is missing now may be here tomorrow, and is asked for again.  Where the
 * log names no commit there are no figures for good. */
static bool is_final(const struct attempt_state *s, const char *original,
	const struct attempt_changes *c, int flags)
{
	if (!oid_is_valid(s->tip))
		return true;
	if (!c->previous.known && oid_is_valid(s->base))
		return false;
	return flags & CHANGES_PREVIOUS_ONLY || c->original.known || !oid_is_valid(original);
}

static int count(struct changes_list *out, struct workspace *ws, const struct attempts *list,
	int flags, const struct digest *key, const atomic_bool *cancel, struct arena *a)
{
	struct attempt_changes *changes = arena_alloc(a, list->n * sizeof *changes);
	bool final = !(flags & (CHANGES_NONE | CHANGES_CACHED_ONLY));
	int rc = 0;

	if (!(flags & CHANGES_NONE))
		rc = changes_of(
			&changes, ws, list->rows, list->n, list->original, flags, cancel, a);
	if (rc < 0)
		return rc;
	out->rows = arena_alloc(a, list->n * sizeof *out->rows);
	for (out->n = 0; out->n < list->n; out->n++) {
		const struct attempt_state *s = list->rows[out->n];

		out->rows[out->n] =
			(struct changes_row){ s->id, s->environment_only, changes[out->n] };
		final = final && is_final(s, list->original, &changes[out->n], flags);
	}
	if (key && final)
		keep_figures(ws, out, flags, key, a);
	return 0;
}

int changes_list_read(struct changes_list *out, struct workspace *ws, const struct position *at,
	int flags, const atomic_bool *cancel, struct arena *a)
{
	struct attempts list = { 0 };
	struct digest key;
	struct bytes c;
	int keyed = at ? 0 : projection_key(workspace_log(ws), &key), rc;

	memset(out, 0, sizeof *out);
	if (keyed < 0)
		return keyed;
	if (keyed && !(flags & CHANGES_NONE) && read_file(&c, ws, figures_name(flags), &key, a) &&
		take_figures(out, &c, a))
		return 0;
	memset(out, 0, sizeof *out);
	rc = read_attempts(&list, ws, at, keyed ? &key : NULL, a);
	return rc < 0 ? rc : count(out, ws, &list, flags, keyed ? &key : NULL, cancel, a);
}
