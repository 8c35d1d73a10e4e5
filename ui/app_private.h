/*
 * app_private - what the files app_*.c share; nobody else includes it.
 */
#ifndef PORTSIDE_UI_APP_PRIVATE_H
#define PORTSIDE_UI_APP_PRIVATE_H

#include "ui/app.h"
#include "ui/term.h"

struct operation;

/* Contexts in force: those of all views and of the current one. */
unsigned app_contexts(const struct app *a);

/* Appends the key that does what WERE does by default: "F". */
void app_add_key(struct buf *out, const struct app *a, const char *were);
void app_clear_message(struct app *a);
/* That a key or a command, between two QUOTEs, means nothing in this view. */
void app_say_nothing_here(struct app *a, const char *what, const char *quote);

/* Gives the keys that waited to what is there now.  Before a frame is drawn. */
void app_take_due(struct app *a);

void app_click(struct app *a, int row, int col);
void app_wheel(struct app *a, const struct term_event *e);
/* A place of the frame that can be clicked: a view's tab, or a key (then KEY). */
void app_spot_add(struct app *a, struct rect at, int view, const char *key);

/* Closes what lies above the view. */
void app_close_layer(struct app *a);
void app_open_palette(struct app *a, enum palette_kind kind);
void app_open_prompt(struct app *a, enum app_prompt kind, const char *label, const char *text);

/* False when O is not the screen's. */
bool app_perform(struct app *a, const struct operation *o);
void app_go_view(struct app *a, int index, bool remember);

/* A form for O's arguments that TEXT did not give; false when none is missing. */
bool app_ask_arguments(struct app *a, const struct operation *o, char **words, size_t n);
/* C-o in a dialog: its text goes to the person's editor; false: not that key. */
bool app_edit_field(struct app *a, uint32_t key);
void app_form_free(struct app_form *f);

#endif
