/* The phase of a run, and its words, from its status record. */
#include "config.h"

#include "launch/run_phase.h"

#include <string.h>

#include "base/clock.h"

static const char *const source_words[] = {
	[RUN_SOURCE_NONE] = "", [RUN_SOURCE_STATUS] = "status", [RUN_SOURCE_RC] = "rc",
	[RUN_SOURCE_PROVIDER] = "provider", [RUN_SOURCE_PERSON] = "person",
};

const char *run_source_word(enum run_source s)
{
	return source_words[s];
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
