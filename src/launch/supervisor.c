/* `portside supervise RUNDIR`: lock, detach, start the child, and watch it. */
#include "config.h"

#include "launch/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/capture.h"
#include "launch/child.h"
#include "launch/environment.h"
#include "launch/payload.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "launch/supervision.h"
#include "launch/verdict.h"

enum { LOCK_TRIES = 1600 };		/* 5 ms apart */
enum { CAPTURE_END_MS = 1000 };

struct supervisor {
	struct arena arena;
	const char *rundir;
	bool adopt;
	int ready_fd, payload_fd;	/* -1: none */
	int lock_fd, log_fd, folder_fd;
	int capture_fd;			/* a socket to the capture process; -1: none */
	struct payload payload;		/* wiped once the run has started */
	struct supervision watch;
};

static void answer(struct supervisor *s, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* The one line that the launcher waits for. */
static void answer(struct supervisor *s, const char *fmt, ...)
{
	va_list ap;

	if (s->ready_fd < 0)
		return;
	va_start(ap, fmt);
	vdprintf(s->ready_fd, fmt, ap);
	va_end(ap);
	close(s->ready_fd);
	s->ready_fd = -1;
}

static int fail(struct supervisor *s, int error, const char *step)
{
	supervision_say("%s: %s", step, err_text());
	answer(s, "failed %d %s %s\n", error, step, err_text());
	return 1;
}

/* ---- the command line ----------------------------------------------------- */

static int to_number(const char *s)
{
	int64_t v;

	return s && text_to_i64(s, strlen(s), &v) && v >= 0 && v < 1000000 ? (int)v : -1;
}

static int parse_arguments(struct supervisor *s, int argc, char **argv)
{
	char resolved[4096];

	if (argc < 2)
		return err_set(ERR_USAGE, "supervise: no run directory");
	for (int i = 2; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (strcmp(argv[i], "--adopt") == 0) {
			s->adopt = true;
			continue;
		}
		if (to_number(value) < 0)
			return err_set(
				ERR_USAGE, "supervise: %s is unknown or has no number", argv[i]);
		if (strcmp(argv[i], "--ready") == 0)
			s->ready_fd = to_number(value);
		else if (strcmp(argv[i], "--payload") == 0)
			s->payload_fd = to_number(value);
		else if (strcmp(argv[i], "--stuck-after") == 0)
			s->watch.stuck_ns = to_number(value) * NS_PER_MS;
		else
			return err_set(ERR_USAGE, "supervise: unknown option %s", argv[i]);
		i++;
	}
	if (!realpath(argv[1], resolved))
		return err_errno(ERR_NOT_FOUND, "%s", argv[1]);
	s->rundir = arena_strdup(&s->arena, resolved);
	return 0;
}

/* Nothing that the launcher had open may live on in a run. */
static void close_foreign(const struct supervisor *s)
{
	int limit = 3;

	for (int fd = 3; fd <= s->ready_fd || fd <= s->payload_fd; fd++) {
		if (fd != s->ready_fd && fd != s->payload_fd)
			close(fd);
		else
			(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
		limit = fd + 1;
	}
	(void)close_range((unsigned)limit, ~0U, 0);
}

static int open_output(struct supervisor *s)
{
	const char *path = run_directory_path(&s->arena, s->rundir, RUN_FILE_SUP_LOG);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (null < 0 || log < 0)
		return err_errno(ERR_IO, "%s", path);
	if (dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
		return err_errno(ERR_IO, "%s", path);
	if (null > 2)
		close(null);
	if (log > 2)
		close(log);
	return 0;
}

/* ---- what to run ---------------------------------------------------------- */

static int load_stored(struct supervisor *s)
{
	char **argv = arena_alloc(&s->arena, 3 * sizeof *argv);

	argv[0] = arena_strdup(&s->arena, "/bin/sh");
	argv[1] = run_directory_path(&s->arena, s->rundir, RUN_FILE_CMD);
	s->payload.argv = argv;
	return run_directory_read_env(&s->payload.env, &s->arena, s->rundir);
}

static int load(struct supervisor *s)
{
	int bad = run_directory_read_spec(&s->watch.spec, &s->arena, s->rundir);

	if (bad < 0)
		return bad;
	s->folder_fd = open(s->rundir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->folder_fd < 0)
		return err_errno(ERR_IO, "%s", s->rundir);
	if (s->payload_fd < 0)
		return load_stored(s);
	bad = payload_read(&s->payload, &s->arena, s->payload_fd);
	close(s->payload_fd);
	s->payload_fd = -1;
	return bad;
}

/* ---- lock and files ------------------------------------------------------- */

/* 0: ours.  1: it is another's, or it has been started before. */
static int take_lock(struct supervisor *s)
{
	static const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
	struct status status;

	s->lock_fd = openat(s->folder_fd, run_file_name(RUN_FILE_LOCK),
		O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (s->lock_fd < 0)
		return err_errno(ERR_IO, "lock of the run");
	for (int i = 0; flock(s->lock_fd, LOCK_EX | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return err_errno(ERR_IO, "lock of the run");
		/* A reader holds it for an instant only; a supervisor that is
		 * starting will soon have written its record. */
		if (i == LOCK_TRIES || status_read(&status, s->rundir, NULL) == STATUS_READ_OK)
			return 1;
		nanosleep(&pause, NULL);
	}
	return 0;
}

static int refuse_second(struct supervisor *s)
{
	struct run_verdict v;

	close(s->lock_fd);
	verdict_read(&v, s->rundir);
	answer(s, "already %s\n", verdict_word(v.kind));
	return 0;
}

/* The record of an orphan of this boot. */
static bool is_orphan(const struct status *status)
{
	char boot[STATUS_BOOT_SIZE];

	process_boot_id(boot);
	return status->state == STATUS_RUNNING && strcmp(status->boot, boot) == 0 &&
		process_alive(status->pid, status->ticks);
}

/* 0: the run is to be started or adopted.  1: it is not as expected. */
static int check_record(struct supervisor *s)
{
	struct status status;

	switch (status_read(&status, s->rundir, NULL)) {
	case STATUS_READ_NONE:
	case STATUS_READ_BLANK:
		return s->adopt;
	case STATUS_READ_OK:
		if (!s->adopt || !is_orphan(&status))
			return 1;
		s->watch.status = status;
		return 0;
	case STATUS_READ_DAMAGED:
		return 1;
	case STATUS_READ_FAILED:
		break;
	}
	return err_errno(ERR_IO, "status of the run");
}

static int open_files(struct supervisor *s)
{
	int flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC;

	if (status_open(&s->watch.file, s->folder_fd, s->adopt) < 0)
		return err_code();
	s->log_fd = openat(s->folder_fd, run_file_name(RUN_FILE_LOG), flags, 0600);
	if (s->log_fd < 0)
		return err_errno(ERR_IO, "log");
	s->watch.rundir = s->rundir;
	s->watch.folder_fd = s->folder_fd;
	s->watch.log_fd = s->log_fd;
	return 0;
}

/* ---- capture -------------------------------------------------------------- */

static struct redact *know_secrets(const struct supervisor *s)
{
	struct environment env = { .items = s->payload.env };
	struct redact *r = redact_new();

	while (env.items[env.n])
		env.n++;
	redact_add_environment(r, env.items);
	for (const char *const *p = s->watch.spec.pass; p && *p; p++)
		redact_add(r, *p, environment_get(&env, *p));
	return r;
}

static void capture_all(const struct supervisor *s, int socket)
{
	const char *const *argv = (const char *const *)s->payload.argv;
	const char *cwd = s->watch.spec.cwd;
	struct redact *r = know_secrets(s);

	if (capture_start(s->rundir, argv, s->payload.env, cwd, r, socket) < 0)
		supervision_say("capture: %s", err_text());
	capture_devices(s->rundir, s->payload.env, cwd, r, socket);
	redact_free(r);
}

/* A process beside the supervisor, not below it: what it runs is no part of
 * the run.  A byte tells it that the run has started, the end of the stream
 * that it is over or that the supervisor is gone. */
static void run_capture(const struct supervisor *s, int socket)
{
	sigset_t none;
	char byte;

	/* The lock above all: a dead supervisor must not look alive. */
	if (socket > 3)
		(void)close_range(3, (unsigned)socket - 1, 0);
	(void)close_range((unsigned)socket + 1, ~0U, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (read(socket, &byte, 1) == 1)
		capture_all(s, socket);
	_exit(0);
}

/* ENDS: of the socket between the two, or -1. */
static void fork_capture(const struct supervisor *s, const int ends[2])
{
	pid_t pid;

	if (ends[0] < 0)
		return;
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		run_capture(s, ends[0]);
	}
	if (pid < 0)
		supervision_say("capture: %s", strerror(errno));
}

static void begin_capture(const struct supervisor *s)
{
	ssize_t ignored;

	if (s->capture_fd < 0)
		return;
	ignored = send(s->capture_fd, "g", 1, MSG_NOSIGNAL);
	(void)ignored;		/* it could not be forked: said already */
}

/* Nothing may write into the run directory once the run counts as over.  A
 * command of it that cannot be killed is not worth a late end. */
static void end_capture(struct supervisor *s)
{
	struct pollfd p = { .fd = s->capture_fd, .events = POLLIN };

	if (s->capture_fd >= 0) {
		(void)shutdown(s->capture_fd, SHUT_WR);
		while (poll(&p, 1, CAPTURE_END_MS) < 0 && errno == EINTR)
			;
		if (!p.revents)
			supervision_say("capture: it does not end");
		close(s->capture_fd);
	}
	if (!s->watch.said_deleted && capture_end(s->rundir, s->watch.peak_rss_bytes) < 0)
		supervision_say("capture: %s", err_text());
}

/* ---- the supervisor itself ------------------------------------------------ */

static void fill_status(struct supervisor *s)
{
	struct supervision *w = &s->watch;
	struct process self;

	w->limit_ns = w->spec.limit_ns;
	w->budget_ns = run_spec_budget_ns(&w->spec);
	w->status.supervisor_pid = getpid();
	w->status.supervisor_ticks = process_read(&self, getpid()) ? self.ticks : 0;
	if (s->adopt)
		return;
	memcpy(w->status.run_id, w->spec.run_id, RUN_ID_SIZE);
	process_boot_id(w->status.boot);
	if (gethostname(w->status.host, sizeof w->status.host - 1) < 0)
		w->status.host[0] = '\0';
	w->status.limit_ns = w->limit_ns;
	if (w->budget_ns && (!w->limit_ns || w->budget_ns < w->limit_ns))
		w->status.limit_ns = w->budget_ns;
	w->status.start_ns = clock_wall_ns();
}

static void record_failed_start(struct supervisor *s, const struct child *c)
{
	struct status *status = &s->watch.status;

	status->state = STATUS_DONE;
	status->why = WHY_EXECFAIL;
	status->rc = RUN_RC_UNKNOWN;
	status->xerr = c->error;
	snprintf(status->xstep, sizeof status->xstep, "%s", c->step);
	status->end_ns = clock_wall_ns();
	if (status_write(&s->watch.file, status) < 0)
		supervision_say("status: %s", err_text());
	err_set(ERR_IO, "%s: %s",
		strcmp(c->step, "chdir") == 0 ? s->watch.spec.cwd : s->payload.argv[0],
		strerror(c->error));
	(void)fail(s, c->error, c->step);
}

static bool start_child(struct supervisor *s)
{
	struct child_options options = {
		.argv = s->payload.argv, .env = s->payload.env,
		.cwd = s->watch.spec.cwd, .log_fd = s->log_fd,
	};
	struct status *status = &s->watch.status;
	struct process p;
	struct child c;

	if (!child_fork(&c, &options)) {
		record_failed_start(s, &c);
		return false;
	}
	status->pid = c.pid;
	status->ticks = process_read(&p, c.pid) ? p.ticks : 0;
	if (status_write(&s->watch.file, status) < 0) {
		/* The child was not released: it ends when its pipe closes. */
		(void)fail(s, errno, "status");
		return false;
	}
	s->watch.start_boot_ns = clock_boot_ns();
	if (child_release(&c))
		return true;
	record_failed_start(s, &c);
	return false;
}

static bool start_adopting(struct supervisor *s)
{
	struct supervision *w = &s->watch;

	w->adopted = true;
	w->pidfd = process_open(w->status.pid, w->status.ticks);
	w->start_boot_ns = (int64_t)(w->status.ticks * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK)));
	if (status_write(&w->file, &w->status) == 0)
		return true;
	(void)fail(s, errno, "status");
	return false;
}

static void __attribute__((noreturn)) supervise(struct supervisor *s)
{
	if (chdir("/") < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
		err_errno(ERR_IO, "supervisor");
		_exit(fail(s, errno, "supervisor"));
	}
	if (supervision_open(&s->watch) < 0)
		_exit(fail(s, errno, "supervisor"));
	fill_status(s);
	if (!(s->adopt ? start_adopting(s) : start_child(s)))
		_exit(1);
	answer(s, "started %ld %llu\n", (long)s->watch.status.pid,
		(unsigned long long)s->watch.status.ticks);
	begin_capture(s);
	for (char **p = s->payload.env; *p; p++)
		explicit_bzero(*p, strlen(*p));		/* the child has them */
	supervision_run(&s->watch);
	end_capture(s);
	supervision_record_end(&s->watch);
	_exit(0);
}

/* Runs in a process that ends at once, so that the supervisor is nobody's
 * child and leads no session that a terminal could hang up. */
static void __attribute__((noreturn)) detach(struct supervisor *s)
{
	int ends[2] = { -1, -1 };
	pid_t pid;

	(void)setsid();
	if (!s->adopt && !s->watch.spec.skip_capture &&
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		supervision_say("capture: %s", strerror(errno));
	pid = fork();
	if (pid == 0) {
		if (ends[0] >= 0)
			close(ends[0]);
		s->capture_fd = ends[1];
		supervise(s);
	}
	if (pid < 0) {
		err_errno(ERR_IO, "supervisor");
		_exit(fail(s, errno, "fork"));
	}
	fork_capture(s, ends);
	_exit(0);
}

static int prepare(struct supervisor *s)
{
	int taken, other;

	if (open_output(s) < 0)
		return fail(s, errno, "sup.log");
	if (load(s) < 0)
		return fail(s, errno, "spec");
	taken = take_lock(s);
	if (taken < 0)
		return fail(s, errno, "lock");
	other = taken > 0 ? taken : check_record(s);
	if (other < 0)
		return fail(s, errno, "status");
	if (other > 0)
		return -1;
	if (open_files(s) < 0)
		return fail(s, errno, "files");
	return 0;
}

int supervisor_main(int argc, char **argv)
{
	struct supervisor s = {
		.ready_fd = -1, .payload_fd = -1, .lock_fd = -1, .capture_fd = -1,
		.watch = { .stuck_ns = STOP_STUCK_NS },
	};
	int bad;
	pid_t pid;

	if (parse_arguments(&s, argc, argv) < 0) {
		dprintf(2, "portside: %s\n", err_text());
		answer(&s, "failed 0 arguments %s\n", err_text());
		return 2;
	}
	close_foreign(&s);
	/* A file size limit or a launcher that is gone are errors, not deaths.
	 * The child gets the defaults back. */
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	bad = prepare(&s);
	if (bad != 0)
		return bad < 0 ? refuse_second(&s) : bad;
	pid = fork();
	if (pid == 0)
		detach(&s);
	if (pid < 0) {
		err_errno(ERR_IO, "supervisor");
		return fail(&s, errno, "fork");
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	arena_release(&s.arena);
	return 0;
}
