/*
 * table - the typed rows that every command returns, and their four forms.
 *
 * A command builds one table in an arena: columns first, then rows, cell by
 * cell.  The same table becomes aligned text for people, Markdown, CSV, or JSON
 * with a schema number; no command formats a value itself.
 *
 *	static const struct report_column columns[] = {
 *		{ "attempt", "#", REPORT_INTEGER, NULL },
 *		{ "outcome", "outcome", REPORT_TEXT, NULL },
 *		{ "cost_nano_usd", "cost", REPORT_MONEY, NULL },
 *	};
 *	struct report_table *t = report_table_new(&arena, "attempts", columns, ARRAY_LEN(columns));
 *
 *	report_row(t);
 *	report_integer(t, "attempt", 7);
 *	report_text(t, "outcome", "error");
 *	report_unknown(t, "cost_nano_usd");
 *	report_table_text(t, &out, &(struct report_style){ .width = 80 });
 *
 * A cell that was not set is none (text "-", JSON null, CSV empty); a cell whose
 * fact exists but is not known is unknown ("?", "unknown", "unknown").  The two
 * are never mixed up.
 *
 * Strings are copied into the arena; columns must outlive the table (static).
 * Text may be hostile: the text and Markdown forms pass every cell through
 * text_sanitise(); JSON escapes; CSV quotes and keeps the bytes apart from
 * formulas, which get a leading apostrophe.
 */
#ifndef PORTSIDE_REPORT_TABLE_H
#define PORTSIDE_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"

enum report_type {
	REPORT_TEXT,
	REPORT_INTEGER,		/* people: "12,345"; else digits */
	REPORT_ID,		/* an integer that is a name: no thousands separator */
	REPORT_DOUBLE,		/* see report_column.decimals; NaN is a value */
	REPORT_MONEY,		/* nano-dollars; people: "$0.31" */
	REPORT_DURATION,	/* nanoseconds; people: "1h21m" */
	REPORT_BYTES,		/* people: "1.2 MB" */
	REPORT_TIME,		/* wall nanoseconds; ISO 8601 in every form */
	REPORT_BOOL,		/* people: "yes", "no" */
	REPORT_JSON,		/* nested JSON for --json, a text for people */
};

enum report_align { REPORT_BY_TYPE, REPORT_LEFT, REPORT_RIGHT };

struct report_column {
	const char *name;	/* JSON key and CSV heading: with the unit, cost_nano_usd */
	const char *title;	/* for people; NULL: only in JSON and CSV */
	enum report_type type;
	const char *unit;	/* appended for people in the heading: "pp"; NULL: none */
	enum report_align align;
	int decimals;		/* of a REPORT_DOUBLE; 0: shortest that reads back, at most 6
				   significant digits for people; -1: none after the point */
	int min_width;		/* never narrower than this when a table is cut; 0: 3 */
};

enum report_state { REPORT_NONE, REPORT_UNKNOWN, REPORT_VALUE };

struct report_cell {
	enum report_state state;
	int64_t integer;	/* also money, durations, bytes, times, bool */
	double real;
	const char *text;	/* also what people see of a REPORT_JSON */
	const char *json;	/* REPORT_JSON: one complete JSON value */
	bool at_least;		/* a sum that lacks some: people see "$0.31+?" */
};

enum report_layout {
	REPORT_ROWS,		/* a heading and one line a row */
	REPORT_RECORD,		/* one "title  value" line a column, rows apart by an empty line */
};

struct report_note {
	const char *text;
	struct report_note *next;
};

struct report_table {
	struct arena *arena;
	const char *name;	/* JSON "kind", Markdown heading */
	int schema;		/* of the JSON rows; starts at 1 */
	enum report_layout layout;
	const struct report_column *columns;
	size_t n_columns;
	struct report_cell **rows;	/* n_rows of n_columns cells, each in the arena */
	size_t n_rows, cap_rows;
	size_t next_column;		/* where the next name is looked for first */
	struct report_note *notes, **last_note;	/* sentences below the rows */
};

/* In A, like all of it; nothing to free. */
struct report_table *report_table_new(struct arena *a, const char *name,
		const struct report_column *columns, size_t n_columns);

/* Starts a row; the setters below fill it.  A name that is no column is a bug: aborts. */
void report_row(struct report_table *t);
void report_text(struct report_table *t, const char *name, const char *s);	/* NULL: none */
void report_textf(struct report_table *t, const char *name, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* every integer type */
void report_integer(struct report_table *t, const char *name, int64_t v);
void report_double(struct report_table *t, const char *name, double v);
void report_bool(struct report_table *t, const char *name, bool v);
void report_json(struct report_table *t, const char *name, const char *json, const char *text);
void report_unknown(struct report_table *t, const char *name);
/* What was set is a sum of what is known; the name of a column beside it tells what lacks. */
void report_at_least(struct report_table *t, const char *name);
void report_none(struct report_table *t, const char *name);

/* A sentence below the table; in JSON an element of "notes". */
void report_note(struct report_table *t, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* What the "?" of cells means, where people see one; nothing without. */
void report_note_unknown(struct report_table *t);

/* The cell of a finished row, for tests and for screens that draw it themselves. */
const struct report_cell *report_cell(const struct report_table *t, size_t row, const char *name);
/* What people see in a cell, sanitised, unpadded and uncut. */
void report_add_cell(
	struct buf *out, const struct report_column *c, const struct report_cell *cell);

struct report_style {
	int width;		/* columns of the terminal; 0: no limit, nothing is cut */
	bool no_heading;
	bool ascii;		/* cut with ">" in place of an ellipsis */
};

/* STYLE NULL: the default.  Each ends with a newline. */
void report_table_text(
	const struct report_table *t, struct buf *out, const struct report_style *style);
void report_table_markdown(const struct report_table *t, struct buf *out);
void report_table_csv(const struct report_table *t, struct buf *out);
/* {"schema":1,"kind":NAME,"rows":[{...}],"notes":[...]} and a newline. */
void report_table_json(const struct report_table *t, struct buf *out, bool indent);

#endif
