/* Views: every version against a fold of the prefix, merges, rebuilds, lists. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "log_fixture.h"
#include "store/verify.h"

#define REPLICA_B "ffeeddccbbaa99887766554433221100"

enum { OBJECTS = 7, EVENTS = 120 };

/* What the projector does, done again by hand for one object. */
struct model {
	bool alive;
	int count;
	char value[32], parent[32];
	int64_t sort;
};

static const char *const names[OBJECTS] = { "a", "b", "c", "d", "e", "f", "far" };

static void model_apply(struct model *m, const struct event *e)
{
	size_t i;

	for (i = 0; i < OBJECTS && strcmp(names[i], e->object); i++)
		;
	assert_true(i < OBJECTS);
	m = &m[i];
	if (!strcmp(e->kind, "test.gone")) {
		memset(m, 0, sizeof *m);
		return;
	}
	m->alive = true;
	m->count++;
	m->sort = json_i64(e->data, "sort", 0);
	snprintf(m->value, sizeof m->value, "%s", json_str(e->data, "value", ""));
	snprintf(m->parent, sizeof m->parent, "%s", json_str(e->data, "parent", ""));
}

static void check_row(const struct model *m, const struct projection_row *r)
{
	char state[64];

	snprintf(state, sizeof state, "%d:%s", m->count, m->value);
	assert_string_equal(r->state, state);
	assert_string_equal(r->parent ? r->parent : "", m->parent);
	assert_int_equal(r->sort, m->sort);
}

/* The list must be the living objects of the model in (sort, id) order. */
static void check_list(struct fixture *f, struct log *log, const struct model *m,
		       const struct position *at, const char *parent)
{
	struct projection_query q = { .type = "object", .at = at, .parent = parent };
	struct projection_row *rows, *down;
	size_t n, n_down, alive = 0, i;
	int64_t count;

	assert_int_equal(projection_list(log, &q, &f->a, &rows, &n), 0);
	for (i = 0; i < OBJECTS; i++)
		alive += m[i].alive && (!parent || !strcmp(m[i].parent, parent));
	assert_int_equal(n, alive);
	assert_int_equal(projection_count(log, &q, &count), 0);
	assert_int_equal(count, n);
	q.descending = true;
	assert_int_equal(projection_list(log, &q, &f->a, &down, &n_down), 0);
	assert_int_equal(n_down, n);
	for (i = 0; i < n; i++) {
		assert_string_equal(rows[i].id, down[n - 1 - i].id);
		if (i)
			assert_true(rows[i - 1].sort < rows[i].sort ||
				    (rows[i - 1].sort == rows[i].sort &&
				     strcmp(rows[i - 1].id, rows[i].id) < 0));
	}
	q = (struct projection_query){ .type = "object", .at = at, .parent = parent,
				       .offset = 1, .limit = 2 };
	assert_int_equal(projection_list(log, &q, &f->a, &down, &n_down), 0);
	assert_int_equal(n_down, n < 2 ? 0 : n < 3 ? 1 : 2);
	for (i = 0; i < n_down; i++)
		assert_string_equal(down[i].id, rows[i + 1].id);
}

static void check_state(struct fixture *f, struct log *log, const struct model *m,
			const struct position *at)
{
	struct projection_row *row;
	size_t i;

	for (i = 0; i < OBJECTS; i++) {
		assert_int_equal(
			projection_get(log, "object", names[i], at, &f->a, &row), m[i].alive);
		if (m[i].alive)
			check_row(&m[i], row);
	}
	check_list(f, log, m, at, NULL);
	check_list(f, log, m, at, "p1");
}

/* The views at every k against fold(events[0..k]). */
static void check_every_prefix(struct fixture *f, struct log *log)
{
	struct event_query q = { .limit = 0 };
	struct model m[OBJECTS];
	struct event **events;
	size_t n, k;

	memset(m, 0, sizeof m);
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	for (k = 0; k < n; k++) {
		struct position at = event_position(events[k]);

		model_apply(m, events[k]);
		check_state(f, log, m, &at);
	}
	check_state(f, log, m, NULL);
}

static void assert_state(struct log *log, enum projection_state expected)
{
	enum projection_state s;

	assert_int_equal(projection_state(log, &s), 0);
	assert_int_equal(s, expected);
}

/* A fixed sequence that moves objects between parents and places, and ends some. */
static void fill(struct fixture *f, struct log *log)
{
	static const char *const parents[] = { NULL, "p1", "p2" };
	char value[16], sort[16];
	unsigned int r = 12345;
	int i;

	for (i = 0; i < EVENTS; i++) {
		struct event_draft gone = { .actor = "tool:t", .kind = "test.gone",
					    .object = names[i % 3] };

		r = r * 1103515245u + 12345u;
		snprintf(value, sizeof value, "%d", i);
		snprintf(sort, sizeof sort, "%u", (r >> 16) % 4);
		if (i % 11 == 10)
			assert_int_equal(log_append(log, &gone, &f->a, NULL), 0);
		else
			append_value(f, log, names[(r >> 20) % (OBJECTS - 1)], value, sort,
				     parents[(r >> 25) % 3]);
	}
}

static void test_every_prefix(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);

	assert_state(log, PROJECTION_FRESH);
	fill(f, log);
	assert_state(log, PROJECTION_FRESH);
	check_every_prefix(f, log);
	log_close(log);
}

/* N events of another replica from LAMPORT on, in one batch. */
static void insert_far(struct fixture *f, struct log *log, int n, int64_t lamport)
{
	struct event_bytes *b = xcalloc((size_t)n, sizeof *b);
	struct foreign_result r;
	struct event *e = NULL;
	char value[16];
	int i;

	for (i = 0; i < n; i++) {
		snprintf(value, sizeof value, "far %d", i);
		e = make_event(&f->a, REPLICA_B, i + 1, e, lamport + i, value);
		b[i] = (struct event_bytes){ e->body, e->body_n };
	}
	if (log_insert_foreign(log, b, (size_t)n, &r) < 0)
		fail_msg("%s", err_text());
	assert_int_equal(r.added, n);
	free(b);
}

static void test_merge_makes_stale_and_rebuild_heals(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct projection_row *row;

	fill(f, log);
	insert_far(f, log, 5, 50);
	assert_state(log, PROJECTION_STALE);
	/* The old views still answer until the new ones are swapped in. */
	assert_int_equal(projection_get(log, "object", "far", NULL, &f->a, &row), 0);
	append_value(f, log, "a", "while stale", NULL, NULL);
	assert_state(log, PROJECTION_STALE);
	assert_int_equal(projection_rebuild(log, NULL, NULL), 0);
	assert_state(log, PROJECTION_FRESH);
	check_every_prefix(f, log);
	assert_int_equal(projection_get(log, "object", "far", NULL, &f->a, &row), 1);
	assert_string_equal(row->state, "5:far 4");
	/* The rows of the old views are gone. */
	assert_int_equal(plain_i64(f->db, "SELECT count(DISTINCT gen) FROM version"), 1);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM version"), EVENTS + 6);
	append_value(f, log, "a", "after", NULL, NULL);
	assert_state(log, PROJECTION_FRESH);
	check_every_prefix(f, log);
	log_close(log);
}

static void test_merge_that_sorts_last_extends(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);

	fill(f, log);
	insert_far(f, log, 5, 5000);
	assert_state(log, PROJECTION_FRESH);
	check_every_prefix(f, log);
	log_close(log);
}

/* Views are the same whatever order the events arrived in. */
static void test_arrival_order_does_not_matter(void **state)
{
	struct fixture *f = *state, *g;
	struct log *log = fixture_log(f), *other;
	struct event_query q = { .descending = true };
	struct event_bytes *b;
	struct foreign_result r;
	struct event **events;
	struct replica_head *heads;
	struct digest one, two;
	void *second;
	int64_t count;
	size_t n, i;

	assert_int_equal(fixture_setup(&second), 0);
	g = second;
	other = fixture_log(g);
	fill(f, log);
	insert_far(f, log, 5, 50);
	assert_int_equal(log_events(log, &q, &f->a, &events, &n), 0);
	b = xcalloc(n, sizeof *b);
	for (i = 0; i < n; i++)
		b[i] = (struct event_bytes){ events[i]->body, events[i]->body_n };
	assert_int_equal(log_insert_foreign(other, b, n, &r), 0);
	assert_state(other, PROJECTION_FRESH);
	check_every_prefix(g, other);
	assert_int_equal(log_heads(log, &f->a, &heads, &n, &count, &one), 0);
	assert_int_equal(log_heads(other, &f->a, &heads, &n, &count, &two), 0);
	assert_true(digest_equal(&one, &two));
	assert_int_equal(n, 2);
	free(b);
	log_close(other);
	assert_int_equal(fixture_teardown(&second), 0);
	log_close(log);
}

static void test_writer_without_projector_leaves_it_behind(void **state)
{
	struct fixture *f = *state;
	struct log_options plain = { .create = true };
	struct log *log = fixture_log(f), *hook;
	enum projection_state s;

	append_n(f, log, 3);
	assert_int_equal(log_open(&hook, f->folder, &plain), 0);
	append_n(f, hook, 2);
	assert_int_equal(projection_state(hook, &s), ERR_USAGE);
	log_close(hook);
	assert_state(log, PROJECTION_BEHIND);
	append_n(f, log, 1);
	assert_state(log, PROJECTION_FRESH);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM version"), 6);
	log_close(log);
}

static int apply_two(void *user, const struct event *e, struct projection_sink *s)
{
	struct projection_row row = { .type = "object", .id = e->object, .state = "second" };

	(void)user;
	return projection_put(s, &row);
}

static void test_other_fold_version_is_not_read(void **state)
{
	static const struct projector two = { .fold_version = 2, .apply = apply_two };
	struct fixture *f = *state;
	struct log_options o = { .create = true, .projector = &two };
	struct log *log = fixture_log(f);
	struct projection_row *row;

	append_n(f, log, 4);
	log_close(log);
	assert_int_equal(log_open(&log, f->folder, &o), 0);
	assert_state(log, PROJECTION_NONE);
	assert_int_equal(projection_get(log, "object", "even", NULL, &f->a, &row), ERR_STATE);
	append_n(f, log, 1);
	assert_state(log, PROJECTION_NONE);
	assert_int_equal(projection_rebuild(log, NULL, NULL), 0);
	assert_int_equal(projection_get(log, "object", "even", NULL, &f->a, &row), 1);
	assert_string_equal(row->state, "second");
	log_close(log);
}

static void test_read_only_builds_in_memory(void **state)
{
	struct fixture *f = *state;
	struct log_options look = { .read_only = true, .projector = &test_projector };
	struct log_options plain = { .create = true };
	struct log *log = fixture_log(f);
	int64_t before;

	fill(f, log);
	insert_far(f, log, 5, 50);
	log_close(log);
	before = plain_i64(f->db, "SELECT count(*) FROM version");
	assert_int_equal(log_open(&log, f->folder, &look), 0);
	assert_state(log, PROJECTION_STALE);
	assert_int_equal(projection_rebuild(log, NULL, NULL), 0);
	assert_state(log, PROJECTION_FRESH);
	check_every_prefix(f, log);
	log_close(log);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM version"), before);
	assert_int_equal(log_open(&log, f->folder, &plain), 0);
	log_close(log);
}

static bool cancel_once(void *user, int64_t done, int64_t total)
{
	int *calls = user;

	assert_true(done <= total);
	return ++*calls == 1;
}

/* An event that arrives while the views are built, before what is built already. */
struct intruder {
	struct fixture *f;
	struct log *log;
	bool done;
};

static bool insert_meanwhile(void *user, int64_t done, int64_t total)
{
	struct intruder *i = user;

	(void)done, (void)total;
	if (!i->done)
		insert_far(i->f, i->log, 5, 50);
	i->done = true;
	return false;
}

static void test_rebuild_in_slices(void **state)
{
	struct fixture *f = *state;
	struct log_options plain = { .create = true };
	struct log *log, *writer;
	struct intruder intruder = { .f = f };
	int calls = 0, i;

	assert_int_equal(log_open(&writer, f->folder, &plain), 0);
	for (i = 0; i < 6; i++)
		fill(f, writer);
	log = fixture_log(f);
	assert_state(log, PROJECTION_NONE);
	assert_int_equal(projection_rebuild(log, cancel_once, &calls), ERR_CANCELLED);
	assert_state(log, PROJECTION_NONE);
	intruder.log = writer;
	assert_int_equal(projection_rebuild(log, insert_meanwhile, &intruder), 0);
	assert_true(intruder.done);
	assert_state(log, PROJECTION_FRESH);
	assert_int_equal(plain_i64(f->db, "SELECT count(*) FROM version"), 6 * EVENTS + 5);
	assert_int_equal(plain_i64(f->db, "SELECT count(DISTINCT gen) FROM slot"), 1);
	log_close(writer);
	log_close(log);
}

static void test_verify_compares_views(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct verify_options o = { .full = true };
	struct verify_report r;

	fill(f, log);
	assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
	assert_int_equal(r.n_defects, 0);
	assert_int_equal(r.checked, EVENTS);
	assert_int_equal(
		plain_sql(f->db,
			"UPDATE version SET state = CAST('T9:forged' AS BLOB) WHERE position ="
			" (SELECT position FROM version ORDER BY position LIMIT 1 OFFSET 40)"),
		0);
	assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
	assert_int_equal(r.n_defects, 1);
	assert_int_equal(r.findings[0].code, VERIFY_PROJECTION);
	log_close(log);
}

static void test_history_of_an_object(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct projection_row *rows;
	size_t n;

	append_n(f, log, 5);
	assert_int_equal(projection_history(log, "object", "even", true, 0, &f->a, &rows, &n), 0);
	assert_int_equal(n, 3);
	assert_string_equal(rows[0].state, "3:4");
	assert_string_equal(rows[2].state, "1:0");
	assert_int_equal(projection_history(log, "object", "even", false, 1, &f->a, &rows, &n), 0);
	assert_int_equal(n, 1);
	assert_string_equal(rows[0].state, "1:0");
	log_close(log);
}

/* More versions than one chain of differences holds, one event at a time and in
 * batches, with an end in between: each position, each way, and after a rebuild. */
static void check_long_history(struct fixture *f, struct log *log)
{
	struct projection_row *up, *down, *some;
	size_t n, n_down, n_some, i;

	check_every_prefix(f, log);
	assert_int_equal(projection_history(log, "object", "a", false, 0, &f->a, &up, &n), 0);
	assert_int_equal(projection_history(log, "object", "a", true, 0, &f->a, &down, &n_down), 0);
	assert_true(n > 300);
	assert_int_equal(n_down, n);
	for (i = 0; i < n; i++) {
		struct projection_row *row;
		int found = projection_get(log, "object", "a", &up[i].position, &f->a, &row);

		assert_int_equal(found, up[i].state != NULL);
		if (found)
			assert_string_equal(row->state, up[i].state);
		assert_string_equal(down[n - 1 - i].state ? down[n - 1 - i].state : "",
			up[i].state ? up[i].state : "");
	}
	for (size_t limit = 1; limit <= n; limit += 37) {
		assert_int_equal(
			projection_history(log, "object", "a", false, limit, &f->a, &some, &n_some),
			0);
		assert_int_equal(n_some, limit);
		assert_string_equal(some[limit - 1].state ? some[limit - 1].state : "",
			up[limit - 1].state ? up[limit - 1].state : "");
		assert_int_equal(
			projection_history(log, "object", "a", true, limit, &f->a, &some, &n_some),
			0);
		assert_int_equal(n_some, limit);
		assert_string_equal(
			some[0].state ? some[0].state : "", up[n - 1].state ? up[n - 1].state : "");
		assert_string_equal(some[limit - 1].state ? some[limit - 1].state : "",
			down[limit - 1].state ? down[limit - 1].state : "");
	}
}

static void append_batch(struct fixture *f, struct log *log, int n, int from)
{
	struct event_draft *d = xcalloc((size_t)n, sizeof *d);
	int i;

	for (i = 0; i < n; i++)
		d[i] = (struct event_draft){ .actor = "tool:t",
			.kind = from + i == 150 ? "test.gone" : "test.value",
			.object = "a",
			.data = event_data(
				&f->a, "value", arena_printf(&f->a, "%d", from + i), NULL) };
	assert_int_equal(log_append_many(log, d, (size_t)n, &f->a, NULL), 0);
	free(d);
}

static void test_long_history(void **state)
{
	struct fixture *f = *state;
	struct log *log = fixture_log(f);
	struct verify_options o = { .full = true };
	struct verify_report r;
	int i;

	for (i = 0; i < 140; i++)
		append_batch(f, log, 1, i);
	for (; i < 320; i += 45)
		append_batch(f, log, 45, i);
	check_long_history(f, log);
	assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
	assert_int_equal(r.n_defects, 0);
	insert_far(f, log, 5, 50);
	assert_int_equal(projection_rebuild(log, NULL, NULL), 0);
	check_long_history(f, log);
	/* A difference that was changed is noticed, wherever it is met. */
	assert_int_equal(
		plain_sql(f->db,
			"UPDATE version SET state = x'4401000000000e31323334353637' WHERE id = 'a'"
			" AND position = (SELECT position FROM version WHERE id = 'a' ORDER BY position LIMIT 1 OFFSET 20)"),
		0);
	assert_int_equal(log_verify(log, &o, &f->a, &r), 0);
	assert_int_equal(r.n_defects, 1);
	log_close(log);
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_every_prefix),
		TEST(test_merge_makes_stale_and_rebuild_heals),
		TEST(test_merge_that_sorts_last_extends),
		TEST(test_arrival_order_does_not_matter),
		TEST(test_writer_without_projector_leaves_it_behind),
		TEST(test_other_fold_version_is_not_read),
		TEST(test_read_only_builds_in_memory),
		TEST(test_rebuild_in_slices),
		TEST(test_verify_compares_views),
		TEST(test_history_of_an_object),
		TEST(test_long_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
