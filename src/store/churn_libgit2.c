/*
 * churn_libgit2 - counting without the git program.
 */
#include "config.h"
#include "store/churn_internal.h"

#include "base/buf.h"
#include "base/err.h"
#include "store/repository_internal.h"

static const char libgit2_reason[] =
	"counted with libgit2 because git could not be started: renames may be paired differently";

static char status_letter(git_delta_t status)
{
	static const struct {
		git_delta_t status;
		char letter;
	} letters[] = {
		{ GIT_DELTA_ADDED, 'A' },
		{ GIT_DELTA_DELETED, 'D' },
		{ GIT_DELTA_MODIFIED, 'M' },
		{ GIT_DELTA_RENAMED, 'R' },
		{ GIT_DELTA_COPIED, 'C' },
		{ GIT_DELTA_TYPECHANGE, 'T' },
	};

	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].status == status)
			return letters[i].letter;
	return 'M';
}

static void fill_file(struct churn_file *f, struct arena *a, const git_diff_delta *d)
{
	bool two = d->status == GIT_DELTA_RENAMED || d->status == GIT_DELTA_COPIED;

	*f = (struct churn_file){
		.status = status_letter(d->status), .similarity = two ? d->similarity : -1,
		.old_path = arena_strdup(a, d->old_file.path),
		.old_mode = d->status == GIT_DELTA_ADDED ? 0 : d->old_file.mode,
		.new_mode = d->status == GIT_DELTA_DELETED ? 0 : d->new_file.mode,
	};
	f->path = two ? arena_strdup(a, d->new_file.path) : f->old_path;
	if (f->old_mode != 0)
		oid_hex(f->old_oid, &d->old_file.id);
	if (f->new_mode != 0)
		oid_hex(f->new_oid, &d->new_file.id);
}

/* What git compares of one side: the contents, or the line that stands for a
 * submodule. */
static int side_text(struct buf *out, git_repository *git, const git_diff_file *side)
{
	git_blob *blob;

	if (side->mode == GIT_FILEMODE_COMMIT) {
		char hex[OID_HEX + 1];

		oid_hex(hex, &side->id);
		buf_addf(out, "Subproject commit %s\n", hex);
		return 0;
	}
	if (git_blob_lookup(&blob, git, &side->id) < 0)
		return -1;
	buf_add(out, git_blob_rawcontent(blob), (size_t)git_blob_rawsize(blob));
	git_blob_free(blob);
	return 0;
}

/* libgit2 makes no lines of a file that became a link; git does. */
static int patch_type_change(git_patch **out, git_diff *diff, size_t index, git_repository *git)
{
	const git_diff_delta *d = git_diff_get_delta(diff, index);
	struct buf from = BUF_INIT, to = BUF_INIT;
	int rc = -1;

	if (side_text(&from, git, &d->old_file) == 0 && side_text(&to, git, &d->new_file) == 0)
		rc = git_patch_from_buffers(out, from.s, from.n, NULL, to.s, to.n, NULL, NULL);
	buf_release(&from);
	buf_release(&to);
	return rc;
}

static int count_file(struct churn_file *f, git_diff *diff, size_t index, struct repository *repo)
{
	git_patch *patch = NULL;
	size_t added = 0, removed = 0;
	int rc = f->status == 'T' ? patch_type_change(&patch, diff, index, repo->git)
				  : git_patch_from_diff(&patch, diff, index);

	if (rc < 0)
		return err_set(ERR_GIT, "%s cannot be compared: %s", f->path, git_words());
	f->binary =
		patch == NULL || (git_patch_get_delta(patch)->flags & GIT_DIFF_FLAG_BINARY) != 0;
	if (!f->binary)
		git_patch_line_stats(NULL, &added, &removed, patch);
	f->added = (int64_t)added;
	f->removed = (int64_t)removed;
	git_patch_free(patch);
	return 0;
}

static int count_files(
	struct churn *out, git_diff *diff, struct repository *repo, const atomic_bool *cancel)
{
	size_t n = git_diff_num_deltas(diff);
	int rc = 0;

	out->files = arena_alloc(&out->arena, (n + 1) * sizeof *out->files);
	for (out->n = 0; out->n < n && rc == 0; out->n++) {
		if (cancel != NULL && atomic_load(cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		fill_file(&out->files[out->n], &out->arena, git_diff_get_delta(diff, out->n));
		rc = count_file(&out->files[out->n], diff, out->n, repo);
	}
	return rc;
}

static int build_diff(git_diff **out, struct repository *repo, git_tree *from, git_tree *to)
{
	git_diff_options options;
	git_diff_find_options find;

	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	git_diff_find_options_init(&find, GIT_DIFF_FIND_OPTIONS_VERSION);
	options.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
	options.context_lines = 0;
	find.flags = GIT_DIFF_FIND_RENAMES;
	find.rename_threshold = 50;
	find.rename_limit = CHURN_RENAME_LIMIT;
	if (git_diff_tree_to_tree(out, repo->git, from, to, &options) < 0 ||
	    git_diff_find_similar(*out, &find) < 0)
		return err_set(ERR_GIT, "the two revisions cannot be compared: %s", git_words());
	return 0;
}

int churn_by_libgit2(struct churn *out, struct repository *repo, const struct churn_pair *trees,
		const atomic_bool *cancel)
{
	git_tree *from = NULL, *to = NULL;
	git_diff *diff = NULL;
	int rc;

	*out = (struct churn)CHURN_INIT;
	if ((rc = repository_tree(&from, repo, trees->base)) == 0 &&
	    (rc = repository_tree(&to, repo, trees->tip)) == 0 &&
	    (rc = build_diff(&diff, repo, from, to)) == 0)
		rc = count_files(out, diff, repo, cancel);
	git_diff_free(diff);
	git_tree_free(to);
	git_tree_free(from);
	if (rc < 0) {
		churn_release(out);
		return rc;
	}
	churn_finish(out);
	out->origin = CHURN_FROM_LIBGIT2;
	out->reason = libgit2_reason;
	return 0;
}
