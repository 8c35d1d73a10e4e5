/*
 * csv_record - one record of a table of comma or tab separated values (RFC 4180).
 *
 * A quote opens a cell only at its beginning; inside it a doubled quote is one, and
 * separators and newlines are ordinary bytes, also in the header.  Blanks around a cell
 * without quotes go.
 *
 *	newline = csv_record_end(p, n, separator);
 *	while (csv_record_next(&room, separator, &cell, &p, newline))
 *		use(cell.p, cell.n);
 */
#ifndef PORTSIDE_CURVE_CSV_RECORD_H
#define PORTSIDE_CURVE_CSV_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct csv_cell {
	const char *p;
	size_t n;
};

/*
 * The newline that ends the record at P, outside quotes; NULL when it is not there.
 * SEPARATOR is 0 as long as it is not known: then a comma and a tab are ones.  Quotes are
 * looked for inside the line only: most have none.
 */
const char *csv_record_end(const char *p, size_t n, char separator);

/*
 * The next cell of the record that ends at END, borrowed from it or from ROOM; false
 * behind the last.  *P is NULL when the record is used up.
 */
bool csv_record_next(struct buf *room, char separator, struct csv_cell *c, const char **p,
	const char *end);

/* Blanks around the cell go. */
void csv_cell_trim(struct csv_cell *c);

#endif
