/* view_runs_panes - see view_runs_panes.h. */
#include "config.h"

#include "ui/view_runs_panes.h"

#include "ui/layout.h"
#include "ui/view_runs.h"

enum { BOTH_ROWS_LEAST = 16, LOG_ROWS_LEAST = 6 };

static void draw_banner(struct runs_view *self, struct canvas *c, struct rect *r)
{
	const struct run_rows *rows = self->model ? &self->model->rows : NULL;

	if (self->trouble)
		canvas_put_fit(
			c, rect_cut_top(r, 1), 0, 0, r->cols, ALIGN_LEFT, STYLE_BAD, self->trouble);
	if (rows && *rows->configuration)
		status_draw_banner(c, r, rows->configuration);
}

/* Of all panes only the one with the keys shows a current line. */
static void unselect(struct canvas *c, struct rect r, bool has_keys)
{
	if (!has_keys)
		canvas_set_ground(c, r, GROUND_NONE);
}

static void draw_log(struct runs_view *self, struct canvas *c, struct rect r)
{
	struct rect title = rect_cut_top(&r, 1);
	struct buf b = BUF_INIT;

	buf_addf(&b, "log of %.*s  ", RUN_SHORT, *self->selected ? self->selected : "-");
	log_pane_add_state(&self->log, &b);
	if (!self->view->app->selection.at_now)
		buf_adds(&b, "  (whole: a log has no times to cut it at)");
	canvas_put_fit(c, title, 0, 0, title.cols, ALIGN_LEFT,
		self->pane == RUNS_LOG ? STYLE_TITLE : STYLE_DIM, b.s);
	buf_release(&b);
	log_pane_draw(&self->log, c, r);
	unselect(c, r, self->pane == RUNS_LOG);
}

static void draw_facts(struct runs_view *self, struct canvas *c, struct rect r)
{
	struct rect title = rect_cut_top(&r, 1);
	const struct run_row *row = runs_selected(self);
	struct arena a = ARENA_INIT;

	if (row)
		canvas_put_fit(c, title, 0, 0, title.cols, ALIGN_LEFT,
			self->pane == RUNS_FACTS ? STYLE_TITLE : STYLE_DIM,
			arena_printf(&a, "%s: %s of %s on %s", row->state->id,
				run_kind_phrase(row->state->kind),
				run_subject_text(&a, row->state), row->state->target));
	arena_release(&a);
	text_view_draw(&self->text, c, r);
	unselect(c, r, self->pane == RUNS_FACTS);
}

static void draw_side(struct runs_view *self, struct canvas *c, struct rect r)
{
	struct rect log;
	const struct run_row *row = runs_selected(self);

	/* Where there is room for one: what a live run writes, what an ended one was. */
	if (r.rows < BOTH_ROWS_LEAST && row && row->live && row->log_bytes >= 0 &&
		self->pane != RUNS_FACTS) {
		draw_log(self, c, r);
		return;
	}
	if (r.rows < BOTH_ROWS_LEAST) {
		draw_facts(self, c, r);
		return;
	}
	log = rect_cut_bottom(&r, r.rows / 3 > LOG_ROWS_LEAST ? r.rows / 3 : LOG_ROWS_LEAST);
	canvas_rule(c, rect_cut_bottom(&r, 1), 0, STYLE_FRAME);
	draw_facts(self, c, r);
	draw_log(self, c, log);
}

static void draw_split(struct runs_view *self, struct canvas *c, struct rect r)
{
	struct split_layout s = layout_split(r, list_rows_wanted(&self->list));

	if (rect_is_empty(s.detail)) {
		if (self->pane == RUNS_FACTS)
			draw_facts(self, c, r);
		else
			list_draw(&self->list, c, r);
		return;
	}
	if (s.side_by_side)
		canvas_column_rule(c, s.rule, 0, STYLE_FRAME);
	else
		canvas_rule(c, s.rule, 0, STYLE_FRAME);
	/* Who has the keys draws last: the cursor stands there. */
	if (self->pane == RUNS_LIST)
		draw_side(self, c, s.detail);
	list_draw(&self->list, c, s.main);
	if (self->pane != RUNS_LIST)
		draw_side(self, c, s.detail);
}

void runs_panes_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct runs_view *self = view_state(v);

	draw_banner(self, c, &r);
	if (!self->model)
		return;
	if (self->pane == RUNS_LOG)
		draw_log(self, c, r);
	else if (self->pane == RUNS_FACTS && v->app->zoomed)
		draw_facts(self, c, r);
	else if (v->app->zoomed || !self->model->rows.n)
		list_draw(&self->list, c, r);
	else
		draw_split(self, c, r);
}
