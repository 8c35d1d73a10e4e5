/* people_decision - the decision dialog and the adjudication; see people.h. */
#include "config.h"

#include "ui/people_private.h"

#include <string.h>

#include "base/err.h"
#include "command/screen_operation.h"

/* An alarm may also be left open. */
static const struct dialog_choice alarm_choices[] = {
	ALARM_CHOICES(CHOICE_FORM)
	{ 'l', "later", "later: the alarm stays open" },
};
static const struct dialog_choice free_choices[] = { DECISION_CHOICES(CHOICE_FORM) };
static const struct dialog_choice verdicts[] = { VERDICT_CHOICES(CHOICE_FORM) };

static bool is_blank(const char *s)
{
	return !s[strspn(s, " \t\n")];
}

/* ---- deciding -------------------------------------------------------------------- */

static void on_decision(void *user, struct app *a, struct dialog *d)
{
	const struct people_form *f = user;
	const char *choice = dialog_text(d, "choice"), *reason = dialog_text(d, "reason");
	struct arena arena = ARENA_INIT;
	const char *subject = *f->facts.alarm ? f->facts.alarm
		: *f->facts.attempt           ? f->facts.attempt
					      : "migration";
	const char *const positionals[] = { choice, NULL };
	const char *const options[] = {
		"--subject", subject, "--reason", reason,
		"--minutes", dialog_text(d, "minutes"),
		"--message", dialog_text(d, "message"),
		"--again", f->again ? PEOPLE_FLAG : "",
		"--intervention", dialog_checked(d, "intervention") ? PEOPLE_FLAG : "", NULL,
	};

	if (strcmp(choice, "later") == 0)
		app_say(a, "the alarm stays open");
	else if (is_blank(reason)) {
		dialog_complain(
			d, "the reason is required: it is read when the alarm is adjudicated");
		dialog_start(d);
	} else
		people_submit(a, "decide", options, positionals);
	arena_release(&arena);
}

/* Told that it was decided already, a person may go on all the same. */
static void on_refusal(void *user, struct dialog *d, int code)
{
	struct people_form *f = user;

	if (code == ERR_EXISTS && !f->again)
		d->keys = "Enter again records another  Esc leaves it as it was decided";
	f->again = code == ERR_EXISTS;
}

/* y copies what the agent shall read; it does not go into a text that is written. */
static bool on_extra(void *user, struct app *a, struct dialog *d, uint32_t key)
{
	const char *message = dialog_text(d, "message");

	(void)user;
	if (key != 'y' || dialog_has_text_focus(d))
		return false;
	if (is_blank(message))
		dialog_complain(d, "there is no message for the agent yet");
	else
		app_copy(a, message, strlen(message));
	return true;
}

void decision_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, f->facts.title);
	bool alarm = *f->facts.alarm;

	dialog_add_info(d, f->facts.info);
	dialog_add_choice(d, "choice", alarm ? alarm_choices : free_choices,
		(int)(alarm ? ARRAY_LEN(alarm_choices) : ARRAY_LEN(free_choices)));
	dialog_add_text(d, "reason", "reason (required)", "", DIALOG_FIRST);
	dialog_add_optional_number(d, "minutes", "minutes", 0, 100000);
	dialog_add_check(d, "intervention",
		"also an intervention: you helped the agent beyond deciding", false);
	dialog_add_text(d, "message", "message for the agent (an intervention)", "", 0);
	d->keys = "Enter records  y copies the message  C-o editor  Esc keeps everything";
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_decision, f);
	a->dialog_extra = on_extra;
	a->dialog_refused = on_refusal;
}

void decision_open(struct app *a, const char *alarm)
{
	people_read_and_open(a, SCREEN_DECIDE, &(struct people_subject){ .alarm = alarm });
}

/* ---- adjudicating ------------------------------------------------------------------ */

static void on_verdict(void *user, struct app *a, struct dialog *d)
{
	const struct people_form *f = user;
	const char *const positionals[] = { f->facts.alarm, dialog_text(d, "verdict"), NULL };
	const char *const options[] = {
		"--reason",
		dialog_text(d, "reason"),
		"--evidence",
		dialog_text(d, "evidence"),
		NULL,
	};

	people_submit(a, "adjudicate", options, positionals);
}

void adjudication_form_open(struct app *a, struct people_form *f)
{
	struct dialog *d = app_new_dialog(a, f->facts.title);

	dialog_add_info(d, f->facts.info);
	dialog_add_choice(d, "verdict", verdicts, (int)ARRAY_LEN(verdicts));
	dialog_add_text(d, "reason", "reason", "", DIALOG_REQUIRED);
	dialog_add_text(d, "evidence", "evidence: run, event, file", "", 0);
	app_dialog_owns(a, f, people_form_free);
	app_open_dialog(a, on_verdict, f);
}
