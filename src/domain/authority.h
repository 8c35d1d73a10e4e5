/*
 * authority - who may do what, and how we know who it is.
 *
 * Deciding, adjudicating, accepting and signing off are for a person at a
 * terminal.  They are refused when the environment shows a coding agent.  This
 * stops accidents, not malice; the log records how the actor was established.
 *
 *	if (authority_check(&actor, AUTHORITY_DECIDE) < 0)
 *		puts(err_text());
 */
#ifndef PORTSIDE_DOMAIN_AUTHORITY_H
#define PORTSIDE_DOMAIN_AUTHORITY_H

#include <stdbool.h>

#include "base/mem.h"
#include "domain/vocabulary.h"

enum established {
	ESTABLISHED_NONE,
	ESTABLISHED_TERMINAL,		/* a person at a terminal */
	ESTABLISHED_CONFIGURATION,	/* a name from the user's own configuration, no terminal */
	ESTABLISHED_ENVIRONMENT,	/* a variable or an agent's marker */
};
extern const struct words words_established;

struct actor {
	const char *text;		/* "human:ana", as events store it */
	enum established by;
	const char *agent_marker;	/* the variable that shows an agent; NULL: none */
};

enum authority {
	AUTHORITY_WRITE,
	AUTHORITY_PERSON,	/* any record that only a person makes */
	AUTHORITY_DECIDE,
	AUTHORITY_ADJUDICATE,
	AUTHORITY_ACCEPT,
	AUTHORITY_SIGN_OFF
};

/* 0, or ERR_REFUSED with the reason and what to do. */
int authority_check(const struct actor *who, enum authority what) ATTR_MUST_USE;

/* For an event kind: as its table entry says. */
int authority_check_kind(const struct actor *who, const char *kind) ATTR_MUST_USE;

/*
 * May AUTHOR strike an event that ORIGINAL wrote?  The same class may, and a
 * person may strike a tool's; nobody strikes another class's words else.
 */
bool authority_may_supersede(const char *author, const char *original);

#endif
