/*
 * terminal_pattern - patterns that a user wrote for lines of his own.
 *
 * PCRE2 with the named groups step, epoch, name and value: "value" must take
 * part; without "name", or where that is blank, the series is called "value".
 * Each match of a frame gives one point.  Match and depth limits keep a bad pattern
 * from stalling; that one gave up is kept for whoever counts it.
 */
#ifndef PORTSIDE_CURVE_TERMINAL_PATTERN_H
#define PORTSIDE_CURVE_TERMINAL_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct pattern;

struct patterns {
	struct pattern **list;
	size_t n;
	bool gave_up;		/* a match ran into a limit; whoever counts it takes it back */
};

struct pattern_match {
	const char *step, *epoch, *name, *value;	/* NULL: not in the match */
	size_t step_n, epoch_n, name_n, value_n;
	size_t end;					/* where the next search begins */
};

/* Those that cannot be compiled are left out: they were checked when configured
 * (base/line_pattern.h). */
void patterns_init(struct patterns *p, const char *const *texts, size_t n);
void patterns_release(struct patterns *p);
/* To none of them one digit is another than another: see pattern_digits.h. */
bool patterns_digits_are_alike(const struct patterns *p);

/* Next match of pattern I in S[0..N) from START on. */
bool pattern_next(struct patterns *p, size_t i, const char *s, size_t n, size_t start,
	struct pattern_match *out);

#endif
