/* view_checks_draw - cells and panes of view 5; see view_checks.h. */
#include "config.h"

#include "ui/view_checks.h"

#include <string.h>

enum { WIDE_COLS = 120, WIDE_ROWS = 16, DETAIL_ROWS = 8, ROWS_FOR_DETAIL = 18,
	ROWS_FOR_HEAD = 10 };

/* ---- words ----------------------------------------------------------------------------- */

static const struct { char sign; const char *word; enum style style; } results[] = {
	[CHECK_NOT_CHECKED] = { '.', "not checked", STYLE_DIM },
	[CHECK_CONFIRMED] = { '+', "confirmed", STYLE_GOOD },
	[CHECK_REFUTED] = { '!', "REFUTED", STYLE_BAD },
	[CHECK_UNKNOWN] = { '?', "unknown", STYLE_WARN },
	[CHECK_NOT_APPLICABLE] = { '/', "not applicable", STYLE_DIM },
};

char checks_sign(enum check_result r)
{
	return results[r].sign;
}

const char *checks_word(enum check_result r)
{
	return results[r].word;
}

enum style checks_style(enum check_result r)
{
	return results[r].style;
}

enum check_result checks_item_result(const struct checks_item *item)
{
	return item->result == CHECK_NOT_CHECKED && item->looked ? item->now : item->result;
}

enum check_result checks_level_result(const struct checks_configuration *c, enum level level)
{
	switch (level) {
	case LEVEL_L0:
		return c->vector.l0;
	case LEVEL_L2:
		return c->vector.l2;
	case LEVEL_L3:
		return c->vector.l3;
	case LEVEL_L4:
		return c->vector.l4;
	case LEVEL_UNSET:
	case LEVEL_NONE:
		break;
	}
	return CHECK_NOT_CHECKED;
}

/* ---- cells ------------------------------------------------------------------------------ */

static void name_cell(const struct checks_row *row, struct list_cell *out)
{
	switch (row->kind) {
	case CHECKS_EXPECTED:
		buf_adds(out->text, "expected");
		break;
	case CHECKS_CLAIMED:
		buf_adds(out->text, "claimed");
		break;
	case CHECKS_MEASURED:
		buf_adds(out->text, "measured");
		break;
	case CHECKS_LEVEL:
		buf_adds(out->text, level_name(row->level));
		out->style = STYLE_HUNK;
		break;
	case CHECKS_GAP:
		buf_addf(out->text, "L1 %s", row->check);
		break;
	case CHECKS_ITEM:
		buf_addf(out->text, "  %s", row->check);
		break;
	}
}

static void result_cell(struct list_cell *out, enum check_result r)
{
	buf_addf(out->text, "%c %s", checks_sign(r), checks_word(r));
	out->style = checks_style(r);
}

static void claim_cell(const struct checks_configuration *c, struct list_cell *out)
{
	if (c->claimed == LEVEL_UNSET) {
		buf_addc(out->text, '-');
		return;
	}
	buf_addf(out->text, "%s%s", c->claim == CLAIM_OVER ? "! " : "", level_name(c->claimed));
	if (c->claim == CLAIM_OVER || c->claim == CLAIM_UNSUPPORTED)
		buf_addf(out->text, ": %s", c->claim == CLAIM_OVER ? "OVER-CLAIM" :
			word_name(&words_claim_verdict, (int)c->claim));
	out->style = c->claim == CLAIM_OVER ? STYLE_ALARM :
		c->claim == CLAIM_UNSUPPORTED ? STYLE_WARN : STYLE_TEXT;
}

static void gap_cell(const struct checks_configuration *c, const char *goal, struct list_cell *out)
{
	for (size_t i = 0; i < c->gaps_n; i++) {
		const struct checks_gap *g = &c->gaps[i];

		if (strcmp(g->goal, goal) != 0)
			continue;
		buf_addf(out->text, "%c %s", checks_comparable_sign(g->comparable), g->text);
		out->style = g->comparable == COMPARABLE_NO ? STYLE_WARN : STYLE_TEXT;
		return;
	}
	buf_adds(out->text, ". not measured");
	out->style = STYLE_DIM;
}

static void item_cell(const struct checks_configuration *c, const struct checks_row *row,
	struct list_cell *out)
{
	const struct checks_item *item = checks_item_of(c, row);

	if (!item) {
		buf_addc(out->text, '-');
		out->style = STYLE_DIM;
		return;
	}
	result_cell(out, checks_item_result(item));
	if (item->contradicted)
		buf_adds(out->text, " !=");
	else if (item->result == CHECK_NOT_CHECKED && item->looked && item->now)
		buf_adds(out->text, " (now)");
	else if (item->differs)
		buf_adds(out->text, " *");
	if (!item->required && item->item && strcmp(item->item->level, "L2") == 0) {
		buf_adds(out->text, ", optional");
		out->style = STYLE_DIM;
	}
}

void checks_cell(void *user, long row, int column, struct list_cell *out)
{
	const struct checks_view *self = user;
	const struct checks_row *r = &self->rows[row];
	const struct checks_configuration *c;

	if (column == 0) {
		name_cell(r, out);
		return;
	}
	c = &self->model->checks.configurations[column - 1];
	switch (r->kind) {
	case CHECKS_EXPECTED:
		buf_adds(out->text, c->expected == LEVEL_UNSET ? "-" : level_name(c->expected));
		break;
	case CHECKS_CLAIMED:
		claim_cell(c, out);
		break;
	case CHECKS_MEASURED:
		level_add_measured_briefly(out->text, &c->vector);
		out->style = STYLE_STRONG;
		break;
	case CHECKS_LEVEL:
		result_cell(out, checks_level_result(c, r->level));
		break;
	case CHECKS_GAP:
		gap_cell(c, r->check, out);
		break;
	case CHECKS_ITEM:
		item_cell(c, r, out);
		break;
	}
}

/* ---- panes -------------------------------------------------------------------------------- */

static void head_line(struct canvas *c, struct rect *r, char sign, enum style style,
	const char *text)
{
	struct rect row = rect_cut_top(r, 1);

	if (sign)
		canvas_putf(c, row, 0, 0, style, "%c", sign);
	rect_cut_left(&row, 2);
	canvas_put_fit(c, row, 0, 0, row.cols, ALIGN_LEFT, style, text);
}

static void draw_comparable(
	const struct checks_view *self, const struct checks_configuration *c, struct canvas *canvas,
	struct rect *r)
{
	struct arena a = ARENA_INIT;
	bool compared = false;

	/* Where there is no number there was nothing to compare. */
	for (size_t i = 0; i < c->gaps_n; i++)
		compared |= c->gaps[i].comparable == COMPARABLE_YES;
	if (*c->comparable && c->overall == COMPARABLE_OPEN)
		head_line(canvas, r, '?', STYLE_WARN,
			arena_printf(&a, "comparable: not known: %s", c->comparable));
	else if (*c->comparable && compared && c->overall == COMPARABLE_YES)
		head_line(canvas, r, '=', STYLE_GOOD,
			arena_printf(&a, "comparable with the reference: %s", c->comparable));
	else if (*c->comparable)
		head_line(canvas, r, 'x', STYLE_BAD,
			arena_printf(&a, "NOT COMPARABLE: %s", c->comparable));
	else
		head_line(canvas, r, '.', STYLE_DIM,
			self->model->looked ? "comparability: nothing to compare with yet" :
					      "comparability: reading the curves ...");
	arena_release(&a);
}

/* Comparability first; what is not the intended configuration; what to do next. */
static void draw_head(const struct checks_view *self, struct canvas *c, struct rect *r)
{
	const struct checks *checks = &self->model->checks;
	const struct checks_configuration *first = checks->n ? &checks->configurations[0] : NULL;

	if (!first)
		return;
	draw_comparable(self, first, c, r);
	if (*checks->guard)
		head_line(c, r, '!', STYLE_BAD, checks->guard);
	if (*first->next_text)
		head_line(c, r, '>', STYLE_HUNK, first->next_text);
	canvas_rule(c, rect_cut_top(r, 1), 0, STYLE_FRAME);
}

static void draw_list(struct checks_view *self, struct canvas *c, struct rect r)
{
	list_draw(&self->list, c, r);
	if (self->pane != CHECKS_LIST)
		canvas_set_ground(c, r, GROUND_NONE);
}

static void draw_detail(struct checks_view *self, struct canvas *c, struct rect r)
{
	paragraphs_draw(&self->details, c, r);
	if (self->pane != CHECKS_DETAIL)
		canvas_set_ground(c, r, GROUND_NONE);
}

/* Who has the keys draws last: the cursor stands there. */
static void draw_both(struct checks_view *self, struct canvas *c, struct rect list,
	struct rect detail)
{
	if (self->pane == CHECKS_LIST)
		draw_detail(self, c, detail);
	draw_list(self, c, list);
	if (self->pane == CHECKS_DETAIL)
		draw_detail(self, c, detail);
}

static void draw_panes(struct checks_view *self, struct canvas *c, struct rect r, bool zoomed)
{
	struct rect list;

	if (!zoomed && r.cols >= WIDE_COLS && r.rows >= WIDE_ROWS) {
		list = rect_cut_left(&r, r.cols * 11 / 20);
		canvas_column_rule(c, r, 0, STYLE_FRAME);
		rect_cut_left(&r, 1);
		draw_both(self, c, list, r);
	} else if (!zoomed && r.rows >= ROWS_FOR_DETAIL - 2) {
		list = rect_cut_top(&r, r.rows - DETAIL_ROWS);
		canvas_rule(c, rect_cut_top(&r, 1), 0, STYLE_FRAME);
		draw_both(self, c, list, r);
	} else if (self->pane == CHECKS_DETAIL) {
		draw_detail(self, c, r);
	} else {
		draw_list(self, c, r);
	}
}

void checks_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct checks_view *self = view_state(v);

	if (self->trouble) {
		canvas_put_wrapped(c, r, 0, self->model ? STYLE_BAD : STYLE_WARN, self->trouble);
		rect_cut_top(&r, 2);
	}
	if (!self->model)
		return;
	if (r.rows >= ROWS_FOR_HEAD)
		draw_head(self, c, &r);
	draw_panes(self, c, r, v->app->zoomed);
}
