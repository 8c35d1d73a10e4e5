/*
 * candidates - what may stand for an argument on a command line, for shells.
 *
 * Attempts, runs, alarms and names of portside.conf come from the migration of a
 * directory, which is opened read-only; without one there are none, and that is
 * no error.
 *
 *	struct candidates c = { .arena = &arena, .prefix = "ps-7" };
 *
 *	candidates_of_argument(&c, argument, ".");
 *	for (size_t i = 0; i < c.n; i++)
 *		puts(c.list[i].word);
 */
#ifndef PORTSIDE_COMMAND_CANDIDATES_H
#define PORTSIDE_COMMAND_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "command/operation.h"

struct candidate { const char *word, *help; };	/* plain text without blanks; one line, or "" */

struct candidates {
	struct arena *arena;
	const char *prefix;	/* what was typed: others are left out */
	struct candidate *list;	/* in A */
	size_t n, cap;
	bool files;		/* names of files as well; the shell knows them */
};

/* A word that cannot stand on a command line as it is, is left out. */
void candidates_add(struct candidates *c, const char *word, const char *help);

/* Words that blanks separate, as those of ARGUMENT_WORD. */
void candidates_add_words(struct candidates *c, const char *words);

void candidates_of_argument(
	struct candidates *c, const struct argument *argument, const char *directory);

#endif
