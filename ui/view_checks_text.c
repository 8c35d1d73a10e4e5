/* view_checks_text - the lines of the details of view 5; see view_checks.h. */
#include "config.h"

#include "ui/view_checks.h"

#include <string.h>

enum { DIGEST_SHOWN = 12 };

/* ---- a question ------------------------------------------------------------------------ */

static void add_places(struct checks_view *self, const struct checks_place *places, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct checks_place *p = &places[i];
		struct buf b = BUF_INIT;

		buf_addf(&b, "  %s", p->name);
		if (p->line)
			buf_addf(&b, ":%lld", p->line);
		if (*p->parser)
			buf_addf(&b, "  read by %s", p->parser);
		buf_addf(&b, "  %s%.*s", *p->digest ? "sha256 " : "not on record", DIGEST_SHOWN,
			p->digest);
		paragraphs_put(&self->details, 0, STYLE_IDENTIFIER,
			arena_strdup(&self->details.arena, b.s));
		buf_release(&b);
	}
}

static void add_record(struct checks_view *self, const struct checks_item *item)
{
	if (item->result == CHECK_NOT_CHECKED && !item->looked)
		paragraphs_put(&self->details, 0, STYLE_DIM, "  not checked: nobody looked");
	if (*item->text)
		paragraphs_putf(&self->details, 0, STYLE_TEXT, "  %s", item->text);
	if (*item->who)
		paragraphs_putf(&self->details, 0, STYLE_DIM, "  said by %s, %.16s%s%s", item->who,
			item->when, *item->run ? ", of " : "", item->run);
	add_places(self, item->places, item->places_n);
	if (item->contradicted)
		paragraphs_put(&self->details, '!', STYLE_BAD,
			"  a person and a tool disagree: it counts as unknown");
	if (item->claimed != CHECK_NOT_CHECKED)
		paragraphs_putf(&self->details, 0, STYLE_NOTE,
			"  the agent says %s, which does not count", checks_word(item->claimed));
	if (item->entries_n > 1)
		paragraphs_putf(&self->details, 0, STYLE_DIM,
			"  answered %zu times; the journal has all of them", item->entries_n);
}

static void add_now(struct checks_view *self, const struct checks_item *item)
{
	if (!item->looked)
		return;
	if (item->result != CHECK_NOT_CHECKED && !item->differs)
		return;
	paragraphs_putf(&self->details, item->differs ? '*' : 0,
		item->differs ? STYLE_WARN : STYLE_TEXT, "  the evidence here says now: %s%s%s",
		checks_word(item->now), *item->now_text ? ": " : "", item->now_text);
	add_places(self, item->now_places, item->now_places_n);
}

static void add_item(struct checks_view *self, const struct checks_row *row)
{
	const struct checks *checks = &self->model->checks;
	const struct check_item *question = check_find(row->check);

	if (question) {
		paragraphs_putf(&self->details, 0, STYLE_STRONG, "%s %s: %s", question->level,
			row->check, question->question);
		paragraphs_putf(
			&self->details, '+', STYLE_TEXT, "confirms: %s", question->confirms);
		paragraphs_putf(&self->details, '!', STYLE_TEXT, "refutes: %s", question->refutes);
		paragraphs_putf(&self->details, 0, STYLE_DIM,
			"cheapest way to find out: about %d minute%s%s", question->minutes,
			question->minutes == 1 ? "" : "s",
			question->runtime ? "; a run has to show it" : "");
	}
	for (size_t i = 0; i < checks->n; i++) {
		const struct checks_configuration *c = &checks->configurations[i];
		const struct checks_item *item = checks_item_of(c, row);
		enum check_result r = item ? checks_item_result(item) : CHECK_NOT_CHECKED;

		if (!item)
			continue;
		paragraphs_putf(&self->details, checks_sign(r), checks_style(r), "%s: %s%s%s",
			c->name, checks_word(r), item->required ? "" : ", not required",
			r == CHECK_NOT_CHECKED || !c->simulated ? "" : ", on a stand-in");
		add_record(self, item);
		add_now(self, item);
	}
}

/* ---- other rows ----------------------------------------------------------------------- */

static void add_level(struct checks_view *self, const struct checks_row *row)
{
	const struct checks *checks = &self->model->checks;

	paragraphs_putf(&self->details, 0, STYLE_STRONG, "%s: %s", level_name(row->level),
		level_question(row->level));
	for (size_t i = 0; i < checks->n; i++) {
		const struct checks_configuration *c = &checks->configurations[i];
		enum check_result r = checks_level_result(c, row->level);

		paragraphs_putf(&self->details, checks_sign(r), checks_style(r), "%s: %s", c->name,
			checks_word(r));
		if (row->level == LEVEL_L0)
			paragraphs_put(&self->details, 0, STYLE_DIM,
				"  taken from how each run ended: view 3 has the facts of the runs");
		if (row->level != LEVEL_L2)
			continue;
		paragraphs_putf(&self->details, 0, STYLE_TEXT,
			"  of %zu required: %zu confirmed, %zu refuted, %zu unknown, %zu not checked, "
			"%zu not applicable",
			c->required, c->confirmed, c->refuted, c->unknown, c->not_checked,
			c->not_applicable);
		if (*c->level2)
			paragraphs_putf(&self->details, 0, STYLE_DIM, "  %s", c->level2);
	}
}

static void add_claims(struct checks_view *self)
{
	const struct checks *checks = &self->model->checks;

	paragraphs_put(&self->details, 0, STYLE_STRONG,
		"expected before the run, claimed by the agent, measured");
	for (size_t i = 0; i < checks->n; i++) {
		const struct checks_configuration *c = &checks->configurations[i];
		bool over = c->claim == CLAIM_OVER;

		paragraphs_putf(&self->details, over ? '!' : 0, over ? STYLE_ALARM : STYLE_TEXT,
			"%s%s: measured %s", c->name, c->intended ? " (intended)" : "",
			c->measured);
		if (c->claimed != LEVEL_UNSET)
			paragraphs_putf(&self->details, 0, over ? STYLE_BAD : STYLE_TEXT,
				"  claimed %s: %s", level_name(c->claimed),
				word_name(&words_claim_verdict, (int)c->claim));
		if (*c->claimed_text)
			paragraphs_putf(&self->details, 0, STYLE_NOTE, "  \"%s\"", c->claimed_text);
		if (c->expected != LEVEL_UNSET)
			paragraphs_putf(&self->details, c->surprise ? '?' : 0,
				c->surprise ? STYLE_WARN : STYLE_TEXT, "  expected %s%s",
				level_name(c->expected),
				c->surprise ? ": it came out otherwise" : "");
		if (c->simulated)
			paragraphs_put(&self->details, 0, STYLE_WARN,
				"  a stand-in ran there: it confirms nothing above L0");
	}
}

static void add_gap(struct checks_view *self, const struct checks_row *row)
{
	const struct checks *checks = &self->model->checks;

	paragraphs_putf(
		&self->details, 0, STYLE_STRONG, "L1 %s: a measurement, no verdict", row->check);
	for (size_t i = 0; i < checks->n; i++)
		for (size_t k = 0; k < checks->configurations[i].gaps_n; k++) {
			const struct checks_gap *g = &checks->configurations[i].gaps[k];

			if (strcmp(g->goal, row->check) != 0)
				continue;
			paragraphs_putf(&self->details, checks_comparable_sign(g->comparable),
				g->comparable == COMPARABLE_NO ? STYLE_WARN : STYLE_TEXT,
				"%s: %s%s%s",
				checks->configurations[i].name, g->metric, *g->metric ? ": " : "",
				g->text);
			if (g->comparable != COMPARABLE_YES)
				paragraphs_put(&self->details, 0, STYLE_WARN,
					g->comparable == COMPARABLE_NO
						? "  not comparable: see the first line"
						: "  whether it is comparable is not known: "
						  "see the first line");
		}
}

static void add_notes(struct checks_view *self)
{
	const struct checks *checks = &self->model->checks;

	for (size_t i = 0; i < checks->n; i++)
		if (*checks->configurations[i].next_text)
			paragraphs_putf(&self->details, '>', STYLE_HUNK, "%s, next: %s",
				checks->configurations[i].name,
				checks->configurations[i].next_text);
	for (size_t i = 0; i < checks->notes_n; i++)
		paragraphs_put(&self->details, '.', STYLE_NOTE, checks->notes[i]);
	if (!self->model->looked)
		paragraphs_put(&self->details, 0, STYLE_DIM,
			"reading what the evidence here says now ...");
}

void checks_make_lines(struct checks_view *self)
{
	const struct checks_row *row = checks_selected(self);

	paragraphs_clear(&self->details);
	if (!row)
		return;
	switch (row->kind) {
	case CHECKS_EXPECTED:
	case CHECKS_CLAIMED:
	case CHECKS_MEASURED:
		add_claims(self);
		add_notes(self);
		break;
	case CHECKS_LEVEL:
		add_level(self, row);
		break;
	case CHECKS_GAP:
		add_gap(self, row);
		break;
	case CHECKS_ITEM:
		add_item(self, row);
		break;
	}
}
