/*
 * packages_difference - two lists of packages, and what each difference amounts to.
 *
 * The change is told by the first part of the release that differs: major, minor, or
 * patch (anything further, and pre-, post- and development releases).  The same public
 * version with another local label is another build: 2.1.0+cu118 and 2.1.0+cpu.  What
 * cannot be compared (no version, a range, a work tree) says so.  Three classes follow
 * from it, as a review of dependencies asks for them: a match, modified, a mismatch.
 *
 *	struct packages_difference d;
 *
 *	packages_compare(&d, &reference_facts, &attempt_facts);
 *	for (size_t i = 0; i < d.n; i++)
 *		printf("%s %s\n", d.rows[i].name, package_change_words[d.rows[i].change]);
 *	packages_difference_release(&d);
 */
#ifndef PORTSIDE_EVIDENCE_PACKAGES_DIFFERENCE_H
#define PORTSIDE_EVIDENCE_PACKAGES_DIFFERENCE_H

#include <stddef.h>

#include "evidence/evidence_facts.h"

enum package_change {
	PACKAGE_EQUAL, PACKAGE_ADDED, PACKAGE_REMOVED, PACKAGE_BUILD, PACKAGE_PATCH,
	PACKAGE_MINOR, PACKAGE_MAJOR, PACKAGE_NOT_COMPARED, PACKAGE_CHANGES
};
extern const char *const package_change_words[PACKAGE_CHANGES];

enum package_class { PACKAGE_MATCH, PACKAGE_MODIFIED, PACKAGE_MISMATCH, PACKAGE_CLASSES };
extern const char *const package_class_words[PACKAGE_CLASSES];
/* Major and what is not compared are a mismatch; the others are modified. */
enum package_class package_change_class(enum package_change change);

struct package_row {
	const char *name;
	enum package_change change;
	int direction;			/* 1: newer in the attempt, -1: older, 0: neither */
	/* Borrowed from the lists; NULL: it is not in that one. */
	const struct evidence_fact *reference, *attempt;
};

struct packages_difference {
	struct package_row *rows;	/* by name; equal ones too */
	size_t n;
	size_t counts[PACKAGE_CHANGES];
};

/* Facts of packages.h on both sides; D is yours: packages_difference_release(). */
void packages_compare(struct packages_difference *d, const struct evidence_facts *reference,
	const struct evidence_facts *attempt);
void packages_difference_release(struct packages_difference *d);

/* How two versions differ; either may be no version. */
enum package_change package_versions_change(
	struct span reference, struct span attempt, int *direction);

#endif
