/*
 * terminal_matched - rows that patterns of the user found in lines.
 *
 * Every line goes through the patterns; what becomes of the matches repeats from
 * line to line.  A row that has the same groups and names as an earlier one goes
 * to the same series, and its numbers are taken by the layouts of the earlier
 * ones; rows are gathered as those of a shape are.
 *
 * Where the patterns do not tell one digit from another (pattern_digits.h), a line that
 * has every other byte where an earlier one had it matches where that one did, and is
 * not searched at all.
 *
 *	while ((behind = matched_take_again(t, sink, p, limit)))
 *		p = line_behind(behind);
 *	...
 *	if (take_by_pattern(t, sink, f))
 *		return;
 */
#ifndef PORTSIDE_CURVE_TERMINAL_MATCHED_H
#define PORTSIDE_CURVE_TERMINAL_MATCHED_H

#include "curve/reader_shape.h"
#include "curve/reader_template.h"
#include "curve/terminal_pattern.h"

struct terminal;
struct frame;

enum { MATCHED_KINDS = 8, MATCHED_TEMPLATES = 8, MATCHES_MAX = 64 };

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

/* A line that was taken, where its digits may be any. */
struct matched_template {
	struct row_template row;
	struct matched_kind *kind;
	char *line;
	struct pattern_match *matches;	/* in LINE, as many as the kind has */
};

struct matched {
	struct pattern_match matches[MATCHES_MAX];	/* of the frame at hand */
	size_t n;
	bool whole_line;	/* the frame at hand is a line as it stands in the file */
	bool digits_are_alike;	/* to all patterns */
	struct matched_template templates[MATCHED_TEMPLATES];	/* the most frequent first */
	size_t n_templates;
	int template_credit;	/* making them pays as long as lines fit */
	struct matched_kind kinds[MATCHED_KINDS];
	size_t n_kinds, recent;
	struct shapes shapes;	/* not to match with: to gather */
};

void matched_release(struct matched *m);
void matched_release_templates(struct matched *m);

/* The matches at hand as a row of KIND; false when a number is none, or the row stands
 * elsewhere than others of its kind. */
bool matched_take_row(struct terminal *t, struct curve_sink *sink, struct matched_kind *kind);
/* The line at hand was taken as a row of KIND, and nothing but its digits may differ. */
void matched_learn_template(struct terminal *t, struct matched_kind *kind);
/* Takes the line at P by an earlier one; returns its end, NULL when it is like none. */
const char *matched_take_again(
	struct terminal *t, struct curve_sink *sink, const char *p, const char *limit);

/* All matches of a pattern in a frame are one row; its x may come from any of them. */
bool take_by_pattern(struct terminal *t, struct curve_sink *sink, const struct frame *f);

#endif
