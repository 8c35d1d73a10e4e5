/*
 * text_pattern - does a pattern that somebody wrote occur in a text?
 *
 * PCRE2 over UTF-8; bad bytes match nothing.  A search has limits, so that neither a
 * hostile pattern nor a hostile text costs more than some tenths of a second: what
 * reaches one is an answer of its own and never "not found".
 *
 *	switch (text_pattern_find("(?i)film", text, n)) {
 *	case TEXT_PATTERN_FOUND: ...
 */
#ifndef PORTSIDE_BASE_TEXT_PATTERN_H
#define PORTSIDE_BASE_TEXT_PATTERN_H

#include "base/mem.h"

enum text_pattern_answer {
	TEXT_PATTERN_MISSING,
	TEXT_PATTERN_FOUND,
	TEXT_PATTERN_GAVE_UP,	/* a limit was reached, or PATTERN is none */
};

/* 0 or ERR_PARSE, which says what is wrong at which byte. */
int text_pattern_check(const char *pattern) ATTR_MUST_USE;

enum text_pattern_answer text_pattern_find(const char *pattern, const char *s, size_t n);

#endif
