/*
 * level - the levels L0 to L4 of a (attempt, configuration), and the ladder.
 *
 * L1 is a measurement without a verdict, so it never gates: the ladder is the
 * highest of L0, L2, L3 and L4 that is confirmed together with all below it.  The
 * upper bound is the ladder if every unknown turned out confirmed.
 *
 *	struct level_vector v = { .l0 = CHECK_CONFIRMED };
 *	struct ladder l = level_ladder(&v);	L0, upper bound L4
 *	level_add_measured(&b, &v);		"L0, above not checked"
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

/*
 * What was measured, for people: the level that is proven, and what is known of
 * those above it, never as if it were reached.
 *
 *	"L0 not checked"	nobody looked, or nobody could tell: "L0 unknown"
 *	"none"			L0 is refuted
 *	"L0, above not checked"	nothing above was looked at
 *	"L0, L2 refuted"
 *	"L0, L2 unknown, L3 refuted"
 */
void level_add_measured(struct buf *out, const struct level_vector *v);
/* For a narrow cell: "L0, above ?", "L0, L3 refuted", at most 16 columns. */
void level_add_measured_briefly(struct buf *out, const struct level_vector *v);

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
