/*
 * packages_check - what lists of packages say about two questions of L2: deps and grad.
 *
 * deps asks whether every version difference between the reference and the attempt is
 * classified by a person: match, modified or mismatch, with a reason.  A major change
 * that nobody classified refutes.  Of the packages that decide what is computed
 * (packages_check_computes()) every other difference has to be classified as well, else
 * the answer is unknown; of the others only a major one.  A version that is known to do
 * something else (packages_known.h), in the attempt alone, has to be classified too.
 *
 * grad is refuted by a version that is known to clip gradients before they are reduced,
 * with more than one process and a clipping norm that is set.  Versions alone never
 * confirm it.
 *
 *	struct packages_question q = { .attempt = &own, .reference = &other,
 *		.known = &known, .world_size = 4, .max_grad_norm = 1 };
 *	struct check_answer deps = { .check = "deps" };
 *
 *	packages_check_deps(&deps, &q, &arena);
 */
#ifndef PORTSIDE_EVIDENCE_PACKAGES_CHECK_H
#define PORTSIDE_EVIDENCE_PACKAGES_CHECK_H

#include "evidence/check_answer.h"
#include "evidence/packages_known.h"

/* What a person said of the difference of a package. */
struct package_classified {
	const char *name;	/* in its normal form: "torch-xla" */
	const char *class;	/* "modified" */
	const char *reason;
};

struct packages_question {
	/* Facts of packages.h; NULL: nobody listed them. */
	const struct check_source *attempt, *reference;
	const struct package_classified *classified;
	size_t classified_n;
	const struct packages_known *known;	/* NULL: none */
	/* Settings of the attempt's run; NaN: not known. */
	double world_size, max_grad_norm, gradient_accumulation_steps;
};

void packages_check_deps(
	struct check_answer *out, const struct packages_question *q, struct arena *a);
void packages_check_grad(
	struct check_answer *out, const struct packages_question *q, struct arena *a);

/* Does the package, by its normal name, decide what is computed? */
bool packages_check_computes(const char *name);

#endif
