/* test_tensor_pairs - names that belong together, and who introduced a difference. */
#include "config.h"

#include "tensor_make.h"

#include "base/err.h"
#include "evidence/tensor_pairs.h"

/* A set with these names and nothing else, or with operations and roles. */
struct named {
	const char *name, *operation;
	enum tensor_role role;
};

static struct tensor_set set_of(const struct named *names, size_t n, bool executed)
{
	struct tensor_set s = { .in_execution_order = executed };

	for (size_t i = 0; i < n; i++) {
		struct tensor *t = tensor_set_add(&s);

		t->name = names[i].name;
		t->operation = names[i].operation;
		t->role = names[i].role;
	}
	return s;
}

static void assert_pair(const struct tensor_pairs *p, size_t i, const char *r, const char *a)
{
	assert_true(i < p->n);
	assert_string_equal(p->rows[i].reference->name, r);
	assert_string_equal(p->rows[i].attempt->name, a);
}

static void test_names(void **state)
{
	static const struct named r[] = { { .name = "z" }, { .name = "model.layers.0.w" },
		{ .name = "gone" }, { .name = "old.bias" }, { .name = "model." },
		{ .name = "model.model.twice" }, { .name = "twice" } };
	static const struct named a[] = { { .name = "module.layers.0._orig_mod.w" },
		{ .name = "new.bias" }, { .name = "z" }, { .name = "fresh" }, { .name = "model." },
		{ .name = "module.twice" } };
	struct tensor_set sr = set_of(r, ARRAY_LEN(r), false), sa = set_of(a, ARRAY_LEN(a), false);
	struct arena arena = ARENA_INIT;
	struct tensor_map map;
	struct tensor_pairs *p;

	(void)state;
	assert_int_equal(tensor_map_parse(&map, &arena, "old.=new."), 0);
	assert_int_equal(tensor_map_parse(&map, &arena, "=x"), ERR_USAGE);
	assert_int_equal(tensor_map_parse(&map, &arena, "x"), ERR_USAGE);
	assert_int_equal(tensor_map_parse(&map, &arena, "old.=new."), 0);
	assert_int_equal(tensor_pairs_new(&p, &sr, &sa, NULL, &map, 1), 0);
	assert_int_equal(p->n, 4);
	assert_pair(p, 0, "z", "z");
	assert_pair(p, 1, "model.layers.0.w", "module.layers.0._orig_mod.w");
	assert_pair(p, 2, "old.bias", "new.bias");
	assert_pair(p, 3, "model.", "model.");
	assert_int_equal(p->renamed, 2);
	/* Two names become one: neither is guessed. */
	assert_int_equal(p->n_only_reference, 3);
	assert_string_equal(p->only_reference[0]->name, "gone");
	assert_string_equal(p->only_reference[1]->name, "model.model.twice");
	assert_string_equal(p->only_reference[2]->name, "twice");
	assert_int_equal(p->n_only_attempt, 2);
	assert_string_equal(p->only_attempt[0]->name, "fresh");
	assert_string_equal(p->only_attempt[1]->name, "module.twice");
	tensor_pairs_free(p);
	free(sr.rows);
	free(sa.rows);
	arena_release(&arena);
}

#define C TENSOR_CONFIRMED
#define R TENSOR_REFUTED
#define U TENSOR_NOT_KNOWN

/* Two operations with two inputs and an output each, in the order of execution. */
static const struct named six[] = {
	{ "1.in.0", "1", TENSOR_INPUT },
	{ "1.in.1", "1", TENSOR_INPUT },
	{ "1.out", "1", TENSOR_OUTPUT },
	{ "2.in.0", "2", TENSOR_INPUT },
	{ "2.in.1", "2", TENSOR_INPUT },
	{ "2.out", "2", TENSOR_OUTPUT },
};

static void test_who_introduced_it(void **state)
{
	static const struct {
		enum tensor_verdict v[6], all;
		enum tensor_origin origin;
		size_t row, harmless;
	} cases[] = {
		{ { C, C, C, C, C, C }, C, TENSOR_NOWHERE, 0, 0 },
		{ { C, C, R, R, C, R }, R, TENSOR_INTRODUCED, 2, 0 },
		{ { C, C, C, C, C, R }, R, TENSOR_INTRODUCED, 5, 0 },
		{ { C, R, R, R, C, R }, R, TENSOR_CAME_IN, 1, 0 },
		{ { C, U, R, R, C, R }, R, TENSOR_FIRST_ONLY, 2, 0 },
		/* What differs is not read: a warning, and the search goes on. */
		{ { C, R, C, C, C, C }, C, TENSOR_NOWHERE, 0, 1 },
		{ { C, R, C, C, C, R }, R, TENSOR_INTRODUCED, 5, 1 },
		{ { C, R, U, C, C, C }, R, TENSOR_CAME_IN, 1, 0 },
		{ { C, C, C, C, C, U }, U, TENSOR_NOWHERE, 0, 0 },
	};
	struct tensor_set sr = set_of(six, 6, true), sa = set_of(six, 6, false);

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tensor_pairs *p;

		assert_int_equal(tensor_pairs_new(&p, &sr, &sa, NULL, NULL, 0), 0);
		assert_int_equal(p->n, 6);
		for (size_t k = 0; k < 6; k++)
			p->rows[k].result.verdict = cases[i].v[k];
		tensor_pairs_conclude(p);
		if (p->verdict != cases[i].all || p->origin != cases[i].origin ||
			p->origin_row != cases[i].row || p->harmless != cases[i].harmless)
			fail_msg("case %zu: verdict %d, origin %d at %zu, %zu harmless", i,
				(int)p->verdict, (int)p->origin, p->origin_row, p->harmless);
		tensor_pairs_free(p);
	}
	free(sr.rows);
	free(sa.rows);
}

/* The order of execution is taken from whichever side tells it. */
static void test_order_and_what_stands_alone(void **state)
{
	static const struct named in_order[] = { { .name = "b" }, { .name = "a" }, { .name = "c" } };
	static const struct named sorted[] = { { .name = "a" }, { .name = "b" } };
	struct tensor_set executed = set_of(in_order, 3, true), file = set_of(sorted, 2, false),
			  empty = { 0 };
	struct tensor_pairs *p;

	(void)state;
	assert_int_equal(tensor_pairs_new(&p, &file, &executed, NULL, NULL, 0), 0);
	assert_true(p->in_execution_order);
	assert_pair(p, 0, "b", "b");
	assert_pair(p, 1, "a", "a");
	p->rows[0].result.verdict = p->rows[1].result.verdict = C;
	tensor_pairs_conclude(p);
	assert_int_equal(p->verdict, U);		/* c stands on one side alone */
	tensor_pairs_free(p);
	assert_int_equal(tensor_pairs_new(&p, &file, &file, NULL, NULL, 0), 0);
	p->rows[0].result.verdict = p->rows[1].result.verdict = C;
	tensor_pairs_conclude(p);
	assert_int_equal(p->verdict, C);
	tensor_pairs_free(p);
	/* What was not read may differ. */
	file.notes = &(struct tensor_note){ "a file was not read", NULL };
	assert_int_equal(tensor_pairs_new(&p, &file, &file, NULL, NULL, 0), 0);
	p->rows[0].result.verdict = p->rows[1].result.verdict = C;
	tensor_pairs_conclude(p);
	assert_int_equal(p->verdict, U);
	tensor_pairs_free(p);
	assert_int_equal(tensor_pairs_new(&p, &empty, &empty, NULL, NULL, 0), 0);
	tensor_pairs_conclude(p);
	assert_int_equal(p->verdict, TENSOR_NOT_CHECKED);
	tensor_pairs_free(p);
	free(executed.rows);
	free(file.rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_who_introduced_it),
		cmocka_unit_test(test_order_and_what_stands_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
