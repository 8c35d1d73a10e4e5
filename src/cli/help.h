/*
 * help - the pages of --help, from the tables.
 */
#ifndef PORTSIDE_CLI_HELP_H
#define PORTSIDE_CLI_HELP_H

#include <stddef.h>

#include "command/operation.h"

struct cli_option {
	const char *name;
	const char *value;	/* NULL: a flag */
	const char *help;
	int id;
	const char *choices;	/* values that are allowed, blanks separate; NULL: any */
};

/* The general options, for help, completion and the manual. */
const struct cli_option *cli_options_list(size_t *n);

/* The page of one operation, or of all (O NULL), to stdout. */
int help_print(const struct operation *o) ATTR_MUST_USE;

#endif
