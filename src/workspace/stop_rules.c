/* stop_rules - see stop_rules.h.  Values: rule_features.c; alarms: stop_alarms.c. */
#include "config.h"

#include "workspace/stop_rules.h"

#include <string.h>

#include "base/text.h"
#include "workspace/accepted.h"
#include "workspace/rule_features.h"

static bool is_projection(const char *feature)
{
	return text_starts(feature, "projected");
}

/* Whose curves a rule reads; nobody's when it reads none. */
static struct rule_subject subject_of(const struct rule_report *r, const struct rule_curves *c)
{
	for (size_t i = 0; i < r->features_n; i++) {
		if (text_starts(r->features[i].name, "full_gap."))
			return c->full;
		if (text_starts(r->features[i].name, "smoke_gap."))
			return c->smoke;
	}
	for (size_t i = 0; i < r->features_n; i++)
		if (is_projection(r->features[i].name))
			return c->projected;
	return (struct rule_subject){ "", "", "", "" };
}

static bool reads_gap(const struct rule_report *r)
{
	for (size_t i = 0; i < r->features_n; i++)
		if (strchr(r->features[i].name, '.'))
			return true;
	return false;
}

/* A rule whose curves were not read yet says so: it is neither quiet nor
 * uncalibrated. */
static void mark_unread(struct rule_gauge *g, struct arena *a)
{
	for (size_t i = 0; i < g->report.features_n; i++) {
		const char *name = g->report.features[i].name;

		if (strchr(name, '.') || is_projection(name)) {
			g->report.gauge = arena_printf(a, "%s curves not read yet", g->id);
			return;
		}
	}
}

static void fill_gauge(
	struct rule_gauge *g, const struct rule *r, struct rule_features *f, struct arena *a)
{
	*g = (struct rule_gauge){
		.id = arena_strdup(a, r->id),
		.when = arena_strdup(a, r->when),
		.version = arena_strdup(a, r->version),
		.class = r->class,
		.action = r->action,
		.of_curves = rule_reads_curves(r),
		.report = rule_evaluate(r, rule_features_value, f, a),
	};
	g->of_gap = reads_gap(&g->report);
	g->subject = subject_of(&g->report, &f->curves);
}

static int read_gauges(struct rule_gauges *out, struct workspace *ws, const char *run,
	const struct position *at, int flags, const atomic_bool *cancel, struct arena *a)
{
	struct accepted accepted;
	struct rule_features f;
	int rc = accepted_read(&accepted, ws, at);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	rc = rule_features_read(&f, ws, &accepted.in_force, at, a);
	if (rc == 0 && flags & STOP_RULES_CURVES)
		rc = rule_curves_read(&f.curves, ws, f.config, run, at, cancel, a);
	out->rows = arena_alloc(a, accepted.in_force.rules_n * sizeof *out->rows);
	for (size_t i = 0; rc == 0 && i < accepted.in_force.rules_n; i++) {
		struct rule_gauge *g = &out->rows[out->n++];

		fill_gauge(g, &accepted.in_force.rules[i], &f, a);
		if (!(flags & STOP_RULES_CURVES))
			mark_unread(g, a);
	}
	out->from_accepted = accepted.has_accepted && !accepted.in_force.default_rules;
	accepted_release(&accepted);
	return rc;
}

int stop_rules_read(struct rule_gauges *out, struct workspace *ws, const struct position *at,
	int flags, const atomic_bool *cancel, struct arena *a)
{
	return read_gauges(out, ws, NULL, at, flags, cancel, a);
}

int stop_rules_read_run(struct rule_gauges *out, struct workspace *ws, const char *run,
	const atomic_bool *cancel, struct arena *a)
{
	return read_gauges(out, ws, run, NULL, STOP_RULES_CURVES, cancel, a);
}
