/*
 * run_call - the commands about runs that have a file of their own; the rows
 * of the table of operations are in run.c.
 */
#ifndef PORTSIDE_COMMAND_RUN_CALL_H
#define PORTSIDE_COMMAND_RUN_CALL_H

#include "command/operation.h"

struct run_started;

/* Each fills the call as operation.h says. */
int run_call_list(struct call *c) ATTR_MUST_USE;	/* runs */
/* The same with --column, --filter, --sort or --group; SUBJECT NULL: all runs. */
bool run_call_has_columns(const struct call *c);
int run_call_table(struct call *c, const char *subject) ATTR_MUST_USE;
int run_call_difference(struct call *c) ATTR_MUST_USE;	/* runs diff A B */
int run_call_show(struct call *c) ATTR_MUST_USE;	/* run show RUN */
int run_call_tail(struct call *c) ATTR_MUST_USE;	/* tail RUN */
/* Shows the output of a run that was just started until it ends. */
int run_call_follow(struct call *c, const struct run_started *started) ATTR_MUST_USE;

#endif
