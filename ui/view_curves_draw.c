/* view_curves_draw - what stands where; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <string.h>

enum {
	SIDE_COLS = 46,
	SIDE_FROM = 120,
	ROWS_FOR_DELTA = 11,
	ROWS_FOR_TWO_LISTS = 20,
	SMALL_ROWS = 5
};

/* ---- lists -------------------------------------------------------------------------------- */

static void put_list_title(struct canvas *c, struct rect *r, const char *title, bool focused)
{
	canvas_put(c, rect_cut_top(r, 1), 0, 0, focused ? STYLE_STRONG : STYLE_TITLE, title);
}

/* The cursor and the bar of selection belong to the list that has the focus. */
static void draw_list(
	struct canvas *c, struct rect r, const char *title, struct list *list, bool focused)
{
	int row = c->cursor_row, col = c->cursor_col;

	put_list_title(c, &r, title, focused);
	list_draw(list, c, r);
	if (focused)
		return;
	canvas_set_ground(c, r, GROUND_NONE);
	c->cursor_row = row;
	c->cursor_col = col;
}

/* The runs have their values where the read-out is. */
static void draw_runs(struct curves_view *self, struct canvas *c, struct rect r)
{
	struct buf title = BUF_INIT;

	buf_adds(&title, "runs");
	if (isfinite(self->cursor_x)) {
		buf_addf(&title, ", values at %s ", curves_axis_title(&self->scene->look));
		curves_add_x(&title, &self->scene->look, self->cursor_x);
	}
	draw_list(c, r, title.s, &self->runs, self->pane == PANE_RUNS);
	buf_release(&title);
}

/* On a small screen the list with the focus has all the room, on a large one that of
 * the runs as much as it needs. */
static void draw_side(struct curves_view *self, struct canvas *c, struct rect r)
{
	bool small = r.rows < ROWS_FOR_TWO_LISTS;
	int wanted = (int)self->n_runs + 1, most = r.rows * 2 / 3;
	struct rect runs = r;

	if (!small || self->pane == PANE_METRICS) {
		runs = rect_cut_bottom(&r, small ? 0 : wanted < r.rows / 2 ? r.rows / 2
				: wanted < most                        ? wanted
								       : most);
		draw_list(c, r, "metrics", &self->metrics, self->pane == PANE_METRICS);
	}
	if (runs.rows)
		draw_runs(self, c, runs);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void draw_plots(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;
	struct rect overlay, delta;

	overlay = delta = r;
	delta.rows = 0;
	/* Differences belong to pairs, and no two points are paired by the time of day. */
	if (s->pair->has_comparison && !self->zoomed && r.rows >= ROWS_FOR_DELTA &&
		s->look.axis != ALIGN_WALL)
		delta = rect_cut_bottom(&overlay, r.rows * 9 / 20);
	curves_draw_overlay(v, c, overlay, delta.rows > 0 || r.rows < SMALL_ROWS);
	if (delta.rows)
		curves_draw_delta(v, c, delta);
}

/* In the grid the lists stand aside only while one of them has the focus. */
bool curves_has_side(const struct curves_view *self, int cols)
{
	return !self->zoomed && ((cols >= SIDE_FROM && !self->overview) || self->pane != PANE_PLOT);
}

static void draw_middle(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct rect side = r;

	side.cols = 0;
	if (curves_has_side(self, r.cols)) {
		side = rect_cut_right(&r, r.cols >= SIDE_FROM ? SIDE_COLS : r.cols / 2);
		rect_cut_left(&side, 2);
	}
	if (self->overview)
		curves_draw_grid(v, c, r);
	else if (self->table)
		curves_table_draw(v, c, r);
	else
		draw_plots(v, c, r);
	if (side.cols > 0)
		draw_side(self, c, side);
}

static void draw_nothing(const struct curves_view *self, struct canvas *c, struct rect r)
{
	const char *text = self->complaint ? self->complaint
		: self->scene              ? self->scene->nothing
					   : "reading the curves ...";

	r.col += 1;
	r.cols -= 1;
	canvas_put_wrapped(c, r, 1, self->complaint ? STYLE_BAD : STYLE_TEXT, text);
}

/* The last picture stays while a worker has the scene. */
static bool draw_picture(const struct curves_view *self, struct canvas *c)
{
	if (!self->has_picture || self->picture.rows != c->rows || self->picture.cols != c->cols)
		return false;
	c->cursor_row = self->picture.cursor_row;
	c->cursor_col = self->picture.cursor_col;
	return true;
}

static void copy_cells(struct canvas *to, const struct canvas *from, struct rect r)
{
	for (int row = r.row; row < r.row + r.rows; row++)
		memcpy(&to->cells[row * to->cols + r.col], &from->cells[row * from->cols + r.col],
			(size_t)r.cols * sizeof *to->cells);
	to->cursor_row = from->cursor_row;
	to->cursor_col = from->cursor_col;
}

static void keep_picture(struct curves_view *self, const struct canvas *c, struct rect r)
{
	if (!self->has_picture)
		canvas_init(&self->picture, c->rows, c->cols);
	else if (self->picture.rows != c->rows || self->picture.cols != c->cols)
		canvas_resize(&self->picture, c->rows, c->cols);
	self->has_picture = true;
	copy_cells(&self->picture, c, r);
}

void curves_draw(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct rect body = r;

	if (!self->scene && !self->complaint && draw_picture(self, c)) {
		copy_cells(c, &self->picture, body);
		return;
	}
	if (!self->scene || !self->scene->pair) {
		draw_nothing(self, c, r);
		return;
	}
	curves_draw_head(v, c, &r);
	curves_draw_foot(v, c, &r);
	draw_middle(v, c, r);
	keep_picture(self, c, body);
}
