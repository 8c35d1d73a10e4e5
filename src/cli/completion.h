/*
 * completion - what a shell offers behind a command line.
 *
 * The scripts hold no word of the program: they hand what was typed to
 * `portside complete -- WORD... CURRENT`, which answers from the same tables that
 * the command line is read with, and from the migration.  One answer a line, the
 * word, a tab, and what it means; a line that is a tab and "files" asks the shell
 * for names of files as well.
 */
#ifndef PORTSIDE_CLI_COMPLETION_H
#define PORTSIDE_CLI_COMPLETION_H

#include <stddef.h>

#include "base/buf.h"
#include "base/mem.h"

/* For "bash", "zsh" or "fish".  ERR_USAGE for another shell. */
int completion_script(struct buf *out, const char *shell) ATTR_MUST_USE;

/* WORDS behind the name of the program; the last is the one that is typed. */
void completion_answer(struct buf *out, const char *const *words, size_t n, struct arena *a);

#endif
