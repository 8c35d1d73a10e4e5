/*
 * discovery_rows - where each attempt begins, what was before it, and the rows.
 */
#include "config.h"
#include "store/discovery_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/repository_internal.h"

enum { UNKNOWN = -2, OUTSIDE = -3 /* reached the root without meeting a stop */ };

struct bases {
	struct plan *plan;
	int32_t *tips;			/* last candidate at a commit, -1: none */
	int32_t *nearest;		/* the stop at or above a commit; UNKNOWN, OUTSIDE */
	size_t n;			/* commits with room in both */
	int32_t *path;			/* scratch */
	size_t cap_path;
};

static const struct mark_name *name_of(const struct plan *p, const struct attempt_candidate *c)
{
	return &p->memory->names[c->name];
}

static int compare_candidates(const void *a, const void *b, void *user)
{
	const struct mark_name *x = name_of(user, a), *y = name_of(user, b);
	int order = strcmp(x->line, y->line);

	return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

/* Reading adds parents to the memory, so room is made as it grows. */
static void make_room(struct bases *b)
{
	size_t want = b->plan->memory->n;

	if (b->n >= want)
		return;
	want += want / 2;
	b->tips = xreallocarray(b->tips, want, sizeof *b->tips);
	b->nearest = xreallocarray(b->nearest, want, sizeof *b->nearest);
	for (size_t i = b->n; i < want; i++) {
		b->tips[i] = -1;
		b->nearest[i] = UNKNOWN;
	}
	b->n = want;
}

static void index_tips(struct bases *b)
{
	struct plan *p = b->plan;

	make_room(b);
	for (size_t i = 0; i < p->n; i++) {
		struct attempt_candidate *c = &p->candidates[i];

		c->same_tip = b->tips[c->tip];
		b->tips[c->tip] = (int32_t)i;
	}
}

static bool is_stop(struct bases *b, int32_t at)
{
	return at == b->plan->original || b->tips[at] >= 0 ||
		(*plan_flags(b->plan, at) & COMMIT_BEFORE) != 0;
}

/* The nearest stop at or above AT; every commit on the way learns it, so that
 * many attempts on one long history cost its length once. */
static int find_nearest(struct bases *b, int32_t at, int32_t *found)
{
	struct plan *p = b->plan;
	size_t n = 0;
	int rc;

	*found = OUTSIDE;
	while (at != NO_COMMIT) {
		if ((rc = memory_read(p->memory, p->repo, at)) < 0)
			return rc;
		make_room(b);
		if (p->memory->commits[at].missing)
			break;
		if (is_stop(b, at) || b->nearest[at] != UNKNOWN) {
			*found = is_stop(b, at) ? at : b->nearest[at];
			break;
		}
		ARRAY_GROW(b->path, n, b->cap_path);
		b->path[n++] = at;
		at = p->memory->commits[at].parent;
	}
	while (n > 0)
		b->nearest[b->path[--n]] = *found;
	return 0;
}

static int base_outside(struct bases *b, struct found_attempt *row)
{
	const char *original = b->plan->out->original;
	int rc = ERR_NOT_FOUND;

	if (*original != '\0')
		rc = history_merge_base(row->base, b->plan->repo, original, row->tip);
	if (rc < 0 && rc != ERR_NOT_FOUND)
		return rc;
	row->base_kind = rc == 0 ? BASE_MERGE_BASE : BASE_NONE;
	err_clear();
	return 0;
}

/* Of the attempts at commit AT, the one of LINE, else the last one. */
static const struct attempt_candidate *tip_on_line(
	const struct bases *b, int32_t at, const char *line)
{
	const struct plan *p = b->plan;

	for (int32_t i = b->tips[at]; i >= 0; i = p->candidates[i].same_tip)
		if (strcmp(name_of(p, &p->candidates[i])->line, line) == 0)
			return &p->candidates[i];
	return b->tips[at] >= 0 ? &p->candidates[b->tips[at]] : NULL;
}

static void set_base(struct bases *b, struct found_attempt *row, int32_t at)
{
	const struct plan *p = b->plan;
	const struct attempt_candidate *before = tip_on_line(b, at, row->line);

	oid_hex(row->base, &p->memory->commits[at].oid);
	row->base_kind = at == p->original ? BASE_ORIGINAL
		: before != NULL           ? BASE_TIP
					   : BASE_MERGE_BASE;
	if (before != NULL && at != p->original) {
		row->previous = name_of(p, before)->n;
		row->previous_line = name_of(p, before)->line;
	}
}

/* Several attempts may share a commit (a change of the environment alone): each
 * begins at the one before it. */
static int fill_base(struct bases *b, struct found_attempt *row, size_t i)
{
	struct plan *p = b->plan;
	const struct attempt_candidate *c = &p->candidates[i];
	int32_t found;
	int rc;

	if (c->same_tip >= 0 || c->tip == p->original) {
		set_base(b, row, c->tip);
		if (c->same_tip >= 0) {
			row->base_kind = BASE_TIP;
			row->previous = name_of(p, &p->candidates[c->same_tip])->n;
			row->previous_line = name_of(p, &p->candidates[c->same_tip])->line;
		}
		return 0;
	}
	if ((rc = memory_read(p->memory, p->repo, c->tip)) < 0 ||
	    (rc = find_nearest(b, p->memory->commits[c->tip].parent, &found)) < 0)
		return rc;
	if (found == OUTSIDE)
		return base_outside(b, row);
	set_base(b, row, found);
	return 0;
}

static const char *or_empty(const char *s)
{
	return s != NULL ? s : "";
}

/* "L3 @v5e-4" -> "L3", "v5e-4". */
static void split_level(
	struct arena *a, const char *value, const char **level, const char **configuration)
{
	const char *at = strchr(or_empty(value), '@');
	size_t n = at != NULL ? (size_t)(at - value) : strlen(or_empty(value));

	while (n > 0 && (value[n - 1] == ' ' || value[n - 1] == '\t'))
		n--;
	*level = n > 0 ? arena_strndup(a, value, n) : "";
	*configuration = at != NULL ? at + 1 + strspn(at + 1, " \t") : "";
}

static int fill_commit(struct plan *p, struct found_attempt *row)
{
	struct arena *a = &p->out->arena;
	struct commit_info c;
	int rc = history_commit(&c, a, p->repo, row->tip);

	if (rc < 0)
		return rc;
	row->subject = c.subject;
	row->author = c.author;
	row->committed_ns = c.committed_ns;
	split_level(a, trailer_find(c.trailers, c.n_trailers, "Expected-Level"),
			&row->expected, &row->expected_configuration);
	split_level(a, trailer_find(c.trailers, c.n_trailers, "Claimed-Level"),
			&row->claimed, &row->claimed_configuration);
	row->cause = or_empty(trailer_find(c.trailers, c.n_trailers, "Failure-Cause"));
	row->silent = or_empty(trailer_find(c.trailers, c.n_trailers, "Failure-Silent"));
	row->claimed_cause = or_empty(trailer_find(c.trailers, c.n_trailers, "Claimed-Cause"));
	return 0;
}

static int fill_row(struct bases *b, size_t i)
{
	struct plan *p = b->plan;
	const struct attempt_candidate *c = &p->candidates[i];
	struct found_attempt *row = &p->out->rows[i];
	int rc;

	*row = (struct found_attempt){
		.n = name_of(p, c)->n, .line = arena_strdup(&p->out->arena, name_of(p, c)->line),
		.previous = -1, .previous_line = "",
		.source_kind = c->kind, .source = c->source, .also = c->also,
	};
	oid_hex(row->tip, &p->memory->commits[c->tip].oid);
	if ((rc = fill_base(b, row, i)) < 0 || (rc = fill_commit(p, row)) < 0)
		return rc;
	if (row->previous < 0 && i > 0 && strcmp(row[-1].line, row->line) == 0) {
		row->previous = row[-1].n;
		row->previous_line = row[-1].line;
	}
	row->previous_line = arena_strdup(&p->out->arena, row->previous_line);
	return 0;
}

/* ---- vanished tips ---- */

static const struct found_attempt *find_row(const struct discovery *d, int64_t n, const char *line)
{
	size_t low = 0, high = d->n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct found_attempt *row = &d->rows[middle];
		int order = strcmp(row->line, line);

		if (order == 0)
			order = (row->n > n) - (row->n < n);
		if (order == 0)
			return row;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static bool is_gone(struct plan *p, const struct known_tip *known)
{
	const struct found_attempt *row = find_row(p->out, known->n, known->line);
	int rc;

	if (row == NULL)
		return true;
	if (strcmp(row->tip, known->tip) == 0)
		return false;
	rc = history_is_ancestor(p->repo, known->tip, row->tip);
	if (rc < 0)
		err_clear();
	return rc != 1;
}

static void find_gone(struct plan *p)
{
	const struct discovery_options *o = p->options;
	struct discovery *d = p->out;

	d->gone = arena_alloc(&d->arena, (o->n_known + 1) * sizeof *d->gone);
	for (size_t i = 0; i < o->n_known; i++)
		if (is_gone(p, &o->known[i]))
			d->gone[d->n_gone++] = i;
}

int plan_fill_rows(struct plan *p)
{
	struct bases b = { .plan = p };
	int rc = 0;

	if (p->n > 1)
		qsort_r(p->candidates, p->n, sizeof *p->candidates, compare_candidates, p);
	index_tips(&b);
	p->out->rows = arena_alloc(&p->out->arena, (p->n + 1) * sizeof *p->out->rows);
	for (size_t i = 0; i < p->n && rc == 0; i++) {
		if (plan_is_cancelled(p))
			rc = err_set(ERR_CANCELLED, "cancelled");
		else
			rc = fill_row(&b, i);
		p->out->n = i + 1;
	}
	free(b.tips);
	free(b.nearest);
	free(b.path);
	if (rc == 0)
		find_gone(p);
	return rc;
}
