/*
 * probe_check_private - what the files of probe_check.h share: one question at work.
 */
#ifndef PORTSIDE_EVIDENCE_PROBE_CHECK_PRIVATE_H
#define PORTSIDE_EVIDENCE_PROBE_CHECK_PRIVATE_H

#include "evidence/probe_check.h"

struct question {
	const struct probe_record *attempt, *reference;	/* the latter may be NULL */
	const struct probe_intent *intent;
	struct arena *a;
	struct probe_answer *answer;
	size_t places;
};

/* Gives the answer, and puts the line it rests on (NULL: none) among its places. */
void question_answer(struct question *q, enum check_result result, const struct probe_line *place,
	const char *format, ...) ATTR_PRINTF(4, 5);
void question_place(struct question *q, const struct probe_line *place);

/* True where an answer was given. */
bool question_answered(const struct question *q);

/* The word at KEY of the object at OUTER of a line: word("before", "crc32"); "" for none. */
const char *probe_word(const struct probe_line *l, const char *outer, const char *key);

/* ---- questions of how it trains ---- */
void question_grad(struct question *q);
void question_opt_order(struct question *q);
void question_params(struct question *q);
void question_ckpt(struct question *q);

/* ---- questions of what it trains on ---- */
void question_dev(struct question *q);
void question_config(struct question *q);
void question_batch(struct question *q);
void question_steps(struct question *q);
void question_lr(struct question *q);
void question_eval(struct question *q);
void question_dtype(struct question *q);
void question_seed_data(struct question *q);

#endif
