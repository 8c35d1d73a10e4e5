/*
 * decision - what a person must know before deciding about an alarm.
 *
 * The same facts stand in the dialog on the screen and in `portside decide`: the
 * rule with its version and who accepted it, what it saw and when, how far the
 * reference is from itself, whether the two runs may be compared at all, what
 * going on costs, and what came since.  What has no source reads
 * "unknown", never 0.
 *
 *	struct decision_facts f;
 *
 *	if (decision_facts_read(&f, ws, "4f2a...", NULL, NULL, &arena) < 0)
 *		return -1;
 *	puts(f.title);
 *	puts(f.text);
 */
#ifndef PORTSIDE_COMMAND_DECISION_H
#define PORTSIDE_COMMAND_DECISION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "curve/comparable.h"
#include "domain/object.h"
#include "domain/rule.h"

struct position;
struct workspace;

struct decision_facts {
	const struct alarm_state *alarm;
	const char *title;		/* "R4, attempt 5: asks for a decision (correctness)" */
	const char *text;		/* the facts, one a line, no newline at the end */

	/* The rule as it was judged. */
	const char *when;		/* "" when no accepted file has this version any more */
	/* the Nth wording of this rule, from 1; 0: a default rule */
	int64_t version;
	const char *accepted_time, *accepted_by;	/* "" for a default rule */
	int64_t judged_at;		/* place of alarm.raised among the events */
	const char *gauge;		/* "R4 5.3/5.0", from what it saw then */

	/* Of a rule about gaps; NaN and 0 where nothing is known. */
	const char *goal, *unit;	/* "" for other rules */
	double gap;			/* seen then, larger is worse */
	double gap_now;			/* of the same runs, measured again now */
	double gap_step;
	size_t self_runs, self_pairs;	/* of the reference, and how many pairs were compared */
	double self_low, self_high;	/* |gap| between two runs of the reference */
	enum comparable_overall comparable;
	const char *obstacles;		/* "teacher 9f3c (R), 77a0 (A)"; "" */

	/* Going on: a full run of the attempt. */
	double hours, low_hours, high_hours, usd;	/* NaN: unknown */

	int64_t waited_ns;		/* since the alarm */
	/* Who did what since, the first of each: what no person is known to have done, and
	 * a run that a person started; "" for nothing. */
	const char *went_on, *person_went_on;
	size_t open;			/* alarms that are open, this one with them */
};

/* ALARM is an object id; "" is the oldest open one.  AT NULL: now.  Reads curve
 * files.  ERR_NOT_FOUND, ERR_CANCELLED.  Everything in A. */
int decision_facts_read(struct decision_facts *out, struct workspace *ws, const char *alarm,
	const struct position *at, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* The alarm that TEXT means: its first 6 letters or more, or 4 of those behind the
 * dot, in which alarms of one rule differ; "" gives the oldest open one.  ERR_NOT_FOUND, ERR_USAGE when several match. */
int decision_find_alarm(const struct alarm_state **out, struct workspace *ws, const char *text,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

/* The choices as the log writes them, for help: DECISION_ACCEPT and the others. */
/* "full-run-anyway" */
const char *decision_choice_word(struct arena *a, enum decision_choice c);

#endif
