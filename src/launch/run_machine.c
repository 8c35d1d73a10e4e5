/* States of a run: words, transitions, and how often to ask. */
#include "config.h"

#include "launch/run_machine.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"

static const struct phase_row {
	const char *token, *word;
	bool final;
} phases[PHASE_COUNT] = {
	[PHASE_PREPARED] = { "prepared", "prepared", false },
	[PHASE_LAUNCHING] = { "launching", "launching", false },
	[PHASE_QUEUED] = { "queued", "queued", false },
	[PHASE_RUNNING] = { "running", "running", false },
	[PHASE_EXITED_0] = { "exited-0", "exited 0", true },
	[PHASE_FAILED] = { "failed", "failed", true },
	[PHASE_CANCELLED] = { "cancelled", "cancelled", true },
	[PHASE_TIMEOUT] = { "timeout", "time limit", true },
	[PHASE_BUDGET] = { "budget", "budget spent", true },
	[PHASE_LOGCAP] = { "logcap", "log too large", true },
	[PHASE_PREEMPTED] = { "preempted", "preempted", true },
	[PHASE_NODE_FAIL] = { "node-fail", "node failed", true },
	[PHASE_LAUNCH_FAILED] = { "launch-failed", "launch failed", true },
	[PHASE_LOST] = { "lost", "lost", true },
};

static const char *const source_words[] = {
	[RUN_SOURCE_NONE] = "", [RUN_SOURCE_STATUS] = "status", [RUN_SOURCE_RC] = "rc",
	[RUN_SOURCE_PROVIDER] = "provider", [RUN_SOURCE_PERSON] = "person",
};

const char *run_phase_word(enum run_phase p)
{
	return phases[p].word;
}

const char *run_phase_token(enum run_phase p)
{
	return phases[p].token;
}

bool run_phase_from_token(enum run_phase *out, const char *s)
{
	for (int i = 0; i < PHASE_COUNT; i++)
		if (strcmp(phases[i].token, s) == 0) {
			*out = (enum run_phase)i;
			return true;
		}
	return false;
}

bool run_phase_is_final(enum run_phase p)
{
	return phases[p].final;
}

const char *run_source_word(enum run_source s)
{
	return source_words[s];
}

/* Takes over what an observation says beside the phase. */
static void take_words(struct run_machine *m, const struct run_observation *o)
{
	m->source = o->source;
	m->changed_ns = o->time_ns;
	memcpy(m->word, o->word, sizeof m->word);
	memcpy(m->reason, o->reason, sizeof m->reason);
	m->word[sizeof m->word - 1] = '\0';
	m->reason[sizeof m->reason - 1] = '\0';
}

static bool observe_unreachable(struct run_machine *m, const struct run_observation *o)
{
	if (run_phase_is_final(m->phase) || (m->marks & RUN_MARK_UNREACHABLE))
		return false;
	m->marks |= RUN_MARK_UNREACHABLE;
	m->unreachable_ns = o->time_ns;
	memcpy(m->reason, o->reason, sizeof m->reason);
	m->reason[sizeof m->reason - 1] = '\0';
	return true;
}

/* A live run goes forward; back to the queue only with a provider's restart. */
static bool observe_alive(struct run_machine *m, const struct run_observation *o)
{
	bool restarted = o->restarts > m->restarts;
	enum run_phase phase = o->phase;

	if (run_phase_is_final(m->phase))
		return false;
	if (phase < m->phase && !(restarted && phase >= PHASE_QUEUED))
		phase = m->phase;
	if (phase == m->phase && o->marks == m->marks && !restarted)
		return false;
	m->phase = phase;
	m->marks = o->marks;
	m->unreachable_ns = 0;
	if (restarted)
		m->restarts = o->restarts;
	take_words(m, o);
	return true;
}

static bool is_own_record(enum run_source s)
{
	return s == RUN_SOURCE_STATUS || s == RUN_SOURCE_RC;
}

/* The provider's word is more precise than an exit status: a job that traps
 * TERM and exits 0 was cancelled all the same. */
static bool provider_overrides(enum run_phase own, enum run_phase provider)
{
	if (own == PHASE_EXITED_0)
		return provider != PHASE_EXITED_0 && provider != PHASE_LOST;
	return own == PHASE_FAILED && provider != PHASE_EXITED_0 && provider != PHASE_FAILED &&
		provider != PHASE_LOST;
}

static bool end_by_provider_later(struct run_machine *m, const struct run_observation *o)
{
	if (!is_own_record(m->source) || !provider_overrides(m->phase, o->phase))
		return false;
	m->disagreement = m->phase == PHASE_EXITED_0;
	m->phase = o->phase;
	take_words(m, o);
	return true;
}

static bool end_by_record_later(struct run_machine *m, const struct run_observation *o)
{
	bool lost = m->phase == PHASE_LOST, provider = m->source == RUN_SOURCE_PROVIDER;

	if (o->phase == PHASE_LOST || !(lost || (provider && m->rc == RUN_RC_UNKNOWN)))
		return false;
	m->rc = o->rc;
	m->signal = o->signal;
	m->by_provider_only = false;
	if (lost || m->phase == PHASE_EXITED_0) {
		m->disagreement = !lost && o->phase != PHASE_EXITED_0;
		m->phase = o->phase;
		take_words(m, o);
	} else {
		m->disagreement = o->phase == PHASE_EXITED_0;
		m->changed_ns = o->time_ns;
	}
	return true;
}

static bool observe_ended(struct run_machine *m, const struct run_observation *o)
{
	if (run_phase_is_final(m->phase)) {
		if (is_own_record(o->source))
			return end_by_record_later(m, o);
		return o->source == RUN_SOURCE_PROVIDER && end_by_provider_later(m, o);
	}
	m->phase = o->phase;
	m->marks = 0;
	m->unreachable_ns = 0;
	m->rc = o->rc;
	m->signal = o->signal;
	if (o->restarts > m->restarts)
		m->restarts = o->restarts;
	m->by_provider_only = o->source == RUN_SOURCE_PROVIDER && o->phase == PHASE_EXITED_0 &&
		o->rc == RUN_RC_UNKNOWN;
	take_words(m, o);
	return true;
}

bool run_machine_observe(struct run_machine *m, const struct run_observation *o)
{
	switch (o->answer) {
	case RUN_UNREACHABLE:
		return observe_unreachable(m, o);
	case RUN_ALIVE:
		return !run_phase_is_final(o->phase) && observe_alive(m, o);
	case RUN_ENDED:
		return run_phase_is_final(o->phase) && observe_ended(m, o);
	}
	return false;
}

enum run_phase run_phase_of_status(const struct status *s)
{
	if (s->state != STATUS_DONE)
		return PHASE_RUNNING;
	switch (s->why) {
	case WHY_EXIT:
		return s->rc == 0 && s->signal == 0 ? PHASE_EXITED_0 : PHASE_FAILED;
	case WHY_EXECFAIL:
		return PHASE_LAUNCH_FAILED;
	case WHY_CANCELLED:
		return PHASE_CANCELLED;
	case WHY_TIMEOUT:
		return PHASE_TIMEOUT;
	case WHY_BUDGET:
		return PHASE_BUDGET;
	case WHY_LOGCAP:
		return PHASE_LOGCAP;
	case WHY_NONE:
	case WHY_UNKILLABLE:
	case WHY_LOST:
		break;
	}
	return PHASE_LOST;
}

static void add_exit(struct buf *out, const struct status *s)
{
	const char *name = s->signal ? sigabbrev_np(s->signal) : NULL;

	if (s->signal == 9)
		buf_adds(out, "killed from outside (SIGKILL), often out of memory");
	else if (name)
		buf_addf(out, "killed by SIG%s", name);
	else if (s->signal)
		buf_addf(out, "killed by signal %d", s->signal);
	else
		buf_addf(out, "exit %d", s->rc);
}

static void add_done(struct buf *out, const struct status *s)
{
	switch (s->why) {
	case WHY_EXIT:
		add_exit(out, s);
		break;
	case WHY_EXECFAIL:
		buf_addf(out, "not started: %s: %s", s->xstep[0] ? s->xstep : "exec",
			strerror(s->xerr));
		break;
	case WHY_CANCELLED:
		buf_adds(out, "cancelled");
		break;
	case WHY_TIMEOUT:
		buf_adds(out, "time limit reached: ");
		clock_add_duration(out, s->limit_ns);
		break;
	case WHY_BUDGET:
		buf_adds(out, "budget spent after ");
		clock_add_duration(out, s->elapsed_ns);
		break;
	case WHY_LOGCAP:
		buf_adds(out, "log too large");
		break;
	case WHY_NONE:
	case WHY_UNKILLABLE:
	case WHY_LOST:
		buf_adds(out, "exit status unknown: its supervisor was killed");
		break;
	}
}

void run_status_add_words(struct buf *out, const struct status *s)
{
	if (s->state != STATUS_DONE) {
		buf_adds(out, "running");
		if (s->why == WHY_UNKILLABLE)
			buf_addf(out, ", processes survive SIGKILL: %s", s->stuck);
		return;
	}
	add_done(out, s);
	if (s->forced)
		buf_adds(out, ", SIGKILL was needed");
	if (s->left > 0)
		buf_addf(out, ", %d process%s outlived it and %s ended", s->left,
			s->left == 1 ? "" : "es", s->left == 1 ? "was" : "were");
}

int64_t run_poll_interval_ns(int unchanged_polls, int failures, bool watched)
{
	int64_t seconds = 2;

	if (watched)
		unchanged_polls = 0;
	for (int i = 0; i < unchanged_polls + failures && seconds < 60; i++)
		seconds *= 2;
	return (seconds > 60 ? 60 : seconds) * NS_PER_S;
}
