/*
 * word_diff - the longest common run of words of two lines.  Pure.
 */
#include "config.h"
#include "store/word_diff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Below this share of common words a line counts as rewritten. */
static const double whole_below = 0.25;

struct word {
	size_t start, n;
	bool blank, common;
};

struct words {
	const char *text;
	struct word rows[WORD_DIFF_WORDS_MAX];
	size_t n;
	bool too_many;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		c == '_';
}

static size_t run_length(const char *s, size_t n, bool (*belongs)(char))
{
	size_t i = 0;

	while (i < n && belongs(s[i]))
		i++;
	return i;
}

static void split(struct words *w, const char *s, size_t n)
{
	size_t at = 0;

	w->text = s;
	w->n = 0;
	while (at < n && w->n < WORD_DIFF_WORDS_MAX) {
		bool blank = is_blank(s[at]);
		size_t used = run_length(s + at, n - at, blank ? is_blank : is_word_byte);
		uint32_t cp;

		if (used == 0)
			used = utf8_decode(s + at, n - at, &cp);
		w->rows[w->n++] = (struct word){ .start = at, .n = used, .blank = blank };
		at += used;
	}
	w->too_many = at < n;
}

static bool same(const struct words *a, size_t i, const struct words *b, size_t j)
{
	const struct word *x = &a->rows[i], *y = &b->rows[j];

	return x->n == y->n && memcmp(a->text + x->start, b->text + y->start, x->n) == 0;
}

/* Lengths of the longest common run of a[i..] and b[j..], (n + 1) x (m + 1). */
static void fill_table(uint16_t *table, const struct words *a, size_t a0, size_t n,
		const struct words *b, size_t b0, size_t m)
{
	for (size_t i = n; i-- > 0;) {
		for (size_t j = m; j-- > 0;) {
			uint16_t *at = &table[i * (m + 1) + j];
			uint16_t down = at[m + 1], right = at[1];

			if (same(a, a0 + i, b, b0 + j))
				*at = at[m + 2] + 1;
			else
				*at = down > right ? down : right;
		}
	}
}

static void mark_middle(struct words *a, size_t a0, size_t n, struct words *b, size_t b0, size_t m)
{
	uint16_t *table = xcalloc((n + 1) * (m + 1), sizeof *table);
	size_t i = 0, j = 0;

	fill_table(table, a, a0, n, b, b0, m);
	while (i < n && j < m) {
		if (same(a, a0 + i, b, b0 + j)) {
			a->rows[a0 + i++].common = true;
			b->rows[b0 + j++].common = true;
		} else if (table[(i + 1) * (m + 1) + j] >= table[i * (m + 1) + j + 1]) {
			i++;
		} else {
			j++;
		}
	}
	free(table);
}

/* Equal beginnings and ends are common without a table. */
static void mark_common(struct words *a, struct words *b)
{
	size_t head = 0, tail = 0;

	while (head < a->n && head < b->n && same(a, head, b, head)) {
		a->rows[head].common = b->rows[head].common = true;
		head++;
	}
	while (tail < a->n - head && tail < b->n - head &&
		same(a, a->n - 1 - tail, b, b->n - 1 - tail)) {
		tail++;
		a->rows[a->n - tail].common = b->rows[b->n - tail].common = true;
	}
	if (head + tail < a->n && head + tail < b->n)
		mark_middle(a, head, a->n - head - tail, b, head, b->n - head - tail);
}

static double share(const struct words *a, const struct words *b)
{
	size_t all = 0, common = 0;

	for (size_t i = 0; i < a->n; i++) {
		all += !a->rows[i].blank;
		common += !a->rows[i].blank && a->rows[i].common;
	}
	for (size_t i = 0; i < b->n; i++)
		all += !b->rows[i].blank;
	return all == 0 ? 1.0 : 2.0 * (double)common / (double)all;
}

/* Ranges of the words that are not common; a blank between two of them belongs
 * to the range. */
static struct word_range *ranges_of(size_t *n, struct arena *arena, const struct words *w)
{
	struct word_range *rows = arena_alloc(arena, (w->n + 1) * sizeof *rows);
	bool open = false;

	*n = 0;
	for (size_t i = 0; i < w->n; i++) {
		const struct word *at = &w->rows[i];
		bool bridge =
			open && at->blank && at->common && i + 1 < w->n && !w->rows[i + 1].common;

		if (at->common && !bridge) {
			open = false;
			continue;
		}
		if (!open)
			rows[(*n)++] = (struct word_range){ at->start, 0 };
		open = true;
		rows[*n - 1].n = at->start + at->n - rows[*n - 1].start;
	}
	return rows;
}

static struct word_range *whole_range(size_t *n, struct arena *a, size_t text_n)
{
	struct word_range *row = arena_alloc(a, sizeof *row);

	*row = (struct word_range){ 0, text_n };
	*n = text_n > 0;
	return row;
}

void word_diff(struct word_marks *out, struct arena *arena, const char *old_text, size_t old_n,
		const char *new_text, size_t new_n)
{
	struct words a, b;

	*out = (struct word_marks){ 0 };
	split(&a, old_text, old_n);
	split(&b, new_text, new_n);
	out->whole = a.too_many || b.too_many;
	if (!out->whole) {
		mark_common(&a, &b);
		out->whole = share(&a, &b) < whole_below;
	}
	if (out->whole) {
		out->old_ranges = whole_range(&out->n_old, arena, old_n);
		out->new_ranges = whole_range(&out->n_new, arena, new_n);
		return;
	}
	out->old_ranges = ranges_of(&out->n_old, arena, &a);
	out->new_ranges = ranges_of(&out->n_new, arena, &b);
}

double word_similarity(const char *old_text, size_t old_n, const char *new_text, size_t new_n)
{
	struct words a, b;

	split(&a, old_text, old_n);
	split(&b, new_text, new_n);
	mark_common(&a, &b);
	return share(&a, &b);
}
