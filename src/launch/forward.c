/* Follows a run's log to a descriptor until the run ends: `portside run -- CMD`. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "launch/launch.h"
#include "launch/verdict.h"
#include "launch/watch.h"

enum {
	CHUNK_BYTES = 64 * 1024,
	LOOK_MS = 500,			/* without a change: a killed supervisor makes none */
	EXIT_LIMIT = 124, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127,
	EXIT_LOST = 3,
};

struct forward {
	const char *rundir, *program;
	int out_fd, signal_fd;
	int64_t offset;
	int interrupted;		/* the signal that cancelled the run, 0 for none */
	bool leave;			/* a second ^C: return without waiting */
	bool closed;			/* nobody reads the output any more */
	bool more;			/* the last chunk was full */
};

/* One chunk, so that a run that writes without pause cannot hide a ^C. */
static int copy_new(struct forward *f)
{
	char chunk[CHUNK_BYTES];
	size_t got;
	int bad = launch_log_read(f->rundir, f->offset, chunk, sizeof chunk, &got, NULL);

	f->more = false;
	if (bad == ERR_NOT_FOUND)
		return 0;
	if (bad < 0)
		return bad;
	if (got > 0 && fs_write_all(f->out_fd, chunk, got) < 0) {
		if (errno != EPIPE)
			return err_prefix("output: ");
		f->closed = true;
	}
	f->offset += (int64_t)got;
	f->more = got == sizeof chunk;
	return 0;
}

static void read_signals(struct forward *f)
{
	struct signalfd_siginfo info;

	while (read(f->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
		int sig = (int)info.ssi_signo;

		if (f->interrupted) {
			f->leave = true;
			continue;
		}
		f->interrupted = sig;
		/* ERR_STATE: it has just ended, which the loop will see. */
		if (launch_cancel(f->rundir, f->program, "human:terminal",
			sig == SIGINT ? "interrupted (^C)" : "terminated", -1) < 0 &&
			err_code() != ERR_STATE)
			f->leave = true;
	}
}

static int exit_code(const struct forward *f, const struct run_verdict *v)
{
	const struct status *s = &v->status;

	if (v->kind != RUN_VERDICT_FINAL)
		return EXIT_LOST;
	switch (s->why) {
	case WHY_EXIT:
		return s->rc;
	case WHY_EXECFAIL:
		return s->xerr == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	case WHY_CANCELLED:
		return f->interrupted == SIGTERM ? 128 + SIGTERM : 128 + SIGINT;
	case WHY_TIMEOUT:
	case WHY_BUDGET:
	case WHY_LOGCAP:
		return EXIT_LIMIT;
	case WHY_NONE:
	case WHY_UNKILLABLE:
	case WHY_LOST:
		break;
	}
	return EXIT_LOST;
}

/* Who waits has started it: where there is no trace of that, nothing will come. */
static bool is_over(const struct run_verdict *v)
{
	return verdict_is_over(v) || v->kind == RUN_VERDICT_NONE;
}

static void wait_for_change(struct forward *f, struct watch *w)
{
	struct pollfd p[2] = {
		{ .fd = f->signal_fd, .events = POLLIN },
		{ .fd = w ? watch_fd(w) : -1, .events = POLLIN },
	};
	struct watch_event e;

	(void)poll(p, ARRAY_LEN(p), f->more ? 0 : LOOK_MS);
	while (w && watch_next(w, &e))
		;
	read_signals(f);
}

static int follow(struct forward *f, struct watch *w, int *code)
{
	struct run_verdict v;

	for (;;) {
		/* The verdict first: what the log holds after it is all. */
		verdict_read(&v, f->rundir);
		if (copy_new(f) < 0)
			return err_code();
		if (f->leave)
			*code = 128 + f->interrupted;
		else if (f->closed)
			*code = 128 + SIGPIPE;
		else if (is_over(&v) && !f->more)
			*code = exit_code(f, &v);
		else {
			wait_for_change(f, w);
			continue;
		}
		return 0;
	}
}

int launch_wait_and_forward(const char *rundir, const char *program, int out_fd, int *exit_status)
{
	struct forward f = { .rundir = rundir, .program = program, .out_fd = out_fd };
	struct watch *w = watch_new(0);
	sigset_t caught, blocked, before;
	int bad;

	/* Without a watch the loop still looks twice a second. */
	if (w && watch_add(w, rundir) < 0) {
		watch_free(w);
		w = NULL;
	}
	sigemptyset(&caught);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	blocked = caught;
	sigaddset(&blocked, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	f.signal_fd = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
	bad = f.signal_fd < 0 ? err_errno(ERR_IO, "signals") : follow(&f, w, exit_status);
	if (f.signal_fd >= 0)
		close(f.signal_fd);
	if (f.closed) {
		/* The one that our write raised must not be delivered late. */
		static const struct timespec now = { 0, 0 };
		sigset_t pipe_set;

		sigemptyset(&pipe_set);
		sigaddset(&pipe_set, SIGPIPE);
		(void)sigtimedwait(&pipe_set, NULL, &now);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	watch_free(w);
	return bad;
}
