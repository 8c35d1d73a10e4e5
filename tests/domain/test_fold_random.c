/*
 * test_fold_random - properties of the fold on generated histories: versions
 * at every k are those of a fresh fold of the prefix, arrival order does not
 * matter once events are sorted, and counts agree with the objects.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "domain/kind.h"
#include "history.h"

enum { SEEDS = 12, EVENTS = 150 };

struct random { uint64_t state; };

static unsigned pick(struct random *r, unsigned n)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((r->state >> 33) % n);
}

static const char *one_of(struct random *r, const char *const *list, size_t n)
{
	return list[pick(r, (unsigned)n)];
}

static const char *const targets[] = { "v5e-1", "v5e-4", "gpu-l4" };
static const char *const attempts[] = { "1", "2", "3", "tpu/1" };
static const char *const actors[] = { "human:ana", "agent:claude", "tool:x" };

static const char *object_of(struct random *r, struct arena *a, const struct kind *k)
{
	const char *attempt = one_of(r, attempts, ARRAY_LEN(attempts)),
		   *target = one_of(r, targets, ARRAY_LEN(targets));
	const struct check_item *item = &check_items[pick(r, (unsigned)check_items_n)];

	if (strcmp(k->object, "attempt") == 0 || strcmp(k->object, "any") == 0)
		return attempt;
	if (strcmp(k->object, "assessment") == 0)
		return assessment_object_id(a, attempt, target);
	if (strcmp(k->object, "check") == 0)
		return check_object_id(
			a, attempt, target, item->per_goal ? "goal.accuracy" : item->id);
	if (strcmp(k->object, "goal") == 0)
		return pick(r, 2) ? "accuracy" : "loss";
	return arena_printf(a, "%s-%u", k->object, pick(r, 4));
}

static const char *text_of(
	struct random *r, struct arena *a, const struct event *e, const struct kind_field *f)
{
	static const char *const fields[] = { "state", "rc", "why", "steps", "elapsed_ns",
		"started_ns", "ended_ns" };
	static const char *const subjects[] = { "attempt:1", "alarm:alarm-1",
		"line:", "migration:", "line:tpu" };
	const char *slash = strchr(e->object, '/');

	if (strcmp(f->name, "n") == 0)
		return slash ? slash + 1 : e->object;
	if (strcmp(f->name, "line") == 0)
		return slash ? "tpu" : "";
	if (strcmp(f->name, "attempt") == 0)
		return pick(r, 6) ? one_of(r, attempts, ARRAY_LEN(attempts)) : "reference";
	if (strcmp(f->name, "target") == 0 || strcmp(f->name, "configuration") == 0)
		return one_of(r, targets, ARRAY_LEN(targets));
	if (strcmp(f->name, "field") == 0)
		return one_of(r, fields, ARRAY_LEN(fields));
	if (strcmp(f->name, "new") == 0)
		return pick(r, 2) ? "failed" : "7";
	if (strcmp(f->name, "subject") == 0)
		return one_of(r, subjects, ARRAY_LEN(subjects));
	if (strcmp(f->name, "cause") == 0)
		return arena_printf(a, "C%u", pick(r, 7));
	return arena_printf(a, "t%u", pick(r, 3));
}

static void add_field(struct random *r, struct arena *a, struct buf *b, const struct event *e,
	const struct kind_field *f)
{
	switch (f->type) {
	case KIND_FIELD_INTEGER:
	case KIND_FIELD_NUMBER:
		if (strcmp(f->name, "n") == 0)
			buf_addf(b, "\"%s\"", text_of(r, a, e, f));
		else
			buf_addf(b, "\"%u\"", pick(r, 4));
		break;
	case KIND_FIELD_FLAG:
		buf_adds(b, pick(r, 2) ? "\"yes\"" : "\"no\"");
		break;
	case KIND_FIELD_DIGEST:
	case KIND_FIELD_BLOB:
		buf_addf(b, "\"%064x\"", pick(r, 100));
		break;
	case KIND_FIELD_WORD:
		buf_addf(b, "\"%s\"", f->words->list[pick(r, (unsigned)f->words->n)].name);
		break;
	case KIND_FIELD_LIST:
		buf_adds(b, strcmp(f->name, "secondary") == 0 ? "[\"C1\"]" : "[\"e1\",\"e2\"]");
		break;
	case KIND_FIELD_OBJECT:
		buf_addf(b, "{\"messages\":\"%u\",\"output\":\"%u\",\"steps\":\"%s\"}", pick(r, 9),
			pick(r, 9), pick(r, 2) ? "yes" : "no");
		break;
	case KIND_FIELD_TEXT:
		buf_addf(b, "\"%s\"", text_of(r, a, e, f));
		break;
	}
}

static const struct json *strike_data(struct history *h, struct random *r, struct event *e)
{
	struct buf b = BUF_INIT;
	const struct json *data = NULL;
	const struct event *old = h->events[pick(r, (unsigned)h->events_n)];
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &old->id);
	e->object = arena_strdup(&h->arena, hex);
	e->actor = old->actor;
	buf_addf(&b, "{\"kind\":\"%s\",\"of\":\"%s\",\"reason\":\"%s\"}", old->kind, old->object,
		hex);
	assert_int_equal(json_parse(&data, &h->arena, b.s, b.n, JSON_STRICT), 0);
	buf_release(&b);
	return data;
}

static const struct json *random_data(
	struct history *h, struct random *r, const struct kind *k, struct event *e)
{
	struct buf b = BUF_INIT;
	const struct json *data = NULL;
	const char *between = "";

	buf_addc(&b, '{');
	for (size_t i = 0; k->fields[i].name; i++) {
		if (!k->fields[i].required && strcmp(k->fields[i].name, "line") != 0 && !pick(r, 3))
			continue;
		buf_addf(&b, "%s\"%s\":", between, k->fields[i].name);
		add_field(r, &h->arena, &b, e, &k->fields[i]);
		between = ",";
	}
	buf_addc(&b, '}');
	assert_int_equal(json_parse(&data, &h->arena, b.s, b.n, JSON_STRICT), 0);
	buf_release(&b);
	return data;
}

static struct event *random_event(struct history *h, struct random *r)
{
	struct event e = { .actor = one_of(r, actors, ARRAY_LEN(actors)) };
	const struct kind *k;
	const struct json *data;

	do {
		k = &kinds[pick(r, (unsigned)kinds_n)];
	} while (!h->events_n && strcmp(k->name, "event.superseded") == 0);
	while (!(k->by & (strncmp(e.actor, "human", 5) == 0	     ? BY_HUMAN
				 : strncmp(e.actor, "agent", 5) == 0 ? BY_AGENT
								     : BY_TOOL)))
		e.actor = one_of(r, actors, ARRAY_LEN(actors));
	e.kind = k->name;
	e.object = object_of(r, &h->arena, k);
	data = strcmp(k->name, "event.superseded") == 0 ? strike_data(h, r, &e)
							: random_data(h, r, k, &e);
	return history_event(h, e.actor, e.kind, e.object, data);
}

/* All versions of two histories agree up to event AT. */
static void assert_same(const struct history *a, const struct history *b, size_t at)
{
	for (size_t i = 0; i < a->versions_n; i++) {
		const struct version *v = &a->versions[i], *x, *y;

		if (v->at > at)
			break;
		x = history_version(a, v->type, v->id, at);
		y = history_version(b, v->type, v->id, at);
		assert_non_null(y);
		assert_int_equal(x->at, y->at);
		assert_string_equal(x->text, y->text);
		assert_string_equal(x->parent, y->parent);
		assert_int_equal(x->sort, y->sort);
	}
}

static void copy_prefix(struct history *to, const struct history *from, size_t n)
{
	history_init(to);
	for (size_t i = 0; i < n; i++) {
		ARRAY_GROW(to->events, to->events_n, to->events_cap);
		to->events[to->events_n++] = from->events[i];
	}
	for (size_t i = 0; i < n; i++)
		history_fold(to, to->events[i]);
}

static void versions_equal_a_fresh_fold_at_every_k(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct random r = { seed };
		struct history h, fresh;

		history_init(&h);
		for (int i = 0; i < EVENTS; i++)
			history_fold(&h, random_event(&h, &r));
		assert_true(h.versions_n > EVENTS / 2);
		for (size_t k = 1; k <= h.events_n; k += 1 + k / 20) {
			copy_prefix(&fresh, &h, k);
			assert_same(&h, &fresh, k - 1);
			assert_same(&fresh, &h, k - 1);
			history_release(&fresh);
		}
		history_release(&h);
	}
}

static int by_position(const void *a, const void *b)
{
	struct position x = event_position(*(struct event *const *)a),
			y = event_position(*(struct event *const *)b);

	return position_compare(&x, &y);
}

static void arrival_order_does_not_matter(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct random r = { seed * 77 };
		struct history h, other;

		history_init(&h);
		for (int i = 0; i < EVENTS; i++)
			history_fold(&h, random_event(&h, &r));
		history_init(&other);
		other.events = xcalloc(h.events_n, sizeof *other.events);
		memcpy(other.events, h.events, h.events_n * sizeof *other.events);
		other.events_n = other.events_cap = h.events_n;
		for (size_t i = h.events_n - 1; i > 0; i--) {
			size_t k = pick(&r, (unsigned)i + 1);
			struct event *swap = other.events[i];

			other.events[i] = other.events[k];
			other.events[k] = swap;
		}
		qsort(other.events, other.events_n, sizeof *other.events, by_position);
		for (size_t i = 0; i < other.events_n; i++)
			history_fold(&other, other.events[i]);
		assert_int_equal(h.versions_n, other.versions_n);
		assert_same(&h, &other, h.events_n);
		history_release(&other);
		history_release(&h);
	}
}

/* Sums over the latest states give the migration's counts. */
static void assert_counts(struct history *h)
{
	const struct migration_state *m = history_state(h, "migration", MIGRATION_ID);
	int64_t attempts_n = 0, live = 0, failures = 0, open = 0, minutes = 0, levels = 0,
		measured_n = 0;

	for (size_t i = 0; i < h->versions_n; i++) {
		const struct version *v = &h->versions[i];
		void *s;

		if (history_version(h, v->type, v->id, (size_t)-1) != v)
			continue;
		s = history_state(h, v->type, v->id);
		if (strcmp(v->type, "attempt") == 0) {
			const struct attempt_state *a = s;
			bool exists = false;

			for (size_t k = 0; k < a->observations_n; k++)
				exists = exists || !*a->observations[k].entry.struck;
			for (size_t k = 0; k < a->runs_n; k++)
				exists = exists || !a->runs[k].struck;
			attempts_n += exists;
			failures += exists && a->outcome == OUTCOME_FAILURE;
			measured_n += (int64_t)a->measured_n;
		} else if (strcmp(v->type, "run") == 0) {
			const struct run_state *run = s;

			live += *run->prepared.event && !*run->prepared.struck &&
				!run_status_ended(run->state);
		} else if (strcmp(v->type, "alarm") == 0) {
			open += ((struct alarm_state *)s)->open;
		} else if (strcmp(v->type, "intervention") == 0) {
			const struct intervention_state *n = s;

			minutes += n->counted ? n->entries[n->in_force].minutes : 0;
		}
	}
	for (size_t i = 0; i < m->levels_n; i++)
		for (int k = 0; k < 5; k++) {
			assert_true(m->levels[i].at[k] >= 0);
			levels += m->levels[i].at[k];
		}
	assert_int_equal(m->counts.attempts, attempts_n);
	assert_int_equal(m->counts.failures, failures);
	assert_int_equal(m->counts.runs_live, live);
	assert_int_equal(m->counts.alarms_open, open);
	assert_int_equal(m->counts.intervention_minutes, minutes);
	assert_int_equal(levels, measured_n);
}

static void counts_are_sums_over_objects(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct random r = { seed * 1009 };
		struct history h;

		history_init(&h);
		for (int i = 0; i < EVENTS; i++) {
			history_fold(&h, random_event(&h, &r));
			if (i % 10 == 9)
				assert_counts(&h);
		}
		history_release(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_equal_a_fresh_fold_at_every_k),
		cmocka_unit_test(arrival_order_does_not_matter),
		cmocka_unit_test(counts_are_sums_over_objects),
	};

	return cmocka_run_group_tests_name("fold random", tests, NULL, NULL);
}
