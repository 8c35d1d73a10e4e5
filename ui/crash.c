/* crash - see crash.h.  A signal handler can be told nothing, so what it needs
 * is in statics of this file; they are written before the handler is there. */
#include "config.h"

#include "ui/crash.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { STACK_BYTES = 64 * 1024 };

static const int signals[] = { SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT };

static struct {
	int fd;
	struct termios modes;
	struct sigaction before[ARRAY_LEN(signals)];
	void *stack;		/* for a crash by a stack that overflowed */
} guard = { .fd = -1 };

static void put_back(int sig)
{
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		if (signals[i] == sig)
			sigaction(sig, &guard.before[i], NULL);
}

static void on_crash(int sig)
{
	/* paste mode, mouse, alternate screen, cursor, cursor keys, attributes */
	static const char restore[] = "\033[?2004l\033[?1000l\033[?1002l\033[?1006l"
				      "\033[?1049l\033[?25h\033[?1l\033>\033[0m\r\n";
	ssize_t ignored = write(STDOUT_FILENO, restore, sizeof restore - 1);

	(void)ignored;
	if (guard.fd >= 0)
		tcsetattr(guard.fd, TCSANOW, &guard.modes);
	put_back(sig);
	raise(sig);
}

void crash_guard(int fd, const struct termios *modes)
{
	struct sigaction sa = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK };
	stack_t stack = { .ss_size = STACK_BYTES };

	guard.modes = *modes;
	guard.fd = fd;
	guard.stack = xmalloc(STACK_BYTES);
	stack.ss_sp = guard.stack;
	sigaltstack(&stack, NULL);
	sigfillset(&sa.sa_mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &sa, &guard.before[i]);
}

void crash_unguard(void)
{
	stack_t off = { .ss_flags = SS_DISABLE };

	if (guard.fd < 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		put_back(signals[i]);
	sigaltstack(&off, NULL);
	free(guard.stack);
	guard.stack = NULL;
	guard.fd = -1;
}
