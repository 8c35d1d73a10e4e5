/*
 * line_pattern - a pattern that somebody wrote for the lines of a program of their own.
 *
 * PCRE2 over bytes, with named groups: "value" must be there, and "step" or "epoch",
 * which says where the value belongs; "name" may be, and is the name of the curve.
 * Any other name means nothing and is refused, since it is most likely a slip.
 *
 *	step[ =](?<step>\d+)\s+.*?loss[ =](?<value>[-+.\deE]+)
 *
 * Here it is only compiled and checked; curve/terminal_pattern.h runs it, with limits.
 */
#ifndef PORTSIDE_BASE_LINE_PATTERN_H
#define PORTSIDE_BASE_LINE_PATTERN_H

#include "base/mem.h"

struct pcre2_real_code_8;

/* NULL, and ERR_PARSE, when it is none: where it is wrong, or which group is missing.
 * Yours: pcre2_code_free(). */
struct pcre2_real_code_8 *line_pattern_compile(const char *text);

/* 0 or ERR_PARSE. */
int line_pattern_check(const char *text) ATTR_MUST_USE;

#endif
