/*
 * goal_text - what a goal demands, as people write it.
 *
 *	goal_add_test(&text, &config.goals[0]);	// "accuracy >= reference - 1.0pp"
 */
#ifndef PORTSIDE_COMMAND_GOAL_TEXT_H
#define PORTSIDE_COMMAND_GOAL_TEXT_H

#include "base/buf.h"

struct config_goal;

/* "accuracy >= 89.0 - 1.0pp", without a target "accuracy >= reference - 1.0pp": in the
 * goal's shown unit, which is written once. */
void goal_add_test(struct buf *out, const struct config_goal *g);

#endif
