/*
 * log_scan_words - many words looked for at once in a stream of bytes.
 *
 * One table for all words (Aho and Corasick, 1975): a byte costs one look-up whatever
 * the text is, so a log that is made of hits is no slower to search than any other.
 * ASCII letters are compared without regard to case.  Four places of a block are
 * searched side by side, since one look-up waits for the one before it.
 *
 *	struct log_words *w = log_words_new();
 *
 *	log_words_add(w, "killed", 6, 17);
 *	log_words_finish(w);
 *	log_words_run(w, &state, text, n, offset, &found);
 *	for (size_t i = 0; i < found.n; i++)
 *		tags = log_words_tags(w, found.rows[i].state, &n);
 */
#ifndef PORTSIDE_EVIDENCE_LOG_SCAN_WORDS_H
#define PORTSIDE_EVIDENCE_LOG_SCAN_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct log_words;

struct log_word_found {
	uint64_t at;		/* place behind the last byte of the words */
	uint32_t state;		/* tells which words end there */
};

struct log_words_found {
	struct log_word_found *rows;	/* by place */
	size_t n, cap;
};

struct log_words *log_words_new(void);
void log_words_free(struct log_words *w);

/* TEXT is copied; of no bytes it is left out. */
void log_words_add(struct log_words *w, const char *text, size_t n, uint32_t tag);
void log_words_finish(struct log_words *w);

/* Appends to OUT what ends in S[0..N), whose first byte has place OFFSET.  *STATE is 0
 * in the beginning and goes on from block to block. */
void log_words_run(const struct log_words *w, uint32_t *state, const char *s, size_t n,
	uint64_t offset, struct log_words_found *out);

/* Tags of the words that end in STATE; borrowed. */
const uint32_t *log_words_tags(const struct log_words *w, uint32_t state, size_t *n);

#endif
