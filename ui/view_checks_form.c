/* view_checks_form - what a person puts on record in view 5; see view_checks.h. */
#include "config.h"

#include "ui/view_checks.h"

#include <string.h>

#include "command/operation.h"
#include "ui/people_private.h"

static const struct dialog_choice answers[] = {
	{ 'c', "confirmed", "confirmed: evidence shows it" },
	{ 'r', "refuted", "refuted: evidence contradicts it" },
	{ 'u', "unknown", "unknown: looked at, and it cannot be told" },
	{ 'n', "not-applicable", "not applicable here, for a reason" },
};

static const struct dialog_choice meanings[] = { SIGNOFF_CHOICES(CHOICE_FORM) };

static const struct checks_configuration *first_configuration(const struct checks_view *self)
{
	return self->model && self->model->checks.n ? &self->model->checks.configurations[0] : NULL;
}

static const char *attempt_of(const struct checks_view *self)
{
	return self->model && self->model->checks.n ? self->model->checks.attempt : "";
}

/* ---- a statement ----------------------------------------------------------------------- */

static void on_statement(void *user, struct app *a, struct dialog *d)
{
	struct arena arena = ARENA_INIT;
	const char *const positionals[] = { dialog_text(d, "attempt"), NULL };
	const char *const options[] = {
		"--configuration",
		dialog_text(d, "configuration"),
		"--set",
		arena_printf(&arena, "%s=%s", dialog_text(d, "check"), dialog_text(d, "answer")),
		"--reason",
		dialog_text(d, "reason"),
		"--evidence",
		dialog_text(d, "evidence"),
		NULL,
	};

	(void)user;
	people_submit(a, "check", options, positionals);
	arena_release(&arena);
}

void checks_open_statement(struct view *v)
{
	const struct checks_view *self = view_state(v);
	const struct checks_configuration *c = first_configuration(self);
	const struct checks_row *row = checks_selected(self);
	struct dialog *d;

	if (!c || !row || row->kind != CHECKS_ITEM) {
		app_say(v->app, "select a question first: a statement is about one of them");
		return;
	}
	if (!app_may_write(v->app))
		return;
	d = app_new_dialog(v->app, "what you say of a question");
	if (check_find(row->check))
		dialog_add_info(d, check_find(row->check)->question);
	dialog_add_choice(d, "answer", answers, (int)ARRAY_LEN(answers));
	dialog_add_text(d, "reason", "why, in your words", "", DIALOG_REQUIRED);
	dialog_add_text(d, "evidence", "a file that shows it", "", 0);
	dialog_add_text(d, "check", "question", row->check, DIALOG_REQUIRED);
	dialog_add_text(d, "configuration", "configuration", c->name, DIALOG_REQUIRED);
	dialog_add_text(d, "attempt", "attempt", attempt_of(self), DIALOG_REQUIRED);
	app_open_dialog(v->app, on_statement, v);
}

/* ---- a sign-off ------------------------------------------------------------------------- */

static void on_signoff(void *user, struct app *a, struct dialog *d)
{
	const char *const positionals[] = { dialog_text(d, "attempt"), dialog_text(d, "meaning"),
		NULL };
	const char *const options[] = {
		"--configuration",
		dialog_text(d, "configuration"),
		"--level",
		dialog_text(d, "level"),
		"--text",
		dialog_text(d, "text"),
		NULL,
	};

	(void)user;
	people_submit(a, "signoff", options, positionals);
}

void checks_open_signoff(struct view *v)
{
	const struct checks_view *self = view_state(v);
	const struct checks_configuration *c = first_configuration(self);
	struct arena arena = ARENA_INIT;
	struct dialog *d;

	if (!c) {
		app_say(v->app, "nothing is there to sign off: no run, no configuration");
		return;
	}
	if (!app_may_write(v->app))
		return;
	d = app_new_dialog(v->app, "sign off what was measured");
	dialog_add_info(d, arena_printf(&arena, "%s measures %s%s%s", c->name, c->measured,
		*self->model->checks.guard ? "; " : "", self->model->checks.guard));
	dialog_add_choice(d, "meaning", meanings, (int)ARRAY_LEN(meanings));
	dialog_add_text(d, "text", "in your words", "", DIALOG_FIRST);
	dialog_add_text(d, "level", "level that it is about", "", 0);
	dialog_add_text(d, "configuration", "configuration", c->name, DIALOG_REQUIRED);
	dialog_add_text(d, "attempt", "attempt", attempt_of(self), DIALOG_REQUIRED);
	app_open_dialog(v->app, on_signoff, v);
	arena_release(&arena);
}
