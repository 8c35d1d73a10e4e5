/* attempts_draw - the list of view 1, the strips below it, and the detail of
 * the selected attempt; see attempts_view.h. */
#include "config.h"

#include "ui/attempts_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "command/rules.h"
#include "ui/flow.h"

enum {
	STRIPS_FROM_ROWS = 5,		/* below, the list takes all */
	STRIPS_FULL_ROWS = 12,		/* from here on with gauges and runs */
	LIST_LEAST_ROWS = 4,
	DETAIL_LEAST_ROWS = 5,		/* its heading with it */
	LINE_MOST_ROWS = 3,
	HEAD_COLS = 10,
	ITEMS_MAX = 24,
};

/* ---- strips --------------------------------------------------------------------- */

struct strip {
	const char *head;
	enum style head_style;
	struct flow_item items[ITEMS_MAX];
	char keys[ITEMS_MAX][4];
	char *texts[ITEMS_MAX];		/* owned, or NULL */
	int n;
	int rows;
};

static void release_strip(struct strip *s)
{
	for (int i = 0; i < s->n; i++)
		free(s->texts[i]);
}

static void add_item(struct strip *s, const char *key, char *text, enum style style)
{
	if (s->n == ITEMS_MAX) {
		free(text);
		return;
	}
	s->items[s->n] = (struct flow_item){ .text = text, .style = style };
	s->texts[s->n] = text;
	if (key) {
		snprintf(s->keys[s->n], sizeof s->keys[0], "%s", key);
		s->items[s->n].key = s->keys[s->n];
	}
	s->n++;
}

/* Without the command for a shell: here a key does it. */
static char *need_words(const char *text)
{
	const char *command = strstr(text, ": portside ");

	return xasprintf("%.*s", (int)(command ? (size_t)(command - text) : strlen(text)), text);
}

static void fill_needs(struct strip *s, const struct attempts_view *self)
{
	const struct migration_status *m = &self->board->status;

	s->head = m->n_needs ? "NEEDS YOU" : "nothing needs you";
	s->head_style = m->n_needs ? STYLE_ALARM : STYLE_DIM;
	for (size_t i = 0; i < m->n_needs; i++) {
		char key[] = { '!', (char)('1' + i), '\0' };

		add_item(s, i < 9 ? key : NULL, need_words(m->needs[i].text), STYLE_TEXT);
	}
}

static const struct rule_gauges *gauges_of(const struct attempts_view *self)
{
	return self->gauges ? &self->gauges->rules : &self->board->status.gauges;
}

static void fill_gauges(struct strip *s, const struct attempts_view *self)
{
	const struct rule_gauges *g = gauges_of(self);
	const struct migration_status *m = &self->board->status;

	for (size_t i = 0; i < g->n; i++) {
		bool fires = g->rows[i].report.fires;
		struct buf b = BUF_INIT;

		buf_adds(&b, fires ? "! " : "");
		rule_gauge_add(&b, &g->rows[i], m->needs, m->n_needs);
		add_item(s, NULL, buf_detach(&b), fires ? STYLE_ALARM : STYLE_NOTE);
	}
}

static void fill_live(struct strip *s, const struct attempts_view *self)
{
	const struct migration_status *m = &self->board->status;
	int64_t now = clock_wall_ns();

	for (size_t i = 0; i < m->n_live; i++) {
		struct buf b = BUF_INIT;

		buf_adds(&b, "> ");
		live_run_add(&b, &m->live[i], now);
		add_item(s, NULL, buf_detach(&b), STYLE_LIVE);
	}
}

static void measure(struct strip *s, const struct canvas *c, int cols, int most)
{
	s->rows = flow_rows(c, s->head, s->items, s->n, cols);
	if (s->head && !s->rows)
		s->rows = 1;
	if (s->rows > most)
		s->rows = most;
}

/* ---- detail ----------------------------------------------------------------------- */

static enum style style_of(enum detail_tone tone)
{
	static const enum style styles[] = {
		[DETAIL_PLAIN] = STYLE_TEXT,
		[DETAIL_GOOD] = STYLE_GOOD,
		[DETAIL_BAD] = STYLE_BAD,
		[DETAIL_OPEN] = STYLE_WARN,
		[DETAIL_NOTE] = STYLE_NOTE,
		[DETAIL_STRUCK] = STYLE_DIM,
	};

	return styles[tone];
}

/* Draws a line from ROW on, wrapped, its source behind it where there is room;
 * returns the row after it.  MOST rows of text: one long line must not hide the
 * others. */
static int draw_line(
	struct canvas *c, struct rect r, int row, const struct detail_line *l, int most)
{
	struct rect field = r;
	int text_rows, last, source = canvas_width(c, l->source, strlen(l->source));

	rect_cut_left(&field, HEAD_COLS);
	text_rows = canvas_wrap(c, l->text, field.cols, NULL, NULL);
	last = canvas_width(c, l->text, strlen(l->text));
	canvas_put(c, r, row, 1, STYLE_DIM, l->head);
	if (text_rows > most) {
		field.rows = row + most < field.rows ? row + most : field.rows;
		canvas_put_wrapped(c, field, row, style_of(l->tone), l->text);
		canvas_put_fit(c, field, row + most - 1, field.cols - 12, 12, ALIGN_RIGHT,
			STYLE_DIM, "... Tab: all");
		field.rows = r.rows;
		text_rows = most;
	} else {
		canvas_put_wrapped(c, field, row, style_of(l->tone), l->text);
	}
	row += text_rows > 0 ? text_rows : 1;
	if (!source)
		return row;
	if (text_rows <= 1 && last + 2 + source <= field.cols) {
		canvas_put(c, field, row - 1, last + 2, STYLE_DIM, l->source);
		return row;
	}
	canvas_put_fit(c, field, row, 2, field.cols - 2, ALIGN_LEFT, STYLE_DIM, l->source);
	return row + 1;
}

static void draw_heading(
	const struct attempts_view *self, struct canvas *c, struct rect row, bool more)
{
	const char *keys = self->on_detail ? "Tab: list" : more ? "Tab: more" : "";
	const struct attempt_row *selected = attempts_row(self, list_selected(&self->list));
	int col;

	canvas_rule(c, row, 0, STYLE_FRAME);
	col = canvas_putf(c, row, 0, 1, STYLE_FRAME, " ");
	if (selected)
		col = canvas_putf(c, row, 0, col, self->on_detail ? STYLE_STRONG : STYLE_TITLE,
			"#%s", selected->state->id);
	canvas_put(c, row, 0, col, STYLE_FRAME, " ");
	if (*keys)
		canvas_putf(c, row, 0, row.cols - (int)strlen(keys) - 3, STYLE_DIM, " %s ", keys);
}

/* Who labels blind is shown no label of others. */
static const struct detail_line *shown_line(const struct attempts_view *self,
	const struct detail_line *l, struct detail_line *hidden)
{
	if (!self->blind ||
		(strcmp(l->head, "label") != 0 && !strstr(l->text, "labels disagree")))
		return l;
	*hidden = (struct detail_line){ .head = l->head, .text = "hidden while you label blind",
		.source = "", .tone = DETAIL_PLAIN };
	return hidden;
}

static void draw_detail(struct attempts_view *self, struct canvas *c, struct rect r)
{
	struct detail_line hidden;
	const struct attempt_detail *d = self->detail ? &self->detail->lines : NULL;
	struct rect heading = rect_cut_top(&r, 1);
	size_t i = (size_t)self->detail_top;
	int row = 0;

	for (; d && i < d->n && row < r.rows; i++)
		row = draw_line(
			c, r, row, shown_line(self, &d->lines[i], &hidden),
			self->on_detail ? INT_MAX : LINE_MOST_ROWS);
	self->detail_n = d ? (long)d->n : 0;
	draw_heading(self, c, heading,
		row > r.rows || (d && i < d->n) || self->detail_top > 0);
}

/* ---- all of it -------------------------------------------------------------------- */

static void draw_nothing(const struct attempts_view *self, struct canvas *c, struct rect r)
{
	rect_cut_left(&r, 2);
	if (self->failure)
		canvas_put_wrapped(c, r, 1, STYLE_TEXT, self->failure);
	canvas_set_cursor(c, r, 0, 0);
}

/* How many rows the list gets when ROWS are left for it and the detail. */
static int list_rows(const struct attempts_view *self, const struct app *a, int rows)
{
	int wanted = list_rows_wanted(&self->list);
	int detail = DETAIL_LEAST_ROWS;

	if (a->zoomed)
		return self->on_detail ? 0 : rows;
	if (rows < LIST_LEAST_ROWS + DETAIL_LEAST_ROWS)
		return self->on_detail ? 0 : rows;
	if (self->on_detail && rows >= 2 * (LIST_LEAST_ROWS + DETAIL_LEAST_ROWS))
		detail = rows / 2;
	if (wanted > rows - detail)
		wanted = rows - detail;
	return wanted > LIST_LEAST_ROWS ? wanted : LIST_LEAST_ROWS;
}

void attempts_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct attempts_view *self = view_state(v);
	struct strip needs = { 0 }, gauges = { 0 }, live = { 0 };
	bool full = r.rows >= STRIPS_FULL_ROWS;
	struct rect list;
	int rows;

	self->blind = v->app->blind;
	attempts_set_width(self, r.cols);
	if (!self->board) {
		draw_nothing(self, c, r);
		return;
	}
	fill_needs(&needs, self);
	fill_gauges(&gauges, self);
	fill_live(&live, self);
	measure(&needs, c, r.cols, r.rows < STRIPS_FROM_ROWS ? 0 : full ? 3 : 1);
	measure(&gauges, c, r.cols, full ? 2 : 0);
	measure(&live, c, r.cols, full ? 2 : 0);
	rows = r.rows - needs.rows - gauges.rows - live.rows;
	list = rect_cut_top(&r, self->list.n_rows ? list_rows(self, v->app, rows) : rows);
	list_draw(&self->list, c, list);
	flow_draw(c, rect_cut_top(&r, needs.rows), needs.head, needs.head_style, needs.items,
		needs.n);
	flow_draw(c, rect_cut_top(&r, live.rows), NULL, STYLE_TEXT, live.items, live.n);
	flow_draw(c, rect_cut_top(&r, gauges.rows), NULL, STYLE_TEXT, gauges.items, gauges.n);
	if (r.rows > 1)
		draw_detail(self, c, r);
	release_strip(&needs);
	release_strip(&gauges);
	release_strip(&live);
}
