/*
 * signature_word - a word that each match of a pattern contains.
 *
 * A log is searched for the words of all patterns at once, and a pattern is tried only
 * where one of its words stands.  So the words must be necessary: each match holds at
 * least one of the set.  They are taken from the pattern itself: texts that stand in
 * every way through it, the ways of an alternation together.  Of all such sets the
 * one is chosen whose words are rarest in the logs of ordinary training.
 *
 * Words are compared without regard to the case of ASCII letters, and those of a
 * pattern that may match across a wrapped line hold no blank, so that a line's end
 * never cuts them.
 */
#ifndef PORTSIDE_EVIDENCE_SIGNATURE_WORD_H
#define PORTSIDE_EVIDENCE_SIGNATURE_WORD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

enum { WORD_BYTES_MIN = 3, WORD_BYTES_MAX = 40, WORD_SET_MAX = 24 };

struct signature_words {
	char text[WORD_SET_MAX][WORD_BYTES_MAX + 1];	/* lower case */
	size_t n[WORD_SET_MAX];				/* bytes; may hold NUL */
	size_t count;
};

/*
 * The set of PATTERN.  WHOLE: words may hold blanks.  ERR_PARSE when no set of words of
 * WORD_BYTES_MIN bytes and more is necessary.
 */
int signature_words_find(
	struct signature_words *out, const char *pattern, bool whole) ATTR_MUST_USE;

#endif
