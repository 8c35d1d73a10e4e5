/*
 * spawn - the signals that a program starts with, whatever we do about ours.
 *
 * A handler is never handed down, but "ignored" and "blocked" are: a program that
 * inherits an ignored SIGPIPE writes into a closed pipe for ever.  So each one
 * starts with all signals at their default and none blocked.
 *
 *	posix_spawnattr_t attributes;
 *
 *	spawn_attributes_init(&attributes, SPAWN_OWN_GROUP);
 *	error = posix_spawn(&pid, path, &actions, &attributes, argv, env);
 *	posix_spawnattr_destroy(&attributes);
 */
#ifndef PORTSIDE_BASE_SPAWN_H
#define PORTSIDE_BASE_SPAWN_H

#include <spawn.h>

enum {
	SPAWN_OWN_GROUP = 1,		/* killed together with its children */
	/* A stop stays blocked: until the new program runs, our thread waits for it,
	 * and a ^Z in between would stop the one and hang the other. */
	SPAWN_STOPS_BLOCKED = 2,
};

/* OUT is yours: posix_spawnattr_destroy(). */
void spawn_attributes_init(posix_spawnattr_t *out, unsigned flags);

#endif
