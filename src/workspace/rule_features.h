/*
 * rule_features - the values that rules and gauges read of a migration, as of a
 * position.
 *
 * Those of the state are cheap: one object is read.  Those of curves are
 * unknown until rule_curves_read() has put them into CURVES, which reads files.
 *
 *	struct rule_features f;
 *
 *	if (rule_features_read(&f, ws, &accepted.in_force, NULL, &arena) < 0)
 *		return -1;
 *	report = rule_evaluate(rule, rule_features_value, &f, &arena);
 */
#ifndef PORTSIDE_WORKSPACE_RULE_FEATURES_H
#define PORTSIDE_WORKSPACE_RULE_FEATURES_H

#include <stdbool.h>

#include "base/expr.h"
#include "domain/configuration.h"
#include "domain/object.h"
#include "domain/rule.h"
#include "workspace/rule_curves.h"
#include "workspace/workspace.h"

struct rule_features {
	const struct migration_state *migration;
	const struct config *config;	/* borrowed */
	struct rule_curves curves;
	bool blocker;			/* somebody declared one, with evidence */
};

/* AT NULL: now.  Everything in A. */
int rule_features_read(struct rule_features *out, struct workspace *ws, const struct config *config,
	const struct position *at, struct arena *a) ATTR_MUST_USE;

/* expr_feature_fn; USER is a struct rule_features. */
struct expr_value rule_features_value(void *user, const char *name);

/* Does R read curve files?  Then what it says belongs to a run. */
bool rule_reads_curves(const struct rule *r);

#endif
