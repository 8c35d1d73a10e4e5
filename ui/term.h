/*
 * term - the terminal.  term.c is the only file that includes ncurses.
 *
 * The order of a start matters and is kept by loop_open(): signal handlers
 * first, then term_open(), or ncurses' own handlers would lose ^Z and end the
 * program at ^C.  The terminal is opened anew for reading, so that the
 * non-blocking mode which the event loop sets does not reach the shell.
 *
 * term_open() fails with a sentence that names the command line when TERM
 * cannot place a cursor, when there is no terminal, or when stdout is a file.
 *
 * A crash (SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL) gives the terminal back
 * in its old modes before the signal takes its course.
 */
#ifndef PORTSIDE_UI_TERM_H
#define PORTSIDE_UI_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "ui/canvas.h"

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct term_options {
	enum color_choice color;	/* --color; NO_COLOR beats CLICOLOR_FORCE in AUTO */
	/* ui.background: "light", "dark"; else COLORFGBG tells, which some terminals set */
	const char *background;
	bool ascii;			/* --ascii; also when the locale is not UTF-8 */
	bool emoji;			/* ui.emoji */
	bool mouse;			/* ui.mouse: clicks and the wheel come from the start */
};

enum term_event_type { TERM_KEY, TERM_PASTE, TERM_CLICK, TERM_WHEEL };

struct term_event {
	enum term_event_type type;
	uint32_t key;			/* see key.h */
	/* a paste; borrowed until the next call; may hold newlines */
	const char *text;
	size_t text_n;
	int row, col;			/* of a click, or where the wheel was turned */
	int notch;			/* of a wheel: -1 up, 1 down */
};

struct term;

int term_open(struct term **out, const struct term_options *options) ATTR_MUST_USE;
void term_close(struct term *t);		/* gives the terminal back; NULL is fine */

int term_fd(const struct term *t);
/* Call until false whenever the descriptor is readable. */
bool term_next(struct term *t, struct term_event *out);
/* Gives up a paste whose end never came: ^C. */
void term_drop_paste(struct term *t);

/* Asks the kernel for the size.  True when it has changed. */
bool term_measure(struct term *t);
int term_rows(const struct term *t);
int term_cols(const struct term *t);
bool term_ascii(const struct term *t);
enum palette_depth term_depth(const struct term *t);

/* Shows C and puts the cursor; sends only what differs from the last frame. */
void term_draw(struct term *t, const struct canvas *c);
void term_redraw_all(struct term *t);		/* C-l: the next frame sends everything */

/* Before the program stops, or another program gets the terminal; and after. */
void term_leave(struct term *t);
void term_return(struct term *t);

void term_set_mouse(struct term *t, bool on);
bool term_has_mouse(const struct term *t);

/* Copies text to the clipboard of the person's terminal (OSC 52).  ERR_STATE
 * beyond 74,994 bytes, which terminals would cut in silence. */
int term_copy(struct term *t, const char *s, size_t n) ATTR_MUST_USE;

/* The depth of colours for output that is not drawn by ncurses. */
enum palette_depth term_depth_of_stream(enum color_choice choice, int fd);

/* DEPTH on such a BACKGROUND, as in the options. */
enum palette_depth term_depth_on(enum palette_depth depth, const char *background);

/* True when the locale (LC_CTYPE, set by main) writes UTF-8. */
bool term_locale_is_utf8(void);

#endif
