/* state - see state.h. */
#include "config.h"

#include "workspace/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "domain/fold.h"
#include "domain/kind.h"
#include "store/projection.h"
#include "workspace/projector.h"

int state_ready(struct workspace *ws)
{
	enum projection_state state;
	int rc = projection_state(workspace_log(ws), &state);

	if (rc < 0 || state == PROJECTION_FRESH)
		return rc;
	return projection_rebuild(workspace_log(ws), NULL, NULL);
}

int state_get(struct workspace *ws, const char *type, const char *id, const struct position *at,
	      struct arena *a, void **out)
{
	struct projection_row *row;
	int rc = projection_get(workspace_log(ws), type, id, at, a, &row);

	*out = NULL;
	if (rc <= 0)
		return rc;
	rc = object_decode(out, a, type, row->state, strlen(row->state));
	return rc < 0 ? err_prefix("%s %s: ", type, id) : 1;
}

struct listing {
	const struct state_query *q;
	const char *const *members;	/* NULL: all */
	struct arena *a;
	void **rows;
	size_t n, cap;
};

static int add_row(void *user, const struct projection_row *row)
{
	struct listing *l = user;
	const char *text = row->state ? row->state : "{}";
	int rc;

	ARRAY_GROW(l->rows, l->n, l->cap);
	if (l->members)
		rc = object_decode_members(
			&l->rows[l->n], l->a, l->q->type, text, strlen(text), l->members);
	else
		rc = object_decode(&l->rows[l->n], l->a, l->q->type, text, strlen(text));
	if (rc < 0)
		return err_prefix("%s %s: ", l->q->type, row->id);
	l->n++;
	return 0;
}

int state_list(
	struct workspace *ws, const struct state_query *q, struct arena *a, void ***out, size_t *n)
{
	struct projection_query query = {
		.type = q->type, .parent = q->parent, .at = q->at, .descending = q->descending,
		.offset = q->offset, .limit = q->limit, .brief = q->brief,
	};
	struct listing l = {
		.q = q, .a = a, .members = q->brief ? projector_brief_members : q->members
	};
	int rc = projection_each(workspace_log(ws), &query, add_row, &l);

	*n = rc < 0 ? 0 : l.n;
	*out = arena_memdup(a, l.rows, *n * sizeof *l.rows);
	free(l.rows);
	return rc < 0 ? rc : 0;
}

int state_count(struct workspace *ws, const struct state_query *q, int64_t *out)
{
	struct projection_query query = { .type = q->type, .parent = q->parent, .at = q->at };

	return projection_count(workspace_log(ws), &query, out);
}

int state_migration(struct workspace *ws, const struct position *at, struct arena *a,
	struct migration_state **out)
{
	void *state;
	int rc = state_get(ws, "migration", MIGRATION_ID, at, a, &state);

	if (rc == 0)
		rc = object_decode(&state, a, "migration", "{}", 2);
	if (rc < 0)
		return rc;
	*out = state;
	return 0;
}

/* "1, 2, 3, torchtpu/1, ...": enough to see the form. */
static const char *some_attempts(struct workspace *ws, const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "attempt", .at = at, .limit = 12 };
	struct buf b = BUF_INIT;
	const char *text;
	void **rows;
	size_t n;

	if (state_list(ws, &q, a, &rows, &n) < 0)
		n = 0;
	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", ((struct attempt_state *)rows[i])->id);
	if (n == q.limit)
		buf_adds(&b, ", ...");
	text = arena_strdup(a, n ? b.s : "none yet: portside attempt refresh looks for them");
	buf_release(&b);
	return text;
}

int state_attempt(struct workspace *ws, const char *text, const struct position *at,
	struct arena *a, struct attempt_state **out)
{
	const char *id = strcmp(text, "original") == 0 ? REFERENCE_ID : text, *line;
	void *state;
	int64_t number;
	int rc;

	if (*id == '#')
		id++;
	if (text_starts(id, "attempt/"))
		id += strlen("attempt/");
	if (strcmp(id, REFERENCE_ID) != 0) {
		if (!attempt_object_parse(&number, &line, a, id))
			return err_set(ERR_USAGE,
				"\"%s\" is not an attempt; write 7, torchtpu/3 or reference", text);
		id = attempt_object_id(a, number, line);
	}
	rc = state_get(ws, "attempt", id, at, a, &state);
	if (rc < 0)
		return rc;
	if (rc == 0 && strcmp(id, REFERENCE_ID) == 0)
		rc = object_decode(
			     &state, a, "attempt", "{\"id\":\"reference\",\"n\":\"-1\"}", 27) < 0
			? err_code()
			: 1;
	if (rc == 0)
		return err_set(ERR_NOT_FOUND, "no attempt %s; there are: %s", text,
			some_attempts(ws, at, a));
	*out = state;
	return rc < 0 ? rc : 0;
}

int state_runs(struct run_state ***out, size_t *n, struct workspace *ws, const char *subject,
	       const struct position *at, struct arena *a)
{
	struct state_query q = { .type = "run", .parent = subject, .at = at };
	void **rows;
	int rc = state_list(ws, &q, a, &rows, n);

	*out = rc < 0 ? NULL : (struct run_state **)rows;
	return rc;
}

/* Who names an attempt where a run is meant learns which runs it has. */
static int no_run(struct workspace *ws, const char *text, const struct position *at,
	struct arena *a)
{
	struct attempt_state *attempt;
	struct run_state **runs;
	size_t n = 0;

	if (state_attempt(ws, text, at, a, &attempt) < 0 ||
	    state_runs(&runs, &n, ws, attempt->id, at, a) < 0 || !n)
		return err_set(ERR_NOT_FOUND, "no run %s; portside runs lists them", text);
	return err_set(ERR_NOT_FOUND, "%s is no run, but has %zu; portside runs %s lists them",
		attempt->id, n, attempt->id);
}

int state_run(struct workspace *ws, const char *text, const struct position *at, struct arena *a,
	struct run_state **out)
{
	struct state_query q = { .type = "run", .at = at };
	struct run_state *found = NULL;
	void *state, **rows;
	size_t n;
	int rc = state_get(ws, "run", text, at, a, &state);

	if (rc > 0) {
		*out = state;
		return 0;
	}
	if (rc < 0 || (rc = state_list(ws, &q, a, &rows, &n)) < 0)
		return rc;
	for (size_t i = 0; i < n && strlen(text) >= 4; i++) {
		struct run_state *run = rows[i];

		if (!text_starts(run->id, text) &&
			!(text_starts(run->id, "ps-") && text_starts(run->id + 3, text)))
			continue;
		if (found)
			return err_set(ERR_USAGE, "\"%s\" means several runs: %s and %s", text,
				found->id, run->id);
		found = run;
	}
	if (!found)
		return no_run(ws, text, at, a);
	*out = found;
	return 0;
}

static int compare_attempts(const void *x, const void *y)
{
	const struct attempt_state *a = *(struct attempt_state *const *)x,
				   *b = *(struct attempt_state *const *)y;
	int line = strcmp(a->line, b->line);

	if (line)
		return line;
	return a->n < b->n ? -1 : a->n > b->n;
}

size_t state_attempts_in_order(struct attempt_state **rows, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (rows[i]->n >= 0)
			rows[kept++] = rows[i];
	if (kept)
		qsort(rows, kept, sizeof *rows, compare_attempts);
	return kept;
}
