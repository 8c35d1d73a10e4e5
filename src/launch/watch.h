/*
 * watch - tells an event loop that files of run directories changed.
 *
 * One descriptor for any number of directories, readable when something may
 * have happened (inotify).  Where inotify cannot be had (limits, network
 * disks), the descriptor is a timer and the directories are compared by size
 * and time once a second; the interface is the same.
 *
 *	struct watch *w = watch_new(0);
 *	int id = watch_add(w, rundir);
 *	... poll watch_fd(w) ...
 *	while (watch_next(w, &e))
 *		if (e.what & WATCH_STATUS) ...
 *
 * A change is a hint: the reader looks at the files and may find nothing new.
 */
#ifndef PORTSIDE_LAUNCH_WATCH_H
#define PORTSIDE_LAUNCH_WATCH_H

#include <stdbool.h>

#include "base/mem.h"

enum watch_what { WATCH_LOG = 1, WATCH_STATUS = 2, WATCH_OTHER = 4, WATCH_GONE = 8 };
enum { WATCH_POLLING = 1 };	/* flag of watch_new(): no inotify */

struct watch_event {
	int id;			/* of watch_add() */
	unsigned what;
};

struct watch;

struct watch *watch_new(int flags);	/* NULL and the sentence when out of descriptors */
void watch_free(struct watch *w);	/* NULL is fine */
int watch_fd(const struct watch *w);
/* An id >= 0, or ERR_NOT_FOUND, ERR_IO. */
int watch_add(struct watch *w, const char *rundir) ATTR_MUST_USE;
void watch_remove(struct watch *w, int id);
/* Never blocks; several changes of one directory come as one event. */
bool watch_next(struct watch *w, struct watch_event *out);

#endif
