/*
 * worktree - checkouts for runs: made, linked and removed.
 */
#include "config.h"
#include "store/worktree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/repository_internal.h"
#include "store/repository_program.h"

static int run_git(struct repository *repo, const char *const *argv)
{
	struct git_program run = {
		.folder = repository_folder(repo), .argv = argv, .touches_files = true
	};

	return git_program_run(&run);
}

/* git keeps the path on a line of its own; a control would break that. */
static int check_folder(const char *folder)
{
	for (const char *p = folder; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return err_set(ERR_REFUSED,
				"\"%s\": a control character in the folder's name", folder);
	return 0;
}

static int check_commit(struct repository *repo, const char *commit)
{
	git_commit *found = NULL;
	git_oid id;
	int rc;

	if (!oid_parse(&id, commit))
		return err_set(ERR_PARSE, "\"%s\" is not a commit name of 40 digits", commit);
	rc = git_commit_lookup(&found, repo->git, &id);
	git_commit_free(found);
	if (rc < 0) {
		char what[OID_HEX + 16];

		snprintf(what, sizeof what, "commit %s", commit);
		return repository_read_error(repo, rc, what);
	}
	return 0;
}

static bool is_ours(struct repository *repo, const char *folder)
{
	struct arena a = ARENA_INIT;
	struct buf link = BUF_INIT;
	char *records = arena_printf(&a, "gitdir: %s/worktrees/", repo->common_dir);
	bool ours = fs_read(&link, fs_join(&a, folder, ".git"), 64 * 1024) == 0 &&
		text_starts(link.s, records);

	err_clear();
	buf_release(&link);
	arena_release(&a);
	return ours;
}

/* An absolute path cannot be taken for an option. */
int worktree_add(struct repository *repo, const char *folder, const char *commit)
{
	struct arena a = ARENA_INIT;
	char *path = fs_absolute(&a, folder);
	const char *const argv[] = { "worktree", "add", "--force", "--detach", path, commit, NULL };
	int rc;

	if ((rc = check_folder(path)) == 0 && (rc = check_commit(repo, commit)) == 0) {
		if (fs_exists(path))
			rc = err_set(ERR_EXISTS, "%s exists already; choose another folder", path);
		else if (!fs_is_dir(fs_dirname(&a, path)))
			rc = err_set(ERR_NOT_FOUND, "the folder %s does not exist",
				fs_dirname(&a, path));
		else if ((rc = run_git(repo, argv)) < 0)
			rc = err_prefix("checkout of %.*s: ", OID_SHORT, commit);
		if (rc == ERR_GIT) {
			/* What git said is worth more than what the clearing finds. */
			char *said = arena_strdup(&a, err_text());

			if (is_ours(repo, path) && worktree_remove(repo, path) < 0)
				err_clear();
			rc = err_set(ERR_GIT, "%s", said);
		}
	}
	arena_release(&a);
	return rc;
}

int worktree_remove(struct repository *repo, const char *folder)
{
	struct arena a = ARENA_INIT;
	char *path = fs_absolute(&a, folder);
	const char *const argv[] = { "worktree", "remove", "--force", path, NULL };
	bool missing = !fs_exists(path);
	int rc;

	if (!missing && !is_ours(repo, path))
		rc = err_set(ERR_REFUSED, "%s is no linked work tree of %s and stays", path,
			repo->common_dir);
	else
		rc = run_git(repo, argv);
	/* Without a record of it git has nothing to remove either. */
	if (rc == ERR_GIT && missing) {
		err_clear();
		rc = 0;
	}
	arena_release(&a);
	return rc;
}

/* ---- links ---- */

/* Folders on the way to NAME in the checkout: a commit may hold a link there. */
static int make_parents(struct arena *a, const char *folder, const char *name)
{
	for (const char *slash = strchr(name, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		char *part = fs_join(a, folder, arena_strndup(a, name, (size_t)(slash - name)));
		struct stat st;

		if (lstat(part, &st) < 0) {
			if (mkdir(part, 0777) < 0)
				return err_errno(ERR_IO, "%s cannot be made", part);
			continue;
		}
		if (!S_ISDIR(st.st_mode))
			return err_set(ERR_REFUSED,
				"%s: the commit has something that is no folder there", part);
	}
	return 0;
}

int worktree_link(struct repository *repo, const char *folder, const char *name)
{
	struct arena a = ARENA_INIT;
	const char *root = repo->main_workdir;
	char *from, *to;
	int rc = 0;

	if (root == NULL)
		return err_set(ERR_STATE, "a bare repository has no files to link");
	if (!fs_is_inside(name) || strcmp(name, ".git") == 0 || text_starts(name, ".git/"))
		return err_set(ERR_REFUSED, "\"%s\" is no path inside the work tree", name);
	from = fs_join(&a, root, name);
	to = fs_join(&a, folder, name);
	if (!fs_exists(from))
		rc = err_set(ERR_NOT_FOUND, "%s does not exist; correct link = %s", from, name);
	else if (!fs_leads_inside(root, name))
		rc = err_set(ERR_REFUSED,
			"%s leads out of the work tree; give its real place in the run's command",
			from);
	else if (fs_exists(to))
		rc = err_set(
			ERR_EXISTS, "%s is part of the commit and is not replaced by a link", to);
	else if ((rc = make_parents(&a, folder, name)) == 0 && symlink(from, to) < 0)
		rc = err_errno(ERR_IO, "%s cannot be linked", to);
	arena_release(&a);
	return rc;
}
