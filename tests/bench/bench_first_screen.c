/*
 * bench_first_screen - how long a full-screen program takes from exec to its
 * first complete screen of 80x24: until TEXT was sent to the terminal.
 *
 *	bench_first_screen [-n TIMES] TEXT PROGRAM [ARG...]
 *
 * Prints the median and the fastest in ms.  The program is then told to end
 * with "Q" and, when that does not help, by SIGKILL.
 */
#include "config.h"

#include <err.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMES_MAX = 200, OUTPUT_MAX = 4 << 20, LIMIT_MS = 60000, END_MS = 1500 };

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Reads on; false at the end of the output. */
static int take(int fd, char *out, size_t *n, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got;

	if (poll(&p, 1, ms) <= 0)
		return 1;
	got = read(fd, out + *n, OUTPUT_MAX - *n - 1);
	if (got <= 0)
		return 0;
	*n += (size_t)got;
	out[*n] = '\0';
	return 1;
}

static void end_program(int fd, pid_t pid, char *out)
{
	double end = now_ms() + END_MS;
	size_t n = 0;

	if (write(fd, "Q", 1) != 1)
		kill(pid, SIGKILL);
	while (now_ms() < end && take(fd, out, &n, 50))
		if (n > OUTPUT_MAX / 2)
			n = 0;
	if (waitpid(pid, NULL, WNOHANG) == 0) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	close(fd);
}

static double once(const char *text, char **argv, char *out)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	double start, took;
	size_t n = 0;
	int fd;
	pid_t pid;

	start = now_ms();
	pid = forkpty(&fd, NULL, NULL, &size);
	if (pid < 0)
		err(2, "forkpty");
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	out[0] = '\0';
	while (!memmem(out, n, text, strlen(text))) {
		if (now_ms() - start > LIMIT_MS || n > OUTPUT_MAX - 4096 || !take(fd, out, &n, 1000))
			errx(1, "\"%s\" did not appear", text);
	}
	took = now_ms() - start;
	end_program(fd, pid, out);
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
	char *out = malloc(OUTPUT_MAX);
	int times = 11, option;

	while ((option = getopt(argc, argv, "+n:")) != -1) {
		if (option != 'n')
			return 2;
		times = atoi(optarg);
	}
	if (!out || argc - optind < 2 || times < 1 || times > TIMES_MAX)
		errx(2, "usage: bench_first_screen [-n TIMES] TEXT PROGRAM [ARG...]");
	for (int i = 0; i < times; i++)
		took[i] = once(argv[optind], argv + optind + 1, out);
	qsort(took, (size_t)times, sizeof *took, compare);
	printf("median %.1f ms, fastest %.1f ms, %d times\n", took[times / 2], took[0], times);
	free(out);
	return 0;
}
