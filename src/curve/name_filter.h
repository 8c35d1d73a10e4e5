/*
 * name_filter - which series a person wants to see, by a few letters of the name.
 *
 * What was typed says which kind it is:
 *	loss		any name that contains it, whatever the case
 *	eval*loss	with * or ?: the whole name
 *	^eval/.*acc	with ^ $ | ( [ + \ or .*: a regular expression, anywhere in the name
 *
 * A regular expression that is not finished, or wrong, is looked for as plain
 * text, so that a list does not go blank while somebody types; TROUBLE says why.
 *
 *	struct name_filter *f = name_filter_new("^eval");
 *	if (name_filter_passes(f, "eval/loss"))
 *		...
 *	name_filter_free(f);
 */
#ifndef PORTSIDE_CURVE_NAME_FILTER_H
#define PORTSIDE_CURVE_NAME_FILTER_H

#include <stdbool.h>

struct name_filter;

struct name_filter *name_filter_new(const char *text);
void name_filter_free(struct name_filter *f);	/* NULL is fine */

/* NULL lets every name through. */
bool name_filter_passes(const struct name_filter *f, const char *name);

/* Why the text is no regular expression; "" when it is one, or none. */
const char *name_filter_trouble(const struct name_filter *f);

#endif
