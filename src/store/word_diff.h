/*
 * word_diff - which words of a changed line are new.
 *
 * Two versions of a line are cut into words (letters, digits and _ together,
 * each run of blanks, every other code point alone) and compared; the words
 * that are not common become byte ranges, neighbours joined.  Cost is bounded
 * by WORD_DIFF_WORDS_MAX words a side; longer lines, and lines with hardly
 * anything in common, are marked whole, since a chequered line reads worse.
 * Pure.
 */
#ifndef PORTSIDE_STORE_WORD_DIFF_H
#define PORTSIDE_STORE_WORD_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

enum { WORD_DIFF_WORDS_MAX = 512 };

struct word_range { size_t start, n; };		/* bytes */

struct word_marks {
	struct word_range *old_ranges, *new_ranges;	/* in A, ascending */
	size_t n_old, n_new;
	bool whole;			/* marked whole: too long or too different */
};

void word_diff(struct word_marks *out, struct arena *a, const char *old_text, size_t old_n,
		const char *new_text, size_t new_n);

/* Share of words in common, 0 to 1, blanks left out; 1 for two empty lines. */
double word_similarity(const char *old_text, size_t old_n, const char *new_text, size_t new_n);

#endif
