/*
 * triage_findings - what was found in a log so far, as a copy that may go to another
 * thread: the signatures in the order of the log, what each means, and the verdict.
 *
 * A log of gigabytes takes seconds to read.  The worker that reads it leaves its newest
 * findings in a mailbox, and the screen takes them when it draws:
 *
 *	struct triage_mailbox *box = triage_mailbox_new();	// two owners share it
 *	struct triage_options o = { .progress = triage_mailbox_put, .user = box };
 *
 *	triage_read(&r, ws, NULL, "7", &o);			// on the worker
 *	...
 *	f = triage_mailbox_take(box);				// on the screen; NULL: nothing new
 *
 * All texts have lost their secrets; they are not sanitised.
 */
#ifndef PORTSIDE_COMMAND_TRIAGE_FINDINGS_H
#define PORTSIDE_COMMAND_TRIAGE_FINDINGS_H

#include "command/triage.h"

/* How a finding reads: its role in the verdict, and one that no role has. */
enum finding_reading {
	FINDING_DECIDES, FINDING_SECONDARY, FINDING_NOTED, FINDING_LOOK_ALIKE, FINDING_WRAPPER,
	FINDING_NOISE, FINDING_COUNTED, FINDING_READINGS
};

struct finding {
	int64_t line;			/* of the raw file, from 1 */
	int64_t place;			/* byte of the raw file where its text begins */
	enum finding_reading reading;
	const char *id, *cause;		/* "C4-08", "C4"; CAUSE "-" for noise */
	const char *kind, *side;	/* "raises"; "tpu", "gpu", "host", "" */
	const char *text, *note, *source;
	int rank;			/* LOG_NO_RANK: not marked */
	int64_t step;			/* -1: not known */
};

struct triage_findings {
	struct arena arena;
	int64_t bytes, size, lines;	/* read, and of the file */
	bool complete;
	struct finding *list;
	size_t n;
	int64_t more;			/* counted, not kept */
	struct triage_verdict verdict;
	const char *text;		/* the verdict in words */
	const char *end;		/* how the run ended, in words */
	const char *rules;		/* "2 first error, 4 noise": those that had a say; "" */
	const char **problems;		/* signatures that were left out */
	size_t problems_n;
};

/* A copy of R; never NULL. */
struct triage_findings *triage_findings_new(
	const struct triage_result *r, int64_t bytes, int64_t size, bool complete);
void triage_findings_free(struct triage_findings *f);		/* NULL is fine */

/* "decides", "secondary", "noted", "look-alike", "wrapper", "noise", "counted". */
const char *finding_reading_word(enum finding_reading r);
/* What it means, one line. */
const char *finding_reading_help(enum finding_reading r);
/* One character, the same on every terminal. */
char finding_reading_sign(enum finding_reading r);
/* "2 first error" for rule 2 of evidence/triage.h. */
const char *triage_rule_name(int rule);

/* The finding that decides, or the first that may; -1: none. */
long triage_findings_first(const struct triage_findings *f);

/* ---- between two threads ---- */

struct triage_mailbox;

struct triage_mailbox *triage_mailbox_new(void);	/* with one owner */
struct triage_mailbox *triage_mailbox_share(struct triage_mailbox *b);	/* one more */
void triage_mailbox_release(struct triage_mailbox *b);	/* the last one frees; NULL is fine */
/* For triage_options.progress; USER is the mailbox.  An older one is freed. */
void triage_mailbox_put(void *user, const struct triage_result *r, int64_t bytes, int64_t size);
struct triage_findings *triage_mailbox_take(struct triage_mailbox *b);

#endif
