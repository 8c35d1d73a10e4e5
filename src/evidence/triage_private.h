/*
 * triage_private - what the files of triage share; nobody else includes it.
 */
#ifndef PORTSIDE_EVIDENCE_TRIAGE_PRIVATE_H
#define PORTSIDE_EVIDENCE_TRIAGE_PRIVATE_H

#include "evidence/triage.h"

/* One triage at work. */
struct triage_work {
	const struct triage_input *in;
	const struct log_findings *f;
	struct triage_verdict *v;
	struct arena *arena;
	int64_t steps;			/* rule 10; -1: not known */
};

static inline const struct signature *work_signature(
	const struct triage_work *w, const struct log_hit *h)
{
	return signature_at(w->in->catalogue, h->signature);
}

static inline void use_rule(struct triage_work *w, int rule)
{
	w->v->rules |= 1U << rule;
}

void triage_note(struct triage_work *w, const char *fmt, ...) ATTR_PRINTF(2, 3);
void triage_reason(struct triage_work *w, const char *fmt, ...) ATTR_PRINTF(2, 3);

/* What a signature says of the whole log, without regard to others (triage_rule.c). */
struct triage_finding {
	const struct signature *signature;
	size_t index;
	enum triage_cause cause;	/* TRIAGE_NONE: nothing, or a note only */
	int64_t line;
	enum triage_basis basis;
	double count, of, from, to;
	const char *why;		/* "12 compilations in 20 steps" */
	bool noted;			/* worth a note although it decides nothing */
};
void triage_judge(struct triage_work *w, size_t index, struct triage_finding *out);

/* Rules 8 and 9 (triage_memory.c): fill cause, side, basis and reason of the verdict. */
void triage_device_memory(struct triage_work *w, size_t first_hit);
void triage_killed(struct triage_work *w);
bool triage_is_killed(const struct triage_work *w, const struct log_hit *h);
/* Did the run go on after this hit of the device's memory, with a smaller batch? */
bool triage_went_on(const struct triage_work *w, const struct log_hit *h);

/* The cheapest check that tells whether the verdict is right (triage_text.c). */
void triage_confirm(struct triage_work *w, const struct signature *deciding);

#endif
