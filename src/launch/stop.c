/* TERM, CONT and KILL to all processes of a run. */
#include "config.h"

#include "launch/stop.h"

#include <signal.h>

static bool is_dead(const struct process *p)
{
	return p->state == 'Z' || p->state == 'X';
}

static size_t signal_all(const struct process_list *l, int sig)
{
	size_t sent = 0;

	for (size_t i = 0; i < l->n; i++)
		if (!is_dead(&l->items[i]))
			sent += process_signal(l->items[i].pid, l->items[i].ticks, sig);
	return sent;
}

size_t stop_count_living(const struct process_list *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		n += !is_dead(&l->items[i]);
	return n;
}

void stop_begin(struct stop *s, const struct process_list *living, int64_t grace_ns, int64_t now_ns)
{
	if (s->phase != STOP_IDLE)
		return;
	s->phase = STOP_TERM;
	s->since_ns = now_ns;
	s->grace_ns = grace_ns;
	signal_all(living, SIGTERM);
	signal_all(living, SIGCONT);
}

void stop_step(struct stop *s, const struct process_list *living, int64_t now_ns)
{
	if (s->phase == STOP_TERM && now_ns - s->since_ns >= s->grace_ns) {
		s->phase = STOP_KILL;
		s->since_ns = now_ns;
	}
	if (s->phase == STOP_KILL && signal_all(living, SIGKILL) > 0)
		s->forced = true;
}

bool stop_stuck(const struct stop *s, int64_t stuck_ns, int64_t now_ns)
{
	return s->phase == STOP_KILL && now_ns - s->since_ns >= stuck_ns;
}
