/*
 * vtrun - runs a full-screen program in a virtual terminal, presses keys and
 * checks what a person would see.  Prints TAP: one test for each check.
 *
 *	vtrun [-s COLSxROWS] [-t TERM] [-w MS] SCRIPT PROGRAM [ARG...]
 *	vtrun [-s COLSxROWS] [-l] -r FILE [-o SVG]	shows recorded output
 *	vtrun -h					lists the script language
 *
 * Three parts: the screen (libvterm: cells, styles, pictures), the child (a
 * pseudo terminal, a session leader that acts as a shell does, and the program
 * as its foreground job), and the script.
 *
 * Nothing waits a guessed time: a check is repeated until it holds, until the
 * limit is over, or until the program has ended and all its output was read.
 * The limit (-w) is for a program that hangs, not for one that is slow: a loaded
 * machine with sanitizers is a hundred times slower than a desk.
 */
#ifndef PORTSIDE_TESTS_VTRUN_H
#define PORTSIDE_TESTS_VTRUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>

#include <vterm.h>

enum {
	SIDE_MAX = 1000,
	QUIET_MS = 100,		/* a screen that stood still for this long is whole */
	ESCAPE_MS = 30,		/* longer than a program waits for what follows an Esc */
	LIMIT_MS = 60000,
};

/* ---- screen: vtrun_screen.c ---- */

struct screen {
	VTerm *vt;
	VTermScreen *cells;
	int rows, cols;
	int altscreen, cursor, mouse;	/* as the program set them */
	char clip[128 * 1024];		/* the last OSC 52 payload, base64 */
	size_t clip_n;
	bool clip_open;			/* more of it is to come */
	bool beyond_ascii;		/* a byte above 0x7e was sent */
};

/* KEYS is where the terminal's own answers and key presses go. */
void screen_init(struct screen *s, int rows, int cols, VTermOutputCallback *keys, void *user);
void screen_release(struct screen *s);
void screen_write(struct screen *s, const char *bytes, size_t n);
void screen_resize(struct screen *s, int rows, int cols);
VTermPos screen_cursor(const struct screen *s);

/* Valid until the next call: a row's text from COL without blanks at its end. */
const char *screen_row(const struct screen *s, int row, int col);
/* Valid until the next call: "fg=31 bg=default bold". */
const char *screen_style(const struct screen *s, int row, int col);
bool screen_has(const struct screen *s, const char *text);

void screen_print(const struct screen *s, FILE *f);
void screen_print_styles(const struct screen *s, FILE *f);
void screen_draw_svg(const struct screen *s, FILE *f, bool light);

/* ---- child: vtrun_child.c ---- */

struct child {
	int master, states;		/* -1 when closed */
	pid_t leader, program;
	bool running;			/* neither ended nor stopped */
	int status;			/* the last wait status, when not running */
	struct termios modes;		/* of the terminal before the program started */
	struct termios last;		/* when the terminal was closed */
	bool has_last;
};

void child_start(struct child *c, int rows, int cols, const char *term, char **argv);
void child_end(struct child *c);
bool child_has_ended(const struct child *c);
const char *child_state(const struct child *c);
void child_hang_up(struct child *c);
void child_resize(const struct child *c, int rows, int cols);
void child_continue(struct child *c, bool foreground);
/* The program has read all that was sent, and sleeps. */
bool child_waits(const struct child *c);
/* Takes in output and states for up to MS; true when there was anything. */
bool child_pump(struct child *c, struct screen *s, int ms);
bool child_modes_restored(const struct child *c);
/* Context switches of all threads, and CPU time in ms. */
long child_switches(const struct child *c);
long child_cpu_ms(const struct child *c);

#endif
