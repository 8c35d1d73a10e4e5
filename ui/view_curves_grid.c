/* view_curves_grid - all series, a chart each; see view_curves_private.h.
 *
 * The charts are the rows of the list of series, as it is filtered, in lines of one
 * group.  All have the same x, which stands once below them, and the same read-out.
 */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum {
	CHART_COLS_MIN = 36,		/* cells a chart wants at least */
	CHART_ROWS_MIN = 6,
	CHART_ROWS_MAX = 16,
	GRID_COLS_MAX = 4,
	VALUE_COLS_MIN = 10,
	AHEAD = 6,			/* charts asked for before the first picture */
};

/* A line of the grid: N charts from place FIRST of the list on, or the name of a group. */
struct line { long first; int n; const char *group; };

struct lines { struct line *at; size_t n, cap; long n_charts; int n_groups; };

/* ---- lines --------------------------------------------------------------------------- */

static const struct curve_name *name_at(const struct curves_view *self, long place)
{
	return &self->metric_names[self->metrics.shown[place]];
}

static long group_end(const struct curves_view *self, long from)
{
	long end = from;

	while (end < self->metrics.n_shown &&
		strcmp(name_at(self, end)->group, name_at(self, from)->group) == 0)
		end++;
	return end;
}

static void add_line(struct lines *l, struct line line)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = line;
}

/* One group needs no name. */
static void make_lines(struct lines *l, const struct curves_view *self, int cols)
{
	for (long at = 0; at < self->metrics.n_shown;) {
		long end = group_end(self, at);

		if (at || end < self->metrics.n_shown)
			add_line(l, (struct line){ at, 0, name_at(self, at)->group });
		for (; at < end; at += cols) {
			long n = end - at < cols ? end - at : cols;

			add_line(l, (struct line){ at, (int)n, NULL });
		}
		at = end;
		l->n_groups++;
	}
	l->n_charts = self->metrics.n_shown;
}

static int count_cols(const struct curves_view *self, int width)
{
	int fit = width / CHART_COLS_MIN;
	long widest = 1;

	for (long at = 0; at < self->metrics.n_shown;) {
		long end = group_end(self, at);

		widest = end - at > widest ? end - at : widest;
		at = end;
	}
	fit = fit < 1 ? 1 : fit > GRID_COLS_MAX ? GRID_COLS_MAX : fit;
	return widest < fit ? (int)widest : fit;
}

/* As high as there is room when all are in sight, else as low as can be read. */
static int chart_rows(const struct lines *l, int room)
{
	int heads = l->n_groups > 1 ? l->n_groups - 1 : 0, lines, rows;

	lines = (int)l->n - (l->n_groups > 1 ? l->n_groups : 0);
	rows = lines ? (room - heads) / lines : room;
	if (rows < CHART_ROWS_MIN) {
		lines = (room + 1) / (CHART_ROWS_MIN + 1);
		rows = lines > 1 ? (room - (l->n_groups > 1)) / lines : room;
	}
	return rows > CHART_ROWS_MAX ? CHART_ROWS_MAX : rows;
}

static int line_rows(const struct line *line, int rows)
{
	return line->group ? 1 : rows;
}

static size_t line_of(const struct lines *l, long place)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct line *line = &l->at[i];

		if (!line->group && place >= line->first && place < line->first + line->n)
			return i;
	}
	return 0;
}

/* The lines from TOP on to the one of PLACE, with it. */
static int rows_to(const struct lines *l, size_t top, size_t line, int rows)
{
	int sum = 0;

	for (size_t i = top; i <= line && i < l->n; i++)
		sum += line_rows(&l->at[i], rows);
	return sum;
}

/* The name of a group is no line of its own where the first line of all stands: there
 * it always is. */
static int rows_from(const struct lines *l, size_t top, size_t line, int rows)
{
	return rows_to(l, top, line, rows) - (top < l->n && l->at[top].group ? 1 : 0);
}

/* Moves no more than it must to have the selected chart in sight. */
static void scroll(struct curves_view *self, const struct lines *l, int room, int rows)
{
	size_t line = line_of(l, self->metrics.selected), first = line;
	size_t top = (size_t)self->grid.top;

	if (first && l->at[first - 1].group)
		first--;
	if (top > first || top >= l->n)
		top = first;
	while (top < first && rows_from(l, top, line, rows) > room)
		top++;
	/* Room that is left at the end is given to the lines before. */
	while (top > 0 && rows_from(l, top - 1, l->n - 1, rows) <= room)
		top--;
	self->grid.top = (int)top;
}

/* ---- one chart -------------------------------------------------------------------------- */

/* What the runs have at the read-out: R and A, and others as there is room. */
static void add_values(struct buf *out, const struct curves_view *self,
	const struct curve_chart *chart, const struct canvas *c, int room)
{
	const struct curve_scene *s = self->scene;

	for (size_t i = 0; i < s->n_sides; i++) {
		struct plot_readout r;
		struct buf b = BUF_INIT;

		if (!chart->lines[i].drawn || !isfinite(self->cursor_x))
			continue;
		plot_read_nearest(&r, chart->lines[i].drawn, self->cursor_x);
		buf_addf(&b, "%s%c %.4g", out->n ? "  " : "", s->sides[i].letter, r.value);
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
		add_values(&values, self, chart, c, r.cols - width - 4);
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
		.y_scale = self->scene->main && strcmp(name, self->scene->main->metric) == 0
			? self->scene->pair->scale
			: 1 };
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

static void draw_group(struct canvas *c, struct rect r, const char *group)
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

static void place_line(struct curves_view *self, const struct line *line, struct rect r, int cols)
{
	for (int i = 0; i < line->n && self->grid.n < CURVES_GRID_MAX; i++) {
		struct rect at = rect_cut_left(&r, i + 1 == cols ? r.cols : r.cols / (cols - i));

		self->grid.rows[self->grid.n] = self->metrics.shown[line->first + i];
		self->grid.places[self->grid.n++] = at;
	}
}

/* What fits is placed before anything is drawn: all share the window.  Returns what is
 * left below. */
static struct rect place_all(struct curves_view *self, struct canvas *c, const struct lines *l,
	struct rect r, int rows)
{
	self->grid.n = 0;
	for (size_t i = (size_t)self->grid.top; i < l->n; i++) {
		const struct line *line = &l->at[i];

		if (line->group && i == (size_t)self->grid.top)
			continue;	/* the first line of all has it */
		/* The name of a group alone at the lower edge says nothing. */
		if (r.rows < line_rows(line, rows) || (line->group && r.rows < 1 + rows))
			break;
		if (line->group)
			draw_group(c, rect_cut_top(&r, 1), line->group);
		else
			place_line(self, line, rect_cut_top(&r, rows), self->grid.cols);
	}
	return r;
}

static void fit_all(struct curves_view *self, struct canvas *c, bool mono)
{
	const struct curve_chart *charts[CURVES_GRID_MAX];
	size_t n = 0;

	for (int i = 0; i < self->grid.n; i++) {
		const char *name = self->metric_names[self->grid.rows[i]].name;
		const struct curve_chart *chart = curve_scene_chart(self->scene, name);

		if (chart)
			charts[n++] = chart;
	}
	curves_fit_window(self, charts, n,
		plot_dot_columns(c, self->grid.places[0], mono), 1);
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
	const struct lines *l)
{
	const struct line *top = &l->at[self->grid.top];
	struct buf b = BUF_INIT;

	if (l->n_groups > 1)
		draw_group(c, r, name_at(self, top->first)->group);
	add_state(&b, self, l->n_charts);
	if (l->n_groups > 1)
		buf_adds(&b, " ");
	canvas_put_right(c, r, 0, STYLE_DIM, b.s);
	buf_release(&b);
}

void curves_draw_grid(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct lines l = { .n = 0 };
	struct rect axes, state, left;
	int rows;

	self->grid.n = 0;
	if (!self->metrics.n_shown) {
		canvas_put_fit(c, r, 1, 1, r.cols - 2, ALIGN_LEFT, STYLE_TEXT,
			self->metrics.filter ? "no series has such a name; Esc shows all again"
					     : "no curve was read yet");
		return;
	}
	state = rect_cut_top(&r, 1);
	axes = rect_cut_bottom(&r, r.rows > PLOT_AXIS_ROWS + 3 ? PLOT_AXIS_ROWS : 0);
	self->grid.cols = count_cols(self, r.cols);
	make_lines(&l, self, self->grid.cols);
	rows = chart_rows(&l, r.rows);
	scroll(self, &l, r.rows, rows);
	left = place_all(self, c, &l, r, rows);
	axes.row = left.row;
	if (self->grid.n) {
		fit_all(self, c, v->app->mono);
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
		out[n++] = name_at(self, i)->name;
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
