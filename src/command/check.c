/*
 * check - what is proven of an attempt, on which configuration, by what: what the
 * evidence says now beside what is on record, level by level.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/check_set.h"
#include "command/checks.h"
#include "command/groups.h"
#include "command/live_run.h"
#include "workspace/goal_checks.h"
#include "workspace/run_checks.h"
#include "workspace/workspace.h"

static const struct report_column columns[] = {
	{ .name = "configuration", .title = NULL, .type = REPORT_TEXT },
	{ .name = "level", .title = NULL, .type = REPORT_TEXT },
	{ .name = "check", .title = "check", .type = REPORT_TEXT },
	{ .name = "question", .title = NULL, .type = REPORT_TEXT },
	{ .name = "result", .title = "now", .type = REPORT_TEXT },
	{ .name = "recorded", .title = "on record", .type = REPORT_TEXT },
	{ .name = "required", .title = NULL, .type = REPORT_BOOL },
	{ .name = "claimed", .title = NULL, .type = REPORT_TEXT },
	{ .name = "who", .title = NULL, .type = REPORT_TEXT },
	{ .name = "when", .title = NULL, .type = REPORT_TEXT },
	{ .name = "why", .title = "why", .type = REPORT_TEXT, .min_width = 20 },
	{ .name = "run", .title = NULL, .type = REPORT_TEXT },
	{ .name = "places", .title = NULL, .type = REPORT_TEXT },
	{ .name = "expected", .title = NULL, .type = REPORT_TEXT },
	{ .name = "measured", .title = NULL, .type = REPORT_TEXT },
	{ .name = "verdict", .title = NULL, .type = REPORT_TEXT },
	{ .name = "minutes", .title = NULL, .type = REPORT_ID },
};

static const char *result_word(enum check_result r)
{
	return word_name(&words_check, (int)r);
}

/* ---- rows -------------------------------------------------------------------------- */

static const char *places_text(
	const struct checks_place *places, size_t n, struct arena *a)
{
	const char *text = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct checks_place *p = &places[i];
		const char *line = p->line ? arena_printf(a, ":%lld", p->line) : "";

		text = arena_printf(a, "%s%s%s%s%s%s %s", text ? text : "", text ? ", " : "",
			p->name, line, *p->parser ? " " : "", p->parser,
			*p->digest ? arena_printf(a, "%.12s", p->digest) : "(not on record)");
	}
	return text;
}

static void put_level(struct report_table *t, const struct checks_configuration *c,
	const char *level, enum check_result result, const char *why)
{
	report_row(t);
	report_text(t, "configuration", c->name);
	report_text(t, "level", level);
	report_textf(t, "check", "%s @%s", level, c->name);
	report_text(t, "recorded", result_word(result));
	report_text(t, "why", why);
	if (c->expected != LEVEL_UNSET)
		report_text(t, "expected", level_name(c->expected));
	if (c->claimed != LEVEL_UNSET)
		report_text(t, "claimed", level_name(c->claimed));
	report_text(t, "measured", c->measured);
	if (c->claim != CLAIM_NOTHING)
		report_text(t, "verdict", word_name(&words_claim_verdict, (int)c->claim));
}

static void put_item(struct call *c, const struct checks_configuration *where,
	const struct checks_item *item)
{
	struct report_table *t = c->table;
	/* What was said before stands where nothing can be asked now. */
	bool now = item->looked && (item->now != CHECK_NOT_CHECKED || !*item->text);
	const char *text = now ? item->now_text : item->text;

	report_row(t);
	report_text(t, "configuration", where->name);
	report_text(t, "level", item->item->level);
	report_textf(t, "check", "%s%s", item->check, item->required ? "" : " (not required)");
	report_text(t, "question", item->item->question);
	if (item->looked)
		report_text(t, "result", result_word(item->now));
	report_textf(t, "recorded", "%s%s", result_word(item->result),
		item->contradicted ? " (contradicted)" : "");
	report_bool(t, "required", item->required);
	if (item->claimed != CHECK_NOT_CHECKED)
		report_text(t, "claimed", result_word(item->claimed));
	report_text(t, "who", *item->who ? item->who : NULL);
	report_text(t, "when", *item->when ? item->when : NULL);
	report_text(t, "why", *text ? text : NULL);
	report_text(t, "run", now && *item->now_run ? item->now_run
		: *item->run ? item->run : NULL);
	report_text(t, "places", now
		? places_text(item->now_places, item->now_places_n, c->arena)
		: places_text(item->places, item->places_n, c->arena));
	report_integer(t, "minutes", item->item->minutes);
}

/* A level above L2 that nobody touched is one row, not four.  What was answered before it
 * was optimized stays in sight as that. */
static bool is_shown(const struct checks_item *item)
{
	bool l2 = strcmp(item->item->level, "L2") == 0;

	return l2 || item->entries_n || item->result != CHECK_NOT_CHECKED ||
		item->claimed != CHECK_NOT_CHECKED;
}

static void put_items(
	struct call *c, const struct checks_configuration *where, const char *level)
{
	for (size_t i = 0; i < where->items_n; i++)
		if (strcmp(where->items[i].item->level, level) == 0 && is_shown(&where->items[i]))
			put_item(c, where, &where->items[i]);
}

static void put_gaps(struct call *c, const struct checks_configuration *where)
{
	for (size_t i = 0; i < where->gaps_n; i++) {
		const struct checks_gap *gap = &where->gaps[i];

		report_row(c->table);
		report_text(c->table, "configuration", where->name);
		report_text(c->table, "level", "L1");
		report_textf(c->table, "check", "L1 %s", *gap->goal ? gap->goal : gap->metric);
		report_textf(c->table, "why", "%s%s", gap->text,
			gap->comparable ? "" : " (not shown to be comparable)");
	}
}

static void put_configuration(struct call *c, const struct checks_configuration *where)
{
	put_level(c->table, where, "L0", where->vector.l0, level_question(LEVEL_L0));
	put_items(c, where, "L0");
	put_gaps(c, where);
	put_level(c->table, where, "L2", where->vector.l2, where->level2);
	put_items(c, where, "L2");
	put_level(c->table, where, "L3", where->vector.l3, level_question(LEVEL_L3));
	put_items(c, where, "L3");
	put_level(c->table, where, "L4", where->vector.l4, level_question(LEVEL_L4));
	put_items(c, where, "L4");
	/* Outside of the levels, and only where a contract was run. */
	put_items(c, where, CHECK_LEVEL_CONTRACT);
}

/* ---- sentences ----------------------------------------------------------------------- */

static const char *claim_text(const struct checks_configuration *c)
{
	if (c->claim == CLAIM_NOTHING)
		return "";
	return c->claim == CLAIM_OVER ? " -- OVER-CLAIM: more than the evidence can become"
				      : word_name(&words_claim_verdict, (int)c->claim);
}

static void note_levels(struct report_table *t, const struct checks_configuration *c)
{
	const char *verdict = claim_text(c);

	report_note(t, "%s%s: expected %s, claimed %s, measured %s%s%s", c->name,
		c->intended ? " (intended)" : "",
		c->expected == LEVEL_UNSET ? "nothing" : level_name(c->expected),
		c->claimed == LEVEL_UNSET ? "nothing" : level_name(c->claimed), c->measured,
		*verdict ? ", the claim is " : "", *verdict == ' ' ? verdict + 4 : verdict);
	if (c->simulated)
		report_note(t, "%s only simulates: it can refute and never confirm", c->name);
}

/* What a reader would else take for granted. */
static void note_not_checked(struct call *c, const struct checks_configuration *where)
{
	const char *names = "";

	for (size_t i = 0; i < where->items_n; i++) {
		const struct checks_item *item = &where->items[i];

		if (item->result == CHECK_NOT_CHECKED && item->required &&
			strcmp(item->item->level, "L0") != 0 &&
			strcmp(item->item->level, CHECK_LEVEL_CONTRACT) != 0 &&
			(!item->looked || item->now == CHECK_NOT_CHECKED))
			names = arena_printf(c->arena, "%s%s%s", names, *names ? ", " : "",
				item->check);
	}
	if (*names)
		report_note(c->table, "%s: nobody checked %s", where->name, names);
}

static void put_notes(struct call *c, const struct checks *checks)
{
	struct report_table *t = c->table;

	for (size_t i = 0; i < checks->n; i++) {
		const struct checks_configuration *where = &checks->configurations[i];
		const char *text = *where->comparable ? where->comparable : where->missing;

		if (*text)
			report_note(t, "%s: %s", where->name, text);
	}
	for (size_t i = 0; i < checks->n; i++)
		note_levels(t, &checks->configurations[i]);
	if (*checks->guard)
		report_note(t, "%s", checks->guard);
	for (size_t i = 0; i < checks->n; i++)
		note_not_checked(c, &checks->configurations[i]);
	for (size_t i = 0; i < checks->n; i++)
		if (*checks->configurations[i].next_text)
			report_note(t, "%s: next: %s", checks->configurations[i].name,
				checks->configurations[i].next_text);
	for (size_t i = 0; i < checks->notes_n; i++)
		report_note(t, "%s", checks->notes[i]);
	report_note(t, "what holds on a configuration holds on no other; "
		"\"not checked\" and \"unknown\" are no pass");
}

/* ---- the call ------------------------------------------------------------------------- */

/* What the evidence says now goes on record, where this handle may write.  A run that is
 * asked alone says less than all of them: nothing is recorded then. */
static int record_all(struct call *c, const struct checks_request *r, const struct checks *checks,
	size_t *recorded)
{
	bool may = !c->at && !c->read_only && !workspace_read_only(c->workspace) &&
		!text_starts(r->subject, "ps-");
	int rc = 0;

	*recorded = 0;
	for (size_t i = 0; i < checks->n && rc == 0 && may; i++) {
		size_t n;

		rc = run_checks_record(
			c->workspace, checks->configurations[i].looked, &n, c->arena);
		*recorded += n;
	}
	if (rc == 0 && may) {
		size_t n;

		rc = goal_checks_record(c->workspace, r->subject, c->progress.cancel, &n, c->arena);
		*recorded += n;
	}
	return rc;
}

static bool something_is_known(const struct checks *checks)
{
	for (size_t i = 0; i < checks->n; i++)
		for (size_t k = 0; k < checks->configurations[i].items_n; k++) {
			const struct checks_item *item = &checks->configurations[i].items[k];

			if (item->entries_n || (item->looked && item->now_run && *item->now_run))
				return true;
		}
	return false;
}

static void take_answer(struct call *c, const struct checks *checks)
{
	for (size_t i = 0; i < checks->n; i++)
		for (size_t k = 0; k < checks->configurations[i].items_n; k++) {
			const struct checks_item *item = &checks->configurations[i].items[k];
			bool now = item->looked && item->now == CHECK_REFUTED;

			c->no = c->no || (item->required &&
				(now || (!item->looked && item->result == CHECK_REFUTED)));
		}
}

static int show(struct call *c, const struct checks_request *r)
{
	struct checks checks;
	size_t recorded = 0;
	int rc = checks_load(&checks, c->workspace, r);

	if (rc == 0 && !something_is_known(&checks))
		rc = err_set(ERR_NOT_FOUND,
			"attempt %s has no run, so there is nothing to check; portside run %s "
			"--kind smoke --probe starts one",
			checks.attempt, checks.attempt);
	if (rc == 0)
		rc = record_all(c, r, &checks, &recorded);
	if (rc == 0 && recorded) {
		checks_release(&checks);
		rc = checks_load(&checks, c->workspace, r);
	}
	if (rc == 0) {
		c->table = report_table_new(c->arena, "check", columns, ARRAY_LEN(columns));
		for (size_t i = 0; i < checks.n; i++)
			put_configuration(c, &checks.configurations[i]);
		put_notes(c, &checks);
		if (recorded)
			report_note(c->table, "%zu answer%s put on record", recorded,
				recorded == 1 ? " was" : "s were");
		take_answer(c, &checks);
	}
	checks_release(&checks);
	return rc;
}

static int check_run(struct call *c)
{
	struct checks_request r = { .subject = call_text(c, "attempt"),
		.configuration = call_text(c, "--configuration"), .at = c->at, .now = true,
		.gaps = true, .cancel = c->progress.cancel };
	const char *note;

	if (live_runs_look(&note, c->workspace, c->at, c->progress.cancel, c->arena) < 0)
		return err_code();
	if (call_text(c, "--set"))
		return check_set(c);
	if (call_text(c, "--reason") || call_text(c, "--evidence"))
		return err_set(ERR_USAGE, "--reason and --evidence belong to --set CHECK=RESULT");
	return show(c, &r);
}

static const struct argument check_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "an attempt, or a run", true, false, NULL, NULL },
	{ "--configuration", ARGUMENT_TARGET, "the one that is asked", false, false, NULL, "all" },
	{ "--set", ARGUMENT_TEXT, "CHECK=RESULT: what you say of a question", false, false, NULL,
		NULL },
	{ "--reason", ARGUMENT_TEXT, "why, for whoever reads it later", false, false, NULL, NULL },
	{ "--evidence", ARGUMENT_PATH, "a file that shows it", false, true, NULL, NULL },
	{ 0 },
};

const struct operation check_operations[] = {
	{ "check", NULL, 0, "what is proven, on which configuration, by what",
		OPERATION_CLI | OPERATION_LONG | OPERATION_SPOOLS, check_arguments, check_run, 0 },
	{ 0 },
};
