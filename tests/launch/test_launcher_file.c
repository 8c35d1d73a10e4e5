/* Definitions of launchers: what is read, what is refused, what commands come of it. */
#include "config.h"

#include "tests/unit.h"

#include "base/conf.h"
#include "base/err.h"
#include "launch/launcher_answer.h"
#include "launch/launcher_command.h"
#include "launch/launcher_file.h"
#include "launch/launcher_values.h"
#include "launch/template.h"

struct row {
	const char *section, *name, *key, *value;
};

/* A small launcher with everything that one may have. */
static const struct row batch_rows[] = {
	{ "launcher", "", "name", "batch" },
	{ "launcher", "", "unset", "BATCH_FORMAT" },
	{ "launcher", "", "set", "BATCH_COLOR=never" },
	{ "field", "partition", "pattern", "[a-z,]+" },
	{ "field", "chips", "pattern", "[0-9]+" },
	{ "field", "chips", "default", "4" },
	{ "submit", "", "arg", "bsub" },
	{ "submit", "", "arg", "--name={run.id}" },
	{ "submit", "", "optional", "--partition={partition}" },
	{ "submit", "", "arg", "--chips={chips}" },
	{ "submit", "", "arg", "{run.dir}/job{{.sh}}" },
	{ "submit", "", "stdin", "{run.cmd}" },
	{ "submit", "", "line", "^(?<id>[0-9]+)(;(?<cluster>\\S+))?$" },
	{ "submit", "", "refused", "submission failed" },
	{ "poll", "10", "arg", "bacct" },
	{ "poll", "2", "arg", "bqueue" },
	{ "poll", "2", "arg", "{job.ids}" },
	{ "poll", "2", "batch", "," },
	{ "poll", "2", "line",
		"^(?<id>[0-9]+)\\|(?<state>[A-Z_]+)\\|(?<reason>\\w*)\\|(?<rc>[0-9]*)$" },
	{ "poll", "2", "gone", "Invalid job id" },
	{ "poll", "2", "absent", "accounting is disabled" },
	{ "poll", "2", "retry", "try later" },
	{ "poll", "2", "ok", "0 3" },
	{ "poll", "2", "timeout", "5s" },
	{ "state", "", "map", "COMPLETED exited-0" },
	{ "state", "", "map", "PENDING|HELD BACK queued" },
	{ "state", "", "map", "NODE_FAIL node-fail" },
	{ "state", "", "never", "^Limit" },
};

static void fill(struct conf *c, const struct row *rows, size_t n)
{
	c->path = "batch.launcher";
	for (size_t i = 0; i < n; i++)
		conf_add(c, rows[i].section, rows[i].name, rows[i].key, rows[i].value,
			(int)i + 1);
}

static struct launcher_file *batch(void)
{
	struct conf c = CONF_INIT;
	struct launcher_file *f;

	fill(&c, batch_rows, ARRAY_LEN(batch_rows));
	if (launcher_file_read(&f, &c) < 0)
		fail_msg("%s", err_text());
	conf_release(&c);
	return f;
}

/* The sentence of the file with ROW behind the others. */
static void assert_refused(const struct row *row, const char *sentence)
{
	struct conf c = CONF_INIT;
	struct launcher_file *f;

	fill(&c, batch_rows, ARRAY_LEN(batch_rows));
	conf_add(&c, row->section, row->name, row->key, row->value, 99);
	assert_int_equal(launcher_file_read(&f, &c), ERR_PARSE);
	assert_string_equal(err_text(), sentence);
	assert_null(f);
	conf_release(&c);
}

static void test_a_file_is_read(void **state)
{
	struct launcher_file *f = batch();
	const struct launcher_operation *poll;

	(void)state;
	assert_string_equal(f->name, "batch");
	assert_false(f->remote);
	assert_int_equal(f->n_fields, 2);
	assert_string_equal(f->fields[1].otherwise, "4");
	assert_string_equal(f->fields[0].otherwise, "");
	assert_int_equal(f->n_operations, 3);
	/* rungs in the order of their numbers, not of the file */
	poll = launcher_file_operation(f, STEP_POLL, 0);
	assert_string_equal(poll->name, "2");
	assert_int_equal(poll->limit_ns, INT64_C(5000000000));
	assert_true(launcher_operation_ok(poll, 0) && launcher_operation_ok(poll, 3));
	assert_false(launcher_operation_ok(poll, 1) || launcher_operation_ok(poll, -1));
	assert_string_equal(launcher_file_operation(f, STEP_POLL, 1)->name, "10");
	assert_null(launcher_file_operation(f, STEP_POLL, 2));
	assert_int_equal(
		launcher_file_operation(f, STEP_SUBMIT, 0)->limit_ns, INT64_C(30000000000));
	assert_null(launcher_file_operation(f, STEP_CANCEL, 0));
	launcher_file_free(f);
}

static void test_mistakes_have_a_line(void **state)
{
	static const struct {
		struct row row;
		const char *sentence;
	} cases[] = {
		{ { "submti", "", "arg", "x" }, "batch.launcher:99: there is no section [submti]" },
		{ { "submit", "1", "arg", "x" }, "batch.launcher:99: [submit] takes no name" },
		{ { "submit", "", "argument", "x" },
			"batch.launcher:99: [submit] has no key \"argument\"" },
		{ { "submit", "", "arg", "{run.idd}" },
			"batch.launcher:99: there is no {run.idd}" },
		{ { "submit", "", "arg", "{run.id" },
			"batch.launcher:99: a brace that stands alone in \"{run.id\"; write {{ or }} for one" },
		{ { "submit", "", "arg", "a}b" },
			"batch.launcher:99: a brace that stands alone in \"a}b\"; write {{ or }} for one" },
		{ { "submit", "", "stdin", "x" }, "batch.launcher:99: stdin: it is given twice" },
		{ { "submit", "", "line", "(?<job>x)" },
			"batch.launcher:99: line: the group \"job\" means nothing" },
		{ { "submit", "", "line", "(x" },
			"batch.launcher:99: line: missing closing parenthesis at byte 2 of the pattern" },
		{ { "submit", "", "ok", "256" },
			"batch.launcher:99: ok: \"256\" is no exit status: 0 to 255" },
		{ { "submit", "", "ok", " " }, "batch.launcher:99: ok: no exit status is given" },
		{ { "submit", "", "confirm", "yes" },
			"batch.launcher:99: confirm: \"yes\" is neither true nor false" },
		{ { "submit", "", "value", "state /x" },
			"batch.launcher:7: [submit] has values but no items" },
		{ { "submit", "", "value", "state x" },
			"batch.launcher:99: value: \"state x\" is not GROUP /POINTER" },
		{ { "submit", "", "items", "x" },
			"batch.launcher:99: items: a pointer begins with / or is empty, not \"x\"" },
		{ { "launcher", "", "runs", "there" },
			"batch.launcher:99: runs: \"there\" is neither here nor host" },
		{ { "launcher", "", "name", "two" }, "batch.launcher:99: name: it is given twice" },
		{ { "launcher", "", "set", "=x" },
			"batch.launcher:99: set: \"=x\" is not NAME=VALUE" },
		{ { "field", "", "default", "x" },
			"batch.launcher:99: [field] needs a name: [field \"zone\"]" },
		{ { "field", "run.id", "default", "x" },
			"batch.launcher:99: {run.id} is the run's own" },
		{ { "field", "chips", "required", "true" },
			"batch.launcher:5: field chips is required and has a default" },
		{ { "field", "zone", "pattern", "[" },
			"batch.launcher:99: pattern: missing terminating ] for character class at byte 1 of the pattern" },
		{ { "state", "", "map", "DONE" },
			"batch.launcher:99: map: two words are needed in \"DONE\"" },
		{ { "state", "", "map", "DONE won" },
			"batch.launcher:99: map: \"won\" is no state; there are queued, running, exited-0, failed, cancelled, timeout, preempted, node-fail, launch-failed and lost" },
		{ { "cancel", "", "confirm", "true" }, "batch.launcher:99: [cancel] has no arg" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_refused(&cases[i].row, cases[i].sentence);
}

static void test_submit_and_poll_are_needed(void **state)
{
	static const struct row rows[] = {
		{ "launcher", "", "name", "x" }, { "submit", "", "arg", "x" },
	};
	struct conf c = CONF_INIT;
	struct launcher_file *f;

	(void)state;
	fill(&c, rows, 1);
	assert_int_equal(launcher_file_read(&f, &c), ERR_PARSE);
	assert_string_equal(err_text(), "batch.launcher: a launcher needs [submit] and [poll]");
	conf_release(&c);
	fill(&c, rows + 1, 1);
	assert_int_equal(launcher_file_read(&f, &c), ERR_PARSE);
	assert_string_equal(
		err_text(), "batch.launcher: no name; write name = ... below [launcher]");
	conf_release(&c);
}

static void test_fields_match_whole(void **state)
{
	struct launcher_file *f = batch();
	const struct launcher_field *chips = launcher_file_field(f, "chips", 5);
	const char *value;

	(void)state;
	assert_int_equal(launcher_field_check(&value, f, chips, NULL), 0);
	assert_string_equal(value, "4");
	assert_int_equal(launcher_field_check(&value, f, chips, "16"), 0);
	assert_string_equal(value, "16");
	assert_int_equal(launcher_field_check(&value, f, chips, "16\n"), ERR_USAGE);
	assert_int_equal(launcher_field_check(&value, f, chips, "1 6"), ERR_USAGE);
	assert_string_equal(
		err_text(), "chips: \"1 6\" is not what launcher batch takes: [0-9]+");
	launcher_file_free(f);
}

static void assert_arguments(const struct launcher_command *c, const char *const *wanted)
{
	size_t i;

	for (i = 0; wanted[i]; i++)
		assert_string_equal(c->argv[i] ? c->argv[i] : "(end)", wanted[i]);
	assert_null(c->argv[i]);
}

/* A value is put in once: braces, blanks and dollars in it are plain text. */
static void test_values_become_arguments(void **state)
{
	static const char *const without[] = {
		"bsub", "--name=ps-a", "--chips=4", "/r/{run.cmd} $(x)/job{.sh}", NULL,
	};
	static const char *const with[] = {
		"bsub", "--name=ps-a", "--partition=tpu,gpu", "--chips=",
		"/r/{run.cmd} $(x)/job{.sh}", NULL,
	};
	static const char *const fields[] = { "tpu,gpu", "" };
	struct launcher_file *f = batch();
	struct launcher_values v = { .file = f };
	struct launcher_command c;
	struct arena a = ARENA_INIT;
	const struct launcher_operation *o = launcher_file_operation(f, STEP_SUBMIT, 0);

	(void)state;
	v.run[VALUE_RUN_ID] = "ps-a";
	v.run[VALUE_RUN_DIR] = "/r/{run.cmd} $(x)";
	v.run[VALUE_RUN_CMD] = "/r/cmd";
	assert_int_equal(launcher_command_make(&c, o, &v, &a), 0);
	assert_arguments(&c, without);
	assert_string_equal(c.input, "/r/cmd");
	v.fields = fields;
	assert_int_equal(launcher_command_make(&c, o, &v, &a), 0);
	assert_arguments(&c, with);
	arena_release(&a);
	launcher_file_free(f);
}

static void test_environment_of_commands(void **state)
{
	static char a1[] = "BATCH_FORMAT=%j", a2[] = "BATCH_FORMATS=kept", a3[] = "LC_ALL=de_DE";
	static char *const from[] = { a1, a2, a3, NULL };
	struct launcher_file *f = batch();
	struct environment e = ENVIRONMENT_INIT;

	(void)state;
	launcher_command_environment(&e, f, from);
	assert_null(environment_get(&e, "BATCH_FORMAT"));
	assert_string_equal(environment_get(&e, "BATCH_FORMATS"), "kept");
	assert_string_equal(environment_get(&e, "BATCH_COLOR"), "never");
	assert_string_equal(environment_get(&e, "LC_ALL"), "C");
	environment_release(&e);
	launcher_file_free(f);
}

/* ---- answers --------------------------------------------------------------------- */

static void answer(struct launcher_answer *out, const struct launcher_operation *o, int rc,
	const char *said, const char *complained, struct arena *a)
{
	struct program_run run = PROGRAM_RUN_INIT;

	run.end = PROGRAM_EXITED;
	run.rc = rc;
	buf_adds(&run.out, said);
	buf_adds(&run.err, complained);
	launcher_answer_read(out, o, &run, a);
	program_run_release(&run);
}

static void test_outcomes(void **state)
{
	static const struct {
		int rc;
		const char *out, *err;
		enum launcher_outcome outcome;
		const char *words;
	} cases[] = {
		{ 0, "17|RUNNING||\n", "", OUTCOME_ANSWERED, "" },
		/* it failed, but what it said of the job stands */
		{ 1, "17|RUNNING||\n", "error: one of two\n", OUTCOME_ANSWERED, "" },
		{ 0, "", "", OUTCOME_ANSWERED, "" },
		{ 3, "", "", OUTCOME_ANSWERED, "" },
		{ 1, "", "x\nslurm: Invalid job id specified\n", OUTCOME_GONE,
			"slurm: Invalid job id specified" },
		{ 1, "", "accounting is disabled", OUTCOME_ABSENT, "accounting is disabled" },
		{ 0, "", "try later", OUTCOME_UNREACHABLE, "try later" },
		{ 1, "", "Unable to contact controller \x1b[31m\n\n", OUTCOME_UNREACHABLE,
			"Unable to contact controller ^[[31m" },
		{ 255, "", "", OUTCOME_UNREACHABLE, "exit status 255 without a word" },
	};
	struct launcher_file *f = batch();
	const struct launcher_operation *poll = launcher_file_operation(f, STEP_POLL, 0);
	struct launcher_answer got;
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		answer(&got, poll, cases[i].rc, cases[i].out, cases[i].err, &a);
		assert_int_equal(got.outcome, cases[i].outcome);
		assert_string_equal(got.words, cases[i].words);
		assert_int_equal(got.n, *cases[i].out ? 1 : 0);
	}
	answer(&got, launcher_file_operation(f, STEP_SUBMIT, 0), 1, "", "submission failed: no",
		&a);
	assert_int_equal(got.outcome, OUTCOME_REFUSED);
	answer(&got, launcher_file_operation(f, STEP_SUBMIT, 0), 0, "noise\n26;east\r\n", "", &a);
	assert_int_equal(got.n, 1);
	assert_string_equal(got.rows[0].groups[GROUP_ID], "26");
	assert_string_equal(got.rows[0].groups[GROUP_CLUSTER], "east");
	arena_release(&a);
	launcher_file_free(f);
}

/* A list that was cut, or whose program was killed, does not say who is not in it. */
static void test_a_cut_list_is_partial(void **state)
{
	struct launcher_file *f = batch();
	struct program_run run = PROGRAM_RUN_INIT;
	struct launcher_answer got;
	struct arena a = ARENA_INIT;

	(void)state;
	buf_adds(&run.out, "17|RUNNING||\n");
	launcher_answer_read(&got, launcher_file_operation(f, STEP_POLL, 0), &run, &a);
	assert_false(got.partial);
	run.cut = true;
	launcher_answer_read(&got, launcher_file_operation(f, STEP_POLL, 0), &run, &a);
	assert_true(got.partial);
	run.cut = false;
	run.end = PROGRAM_LIMIT;
	launcher_answer_read(&got, launcher_file_operation(f, STEP_POLL, 0), &run, &a);
	assert_int_equal(got.outcome, OUTCOME_UNREACHABLE);
	assert_string_equal(got.words, "no answer within 30 s: 17|RUNNING||");
	program_run_release(&run);
	arena_release(&a);
	launcher_file_free(f);
}

static void observe(struct run_observation *out, const struct launcher_file *f, const char *word,
	const char *rc, const char *reason)
{
	struct launcher_row row = { .groups = {
		[GROUP_STATE] = word, [GROUP_RC] = rc, [GROUP_REASON] = reason } };

	launcher_row_observation(out, f, &row);
}

static void test_states(void **state)
{
	struct launcher_file *f = batch();
	struct run_observation o;

	(void)state;
	observe(&o, f, "HELD BACK", NULL, "LimitReached");
	assert_int_equal(o.answer, RUN_ALIVE);
	assert_int_equal(o.phase, PHASE_QUEUED);
	assert_string_equal(o.reason, "LimitReached");
	observe(&o, f, "COMPLETED", "0", "");
	assert_int_equal(o.answer, RUN_ENDED);
	assert_int_equal(o.phase, PHASE_EXITED_0);
	assert_int_equal(o.rc, 0);
	/* the provider says completed, the status says otherwise */
	observe(&o, f, "COMPLETED", "3", NULL);
	assert_int_equal(o.phase, PHASE_FAILED);
	assert_int_equal(o.rc, 3);
	observe(&o, f, "COMPLETED", NULL, "None");
	assert_int_equal(o.phase, PHASE_EXITED_0);
	assert_int_equal(o.rc, RUN_RC_UNKNOWN);
	assert_string_equal(o.reason, "by the provider's word");
	/* an exit status of 0 never makes a success of another end */
	observe(&o, f, "NODE_FAIL", "0", NULL);
	assert_int_equal(o.phase, PHASE_NODE_FAIL);
	/* a word that nobody mapped is alive, and shown */
	observe(&o, f, "PONDERING", "0", NULL);
	assert_int_equal(o.answer, RUN_ALIVE);
	assert_int_equal(o.phase, PHASE_RUNNING);
	assert_int_equal(o.rc, RUN_RC_UNKNOWN);
	assert_string_equal(o.word, "PONDERING");
	/* a full match: no part of a word */
	observe(&o, f, "NOT COMPLETED", NULL, NULL);
	assert_int_equal(o.answer, RUN_ALIVE);
	launcher_file_free(f);
}

static void test_reasons_that_do_not_pass(void **state)
{
	struct launcher_file *f = batch();
	struct launcher_row row = { .groups = { [GROUP_REASON] = "LimitReached" } };

	(void)state;
	assert_true(launcher_row_never(f, &row));
	row.groups[GROUP_REASON] = "Priority";
	assert_false(launcher_row_never(f, &row));
	row.groups[GROUP_REASON] = NULL;
	assert_false(launcher_row_never(f, &row));
	launcher_file_free(f);
}

/* Items of JSON, with an escaped slash in a name; the last of an id wins. */
static void test_items_of_json(void **state)
{
	static const struct row rows[] = {
		{ "launcher", "", "name", "cloud" },
		{ "submit", "", "arg", "x" },
		{ "poll", "", "arg", "x" },
		{ "poll", "", "items", "/nodes" },
		{ "poll", "", "value", "id /name" },
		{ "poll", "", "value", "state /status/0/a~1b" },
		{ "poll", "", "value", "rc /status/1" },
	};
	struct conf c = CONF_INIT;
	struct launcher_file *f;
	struct launcher_answer got;
	struct arena a = ARENA_INIT;

	(void)state;
	fill(&c, rows, ARRAY_LEN(rows));
	assert_int_equal(launcher_file_read(&f, &c), 0);
	answer(&got, launcher_file_operation(f, STEP_POLL, 0), 0,
		"{\"nodes\":[{\"name\":\"n1\",\"status\":[{\"a/b\":\"READY\"},9007199254740993]},"
		"{\"other\":1},{\"name\":\"n1\",\"status\":[{\"a/b\":\"GONE\"}]}]}", "", &a);
	assert_int_equal(got.n, 2);
	assert_string_equal(got.rows[0].groups[GROUP_STATE], "READY");
	assert_string_equal(got.rows[0].groups[GROUP_RC], "9007199254740993");
	assert_string_equal(
		launcher_answer_find(&got, GROUP_ID, "n1")->groups[GROUP_STATE], "GONE");
	assert_null(launcher_answer_find(&got, GROUP_ID, "n2"));
	/* a document that does not end is no empty list */
	answer(&got, launcher_file_operation(f, STEP_POLL, 0), 1, "{\"nodes\":[",
		"broken pipe", &a);
	assert_int_equal(got.outcome, OUTCOME_UNREACHABLE);
	assert_string_equal(got.words, "broken pipe");
	answer(&got, launcher_file_operation(f, STEP_POLL, 0), 0, "{\"nodes\":[", "", &a);
	assert_int_equal(got.outcome, OUTCOME_UNREACHABLE);
	assert_string_equal(got.words, "its answer is no JSON");
	answer(&got, launcher_file_operation(f, STEP_POLL, 0), 0, "{\"nodes\":[]}", "", &a);
	assert_int_equal(got.outcome, OUTCOME_ANSWERED);
	assert_int_equal(got.n, 0);
	arena_release(&a);
	launcher_file_free(f);
	conf_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_file_is_read),
		cmocka_unit_test(test_mistakes_have_a_line),
		cmocka_unit_test(test_submit_and_poll_are_needed),
		cmocka_unit_test(test_fields_match_whole),
		cmocka_unit_test(test_values_become_arguments),
		cmocka_unit_test(test_environment_of_commands),
		cmocka_unit_test(test_outcomes),
		cmocka_unit_test(test_a_cut_list_is_partial),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_reasons_that_do_not_pass),
		cmocka_unit_test(test_items_of_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
