/*
 * program_run - runs a program to its end and keeps what it said.
 *
 * No shell: an argument vector and an environment as they are.  The program has a group
 * of its own, signals as spawn.h gives them, and a limit of time, after which the whole
 * group is killed.  Standard output and standard error are kept apart; what is beyond
 * OUT_MAX is read and dropped, so that the writer goes on, and said by CUT.
 *
 *	struct program_run p = PROGRAM_RUN_INIT;
 *
 *	p.path = "/usr/bin/squeue";
 *	p.argv = argv;
 *	p.env = env;
 *	if (program_run(&p) < 0)
 *		return err_prefix("squeue: ");
 *	if (p.end == PROGRAM_EXITED && p.rc == 0)
 *		use(p.out.s, p.out.n);
 *	program_run_release(&p);
 *
 * What the program answers is no error of program_run(): an exit status, a signal or the
 * limit are in END and RC.  It fails only when nothing could be started: ERR_NOT_FOUND,
 * ERR_IO.
 */
#ifndef PORTSIDE_BASE_PROGRAM_RUN_H
#define PORTSIDE_BASE_PROGRAM_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"

enum program_end {
	PROGRAM_EXITED,		/* RC: 0 to 255 */
	PROGRAM_KILLED,		/* RC: 128 + the signal, of somebody else */
	PROGRAM_LIMIT,		/* did not end in time */
	PROGRAM_STOPPED,	/* STOP_FD became readable */
};

struct program_run {
	const char *path;		/* see fs_find_program() */
	char *const *argv, *const *env;	/* NULL-terminated */
	const char *folder;		/* to run in; NULL: ours */
	const void *in;			/* for its standard input; NULL and IN_FD -1: empty */
	size_t in_n;
	int in_fd;			/* what follows IN, read to its end; -1: nothing */
	int out_fd;			/* where its standard output goes; -1: into OUT */
	bool together;			/* standard error goes where standard output does */
	size_t out_max;			/* bytes kept of each stream */
	int64_t limit_ns;
	int stop_fd;			/* readable: give up; -1: none */
	/* Set by program_run(). */
	struct buf out, err;
	enum program_end end;
	int rc;
	bool cut;			/* OUT is not all that it said */
	bool input_left;		/* it ended before it had read all of its input */
};

#define PROGRAM_RUN_INIT { .in_fd = -1, .out_fd = -1, .out_max = 1024 * 1024, \
	.limit_ns = INT64_C(30000000000), .stop_fd = -1, .out = BUF_INIT, .err = BUF_INIT }

int program_run(struct program_run *p) ATTR_MUST_USE;
void program_run_release(struct program_run *p);

#endif
