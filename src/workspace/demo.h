/*
 * demo - builds the demo migration: a real repository, real commits, real runs.
 *
 * data/demo/story says which commits there are, data/demo/runs which runs are
 * made.  The trainings really run, on targets that are named as simulated.
 * The configuration is accepted in the name of the person of the story, and the
 * log says so; no decision and no intervention is recorded: those are for the
 * newcomer.
 *
 * Whatever ends the making (^C, SIGKILL, a full disk), the next call goes on
 * where it stopped; see demo_repository.h and demo_runs.h.
 *
 *	struct demo_options o = { .folder = "textcls", .program = self, .typed = "portside" };
 *
 *	if (demo_build(&o, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_DEMO_H
#define PORTSIDE_WORKSPACE_DEMO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"

struct demo_options {
	const char *folder;		/* made: new, empty, or a demo that was interrupted */
	const char *program;		/* this program, for the supervisors */
	const char *typed;		/* how a person types it, for hints: demo_typed() */
	bool blind;			/* messages without the causes, for a class */
	bool without_runs;		/* the repository only */
	void (*progress)(void *user, const char *what, int64_t done, int64_t total);
	void (*note)(void *user, const char *sentence);	/* how one that was interrupted goes on */
	void *user;
	const atomic_bool *cancel;	/* or NULL */
};

int demo_build(const struct demo_options *o, struct arena *a) ATTR_MUST_USE;

/* "portside" where the PATH leads to this very PROGRAM, else its path. */
const char *demo_typed(const char *program, struct arena *a);

/* The folder holds a migration already, and no demo that was interrupted. */
bool demo_is_there(const char *folder, struct arena *a) ATTR_MUST_USE;

#endif
