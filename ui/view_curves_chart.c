/* view_curves_chart - one chart: the curves of all runs; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_ROWS = 5, TRACES_MAX = CHART_SOURCES_MAX + 1, ROWS_FOR_BESIDE = 4 };

/* ---- which chart ------------------------------------------------------------------ */

const struct curve_chart *curves_chart(const struct curves_view *self)
{
	const struct curve_scene *s = self->scene;
	long row = list_selected(&self->metrics);
	const struct curve_chart *chart = self->overview && row >= 0
		? curve_scene_chart(s, self->metric_names[row].name)
		: NULL;

	return chart ? chart : s->main;
}

size_t curves_sources(const struct curves_view *self, struct plot_source **out)
{
	const struct curve_chart *chart = self->scene->pair ? curves_chart(self) : NULL;
	size_t n = 0;

	for (size_t i = 0; chart && i < self->scene->n_sides; i++)
		if (chart->lines[i].drawn)
			out[n++] = chart->lines[i].drawn;
	return n;
}

enum plot_x_kind curves_x_kind(const struct curve_look *look)
{
	if (look->axis == ALIGN_TIME || look->axis == ALIGN_CLIPPED_TIME)
		return PLOT_X_DURATION;
	return look->axis == ALIGN_WALL ? PLOT_X_INSTANT : PLOT_X_NUMBER;
}

/* As it fits left of an axis. */
const char *curves_axis_title(const struct curve_look *look)
{
	if (look->axis == ALIGN_FROM_START)
		return "from 0";
	if (look->axis == ALIGN_CLIPPED_TIME)
		return "time*";
	return align_axis_name(look->axis);
}

/* ---- the window --------------------------------------------------------------------- */

static size_t gather_sources(
	const struct curve_chart *const *charts, size_t n, struct plot_source **out)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += curve_chart_sources(charts[i], out + sum);
	return sum;
}

void curves_fit_window(struct curves_view *self, const struct curve_chart *const *charts, size_t n,
	size_t columns, size_t rows)
{
	struct plot_source **all = xcalloc(n + 1, CHART_SOURCES_MAX * sizeof *all);
	size_t n_all = gather_sources(charts, n, all);

	self->window.columns = columns;
	self->window.rows = rows;
	if (self->fit && n_all)
		plot_view_fit(&self->window, all, n_all, columns, rows);
	free(all);
}

/* Keys may come before the picture of what was read last. */
void curves_fit_now(struct curves_view *self)
{
	const struct curve_chart *chart = self->scene ? self->scene->main : NULL;
	size_t columns = self->window.columns ? self->window.columns : 1;

	if (!self->fit || !self->scene)
		return;
	if (self->overview)
		curves_grid_fit(self, columns);
	else if (chart)
		curves_fit_window(self, &chart, 1, columns, self->window.rows);
}

long curves_cursor_column(const struct curves_view *self, const struct plot_view *view)
{
	if (!isfinite(self->cursor_x) || self->cursor_x < view->x0 || self->cursor_x > view->x1)
		return -1;
	return (long)plot_column_of(view, self->cursor_x);
}

/* ---- traces -------------------------------------------------------------------------- */

struct picture {
	struct plot_column *columns[TRACES_MAX];
	struct plot_trace traces[TRACES_MAX];
	int n;
	struct plot_view view;
};

static struct plot_trace *add_trace(
	struct picture *p, enum plot_role role, enum style style, char letter)
{
	struct plot_trace *t = &p->traces[p->n];

	p->columns[p->n] = xcalloc(p->view.columns + 1, sizeof **p->columns);
	*t = (struct plot_trace){ .columns = p->columns[p->n],
		.ends = { NAN, NAN },
		.role = role,
		.style = style,
		.letter = letter };
	p->n++;
	return t;
}

static void add_line(struct picture *p, struct plot_source *source, enum plot_role role,
	char letter, struct curves_counts *sum)
{
	struct plot_counts counts;
	struct plot_trace *t;

	if (!source)
		return;
	t = add_trace(p, role, curves_style(letter), letter);
	plot_columns(source, &p->view, p->columns[p->n - 1], sum ? &counts : NULL);
	t->ends = plot_ends(source, &p->view);
	if (!sum)
		return;
	sum->n_nonfinite += counts.n_nan + counts.n_plus_inf + counts.n_minus_inf;
	sum->n_not_positive += counts.n_not_positive;
	sum->n_left_out += p->view.log_x ? plot_not_positive_x(source) : 0;
	sum->n_restarts += counts.n_restarts;
	sum->n_clipped += p->view.clip ? counts.n_above + counts.n_below : 0;
	sum->about |= p->view.clip && counts.outside_is_estimate;
}

/* The seeds of the reference, with it, as one band. */
static void add_band(struct picture *p, const struct curve_chart *chart, size_t reference)
{
	struct plot_source *seeds[COMPARISON_REPEATS_MAX + 1];
	size_t n = 0;

	for (size_t i = 0; i < chart->n_repeats; i++)
		if (chart->repeats[i])
			seeds[n++] = chart->repeats[i];
	if (!n || !chart->lines[reference].drawn)
		return;
	seeds[n++] = chart->lines[reference].drawn;
	add_trace(p, PLOT_BAND, STYLE_SERIES_1, 'R');
	plot_band(seeds, n, &p->view, p->columns[p->n - 1]);
}

/* Where 95 % of further runs of the reference lie: of the values, by step. */
static void add_95(struct picture *p, const struct curve_scene *s, const struct curve_chart *chart)
{
	struct plot_source *edges[] = { s->band_low, s->band_high };

	if (chart != s->main || s->look.axis != ALIGN_STEP || s->look.smooth.mode != SMOOTH_NONE)
		return;
	for (size_t i = 0; i < ARRAY_LEN(edges); i++)
		add_line(p, edges[i], PLOT_EDGE, 'R', NULL);
}

static bool is_wanted(char letter, char only)
{
	return !only || (only == 'R') == (letter == 'R');
}

/* What stands further in front comes later: bands, faint curves, R, others, A. */
static void add_traces(struct picture *p, const struct curve_scene *s, enum curves_band band,
	const struct curves_chart_place *place, struct curves_counts *counts)
{
	static const char *const passes[] = { "R", "BCDEFGHIJKLMNOPQ", "A" };

	for (size_t i = 0; i < s->n_sides; i++)
		if (s->sides[i].letter == 'R' && place->only != 'A' && band != BAND_OFF)
			add_band(p, place->chart, i);
	if (band == BAND_AND_95 && place->only != 'A')
		add_95(p, s, place->chart);
	for (size_t i = 0; i < s->n_sides; i++) {
		const struct curve_line *line = &place->chart->lines[i];

		if (!is_wanted(s->sides[i].letter, place->only))
			continue;
		add_line(p, line->older, PLOT_FAINT, s->sides[i].letter, NULL);
		add_line(p, line->raw, PLOT_FAINT, s->sides[i].letter, NULL);
	}
	for (size_t pass = 0; pass < ARRAY_LEN(passes); pass++)
		for (size_t i = 0; i < s->n_sides; i++) {
			char letter = s->sides[i].letter;

			if (strchr(passes[pass], letter) && is_wanted(letter, place->only))
				add_line(p, place->chart->lines[i].drawn,
					letter == 'R' ? PLOT_REFERENCE : PLOT_ATTEMPT, letter,
					counts);
		}
}

static void release_picture(struct picture *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->columns[i]);
}

void curves_draw_chart(struct view *v, struct canvas *c, const struct curves_chart_place *place,
	struct curves_counts *counts)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;
	struct plot_source *sources[CHART_SOURCES_MAX];
	struct picture p = { .view = self->window };
	size_t n = curve_chart_sources(place->chart, sources);

	p.view.columns = plot_dot_columns(c, place->r, v->app->mono);
	p.view.rows = plot_dot_rows(c, place->r, v->app->mono, place->no_x_axis);
	if (!p.view.columns || !p.view.rows || !n)
		return;
	plot_view_fit_y(&p.view, sources, n);
	add_traces(&p, s, self->band, place, counts);
	plot_draw(
		&(struct plot){
			.view = &p.view,
			.traces = p.traces,
			.n_traces = p.n,
			.x_kind = curves_x_kind(&s->look),
			.x_label = curves_axis_title(&s->look),
			.no_x_axis = place->no_x_axis,
			.cursor = curves_cursor_column(self, &p.view),
			.own_cursor = place->own_cursor,
			.mono = v->app->mono,
			.y_scale = place->y_scale,
		},
		c, place->r);
	release_picture(&p);
}

/* ---- the large one --------------------------------------------------------------------- */

void curves_add_counts(struct canvas *c, struct rect r, int *col, const struct curves_counts *n)
{
	if (n->n_not_positive)
		*col = canvas_putf(c, r, 0, *col, STYLE_WARN, "%zu not above 0",
			       n->n_not_positive) +
			2;
	if (n->n_left_out)
		*col = canvas_putf(c, r, 0, *col, STYLE_WARN, "%zu not right of 0", n->n_left_out) +
			2;
	if (n->n_clipped)
		*col = canvas_putf(c, r, 0, *col, STYLE_WARN, "%s%zu outside",
			       n->about ? "about " : "", n->n_clipped) +
			2;
	if (n->n_nonfinite)
		*col = canvas_putf(c, r, 0, *col, STYLE_ALARM, "%zu NaN/Inf", n->n_nonfinite) + 2;
	if (n->n_restarts)
		*col = canvas_putf(c, r, 0, *col, STYLE_NOTE, "%zu restart%s", n->n_restarts,
			       n->n_restarts == 1 ? "" : "s") +
			2;
}

void curves_add_look(struct buf *out, const struct curves_view *self)
{
	const struct plot_view *w = &self->window;
	struct buf smooth = BUF_INIT;

	curves_add_smoothing(&smooth, &self->scene->look);
	if (smooth.n)
		buf_addf(out, "  %s", smooth.s);
	buf_release(&smooth);
	if (w->log_x)
		buf_adds(out, "  log x");
	if (w->log_y)
		buf_adds(out, "  log y");
	if (w->clip)
		buf_adds(out, "  outliers cut");
	if (self->band == BAND_AND_95 && !self->overview)
		buf_adds(out, "  dashes: 95 % of R");
	if (self->band == BAND_OFF)
		buf_adds(out, "  no band");
	if (!self->fit)
		buf_adds(out, "  zoomed, 0 fits");
}

/* How it is drawn, then how it was paired. */
static void put_overlay_title(const struct curves_view *self, struct canvas *c, struct rect r,
	const struct curves_counts *counts)
{
	const struct curve_scene *s = self->scene;
	const struct run_comparison *k = s->pair;
	struct buf b = BUF_INIT;
	int col = PLOT_GUTTER;

	if (*k->unit)
		canvas_put_fit(c, r, 0, 0, PLOT_GUTTER - 2, ALIGN_RIGHT, STYLE_DIM, k->unit);
	curves_add_look(&b, self);
	if (b.n)
		col = canvas_put(c, r, 0, col, STYLE_NOTE, b.s + 2) + 2;
	buf_clear(&b);
	curves_add_counts(c, r, &col, counts);
	if (s->look.axis == ALIGN_WALL)
		buf_adds(&b, "by the time of day; compared by step");
	else if (k->has_comparison)
		compare_add_alignment(&b, &k->comparison);
	else
		buf_addf(&b, "by %s", align_axis_name(s->look.axis));
	canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, STYLE_DIM, b.s);
	buf_release(&b);
}

/* R on the left, what is compared with it on the right, on the same axes. */
static void draw_beside(struct view *v, struct canvas *c, struct curves_chart_place place,
	struct curves_counts *counts)
{
	struct rect right = place.r, left = rect_cut_left(&right, place.r.cols / 2);
	struct curves_chart_place other = place;

	place.r = left;
	place.only = 'R';
	place.own_cursor = false;
	other.r = right;
	other.only = 'A';
	canvas_put(c, rect_cut_top(&place.r, 1), 0, PLOT_GUTTER, curves_style('R'), "R");
	canvas_put(c, rect_cut_top(&other.r, 1), 0, PLOT_GUTTER, curves_style('A'), "A");
	curves_draw_chart(v, c, &place, counts);
	curves_draw_chart(v, c, &other, counts);
}

void curves_draw_overlay(struct view *v, struct canvas *c, struct rect r, bool no_x_axis)
{
	struct curves_view *self = view_state(v);
	const struct curve_chart *chart = self->scene->main;
	struct curves_counts counts = { .n_nonfinite = 0 };
	struct rect title = rect_cut_top(&r, r.rows >= SMALL_ROWS ? 1 : 0);
	struct curves_chart_place place = { .chart = chart,
		.r = r,
		.no_x_axis = no_x_axis,
		.own_cursor = true,
		.y_scale = self->scene->pair->scale };
	size_t columns = plot_dot_columns(c, r, v->app->mono);

	if (!chart || !columns)
		return;
	curves_fit_window(self, &chart, 1, columns, plot_dot_rows(c, r, v->app->mono, no_x_axis));
	if (self->beside && self->scene->pair->has_reference && r.rows >= ROWS_FOR_BESIDE)
		draw_beside(v, c, place, &counts);
	else
		curves_draw_chart(v, c, &place, &counts);
	put_overlay_title(self, c, title, &counts);
}
