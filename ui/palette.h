/*
 * palette - `:` finds an operation by its words, `?` by its words or its key.
 *
 * Both show name, key and help of each item, and Enter takes one.  The palette
 * orders by how well the text fits; help keeps the table's order and its
 * groups, and also finds "C-d" by its key.
 *
 *	palette_open(&p, PALETTE_COMMANDS, items, n);
 *	if (palette_key(&p, key) == OUTCOME_ACCEPT)
 *		run(palette_taken(&p), palette_arguments(&p));
 */
#ifndef PORTSIDE_UI_PALETTE_H
#define PORTSIDE_UI_PALETTE_H

#include <stdbool.h>

#include "ui/canvas.h"
#include "ui/list.h"
#include "ui/prompt.h"

struct palette_item {
	const char *name;	/* "attempt list" */
	const char *keys;	/* as they work here: "j Down"; "" without */
	const char *group;	/* "move", "view", ... */
	const char *help;	/* at most 60 columns */
	const char *refusal;	/* why it cannot run now; NULL: it can */
	int id;			/* the caller's */
};

enum palette_kind { PALETTE_COMMANDS, PALETTE_HELP };

struct palette {
	enum palette_kind kind;
	const struct palette_item *items;	/* borrowed */
	int n;
	int *order;				/* items that fit, best first */
	int n_order;
	struct prompt prompt;
	struct list list;
};

void palette_open(
	struct palette *p, enum palette_kind kind, const struct palette_item *items, int n);
void palette_close(struct palette *p);

enum outcome palette_key(struct palette *p, uint32_t key);
bool palette_paste(struct palette *p, const char *s, size_t n);
void palette_draw(struct palette *p, struct canvas *c, struct rect r);

/* The item under the selection; NULL when nothing fits. */
const struct palette_item *palette_taken(const struct palette *p);
/* In the palette, what follows the full name of an operation ("run 7" with
 * `run`), "" without. Borrowed. */
const char *palette_arguments(const struct palette *p);

/* Higher fits better, -1 does not fit.  Name counts most, then key, then help. */
int palette_score(const struct palette_item *item, const char *text, enum palette_kind kind);

#endif
