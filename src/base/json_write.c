/* json_write - the writing half of json.h: quoting, canonical form, documents. */
#include "config.h"

#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_span.h"
#include "base/text.h"

static void quote_byte(struct buf *out, unsigned char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *at = c ? strchr(from, c) : NULL;

	if (at) {
		buf_addc(out, '\\');
		buf_addc(out, to[at - from]);
	} else {
		buf_addf(out, "\\u%04x", c);
	}
}

void json_quote(struct buf *out, const char *s, size_t n)
{
	size_t i = json_plain_span(s, n);

	buf_reserve(out, n + 2);
	out->s[out->n++] = '"';
	if (i)
		memcpy(out->s + out->n, s, i);
	out->n += i;
	while (i < n) {
		size_t k = json_plain_span(s + i, n - i);
		uint32_t cp;

		buf_add(out, s + i, k);
		i += k;
		if (i == n)
			break;
		if ((unsigned char)s[i] < 0x80) {
			quote_byte(out, (unsigned char)s[i++]);
			continue;
		}
		k = utf8_decode(s + i, n - i, &cp);
		if (cp == UINT32_MAX)
			buf_adds(out, "\xef\xbf\xbd");
		else
			buf_add(out, s + i, k);
		i += k;
	}
	buf_addc(out, '"');
}

static int compare_keys(const void *a, const void *b)
{
	const struct json *x = *(const struct json *const *)a, *y = *(const struct json *const *)b;
	size_t n = x->key_n < y->key_n ? x->key_n : y->key_n;
	int c = n ? memcmp(x->key, y->key, n) : 0;

	if (c)
		return c;
	return x->key_n < y->key_n ? -1 : x->key_n > y->key_n;
}

static void canonical_object(struct buf *out, const struct json *j)
{
	const struct json **sorted = xcalloc(j->count, sizeof *sorted);
	size_t n = 0;

	for (const struct json *c = j->first; c; c = c->next)
		sorted[n++] = c;
	qsort(sorted, n, sizeof *sorted, compare_keys);
	buf_addc(out, '{');
	for (size_t i = 0; i < n; i++) {
		if (i)
			buf_addc(out, ',');
		json_quote(out, sorted[i]->key, sorted[i]->key_n);
		buf_addc(out, ':');
		json_canonical(out, sorted[i]);
	}
	buf_addc(out, '}');
	free(sorted);
}

void json_canonical(struct buf *out, const struct json *j)
{
	switch (j->type) {
	case JSON_NULL:
		buf_adds(out, "null");
		return;
	case JSON_FALSE:
		buf_adds(out, "false");
		return;
	case JSON_TRUE:
		buf_adds(out, "true");
		return;
	case JSON_NUMBER:
		buf_add(out, j->text, j->text_n);
		return;
	case JSON_STRING:
		json_quote(out, j->text, j->text_n);
		return;
	case JSON_OBJECT:
		canonical_object(out, j);
		return;
	case JSON_ARRAY:
		buf_addc(out, '[');
		for (const struct json *c = j->first; c; c = c->next) {
			if (c != j->first)
				buf_addc(out, ',');
			json_canonical(out, c);
		}
		buf_addc(out, ']');
		return;
	}
}

/* ---- documents ----------------------------------------------------------- */

static void line_start(struct json_writer *w)
{
	if (!w->indent || !w->depth)
		return;
	buf_addc(w->out, '\n');
	buf_pad(w->out, ' ', (size_t)w->depth * 2);
}

static void before_value(struct json_writer *w, const char *key)
{
	uint64_t bit = UINT64_C(1) << w->depth;

	if (w->filled & bit && w->depth)
		buf_addc(w->out, ',');
	w->filled |= bit;
	line_start(w);
	if (!key)
		return;
	json_quote(w->out, key, strlen(key));
	buf_adds(w->out, w->indent ? ": " : ":");
}

static void open_level(struct json_writer *w, const char *key, char bracket)
{
	before_value(w, key);
	buf_addc(w->out, bracket);
	if (w->depth < JSON_DEPTH_MAX - 1)
		w->depth++;
	w->filled &= ~(UINT64_C(1) << w->depth);
}

static void close_level(struct json_writer *w, char bracket)
{
	bool filled = w->filled & UINT64_C(1) << w->depth;

	w->depth--;
	if (filled && w->indent) {
		buf_addc(w->out, '\n');
		buf_pad(w->out, ' ', (size_t)w->depth * 2);
	}
	buf_addc(w->out, bracket);
}

void json_begin_object(struct json_writer *w, const char *key)
{
	open_level(w, key, '{');
}

void json_end_object(struct json_writer *w)
{
	close_level(w, '}');
}

void json_begin_array(struct json_writer *w, const char *key)
{
	open_level(w, key, '[');
}

void json_end_array(struct json_writer *w)
{
	close_level(w, ']');
}

void json_put_strn(struct json_writer *w, const char *key, const char *s, size_t n)
{
	before_value(w, key);
	json_quote(w->out, s, n);
}

void json_put_str(struct json_writer *w, const char *key, const char *s)
{
	if (s)
		json_put_strn(w, key, s, strlen(s));
	else
		json_put_null(w, key);
}

/* Numbers are most of a large document, and printf takes most of their time. */
static void add_integer(struct buf *out, int64_t v)
{
	uint64_t left = v < 0 ? -(uint64_t)v : (uint64_t)v;
	char digits[24];
	size_t at = sizeof digits;

	do
		digits[--at] = (char)('0' + left % 10);
	while (left /= 10);
	if (v < 0)
		digits[--at] = '-';
	buf_add(out, digits + at, sizeof digits - at);
}

void json_put_i64(struct json_writer *w, const char *key, int64_t v)
{
	before_value(w, key);
	add_integer(w->out, v);
}

void json_put_double(struct json_writer *w, const char *key, double v)
{
	char text[TEXT_DOUBLE_MAX];
	size_t n = text_from_double(text, v);

	if (isfinite(v))
		json_put_raw(w, key, text, n);
	else
		json_put_strn(w, key, text, n);
}

void json_put_bool(struct json_writer *w, const char *key, bool v)
{
	before_value(w, key);
	buf_adds(w->out, v ? "true" : "false");
}

void json_put_null(struct json_writer *w, const char *key)
{
	before_value(w, key);
	buf_adds(w->out, "null");
}

void json_put_raw(struct json_writer *w, const char *key, const char *s, size_t n)
{
	before_value(w, key);
	buf_add(w->out, s, n);
}
