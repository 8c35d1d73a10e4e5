/*
 * discovery_marks - tags, trailers and branches that name an attempt.
 */
#include "config.h"
#include "store/discovery_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "store/repository_internal.h"

enum {
	NUMBER_DIGITS_MAX = 9,
	/* A history without an original is walked to its root; beyond this the
	 * note says so. */
	VISIT_MAX = 500000,
};

static bool parse_number(int64_t *n, const char *s, size_t len)
{
	if (len == 0 || len > NUMBER_DIGITS_MAX || strspn(s, "0123456789") < len)
		return false;
	return text_to_i64(s, len, n);
}

bool attempt_name_parse(int64_t *n, const char **line, size_t *line_n, const char *name)
{
	static const char word[] = "attempt";
	const char *rest, *slash;

	if (!text_starts(name, word))
		return false;
	rest = name + strlen(word);
	if (*rest != '/' && *rest != '-')
		return false;
	rest++;
	*line = "";
	*line_n = 0;
	if (parse_number(n, rest, strlen(rest)))
		return true;
	slash = strrchr(rest, '/');
	if (rest[-1] != '/' || slash == NULL || slash == rest)
		return false;
	*line = rest;
	*line_n = (size_t)(slash - rest);
	return parse_number(n, slash + 1, strlen(slash + 1));
}

/* A remote's name may hold slashes, so each part is tried as the beginning. */
static bool parse_remote_name(int64_t *n, const char **line, size_t *line_n, const char *shown)
{
	for (const char *slash = strchr(shown, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		if (attempt_name_parse(n, line, line_n, slash + 1))
			return true;
	return false;
}

/* ---- which of two is newer ---- */

bool memory_descends(const struct discovery_memory *m, int32_t a, int32_t b)
{
	while (a != NO_COMMIT && a != b)
		a = m->commits[a].parent;
	return a == b;
}

static bool is_newer(const struct discovery_memory *m, int32_t a, int32_t b)
{
	if (a == b)
		return false;
	if (memory_descends(m, a, b))
		return true;
	if (memory_descends(m, b, a))
		return false;
	if (m->commits[a].committed_s != m->commits[b].committed_s)
		return m->commits[a].committed_s > m->commits[b].committed_s;
	return git_oid_cmp(&m->commits[a].oid, &m->commits[b].oid) > 0;
}

/* ---- candidates ---- */

static struct attempt_candidate *find_candidate(struct plan *p, int32_t name)
{
	if ((size_t)name >= p->cap_by_name || p->by_name[name] == 0)
		return NULL;
	return &p->candidates[p->by_name[name] - 1];
}

static void remember_candidate(struct plan *p, int32_t name)
{
	if ((size_t)name >= p->cap_by_name) {
		size_t cap = p->memory->n_names + 64;

		p->by_name = xreallocarray(p->by_name, cap, sizeof *p->by_name);
		memset(p->by_name + p->cap_by_name, 0, (cap - p->cap_by_name) * sizeof *p->by_name);
		p->cap_by_name = cap;
	}
	p->by_name[name] = (int32_t)p->n;
}

static const char *describe_source(
	struct plan *p, enum attempt_source kind, const char *source, int32_t tip)
{
	char hex[OID_HEX + 1];

	oid_hex(hex, &p->memory->commits[tip].oid);
	switch (kind) {
	case SOURCE_TAG:
		return arena_printf(&p->out->arena, "tag %s", source);
	case SOURCE_BRANCH:
		return arena_printf(&p->out->arena, "branch %s", source);
	case SOURCE_TRAILER:
	case SOURCE_COMMIT:
		break;
	}
	return arena_printf(&p->out->arena, "trailer of %.*s", OID_SHORT, hex);
}

/* The mark that lost: worth a word when it leads elsewhere. */
static void note_other(struct plan *p, struct attempt_candidate *c, const char *source, int32_t tip)
{
	char hex[OID_HEX + 1];

	if (tip == c->tip)
		return;
	oid_hex(hex, &p->memory->commits[tip].oid);
	c->also = text_starts(source, "trailer of ")
		? arena_printf(
			  &p->out->arena, "%s%s%s", c->also, *c->also != '\0' ? ", " : "", source)
		: arena_printf(&p->out->arena, "%s%s%s at %.*s", c->also,
			  *c->also != '\0' ? ", " : "", source, OID_SHORT, hex);
}

/* An earlier source keeps its tip; within a source the newest commit wins. */
static void add_mark(
	struct plan *p, int32_t name, int32_t tip, enum attempt_source kind, const char *label)
{
	struct attempt_candidate *c = find_candidate(p, name);
	const char *source;

	if (c != NULL && c->kind == kind && c->tip == tip)
		return;
	source = describe_source(p, kind, label, tip);
	if (c == NULL) {
		ARRAY_GROW(p->candidates, p->n, p->cap);
		p->candidates[p->n++] = (struct attempt_candidate){
			.name = name, .tip = tip, .kind = kind, .source = source, .also = "",
		};
		remember_candidate(p, name);
	} else if (c->kind != kind) {
		note_other(p, c, source, tip);
	} else if (is_newer(p->memory, tip, c->tip)) {
		const char *old = c->source;
		int32_t old_tip = c->tip;

		c->tip = tip;
		c->source = source;
		if (kind != SOURCE_TRAILER)
			note_other(p, c, old, old_tip);
	} else if (kind != SOURCE_TRAILER) {
		note_other(p, c, source, tip);
	}
}

/* ---- references ---- */

static int ref_commit(struct plan *p, const struct ref *ref, int32_t *commit)
{
	git_oid oid;

	if (!oid_parse(&oid, ref->oid))
		return err_set(ERR_GIT, "reference %s leads to no commit", ref->name);
	*commit = memory_commit(p->memory, &oid);
	return memory_read(p->memory, p->repo, *commit);
}

static bool ref_mark(int64_t *n, const char **line, size_t *line_n, const struct ref *ref)
{
	if (ref->kind == REF_REMOTE)
		return parse_remote_name(n, line, line_n, ref->shown);
	return attempt_name_parse(n, line, line_n, ref->shown);
}

static int mark_refs(struct plan *p, enum attempt_source kind)
{
	for (size_t i = 0; i < p->refs.n; i++) {
		const struct ref *ref = &p->refs.rows[i];
		const char *line;
		size_t line_n;
		int64_t n;
		int32_t commit;
		int rc;

		if ((ref->kind == REF_TAG) != (kind == SOURCE_TAG) ||
			!ref_mark(&n, &line, &line_n, ref))
			continue;
		if ((rc = ref_commit(p, ref, &commit)) < 0)
			return rc;
		add_mark(p, memory_name(p->memory, n, line, line_n), commit, kind, ref->shown);
	}
	return 0;
}

/* ---- trailers ---- */

struct walk {
	struct plan *plan;
	int32_t *starts;		/* where lines start */
	size_t n, cap;
	int32_t *line_of_name;		/* the last line, from 1, that carried a mark */
	size_t cap_names;
};

static void add_start(struct walk *w, int32_t commit)
{
	ARRAY_GROW(w->starts, w->n, w->cap);
	w->starts[w->n++] = commit;
}

/* Within a line the first commit with a mark is the newest, so older ones with
 * the same mark need no comparison. */
static bool is_first_in_line(struct walk *w, int32_t name, int32_t line)
{
	if ((size_t)name >= w->cap_names) {
		size_t cap = w->plan->memory->n_names * 2;

		w->line_of_name = xreallocarray(w->line_of_name, cap, sizeof *w->line_of_name);
		memset(w->line_of_name + w->cap_names, 0,
			(cap - w->cap_names) * sizeof *w->line_of_name);
		w->cap_names = cap;
	}
	if (w->line_of_name[name] == line)
		return false;
	w->line_of_name[name] = line;
	return true;
}

static int visit(struct walk *w, int32_t at, int32_t line)
{
	struct plan *p = w->plan;
	const struct known_commit *c;
	int rc = memory_read(p->memory, p->repo, at);

	if (rc < 0)
		return rc;
	if (plan_is_cancelled(p))
		return err_set(ERR_CANCELLED, "cancelled");
	*plan_flags(p, at) |= COMMIT_VISITED;
	p->visited++;
	c = &p->memory->commits[at];
	for (int32_t i = 0; i < c->n_merged; i++)
		add_start(w, c->merged[i]);
	if (c->mark >= 0 && is_first_in_line(w, c->mark, line))
		add_mark(p, c->mark, at, SOURCE_TRAILER, "");
	return 0;
}

/* Follows first parents, the other parents of merges are put aside as starts of
 * lines of their own: a merged branch may be gone by name. */
static int walk_line(struct walk *w, int32_t at, int32_t line)
{
	struct plan *p = w->plan;
	int rc = 0;

	while (rc == 0 && at != NO_COMMIT && p->visited <= VISIT_MAX &&
	       (*plan_flags(p, at) & (COMMIT_VISITED | COMMIT_BEFORE)) == 0) {
		rc = visit(w, at, line);
		at = p->memory->commits[at].parent;
	}
	return rc;
}

static int add_starts(struct walk *w)
{
	struct plan *p = w->plan;

	if (p->head != NO_COMMIT)
		add_start(w, p->head);
	for (size_t i = 0; i < p->refs.n; i++) {
		int32_t commit;
		int rc;

		if (p->refs.rows[i].kind == REF_TAG)
			continue;
		if ((rc = ref_commit(p, &p->refs.rows[i], &commit)) < 0)
			return rc;
		add_start(w, commit);
	}
	/* A marked commit that only a tag keeps is looked for from the tag. */
	for (size_t i = 0; i < p->n; i++)
		add_start(w, p->candidates[i].tip);
	return 0;
}

static int mark_trailers(struct plan *p)
{
	struct walk w = { .plan = p };
	int rc = add_starts(&w);

	for (size_t i = 0; i < w.n && rc == 0; i++)
		rc = walk_line(&w, w.starts[i], (int32_t)i + 1);
	if (p->visited > VISIT_MAX)
		plan_note(p,
			"Only %d commits were looked at; set migration.original to the untouched commit.",
			VISIT_MAX);
	free(w.starts);
	free(w.line_of_name);
	return rc;
}

int plan_find_marks(struct plan *p)
{
	int rc;

	if ((rc = mark_refs(p, SOURCE_TAG)) < 0 || (rc = mark_trailers(p)) < 0)
		return rc;
	return mark_refs(p, SOURCE_BRANCH);
}
