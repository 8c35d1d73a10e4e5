/* csv_record - where a record ends, and its cells, with their quotes undone. */
#include "config.h"

#include "curve/csv_record.h"

#include <string.h>

/* A quote opens a cell only at its beginning; elsewhere it is an ordinary byte.  A byte
 * order mark stands before the header alone, when no separator is known. */
static bool opens_cell(const char *start, const char *quote, char separator)
{
	if (quote == start)
		return true;
	if (!separator && quote - start == 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
		return true;
	return separator ? quote[-1] == separator : quote[-1] == ',' || quote[-1] == '\t';
}

/* The quote that closes the cell; doubled ones are inside.  NULL when there is none. */
static const char *find_closing(const char *p, const char *end)
{
	const char *quote;

	while ((quote = memchr(p, '"', (size_t)(end - p)))) {
		if (end - quote < 2 || quote[1] != '"')
			return quote;
		p = quote + 2;
	}
	return NULL;
}

const char *csv_record_end(const char *p, size_t n, char separator)
{
	const char *start = p, *end = p + n, *newline = memchr(p, '\n', n), *quote;

	while (newline && (quote = memchr(p, '"', (size_t)(newline - p)))) {
		p = quote + 1;
		if (!opens_cell(start, quote, separator))
			continue;
		p = find_closing(p, end);
		if (!p)
			return NULL;
		p++;
		if (p > newline)
			newline = memchr(p, '\n', (size_t)(end - p));
	}
	return newline;
}

void csv_cell_trim(struct csv_cell *c)
{
	while (c->n && (*c->p == ' ' || *c->p == '\t'))
		c->p++, c->n--;
	while (c->n && (c->p[c->n - 1] == ' ' || c->p[c->n - 1] == '\t'))
		c->n--;
}

static void read_quoted(struct buf *room, char separator, struct csv_cell *c, const char **p,
	const char *end)
{
	const char *q = *p + 1;

	buf_clear(room);
	while (q < end) {
		const char *quote = memchr(q, '"', (size_t)(end - q));

		buf_add(room, q, (size_t)((quote ? quote : end) - q));
		q = quote ? quote + 1 : end;
		if (!quote || q == end || *q != '"')
			break;
		buf_addc(room, '"');
		q++;
	}
	c->p = room->s;
	c->n = room->n;
	q = q < end ? memchr(q, separator, (size_t)(end - q)) : NULL;
	*p = q ? q : end;
}

bool csv_record_next(struct buf *room, char separator, struct csv_cell *c, const char **p,
	const char *end)
{
	const char *q = *p;

	if (!q)
		return false;
	if (q < end && *q == '"') {
		read_quoted(room, separator, c, &q, end);
	} else {
		c->p = q;
		q = q < end ? memchr(q, separator, (size_t)(end - q)) : NULL;
		q = q ? q : end;
		c->n = (size_t)(q - c->p);
		csv_cell_trim(c);
	}
	*p = q < end ? q + 1 : NULL;
	return true;
}
