/*
 * check_set - `portside check ATTEMPT --set CHECK=RESULT`: what somebody says of a
 * question, beside what the evidence says.
 *
 * A person's statement counts; confirming a question of L2 needs a file as evidence, and
 * "not applicable" a reason.  An agent's is a claim, which never confirms.  Where the
 * tool says the opposite, the question is unknown and both stay.
 */
#ifndef PORTSIDE_COMMAND_CHECK_SET_H
#define PORTSIDE_COMMAND_CHECK_SET_H

#include "command/operation.h"

/* For a call with --set; ERR_USAGE and ERR_REFUSED before anything is written. */
int check_set(struct call *c) ATTR_MUST_USE;

#endif
