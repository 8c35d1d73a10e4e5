/*
 * stop - ends every process of a run: TERM and CONT, then KILL.
 *
 * TERM is sent once to each process that lives when the stop begins, with CONT
 * so that a stopped one can act on it.  After the grace every process that is
 * still there gets KILL, again and again, since new ones may have been forked
 * meanwhile.  What survives KILL for STOP_STUCK_NS (a process in state D) is
 * reported and watched further.
 */
#ifndef PORTSIDE_LAUNCH_STOP_H
#define PORTSIDE_LAUNCH_STOP_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/process.h"

#define STOP_STUCK_NS INT64_C(30000000000)

enum stop_phase { STOP_IDLE, STOP_TERM, STOP_KILL };

struct stop {
	enum stop_phase phase;
	int64_t since_ns;	/* CLOCK_BOOTTIME of the phase's begin */
	int64_t grace_ns;
	bool forced;		/* KILL was sent to a live process */
};

void stop_begin(struct stop *s, const struct process_list *living, int64_t grace_ns,
	int64_t now_ns);
/* Call every tick with what lives. */
void stop_step(struct stop *s, const struct process_list *living, int64_t now_ns);
/* KILL was sent more than STUCK_NS ago. */
bool stop_stuck(const struct stop *s, int64_t stuck_ns, int64_t now_ns);

/* Processes of L that are neither zombies nor dead. */
size_t stop_count_living(const struct process_list *l);

#endif
