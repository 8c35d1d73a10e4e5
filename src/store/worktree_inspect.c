/*
 * worktree_inspect - what the user's checkout has that HEAD has not.
 */
#include "config.h"
#include "store/worktree.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/repository_internal.h"
#include "store/repository_program.h"

struct patch_reader {
	struct worktree_state *state;
	struct sha256 *hash;
	int64_t limit;
};

static int take_patch(void *user, const char *bytes, size_t n)
{
	struct patch_reader *r = user;
	struct worktree_state *s = r->state;
	int64_t room = r->limit - (int64_t)s->patch.n;

	sha256_update(r->hash, bytes, n);
	s->patch_bytes += (int64_t)n;
	if ((int64_t)n > room) {
		s->patch_cut = true;
		n = room > 0 ? (size_t)room : 0;
	}
	buf_add(&s->patch, bytes, n);
	return 0;
}

static int read_patch(struct worktree_state *s, struct repository *repo, int64_t limit)
{
	const char *const argv[] = {
		"diff",
		"--binary",
		"--no-color",
		"--no-ext-diff",
		"--no-textconv",
		"--no-renames",
		"--src-prefix=a/",
		"--dst-prefix=b/",
		*s->head != '\0' ? s->head : OID_EMPTY_TREE,
		"--",
		NULL,
	};
	struct patch_reader r = { .state = s, .hash = sha256_new(), .limit = limit };
	struct git_program run = { .folder = repo->workdir,
		.argv = argv,
		.output = take_patch,
		.user = &r,
		.touches_files = true };
	int rc = git_program_run(&run);

	s->patch_digest = sha256_final(r.hash);
	return rc;
}

static int keep_bytes(void *user, const char *bytes, size_t n)
{
	buf_add(user, bytes, n);
	return 0;
}

/* Links, sockets and pipes are listed but never opened. */
static void hash_untracked(struct untracked_file *f, struct repository *repo, int64_t limit)
{
	struct arena a = ARENA_INIT;
	char *path = fs_join(&a, repo->workdir, f->path);
	struct stat st;

	if (lstat(path, &st) == 0) {
		f->size_bytes = st.st_size;
		if (S_ISREG(st.st_mode) && st.st_size <= limit)
			f->hashed = sha256_file(&f->digest, &f->size_bytes, path) == 0;
	}
	err_clear();
	arena_release(&a);
}

static void list_untracked(
	struct worktree_state *s, struct repository *repo, const struct buf *names, int64_t limit)
{
	size_t cap = 0;

	for (size_t at = 0; at < names->n; at += strlen(names->s + at) + 1) {
		if (s->n_untracked == WORKTREE_UNTRACKED_MAX) {
			s->untracked_cut = true;
			return;
		}
		ARRAY_GROW(s->untracked, s->n_untracked, cap);
		s->untracked[s->n_untracked] = (struct untracked_file){
			.path = arena_strdup(&s->arena, names->s + at), .size_bytes = -1,
		};
		hash_untracked(&s->untracked[s->n_untracked++], repo, limit);
	}
}

static int read_untracked(struct worktree_state *s, struct repository *repo, int64_t limit)
{
	static const char *const argv[] = { "ls-files", "-z", "--others", "--exclude-standard",
		NULL };
	struct buf names = BUF_INIT;
	struct git_program run = {
		.folder = repo->workdir, .argv = argv, .output = keep_bytes, .user = &names
	};
	int rc = git_program_run(&run);

	if (rc == 0)
		list_untracked(s, repo, &names, limit);
	buf_release(&names);
	return rc;
}

int worktree_inspect(struct worktree_state *out, struct repository *repo, int64_t patch_limit,
	int64_t hash_limit)
{
	struct head head;
	int rc;

	*out = (struct worktree_state){ .arena = ARENA_INIT, .patch = BUF_INIT };
	if (repo->workdir == NULL)
		return err_set(ERR_STATE, "%s is bare and has no work tree", repo->git_dir);
	if ((rc = repository_describe_head(&head, &out->arena, repo)) == 0) {
		memcpy(out->head, head.oid, sizeof out->head);
		rc = read_patch(out, repo, patch_limit);
	}
	if (rc == 0)
		rc = read_untracked(out, repo, hash_limit);
	if (rc < 0) {
		worktree_state_release(out);
		return rc;
	}
	out->dirty = out->patch_bytes > 0 || out->n_untracked > 0;
	return 0;
}

void worktree_state_release(struct worktree_state *s)
{
	buf_release(&s->patch);
	free(s->untracked);
	arena_release(&s->arena);
	*s = (struct worktree_state){ .arena = ARENA_INIT, .patch = BUF_INIT };
}
