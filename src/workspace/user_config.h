/*
 * user_config - the user's own configuration, never the migration's.
 *
 * $PORTSIDE_CONFIG, else $XDG_CONFIG_HOME/portside/config, else
 * ~/.config/portside/config; git-config syntax; never written by the program.
 * Only here may an editor, a copy command or launchers of the user's be named.
 *
 *	[user]	name = ana
 *	[ui]	color = auto, background = light, ascii = no, emoji = no, mouse = no, copy-command, editor,
 *		run-columns = "run, target, min eval_loss"
 *	[keys]	attempt-next = ]	(see command/keymap.h)
 *	[study]	migration = /path (repeats)
 */
#ifndef PORTSIDE_WORKSPACE_USER_CONFIG_H
#define PORTSIDE_WORKSPACE_USER_CONFIG_H

#include "base/conf.h"
#include "base/mem.h"

/* The path in A, whether or not it exists. */
char *user_config_path(struct arena *a);

/* Fills OUT; a missing file gives no entries.  ERR_PARSE. */
int user_config_read(struct conf *out) ATTR_MUST_USE;

/* What is wrong in C, a sentence for the first mistake (an unknown key, a value
 * that is not allowed), in A; "" when nothing is. */
const char *user_config_mistakes(struct arena *a, const struct conf *c);

/* One value in A, NULL when it is not set or the file cannot be read (doctor
 * says why). */
const char *user_config_text(struct arena *a, const char *section, const char *key);

#endif
