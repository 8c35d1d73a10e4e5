/*
 * accept_file - what is the same whenever a person puts a file in force.
 *
 * The accepted text is kept for ever and travels, so a secret has no place in it; what
 * demands less than before needs a reason that a reviewer can read; and what is accepted
 * is what was looked at.  Then the event holds the text, its digest, what changed and
 * what was loosened.  Which file it is, and when it may be accepted at all, say
 * accepted.h and contract_file.h.
 *
 *	static const struct accept_file conf = { .name = "portside.conf", ... };
 *
 *	if (accept_file_check(&conf, &offer, reason, seen) < 0)
 *		return -1;
 *	data = accept_file_data(&offer, "", reason, &arena);
 */
#ifndef PORTSIDE_WORKSPACE_ACCEPT_FILE_H
#define PORTSIDE_WORKSPACE_ACCEPT_FILE_H

#include "base/hash.h"
#include "base/json.h"
#include "domain/accepted_difference.h"

struct accept_file {
	const char *name;		/* "portside.conf" */
	const char *command;		/* that shows it */
	const char *secrets;		/* where a secret belongs, after a semicolon */
};

/* What is to be accepted; all borrowed. */
struct accept_offer {
	const char *text;
	const struct digest *digest;	/* of TEXT */
	const struct accepted_differences *differences;
	bool after_failure;		/* something has failed before: said of a loosening */
};

/* ERR_STATE when the digest is not SEEN (64 hex digits; NULL or "": any); ERR_REFUSED
 * for what is loosened without REASON, and for a secret, with its line. */
int accept_file_check(const struct accept_file *file, const struct accept_offer *offer,
	const char *reason, const char *seen) ATTR_MUST_USE;

/* Fields digest, text, summary (each change a line, then NOTE and the reason) and
 * loosened of the event.  In A; the texts of OFFER are borrowed. */
struct json *accept_file_data(const struct accept_offer *offer, const char *note,
	const char *reason, struct arena *a);

#endif
