/* object - see object.h. */
#include "config.h"

#include "domain/object.h"

#include <string.h>

#include "base/err.h"

const struct object_type *object_type_find(const char *name)
{
	for (size_t i = 0; i < object_types_n; i++)
		if (strcmp(object_types[i].name, name) == 0)
			return &object_types[i];
	return NULL;
}

int object_decode(void **out, struct arena *a, const char *type, const char *text, size_t n)
{
	const struct object_type *t = object_type_find(type);
	const struct json *j = NULL;
	int rc;

	if (!t)
		return err_set(ERR_NOT_FOUND, "\"%s\" is not a type of object", type);
	if (text && (rc = json_parse(&j, a, text, n, JSON_STRICT)) < 0)
		return err_prefix("state of a %s: ", type);
	*out = arena_alloc(a, t->shape->size);
	shape_decode(*out, t->shape, a, j);
	return 0;
}

int object_decode_members(void **out, struct arena *a, const char *type, const char *text, size_t n,
	const char *const *names)
{
	const struct object_type *t = object_type_find(type);
	struct buf part = BUF_INIT;
	int rc;

	if (!t)
		return err_set(ERR_NOT_FOUND, "\"%s\" is not a type of object", type);
	/* A text in another form than ours is left to the parser, whole. */
	if (!shape_pick(&part, t->shape, text, n, names)) {
		buf_release(&part);
		return object_decode(out, a, type, text, n);
	}
	rc = object_decode(out, a, type, part.s, part.n);
	buf_release(&part);
	return rc;
}

void object_encode(struct buf *out, const char *type, const void *state)
{
	const struct object_type *t = object_type_find(type);

	if (t)
		shape_encode(out, t->shape, state);
}

static struct entry *entry_in(const struct state_shape *s, char *state, const char *event);

static struct entry *entry_in_list(const struct member *m, char *state, const char *event)
{
	char *list;
	size_t n;

	memcpy(&list, state + m->offset, sizeof list);
	memcpy(&n, state + m->count_offset, sizeof n);
	for (size_t i = 0; i < n; i++) {
		struct entry *found = entry_in(m->shape, list + i * m->shape->size, event);

		if (found)
			return found;
	}
	return NULL;
}

static struct entry *entry_in(const struct state_shape *s, char *state, const char *event)
{
	struct entry *found = NULL;

	if (s == object_entry_shape) {
		found = (struct entry *)(void *)state;
		return strcmp(found->event, event) == 0 ? found : NULL;
	}
	for (size_t i = 0; i < s->n && !found; i++) {
		const struct member *m = &s->members[i];

		if (m->type == MEMBER_LIST)
			found = entry_in_list(m, state, event);
		else if (m->type == MEMBER_STRUCT)
			found = entry_in(m->shape, state + m->offset, event);
	}
	return found;
}

struct entry *object_entry(const char *type, void *state, const char *event)
{
	const struct object_type *t = object_type_find(type);

	return t ? entry_in(t->shape, state, event) : NULL;
}

/* ---- migration -------------------------------------------------------------- */

static enum level best_of(const struct level_count *c)
{
	for (int i = 4; i >= 0; i--)
		if (c->at[i] > 0)
			return level_from_index(i);
	return LEVEL_UNSET;
}

void measured_add_remarks(struct buf *out, const struct measured *m)
{
	const struct { bool holds; const char *text; } remarks[] = {
		{ m->inherited, "inherited: the reference misses the goal too" },
		{ m->awaits_signoff,
			"missed as the reference misses it: an approval of L3 inherits it" },
		{ m->loosened_after_failure, "by a goal that was loosened after it had failed" },
		{ m->loosened && !m->loosened_after_failure,
			"by a goal that was loosened after the first run" },
		{ m->reference_misses,
			"the reference misses the goal: why is the migration better?" },
		{ m->no_reference, "no run of the reference stands beside it" },
	};
	const char *between = " (";

	for (size_t i = 0; i < ARRAY_LEN(remarks); i++) {
		if (!remarks[i].holds)
			continue;
		buf_addf(out, "%s%s", between, remarks[i].text);
		between = "; ";
	}
	if (*between == ';')
		buf_addc(out, ')');
}

const struct level_count *migration_level_count(
	const struct migration_state *m, const char *configuration)
{
	for (size_t i = 0; i < m->levels_n; i++)
		if (strcmp(m->levels[i].configuration, configuration) == 0)
			return &m->levels[i];
	return NULL;
}

void level_count_add(struct buf *out, const struct level_count *c)
{
	int64_t n = c ? c->at[3] + c->at[4] : 0;

	if (n)
		buf_addf(out, "%lld at L3 or above (%lld + %lld inherited)", (long long)n,
			(long long)(n - c->inherited), (long long)c->inherited);
}

bool migration_requires(const struct migration_state *m, const char *check)
{
	const struct check_item *item = check_find(check);

	if (!item || strcmp(item->level, "L2") != 0 || !m->required_n)
		return true;
	for (size_t i = 0; i < m->required_n; i++)
		if (strcmp(m->required[i], check) == 0)
			return true;
	return false;
}

enum level migration_best(const struct migration_state *m, const char *configuration)
{
	for (size_t i = 0; i < m->levels_n; i++)
		if (strcmp(m->levels[i].configuration, configuration) == 0)
			return best_of(&m->levels[i]);
	return LEVEL_UNSET;
}

bool migration_line_abandoned(const struct migration_state *m, const char *line)
{
	for (size_t i = 0; i < m->endings_n; i++) {
		const struct ending *e = &m->endings[i];

		if (!*e->entry.struck && e->choice == DECISION_ABANDON_LINE &&
			    strcmp(e->line, line) == 0)
			return true;
	}
	return false;
}

enum level migration_best_anywhere(const struct migration_state *m)
{
	enum level best = LEVEL_UNSET;

	for (size_t i = 0; i < m->levels_n; i++) {
		enum level l = best_of(&m->levels[i]);

		if (l > best)
			best = l;
	}
	return best;
}

/* ---- attempt ---------------------------------------------------------------- */

/* An entry that names no configuration speaks of all of them. */
static bool speaks_of(const char *named, const char *configuration)
{
	return !*named || strcmp(named, configuration) == 0;
}

const struct expectation *attempt_expected(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = s->expected_n; i-- > 0;) {
		const struct expectation *e = &s->expected[i];

		if (!*e->entry.struck && !e->late && speaks_of(e->configuration, configuration))
			return e;
	}
	return NULL;
}

const struct claim *attempt_claimed(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = s->claimed_n; i-- > 0;) {
		const struct claim *c = &s->claimed[i];

		if (!*c->entry.struck && speaks_of(c->configuration, configuration))
			return c;
	}
	return NULL;
}

const struct measured *attempt_measured(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->measured_n; i++)
		if (strcmp(s->measured[i].configuration, configuration) == 0)
			return &s->measured[i];
	return NULL;
}

const struct label *attempt_label(const struct attempt_state *s, enum actor_class by)
{
	for (size_t i = s->labels_n; i-- > 0;)
		if (!*s->labels[i].entry.struck && actor_class(s->labels[i].entry.who) == by)
			return &s->labels[i];
	return NULL;
}
