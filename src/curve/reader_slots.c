/* reader_slots - a table of names and the row that is being gathered. */
#include "config.h"

#include "curve/reader_slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_FIRST = 64 };

void slots_release(struct slots *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->slots[i].name);
	free(s->slots);
	free(s->table);
	free(s->named);
	*s = (struct slots){ 0 };
}

static uint32_t hash_name(const char *name, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ n;
	uint64_t part;

	for (; n >= 8; n -= 8, name += 8) {
		memcpy(&part, name, 8);
		h = (h ^ part) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	part = 0;
	memcpy(&part, name, n);
	h = (h ^ part) * 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(h ^ h >> 32);
}

static bool is_named(const struct slot *slot, const char *name, size_t n)
{
	return slot->name_n == n && memcmp(slot->name, name, n) == 0;
}

static void grow_table(struct slots *s)
{
	size_t n = s->table_n ? s->table_n * 2 : TABLE_FIRST;

	free(s->table);
	s->table = xcalloc(n, sizeof *s->table);
	s->table_n = n;
	for (size_t i = 0; i < s->n; i++) {
		size_t at = s->slots[i].hash & (n - 1);

		while (s->table[at])
			at = (at + 1) & (n - 1);
		s->table[at] = (uint32_t)i + 1;
	}
}

static size_t add_slot(struct slots *s, const char *name, size_t n, uint32_t hash, size_t at)
{
	if (s->n >= SLOTS_MAX || n > SLOT_NAME_MAX) {
		s->full = true;
		return SIZE_MAX;
	}
	ARRAY_GROW(s->slots, s->n, s->cap);
	s->slots[s->n] = (struct slot){ .name = xmalloc(n + 1), .name_n = n, .hash = hash };
	memcpy(s->slots[s->n].name, name, n);
	s->slots[s->n].name[n] = '\0';
	s->table[at] = (uint32_t)s->n + 1;
	return s->n++;
}

static size_t look_up(struct slots *s, const char *name, size_t n)
{
	uint32_t hash = hash_name(name, n);
	size_t at;

	if (s->n * 2 >= s->table_n)
		grow_table(s);
	at = hash & (s->table_n - 1);
	for (; s->table[at]; at = (at + 1) & (s->table_n - 1)) {
		size_t i = s->table[at] - 1;

		if (s->slots[i].hash == hash && is_named(&s->slots[i], name, n))
			return i;
	}
	return add_slot(s, name, n, hash, at);
}

size_t slots_find(struct slots *s, const char *name, size_t n)
{
	size_t i = s->next;

	if (i >= s->n || !is_named(&s->slots[i], name, n))
		i = look_up(s, name, n);
	if (i != SIZE_MAX)
		s->next = i + 1 < s->n ? i + 1 : 0;
	return i;
}

void slots_begin_row(struct slots *s)
{
	s->row++;
	s->n_named = 0;
	s->next = 0;
	s->left_out = 0;
}

static struct slot *name_in_row(struct slots *s, size_t i)
{
	struct slot *slot = &s->slots[i];

	if (slot->row != s->row) {
		slot->row = s->row;
		slot->present = false;
		ARRAY_GROW(s->named, s->n_named, s->cap_named);
		s->named[s->n_named++] = i;
	}
	return slot;
}

void slots_put_number(struct slots *s, size_t i, double value)
{
	struct slot *slot;

	if (i == SIZE_MAX) {
		s->left_out++;
		return;
	}
	slot = name_in_row(s, i);
	s->left_out += slot->present;
	slot->value = value;
	slot->present = true;
}

void slots_put(struct slots *s, const char *name, size_t n, double value)
{
	slots_put_number(s, slots_find(s, name, n), value);
}

void slots_put_absent(struct slots *s, const char *name, size_t n)
{
	size_t i = slots_find(s, name, n);

	if (i == SIZE_MAX || s->slots[i].row != s->row)
		return;
	s->left_out += s->slots[i].present;
	s->slots[i].present = false;
}

size_t slots_count(const struct slots *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->n_named; i++)
		count += s->slots[s->named[i]].present;
	return count;
}

struct series *slots_series(struct slots *s, struct curve_sink *sink, size_t i, enum axis axis)
{
	struct slot *slot = &s->slots[i];

	if (!slot->series[axis])
		slot->series[axis] = run_series_get(sink->series, slot->name, slot->name_n, axis);
	return slot->series[axis];
}

static void emit_one(struct slots *s, struct curve_sink *sink, const struct row_x *x, size_t i)
{
	struct series *series = slots_series(s, sink, i, x->axis);

	if (x->axis == AXIS_EPOCH || x->axis == AXIS_TIME)
		curve_sink_real(sink, series, x->real, x->wall_s, s->slots[i].value);
	else
		curve_sink_point(sink, series, x->step, x->wall_s, s->slots[i].value);
	if (x->axis != AXIS_EPOCH && !isnan(x->epoch))
		series_set_epoch(series, x->epoch);
	series->x_derived |= x->derived;
}

static void say_full(const struct slots *s, struct curve_sink *sink)
{
	if (s->full)
		curve_notes_add(&sink->notes, "too-many-names",
			"%s: more than %d names, or a name over %d bytes; the others are left out",
			sink->name, SLOTS_MAX, SLOT_NAME_MAX);
}

void slots_leave_out(struct slots *s, struct curve_sink *sink)
{
	sink->health.left_out++;
	say_full(s, sink);
}

void slots_emit(struct slots *s, struct curve_sink *sink, const struct row_x *x)
{
	for (size_t i = 0; i < s->n_named; i++)
		if (s->slots[s->named[i]].present)
			emit_one(s, sink, x, s->named[i]);
	sink->health.left_out += s->left_out;
	s->left_out = 0;
	say_full(s, sink);
}
