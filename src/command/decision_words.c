/* decision_words - the facts of an alarm as title and lines; see decision.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "command/decision_private.h"

static void add_rule(struct buf *b, const struct decision_facts *f)
{
	int64_t when;

	if (f->version) {
		buf_addf(b, "rule v%lld, accepted ", (long long)f->version);
		if (clock_from_iso(&when, f->accepted_time))
			clock_add_short(b, when, clock_wall_ns());
		buf_addf(b, " by %s",
			f->accepted_by + strcspn(f->accepted_by, ":") +
				(strchr(f->accepted_by, ':') != NULL));
	} else if (strcmp(f->alarm->rule, "R3") == 0) {
		buf_adds(b, "a blocker, declared by hand");
	} else {
		buf_adds(b, "a default rule that no accepted file names");
	}
	buf_addf(b, "; judged at event %lld\n", (long long)f->judged_at);
	if (strcmp(f->alarm->rule, "R3") == 0)
		return;
	if (*f->when)
		buf_addf(b, "it fires when: %s\n", f->when);
	else
		buf_adds(b, "its wording is in no accepted file any more\n");
}

static void add_gap(struct buf *b, const struct decision_facts *f)
{
	const char *unit = f->unit;

	buf_addf(b, "gap %.4g%s", f->gap, unit);
	if (!isnan(f->gap_step))
		buf_addf(b, " at step %.0f", f->gap_step);
	buf_addf(b, " (%s)", *f->gauge ? f->gauge : "limit unknown");
	if (!isnan(f->gap_now) && fabs(f->gap_now - f->gap) > 0.005)
		buf_addf(b, ", now %.4g%s", f->gap_now, unit);
	buf_addc(b, '\n');
	if (f->self_pairs)
		buf_addf(b, "reference against itself, %zu runs: %.2g to %.2g%s\n", f->self_runs,
			f->self_low, f->self_high, unit);
	else
		buf_addf(b,
			"reference against itself: unknown (%zu run%s; repeat it to know its noise)\n",
			f->self_runs, f->self_runs == 1 ? "" : "s");
	switch (f->comparable) {
	case COMPARABLE_NO:
		buf_addf(b, "NOT COMPARABLE: %s\n", f->obstacles);
		break;
	case COMPARABLE_YES:
		buf_adds(b, "inputs comparable\n");
		break;
	case COMPARABLE_OPEN:
		buf_adds(b, "comparable: unknown, not every input was logged\n");
		break;
	}
}

static void add_hours(struct buf *b, double hours)
{
	clock_add_duration(b, (int64_t)(hours * 3600.0 * (double)NS_PER_S));
}

/* " (1h02m to 2h10m)", unless both ends read the same. */
static void add_range(struct buf *b, const struct decision_facts *f)
{
	struct buf low = BUF_INIT, high = BUF_INIT;

	if (isnan(f->low_hours) || isnan(f->high_hours))
		return;
	add_hours(&low, f->low_hours);
	add_hours(&high, f->high_hours);
	if (strcmp(low.s, high.s) != 0)
		buf_addf(b, " (%s to %s)", low.s, high.s);
	buf_release(&low);
	buf_release(&high);
}

static void add_cost(struct buf *b, const struct decision_facts *f)
{
	if (isnan(f->hours)) {
		buf_adds(b, "a full run: time and cost unknown, nothing to project from");
		return;
	}
	buf_adds(b, "a full run takes about ");
	add_hours(b, f->hours);
	add_range(b, f);
	if (isnan(f->usd))
		buf_adds(b, "; its cost is unknown: no price");
	else {
		buf_adds(b, " and costs about ");
		units_add_money(b, (int64_t)llround(f->usd * NANO_USD));
	}
}

static void add_waiting(struct buf *b, const struct decision_facts *f)
{
	if (*f->went_on) {
		buf_addf(b, "\nsince the alarm %s", f->went_on);
	} else if (f->waited_ns > 0) {
		buf_adds(b, "\nnothing new from the agent since the alarm, ");
		clock_add_duration(b, f->waited_ns);
		buf_adds(b, " ago");
	}
	if (*f->person_went_on)
		buf_addf(b, "\n%s%s", *f->went_on ? "" : "since then ", f->person_went_on);
}

void decision_write_words(struct decision_reader *r)
{
	static const char *const class_words[] = { [CLASS_NONE] = "",
		[CLASS_BUDGET] = " (budget)",
		[CLASS_CORRECTNESS] = " (correctness)",
		[CLASS_COST] = " (cost)",
		[CLASS_FEASIBILITY] = " (feasibility)" };
	struct decision_facts *f = r->out;
	const struct alarm_state *s = f->alarm;
	struct buf b = BUF_INIT;

	f->title = arena_printf(r->a, "rule %s%s%s%s%s", s->rule, class_words[s->class],
		*s->attempt ? ", attempt " : "", s->attempt, s->open ? "" : " (decided)");
	add_rule(&b, f);
	if (*f->goal)
		add_gap(&b, f);
	else if (*f->gauge)
		buf_addf(&b, "it saw: %s\n", f->gauge);
	add_cost(&b, f);
	add_waiting(&b, f);
	f->text = arena_strndup(r->a, b.s, b.n);
	buf_release(&b);
}
