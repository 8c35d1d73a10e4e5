/*
 * people_facts - what a person must see before they put something on record:
 * the words of a form, and the ids of what it is about.
 *
 *	struct people_facts f = { .alarm = "" , .event = "", .attempt = "7" };
 *
 *	if (people_facts_read(&f, ws, PEOPLE_DECIDE, NULL, &arena) < 0)
 *		return -1;
 *	dialog_open(&d, f.title);
 *	dialog_add_info(&d, f.info);
 */
#ifndef PORTSIDE_COMMAND_PEOPLE_FACTS_H
#define PORTSIDE_COMMAND_PEOPLE_FACTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/mem.h"
#include "domain/choice.h"	/* what the forms offer */

struct workspace;

enum people_act {
	/* ALARM "": the newest open one of ATTEMPT (ERR_STATE: only others have one),
	 * without an attempt the oldest of all; where none is open, about ATTEMPT, else
	 * about all */
	PEOPLE_DECIDE,
	PEOPLE_ADJUDICATE,	/* ALARM "": the newest that was decided and has no verdict */
	PEOPLE_STRIKE,		/* EVENT "": the actor's last record */
	PEOPLE_ACCEPT,		/* portside.conf as it lies there now */
};

/* Why an attempt failed, as a form offers it: "C4", "lazy-tensor execution". */
struct people_cause { const char *id, *name; };
enum { PEOPLE_CAUSES = 7 };
void people_causes(struct people_cause out[PEOPLE_CAUSES]);

/* The ids come in as asked for ("" for none) and go out as found. */
struct people_facts {
	const char *alarm, *event, *attempt;
	const char *title, *info;
	const char *digest;	/* of the portside.conf that INFO tells about */
	bool needs_reason;	/* it loosens something */
};

/* ERR_NOT_FOUND says that there is nothing of that sort.  Everything in A. */
int people_facts_read(struct people_facts *f, struct workspace *ws, enum people_act act,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

#endif
