/* run_checkout - see run_checkout.h. */
#include "config.h"

#include "workspace/run_checkout.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "launch/run_id.h"
#include "store/worktree.h"
#include "workspace/run_hold.h"

static int make(struct repository *repo, const char *checkout, const char *commit,
	const struct config_run *config)
{
	int rc = worktree_add(repo, checkout, commit);

	if (rc < 0)
		return err_prefix("checkout of %.7s: ", commit);
	for (size_t i = 0; i < config->links_n; i++)
		if ((rc = worktree_link(repo, checkout, config->links[i])) < 0)
			return err_prefix("link %s: ", config->links[i]);
	return 0;
}

int run_checkout_make(const char **out, struct workspace *ws, const char *run, const char *commit,
		      const struct config_run *config, struct arena *a)
{
	char *parent = workspace_path(ws, a, "checkouts"), *checkout = fs_join(a, parent, run);
	struct repository *repo;
	int rc = workspace_repository(ws, &repo);

	if (rc < 0 || (rc = fs_mkdirs(parent, 0700)) < 0)
		return rc;
	rc = make(repo, checkout, commit, config);
	if (rc < 0)
		run_checkout_undo(ws, checkout);
	else
		*out = checkout;
	return rc;
}

void run_checkout_undo(struct workspace *ws, const char *checkout)
{
	char *sentence = xstrdup(err_text());
	enum err code = (enum err)err_code();
	struct repository *repo;

	if (workspace_repository(ws, &repo) == 0 && worktree_remove(repo, checkout) < 0)
		err_clear();	/* sweeping tries again; the first reason is worth more */
	err_set(code, "%s", sentence);
	free(sentence);
}

bool run_checkout_is_own(struct workspace *ws, const struct run_spec *spec, struct arena *a)
{
	char *own = fs_join(a, workspace_path(ws, a, "checkouts"), spec->run_id);

	return strcmp(spec->cwd, own) == 0;
}

int run_checkout_remove(struct workspace *ws, const struct run_spec *spec)
{
	struct repository *repo;
	int rc = workspace_repository(ws, &repo);

	if (rc == 0)
		rc = worktree_remove(repo, spec->cwd);
	return rc < 0 ? err_prefix("the checkout of run %s stays: ", spec->run_id) : 0;
}

/* What git does not know as a work tree is the rest of an interrupted add. */
static int remove_rest(struct repository *repo, const char *checkout)
{
	int rc = worktree_remove(repo, checkout);

	if (rc < 0) {
		err_clear();
		rc = fs_remove_tree(checkout);
	}
	return rc;
}

int run_checkout_sweep(size_t *removed, struct workspace *ws, struct arena *a)
{
	char *parent = workspace_path(ws, a, "checkouts"), *runs = workspace_path(ws, a, "runs"),
	     **names;
	struct repository *repo;
	int hold, rc = 0;
	size_t n;

	if (!fs_is_dir(parent) || (rc = fs_list(&names, &n, a, parent)) < 0 || !n)
		return rc;
	hold = run_hold_start(ws, RUN_HOLD_TRY);
	if (hold == ERR_BUSY) {
		err_clear();
		return 0;
	}
	if (hold < 0)
		return hold;
	rc = workspace_repository(ws, &repo);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (!run_id_valid(names[i]) || fs_is_dir(fs_join(a, runs, names[i])))
			continue;
		rc = remove_rest(repo, fs_join(a, parent, names[i]));
		*removed += rc == 0;
	}
	run_hold_release(hold);
	return rc;
}
