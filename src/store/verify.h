/*
 * verify - is the log what was once written?
 *
 * Checked: the file's structure (quick_check), every body canonical and equal
 * to its columns, id = hash, chain per replica without gap, forks, rising
 * lamport, wall time that runs back more than 5 minutes, blobs against their
 * digests, projections against their stamp.  Not detectable without an anchor
 * held elsewhere: a cut tail, and a history that was written anew as a whole.
 * The report says so in that case and never claims more.
 *
 *	struct verify_report r;
 *	struct verify_options o = { .full = true };
 *	if (log_verify(log, &o, &a, &r) < 0)
 *		return err_prefix("verify: ");
 *	for (i = 0; i < r.n_findings; i++)
 *		puts(r.findings[i].text);
 */
#ifndef PORTSIDE_STORE_VERIFY_H
#define PORTSIDE_STORE_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"
#include "store/log.h"

enum verify_code {
	VERIFY_FILE,		/* the database file is damaged */
	VERIFY_BODY,		/* not canonical, or not what the columns say */
	VERIFY_ID,		/* the id is not the hash of the body */
	VERIFY_CHAIN,		/* prev is missing or of another chain */
	VERIFY_GAP,		/* a seq is missing */
	VERIFY_FORK,		/* (replica, seq) exists twice */
	VERIFY_LAMPORT,		/* does not rise along the chain */
	VERIFY_CLOCK,		/* wall time ran back; a note, not a defect */
	VERIFY_BLOB,		/* bytes do not match the digest */
	VERIFY_PROJECTION,	/* views do not match the log; rebuildable */
	VERIFY_ANCHOR,		/* the log is not the one that was anchored */
};

/* "file", "body", "id", ... for --json. */
const char *verify_code_name(enum verify_code code);

struct verify_finding {
	enum verify_code code;
	bool defect;		/* false: worth knowing, nothing is wrong with the log */
	char replica[EVENT_REPLICA_HEX + 1];	/* "" when not of one chain */
	int64_t seq;
	struct digest id;	/* zero when not of one event */
	const char *text;	/* a sentence */
};

enum { VERIFY_FINDINGS_MAX = 1000 };

enum verify_anchor { ANCHOR_NOT_CHECKED, ANCHOR_CONFIRMED, ANCHOR_REFUTED, ANCHOR_UNKNOWN };

struct verify_report {
	int64_t events;		/* in the log */
	int64_t checked;	/* by this call */
	int64_t replicas, forks;
	int64_t blobs, blobs_withheld;
	struct verify_finding *findings;	/* in A */
	size_t n_findings;
	int64_t n_defects;	/* also beyond VERIFY_FINDINGS_MAX */
	enum verify_anchor anchor;
	const char *limits;	/* what could not be detected, a sentence */
};

struct verify_options {
	/* all events, blobs and views; else those after the last verified */
	bool full;
	bool skip_file;		/* do not check the structure of the file */
	const struct digest *anchor;	/* head digest held elsewhere; NULL: none */
	int64_t anchor_count;
	/* true cancels; may be NULL */
	bool (*progress)(void *user, int64_t done, int64_t total);
	void *user;
};

/*
 * 0 when the check was made, whatever it found; OUT has the findings.  Works in
 * short reads, so that writers go on.  A run without defects remembers how far
 * it came (unless read-only), and the next one that is not full starts there.
 */
int log_verify(struct log *log, const struct verify_options *o, struct arena *a,
	       struct verify_report *out) ATTR_MUST_USE;

/* The last line of a report: "100 events of 2 replicas verified, ...", in A. */
char *verify_sentence(struct arena *a, const struct verify_report *r);

#endif
