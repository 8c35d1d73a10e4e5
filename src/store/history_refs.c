/*
 * history_refs - branches, pull requests and tags, and a digest of them all.
 */
#include "config.h"
#include "store/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/repository_internal.h"

struct ref_space {
	const char *prefix, *suffix;
	enum ref_kind kind;
	const char *shown;		/* put before what is left of the name */
};

static const struct ref_space spaces[] = {
	{ "refs/heads/", "", REF_BRANCH, "" },
	{ "refs/remotes/", "", REF_REMOTE, "" },
	{ "refs/pull/", "/head", REF_PULL, "pull/" },
	{ "refs/pull-requests/", "/from", REF_PULL, "pull-requests/" },
	{ "refs/merge-requests/", "/head", REF_PULL, "merge-requests/" },
	{ "refs/tags/", "", REF_TAG, "" },
};

static const struct ref_space *find_space(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(spaces); i++)
		if (text_starts(name, spaces[i].prefix) && text_ends(name, spaces[i].suffix))
			return &spaces[i];
	return NULL;
}

static char *shown_name(struct arena *a, const struct ref_space *space, const char *name)
{
	const char *rest = name + strlen(space->prefix);
	size_t n = strlen(rest) - strlen(space->suffix);

	return arena_printf(a, "%s%.*s", space->shown, (int)n, rest);
}

static int compare_refs(const void *a, const void *b)
{
	const struct ref *x = a, *y = b;

	return strcmp(x->name, y->name);
}

struct collector {
	struct ref_list *out;
	git_odb *odb;
	size_t cap;
};

/* The commit that REF leads to.  Branches name it themselves, so that a look at
 * the object's header is enough: ten thousand of them are read on every look. */
static bool find_commit(git_oid *out, struct collector *c, git_reference *ref, enum ref_kind kind)
{
	const git_oid *target = git_reference_target(ref);
	git_object_t type = GIT_OBJECT_INVALID;
	git_object *commit = NULL;
	size_t n;

	if (kind != REF_TAG && target != NULL) {
		*out = *target;
		return git_odb_read_header(&n, &type, c->odb, target) == 0 &&
			type == GIT_OBJECT_COMMIT;
	}
	if (git_reference_peel(&commit, ref, GIT_OBJECT_COMMIT) < 0)
		return false;
	*out = *git_object_id(commit);
	git_object_free(commit);
	return true;
}

static void collect(struct collector *c, git_reference *ref)
{
	const char *name = git_reference_name(ref);
	const struct ref_space *space = find_space(name);
	struct ref_list *l = c->out;
	git_oid commit;

	/* REMOTE/HEAD repeats a branch under a name that nobody wrote. */
	if (space == NULL || (space->kind == REF_REMOTE && text_ends(name, "/HEAD")))
		return;
	if (!find_commit(&commit, c, ref, space->kind)) {
		l->broken++;
		return;
	}
	ARRAY_GROW(l->rows, l->n, c->cap);
	l->rows[l->n] = (struct ref){
		.name = arena_strdup(&l->arena, name),
		.shown = shown_name(&l->arena, space, name),
		.kind = space->kind,
	};
	oid_hex(l->rows[l->n++].oid, &commit);
}

static void read_head(struct ref_list *l, struct repository *repo)
{
	git_reference *head = NULL;
	git_object *commit = NULL;

	if (git_repository_head(&head, repo->git) == 0 &&
	    git_reference_peel(&commit, head, GIT_OBJECT_COMMIT) == 0)
		oid_hex(l->head, git_object_id(commit));
	git_object_free(commit);
	git_reference_free(head);
}

static struct digest refs_digest(const struct ref_list *l)
{
	struct sha256 *h = sha256_new();

	sha256_update(h, "portside-refs-v1", sizeof "portside-refs-v1");
	sha256_update(h, l->head, sizeof l->head);
	for (size_t i = 0; i < l->n; i++) {
		sha256_update(h, l->rows[i].name, strlen(l->rows[i].name) + 1);
		sha256_update(h, l->rows[i].oid, sizeof l->rows[i].oid);
	}
	return sha256_final(h);
}

static int collect_all(struct collector *c, struct repository *repo)
{
	git_reference_iterator *it = NULL;
	git_reference *ref;
	int rc = git_reference_iterator_new(&it, repo->git);

	while (rc == 0 && (rc = git_reference_next(&ref, it)) == 0) {
		collect(c, ref);
		git_reference_free(ref);
	}
	git_reference_iterator_free(it);
	return rc == GIT_ITEROVER ? 0 : rc;
}

int history_refs(struct ref_list *out, struct repository *repo)
{
	struct collector c = { .out = out };
	int rc;

	*out = (struct ref_list){ .arena = ARENA_INIT };
	rc = git_repository_odb(&c.odb, repo->git);
	if (rc == 0)
		rc = collect_all(&c, repo);
	git_odb_free(c.odb);
	if (rc < 0) {
		ref_list_release(out);
		return err_set(ERR_GIT, "references of %s cannot be read: %s; run git fsck",
			repo->common_dir, git_words());
	}
	if (out->n > 1)
		qsort(out->rows, out->n, sizeof *out->rows, compare_refs);
	read_head(out, repo);
	out->digest = refs_digest(out);
	return 0;
}

void ref_list_release(struct ref_list *l)
{
	free(l->rows);
	arena_release(&l->arena);
	l->rows = NULL;
	l->n = 0;
}
