/*
 * codec - states as JSON text and back, driven by one table per struct.
 *
 * A member that is empty (NULL or "", 0, false, no elements) is left out, so a
 * state is small and a member that is new in this version reads as empty from
 * an old text.  Members that are not known are ignored.
 */
#ifndef PORTSIDE_DOMAIN_CODEC_H
#define PORTSIDE_DOMAIN_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/json.h"
#include "domain/vocabulary.h"

enum member_type {
	MEMBER_TEXT,		/* const char *; never NULL after decoding */
	MEMBER_INTEGER,		/* int64_t; digits in quotes are read too */
	MEMBER_FLAG,		/* bool */
	MEMBER_WORD,		/* an enum (int sized) with a word list */
	MEMBER_TEXTS,		/* const char **, size_t */
	MEMBER_LIST,		/* struct *, size_t */
	MEMBER_STRUCT,		/* a struct inside */
	MEMBER_RAW,		/* const char * that holds JSON text */
};

struct state_shape;

struct member {
	const char *name;
	enum member_type type;
	size_t offset;
	size_t count_offset;		/* TEXTS, LIST */
	const struct state_shape *shape;	/* LIST, STRUCT */
	const struct words *words;	/* WORD */
};

struct state_shape {
	size_t size;
	const struct member *members;
	size_t n;
};

void shape_encode(struct buf *out, const struct state_shape *s, const void *from);
/* TO is zeroed first; texts are borrowed from J's arena or copied into A. */
void shape_decode(void *to, const struct state_shape *s, struct arena *a, const struct json *j);

/*
 * Appends to OUT an object of the members NAMES (ends with NULL) of the text that
 * shape_encode() wrote, and stops behind the last of them.  False when the text
 * has another form; OUT is then of no use.
 */
bool shape_pick(struct buf *out, const struct state_shape *s, const char *text, size_t n,
	const char *const *names);

#endif
