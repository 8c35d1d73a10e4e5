/*
 * check - the questions of L2 for an attempt: what the evidence of its run says, beside
 * what is on record.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "command/groups.h"
#include "domain/check.h"
#include "workspace/comparison.h"
#include "workspace/run_checks.h"
#include "workspace/state.h"

static const struct report_column columns[] = {
	{ .name = "check", .title = "check", .type = REPORT_TEXT },
	{ .name = "question", .title = NULL, .type = REPORT_TEXT },
	{ .name = "result", .title = "result", .type = REPORT_TEXT },
	{ .name = "recorded", .title = "on record", .type = REPORT_TEXT },
	{ .name = "why", .title = "why", .type = REPORT_TEXT },
	{ .name = "places", .title = NULL, .type = REPORT_TEXT },
};

/* What was recorded of that check on that configuration; "not checked". */
static const char *on_record(
	const struct attempt_state *s, const char *configuration, const char *check)
{
	enum check_result result = CHECK_NOT_CHECKED;

	for (size_t i = 0; s && i < s->checks_n; i++)
		if (strcmp(s->checks[i].configuration, configuration) == 0 &&
			strcmp(s->checks[i].check, check) == 0)
			result = s->checks[i].result;
	return word_name(&words_check, (int)result);
}

static void put_rows(struct report_table *t, const struct run_checks *checks,
	const struct attempt_state *s)
{
	for (size_t i = 0; i < PROBE_QUESTIONS; i++) {
		const struct probe_answer *answer = &checks->answers[i];
		const struct check_item *item = check_find(answer->check);

		report_row(t);
		report_text(t, "check", answer->check);
		report_text(t, "question", item ? item->question : NULL);
		report_text(t, "result", word_name(&words_check, (int)answer->result));
		report_text(t, "recorded", on_record(s, checks->run->configuration, answer->check));
		report_text(t, "why", answer->why);
		report_text(t, "places", *answer->places ? answer->places : NULL);
	}
}

static void put_notes(struct call *c, const struct run_checks *checks)
{
	struct report_table *t = c->table;

	report_note(t, "%s, run %s: what holds there holds on that configuration and on no other",
		run_comparison_name(c->arena, checks->run), checks->run->id);
	if (checks->reference)
		report_note(t, "against %s, run %s",
			run_comparison_name(c->arena, checks->reference), checks->reference->id);
	else
		report_note(t,
			"no run of the reference has a record of the probe, so what is compared with it stays unknown; "
			"portside run reference --probe makes one");
	if (checks->simulated)
		report_note(t, "target %s only simulates: it can refute and never confirm",
			checks->run->target);
	if (!checks->target_known)
		report_note(t,
			"target %s is not in the accepted portside.conf, so nobody said what it should be",
			checks->run->target);
	if (checks->damaged)
		report_note(t, "%lld line%s of the record could not be used (cut, damaged, or of a newer probe)",
			(long long)checks->damaged, checks->damaged == 1 ? "" : "s");
	report_note(t, "nothing was recorded by this; \"not checked\" and \"unknown\" are no pass");
}

static int check_run(struct call *c)
{
	const char *subject = call_text(c, "attempt");
	struct attempt_state *s = NULL;
	struct run_checks checks;
	int rc = run_checks_read(&checks, c->workspace, subject,
		call_text(c, "--configuration"), c->at, c->arena);

	if (rc < 0)
		return rc;
	if (!checks.run)
		return err_set(ERR_NOT_FOUND,
			"attempt %s has no run, so there is nothing to check; portside run %s --kind smoke --probe starts one",
			subject, subject);
	if (!checks.recorded)
		return err_set(ERR_NOT_FOUND,
			"no run of %s has a record of the probe: portside run %s --kind smoke --probe makes one; "
			"without it L2 is not checked",
			subject, checks.run->attempt);
	if (state_attempt(c->workspace, checks.run->attempt, c->at, c->arena, &s) < 0)
		err_clear();
	c->table = report_table_new(c->arena, "check", columns, ARRAY_LEN(columns));
	put_rows(c->table, &checks, s);
	put_notes(c, &checks);
	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		c->no = c->no || checks.answers[i].result == CHECK_REFUTED;
	return 0;
}

static const struct argument check_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "an attempt, or a run", true, false, NULL, NULL },
	{ "--configuration", ARGUMENT_TARGET, "the target whose run is asked", false, false, NULL,
		"the intended one" },
	{ 0 },
};

const struct operation check_operations[] = {
	{ "check", NULL, 0, "did a run train as the reference does? the questions of L2",
		OPERATION_CLI, check_arguments, check_run, 0 },
	{ 0 },
};
