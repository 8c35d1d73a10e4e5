/* app_form - a dialog made from the arguments of an operation; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/operation.h"

enum { CHOICES_MAX = 20 };

struct app_form {
	const struct operation *operation;
	struct arena arena;		/* choices, and the words that were given */
};

void app_form_free(struct app_form *f)
{
	if (!f)
		return;
	arena_release(&f->arena);
	free(f);
}

static bool is_option(const struct argument *g)
{
	return g->name[0] == '-';
}

/* "--minutes" is asked as "minutes". */
static const char *label_of(const struct argument *g)
{
	return g->name + strspn(g->name, "-");
}

static const char *value_of(const struct app *a, const struct argument *g)
{
	if (g->type == ARGUMENT_ATTEMPT || g->type == ARGUMENT_REVISION)
		return a->selection.attempt;
	if (g->type == ARGUMENT_RUN)
		return a->selection.run;
	if (g->type == ARGUMENT_GOAL)
		return a->selection.goal;
	return g->otherwise ? g->otherwise : "";
}

/* Its first letter where no earlier choice has that, else its number. */
static char letter_of(const struct dialog_choice *choices, int n, const char *word)
{
	for (int i = 0; i < n; i++)
		if (choices[i].letter == *word)
			return (char)(n < 9 ? '1' + n : 'A' + n - 9);
	return *word;
}

static void add_words(struct app *a, struct app_form *f, const struct argument *g)
{
	struct dialog_choice *choices = arena_alloc(&f->arena, CHOICES_MAX * sizeof *choices);
	char *words = arena_strdup(&f->arena, g->choices ? g->choices : ""), *save = NULL;
	int n = 0;

	for (char *w = strtok_r(words, " ", &save); w && n < CHOICES_MAX;
		w = strtok_r(NULL, " ", &save)) {
		choices[n].value = choices[n].label = w;
		choices[n].letter = letter_of(choices, n, w);
		n++;
	}
	dialog_add_info(&a->dialog, g->help);
	if (g->required)
		dialog_add_choice(&a->dialog, g->name, choices, n);
	else
		dialog_add_optional(&a->dialog, g->name, choices, n);
}

static void add_field(struct app *a, struct app_form *f, const struct argument *g)
{
	switch (g->type) {
	case ARGUMENT_FLAG:
		dialog_add_check(&a->dialog, g->name, g->help, false);
		break;
	case ARGUMENT_WORD:
		add_words(a, f, g);
		break;
	case ARGUMENT_TEXT: case ARGUMENT_INTEGER: case ARGUMENT_NUMBER: case ARGUMENT_ATTEMPT:
	case ARGUMENT_REVISION: case ARGUMENT_RUN: case ARGUMENT_TARGET: case ARGUMENT_GOAL:
	case ARGUMENT_RULE: case ARGUMENT_EVENT: case ARGUMENT_PATH: case ARGUMENT_REST:
		dialog_add_text(&a->dialog, g->name, label_of(g), value_of(a, g),
				g->required ? DIALOG_REQUIRED : 0);
		break;
	}
}

/* ---- from the form to words -------------------------------------------------------- */

static void add_word(char **words, size_t *n, const char *word)
{
	words[(*n)++] = (char *)(uintptr_t)word;
}

static void add_answer(const struct dialog *d, const struct argument *g, struct arena *arena,
	char **words, size_t *n)
{
	const char *text = dialog_text(d, g->name);

	if (g->type == ARGUMENT_FLAG) {
		if (dialog_checked(d, g->name))
			add_word(words, n, g->name);
	} else if (*text && is_option(g)) {
		add_word(words, n, arena_printf(arena, "%s=%s", g->name, text));
	} else if (*text && g->type != ARGUMENT_REST) {
		add_word(words, n, text);
	}
}

static size_t count_arguments(const struct operation *o)
{
	size_t n = 0;

	while (o->arguments && o->arguments[n].name)
		n++;
	return n;
}

static void on_answer(void *user, struct app *a, struct dialog *d)
{
	struct app_form *f = user;
	const struct operation *o = f->operation;
	struct arena arena = ARENA_INIT;
	char **words = arena_alloc(&arena, (count_arguments(o) + 1) * sizeof *words);
	size_t n = 0;

	for (size_t i = 0; i < count_arguments(o); i++)
		add_answer(d, &o->arguments[i], &arena, words, &n);
	app_call(a, o, (const char *const *)words, n);
	arena_release(&arena);
}

/* ---- when is a form needed? ---------------------------------------------------------- */

/* Required positional arguments that lie beyond the words that were given. */
static bool is_missing(const struct operation *o, size_t n_words)
{
	size_t required = 0;

	for (size_t i = 0; i < count_arguments(o); i++) {
		if (o->arguments[i].required && is_option(&o->arguments[i]) && !n_words)
			return true;
		required += o->arguments[i].required && !is_option(&o->arguments[i]);
	}
	return required > n_words;
}

bool app_ask_arguments(struct app *a, const struct operation *o, char **words, size_t n)
{
	struct app_form *f;
	bool wanted = (o->flags & OPERATION_DIALOG) && n == 0 && count_arguments(o) > 0;

	(void)words;
	if (!wanted && !is_missing(o, n))
		return false;
	f = xcalloc(1, sizeof *f);
	f->operation = o;
	dialog_add_info(app_new_dialog(a, o->name), o->help);
	for (size_t i = 0; i < count_arguments(o); i++)
		add_field(a, f, &o->arguments[i]);
	app_open_dialog(a, on_answer, f);
	a->form = f;
	return true;
}
