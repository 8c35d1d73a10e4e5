/* The canonical bytes, ids and order of events, against fixed vectors. */
#include "config.h"

#include "tests/unit.h"

#include "base/clock.h"
#include "base/err.h"
#include "base/event.h"

static const char e1_text[] =
	"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\","
	"\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"project.created\",\"o\":\"p1\","
	"\"d\":{\"name\":\"melora\"}}";
static const char id1[] = "a02e3f23d87404201423ef7dae3acb05e5348a09ab682bd76a3bf51e867e26ee";
static const char id2[] = "16cb432eed8cd2a96e38889786db72e757c5f91c35fb459193f9f1b1bf51f642";
static const char id1_melorb[] = "afc389323f4edabcb06d22df43d167866c3d115ffde0b66cfcb4def6d9a1b323";
static const char head[] = "84ca0b36954ca901c14934c88fbd9769e516590b0b1de9facacba35e44fb1dc4";

static void assert_id(const struct event *e, const char *wanted)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &e->id);
	assert_string_equal(hex, wanted);
}

static struct event second(struct arena *a)
{
	struct event e = {
		.replica = "00112233445566778899aabbccddeeff",
		.seq = 2,
		.has_prev = true,
		.lamport = 2,
		.time = "2026-10-25T16:22:00.000Z",
		.actor = "agent:claude",
		.kind = "attempt.claimed",
		.object = "a1",
	};

	assert_true(digest_from_hex(&e.prev, id1));
	e.data = event_data(a, "metric", "86.53", "level", "L3", NULL);
	return e;
}

static void vectors(void **state)
{
	struct arena a = ARENA_INIT;
	struct event *e1, e2 = second(&a);
	struct digest ids[2], sum;
	char hex[DIGEST_HEX + 1];

	(void)state;
	assert_int_equal(strlen(e1_text), 171);
	assert_int_equal(event_parse(&e1, &a, e1_text, strlen(e1_text)), 0);
	assert_id(e1, id1);
	assert_string_equal(json_str(e1->data, "name", ""), "melora");
	assert_int_equal(event_write(&e2, &a), 0);
	assert_int_equal(e2.body_n, 252);
	assert_id(&e2, id2);
	ids[0] = e2.id;
	ids[1] = e1->id;
	sum = event_head_digest(ids, 2);
	digest_hex(hex, &sum);
	assert_string_equal(hex, head);
	arena_release(&a);
}

static void one_letter_changes_the_id(void **state)
{
	struct arena a = ARENA_INIT;
	char text[sizeof e1_text];
	struct event *e;

	(void)state;
	memcpy(text, e1_text, sizeof text);
	*strstr(text, "melora\"") = 'm';
	strstr(text, "melora")[5] = 'b';
	assert_int_equal(event_parse(&e, &a, text, strlen(text)), 0);
	assert_id(e, id1_melorb);
	arena_release(&a);
}

static void every_flipped_bit_is_seen(void **state)
{
	struct arena a = ARENA_INIT;
	char text[sizeof e1_text];

	(void)state;
	for (size_t bit = 0; bit < (sizeof e1_text - 1) * 8; bit++) {
		struct event *e;

		memcpy(text, e1_text, sizeof text);
		text[bit / 8] ^= (char)(1 << bit % 8);
		if (event_parse(&e, &a, text, sizeof text - 1) == 0) {
			char hex[DIGEST_HEX + 1];

			digest_hex(hex, &e->id);
			assert_string_not_equal(hex, id1);
		}
	}
	arena_release(&a);
}

static void other_spellings_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"{}",
		"[]",
		" ",
		/* a blank, another order, a number, a trailing byte, an unsorted d */
		"{\"v\": \"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
		"{\"r\":\"00112233445566778899aabbccddeeff\",\"v\":\"1\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":1,\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}\n",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{\"b\":\"1\",\"a\":\"2\"}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{\"a\":1}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"01\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"somebody\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"2\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-10-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
		"{\"v\":\"1\",\"r\":\"00112233445566778899aabbccddeeff\",\"q\":\"1\",\"p\":\"\",\"l\":\"1\",\"t\":\"2026-13-25T16:21:56.123Z\",\"a\":\"human:ana\",\"k\":\"x\",\"o\":\"p1\",\"d\":{}}",
	};
	struct arena a = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct event *e;

		if (event_parse(&e, &a, bad[i], strlen(bad[i])) != ERR_PARSE)
			fail_msg("accepted %zu: %s", i, bad[i]);
		assert_true(*err_text());
	}
	arena_release(&a);
}

static void a_newer_version_is_named(void **state)
{
	struct arena a = ARENA_INIT;
	char text[sizeof e1_text];
	struct event *e;

	(void)state;
	memcpy(text, e1_text, sizeof text);
	text[6] = '2';
	assert_int_equal(event_parse(&e, &a, text, strlen(text)), ERR_NEWER);
	assert_non_null(strstr(err_text(), "newer"));
	arena_release(&a);
}

static void large_bodies_are_refused(void **state)
{
	struct arena a = ARENA_INIT;
	struct event e = second(&a);
	char *text = xmalloc(EVENT_BODY_MAX + 1);

	(void)state;
	memset(text, 'x', EVENT_BODY_MAX);
	text[EVENT_BODY_MAX] = '\0';
	e.data = event_data(&a, "text", text, NULL);
	assert_int_equal(event_write(&e, &a), ERR_PARSE);
	assert_non_null(strstr(err_text(), "64 KiB"));
	free(text);
	arena_release(&a);
}

static void position_orders_by_lamport_then_replica(void **state)
{
	struct arena a = ARENA_INIT;
	struct event x = second(&a), y = second(&a), z = second(&a);
	struct position px, py, pz;

	(void)state;
	y.lamport = 256;	/* more than a byte: big-endian order is needed */
	memcpy(z.replica, "10112233445566778899aabbccddeeff", sizeof z.replica);
	assert_int_equal(event_write(&x, &a) | event_write(&y, &a) | event_write(&z, &a), 0);
	px = event_position(&x);
	py = event_position(&y);
	pz = event_position(&z);
	assert_true(position_compare(&px, &py) < 0);
	assert_true(position_compare(&px, &pz) < 0);
	assert_true(position_compare(&pz, &py) < 0);
	assert_int_equal(position_compare(&px, &px), 0);
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors),
		cmocka_unit_test(one_letter_changes_the_id),
		cmocka_unit_test(every_flipped_bit_is_seen),
		cmocka_unit_test(other_spellings_are_refused),
		cmocka_unit_test(a_newer_version_is_named),
		cmocka_unit_test(large_bodies_are_refused),
		cmocka_unit_test(position_orders_by_lamport_then_replica),
	};

	return cmocka_run_group_tests_name("event", tests, NULL, NULL);
}
