/*
 * output - what a call returned, in the form that was asked for.
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
