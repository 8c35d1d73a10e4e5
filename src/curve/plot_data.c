/* plot_data - the window, and what each dot column of it holds. */
#include "config.h"

#include "curve/plot_data.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/plot_private.h"

/*
 * Up to so many points of a window each is looked at; of more, so many spread
 * over it.  Every look at a long column waits for memory: that is what a frame costs.
 */
enum {
	CLIP_EXACT_MAX = 32768,
	CLIP_SAMPLE = 8192,
	OUTSIDE_EXACT_MAX = 131072,
	OUTSIDE_SAMPLE = 16384
};

/* Position of V between the ends, from 0 to 1, on the axis as it is drawn. */
static double fraction(double v, double low, double high, bool logarithmic)
{
	if (logarithmic) {
		v = log(v);
		low = log(low);
		high = log(high);
	}
	return high > low ? (v - low) / (high - low) : 0.5;
}

static double at_fraction(double f, double low, double high, bool logarithmic)
{
	if (logarithmic)
		return exp(log(low) + f * (log(high) - log(low)));
	return low + f * (high - low);
}

/* The x at which column COLUMN begins. */
static double column_edge(const struct plot_view *v, size_t column)
{
	return at_fraction((double)column / (double)v->columns, v->x0, v->x1, v->log_x);
}

double plot_x_of(const struct plot_view *v, size_t column)
{
	return at_fraction(((double)column + 0.5) / (double)v->columns, v->x0, v->x1, v->log_x);
}

size_t plot_column_of(const struct plot_view *v, double x)
{
	double f = fraction(x, v->x0, v->x1, v->log_x) * (double)v->columns;

	if (!v->columns || !(f > 0))
		return 0;
	return f >= (double)v->columns ? v->columns - 1 : (size_t)f;
}

int plot_row(const struct plot_view *v, double y)
{
	double f;

	if (isnan(y) || !v->rows)
		return -1;
	if (v->log_y && !(y > 0))
		return (int)v->rows - 1;
	f = (1 - fraction(y, v->y0, v->y1, v->log_y)) * (double)(v->rows - 1);
	if (!(f > 0))
		return 0;
	return f >= (double)(v->rows - 1) ? (int)v->rows - 1 : (int)(f + 0.5);
}

/* Ranges that hold no width are given some, so that one value is a line in
 * the middle. */
static void widen(double *low, double *high, bool logarithmic)
{
	double pad = fmax(fabs(*low), fabs(*high)) * 0.05;

	if (*high > *low)
		return;
	if (logarithmic) {
		*low /= 2;
		*high *= 2;
		return;
	}
	if (!(pad > 0))
		pad = 0.5;
	*low -= pad;
	*high += pad;
}

/* The finite range of Y inside the window; with LOG_Y of the positive values. */
static void extend_range(
	const struct plot_source *p, const struct plot_view *v, double *low, double *high)
{
	size_t first = plot_lower(p, v->x0), end = plot_upper(p, v->x1);
	struct pyramid_range r = pyramid_query(&p->pyramid, plot_values(p), first, end);

	if (!r.n_finite)
		return;
	if (v->log_y && isnan(r.min_positive))
		return;
	*high = fmax(*high, r.max);
	*low = fmin(*low, v->log_y ? r.min_positive : r.min);
}

/* A line that only crosses the window has its ends at the edges. */
static void extend_to_ends(
	const struct plot_source *p, const struct plot_view *v, double *low, double *high)
{
	struct plot_ends ends = plot_ends(p, v);

	*low = fmin(*low, fmin(ends.left, ends.right));
	*high = fmax(*high, fmax(ends.left, ends.right));
}

static size_t stride_of(size_t n, size_t exact_max, size_t sample)
{
	return n > exact_max ? n / sample + 1 : 1;
}

/* Every STRIDE-th value inside the window. */
static size_t sample_values(
	const struct plot_source *p, const struct plot_view *v, size_t stride, double *out)
{
	size_t first = plot_lower(p, v->x0), end = plot_upper(p, v->x1), n = 0;

	for (size_t i = first; i < end; i += stride) {
		double y = plot_source_y(p, i);

		if (plot_is_drawable(v, y))
			out[n++] = y;
	}
	return n;
}

static size_t points_inside(
	struct plot_source *const *sources, size_t n, const struct plot_view *v)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += plot_upper(sources[i], v->x1) - plot_lower(sources[i], v->x0);
	return sum;
}

/*
 * The percentiles of all curves together, as TensorBoard takes them.  Of very many
 * points every K-th counts, which moves them by less than a dot.
 */
static void clip_range(struct plot_source *const *sources, size_t n, const struct plot_view *v,
		double *low, double *high)
{
	size_t inside = points_inside(sources, n, v), have = 0;
	size_t stride = stride_of(inside, CLIP_EXACT_MAX, CLIP_SAMPLE);
	double *values = xreallocarray(NULL, inside / stride + n + 1, sizeof *values);

	for (size_t i = 0; i < n; i++)
		have += sample_values(sources[i], v, stride, values + have);
	if (have)
		smooth_clip_range(values, have, low, high);
	free(values);
}

void plot_view_fit_y(struct plot_view *v, struct plot_source *const *sources, size_t n)
{
	double low = INFINITY, high = -INFINITY;

	if (v->clip)
		clip_range(sources, n, v, &low, &high);
	for (size_t i = 0; i < n && !v->clip; i++)
		extend_range(sources[i], v, &low, &high);
	for (size_t i = 0; i < n; i++)
		extend_to_ends(sources[i], v, &low, &high);
	if (!isfinite(low) || !isfinite(high)) {
		low = v->log_y ? 0.1 : 0;
		high = 1;
	}
	widen(&low, &high, v->log_y);
	v->y0 = low;
	v->y1 = high;
}

void plot_view_fit(struct plot_view *v, struct plot_source *const *sources, size_t n,
	size_t columns, size_t rows)
{
	double low = INFINITY, high = -INFINITY;

	v->columns = columns;
	v->rows = rows;
	for (size_t i = 0; i < n; i++) {
		const struct plot_source *p = sources[i];
		size_t first = v->log_x ? plot_upper(p, 0) : 0;

		if (first >= p->n)
			continue;
		low = fmin(low, plot_source_x(p, first));
		high = fmax(high, plot_source_x(p, p->n - 1));
	}
	if (!isfinite(low) || !isfinite(high)) {
		low = v->log_x ? 1 : 0;
		high = v->log_x ? 10 : 1;
	}
	widen(&low, &high, v->log_x);
	v->x0 = low;
	v->x1 = high;
	plot_view_fit_y(v, sources, n);
}

void plot_view_zoom(struct plot_view *v, double x, double factor)
{
	double f = fraction(x, v->x0, v->x1, v->log_x);
	double low = at_fraction(f - f * factor, v->x0, v->x1, v->log_x);
	double high = at_fraction(f + (1 - f) * factor, v->x0, v->x1, v->log_x);

	if (!(high > low) || !isfinite(low) || !isfinite(high))
		return;
	v->x0 = low;
	v->x1 = high;
}

void plot_view_pan(struct plot_view *v, double share)
{
	double low = at_fraction(share, v->x0, v->x1, v->log_x);
	double high = at_fraction(1 + share, v->x0, v->x1, v->log_x);

	if (!(high > low) || !isfinite(low) || !isfinite(high))
		return;
	v->x0 = low;
	v->x1 = high;
}

bool plot_is_drawable(const struct plot_view *v, double y)
{
	return isfinite(y) && (!v->log_y || y > 0);
}

/* First and last drawable value; at most a few steps from the ends unless
 * the column is full of NaN. */
static void find_ends(const struct plot_source *p, const struct plot_view *v, struct plot_column *c)
{
	size_t i = c->first_point, end = c->first_point + c->n;

	while (i < end && !plot_is_drawable(v, plot_source_y(p, i)))
		i++;
	if (i == end)
		return;
	c->first = plot_source_y(p, i);
	while (!plot_is_drawable(v, plot_source_y(p, end - 1)))
		end--;
	c->last = plot_source_y(p, end - 1);
}

static void mark_nonfinite(
	struct plot_column *c, const struct pyramid_range *r, struct plot_counts *counts)
{
	c->n_nonfinite = r->n - r->n_finite;
	counts->n += r->n;
	counts->n_nan += r->n_nan;
	counts->n_plus_inf += r->n_plus_inf;
	counts->n_minus_inf += r->n_minus_inf;
	if (r->n_nan)
		c->marks |= PLOT_NAN;
	if (r->n_plus_inf)
		c->marks |= PLOT_PLUS_INF;
	if (r->n_minus_inf)
		c->marks |= PLOT_MINUS_INF;
}

static void mark_outside(const struct plot_view *v, struct plot_column *c)
{
	if (c->max > v->y1)
		c->marks |= PLOT_ABOVE;
	if (c->min < v->y0)
		c->marks |= PLOT_BELOW;
}

/*
 * Points above and below the window.  Of very many points every K-th is looked
 * at, and the counts say that they are estimates.
 */
static void count_outside(
	const struct plot_source *p, const struct plot_view *v, struct plot_counts *counts)
{
	size_t first = plot_lower(p, v->x0), end = plot_upper(p, v->x1);
	size_t stride = end > first ? stride_of(end - first, OUTSIDE_EXACT_MAX, OUTSIDE_SAMPLE) : 1;

	for (size_t i = first; i < end; i += stride) {
		double y = plot_source_y(p, i);

		if (!plot_is_drawable(v, y))
			continue;
		counts->n_above += y > v->y1 ? stride : 0;
		counts->n_below += y < v->y0 ? stride : 0;
	}
	counts->outside_is_estimate = stride > 1;
}

static void fill_column(const struct plot_source *p, const struct plot_view *v,
	struct plot_column *c, struct plot_counts *counts)
{
	struct pyramid_range r =
		pyramid_query(&p->pyramid, plot_values(p), c->first_point, c->first_point + c->n);

	mark_nonfinite(c, &r, counts);
	c->min = v->log_y ? r.min_positive : r.min;
	c->max = isnan(c->min) ? NAN : r.max;
	if (v->log_y && r.n_not_positive) {
		c->marks |= PLOT_NOT_POSITIVE;
		counts->n_not_positive += r.n_not_positive;
	}
	if (!isnan(c->max))
		find_ends(p, v, c);
	mark_outside(v, c);
}

size_t plot_find_point(const size_t *at, size_t n, size_t point)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (at[middle] < point)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Drawn value just before the window, so that a line can come in. */
static double height_before(const struct plot_source *p, const struct plot_view *v, size_t first)
{
	enum { LOOK_BACK = 1024 };

	for (size_t i = first, tries = 0; i > 0 && tries < LOOK_BACK; i--, tries++)
		if (plot_is_drawable(v, plot_source_y(p, i - 1)))
			return plot_source_y(p, i - 1);
	return NAN;
}

/* Where the column's last finite value was, while columns are walked. */
struct walk {
	double height;
	size_t last_point;	/* SIZE_MAX: none yet */
	size_t next_break, next_start;
};

/* Whether a segment begins with the column, and the restarts in it. */
static bool pass_breaks(const struct plot_source *p, struct plot_column *c, struct walk *w,
	struct plot_counts *counts)
{
	size_t end = c->first_point + c->n;
	bool broken = false;

	for (; w->next_break < p->n_breaks && p->breaks[w->next_break] < end; w->next_break++)
		broken |= p->breaks[w->next_break] == c->first_point;
	for (; w->next_start < p->n_starts && p->starts[w->next_start] < end; w->next_start++) {
		c->marks |= PLOT_RESTART;
		counts->n_restarts++;
	}
	return broken;
}

static void join_column(const struct plot_source *p, struct plot_column *c, struct walk *w,
	struct plot_counts *counts)
{
	size_t end = c->first_point + c->n;
	bool broken = pass_breaks(p, c, w, counts);

	/* A NaN at the seam breaks the line as a new segment does. */
	c->joined = c->n && w->last_point != SIZE_MAX && !broken && !isnan(c->first) &&
		isfinite(plot_source_y(p, c->first_point)) &&
		isfinite(plot_source_y(p, w->last_point));
	if (!isnan(c->last))
		w->height = c->last;
	c->height = w->height;
	if (c->n)
		w->last_point = end - 1;
}

void plot_columns(const struct plot_source *p, const struct plot_view *v, struct plot_column *out,
		struct plot_counts *counts)
{
	struct plot_counts none = { .n = 0 }, *sum = counts ? counts : &none;
	size_t at = p->n ? plot_lower(p, v->x0) : 0;
	struct walk w = { NAN, at ? at - 1 : SIZE_MAX,
		plot_find_point(p->breaks, p->n_breaks, at ? at : 1),
		plot_find_point(p->starts, p->n_starts, at ? at : 1) };
	bool outside = false;

	*sum = none;
	w.height = height_before(p, v, at);
	for (size_t i = 0; i < v->columns; i++) {
		struct plot_column *c = &out[i];
		size_t end = i + 1 == v->columns ? plot_upper(p, v->x1)
						 : plot_lower(p, column_edge(v, i + 1));

		*c = (struct plot_column){
			.first_point = at, .n = end > at ? end - at : 0,
			.first = NAN, .min = NAN, .max = NAN, .last = NAN,
		};
		if (c->n)
			fill_column(p, v, c, sum);
		join_column(p, c, &w, sum);
		outside |= (c->marks & (PLOT_ABOVE | PLOT_BELOW)) != 0;
		at += c->n;
	}
	if (counts && outside)
		count_outside(p, v, sum);
}
