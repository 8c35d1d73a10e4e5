/*
 * triage_beside - what `triage` shows of a run beside the texts of its log: rules about
 * failures without an error text, and before any run what the attempt's files pin.
 *
 *	struct triage_beside beside = TRIAGE_BESIDE_INIT;
 *
 *	if ((rc = triage_beside_read(&beside, c, ws, run)) == 0)
 *		triage_beside_show(c, &beside);		// into the table of findings
 *	triage_beside_release(&beside);
 */
#ifndef PORTSIDE_COMMAND_TRIAGE_BESIDE_H
#define PORTSIDE_COMMAND_TRIAGE_BESIDE_H

#include "command/operation.h"
#include "command/silent.h"

/* A version that a file asks for, and that is known to be bad. */
struct triage_pin {
	const char *place, *cause, *text;	/* "requirements.txt:2"; not sanitised */
};

struct triage_beside {
	bool has_silent, has_pins;
	struct silent_report silent;
	struct triage_pin *pins;
	size_t pins_n;
	const char *subject;		/* of the pins */
	const char *missing;		/* why there is no log; NULL: it was read */
	const char *closed;	/* why signatures of portside.conf did not count; NULL: they did */
};

#define TRIAGE_BESIDE_INIT { .missing = NULL }

/* RUN is an id.  Rules that could not be asked are an error. */
int triage_beside_read(struct triage_beside *b, struct call *c, struct workspace *ws,
	const char *run) ATTR_MUST_USE;

/* 1 when SUBJECT is an attempt without a run, whose files are then looked at; 0 else. */
int triage_beside_look_at_files(struct triage_beside *b, struct call *c, struct workspace *ws,
	const char *subject) ATTR_MUST_USE;

void triage_beside_show(struct call *c, const struct triage_beside *b);
void triage_beside_release(struct triage_beside *b);

#endif
