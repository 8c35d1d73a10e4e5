/* plot_lines - what lies between points: lines across the edges, and bands. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/plot_private.h"

/* ---- edges --------------------------------------------------------------------- */

/* Do points I and I + 1 belong to one line that can be drawn? */
static bool is_line(const struct plot_source *p, const struct plot_view *v, size_t i)
{
	size_t k = plot_find_point(p->breaks, p->n_breaks, i + 1);

	return i + 1 < p->n && !(k < p->n_breaks && p->breaks[k] == i + 1) &&
		plot_is_drawable(v, plot_source_y(p, i)) &&
		plot_is_drawable(v, plot_source_y(p, i + 1));
}

static double drawn(double v, bool logarithmic)
{
	return logarithmic ? log(v) : v;
}

/* The height at X of what is drawn as a straight line from point I to the next. */
static double height_at(
	const struct plot_source *p, const struct plot_view *v, size_t i, double x)
{
	double x0 = plot_source_x(p, i), x1 = plot_source_x(p, i + 1), f, y;

	if (v->log_x && !(x0 > 0))
		return NAN;
	x0 = drawn(x0, v->log_x);
	x1 = drawn(x1, v->log_x);
	f = x1 > x0 ? (drawn(x, v->log_x) - x0) / (x1 - x0) : 0;
	y = drawn(plot_source_y(p, i), v->log_y);
	y += f * (drawn(plot_source_y(p, i + 1), v->log_y) - y);
	return v->log_y ? exp(y) : y;
}

struct plot_ends plot_ends(const struct plot_source *p, const struct plot_view *v)
{
	size_t first = plot_lower(p, v->x0), end = plot_upper(p, v->x1);
	struct plot_ends ends = { NAN, NAN };

	if (first && first < p->n && plot_source_x(p, first) > v->x0 && is_line(p, v, first - 1))
		ends.left = height_at(p, v, first - 1, v->x0);
	if (end && end < p->n && plot_source_x(p, end - 1) < v->x1 && is_line(p, v, end - 1))
		ends.right = height_at(p, v, end - 1, v->x1);
	return ends;
}

size_t plot_not_positive_x(const struct plot_source *p)
{
	return plot_upper(p, 0);
}

/* ---- bands ---------------------------------------------------------------------- */

static void widen(struct plot_column *out, double low, double high)
{
	if (isnan(low))
		return;
	out->min = fmin(out->min, low);
	out->max = fmax(out->max, high);
	out->n++;
}

/* The columns between two that a line joins; LEFT may be -1, RIGHT one too many. */
static void fill_between(struct plot_column *out, const struct plot_view *v, long left,
	double from, long right, double to)
{
	double low = drawn(from, v->log_y), high = drawn(to, v->log_y);

	for (long i = left + 1; i < right; i++) {
		double y = low + (high - low) * (double)(i - left) / (double)(right - left);

		y = v->log_y ? exp(y) : y;
		widen(&out[i], y, y);
	}
}

static void add_curve(struct plot_column *out, const struct plot_source *p,
	const struct plot_view *v, struct plot_column *columns)
{
	struct plot_ends ends = plot_ends(p, v);
	double before = ends.left;
	long left = -1, n = (long)v->columns;

	plot_columns(p, v, columns, NULL);
	for (long i = 0; i < n; i++) {
		const struct plot_column *k = &columns[i];

		if (!k->n)
			continue;
		if (isnan(k->min)) {
			before = NAN;
			continue;
		}
		if (k->joined && !isnan(before))
			fill_between(out, v, left, before, i, k->first);
		widen(&out[i], k->min, k->max);
		left = i;
		before = k->last;
	}
	if (!isnan(ends.right) && !isnan(before))
		fill_between(out, v, left, before, n, ends.right);
}

void plot_band(struct plot_source *const *sources, size_t n, const struct plot_view *v,
	struct plot_column *out)
{
	struct plot_column *columns = xcalloc(v->columns + 1, sizeof *columns);

	for (size_t i = 0; i < v->columns; i++)
		out[i] = (struct plot_column){ .first = NAN,
			.min = NAN, .max = NAN, .last = NAN, .height = NAN };
	for (size_t i = 0; i < n; i++)
		if (sources[i] && sources[i]->n)
			add_curve(out, sources[i], v, columns);
	free(columns);
}
