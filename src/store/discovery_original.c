/*
 * discovery_original - which commit is the untouched code, and how that was
 * decided.
 */
#include "config.h"
#include "store/discovery_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/repository_internal.h"

enum {
	/* So many commits above the original are known as such; a branch that
	 * left the history earlier is followed to its root. */
	BEFORE_MAX = 1000,
	/* With a guessed original, more commits than this are a project's own
	 * history rather than attempts. */
	OFFER_MAX = 500,
};

static void set_original(struct plan *p, int32_t commit, enum original_how how, const char *text)
{
	p->original = commit;
	p->out->original_how = how;
	p->out->original_text = text;
	if (commit != NO_COMMIT)
		oid_hex(p->out->original, &p->memory->commits[commit].oid);
}

static int32_t commit_of(struct plan *p, const char *hex)
{
	git_oid oid;

	return oid_parse(&oid, hex) ? memory_commit(p->memory, &oid) : NO_COMMIT;
}

static const char *find_ref(const struct plan *p, const char *name)
{
	for (size_t i = 0; i < p->refs.n; i++)
		if (strcmp(p->refs.rows[i].name, name) == 0)
			return p->refs.rows[i].oid;
	return NULL;
}

static int flag_before(struct plan *p)
{
	int32_t at = p->original;
	int rc = 0;

	for (int i = 0; i < BEFORE_MAX && at != NO_COMMIT && rc == 0; i++) {
		*plan_flags(p, at) |= COMMIT_BEFORE;
		rc = memory_read(p->memory, p->repo, at);
		at = p->memory->commits[at].parent;
	}
	return rc;
}

int plan_given_original(struct plan *p)
{
	const char *wanted = p->options->original;
	struct arena *a = &p->out->arena;
	char hex[OID_HEX + 1];
	const char *tag;

	if (wanted != NULL && *wanted != '\0') {
		if (revision_resolve(hex, p->repo, wanted) == 0) {
			set_original(p, commit_of(p, hex), ORIGINAL_CONFIGURED,
				arena_printf(a, "migration.original = %s", wanted));
			return flag_before(p);
		}
		plan_note(p, "migration.original: %s.", err_text());
		err_clear();
	}
	if ((tag = find_ref(p, "refs/tags/original")) == NULL)
		return 0;
	set_original(p, commit_of(p, tag), ORIGINAL_TAG, "tag original");
	return flag_before(p);
}

/* ---- guesses ---- */

static const struct attempt_candidate *first_attempt(const struct plan *p)
{
	const struct mark_name *names = p->memory->names;
	const struct attempt_candidate *first = &p->candidates[0];

	for (size_t i = 1; i < p->n; i++) {
		const struct mark_name *x = &names[p->candidates[i].name], *y = &names[first->name];

		if (x->n < y->n || (x->n == y->n && strcmp(x->line, y->line) < 0))
			first = &p->candidates[i];
	}
	return first;
}

static int first_parent(struct plan *p, int32_t commit, int32_t *parent)
{
	int rc = memory_read(p->memory, p->repo, commit);

	*parent = p->memory->commits[commit].parent;
	if (rc == 0 && *parent != NO_COMMIT)
		rc = memory_read(p->memory, p->repo, *parent);
	if (*parent != NO_COMMIT && p->memory->commits[*parent].missing)
		*parent = NO_COMMIT;
	return rc;
}

/* The first commit at or above AT without a mark; the root when all have one. */
static int skip_marked(struct plan *p, int32_t *at)
{
	int32_t parent;
	int rc;

	while (p->memory->commits[*at].mark >= 0) {
		if ((rc = first_parent(p, *at, &parent)) < 0)
			return rc;
		if (parent == NO_COMMIT)
			return 0;
		*at = parent;
	}
	return 0;
}

/* Where TIP left a branch that does not hold it, NO_COMMIT when all do. */
static int32_t fork_point(struct plan *p, int32_t tip)
{
	static const char *const usual[] = {
		"refs/heads/main",
		"refs/heads/master",
		"refs/remotes/origin/main",
		"refs/remotes/origin/master",
	};
	char tip_hex[OID_HEX + 1], base[OID_HEX + 1];

	oid_hex(tip_hex, &p->memory->commits[tip].oid);
	for (size_t i = 0; i <= ARRAY_LEN(usual); i++) {
		const char *other = i < ARRAY_LEN(usual) ? find_ref(p, usual[i]) : p->refs.head;

		if (other == NULL || *other == '\0')
			continue;
		if (history_merge_base(base, p->repo, other, tip_hex) < 0) {
			err_clear();
			continue;
		}
		if (strcmp(base, tip_hex) != 0)
			return commit_of(p, base);
	}
	return NO_COMMIT;
}

static int guess_before(struct plan *p)
{
	const struct attempt_candidate *first = first_attempt(p);
	int64_t n = p->memory->names[first->name].n;
	int32_t at = first->tip, parent;
	char hex[OID_HEX + 1];
	int rc = skip_marked(p, &at);

	if (rc == 0 && at == first->tip) {
		int32_t fork = fork_point(p, at);

		rc = first_parent(p, at, &parent);
		at = fork != NO_COMMIT ? fork : parent != NO_COMMIT ? parent : at;
	}
	if (rc < 0)
		return rc;
	oid_hex(hex, &p->memory->commits[at].oid);
	set_original(p, at, ORIGINAL_BEFORE_FIRST, arena_printf(&p->out->arena,
		"%.*s, the commit before attempt %lld: a guess; to fix it: git tag original %.*s",
		OID_SHORT, hex, (long long)n, OID_SHORT, hex));
	return 0;
}

static int guess_root(struct plan *p)
{
	int32_t at = p->head, parent = at;
	char hex[OID_HEX + 1];

	while (parent != NO_COMMIT) {
		int rc;

		at = parent;
		if ((rc = first_parent(p, at, &parent)) < 0)
			return rc;
	}
	oid_hex(hex, &p->memory->commits[at].oid);
	set_original(p, at, ORIGINAL_ROOT,
		arena_printf(&p->out->arena,
			"%.*s, the first commit of the current branch: a guess; to fix it: git tag original %.*s",
			OID_SHORT, hex, OID_SHORT, hex));
	return 0;
}

int plan_guessed_original(struct plan *p)
{
	if (p->original != NO_COMMIT)
		return 0;
	if (p->n > 0)
		return guess_before(p);
	if (p->head != NO_COMMIT)
		return guess_root(p);
	set_original(p, NO_COMMIT, ORIGINAL_NONE, "there is no commit yet");
	return 0;
}

/* ---- a history without marks ---- */

/* The commits of the current branch after the original, newest first. */
static int commits_after(struct plan *p, int32_t **rows, size_t *n)
{
	int32_t at = p->head;
	size_t cap = 0;
	int rc = 0;

	while (rc == 0 && at != NO_COMMIT && (*plan_flags(p, at) & COMMIT_BEFORE) == 0 &&
		at != p->original) {
		ARRAY_GROW(*rows, *n, cap);
		(*rows)[(*n)++] = at;
		rc = first_parent(p, at, &at);
	}
	return rc;
}

static void offer(struct plan *p, const int32_t *rows, size_t n)
{
	p->candidates = xreallocarray(p->candidates, n + 1, sizeof *p->candidates);
	p->cap = n + 1;
	for (size_t i = 0; i < n; i++)
		p->candidates[p->n++] = (struct attempt_candidate){
			.name = memory_name(p->memory, (int64_t)i + 1, "", 0),
			.tip = rows[n - 1 - i],
			.kind = SOURCE_COMMIT,
			.also = "",
			.source = arena_printf(&p->out->arena, "commit %zu after original", i + 1),
		};
}

int plan_offer_commits(struct plan *p)
{
	int32_t *rows = NULL;
	size_t n = 0;
	int rc;

	if (p->n > 0 || p->head == NO_COMMIT)
		return 0;
	rc = commits_after(p, &rows, &n);
	if (rc == 0 && n > OFFER_MAX && p->out->original_how == ORIGINAL_ROOT)
		plan_note(p,
			"%zu commits and no attempt is marked: tag the untouched commit with git tag original COMMIT, "
			"or mark attempts with a trailer \"Attempt: 1\".",
			n);
	else if (rc == 0)
		offer(p, rows, n);
	free(rows);
	return rc;
}
