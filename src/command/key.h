/*
 * key - one key press as a number, and its name.
 *
 * A code below 0x110000 is the character that was typed.  Named keys start at
 * K_NAMED.  K_CTRL and K_ALT are bits beside either.  Control characters are
 * never codes of their own: ^D is K_CTRL | 'd', Enter is K_ENTER, so that
 * Tab and C-i are one key, as terminals have it.
 *
 * Names, as tables, help and footer write them: "j" "C-d" "M-x" "S-Tab" "Up"
 * "PgDn" "Space" "Enter" "F1".
 */
#ifndef PORTSIDE_COMMAND_KEY_H
#define PORTSIDE_COMMAND_KEY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	K_NONE = 0,
	K_NAMED = 0x200000,
	K_ENTER, K_ESC, K_TAB, K_BACKTAB, K_BACKSPACE, K_DELETE, K_INSERT,
	K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END, K_PAGE_UP, K_PAGE_DOWN,
	K_F1, K_F2, K_F3, K_F4, K_F5, K_F6, K_F7, K_F8, K_F9, K_F10, K_F11, K_F12,
	K_NAMED_END,
	K_CTRL = 1 << 24,
	K_ALT = 1 << 25,
};

/* The code of an input byte or character: 0x04 gives K_CTRL | 'd'. */
uint32_t key_from_char(uint32_t cp);

/* True for a character that a prompt takes as text. */
bool key_is_text(uint32_t key);

void key_add_name(struct buf *out, uint32_t key);

/* K_NONE when NAME is no key. */
uint32_t key_from_name(const char *name);

/* Why a terminal never sends KEY, or keeps it for itself; NULL when it can be used. */
const char *key_obstacle(uint32_t key);

/* Is KEY one of the names in LIST, which blanks separate: "j Down C-n"? */
bool key_in_list(uint32_t key, const char *list);

#endif
