/*
 * app_private - what app.c, app_key.c, app_draw.c, app_call.c and app_form.c
 * share; nobody else includes it.
 */
#ifndef PORTSIDE_UI_APP_PRIVATE_H
#define PORTSIDE_UI_APP_PRIVATE_H

#include "ui/app.h"

struct operation;

/* Contexts in force: those of all views and of the current one. */
unsigned app_contexts(const struct app *a);

/* Closes what lies above the view. */
void app_close_layer(struct app *a);
void app_open_palette(struct app *a, enum palette_kind kind);
void app_open_prompt(struct app *a, enum app_prompt kind, const char *label, const char *text);

/* False when O is not the screen's. */
bool app_perform(struct app *a, const struct operation *o);
void app_go_view(struct app *a, int index, bool remember);

/* A form for O's arguments that TEXT did not give; false when none is missing. */
bool app_ask_arguments(struct app *a, const struct operation *o, char **words, size_t n);
/* C-o and e in a dialog: its text goes to the person's editor; false: not that key. */
bool app_edit_field(struct app *a, uint32_t key);
void app_form_free(struct app_form *f);

/* Splits at blanks; '...' and "..." keep blanks.  NULL ends; in A. */
char **app_words(struct arena *arena, const char *text, size_t *n);

#endif
