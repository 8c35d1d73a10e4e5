/*
 * redact - keeps secrets out of all that is stored, shown or exported.
 *
 * Two kinds: the values of known secrets (8 bytes or more, with the name of
 * their variable), and shapes that are secrets wherever they occur: hf_, ghp_,
 * github_pat_, sk-, AKIA, ya29., PEM private keys, user:password@ in a URL.
 * Each becomes "[redacted NAME]".
 *
 *	struct redact *r = redact_new();
 *	redact_add(r, "HF_TOKEN", value);
 *	redact_text(r, &out, s, n);
 *	redact_free(r);
 *
 * The values are held in memory and wiped by redact_free().
 */
#ifndef PORTSIDE_LAUNCH_REDACT_H
#define PORTSIDE_LAUNCH_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { REDACT_MIN_BYTES = 8 };

struct redact;

struct redact *redact_new(void);
void redact_free(struct redact *r);		/* NULL is fine */
void redact_add(struct redact *r, const char *name, const char *value);
/* Every variable of ENVIRON whose name looks like a secret. */
void redact_add_environment(struct redact *r, char *const *environment);

/* Appends S without secrets; true when something was taken out.  R may be
 * NULL: known shapes only. */
bool redact_text(const struct redact *r, struct buf *out, const char *s, size_t n);

/* Would redact_text() take something out?  *NAME (may be NULL) says which. */
bool redact_finds(const struct redact *r, const char *s, size_t n, const char **name);

#endif
