/*
 * motion - moving in lists and texts, and what a widget says after a key.
 *
 * The application finds the motion by the operation that a key stands for;
 * motion_of_key() is the same for dialogs and for widgets on their own.
 */
#ifndef PORTSIDE_UI_MOTION_H
#define PORTSIDE_UI_MOTION_H

#include <stdint.h>

enum motion {
	MOTION_NONE,
	MOTION_UP, MOTION_DOWN,
	MOTION_HALF_UP, MOTION_HALF_DOWN,
	MOTION_PAGE_UP, MOTION_PAGE_DOWN,
	MOTION_FIRST, MOTION_LAST,
	MOTION_LEFT, MOTION_RIGHT,
};

/* What must happen after a widget has seen a key. */
enum outcome {
	OUTCOME_UNUSED,		/* not mine: offer it to the next one */
	OUTCOME_USED,		/* draw again */
	OUTCOME_CHANGED,	/* its text or value changed: draw, filter, ask again */
	OUTCOME_ACCEPT,		/* Enter: take the value */
	OUTCOME_CANCEL,		/* Esc, C-c: close it, nothing happened */
};

enum motion motion_of_key(uint32_t key);

/* AT in 0..N-1 after MOTION on pages of PAGE rows; 0 when N is 0. */
long motion_apply(enum motion motion, long at, long n, long page);

#endif
