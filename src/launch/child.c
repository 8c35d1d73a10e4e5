/* fork, wait for the word to go, chdir and exec of a run's main process. */
#include "config.h"

#include "launch/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTR_NORETURN __attribute__((noreturn))

static const char *const steps[] = { "fork", "setsid", "input", "output", "chdir", "exec" };
enum step { STEP_FORK, STEP_SETSID, STEP_INPUT, STEP_OUTPUT, STEP_CHDIR, STEP_EXEC };

struct failure {
	int error;
	enum step step;
};

static void default_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		(void)sigaction(sig, &action, NULL);	/* KILL, STOP: EINVAL */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static enum step execute(const struct child_options *o)
{
	int null;

	if (setsid() < 0)
		return STEP_SETSID;
	null = open("/dev/null", O_RDONLY);
	if (null < 0 || dup2(null, 0) < 0)
		return STEP_INPUT;
	if (null != 0)
		close(null);
	if (dup2(o->log_fd, 1) < 0 || dup2(o->log_fd, 2) < 0)
		return STEP_OUTPUT;
	if (chdir(o->cwd) < 0)
		return STEP_CHDIR;
	default_signals();
	/* execvp() looks the program up in the PATH of environ: the run's. */
	environ = o->env;
	execvp(o->argv[0], o->argv);
	return STEP_EXEC;
}

static ssize_t read_retry(int fd, void *out, size_t n)
{
	ssize_t got;

	do
		got = read(fd, out, n);
	while (got < 0 && errno == EINTR);
	return got;
}

static void run_child(const struct child_options *o, int go_fd, int error_fd) ATTR_NORETURN;

static void run_child(const struct child_options *o, int go_fd, int error_fd)
{
	struct failure f;
	char go;

	if (read_retry(go_fd, &go, 1) != 1)
		_exit(127);
	f.step = execute(o);
	f.error = errno;
	_exit(write(error_fd, &f, sizeof f) == (ssize_t)sizeof f ? 127 : 126);
}

static bool fail(struct child *c, int error)
{
	c->pid = 0;
	c->error = error;
	return false;
}

bool child_fork(struct child *out, const struct child_options *o)
{
	int go[2], error[2];

	*out = (struct child){ .step = steps[STEP_FORK], .go_fd = -1, .error_fd = -1 };
	if (pipe2(go, O_CLOEXEC) < 0)
		return fail(out, errno);
	if (pipe2(error, O_CLOEXEC) < 0) {
		fail(out, errno);
		close(go[0]);
		close(go[1]);
		return false;
	}
	out->pid = fork();
	if (out->pid == 0) {
		close(go[1]);
		run_child(o, go[0], error[1]);
	}
	out->error = out->pid < 0 ? errno : 0;
	close(go[0]);
	close(error[1]);
	out->go_fd = go[1];
	out->error_fd = error[0];
	if (out->pid > 0)
		return true;
	close(go[1]);
	close(error[0]);
	return fail(out, out->error);
}

bool child_release(struct child *c)
{
	struct failure f = { 0, STEP_EXEC };
	ssize_t n = write(c->go_fd, "g", 1);

	close(c->go_fd);
	if (n == 1)
		n = read_retry(c->error_fd, &f, sizeof f);
	close(c->error_fd);
	if (n == 0)
		return true;
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->step = steps[f.step];
	return fail(c, f.error ? f.error : EIO);
}
