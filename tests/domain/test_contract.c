/*
 * test_contract - contract.json: what it may say, every mistake with its place, and what a
 * change loosens.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "domain/contract.h"
#include "../unit.h"

static const char good[] =
	"{\"contract\":1,\"task\":\"sort notices\",\"fixed\":{\"model\":\"m@1\","
	"\"input-processing\":\"lower case\",\"labels\":[\"film\",\"sport\"],"
	"\"settings\":\"argmax\",\"configuration\":\"f32, batch 1\"},"
	"\"run\":{\"command\":\"python c.py\",\"limit\":\"10m\"},"
	"\"cases\":["
	"{\"id\":\"plain\",\"role\":\"normal\",\"kind\":\"label\",\"why\":\"says film\","
	"\"input\":\"film night\",\"expected\":\"film\"},"
	"{\"id\":\"one\",\"role\":\"short\",\"kind\":\"number\",\"why\":\"one word\","
	"\"input\":\"ball\",\"expected\":0.25,\"type\":\"bf16\","
	"\"tolerance\":{\"absolute\":0.01,\"ulp\":2,\"reason\":\"bf16 sums in another order\"}},"
	"{\"id\":\"many\",\"role\":\"long\",\"kind\":\"tensor\",\"why\":\"the limit of 128\","
	"\"input\":[1,2],\"expected\":{\"shape\":[2,1],\"values\":[1,\"NaN\"]},\"type\":\"f32\"},"
	"{\"id\":\"both\",\"role\":\"ambiguous\",\"kind\":\"set\",\"why\":\"both are meant\","
	"\"input\":\"film of a match\",\"expected\":[\"film\",\"sport\"]},"
	"{\"id\":\"none\",\"role\":\"special\",\"kind\":\"text-constraint\",\"why\":\"no topic\","
	"\"input\":\"\",\"rejects\":true}]}";

static bool knows_type(const char *name)
{
	return strcmp(name, "bf16") == 0 || strcmp(name, "f32") == 0;
}

/* The good text with one part of it replaced; free() it. */
static char *altered(const char *old, const char *new)
{
	const char *at = strstr(good, old);
	struct buf b = BUF_INIT;

	assert_non_null(at);
	buf_add(&b, good, (size_t)(at - good));
	buf_adds(&b, new);
	buf_adds(&b, at + strlen(old));
	return buf_detach(&b);
}

static int read_text(struct contract *c, const char *text)
{
	return contract_read(c, text, strlen(text), knows_type);
}

static bool has_error(const struct contract *c, const char *wanted)
{
	for (size_t i = 0; i < c->errors_n; i++)
		if (strncmp(c->errors[i], wanted, strlen(wanted)) == 0)
			return true;
	return false;
}

static void test_good(void **state)
{
	struct contract c;
	const struct contract_case *one;

	(void)state;
	assert_int_equal(read_text(&c, good), 0);
	assert_int_equal(c.cases_n, 5);
	assert_string_equal(c.model, "m@1");
	assert_string_equal(c.outputs, CONTRACT_OUTPUTS);
	assert_int_equal(c.limit_ns, INT64_C(600000000000));
	one = contract_case_find(&c, "one");
	assert_non_null(one);
	assert_int_equal(one->kind, CONTRACT_NUMBER);
	assert_int_equal(one->role, CONTRACT_SHORT);
	assert_true(one->tolerance.given && one->tolerance.has_absolute);
	assert_false(one->tolerance.has_relative);
	assert_true(one->tolerance.absolute == 0.01 && one->tolerance.ulp == 2);
	assert_true(contract_case_find(&c, "none")->rejects);
	assert_null(contract_case_find(&c, "nobody"));
	contract_release(&c);
}

static const struct mistake {
	const char *old, *new, *error;
} mistakes[] = {
	{ "\"contract\":1", "\"contract\":2", "contract: is no version" },
	{ "\"contract\":1,", "", "contract: is missing" },
	{ "\"task\":\"sort notices\"", "\"task\":\" \"", "task: is empty" },
	{ "\"task\":", "\"tusk\":1,\"task\":", "tusk: means nothing here" },
	{ "\"model\":\"m@1\",", "", "fixed.model: is missing" },
	{ "\"labels\":[\"film\",\"sport\"],", "", "fixed.labels: is missing" },
	{ "[\"film\",\"sport\"],", "[\"film\",\"film\"],",
		"fixed.labels[1]: \"film\" is there twice" },
	{ "[\"film\",\"sport\"],", "[\"film\",\"sport\"],\"no-labels\":\"x\",",
		"fixed.no-labels: contradicts" },
	{ ",\"limit\":\"10m\"", "", "run.limit: is missing" },
	{ "\"10m\"", "\"10\"", "run.limit: " },
	{ "\"10m\"", "\"0s\"", "run.limit: is no time" },
	{ "\"10m\"", "\"10m\",\"outputs\":\"../x\"", "run.outputs: leads out" },
	{ "\"10m\"", "\"10m\",\"pass\":[\"A B\"]", "run.pass[0]: \"A B\" is none of" },
	{ "\"id\":\"one\"", "\"id\":\"plain\"",
		"cases[1].id: \"plain\" is the id of cases[0], too" },
	{ "\"id\":\"one\"", "\"id\":\"a/b\"", "cases[1].id: is no name" },
	{ "\"role\":\"long\"", "\"role\":\"big\"", "cases[2].role: \"big\" is none of" },
	{ "\"role\":\"long\"", "\"role\":\"short\"", "cases: none has the role \"long\"" },
	{ "\"role\":\"special\"", "\"role\":\"normal\"", "cases: none has the role \"special\"" },
	{ "\"kind\":\"set\"", "\"kind\":\"bag\"", "cases[3].kind: \"bag\" is none of" },
	{ "\"why\":\"says film\",", "", "cases[0].why: is missing" },
	{ "\"input\":\"film night\",", "", "cases[0].input: is missing" },
	{ ",\"expected\":\"film\"", "", "cases[0].expected: is missing" },
	{ "\"expected\":\"film\"", "\"expected\":\"theatre\"",
		"cases[0].expected: \"theatre\" is none of fixed.labels" },
	{ "\"expected\":\"film\"", "\"expected\":\"film\",\"tolerance\":{}",
		"cases[0].tolerance: has no meaning for label" },
	{ "\"expected\":\"film\"", "\"expected\":\"film\",\"type\":\"f32\"",
		"cases[0].type: has a meaning for numbers" },
	{ "\"expected\":0.25", "\"expected\":1e999", "cases[1].expected: is no finite number" },
	{ "\"expected\":0.25", "\"expected\":\"0.25\"", "cases[1].expected: is no finite number" },
	{ ",\"type\":\"bf16\"", "", "cases[1].type: is missing" },
	{ "\"type\":\"bf16\"", "\"type\":\"fp3\"", "cases[1].type: \"fp3\" is no type" },
	{ ",\"reason\":\"bf16 sums in another order\"", "", "cases[1].tolerance: needs a reason" },
	{ "\"bf16 sums in another order\"", "\"\"", "cases[1].tolerance.reason: is empty" },
	{ "\"absolute\":0.01,\"ulp\":2,", "", "cases[1].tolerance: says no number" },
	{ "\"absolute\":0.01", "\"absolute\":-1", "cases[1].tolerance.absolute: is no number" },
	{ "\"absolute\":0.01", "\"absolute\":1e400", "cases[1].tolerance.absolute: is no number" },
	{ "\"absolute\":0.01", "\"cosine\":0.9", "cases[1].tolerance.cosine: means nothing" },
	{ "\"ulp\":2", "\"ulp\":0", "cases[1].tolerance.ulp: is no whole number" },
	{ "\"shape\":[2,1]", "\"shape\":[2,2]", "cases[2].expected.values: is no list of 4" },
	{ "\"shape\":[2,1]", "\"shape\":[4294967296,4294967296]", "cases[2].expected.shape: " },
	{ "\"NaN\"]", "\"x\"]", "cases[2].expected.values[1]: is no number" },
	{ "{\"shape\":[2,1],\"values\":[1,\"NaN\"]}", "{\"file\":\"/etc/passwd\"}",
		"cases[2].expected.file: leads out" },
	{ "\"expected\":[\"film\",\"sport\"]", "\"expected\":[\"film\",\"film\"]",
		"cases[3].expected[1]: is there twice" },
	{ "\"rejects\":true", "\"rejects\":1", "cases[4].rejects: is neither" },
	{ "\"rejects\":true", "\"rejects\":true,\"expected\":{\"match\":[\"a\"]}",
		"cases[4].expected: contradicts rejects" },
	{ "\"rejects\":true", "\"expected\":{}", "cases[4].expected: has no pattern" },
	{ "\"rejects\":true", "\"expected\":{\"match\":[\"(\"]}", "cases[4].expected.match[0]: " },
	{ "]}", ",7]}", "" },
};

static void test_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		char *text = altered(mistakes[i].old, mistakes[i].new);
		struct contract c;

		assert_int_equal(read_text(&c, text), ERR_PARSE);
		if (!has_error(&c, mistakes[i].error))
			fail_msg("\"%s\" is not said of %s: \"%s\"", mistakes[i].error,
				mistakes[i].new, c.errors_n ? c.errors[0] : "nothing");
		contract_release(&c);
		free(text);
	}
}

/* One look finds all of them. */
static void test_all_at_once(void **state)
{
	static const char text[] = "{\"contract\":1,\"fixed\":{},\"cases\":[{\"id\":1},3]}";
	struct contract c;

	(void)state;
	assert_int_equal(read_text(&c, text), ERR_PARSE);
	assert_true(has_error(&c, "task: is missing"));
	assert_true(has_error(&c, "fixed.model: is missing"));
	assert_true(has_error(&c, "cases[0].id: is no text"));
	assert_true(has_error(&c, "cases[0].kind: is missing"));
	assert_true(has_error(&c, "cases[1]: is no object"));
	assert_true(has_error(&c, "cases: none has the role \"ambiguous\""));
	contract_release(&c);
}

/* A role that cannot be there says why, and then it may be away. */
static void test_without(void **state)
{
	char *text = altered("\"role\":\"ambiguous\"", "\"role\":\"normal\"");
	struct contract c;

	(void)state;
	assert_int_equal(read_text(&c, text), ERR_PARSE);
	contract_release(&c);
	free(text);
	text = altered("\"cases\":[{\"id\":\"plain\",\"role\":\"normal\"",
		"\"without\":{\"normal\":\"there is none\"},"
		"\"cases\":[{\"id\":\"plain\",\"role\":\"short\"");
	assert_int_equal(read_text(&c, text), 0);
	assert_int_equal(c.without_n, 1);
	assert_int_equal(c.without[0].role, CONTRACT_NORMAL);
	contract_release(&c);
	free(text);
}

static void refuse(const char *text, size_t n, const char *error)
{
	struct contract c;

	assert_int_equal(contract_read(&c, text, n, knows_type), ERR_PARSE);
	assert_true(c.errors_n >= 1 && c.errors_n <= CONTRACT_ERRORS_MAX);
	if (!strstr(c.errors[0], error))
		fail_msg("\"%s\" is not said: \"%s\"", error, c.errors[0]);
	for (size_t i = 0; i < c.errors_n; i++)
		for (const char *s = c.errors[i]; *s; s++)
			assert_true((unsigned char)*s >= 0x20 && *s != 0x7f);
	contract_release(&c);
}

static void test_hostile(void **state)
{
	struct buf b = BUF_INIT;
	char *large = calloc(1, CONTRACT_BYTES_MAX + 1);

	(void)state;
	assert_non_null(large);
	refuse(large, CONTRACT_BYTES_MAX + 1, "larger than");
	free(large);
	refuse("", 0, "is no JSON");
	refuse("[]", 2, "is no object");
	refuse("{\"task\":NaN}", 12, "is no JSON");
	refuse("{\"task\":\"a\",\"task\":\"b\"}", 23, "a key that was there before");
	refuse("{\"a\\u0000b\":1}", 14, "is no JSON");
	refuse("{\"\\u001b[31m\":1}", 16, "^[[31m");
	buf_pad(&b, '[', 100000);
	refuse(b.s, b.n, "nested deeper than 64");
	buf_clear(&b);
	buf_adds(&b, "{");
	for (int i = 0; i < 60000; i++)
		buf_addf(&b, "%s\"%x\":0", i ? "," : "", i);
	buf_adds(&b, ",\"1f\":1}");
	refuse(b.s, b.n, "a key that was there before");
	buf_clear(&b);
	buf_adds(&b, "{\"cases\":[");
	for (int i = 0; i < CONTRACT_CASES_MAX; i++)
		buf_addf(&b, "%s{\"x\":0}", i ? "," : "");
	buf_adds(&b, "]}");
	refuse(b.s, b.n, "contract: is missing");
	buf_release(&b);
}

/* ---- differences ---- */

static struct accepted_differences differences_of(struct arena *a, const char *old_text,
	const char *new_text, struct contract *old, struct contract *new)
{
	assert_int_equal(read_text(old, old_text), 0);
	assert_int_equal(read_text(new, new_text), 0);
	return contract_differences(a, old, new);
}

static const struct change {
	const char *old, *new, *key;
	bool loosened, loosened_back;
} changes[] = {
	{ "\"absolute\":0.01", "\"absolute\":0.02", "cases.one.tolerance", true, false },
	{ "\"ulp\":2", "\"ulp\":3", "cases.one.tolerance", true, false },
	{ "\"absolute\":0.01,", "", "cases.one.tolerance", true, true },
	{ "\"NaN\"]},\"type\":\"f32\"",
		"\"NaN\"]},\"type\":\"f32\",\"tolerance\":{\"cosine\":0.99,\"reason\":\"r\"}",
		"cases.many.tolerance", true, true },
	{ "\"expected\":\"film\"", "\"expected\":\"sport\"", "cases.plain.expected", true, true },
	{ "\"input\":\"ball\"", "\"input\":\"a ball\"", "cases.one.input", true, true },
	{ "\"id\":\"plain\"", "\"id\":\"other\"", "cases.plain", true, true },
	{ "\"why\":\"says film\"", "\"why\":\"it is one\"", "cases.plain.why", false, false },
	{ "\"model\":\"m@1\"", "\"model\":\"m@2\"", "fixed.model", true, true },
	{ "\"10m\"", "\"20m\"", "run.limit", true, false },
	{ "python c.py", "python d.py", "run.command", false, false },
};

static void check_change(const char *old, const char *new, const struct change *c, bool loosened)
{
	struct contract before, after;
	struct arena a = ARENA_INIT;
	struct accepted_differences d = differences_of(&a, old, new, &before, &after);

	assert_true(d.n >= 1);
	if ((d.loosened > 0) != loosened)
		fail_msg("%s: %s is%s taken for loosened", c->key, c->new, loosened ? " not" : "");
	contract_release(&before);
	contract_release(&after);
	arena_release(&a);
}

static void test_differences(void **state)
{
	struct contract old, new;
	struct arena a = ARENA_INIT;

	(void)state;
	assert_int_equal(differences_of(&a, good, good, &old, &new).n, 0);
	assert_int_equal(contract_differences(&a, NULL, &new).n, 0);
	contract_release(&old);
	contract_release(&new);
	arena_release(&a);
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		char *text = altered(changes[i].old, changes[i].new);

		check_change(good, text, &changes[i], changes[i].loosened);
		check_change(text, good, &changes[i], changes[i].loosened_back);
		free(text);
	}
}

static bool equal(const char *x, const char *y)
{
	struct arena a = ARENA_INIT;
	const struct json *p, *q;
	bool same;

	assert_int_equal(json_parse(&p, &a, x, strlen(x), JSON_STRICT), 0);
	assert_int_equal(json_parse(&q, &a, y, strlen(y), JSON_STRICT), 0);
	same = contract_json_equal(p, q);
	assert_true(same == contract_json_equal(q, p));
	arena_release(&a);
	return same;
}

static void test_equal(void **state)
{
	(void)state;
	assert_true(equal("1", "1.0"));
	assert_true(equal("1e2", "100"));
	assert_false(equal("9007199254740993", "9007199254740992"));
	assert_false(equal("1", "\"1\""));
	assert_true(equal("{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}"));
	assert_false(equal("{\"a\":1}", "{\"a\":1,\"b\":2}"));
	assert_false(equal("{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}"));
	assert_false(equal("[1,2]", "[2,1]"));
	assert_true(equal("null", "null"));
	assert_false(equal("true", "false"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_all_at_once),
		cmocka_unit_test(test_without),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_differences),
		cmocka_unit_test(test_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
