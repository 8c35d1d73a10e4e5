/*
 * rules - the stop rules in force, as gauges: `portside rules`, and one gauge in words.
 *
 * What a rule looks at and when it fires is workspace/stop_rules.h; here is what a person
 * reads of it.
 *
 *	for (size_t i = 0; i < gauges.n; i++)
 *		rule_gauge_add(&text, &gauges.rows[i], needs, n_needs);
 */
#ifndef PORTSIDE_COMMAND_RULES_H
#define PORTSIDE_COMMAND_RULES_H

#include "base/buf.h"
#include "command/need.h"
#include "workspace/stop_rules.h"

/* "gap 0.0/1.0"; with alarms of the rule open, whose value that is and whose made it
 * fire: "gap 0.0/1.0 is #4; fired for #5 #7". */
void rule_gauge_add(struct buf *out, const struct rule_gauge *g, const struct need *needs,
	size_t n);

#endif
