/* people_time - see people_time.h. */
#include "config.h"

#include "command/people_time.h"

#include "domain/cost.h"

int64_t people_without_minutes(const struct migration_counts *c)
{
	return c->interventions_without_minutes + c->decisions_without_minutes;
}

int64_t people_cost_nano_usd(const struct price *rate, const struct migration_counts *c)
{
	int64_t minutes = c->intervention_minutes + c->decision_minutes,
		without = people_without_minutes(c);

	if (!rate->known || (without && !minutes))
		return COST_UNKNOWN;
	return cost_human_nano_usd(minutes, rate->nano_usd_hour);
}

void people_minutes_add(struct buf *out, const struct migration_counts *c)
{
	cost_add_minutes(out, c->intervention_minutes + c->decision_minutes,
		people_without_minutes(c), c->interventions + c->decisions);
}
