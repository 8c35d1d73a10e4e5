/*
 * loop - waits for keys, signals, jobs, files and timers, and says when to draw.
 *
 * One libuv loop.  While nothing happens it does not wake up: timers exist
 * only while something is live.  Drawing happens once before the loop blocks,
 * when something called loop_touch(): at once after a key, at most 30 times a
 * second while data streams.
 *
 *	struct loop *l;
 *	if (loop_open(&l, &events, app, &term_options) < 0)
 *		...
 *	code = loop_run(l);
 *	loop_quit(l, code);		// does not return
 *
 * ^Z, fg, bg, resizing while stopped, hang-up and the editor are handled here.
 * Everything runs on the main thread except what job.h starts.
 */
#ifndef PORTSIDE_UI_LOOP_H
#define PORTSIDE_UI_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "ui/canvas.h"
#include "ui/term.h"

struct loop;

/* What the loop tells.  USER is what loop_open() was given. */
struct loop_events {
	void (*input)(void *user, const struct term_event *e);
	void (*draw)(void *user, struct canvas *c);	/* C has the terminal's size and is clear */
	void (*interrupt)(void *user);			/* ^C, SIGINT */
	/* SIGTERM, SIGHUP or a hang-up: save; the loop ends after it. */
	void (*ending)(void *user);
};

int loop_open(struct loop **out, const struct loop_events *events, void *user,
	      const struct term_options *options) ATTR_MUST_USE;

/* Until loop_stop(); returns its code (128 + the signal that ended it). */
int loop_run(struct loop *l);
void loop_stop(struct loop *l, int code);

/* Cancels jobs, gives the terminal back, waits at most a second for the pool,
 * flushes stdio, and leaves with _exit(): a worker that does not listen cannot
 * hold the person's shell. */
void loop_quit(struct loop *l, int code) __attribute__((noreturn));

void loop_touch(struct loop *l);		/* something to draw; main thread only */
struct term *loop_term(struct loop *l);

/* ---- timers: only while something is live ---- */

struct loop_timer;
typedef void loop_fn(void *user);

struct loop_timer *loop_timer_new(struct loop *l, loop_fn *fn, void *user);
void loop_timer_start(struct loop_timer *t, uint64_t after_ms, uint64_t every_ms);
void loop_timer_stop(struct loop_timer *t);
void loop_timer_free(struct loop_timer *t);

/* ---- files ---- */

/*
 * Calls FN after something changed in folder PATH and 50 ms of quiet have
 * passed.  It means "look again", never what changed.  Names that end in
 * "-journal" or "-wal" (our own database at work) are ignored.  Network file
 * systems tell nothing: there it polls every two seconds.  NULL with a
 * sentence when the folder cannot be watched; poll with a timer then.
 */
struct loop_watch;
struct loop_watch *loop_watch_new(struct loop *l, const char *path, loop_fn *fn, void *user);
void loop_watch_free(struct loop_watch *w);

/* ---- the editor ---- */

/*
 * Lends the terminal to ARGV (an editor, a pager, a shell) until it ends, then
 * calls DONE with its exit status, or 128 + its signal, or a negative enum err
 * with a sentence when it could not be started.  Nothing draws meanwhile; jobs
 * and files go on.
 */
typedef void loop_lent_fn(void *user, int status);
int loop_lend(struct loop *l, char *const argv[], loop_lent_fn *done, void *user) ATTR_MUST_USE;

/* argv for PREFERRED (NULL: none), $VISUAL, $EDITOR or vi with "+LINE FILE" in A;
 * it may hold arguments ("emacs -nw"), split by text_words(), no shell. */
struct arena;
char **loop_editor_argv(struct arena *a, const char *preferred, const char *file, long line);

/* ---- a program that reads a text ---- */

/*
 * Starts ARGV without a terminal, gives it S[0..N) as its input, and calls DONE as
 * loop_lend() does when it has ended.  One at a time: ERR_STATE while another
 * reads.  Its output goes nowhere.
 */
int loop_feed(struct loop *l, char *const argv[], const char *s, size_t n, loop_lent_fn *done,
	void *user) ATTR_MUST_USE;

#endif
