/*
 * app - the program on the screen: views, selection, keys, prompts, dialogs.
 *
 * It knows no view by name: they come from view_types().  It knows no
 * operation by name either, except its own of src/command/screen_operation.c.
 *
 * A key goes to the first that wants it: an open dialog, palette, help or
 * prompt (and then to nothing else); the table of operations with the contexts
 * in force; the view's KEY.  An unknown key says so and names `?`.  Pasted
 * text goes into prompts and dialogs only.  Keys that come before the first rows
 * of a view, or before a form that was asked for, wait for it (APP_DUE_MAX of them);
 * they are dropped when it cannot be read, and by Esc.
 *
 * With a NULL loop the app draws without a terminal: app_show_view() then
 * loads at once, and app_draw() draws any size on any canvas.
 */
#ifndef PORTSIDE_UI_APP_H
#define PORTSIDE_UI_APP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/event.h"
#include "ui/canvas.h"
#include "ui/dialog.h"
#include "ui/help.h"
#include "ui/job.h"
#include "ui/palette.h"
#include "ui/prompt.h"
#include "ui/status.h"
#include "ui/term.h"
#include "ui/text_view.h"
#include "ui/view.h"

struct app_form;
struct keymap;
struct loop;

enum { APP_VIEWS_MAX = 12, APP_DUE_MAX = 64, APP_SPOTS_MAX = 32 };

/* What all views show.  Strings are owned by the app; "" is none. */
struct selection {
	char *attempt;			/* its object id in the log */
	/* Chosen with marks to be compared with ATTEMPT (diff, curves); "": the
	 * usual partner, which is the previous attempt or the reference. */
	char *other_attempt;
	char *run;
	char *goal;
	/* A line of a file of ATTEMPT that the diff goes to when it is read; FILE "": none. */
	char *file;
	int32_t file_line;
	bool file_since_original;	/* compared with the original */
	bool at_now;			/* POSITION is the end of the log, and follows it */
	struct position position;
	char *position_text;		/* "event 141, 27 Oct 16:21" */
};

/* What the program was started with; borrowed for its whole life. */
struct app_host {
	const char *directory;		/* -C */
	const char *program;		/* path of this program, to start supervisors */
	const char *title;		/* the migration's name for the title line */
	bool read_only;			/* --read-only: writes nothing at all */
	const char *refusal;		/* why nothing can be recorded, a sentence; NULL: it can */
	const char *history_path;	/* NULL: input history is not kept */
	const struct keymap *keymap;	/* NULL: the keys of the table */
	/* words of a program that reads what is copied; NULL: OSC 52 */
	const char *copy_command;
	const char *editor;		/* words of a program; NULL: VISUAL, EDITOR, vi */
	const char *trouble;		/* said when the screen opens; NULL or "": none */
	/* Moves S to the position before (-1) or after (1) it, by event or by attempt.
	 * False at the ends.  On the main thread: projections only. */
	bool (*step)(void *user, struct selection *s, int direction, bool by_attempt);
	const struct position *at;	/* the moment to begin with; NULL: now */
	const char *at_text;
	/* With a terminal: after the first view was opened, at R, and before the end.
	 * NULL: nothing to do. */
	void (*opened)(void *user, struct app *a);
	void (*refresh)(void *user, struct app *a);
	bool (*interrupt)(void *user, struct app *a);	/* ^C: true when something was cancelled */
	void (*closing)(void *user, struct app *a);
	void *user;
};

enum app_prompt { APP_PROMPT_NONE, APP_PROMPT_SEARCH, APP_PROMPT_FILTER, APP_PROMPT_ASK };
enum app_layer { APP_VIEW, APP_PROMPT, APP_PALETTE, APP_HELP, APP_DIALOG, APP_TEXT };

typedef void app_answer_fn(void *user, struct app *app, struct dialog *d);	/* Enter */
/* Sees a key before the fields do; false: not mine. */
typedef bool app_extra_fn(void *user, struct app *app, struct dialog *d, uint32_t key);
typedef void app_ask_fn(void *user, struct app *app, const char *text);

/* Where the frame can be clicked. */
struct app_spot {
	struct rect at;
	int view;
	const char *key;		/* by default; NULL: a view's tab */
};

struct app {
	struct loop *loop;		/* NULL: no terminal */
	struct app_host host;
	struct selection selection;

	struct view views[APP_VIEWS_MAX];
	int n_views, current;
	/* The view that one came from, once: going back is one step and never a walk
	 * through all that was visited.  -1: none, as in the first view. */
	int back;
	/* Keys that came before what they are meant for: the first rows of the view, or
	 * a form whose facts are being read. */
	uint32_t due[APP_DUE_MAX];
	int n_due;
	bool zoomed;			/* z: the pane with the focus takes all */
	int columns;			/* of the screen, as drawn last; 0: not yet */

	enum app_layer layer;		/* what the keys go to */
	enum app_prompt prompt_kind;
	struct prompt prompt;
	struct prompt_history search_history, filter_history, command_history;
	app_ask_fn *ask;
	void *ask_user;
	struct palette palette;
	struct help help;
	struct palette_item *items;	/* of palette or help */
	struct dialog dialog;
	unsigned n_dialogs;		/* opened so far */
	app_answer_fn *answer;
	void *answer_user;
	app_extra_fn *dialog_extra;	/* NULL: none */
	/* The operation that the form started was refused, with that code. */
	void (*dialog_refused)(void *user, struct dialog *d, int code);	/* NULL: none */
	void *dialog_own;		/* what the form needs until it closes, and how it goes */
	void (*dialog_own_free)(void *);
	/* recorded, not answered yet: an error keeps the form open */
	bool dialog_waits;

	/* what an operation answered: a table or a text, above the view */
	struct text_view text;
	char *text_title;
	char **text_lines;		/* into TEXT_BYTES */
	long n_text_lines;
	char *text_bytes;

	struct job_slot call;		/* the operation at work */
	struct job_slot facts;		/* what a form of ui/people.h must show first */
	struct app_form *form;		/* the dialog that asks for its arguments */

	char *message;
	bool message_is_error;
	struct app_spot spots[APP_SPOTS_MAX];	/* of the last draw */
	int n_spots;
	bool quit_asked;		/* q at the top was pressed once */
	bool mono;			/* no colours: plots use letters */
	bool blind;			/* labels of others are hidden from who labels here */
};

void app_init(struct app *a, struct loop *loop, const struct app_host *host);
void app_release(struct app *a);

/* Opens, loads, and shows a view.  ERR_NOT_FOUND names those that exist. */
int app_show_view(struct app *a, const char *name) ATTR_MUST_USE;
struct view *app_view(struct app *a);

void app_draw(struct app *a, struct canvas *c);
void app_input(struct app *a, const struct term_event *e);
void app_key(struct app *a, uint32_t key);
void app_interrupt(struct app *a);		/* ^C */

/*
 * Runs an operation by its row, ARGUMENTS as a person types them ("7 --full").
 * What the screen performs is done at once.  A command runs on the pool with its
 * own handles; when it needs arguments that were not given, a form asks for them,
 * filled from the selection.  Its table or text is shown above the view, its
 * sentence in the message line, and the views are told.
 */
void app_operate(struct app *a, const struct operation *o, const char *arguments);

/* The same without a form: WORDS as on the command line, copied. */
void app_call(struct app *a, const struct operation *o, const char *const *words, size_t n);

/* Shows a text above the view; Esc closes it. */
void app_show_text(struct app *a, const char *title, const char *text);

/* ---- for views and operations ---- */

/* Tells every view; those in sight load at once, others when shown. */
void app_changed(struct app *a, unsigned what);
void app_select_attempt(struct app *a, const char *attempt);	/* no OTHER any more */
/* Two attempts to compare; tells CHANGED_ATTEMPT also when only OTHER changed. */
void app_select_pair(struct app *a, const char *attempt, const char *other);
void app_select_run(struct app *a, const char *run);
void app_select_goal(struct app *a, const char *goal);
/* Where the diff goes next; it takes the place out of the selection when it is there. */
void app_select_place(struct app *a, const char *file, int32_t line, bool since_original);
/* NULL: back to now, and follow. */
void app_select_position(struct app *a, const struct position *p, const char *text);
/* True when writing is possible; else says why not and which key helps. */
bool app_may_write(struct app *a);

/* The message line: one sentence; the next key removes it. */
void app_say(struct app *a, const char *fmt, ...) ATTR_PRINTF(2, 3);
void app_complain(struct app *a, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* A sentence with "{F}" for the key that does what F does by default. */
void app_say_keys(struct app *a, const char *sentence);
void app_add_keys(struct buf *out, const struct app *a, const char *sentence);

/*
 * A dialog on top, in place of one that is open:
 *
 *	struct dialog *d = app_new_dialog(a, "stop run 5-full-1");
 *	dialog_add_name(d, "type its name to stop it", "5-full-1");
 *	app_open_dialog(a, on_answer, view);
 *
 * ANSWER may call dialog_complain() to keep it open, or open another one.  When
 * it starts an operation (app_call), the form stays until the answer is there,
 * and with an error it stays open and says so: nothing that was written is lost.
 * C-o edits the text with the focus in the person's editor.
 */
struct dialog *app_new_dialog(struct app *a, const char *title);
void app_open_dialog(struct app *a, app_answer_fn *answer, void *user);
/* P lives as long as the dialog that is opened next. */
void app_dialog_owns(struct app *a, void *p, void (*free_it)(void *));
/* One line of text: "attempt: ". */
void app_open_ask(struct app *a, const char *label, const char *text, app_ask_fn *ask, void *user);

void app_copy(struct app *a, const char *s, size_t n);
void app_edit(struct app *a, const char *path, long line);
/* A read-only copy, gone when the editor has ended: evidence is never opened itself. */
void app_edit_copy(struct app *a, const char *path, long line);
void app_touch(struct app *a);			/* draw again */

/*
 * Opens the terminal, shows VIEW, and runs until quit: does not return, except
 * with a negative enum err when the terminal cannot be used.
 */
int app_run(const struct app_host *host, const char *view,
	const struct term_options *options) ATTR_MUST_USE;

/* Draws one view at a size without a terminal (`portside show`). */
int app_show(const struct app_host *host, const char *view, struct canvas *c) ATTR_MUST_USE;

#endif
