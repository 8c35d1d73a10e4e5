/*
 * paragraphs - lines of text with a sign and a style each, wrapped at words and scrolled:
 * the details of an answer, a verdict with its reasons.
 *
 * The owner clears and puts all of them when something changed; they are wrapped when
 * they are drawn, since only then the width is known.  Keys until then go by the rows
 * that were drawn last.  Texts are borrowed, or made in ARENA, which clearing empties.
 *
 *	paragraphs_init(&p);
 *	paragraphs_clear(&p);
 *	paragraphs_putf(&p, '!', STYLE_BAD, "clipped before it is reduced: %s", place);
 *	paragraphs_draw(&p, canvas, rect);
 *	paragraphs_release(&p);
 */
#ifndef PORTSIDE_UI_PARAGRAPHS_H
#define PORTSIDE_UI_PARAGRAPHS_H

#include "base/buf.h"
#include "base/mem.h"
#include "ui/text_view.h"

/* SIGN stands left of the first row; 0: none. */
struct paragraph { const char *text; enum style style; char sign; };
/* A part of a paragraph, as wide as the pane, with the blanks that the whole begins with. */
struct paragraph_row { const char *s; size_t n; size_t paragraph; bool first; };

struct paragraphs {
	struct arena arena;
	struct paragraph *list;
	size_t n, cap;
	struct paragraph_row *rows;	/* at the width that was drawn last */
	size_t n_rows, cap_rows;
	struct arena rows_arena;	/* their texts */
	int width;			/* 0: to be wrapped again */
	struct text_view text;
};

void paragraphs_init(struct paragraphs *p);	/* P stays where it is */
void paragraphs_release(struct paragraphs *p);
void paragraphs_clear(struct paragraphs *p);
void paragraphs_put(struct paragraphs *p, char sign, enum style style, const char *text);
void paragraphs_putf(struct paragraphs *p, char sign, enum style style, const char *fmt, ...)
	ATTR_PRINTF(4, 5);

void paragraphs_draw(struct paragraphs *p, struct canvas *c, struct rect r);
void paragraphs_go_first(struct paragraphs *p);

/* The one that the cursor is in; NULL: none was drawn yet. */
const struct paragraph *paragraphs_current(const struct paragraphs *p);
/* All of them, a line each; false: there is none. */
bool paragraphs_add_all(struct buf *out, const struct paragraphs *p);

#endif
