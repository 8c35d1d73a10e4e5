/*
 * help - the page of `?`: what can be done here, searched by text and by key.
 *
 * It is a palette of kind PALETTE_HELP; this header is only for the lines
 * above it: what the view answers, and the signs it uses.
 */
#ifndef PORTSIDE_UI_HELP_H
#define PORTSIDE_UI_HELP_H

#include "ui/palette.h"

struct help {
	struct palette palette;
	const char *title;		/* the view's name */
	const char *answers;		/* what the view is for */
	const char *legend;		/* its signs and short words; wrapped; NULL */
};

void help_open(struct help *h, const char *title, const char *answers, const char *legend,
	const struct palette_item *items, int n);
void help_close(struct help *h);
void help_draw(struct help *h, struct canvas *c, struct rect r);

#endif
