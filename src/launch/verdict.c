/* Judges a run directory; see the table in verdict.h. */
#include "config.h"

#include "launch/verdict.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fs.h"
#include "launch/process.h"

static const int64_t blank_limit_ns = 10 * NS_PER_S;

static const char *const words[] = {
	[RUN_VERDICT_NONE] = "none", [RUN_VERDICT_STARTING] = "starting",
	[RUN_VERDICT_RUNNING] = "running",
	[RUN_VERDICT_FINAL] = "final", [RUN_VERDICT_ORPHAN] = "orphan", [RUN_VERDICT_LOST] = "lost",
	[RUN_VERDICT_LAUNCH_FAILED] = "launch-failed", [RUN_VERDICT_MISSING] = "missing",
	[RUN_VERDICT_UNKNOWN] = "unknown",
};

const char *verdict_word(enum run_verdict_kind k)
{
	return words[k];
}

bool verdict_is_over(const struct run_verdict *v)
{
	return v->kind == RUN_VERDICT_FINAL || v->kind == RUN_VERDICT_LOST ||
		v->kind == RUN_VERDICT_LAUNCH_FAILED || v->kind == RUN_VERDICT_MISSING;
}

enum lock_state { LOCK_FREE, LOCK_HELD };

/*
 * The lock is taken shared, so that two readers never take each other for a
 * supervisor; *FD keeps it until the status was read again.  A lock that
 * cannot be tried counts as held: nothing is concluded from it.
 */
static enum lock_state lock_try(int *fd, const char *rundir)
{
	char *path = xasprintf("%s/lock", rundir);

	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	free(path);
	if (*fd < 0)
		return errno == ENOENT ? LOCK_FREE : LOCK_HELD;
	if (flock(*fd, LOCK_SH | LOCK_NB) == 0)
		return LOCK_FREE;
	close(*fd);
	*fd = -1;
	return LOCK_HELD;
}

static void decide(struct run_verdict *v, enum run_verdict_kind kind, const char *reason)
{
	v->kind = kind;
	v->reason = reason;
}

static void judge_held(struct run_verdict *v, enum status_read read)
{
	v->locked = true;
	if (read == STATUS_READ_FAILED)
		decide(v, RUN_VERDICT_UNKNOWN, "the status record could not be read now");
	else if (read == STATUS_READ_OK && v->status.state == STATUS_DONE)
		decide(v, RUN_VERDICT_FINAL, "the run has ended");
	else if (read == STATUS_READ_OK)
		decide(v, RUN_VERDICT_RUNNING, v->status.why == WHY_UNKILLABLE ?
			"processes of the run survive SIGKILL" : "the supervisor watches the run");
	else
		decide(v, RUN_VERDICT_STARTING,
			read == STATUS_READ_DAMAGED
				? "a supervisor lives, but its record cannot be read"
				: "the supervisor is starting");
}

static void judge_running(struct run_verdict *v)
{
	char boot[STATUS_BOOT_SIZE];
	bool alive;

	process_boot_id(boot);
	errno = 0;
	alive = process_alive(v->status.pid, v->status.ticks);
	if (boot[0] == '\0' || (!alive && errno != 0 && errno != ESRCH))
		decide(v, RUN_VERDICT_UNKNOWN, "/proc could not be read now");
	else if (strcmp(boot, v->status.boot) != 0)
		decide(v, RUN_VERDICT_LOST,
			"the machine was started again while the run was running");
	else if (alive)
		decide(v, RUN_VERDICT_ORPHAN, "the run goes on without its supervisor");
	else
		decide(v, RUN_VERDICT_LOST, "the supervisor was killed and the run has ended; "
			"its exit status is unknown");
}

static void judge_free(struct run_verdict *v, enum status_read read, int64_t age_ns)
{
	switch (read) {
	case STATUS_READ_NONE:
		decide(v, RUN_VERDICT_NONE, "not started");
		break;
	case STATUS_READ_BLANK:
		if (age_ns > blank_limit_ns)
			decide(v, RUN_VERDICT_LAUNCH_FAILED,
				"the supervisor ended before the run was started");
		else
			decide(v, RUN_VERDICT_NONE, "not started yet");
		break;
	case STATUS_READ_DAMAGED:
		decide(v, RUN_VERDICT_LOST, "the status record is damaged");
		break;
	case STATUS_READ_FAILED:
		decide(v, RUN_VERDICT_UNKNOWN, "the status record could not be read now");
		break;
	case STATUS_READ_OK:
		if (v->status.state == STATUS_DONE)
			decide(v, RUN_VERDICT_FINAL, "the run has ended");
		else
			judge_running(v);
		break;
	}
}

void verdict_read(struct run_verdict *out, const char *rundir)
{
	enum status_read read;
	int64_t age_ns = 0;
	int fd;

	memset(out, 0, sizeof *out);
	if (!fs_is_dir(rundir)) {
		decide(out, RUN_VERDICT_MISSING, "the run directory is gone");
		return;
	}
	if (lock_try(&fd, rundir) == LOCK_HELD) {
		read = status_read(&out->status, rundir, &age_ns);
		out->has_status = read == STATUS_READ_OK;
		judge_held(out, read);
		return;
	}
	/* Read under the lock: no supervisor can be between its last record and
	 * its end now. */
	read = status_read(&out->status, rundir, &age_ns);
	out->has_status = read == STATUS_READ_OK;
	judge_free(out, read, age_ns);
	if (fd >= 0)
		close(fd);
}

int64_t verdict_elapsed_ns(const struct run_verdict *v)
{
	const struct status *s = &v->status;
	int64_t elapsed_ns;

	if (v->kind == RUN_VERDICT_FINAL)
		return s->elapsed_ns > 0 ? s->elapsed_ns : -1;
	if ((v->kind != RUN_VERDICT_RUNNING && v->kind != RUN_VERDICT_ORPHAN) || !s->ticks)
		return -1;
	/* The process's own start, which the kernel keeps in ticks of that clock. */
	elapsed_ns = clock_boot_ns() - (int64_t)s->ticks * (NS_PER_S / sysconf(_SC_CLK_TCK));
	return elapsed_ns >= 0 ? elapsed_ns : -1;
}

static void observe_final(struct run_observation *o, const struct run_verdict *v)
{
	struct buf words_of = BUF_INIT;

	o->answer = RUN_ENDED;
	o->phase = run_phase_of_status(&v->status);
	o->rc = v->status.rc;
	o->signal = v->status.signal;
	run_status_add_words(&words_of, &v->status);
	snprintf(o->reason, sizeof o->reason, "%s", words_of.s);
	snprintf(o->word, sizeof o->word, "%s", status_why_word(v->status.why));
	buf_release(&words_of);
}

void verdict_observation(struct run_observation *out, const struct run_verdict *v)
{
	*out = (struct run_observation)RUN_OBSERVATION_INIT;
	out->source = RUN_SOURCE_STATUS;
	out->time_ns = clock_wall_ns();
	snprintf(out->word, sizeof out->word, "%s", words[v->kind]);
	snprintf(out->reason, sizeof out->reason, "%s", v->reason);
	switch (v->kind) {
	case RUN_VERDICT_NONE:
		out->phase = PHASE_PREPARED;
		break;
	case RUN_VERDICT_STARTING:
		out->phase = PHASE_LAUNCHING;
		break;
	case RUN_VERDICT_RUNNING:
		out->marks = v->status.why == WHY_UNKILLABLE ? RUN_MARK_UNKILLABLE : 0;
		break;
	case RUN_VERDICT_ORPHAN:
		out->marks = RUN_MARK_ORPHAN;
		break;
	case RUN_VERDICT_FINAL:
		observe_final(out, v);
		break;
	case RUN_VERDICT_UNKNOWN:
		out->answer = RUN_UNREACHABLE;
		break;
	case RUN_VERDICT_LAUNCH_FAILED:
		out->answer = RUN_ENDED;
		out->phase = PHASE_LAUNCH_FAILED;
		break;
	case RUN_VERDICT_LOST:
	case RUN_VERDICT_MISSING:
		out->answer = RUN_ENDED;
		out->phase = PHASE_LOST;
		break;
	}
}
