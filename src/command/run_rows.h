/*
 * run_rows - runs as rows: what the log says of each, and of those that live
 * what their run directory says now.
 *
 * The same rows feed `runs` and the runs view.  Live ones come first, then the
 * newest.  Only the directories of live runs are looked at, and of a log only
 * its last 64 kB, so a log of gigabytes costs nothing.
 *
 *	struct run_rows rows;
 *
 *	if (run_rows_read(&rows, ws, NULL, &arena) < 0)
 *		return -1;
 *	for (size_t i = 0; i < rows.n; i++)
 *		use(rows.rows[i].state->id, rows.rows[i].elapsed_ns);
 */
#ifndef PORTSIDE_COMMAND_RUN_ROWS_H
#define PORTSIDE_COMMAND_RUN_ROWS_H

#include "command/operation.h"
#include "curve/run_table.h"
#include "domain/object.h"

enum run_mark_now {
	RUN_NOW_NONE,		/* nothing beyond its state */
	RUN_NOW_ORPHAN,		/* it runs, and its supervisor is gone */
	RUN_NOW_UNKILLABLE,
	RUN_NOW_STARTING,
	RUN_NOW_ENDED,		/* over; the log will say so at the next look */
	RUN_NOW_UNREACHABLE,	/* could not be looked at: nothing is concluded */
	RUN_NOW_ELSEWHERE,	/* its directory is on another machine */
};

struct run_row {
	const struct run_state *state;
	bool live;			/* not ended, as far as the log knows */
	enum run_mark_now mark;
	const char *now;		/* why, in words; "" */
	int64_t elapsed_ns;		/* so far, or in all; -1: unknown */
	int64_t limit_ns;		/* time and budget together; 0: none */
	int64_t cost_nano_usd;		/* so far, or in all; -1: unknown */
	bool has_step;
	int64_t step;			/* the last one seen */
	int64_t log_bytes;		/* -1: no log here */
};

struct run_rows {
	struct run_row *rows;
	size_t n, n_live, n_orphans;
	bool past;			/* as of a moment: what came later is not known */
	int64_t live_cost_nano_usd;	/* of live runs with a known price */
	size_t live_without_price;
	struct run_scale *scales;	/* of series that a goal shows in another unit */
	size_t n_scales;
	uint64_t patterns;		/* another number, when other patterns are in force */
	const char *folder;		/* of the run directories: FOLDER/RUN-ID/log */
	const char *configuration;	/* what stands between here and a run: a portside.conf
					   that is missing or not accepted; "" when nothing does */
};

/* All runs as of AT (NULL: now; only then are directories looked at).  In A. */
int run_rows_read(struct run_rows *out, struct workspace *ws, const struct position *at,
	struct arena *a) ATTR_MUST_USE;

/* "" for none, "orphan", "starting", ...: one word for lists. */
const char *run_mark_now_word(enum run_mark_now m);
/* "smoke", "reference", "#7": what a run is of, for people. */
const char *run_subject_text(struct arena *a, const struct run_state *r);

#endif
