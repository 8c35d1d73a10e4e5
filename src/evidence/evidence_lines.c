/* evidence_lines - lines without what a terminal hides; see evidence_lines.h. */
#include "config.h"

#include "evidence/evidence_lines.h"

#include <string.h>

#include "base/text.h"

/* ---- spans ---- */

struct span span_of(const char *s)
{
	return s ? (struct span){ s, strlen(s) } : SPAN_NONE;
}

bool span_equal(struct span a, const char *s)
{
	return a.n == strlen(s) && memcmp(a.s, s, a.n) == 0;
}

bool span_starts(struct span a, const char *prefix)
{
	size_t n = strlen(prefix);

	return a.n >= n && memcmp(a.s, prefix, n) == 0;
}

bool span_ends(struct span a, const char *suffix)
{
	size_t n = strlen(suffix);

	return a.n >= n && memcmp(a.s + a.n - n, suffix, n) == 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct span span_trim(struct span a)
{
	while (a.n && is_blank(a.s[0]))
		a.s++, a.n--;
	while (a.n && is_blank(a.s[a.n - 1]))
		a.n--;
	return a;
}

struct span span_from(struct span a, size_t at)
{
	return at >= a.n ? SPAN_NONE : (struct span){ a.s + at, a.n - at };
}

bool span_take(struct span *a, const char *prefix)
{
	if (!span_starts(*a, prefix))
		return false;
	*a = span_from(*a, strlen(prefix));
	return true;
}

bool span_behind(struct span *out, struct span a, const char *word)
{
	size_t n = strlen(word);
	const char *at = a.n ? memmem(a.s, a.n, word, n) : NULL;

	if (!at)
		return false;
	*out = span_from(a, (size_t)(at - a.s) + n);
	return true;
}

struct span span_until(struct span a, const char *set, struct span *rest)
{
	size_t i = 0;

	while (i < a.n && !(a.s[i] && strchr(set, a.s[i])))
		i++;
	*rest = span_from(a, i + 1);
	return (struct span){ a.s, i };
}

bool span_integer(struct span a, int64_t *out)
{
	return a.n && text_to_i64(a.s, a.n, out);
}

bool span_number(struct span a, double *out)
{
	return a.n && text_to_double(a.s, a.n, out);
}

/* ---- lines ---- */

void evidence_lines_begin(struct evidence_lines *l, const char *bytes, size_t n)
{
	*l = (struct evidence_lines){ .at = bytes, .end = bytes + n, .clean = BUF_INIT };
}

void evidence_lines_end(struct evidence_lines *l)
{
	buf_release(&l->clean);
}

/* Bytes of the escape sequence at S, which begins with ESC (ECMA-48). */
static size_t escape_length(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 2)
		return n;
	if (s[1] == ']') {
		while (i < n && s[i] != '\a' && s[i] != '\x1b')
			i++;
		if (i < n && s[i] == '\x1b' && i + 1 < n && s[i + 1] == '\\')
			i++;
		return i < n ? i + 1 : n;
	}
	if (s[1] != '[')
		return 2;
	while (i < n && (s[i] < 0x40 || s[i] > 0x7e))
		i++;
	return i < n ? i + 1 : n;
}

/* Escape sequences go; a NUL, which would end a name, is a blank. */
static struct span without_controls(struct evidence_lines *l, struct span a)
{
	if (!a.n || (!memchr(a.s, '\x1b', a.n) && !memchr(a.s, '\0', a.n)))
		return a;
	buf_clear(&l->clean);
	while (a.n) {
		size_t skip = *a.s == '\x1b' ? escape_length(a.s, a.n) : 1;

		if (*a.s != '\x1b')
			buf_addc(&l->clean, *a.s ? *a.s : ' ');
		a = span_from(a, skip);
	}
	return (struct span){ l->clean.s, l->clean.n };
}

/* "[rank2]: ", as torchrun and xmp.spawn put before each line. */
static struct span without_rank(struct span a)
{
	struct span rest = a, digits;
	int64_t rank;

	if (!span_take(&rest, "[rank"))
		return a;
	digits = span_until(rest, "]", &rest);
	if (!span_integer(digits, &rank) || !(span_take(&rest, ": ") || span_equal(rest, ":")))
		return a;
	return rest;
}

static struct span cleaned(struct evidence_lines *l, const char *s, size_t n)
{
	if (n > EVIDENCE_LINE_MAX) {
		n = text_cut(s, n, EVIDENCE_LINE_MAX);
		l->long_lines++;
	}
	return without_rank(without_controls(l, (struct span){ s, n }));
}

bool evidence_lines_next(struct evidence_lines *l, struct span *line)
{
	while (l->at < l->end) {
		const char *start = l->at, *stop = start;
		bool whole;

		while (stop < l->end && *stop != '\n' && *stop != '\r')
			stop++;
		if (!l->inside)
			l->number++;
		if (stop == l->end) {
			l->at = l->end;
			l->unended = true;
			return false;
		}
		/* CRLF is one end; behind a single CR the same line goes on. */
		whole = *stop == '\n' || (stop + 1 < l->end && stop[1] == '\n');
		l->at = stop + (*stop == '\r' && whole ? 2 : 1);
		l->inside = !whole;
		*line = cleaned(l, start, (size_t)(stop - start));
		return true;
	}
	return false;
}
