/*
 * people_private - what the files of ui/people.h share; nobody else includes it.
 */
#ifndef PORTSIDE_UI_PEOPLE_PRIVATE_H
#define PORTSIDE_UI_PEOPLE_PRIVATE_H

#include "command/people_facts.h"
#include "ui/app.h"
#include "ui/people.h"

/* One form and the facts it shows; everything in ARENA. */
struct people_form {
	struct arena arena;
	int screen;			/* SCREEN_DECIDE, ... */
	struct people_facts facts;
	bool again;			/* it is on record already, and was confirmed */
};

void people_form_free(void *form);

/* Reads on the pool, then opens the form.  ABOUT is copied. */
void people_read_and_open(struct app *a, int screen, const struct people_subject *about);

/* The forms themselves; F lives as long as the dialog. */
void decision_form_open(struct app *a, struct people_form *f);
void adjudication_form_open(struct app *a, struct people_form *f);
void label_form_open(struct app *a, struct people_form *f);

/*
 * Calls operation NAME with options ("--reason", text, ..., NULL; an empty text
 * leaves the option out, PEOPLE_FLAG is a flag that is given) and then the
 * positional words POSITIONALS.  Texts may begin with dashes.
 */
extern const char PEOPLE_FLAG[];
void people_submit(struct app *a, const char *name, const char *const *options,
	const char *const *positionals);

#endif
