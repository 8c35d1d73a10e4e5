/*
 * people_time - how long people worked on a migration, and what that costs.
 *
 * Minutes are what interventions and decisions told; who told none is counted beside
 * them and never as zero.
 *
 *	people_minutes_add(&text, &counts);		// "6 min + 2 unknown"
 *	cost = people_cost_nano_usd(&config.migration.human_rate, &counts);
 */
#ifndef PORTSIDE_COMMAND_PEOPLE_TIME_H
#define PORTSIDE_COMMAND_PEOPLE_TIME_H

#include "base/units.h"
#include "domain/object.h"

/* Interventions and decisions of which nobody said how long they took. */
int64_t people_without_minutes(const struct migration_counts *c);

/* "6 min + 2 unknown", "unknown" */
void people_minutes_add(struct buf *out, const struct migration_counts *c);

/* What the minutes on record cost at RATE; COST_UNKNOWN without one, or where nobody
 * told any. */
int64_t people_cost_nano_usd(const struct price *rate, const struct migration_counts *c);

#endif
