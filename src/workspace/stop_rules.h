/*
 * stop_rules - the rules in force, as gauges and as alarms.
 *
 * Features come from the state of the migration (cheap) and, when asked for,
 * from curves (smoke gap, projected hours: files are read).  A feature without
 * a source is unknown and its gauge says so.
 *
 *	struct rule_gauges g;
 *
 *	if (stop_rules_read(&g, ws, NULL, STOP_RULES_CURVES, &arena) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_WORKSPACE_STOP_RULES_H
#define PORTSIDE_WORKSPACE_STOP_RULES_H

#include <stdatomic.h>

#include "domain/object.h"
#include "domain/rule.h"
#include "workspace/rule_curves.h"
#include "workspace/workspace.h"

enum { STOP_RULES_CURVES = 1 };	/* also what must read curve files */

struct rule_gauge {
	const char *id, *when;
	enum rule_class class;
	enum rule_action action;
	struct rule_report report;
	const char *version;
	bool of_curves;			/* its features belong to runs, not to the state alone */
	bool of_gap;			/* one of them is a gap */
	struct rule_subject subject;	/* whose smoke gap or projection it is; texts "" */
};

struct rule_gauges {
	struct rule_gauge *rows;
	size_t n;
	bool from_accepted;		/* else the defaults are in force */
};

int stop_rules_read(struct rule_gauges *out, struct workspace *ws, const struct position *at,
	int flags, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* The same now, with the curves of RUN alone. */
int stop_rules_read_run(struct rule_gauges *out, struct workspace *ws, const char *run,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/*
 * Raises what fires and was not raised for its cause.  *RAISED counts new alarms.
 *
 * Of a rule that reads the state alone, the cause is the event that made it
 * true.  While it stays true it is the same alarm, however its figures grow: at
 * 3.1 agent hours a person decided, and 3.4 asks nothing new.  Only a rule that
 * was quiet in between asks again.
 *
 * Of a gap, the cause is a run: another run of the attempt is asked about anew,
 * and so is the same one beside another reference after "make comparable".  Of a
 * projection it is the attempt.  An alarm that is still open stands for all later
 * causes of the same rule and attempt.
 *
 * A rule that was worded anew is another rule.
 */
int stop_rules_raise(size_t *raised, struct workspace *ws, int flags, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

/* The same with the curves of one run that has just ended: several may end
 * between two looks, and each is judged. */
int stop_rules_judge_run(size_t *raised, struct workspace *ws, const char *run,
	const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* The newest alarm that G's rule raised for G's subject; NULL when there is none. */
int stop_rules_alarm(const struct alarm_state **out, struct workspace *ws,
	const struct rule_gauge *g, const struct position *at, struct arena *a) ATTR_MUST_USE;

/* R3: a blocker that somebody declares unavoidable, with evidence. */
int stop_rules_declare_blocker(struct workspace *ws, const char *attempt, const char *text,
	const char *evidence, struct arena *a) ATTR_MUST_USE;

#endif
