/*
 * pattern - a pattern that somebody wrote, compiled by PCRE2.
 *
 * Says why a pattern is none, and refuses \C, which would cut a character in two.  What
 * a pattern may mean, and what a search may cost, is said by whoever runs it:
 * line_pattern.h and text_pattern.h.
 *
 *	pcre2_code *code = pattern_compile("loss=(\\d+)", PCRE2_UTF);
 *
 *	if (!code)
 *		return ERR_PARSE;	// err_text(): "missing closing parenthesis at byte 5 ..."
 */
#ifndef PORTSIDE_BASE_PATTERN_H
#define PORTSIDE_BASE_PATTERN_H

#include <stdint.h>

#include "base/mem.h"

struct pcre2_real_code_8;

enum { PATTERN_BYTES_MAX = 4096 };

/* OPTIONS are PCRE2's.  NULL, and ERR_PARSE, when it is none or too long: what is wrong,
 * and at which byte.  Yours: pcre2_code_free(). */
struct pcre2_real_code_8 *pattern_compile(const char *text, uint32_t options);

/* 0 or ERR_PARSE: does it compile? */
int pattern_check(const char *text, uint32_t options) ATTR_MUST_USE;

#endif
