/*
 * demo_repository - the repository of a demo, and how far its making has come.
 *
 * It is made in FOLDER/.portside-demo and moved to FOLDER/.git whole, so that an
 * interrupted one is either not there or complete.  FOLDER/.git/portside/demo
 * tells the stage from then on.
 *
 *	if (demo_repository_make(folder, blind, "portside", &a) < 0)	// or goes on with it
 *		return -1;
 *	...
 *	return demo_stage_write(folder, DEMO_COMPLETE, &a);
 */
#ifndef PORTSIDE_WORKSPACE_DEMO_REPOSITORY_H
#define PORTSIDE_WORKSPACE_DEMO_REPOSITORY_H

#include <stdbool.h>

#include "base/mem.h"

enum demo_stage {
	DEMO_NONE,		/* no demo that this program made */
	DEMO_REPOSITORY,	/* the commits are there, the files perhaps not yet */
	DEMO_RUNS,		/* runs may be missing */
	DEMO_COMPLETE,
};

/* What cannot be read is none. */
enum demo_stage demo_stage_read(const char *folder, struct arena *a);
int demo_stage_write(const char *folder, enum demo_stage stage, struct arena *a) ATTR_MUST_USE;

/*
 * Until the stage is DEMO_RUNS.  ERR_EXISTS for a folder that holds something
 * else, ERR_GIT, ERR_IO.
 */
int demo_repository_make(const char *folder, bool blind, const char *typed,
	struct arena *a) ATTR_MUST_USE;

#endif
