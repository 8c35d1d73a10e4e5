/*
 * triage_subject - what is triaged: an attempt, which of its runs, and who labelled it.
 *
 * One read of the log that takes no time for the size of anything: the file of the run
 * is looked for, not opened.
 *
 *	struct triage_subject s;
 *
 *	if (triage_subject_read(&s, ws, "7", "", NULL, &arena) < 0)
 *		return -1;
 *	if (s.chosen >= 0)
 *		show(s.runs[s.chosen].path);
 *
 * Labels are hidden from a reviewer who labels blind until theirs is on record.  Whoever
 * is shown labels of others is on record with it: triage_subject_seen() writes label.seen,
 * once an attempt and reviewer.
 */
#ifndef PORTSIDE_COMMAND_TRIAGE_SUBJECT_H
#define PORTSIDE_COMMAND_TRIAGE_SUBJECT_H

#include "base/event.h"
#include "domain/agreement.h"
#include "domain/object.h"

struct workspace;

struct triage_run {
	const char *id;
	const char *words;		/* "smoke run on v5e-1: failed, exit status 1" */
	const char *path;		/* of its log; "" when that is not on this machine */
	int64_t bytes;
	bool live;
};

struct triage_subject {
	const char *attempt;		/* its object id; "" when there is none */
	const char *subject;		/* of its commit */
	struct triage_run *runs;	/* the newest first */
	size_t n;
	long chosen;			/* -1: it has no run */
	const struct attempt_state *state;	/* NULL without an attempt */
	const char *reviewer;		/* who looks, as labels name them; "" for an agent */
	const struct label *own;	/* what the reviewer said; NULL: nothing yet */
	bool others;			/* somebody else labelled it */
	bool seen;			/* that was shown to the reviewer before */
};

/*
 * ATTEMPT "" is the last one.  RUN is taken when it is one of the attempt's, else its
 * latest run that has ended, else its latest.  In A.
 */
int triage_subject_read(struct triage_subject *out, struct workspace *ws, const char *attempt,
	const char *run, const struct position *at, struct arena *a) ATTR_MUST_USE;

/* Puts on record that REVIEWER was shown the labels of an attempt, once; nothing with a
 * handle that may not write.  POSITION may be "". */
int triage_subject_seen(struct workspace *ws, const char *attempt, const char *reviewer,
	const char *position, struct arena *a) ATTR_MUST_USE;

/* Over all attempts. */
int triage_agreement_read(struct agreement *out, struct workspace *ws, const struct position *at,
	struct arena *a) ATTR_MUST_USE;

/* The id of an attempt that nobody has selected: the last one, "" when there is none. */
int triage_last_attempt(const char **id, struct workspace *ws, const struct position *at,
	struct arena *a) ATTR_MUST_USE;

/* Who the handle writes for, as labels name a reviewer; "" for agents and tools.  In A. */
const char *triage_reviewer(struct workspace *ws, struct arena *a);

#endif
