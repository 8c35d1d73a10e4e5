/*
 * output - what a call returned, in the form that was asked for.
 *
 * Results go to stdout alone and everything said about them to stderr, so that a
 * result can be read by a program.  With --json stdout holds one document whatever
 * happened, an error too.  Nothing is kept: the call owns its table and text.
 *
 *	if (rc < 0)
 *		output_error(&options, rc);
 *	else if (output_call(&options, &call) < 0)
 *		output_error(&options, err_code());
 */
#ifndef PORTSIDE_CLI_OUTPUT_H
#define PORTSIDE_CLI_OUTPUT_H

#include "cli/cli.h"

/* To stdout.  A reader that went away (head, less) is no error worth a word. */
int output_write(const struct buf *b) ATTR_MUST_USE;

/* A line to stderr, or several, with every control made visible: it may name
 * what a repository, an agent or a file holds. */
void output_note(const char *prefix, const char *sentence);

/* Table, text and message of C.  ERR_IO when stdout cannot be written. */
int output_call(const struct cli_options *o, const struct call *c) ATTR_MUST_USE;

/* The thread's sentence to stderr; with --json also {"error":...} to stdout. */
void output_error(const struct cli_options *o, int rc);

#endif
