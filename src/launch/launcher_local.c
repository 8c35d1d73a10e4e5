/* The launcher `local`: a supervisor process per run on this machine. */
#include "config.h"

#include "launch/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/spawn.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "launch/verdict.h"

enum {
	READY_FD = 3, PAYLOAD_FD = 4,	/* in the supervisor */
	FIRST_FREE_FD = 10,		/* above those two, so that dup2 never collides */
	ANSWER_BYTES = 1024,
};
static const int64_t ready_limit_ns = 20 * NS_PER_S;

/* A supervisor needs no more, and so keeps no secret in its environment. */
static const char *const supervisor_names[] = {
	"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "PORTSIDE_DATA", "PORTSIDE_CLOCK",
	"PORTSIDE_RUN_ID",
	"ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS",
};

static void supervisor_environment(struct arena *a, char *out[ARRAY_LEN(supervisor_names) + 1])
{
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(supervisor_names); i++) {
		const char *value = getenv(supervisor_names[i]);

		if (value)
			out[n++] = arena_printf(a, "%s=%s", supervisor_names[i], value);
	}
	out[n] = NULL;
}

static int spawn(pid_t *pid, const char *program, char *const *argv, char *const *env,
	int ready_fd, int payload_fd)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ready_fd, READY_FD);
	if (payload_fd >= 0)
		posix_spawn_file_actions_adddup2(&actions, payload_fd, PAYLOAD_FD);
	spawn_attributes_init(&attributes, 0);
	error = posix_spawn(pid, program, &actions, &attributes, argv, env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

/* One line; false when none came in time. */
static bool read_answer(char out[ANSWER_BYTES], int fd)
{
	int64_t until_ns = clock_boot_ns() + ready_limit_ns;
	size_t n = 0;

	while (n + 1 < ANSWER_BYTES) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left_ms = (until_ns - clock_boot_ns()) / NS_PER_MS;
		ssize_t got;

		if (left_ms <= 0)
			break;
		if (poll(&p, 1, (int)left_ms) <= 0)
			continue;
		got = read(fd, out + n, ANSWER_BYTES - 1 - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		n += (size_t)got;
		if (memchr(out, '\n', n))
			break;
	}
	out[n] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return n > 0;
}

static int parse_answer(struct launcher_submitted *out, const char *line)
{
	int at = 0, error = 0;

	if (sscanf(line, "started %63s", out->id) == 1) {
		out->result = LAUNCHER_STARTED;
		snprintf(out->state, sizeof out->state, "running");
		return 0;
	}
	if (sscanf(line, "already %63s", out->state) == 1) {
		out->result = LAUNCHER_ALREADY;
		return 0;
	}
	if (sscanf(line, "failed %d %*s %n", &error, &at) == 1 && at > 0)
		return err_set(ERR_IO, "not started: %s", line + at);
	return err_set(ERR_IO, "not started: the supervisor answered \"%s\"", line);
}

/* Both descriptors as high numbers that survive until dup2. */
static int raise_fd(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_FREE_FD);
	int saved = errno;

	close(fd);
	errno = saved;
	return high;
}

static int run_supervisor(struct launcher_submitted *out, const char *program, const char *rundir,
	int payload_fd, bool adopt)
{
	struct arena a = ARENA_INIT;
	char *env[ARRAY_LEN(supervisor_names) + 1], line[ANSWER_BYTES];
	const char *option = adopt ? "--adopt" : payload_fd >= 0 ? "--payload" : NULL;
	const char *argv[] = { program, "supervise", rundir, "--ready", "3", option,
		adopt ? NULL : "4", NULL };
	int ends[2], error;
	bool answered;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0)
		return err_errno(ERR_IO, "not started");
	ends[1] = raise_fd(ends[1]);
	if (ends[1] < 0) {
		int bad = err_errno(ERR_IO, "not started: no free descriptor");

		close(ends[0]);
		return bad;
	}
	supervisor_environment(&a, env);
	error = spawn(&pid, program, (char *const *)(size_t)argv, env, ends[1], payload_fd);
	arena_release(&a);
	close(ends[1]);
	if (error) {
		close(ends[0]);
		errno = error;
		return err_errno(ERR_IO, "not started: %s", program);
	}
	answered = read_answer(line, ends[0]);
	close(ends[0]);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (!answered)
		return err_set(ERR_IO,
			"not started: the supervisor gave no answer; see %s/sup.log", rundir);
	return parse_answer(out, line);
}

/* PAYLOAD is NULL for an orphan: what runs already is not started again. */
static int run_under_supervisor(
	struct launcher_submitted *out, const struct launcher_job *j, bool adopt)
{
	int fd = -1, bad;

	memset(out, 0, sizeof *out);
	if (!adopt && payload_write(&fd, j->payload->argv, j->payload->env) < 0)
		return err_code();
	if (fd >= 0 && (fd = raise_fd(fd)) < 0)
		return err_errno(ERR_IO, "not started: no free descriptor");
	bad = run_supervisor(out, j->program, j->rundir, fd, adopt);
	if (fd >= 0)
		close(fd);
	return bad;
}

static int local_submit(
	const struct launcher *l, const struct launcher_job *j, struct launcher_submitted *out)
{
	(void)l;
	if (fs_is_network(j->rundir))
		return err_set(ERR_STATE, "%s is on a network disk, where a run cannot be locked; "
			"keep the repository's git directory on a local disk", j->rundir);
	return run_under_supervisor(out, j, false);
}

static int local_poll(
	const struct launcher *l, const struct launcher_job *j, struct run_observation *out)
{
	struct run_verdict v;

	(void)l;
	verdict_read(&v, j->rundir);
	verdict_observation(out, &v);
	return 0;
}

static int write_cancel(const char *rundir, const char *who, const char *why, int64_t grace_ns)
{
	struct cancel_request c = {
		.time_ns = clock_wall_ns(), .grace_ns = grace_ns, .who = who, .why = why,
	};
	int bad = run_directory_write_cancel(rundir, &c);

	return bad == ERR_EXISTS ? 0 : bad;
}

static int local_adopt(const struct launcher *l, const struct launcher_job *j)
{
	struct launcher_submitted submitted;
	struct run_verdict v;

	(void)l;
	verdict_read(&v, j->rundir);
	if (v.kind != RUN_VERDICT_ORPHAN)
		return err_set(ERR_STATE, "nothing to adopt: %s", v.reason);
	/* "already" is fine: another screen adopted it first, or it just ended. */
	return run_under_supervisor(&submitted, j, true);
}

static int local_cancel(const struct launcher *l, const struct launcher_job *j, const char *who,
	const char *why, int64_t grace_ns)
{
	struct run_verdict v;

	verdict_read(&v, j->rundir);
	switch (v.kind) {
	case RUN_VERDICT_RUNNING:
	case RUN_VERDICT_STARTING:
		if (write_cancel(j->rundir, who, why, grace_ns) < 0)
			return err_prefix("cancel: ");
		/* Only wakes it: without the signal it looks 0.2 s later. */
		if (v.has_status)
			(void)process_signal(
				v.status.supervisor_pid, v.status.supervisor_ticks, SIGHUP);
		return 0;
	case RUN_VERDICT_ORPHAN:
		if (write_cancel(j->rundir, who, why, grace_ns) < 0)
			return err_prefix("cancel: ");
		return local_adopt(l, j);
	case RUN_VERDICT_NONE:
	case RUN_VERDICT_FINAL:
	case RUN_VERDICT_LOST:
	case RUN_VERDICT_LAUNCH_FAILED:
	case RUN_VERDICT_MISSING:
	case RUN_VERDICT_UNKNOWN:
		break;
	}
	return err_set(ERR_STATE, "nothing to cancel: %s", v.reason);
}

const struct launcher launcher_local = {
	.name = "local",
	.submit = local_submit,
	.poll = local_poll,
	.cancel = local_cancel,
	.adopt = local_adopt,
};
