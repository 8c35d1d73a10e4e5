/*
 * packages_known - versions of libraries that are known to do something else.
 *
 * A table of text, `data/versions.tsv`, open to additions: package, versions
 * (PEP 440 specifiers), beside (another package and its versions, or "PACKAGE minor":
 * that has another major or minor version), condition, cause, what happens, source.
 * The condition is an expression of base/expr.h over settings of the run; an empty one
 * always holds.  A match is a reason to look: whether it has struck this run is shown
 * by the run alone.
 *
 *	packages_known_read(&known, "versions.tsv", text.s, text.n);
 *	n = packages_known_find(hits, ARRAY_LEN(hits), &known, &facts);
 *	packages_known_release(&known);
 */
#ifndef PORTSIDE_EVIDENCE_PACKAGES_KNOWN_H
#define PORTSIDE_EVIDENCE_PACKAGES_KNOWN_H

#include <stddef.h>

#include "base/mem.h"
#include "evidence/evidence_facts.h"

struct package_known {
	const char *package, *versions;
	const char *beside;		/* "": nothing */
	const char *condition;		/* "": always */
	const char *cause;		/* "C3" */
	const char *happens;		/* one sentence */
	const char *source;
	int line;
};

struct packages_known {
	struct arena arena;
	struct package_known *rows;
	size_t n;
};

/* KNOWN is yours, also on an error.  ERR_PARSE names FILE and the line. */
int packages_known_read(struct packages_known *known, const char *file, const char *text, size_t n)
	ATTR_MUST_USE;
void packages_known_release(struct packages_known *known);

struct package_hit {
	const struct package_known *known;
	const struct evidence_fact *package, *beside;	/* borrowed; BESIDE may be NULL */
};

/* The rows that hold for the versions in FACTS, whatever their condition says: at most
 * MAX in HITS.  Returns how many there are. */
size_t packages_known_find(struct package_hit *hits, size_t max, const struct packages_known *known,
	const struct evidence_facts *facts);

#endif
