/*
 * style - the one table of how things look.
 *
 * A cell has a style (what its text means) and a ground (what it stands on).
 * Each style is given three times: for 256 colours, for 16, and for none.  The
 * terminal's own background and text colour are never replaced, so every
 * colour here was chosen to be read on dark and on light backgrounds (3.4:1 or
 * better with xterm's palette).  Blue against orange, not green against red.
 *
 * A colour never says anything alone: what draws "bad" also writes a sign and
 * a word.  The mono column is what NO_COLOR shows.
 */
#ifndef PORTSIDE_UI_STYLE_H
#define PORTSIDE_UI_STYLE_H

#include <stdint.h>

enum style {
	STYLE_TEXT,		/* the terminal's own colours */
	STYLE_TITLE,		/* first line of a view, heads of columns */
	STYLE_STRONG,
	STYLE_DIM,		/* beside the point; never the only place of a fact */
	STYLE_GOOD,		/* "+ confirmed" */
	STYLE_BAD,		/* "! REFUTED" */
	STYLE_WARN,		/* unknown, not checked, open */
	STYLE_ALARM,		/* needs a person now */
	STYLE_ADD, STYLE_DEL,	/* lines of a diff */
	STYLE_ADD_WORD, STYLE_DEL_WORD,
	STYLE_HUNK,		/* @@ lines, names of sections */
	STYLE_NOTE,		/* what a person or the program remarks */
	STYLE_LINK,
	STYLE_IDENTIFIER,	/* commits, ids, paths */
	STYLE_KEY,		/* a key in the footer and in help */
	STYLE_FRAME,		/* boxes, rules, axes */
	STYLE_LIVE,		/* what is running */
	STYLE_PAST,		/* the status line while not at now */
	STYLE_CONTROL,		/* the visible mark of a control character */
	STYLE_MATCH,		/* what a search found */
	STYLE_SERIES_1, STYLE_SERIES_2, STYLE_SERIES_3, STYLE_SERIES_4,
	STYLE_SERIES_5, STYLE_SERIES_6, STYLE_SERIES_7, STYLE_SERIES_8,
	STYLE_BAND,		/* a part of a cell that is the reference's band */
	STYLE_COUNT
};

enum ground {
	GROUND_NONE,
	GROUND_SELECT,		/* the selected row: reverse */
	GROUND_BAND,		/* between min and max of the reference */
	GROUND_COUNT
};

/* LIGHT: 256 colours, on a background that is known to be light.  Only the band differs. */
enum palette_depth { DEPTH_MONO, DEPTH_16, DEPTH_256, DEPTH_256_LIGHT };

enum {
	LOOK_BOLD = 1, LOOK_UNDERLINE = 2, LOOK_REVERSE = 4, LOOK_DIM = 8, LOOK_ITALIC = 16,
};

struct look {
	int16_t fg, bg;		/* palette index; -1 is the terminal's own */
	uint8_t attributes;	/* LOOK_ bits */
};

/* How STYLE on GROUND looks with DEPTH.  Unknown numbers give plain text. */
struct look style_look(enum style style, enum ground ground, enum palette_depth depth);

/* "good", "series-1": the word in style maps and tests. */
const char *style_name(enum style style);
const char *ground_name(enum ground ground);	/* "" for none */

/* The I-th series from 0, again from the start after the eighth. */
enum style style_series(int i);

#endif
