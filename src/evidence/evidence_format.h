/*
 * evidence_format - one table of the files that tell facts, and what reads each.
 *
 * A format is a row: how its content is recognised and how it is parsed.  A name
 * only helps where content says too little.  Adding a format is adding a row and
 * the file that reads it.  A log holds what several programs printed, so that more
 * than one format may be recognised in it; the surest comes first.
 *
 * A parser takes the bytes of a whole file, reads no other file, never fails and
 * invents nothing: see evidence_facts.h.
 *
 *	struct evidence_source source = { bytes, n, "tpu-info.txt", NULL };
 *	const struct evidence_format *format = NULL;
 *
 *	while ((format = evidence_format_recognise(&source, format))) {
 *		struct evidence_facts facts = EVIDENCE_FACTS_INIT;
 *
 *		evidence_format_parse(&facts, format, &source);
 *		...
 *		evidence_facts_release(&facts);
 *	}
 */
#ifndef PORTSIDE_EVIDENCE_EVIDENCE_FORMAT_H
#define PORTSIDE_EVIDENCE_EVIDENCE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "evidence/evidence_facts.h"

struct evidence_source {
	const char *bytes;
	size_t n;
	const char *name;	/* of the file, without its folder; "" or NULL: not known */
	const char *command;	/* that printed it, as one line; NULL: not known */
};

struct evidence_format {
	const char *name;	/* "xla-metrics": in the log, so it stays */
	const char *title;	/* for people: "torch_xla metrics report" */
	int version;		/* of the parser: one more when its facts change */
	bool in_log;		/* is printed among other lines */
	bool (*recognise)(const struct evidence_source *source);
	/* FACTS is empty, and has its parser and version. */
	void (*parse)(struct evidence_facts *facts, const struct evidence_source *source);
};

extern const struct evidence_format evidence_formats[];
extern const size_t evidence_formats_n;

/* The first format behind AFTER (NULL: of all) that the bytes have; NULL: none. */
const struct evidence_format *evidence_format_recognise(
	const struct evidence_source *source, const struct evidence_format *after);
/* By name; NULL: there is none. */
const struct evidence_format *evidence_format_find(const char *name);

/* Fills OUT, which is empty, also for a file that was not recognised. */
void evidence_format_parse(struct evidence_facts *out, const struct evidence_format *format,
	const struct evidence_source *source);

/* ---- for recognisers ---- */

bool evidence_source_has(const struct evidence_source *source, const char *text); /* anywhere */
bool evidence_source_has_line(const struct evidence_source *source, const char *start);
/* The name, in any case, begins or ends so. */
bool evidence_source_named(
	const struct evidence_source *source, const char *start, const char *end);

#endif
