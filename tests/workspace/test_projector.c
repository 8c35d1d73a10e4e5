/*
 * test_projector - the views of a log are what a fresh fold of its events
 * gives, at every position: as events are appended, after a rebuild, and after
 * events of another clone came in that sort earlier.
 */
#include "config.h"

#include "tests/unit.h"

#include "base/err.h"
#include "base/fs.h"
#include "domain/kind.h"
#include "store/projection.h"
#include "tests/domain/history.h"
#include "tests/workspace/fixture.h"
#include "tests/workspace/history_of_all_kinds.h"
#include "workspace/projector.h"
#include "workspace/state.h"

static struct event **all_events(struct workspace_fixture *f, size_t *n)
{
	struct event_query q = { 0 };
	struct event **events;

	assert_int_equal(log_events(workspace_log(fixture_workspace(f)), &q, &f->a, &events, n), 0);
	return events;
}

static void fold_prefix(struct history *h, struct event **events, size_t n)
{
	history_init(h);
	for (size_t i = 0; i < n; i++) {
		ARRAY_GROW(h->events, h->events_n, h->events_cap);
		h->events[h->events_n++] = events[i];
		history_fold(h, events[i]);
	}
}

/* How many objects of TYPE the fold knows. */
static size_t count_objects(const struct history *h, const char *type)
{
	size_t n = 0;

	for (size_t i = 0; i < h->versions_n; i++) {
		const struct version *v = &h->versions[i];

		n += strcmp(v->type, type) == 0 &&
			history_version(h, v->type, v->id, (size_t)-1) == v;
	}
	return n;
}

static void assert_views_at(
	struct workspace_fixture *f, const struct history *h, const struct position *at)
{
	struct log *log = workspace_log(f->ws);
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < h->versions_n; i++) {
		const struct version *v =
			history_version(h, h->versions[i].type, h->versions[i].id, (size_t)-1);
		struct projection_row *row;

		assert_int_equal(projection_get(log, v->type, v->id, at, &a, &row), 1);
		assert_string_equal(row->state, v->text);
		assert_string_equal(row->parent ? row->parent : "", v->parent);
		assert_int_equal(row->sort, v->sort);
	}
	for (size_t i = 0; i < object_types_n; i++) {
		struct projection_query q = { .type = object_types[i].name, .at = at };
		int64_t n;

		assert_int_equal(projection_count(log, &q, &n), 0);
		assert_int_equal(n, count_objects(h, object_types[i].name));
	}
	arena_release(&a);
}

static void assert_views_at_every_place(struct workspace_fixture *f)
{
	struct event **events;
	size_t n;

	events = all_events(f, &n);
	for (size_t k = 1; k <= n; k++) {
		struct position at = event_position(events[k - 1]);
		struct history h;

		fold_prefix(&h, events, k);
		assert_views_at(f, &h, &at);
		if (k == n)
			assert_views_at(f, &h, NULL);
		history_release(&h);
	}
}

static void test_history_has_every_kind(void **state)
{
	struct workspace_fixture *f = *state;

	history_of_all_kinds(f);
	for (size_t i = 0; i < kinds_n; i++)
		if (fixture_count(f, kinds[i].name, NULL) == 0)
			fail_msg("no %s", kinds[i].name);
}

static void test_as_events_are_appended(void **state)
{
	struct workspace_fixture *f = *state;

	history_of_all_kinds(f);
	assert_views_at_every_place(f);
}

/* Views that another version of the fold made are built anew. */
static void test_after_a_rebuild(void **state)
{
	struct workspace_fixture *f = *state;
	struct fold_projector *p = fold_projector_new();
	struct projector other = *fold_projector_table(p);
	struct log_options o = { .projector = &other };
	enum projection_state views;
	struct log *log;

	history_of_all_kinds(f);
	fixture_close(f);
	other.fold_version++;
	assert_int_equal(log_open(&log, fs_join(&f->a, f->git.repo, ".git/portside"), &o), 0);
	assert_int_equal(projection_state(log, &views), 0);
	assert_int_equal(views, PROJECTION_NONE);
	assert_int_equal(projection_rebuild(log, NULL, NULL), 0);
	log_close(log);
	fold_projector_free(p);
	assert_int_equal(projection_state(workspace_log(fixture_workspace(f)), &views), 0);
	assert_int_equal(views, PROJECTION_NONE);
	assert_int_equal(state_ready(f->ws), 0);
	assert_views_at_every_place(f);
}

/* A clone's events that sort between ours. */
static void test_after_a_merge(void **state)
{
	struct workspace_fixture *f = *state;
	struct event_bytes *bytes;
	struct foreign_result result;
	enum projection_state views;
	struct event **events;
	size_t n;

	for (int i = 0; i < 3; i++) {
		fixture_record(f, "human:eve", "note.written", "2", "text", "from elsewhere", NULL);
		fixture_record(f, "human:eve", "attempt.labelled", "1", "outcome", "failure",
			"cause", "C1", NULL);
	}
	fixture_record(f, "human:eve", "goal.set", "loss", "metric", "loss", "form", "band",
		"direction", "lower", "low", "0", "high", "1", NULL);
	events = all_events(f, &n);
	bytes = arena_alloc(&f->a, n * sizeof *bytes);
	for (size_t i = 0; i < n; i++)
		bytes[i] = (struct event_bytes){ events[i]->body, events[i]->body_n };
	fixture_close(f);
	assert_int_equal(fs_remove_tree(fs_join(&f->a, f->git.repo, ".git/portside")), 0);
	history_of_all_kinds(f);
	assert_int_equal(log_insert_foreign(workspace_log(f->ws), bytes, n, &result), 0);
	assert_int_equal(result.added, n);
	assert_int_equal(projection_state(workspace_log(f->ws), &views), 0);
	assert_int_equal(views, PROJECTION_STALE);
	assert_int_equal(state_ready(f->ws), 0);
	assert_int_equal(projection_state(workspace_log(f->ws), &views), 0);
	assert_int_equal(views, PROJECTION_FRESH);
	assert_views_at_every_place(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_ ## name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(history_has_every_kind),
		TEST(as_events_are_appended),
		TEST(after_a_rebuild),
		TEST(after_a_merge),
	};

	return cmocka_run_group_tests_name("projector", tests, NULL, NULL);
}
