/*
 * rules_calibrate - the limit of a rule about the smoke gap, from repeats of the
 * reference; it proposes, a person writes and accepts.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/rule.h"
#include "workspace/rule_noise.h"

#define SHARE 0.05
/* Less is told by no handful of repeats, and more stops one good attempt in four. */
#define SHARE_LEAST 0.001
#define SHARE_MOST 0.25
/* Up to it a double holds every step. */
#define WHOLE_MAX 0x1p53

static const struct report_column columns[] = {
	{ .name = "goal", .title = "goal", .type = REPORT_TEXT },
	{ .name = "series", .title = NULL, .type = REPORT_TEXT },
	{ .name = "configuration", .title = "where", .type = REPORT_TEXT },
	{ .name = "repeats", .title = "repeats", .type = REPORT_INTEGER },
	{ .name = "step", .title = "at step", .type = REPORT_ID },
	{ .name = "low", .title = "lowest", .type = REPORT_DOUBLE, .decimals = 2 },
	{ .name = "high", .title = "highest", .type = REPORT_DOUBLE, .decimals = 2 },
	{ .name = "sd", .title = "sd", .type = REPORT_DOUBLE, .decimals = 2 },
	{ .name = "sd_low", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "sd_high", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "rule", .title = "rule", .type = REPORT_TEXT },
	{ .name = "limit", .title = "limit now", .type = REPORT_DOUBLE },
	{ .name = "false_alarms", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "proposed", .title = "proposed", .type = REPORT_DOUBLE },
	{ .name = "proposed_false_alarms", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "at_worst", .title = NULL, .type = REPORT_DOUBLE },
};

static void put_known(struct report_table *t, const char *name, double v)
{
	if (isfinite(v))
		report_double(t, name, v);
	else
		report_unknown(t, name);
}

static void put_row(struct report_table *t, const struct rule_noise *n, double share)
{
	report_row(t);
	report_text(t, "goal", n->goal);
	report_text(t, "series", *n->series ? n->series : NULL);
	report_text(t, "configuration", *n->configuration ? n->configuration : NULL);
	report_integer(t, "repeats", (int64_t)n->n);
	if (fabs(n->step) <= WHOLE_MAX)
		report_integer(t, "step", (int64_t)n->step);
	put_known(t, "low", n->limit.low);
	put_known(t, "high", n->limit.high);
	put_known(t, "sd", n->limit.sd);
	put_known(t, "sd_low", n->limit.sd95.low);
	put_known(t, "sd_high", n->limit.sd95.high);
	report_text(t, "rule", *n->rule ? n->rule : NULL);
	if (isfinite(n->in_force))
		report_double(t, "limit", n->in_force);
	put_known(t, "false_alarms", n->share_in_force);
	put_known(t, "proposed", n->proposed);
	/* One example in place of a limit was not derived from any share. */
	put_known(t, "proposed_false_alarms",
		isfinite(n->proposed) && n->limit.sd > 0 ? share : NAN);
	put_known(t, "at_worst", n->limit.share_at_worst);
}

static void note_left(struct report_table *t, const struct rule_noise *n)
{
	if (n->n_left)
		report_note(t, "%s: %zu run%s left out: another last step, or no such series",
			n->goal, n->n_left, n->n_left == 1 ? "" : "s");
	if (n->n_copies)
		report_note(t,
			"%s: %zu more with the very points of another and no seed of its own: a copy is no repeat",
			n->goal, n->n_copies);
}

/* What is missing before anything can be said; false when nothing is. */
static bool note_missing(
	struct report_table *t, const struct rule_noise *n, const struct rule_noises *all)
{
	if (n->n >= 2)
		return false;
	if (n->n_left && !n->n)
		report_note(t, "%s: no smoke run of the reference logs a series that this goal names",
			n->goal);
	else
		report_note(t,
			"%s: %zu smoke run%s of the reference, so nobody knows how far two of them are apart; repeat it: "
			"portside run reference --kind smoke --target %s --seed %zu",
			n->goal, n->n, n->n == 1 ? "" : "s", *all->target ? all->target : "TARGET",
			n->n + 1);
	if (n->n)
		note_left(t, n);
	return true;
}

static void add_percent(struct buf *out, double share)
{
	if (share < 0.001)
		buf_adds(out, "under 0.1 %");
	else
		buf_addf(out, "%.2g %%", share * 100);
}

static void note_in_force(struct report_table *t, const struct rule_noise *n)
{
	struct buf b = BUF_INIT;

	if (!*n->rule || isnan(n->share_in_force))
		return;
	add_percent(&b, n->share_in_force);
	report_note(t,
		"%s asks now from %.6g%s on: it would stop %s of the attempts that train just like the reference",
		n->rule, n->in_force, n->unit, b.s);
	buf_release(&b);
}

/* SHARE already allows for how little few repeats tell of their spread. */
static void note_limit(struct report_table *t, const struct rule_noise *n, double share)
{
	struct buf b = BUF_INIT;

	buf_addf(&b,
		"%s: past %.6g%s about %.3g %% of the attempts that train just like the reference are stopped, as far as "
		"%zu repeats tell; the spread of one may be %.2g to %.2g%s",
		n->goal, n->proposed, n->unit, share * 100, n->n, n->limit.sd95.low,
		n->limit.sd95.high, n->unit);
	if (n->limit.share_at_worst > share)
		buf_addf(&b, ", and at the upper end it is %.2g %%", n->limit.share_at_worst * 100);
	report_note(t, "%s", b.s);
	buf_release(&b);
}

static void note_proposal(struct report_table *t, const struct rule_noise *n, double share)
{
	const char *rule = *n->rule ? n->rule : "R4";

	if (!isfinite(n->limit.sd) || !isfinite(n->limit.limit) || isinf(n->proposed)) {
		report_note(t, "%s: the values of the %zu repeats are too large to tell their spread",
			n->goal, n->n);
		return;
	}
	if (!(n->limit.sd > 0)) {
		report_note(t,
			"%s: the %zu repeats are equal to the last digit, so every gap is a difference%s",
			n->goal, n->n,
			isfinite(n->proposed) ? "; the proposal is one example" : "");
	} else {
		note_limit(t, n, share);
		report_note(t, "%s: a gap under %.6g%s stays unseen by a smoke run", n->goal,
			n->proposed, n->unit);
	}
	note_in_force(t, n);
	if (n->n < RULE_NOISE_REPEATS)
		report_note(t, "%s: %zu repeats are few; %s stays uncalibrated below %d", n->goal,
			n->n, rule, RULE_NOISE_REPEATS);
	if (n->one_seed)
		report_note(t,
			"%s: all repeats have one seed: this is the noise of the machine, not that of seeds",
			n->goal);
	note_left(t, n);
	if (isfinite(n->proposed))
		report_note(t,
			"to take it, write into portside.conf:  [rule \"%s\"]  when = \"smoke_gap.%s worse than %.6g\"  "
			"and then: portside config accept",
			rule, n->goal, n->proposed);
}

static int calibrate_run(struct call *c)
{
	double share = call_number(c, "--false-alarms", SHARE);
	struct rule_noises noises;
	bool proposed = false;
	int rc;

	if (!(share >= SHARE_LEAST) || !(share <= SHARE_MOST))
		return err_set(ERR_USAGE,
			"--false-alarms: %g is no share of attempts from %g to %g; 0.05 is 5 %%",
			share, SHARE_LEAST, SHARE_MOST);
	if ((rc = rule_noise_read(
		     &noises, c->workspace, share, c->at, c->progress.cancel, c->arena)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "calibration", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < noises.n; i++)
		put_row(c->table, &noises.rows[i], share);
	for (size_t i = 0; i < noises.n; i++) {
		if (note_missing(c->table, &noises.rows[i], &noises))
			continue;
		note_proposal(c->table, &noises.rows[i], share);
		proposed = proposed || isfinite(noises.rows[i].proposed);
	}
	if (!noises.n)
		report_note(c->table, "no goal of portside.conf names a series, so there is no smoke gap");
	if (proposed)
		report_note(c->table, "nothing was changed: a person decides which limit rules");
	if (noises.from_file)
		report_note(c->table, "portside.conf was not accepted yet; these are the goals of the file");
	c->no = !proposed;
	return 0;
}

static const struct argument calibrate_arguments[] = {
	{ "--false-alarms", ARGUMENT_NUMBER,
		"share of equal attempts that may be stopped, 0.001 to 0.25", false,
		false, NULL, "0.05" },
	{ 0 },
};

const struct operation calibrate_operations[] = {
	{ "rules calibrate", NULL, 0, "a limit for the smoke gap, from repeats of the reference",
		OPERATION_CLI | OPERATION_LONG, calibrate_arguments, calibrate_run, 0 },
	{ 0 },
};
