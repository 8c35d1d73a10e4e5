/*
 * process - who a process is, what became of it, and signals that cannot hit
 * a stranger.
 *
 * A pid alone says nothing: it is reused within minutes on a busy host.  The
 * identity is (boot, pid, start ticks).  A signal goes through a pidfd whose
 * ticks were read again after it was opened.
 */
#ifndef PORTSIDE_LAUNCH_PROCESS_H
#define PORTSIDE_LAUNCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/mem.h"

struct process {
	pid_t pid, parent, session;
	char state;		/* R S D T t Z X ... */
	uint64_t ticks;		/* start time, clock ticks since boot */
};

/* From /proc/PID/stat; false with errno ESRCH when there is no such process,
 * with another errno when that could not be told. */
bool process_read(struct process *out, pid_t pid);
/* The same process, and neither zombie nor dead.  errno as above. */
bool process_alive(pid_t pid, uint64_t ticks);
/* False when it is gone or another one; nothing was signalled then. */
bool process_signal(pid_t pid, uint64_t ticks, int sig);
/* A pidfd (close-on-exec) of exactly that process, or -1. */
int process_open(pid_t pid, uint64_t ticks);

struct process_list {
	struct process *items;
	size_t n, cap;
};
#define PROCESS_LIST_INIT { NULL, 0, 0 }
void process_list_release(struct process_list *l);

/* Descendants of ROOT without ROOT, breadth first; one pass over /proc.
 * Zombies are included (state Z). */
void process_descendants(struct process_list *out, pid_t root);
/* Live processes whose environment has PORTSIDE_RUN_ID=RUN_ID, with their
 * descendants; without the caller itself. */
void process_members(struct process_list *out, const char *run_id);

/* The kernel's boot id; "" when it cannot be read. */
void process_boot_id(char out[37]);

#endif
