/*
 * version_text - the text of a version in few bytes.
 *
 * A version of an object differs little from the next one, so an old version is
 * kept as what turns the newer text back into it; the latest, and one of many in
 * between, are kept whole, deflated when that is worth it.  Each form carries a
 * sum of the text: a difference that is applied to another text, or damage, is
 * noticed and never read as a state.
 *
 * What a difference looks like follows from the two texts alone, so that views
 * which hold the same versions are the same bytes; what deflating gives depends
 * on zlib's version, so whole texts are compared as text.
 *
 *	struct version_coder *c = version_coder_new();
 *
 *	version_put_whole(&newest, c, text, n);
 *	version_put_older(&older, before, before_n, text, n);
 *	...
 *	if (version_take(&text, c, newest.s, newest.n, NULL, 0) < 0 ||
 *	    version_take(&before, c, older.s, older.n, text.s, text.n) < 0)
 *		return -1;
 */
#ifndef PORTSIDE_STORE_VERSION_TEXT_H
#define PORTSIDE_STORE_VERSION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/mem.h"

/* The state of zlib, which is worth keeping from one text to the next.  For one
 * thread at a time. */
struct version_coder;

struct version_coder *version_coder_new(void);
void version_coder_free(struct version_coder *c);	/* NULL is fine */

/* Each replaces OUT. */
void version_put_whole(struct buf *out, struct version_coder *c, const char *s, size_t n);
void version_put_older(struct buf *out, const char *s, size_t n, const char *newer, size_t newer_n);

/* Whether the newer text is needed for it. */
bool version_is_older(const void *bytes, size_t n);

/* Replaces OUT by the text.  NEWER is used by version_is_older() ones only and
 * may not lie in OUT.  ERR_DAMAGED. */
int version_take(struct buf *out, struct version_coder *c, const void *bytes, size_t n,
	const char *newer, size_t newer_n) ATTR_MUST_USE;

#endif
