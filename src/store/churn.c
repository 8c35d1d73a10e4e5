/*
 * churn - which counter answers for a pair: the cache, git, or libgit2.
 */
#include "config.h"
#include "store/churn.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/churn_internal.h"
#include "store/commit_trees.h"
#include "store/repository_internal.h"

enum { MODE_SUBMODULE = 0160000 };

static const char limit_reason[] =
	"more than 1000 files were added or removed: renames with changes were not looked for, as git does by default";

/* git's rule: pairs of added and removed files beyond the limit squared. */
static bool passes_rename_limit(const struct churn *c)
{
	int64_t added = 0, removed = 0;

	for (size_t i = 0; i < c->n; i++) {
		added += c->files[i].status == 'A';
		removed += c->files[i].status == 'D';
	}
	return added * removed > (int64_t)CHURN_RENAME_LIMIT * CHURN_RENAME_LIMIT;
}

void churn_finish(struct churn *c)
{
	c->added = c->removed = 0;
	c->binaries = 0;
	for (size_t i = 0; i < c->n; i++) {
		struct churn_file *f = &c->files[i];

		c->added += f->added > 0 ? f->added : 0;
		c->removed += f->removed > 0 ? f->removed : 0;
		c->binaries += f->binary;
		f->submodule = f->old_mode == MODE_SUBMODULE || f->new_mode == MODE_SUBMODULE;
		f->mode_changed =
			f->old_mode != 0 && f->new_mode != 0 && f->old_mode != f->new_mode;
	}
	if (*c->reason == '\0' && passes_rename_limit(c))
		c->reason = limit_reason;
}

void churn_release(struct churn *c)
{
	arena_release(&c->arena);
	*c = (struct churn)CHURN_INIT;
}

/* ---- many pairs ---- */

struct many {
	struct repository *repo;
	const struct churn_pair *pairs;
	const struct churn_options *options;
	struct arena arena;
	const char *folder;		/* where git runs; NULL: nowhere */
	struct commit_trees *commits;	/* opened for the first commit */
	const char *known;		/* a commit whose tree was asked for last, or NULL */
	char known_tree[OID_HEX + 1];
	struct churn_pair *trees;	/* of the pairs still to count */
	size_t *indexes;		/* into PAIRS */
	size_t n, first;		/* TREES, and where the current process began */
	churn_fn *fn;
	void *user;
};

static bool is_cancelled(const struct many *m)
{
	return m->options->cancel != NULL && atomic_load(m->options->cancel);
}

static int cancelled(void)
{
	return err_set(ERR_CANCELLED, "cancelled");
}

/* Through libgit2, which knows every way to store an object.  A commit names
 * its tree, which need not be read for that. */
static int tree_name_asked(char out[OID_HEX + 1], struct repository *repo, const char *revision)
{
	git_commit *commit;
	git_tree *tree;
	git_oid id;
	int rc;

	if (repo == NULL)
		return err_set(ERR_NOT_FOUND, "commit %s was not found", revision);
	if (oid_parse(&id, revision) && git_commit_lookup(&commit, repo->git, &id) == 0) {
		oid_hex(out, git_commit_tree_id(commit));
		git_commit_free(commit);
		return 0;
	}
	rc = repository_tree(&tree, repo, revision);
	if (rc == 0 && tree != NULL)
		oid_hex(out, git_tree_id(tree));
	git_tree_free(tree);
	return rc;
}

static bool read_tree_name(char out[OID_HEX + 1], struct many *m, const char *revision)
{
	if (m->commits == NULL) {
		const char *objects = m->repo != NULL
			? fs_join(&m->arena, repository_common_dir(m->repo), "objects")
			: m->options->objects;

		m->commits = commit_trees_open(objects);
	}
	return commit_trees_find(out, m->commits, revision);
}

/* git compares trees: a commit in its input would mean something else.  The tip
 * of one pair is often the base of the next. */
static int tree_name(char out[OID_HEX + 1], struct many *m, const char *revision)
{
	int rc = 0;

	out[0] = '\0';
	if (*revision == '\0')
		return 0;
	if (m->known != NULL && strcmp(m->known, revision) == 0) {
		memcpy(out, m->known_tree, OID_HEX + 1);
		return 0;
	}
	if (!read_tree_name(out, m, revision))
		rc = tree_name_asked(out, m->repo, revision);
	if (rc == 0) {
		m->known = revision;
		memcpy(m->known_tree, out, OID_HEX + 1);
	}
	return rc;
}

static int add_pair(struct many *m, size_t index)
{
	struct churn_pair *trees = &m->trees[m->n];
	int rc = tree_name(trees->base, m, m->pairs[index].base);

	if (rc == 0)
		rc = tree_name(trees->tip, m, m->pairs[index].tip);
	if (rc < 0)
		return m->fn(m->user, index, NULL);
	m->indexes[m->n++] = index;
	return 0;
}

static int not_counted(struct many *m, size_t index)
{
	err_set(ERR_NOT_FOUND, "not counted yet");
	return m->fn(m->user, index, NULL);
}

static int look_up(struct many *m, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		struct churn c;

		if (is_cancelled(m))
			return cancelled();
		if (!churn_cache_find(&c, m->options->cache, &m->pairs[i])) {
			rc = m->options->cached_only ? not_counted(m, i) : add_pair(m, i);
			continue;
		}
		rc = m->fn(m->user, i, &c);
		churn_release(&c);
	}
	return rc;
}

static int keep_counted(void *user, size_t index, const struct churn *c)
{
	struct many *m = user;
	size_t pair = m->indexes[m->first + index];

	if (!m->options->names_only)
		churn_cache_keep(m->options->cache, &m->pairs[pair], c);
	return m->fn(m->user, pair, c);
}

static int count_with_libgit2(struct many *m)
{
	int rc = 0;

	for (; m->first < m->n && rc == 0; m->first++) {
		struct churn c;

		if (m->repo == NULL) {
			err_set(ERR_NOT_FOUND, "there is no git program to count with");
			rc = m->fn(m->user, m->indexes[m->first], NULL);
			continue;
		}

		if (is_cancelled(m))
			return cancelled();
		rc = churn_by_libgit2(&c, m->repo, &m->trees[m->first], m->options->cancel);
		if (rc == ERR_CANCELLED)
			return rc;
		if (rc < 0) {
			rc = m->fn(m->user, m->indexes[m->first], NULL);
			continue;
		}
		rc = m->fn(m->user, m->indexes[m->first], &c);
		churn_release(&c);
	}
	return rc;
}

/*
 * git ends at the first pair that it cannot read: that one is reported as
 * missing, and another process goes on after it.
 */
static int count_with_git(struct many *m)
{
	bool whole = true;

	while (m->first < m->n) {
		size_t done = 0;
		int rc = (whole ? churn_by_git_pair : churn_by_git)(m->folder, m->trees + m->first,
			m->n - m->first, m->options->names_only, m->options->cancel, keep_counted,
			m, &done);

		m->first += done;
		whole = false;
		if (rc == ERR_NOT_FOUND && done == 0)
			return count_with_libgit2(m);
		if (rc != 0 && rc != ERR_GIT)
			return rc;
		if (m->first == m->n)
			return rc;
		if (rc == 0)
			return err_set(
				ERR_GIT, "git diff-tree answered %zu of %zu pairs", m->first, m->n);
		if ((rc = m->fn(m->user, m->indexes[m->first++], NULL)) != 0)
			return rc;
	}
	return 0;
}

int churn_many(struct repository *repo, const struct churn_pair *pairs, size_t n,
		const struct churn_options *options, churn_fn *fn, void *user)
{
	struct many m = {
		.repo = repo,
		.pairs = pairs,
		.options = options,
		.fn = fn,
		.user = user,
		.trees = xcalloc(n + 1, sizeof *m.trees),
		.indexes = xcalloc(n + 1, sizeof *m.indexes),
		.folder = repo != NULL ? repository_folder(repo) : options->folder,
	};
	int rc = look_up(&m, n);

	if (rc == 0)
		rc = options->without_git ? count_with_libgit2(&m) : count_with_git(&m);
	if (options->cache != NULL)
		churn_cache_flush(options->cache);
	commit_trees_free(m.commits);
	arena_release(&m.arena);
	free(m.trees);
	free(m.indexes);
	return rc;
}

/* ---- one pair ---- */

void churn_copy(struct churn *out, struct arena *a, const struct churn *c)
{
	out->files = arena_memdup(a, c->files, c->n * sizeof *c->files);
	for (size_t i = 0; i < c->n; i++) {
		struct churn_file *f = &out->files[i];
		bool same = f->old_path == f->path;

		f->path = arena_strdup(a, f->path);
		f->old_path = same ? f->path : arena_strdup(a, f->old_path);
	}
	out->n = c->n;
	out->added = c->added;
	out->removed = c->removed;
	out->binaries = c->binaries;
	out->origin = c->origin;
	out->reason = arena_strdup(a, c->reason);
}

struct single {
	struct churn *out;
	int error;
};

static int keep_single(void *user, size_t index, const struct churn *c)
{
	struct single *s = user;

	(void)index;
	if (c == NULL)
		s->error = err_code();
	else
		churn_copy(s->out, &s->out->arena, c);
	return 0;
}

int churn_compute(struct churn *out, struct repository *repo, const struct churn_pair *pair,
		const struct churn_options *options)
{
	static const struct churn_options plain;
	struct single s = { .out = out };
	int rc;

	*out = (struct churn)CHURN_INIT;
	rc = churn_many(repo, pair, 1, options != NULL ? options : &plain, keep_single, &s);
	if (rc == 0)
		rc = s.error;
	if (rc < 0)
		churn_release(out);
	return rc;
}
