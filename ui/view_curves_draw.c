/* view_curves_draw - head, overlay, delta pane and lists; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "ui/layout.h"

enum {
	WIDE_COLS = 100,
	SIDE_COLS = 43,
	SIDE_FROM = 120,
	FOOT_ROWS_MAX = 5,
	PLOT_ROWS_MIN = 7,
	ROWS_FOR_DELTA = 11,
	SMALL_ROWS = 5
};

/* ---- what the scene holds ------------------------------------------------------------- */

size_t curves_sources(const struct curve_scene *s, struct plot_source **out)
{
	struct plot_source *const all[] = { s->reference, s->attempt, s->raw };
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i] && plot_source_n(all[i]) && (i < 2 || s->look.smoothing))
			out[n++] = all[i];
	for (size_t i = 0; i < s->n_further; i++)
		if (s->others[i] && plot_source_n(s->others[i]))
			out[n++] = s->others[i];
	return n;
}

bool curves_range(const struct curve_scene *s, double *first, double *last)
{
	struct plot_source *sources[CURVES_SOURCES_MAX];
	size_t n = s->pair ? curves_sources(s, sources) : 0;

	*first = INFINITY;
	*last = -INFINITY;
	for (size_t i = 0; i < n; i++) {
		*first = fmin(*first, plot_source_x(sources[i], 0));
		*last = fmax(*last, plot_source_x(sources[i], plot_source_n(sources[i]) - 1));
	}
	return *first <= *last;
}

double curves_tail(const struct curve_scene *s)
{
	double first, last = NAN;

	if (s->attempt && plot_source_n(s->attempt))
		return plot_source_x(s->attempt, plot_source_n(s->attempt) - 1);
	return curves_range(s, &first, &last) ? last : NAN;
}

void curves_settle(struct curves_view *self)
{
	struct plot_view *w = &self->window;
	double first, last, grown;

	if (!curves_range(self->scene, &first, &last))
		return;
	/* A window at the tail stays there as the curve grows; any other stays put. */
	grown = last - self->last_x;
	if (!self->fit && grown > 0 && w->x1 >= self->last_x) {
		w->x0 += grown;
		w->x1 += grown;
	}
	self->last_x = last;
	if (self->at_last || !isfinite(self->cursor_x))
		self->cursor_x = curves_tail(self->scene);
	else
		self->cursor_x = fmin(fmax(self->cursor_x, first), last);
}

/* ---- head ------------------------------------------------------------------------------ */

static void draw_names(
	const struct curve_scene *s, struct canvas *c, struct rect r, const char *metric)
{
	const struct run_comparison *p = s->pair;
	bool roomy = r.cols >= WIDE_COLS;
	int col = canvas_put(c, r, 0, 1, STYLE_TITLE, metric);

	if (p->has_reference) {
		col = canvas_put(c, r, 0, col + 2, STYLE_SERIES_1, "R ");
		col = canvas_put(c, r, 0, col, STYLE_TEXT, p->reference.name);
		col = canvas_put(c, r, 0, col, STYLE_DIM, p->against_attempt ? " (an attempt)" :
			roomy ? " (reference, not truth)" : " (not truth)");
	}
	col = canvas_put(c, r, 0, col + 2, STYLE_SERIES_2, "A ");
	col = canvas_put(c, r, 0, col, STYLE_TEXT, p->attempt.name);
	if (p->attempt.live)
		col = canvas_put(c, r, 0, col + 1, STYLE_LIVE, "live");
	for (size_t i = 0; i < s->n_further; i++) {
		col = canvas_putf(
			c, r, 0, col + 2, style_series((int)i + 2), "%c ", (int)('B' + i));
		col = canvas_put(c, r, 0, col, STYLE_TEXT, s->further[i].name);
	}
}

/* What is in the way is named even where its values do not fit. */
static int put_item(
	struct canvas *c, struct rect r, int col, const struct comparable_item *item, int rank)
{
	static const enum style styles[] = { STYLE_BAD, STYLE_WARN, STYLE_DIM, STYLE_TEXT };
	struct buf b = BUF_INIT;
	size_t name_bytes;

	buf_addf(&b, "%s %s", item->name, comparable_status_mark(item->status));
	name_bytes = b.n;
	if (rank == 0)
		buf_addf(&b, " (R %s, A %s)", item->reference, item->attempt);
	if (col + 2 + (int)b.n > r.cols)
		buf_truncate(&b, name_bytes);
	if (col + 2 + (int)b.n <= r.cols)
		col = canvas_put(c, r, 0, col + 2, styles[rank], b.s);
	buf_release(&b);
	return col;
}

static void draw_comparable(const struct run_comparison *p, struct canvas *c, struct rect r)
{
	const struct comparable *k = &p->comparable;
	int col;

	if (k->overall == COMPARABLE_NO)
		col = canvas_put(c, r, 0, 1, STYLE_ALARM, "NOT COMPARABLE");
	else if (k->overall == COMPARABLE_YES)
		col = canvas_put(c, r, 0, 1, STYLE_GOOD, "comparable");
	else
		col = canvas_put(c, r, 0, 1, STYLE_WARN, "comparable?");
	for (int rank = 0; rank < COMPARABLE_RANKS; rank++)
		for (size_t i = 0; i < k->n; i++)
			if (comparable_item_rank(&k->items[i]) == rank &&
				strcmp(k->items[i].name, "device") != 0)
				col = put_item(c, r, col, &k->items[i], rank);
	if (p->provenance.n)
		canvas_putf(c, r, 0, col + 2, STYLE_WARN, "%zu warning%s (i)", p->provenance.n,
			p->provenance.n == 1 ? "" : "s");
}

static void draw_verdict(const struct run_comparison *p, struct canvas *c, struct rect r)
{
	bool match = p->comparison.verdict == COMPARE_MATCH;
	enum style style = p->comparable.overall == COMPARABLE_NO ? STYLE_ALARM
		: match                                           ? STYLE_GOOD
								  : STYLE_BAD;
	int col;

	if (p->comparable.overall == COMPARABLE_NO) {
		col = canvas_put(c, r, 0, 1, style, "no verdict: ");
		canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, STYLE_TEXT,
			p->comparable.first_obstacle->make_equal);
		return;
	}
	col = canvas_put(c, r, 0, 1, style, match ? "+ " : "! ");
	canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, style, p->verdict);
}

static void draw_head(
	const struct curve_scene *s, struct canvas *c, struct rect *r, const char *metric)
{
	const struct run_comparison *p = s->pair;

	draw_names(s, c, rect_cut_top(r, 1), metric);
	if (!p->has_comparison) {
		struct rect row = rect_cut_top(r, *p->missing ? 2 : 0);

		canvas_put_wrapped(c, (struct rect){ row.row, row.col + 1, row.rows, row.cols - 1 },
			0, STYLE_WARN, p->missing);
		return;
	}
	/* Too small for all: the verdict has its condition in it. */
	if (r->rows > SMALL_ROWS)
		draw_comparable(p, c, rect_cut_top(r, 1));
	draw_verdict(p, c, rect_cut_top(r, 1));
}

/* ---- foot ------------------------------------------------------------------------------- */

struct foot { struct buf lines[FOOT_ROWS_MAX]; enum style styles[FOOT_ROWS_MAX]; int n; };

static struct buf *foot_line(struct foot *f, enum style style)
{
	struct buf *line = &f->lines[f->n];

	buf_init(line);
	f->styles[f->n++] = style;
	return line;
}

/* The read-out first, then what holds for the whole curve. */
static void gather_foot(struct foot *f, const struct curves_view *self, bool ascii, int cols)
{
	const struct curve_scene *s = self->scene;
	const struct run_comparison *p = s->pair;
	struct buf *last;

	if (*s->trouble)
		buf_addf(foot_line(f, STYLE_BAD), "! %s", s->trouble);
	if (isfinite(self->cursor_x))
		curves_add_readout(foot_line(f, STYLE_NOTE), self);
	if (!p->has_comparison)
		return;
	last = foot_line(f, STYLE_STRONG);
	buf_adds(last, "last  ");
	curves_add_last(last, p);
	curves_add_seeds(foot_line(f, STYLE_TEXT), p, cols < WIDE_COLS);
	if (*p->next)
		buf_addf(foot_line(f, STYLE_NOTE), "%s %s", ascii ? "->" : "\xe2\x86\x92", p->next);
}

static void draw_foot(struct foot *f, struct canvas *c, struct rect r)
{
	for (int i = 0; i < f->n; i++) {
		canvas_put_fit(c, rect_cut_top(&r, 1), 0, 1, r.cols - 1, ALIGN_LEFT, f->styles[i],
			f->lines[i].s);
		buf_release(&f->lines[i]);
	}
}

/* ---- plots -------------------------------------------------------------------------------- */

struct picture {
	struct plot_column *columns[CURVES_SOURCES_MAX];
	struct plot_trace traces[CURVES_SOURCES_MAX];
	struct plot_source *sources[CURVES_SOURCES_MAX];
	int n;
	size_t n_nonfinite, n_outside;
};

static void add_trace(struct picture *p, struct plot_source *source, const struct plot_view *view,
	enum plot_role role, enum style style, char letter)
{
	struct plot_counts counts;

	if (!source || !plot_source_n(source))
		return;
	p->columns[p->n] = xcalloc(view->columns + 1, sizeof **p->columns);
	plot_columns(source, view, p->columns[p->n], &counts);
	p->n_nonfinite += counts.n_nan + counts.n_plus_inf + counts.n_minus_inf;
	p->n_outside += counts.n_not_positive;
	p->sources[p->n] = source;
	p->traces[p->n] = (struct plot_trace){
		.columns = p->columns[p->n], .role = role, .style = style, .letter = letter
	};
	p->n++;
}

static void release_picture(struct picture *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->columns[i]);
}

/* Later ones stand in front: A last. */
static void add_traces(struct picture *p, const struct curve_scene *s, const struct plot_view *view)
{
	add_trace(p, s->reference, view, PLOT_REFERENCE, STYLE_SERIES_1, 'R');
	if (s->look.smoothing)
		add_trace(p, s->raw, view, PLOT_FAINT, STYLE_DIM, 'a');
	for (size_t i = 0; i < s->n_further; i++)
		add_trace(p, s->others[i], view, PLOT_ATTEMPT, style_series((int)i + 2),
			(char)('B' + i));
	add_trace(p, s->attempt, view, PLOT_ATTEMPT, STYLE_SERIES_2, 'A');
}

static long cursor_column(const struct curves_view *self, const struct plot_view *view)
{
	if (!isfinite(self->cursor_x) || self->cursor_x < view->x0 || self->cursor_x > view->x1)
		return -1;
	return (long)plot_column_of(view, self->cursor_x);
}

/* How it is drawn, then how it was paired. */
static void put_overlay_title(
	const struct curves_view *self, struct canvas *c, struct rect r, const struct picture *p)
{
	const struct curve_scene *s = self->scene;
	const struct run_comparison *k = s->pair;
	struct buf b = BUF_INIT;
	int col = PLOT_GUTTER;

	if (*k->unit)
		canvas_put_fit(c, r, 0, 0, PLOT_GUTTER - 2, ALIGN_RIGHT, STYLE_DIM, k->unit);
	if (s->look.smoothing)
		col = canvas_putf(c, r, 0, col, STYLE_NOTE, "%s",
			      curve_smoothing_name(s->look.smoothing)) +
			2;
	if (self->log_y)
		col = canvas_put(c, r, 0, col, STYLE_NOTE, "log y") + 2;
	if (!self->fit)
		col = canvas_put(c, r, 0, col, STYLE_NOTE, "zoomed, 0 fits") + 2;
	if (p->n_outside)
		col = canvas_putf(c, r, 0, col, STYLE_WARN, "%zu not above 0", p->n_outside) + 2;
	if (p->n_nonfinite)
		col = canvas_putf(c, r, 0, col, STYLE_ALARM, "%zu NaN/Inf", p->n_nonfinite) + 2;
	if (k->has_comparison)
		compare_add_alignment(&b, &k->comparison);
	else
		buf_addf(&b, "by %s", align_axis_name(s->look.axis));
	canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, STYLE_DIM, b.s);
	buf_release(&b);
}

static void fit_window(struct curves_view *self, const struct plot_source *const *sources, size_t n,
	size_t columns, size_t rows)
{
	struct plot_view *w = &self->window;
	struct plot_source *list[CURVES_SOURCES_MAX];

	memcpy(list, sources, n * sizeof *list);
	w->log_y = self->log_y;
	if (self->fit) {
		plot_view_fit(w, list, n, columns, rows);
		return;
	}
	w->columns = columns;
	w->rows = rows;
	plot_view_fit_y(w, list, n);
}

static void draw_overlay(struct view *v, struct canvas *c, struct rect r, bool no_x_axis)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;
	struct plot_source *sources[CURVES_SOURCES_MAX];
	struct picture p = { .n = 0 };
	struct rect title = rect_cut_top(&r, r.rows >= SMALL_ROWS ? 1 : 0);
	size_t columns = plot_dot_columns(c, r, v->app->mono),
	       rows = plot_dot_rows(c, r, v->app->mono, no_x_axis);
	size_t n = curves_sources(s, sources);

	if (!columns || !rows || !n)
		return;
	fit_window(self, (const struct plot_source *const *)sources, n, columns, rows);
	add_traces(&p, s, &self->window);
	plot_draw(
		&(struct plot){
			.view = &self->window,
			.traces = p.traces,
			.n_traces = p.n,
			.x_label = align_axis_name(s->look.axis),
			.no_x_axis = no_x_axis,
			.cursor = cursor_column(self, &self->window),
			.mono = v->app->mono,
			.y_scale = s->pair->scale,
		},
		c, r);
	put_overlay_title(self, c, title, &p);
	release_picture(&p);
}

/* Half the height of the band where the reference is R, in units of the pane. */
static double half_at(const struct run_comparison *k, enum delta_mode mode, double r)
{
	const struct tolerance *t = &k->comparison.options.tolerance;

	r = fabs(r);
	switch (mode) {
	case DELTA_PLAIN: case DELTA_ABSOLUTE:
		return t->atol + (t->rtol > 0 ? t->rtol * r : 0);
	case DELTA_RELATIVE:
		return r > 0 ? t->atol / r + t->rtol : NAN;
	case DELTA_SIGMA:
		return t->k_sigma;
	case DELTA_LOG2:
		break;
	}
	return NAN;
}

/* From the columns of the reference: no source of its own, whatever the length. */
static struct plot_column *tolerance_columns(
	const struct curve_scene *s, const struct plot_view *view)
{
	struct plot_column *out = xcalloc(view->columns + 1, sizeof *out);
	double before = NAN;

	if (s->tolerance) {
		plot_columns(s->tolerance, view, out, NULL);
		return out;
	}
	if (s->reference)
		plot_columns(s->reference, view, out, NULL);
	for (size_t i = 0; i < view->columns; i++) {
		double r = isfinite(out[i].max) && out[i].n
			? fmax(fabs(out[i].max), fabs(out[i].min))
			: before;
		bool fixed = s->pair->comparison.options.tolerance.rtol <= 0 &&
			s->look.delta != DELTA_RELATIVE;

		before = r;
		out[i] = (struct plot_column){ .n = 1 };
		out[i].max = half_at(s->pair, s->look.delta, fixed ? 1 : r);
	}
	return out;
}

/* The finding first: a long tolerance must not push it out. */
static void put_delta_title(const struct curve_scene *s, struct canvas *c, struct rect r)
{
	const struct run_comparison *k = s->pair;
	const struct comparison *m = &k->comparison;
	struct comparison brief = *m;
	bool chosen = !m->options.tolerance.origin || !*m->options.tolerance.origin;
	struct buf b = BUF_INIT;
	int col = canvas_put(c, r, 0, PLOT_GUTTER, STYLE_DIM,
		s->look.delta == DELTA_PLAIN ? "d = A - R" : delta_mode_name(s->look.delta));

	if (m->has_first_out) {
		buf_adds(&b, "first out at ");
		curves_add_x(&b, &s->look, m->first_out_x);
		buf_addf(&b, ", out at %zu of %zu", m->alignment.n - m->n_inside, m->alignment.n);
	} else {
		buf_addf(&b, "inside at %zu of %zu", m->n_inside, m->alignment.n);
	}
	col = canvas_put(c, r, 0, col + 2, m->has_first_out ? STYLE_BAD : STYLE_GOOD, b.s);
	buf_clear(&b);
	buf_adds(&b, chosen ? "accepted " : "default ");
	brief.options.tolerance.origin = NULL;
	compare_add_tolerance(&b, &brief);
	buf_adds(&b, k->unit);
	canvas_put_fit(c, r, 0, col + 2, r.cols - col - 2, ALIGN_LEFT, STYLE_DIM, b.s);
	buf_release(&b);
}

static void reach(struct plot_view *view, const struct plot_column *columns, bool mirrored)
{
	for (size_t i = 0; i < view->columns; i++) {
		if (!columns[i].n || !isfinite(columns[i].max))
			continue;
		view->y1 = fmax(view->y1, columns[i].max);
		view->y0 = fmin(view->y0, mirrored ? -columns[i].max : columns[i].min);
	}
}

/* y reaches 0, all differences in sight, and both edges of the band. */
static void fit_delta(
	struct plot_view *view, struct plot_source *delta, const struct plot_column *band)
{
	struct plot_column *columns = xcalloc(view->columns + 1, sizeof *columns);
	double margin;

	view->y0 = view->y1 = 0;
	plot_columns(delta, view, columns, NULL);
	reach(view, columns, false);
	reach(view, band, true);
	margin = 0.05 * (view->y1 - view->y0);
	if (!(margin > 0))
		margin = 1;
	view->y0 -= margin;
	view->y1 += margin;
	free(columns);
}

static void draw_delta(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;
	struct plot_view view = self->window;
	struct picture p = { .n = 0 };
	struct plot_column *band;
	bool scaled = s->look.delta == DELTA_PLAIN || s->look.delta == DELTA_ABSOLUTE;

	put_delta_title(s, c, rect_cut_top(&r, 1));
	view.columns = plot_dot_columns(c, r, v->app->mono);
	view.rows = plot_dot_rows(c, r, v->app->mono, false);
	view.log_y = false;
	if (!view.columns || !view.rows || !s->delta)
		return;
	band = tolerance_columns(s, &view);
	fit_delta(&view, s->delta, band);
	add_trace(&p, s->delta, &view, PLOT_ATTEMPT, STYLE_SERIES_2, 'A');
	plot_draw(
		&(struct plot){
			.view = &view,
			.traces = p.traces,
			.n_traces = p.n,
			.x_label = align_axis_name(s->look.axis),
			.tolerance = band,
			.zero_line = true,
			.cursor = cursor_column(self, &view),
			.mono = v->app->mono,
			.y_scale = scaled ? s->pair->scale : 1,
		},
		c, r);
	free(band);
	release_picture(&p);
}

static void draw_plots(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct rect overlay, delta;

	overlay = delta = r;
	delta.rows = 0;
	if (self->scene->pair->has_comparison && !self->zoomed && r.rows >= ROWS_FOR_DELTA)
		delta = rect_cut_bottom(&overlay, r.rows * 9 / 20);
	draw_overlay(v, c, overlay, delta.rows > 0 || r.rows < SMALL_ROWS);
	if (delta.rows)
		draw_delta(v, c, delta);
}

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

static void draw_side(struct curves_view *self, struct canvas *c, struct rect r)
{
	struct rect metrics = rect_cut_top(&r, (r.rows - 1) / 2);

	rect_cut_top(&r, 1);
	draw_list(c, metrics, "metrics", &self->metrics, self->pane == PANE_METRICS);
	draw_list(c, r, "runs", &self->runs, self->pane == PANE_RUNS);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void draw_middle(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct rect side = r;

	side.cols = 0;
	if (!self->zoomed && (r.cols >= SIDE_FROM || self->pane != PANE_PLOT)) {
		side = rect_cut_right(&r, r.cols >= SIDE_FROM ? SIDE_COLS : r.cols / 2);
		rect_cut_left(&side, 2);
	}
	if (self->table)
		curves_table_draw(v, c, r);
	else
		draw_plots(v, c, r);
	if (side.cols > 0)
		draw_side(self, c, side);
}

static void draw_scene(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	struct foot foot = { .n = 0 };
	struct rect bottom;

	draw_head(self->scene, c, &r, self->metric_shown);
	gather_foot(&foot, self, c->ascii, r.cols);
	bottom = rect_cut_bottom(&r,
		r.rows - foot.n >= PLOT_ROWS_MIN ? foot.n
			: r.rows > PLOT_ROWS_MIN ? r.rows - PLOT_ROWS_MIN
						 : 0);
	draw_middle(v, c, r);
	draw_foot(&foot, c, bottom);
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
	draw_scene(v, c, r);
	keep_picture(self, c, body);
}
