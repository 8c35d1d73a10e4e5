/*
 * evidence_tally - what a parser counts over a file, by fact and key.
 *
 * A program says the same again at each step; a fact is wanted once.  Rows stand in
 * the order in which they were first seen, and become facts at the end.  What is
 * beyond EVIDENCE_TALLY_MAX is counted as dropped.
 *
 *	struct evidence_tally tally = EVIDENCE_TALLY_INIT;
 *
 *	evidence_tally_count(&tally, FACT_XLA_GRAPH, hash, SPAN_NONE, lines.number);
 *	...
 *	evidence_tally_write(&tally, facts);
 *	evidence_tally_release(&tally);
 */
#ifndef PORTSIDE_EVIDENCE_EVIDENCE_TALLY_H
#define PORTSIDE_EVIDENCE_EVIDENCE_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "evidence/evidence_facts.h"

enum { EVIDENCE_TALLY_MAX = 1024 };

struct tally_row {
	enum evidence_fact_name name;
	char *key, *text;
	size_t key_n, text_n;
	int64_t line;
	int64_t value;		/* -1: the row is a text alone */
};

struct evidence_tally {
	struct tally_row *rows;
	size_t n, cap;
	int64_t dropped;
};

#define EVIDENCE_TALLY_INIT { NULL, 0, 0, 0 }

void evidence_tally_release(struct evidence_tally *t);

/* One more; TEXT and LINE are those of the first. */
void evidence_tally_count(struct evidence_tally *t, enum evidence_fact_name name, struct span key,
	struct span text, int64_t line);
/* VALUE (0 or more) and LINE are the latest, TEXT is its text. */
void evidence_tally_latest(struct evidence_tally *t, enum evidence_fact_name name, struct span key,
	struct span text, int64_t line, int64_t value);
/* A text of the first time, without a number. */
void evidence_tally_once(struct evidence_tally *t, enum evidence_fact_name name, struct span key,
	struct span text, int64_t line);

/* How many keys NAME has. */
int64_t evidence_tally_keys(const struct evidence_tally *t, enum evidence_fact_name name);
void evidence_tally_write(const struct evidence_tally *t, struct evidence_facts *facts);

#endif
