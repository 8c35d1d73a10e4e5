/* view_curves_grid - all series, a chart each; see view_curves_private.h.
 *
 * The charts are the rows of the list of series, as it is filtered, in lines of one
 * group (view_curves_places.c).  All have the same x, which stands once below them, and
 * the same read-out.
 */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
	VALUE_COLS_MIN = 10,
	AHEAD = 6,			/* charts asked for before the first picture */
};

/* ---- one chart -------------------------------------------------------------------------- */

/* Only the compared series has a goal, and with it a unit of its own. */
static double scale_of(const struct curves_view *self, const char *name)
{
	const struct curve_scene *s = self->scene;

	return s->main && strcmp(name, s->main->metric) == 0 ? s->pair->scale : 1;
}

/* What the runs have at the read-out: R and A, and others as there is room. */
static void add_values(struct buf *out, const struct curves_view *self,
	const struct curve_chart *chart, const struct canvas *c, double scale, int room)
{
	const struct curve_scene *s = self->scene;

	for (size_t i = 0; i < s->n_sides; i++) {
		struct plot_readout r;
		struct buf b = BUF_INIT;

		if (!chart->lines[i].drawn || !isfinite(self->cursor_x))
			continue;
		plot_read_nearest(&r, chart->lines[i].drawn, self->cursor_x);
		buf_addf(&b, "%s%c %.4g", out->n ? "  " : "", s->sides[i].letter,
			r.value * scale);
		if (canvas_width(c, out->s, out->n) + canvas_width(c, b.s, b.n) <= room)
			buf_add(out, b.s, b.n);
		buf_release(&b);
	}
}

static void put_title(struct view *v, struct canvas *c, struct rect r, long row,
	const struct curve_chart *chart, const struct curves_counts *counts)
{
	struct curves_view *self = view_state(v);
	const struct curve_name *name = &self->metric_names[row];
	bool selected = self->pane == PANE_PLOT && row == list_selected(&self->metrics);
	struct buf text = BUF_INIT, values = BUF_INIT;
	int width, col = 1;

	text_sanitise(&text, name->name, strlen(name->name));
	width = canvas_width(c, text.s, text.n);
	if (chart && r.cols - width - 4 >= VALUE_COLS_MIN)
		add_values(&values, self, chart, c, scale_of(self, name->name),
			r.cols - width - 4);
	if (width > r.cols - 2)
		width = r.cols - 2;
	canvas_put_fit(c, r, 0, 1, r.cols - 2, ALIGN_LEFT, selected ? STYLE_STRONG : STYLE_TITLE,
		text.s);
	col += width + 1;
	if (*name->only && !values.n)
		canvas_put(c, r, 0, col, STYLE_DIM, name->only);
	else
		curves_add_counts(c, r, &col, counts);
	if (values.n && col + (int)values.n < r.cols)
		canvas_put_right(c, (struct rect){ r.row, r.col, 1, r.cols - 1 }, 0, STYLE_DIM,
			values.s);
	if (selected) {
		canvas_set_ground(c, (struct rect){ r.row, r.col + 1, 1, width }, GROUND_SELECT);
		canvas_set_cursor(c, r, 0, 1);
	}
	buf_release(&text);
	buf_release(&values);
}

static void draw_place(struct view *v, struct canvas *c, struct rect r, long row)
{
	struct curves_view *self = view_state(v);
	const char *name = self->metric_names[row].name;
	const struct curve_chart *chart = curve_scene_chart(self->scene, name);
	struct rect title = rect_cut_top(&r, 1);
	struct curves_counts counts = { .n_nonfinite = 0 };
	struct curves_chart_place place = { .chart = chart,
		.r = r,
		.no_x_axis = true,
		.y_scale = scale_of(self, name) };
	struct plot_source *any[CHART_SOURCES_MAX];

	if (!chart)
		canvas_put(c, r, 0, PLOT_GUTTER, STYLE_DIM, "reading ...");
	else if (!curve_chart_sources(chart, any))
		canvas_put_fit(c, r, 0, PLOT_GUTTER, r.cols - PLOT_GUTTER, ALIGN_LEFT,
			STYLE_DIM,
			chart->no_axis ? "no such axis in this series (x)" : "no point yet");
	else
		curves_draw_chart(v, c, &place, &counts);
	counts.n_restarts = 0;		/* the ticks at the upper edge do here */
	put_title(v, c, title, row, chart, &counts);
}

/* ---- all of them ---------------------------------------------------------------------- */

void curves_draw_group(struct canvas *c, struct rect r, const char *group)
{
	struct buf name = BUF_INIT;
	int col;

	if (*group)
		text_sanitise(&name, group, strlen(group));
	else
		buf_adds(&name, "other");
	col = canvas_put(c, r, 0, 1, STYLE_HUNK, name.s) + 1;
	for (; col < r.cols; col++)
		canvas_put_cell(c, r, 0, col, STYLE_FRAME, 0x2500);
	buf_release(&name);
}

void curves_grid_fit(struct curves_view *self, size_t columns)
{
	const struct curve_chart *charts[CURVES_GRID_MAX];
	size_t n = 0;

	for (int i = 0; i < self->grid.n; i++) {
		const char *name = self->metric_names[self->grid.rows[i]].name;
		const struct curve_chart *chart = curve_scene_chart(self->scene, name);

		if (chart)
			charts[n++] = chart;
	}
	curves_fit_window(self, charts, n, columns, 1);
}

/* The axis of x once below each column of charts. */
static void draw_axes(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct plot_view window = self->window;

	for (int i = 0; i < self->grid.cols; i++) {
		struct rect at = rect_cut_left(
			&r, i + 1 == self->grid.cols ? r.cols : r.cols / (self->grid.cols - i));

		window.columns = plot_dot_columns(c, at, v->app->mono);
		plot_draw_x_axis(
			&(struct plot){
				.view = &window,
				.x_kind = curves_x_kind(&self->scene->look),
				.x_label = curves_axis_title(&self->scene->look),
			},
			c, at);
	}
}

static void add_state(struct buf *out, const struct curves_view *self, long all)
{
	if (self->grid.n < all)
		buf_addf(out, "%d of %ld charts", self->grid.n, all);
	else
		buf_addf(out, "%ld chart%s", all, all == 1 ? "" : "s");
	if (self->metrics.filter) {
		buf_addf(out, " of %zu, & ", self->n_metrics);
		text_sanitise(out, self->metrics.filter, strlen(self->metrics.filter));
	}
	curves_add_look(out, self);
}

/* The group at hand, how much of all of it is in sight, and how it is drawn. */
static void put_state(const struct curves_view *self, struct canvas *c, struct rect r,
	const struct curves_lines *l)
{
	const struct curves_line *top = &l->at[self->grid.top];
	struct buf b = BUF_INIT;

	if (l->n_groups > 1)
		curves_draw_group(c, r, curves_name_at(self, top->first)->group);
	add_state(&b, self, l->n_charts);
	if (l->n_groups > 1)
		buf_adds(&b, " ");
	canvas_put_right(c, r, 0, STYLE_DIM, b.s);
	buf_release(&b);
}

void curves_draw_grid(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct curves_lines l;
	struct rect axes, state, left;

	self->grid.n = 0;
	if (!self->metrics.n_shown) {
		canvas_put_fit(c, r, 1, 1, r.cols - 2, ALIGN_LEFT, STYLE_TEXT,
			self->metrics.filter ? "no series has such a name; Esc shows all again"
					     : "no curve was read yet");
		return;
	}
	state = rect_cut_top(&r, 1);
	axes = rect_cut_bottom(&r, r.rows > PLOT_AXIS_ROWS + 3 ? PLOT_AXIS_ROWS : 0);
	left = curves_place_charts(self, &l, c, r);
	axes.row = left.row;
	if (self->grid.n) {
		curves_grid_fit(self, plot_dot_columns(c, self->grid.places[0], v->app->mono));
		for (int i = 0; i < self->grid.n; i++)
			draw_place(v, c, self->grid.places[i], self->grid.rows[i]);
		if (axes.rows)
			draw_axes(v, c, axes);
	}
	put_state(self, c, state, &l);
	free(l.at);
}

/* ---- moving ------------------------------------------------------------------------------- */

size_t curves_grid_names(const struct curves_view *self, const char *out[CURVES_GRID_MAX])
{
	size_t n = 0;

	for (int i = 0; self->overview && i < self->grid.n; i++)
		if (self->grid.rows[i] < (long)self->n_metrics)
			out[n++] = self->metric_names[self->grid.rows[i]].name;
	if (!self->overview || n)
		return n;
	/* Nothing was drawn yet: those around the selected one will be in sight. */
	for (long i = self->metrics.selected > AHEAD ? self->metrics.selected - AHEAD : 0;
		i < self->metrics.n_shown && n < 2 * AHEAD; i++)
		out[n++] = curves_name_at(self, i)->name;
	return n;
}

bool curves_grid_lacks(const struct curves_view *self)
{
	const char *names[CURVES_GRID_MAX];
	size_t n = self->scene && self->scene->pair ? curves_grid_names(self, names) : 0;

	for (size_t i = 0; i < n; i++)
		if (!curve_scene_chart(self->scene, names[i]))
			return true;
	return false;
}

/* Left and right are the read-out's; up and down go through the charts in order, pages by
 * what is in sight. */
bool curves_grid_move(struct view *v, enum motion motion)
{
	struct curves_view *self = view_state(v);

	double first, last;

	if (motion == MOTION_LEFT || motion == MOTION_RIGHT) {
		curves_step_cursor(self, motion == MOTION_LEFT ? -1 : 1);
		return true;
	}
	if (motion == MOTION_FIRST || motion == MOTION_LAST) {
		if (curves_range(self, &first, &last))
			curves_set_cursor(self, motion == MOTION_FIRST ? first : last);
		return true;
	}
	self->metrics.page = self->grid.n > 0 ? self->grid.n : 1;
	return list_move(&self->metrics, motion);
}

bool curves_grid_click(struct view *v, int row, int col)
{
	struct curves_view *self = view_state(v);

	for (int i = 0; self->overview && i < self->grid.n; i++) {
		const struct rect *r = &self->grid.places[i];

		if (row < r->row || row >= r->row + r->rows || col < r->col ||
			col >= r->col + r->cols)
			continue;
		if (list_selected(&self->metrics) == self->grid.rows[i])
			curves_grid_open(v);
		list_select(&self->metrics, self->grid.rows[i]);
		return true;
	}
	return false;
}

void curves_grid_open(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->metrics);

	if (row < 0)
		return;
	self->overview = false;
	self->from_overview = true;
	curves_choose_metric(v, self->metric_names[row].name);
}

void curves_show_grid(struct view *v, bool on)
{
	struct curves_view *self = view_state(v);

	self->overview = on;
	self->from_overview = false;
	self->table = self->zoomed = false;
	self->pane = PANE_PLOT;
	list_select_key(&self->metrics, self->metric_shown);
	if (on)
		curves_look_again(v);
}
