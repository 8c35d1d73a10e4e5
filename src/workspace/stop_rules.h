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

#include "domain/rule.h"
#include "workspace/workspace.h"

enum { STOP_RULES_CURVES = 1 };	/* also what must read curve files */

struct rule_gauge {
	const char *id, *when;
	enum rule_class class;
	enum rule_action action;
	struct rule_report report;
	const char *version;
	const char *attempt;		/* what the smoke gap or projection is about; "" */
};

struct rule_gauges {
	struct rule_gauge *rows;
	size_t n;
	bool from_accepted;		/* else the defaults are in force */
};

int stop_rules_read(struct rule_gauges *out, struct workspace *ws, const struct position *at, int flags,
		    const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/*
 * Raises what fires and has not been raised for this trigger: the newest event
 * that the rule's features come from.  *RAISED counts new alarms.  An alarm of
 * the same rule version that is still open, or was answered since the features
 * last changed, is not raised again.
 */
int stop_rules_raise(size_t *raised, struct workspace *ws, int flags, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* The same with the curves of one run that has just ended: several may end
 * between two looks, and each is judged. */
int stop_rules_judge_run(size_t *raised, struct workspace *ws, const char *run, const atomic_bool *cancel, struct arena *a) ATTR_MUST_USE;

/* R3: a blocker that somebody declares unavoidable, with evidence. */
int stop_rules_declare_blocker(struct workspace *ws, const char *attempt, const char *text, const char *evidence, struct arena *a) ATTR_MUST_USE;

#endif
