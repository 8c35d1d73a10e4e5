/*
 * text_view - scrolls through lines: logs, diffs, help pages, messages.
 *
 * Lines come from the owner one at a time, so that a log of gigabytes is never
 * in memory at once.  Long lines are cut and scrolled sideways, or wrapped; in
 * neither case is the rest of a line lost.  The current line is where the
 * cursor stands.
 */
#ifndef PORTSIDE_UI_TEXT_VIEW_H
#define PORTSIDE_UI_TEXT_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/canvas.h"
#include "ui/motion.h"

enum { TEXT_SPANS_MAX = 32 };

struct text_span { size_t from, to; enum style style; };	/* bytes of the line */

struct text_line {
	const char *s;			/* borrowed until the next line is asked for */
	size_t n;
	enum style style;
	char gutter;			/* one sign left of it; 0: blank */
	enum style gutter_style;
	int n_spans;			/* in order, not overlapping */
	struct text_span spans[TEXT_SPANS_MAX];
};

struct text_source {
	long (*count)(void *user);
	void (*line)(void *user, long i, struct text_line *out);	/* OUT is zeroed */
	const char *empty;
};

struct text_view {
	const struct text_source *source;
	void *user;
	long at;			/* current line */
	long top;			/* first line shown */
	int top_part;			/* rows of it scrolled away, when wrapped */
	int left;			/* cells scrolled away, when not wrapped */
	int page;			/* rows of the last draw */
	bool wrap, numbers, gutter;
	bool follow;			/* stays at the end as lines arrive */
	char *search;
};

void text_view_init(struct text_view *v, const struct text_source *source, void *user);
void text_view_release(struct text_view *v);
void text_view_reload(struct text_view *v);		/* lines were added or replaced */
bool text_view_move(struct text_view *v, enum motion motion);
void text_view_go(struct text_view *v, long line);
void text_view_set_search(struct text_view *v, const char *text);
/* From the line after (before) the current one, wrapping; looks at no more
 * than LIMIT lines (0: all). False: none. */
bool text_view_search(struct text_view *v, int direction, long limit);
void text_view_draw(struct text_view *v, struct canvas *c, struct rect r);
enum outcome text_view_key(struct text_view *v, uint32_t key);	/* motions, W wraps */

#endif
