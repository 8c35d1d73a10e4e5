/* reader_lines - splits the window at newlines. */
#include "config.h"

#include "curve/reader_lines.h"

#include <string.h>

static const char *find_newline(const char *p, size_t n)
{
	return memchr(p, '\n', n > LINE_BYTES_MAX + 1 ? LINE_BYTES_MAX + 1 : n);
}

/* Looks in growing pieces; NULL with *N over LINE_BYTES_MAX for a line that is too long. */
static const char *find_line_end(
	struct curve_source *src, int64_t offset, const char **p, size_t *n)
{
	const char *newline;
	size_t before;

	*p = source_bytes(src, offset, 1, n);
	newline = find_newline(*p, *n);
	while (!newline && *n <= LINE_BYTES_MAX) {
		before = *n;
		*p = source_bytes(src, offset,
			before * 2 < LINE_BYTES_MAX ? before * 2 : LINE_BYTES_MAX + 1, n);
		if (*n <= before)
			return NULL;
		newline = find_newline(*p, *n);
	}
	return newline;
}

/* Moves to behind the next newline, or to the end of what is there. */
static void skip_line(struct line_reader *r, struct curve_source *src, int64_t *offset)
{
	const char *p, *newline;
	size_t n;

	while (r->skipping) {
		p = source_bytes(src, *offset, 1, &n);
		if (!n)
			return;
		newline = memchr(p, '\n', n);
		r->skipping = !newline;
		*offset += newline ? newline - p + 1 : (int64_t)n;
	}
}

void lines_begin(struct line_reader *r)
{
	r->next = NULL;
}

/* The line P up to NEWLINE at *OFFSET; bytes up to END are there. */
static void give_line(struct line_reader *r, struct line *out, const char *p, const char *newline,
	const char *end, int64_t *offset)
{
	out->whole = *newline == '\n';
	out->limit = end;
	out->offset = *offset;
	*offset += newline - p + 1;
	r->next = newline + 1;
	r->end = end;
	r->next_offset = *offset;
	if (out->offset == 0 && newline - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	out->p = p;
	out->n = (size_t)(newline - p);
	out->n -= out->n && out->p[out->n - 1] == '\r';
}

/* The next line when it is in what the source gave last. */
static bool is_at_hand(struct line_reader *r, struct line *out, int64_t *offset)
{
	const char *p = r->next, *newline;

	if (!p || r->skipping || *offset != r->next_offset)
		return false;
	newline = find_newline(p, (size_t)(r->end - p));
	if (newline)
		give_line(r, out, p, newline, r->end, offset);
	return newline;
}

bool lines_next(struct line_reader *r, struct curve_sink *sink, struct curve_source *src,
	int64_t *offset, struct line *out)
{
	const char *p, *newline;
	size_t n;

	if (is_at_hand(r, out, offset))
		return true;
	r->next = NULL;
	for (;;) {
		skip_line(r, src, offset);
		newline = find_line_end(src, *offset, &p, &n);
		if (newline)
			break;
		if (n <= LINE_BYTES_MAX)
			return false;
		newline = r->at_returns ? memrchr(p, '\r', LINE_BYTES_MAX) : NULL;
		if (newline)
			break;
		r->skipping = true;
		sink->health.malformed++;
		curve_sink_damage(sink, *offset);
	}
	give_line(r, out, p, newline, p + n, offset);
	return true;
}
