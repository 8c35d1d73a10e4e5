/*
 * run_checkout - the clean detached checkout that a configured run works in.
 *
 * STATE/checkouts/RUN-ID, made by `git worktree add --detach`.  The user's
 * branches, index and files stay as they are; git's own list of work trees
 * shows it while it exists, and `git worktree prune` leaves it alone.  It goes
 * away once the run's results are kept.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_CHECKOUT_H
#define PORTSIDE_WORKSPACE_RUN_CHECKOUT_H

#include "domain/configuration.h"
#include "launch/run_spec.h"
#include "workspace/workspace.h"

/* *OUT (in A) is its path.  Nothing is left of it after an error. */
int run_checkout_make(const char **out, struct workspace *ws, const char *run, const char *commit,
		      const struct config_run *config, struct arena *a) ATTR_MUST_USE;
/* Keeps the sentence of an error that was set before. */
void run_checkout_undo(struct workspace *ws, const char *checkout);

/* Does the run of SPEC work in a checkout that was made here? */
bool run_checkout_is_own(struct workspace *ws, const struct run_spec *spec, struct arena *a);
int run_checkout_remove(struct workspace *ws, const struct run_spec *spec) ATTR_MUST_USE;

/* Removes checkouts whose run came never to be, unless a run is being started
 * just now.  Adds their number to *REMOVED. */
int run_checkout_sweep(size_t *removed, struct workspace *ws, struct arena *a) ATTR_MUST_USE;

#endif
