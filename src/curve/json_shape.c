/* json_shape - the holes of a JSON row, and the conditions on them. */
#include "config.h"

#include "curve/json_shape.h"

#include <string.h>

/* Rows that get a shape: few fields, far from outgrowing the room for dotted names. */
enum { FIELDS_MAX = 128, DOTTED_BYTES_MAX = 2048 };

/* The row that is learnt. */
struct lesson {
	struct slots *slots;
	struct shape *shape;
	const char *p;
	size_t n;
	const struct json_roles *roles;
	const struct json_keys *keys;
	struct buf name;
};

bool json_field_is_named(const struct json_field *f, const char *name)
{
	return f->name_n == strlen(name) && memcmp(f->name, name, f->name_n) == 0;
}

bool json_field_has_name_of(const struct json_field *a, const struct json_field *b)
{
	return b && a->name_n == b->name_n && memcmp(a->name, b->name, a->name_n) == 0;
}

const char *json_series_name(
	struct buf *room, const struct json_field *f, const struct json_field *mode, size_t *n)
{
	*n = f->name_n;
	if (!mode)
		return f->name;
	buf_clear(room);
	buf_add(room, mode->text, mode->text_n);
	buf_addc(room, '/');
	buf_add(room, f->name, f->name_n);
	*n = room->n;
	return room->s;
}

/* Place of a field among keys of descending preference; their number when it is none. */
static size_t rank_of(const char *const *keys, const struct json_field *f)
{
	size_t i = 0;

	while (keys[i] && (!f || !json_field_is_named(f, keys[i])))
		i++;
	return i;
}

static bool is_ignored(const struct lesson *l, const struct json_field *f)
{
	return l->keys->ignored && json_field_is_named(f, l->keys->ignored);
}

/* The text stands in the line as it is: nothing was decoded. */
static bool is_in_line(const struct lesson *l, const struct json_field *f)
{
	return (uintptr_t)f->text >= (uintptr_t)l->p &&
		(uintptr_t)f->text + f->text_n <= (uintptr_t)l->p + l->n;
}

/* A number, bare or in quotes.  A mode is a word, whatever it looks like. */
static bool is_token(const struct lesson *l, const struct json_field *f)
{
	struct number number;

	if (f->kind == JSON_FIELD_NUMBER)
		return true;
	return f->kind == JSON_FIELD_TEXT && !is_ignored(l, f) && is_in_line(l, f) &&
		number_read(&number, f->text, f->text_n);
}

/* What the choice of step and time rests on, but for the names. */
static enum shape_condition condition_of(const struct lesson *l, const struct json_field *f)
{
	const struct json_keys *keys = l->keys;

	if (f == l->roles->step)
		return SHAPE_WHOLE;
	if (f == l->roles->time)
		return SHAPE_WALL_TIME;
	if (rank_of(keys->step, f) < rank_of(keys->step, l->roles->step))
		return SHAPE_NOT_WHOLE;
	if (rank_of(keys->time, f) < rank_of(keys->time, l->roles->time))
		return SHAPE_NO_WALL_TIME;
	return SHAPE_ANY;
}

static enum shape_role role_of(const struct lesson *l, const struct json_field *f)
{
	if (f == l->roles->step)
		return SHAPE_STEP;
	if (f == l->roles->time)
		return SHAPE_WALL;
	if (f == l->roles->epoch)
		return SHAPE_EPOCH;
	return is_ignored(l, f) ? SHAPE_IGNORED : SHAPE_VALUE;
}

static size_t slot_of(struct lesson *l, const struct json_field *f)
{
	size_t n;
	const char *name = json_series_name(&l->name, f, l->roles->mode, &n);
	size_t slot = slots_find(l->slots, name, n);

	return slot == SIZE_MAX || !l->slots->slots[slot].series[AXIS_STEP] ? SIZE_MAX : slot;
}

static bool add_hole(struct lesson *l, const struct json_field *f)
{
	struct shape_hole hole = {
		.token = SHAPE_NUMBER,
		.role = role_of(l, f),
		.condition = condition_of(l, f),
	};

	if (hole.role == SHAPE_VALUE) {
		hole.slot = slot_of(l, f);
		if (hole.slot == SIZE_MAX)
			return false;
		hole.series = l->slots->slots[hole.slot].series[AXIS_STEP];
	}
	return shape_add(l->shape, f->text, f->text_n, &hole);
}

/* What stays text in the shape.  False when the row's place is in it. */
static bool add_text(struct lesson *l, const struct json_field *f)
{
	struct shape_hole hole = { .token = SHAPE_TIME, .role = SHAPE_WALL, .stop = '"' };
	const struct json_roles *roles = l->roles;
	struct number n;
	bool is_number = json_field_number(f, &n);
	size_t slot;

	if (f == roles->time && f->kind == JSON_FIELD_TEXT && is_in_line(l, f) && !is_number)
		return shape_add(l->shape, f->text, f->text_n, &hole);
	if (f == roles->step || f == roles->time || (f == roles->epoch && is_number))
		return false;
	if (f == roles->epoch || is_ignored(l, f))
		return true;
	if (!is_number) {
		l->shape->non_numeric += f->kind != JSON_FIELD_NULL;
		return true;
	}
	slot = slot_of(l, f);
	if (slot != SIZE_MAX)
		shape_add_constant(
			l->shape, l->slots->slots[slot].series[AXIS_STEP], slot, n.value);
	return slot != SIZE_MAX;
}

static bool has_duplicates(const struct json_row *row)
{
	for (size_t i = 0; i < row->n; i++)
		for (size_t k = 0; k < i; k++)
			if (json_field_has_name_of(&row->fields[i], &row->fields[k]))
				return true;
	return false;
}

/* Names that are made of several, or were decoded, need room beside the line. */
static bool has_long_names(const struct json_row *row, const char *p, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *f = &row->fields[i];
		uintptr_t at = (uintptr_t)f->name;

		if (at < (uintptr_t)p || at + f->name_n > (uintptr_t)p + n)
			bytes += f->name_n;
	}
	return bytes > DOTTED_BYTES_MAX;
}

static bool add_fields(struct lesson *l, const struct json_row *row)
{
	for (size_t i = 0; i < row->n; i++) {
		const struct json_field *f = &row->fields[i];

		if (is_token(l, f) ? !add_hole(l, f) : !add_text(l, f))
			return false;
	}
	return true;
}

void json_shape_learn(struct shapes *shapes, struct slots *slots, const struct json_row *row,
	const char *p, size_t n, const struct json_roles *roles, const struct json_keys *keys,
	int kind)
{
	struct lesson lesson = { .slots = slots, .p = p, .n = n, .roles = roles, .keys = keys,
		.name = BUF_INIT };

	if (row->n > FIELDS_MAX || has_long_names(row, p, n) || has_duplicates(row))
		return;
	lesson.shape = shapes_begin(shapes, p, n);
	if (!lesson.shape)
		return;
	lesson.shape->kind = kind;
	if (add_fields(&lesson, row))
		shapes_learn(shapes, p, n);
	buf_release(&lesson.name);
}
