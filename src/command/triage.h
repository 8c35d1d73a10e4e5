/*
 * triage - what the log of a run tells about why it failed, for front ends.
 *
 * One call reads the signatures that come with the program and the user's own, scans
 * a log, and proposes a cause with its reason (evidence/triage.h).  Nothing is
 * recorded by it.  Beside the proposal stand the labels of the agent and of people:
 * three fields that are kept apart.
 *
 * Texts of the log have lost their secrets; they are not sanitised.
 *
 *	struct triage_result r;
 *
 *	if (triage_read(&r, ws, NULL, "7", &options) < 0)
 *		...
 *	triage_result_release(&r);	// also after an error
 *
 * A log of gigabytes is told about while it is read: PROGRESS of the options gets what
 * was found so far every few megabytes (command/triage_findings.h keeps a copy of it).
 */
#ifndef PORTSIDE_COMMAND_TRIAGE_H
#define PORTSIDE_COMMAND_TRIAGE_H

#include <stdatomic.h>

#include "base/event.h"
#include "domain/object.h"
#include "evidence/triage.h"

struct triage_result;
struct workspace;

/* What was found in the first BYTES of SIZE: R is valid during the call alone, and its
 * verdict is one of what was seen so far.  On the thread that reads. */
typedef void triage_progress_fn(
	void *user, const struct triage_result *r, int64_t bytes, int64_t size);

struct triage_options {
	enum triage_target target;	/* TRIAGE_TARGET_UNKNOWN: the run's own */
	bool has_exit;			/* EXIT_STATUS was given, and goes before the run's own */
	int exit_status;
	bool transcript;		/* the file is an agent's transcript */
	double device_bytes;		/* memory of one chip; 0: unknown */
	const atomic_bool *cancel;	/* may be NULL */
	triage_progress_fn *progress;	/* NULL: nobody is told before the end */
	void *user;			/* of PROGRESS */
};

struct triage_result {
	struct arena arena;
	struct signature_catalogue *catalogue;
	struct log_scan *scan, *reference;
	const struct log_findings *findings;
	struct triage_verdict verdict;
	const char *path;		/* of the log */
	const char **texts;		/* one a hit, without secrets */
	const char *exception;		/* the last one, likewise */
	/* NULL for a file that is no run's */
	const struct run_state *run;
	const struct attempt_state *attempt;
	const struct label *agent, *person;	/* labels in force; NULL: none */
	const char *end;		/* how it ended, in words */
};

/*
 * SUBJECT is a run, or an attempt, whose latest run that has ended is taken (else its
 * latest).  ERR_NOT_FOUND when its log is not on this machine, ERR_CANCELLED.
 */
int triage_read(struct triage_result *out, struct workspace *ws, const struct position *at,
	const char *subject, const struct triage_options *o) ATTR_MUST_USE;

/* The same for a file that is no run's.  WS is the migration whose accepted signatures count,
 * too; NULL: there is none. */
int triage_read_file(struct triage_result *out, struct workspace *ws, const struct position *at,
	const char *path, const struct triage_options *o) ATTR_MUST_USE;

/* The run that SUBJECT means, in A; see above. */
int triage_find_run(struct run_state **out, struct workspace *ws, const struct position *at,
	const char *subject, struct arena *a) ATTR_MUST_USE;

void triage_result_release(struct triage_result *r);

/* "C4, not silent, side tpu, uncertain"; "no cause"; in A. */
const char *triage_verdict_text(const struct triage_verdict *v, struct arena *a);
/* "C2, silent: yes (agent)"; "none" for NULL; in A. */
const char *triage_label_text(const struct label *l, struct arena *a);
/* What looks like the path of a file is spoken of as one: "logs/a.txt", not
 * "torchtpu/3". */
bool triage_is_like_path(const char *subject);

#endif
