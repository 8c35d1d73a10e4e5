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
	if (s->look.delta == DELTA_SIGMA && !(m->options.tolerance.k_sigma > 0))
		buf_addf(&b, "dashes: %d sigma %s; ", SIGMA_SHOWN,
			m->sigma_source == SIGMA_SEEDS ? "over the seeds"
						       : "(assumed: around its trend)");
	buf_adds(&b, chosen ? "accepted " : "default ");
	brief.options.tolerance.origin = NULL;
	compare_add_tolerance(&b, &brief);
	buf_adds(&b, m->options.tolerance.k_sigma > 0 ? "" : k->unit);
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

void curves_draw_delta(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);
	const struct curve_scene *s = self->scene;
	struct plot_view view = self->window;
	struct plot_column *band, *columns;
	bool scaled = s->look.delta == DELTA_PLAIN || s->look.delta == DELTA_ABSOLUTE;
	struct plot_trace trace = { .role = PLOT_ATTEMPT, .style = STYLE_SERIES_2, .letter = 'A' };

	put_delta_title(s, c, rect_cut_top(&r, 1));
	view.columns = plot_dot_columns(c, r, v->app->mono);
	view.rows = plot_dot_rows(c, r, v->app->mono, false);
	view.log_y = view.clip = false;
	if (!view.columns || !view.rows || !s->delta)
		return;
	band = tolerance_columns(s, &view);
	fit_delta(&view, s->delta, band);
	columns = xcalloc(view.columns + 1, sizeof *columns);
	plot_columns(s->delta, &view, columns, NULL);
	trace.columns = columns;
	trace.ends = plot_ends(s->delta, &view);
	plot_draw(
		&(struct plot){
			.view = &view,
			.traces = &trace,
			.n_traces = 1,
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
	free(columns);
	free(band);
}
