/*
 * run_table_private - what the files of run_table share; nobody else includes it.
 */
#ifndef PORTSIDE_CURVE_RUN_TABLE_PRIVATE_H
#define PORTSIDE_CURVE_RUN_TABLE_PRIVATE_H

#include "curve/run_table.h"

struct run_words {
	const char *list[12];
	bool quoted[12];
	size_t n;
};

/* False when there is no room. */
bool run_words_add(struct run_words *w, struct arena *a, const char *s, size_t n, bool quoted);
/* Bytes of the word at S, quotes with it. */
size_t run_word_length(const char *s);
int run_reduce_find(const char *word);		/* enum run_reduce; -1: none */
/* What W says, without "as NAME"; texts are borrowed, or in A.  False: no column. */
bool run_column_of_words(struct run_column *c, struct run_words *w, struct arena *a);

#endif
