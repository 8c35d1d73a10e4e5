/*
 * flow - short texts beside each other that go on in the next row: the strips
 * below a list ("NEEDS YOU  [1] ...", the gauges).
 *
 * What does not fit into the rows is counted, and the last row says so.
 */
#ifndef PORTSIDE_UI_FLOW_H
#define PORTSIDE_UI_FLOW_H

#include "ui/canvas.h"

struct flow_item {
	const char *key;		/* "!1", drawn as a key; NULL: none */
	const char *text;
	enum style style;
};

/* Rows that the items take in COLS cells, each item uncut where it fits alone. */
int flow_rows(
	const struct canvas *c, const char *head, const struct flow_item *items, int n, int cols);

/* Draws as many as fit into R. */
void flow_draw(struct canvas *c, struct rect r, const char *head, enum style head_style,
	       const struct flow_item *items, int n);

#endif
