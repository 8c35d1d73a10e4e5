/*
 * repository_tree - listing a tree without recursion, and bounded reads.
 */
#include "config.h"
#include "store/repository_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "store/repository_internal.h"
#include "store/repository_program.h"

/* git itself stops near 2048 folders below each other (core.maxTreeDepth). */
enum { DEPTH_MAX = 2048 };

struct level {
	git_tree *tree;
	size_t next, path_n;		/* next entry; bytes of the path up to here */
};

struct walk {
	struct tree_listing *out;
	struct repository *repo;
	git_odb *odb;			/* NULL: no sizes */
	struct level *levels;
	size_t depth, cap_levels, cap_rows;
	struct buf path;
};

static enum tree_entry_kind kind_of(uint32_t mode)
{
	switch (mode & 0170000) {
	case 0120000:
		return TREE_LINK;
	case 0160000:
		return TREE_SUBMODULE;
	}
	return (mode & 0111) != 0 ? TREE_EXECUTABLE : TREE_FILE;
}

static int64_t object_size(git_odb *odb, const git_oid *oid)
{
	git_object_t type;
	size_t n;

	if (odb == NULL || git_odb_read_header(&n, &type, odb, oid) < 0)
		return -1;
	return (int64_t)n;
}

static void add_row(struct walk *w, const git_tree_entry *entry)
{
	struct tree_listing *l = w->out;
	struct tree_entry *row;

	ARRAY_GROW(l->rows, l->n, w->cap_rows);
	row = &l->rows[l->n++];
	*row = (struct tree_entry){
		.path = arena_strndup(&l->arena, w->path.s, w->path.n),
		.mode = (uint32_t)git_tree_entry_filemode(entry),
	};
	row->kind = kind_of(row->mode);
	oid_hex(row->oid, git_tree_entry_id(entry));
	row->size_bytes =
		row->kind == TREE_SUBMODULE ? -1 : object_size(w->odb, git_tree_entry_id(entry));
}

static void push(struct walk *w, git_tree *tree)
{
	ARRAY_GROW(w->levels, w->depth, w->cap_levels);
	w->levels[w->depth++] = (struct level){ .tree = tree, .path_n = w->path.n };
}

static int enter(struct walk *w, const git_tree_entry *entry)
{
	git_tree *tree;
	int rc;

	if (w->depth == DEPTH_MAX)
		return err_set(ERR_STATE, "%s: more than %d folders below each other", w->path.s,
			DEPTH_MAX);
	rc = git_tree_lookup(&tree, w->repo->git, git_tree_entry_id(entry));
	if (rc < 0)
		return repository_read_error(w->repo, rc, w->path.s);
	buf_addc(&w->path, '/');
	push(w, tree);
	return 0;
}

static int step(struct walk *w)
{
	struct level *top = &w->levels[w->depth - 1];
	const git_tree_entry *entry = git_tree_entry_byindex(top->tree, top->next++);

	buf_truncate(&w->path, top->path_n);
	if (entry == NULL) {
		git_tree_free(top->tree);
		w->depth--;
		return 0;
	}
	buf_adds(&w->path, git_tree_entry_name(entry));
	if (git_tree_entry_type(entry) == GIT_OBJECT_TREE)
		return enter(w, entry);
	add_row(w, entry);
	return 0;
}

int tree_list(struct tree_listing *out, struct repository *repo, const char *revision, int flags)
{
	struct walk w = { .out = out, .repo = repo, .path = BUF_INIT };
	git_tree *root;
	int rc;

	*out = (struct tree_listing){ .arena = ARENA_INIT };
	if ((rc = repository_tree(&root, repo, revision)) < 0 || root == NULL)
		return rc;
	push(&w, root);
	if ((flags & TREE_WITH_SIZES) != 0 && git_repository_odb(&w.odb, repo->git) < 0)
		rc = err_set(ERR_GIT, "the object store cannot be opened: %s", git_words());
	while (rc == 0 && w.depth > 0)
		rc = step(&w);
	while (w.depth > 0)
		git_tree_free(w.levels[--w.depth].tree);
	free(w.levels);
	git_odb_free(w.odb);
	buf_release(&w.path);
	if (rc < 0)
		tree_listing_release(out);
	return rc;
}

void tree_listing_release(struct tree_listing *l)
{
	free(l->rows);
	arena_release(&l->arena);
	l->rows = NULL;
	l->n = 0;
}

/* ---- contents ---- */

struct bounded {
	struct buf *out;
	int64_t left;
};

enum { ENOUGH = 1 };

static int take_bounded(void *user, const char *bytes, size_t n)
{
	struct bounded *b = user;

	if ((int64_t)n > b->left)
		n = (size_t)b->left;
	buf_add(b->out, bytes, n);
	b->left -= (int64_t)n;
	return b->left == 0 ? ENOUGH : 0;
}

/* libgit2 unpacks an object whole; git in a process of its own may, without
 * costing this one its memory. */
static int read_beginning(struct buf *out, struct repository *repo, const char *oid, int64_t limit)
{
	const char *const argv[] = { "cat-file", "blob", oid, NULL };
	struct bounded b = { .out = out, .left = limit };
	struct git_program run = {
		.folder = repository_folder(repo), .argv = argv, .output = take_bounded, .user = &b,
	};
	int rc = limit > 0 ? git_program_run(&run) : 0;

	return rc == ENOUGH ? 0 : rc;
}

static int read_whole(struct buf *out, struct repository *repo, const git_oid *id, const char *what)
{
	git_blob *blob;
	int rc = git_blob_lookup(&blob, repo->git, id);

	if (rc < 0)
		return repository_read_error(repo, rc, what);
	buf_add(out, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	git_blob_free(blob);
	return 0;
}

static int blob_header(int64_t *size, struct repository *repo, const git_oid *id, const char *what)
{
	git_odb *odb;
	git_object_t type = GIT_OBJECT_INVALID;
	size_t n = 0;
	int rc;

	if (git_repository_odb(&odb, repo->git) < 0)
		return err_set(ERR_GIT, "the object store cannot be opened: %s", git_words());
	rc = git_odb_read_header(&n, &type, odb, id);
	git_odb_free(odb);
	if (rc < 0)
		return repository_read_error(repo, rc, what);
	if (type != GIT_OBJECT_BLOB)
		return err_set(
			ERR_STATE, "%s is a %s, not a file", what, git_object_type2string(type));
	*size = (int64_t)n;
	return 0;
}

int blob_read(struct buf *out, bool *cut, int64_t *size, struct repository *repo, const char *oid,
	int64_t limit)
{
	char what[OID_HEX + 16];
	int64_t all = 0;
	git_oid id;
	int rc;

	*cut = false;
	if (!oid_parse(&id, oid))
		return err_set(ERR_PARSE, "\"%s\" is not an object name of 40 digits", oid);
	snprintf(what, sizeof what, "file %s", oid);
	if ((rc = blob_header(&all, repo, &id, what)) < 0)
		return rc;
	if (size != NULL)
		*size = all;
	*cut = all > limit;
	return *cut ? read_beginning(out, repo, oid, limit) : read_whole(out, repo, &id, what);
}

int tree_read_file(struct buf *out, bool *cut, struct repository *repo, const char *revision,
		const char *path, int64_t limit)
{
	git_tree_entry *entry = NULL;
	char oid[OID_HEX + 1];
	git_object_t type;
	git_tree *tree;
	int rc;

	*cut = false;
	if ((rc = repository_tree(&tree, repo, revision)) < 0)
		return rc;
	rc = tree != NULL ? git_tree_entry_bypath(&entry, tree, path) : GIT_ENOTFOUND;
	git_tree_free(tree);
	if (rc < 0)
		return err_set(ERR_NOT_FOUND, "there is no %s at %.*s", path, OID_SHORT, revision);
	oid_hex(oid, git_tree_entry_id(entry));
	type = git_tree_entry_type(entry);
	git_tree_entry_free(entry);
	if (type != GIT_OBJECT_BLOB)
		return err_set(ERR_STATE, "%s is a %s, not a file", path,
			type == GIT_OBJECT_COMMIT ? "submodule" : "folder");
	return blob_read(out, cut, NULL, repo, oid, limit);
}
