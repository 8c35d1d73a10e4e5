/* program_run - one loop over the three streams of a program. */
#include "config.h"

#include "base/program_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/spawn.h"

enum { CHUNK_BYTES = 64 * 1024, LOOK_MS = 200 };

/* Our ends of the streams; -1: closed. */
struct streams {
	pid_t pid;
	int in, out, err;
	char chunk[CHUNK_BYTES];	/* of IN_FD */
	size_t chunk_at, chunk_n;
	size_t fed;			/* bytes of IN */
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool has_input(const struct program_run *p)
{
	return p->in || p->in_fd >= 0;
}

static int spawn(struct streams *s, const struct program_run *p, const int theirs[3])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	posix_spawn_file_actions_init(&actions);
	if (theirs[0] >= 0)
		posix_spawn_file_actions_adddup2(&actions, theirs[0], STDIN_FILENO);
	else
		posix_spawn_file_actions_addopen(
			&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, theirs[1], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, theirs[2], STDERR_FILENO);
	if (p->folder)
		posix_spawn_file_actions_addchdir_np(&actions, p->folder);
	spawn_attributes_init(&attributes, SPAWN_OWN_GROUP | SPAWN_STOPS_BLOCKED);
	error = posix_spawn(&s->pid, p->path, &actions, &attributes, p->argv, p->env);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

/* A pair whose second end is theirs.  Standard input is a socket, since writing to one
 * whose reader has ended can be told not to raise SIGPIPE. */
static int open_streams(const struct program_run *p, int in[2], int out[2], int err[2])
{
	if (has_input(p) && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) < 0)
		return err_errno(ERR_IO, "no pipe");
	if ((p->out_fd < 0 && pipe2(out, O_CLOEXEC) < 0) ||
	    (!p->together && pipe2(err, O_CLOEXEC) < 0))
		return err_errno(ERR_IO, "no pipe");
	return 0;
}

static int start(struct streams *s, const struct program_run *p)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
	int rc = open_streams(p, in, out, err);

	if (rc == 0) {
		const int their_out = p->out_fd >= 0 ? p->out_fd : out[1];
		const int theirs[3] = { in[1], their_out, p->together ? their_out : err[1] };

		/* Asked first: under valgrind a spawn of nothing succeeds. */
		errno = access(p->path, X_OK) < 0 ? errno : spawn(s, p, theirs);
		if (errno)
			rc = err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", p->path);
	}
	close_end(&in[1]);
	close_end(&out[1]);
	close_end(&err[1]);
	s->in = in[0];
	s->out = out[0];
	s->err = err[0];
	return rc;
}

/* The next bytes for standard input; 0 at the end of it. */
static size_t next_input(struct streams *s, const struct program_run *p, const char **bytes)
{
	ssize_t n;

	if (s->fed < p->in_n) {
		*bytes = (const char *)p->in + s->fed;
		return p->in_n - s->fed;
	}
	if (s->chunk_at == s->chunk_n && p->in_fd >= 0) {
		do
			n = read(p->in_fd, s->chunk, sizeof s->chunk);
		while (n < 0 && errno == EINTR);
		s->chunk_at = 0;
		s->chunk_n = n > 0 ? (size_t)n : 0;
	}
	*bytes = s->chunk + s->chunk_at;
	return s->chunk_n - s->chunk_at;
}

static void feed(struct streams *s, struct program_run *p)
{
	const char *bytes;
	size_t left = next_input(s, p, &bytes);
	ssize_t n;

	if (left == 0) {
		close_end(&s->in);
		return;
	}
	n = send(s->in, bytes, left, MSG_NOSIGNAL | MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		p->input_left = true;
		close_end(&s->in);
		return;
	}
	if (s->fed < p->in_n)
		s->fed += (size_t)n;
	else
		s->chunk_at += (size_t)n;
}

static void keep(struct program_run *p, struct buf *out, int *fd)
{
	char chunk[16 * 1024];
	ssize_t n = read(*fd, chunk, sizeof chunk);
	size_t room = p->out_max - out->n, k;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close_end(fd);
		return;
	}
	k = (size_t)n < room ? (size_t)n : room;
	buf_add(out, chunk, k);
	p->cut |= k < (size_t)n;
}

/* Until UNTIL_NS, but soon enough to see that the program ended. */
static int pause_ms(int64_t until_ns)
{
	int64_t left = (until_ns - clock_boot_ns() + NS_PER_MS - 1) / NS_PER_MS;

	return left > LOOK_MS ? LOOK_MS : left > 0 ? (int)left : 0;
}

static bool has_ended(const struct streams *s)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == s->pid;
}

/*
 * Until both outputs are closed: true; false when END says why not.  A child that the
 * program left behind may hold them open for ever: it is not waited for.
 */
static bool talk(struct streams *s, struct program_run *p, int64_t until_ns)
{
	bool ended = false;

	while (s->out >= 0 || s->err >= 0) {
		struct pollfd fds[4] = {
			{ .fd = s->in, .events = POLLOUT }, { .fd = s->out, .events = POLLIN },
			{ .fd = s->err, .events = POLLIN }, { .fd = p->stop_fd, .events = POLLIN },
		};
		int ms = pause_ms(until_ns), ready;

		if (ms == 0) {
			p->end = PROGRAM_LIMIT;
			return false;
		}
		ready = poll(fds, ARRAY_LEN(fds), ms);
		if (ready == 0 && ended)
			return true;
		if (ready <= 0) {
			ended = has_ended(s);
			continue;
		}
		if (fds[3].revents) {
			p->end = PROGRAM_STOPPED;
			return false;
		}
		if (fds[0].revents)
			feed(s, p);
		if (fds[1].revents)
			keep(p, &p->out, &s->out);
		if (fds[2].revents)
			keep(p, &p->err, &s->err);
	}
	return true;
}

/* A program may close its outputs and go on: it has the same limit. */
static bool wait_for_end(struct streams *s, struct program_run *p, int64_t until_ns, int *status)
{
	static const struct timespec pause = { .tv_nsec = 2 * 1000 * 1000 };

	for (;;) {
		struct pollfd stop = { .fd = p->stop_fd, .events = POLLIN };
		pid_t got = waitpid(s->pid, status, WNOHANG);

		if (got == s->pid)
			return true;
		if (clock_boot_ns() >= until_ns) {
			p->end = PROGRAM_LIMIT;
			return false;
		}
		if (p->stop_fd >= 0 && poll(&stop, 1, 0) > 0) {
			p->end = PROGRAM_STOPPED;
			return false;
		}
		nanosleep(&pause, NULL);
	}
}

static void end(struct streams *s, struct program_run *p, int64_t until_ns)
{
	int status = 0;

	if (!talk(s, p, until_ns) || !wait_for_end(s, p, until_ns, &status)) {
		kill(-s->pid, SIGKILL);
		while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
			;
		p->rc = -1;
		return;
	}
	p->end = WIFSIGNALED(status) ? PROGRAM_KILLED : PROGRAM_EXITED;
	p->rc = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (s->in >= 0)
		p->input_left = true;
}

int program_run(struct program_run *p)
{
	struct streams s = { .in = -1, .out = -1, .err = -1 };
	int64_t until_ns = clock_boot_ns() + p->limit_ns;
	int rc = start(&s, p);

	if (rc == 0)
		end(&s, p, until_ns);
	close_end(&s.in);
	close_end(&s.out);
	close_end(&s.err);
	return rc;
}

void program_run_release(struct program_run *p)
{
	buf_release(&p->out);
	buf_release(&p->err);
}
