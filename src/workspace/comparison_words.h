/*
 * comparison_words - the sentences of a run_comparison: why there is none, the
 * verdict with its condition, and the cheapest next step.  Texts live in the
 * comparison.
 */
#ifndef PORTSIDE_WORKSPACE_COMPARISON_WORDS_H
#define PORTSIDE_WORKSPACE_COMPARISON_WORDS_H

#include "workspace/comparison.h"

/* NAMED: what was asked for as reference; NULL: the partner was looked for. */
const char *comparison_no_reference(struct run_comparison *c, const char *named);
/* Why the metric at hand cannot be compared; "" when it can. */
const char *comparison_nothing(struct run_comparison *c);
const char *comparison_verdict(struct run_comparison *c);
/* SIBLING_MATCHES: the attempt's run elsewhere is inside. */
const char *comparison_next_step(struct run_comparison *c, bool sibling_matches);

/* "reference against itself, 3 runs: 0.25 to 1.47pp apart at the end" appended;
 * nothing below two runs. */
void comparison_add_spread(struct buf *out, const struct run_comparison *c);
/* The figures alone: "0.25 to 1.47pp". */
void comparison_add_spread_range(struct buf *out, const struct run_comparison *c);

#endif
