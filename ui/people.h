/*
 * people - the forms in which a person puts things on record: notes,
 * interventions, expectations, labels, decisions, adjudications, striking, accepting
 * portside.conf.
 *
 * Each form is filled from a subject (what the view has selected), shows the
 * facts that the person must know first, and calls the operation of the same
 * name, so the command line and the screen write the same events under the same
 * authority.  Facts are read on the pool; the form opens when they are there.
 */
#ifndef PORTSIDE_UI_PEOPLE_H
#define PORTSIDE_UI_PEOPLE_H

#include <stdbool.h>

#include "base/mem.h"

struct app;

/* What a form is about; NULL or "" for none, then the selection decides. */
struct people_subject {
	const char *alarm;	/* object id of an alarm */
	const char *event;	/* id of an event, 64 hex digits */
	const char *attempt;
	const char *beside;	/* what a label's form shows beside its fields; it fills none */
};

/* For SCREEN_NOTE to SCREEN_LABEL and SCREEN_UNDO; false for others. */
bool people_perform(struct app *a, int screen);
bool people_open(struct app *a, int screen, const struct people_subject *about);

/* The decision dialog of an alarm; the most urgent open one when ALARM is "". */
void decision_open(struct app *a, const char *alarm);

#endif
