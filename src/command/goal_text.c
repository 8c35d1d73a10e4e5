/* goal_text - see goal_text.h. */
#include "config.h"

#include "command/goal_text.h"

#include <math.h>

#include "domain/configuration.h"

static void add_number(struct buf *out, double v, const char *unit)
{
	/* As people write a margin: 1.0pp, 0.05, 90.93. */
	if (fabs(v * 10 - round(v * 10)) < 1e-9)
		buf_addf(out, "%.1f%s", v, unit);
	else
		buf_addf(out, "%.6g%s", v, unit);
}

/* "<= 0.30 + 0.05", ">= reference - 1.0pp": the unit is written once. */
static void add_threshold(struct buf *out, const struct config_goal *g, bool lower)
{
	bool margin = g->has_margin && g->test.margin > 0;

	buf_adds(out, lower ? "<= " : ">= ");
	if (g->has_target)
		add_number(out, g->test.target, margin ? "" : g->unit);
	else
		buf_adds(out, "reference");
	if (margin) {
		buf_adds(out, lower ? " + " : " - ");
		add_number(out, g->test.margin, g->unit);
	}
}

void goal_add_test(struct buf *out, const struct config_goal *g)
{
	bool lower = g->test.direction == DIRECTION_LOWER;

	buf_addf(out, "%s ", g->metric);
	switch (g->test.form) {
	case FORM_BAND:
		buf_adds(out, "within ");
		add_number(out, g->test.low, "");
		buf_adds(out, " to ");
		add_number(out, g->test.high, g->unit);
		return;
	case FORM_ORDERING:
		buf_adds(out, lower ? "<= baseline - " : ">= baseline + ");
		add_number(out, g->test.margin, g->unit);
		return;
	case FORM_THRESHOLD: case FORM_NONE:
		break;
	}
	add_threshold(out, g, lower);
}
