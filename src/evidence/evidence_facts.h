/*
 * evidence_facts - what a parser read in one file, each fact with its line.
 *
 * A fact is measured: it stands in the file, or follows from it by arithmetic that
 * loses nothing.  Exact is what is printed; decoded is what the printed text can
 * only have come from; ambiguous is one of two candidates, and both are given.
 * Nothing is guessed: what could not be read is counted in the health and gives no
 * fact, and the end of a file that was cut off gives none either.
 *
 * Texts are those of strangers, without secrets (base/redact.h) and without NUL;
 * sanitise them when drawing.  The facts own all that they point to.
 *
 *	struct evidence_facts facts = EVIDENCE_FACTS_INIT;
 *	const struct evidence_fact *f;
 *
 *	evidence_format_parse(&facts, format, &source);
 *	f = evidence_facts_last(&facts, FACT_XLA_COUNTER, "MarkStep");
 *	if (f && f->is_integer)
 *		steps = f->integer;
 *	evidence_facts_release(&facts);
 */
#ifndef PORTSIDE_EVIDENCE_EVIDENCE_FACTS_H
#define PORTSIDE_EVIDENCE_EVIDENCE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"
#include "evidence/evidence_fact_name.h"
#include "evidence/evidence_lines.h"

enum evidence_certainty { EVIDENCE_EXACT, EVIDENCE_DECODED, EVIDENCE_AMBIGUOUS };
extern const char *const evidence_certainty_words[3];

struct evidence_fact {
	enum evidence_fact_name name;
	enum evidence_certainty certainty;
	const char *key;	/* of what: a metric, a chip, a package; "": there is one only */
	const char *text;	/* as it is printed */
	int64_t line;		/* of the file, from 1; 0: counted over the file */
	int32_t group;		/* report, block, snapshot or row, from 0; -1: none */
	bool detail;		/* one of many: shown on demand, not put into the log */
	bool is_number;		/* NUMBER holds, in the unit of the name */
	bool is_integer;	/* INTEGER too, exactly */
	double number;
	int64_t integer;
	int64_t other;		/* ambiguous: the other candidate, greater than INTEGER */
};

/* What the parser saw: nothing is lost silently. */
struct evidence_health {
	int64_t lines;		/* complete lines of the file */
	int64_t read;		/* that said something of this format */
	int64_t malformed;	/* of this format, and not to be understood */
	int64_t first_malformed;	/* the first of them, from 1; 0: none */
	int64_t dropped;	/* facts beyond the limit */
	bool truncated;		/* ends inside a line or a report, which was left out */
};

enum {
	EVIDENCE_FACTS_MAX = 100000,		/* of one file */
	EVIDENCE_KEY_MAX = 512,			/* bytes; more is cut */
	EVIDENCE_TEXT_MAX = 4096,
};

struct evidence_facts {
	struct arena arena;
	struct evidence_fact *rows;	/* in the order of the file; totals behind */
	size_t n, cap;
	struct evidence_health health;
	const char *parser;		/* name of the format */
	int version;			/* of its parser: a newer one supersedes */
	struct evidence_fact spare;	/* where a fact beyond the limit goes */
};

#define EVIDENCE_FACTS_INIT { .arena = ARENA_INIT }

void evidence_facts_release(struct evidence_facts *f);

/* ---- reading ---- */

/* The last one, the newest; KEY NULL: any.  NULL: there is none. */
const struct evidence_fact *evidence_facts_last(
	const struct evidence_facts *f, enum evidence_fact_name name, const char *key);
/* The next one behind AFTER (NULL: the first). */
const struct evidence_fact *evidence_facts_next(const struct evidence_facts *f,
	const struct evidence_fact *after, enum evidence_fact_name name, const char *key);

/* "16.7 s", "11.8 GiB", "90 s or 150 s": the value in the unit of a person; the text
 * where there is no number. */
void evidence_fact_add_value(struct buf *out, const struct evidence_fact *fact);

/* The facts as a JSON array of objects of strings, for `facts.parsed`: name, key, text,
 * value, other, unit, line, group and certainty, as far as they say something.
 * Without DETAIL the details are left out. */
void evidence_facts_write(struct buf *out, const struct evidence_facts *f, bool detail);

/* "ok", or "2 of 40 lines not understood, the first is 17 | ends inside a line". */
void evidence_health_add_line(struct buf *out, const struct evidence_health *h);

/* ---- writing, for parsers ---- */

struct evidence_place {
	int64_t line;
	int32_t group;
};

/* Adds a text.  The row is borrowed until the next one is added, never NULL. */
struct evidence_fact *evidence_add(struct evidence_facts *f, struct evidence_place at,
	enum evidence_fact_name name, struct span key, struct span text);
/* Gives a row its number. */
void evidence_fact_integer(struct evidence_fact *row, int64_t value);
void evidence_fact_number(struct evidence_fact *row, double value);	/* finite, or nothing */
/* Adds TEXT, which must be a number; else it is malformed and nothing is added. */
struct evidence_fact *evidence_add_integer(struct evidence_facts *f, struct evidence_place at,
	enum evidence_fact_name name, struct span key, struct span text);
struct evidence_fact *evidence_add_number(struct evidence_facts *f, struct evidence_place at,
	enum evidence_fact_name name, struct span key, struct span text);
/* Adds what was counted over the file; LINE is the last that it counted, or 0. */
struct evidence_fact *evidence_add_total(struct evidence_facts *f, int64_t line,
	enum evidence_fact_name name, struct span key, int64_t value);

void evidence_malformed(struct evidence_facts *f, int64_t line);

#endif
