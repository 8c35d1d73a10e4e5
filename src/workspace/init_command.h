/*
 * init_command - how a README starts the training, as words that may be proposed.
 *
 * A README is free text: only a line that runs the script itself counts, and only
 * when each of its words is plain; what a shell would take apart is left to the
 * person.  Lines that end with a backslash go on in the next one.
 *
 *	struct looked l = { 0 };
 *
 *	init_command_find(&l, text.s, "README.md", "train.py", &arena);
 *	if (l.value)
 *		puts(l.value);		// "train.py --output_dir out --max_steps 1000"
 */
#ifndef PORTSIDE_WORKSPACE_INIT_COMMAND_H
#define PORTSIDE_WORKSPACE_INIT_COMMAND_H

#include "base/buf.h"
#include "workspace/init_look.h"

/* The script with its arguments, and where it stands; untouched when there is none. */
void init_command_find(struct looked *out, const char *text, const char *name, const char *script,
	struct arena *a);

/*
 * WORDS with the value of OPTION replaced, "--seed 7" or "--seed=7", or with both
 * behind the last word when the option is not among them.
 */
void init_command_set(struct buf *out, const char *words, const char *option, const char *value);

/* The value of OPTION in WORDS, in A; NULL when it is not among them. */
const char *init_command_value(const char *words, const char *option, struct arena *a);

#endif
