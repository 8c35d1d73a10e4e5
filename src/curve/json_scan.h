/*
 * json_scan - one JSON object as a flat list of fields, without a tree.
 *
 * For curve rows: nested objects become dotted names, arrays are one field,
 * numbers are read exactly, strings are given decoded, NaN and +-Infinity may
 * stand bare outside strings.  Duplicate keys are all listed; the last wins at
 * the reader.  Bounded depth; nothing is read past the end.
 *
 *	struct json_row row = JSON_ROW_INIT;
 *	size_t used;
 *
 *	if (json_scan_object(&row, p, n, &used) == JSON_SCAN_OK)
 *		for (size_t i = 0; i < row.n; i++)
 *			use(&row.fields[i]);
 *	json_row_release(&row);
 */
#ifndef PORTSIDE_CURVE_JSON_SCAN_H
#define PORTSIDE_CURVE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/reader_number.h"

enum json_field_kind {
	JSON_FIELD_NUMBER,
	JSON_FIELD_TEXT,
	JSON_FIELD_BOOL,
	JSON_FIELD_NULL,
	JSON_FIELD_ARRAY
};

struct json_field {
	const char *name;	/* dotted; borrowed from the line or the row */
	size_t name_n;
	enum json_field_kind kind;
	struct number number;	/* JSON_FIELD_NUMBER, and JSON_FIELD_BOOL as 0 or 1 */
	const char *text;	/* JSON_FIELD_TEXT, decoded; a number or an array: as written */
	size_t text_n;
};

struct json_row {
	struct json_field *fields;
	size_t n, cap;
	uint64_t name_bits;	/* a bit per name: most absent names are seen at once */
	struct buf prefix;	/* of the nested object at hand, with its dot */
	char *room;		/* decoded texts, behind them dotted names */
	size_t room_n, dotted_n, room_cap;
};

#define JSON_ROW_INIT { .prefix = BUF_INIT }

enum json_scan_result { JSON_SCAN_OK, JSON_SCAN_BAD, JSON_SCAN_CUT /* the text ends inside */ };

enum { JSON_SCAN_DEPTH_MAX = 64 };

/* P must begin with '{'; *USED is the length of the object, or for JSON_SCAN_BAD
 * the place of the error. */
enum json_scan_result json_scan_object(struct json_row *row, const char *p, size_t n, size_t *used);

/* Skips any value; the result as above. */
enum json_scan_result json_skip_value(const char *p, size_t n, size_t *used);

/* Last field of that name, NULL when there is none. */
const struct json_field *json_row_find(const struct json_row *row, const char *name);

/* The field as a number: also quoted numbers and booleans. */
bool json_field_number(const struct json_field *f, struct number *out);

void json_row_release(struct json_row *row);

#endif
