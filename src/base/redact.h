/*
 * redact - keeps secrets out of all that is stored, shown or exported.
 *
 * Three kinds: the values of known secrets (8 bytes or more, with the name of
 * their variable), shapes that are secrets wherever they occur (hf_, ghp_ and its
 * kin, github_pat_, glpat-, sk-, AKIA, ASIA, AIza, ya29., xoxb-, Bearer, PEM private
 * keys, user:password@ in a URL), and values that a name gives away (api_key=...,
 * "token": "...", --password ...; of 8 bytes or more, with a letter and a digit, so
 * that numbers, words and variables stay).  Each becomes "[redacted NAME]".
 *
 *	struct redact *r = redact_new();
 *	redact_add(r, "HF_TOKEN", value);
 *	redact_text(r, &out, s, n);
 *	redact_free(r);
 *
 * The values are held in memory and wiped by redact_free().
 */
#ifndef PORTSIDE_BASE_REDACT_H
#define PORTSIDE_BASE_REDACT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum { REDACT_MIN_BYTES = 8 };

struct redact;

struct redact *redact_new(void);
void redact_free(struct redact *r);		/* NULL is fine */
/* Does NAME look like that of a secret: token, secret, passw, credential, api_key,
 * private, auth, cookie in any case?  What it holds is never recorded. */
bool redact_secret_name(const char *name);
void redact_add(struct redact *r, const char *name, const char *value);
/* Every variable of ENVIRON whose name looks like a secret. */
void redact_add_environment(struct redact *r, char *const *environment);

/* Appends S without secrets; true when something was taken out.  R may be
 * NULL: known shapes only. */
bool redact_text(const struct redact *r, struct buf *out, const char *s, size_t n);

/* The same for one argument of a command; BEFORE is the one before it, or NULL. */
void redact_argument(const struct redact *r, struct buf *out, const char *before, const char *s);

/* Puts a * in the place of each byte of a secret, so that no place moves. */
void redact_mask(const struct redact *r, char *s, size_t n);

/* Would redact_text() take something out?  *NAME (may be NULL) says which. */
bool redact_finds(const struct redact *r, const char *s, size_t n, const char **name);

#endif
