/*
 * clipboard - text for the clipboard of the person's own terminal (OSC 52),
 * which also works over ssh and inside tmux.
 */
#ifndef PORTSIDE_UI_CLIPBOARD_H
#define PORTSIDE_UI_CLIPBOARD_H

#include "base/buf.h"

enum { CLIPBOARD_MAX = 74994 };		/* what xterm takes; more is lost in silence */

/* Appends the sequence for S[0..N). */
void clipboard_add(struct buf *out, const char *s, size_t n);

#endif
