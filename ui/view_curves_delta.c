/* view_curves_delta - the pane of differences; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>

/* Dashes in units of the spread, where the tolerance is none of it. */
enum { SIGMA_SHOWN = 2 };

/* Half the height of the band where the reference is R, in units of the pane. */
static double half_at(const struct tolerance *t, enum delta_mode mode, double r)
{
	r = fabs(r);
	switch (mode) {
	case DELTA_PLAIN: case DELTA_ABSOLUTE:
		return t->atol + (t->rtol > 0 ? t->rtol * r : 0);
	case DELTA_RELATIVE:
		return r > 0 ? t->atol / r + t->rtol : NAN;
	case DELTA_SIGMA:
		return t->k_sigma > 0 ? t->k_sigma : SIGMA_SHOWN;
	case DELTA_LOG2:
		break;
	}
	return NAN;
}

/* From the columns of the reference: no source of its own, whatever the length. */
static struct plot_column *tolerance_columns(
	const struct curve_scene *s, const struct plot_view *view)
{
	const struct tolerance *t = &s->pair->comparison.options.tolerance;
	struct plot_column *out = xcalloc(view->columns + 1, sizeof *out);
	const struct plot_source *reference = s->main ? s->main->lines[0].drawn : NULL;
	bool fixed = t->rtol <= 0 && s->look.delta != DELTA_RELATIVE;
	double before = NAN;

	if (s->tolerance) {
		plot_columns(s->tolerance, view, out, NULL);
		return out;
	}
	if (reference && !fixed)
		plot_columns(reference, view, out, NULL);
	for (size_t i = 0; i < view->columns; i++) {
		double r = isfinite(out[i].max) && out[i].n
			? fmax(fabs(out[i].max), fabs(out[i].min))
			: before;

		before = r;
		out[i] = (struct plot_column){ .n = 1 };
		out[i].max = half_at(t, s->look.delta, fixed ? 1 : r);
	}
	return out;
}

/* What holds of one run; of the second and later ones in short. */
static void add_finding(
	struct buf *out, const struct curve_scene *s, const struct comparison *m, bool brief)
{
	if (m->has_first_out && !brief) {
		buf_adds(out, "first out at ");
		curves_add_x(out, &s->look, m->first_out_x);
		buf_adds(out, ", ");
	}
	if (m->has_first_out)
		buf_addf(out, "out at %zu of %zu", m->alignment.n - m->n_inside, m->alignment.n);
	else
		buf_addf(out, "inside at %zu of %zu", m->n_inside, m->alignment.n);
}

static bool has_further(const struct curve_scene *s)
{
	for (size_t i = 0; i < s->n_further; i++)
		if (s->further_deltas[i])
			return true;
	return false;
}

static int put_finding(struct canvas *c, struct rect r, int col, const struct curve_scene *s,
	const struct comparison *m, char letter)
{
	bool several = has_further(s);
	struct buf b = BUF_INIT;

	add_finding(&b, s, m, letter != 'A');
	if (several)
		col = canvas_putf(c, r, 0, col + 2, curves_style(letter), "%c ", letter) - 2;
	canvas_put_fit(c, r, 0, col + 2, r.cols - col - 2, ALIGN_LEFT,
		m->has_first_out ? STYLE_BAD : STYLE_GOOD, b.s);
	col += 2 + (int)b.n;
	buf_release(&b);
	return col < r.cols ? col : r.cols;
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
		s->look.delta != DELTA_PLAIN ? delta_mode_name(s->look.delta)
			: has_further(s)     ? "d = run - R"
					     : "d = A - R");

	col = put_finding(c, r, col, s, m, 'A');
	for (size_t i = 0; i < s->n_further && col < r.cols; i++)
		if (s->further_deltas[i])
			col = put_finding(c, r, col, s, &s->further_comparisons[i],
				s->further_letters[i]);
	if (s->look.delta == DELTA_SIGMA && !(m->options.tolerance.k_sigma > 0))
		buf_addf(&b, "dashes: %d sigma %s; ", SIGMA_SHOWN,
			m->sigma_source == SIGMA_SEEDS ? "over the seeds"
						       : "(assumed: around its trend)");
	buf_adds(&b, chosen ? "accepted " : "default ");
	brief.options.tolerance.origin = NULL;
	compare_add_tolerance(&b, &brief);
	buf_adds(&b, m->options.tolerance.k_sigma > 0 ? "" : k->unit);
	if (col + 2 < r.cols)
		canvas_put_fit(
			c, r, 0, col + 2, r.cols - col - 2, ALIGN_LEFT, STYLE_DIM, b.s);
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

/* The differences that are drawn: of further runs, then of A, which stands in front. */
struct deltas {
	struct plot_source *sources[SCENE_FURTHER_MAX + 1];
	struct plot_column *columns[SCENE_FURTHER_MAX + 1];
	struct plot_trace traces[SCENE_FURTHER_MAX + 1];
	int n;
};

static void add_delta(struct deltas *d, struct plot_source *source, char letter,
	const struct plot_view *view)
{
	if (!source)
		return;
	d->sources[d->n] = source;
	d->columns[d->n] = xcalloc(view->columns + 1, sizeof **d->columns);
	plot_columns(source, view, d->columns[d->n], NULL);
	d->traces[d->n] = (struct plot_trace){ .columns = d->columns[d->n],
		.role = PLOT_ATTEMPT,
		.style = curves_style(letter),
		.letter = letter };
	d->n++;
}

static void gather_deltas(
	struct deltas *d, const struct curve_scene *s, const struct plot_view *view)
{
	d->n = 0;
	for (size_t i = 0; i < s->n_further; i++)
		add_delta(d, s->further_deltas[i], s->further_letters[i], view);
	add_delta(d, s->delta, 'A', view);
}

/* y reaches 0, all differences in sight, and both edges of the band. */
static void fit_delta(
	struct plot_view *view, const struct deltas *d, const struct plot_column *band)
{
	double margin;

	view->y0 = view->y1 = 0;
	for (int i = 0; i < d->n; i++)
		reach(view, d->columns[i], false);
	reach(view, band, true);
	margin = 0.05 * (view->y1 - view->y0);
	if (!(margin > 0))
		margin = 1;
	view->y0 -= margin;
	view->y1 += margin;
}

static void release_deltas(struct deltas *d)
{
	for (int i = 0; i < d->n; i++)
		free(d->columns[i]);
}

void curves_draw_delta(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;
	struct plot_view view = self->window;
	struct plot_column *band;
	bool scaled = s->look.delta == DELTA_PLAIN || s->look.delta == DELTA_ABSOLUTE;
	struct deltas d;

	put_delta_title(s, c, rect_cut_top(&r, 1));
	view.columns = plot_dot_columns(c, r, v->app->mono);
	view.rows = plot_dot_rows(c, r, v->app->mono, false);
	view.log_y = view.clip = false;
	if (!view.columns || !view.rows || !s->delta)
		return;
	band = tolerance_columns(s, &view);
	gather_deltas(&d, s, &view);
	fit_delta(&view, &d, band);
	for (int i = 0; i < d.n; i++)
		plot_columns(d.sources[i], &view, d.columns[i], NULL);
	for (int i = 0; i < d.n; i++)
		d.traces[i].ends = plot_ends(d.sources[i], &view);
	plot_draw(
		&(struct plot){
			.view = &view,
			.traces = d.traces,
			.n_traces = d.n,
			.x_kind = curves_x_kind(&s->look),
			.x_label = curves_axis_title(&s->look),
			.tolerance = band,
			.zero_line = true,
			.cursor = curves_cursor_column(self, &view),
			.own_cursor = true,
			.mono = v->app->mono,
			.y_scale = scaled ? s->pair->scale : 1,
		},
		c, r);
	release_deltas(&d);
	free(band);
}
