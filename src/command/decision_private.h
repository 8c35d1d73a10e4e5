/*
 * decision_private - what the files decision*.c share; nobody else includes it,
 * but their tests.
 */
#ifndef PORTSIDE_COMMAND_DECISION_PRIVATE_H
#define PORTSIDE_COMMAND_DECISION_PRIVATE_H

#include "base/json.h"
#include "base/mem.h"
#include "command/decision.h"
#include "store/log.h"

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

/*
 * An alarm is answered once, and the same choice is not made twice about one thing:
 * two people, or a key and a command, may be at it at the same instant.
 * decision_check_once() is a log_check_fn over struct decision_once, so nobody writes
 * between the look and the record.  ERR_EXISTS says who decided what.
 */
struct decision_once {
	const char *subject, *choice;	/* as they would be recorded */
	bool from_screen;
};
int decision_check_once(struct log *log, void *user) ATTR_MUST_USE;

/* Title and text, from the facts. */
void decision_write_words(struct decision_reader *r);

#endif
