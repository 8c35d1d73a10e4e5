/*
 * json_shape - learns the shape of a row that was one JSON object.
 *
 * The reader says which fields gave the row its place; every other number is a
 * value of the series of its name.  What the reader decides by a number, not by
 * text, becomes a condition: a row where it would decide otherwise has another
 * shape.
 */
#ifndef PORTSIDE_CURVE_JSON_SHAPE_H
#define PORTSIDE_CURVE_JSON_SHAPE_H

#include "curve/json_scan.h"
#include "curve/reader_shape.h"

/* The fields of a row that say where it stands; NULL: it has none. */
struct json_roles {
	const struct json_field *step, *time, *epoch;
	const struct json_field *mode;	/* its text stands before each name */
	bool zone_unknown;		/* of the time */
};

/* How a reader chooses those fields: keys in descending preference, ends with NULL. */
struct json_keys {
	const char *const *step, *const *time;
	const char *ignored;		/* a field that is no value; NULL: none */
};

bool json_field_is_named(const struct json_field *f, const char *name);
bool json_field_has_name_of(const struct json_field *a, const struct json_field *b);

/* The name of the field's series, borrowed from the row or in ROOM. */
const char *json_series_name(
	struct buf *room, const struct json_field *f, const struct json_field *mode, size_t *n);

/*
 * Learns from ROW, which stood at P[0..N) and whose values went to SLOTS on AXIS_STEP.
 * KIND is kept with the shape.
 */
void json_shape_learn(struct shapes *shapes, struct slots *slots, const struct json_row *row,
	const char *p, size_t n, const struct json_roles *roles, const struct json_keys *keys,
	int kind);

#endif
