/*
 * kind - the one table of event kinds.
 *
 * Everything else that lists kinds (checks before writing, help, documents,
 * completion) is derived from it.  A kind that is not in
 * the table came from a newer version: it is kept, shown raw, and folded as
 * nothing.
 *
 * All values of d are strings, lists or objects; numbers and yes/no are
 * strings.  Text fields marked KIND_FIELD_BLOB hold the digest of a salted blob (64
 * hex digits), never the text, so that a secret can be withheld later.
 */
#ifndef PORTSIDE_DOMAIN_KIND_H
#define PORTSIDE_DOMAIN_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/event.h"
#include "domain/vocabulary.h"

enum kind_field_type {
	KIND_FIELD_TEXT,		/* any string */
	KIND_FIELD_INTEGER,		/* decimal digits, sign allowed */
	KIND_FIELD_NUMBER,		/* a number's lexeme */
	KIND_FIELD_FLAG,		/* yes or no */
	KIND_FIELD_DIGEST,		/* 64 hex digits */
	KIND_FIELD_WORD,		/* one of WORDS */
	KIND_FIELD_LIST,
	KIND_FIELD_OBJECT,
	KIND_FIELD_BLOB,		/* free text: the digest of a blob */
};

struct kind_field {
	const char *name;
	enum kind_field_type type;
	bool required;		/* present and not empty */
	const struct words *words;
	const char *help;
};

enum { BY_HUMAN = 1, BY_AGENT = 2, BY_TOOL = 4 };

enum { KIND_FIELDS_MAX = 28 };

struct kind {
	const char *name;	/* "run.ended" */
	const char *object;	/* the object type that it speaks of */
	unsigned by;		/* BY_ bits */
	const char *help;	/* what the fold does, one line */
	struct kind_field fields[KIND_FIELDS_MAX];	/* up to a NULL name */
};

extern const struct kind kinds[];
extern const size_t kinds_n;

const struct kind *kind_find(const char *name);		/* NULL: unknown */
const struct kind_field *kind_field_find(const struct kind *k, const char *name);

/*
 * Checks a draft before it is written: known kind, author's class, required
 * fields, types, words, object form, and the rules that span fields (an agent
 * never confirms a check, a confirmation names its evidence, ...).  Uses kind,
 * object, actor and data of E.  0, ERR_REFUSED for the wrong author, ERR_PARSE
 * else; the sentence names the field.
 */
int kind_check(const struct event *e) ATTR_MUST_USE;

/*
 * As kind_check() for an event that is already in the log: fields that this
 * version does not know are ignored.  False: it folds as nothing.
 */
bool kind_folds(const struct event *e);

/* Field is free text that must become a blob before the event is written. */
bool kind_field_is_blob(const char *kind, const char *field);

/*
 * Object ids.  An attempt is "N" on the unnamed line and "LINE/N" on a named
 * one.  A subject of a decision or a cost is TYPE:ID, for example "alarm:KEY",
 * "attempt:7", "line:torchtpu", "run:ps-...", "migration:".
 */
const char *attempt_object_id(struct arena *a, int64_t n, const char *line);
bool attempt_object_parse(int64_t *n, const char **line, struct arena *a, const char *id);
const char *subject_make(struct arena *a, const char *type, const char *id);
/* Text without a colon is an attempt. */
void subject_parse(const char **type, const char **id, struct arena *a, const char *subject);

/* Letters, digits, dot, dash, underscore; 1 to 64 bytes: lines and targets. */
bool name_is_plain(const char *s);

#endif
