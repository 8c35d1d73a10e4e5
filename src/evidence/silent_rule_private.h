/*
 * silent_rule_private - what the files of silent_rule.h share: one rule at work.
 */
#ifndef PORTSIDE_EVIDENCE_SILENT_RULE_PRIVATE_H
#define PORTSIDE_EVIDENCE_SILENT_RULE_PRIVATE_H

#include "evidence/silent_rule.h"

struct silent_work {
	const struct silent_input *in;
	struct silent_finding *finding;
	struct arena *a;
};

void silent_say(struct silent_work *w, enum check_result result, const char *format, ...)
	ATTR_PRINTF(3, 4);
void silent_value(struct silent_work *w, double value);
void silent_place(struct silent_work *w, const char *place);	/* NULL: none */

/* ---- of numbers: silent_rule_numbers.c ---- */
void silent_ask_idle(struct silent_work *w);
void silent_ask_step_classes(struct silent_work *w);
void silent_ask_slow_steps(struct silent_work *w);
void silent_ask_memory(struct silent_work *w);
void silent_ask_zero_loss(struct silent_work *w);

/* ---- beside the reference: silent_rule_reference.c ---- */
void silent_ask_weakened(struct silent_work *w);
void silent_ask_steps(struct silent_work *w);
void silent_ask_batch(struct silent_work *w);
void silent_ask_first_step(struct silent_work *w);
void silent_ask_divergence(struct silent_work *w);
void silent_ask_result(struct silent_work *w);

#endif
