/*
 * decision_private - what decision_facts.c, decision_rule.c, decision_gap.c and
 * decision_words.c share; nobody else includes it.
 */
#ifndef PORTSIDE_COMMAND_DECISION_PRIVATE_H
#define PORTSIDE_COMMAND_DECISION_PRIVATE_H

#include "base/json.h"
#include "base/mem.h"
#include "command/decision.h"

struct decision_reader {
	struct decision_facts *out;
	struct workspace *ws;
	const struct position *at;
	const atomic_bool *cancel;
	struct arena *a;
};

/* SAW: the features that the alarm stored, an object; NULL when it stored none. */
int decision_read_rule(struct decision_reader *r, const struct json *saw) ATTR_MUST_USE;
int decision_read_gaps(struct decision_reader *r, const struct json *saw) ATTR_MUST_USE;

/* Title and text, from the facts. */
void decision_write_words(struct decision_reader *r);

#endif
