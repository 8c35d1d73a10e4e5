/* people - see people.h: which form, what it is about, and calling the operation. */
#include "config.h"

#include "ui/people_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/open.h"
#include "command/operation.h"
#include "command/screen_operation.h"

enum { WORDS_MAX = 24 };

/* Each begins with its letter, so that nothing is chosen that was not read. */
static const struct dialog_choice kinds[] = { INTERVENTION_CHOICES(CHOICE_FORM) };
static const struct dialog_choice levels[] = { LEVEL_CHOICES(CHOICE_FORM) };

/* ---- calling ------------------------------------------------------------------------ */

const char PEOPLE_FLAG[] = "";

void people_submit(
	struct app *a, const char *name, const char *const *options, const char *const *positionals)
{
	const struct operation *o = operation_find(name);
	struct arena arena = ARENA_INIT;
	const char *words[WORDS_MAX];
	size_t n = 0;

	for (size_t i = 0; options[i] && n < WORDS_MAX - 4; i += 2) {
		if (options[i + 1] == PEOPLE_FLAG)
			words[n++] = options[i];
		else if (*options[i + 1])
			words[n++] = arena_printf(&arena, "%s=%s", options[i], options[i + 1]);
	}
	words[n++] = "--";
	for (size_t i = 0; positionals[i] && n < WORDS_MAX; i++)
		words[n++] = positionals[i];
	app_call(a, o, words, n);
	arena_release(&arena);
}

/* ---- forms without facts -------------------------------------------------------------- */

static void on_note(void *user, struct app *a, struct dialog *d)
{
	const char *const positionals[] = { dialog_text(d, "text"), NULL };
	const char *const options[] = { "--about", dialog_text(d, "about"), NULL };

	(void)user;
	people_submit(a, "note", options, positionals);
}

static void note_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, "note");

	dialog_add_text(d, "text", "note", "", DIALOG_REQUIRED);
	dialog_add_text(d, "about", "about: attempt, run; empty: all", *f->facts.alarm ?
		arena_printf(&f->arena, "alarm/%s", f->facts.alarm) : f->facts.attempt, 0);
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_note, f);
}

static void on_intervention(void *user, struct app *a, struct dialog *d)
{
	struct arena arena = ARENA_INIT;
	const struct people_form *f = user;
	const char *const positionals[] = { dialog_text(d, "kind"), dialog_text(d, "text"), NULL };
	const char *const options[] = {
		"--minutes",
		dialog_text(d, "minutes"),
		"--attempt",
		dialog_text(d, "attempt"),
		"--because-of",
		*f->facts.alarm ? arena_printf(&arena, "alarm:%s", f->facts.alarm) : "",
		NULL,
	};

	people_submit(a, "intervene", options, positionals);
	arena_release(&arena);
}

static void intervention_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, "intervention: what you did for the agent");

	dialog_add_choice(d, "kind", kinds, (int)ARRAY_LEN(kinds));
	dialog_add_text(d, "text", "in your words", "", DIALOG_REQUIRED);
	dialog_add_optional_number(d, "minutes", "minutes", 0, 100000);
	dialog_add_text(d, "attempt", "attempt; empty: none", f->facts.attempt, 0);
	d->keys = "Enter records  C-o your editor  Esc keeps everything as it was";
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_intervention, f);
}

static void on_expectation(void *user, struct app *a, struct dialog *d)
{
	const char *const positionals[] = { dialog_text(d, "attempt"), dialog_text(d, "level"),
		NULL };
	const char *const options[] = {
		"--configuration",
		dialog_text(d, "configuration"),
		"--text",
		dialog_text(d, "text"),
		NULL,
	};

	(void)user;
	people_submit(a, "expect", options, positionals);
}

static void expectation_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, "expected level, before the run");

	dialog_add_info(d, "It counts only for runs that are prepared after it.");
	dialog_add_choice(d, "level", levels, (int)ARRAY_LEN(levels));
	dialog_add_text(d, "configuration", "configuration; empty: all", "", 0);
	dialog_add_text(d, "text", "in your words", "", 0);
	dialog_add_text(d, "attempt", "attempt", f->facts.attempt, DIALOG_REQUIRED);
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_expectation, f);
}

/* ---- forms with facts ------------------------------------------------------------------ */

static void on_strike(void *user, struct app *a, struct dialog *d)
{
	const struct people_form *f = user;
	const char *const positionals[] = { f->facts.event, NULL };
	const char *const options[] = { "--reason", dialog_text(d, "reason"), NULL };

	people_submit(a, "strike", options, positionals);
}

static void strike_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, f->facts.title);

	dialog_add_info(d, f->facts.info);
	dialog_add_text(d, "reason", "reason", "", DIALOG_REQUIRED);
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_strike, f);
}

static void on_acceptance(void *user, struct app *a, struct dialog *d)
{
	const struct people_form *f = user;
	static const char *const none[] = { NULL };
	const char *const options[] = { "--seen", f->facts.digest, "--reason",
		dialog_text(d, "reason"), NULL };

	people_submit(a, "config accept", options, none);
}

static void acceptance_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, f->facts.title);

	dialog_add_info(d, f->facts.info);
	dialog_add_text(d, "reason", "reason", "", f->facts.needs_reason ? DIALOG_REQUIRED : 0);
	d->keys = "Enter accepts  PgDn more  Esc keeps the version in force";
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_acceptance, f);
}

/* ---- opening ------------------------------------------------------------------------- */

static const struct {
	int screen;
	bool facts;
	void (*open)(struct app *a, struct people_form *f);
} forms[] = {
	{ SCREEN_NOTE, false, note_form_open },
	{ SCREEN_INTERVENE, false, intervention_form_open },
	{ SCREEN_EXPECT, false, expectation_form_open },
	{ SCREEN_LABEL, false, label_form_open },
	{ SCREEN_DECIDE, true, decision_form_open },
	{ SCREEN_ADJUDICATE, true, adjudication_form_open },
	{ SCREEN_STRIKE, true, strike_form_open },
	{ SCREEN_ACCEPT, true, acceptance_form_open },
};

static void open_form(struct app *a, struct people_form *f)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (forms[i].screen == f->screen)
			forms[i].open(a, f);
}

struct request { struct people_form *form; char *directory; bool read_only; };

static void request_free(void *p)
{
	struct request *r = p;

	if (r->form)
		people_form_free(r->form);
	free(r->directory);
	free(r);
}

void people_form_free(void *form)
{
	struct people_form *f = form;

	arena_release(&f->arena);
	free(f);
}

static enum people_act act_of(int screen)
{
	switch (screen) {
	case SCREEN_ADJUDICATE:
		return PEOPLE_ADJUDICATE;
	case SCREEN_STRIKE:
		return PEOPLE_STRIKE;
	case SCREEN_ACCEPT:
		return PEOPLE_ACCEPT;
	default:
		return PEOPLE_DECIDE;
	}
}

static int read_facts(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct people_form *f = r->form;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct opened opened = { 0 };
	int rc = open_migration(&opened, NULL, &how);

	if (rc == 0)
		rc = people_facts_read(&f->facts, opened.workspace, act_of(f->screen),
			job_cancel_flag(job), &f->arena);
	opened_release(&opened);
	*result = rc == 0 ? r->form : NULL;
	if (rc == 0)
		r->form = NULL;
	return rc;
}

static void on_facts(void *user, int code, void *result, const char *sentence)
{
	struct app *a = user;

	if (code < 0)
		app_complain(a, "%s", sentence);
	else if (a->layer != APP_VIEW)
		people_form_free(result);	/* the person has gone on to something else */
	else
		open_form(a, result);
}

static struct people_form *new_form(int screen, const struct people_subject *about)
{
	struct people_form *f = xcalloc(1, sizeof *f);

	f->screen = screen;
	f->facts.title = f->facts.digest = "";
	f->facts.alarm = arena_strdup(&f->arena, about->alarm ? about->alarm : "");
	f->facts.event = arena_strdup(&f->arena, about->event ? about->event : "");
	f->facts.attempt = arena_strdup(&f->arena, about->attempt ? about->attempt : "");
	f->facts.info = arena_strdup(&f->arena, about->beside ? about->beside : "");
	return f;
}

void people_read_and_open(struct app *a, int screen, const struct people_subject *about)
{
	static const struct job_kind kind = { "reading the facts", read_facts, request_free,
		people_form_free, JOB_SCREEN };
	struct request *r;

	if (!app_may_write(a))
		return;
	r = xcalloc(1, sizeof *r);
	r->form = new_form(screen, about);
	r->directory = xstrdup(a->host.directory);
	r->read_only = a->host.read_only;
	job_start(&a->facts, a->loop, &kind, r, on_facts, a);
}

bool people_open(struct app *a, int screen, const struct people_subject *about)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		if (forms[i].screen != screen)
			continue;
		if (forms[i].facts)
			people_read_and_open(a, screen, about);
		else if (app_may_write(a))
			forms[i].open(a, new_form(screen, about));
		return true;
	}
	return false;
}

bool people_perform(struct app *a, int screen)
{
	struct people_subject about = { .attempt = a->selection.attempt };

	if (screen == SCREEN_UNDO)
		return people_open(a, SCREEN_STRIKE, &(struct people_subject){ 0 });
	return people_open(a, screen, &about);
}
