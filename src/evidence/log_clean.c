/* log_clean - see log_clean.h: control sequences, marks of ranks, bars, frames. */
#include "config.h"

#include "evidence/log_clean.h"

#include <string.h>

#include "base/text.h"

enum { ESC = 0x1b, BEL = 0x07, RANK_MAX = 1 << 20, MARKS_MAX = 3 };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* ---- control sequences -------------------------------------------------------------- */

/* "ESC [ parameters intermediates final". */
static size_t escape_csi(const char *s, size_t n)
{
	size_t i = 2;

	while (i < n && i < LOG_ESCAPE_MAX && s[i] >= 0x30 && s[i] <= 0x3f)
		i++;
	while (i < n && i < LOG_ESCAPE_MAX && s[i] >= 0x20 && s[i] <= 0x2f)
		i++;
	if (i >= LOG_ESCAPE_MAX)
		return 0;
	if (i == n)
		return n + 1;
	return s[i] >= 0x40 && s[i] <= 0x7e ? i + 1 : 0;
}

/* "ESC ] text BEL" or "ESC ] text ESC \". */
static size_t escape_osc(const char *s, size_t n)
{
	for (size_t i = 2; i < n && i < LOG_ESCAPE_MAX; i++) {
		if (s[i] == BEL)
			return i + 1;
		if (s[i] == '\n' || s[i] == '\r')
			return 0;
		if (s[i] == ESC)
			return i + 1 == n ? n + 1 : s[i + 1] == '\\' ? i + 2 : 0;
	}
	return n < LOG_ESCAPE_MAX ? n + 1 : 0;
}

size_t log_escape(const char *s, size_t n, bool last)
{
	size_t length = 0;

	if (n < 2)
		length = n + 1;
	else if (s[1] == '[')
		length = escape_csi(s, n);
	else if (s[1] == ']')
		length = escape_osc(s, n);
	else if (s[1] >= 0x40 && s[1] <= 0x5f)
		length = 2;
	return length > n && last ? 0 : length;
}

/* ---- ranks -------------------------------------------------------------------------- */

/* A cursor over a segment; each of these takes what it names or leaves all as it is. */
struct cursor { const char *s; size_t n, at; };

/* TEXT is in lower case. */
static bool take(struct cursor *c, const char *text)
{
	size_t at = c->at;

	for (; *text; text++, at++)
		if (at == c->n || lower(c->s[at]) != *text)
			return false;
	c->at = at;
	return true;
}

static bool take_number(struct cursor *c, int *out)
{
	size_t from = c->at;
	int v = 0;

	while (c->at < c->n && is_digit(c->s[c->at]) && v <= RANK_MAX)
		v = v * 10 + (c->s[c->at++] - '0');
	*out = v;
	return c->at > from && v <= RANK_MAX;
}

/* SHAPE: 0 a digit, anything else itself. */
static bool take_shape(struct cursor *c, const char *shape)
{
	size_t n = strlen(shape);

	if (c->n - c->at < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (shape[i] == '0' ? !is_digit(c->s[c->at + i]) : c->s[c->at + i] != shape[i])
			return false;
	c->at += n;
	return true;
}

static void take_one_blank(struct cursor *c)
{
	c->at += c->at < c->n && c->s[c->at] == ' ';
}

static bool bracketed(struct cursor c, const char *word, bool colon, size_t *length, int *rank)
{
	if (!take(&c, word) || !take_number(&c, rank) || !take(&c, "]"))
		return false;
	if (!take(&c, ":") && colon)
		return false;
	take_one_blank(&c);
	*length = c.at;
	return true;
}

static bool in_words(struct cursor c, size_t *length, int *rank)
{
	if (!take(&c, "(rank ") || !take_number(&c, rank) || !take(&c, ")"))
		return false;
	(void)take(&c, ":");
	take_one_blank(&c);
	*length = c.at;
	return true;
}

/* "[1,2]<stderr>:" of mpirun --tag-output. */
static bool by_mpirun(struct cursor c, size_t *length, int *rank)
{
	int job;

	if (!take(&c, "[") || !take_number(&c, &job) || !take(&c, ",") || !take_number(&c, rank) ||
		!take(&c, "]<std") || !(take(&c, "err>:") || take(&c, "out>:")))
		return false;
	*length = c.at;
	return true;
}

/* "2026-11-01 10:00:00 10.130.0.7 [2] ". */
static bool of_a_pod(struct cursor c, size_t *length, int *rank)
{
	size_t address;

	if (!take_shape(&c, "0000-00-00 00:00:00"))
		return false;
	while (c.at < c.n && (is_digit(c.s[c.at]) || c.s[c.at] == '.' || c.s[c.at] == ','))
		c.at++;
	if (!take(&c, " "))
		return false;
	for (address = c.at; c.at < c.n && c.at - address < 64 && c.s[c.at] != ' '; c.at++)
		if (!is_digit(c.s[c.at]) && !strchr(".:abcdefABCDEF", c.s[c.at]))
			return false;
	if (c.at == address || !take(&c, " [") || !take_number(&c, rank) || !take(&c, "] "))
		return false;
	*length = c.at;
	return true;
}

static size_t one_mark(const char *s, size_t n, int *rank)
{
	struct cursor c = { s, n, 0 };
	size_t length = 0;
	bool is = false;
	int found;

	if (n < 2)
		return 0;
	if (*s == '(')
		is = in_words(c, &length, &found);
	else if (is_digit(*s))
		is = of_a_pod(c, &length, &found);
	else if (*s == '[' && is_digit(s[1]))
		is = bracketed(c, "[", true, &length, &found) || by_mpirun(c, &length, &found);
	else if (*s == '[')
		is = bracketed(c, "[rank", true, &length, &found) ||
			bracketed(c, "[xla:", false, &length, &found) ||
			bracketed(c, "[default", true, &length, &found);
	if (is)
		*rank = found;
	return length;
}

size_t log_rank_mark(const char *s, size_t n, int *rank)
{
	size_t all = 0;

	*rank = LOG_NO_RANK;
	for (int i = 0; i < MARKS_MAX; i++) {
		size_t one = one_mark(s + all, n - all, rank);

		if (!one)
			break;
		all += one;
	}
	return all;
}

/* ---- quoted text -------------------------------------------------------------------- */

bool log_is_boxed(const char *s, size_t n)
{
	while (n && is_blank(*s)) {
		s++;
		n--;
	}
	/* U+2500 to U+257F */
	return n >= 3 && (unsigned char)s[0] == 0xe2 &&
		((unsigned char)s[1] == 0x94 || (unsigned char)s[1] == 0x95);
}

bool log_is_file_line(const char *s, size_t n)
{
	struct cursor c = { s, n, 0 };
	const char *quote;

	while (c.at < n && is_blank(s[c.at]))
		c.at++;
	if (c.at == 0 || c.n - c.at < 6 || memcmp(s + c.at, "File \"", 6) != 0)
		return false;
	c.at += 6;
	quote = memchr(s + c.at, '"', n - c.at);
	if (!quote)
		return false;
	c.at = (size_t)(quote - s);
	return take(&c, "\", line ") && c.at < n && is_digit(s[c.at]);
}

/* ---- progress bars ------------------------------------------------------------------ */

/* Behind "|...|": " 12/100 [00:01<00:10, 9.8it/s]", or nothing of it. */
static size_t bar_tail(const char *s, size_t n)
{
	size_t i = 0, from;
	const char *end;

	while (i < n && is_blank(s[i]))
		i++;
	from = i;
	while (i < n && is_digit(s[i]))
		i++;
	if (i == from || i == n || s[i] != '/')
		return 0;
	from = ++i;
	while (i < n && is_digit(s[i]))
		i++;
	if (i == from || n - i < 2 || s[i] != ' ' || s[i + 1] != '[')
		return 0;
	end = memchr(s + i, ']', n - i);
	return end ? (size_t)(end - s) + 1 : 0;
}

/* The next bar in S from AT on: "47%|####   | 470/1000 [00:11<00:12, 9.8it/s]". */
static bool find_bar(const char *s, size_t n, size_t from, struct log_part *bar)
{
	size_t at = from;

	while (at < n) {
		const char *sign = memchr(s + at, '%', n - at), *end;
		size_t digits = 0, place;

		if (!sign || sign + 1 == s + n)
			return false;
		place = (size_t)(sign - s);
		at = place + 1;
		if (sign[1] != '|')
			continue;
		while (digits < 3 && place - digits > from &&
			is_digit(sign[-1 - (ptrdiff_t)digits]))
			digits++;
		end = memchr(sign + 2, '|', n - place - 2);
		if (digits && end) {
			bar->from = place - digits;
			bar->to = (size_t)(end - s) + 1;
			bar->to += bar_tail(s + bar->to, n - bar->to);
			return true;
		}
		from = at = place + 2;
	}
	return false;
}

static void add_part(struct log_part *out, size_t *count, const char *s, size_t from, size_t to)
{
	while (from < to && is_blank(s[from]))
		from++;
	while (to > from && is_blank(s[to - 1]))
		to--;
	if (from < to && *count < LOG_PARTS_MAX)
		out[(*count)++] = (struct log_part){ from, to };
}

size_t log_parts(struct log_part out[LOG_PARTS_MAX], const char *s, size_t n)
{
	struct log_part bar;
	size_t count = 0, at = 0;

	if (!find_bar(s, n, 0, &bar)) {
		out[0] = (struct log_part){ 0, n };
		return 1;
	}
	do {
		add_part(out, &count, s, at, bar.from);
		at = bar.to;
	} while (count < LOG_PARTS_MAX - 1 && find_bar(s, n, at, &bar));
	add_part(out, &count, s, at, n);
	return count;
}
