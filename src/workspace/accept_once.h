/*
 * accept_once - two people who accept a file at the same time: the second is told.
 *
 * What a person looked at is what they accept.  So acceptances are counted before it is
 * shown, and again inside the write transaction.
 *
 *	struct accept_once once = { .kind = "config.accepted", .command = "portside config" };
 *
 *	if (accept_once_begin(&once, workspace_log(ws)) < 0)
 *		return -1;
 *	...			// read, compare, ask
 *	return workspace_record_if(ws, accept_once_check, &once, records, n, a, NULL);
 */
#ifndef PORTSIDE_WORKSPACE_ACCEPT_ONCE_H
#define PORTSIDE_WORKSPACE_ACCEPT_ONCE_H

#include <stddef.h>

#include "base/err.h"
#include "store/log.h"

struct accept_once {
	const char *kind;		/* of the event */
	const char *command;		/* that shows what is in force */
	size_t before;
};

int accept_once_begin(struct accept_once *once, struct log *log) ATTR_MUST_USE;
/* A log_check_fn; ERR_STATE when somebody accepted in between. */
int accept_once_check(struct log *log, void *once) ATTR_MUST_USE;

#endif
