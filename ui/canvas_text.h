/*
 * canvas_text - what the two halves of the canvas share: the walk over hostile
 * text that gives one drawable unit at a time.
 */
#ifndef PORTSIDE_UI_CANVAS_TEXT_H
#define PORTSIDE_UI_CANVAS_TEXT_H

#include "ui/canvas.h"

enum { GLYPH_MARK_MAX = 16 };

/* One unit of text: a character, or the visible mark of a control. */
struct glyph {
	uint32_t cp;			/* 0 for a mark */
	int width;			/* cells; 0 joins the cell before */
	bool is_tab;
	char mark[GLYPH_MARK_MAX];	/* "^[", "<U+202E>", "<FF>" */
};

/* The unit at the start of S[0..N), N > 0.  Returns the bytes it took. */
size_t glyph_next(const struct canvas *c, const char *s, size_t n, struct glyph *out);

/* Where the row of WIDTH cells ends that starts at byte FROM: at least one unit later. */
size_t canvas_row_end(
	const struct canvas *c, const char *s, size_t n, size_t from, int width);

/* CP as the canvas may show it: chrome in its ASCII form when needed. */
uint32_t canvas_glyph(const struct canvas *c, uint32_t cp);

/* NULL outside of R or of the canvas. */
struct cell *canvas_cell_at(struct canvas *c, struct rect r, int row, int col);
void canvas_break_wide(struct canvas *c, struct cell *k);

#endif
