/*
 * vtrun_child - the program under test as the foreground job of a small shell.
 *
 * The kernel drops SIGTSTP for a process group without a parent in its session,
 * so a session leader stands between: it takes the terminal back when the job
 * stops, restores its modes, and gives it again for fg, as a shell does.
 */
#include "config.h"

#include "vtrun.h"

#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the leader's side ------------------------------------------------------ */

static pid_t job;		/* of the leader; its signal handler needs it */

static void on_order(int sig)
{
	if (sig == SIGUSR1)	/* foreground; SIGUSR2 is background */
		tcsetpgrp(STDIN_FILENO, job);
	kill(-job, SIGCONT);
}

static void become_program(const char *term, char **argv)
{
	setpgid(0, 0);
	tcsetpgrp(STDIN_FILENO, getpid());
	for (int sig = 1; sig < SIGRTMIN; sig++)
		signal(sig, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("TERM", term, 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	execvp(argv[0], argv);
	err(127, "%s", argv[0]);
}

static void tell(int out, const void *p, size_t n)
{
	if (write(out, p, n) != (ssize_t)n)
		_exit(127);
}

static void lead(int out, const char *term, char **argv)
{
	static const int ignored[] = { SIGTTOU, SIGTTIN, SIGTSTP, SIGINT, SIGQUIT, SIGHUP };
	struct sigaction order = { .sa_handler = on_order, .sa_flags = SA_RESTART };
	struct termios modes;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	tcgetattr(STDIN_FILENO, &modes);
	job = fork();
	if (job < 0)
		_exit(127);
	if (job == 0)
		become_program(term, argv);
	setpgid(job, job);
	sigaction(SIGUSR1, &order, NULL);
	sigaction(SIGUSR2, &order, NULL);
	tell(out, &job, sizeof job);
	tell(out, &modes, sizeof modes);
	while (waitpid(job, &status, WUNTRACED | WCONTINUED) == job) {
		if (WIFSTOPPED(status)) {
			tcsetpgrp(STDIN_FILENO, getpgrp());
			tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
		}
		tell(out, &status, sizeof status);
		if (WIFEXITED(status) || WIFSIGNALED(status))
			break;
	}
	_exit(0);
}

/* ---- our side ---------------------------------------------------------------- */

void child_start(struct child *c, int rows, int cols, const char *term, char **argv)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
	int ends[2];

	memset(c, 0, sizeof *c);
	if (pipe2(ends, O_CLOEXEC) < 0)
		err(2, "pipe");
	c->leader = forkpty(&c->master, NULL, NULL, &size);
	if (c->leader < 0)
		err(2, "forkpty");
	if (c->leader == 0) {
		close(ends[0]);
		lead(ends[1], term, argv);
	}
	close(ends[1]);
	c->states = ends[0];
	if (read(c->states, &c->program, sizeof c->program) != sizeof c->program ||
	    read(c->states, &c->modes, sizeof c->modes) != sizeof c->modes)
		errx(2, "the program did not start");
	c->running = true;
}

bool child_has_ended(const struct child *c)
{
	return !c->running && !WIFSTOPPED(c->status);
}

void child_end(struct child *c)
{
	if (!child_has_ended(c))
		kill(-c->program, SIGKILL);
	child_hang_up(c);
	waitpid(c->leader, NULL, 0);
}

void child_hang_up(struct child *c)
{
	if (c->master < 0)
		return;
	c->has_last = tcgetattr(c->master, &c->last) == 0;
	close(c->master);
	c->master = -1;
}

const char *child_state(const struct child *c)
{
	static char text[64];

	if (c->running)
		return "it runs";
	if (WIFSTOPPED(c->status))
		return "it is stopped";
	if (WIFEXITED(c->status))
		snprintf(text, sizeof text, "it ended with %d", WEXITSTATUS(c->status));
	else
		snprintf(text, sizeof text, "SIG%s ended it", sigabbrev_np(WTERMSIG(c->status)));
	return text;
}

void child_resize(const struct child *c, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };

	ioctl(c->master, TIOCSWINSZ, &size);
}

void child_continue(struct child *c, bool foreground)
{
	c->running = true;		/* or the old stop would be believed */
	kill(c->leader, foreground ? SIGUSR1 : SIGUSR2);
}

bool child_pump(struct child *c, struct screen *s, int ms)
{
	struct pollfd fds[2] = { { c->master, POLLIN, 0 }, { c->states, POLLIN, 0 } };
	char bytes[65536];
	bool any = false;
	int status;

	if (poll(fds, 2, ms) <= 0)
		return false;
	if (fds[0].revents) {
		ssize_t n = read(c->master, bytes, sizeof bytes);

		if (n > 0)
			screen_write(s, bytes, (size_t)n);
		else
			child_hang_up(c);	/* nobody holds the other side */
		any = n > 0;
	}
	if (!fds[1].revents)
		return any;
	if (read(c->states, &status, sizeof status) != sizeof status) {
		close(c->states);
		c->states = -1;
		return any;
	}
	c->running = WIFCONTINUED(status);
	c->status = status;
	return true;
}

bool child_modes_restored(const struct child *c)
{
	struct termios now = c->last;

	if (c->master < 0 ? !c->has_last : tcgetattr(c->master, &now) < 0)
		return false;
	return now.c_lflag == c->modes.c_lflag && now.c_iflag == c->modes.c_iflag &&
	       now.c_oflag == c->modes.c_oflag;
}

/* ---- /proc ------------------------------------------------------------------- */

static long switches_of(const char *path)
{
	char line[256];
	long sum = 0, n;
	FILE *f = fopen(path, "re");

	if (!f)
		return 0;
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "voluntary_ctxt_switches: %ld", &n) == 1 ||
		    sscanf(line, "nonvoluntary_ctxt_switches: %ld", &n) == 1)
			sum += n;
	fclose(f);
	return sum;
}

long child_switches(const struct child *c)
{
	char path[300];
	struct dirent *entry;
	long sum = 0;
	DIR *tasks;

	snprintf(path, sizeof path, "/proc/%d/task", c->program);
	tasks = opendir(path);
	while (tasks && (entry = readdir(tasks))) {
		snprintf(
			path, sizeof path, "/proc/%d/task/%.32s/status", c->program, entry->d_name);
		sum += switches_of(path);
	}
	if (tasks)
		closedir(tasks);
	return sum;
}

/* State letter of the main thread and CPU time in ticks; false when it is gone. */
static bool read_stat(const struct child *c, char *state, unsigned long *ticks)
{
	unsigned long user = 0, system = 0;
	char path[64], text[1024];
	const char *after;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", c->program);
	f = fopen(path, "re");
	if (!f)
		return false;
	after = fgets(text, sizeof text, f) ? strrchr(text, ')') : NULL;
	fclose(f);
	if (!after ||
		sscanf(after, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", state, &user,
			&system) != 3)
		return false;
	*ticks = user + system;
	return true;
}

long child_cpu_ms(const struct child *c)
{
	unsigned long ticks;
	char state;

	return read_stat(c, &state, &ticks) ? (long)ticks * 1000 / sysconf(_SC_CLK_TCK) : 0;
}

bool child_waits(const struct child *c)
{
	unsigned long ticks;
	int slave, unread = 0;
	char state;

	if (c->master < 0 || !c->running || !read_stat(c, &state, &ticks))
		return true;
	slave = ioctl(c->master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave >= 0) {
		(void)ioctl(slave, FIONREAD, &unread);
		close(slave);
	}
	return unread == 0 && state != 'R' && state != 'D';
}
