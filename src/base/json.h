/*
 * json - a tolerant reader into a tree, and a writer.
 *
 * The reader accepts what trainers write: bare NaN, Infinity, -Infinity, nan,
 * inf outside strings (with JSON_TOLERANT); numbers keep their lexeme, so that
 * 9007199254740993 survives.  With JSON_STRICT it refuses those, duplicate
 * keys, invalid UTF-8 and U+0000.  Depth is limited to 64 always.
 *
 * The writer is for events (strings, arrays, objects only; keys sorted by the
 * caller's json_canonical()) and for --json output, where integers are written
 * as digits, doubles shortest-round-trip, and NaN or infinities as strings.
 */
#ifndef PORTSIDE_BASE_JSON_H
#define PORTSIDE_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"

enum json_type {
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT
};

struct json {
	enum json_type type;
	const char *key;	/* inside an object, else NULL; NUL-terminated */
	size_t key_n;
	const char *text;	/* string bytes, or the lexeme of a number */
	size_t text_n;
	struct json *first;	/* children of an array or object, in order */
	struct json *next;	/* the next sibling */
	size_t count;		/* children */
};

enum { JSON_STRICT = 0, JSON_TOLERANT = 1, JSON_DEPTH_MAX = 64 };

/*
 * Parses the whole of S[0..N) (surrounding blanks allowed) into A.  *OUT is
 * borrowed from A.  ERR_PARSE names the offset.
 */
int json_parse(
	const struct json **out, struct arena *a, const char *s, size_t n, int flags) ATTR_MUST_USE;

/* NULL-safe look-ups: a missing key, a wrong type or a NULL J gives the
 * default.  With duplicate keys the last one wins. */
const struct json *json_get(const struct json *j, const char *key);
const char *json_str(const struct json *j, const char *key, const char *otherwise);
/* number or string of digits */
int64_t json_i64(const struct json *j, const char *key, int64_t otherwise);
double json_double(const struct json *j, const char *key, double otherwise);	/* also "NaN" */
bool json_bool(const struct json *j, const char *key, bool otherwise);

/* Appends J in canonical form: keys sorted by bytes at every depth, shortest
 * escapes, no blanks; numbers as their lexeme. */
void json_canonical(struct buf *out, const struct json *j);

/* Appends S as a quoted JSON string with the shortest escapes.  Bad bytes
 * become U+FFFD, so the output is always valid. */
void json_quote(struct buf *out, const char *s, size_t n);

/*
 * Streaming writer.  Keys are given inside objects, NULL inside arrays and at
 * the top.
 *
 *	struct json_writer w = { .out = &b };
 *	json_begin_object(&w, NULL);
 *	json_put_i64(&w, "schema", 1);
 *	json_end_object(&w);
 */
struct json_writer {
	struct buf *out;
	bool indent;		/* two blanks a level, for people */
	int depth;
	uint64_t filled;	/* bit per depth: a value was written */
};

void json_begin_object(struct json_writer *w, const char *key);
void json_end_object(struct json_writer *w);
void json_begin_array(struct json_writer *w, const char *key);
void json_end_array(struct json_writer *w);
/* NULL writes null */
void json_put_str(struct json_writer *w, const char *key, const char *s);
void json_put_strn(struct json_writer *w, const char *key, const char *s, size_t n);
void json_put_i64(struct json_writer *w, const char *key, int64_t v);
/* non-finite: a string */
void json_put_double(struct json_writer *w, const char *key, double v);
void json_put_bool(struct json_writer *w, const char *key, bool v);
void json_put_null(struct json_writer *w, const char *key);
/* already JSON */
void json_put_raw(struct json_writer *w, const char *key, const char *s, size_t n);

#endif
