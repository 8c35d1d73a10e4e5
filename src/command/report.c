/*
 * report - the migration on one page of Markdown: what was to be reached, what
 * was claimed and measured, what was not checked, what people decided, what it
 * cost, and how to check that the record is whole.
 */
#include "config.h"

#include <fcntl.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/groups.h"
#include "command/open.h"
#include "command/position.h"
#include "command/report_section.h"
#include "report/page.h"
#include "store/verify.h"
#include "workspace/checkpoint.h"
#include "workspace/state.h"

/* ---- goal and configuration --------------------------------------------------------- */

static void add_goal(struct report_page *p, const struct config_goal *g)
{
	struct buf b = BUF_INIT;
	char number[TEXT_DOUBLE_MAX];

	buf_addf(&b, "%s of %s, %s is better", g->at == AT_BEST ? "best value" : "last value",
		g->series, word_name(&words_direction, (int)g->test.direction));
	text_from_double(number, g->test.target);
	if (g->has_target)
		buf_addf(&b, "; target %s%s%s", number, *g->unit ? " " : "", g->unit);
	else
		buf_adds(&b, "; the target is the reference's own value");
	text_from_double(number, g->test.margin);
	buf_addf(&b, "; margin %s%s%s%s", number, *g->unit ? " " : "", g->unit,
		g->has_margin ? "" : " (none was declared)");
	if (g->examples)
		buf_addf(&b, "; %lld evaluated examples", (long long)g->examples);
	page_item(p->out, g->name, "%s", b.s);
	buf_release(&b);
}

static void add_targets(struct report_page *p)
{
	static const struct report_column columns[] = {
		{ .name = "target", .title = "target", .type = REPORT_TEXT },
		{ .name = "kind", .title = "kind", .type = REPORT_TEXT },
		{ .name = "chips", .title = "chips", .type = REPORT_INTEGER },
		{ .name = "backend", .title = "backend", .type = REPORT_TEXT },
		{ .name = "role", .title = "role", .type = REPORT_TEXT },
	};
	struct report_table *t = report_table_new(p->a, "targets", columns, ARRAY_LEN(columns));
	const struct config_migration *m = &p->accepted.in_force.migration;

	for (size_t i = 0; i < p->accepted.in_force.targets_n; i++) {
		const struct config_target *c = &p->accepted.in_force.targets[i];
		const char *role = m->intended && strcmp(m->intended, c->name) == 0 ? "intended" :
			m->reference && strcmp(m->reference, c->name) == 0 ? "reference" : "";

		report_row(t);
		report_text(t, "target", c->name);
		report_textf(t, "kind", "%s%s", word_name(&words_target_kind, (int)c->kind),
			c->simulates ? ", simulated" : "");
		report_integer(t, "chips", c->chips);
		report_text(t, "backend", c->backend && *c->backend ? c->backend : NULL);
		report_text(t, "role", *role ? role : NULL);
	}
	if (t->n_rows)
		page_table(p->out, t);
}

static void add_configuration(struct report_page *p)
{
	const struct config *c = &p->accepted.in_force;
	const struct migration_state *m = p->attempts.migration;

	page_heading(p->out, 2, "The goal");
	if (!p->accepted.has_accepted)
		page_sentence(p->out,
			"No configuration was accepted, so there is no declared goal and no intended configuration.");
	for (size_t i = 0; i < c->goals_n; i++)
		add_goal(p, &c->goals[i]);
	if (c->migration.experiment && *c->migration.experiment)
		page_item(p->out, "experiment", "%s", c->migration.experiment);
	if (*m->original)
		page_item(p->out, "original", "commit %.12s", m->original);
	if (m->loosened)
		page_item(p->out, "loosened",
			"%lld %s made easier, %lld of them after a failure", (long long)m->loosened,
			m->loosened == 1 ? "goal, limit or rule was" : "goals, limits or rules were", (long long)m->loosened_after_failure);
	buf_addc(p->out, '\n');
	add_targets(p);
}

/* ---- attempts ------------------------------------------------------------------------- */

static const struct report_column attempt_columns[] = {
	{ .name = "attempt", .title = "#", .type = REPORT_TEXT },
	{ .name = "subject", .title = "change", .type = REPORT_TEXT },
	{ .name = "churn", .title = "files, lines", .type = REPORT_TEXT },
	{ .name = "expected", .title = "expected", .type = REPORT_TEXT },
	{ .name = "claimed", .title = "claimed", .type = REPORT_TEXT },
	{ .name = "measured", .title = "measured", .type = REPORT_TEXT },
	{ .name = "outcome", .title = "outcome", .type = REPORT_TEXT },
	{ .name = "cause", .title = "cause: people, agent", .type = REPORT_TEXT },
	{ .name = "runs", .title = "runs", .type = REPORT_INTEGER },
	{ .name = "cost", .title = "cost", .type = REPORT_MONEY },
};

typedef void add_fn(struct buf *out, const struct attempt_state *s, const char *configuration);

static void put(
	struct report_table *t, const char *name, add_fn *add, const struct attempt_state *s)
{
	struct buf b = BUF_INIT;

	add(&b, s, NULL);
	report_text(t, name, strcmp(b.s, "-") == 0 ? NULL : b.s);
	buf_release(&b);
}

static void add_attempt(struct report_table *t, const struct attempt_row *row)
{
	const struct attempt_state *s = row->state;
	struct buf b = BUF_INIT;

	report_row(t);
	report_textf(t, "attempt", "%s%s", s->id, attempt_contradicts(s) ? " (!)" : "");
	report_text(t, "subject", *s->subject ? s->subject : NULL);
	attempt_add_changes(&b, s, &row->changes.previous);
	report_text(t, "churn", b.s);
	put(t, "expected", attempt_add_expected, s);
	put(t, "claimed", attempt_add_claimed, s);
	put(t, "measured", attempt_add_measured, s);
	report_text(t, "outcome", attempt_outcome_word(s));
	buf_clear(&b);
	attempt_add_cause(&b, s);
	report_text(t, "cause", b.s);
	report_integer(t, "runs", (int64_t)s->runs_n);
	attempt_put_cost(t, "cost", s);
	buf_release(&b);
}

static void add_attempts(struct report_page *p)
{
	struct report_table *t =
		report_table_new(p->a, "attempts", attempt_columns, ARRAY_LEN(attempt_columns));
	bool contradicts = false;
	int64_t without = 0;

	page_heading(p->out, 2, "The attempts");
	for (size_t i = 0; i < p->attempts.n; i++) {
		add_attempt(t, &p->attempts.rows[i]);
		contradicts = contradicts || attempt_contradicts(p->attempts.rows[i].state);
		without += p->attempts.rows[i].state->runs_without_cost;
	}
	attempt_note_costs(t, without);
	if (!t->n_rows)
		report_note(t, "No attempt was seen yet.");
	page_table(p->out, t);
	page_sentence(p->out,
		"Claimed is what the agent says; measured is what runs and checks showed.%s",
		contradicts ? " (!) marks an attempt whose records contradict each other." : "");
}

/* ---- the head of the page ----------------------------------------------------------------- */

static void choose_best(struct report_page *p)
{
	int best = -1;

	for (size_t i = 0; i < p->attempts.n; i++) {
		const struct attempt_state *s = p->attempts.rows[i].state;
		const struct measured *m = attempt_measured(s, p->attempts.intended);

		if (m && level_index(m->ladder.level) >= best) {
			best = level_index(m->ladder.level);
			p->best = s;
		}
	}
}

static void add_summary(struct report_page *p)
{
	const struct migration_state *m = p->attempts.migration;
	const struct measured *best =
		p->best ? attempt_measured(p->best, p->attempts.intended) : NULL;
	struct buf measured = BUF_INIT;

	page_item(p->out, "state", "%s",
		m->end ? word_name(&words_decision, (int)m->end) : "goes on");
	if (best) {
		level_add_measured(&measured, &best->vector);
		page_item(p->out, "best", "attempt %s, measured on %s: %s%s", p->best->id,
			best->configuration, measured.s,
			best->simulated ? "; that target is simulated" : "");
	} else {
		page_item(p->out, "best", "nothing was measured on %s",
			*p->attempts.intended ? p->attempts.intended
					      : "an intended configuration, and none is declared");
	}
	for (size_t i = 0; i < p->attempts.n; i++)
		if (p->attempts.rows[i].state->over_claims)
			page_item(p->out, "over-claim",
				"attempt %s claims more than can still be true",
				p->attempts.rows[i].state->id);
	page_item(p->out, "failures", "%lld labelled, %lld of them silent",
		(long long)m->counts.failures, (long long)m->counts.silent);
	if (p->at)
		page_item(p->out, "as of", "%s", position_text(p->ws, p->at, p->a));
	buf_release(&measured);
}

/* What a reader holds against the log later: see verify --anchor. */
static void add_head(struct report_page *p, const struct checkpoint *c)
{
	page_verbatim(p->out, "Portside-Head: %s %lld", c->head, (long long)c->count);
	page_sentence(p->out,
		"Whoever keeps this line can later tell whether the log was cut or written anew:");
	page_verbatim(p->out, "portside verify --anchor %s:%lld", c->head, (long long)c->count);
	if (c->recorded)
		page_sentence(p->out, "That it was published is on record in the log itself.");
	else if (!p->where)
		page_sentence(p->out,
			"This page was only shown. Written with --output, or as a bundle, its head is put on "
			"record in the log as published.");
	else
		page_sentence(p->out, "That it was published is not on record in the log: %s.",
			c->why_not);
	page_sentence(p->out,
		"The record is tamper-evident, not tamper-proof: it says nothing about a history that was made up "
		"before the line was published.");
}

static int add_anchor(struct report_page *p)
{
	struct verify_options o = { .full = true };
	struct checkpoint c, *earlier;
	struct verify_report r;
	size_t n, all;
	int rc = log_verify(workspace_log(p->ws), &o, p->a, &r);

	if (rc < 0 || (rc = checkpoint_list(&earlier, &n, &all, p->ws, p->at, 1, p->a)) < 0 ||
	    (rc = checkpoint_publish(&c, p->ws, p->where, p->a)) < 0)
		return rc;
	page_heading(p->out, 2, "Is the record whole?");
	page_sentence(p->out, "%s", verify_sentence(p->a, &r));
	if (n)
		page_sentence(p->out,
			"Heads published before: %zu, the last %.16sZ with %lld event%s%s%s.", all,
			earlier->time, (long long)earlier->count, earlier->count == 1 ? "" : "s", *earlier->where ? ", in " : "",
			earlier->where);
	else
		page_sentence(p->out, "No head was published before.");
	if (p->at)
		page_sentence(p->out,
			"This page looks at the past; the head below is that of the whole log, now.");
	add_head(p, &c);
	return 0;
}

static int make_page(struct report_page *p)
{
	char iso[CLOCK_ISO_MAX];
	int rc;

	clock_iso(iso, clock_wall_ns());
	choose_best(p);
	page_heading(p->out, 1, "Migration of %s", open_title(p->ws, p->a));
	page_sentence(p->out, "Made %.16sZ by portside %s from the log of the migration.", iso,
		PACKAGE_VERSION);
	add_summary(p);
	add_configuration(p);
	add_attempts(p);
	if ((rc = report_levels(p)) < 0 || (rc = report_curves(p)) < 0 ||
		(rc = report_people(p)) < 0 || (rc = report_costs(p)) < 0)
		return rc;
	rc = add_anchor(p);
	buf_trim_end(p->out);
	buf_addc(p->out, '\n');
	return rc;
}

static int already_there(const char *path)
{
	return err_set(ERR_EXISTS, "%s is there already; choose another name", path);
}

static int write_page(struct call *c, const char *path, const struct buf *page)
{
	int rc = fs_write_new(path, page->s, page->n, 0644);

	if (rc == ERR_EXISTS)
		return err_set(rc, "%s is there already; choose another name", path);
	c->message = arena_printf(c->arena, "written: %s", path);
	return rc;
}

static void put_json(struct call *c, const struct buf *page)
{
	struct json_writer w = { .out = &c->text };

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	json_put_str(&w, "kind", "report");
	json_put_str(&w, "format", "markdown");
	json_put_strn(&w, "text", page->s, page->n);
	json_end_object(&w);
	buf_addc(&c->text, '\n');
}

static int report_run(struct call *c)
{
	const char *path = call_text(c, "--output");
	struct buf page = BUF_INIT;
	struct report_page p = { .call = c,
		.out = &page,
		.where = path ? fs_basename(path) : NULL,
		.a = c->arena,
		.ws = c->workspace,
		.at = c->at };
	int flags =
		workspace_place(c->workspace)->bundle ? ATTEMPTS_CHANGES_CACHED : ATTEMPTS_CHANGES;
	int rc;

	if (path && c->read_only)
		return err_set(
			ERR_REFUSED, "report --output writes a file, and --read-only was given");
	if (path && fs_exists(path))	/* before a head is published for it */
		return already_there(path);
	if ((rc = accepted_read(&p.accepted, c->workspace, c->at)) < 0)
		return rc;
	rc = attempt_rows_read(
		&p.attempts, c->workspace, c->at, flags, c->progress.cancel, c->arena);
	if (rc == 0)
		rc = make_page(&p);
	if (rc == 0 && path)
		rc = write_page(c, path, &page);
	else if (rc == 0 && c->wants_json)
		put_json(c, &page);
	else if (rc == 0)
		buf_add(&c->text, page.s, page.n);
	accepted_release(&p.accepted);
	buf_release(&page);
	return rc;
}

static const struct argument report_arguments[] = {
	{ "--output", ARGUMENT_PATH, "write it to a new file, and record its head as published",
		false, false, NULL, "standard output" },
	{ 0 },
};

const struct operation report_operations[] = {
	{ "report", NULL, 0, "the migration on one page of Markdown",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG | OPERATION_DIALOG,
		report_arguments, report_run, 0 },
	{ 0 },
};
