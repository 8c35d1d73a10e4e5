/*
 * level - the levels L0 to L4 of a (attempt, configuration), and the ladder.
 *
 * L1 is a measurement without a verdict, so it never gates: the ladder is the
 * highest of L0, L2, L3 and L4 that is confirmed together with all below it.  The
 * upper bound is the ladder if every unknown turned out confirmed.
 *
 *	struct level_vector v = { .l0 = CHECK_CONFIRMED };
 *	struct ladder l = level_ladder(&v);
 *	ladder_add(&b, &l);			"L0 (up to L4)"
 */
#ifndef PORTSIDE_DOMAIN_LEVEL_H
#define PORTSIDE_DOMAIN_LEVEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "domain/check.h"
#include "domain/vocabulary.h"

/* LEVEL_UNSET: nobody said; LEVEL_NONE: said or measured to be no level. */
enum level { LEVEL_UNSET, LEVEL_NONE, LEVEL_L0, LEVEL_L2, LEVEL_L3, LEVEL_L4 };
extern const struct words words_level;

/* For comparisons: none 0, L0 1, L2 2, L3 3, L4 4; unset -1. */
int level_index(enum level l);
enum level level_from_index(int index);		/* LEVEL_UNSET out of range */
const char *level_name(enum level l);		/* "none", "L0", ... ; "" when unset */
const char *level_question(enum level l);	/* the question that the level answers */

struct level_vector {
	enum check_result l0, l2, l3, l4;
};

struct ladder {
	enum level level;	/* LEVEL_NONE, L0, L2, L3, L4 */
	enum level upper;	/* at least LEVEL */
};

struct ladder level_ladder(const struct level_vector *v);
/* "none", "L0", "L0 (up to L3)". */
void ladder_add(struct buf *out, const struct ladder *l);

/*
 * A level as people and agents write it, with an optional configuration:
 * "L3", "l3 @v5e-4", "L3@all", "none", "-".  "L1" and "reached L1" give L0
 * with MAPPED set, since L1 is no rung.  "" and "-" give LEVEL_UNSET ("no
 * claim").  CONFIGURATION is borrowed from S, not terminated: its length is in
 * CONFIGURATION_N; 0 when there is none.  False for anything else.
 */
struct level_text {
	enum level level;
	bool mapped;
	const char *configuration;
	size_t configuration_n;
};
bool level_parse(struct level_text *out, const char *s);

#endif
