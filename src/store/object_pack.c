/* object_pack - see object_pack.h.  libgit2 builds the pack and reads it. */
#include "config.h"

#include "store/object_pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "store/pack_check.h"
#include "store/repository_internal.h"

enum { TREE_DEPTH_MAX = 512 };

/* ---- a set of object names ---------------------------------------------------- */

struct oid_set {
	git_oid *slots;
	bool *used;
	size_t n, cap;
};

static size_t slot_of(const struct oid_set *set, const git_oid *oid)
{
	size_t at;

	memcpy(&at, oid->id, sizeof at);
	for (at %= set->cap; set->used[at] && git_oid_cmp(&set->slots[at], oid) != 0; )
		at = (at + 1) % set->cap;
	return at;
}

static void grow(struct oid_set *set)
{
	struct oid_set old = *set;

	set->cap = old.cap ? old.cap * 2 : 1024;
	set->slots = xcalloc(set->cap, sizeof *set->slots);
	set->used = xcalloc(set->cap, sizeof *set->used);
	for (size_t i = 0; i < old.cap; i++) {
		size_t at;

		if (!old.used[i])
			continue;
		at = slot_of(set, &old.slots[i]);
		set->slots[at] = old.slots[i];
		set->used[at] = true;
	}
	free(old.slots);
	free(old.used);
}

/* False when it was there. */
static bool add_oid(struct oid_set *set, const git_oid *oid)
{
	size_t at;

	if (set->n * 2 >= set->cap)
		grow(set);
	at = slot_of(set, oid);
	if (set->used[at])
		return false;
	set->slots[at] = *oid;
	set->used[at] = true;
	set->n++;
	return true;
}

/* ---- writing ------------------------------------------------------------------- */

struct packing {
	struct repository *repo;
	git_packbuilder *builder;
	git_odb *odb;
	struct oid_set seen;
	const struct object_pack_options *options;
	struct object_pack_report *report;
	int64_t total_bytes;
};

static int failed(const char *what)
{
	return err_set(ERR_GIT, "cannot pack %s: %s", what, git_words());
}

static int insert(struct packing *p, const git_oid *oid)
{
	return git_packbuilder_insert(p->builder, oid, NULL) < 0 ? failed("an object") : 0;
}

static int add_tree(struct packing *p, const git_oid *oid, int depth)
{
	git_tree *tree;
	int rc = 0;

	if (!add_oid(&p->seen, oid))
		return 0;
	if (depth > TREE_DEPTH_MAX || git_tree_lookup(&tree, p->repo->git, oid) < 0)
		return failed("a folder");
	rc = insert(p, oid);
	for (size_t i = 0; rc == 0 && i < git_tree_entrycount(tree); i++) {
		const git_tree_entry *e = git_tree_entry_byindex(tree, i);

		if (git_tree_entry_type(e) == GIT_OBJECT_TREE)
			rc = add_tree(p, git_tree_entry_id(e), depth + 1);
	}
	git_tree_free(tree);
	return rc;
}

static int add_commit(struct packing *p, const char *hex)
{
	git_commit *commit;
	git_oid oid;
	int rc;

	if (!*hex || !oid_parse(&oid, hex) || !add_oid(&p->seen, &oid))
		return 0;
	if (git_commit_lookup(&commit, p->repo->git, &oid) < 0)
		return failed("a commit");
	rc = insert(p, &oid);
	if (rc == 0)
		rc = add_tree(p, git_commit_tree_id(commit), 0);
	git_commit_free(commit);
	return rc;
}

static int add_file(struct packing *p, const git_diff_file *f)
{
	git_object_t type;
	size_t size;

	if (git_oid_is_zero(&f->id) || f->mode == GIT_FILEMODE_COMMIT || !add_oid(&p->seen, &f->id))
		return 0;
	if (git_odb_read_header(&size, &type, p->odb, &f->id) < 0) {
		p->report->files_missing++;
		return 0;
	}
	if ((int64_t)size > p->options->file_limit_bytes ||
		p->total_bytes + (int64_t)size > p->options->total_limit_bytes) {
		p->report->files_left_out++;
		return 0;
	}
	p->total_bytes += (int64_t)size;
	p->report->files++;
	return insert(p, &f->id);
}

static int add_changed(struct packing *p, const struct object_pair *pair)
{
	git_tree *base = NULL, *tip = NULL;
	git_diff *diff = NULL;
	int rc = repository_tree(&base, p->repo, pair->base);

	if (rc == 0)
		rc = repository_tree(&tip, p->repo, pair->tip);
	if (rc == 0 && git_diff_tree_to_tree(&diff, p->repo->git, base, tip, NULL) < 0)
		rc = failed("a change");
	for (size_t i = 0; rc == 0 && i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(diff, i);

		rc = add_file(p, &d->old_file);
		if (rc == 0)
			rc = add_file(p, &d->new_file);
	}
	git_diff_free(diff);
	git_tree_free(base);
	git_tree_free(tip);
	return rc;
}

static bool is_here(struct packing *p, const char *hex)
{
	git_oid oid;

	return !*hex || (oid_parse(&oid, hex) && git_odb_exists(p->odb, &oid));
}

static int add_pair(struct packing *p, const struct object_pair *pair)
{
	int rc;

	if (p->options->cancel && atomic_load(p->options->cancel))
		return err_set(ERR_CANCELLED, "cancelled");
	if (!*pair->tip || !is_here(p, pair->base) || !is_here(p, pair->tip)) {
		p->report->missing++;
		return 0;
	}
	p->report->pairs++;
	if ((rc = add_commit(p, pair->base)) < 0 || (rc = add_commit(p, pair->tip)) < 0)
		return rc;
	return add_changed(p, pair);
}

int object_pack_write(struct buf *out, struct object_pack_report *report, struct repository *repo,
	const struct object_pair *pairs, size_t n, const struct object_pack_options *o)
{
	struct packing p = { .repo = repo, .options = o, .report = report };
	git_buf bytes = { 0 };
	int rc = 0;

	memset(report, 0, sizeof *report);
	if (git_repository_odb(&p.odb, repo->git) < 0 ||
		git_packbuilder_new(&p.builder, repo->git) < 0)
		rc = failed("the changes");
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = add_pair(&p, &pairs[i]);
	if (rc == 0 && report->pairs && git_packbuilder_write_buf(&bytes, p.builder) < 0)
		rc = failed("the changes");
	if (rc == 0)
		buf_add(out, bytes.ptr, bytes.size);
	git_buf_dispose(&bytes);
	git_packbuilder_free(p.builder);
	git_odb_free(p.odb);
	free(p.seen.slots);
	free(p.seen.used);
	return rc;
}

/* Well above what object_pack_write() is asked for. */
static const struct pack_limits limits = { .object_bytes = 64 << 20, .total_bytes = 1 << 30 };

/* ---- reading ------------------------------------------------------------------- */

static int damaged(const char *what)
{
	return err_set(ERR_DAMAGED, "the objects of the changes cannot be read (%s): %s", what,
		git_words());
}

static int index_pack(
	git_repository *git, const char *folder, const void *pack, size_t n, struct arena *a)
{
	git_indexer_progress stats = { 0 };
	git_indexer *indexer;
	git_odb *odb;
	int rc = 0;

	if (git_repository_odb(&odb, git) < 0)
		return damaged("store");
	if (git_indexer_new(&indexer, fs_join(a, folder, "objects/pack"), 0400, odb, NULL) < 0) {
		git_odb_free(odb);
		return damaged("index");
	}
	if (git_indexer_append(indexer, pack, n, &stats) < 0 ||
		git_indexer_commit(indexer, &stats) < 0)
		rc = damaged("pack");
	git_indexer_free(indexer);
	if (rc == 0 && git_odb_refresh(odb) < 0)
		rc = damaged("store");
	git_odb_free(odb);
	return rc;
}

struct commits { git_odb *odb; struct buf lines; };

static int list_commit(const git_oid *oid, void *user)
{
	struct commits *c = user;
	char hex[OID_HEX + 1];
	git_object_t type;
	size_t size;

	if (git_odb_read_header(&size, &type, c->odb, oid) == 0 && type == GIT_OBJECT_COMMIT) {
		oid_hex(hex, oid);
		buf_addf(&c->lines, "%s\n", hex);
	}
	return 0;
}

/* Every commit is a shallow one: its parents are not here. */
static int write_shallow(git_repository *git, const char *folder, struct arena *a)
{
	struct commits c = { .lines = BUF_INIT };
	int rc = 0;

	if (git_repository_odb(&c.odb, git) < 0)
		return damaged("store");
	if (git_odb_foreach(c.odb, list_commit, &c) < 0)
		rc = damaged("list");
	if (rc == 0 && c.lines.n)
		rc = fs_write_durable(fs_join(a, folder, "shallow"), c.lines.s, c.lines.n, 0600);
	git_odb_free(c.odb);
	buf_release(&c.lines);
	return rc;
}

/* A mark that cannot be set (an odd name, a commit that is not here) is no loss. */
static void set_mark(git_repository *git, const struct object_mark *mark, struct arena *a)
{
	git_reference *ref = NULL;
	git_oid oid;

	if (oid_parse(&oid, mark->commit) &&
		git_reference_create(&ref, git, arena_printf(a, "refs/tags/%s", mark->name), &oid,
			0, "bundle") < 0)
		git_error_clear();
	git_reference_free(ref);
}

int object_pack_open(const char *folder, const void *pack, size_t n,
	const struct object_mark *marks, size_t n_marks)
{
	git_repository_init_options options = { .version = GIT_REPOSITORY_INIT_OPTIONS_VERSION };
	struct arena a = ARENA_INIT;
	git_repository *git = NULL;
	int rc = repository_library_init();

	if (rc == 0 && (rc = pack_check(pack, n, &limits)) < 0)
		return rc;
	options.flags = GIT_REPOSITORY_INIT_BARE | GIT_REPOSITORY_INIT_MKPATH |
		GIT_REPOSITORY_INIT_NO_REINIT;
	if (rc == 0 && git_repository_init_ext(&git, folder, &options) < 0)
		rc = damaged("folder");
	if (rc == 0)
		rc = index_pack(git, folder, pack, n, &a);
	if (rc == 0)
		rc = write_shallow(git, folder, &a);
	for (size_t i = 0; rc == 0 && i < n_marks; i++)
		set_mark(git, &marks[i], &a);
	git_repository_free(git);
	arena_release(&a);
	return rc;
}
