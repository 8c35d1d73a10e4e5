/*
 * json - the reader; see json.h.  Recursive descent with a depth limit; strings
 * without escapes are still copied, so that the tree does not need its source.
 */
#include "config.h"

#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/json_span.h"
#include "base/text.h"

struct parser {
	struct arena *arena;
	const char *start, *s, *end;
	int flags;
	int depth;
	struct buf scratch;
};

static int fail(struct parser *p, const char *what)
{
	return err_set(ERR_PARSE, "JSON: %s at offset %zu", what, (size_t)(p->s - p->start));
}

static void skip_blanks(struct parser *p)
{
	while (p->s < p->end && (*p->s == ' ' || *p->s == '\t' || *p->s == '\n' || *p->s == '\r'))
		p->s++;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The four digits after \u; p->s stands behind them afterwards. */
static int parse_unit(struct parser *p, uint32_t *unit)
{
	*unit = 0;
	if (p->end - p->s < 4)
		return fail(p, "a cut \\u escape");
	for (int i = 0; i < 4; i++) {
		int v = hex_value(*p->s);

		if (v < 0)
			return fail(p, "a bad \\u escape");
		*unit = *unit << 4 | (uint32_t)v;
		p->s++;
	}
	return 0;
}

static int parse_unicode(struct parser *p)
{
	uint32_t unit, low;
	int rc = parse_unit(p, &unit);

	if (rc < 0)
		return rc;
	if (unit >= 0xd800 && unit <= 0xdbff && p->end - p->s >= 6 && p->s[0] == '\\' &&
		p->s[1] == 'u') {
		const char *back = p->s;

		p->s += 2;
		if ((rc = parse_unit(p, &low)) < 0)
			return rc;
		if (low >= 0xdc00 && low <= 0xdfff)
			unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
		else
			p->s = back;
	}
	if (p->flags == JSON_STRICT && (unit == 0 || (unit >= 0xd800 && unit <= 0xdfff)))
		return fail(p, "U+0000 or half a surrogate pair");
	utf8_encode(&p->scratch, unit);
	return 0;
}

static int parse_escape(struct parser *p)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;

	if (p->s == p->end)
		return fail(p, "a cut escape");
	if (*p->s == 'u') {
		p->s++;
		return parse_unicode(p);
	}
	at = *p->s ? strchr(from, *p->s) : NULL;
	if (!at)
		return fail(p, "an unknown escape");
	buf_addc(&p->scratch, to[at - from]);
	p->s++;
	return 0;
}

/* p->s stands behind the opening quote. */
static int parse_string(struct parser *p, const char **text, size_t *n)
{
	size_t plain = json_plain_span(p->s, (size_t)(p->end - p->s));

	if (p->s + plain < p->end && p->s[plain] == '"') {
		*text = arena_strndup(p->arena, p->s, plain);
		*n = plain;
		p->s += plain + 1;
		return 0;
	}
	buf_clear(&p->scratch);
	for (;;) {
		const char *run = p->s;

		while (p->s < p->end && *p->s != '"' && *p->s != '\\' &&
			(unsigned char)*p->s >= 0x20)
			p->s++;
		buf_add(&p->scratch, run, (size_t)(p->s - run));
		if (p->s == p->end)
			return fail(p, "a string without its end");
		if (*p->s == '"')
			break;
		if (*p->s == '\\') {
			int rc;

			p->s++;
			if ((rc = parse_escape(p)) < 0)
				return rc;
		} else if (p->flags == JSON_STRICT) {
			return fail(p, "a bare control character");
		} else {
			buf_addc(&p->scratch, *p->s++);
		}
	}
	if (p->flags == JSON_STRICT && !utf8_valid(p->scratch.s, p->scratch.n))
		return fail(p, "bytes that are not UTF-8 before");
	p->s++;
	*text = arena_strndup(p->arena, p->scratch.s, p->scratch.n);
	*n = p->scratch.n;
	return 0;
}

static bool take_word(struct parser *p, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(p->end - p->s) < n || memcmp(p->s, word, n) != 0)
		return false;
	p->s += n;
	return true;
}

static size_t digit_run(struct parser *p)
{
	const char *from = p->s;

	while (p->s < p->end && *p->s >= '0' && *p->s <= '9')
		p->s++;
	return (size_t)(p->s - from);
}

/* The grammar of RFC 8259; with JSON_TOLERANT also words and a leading plus. */
static int parse_number(struct parser *p, struct json *j)
{
	static const char *const words[] = { "NaN", "nan", "Infinity", "infinity", "Inf", "inf" };
	const char *from = p->s;
	bool ok;

	if (*p->s == '-' || (p->flags == JSON_TOLERANT && *p->s == '+'))
		p->s++;
	j->type = JSON_NUMBER;
	for (size_t i = 0; p->flags == JSON_TOLERANT && i < ARRAY_LEN(words); i++)
		if (take_word(p, words[i]))
			goto out;
	if (p->s < p->end && *p->s == '0') {
		p->s++;
		ok = !digit_run(p);
	} else {
		ok = digit_run(p) > 0;
	}
	if (ok && p->s < p->end && *p->s == '.') {
		p->s++;
		ok = digit_run(p) > 0;
	}
	if (ok && p->s < p->end && (*p->s == 'e' || *p->s == 'E')) {
		p->s++;
		if (p->s < p->end && (*p->s == '-' || *p->s == '+'))
			p->s++;
		ok = digit_run(p) > 0;
	}
	if (!ok)
		return fail(p, "not a value");
out:
	j->text_n = (size_t)(p->s - from);
	j->text = arena_strndup(p->arena, from, j->text_n);
	return 0;
}

static int parse_value(struct parser *p, struct json *j);

static int parse_key(struct parser *p, struct json *child)
{
	int rc;

	skip_blanks(p);
	if (p->s == p->end || *p->s != '"')
		return fail(p, "no key");
	p->s++;
	if ((rc = parse_string(p, &child->key, &child->key_n)) < 0)
		return rc;
	skip_blanks(p);
	if (p->s == p->end || *p->s != ':')
		return fail(p, "no colon");
	p->s++;
	return 0;
}

/* ---- keys that were there ---- */

enum { KEYS_LOOKED_THROUGH = 16 };	/* more are found by their hash */

/* The children of one object by the hash of their keys; in the arena. */
struct keys {
	const struct json **slots;
	size_t n, cap;			/* CAP is a power of two, 0 at first */
};

static bool same_key(const struct json *a, const struct json *b)
{
	return a->key_n == b->key_n && memcmp(a->key, b->key, a->key_n) == 0;
}

/* True when the key of CHILD is there; else it is put in. */
static bool keys_take(struct keys *k, const struct json *child)
{
	size_t i = (size_t)fnv1a(FNV1A_BEGIN, child->key, child->key_n) & (k->cap - 1);

	for (; k->slots[i]; i = (i + 1) & (k->cap - 1))
		if (same_key(k->slots[i], child))
			return true;
	k->slots[i] = child;
	k->n++;
	return false;
}

static void keys_grow(struct keys *k, struct arena *a)
{
	struct keys more = { .cap = k->cap * 2 };

	more.slots = arena_alloc(a, more.cap * sizeof *more.slots);
	for (size_t i = 0; i < k->cap; i++)
		if (k->slots[i])
			(void)keys_take(&more, k->slots[i]);
	*k = more;
}

static void keys_begin(struct keys *k, struct arena *a, const struct json *j)
{
	k->cap = 4 * KEYS_LOOKED_THROUGH;
	k->slots = arena_alloc(a, k->cap * sizeof *k->slots);
	for (const struct json *c = j->first; c->next; c = c->next)
		(void)keys_take(k, c);
}

/* CHILD is the last one of J.  An object of very many keys costs no more than its length. */
static bool has_key(
	struct keys *k, struct arena *a, const struct json *j, const struct json *child)
{
	if (j->count <= KEYS_LOOKED_THROUGH) {
		for (const struct json *c = j->first; c != child; c = c->next)
			if (same_key(c, child))
				return true;
		return false;
	}
	if (!k->cap)
		keys_begin(k, a, j);
	else if (2 * k->n >= k->cap)
		keys_grow(k, a);
	return keys_take(k, child);
}

/* p->s stands behind the opening bracket. */
static int parse_children(struct parser *p, struct json *j, char close)
{
	struct json **tail = &j->first;
	struct keys keys = { 0 };
	int rc;

	if (++p->depth > JSON_DEPTH_MAX)
		return fail(p, "nested deeper than 64");
	skip_blanks(p);
	if (p->s < p->end && *p->s == close) {
		p->s++;
		p->depth--;
		return 0;
	}
	for (;;) {
		struct json *child = ARENA_NEW(p->arena, struct json);

		if (close == '}' && (rc = parse_key(p, child)) < 0)
			return rc;
		*tail = child;
		tail = &child->next;
		j->count++;
		if (close == '}' && p->flags == JSON_STRICT &&
			has_key(&keys, p->arena, j, child))
			return fail(p, "a key that was there before");
		if ((rc = parse_value(p, child)) < 0)
			return rc;
		skip_blanks(p);
		if (p->s == p->end)
			return fail(p, "unexpected end");
		if (*p->s == close)
			break;
		if (*p->s != ',')
			return fail(p, "neither comma nor end of the list");
		p->s++;
	}
	p->s++;
	p->depth--;
	return 0;
}

static int parse_value(struct parser *p, struct json *j)
{
	skip_blanks(p);
	if (p->s == p->end)
		return fail(p, "unexpected end");
	switch (*p->s) {
	case '{':
		p->s++;
		j->type = JSON_OBJECT;
		return parse_children(p, j, '}');
	case '[':
		p->s++;
		j->type = JSON_ARRAY;
		return parse_children(p, j, ']');
	case '"':
		p->s++;
		j->type = JSON_STRING;
		return parse_string(p, &j->text, &j->text_n);
	default:
		break;
	}
	if (take_word(p, "null"))
		j->type = JSON_NULL;
	else if (take_word(p, "true"))
		j->type = JSON_TRUE;
	else if (take_word(p, "false"))
		j->type = JSON_FALSE;
	else
		return parse_number(p, j);
	return 0;
}

int json_parse(const struct json **out, struct arena *a, const char *s, size_t n, int flags)
{
	struct json *j = ARENA_NEW(a, struct json);
	struct parser p = { .arena = a, .flags = flags };
	int rc;

	p.start = p.s = n ? s : ""; /* an empty text may have no address */
	p.end = p.s + n;
	buf_init(&p.scratch);
	rc = parse_value(&p, j);
	if (!rc) {
		skip_blanks(&p);
		if (p.s != p.end)
			rc = fail(&p, "text after the value");
	}
	buf_release(&p.scratch);
	if (!rc)
		*out = j;
	return rc;
}

/* ---- look-ups ------------------------------------------------------------ */

const struct json *json_get(const struct json *j, const char *key)
{
	const struct json *found = NULL;
	size_t n = strlen(key);

	if (!j || j->type != JSON_OBJECT)
		return NULL;
	for (const struct json *c = j->first; c; c = c->next)
		if (c->key_n == n && memcmp(c->key, key, n) == 0)
			found = c;
	return found;
}

const char *json_str(const struct json *j, const char *key, const char *otherwise)
{
	const struct json *c = json_get(j, key);

	return c && c->type == JSON_STRING ? c->text : otherwise;
}

static bool is_scalar(const struct json *c)
{
	return c && (c->type == JSON_STRING || c->type == JSON_NUMBER);
}

int64_t json_i64(const struct json *j, const char *key, int64_t otherwise)
{
	const struct json *c = json_get(j, key);
	int64_t v;

	return is_scalar(c) && text_to_i64(c->text, c->text_n, &v) ? v : otherwise;
}

double json_double(const struct json *j, const char *key, double otherwise)
{
	const struct json *c = json_get(j, key);
	double v;

	return is_scalar(c) && text_to_double(c->text, c->text_n, &v) ? v : otherwise;
}

bool json_bool(const struct json *j, const char *key, bool otherwise)
{
	const struct json *c = json_get(j, key);

	if (!c || (c->type != JSON_TRUE && c->type != JSON_FALSE))
		return otherwise;
	return c->type == JSON_TRUE;
}
