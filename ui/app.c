/* app - see app.h: views, selection, messages, what lies above the view. */
#include "config.h"

#include "ui/app_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/keymap.h"
#include "command/operation.h"
#include "ui/loop.h"

static bool replace(char **s, const char *with)
{
	if (strcmp(*s, with) == 0)
		return false;
	free(*s);
	*s = xstrdup(with);
	return true;
}

/* ---- life --------------------------------------------------------------------- */

void app_init(struct app *a, struct loop *loop, const struct app_host *host)
{
	const struct view_type *const *types;

	memset(a, 0, sizeof *a);
	a->loop = loop;
	a->host = *host;
	a->selection.attempt = xstrdup("");
	a->selection.other_attempt = xstrdup("");
	a->selection.run = xstrdup("");
	a->selection.goal = xstrdup("");
	a->selection.file = xstrdup("");
	a->selection.position_text = xstrdup("");
	a->selection.at_now = host->at == NULL;
	if (host->at) {
		a->selection.position = *host->at;
		replace(&a->selection.position_text, host->at_text);
	}
	types = view_types(&a->n_views);
	if (a->n_views > APP_VIEWS_MAX)
		a->n_views = APP_VIEWS_MAX;
	for (int i = 0; i < a->n_views; i++) {
		a->views[i].type = types[i];
		a->views[i].app = a;
	}
	a->current = a->back = -1;
	if (host->history_path && history_load(&a->command_history, host->history_path) < 0)
		app_complain(a, "%s", err_text());
}

static void close_view(struct view *v)
{
	if (!v->is_open)
		return;
	v->type->close(v);
	free(v->state);
	v->is_open = false;
}

void app_release(struct app *a)
{
	app_close_layer(a);
	job_cancel(&a->call);
	job_cancel(&a->facts);
	for (int i = 0; i < a->n_views; i++)
		close_view(&a->views[i]);
	if (a->host.history_path && !a->host.read_only &&
	    history_save(&a->command_history, a->host.history_path) < 0)
		fprintf(stderr, "portside: %s\n", err_text());
	history_release(&a->search_history);
	history_release(&a->filter_history);
	history_release(&a->command_history);
	free(a->selection.attempt);
	free(a->selection.other_attempt);
	free(a->selection.run);
	free(a->selection.goal);
	free(a->selection.file);
	free(a->selection.position_text);
	free(a->message);
	a->message = NULL;
}

/* ---- views -------------------------------------------------------------------- */

struct view *app_view(struct app *a)
{
	return a->current >= 0 ? &a->views[a->current] : NULL;
}

static void load_if_stale(struct view *v)
{
	if (!v->stale)
		return;
	v->stale = false;
	if (v->type->load)
		v->type->load(v);
}

void app_go_view(struct app *a, int index, bool keep)
{
	struct view *v = &a->views[index];

	if (keep && a->current != index)
		a->back = index == 0 ? -1 : a->current;
	if (a->current >= 0 && a->current != index && a->views[a->current].type->leave)
		a->views[a->current].type->leave(&a->views[a->current]);
	a->current = index;
	if (!v->is_open) {
		v->state = xcalloc(1, v->type->size);
		v->is_open = v->stale = true;
		v->type->open(v);
	}
	load_if_stale(v);
}

int app_show_view(struct app *a, const char *name)
{
	struct buf known = BUF_INIT;
	int rc;

	for (int i = 0; i < a->n_views; i++) {
		if (strcmp(a->views[i].type->name, name) == 0) {
			app_go_view(a, i, true);
			buf_release(&known);
			return 0;
		}
		buf_addf(&known, "%s%s", i ? ", " : "", a->views[i].type->name);
	}
	rc = err_set(ERR_NOT_FOUND, "there is no view %s; the views are %s", name, known.s);
	buf_release(&known);
	return rc;
}

void app_touch(struct app *a)
{
	if (a->loop)
		loop_touch(a->loop);
}

void app_changed(struct app *a, unsigned what)
{
	for (int i = 0; i < a->n_views; i++) {
		struct view *v = &a->views[i];

		if (!v->is_open)
			continue;
		if (v->type->changed)
			v->type->changed(v, what);
		v->stale |= (v->type->reload_on & what) != 0;
	}
	if (app_view(a))
		load_if_stale(app_view(a));
	app_touch(a);
}

/* ---- selection ----------------------------------------------------------------- */

void app_select_attempt(struct app *a, const char *attempt)
{
	app_select_pair(a, attempt, "");
}

void app_select_pair(struct app *a, const char *attempt, const char *other)
{
	bool changed = replace(&a->selection.attempt, attempt);

	changed |= replace(&a->selection.other_attempt, other);
	if (changed)
		app_changed(a, CHANGED_ATTEMPT);
}

void app_select_run(struct app *a, const char *run)
{
	if (replace(&a->selection.run, run))
		app_changed(a, CHANGED_RUN);
}

void app_select_goal(struct app *a, const char *goal)
{
	if (replace(&a->selection.goal, goal))
		app_changed(a, CHANGED_GOAL);
}

void app_select_place(struct app *a, const char *file, int32_t line, bool since_original)
{
	replace(&a->selection.file, file);
	a->selection.file_line = line;
	a->selection.file_since_original = since_original;
	app_changed(a, CHANGED_PLACE);
}

void app_select_position(struct app *a, const struct position *p, const char *text)
{
	struct selection *s = &a->selection;

	s->at_now = p == NULL;
	if (p)
		s->position = *p;
	replace(&s->position_text, text ? text : "");
	app_changed(a, CHANGED_POSITION);
}

static void complain_past(struct app *a)
{
	struct buf b = BUF_INIT;

	app_add_keys(&b, a, "nothing is written in the past; {F} returns to now");
	app_complain(a, "%s", b.s);
	buf_release(&b);
}

bool app_may_write(struct app *a)
{
	if (a->host.refusal)
		app_complain(a, "%s", a->host.refusal);
	else if (!a->selection.at_now)
		complain_past(a);
	else
		return true;
	return false;
}

/* ---- messages ------------------------------------------------------------------ */

static void ATTR_PRINTF(3, 0) set_message(struct app *a, bool is_error, const char *fmt, va_list ap)
{
	struct buf b = BUF_INIT;

	buf_vaddf(&b, fmt, ap);
	free(a->message);
	a->message = buf_detach(&b);
	a->message_is_error = is_error;
	app_touch(a);
}

void app_say(struct app *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_message(a, false, fmt, ap);
	va_end(ap);
}

void app_complain(struct app *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set_message(a, true, fmt, ap);
	va_end(ap);
	a->n_due = 0;		/* what waited was not typed for this */
}

void app_clear_message(struct app *a)
{
	free(a->message);
	a->message = NULL;
}

void app_add_key(struct buf *out, const struct app *a, const char *were)
{
	keymap_add_key(out, a->host.keymap, were, app_contexts(a));
}

void app_add_keys(struct buf *out, const struct app *a, const char *sentence)
{
	const char *end;

	for (const char *s = sentence; *s; s++) {
		char were[16];

		if (*s != '{' || !(end = strchr(s, '}')) || (size_t)(end - s) > sizeof were) {
			buf_addc(out, *s);
			continue;
		}
		snprintf(were, sizeof were, "%.*s", (int)(end - s - 1), s + 1);
		app_add_key(out, a, were);
		s = end;
	}
}

void app_say_keys(struct app *a, const char *sentence)
{
	struct buf b = BUF_INIT;

	app_add_keys(&b, a, sentence);
	app_say(a, "%s", b.s);
	buf_release(&b);
}

void app_say_nothing_here(struct app *a, const char *what, const char *quote)
{
	struct buf help = BUF_INIT;

	app_add_key(&help, a, "?");
	app_say(a, "%s%s%s does nothing here; %s shows what does", quote, what, quote, help.s);
	buf_release(&help);
}

/* ---- what lies above the view ---------------------------------------------------- */

static void close_text(struct app *a)
{
	text_view_release(&a->text);
	free(a->text_title);
	free(a->text_lines);
	free(a->text_bytes);
	a->text_title = a->text_bytes = NULL;
	a->text_lines = NULL;
	a->n_text_lines = 0;
}

void app_close_layer(struct app *a)
{
	switch (a->layer) {
	case APP_VIEW:
		break;
	case APP_PROMPT:
		prompt_release(&a->prompt);
		break;
	case APP_PALETTE:
		palette_close(&a->palette);
		break;
	case APP_HELP:
		help_close(&a->help);
		break;
	case APP_DIALOG:
		dialog_close(&a->dialog);
		app_form_free(a->form);
		a->form = NULL;
		a->dialog_waits = false;
		a->dialog_extra = NULL;
		a->dialog_refused = NULL;
		app_dialog_owns(a, NULL, NULL);
		break;
	case APP_TEXT:
		close_text(a);
		break;
	}
	free(a->items);
	a->items = NULL;
	a->layer = APP_VIEW;
}

struct dialog *app_new_dialog(struct app *a, const char *title)
{
	app_close_layer(a);
	dialog_open(&a->dialog, title);
	a->n_dialogs++;
	return &a->dialog;
}

void app_dialog_owns(struct app *a, void *p, void (*free_it)(void *))
{
	if (a->dialog_own)
		a->dialog_own_free(a->dialog_own);
	a->dialog_own = p;
	a->dialog_own_free = free_it;
}

void app_open_dialog(struct app *a, app_answer_fn *answer, void *user)
{
	a->answer = answer;
	a->answer_user = user;
	a->layer = APP_DIALOG;
	dialog_start(&a->dialog);
	app_touch(a);
}

void app_open_prompt(struct app *a, enum app_prompt kind, const char *label, const char *text)
{
	app_close_layer(a);
	prompt_init(&a->prompt, label);
	a->prompt.history = kind == APP_PROMPT_SEARCH ? &a->search_history :
			    kind == APP_PROMPT_FILTER ? &a->filter_history : NULL;
	prompt_set(&a->prompt, text);
	a->prompt_kind = kind;
	a->layer = APP_PROMPT;
}

void app_open_ask(struct app *a, const char *label, const char *text, app_ask_fn *ask, void *user)
{
	app_open_prompt(a, APP_PROMPT_ASK, label, text);
	a->ask = ask;
	a->ask_user = user;
}

static long count_lines(void *user)
{
	const struct app *a = user;

	return a->n_text_lines;
}

static void get_line(void *user, long i, struct text_line *out)
{
	const struct app *a = user;

	out->s = a->text_lines[i];
	out->n = strlen(out->s);
}

void app_show_text(struct app *a, const char *title, const char *text)
{
	static const struct text_source source = { count_lines, get_line, "nothing to show" };
	size_t cap = 0;

	app_close_layer(a);
	a->text_title = xstrdup(title);
	a->text_bytes = xstrdup(text);
	for (char *s = a->text_bytes; *s;) {
		size_t n = strcspn(s, "\n");
		bool more = s[n] == '\n';

		ARRAY_GROW(a->text_lines, (size_t)a->n_text_lines, cap);
		a->text_lines[a->n_text_lines++] = s;
		s[n] = '\0';
		s += n + more;
	}
	text_view_init(&a->text, &source, a);
	a->layer = APP_TEXT;
	app_touch(a);
}
