/*
 * check_answer - the answer to one question of L2, with the places that it rests on.
 *
 * Several sources speak of one question: the probe's record, reports of metrics, the
 * log, tables of devices, lists of packages.  Each gives an answer, and they are joined:
 * what was not checked adds nothing, an answer that decides goes before one that does
 * not know, and two that contradict each other make it unknown, with both sentences.
 *
 *	struct check_answer whole = { .check = "dev" }, part = { .check = "dev" };
 *
 *	check_answer_set(&whole, &arena, CHECK_CONFIRMED, "parameters are on the TPU");
 *	check_answer_set(&part, &arena, CHECK_REFUTED, "the log says that it is a CPU");
 *	check_answer_join(&whole, &part, &arena);	-> unknown
 *
 * A source is a file with its digest and what one parser read in it; a place is a line
 * of it.  Nothing is owned: texts and places live in the caller's arena.
 */
#ifndef PORTSIDE_EVIDENCE_CHECK_ANSWER_H
#define PORTSIDE_EVIDENCE_CHECK_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check_result.h"
#include "base/hash.h"
#include "base/mem.h"
#include "evidence/evidence_facts.h"

struct check_source {
	const char *name;		/* "log", "capture/pip-freeze.txt" */
	struct digest digest;
	bool recorded;			/* the digest is on record for its run */
	bool brought;			/* by somebody, later: not kept by the run itself */
	const struct evidence_facts *facts;
};

struct check_place {
	const char *name;
	int64_t line;			/* from 1; 0: the file as a whole */
	const char *parser;		/* "xla-metrics" */
	int version;			/* of the parser */
	struct digest digest;
	bool recorded;
};

enum { CHECK_PLACES_MAX = 12 };

struct check_answer {
	const char *check;		/* "dev" */
	enum check_result result;
	const char *why;		/* a sentence; NULL: nobody has answered yet */
	struct check_place places[CHECK_PLACES_MAX];
	size_t places_n;
	bool contradicted;		/* stays unknown, whoever else answers */
};

void check_answer_set(struct check_answer *out, struct arena *a, enum check_result result,
	const char *format, ...) ATTR_PRINTF(4, 5);

/* A place among those of OUT, once; beyond CHECK_PLACES_MAX it is left out. */
void check_answer_place(struct check_answer *out, const struct check_place *place);

/* The place of FACT, which is in the facts of one of SOURCES. */
void check_answer_fact(struct check_answer *out, const struct check_source *sources, size_t n,
	const struct evidence_fact *fact);

/* What WHOLE says with PART beside it. */
void check_answer_join(
	struct check_answer *whole, const struct check_answer *part, struct arena *a);

#endif
