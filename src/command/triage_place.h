/*
 * triage_place - from a line of a log to the lines of an attempt's diff that may have
 * caused it.
 *
 * A traceback names files: `File "/home/ana/textcls/train.py", line 41`.  From the
 * finding upwards, which is from the innermost call outwards, the first file that the
 * attempt touched is taken; files of installed packages are passed over.  First the
 * difference to the previous attempt is looked at, then that to the original.
 *
 *	struct triage_place p;
 *
 *	if (triage_place_find(&p, ws, "7", NULL, log_path, offset, &arena) < 0)
 *		return -1;
 *	if (p.touched)
 *		open_diff(p.path, p.line);
 *	else
 *		say(p.sentence);
 */
#ifndef PORTSIDE_COMMAND_TRIAGE_PLACE_H
#define PORTSIDE_COMMAND_TRIAGE_PLACE_H

#include <stdatomic.h>

#include "base/event.h"
#include "base/mem.h"

struct workspace;

struct triage_place {
	bool touched;
	bool since_original;		/* only against the original */
	const char *path;		/* of the repository; "" when no file is named */
	int32_t line;			/* of its new side, from 1 */
	const char *sentence;		/* what was found, for a person */
};

/* OFFSET is a byte of the line in LOG.  In A. */
int triage_place_find(struct triage_place *out, struct workspace *ws, const char *attempt,
	const struct position *at, const char *log, int64_t offset, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* Does the line S name a source file?  `File "x.py", line 41` or `x.py:41: Warning`. */
bool triage_place_parse(
	const char **path, int32_t *line, const char *s, size_t n, struct arena *a);

#endif
