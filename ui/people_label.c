/* people_label - how an attempt came out, and why: the form of a label; see people.h. */
#include "config.h"

#include "ui/people_private.h"

#include <string.h>

static const struct dialog_choice outcomes[] = { OUTCOME_CHOICES(CHOICE_FORM) };
static const struct dialog_choice silences[] = { SILENT_CHOICES(CHOICE_FORM) };

enum { SECONDARY_MAX = 6 };

/* "C4 C5" as options of their own; false: one of them is no cause. */
static bool add_secondary(
	const char **options, size_t *n, struct arena *arena, const char *text)
{
	size_t count = 0;

	for (text += strspn(text, " ,"); *text; text += strspn(text, " ,")) {
		size_t length = strcspn(text, " ,");

		if (length != 2 || (text[0] != 'C' && text[0] != 'c') || text[1] < '0' ||
			text[1] > '6' || count++ == SECONDARY_MAX)
			return false;
		options[(*n)++] = "--secondary";
		options[(*n)++] = arena_printf(arena, "C%c", text[1]);
		text += length;
	}
	return true;
}

static void on_label(void *user, struct app *a, struct dialog *d)
{
	const char *const positionals[] = { dialog_text(d, "attempt"), dialog_text(d, "outcome"),
		NULL };
	const char *options[10 + 2 * SECONDARY_MAX] = {
		"--cause",
		dialog_text(d, "cause"),
		"--silent",
		dialog_text(d, "silent"),
		"--text",
		dialog_text(d, "text"),
	};
	struct arena arena = ARENA_INIT;
	size_t n = 6;

	(void)user;
	if (dialog_checked(d, "blind")) {
		options[n++] = "--blind";
		options[n++] = PEOPLE_FLAG;
	}
	if (strcmp(dialog_text(d, "outcome"), "failure") != 0 && *dialog_text(d, "silent"))
		dialog_complain(d,
			"only a failure is silent or not: choose f, or take the answer back by its letter");
	else if (!add_secondary(options, &n, &arena, dialog_text(d, "secondary")))
		dialog_complain(d, "further causes are C0 to C6, with blanks between: C4 C5");
	else
		people_submit(a, "label", options, positionals);
	arena_release(&arena);
}

/* "[4] C4 lazy-tensor execution": the digit is the letter. */
static const struct dialog_choice *cause_choices(struct arena *arena)
{
	struct people_cause causes[PEOPLE_CAUSES];
	struct dialog_choice *choices = arena_alloc(arena, PEOPLE_CAUSES * sizeof *choices);

	people_causes(causes);
	for (int i = 0; i < PEOPLE_CAUSES; i++) {
		choices[i].letter = causes[i].id[1];
		choices[i].value = causes[i].id;
		choices[i].label = arena_printf(arena, "%s %s", causes[i].id, causes[i].name);
	}
	return choices;
}

void label_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, "label: how an attempt came out, and why");

	dialog_add_choice(d, "outcome", outcomes, (int)ARRAY_LEN(outcomes));
	dialog_add_info(d, "cause, by mechanism; without an answer: not labelled");
	dialog_add_optional(d, "cause", cause_choices(&f->arena), PEOPLE_CAUSES);
	dialog_add_info(d, "did it fail silently?");
	dialog_add_optional(d, "silent", silences, (int)ARRAY_LEN(silences));
	dialog_add_text(d, "secondary", "further causes, as C4 C5", "", 0);
	dialog_add_text(d, "text", "in your words", "", 0);
	dialog_add_text(d, "attempt", "attempt", f->facts.attempt, DIALOG_REQUIRED);
	if (a->blind)
		dialog_add_check(d, "blind", "blind: I saw no label and no proposal", true);
	if (*f->facts.info && !a->blind)
		dialog_add_info(d, f->facts.info);
	d->keys = "Enter records  C-o your editor  Esc keeps everything as it was";
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_label, f);
}
