/*
 * run_detail - everything that is recorded about one run, as facts in sections.
 *
 * From the log: who, what, where, how it ended, the end markers and L0.  From
 * its directory: command, limits, recorded environment, what was captured of
 * interpreter, packages, device and host, uncommitted changes, files that were
 * kept.  What is not there says so; nothing is left out silently.
 *
 *	struct run_detail d;
 *
 *	if (run_detail_read(&d, ws, "ps-...", NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < d.n; i++)
 *		put(d.facts[i].section, d.facts[i].name, d.facts[i].value);
 */
#ifndef PORTSIDE_COMMAND_RUN_DETAIL_H
#define PORTSIDE_COMMAND_RUN_DETAIL_H

#include "base/event.h"
#include "domain/object.h"

struct workspace;

enum run_fact_tone { RUN_FACT_PLAIN, RUN_FACT_GOOD, RUN_FACT_BAD, RUN_FACT_OPEN };

struct run_fact {
	const char *section;		/* "run", "end", "limits", "code", "environment", ... */
	const char *name;
	const char *value;		/* hostile text is not yet made harmless */
	enum run_fact_tone tone;
};

struct run_detail {
	const struct run_state *state;
	const char *rundir;		/* NULL: its files are not on this machine */
	struct run_fact *facts;
	size_t n, cap;
};

/* In A. */
int run_detail_read(struct run_detail *out, struct workspace *ws, const char *run,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

#endif
