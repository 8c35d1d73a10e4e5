/* json_scan - a tokenizer for rows that trainers write, bare NaN included. */
#include "config.h"

#include "curve/json_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

struct scan {
	const char *p, *end;
	struct json_row *row;	/* NULL: values are skipped */
	int depth;
};

enum { DOTTED_ROOM_LEAST = 4096 };

struct string {
	const char *text;
	size_t n;
};

static enum json_scan_result scan_value(struct scan *s, const struct string *name);

static void skip_blanks(struct scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

/* The closing quote, or NULL when the text ends before it. */
static const char *find_quote(const char *p, const char *end, bool *escaped)
{
	*escaped = false;
	for (; p < end; p++) {
		if (*p == '"')
			return p;
		if (*p == '\\') {
			*escaped = true;
			p++;
		}
	}
	return NULL;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 32) >= 'a' && (c | 32) <= 'f')
		return (c | 32) - 'a' + 10;
	return -1;
}

static bool read_hex4(const char *p, const char *end, uint32_t *out)
{
	*out = 0;
	if (end - p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		int digit = hex_digit(p[i]);

		if (digit < 0)
			return false;
		*out = *out << 4 | (uint32_t)digit;
	}
	return true;
}

/* \uXXXX behind P, with its second half; returns the bytes after the u, 0 when bad. */
static size_t decode_unicode(const char *p, const char *end, uint32_t *cp)
{
	uint32_t low;

	if (!read_hex4(p, end, cp))
		return 0;
	if (*cp >= 0xd800 && *cp < 0xdc00 && end - p >= 10 && p[4] == '\\' && p[5] == 'u' &&
	    read_hex4(p + 6, end, &low) && low >= 0xdc00 && low < 0xe000) {
		*cp = 0x10000 + ((*cp - 0xd800) << 10) + (low - 0xdc00);
		return 10;
	}
	if (*cp >= 0xd800 && *cp < 0xe000)
		*cp = 0xfffd;
	return 4;
}

static size_t put_utf8(char *out, uint32_t cp)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 63));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 63));
		out[2] = (char)(0x80 | (cp & 63));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 63));
	out[2] = (char)(0x80 | (cp >> 6 & 63));
	out[3] = (char)(0x80 | (cp & 63));
	return 4;
}

static char unescape(char c)
{
	switch (c) {
	case 'b': return '\b';
	case 'f': return '\f';
	case 'n': return '\n';
	case 'r': return '\r';
	case 't': return '\t';
	case '"': case '\\': case '/': return c;
	default: return 0;
	}
}

/* Decoded text is never longer than its source, so the room of a row suffices. */
static bool decode_string(struct json_row *row, struct string *s)
{
	const char *p = s->text, *end = s->text + s->n;
	char *out = row->room + row->room_n, *start = out;

	while (p < end) {
		uint32_t cp;
		size_t n;

		if (*p != '\\') {
			*out++ = *p++;
		} else if (p[1] == 'u') {
			n = decode_unicode(p + 2, end, &cp);
			if (!n)
				return false;
			out += put_utf8(out, cp);
			p += 2 + n;
		} else {
			*out = unescape(p[1]);
			if (!*out++)
				return false;
			p += 2;
		}
	}
	s->text = start;
	s->n = (size_t)(out - start);
	row->room_n += s->n;
	return true;
}

static enum json_scan_result scan_string(struct scan *s, struct string *out)
{
	bool escaped;
	const char *quote = find_quote(s->p + 1, s->end, &escaped);

	if (!quote)
		return JSON_SCAN_CUT;
	out->text = s->p + 1;
	out->n = (size_t)(quote - out->text);
	s->p = quote + 1;
	if (escaped && s->row && !decode_string(s->row, out))
		return JSON_SCAN_BAD;
	return JSON_SCAN_OK;
}

static uint64_t name_bit(const char *name, size_t n)
{
	return UINT64_C(1) << (((n ? (unsigned char)*name : 0) ^ n * 5) & 63);
}

static struct json_field *add_field(
	struct scan *s, const struct string *name, enum json_field_kind kind)
{
	struct json_row *row = s->row;
	struct json_field *f;

	ARRAY_GROW(row->fields, row->n, row->cap);
	f = &row->fields[row->n++];
	*f = (struct json_field){ .name = name->text, .name_n = name->n, .kind = kind };
	if (row->prefix.n) {
		char *dotted = row->room + row->dotted_n;

		memcpy(dotted, row->prefix.s, row->prefix.n);
		memcpy(dotted + row->prefix.n, name->text, name->n);
		f->name = dotted;
		f->name_n = row->prefix.n + name->n;
		row->dotted_n += f->name_n;
	}
	row->name_bits |= name_bit(f->name, f->name_n);
	return f;
}

/* False when dotted names would outgrow the room: only a hostile row does that. */
static bool has_room(const struct json_row *row, const struct string *name)
{
	return row->room_cap - row->dotted_n >= row->prefix.n + name->n;
}

static const struct keyword {
	const char *text;
	enum json_field_kind kind;
	double value;
} keywords[] = {
	{ "true", JSON_FIELD_BOOL, 1 },
	{ "false", JSON_FIELD_BOOL, 0 },
	{ "null", JSON_FIELD_NULL, 0 },
};

/* "Na", "-Infin": a bare word that the end of the text may have cut. */
static bool is_cut_word(const struct scan *s)
{
	size_t left = (size_t)(s->end - s->p);

	for (const char *p = s->p; p < s->end; p++)
		if (*p != '-' && !(*p >= 'A' && *p <= 'Z') && !(*p >= 'a' && *p <= 'z'))
			return false;
	return left < sizeof "-Infinity";
}

static enum json_scan_result scan_keyword(struct scan *s, const struct string *name)
{
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++) {
		size_t n = strlen(keywords[i].text), left = (size_t)(s->end - s->p);

		if (left < n && memcmp(s->p, keywords[i].text, left) == 0)
			return JSON_SCAN_CUT;
		if (left < n || memcmp(s->p, keywords[i].text, n) != 0)
			continue;
		s->p += n;
		if (name)
			add_field(s, name, keywords[i].kind)->number =
				(struct number){ .value = keywords[i].value };
		return JSON_SCAN_OK;
	}
	return is_cut_word(s) ? JSON_SCAN_CUT : JSON_SCAN_BAD;
}

static bool ends_a_value(const struct scan *s)
{
	if (s->p == s->end)
		return true;
	return *s->p == ',' || *s->p == '}' || *s->p == ']' || *s->p == ' ' || *s->p == '\n' ||
		*s->p == '\r' || *s->p == '\t';
}

static enum json_scan_result scan_number(struct scan *s, const struct string *name)
{
	struct number number;
	const char *start = s->p;
	size_t n = number_scan(&number, s->p, s->end);

	if (!n)
		return scan_keyword(s, name);
	s->p += n;
	if (!ends_a_value(s))
		return JSON_SCAN_BAD;
	if (name) {
		struct json_field *f = add_field(s, name, JSON_FIELD_NUMBER);

		f->number = number;
		f->text = start;
		f->text_n = n;
	}
	return JSON_SCAN_OK;
}

static enum json_scan_result scan_array(struct scan *s)
{
	struct json_row *row = s->row;
	enum json_scan_result result = JSON_SCAN_OK;
	bool first = true;

	s->row = NULL;
	s->p++;
	for (;; first = false) {
		skip_blanks(s);
		if (s->p == s->end)
			result = JSON_SCAN_CUT;
		else if (*s->p == ']' && first)
			break;
		else
			result = scan_value(s, NULL);
		skip_blanks(s);
		if (result == JSON_SCAN_OK && s->p == s->end)
			result = JSON_SCAN_CUT;
		if (result != JSON_SCAN_OK || *s->p == ']')
			break;
		if (*s->p++ != ',') {
			result = JSON_SCAN_BAD;
			break;
		}
	}
	if (result == JSON_SCAN_OK)
		s->p++;
	s->row = row;
	return result;
}

/* One "name": value. */
static enum json_scan_result scan_member(struct scan *s)
{
	struct string name;
	enum json_scan_result result;

	if (*s->p != '"')
		return JSON_SCAN_BAD;
	result = scan_string(s, &name);
	if (result != JSON_SCAN_OK)
		return result;
	skip_blanks(s);
	if (s->p == s->end)
		return JSON_SCAN_CUT;
	if (*s->p++ != ':')
		return JSON_SCAN_BAD;
	skip_blanks(s);
	if (s->p == s->end)
		return JSON_SCAN_CUT;
	if (s->row && !has_room(s->row, &name))
		return JSON_SCAN_BAD;
	return scan_value(s, s->row ? &name : NULL);
}

static enum json_scan_result scan_members(struct scan *s)
{
	enum json_scan_result result;
	bool first = true;

	s->p++;
	for (;; first = false) {
		skip_blanks(s);
		if (s->p == s->end)
			return JSON_SCAN_CUT;
		if (*s->p == '}' && first)
			break;
		result = scan_member(s);
		if (result != JSON_SCAN_OK)
			return result;
		skip_blanks(s);
		if (s->p == s->end)
			return JSON_SCAN_CUT;
		if (*s->p == '}')
			break;
		if (*s->p++ != ',')
			return JSON_SCAN_BAD;
	}
	s->p++;
	return JSON_SCAN_OK;
}

static enum json_scan_result scan_nested_object(struct scan *s, const struct string *name)
{
	enum json_scan_result result;
	size_t before;

	if (!name)
		return scan_members(s);
	before = s->row->prefix.n;
	buf_add(&s->row->prefix, name->text, name->n);
	buf_addc(&s->row->prefix, '.');
	result = scan_members(s);
	buf_truncate(&s->row->prefix, before);
	return result;
}

static enum json_scan_result scan_nested(struct scan *s, const struct string *name)
{
	enum json_scan_result result;
	const char *start = s->p;
	struct json_field *array;

	if (++s->depth > JSON_SCAN_DEPTH_MAX)
		return JSON_SCAN_BAD;
	if (*s->p == '{') {
		result = scan_nested_object(s, name);
	} else {
		array = name ? add_field(s, name, JSON_FIELD_ARRAY) : NULL;
		result = scan_array(s);
		if (array) {
			array->text = start;
			array->text_n = (size_t)(s->p - start);
		}
	}
	s->depth--;
	return result;
}

static enum json_scan_result scan_value(struct scan *s, const struct string *name)
{
	struct string text;
	enum json_scan_result result;
	struct json_field *f;

	if (*s->p == '{' || *s->p == '[')
		return scan_nested(s, name);
	if (*s->p != '"')
		return scan_number(s, name);
	result = scan_string(s, &text);
	if (result == JSON_SCAN_OK && name) {
		f = add_field(s, name, JSON_FIELD_TEXT);
		f->text = text.text;
		f->text_n = text.n;
	}
	return result;
}

/* Decoded texts fill the first N bytes, dotted names the rest. */
static void prepare_room(struct json_row *row, size_t n)
{
	size_t need = 5 * n + DOTTED_ROOM_LEAST;

	if (row->room_cap < need) {
		row->room = xrealloc(row->room, need + need / 2);
		row->room_cap = need + need / 2;
	}
	row->room_n = 0;
	row->dotted_n = n;
}

enum json_scan_result json_scan_object(struct json_row *row, const char *p, size_t n, size_t *used)
{
	struct scan s = { .p = p, .end = p + n, .row = row, .depth = 1 };
	enum json_scan_result result;

	row->n = 0;
	row->name_bits = 0;
	prepare_room(row, n);
	buf_clear(&row->prefix);
	result = n && *p == '{' ? scan_members(&s) : JSON_SCAN_BAD;
	*used = (size_t)(s.p - p);
	return result;
}

enum json_scan_result json_skip_value(const char *p, size_t n, size_t *used)
{
	struct scan s = { .p = p, .end = p + n };
	enum json_scan_result result = n ? scan_value(&s, NULL) : JSON_SCAN_CUT;

	*used = (size_t)(s.p - p);
	return result;
}

const struct json_field *json_row_find(const struct json_row *row, const char *name)
{
	size_t n = strlen(name);

	if (!(row->name_bits & name_bit(name, n)))
		return NULL;
	for (size_t i = row->n; i-- > 0;)
		if (row->fields[i].name_n == n && memcmp(row->fields[i].name, name, n) == 0)
			return &row->fields[i];
	return NULL;
}

bool json_field_number(const struct json_field *f, struct number *out)
{
	switch (f->kind) {
	case JSON_FIELD_NUMBER:
		*out = f->number;
		return true;
	case JSON_FIELD_BOOL:
		*out = (struct number){ .value = f->number.value,
			.integer = f->number.value != 0,
			.is_integer = true };
		return true;
	case JSON_FIELD_TEXT:
		return number_read_token(out, f->text, f->text_n, false);
	case JSON_FIELD_NULL:
	case JSON_FIELD_ARRAY:
		break;
	}
	return false;
}

void json_row_release(struct json_row *row)
{
	free(row->fields);
	free(row->room);
	buf_release(&row->prefix);
	*row = (struct json_row)JSON_ROW_INIT;
}
