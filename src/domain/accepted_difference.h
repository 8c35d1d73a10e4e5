/*
 * accepted_difference - what a file says otherwise than the text that a person accepted.
 *
 * portside.conf and contract.json are both put in force by a person, who sees these
 * sentences first.  What demands less than before is marked, since accepting it needs a
 * reason (workspace/accept_file.h).  Made by config_differences() and
 * contract_differences(); all of it lies in the arena that they were given.
 */
#ifndef PORTSIDE_DOMAIN_ACCEPTED_DIFFERENCE_H
#define PORTSIDE_DOMAIN_ACCEPTED_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

struct accepted_difference {
	const char *key;	/* "goal.accuracy.margin", "cases.plain.tolerance" */
	const char *text;	/* one sentence, old and new value */
	bool loosened;		/* a larger margin or limit, a rule weaker or gone, a case gone */
};

struct accepted_differences {
	const struct accepted_difference *list;
	size_t n, loosened;
};

#endif
