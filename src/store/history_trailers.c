/*
 * history_trailers - the trailers at the end of a commit message, found by
 * git's own rule (Documentation/git-interpret-trailers.txt).  Pure.
 */
#include "config.h"
#include "store/history.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"

struct line { const char *s; size_t n; };

struct lines {
	struct line *rows;
	size_t n, cap;
};

/* git writes these itself: one of them makes a mixed paragraph count. */
static const char *const own_prefixes[] = { "Signed-off-by: ", "(cherry picked from commit " };

static void split_lines(struct lines *out, const char *s, size_t n)
{
	while (n > 0) {
		const char *end = memchr(s, '\n', n);
		size_t used = end != NULL ? (size_t)(end - s) : n;

		ARRAY_GROW(out->rows, out->n, out->cap);
		out->rows[out->n++] = (struct line){ s, used };
		if (end == NULL)
			break;
		s += used + 1;
		n -= used + 1;
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool line_is_blank(const struct line *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!is_blank(l->s[i]))
			return false;
	return true;
}

static bool is_key_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '-';
}

/* Where the colon of "Key: value" stands, 0 when LINE is no trailer. */
static size_t find_colon(const struct line *l)
{
	bool blank_seen = false;

	for (size_t i = 0; i < l->n; i++) {
		if (l->s[i] == ':')
			return i;
		if (!blank_seen && is_key_byte(l->s[i]))
			continue;
		if (i == 0 || (l->s[i] != ' ' && l->s[i] != '\t'))
			return 0;
		blank_seen = true;
	}
	return 0;
}

static bool is_own(const struct line *l)
{
	for (size_t i = 0; i < ARRAY_LEN(own_prefixes); i++) {
		size_t n = strlen(own_prefixes[i]);

		if (l->n >= n && memcmp(l->s, own_prefixes[i], n) == 0)
			return true;
	}
	return false;
}

/* Counts of the last paragraph, read upward. */
struct tally {
	size_t trailers, others, pending;	/* pending: continuation lines not yet owned */
	bool own;
};

static void tally_line(struct tally *t, const struct line *l)
{
	if (l->n > 0 && l->s[0] == '#') {
		t->others += t->pending;
		t->pending = 0;
	} else if (is_own(l)) {
		t->trailers++;
		t->pending = 0;
		t->own = true;
	} else if (l->n > 0 && !is_blank(l->s[0]) && find_colon(l) > 0) {
		t->trailers++;
		t->pending = 0;
	} else if (l->n > 0 && is_blank(l->s[0])) {
		t->pending++;
	} else {
		t->others += 1 + t->pending;
		t->pending = 0;
	}
}

static bool tally_counts(const struct tally *t)
{
	size_t others = t->others + t->pending;

	return (t->own && t->trailers * 3 >= others) || (t->trailers > 0 && others == 0);
}

/* The first paragraph is the title and never holds trailers. */
static size_t title_end(const struct lines *l)
{
	size_t i = 0;

	while (i < l->n && line_is_blank(&l->rows[i]))
		i++;
	while (i < l->n && !line_is_blank(&l->rows[i]))
		i++;
	return i;
}

/* First line of the trailers, or l->n. */
static size_t find_start(const struct lines *l, size_t end)
{
	struct tally t = { 0 };
	size_t first = title_end(l);

	for (size_t i = end; i > first; i--) {
		const struct line *line = &l->rows[i - 1];

		if (!line_is_blank(line)) {
			tally_line(&t, line);
			continue;
		}
		return tally_counts(&t) ? i : l->n;
	}
	return l->n;
}

static void add_value(struct buf *value, const char *s, size_t n)
{
	while (n > 0 && is_blank(*s)) {
		s++;
		n--;
	}
	while (n > 0 && is_blank(s[n - 1]))
		n--;
	if (value->n > 0 && n > 0)
		buf_addc(value, ' ');
	buf_add(value, s, n);
}

static size_t trimmed_key(const struct line *l, size_t colon)
{
	while (colon > 0 && is_blank(l->s[colon - 1]))
		colon--;
	return colon;
}

const struct trailer *trailers_parse(
	size_t *n, struct arena *a, const char *message, size_t message_n)
{
	struct lines lines = { 0 };
	struct buf value = BUF_INIT;
	struct trailer *rows;
	size_t end, i;

	*n = 0;
	split_lines(&lines, message, message_n);
	for (end = lines.n; end > 0 && line_is_blank(&lines.rows[end - 1]); end--)
		;
	i = find_start(&lines, end);
	rows = arena_alloc(a, (end > i ? end - i : 1) * sizeof *rows);
	while (i < end) {
		const struct line *l = &lines.rows[i++];
		size_t colon = l->n > 0 && !is_blank(l->s[0]) ? find_colon(l) : 0;

		if (colon == 0)
			continue;
		buf_clear(&value);
		add_value(&value, l->s + colon + 1, l->n - colon - 1);
		while (i < end && lines.rows[i].n > 0 && is_blank(lines.rows[i].s[0])) {
			add_value(&value, lines.rows[i].s, lines.rows[i].n);
			i++;
		}
		rows[(*n)++] = (struct trailer){
			.key = arena_strndup(a, l->s, trimmed_key(l, colon)),
			.value = arena_strndup(a, value.s, value.n),
		};
	}
	free(lines.rows);
	buf_release(&value);
	return rows;
}

const char *trailer_find(const struct trailer *trailers, size_t n, const char *key)
{
	while (n-- > 0)
		if (strcasecmp(trailers[n].key, key) == 0)
			return trailers[n].value;
	return NULL;
}
