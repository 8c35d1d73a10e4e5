/*
 * known_versions - does a list of packages hold versions that are known to do something
 * else, under the settings of this very run?
 *
 * The table is data/versions.tsv (evidence/packages_known.h).  The condition of a row is
 * asked of what is known of the run: settings by the last part of their name
 * ("args.max_grad_norm" is max_grad_norm), and world_size.  A setting that nobody told
 * leaves a condition unknown, which is no all-clear.
 *
 *	struct known_versions known;
 *
 *	if (known_versions_ask(&known, facts, &settings, 4) < 0)
 *		return -1;
 *	for (size_t i = 0; i < known.n; i++)
 *		puts(known.hits[i].known->happens);
 *	known_versions_release(&known);
 */
#ifndef PORTSIDE_WORKSPACE_KNOWN_VERSIONS_H
#define PORTSIDE_WORKSPACE_KNOWN_VERSIONS_H

#include "base/expr.h"
#include "curve/settings.h"
#include "evidence/packages_known.h"

enum { KNOWN_VERSIONS_MAX = 32 };

struct known_versions {
	struct packages_known table;
	struct package_hit hits[KNOWN_VERSIONS_MAX];	/* borrow from the facts and TABLE */
	enum truth holds[KNOWN_VERSIONS_MAX];		/* the condition of each */
	size_t n;
};

/* The table alone.  OUT is yours, also after an error: packages_known_release(). */
int known_versions_read(struct packages_known *out) ATTR_MUST_USE;

/* WORLD_SIZE 0: not known; it goes before what SETTINGS say of it. */
int known_versions_ask(struct known_versions *out, const struct evidence_facts *packages,
	const struct settings *settings, int64_t world_size) ATTR_MUST_USE;
void known_versions_release(struct known_versions *k);	/* also after an error */

#endif
