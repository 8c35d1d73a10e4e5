/*
 * csv_private - inside the reader of tables: its state, and the two ways of
 * taking a row, which csv.c (any row) and csv_plain.c (rows of bare numbers)
 * give each other.
 */
#ifndef PORTSIDE_CURVE_CSV_PRIVATE_H
#define PORTSIDE_CURVE_CSV_PRIVATE_H

#include "base/buf.h"
#include "curve/csv_record.h"
#include "curve/reader_number.h"
#include "curve/reader_shape.h"
#include "curve/reader_slots.h"

enum { RECORD_BYTES_MAX = 1024 * 1024, COLUMNS_MAX = SLOTS_MAX };

enum column_use { COLUMN_SERIES, COLUMN_STEP, COLUMN_EPOCH, COLUMN_TIME };

struct column {
	enum column_use use;
	size_t slot;
};

struct csv {
	struct slots slots;
	struct shapes shapes;	/* of plain rows */
	struct column *columns;
	size_t n_columns, cap_columns;
	char separator;
	bool has_header, has_step;
	bool has_duplicates;	/* two columns of one name: the last cell of a row counts */
	bool skipping;		/* inside a record that is too long */
	int64_t row;		/* data rows so far */
	struct buf cell;	/* of a quoted cell, with its doubled quotes undone */
	double *values;		/* of the row at hand, of columns that have a number */
	size_t *present;	/* those columns */
	size_t n_present;
};

bool cell_is_absent(const struct csv_cell *c);
/* Numbers, and True and False, which Python writes. */
bool cell_number(struct number *out, const struct csv_cell *c);
/*
 * The wall time of a cell of a time column, if it is one; sets *ZONE_UNKNOWN when it has no
 * zone.
 */
void cell_time(struct row_x *x, bool *zone_unknown, const struct csv_cell *c);

/* As above for seconds, or milliseconds, that were read; NaN: none. */
double cell_seconds(double number);

/* Learns the shape of the plain row P[0..N), which was taken. */
void csv_learn(struct csv *t, const char *p, size_t n);

/*
 * Takes rows without quotes from the beginning of P[0..N), which stands at a row
 * after the header; returns how many bytes.  The first row that is cut, has a
 * quote, too many cells or no place ends it: that one is csv.c's.
 */
size_t csv_take_plain_rows(struct csv *t, struct curve_sink *sink, const char *p, size_t n);

#endif
