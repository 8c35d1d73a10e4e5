/*
 * probe_check - what the probe's records of a run say about the fifteen questions of
 * L2 (execution integrity), against those of the reference.
 *
 * Each answer has one of five values, a sentence, and the places that it rests on:
 * "probe-0-71.jsonl:12".  Confirmed needs evidence of this run; a comparison without
 * the reference's record is unknown; what the probe does not see (operators that fell
 * back, compilations, metric code) is not checked, never passed.  An attempt is
 * judged for the configuration that its record shows and for no other.
 *
 *	struct probe_intent intent = { .device = "tpu", .processes = 4 };
 *	struct probe_answer answers[PROBE_QUESTIONS];
 *
 *	probe_check(answers, attempt, reference, &intent, &arena);
 *
 * The questions and what confirms or refutes each are in the framework of levels;
 * domain/check.h has them as a table, by the same ids and in the same order.
 */
#ifndef PORTSIDE_EVIDENCE_PROBE_CHECK_H
#define PORTSIDE_EVIDENCE_PROBE_CHECK_H

#include "base/check_result.h"
#include "evidence/probe_record.h"

struct probe_intent {
	const char *device;	/* "tpu", "gpu", "cpu": of the intended target; "": not known */
	int64_t processes;	/* that train together there: chips; 0: not declared */
	const char *backend, *topology;	/* "torch_xla", "2x2"; NULL or "": not declared */
	/* why number formats, or the order of the data, differ on purpose; NULL: nobody
	 * declared that they do */
	const char *numbers_differ, *data_differs;
};

struct probe_answer {
	const char *check;	/* "grad" */
	enum check_result result;
	const char *why;	/* one sentence */
	const char *places;	/* "probe-0-71.jsonl:12, probe-1-72.jsonl:12"; "" for none */
};

enum { PROBE_QUESTIONS = 15 };

/* REFERENCE is NULL where it has no record.  Texts are in A. */
void probe_check(struct probe_answer answers[PROBE_QUESTIONS], const struct probe_record *attempt,
	const struct probe_record *reference, const struct probe_intent *intent, struct arena *a);

/* Examples that go into one step, over all processes; 0: cannot be told. */
int64_t probe_check_batch(const struct probe_record *r);

/* Are backend and topology those of INTENT?  Refuted, unknown where the record does not
 * tell, confirmed, or not applicable where none is declared; *WHY in A of the first two,
 * else "".  ATTEMPT may be NULL. */
enum check_result probe_check_backend(const char **why, const struct probe_record *attempt,
	const struct probe_intent *intent, struct arena *a);

#endif
