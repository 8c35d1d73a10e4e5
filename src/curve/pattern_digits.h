/*
 * pattern_digits - whether a pattern tells one digit from another.
 *
 * Most patterns of log lines do not: what "\d", "[0-9]", "." or "[^,]" take of a
 * digit they take of any.  Such a pattern finds in a line what it found, at the same
 * places, in another line that differs from it in digits alone; so the other one need
 * not be searched.
 *
 * The answer "no" is always right: it is given for every pattern with a digit of its
 * own (but for the range 0-9), a reference to what was matched, a condition, a call,
 * or any other construct that is not known here to be indifferent.
 *
 *	pattern_digits_are_alike("step (?<step>\\d+)");		true
 *	pattern_digits_are_alike("rank 0: (?<value>.*)");	false
 */
#ifndef PORTSIDE_CURVE_PATTERN_DIGITS_H
#define PORTSIDE_CURVE_PATTERN_DIGITS_H

#include <stdbool.h>

/* TEXT is a pattern that PCRE2 has compiled without options that change its syntax. */
bool pattern_digits_are_alike(const char *text);

#endif
