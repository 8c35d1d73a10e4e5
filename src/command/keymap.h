/*
 * keymap - which key does what: the table of operations, and what the user's own
 * configuration says instead.
 *
 *	[keys]
 *		attempt-next = ] C-Right	# an operation's words, joined with -
 *		row-sort = ""			# no key; the palette still finds it
 *
 * A binding takes the place of all keys that the operation has by itself.  Enter,
 * Esc, Tab and S-Tab mean the same in lists, forms and prompts: they keep what
 * they do, and cannot be given to anything else.  A binding that cannot hold is
 * left out with a sentence that names it and, when two operations would share a
 * key where both are in force, the other one; all others hold.
 *
 *	struct keymap m = KEYMAP_INIT;
 *
 *	if (keymap_read(&m) < 0)
 *		app_complain(a, "%s", err_text());	// the defaults are in force
 *	o = keymap_operation(&m, "j", CONTEXT_ANY | CONTEXT_LIST);
 *
 * NULL in place of a keymap: the defaults.
 */
#ifndef PORTSIDE_COMMAND_KEYMAP_H
#define PORTSIDE_COMMAND_KEYMAP_H

#include "base/buf.h"
#include "base/conf.h"
#include "command/operation.h"

struct keymap {
	struct arena arena;
	const char **keys;		/* by the operation's number; NULL: its own */
	const char **mistakes;		/* sentences */
	size_t n_mistakes;
};

#define KEYMAP_INIT { .arena = ARENA_INIT }

/* From the user's own configuration.  ERR_PARSE when that cannot be read. */
int keymap_read(struct keymap *m) ATTR_MUST_USE;
/* From the section "keys" of C. */
void keymap_apply(struct keymap *m, const struct conf *c);
void keymap_release(struct keymap *m);

/* "j Down C-n"; "" when there is none. */
const char *keymap_keys(const struct keymap *m, const struct operation *o);

/* By key in any of CONTEXTS; the most special context wins.  NULL: none. */
const struct operation *keymap_operation(
	const struct keymap *m, const char *key, unsigned contexts);

/*
 * Appends the key that does now what the keys WERE ("j", or several: "h l") do by
 * default in CONTEXTS; ":name" for what has lost its key.
 */
void keymap_add_key(struct buf *out, const struct keymap *m, const char *were, unsigned contexts);

#endif
