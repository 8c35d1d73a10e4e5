/*
 * triage - why a run failed, as one record that a person can check and overrule.
 *
 * Pure: findings of a log and a few facts go in, a verdict comes out.  It is a proposal
 * with its reason, and with the cheapest check that would prove or disprove it.  That
 * nothing was found proves nothing, and a failure whose cause is not shown is C0.
 *
 * Order of the rules (their numbers are in the verdict):
 *
 *   1 target	exit status and target first; of a run on a GPU the side is gpu
 *   2 first	the earliest text of an error decides, later ones are secondary
 *   3 wrapper	texts that wrap another error decide nothing
 *   4 noise	what follows from another failure is dropped before 2
 *   5 chain	of a chain of exceptions the first printed one is the original
 *   6 rank	the rank that torchrun names as root cause, else the earliest in the file
 *   7 side	a text of a GPU in the log of a run on a TPU: a wrong log? ask, never guess
 *   8 device memory	VMEM before HBM; with several batch sizes, memory that hardly falls
 *		with the batch is a graph that grows (C4), else it does not fit (C6)
 *   9 killed	memory of the host that grew before is C4, else C6, which is uncertain
 *  10 steps	silent rules need a count of steps; the first 10 are warm-up
 *  11 swallowed	an error in the log of a run that ended with 0 is silent; a memory
 *		error after which the run went on is a note: the batch changed
 *  12 several	of silent findings: the whole run on a wrong device, C3, C5, other C1 and
 *		C2, C4; what changes the result goes before what slows it down
 *  13 NaN	inherited (C0) when the reference shows it at the same step
 *  14 claims	words of success are no evidence
 *  15 nothing	no text and a failure: C0 at the last exception line
 *
 *	struct triage_input in = { .catalogue = c, .findings = f, .end = TRIAGE_ENDED,
 *		.exit_status = 1, .target = TRIAGE_TPU };
 *	struct triage_verdict v;
 *
 *	triage(&v, &in, &arena);
 */
#ifndef PORTSIDE_EVIDENCE_TRIAGE_H
#define PORTSIDE_EVIDENCE_TRIAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evidence/log_scan.h"

enum triage_end {
	TRIAGE_END_UNKNOWN,	/* nobody knows how it ended */
	TRIAGE_RUNNING,
	TRIAGE_ENDED,		/* with EXIT_STATUS; 128 + signal or -signal when it was killed */
};

enum triage_target { TRIAGE_TARGET_UNKNOWN, TRIAGE_TPU, TRIAGE_GPU };

/* Does the reference show the same at the same step? */
enum triage_same { TRIAGE_SAME_UNKNOWN, TRIAGE_SAME_YES, TRIAGE_SAME_NO };

/* A series of resident memory that was measured beside the log. */
struct triage_memory {
	const double *bytes;
	size_t n;
};

struct triage_input {
	const struct signature_catalogue *catalogue;
	const struct log_findings *findings;
	enum triage_end end;
	int exit_status;
	enum triage_target target;
	double device_bytes;		/* memory of one chip; 0: unknown */
	enum triage_same reference_nan;
	struct triage_memory memory;	/* N 0: none; else it goes before the log's own */
};

/* C0 is "not shown"; without a failure there is no cause at all. */
enum triage_cause {
	TRIAGE_NONE, TRIAGE_C0, TRIAGE_C1, TRIAGE_C2, TRIAGE_C3, TRIAGE_C4, TRIAGE_C5, TRIAGE_C6,
};

enum triage_side { TRIAGE_SIDE_UNKNOWN, TRIAGE_SIDE_TPU, TRIAGE_SIDE_GPU, TRIAGE_SIDE_HOST };

enum triage_basis {
	TRIAGE_NO_BASIS, TRIAGE_BY_HIT, TRIAGE_BY_COUNT, TRIAGE_BY_GROWTH, TRIAGE_BY_ORDER,
};

enum triage_role {
	TRIAGE_DECIDES, TRIAGE_SECONDARY, TRIAGE_NOTED, TRIAGE_DROPPED, TRIAGE_WRAPPER,
	TRIAGE_COUNTED,		/* of a rule that counts, and it came to nothing */
};

enum { TRIAGE_RULES = 15, TRIAGE_NOTES_MAX = 16 };

struct triage_verdict {
	enum triage_cause cause;
	bool failed;			/* the run failed, by its end or by its log */
	bool uncertain, inherited, ask;	/* ASK: a person must say what this log is */
	enum triage_same silent;	/* yes, no, or not known */
	enum triage_side side;
	int64_t first_line;		/* 0: none */
	int64_t error_line;		/* of an error that the log itself shows, whatever the
					 * exit status: the text that decides, else the end of a
					 * traceback that nothing sets aside; 0: none */
	enum triage_basis basis;
	double count, of, from, to;	/* of BY_COUNT and BY_GROWTH; NaN elsewhere */
	unsigned rules;			/* bit N: rule N had a say */
	enum triage_role *roles;	/* one a hit of the findings */
	const char **ids;		/* deciding signatures in order of time */
	size_t ids_n;
	const char **secondary;
	size_t secondary_n;
	const char *reason;		/* one sentence */
	const char *confirm;		/* the cheapest check that tells; "" when there is nothing */
	const char *notes[TRIAGE_NOTES_MAX];	/* what else stands out */
	size_t notes_n;
};

/* All texts in A, which outlives OUT. */
void triage(struct triage_verdict *out, const struct triage_input *in, struct arena *a);

const char *triage_cause_name(enum triage_cause c);		/* "none", "C0".. */
enum triage_cause triage_cause_find(const char *id);		/* TRIAGE_NONE: none of them */
const char *triage_side_name(enum triage_side s);		/* "unknown", "tpu", "gpu", "host" */
const char *triage_basis_name(enum triage_basis b);
const char *triage_role_name(enum triage_role r);
const char *triage_same_name(enum triage_same s);		/* "unknown", "yes", "no" */

#endif
