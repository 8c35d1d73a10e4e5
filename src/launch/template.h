/*
 * template - a text of a launcher's definition with names in braces.
 *
 *	--job-name={run.id}		the value of run.id stands there
 *	{{}				is one brace: {{ and }} stand for { and }
 *
 * A value is put in once and never read again: braces in a value are plain text.  So a
 * value can neither name another nor become a second argument.
 *
 * Names are of the fields that a definition declares and of the run (run.id,
 * limit.seconds, ...); who calls says what each is.  A name that nobody knows is found by
 * template_check() when the definition is read, never while something is launched.
 *
 *	if (template_check(text, knows, user) < 0)
 *		return err_prefix("%s:%d: ", path, line);
 *	...
 *	template_expand(&out, text, value_of, user, &empty);
 */
#ifndef PORTSIDE_LAUNCH_TEMPLATE_H
#define PORTSIDE_LAUNCH_TEMPLATE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"

/* The value of NAME[0..N), borrowed; NULL: there is no such name. */
typedef const char *template_value_fn(const void *user, const char *name, size_t n);

/* 0, or ERR_PARSE: a brace that does not close, a name that VALUE does not know. */
int template_check(const char *text, template_value_fn *value, const void *user) ATTR_MUST_USE;

/*
 * Appends TEXT, which passes template_check().  *EMPTY (may be NULL) says that a value
 * in it was empty: an optional argument is dropped then.
 */
void template_expand(struct buf *out, const char *text, template_value_fn *value,
	const void *user, bool *empty);

#endif
