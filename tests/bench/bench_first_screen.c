/*
 * bench_first_screen - how long a full-screen program takes from exec to its
 * first complete screen of 80x24.
 *
 *	bench_first_screen [-n TIMES] [-p] [-w TEXT -k KEYS] -t TEXT [-t TEXT]... PROGRAM [ARG...]
 *
 * The output goes through a virtual terminal, and the screen is complete when
 * every TEXT stands on it at once: name the first and the last row of a list,
 * and what stands around it.  A title bar that is drawn over an empty list is
 * no complete screen, and neither is text that was sent but lies off it.
 *
 * With -w and -k the clock starts when KEYS are sent, which is when TEXT stands there:
 * so a view is measured that opens with a key.
 *
 * Prints the median and the fastest in ms; with -p that screen too.  The
 * program is then told to end with "Q" and, when that does not help, by SIGKILL.
 */
#include "config.h"

#include <err.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../e2e/vtrun.h"

enum { ROWS = 24, COLS = 80, TIMES_MAX = 200, TEXTS_MAX = 32, END_MS = 1500 };

struct wanted {
	const char *texts[TEXTS_MAX];
	int n;
	bool print;
	const char *before, *keys;	/* KEYS are sent when BEFORE stands there; NULL */
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Answers of the terminal to what the program asked it. */
static void answer(const char *bytes, size_t n, void *user)
{
	const int *fd = user;

	if (write(*fd, bytes, n) != (ssize_t)n)
		warn("the terminal's answer");
}

/* Takes in what came within MS; false at the end of the output. */
static bool take(int fd, struct screen *s, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char bytes[16384];
	ssize_t got;

	if (poll(&p, 1, ms) <= 0)
		return true;
	got = read(fd, bytes, sizeof bytes);
	if (got <= 0)
		return false;
	screen_write(s, bytes, (size_t)got);
	return true;
}

static const char *missing(const struct screen *s, const struct wanted *w)
{
	for (int i = 0; i < w->n; i++)
		if (!screen_has(s, w->texts[i]))
			return w->texts[i];
	return NULL;
}

static void end_program(int fd, pid_t pid, struct screen *s)
{
	double end = now_ms() + END_MS;

	if (write(fd, "Q", 1) != 1)
		kill(pid, SIGKILL);
	while (now_ms() < end && take(fd, s, 50))
		;
	if (waitpid(pid, NULL, WNOHANG) == 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	close(fd);
}

static void await(int fd, pid_t pid, struct screen *s, const struct wanted *w, double start)
{
	const char *text;

	while ((text = missing(s, w)) != NULL)
		if (now_ms() - start > LIMIT_MS || !take(fd, s, 1000)) {
			screen_print(s, stderr);
			kill(pid, SIGKILL);
			errx(1, "\"%s\" did not appear", text);
		}
}

static double once(const struct wanted *w, char **argv)
{
	struct winsize size = { .ws_row = ROWS, .ws_col = COLS };
	struct screen *s = calloc(1, sizeof *s);
	double start, took;
	int fd;
	pid_t pid;

	if (!s)
		err(2, NULL);
	screen_init(s, ROWS, COLS, answer, &fd);
	start = now_ms();
	pid = forkpty(&fd, NULL, NULL, &size);
	if (pid < 0)
		err(2, "forkpty");
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	if (w->keys) {
		struct wanted first = { .texts = { w->before }, .n = 1 };

		await(fd, pid, s, &first, start);
		start = now_ms();
		if (write(fd, w->keys, strlen(w->keys)) != (ssize_t)strlen(w->keys))
			err(2, "keys");
	}
	await(fd, pid, s, w, start);
	took = now_ms() - start;
	if (w->print)
		screen_print(s, stdout);
	end_program(fd, pid, s);
	screen_release(s);
	free(s);
	return took;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	static double took[TIMES_MAX];
	struct wanted w = { .n = 0 };
	int times = 11, option;

	setlocale(LC_ALL, "");
	while ((option = getopt(argc, argv, "+n:pt:w:k:")) != -1) {
		if (option == 'n')
			times = atoi(optarg);
		else if (option == 'p')
			w.print = true;
		else if (option == 'w')
			w.before = optarg;
		else if (option == 'k')
			w.keys = optarg;
		else if (option == 't' && w.n < TEXTS_MAX)
			w.texts[w.n++] = optarg;
		else
			return 2;
	}
	if (argc == optind || !w.n || !w.keys != !w.before || times < 1 || times > TIMES_MAX)
		errx(2, "usage: bench_first_screen [-n TIMES] [-p] -t TEXT [-t TEXT]... PROGRAM [ARG...]");
	for (int i = 0; i < times; i++) {
		took[i] = once(&w, argv + optind);
		w.print = false;
	}
	qsort(took, (size_t)times, sizeof *took, compare);
	printf("median %.1f ms, fastest %.1f ms, %d times\n", took[times / 2], took[0], times);
	return 0;
}
