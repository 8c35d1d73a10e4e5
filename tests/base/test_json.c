/* The JSON reader and writer: what trainers write, what attackers write. */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/json_build.h"

static const struct json *parse(struct arena *a, const char *s, int flags)
{
	const struct json *j;

	if (json_parse(&j, a, s, strlen(s), flags) < 0)
		return NULL;
	return j;
}

static void tolerant_values(void **state)
{
	struct arena a = ARENA_INIT;
	const struct json *j = parse(&a,
		"{\"a\":NaN,\"b\":-Infinity,\"c\":9007199254740993,\"d\":\"NaN\","
		"\"e\":1e999,\"a\":2,\"f\":[1,{\"g\":\"x\\u0041\\ud83d\\ude00\"}]}",
		JSON_TOLERANT);

	(void)state;
	assert_non_null(j);
	assert_true(json_double(j, "a", 0) == 2);	/* the last one wins */
	assert_true(json_double(j, "b", 0) == -INFINITY);
	assert_int_equal(json_i64(j, "c", 0), INT64_C(9007199254740993));
	assert_true(isnan(json_double(j, "d", 0)));
	assert_true(json_double(j, "e", 0) == INFINITY);
	assert_string_equal(json_str(json_get(j, "f")->first->next, "g", ""), "xA\xf0\x9f\x98\x80");
	assert_null(json_get(j, "none"));
	assert_null(json_get(NULL, "none"));
	arena_release(&a);
}

/* An empty blob may have no address. */
static const struct json *parse_bytes(struct arena *a, const char *s, size_t n)
{
	const struct json *j;

	return json_parse(&j, a, s, n, JSON_STRICT) < 0 ? NULL : j;
}

static void refused(void **state)
{
	static const char *const always[] = {
		"", "{", "[1,", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "1.", ".5", "-", "+",
		"tru", "\"a",
		"\"\\x\"", "\"\\u12\"", "1 2", "{a:1}", "'a'",
	}, *const strict[] = {
		"NaN", "Infinity", "-Infinity", "{\"a\":1,\"a\":2}", "\"\\u0000\"", "\"\xff\"",
		"\"\xc0\x80\"", "\"a\nb\"", "\"\\ud800\"",
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(always); i++)
		if (parse(&a, always[i], JSON_STRICT))
			fail_msg("strict accepted %s", always[i]);
	for (size_t i = 0; i < ARRAY_LEN(always); i++)
		if (parse(&a, always[i], JSON_TOLERANT))
			fail_msg("tolerant accepted %s", always[i]);
	for (size_t i = 0; i < ARRAY_LEN(strict); i++) {
		assert_null(parse(&a, strict[i], JSON_STRICT));
		assert_non_null(parse(&a, strict[i], JSON_TOLERANT));
	}
	assert_null(parse_bytes(&a, NULL, 0));
	arena_release(&a);
}

static void depth_is_limited(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;

	(void)state;
	buf_pad(&b, '[', JSON_DEPTH_MAX);
	buf_pad(&b, ']', JSON_DEPTH_MAX);
	assert_non_null(parse(&a, b.s, JSON_STRICT));
	buf_clear(&b);
	buf_pad(&b, '[', 1000000);
	assert_null(parse(&a, b.s, JSON_TOLERANT));
	assert_non_null(strstr(err_text(), "64"));
	buf_release(&b);
	arena_release(&a);
}

static void canonical_sorts_by_bytes(void **state)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;

	(void)state;
	json_canonical(&b,
		parse(&a,
			"{ \"b\" : [ \"x\" , { \"z\":\"1\", \"a\":\"\\u00e9\\/\\n\" } ], "
			"\"B\":\"\", \"\\u00e9\":\"\" }",
			0));
	assert_string_equal(b.s,
		"{\"B\":\"\",\"b\":[\"x\",{\"a\":\"\xc3\xa9/\\n\",\"z\":\"1\"}],"
		"\"\xc3\xa9\":\"\"}");
	buf_release(&b);
	arena_release(&a);
}

static void documents(void **state)
{
	struct buf b = BUF_INIT;
	struct json_writer w = { .out = &b };

	(void)state;
	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	json_begin_array(&w, "rows");
	json_put_double(&w, NULL, 0.1 + 0.2);
	json_put_double(&w, NULL, NAN);
	json_put_str(&w, NULL, NULL);
	json_begin_object(&w, NULL);
	json_end_object(&w);
	json_end_array(&w);
	json_put_str(&w, "hostile", "\x1b[2J\xff\"");
	json_put_bool(&w, "ok", true);
	json_end_object(&w);
	assert_string_equal(b.s, "{\"schema\":1,\"rows\":[0.30000000000000004,\"NaN\",null,{}],"
		"\"hostile\":\"\\u001b[2J\xef\xbf\xbd\\\"\",\"ok\":true}");
	buf_release(&b);
}

static void every_prefix_is_refused_or_read(void **state)
{
	static const char text[] = "{\"a\":[1.5e-3,\"\\u00e9\",true,null],\"b\":{\"c\":-Infinity}}";
	struct arena a = ARENA_INIT;
	const struct json *j;

	(void)state;
	for (size_t n = 0; n < sizeof text - 1; n++) {
		char *copy = arena_memdup(&a, text, n);	/* its end is guarded by ASan */

		assert_int_equal(json_parse(&j, &a, copy, n, JSON_TOLERANT), ERR_PARSE);
	}
	assert_int_equal(json_parse(&j, &a, text, sizeof text - 1, JSON_TOLERANT), 0);
	arena_release(&a);
}

/* Past the number of keys that are looked through one by one. */
static void doubled_keys_of_large_objects(void **state)
{
	(void)state;
	for (int n = 1; n < 300; n += 7) {
		struct arena a = ARENA_INIT;
		struct buf b = BUF_INIT;
		const struct json *j;

		buf_adds(&b, "{");
		for (int i = 0; i < n; i++)
			buf_addf(&b, "%s\"k%d\":0", i ? "," : "", i);
		buf_adds(&b, "}");
		assert_int_equal(json_parse(&j, &a, b.s, b.n, JSON_STRICT), 0);
		assert_int_equal(j->count, n);
		buf_truncate(&b, b.n - 1);
		buf_addf(&b, ",\"k%d\":0}", n / 2);
		assert_int_equal(json_parse(&j, &a, b.s, b.n, JSON_STRICT), ERR_PARSE);
		assert_int_equal(json_parse(&j, &a, b.s, b.n, JSON_TOLERANT), 0);
		buf_release(&b);
		arena_release(&a);
	}
}

static void trees_made_by_hand(void **state)
{
	struct arena a = ARENA_INIT;
	struct json *data = json_new_object(&a, NULL), *list, *copy;
	struct buf b = BUF_INIT;

	(void)state;
	json_append(data, json_new_text(&a, "text", "two\nlines"));
	list = json_append(data, json_new_list(&a, "keys"));
	json_append(list, json_new_text(&a, NULL, "first"));
	json_append(list, json_new_text(&a, NULL, "second"));
	copy = json_copy(&a, json_get(data, "text"));
	assert_null(copy->next);
	copy->key = "a";
	copy->key_n = 1;
	json_append(data, copy);
	assert_int_equal(data->count, 3);
	assert_int_equal(list->count, 2);
	json_canonical(&b, data);
	assert_string_equal(b.s,
		"{\"a\":\"two\\nlines\",\"keys\":[\"first\",\"second\"],"
		"\"text\":\"two\\nlines\"}");
	buf_release(&b);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tolerant_values),
		cmocka_unit_test(refused),
		cmocka_unit_test(depth_is_limited),
		cmocka_unit_test(canonical_sorts_by_bytes),
		cmocka_unit_test(documents),
		cmocka_unit_test(doubled_keys_of_large_objects),
		cmocka_unit_test(every_prefix_is_refused_or_read),
		cmocka_unit_test(trees_made_by_hand),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
