/*
 * status - the 512-byte record by which a supervisor says how its run stands.
 *
 * One line of words, padded with blanks, byte 511 is LF:
 *
 *	v=1 seq=N state=running why= run=ID sup=PID suptick=T pid=PID tick=T
 *	boot=UUID host=NAME start=NS limit=NS [stuck=PID:D,...] crc=XXXXXXXX
 *
 * state=done adds rc sig forced left xerr xstep log elapsed end.  crc is the
 * CRC-32 of all bytes before " crc=".
 *
 * Two files of 512 bytes are allocated before anything starts; a new record
 * goes into `status.next`, is synced, and RENAME_EXCHANGE swaps the two.  So a
 * disk that is full keeps the exit status.  Since the file that a reader has
 * opened may be overwritten two records later, a reader checks the CRC and
 * opens again.
 */
#ifndef PORTSIDE_LAUNCH_STATUS_H
#define PORTSIDE_LAUNCH_STATUS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/mem.h"
#include "launch/run_id.h"

enum {
	STATUS_BYTES = 512,
	STATUS_BOOT_SIZE = 37,		/* a UUID and NUL */
	STATUS_HOST_SIZE = 65,
	STATUS_STUCK_SIZE = 97,
	STATUS_READ_TRIES = 20,		/* 1 ms apart */
};

enum status_state { STATUS_RUNNING, STATUS_DONE };

enum status_why {
	WHY_NONE,		/* running */
	WHY_EXIT,		/* ended by itself: rc, sig */
	WHY_EXECFAIL,		/* never ran: xerr, xstep */
	WHY_CANCELLED,
	WHY_TIMEOUT,
	WHY_BUDGET,
	WHY_LOGCAP,
	WHY_UNKILLABLE,		/* running: `stuck` outlived SIGKILL by 30 s */
	WHY_LOST,		/* adopted after its supervisor died: rc is unknown */
};

struct status {
	int64_t seq;
	enum status_state state;
	enum status_why why;
	char run_id[RUN_ID_SIZE];
	pid_t supervisor_pid, pid;
	uint64_t supervisor_ticks, ticks;	/* start, field 22 of /proc/PID/stat */
	char boot[STATUS_BOOT_SIZE];
	char host[STATUS_HOST_SIZE];
	int64_t start_ns;			/* wall clock */
	int64_t limit_ns;			/* what the limits allow; 0 for none */
	char stuck[STATUS_STUCK_SIZE];		/* "123:D,124:T" */
	/* state=done */
	int rc;					/* exit status, 128+signal, or -1: unknown */
	int signal;				/* 0 when it exited */
	bool forced;				/* KILL was needed */
	int left;				/* processes that outlived the main one */
	int xerr;				/* errno of a failed start */
	char xstep[16];				/* "exec", "chdir", "fork", "log" */
	int64_t log_bytes;
	int64_t elapsed_ns;			/* CLOCK_BOOTTIME */
	int64_t end_ns;				/* wall clock: may lie before start_ns */
};

const char *status_state_word(enum status_state s);
const char *status_why_word(enum status_why w);

void status_format(char out[STATUS_BYTES], const struct status *s);
bool status_parse(struct status *out, const char bytes[STATUS_BYTES]);

enum status_read {
	STATUS_READ_NONE, STATUS_READ_BLANK, STATUS_READ_OK, STATUS_READ_DAMAGED,
	STATUS_READ_FAILED,	/* could not be looked at (errno): concludes nothing */
};

/* Retries a torn record; *AGE_NS (may be NULL) is now minus the file's mtime. */
enum status_read status_read(struct status *out, const char *rundir, int64_t *age_ns);

/*
 * The writer.  status_open() creates both files blank and syncs them (ERR_IO
 * keeps errno: a full disk is seen here); ADOPT opens those that are there.
 * FOLDER_FD stays the caller's.  status_write() increments S->seq.
 */
struct status_file {
	int folder_fd;
	int fd[2];		/* of `status` and `status.next`, -1 when closed */
};
int status_open(struct status_file *f, int folder_fd, bool adopt) ATTR_MUST_USE;
int status_write(struct status_file *f, struct status *s) ATTR_MUST_USE;
void status_close(struct status_file *f);

#endif
