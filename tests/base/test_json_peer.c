/* The JSON reader and writer held against an independent one, cJSON: both take
 * the same documents, and read the same values out of them. */
#include "config.h"

#include "tests/unit.h"

#include <cjson/cJSON.h>

#include "base/json.h"

/* A text that both hold: cJSON's strings end at a NUL, ours are refused with one. */
static void same_text(const struct json *ours, const cJSON *peer)
{
	assert_int_equal(ours->text_n, strlen(peer->valuestring));
	assert_memory_equal(ours->text, peer->valuestring, ours->text_n);
}

static void same(const struct json *ours, const cJSON *peer)
{
	const cJSON *child;

	switch (ours->type) {
	case JSON_NULL:
		assert_true(cJSON_IsNull(peer));
		return;
	case JSON_FALSE:
		assert_true(cJSON_IsFalse(peer));
		return;
	case JSON_TRUE:
		assert_true(cJSON_IsTrue(peer));
		return;
	case JSON_NUMBER:
		assert_true(cJSON_IsNumber(peer));
		assert_true(strtod(ours->text, NULL) == peer->valuedouble);
		return;
	case JSON_STRING:
		assert_true(cJSON_IsString(peer));
		same_text(ours, peer);
		return;
	case JSON_ARRAY:
		assert_true(cJSON_IsArray(peer));
		break;
	case JSON_OBJECT:
		assert_true(cJSON_IsObject(peer));
		break;
	}
	assert_int_equal(ours->count, cJSON_GetArraySize(peer));
	child = peer->child;
	for (const struct json *j = ours->first; j; j = j->next, child = child->next) {
		assert_non_null(child);
		if (j->key)
			assert_string_equal(j->key, child->string);
		same(j, child);
	}
	assert_null(child);
}

static void both_read_alike(const char *s, size_t n, int flags)
{
	struct arena a = ARENA_INIT;
	const struct json *ours;
	cJSON *peer = cJSON_ParseWithLength(s, n);

	assert_int_equal(json_parse(&ours, &a, s, n, flags), 0);
	assert_non_null(peer);
	same(ours, peer);
	cJSON_Delete(peer);
	arena_release(&a);
}

static void documents_read_alike(void **state)
{
	static const char *const documents[] = {
		"null",
		" [ ] ",
		"{}",
		"[true,false,null]",
		"-0.0",
		"1e-7",
		"[0, -1, 3.25, 1E+3, 9007199254740993]",
		"\"\\u0041\\n\\t\\/\\\\\\\"\\ud83d\\ude00\\u00e9\"",
		"{\"loss\": 0.5627, \"step\": 448, \"tags\": [\"a\", {\"b\": [[]]}]}",
		"{\"\": \"\", \"x\": {\"x\": {\"x\": 1}}}",
		"\"\xc3\xa9 \xf0\x9f\x98\x80\"",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(documents); i++)
		both_read_alike(documents[i], strlen(documents[i]), JSON_STRICT);
}

static void both_refuse(void **state)
{
	static const char *const documents[] = {
		"",
		"{",
		"[1,]",
		"{\"a\":}",
		"{\"a\" 1}",
		"{a:1}",
		"\"open",
		"\"\\q\"",
		"tru",
		"[1 2]",
		"\"\\ud83d\"",
		"--1",
	};
	struct arena a = ARENA_INIT;
	const struct json *ours;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(documents); i++) {
		size_t n = strlen(documents[i]);

		assert_null(cJSON_ParseWithLength(documents[i], n));
		assert_true(json_parse(&ours, &a, documents[i], n, JSON_STRICT) < 0);
	}
	arena_release(&a);
}

/* A small generator of its own, so that a failure repeats. */
static unsigned next(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void put_random_text(struct json_writer *w, const char *key, unsigned *seed)
{
	static const char *const pieces[] = { "a", "\"", "\\", "\n", "\x1f", "\xc3\xa9",
		"\xe2\x80\xae", "\xf0\x9f\x98\x80", "\x7f", "/" };
	struct buf text = BUF_INIT;

	for (unsigned n = next(seed) % 12; n > 0; n--)
		buf_adds(&text, pieces[next(seed) % ARRAY_LEN(pieces)]);
	json_put_strn(w, key, text.s ? text.s : "", text.n);
	buf_release(&text);
}

static void put_random(struct json_writer *w, const char *key, unsigned *seed, int depth)
{
	static const char *const keys[] = { "a", "b", "c", "d", "e", "f" };
	unsigned kind = next(seed) % (depth < 5 ? 7 : 5), n = next(seed) % 6;

	switch (kind) {
	case 0:
		json_put_null(w, key);
		return;
	case 1:
		json_put_bool(w, key, n & 1);
		return;
	case 2:
		json_put_i64(w, key, (int64_t)next(seed) - (1 << 23));
		return;
	case 3:
		json_put_double(w, key, (double)next(seed) / 977 - 1000);
		return;
	case 4:
		put_random_text(w, key, seed);
		return;
	case 5:
		json_begin_array(w, key);
		for (unsigned i = 0; i < n; i++)
			put_random(w, NULL, seed, depth + 1);
		json_end_array(w);
		return;
	default:
		json_begin_object(w, key);
		for (unsigned i = 0; i < n; i++)
			put_random(w, keys[i], seed, depth + 1);
		json_end_object(w);
	}
}

static void what_is_written_reads_alike(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct buf out = BUF_INIT;
		struct json_writer w = { .out = &out, .indent = round & 1 };

		put_random(&w, NULL, &seed, 0);
		both_read_alike(out.s, out.n, JSON_STRICT);
		buf_release(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_read_alike),
		cmocka_unit_test(both_refuse),
		cmocka_unit_test(what_is_written_reads_alike),
	};

	return cmocka_run_group_tests_name("json beside cJSON", tests, NULL, NULL);
}
