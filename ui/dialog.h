/*
 * dialog - a form on top of the view: decisions, confirmations, settings.
 *
 * A dialog is a list of fields.  Information scrolls when it is too long;
 * Tab, S-Tab, Up and Down go between fields.  The form opens at the text that
 * must be written (DIALOG_FIRST, else the first that is required and empty), so
 * that words typed at once are no keys.  A choice with the focus is taken by the
 * sign in its brackets, by Up and Down, or by Space, and the last line says what
 * was taken; one that need not be answered is taken back by the same sign.  A
 * digit also chooses from the field beside.  Any other letter does nothing outside
 * of texts, and the last line says so.
 * The first digit typed into a number replaces what it was preset with.
 * Enter records when every required field is filled, and else
 * goes to the first that is not and says so; Esc keeps everything as it was.
 *
 *	static const struct dialog_choice what[] = {
 *		{ 'm', "make comparable", "make comparable, repeat the smoke" }, ...
 *	};
 *	dialog_open(&d, "R4 smoke gap, attempt 5");
 *	dialog_add_info(&d, text);
 *	dialog_add_choice(&d, "decision", what, 5);
 *	dialog_add_text(&d, "reason", "reason", "", DIALOG_REQUIRED);
 *	dialog_add_optional_number(&d, "minutes", "minutes", 0, 10000);
 *	dialog_add_check(&d, "intervention", "also an intervention", false);
 *	dialog_start(&d);
 *	...
 *	if (dialog_key(&d, key) == OUTCOME_ACCEPT)
 *		reason = dialog_text(&d, "reason");
 *
 * A confirmation that wants a name typed:
 *
 *	dialog_open(&d, "stop run 5-full-1");
 *	dialog_add_info(&d, "It has run for 2h10m and cost $1.62. ...");
 *	dialog_add_name(&d, "type its name to stop it", "5-full-1");
 */
#ifndef PORTSIDE_UI_DIALOG_H
#define PORTSIDE_UI_DIALOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "ui/canvas.h"
#include "ui/motion.h"
#include "ui/prompt.h"

enum dialog_field_type {
	FIELD_INFO, FIELD_CHOICE, FIELD_TEXT, FIELD_NUMBER, FIELD_CHECK, FIELD_NAME,
};

enum { DIALOG_REQUIRED = 1, DIALOG_FIRST = 2, DIALOG_FIELDS_MAX = 16 };

struct dialog_choice {
	char letter;		/* the label's first one where it is free, or a digit */
	const char *value;	/* what dialog_text() gives */
	const char *label;
};

struct dialog_field {
	enum dialog_field_type type;
	char *name, *label;
	int flags;
	struct prompt prompt;			/* text, number, name */
	char *info;				/* info: its text; name: what must be typed */
	char *long_text;			/* text of several lines, from an editor; NULL */
	const struct dialog_choice *choices;	/* borrowed */
	int n_choices, chosen;			/* -1: none yet */
	int64_t least, most;			/* number */
	bool preset;				/* number: nobody has edited it yet */
	bool empty_is_unknown;			/* number */
	bool checked;
	int drawn_row, drawn_rows;		/* of the screen, as drawn last */
};

struct dialog {
	char *title;
	struct dialog_field *fields[DIALOG_FIELDS_MAX];
	int n;
	int focus;
	int top;			/* rows scrolled away when it does not fit */
	struct rect drawn;		/* where the fields were drawn last */
	char *complaint;		/* why Enter did not record; NULL */
	char *note;			/* what the last key did; NULL */
	const char *keys;		/* the last line; NULL: "Enter records  Esc ..." */
};

void dialog_open(struct dialog *d, const char *title);
void dialog_close(struct dialog *d);

/* Each copies its strings, except CHOICES.  More than FIELDS_MAX are refused. */
void dialog_add_info(struct dialog *d, const char *text);
/* Other words for the I-th field, which is information. */
void dialog_set_info(struct dialog *d, int i, const char *text);
void dialog_add_choice(
	struct dialog *d, const char *name, const struct dialog_choice *choices, int n);
/* The same, but it may stay unanswered. */
void dialog_add_optional(
	struct dialog *d, const char *name, const struct dialog_choice *choices, int n);
void dialog_add_text(
	struct dialog *d, const char *name, const char *label, const char *value, int flags);
void dialog_add_number(struct dialog *d, const char *name, const char *label, int64_t value,
		       int64_t least, int64_t most);
/* May stay empty, which is "not known": dialog_text() gives "" then. */
void dialog_add_optional_number(
	struct dialog *d, const char *name, const char *label, int64_t least, int64_t most);
void dialog_add_check(struct dialog *d, const char *name, const char *label, bool checked);
void dialog_add_name(struct dialog *d, const char *label, const char *must_be);

/* All fields are there: the focus goes to what must be written. */
void dialog_start(struct dialog *d);

enum outcome dialog_key(struct dialog *d, uint32_t key);
bool dialog_paste(struct dialog *d, const char *s, size_t n);
void dialog_draw(struct dialog *d, struct canvas *c, struct rect r);
/* A click where it was drawn last: takes a choice, turns a check, goes to a text. */
void dialog_click(struct dialog *d, int row, int col);
void dialog_scroll(struct dialog *d, int rows);
void dialog_complain(struct dialog *d, const char *sentence);	/* stays open, says why */

/*
 * Text of more than one line cannot be written here: the owner brings it from
 * the person's editor.  The field shows its first line and is then changed in
 * the editor only; C-u clears it.
 */
void dialog_set_text(struct dialog *d, const char *name, const char *text);
/* The text field with the focus, else the first one; NULL when there is none. */
const struct dialog_field *dialog_text_field(const struct dialog *d);
bool dialog_has_text_focus(const struct dialog *d);	/* letters go into a text */

/* Values after OUTCOME_ACCEPT; borrowed.  "" and 0 for an unknown name. */
const char *dialog_text(const struct dialog *d, const char *name);
int64_t dialog_number(const struct dialog *d, const char *name);
bool dialog_checked(const struct dialog *d, const char *name);

#endif
