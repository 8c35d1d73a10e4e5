/*
 * config_facts - what accepting portside.conf would change, for a person who decides.
 */
#ifndef PORTSIDE_COMMAND_CONFIG_FACTS_H
#define PORTSIDE_COMMAND_CONFIG_FACTS_H

#include "domain/configuration.h"
#include "workspace/accepted.h"

struct config_facts {
	enum accepted_state state;
	/* what the screen says; "" when the file is the accepted one */
	const char *sentence;
	struct accepted_difference *changes;
	size_t n, loosened;
	/* a failed attempt is known: a loosening is marked so for ever */
	bool after_failure;
	const char *text;		/* the changes, one a line, loosened ones marked */
	const char *digest;		/* of the file, in hex; "" without one */
	const char **errors;		/* of the file; nothing can be accepted then */
	size_t n_errors;
};

/* As the file lies there now.  Everything in A. */
int config_facts_read(
	struct config_facts *out, struct workspace *ws, struct arena *a) ATTR_MUST_USE;

#endif
