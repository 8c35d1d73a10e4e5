/* plot_source - which points are drawn, brought up to date as a series grows. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/plot_private.h"

struct plot_source *plot_source_new(void)
{
	return xcalloc(1, sizeof(struct plot_source));
}

static void clear(struct plot_source *p)
{
	p->n = p->n_seen = p->n_breaks = p->n_starts = 0;
	p->newest = 0;
	p->series = NULL;
	p->comparison = NULL;
	p->borrowed = p->integer = false;
	pyramid_release(&p->pyramid);
}

void plot_source_free(struct plot_source *p)
{
	if (!p)
		return;
	clear(p);
	free(p->x);
	free(p->y);
	free(p->point);
	free(p->segment);
	free(p->breaks);
	free(p->starts);
	free(p);
}

static double difference_at(const void *user, size_t i)
{
	const struct plot_source *p = user;

	return compare_delta(p->comparison, i, p->delta);
}

struct pyramid_values plot_values(const struct plot_source *p)
{
	if (p->comparison)
		return (struct pyramid_values){ .at = difference_at, .user = p };
	if (!p->borrowed || p->how.smooth.mode != SMOOTH_NONE)
		return (struct pyramid_values){ .real = p->y };
	if (p->series->kind == VALUE_FLOAT)
		return (struct pyramid_values){ .real32 = p->series->value32 };
	return (struct pyramid_values){ .real = p->series->value };
}

size_t plot_source_n(const struct plot_source *p)
{
	return p->n;
}

double plot_source_x(const struct plot_source *p, size_t i)
{
	if (p->comparison)
		return align_pair_at(&p->comparison->alignment, i).x;
	if (p->borrowed)
		return (double)p->series->x[i] + (double)p->how.shift;
	return p->x[i];
}

double plot_source_y(const struct plot_source *p, size_t i)
{
	return pyramid_value(plot_values(p), i);
}

uint32_t plot_segment(const struct plot_source *p, size_t i)
{
	return p->borrowed || p->comparison || !p->segment ? 0 : p->segment[i];
}

size_t plot_source_bytes(const struct plot_source *p)
{
	size_t a_point = sizeof *p->x + sizeof *p->point + sizeof *p->segment;

	return sizeof *p + p->cap * a_point + p->cap_y * sizeof *p->y +
		(p->cap_breaks + p->cap_starts) * sizeof *p->breaks + pyramid_bytes(&p->pyramid);
}

size_t plot_lower(const struct plot_source *p, double x)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plot_source_x(p, middle) < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t plot_upper(const struct plot_source *p, double x)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plot_source_x(p, middle) <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t grown(size_t cap, size_t n)
{
	return n > cap + cap / 2 ? n : cap + cap / 2;
}

static void reserve_y(struct plot_source *p, size_t n)
{
	if (n <= p->cap_y)
		return;
	p->cap_y = grown(p->cap_y, n);
	p->y = xreallocarray(p->y, p->cap_y, sizeof *p->y);
}

static void reserve(struct plot_source *p, size_t n)
{
	reserve_y(p, n);
	if (n <= p->cap)
		return;
	p->cap = grown(p->cap, n);
	p->x = xreallocarray(p->x, p->cap, sizeof *p->x);
	p->point = xreallocarray(p->point, p->cap, sizeof *p->point);
	p->segment = xreallocarray(p->segment, p->cap, sizeof *p->segment);
}

/* A parallel writer opens a segment and restarts nothing. */
static bool is_restart(const struct plot_source *p, uint32_t segment)
{
	return !p->series || segment >= p->series->n_segments ||
		!p->series->segments[segment].concurrent;
}

/*
 * Where all segments are drawn their points may alternate: each change ends a line,
 * and only the first point of a segment is a restart.
 */
static void note_segment(struct plot_source *p, uint32_t segment)
{
	if (p->n && segment != p->segment[p->n - 1]) {
		ARRAY_GROW(p->breaks, p->n_breaks, p->cap_breaks);
		p->breaks[p->n_breaks++] = p->n;
	}
	if (p->n && segment > p->newest && is_restart(p, segment)) {
		ARRAY_GROW(p->starts, p->n_starts, p->cap_starts);
		p->starts[p->n_starts++] = p->n;
	}
	if (!p->n || segment > p->newest)
		p->newest = segment;
}

static void add_point(struct plot_source *p, double x, double y, size_t point, uint32_t segment)
{
	reserve(p, p->n + 1);
	note_segment(p, segment);
	p->x[p->n] = x;
	p->y[p->n] = y;
	p->point[p->n] = point;
	p->segment[p->n++] = segment;
}

static bool same_how(const struct plot_how *a, const struct plot_how *b)
{
	return a->axis == b->axis && a->policy == b->policy && a->smooth.mode == b->smooth.mode &&
		a->smooth.parameter >= b->smooth.parameter &&
		a->smooth.parameter <= b->smooth.parameter && a->shift == b->shift &&
		a->until_wall_s >= b->until_wall_s && a->until_wall_s <= b->until_wall_s &&
		a->scale.counter == b->scale.counter && a->scale.per_step >= b->scale.per_step &&
		a->scale.per_step <= b->scale.per_step;
}

/* One segment of strictly rising steps: drawn as it is. */
static bool can_borrow(const struct series *s, const struct plot_how *how, size_t from)
{
	if (how->axis != ALIGN_STEP || how->until_wall_s > 0 || s->n_segments > 1)
		return false;
	if (from < s->n_rising)
		from = s->n_rising;
	for (size_t i = from > 1 ? from : 1; i < s->n; i++)
		if (s->x[i] <= s->x[i - 1])
			return false;
	return true;
}

static bool all_equal(const struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!(series_value(s, i) >= series_value(s, 0) &&
			    series_value(s, i) <= series_value(s, 0)))
			return false;
	return true;
}

/* Takes the columns of S; smoothed values are computed from where they ended. */
static void borrow(struct plot_source *p, const struct series *s, const struct plot_how *how)
{
	bool constant = how->smooth.mode == SMOOTH_COUNT && p->smoother.options.mode == SMOOTH_NONE;

	p->borrowed = p->integer = true;
	p->series = s;
	p->how = *how;
	if (how->smooth.mode == SMOOTH_NONE) {
		p->n = s->n;
		return;
	}
	/* A curve that was constant is not smoothed, until it changes. */
	if (!p->n || constant) {
		struct smooth_options o = how->smooth;

		if (o.mode == SMOOTH_COUNT && all_equal(s))
			o.mode = SMOOTH_NONE;
		smoother_init(&p->smoother, &o);
		pyramid_release(&p->pyramid);
		p->n = 0;
	}
	reserve_y(p, s->n);
	for (; p->n < s->n; p->n++)
		p->y[p->n] = smoother_next(&p->smoother, (double)s->x[p->n], series_value(s, p->n));
}

/*
 * May new points be added behind the old ones?  Only in the same last segment,
 * with rising steps, and unsmoothed-constant rules out: an all-equal curve is not
 * smoothed, so its first other value changes every drawn point.
 */
static bool can_extend(
	const struct plot_source *p, const struct series *s, const struct plot_how *how)
{
	bool steps = how->axis == ALIGN_STEP;

	if (p->series != s || !p->n || p->borrowed || s->n < p->n_seen || !steps ||
		!same_how(&p->how, how))
		return false;
	if (how->until_wall_s > 0 || s->segments[s->n_segments - 1].first >= p->n_seen)
		return false;
	if (how->smooth.mode == SMOOTH_COUNT && p->smoother.options.mode == SMOOTH_NONE)
		return false;
	for (size_t i = p->n_seen; i < s->n; i++)
		if (s->x[i] <= s->x[i - 1])
			return false;
	return true;
}

static void extend(struct plot_source *p, const struct series *s)
{
	uint32_t segment = (uint32_t)(s->n_segments - 1);

	for (size_t i = p->n_seen; i < s->n; i++) {
		double x = (double)s->x[i] + (double)p->how.shift;
		double y = smoother_next(&p->smoother, x, series_value(s, i));

		add_point(p, x, y, i, segment);
	}
}

static bool values_equal(const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(y[i] >= y[0] && y[i] <= y[0]))
			return false;
	return true;
}

static void smooth_points(struct plot_source *p, const struct axis_points *points)
{
	struct smooth_options o = p->how.smooth;

	if (o.mode == SMOOTH_COUNT && values_equal(points->value, points->n))
		o.mode = SMOOTH_NONE;
	smoother_init(&p->smoother, &o);
}

static bool is_later(const struct series *s, size_t point, double until_wall_s)
{
	return until_wall_s > 0 && series_has_instants(s) && series_wall(s, point) > until_wall_s;
}

static int rebuild(struct plot_source *p, const struct series *s, const struct plot_how *how)
{
	struct axis_points points;
	int rc = align_axis_points_scaled(&points, s, how->axis, how->policy, &how->scale);

	if (rc)
		return rc;
	p->series = s;
	p->integer = points.integer;
	reserve(p, points.n);
	smooth_points(p, &points);
	for (size_t i = 0; i < points.n; i++) {
		double x = points.x[i] + (points.integer ? (double)how->shift : 0);

		if (is_later(s, points.point[i], how->until_wall_s))
			continue;
		add_point(p, x, smoother_next(&p->smoother, x, points.value[i]), points.point[i],
			points.segment[i]);
	}
	axis_points_release(&points);
	return 0;
}

/* That of the series where it has one over just these values. */
static void update_pyramid(struct plot_source *p, const struct series *s)
{
	if (p->borrowed && p->how.smooth.mode == SMOOTH_NONE && s->pyramid && s->pyramid->n == p->n)
		pyramid_borrow(&p->pyramid, s->pyramid);
	else if (p->pyramid.borrowed)
		pyramid_release(&p->pyramid);
	pyramid_update(&p->pyramid, plot_values(p), p->n);
}

int plot_source_update(struct plot_source *p, const struct series *s, const struct plot_how *how)
{
	bool same = p->series == s && same_how(&p->how, how);
	int rc = 0;

	if (same && p->version == s->version && p->n_seen == s->n)
		return 0;
	if (!same || s->n < p->n_seen)
		clear(p);
	if (align_axis_exists(s, how->axis) && (!p->n || p->borrowed) &&
		can_borrow(s, how, p->n_seen)) {
		borrow(p, s, how);
	} else if (can_extend(p, s, how)) {
		extend(p, s);
	} else {
		clear(p);
		p->how = *how;
		rc = rebuild(p, s, how);
	}
	if (rc)
		return rc;
	p->series = s;
	p->how = *how;
	p->version = s->version;
	p->n_seen = s->n;
	update_pyramid(p, s);
	return 0;
}

/* The x of a shifted attempt is where it was compared. */
static void take_pairs(struct plot_source *p, const struct comparison *c)
{
	clear(p);
	p->how = (struct plot_how){ .axis = c->alignment.options.axis };
	p->integer = c->alignment.integer;
}

void plot_source_delta(struct plot_source *p, const struct comparison *c, enum delta_mode mode)
{
	take_pairs(p, c);
	if (!c->alignment.pairs) {
		p->comparison = c;
		p->delta = mode;
		p->n = c->alignment.n;
	} else {
		reserve(p, c->alignment.n);
	}
	for (size_t i = 0; !p->comparison && i < c->alignment.n; i++) {
		struct align_pair pair = align_pair_at(&c->alignment, i);

		add_point(p, pair.x, compare_delta(c, i, mode), i, pair.attempt_segment);
	}
	pyramid_update(&p->pyramid, plot_values(p), p->n);
}

void plot_source_tolerance(
	struct plot_source *p, const struct comparison *c, enum delta_mode mode)
{
	take_pairs(p, c);
	reserve(p, c->alignment.n);
	for (size_t i = 0; i < c->alignment.n; i++)
		add_point(p, align_pair_at(&c->alignment, i).x, compare_tolerance_in(c, i, mode), i,
			0);
	pyramid_update(&p->pyramid, plot_values(p), p->n);
}

void plot_source_points(struct plot_source *p, const double *x, const double *y, size_t n)
{
	clear(p);
	p->how = (struct plot_how){ .axis = ALIGN_STEP };
	reserve(p, n);
	for (size_t i = 0; i < n; i++)
		add_point(p, x[i], y[i], i, 0);
	pyramid_update(&p->pyramid, plot_values(p), p->n);
}
