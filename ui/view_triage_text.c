/* view_triage_text - the lines of the verdict; see view_triage.h. */
#include "config.h"

#include "ui/view_triage.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

enum style finding_style(enum finding_reading r)
{
	static const enum style styles[FINDING_READINGS] = {
		[FINDING_DECIDES] = STYLE_ALARM, [FINDING_SECONDARY] = STYLE_BAD,
		[FINDING_NOTED] = STYLE_NOTE, [FINDING_LOOK_ALIKE] = STYLE_WARN,
		[FINDING_WRAPPER] = STYLE_LINK, [FINDING_NOISE] = STYLE_DIM,
		[FINDING_COUNTED] = STYLE_DIM,
	};

	return styles[r];
}

/* ---- the proposal ---------------------------------------------------------------- */

static const char *joined(struct arena *a, const char *const *list, size_t n)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", list[i]);
	text = arena_strdup(a, b.n ? b.s : "");
	buf_release(&b);
	return text;
}

static void add_progress(struct triage_view *self, const struct triage_findings *f)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "so far: %d %% of ", (int)(f->size ? f->bytes * 100 / f->size : 0));
	units_add_bytes(&b, f->size);
	buf_adds(&b, " are read; what follows may change it");
	paragraphs_put(&self->lines, '?', STYLE_WARN, arena_strdup(&self->lines.arena, b.s));
	buf_release(&b);
}

static void add_uncertain(struct triage_view *self, const struct triage_verdict *v)
{
	if (v->ask)
		paragraphs_put(&self->lines, '?', STYLE_WARN,
			"uncertain: is this the log of that run? a text of the other side is in it");
	else if (v->uncertain)
		paragraphs_put(&self->lines, '?', STYLE_WARN,
			"uncertain: the text allows another cause; the next check tells");
	if (v->failed && v->silent == TRIAGE_SAME_UNKNOWN)
		paragraphs_put(
			&self->lines, '?', STYLE_WARN, "not known: whether it failed silently");
	if (v->failed && v->side == TRIAGE_SIDE_UNKNOWN)
		paragraphs_put(&self->lines, '?', STYLE_WARN,
			"not known: on which side, TPU, GPU or host");
}

static void add_verdict(struct triage_view *self, const struct triage_findings *f)
{
	const struct triage_verdict *v = &f->verdict;
	struct arena *a = &self->lines.arena;

	paragraphs_putf(&self->lines, v->failed ? '!' : ' ', v->failed ? STYLE_ALARM : STYLE_STRONG,
		"proposed: %s", f->text);
	if (!f->complete)
		add_progress(self, f);
	paragraphs_putf(&self->lines, 0, STYLE_TEXT, "reason: %s", v->reason);
	add_uncertain(self, v);
	if (*v->confirm)
		paragraphs_putf(&self->lines, '>', STYLE_HUNK, "next check: %s", v->confirm);
	if (v->ids_n)
		paragraphs_putf(&self->lines, 0, STYLE_TEXT, "decided by: %s%s",
			joined(a, v->ids, v->ids_n),
			v->first_line ? arena_printf(a, ", line %lld", (long long)v->first_line)
				      : "");
	if (v->secondary_n)
		paragraphs_putf(&self->lines, 0, STYLE_TEXT, "secondary: %s",
			joined(a, v->secondary, v->secondary_n));
	if (*f->rules)
		paragraphs_putf(&self->lines, 0, STYLE_TEXT, "rules: %s", f->rules);
	paragraphs_putf(&self->lines, 0, STYLE_TEXT, "end: %s", f->end);
	for (size_t i = 0; i < v->notes_n; i++)
		paragraphs_putf(&self->lines, '.', STYLE_NOTE, "also: %s", v->notes[i]);
}

static void add_limits(struct triage_view *self, const struct triage_findings *f)
{
	if (self->n_counted)
		paragraphs_putf(&self->lines, 0, STYLE_DIM,
			"%zu line%s of reports were counted and came to nothing", self->n_counted,
			self->n_counted == 1 ? "" : "s");
	if (f->more)
		paragraphs_putf(&self->lines, 0, STYLE_WARN,
			"%lld more matches were counted and are not listed", (long long)f->more);
	for (size_t i = 0; i < f->problems_n; i++)
		paragraphs_putf(
			&self->lines, '?', STYLE_WARN, "signature left out: %s", f->problems[i]);
}

static void add_proposal(struct triage_view *self)
{
	const struct triage_run *run = triage_run(self);

	if (self->scan_trouble)
		paragraphs_putf(&self->lines, '!', STYLE_BAD, "%s", self->scan_trouble);
	else if (self->found)
		add_verdict(self, self->found);
	else if (!run)
		paragraphs_put(&self->lines, 0, STYLE_WARN,
			"no run of this attempt, so there is no log: 3 shows the runs, r starts one");
	else if (!*run->path)
		paragraphs_putf(&self->lines, 0, STYLE_WARN,
			"the log of run %s is not on this machine: portside import or a bundle brings it",
			run->id);
	else
		paragraphs_put(&self->lines, 0, STYLE_DIM, "reading the log ...");
	if (self->found)
		add_limits(self, self->found);
}

/* ---- what prints no error ------------------------------------------------------------ */

static void add_silent_row(struct triage_view *self, const struct silent_row *row)
{
	struct arena *a = &self->lines.arena;

	paragraphs_putf(&self->lines, '!', STYLE_ALARM, "silent: %s, %s%s%s: %s", row->rule->id,
		row->rule->cause, *row->places ? ", " : "", text_sanitised(a, row->places),
		text_sanitised(a, row->text));
	if (*row->next)
		paragraphs_putf(&self->lines, '>', STYLE_HUNK, "next check: %s",
			text_sanitised(a, row->next));
}

/* That nothing was found is no all-clear: what was not checked is told with it. */
static void add_silent(struct triage_view *self)
{
	const struct silent_report *r = self->silent;
	struct buf b = BUF_INIT;

	if (self->silent_trouble)
		paragraphs_putf(&self->lines, '?', STYLE_WARN,
			"what prints no error was not looked for: %s", self->silent_trouble);
	else if (!r && *self->silent_run)
		paragraphs_put(&self->lines, 0, STYLE_DIM, "looking for what prints no error ...");
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		if (r->rows[i].result == CHECK_REFUTED)
			add_silent_row(self, &r->rows[i]);
	silent_report_add_summary(&b, r);
	paragraphs_putf(&self->lines, 0, STYLE_TEXT, "without an error text: %s", b.n ? b.s : "");
	buf_release(&b);
}

/* Where the log shows no failure, what prints none goes first. */
static bool is_silent_first(const struct triage_view *self)
{
	return self->silent && self->silent->refuted && self->found &&
		!self->found->verdict.failed;
}

/* ---- labels ---------------------------------------------------------------------- */

static const char *label_words(const struct label *l, struct arena *a)
{
	const char *secondary = joined(a, l->secondary, l->secondary_n);

	return arena_printf(a, "%s%s%s%s", triage_label_text(l, a),
		*secondary ? "; also " : "", secondary,
		l->blind_broken ? "; not blind: had seen a label" : l->blind ? "; blind" : "");
}

static bool is_newest(const struct attempt_state *s, size_t i)
{
	for (size_t k = i + 1; k < s->labels_n; k++)
		if (!*s->labels[k].entry.struck &&
			strcmp(s->labels[k].entry.who, s->labels[i].entry.who) == 0)
			return false;
	return true;
}

/* The agent's beside people's: three fields that are kept apart. */
static void add_labels_of(struct triage_view *self, enum actor_class by)
{
	const struct triage_subject *s = &self->model->subject;
	struct arena *a = &self->lines.arena;
	size_t shown = 0;

	for (size_t i = 0; i < s->state->labels_n; i++) {
		const struct label *l = &s->state->labels[i];

		if (*l->entry.struck || actor_class(l->entry.who) != by || !is_newest(s->state, i))
			continue;
		shown++;
		paragraphs_putf(&self->lines, 0, l == s->own ? STYLE_STRONG : STYLE_TEXT,
			"label of %s%s: %s", l->entry.who, l == s->own ? " (you)" : "",
			label_words(l, a));
	}
	if (!shown && by == ACTOR_AGENT)
		paragraphs_put(&self->lines, 0, STYLE_DIM, "label of the agent: none");
}

static void add_labels(struct triage_view *self)
{
	const struct triage_subject *s = &self->model->subject;

	if (!s->state)
		return;
	add_labels_of(self, ACTOR_AGENT);
	add_labels_of(self, ACTOR_TOOL);
	add_labels_of(self, ACTOR_HUMAN);
	if (!s->own && *s->reviewer)
		paragraphs_put(&self->lines, '?', STYLE_WARN, "your label: none yet");
	if (s->state->labels_disagree)
		paragraphs_put(&self->lines, '!', STYLE_BAD, "the labels disagree");
	if (self->model->seen_trouble)
		paragraphs_putf(&self->lines, '!', STYLE_BAD,
			"not on record that you saw the labels: %s", self->model->seen_trouble);
}

static void add_agreement(struct triage_view *self)
{
	struct buf b = BUF_INIT;

	if (!self->has_agreement)
		return;
	buf_adds(&b, "agreement: ");
	agreement_add_text(&b, &self->agreement);
	paragraphs_put(&self->lines, 0, STYLE_TEXT, arena_strdup(&self->lines.arena, b.s));
	buf_release(&b);
}

/* ---- together -------------------------------------------------------------------- */

static void add_blind(struct triage_view *self)
{
	struct buf b = BUF_INIT;

	paragraphs_put(&self->lines, '?', STYLE_WARN,
		"blind: labels, findings and the proposal are hidden");
	app_add_keys(&b, self->view->app,
		"They show when your own label of this attempt is on record: {C} writes it. {b} ends "
		"it at once; that you saw the labels is on record then.");
	paragraphs_put(&self->lines, 0, STYLE_TEXT, arena_strdup(&self->lines.arena, b.s));
	buf_release(&b);
	paragraphs_put(
		&self->lines, 0, STYLE_TEXT, "In the log, lines that read like errors are marked.");
	add_agreement(self);
}

void triage_make_lines(struct triage_view *self)
{
	paragraphs_clear(&self->lines);
	if (!self->model)
		return;
	if (!self->model->subject.state) {
		paragraphs_put(&self->lines, 0, STYLE_DIM,
			"no attempt yet: commit with the trailer \"Attempt: 1\", or portside attempt add");
	} else if (triage_is_hidden(self)) {
		add_blind(self);
	} else {
		bool first = is_silent_first(self);

		if (first)
			add_silent(self);
		add_proposal(self);
		if (!first)
			add_silent(self);
		add_labels(self);
		add_agreement(self);
	}
}
