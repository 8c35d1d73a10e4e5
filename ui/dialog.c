/* dialog - see dialog.h: fields, values and keys.  Drawing is in dialog_draw.c. */
#include "config.h"

#include "ui/dialog.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/key.h"

enum { LINES_A_PAGE = 5 };

void dialog_open(struct dialog *d, const char *title)
{
	memset(d, 0, sizeof *d);
	d->title = xstrdup(title);
}

static void field_free(struct dialog_field *f)
{
	prompt_release(&f->prompt);
	free(f->name);
	free(f->label);
	free(f->info);
	free(f->long_text);
	free(f);
}

void dialog_close(struct dialog *d)
{
	for (int i = 0; i < d->n; i++)
		field_free(d->fields[i]);
	free(d->title);
	free(d->complaint);
	free(d->note);
	memset(d, 0, sizeof *d);
}

/* ---- fields ------------------------------------------------------------------- */

static bool takes_keys(const struct dialog *d, int i)
{
	return i >= 0 && i < d->n && d->fields[i]->type != FIELD_INFO;
}

static struct dialog_field *add(struct dialog *d, enum dialog_field_type type, const char *name,
				const char *label)
{
	struct dialog_field *f = xcalloc(1, sizeof *f);

	f->type = type;
	f->name = xstrdup(name);
	f->label = xstrdup(label);
	f->chosen = -1;
	prompt_init(&f->prompt, "");
	if (d->n == DIALOG_FIELDS_MAX) {	/* a form of that size is a mistake */
		field_free(f);
		return NULL;
	}
	d->fields[d->n++] = f;
	if (!takes_keys(d, d->focus))
		d->focus = d->n - 1;
	return f;
}

void dialog_add_info(struct dialog *d, const char *text)
{
	struct dialog_field *f = add(d, FIELD_INFO, "", "");

	if (f)
		f->info = xstrdup(text);
}

void dialog_set_info(struct dialog *d, int i, const char *text)
{
	if (i < 0 || i >= d->n || d->fields[i]->type != FIELD_INFO)
		return;
	free(d->fields[i]->info);
	d->fields[i]->info = xstrdup(text);
}

void dialog_add_choice(
	struct dialog *d, const char *name, const struct dialog_choice *choices, int n)
{
	struct dialog_field *f = add(d, FIELD_CHOICE, name, name);

	if (!f)
		return;
	f->choices = choices;
	f->n_choices = n;
	f->flags = DIALOG_REQUIRED;
}

void dialog_add_optional(
	struct dialog *d, const char *name, const struct dialog_choice *choices, int n)
{
	int before = d->n;

	dialog_add_choice(d, name, choices, n);
	if (d->n > before)
		d->fields[before]->flags = 0;
}

void dialog_add_text(
	struct dialog *d, const char *name, const char *label, const char *value, int flags)
{
	struct dialog_field *f = add(d, FIELD_TEXT, name, label);

	if (!f)
		return;
	f->flags = flags;
	prompt_set(&f->prompt, value);
}

void dialog_add_number(struct dialog *d, const char *name, const char *label, int64_t value,
		       int64_t least, int64_t most)
{
	struct dialog_field *f = add(d, FIELD_NUMBER, name, label);
	char text[32];

	if (!f)
		return;
	f->least = least;
	f->most = most;
	f->preset = true;
	snprintf(text, sizeof text, "%lld", (long long)value);
	prompt_set(&f->prompt, text);
}

void dialog_add_optional_number(
	struct dialog *d, const char *name, const char *label, int64_t least, int64_t most)
{
	struct dialog_field *f = add(d, FIELD_NUMBER, name, label);

	if (!f)
		return;
	f->least = least;
	f->most = most;
	f->empty_is_unknown = true;
}

void dialog_add_check(struct dialog *d, const char *name, const char *label, bool checked)
{
	struct dialog_field *f = add(d, FIELD_CHECK, name, label);

	if (f)
		f->checked = checked;
}

void dialog_add_name(struct dialog *d, const char *label, const char *must_be)
{
	struct dialog_field *f = add(d, FIELD_NAME, "name", label);

	if (f)
		f->info = xstrdup(must_be);
}

/* ---- values -------------------------------------------------------------------- */

static const struct dialog_field *field_of(const struct dialog *d, const char *name)
{
	for (int i = 0; i < d->n; i++)
		if (strcmp(d->fields[i]->name, name) == 0)
			return d->fields[i];
	return NULL;
}

static const char *text_of(const struct dialog_field *f)
{
	return f->long_text ? f->long_text : f->prompt.text.s;
}

void dialog_set_text(struct dialog *d, const char *name, const char *text)
{
	struct dialog_field *f = NULL;

	for (int i = 0; i < d->n; i++)
		if (d->fields[i]->type == FIELD_TEXT && strcmp(d->fields[i]->name, name) == 0)
			f = d->fields[i];
	if (!f)
		return;
	free(f->long_text);
	f->long_text = strchr(text, '\n') ? xstrdup(text) : NULL;
	prompt_set(&f->prompt, f->long_text ? "" : text);
}

const struct dialog_field *dialog_text_field(const struct dialog *d)
{
	if (takes_keys(d, d->focus) && d->fields[d->focus]->type == FIELD_TEXT)
		return d->fields[d->focus];
	for (int i = 0; i < d->n; i++)
		if (d->fields[i]->type == FIELD_TEXT)
			return d->fields[i];
	return NULL;
}

bool dialog_has_text_focus(const struct dialog *d)
{
	enum dialog_field_type type =
		takes_keys(d, d->focus) ? d->fields[d->focus]->type : FIELD_INFO;

	return type == FIELD_TEXT || type == FIELD_NAME;
}

const char *dialog_text(const struct dialog *d, const char *name)
{
	const struct dialog_field *f = field_of(d, name);

	if (!f)
		return "";
	if (f->type == FIELD_CHOICE)
		return f->chosen >= 0 ? f->choices[f->chosen].value : "";
	return text_of(f);
}

int64_t dialog_number(const struct dialog *d, const char *name)
{
	const struct dialog_field *f = field_of(d, name);
	int64_t v = 0;

	if (!f || !text_to_i64(f->prompt.text.s, f->prompt.text.n, &v))
		return 0;
	return v;
}

bool dialog_checked(const struct dialog *d, const char *name)
{
	const struct dialog_field *f = field_of(d, name);

	return f && f->checked;
}

/* ---- is it complete? -------------------------------------------------------------- */

void dialog_complain(struct dialog *d, const char *sentence)
{
	free(d->complaint);
	d->complaint = *sentence ? xstrdup(sentence) : NULL;
}

static void ATTR_PRINTF(2, 3) say(struct dialog *d, const char *fmt, ...)
{
	va_list ap;
	struct buf b = BUF_INIT;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	free(d->note);
	d->note = b.n ? buf_detach(&b) : NULL;
	buf_release(&b);
}

static bool is_blank(const char *s)
{
	return s[strspn(s, " ")] == '\0';
}

/* Why F may not be recorded as it stands; false: it may. */
static bool find_fault(const struct dialog_field *f, char *out, size_t size)
{
	int64_t v;

	switch (f->type) {
	case FIELD_CHOICE:
		snprintf(out, size, "choose one: the sign in its brackets, or Up and Down");
		return f->chosen < 0 && (f->flags & DIALOG_REQUIRED);
	case FIELD_TEXT:
		snprintf(out, size, "%s is required", f->label);
		return (f->flags & DIALOG_REQUIRED) && is_blank(text_of(f));
	case FIELD_NUMBER:
		snprintf(out, size, "%s is a number from %lld to %lld%s", f->label,
			(long long)f->least, (long long)f->most,
			f->empty_is_unknown ? ", or empty when it is not known" : "");
		if (f->empty_is_unknown && is_blank(f->prompt.text.s))
			return false;
		return !text_to_i64(f->prompt.text.s, f->prompt.text.n, &v) || v < f->least ||
			v > f->most;
	case FIELD_NAME:
		snprintf(out, size, "type %s to go on; Esc keeps everything as it is", f->info);
		return strcmp(f->prompt.text.s, f->info) != 0;
	case FIELD_INFO: case FIELD_CHECK:
		break;
	}
	return false;
}

static enum outcome record(struct dialog *d)
{
	char fault[300];

	for (int i = 0; i < d->n; i++) {
		if (!find_fault(d->fields[i], fault, sizeof fault))
			continue;
		d->focus = i;
		dialog_complain(d, fault);
		return OUTCOME_USED;
	}
	dialog_complain(d, "");
	return OUTCOME_ACCEPT;
}

/* ---- keys ------------------------------------------------------------------------- */

static bool must_be_written(const struct dialog_field *f)
{
	return f->type == FIELD_TEXT && (f->flags & DIALOG_REQUIRED) && is_blank(text_of(f));
}

void dialog_start(struct dialog *d)
{
	int wanted = -1;

	for (int i = d->n; i-- > 0;)
		if (must_be_written(d->fields[i]))
			wanted = i;
	for (int i = 0; i < d->n; i++)
		if (d->fields[i]->flags & DIALOG_FIRST)
			wanted = i;
	if (wanted >= 0)
		d->focus = wanted;
}

static enum outcome go(struct dialog *d, int direction)
{
	for (int step = 1; step <= d->n; step++) {
		int i = (d->focus + direction * step % d->n + d->n) % d->n;

		if (takes_keys(d, i)) {
			d->focus = i;
			break;
		}
	}
	return OUTCOME_USED;
}

static void say_chosen(struct dialog *d, const struct dialog_field *f)
{
	if (f->chosen < 0)
		say(d, "not answered");
	else
		say(d, "chosen: %s", f->choices[f->chosen].label);
}

/* Up and Down go through the choices and leave the field at its ends. */
static enum outcome choice_key(struct dialog *d, struct dialog_field *f, uint32_t key)
{
	bool up = key == K_UP || key == (K_CTRL | 'p');

	for (int i = 0; i < f->n_choices; i++)
		if (key == (unsigned char)f->choices[i].letter) {
			f->chosen = f->chosen == i && !(f->flags & DIALOG_REQUIRED) ? -1 : i;
			say_chosen(d, f);
			return OUTCOME_CHANGED;
		}
	if (!up && key != K_DOWN && key != (K_CTRL | 'n') && key != ' ')
		return OUTCOME_UNUSED;
	if (key == ' ')
		f->chosen = (f->chosen + 1) % (f->n_choices ? f->n_choices : 1);
	else if (up ? f->chosen <= 0 : f->chosen >= f->n_choices - 1)
		return go(d, up ? -1 : 1);
	else
		f->chosen += up ? -1 : 1;
	say_chosen(d, f);
	return OUTCOME_CHANGED;
}

static enum outcome check_key(struct dialog_field *f, uint32_t key)
{
	if (key != ' ')
		return OUTCOME_UNUSED;
	f->checked = !f->checked;
	return OUTCOME_CHANGED;
}

/* What is typed replaces a preset; any other key that edits or moves keeps it. */
static enum outcome number_key(struct dialog_field *f, uint32_t key)
{
	enum outcome o;

	if (key_is_text(key) && !(key >= '0' && key <= '9') && key != '-')
		return OUTCOME_UNUSED;
	if (f->preset && key_is_text(key))
		prompt_set(&f->prompt, "");
	o = prompt_key(&f->prompt, key);
	f->preset &= o == OUTCOME_UNUSED;
	return o;
}

static enum outcome text_key(struct dialog *d, struct dialog_field *f, uint32_t key)
{
	if (!f->long_text)
		return prompt_key(&f->prompt, key);
	if (key == (K_CTRL | 'u')) {
		free(f->long_text);
		f->long_text = NULL;
		return OUTCOME_CHANGED;
	}
	if (key_is_text(key))
		dialog_complain(d, "several lines: C-o edits them in your editor, C-u clears them");
	return key_is_text(key) ? OUTCOME_USED : OUTCOME_UNUSED;
}

static enum outcome field_key(struct dialog *d, struct dialog_field *f, uint32_t key)
{
	switch (f->type) {
	case FIELD_CHOICE:
		return choice_key(d, f, key);
	case FIELD_CHECK:
		return check_key(f, key);
	case FIELD_NUMBER:
		return number_key(f, key);
	case FIELD_TEXT:
		return text_key(d, f, key);
	case FIELD_NAME:
		return prompt_key(&f->prompt, key);
	case FIELD_INFO:
		break;
	}
	return OUTCOME_UNUSED;
}

/* A digit is no word that somebody types: it chooses where it stands, also from
 * beside. */
static enum outcome choose_beside(struct dialog *d, uint32_t key)
{
	for (int i = 0; key >= '0' && key <= '9' && i < d->n; i++)
		if (d->fields[i]->type == FIELD_CHOICE &&
			choice_key(d, d->fields[i], key) == OUTCOME_CHANGED) {
			d->focus = i;
			return OUTCOME_CHANGED;
		}
	return OUTCOME_UNUSED;
}

/* Words that were typed where no text is written do nothing, and that is said. */
static enum outcome leave_inert(struct dialog *d, uint32_t key)
{
	const struct dialog_field *f = takes_keys(d, d->focus) ? d->fields[d->focus] : NULL;

	if (!key_is_text(key) || choose_beside(d, key) != OUTCOME_UNUSED)
		return OUTCOME_UNUSED;
	say(d,
		!f || f->type == FIELD_INFO      ? "nothing is typed here"
			: f->type == FIELD_CHOICE ? "only the signs in brackets choose; Tab goes on"
			: f->type == FIELD_NUMBER ? "digits only; Tab goes on"
						  : "Space ticks it; Tab goes on");
	return OUTCOME_USED;
}

enum outcome dialog_key(struct dialog *d, uint32_t key)
{
	enum outcome o = OUTCOME_UNUSED;

	say(d, "%s", "");
	switch (key) {
	case K_ENTER:
		return record(d);
	case K_ESC: case K_CTRL | 'c':
		return OUTCOME_CANCEL;
	case K_TAB:
		return go(d, 1);
	case K_BACKTAB:
		return go(d, -1);
	case K_PAGE_DOWN:
		dialog_scroll(d, LINES_A_PAGE);
		return OUTCOME_USED;
	case K_PAGE_UP:
		dialog_scroll(d, -LINES_A_PAGE);
		return OUTCOME_USED;
	default:
		break;
	}
	if (takes_keys(d, d->focus))
		o = field_key(d, d->fields[d->focus], key);
	if (o == OUTCOME_CHANGED)
		dialog_complain(d, "");
	if (o != OUTCOME_UNUSED)
		return o;
	if (key != K_UP && key != K_DOWN)
		return leave_inert(d, key);
	if (takes_keys(d, d->focus))
		return go(d, key == K_UP ? -1 : 1);
	dialog_scroll(d, key == K_UP ? -1 : 1);
	return OUTCOME_USED;
}

bool dialog_paste(struct dialog *d, const char *s, size_t n)
{
	struct dialog_field *f = takes_keys(d, d->focus) ? d->fields[d->focus] : NULL;

	if (!f || f->long_text || (f->type != FIELD_TEXT && f->type != FIELD_NUMBER))
		return false;		/* a name is typed, or it confirms nothing */
	if (f->preset)
		prompt_set(&f->prompt, "");
	f->preset = false;
	return prompt_paste(&f->prompt, s, n);
}
