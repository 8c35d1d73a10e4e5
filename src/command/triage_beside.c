/* triage_beside - see triage_beside.h. */
#include "config.h"

#include "command/triage_beside.h"

#include "base/err.h"
#include "domain/check.h"
#include "workspace/accepted.h"
#include "workspace/pins.h"
#include "workspace/state.h"

int triage_beside_read(
	struct triage_beside *b, struct call *c, struct workspace *ws, const char *run)
{
	int rc = silent_report_read(
		&b->silent, ws, c->workspace ? c->at : NULL, run, c->progress.cancel);

	b->has_silent = true;
	return rc;
}

/* For the intended target; where there is none, for that with most chips. */
static int read_pins(
	struct triage_beside *b, struct call *c, struct workspace *ws, const char *revision)
{
	struct packages_known known = { .arena = ARENA_INIT };
	struct package_pins pins = PACKAGE_PINS_INIT;
	const struct config_target *target = NULL;
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, c->workspace ? c->at : NULL);

	if (rc < 0)
		return rc;
	if (accepted.in_force.migration.intended)
		target = config_target_find(
			&accepted.in_force, accepted.in_force.migration.intended);
	rc = pins_read(&pins, &known, ws, revision, &accepted.in_force);
	b->pins = arena_alloc(c->arena, (pins.n + 1) * sizeof *b->pins);
	for (size_t i = 0; rc == 0 && i < pins.n; i++) {
		const struct package_pin *pin = &pins.rows[i];
		const char *text = pins_sentence(&pins, pin, &accepted.in_force, target, c->arena);

		if (text)
			b->pins[b->pins_n++] = (struct triage_pin){
				arena_printf(c->arena, "%s:%lld", pin->path, (long long)pin->line),
				arena_strdup(c->arena, pin->known->cause), text };
	}
	package_pins_release(&pins);
	packages_known_release(&known);
	accepted_release(&accepted);
	return rc;
}

int triage_beside_look_at_files(
	struct triage_beside *b, struct call *c, struct workspace *ws, const char *subject)
{
	struct attempt_state *s;
	int rc = state_attempt(ws, subject, c->workspace ? c->at : NULL, c->arena, &s);

	if (rc < 0) {
		err_clear();
		return 0;
	}
	if (s->runs_n)
		return 0;
	rc = *s->tip ? read_pins(b, c, ws, s->tip) : 0;
	b->has_pins = rc == 0;
	b->subject = subject;
	return rc < 0 ? rc : 1;
}

static void add_silent(struct report_table *t, const struct silent_row *row)
{
	report_row(t);
	report_text(t, "id", row->rule->id);
	report_text(t, "cause", row->rule->cause);
	report_text(t, "kind", "silent rule");
	report_text(t, "role", word_name(&words_check, (int)row->result));
	report_text(t, "text", row->text);
	if (row->result == CHECK_REFUTED)
		report_textf(t, "note", "false alarms: %s", row->rate);
	if (*row->places)
		report_text(t, "places", row->places);
	report_double(t, "false_alarms", row->rule->false_alarms);
	if (*row->next)
		report_text(t, "next", row->next);
}

static void show_silent(struct call *c, const struct silent_report *s)
{
	struct buf summary = BUF_INIT;

	for (size_t i = 0; i < s->n; i++)
		if (s->rows[i].result == CHECK_REFUTED || call_flag(c, "--all"))
			add_silent(c->table, &s->rows[i]);
	silent_report_add_summary(&summary, s);
	report_note(c->table, "without an error text: %s%s%s%s", summary.s,
		*s->reference_name ? "; beside " : "; no run of the reference to compare it with",
		s->reference_name, call_flag(c, "--all") ? "" : " (--all lists each)");
	if (s->refuted)
		report_note(
			c->table, "next check for %s: %s", s->rows[0].rule->id, s->rows[0].next);
	buf_release(&summary);
}

static void show_pins(struct call *c, const struct triage_beside *b)
{
	for (size_t i = 0; i < b->pins_n; i++) {
		report_row(c->table);
		report_text(c->table, "id", "versions");
		report_text(c->table, "cause", b->pins[i].cause);
		report_text(c->table, "kind", "pinned");
		report_text(c->table, "role", "hint");
		report_text(c->table, "text", b->pins[i].text);
		report_text(c->table, "note", b->pins[i].place);
		report_text(c->table, "places", b->pins[i].place);
	}
	report_note(c->table,
		"attempt %s has no run, so there is no log: hints from its files, and no proof",
		b->subject);
}

void triage_beside_show(struct call *c, const struct triage_beside *b)
{
	if (b->missing)
		report_note(c->table, "%s", b->missing);
	if (b->closed)
		report_note(c->table, "signatures of portside.conf did not count: %s", b->closed);
	if (b->has_pins)
		show_pins(c, b);
	if (b->has_silent)
		show_silent(c, &b->silent);
}

void triage_beside_release(struct triage_beside *b)
{
	if (b->has_silent)
		silent_report_release(&b->silent);
	*b = (struct triage_beside)TRIAGE_BESIDE_INIT;
}
