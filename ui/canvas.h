/*
 * canvas - rows x columns of cells that a view draws on.
 *
 * Nothing here knows a terminal: the same canvas goes to ncurses (ui/term.c),
 * to `portside show`, and to golden tests.  Every text is hostile: controls,
 * C1, bidi marks and bad UTF-8 become visible marks in STYLE_CONTROL while it
 * is put, so no caller has to remember it and no cell ever holds one.
 *
 * All positions are relative to a rectangle, and nothing is drawn outside it
 * or outside the canvas, however small, empty or negative it is.
 *
 *	struct rect r = canvas_all(c), top = rect_cut_top(&r, 1);
 *	canvas_put(c, top, 0, 1, STYLE_TITLE, migration_name);
 *
 * Width: wide characters take two cells, combining ones join the cell before.
 * Emoji take one cell as a box mark unless EMOJI is set, because terminals and
 * the C library disagree on theirs.  With ASCII set no cell leaves 0x20..0x7e:
 * our own chrome has ASCII forms, other characters become '?'.
 */
#ifndef PORTSIDE_UI_CANVAS_H
#define PORTSIDE_UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/style.h"

struct rect { int row, col, rows, cols; };

enum { CELL_RIGHT_HALF = 0x110000 };	/* cp[0] of the cell right of a wide one */

struct cell {
	uint32_t cp[2];			/* cp[0] 0 is blank; cp[1] a combining one or 0 */
	uint8_t style;			/* enum style */
	uint8_t ground;			/* enum ground */
};

struct canvas {
	int rows, cols;
	struct cell *cells;		/* rows * cols */
	int cursor_row, cursor_col;	/* where the terminal's cursor shall stand */
	bool ascii, emoji;
};

enum { CANVAS_SIDE_MAX = 4000 };

void canvas_init(struct canvas *c, int rows, int cols);	/* sides are brought into 1..SIDE_MAX */
void canvas_release(struct canvas *c);
void canvas_resize(struct canvas *c, int rows, int cols);	/* and clears */
void canvas_clear(struct canvas *c);

/* ---- rectangles ---- */

struct rect canvas_all(const struct canvas *c);
/* removes and returns; at most what is there */
struct rect rect_cut_top(struct rect *r, int rows);
struct rect rect_cut_bottom(struct rect *r, int rows);
struct rect rect_cut_left(struct rect *r, int cols);
struct rect rect_cut_right(struct rect *r, int cols);
struct rect rect_inset(struct rect r, int by);
struct rect rect_centre(struct rect in, int rows, int cols);	/* never larger than IN */
struct rect rect_row(struct rect r, int row);			/* one row; empty when outside */
bool rect_is_empty(struct rect r);

/* ---- text ---- */

/* Puts S from COL of ROW on; cut at the right edge.  Returns the column after
 * the text, also when that lies outside.  A tab goes to the next multiple of 8
 * counted from the start of S.  COL may be negative: the part left of 0 is cut. */
int canvas_put(struct canvas *c, struct rect r, int row, int col, enum style style, const char *s);
int canvas_putn(struct canvas *c, struct rect r, int row, int col, enum style style, const char *s,
	size_t n);
int canvas_putf(struct canvas *c, struct rect r, int row, int col, enum style style,
	const char *fmt, ...) ATTR_PRINTF(6, 7);

/* Puts S into the WIDTH cells from COL, with an ellipsis when it does not fit. */
enum align { ALIGN_LEFT, ALIGN_RIGHT, ALIGN_MIDDLE };
void canvas_put_fit(struct canvas *c, struct rect r, int row, int col, int width, enum align align,
		    enum style style, const char *s);
/* Ends at the right edge of R. Returns the column where it starts. */
int canvas_put_right(struct canvas *c, struct rect r, int row, enum style style, const char *s);

/* One cell; CP is chrome of our own (box drawing, blocks, braille) or ASCII. */
void canvas_put_cell(
	struct canvas *c, struct rect r, int row, int col, enum style style, uint32_t cp);

/* Cells that S takes, as canvas_put() would draw it. */
int canvas_width(const struct canvas *c, const char *s, size_t n);

/* Words of S in lines of at most WIDTH cells; a newline ends a line.  Calls
 * LINE for each and returns their number.  LINE may be NULL. */
typedef void canvas_line_fn(void *user, int line, const char *s, size_t n);
int canvas_wrap(const struct canvas *c, const char *s, int width, canvas_line_fn *line, void *user);
/* Draws wrapped text from ROW on; returns the row after it. */
int canvas_put_wrapped(struct canvas *c, struct rect r, int row, enum style style, const char *s);

/* ---- areas ---- */

void canvas_fill(struct canvas *c, struct rect r, enum style style, uint32_t cp);
void canvas_set_ground(struct canvas *c, struct rect r, enum ground ground);
void canvas_set_style(struct canvas *c, struct rect r, enum style style);
void canvas_rule(struct canvas *c, struct rect r, int row, enum style style);
void canvas_column_rule(struct canvas *c, struct rect r, int col, enum style style);
/* A frame along the edge of R, TITLE in its top line (or NULL); clears the inside. */
void canvas_box(struct canvas *c, struct rect r, enum style style, const char *title);
void canvas_set_cursor(struct canvas *c, struct rect r, int row, int col);

/* NULL outside. */
const struct cell *canvas_cell(const struct canvas *c, int row, int col);

/* ---- dumps ---- */

/* Lines without the blanks at their ends. */
void canvas_dump_text(const struct canvas *c, struct buf *out);
/* "ROW FROM-TO STYLE" for each run of one look, e.g. "3 0-79 text+select";
 * plain text on no ground is left out. */
void canvas_dump_styles(const struct canvas *c, struct buf *out);
/* The text with SGR sequences, for a person's eyes (`portside show` on a terminal). */
void canvas_dump_ansi(const struct canvas *c, struct buf *out, enum palette_depth depth);

#endif
