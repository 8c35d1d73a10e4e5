/*
 * contract_private - what the files of contract share: the reader and its mistakes.
 *
 * A path names a place in the file: "", "fixed.model", "cases[2].tolerance".
 */
#ifndef PORTSIDE_DOMAIN_CONTRACT_PRIVATE_H
#define PORTSIDE_DOMAIN_CONTRACT_PRIVATE_H

#include "domain/contract.h"

enum { CONTRACT_TEXT_MAX = 8192 };

struct contract_reader {
	struct contract *contract;
	bool (*knows_type)(const char *name);
};

void contract_mistake(struct contract_reader *r, const char *path, const char *fmt, ...)
	ATTR_PRINTF(3, 4);
const char *contract_below(struct contract_reader *r, const char *path, const char *key);
const char *contract_member(struct contract_reader *r, const char *path, size_t i);

/* J is an object with no keys but ALLOWED (NULL ends); false: it is none. */
bool contract_object(struct contract_reader *r, const char *path, const struct json *j,
	const char *const *allowed);
/* A text that is not blank; "" after a mistake. */
const char *contract_text_value(
	struct contract_reader *r, const char *path, const struct json *j, bool required);
const char *contract_text(struct contract_reader *r, const char *path, const struct json *object,
	const char *key, bool required);
/* A list of texts, each of which FITS (NULL: any); WHAT is for messages.  J may be NULL. */
const char **contract_list(struct contract_reader *r, const char *path, const struct json *j,
	bool (*fits)(const char *), const char *what, size_t *n);

void contract_case_read(struct contract_case *out, struct contract_reader *r, const char *path,
	const struct json *j);

#endif
