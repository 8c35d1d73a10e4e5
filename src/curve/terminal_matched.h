/*
 * terminal_matched - rows that patterns of the user found in lines.
 *
 * Every line goes through the patterns; what becomes of the matches repeats from
 * line to line.  A row that has the same groups and names as an earlier one goes
 * to the same series, and its numbers are taken by the layouts of the earlier
 * ones; rows are gathered as those of a shape are.
 *
 *	if (take_by_pattern(t, sink, f))
 *		return;
 */
#ifndef PORTSIDE_CURVE_TERMINAL_MATCHED_H
#define PORTSIDE_CURVE_TERMINAL_MATCHED_H

#include "curve/reader_shape.h"
#include "curve/terminal_pattern.h"

struct terminal;
struct frame;

enum { MATCHED_KINDS = 8, MATCHES_MAX = 64 };

/* A match as every row of the kind has it. */
struct matched_place {
	char *name;		/* NULL: it has no such group */
	size_t name_n;
	bool has_step, has_epoch, has_value;
	struct number_layout step, value;
	size_t column;		/* of the value */
};

/* Rows with the same groups and names. */
struct matched_kind {
	size_t pattern, n;
	struct matched_place *places;
	struct shape *shape;	/* gathers the rows */
};

struct matched {
	struct pattern_match matches[MATCHES_MAX];	/* of the frame at hand */
	size_t n;
	struct matched_kind kinds[MATCHED_KINDS];
	size_t n_kinds, recent;
	struct shapes shapes;	/* not to match with: to gather */
};

void matched_release(struct matched *m);

/* All matches of a pattern in a frame are one row; its x may come from any of them. */
bool take_by_pattern(struct terminal *t, struct curve_sink *sink, const struct frame *f);

#endif
