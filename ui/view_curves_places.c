/* view_curves_places - where the charts of the grid stand: lines of one group, as many
 * beside each other as can be read; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <stdlib.h>
#include <string.h>

enum {
	CHART_COLS_MIN = 36,		/* cells a chart wants at least */
	CHART_ROWS_MIN = 6,
	CHART_ROWS_MAX = 16,
	GRID_COLS_MAX = 4,
};

/* ---- lines --------------------------------------------------------------------------- */

const struct curve_name *curves_name_at(const struct curves_view *self, long place)
{
	return &self->metric_names[self->metrics.shown[place]];
}

static long group_end(const struct curves_view *self, long from)
{
	long end = from;

	while (end < self->metrics.n_shown &&
		strcmp(curves_name_at(self, end)->group, curves_name_at(self, from)->group) == 0)
		end++;
	return end;
}

static void add_line(struct curves_lines *l, struct curves_line line)
{
	ARRAY_GROW(l->at, l->n, l->cap);
	l->at[l->n++] = line;
}

/* One group needs no name. */
static void make_lines(struct curves_lines *l, const struct curves_view *self, int cols)
{
	for (long at = 0; at < self->metrics.n_shown;) {
		long end = group_end(self, at);

		if (at || end < self->metrics.n_shown)
			add_line(l, (struct curves_line){ at, 0, curves_name_at(self, at)->group });
		for (; at < end; at += cols) {
			long n = end - at < cols ? end - at : cols;

			add_line(l, (struct curves_line){ at, (int)n, NULL });
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
static int chart_rows(const struct curves_lines *l, int room)
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

static int line_rows(const struct curves_line *line, int rows)
{
	return line->group ? 1 : rows;
}

static size_t line_of(const struct curves_lines *l, long place)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct curves_line *line = &l->at[i];

		if (!line->group && place >= line->first && place < line->first + line->n)
			return i;
	}
	return 0;
}

/* The lines from TOP on to the one of PLACE, with it. */
static int rows_to(const struct curves_lines *l, size_t top, size_t line, int rows)
{
	int sum = 0;

	for (size_t i = top; i <= line && i < l->n; i++)
		sum += line_rows(&l->at[i], rows);
	return sum;
}

/* The name of a group is no line of its own where the first line of all stands: there
 * it always is. */
static int rows_from(const struct curves_lines *l, size_t top, size_t line, int rows)
{
	return rows_to(l, top, line, rows) - (top < l->n && l->at[top].group ? 1 : 0);
}

/* Moves no more than it must to have the selected chart in sight. */
static void scroll(struct curves_view *self, const struct curves_lines *l, int room, int rows)
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

/* ---- places --------------------------------------------------------------------------- */

static void place_line(
	struct curves_view *self, const struct curves_line *line, struct rect r, int cols)
{
	for (int i = 0; i < line->n && self->grid.n < CURVES_GRID_MAX; i++) {
		struct rect at = rect_cut_left(&r, i + 1 == cols ? r.cols : r.cols / (cols - i));

		self->grid.rows[self->grid.n] = self->metrics.shown[line->first + i];
		self->grid.places[self->grid.n++] = at;
	}
}

/* What fits is placed before anything is drawn: all share the window.  Returns what is
 * left below. */
static struct rect place_all(struct curves_view *self, struct canvas *c,
	const struct curves_lines *l, struct rect r, int rows)
{
	self->grid.n = 0;
	for (size_t i = (size_t)self->grid.top; i < l->n; i++) {
		const struct curves_line *line = &l->at[i];

		if (line->group && i == (size_t)self->grid.top)
			continue;	/* the first line of all has it */
		/* The name of a group alone at the lower edge says nothing. */
		if (r.rows < line_rows(line, rows) || (line->group && r.rows < 1 + rows))
			break;
		if (line->group)
			curves_draw_group(c, rect_cut_top(&r, 1), line->group);
		else
			place_line(self, line, rect_cut_top(&r, rows), self->grid.cols);
	}
	return r;
}

struct rect curves_place_charts(struct curves_view *self, struct curves_lines *l, struct canvas *c,
	struct rect r)
{
	int rows;

	*l = (struct curves_lines){ .n = 0 };
	self->grid.cols = count_cols(self, r.cols);
	make_lines(l, self, self->grid.cols);
	rows = chart_rows(l, r.rows);
	scroll(self, l, r.rows, rows);
	return place_all(self, c, l, r, rows);
}
