/*
 * test_fold_goal - L3 and L4 as they follow from the log: verdicts that change with what
 * they rest on, sign-offs, and the rows of the study (framework section 15, B1, B2, T1 to
 * T5).
 */
#include "config.h"

#include "tests/unit.h"

#include "domain/goal_verdict.h"
#include "domain/study.h"
#include "history.h"

#define DIGEST "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static struct attempt_state *attempt(struct history *h, const char *id)
{
	return history_state(h, "attempt", id);
}

static const struct measured *measured(struct history *h, const char *configuration)
{
	const struct measured *m = attempt_measured(attempt(h, "7"), configuration);

	assert_non_null(m);
	return m;
}

static struct migration_state *migration(struct history *h)
{
	return history_state(h, "migration", MIGRATION_ID);
}

static const char *set_goal(struct history *h, const char *margin)
{
	return history_add(h, "human:ana", "goal.set", "accuracy", "metric", "accuracy", "form",
		"threshold", "direction", "higher", "target", "85.6", "margin", margin, NULL);
}

static void run_on(struct history *h, const char *run, const char *target)
{
	history_add(h, "tool:launch", "run.prepared", run, "attempt", "7", "kind", "full",
		"target", target, "provenance", "observed", "steps", "50", NULL);
	history_add(h, "tool:launch", "run.ended", run, "state", "exited 0", "rc", "0",
		"elapsed_ns", "3600000000000", "markers", "{\"steps\":\"yes\"}", NULL);
}

static void check(struct history *h, const char *where, const char *id, const char *result)
{
	history_add(h, "tool:portside", "check.recorded",
		arena_printf(&h->arena, "%s:%s", where, id), "result", result, "evidence",
		"[\"e\"]", NULL);
}

static void check_l2(struct history *h, const char *where, const char *but, const char *result)
{
	for (size_t i = 0; i < check_items_n; i++)
		if (strcmp(check_items[i].level, "L2") == 0)
			check(h, where, check_items[i].id,
				strcmp(check_items[i].id, but) == 0 ? result : "confirmed");
}

/* GOAL: the object that goal_checks writes. */
static const char *found(struct history *h, const char *where, const char *result, const char *goal)
{
	return history_add(h, "tool:portside", "check.recorded",
		arena_printf(&h->arena, "%s:goal.accuracy", where), "result", result, "evidence",
		"[\"e\"]", "goal", goal, NULL);
}

#define REACHED "{\"holds\":\"yes\",\"reference\":\"yes\",\"matches\":\"yes\"}"
#define FAILED "{\"holds\":\"no\",\"reference\":\"yes\",\"matches\":\"no\"}"
#define INHERITED "{\"holds\":\"no\",\"reference\":\"no\",\"matches\":\"yes\"}"
#define UNRESOLVED \
	"{\"holds\":\"no\",\"reference\":\"yes\",\"matches\":\"unknown\",\"may_be_equal\":\"yes\"," \
	"\"margin_is_zero\":\"yes\"}"

static int64_t row_on(struct history *h, const char *configuration)
{
	const struct attempt_state *s = attempt(h, "7");

	for (size_t i = 0; i < s->checks_n; i++)
		if (strcmp(s->checks[i].check, "goal.accuracy") == 0 &&
			strcmp(s->checks[i].configuration, configuration) == 0)
			return s->checks[i].row;
	return -1;
}

static void begin(struct history *h)
{
	history_init(h);
	set_goal(h, "0");
	run_on(h, "r1", "v5e-1");
}

/* B1: one chip reaches the goal, slower and dearer.  B2: four chips clip before they
 * reduce, the agent says success for all. */
static void one_chip_says_nothing_of_four(void **state)
{
	struct history h;

	(void)state;
	begin(&h);
	check_l2(&h, "7@v5e-1", "", "");
	found(&h, "7@v5e-1", "confirmed", REACHED);
	check(&h, "7@v5e-1", "workload", "confirmed");
	check(&h, "7@v5e-1", "endpoint", "confirmed");
	check(&h, "7@v5e-1", "performance", "refuted");
	run_on(&h, "r2", "v5e-4");
	check_l2(&h, "7@v5e-4", "grad", "refuted");
	found(&h, "7@v5e-4", "refuted", FAILED);
	history_add(&h, "agent:c", "attempt.claimed", "7", "level", "L3", "text", DIGEST, NULL);
	assert_int_equal(row_on(&h, "v5e-1"), 3);
	assert_int_equal(measured(&h, "v5e-1")->ladder.level, LEVEL_L3);
	assert_int_equal(measured(&h, "v5e-1")->ladder.upper, LEVEL_L3);
	assert_int_equal(measured(&h, "v5e-1")->claim, CLAIM_MATCH);
	assert_int_equal(row_on(&h, "v5e-4"), 7);
	assert_int_equal(measured(&h, "v5e-4")->vector.l3, CHECK_REFUTED);
	assert_int_equal(measured(&h, "v5e-4")->ladder.level, LEVEL_L0);
	assert_int_equal(measured(&h, "v5e-4")->claim, CLAIM_OVER);
	assert_int_equal(migration(&h)->counts.over_claims, 1);
	history_release(&h);
}

/* The tool wrote its entry once; what it means follows L2. */
static void a_verdict_follows_what_it_rests_on(void **state)
{
	struct history h;

	(void)state;
	begin(&h);
	found(&h, "7@v5e-1", "confirmed", REACHED);
	assert_int_equal(row_on(&h, "v5e-1"), 2);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	check_l2(&h, "7@v5e-1", "", "");
	assert_int_equal(row_on(&h, "v5e-1"), 3);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_CONFIRMED);
	check(&h, "7@v5e-1", "grad", "refuted");
	assert_int_equal(row_on(&h, "v5e-1"), 2);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	assert_int_equal(measured(&h, "v5e-1")->ladder.level, LEVEL_L0);
	history_release(&h);
}

/* C2: a value that is worse by less than the evidence resolves, with a margin of 0. */
static void undecided_is_neither(void **state)
{
	struct history h;

	(void)state;
	begin(&h);
	check_l2(&h, "7@v5e-1", "", "");
	found(&h, "7@v5e-1", "refuted", UNRESOLVED);
	assert_int_equal(row_on(&h, "v5e-1"), 6);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	assert_int_equal(measured(&h, "v5e-1")->ladder.level, LEVEL_L2);
	assert_int_equal(measured(&h, "v5e-1")->ladder.upper, LEVEL_L4);
	/* As a person who wants it strict has it recorded. */
	found(&h, "7@v5e-1", "refuted", FAILED);
	assert_int_equal(row_on(&h, "v5e-1"), 7);
	assert_int_equal(measured(&h, "v5e-1")->ladder.level, LEVEL_L2);
	assert_int_equal(measured(&h, "v5e-1")->ladder.upper, LEVEL_L2);
	history_release(&h);
}

static void sign_off(struct history *h, const char *actor, const char *meaning, const char *level)
{
	history_add(h, actor, "signoff.given", "7@v5e-1", "meaning", meaning, "level", level, NULL);
}

static void what_is_inherited_needs_a_person(void **state)
{
	struct history h;
	const struct level_count *count;

	(void)state;
	begin(&h);
	check_l2(&h, "7@v5e-1", "", "");
	sign_off(&h, "human:ana", "approved", "L3");
	found(&h, "7@v5e-1", "refuted", INHERITED);
	/* An approval of before says nothing about what came after it. */
	assert_int_equal(row_on(&h, "v5e-1"), 8);
	assert_true(measured(&h, "v5e-1")->awaits_signoff);
	assert_false(measured(&h, "v5e-1")->inherited);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	sign_off(&h, "agent:c", "approved", "L3");
	sign_off(&h, "human:ana", "reviewed", "L3");
	sign_off(&h, "human:ana", "approved", "L2");
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	sign_off(&h, "human:ana", "approved", "L3");
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_CONFIRMED);
	assert_true(measured(&h, "v5e-1")->inherited);
	assert_false(measured(&h, "v5e-1")->awaits_signoff);
	count = &migration(&h)->levels[0];
	assert_string_equal(count->configuration, "v5e-1");
	assert_int_equal(count->at[3], 1);
	assert_int_equal(count->inherited, 1);
	/* Taken away with what it rests on. */
	check(&h, "7@v5e-1", "eval", "refuted");
	assert_int_equal(row_on(&h, "v5e-1"), 10);
	assert_int_equal(migration(&h)->levels[0].inherited, 0);
	history_release(&h);
}

static void a_stand_in_inherits_nothing(void **state)
{
	struct history h;

	(void)state;
	history_init(&h);
	set_goal(&h, "0");
	history_add(&h, "tool:launch", "run.prepared", "r1", "attempt", "7", "kind", "full",
		"target", "v5e-1", "provenance", "observed", "simulates", "tpu", NULL);
	check_l2(&h, "7@v5e-1", "", "");
	found(&h, "7@v5e-1", "refuted", INHERITED);
	sign_off(&h, "human:ana", "approved", "L3");
	assert_int_equal(row_on(&h, "v5e-1"), 9);
	assert_false(measured(&h, "v5e-1")->inherited);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	history_release(&h);
}

static void a_goal_that_was_weakened_says_so(void **state)
{
	struct history h;
	const char *first, *second, *failed, *reached;

	(void)state;
	history_init(&h);
	first = set_goal(&h, "0");
	run_on(&h, "r1", "v5e-1");
	check_l2(&h, "7@v5e-1", "", "");
	failed = arena_printf(&h.arena,
		"{\"holds\":\"no\",\"reference\":\"yes\",\"matches\":\"no\",\"statement\":\"%s\"}",
		first);
	found(&h, "7@v5e-1", "refuted", failed);
	assert_int_equal(row_on(&h, "v5e-1"), 7);
	second = set_goal(&h, "2");
	/* Held against the goal of before: nobody knows how it stands against this one. */
	assert_int_equal(row_on(&h, "v5e-1"), 1);
	reached = arena_printf(&h.arena,
		"{\"holds\":\"yes\",\"reference\":\"yes\",\"matches\":\"yes\",\"statement\":\"%s\"}",
		second);
	found(&h, "7@v5e-1", "confirmed", reached);
	assert_int_equal(row_on(&h, "v5e-1"), 3);
	assert_true(measured(&h, "v5e-1")->loosened);
	assert_true(measured(&h, "v5e-1")->loosened_after_failure);
	history_release(&h);
}

static void a_person_stands_over_the_table(void **state)
{
	struct history h;
	const char *word;

	(void)state;
	begin(&h);
	check_l2(&h, "7@v5e-1", "", "");
	found(&h, "7@v5e-1", "refuted", FAILED);
	word = history_add(&h, "human:ana", "check.recorded", "7@v5e-1:goal.accuracy", "result",
		"confirmed", "text", DIGEST, NULL);
	/* A contradiction is unknown, and stays so. */
	assert_int_equal(row_on(&h, "v5e-1"), 0);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_UNKNOWN);
	history_add(&h, "human:ana", "event.superseded", word, "kind", "check.recorded", "of",
		"7@v5e-1:goal.accuracy", "reason", DIGEST, NULL);
	assert_int_equal(row_on(&h, "v5e-1"), 7);
	/* What an agent says of it is a claim, whatever it brings. */
	history_add(&h, "agent:c", "check.recorded", "7@v5e-1:goal.accuracy", "result", "confirmed",
		"goal", REACHED, NULL);
	assert_int_equal(row_on(&h, "v5e-1"), 7);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_REFUTED);
	history_release(&h);
}

/* An entry as versions before wrote it counts as it stands. */
static void entries_without_facts_count_as_they_stand(void **state)
{
	struct history h;

	(void)state;
	begin(&h);
	check(&h, "7@v5e-1", "goal.accuracy", "confirmed");
	assert_int_equal(row_on(&h, "v5e-1"), 0);
	assert_int_equal(measured(&h, "v5e-1")->vector.l3, CHECK_CONFIRMED);
	history_release(&h);
}

static void time_and_cost_come_after_the_goal(void **state)
{
	struct history h;

	(void)state;
	begin(&h);
	check_l2(&h, "7@v5e-1", "", "");
	check(&h, "7@v5e-1", "workload", "confirmed");
	check(&h, "7@v5e-1", "endpoint", "confirmed");
	check(&h, "7@v5e-1", "performance", "confirmed");
	assert_int_equal(measured(&h, "v5e-1")->vector.l4, CHECK_UNKNOWN);
	found(&h, "7@v5e-1", "confirmed", REACHED);
	assert_int_equal(measured(&h, "v5e-1")->vector.l4, CHECK_CONFIRMED);
	assert_int_equal(measured(&h, "v5e-1")->ladder.level, LEVEL_L4);
	/* Less work that took less time is no speed-up, and no slow-down either. */
	check(&h, "7@v5e-1", "workload", "refuted");
	assert_int_equal(measured(&h, "v5e-1")->vector.l4, CHECK_UNKNOWN);
	check(&h, "7@v5e-1", "performance", "refuted");
	assert_int_equal(measured(&h, "v5e-1")->vector.l4, CHECK_UNKNOWN);
	check(&h, "7@v5e-1", "workload", "confirmed");
	assert_int_equal(measured(&h, "v5e-1")->vector.l4, CHECK_REFUTED);
	history_release(&h);
}

/* ---- T1 to T5 ------------------------------------------------------------------------ */

/* What the study's table does not print: margins, and what was found of L2 and L4. */
static const struct {
	const char *project, *margin, *l2, *workload, *performance;
	int row;
	enum level level, upper;
	enum claim_verdict claim;
	bool inherited;
} projects[] = {
	{ "MELoRA", "1", "confirmed", "confirmed", "confirmed", 8, LEVEL_L4, LEVEL_L4, CLAIM_UNDER,
		true },
	{ "UniPELT", "0.5", "confirmed", "refuted", "confirmed", 8, LEVEL_L3, LEVEL_L4,
		CLAIM_MATCH, true },
	{ "ZO-Bench", "0.5", "confirmed", "confirmed", "refuted", 3, LEVEL_L3, LEVEL_L3,
		CLAIM_MATCH, false },
	{ "BiLLM", "0", "", "", "", -1, LEVEL_NONE, LEVEL_NONE, CLAIM_NOTHING, false },
	{ "CoFi", "1", "confirmed", "", "", 7, LEVEL_L2, LEVEL_L2, CLAIM_MATCH, false },
};

static const char *seen_text(enum truth t)
{
	return t == TRUTH_TRUE ? "yes" : t == TRUTH_FALSE ? "no" : "unknown";
}

static const char *found_in_row(struct history *h, const struct study_row *row, const char *margin)
{
	struct goal_test test = { .form = FORM_THRESHOLD,
		.direction = strcmp(row->cells[STUDY_DIRECTION], "down") == 0 ? DIRECTION_LOWER
									     : DIRECTION_HIGHER,
		.target = study_number(row, STUDY_PAPER),
		.margin = strtod(margin, NULL) };
	struct goal_evidence e = { .test = &test,
		.match_margin = test.margin,
		.value = study_number(row, STUDY_TPU),
		.reference = study_number(row, STUDY_GPU),
		.baseline = NAN,
		.reference_baseline = NAN,
		.interval = { NAN, NAN },
		.half_width = NAN };
	struct goal_facts f = goal_facts_of(&e);

	return arena_printf(&h->arena, "{\"holds\":\"%s\",\"reference\":\"%s\",\"matches\":\"%s\"}",
		seen_text(f.holds), seen_text(f.reference), seen_text(f.matches));
}

static void play_row(struct history *h, const struct study_row *row, size_t i)
{
	const char *claimed = row->cells[STUDY_LEVEL_CLAIMED];

	history_init(h);
	set_goal(h, projects[i].margin);
	if (*claimed)
		history_add(h, "agent:c", "attempt.claimed", "7", "level", claimed, "text", DIGEST,
			NULL);
	if (!*projects[i].l2) {
		history_add(h, "tool:launch", "run.prepared", "r1", "attempt", "7", "kind", "full",
			"target", "v5e-1", "provenance", "observed", NULL);
		history_add(h, "tool:launch", "run.ended", "r1", "state", "failed", "rc", "1", NULL);
		return;
	}
	run_on(h, "r1", "v5e-1");
	check_l2(h, "7@v5e-1", "", "");
	found(h, "7@v5e-1", "refuted", found_in_row(h, row, projects[i].margin));
	sign_off(h, "human:ana", "approved", "L3");
	if (!*projects[i].workload)
		return;
	check(h, "7@v5e-1", "workload", projects[i].workload);
	check(h, "7@v5e-1", "endpoint", "confirmed");
	check(h, "7@v5e-1", "performance", projects[i].performance);
}

static char *table1(void)
{
	const char *folder = getenv("srcdir");
	char path[4096], *text = NULL;
	size_t n = 0;
	FILE *f;

	(void)snprintf(path, sizeof path, "%s/data/study/table1.csv", folder ? folder : ".");
	f = fopen(path, "r");
	assert_non_null(f);
	assert_true(getdelim(&text, &n, '\0', f) > 0);
	(void)fclose(f);
	return text;
}

static void the_rows_of_the_study_come_out(void **state)
{
	struct arena a = ARENA_INIT;
	struct study study;
	char *text = table1();

	(void)state;
	assert_int_equal(study_parse(&study, &a, text, strlen(text)), 0);
	assert_int_equal(study.n, ARRAY_LEN(projects));
	for (size_t i = 0; i < study.n; i++) {
		const struct study_row *row = &study.rows[i];
		struct history h;
		const struct measured *m;

		assert_string_equal(row->cells[STUDY_PROJECT], projects[i].project);
		play_row(&h, row, i);
		m = measured(&h, "v5e-1");
		assert_string_equal(level_name(m->ladder.level), row->cells[STUDY_LEVEL_MEASURED]);
		assert_int_equal(m->ladder.level, projects[i].level);
		assert_int_equal(m->ladder.upper, projects[i].upper);
		assert_int_equal(m->claim, projects[i].claim);
		assert_int_equal(m->inherited, projects[i].inherited);
		assert_int_equal(row_on(&h, "v5e-1"), projects[i].row);
		history_release(&h);
	}
	arena_release(&a);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_chip_says_nothing_of_four),
		cmocka_unit_test(a_verdict_follows_what_it_rests_on),
		cmocka_unit_test(undecided_is_neither),
		cmocka_unit_test(what_is_inherited_needs_a_person),
		cmocka_unit_test(a_stand_in_inherits_nothing),
		cmocka_unit_test(a_goal_that_was_weakened_says_so),
		cmocka_unit_test(a_person_stands_over_the_table),
		cmocka_unit_test(entries_without_facts_count_as_they_stand),
		cmocka_unit_test(time_and_cost_come_after_the_goal),
		cmocka_unit_test(the_rows_of_the_study_come_out),
	};

	return cmocka_run_group_tests_name("fold_goal", tests, NULL, NULL);
}
