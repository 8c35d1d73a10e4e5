/*
 * bug_report - a failure as a minimal report for the people of a library: Markdown with
 * the earliest error, the lines around it, versions, target and shape of the command.
 *
 * Nothing private is in it: secrets are taken out, homes become ~, names of users and of
 * this machine become NAME, addresses become ADDRESS, values of options are left out.  It is a draft: a person reads it before it goes anywhere.
 *
 * Unsupported behaviour and defects are told apart by what the text says of itself; most
 * texts say neither, and then the report says that it is not known.
 *
 *	if (bug_report_write(&out, &result, ws, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_COMMAND_BUG_REPORT_H
#define PORTSIDE_COMMAND_BUG_REPORT_H

#include "base/buf.h"
#include "command/triage.h"

enum bug_nature { BUG_NOT_KNOWN, BUG_UNSUPPORTED, BUG_DEFECT };

/* By the words of an error's text and of what is known about its signature (NOTE, may
 * be ""). */
enum bug_nature bug_nature_of(const char *text, const char *note);
const char *bug_nature_text(enum bug_nature n);		/* one sentence */

/* NAMES, a NULL ends them, are users and machines that nobody needs to know. */
void bug_report_add_private(struct buf *out, const char *s, size_t n, const char *const *names);
/* "python3 train.py --steps ... --bf16" of a command with all its values. */
void bug_report_add_shape(struct buf *out, const char *command);

/* R is of a run.  ERR_IO, ERR_NOT_FOUND. */
int bug_report_write(struct buf *out, const struct triage_result *r, struct workspace *ws,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
