/* view_triage_draw - panes of view 6, cells of its list, marks in its log. */
#include "config.h"

#include "ui/view_triage.h"

#include <string.h>

#include "base/units.h"
#include "command/run_log.h"

enum { WIDE_COLS = 120, WIDE_ROWS = 16, HEAD_ROWS = 5, LIST_ROWS_LEAST = 5, ROWS_FOR_HEAD = 12 };

/* ---- the list -------------------------------------------------------------------- */

enum { CELL_SIGN, CELL_LINE, CELL_ID, CELL_READING, CELL_SIDE, CELL_TEXT };

static const struct list_column columns[] = {
	{ .title = "", .min = 1 },
	{ .title = "line", .min = 7, .right = true },
	{ .title = "id", .min = 5 },
	{ .title = "reads as", .min = 10, .drop = 2 },
	{ .title = "side", .min = 4, .drop = 3 },
	{ .title = "text", .min = 12, .weight = 1 },
};

static long count(void *user)
{
	const struct triage_view *self = user;

	return (long)self->n_shown;
}

static void cell(void *user, long row, int column, struct list_cell *out)
{
	const struct finding *f = triage_row(user, row);

	out->style = finding_style(f->reading);
	switch (column) {
	case CELL_SIGN:
		buf_addc(out->text, finding_reading_sign(f->reading));
		break;
	case CELL_LINE:
		buf_addf(out->text, "%lld", (long long)f->line);
		break;
	case CELL_ID:
		buf_adds(out->text, f->id);
		break;
	case CELL_READING:
		buf_adds(out->text, finding_reading_word(f->reading));
		break;
	case CELL_SIDE:
		buf_adds(out->text, f->side);
		break;
	default:
		out->style = f->reading == FINDING_DECIDES ? STYLE_STRONG : STYLE_TEXT;
		buf_adds(out->text, f->text);
	}
}

static void key_of(void *user, long row, struct buf *out)
{
	const struct finding *f = triage_row(user, row);

	buf_addf(out, "%lld %s", (long long)f->place, f->id);
}

const struct list_source triage_list_source = {
	.columns = columns,
	.n_columns = ARRAY_LEN(columns),
	.count = count,
	.cell = cell,
	.key = key_of,
	.empty = "no signature was found, which proves nothing: half of all failures print no "
		 "error. View 5 says what was not checked, view 4 whether it trains the same.",
};

/* ---- the log --------------------------------------------------------------------- */

void triage_mark_log(void *user, const struct run_log_window *w, struct log_mark *marks)
{
	const struct triage_view *self = user;

	for (size_t i = 0; i < w->n_lines; i++)
		if (w->lines[i].error && triage_is_hidden(self))
			marks[i] = (struct log_mark){ '!', STYLE_WARN, STYLE_TEXT };
	if (triage_is_hidden(self) || !self->found)
		return;
	for (size_t i = 0; i < self->found->n; i++) {
		const struct finding *f = &self->found->list[i];
		struct log_mark *m;

		if (f->place < w->offset || f->place >= w->offset + (int64_t)w->n)
			continue;
		m = &marks[run_log_line_at(w, f->place)];
		/* Of two on one line the one that says more. */
		if (m->sign && m->sign == finding_reading_sign(FINDING_DECIDES))
			continue;
		m->sign = finding_reading_sign(f->reading);
		m->sign_style = m->style = finding_style(f->reading);
	}
}

/* ---- panes ----------------------------------------------------------------------- */

static enum style title_style(const struct triage_view *self, enum triage_pane pane)
{
	return self->pane == pane ? STYLE_TITLE : STYLE_DIM;
}

static void add_run(const struct triage_view *self, struct buf *b)
{
	const struct triage_run *run = triage_run(self);
	const struct triage_subject *s = &self->model->subject;

	if (!run) {
		buf_adds(b, "no run");
		return;
	}
	if (s->n > 1)
		buf_addf(b, "run %ld of %zu, ", (long)s->n - s->chosen, s->n);
	buf_addf(b, "%.11s, %s", run->id, run->words);
}

static void draw_log(struct triage_view *self, struct canvas *c, struct rect r)
{
	struct rect title = rect_cut_top(&r, 1);
	struct buf b = BUF_INIT, state = BUF_INIT;
	int width;

	add_run(self, &b);
	log_pane_add_state(&self->log, &state);
	if (self->found && !self->found->complete)
		buf_addf(&state, ", read %d%%",
			(int)(self->found->bytes * 100 / (self->found->size + 1)));
	else if (self->box)
		buf_adds(&state, ", reading");
	width = canvas_width(c, state.s, state.n);
	canvas_put_fit(c, title, 0, 0, title.cols - width - 2, ALIGN_LEFT,
		title_style(self, TRIAGE_LOG), b.s);
	canvas_put_right(c, title, 0, STYLE_DIM, state.n ? state.s : "");
	buf_release(&b);
	buf_release(&state);
	if (*self->path)
		log_pane_draw(&self->log, c, r);
	else if (self->lines.n)
		canvas_put_wrapped(c, r, 0, STYLE_DIM, self->lines.list[0].text);
	if (self->pane != TRIAGE_LOG)
		canvas_set_ground(c, r, GROUND_NONE);
}

static void draw_list(struct triage_view *self, struct canvas *c, struct rect r)
{
	struct rect title = rect_cut_top(&r, 1);
	struct buf b = BUF_INIT;
	bool hidden = triage_is_hidden(self);

	if (hidden)
		buf_adds(&b, "findings: hidden while blind");
	else if (!self->found)
		buf_adds(&b, self->box ? "findings: reading" : "findings");
	else
		buf_addf(&b, "%zu finding%s in %lld line%s%s", self->n_shown,
			self->n_shown == 1 ? "" : "s", (long long)self->found->lines,
			self->found->lines == 1 ? "" : "s", self->found->complete ? "" : " so far");
	canvas_put_fit(c, title, 0, 0, title.cols, ALIGN_LEFT, title_style(self, TRIAGE_FINDINGS),
		b.s);
	buf_release(&b);
	if (!hidden && self->found && (self->n_shown || self->found->complete))
		list_draw(&self->list, c, r);
	if (self->pane != TRIAGE_FINDINGS)
		canvas_set_ground(c, r, GROUND_NONE);
}

static void draw_verdict(struct triage_view *self, struct canvas *c, struct rect r)
{
	struct rect title = rect_cut_top(&r, 1);

	canvas_put_fit(c, title, 0, 0, title.cols, ALIGN_LEFT, title_style(self, TRIAGE_VERDICT),
		"verdict and labels");
	paragraphs_draw(&self->lines, c, r);
	if (self->pane != TRIAGE_VERDICT)
		canvas_set_ground(c, r, GROUND_NONE);
}

/* ---- layout ---------------------------------------------------------------------- */

/* Who has the keys draws last: the cursor stands there. */
static void draw_wide(struct triage_view *self, struct canvas *c, struct rect r)
{
	struct rect log = rect_cut_left(&r, r.cols * 11 / 20), list, verdict;
	int wanted = list_rows_wanted(&self->list) + 1;

	canvas_column_rule(c, r, 0, STYLE_FRAME);
	rect_cut_left(&r, 1);
	if (wanted < LIST_ROWS_LEAST)
		wanted = LIST_ROWS_LEAST;
	list = rect_cut_top(&r, wanted < r.rows / 2 ? wanted : r.rows / 2);
	canvas_rule(c, rect_cut_top(&r, 1), 0, STYLE_FRAME);
	verdict = r;
	if (self->pane != TRIAGE_LOG)
		draw_log(self, c, log);
	if (self->pane != TRIAGE_FINDINGS)
		draw_list(self, c, list);
	if (self->pane != TRIAGE_VERDICT)
		draw_verdict(self, c, verdict);
	if (self->pane == TRIAGE_LOG)
		draw_log(self, c, log);
	else if (self->pane == TRIAGE_FINDINGS)
		draw_list(self, c, list);
	else
		draw_verdict(self, c, verdict);
}

/* The lines of the verdict that matter first, as many as there is room for. */
static void draw_head(struct triage_view *self, struct canvas *c, struct rect *r)
{
	struct rect head = rect_cut_top(r, HEAD_ROWS);
	int row = 0;

	canvas_rule(c, rect_cut_bottom(&head, 1), 0, STYLE_FRAME);
	for (size_t i = 0; i < self->lines.n && row < head.rows; i++) {
		const struct paragraph *l = &self->lines.list[i];
		struct rect rest = head;

		rect_cut_top(&rest, row);
		rect_cut_left(&rest, 2);
		if (l->sign && l->sign != ' ')
			canvas_putf(c, head, row, 0, l->style, "%c", l->sign);
		row += canvas_put_wrapped(c, rest, 0, l->style, l->text);
	}
}

static void draw_narrow(struct triage_view *self, struct canvas *c, struct rect r, bool zoomed)
{
	if (self->pane == TRIAGE_FINDINGS) {
		draw_list(self, c, r);
	} else if (self->pane == TRIAGE_VERDICT) {
		draw_verdict(self, c, r);
	} else {
		if (!zoomed && r.rows >= ROWS_FOR_HEAD && self->model->subject.state)
			draw_head(self, c, &r);
		draw_log(self, c, r);
	}
}

void triage_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct triage_view *self = view_state(v);
	bool zoomed = v->app->zoomed;

	triage_take_news(v);
	if (self->trouble)
		canvas_put_fit(c, rect_cut_top(&r, 1), 0, 0, r.cols, ALIGN_LEFT, STYLE_BAD,
			self->trouble);
	if (!self->model)
		return;
	if (!zoomed && r.cols >= WIDE_COLS && r.rows >= WIDE_ROWS && self->model->subject.state)
		draw_wide(self, c, r);
	else
		draw_narrow(self, c, r, zoomed);
}
