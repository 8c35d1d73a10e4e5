/* align_axis - the current points of a series on an axis, ascending. */
#include "config.h"

#include "curve/align.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "curve/statistics.h"

#define GAP_FACTOR 10

static const struct {
	const char *name;
	bool integer;
} axes[] = {
	[ALIGN_STEP] = { "step", true },
	[ALIGN_FROM_START] = { "step-from-start", true },
	[ALIGN_EPOCH] = { "epoch", false },
	[ALIGN_TIME] = { "time", false },
	[ALIGN_CLIPPED_TIME] = { "time-without-gaps", false },
	[ALIGN_WALL] = { "wall", false },
	[ALIGN_SAMPLES] = { "samples", false },
	[ALIGN_TOKENS] = { "tokens", false },
};

static const char *const mode_names[] = {
	[ALIGN_EXACT] = "exact",
	[ALIGN_NEAREST] = "nearest",
	[ALIGN_HOLD] = "hold",
	[ALIGN_LINEAR] = "linear",
	[ALIGN_WINDOW] = "window",
};

const char *align_axis_name(enum align_axis a)
{
	return axes[a].name;
}

bool align_axis_from_name(enum align_axis *out, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(axes); i++) {
		if (strcmp(axes[i].name, name) == 0) {
			*out = (enum align_axis)i;
			return true;
		}
	}
	return false;
}

const char *align_mode_name(enum align_mode m)
{
	return mode_names[m];
}

bool align_mode_from_name(enum align_mode *out, const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(mode_names); i++) {
		if (strcmp(mode_names[i], name) == 0) {
			*out = (enum align_mode)i;
			return true;
		}
	}
	return false;
}

static bool x_is_integer(const struct series *s)
{
	return s->axis == AXIS_STEP || s->axis == AXIS_ORDINAL || s->axis == AXIS_EVAL_STEP;
}

bool align_axis_exists(const struct series *s, enum align_axis axis)
{
	switch (axis) {
	case ALIGN_STEP:
	case ALIGN_FROM_START:
		return x_is_integer(s);
	case ALIGN_EPOCH:
		return s->axis == AXIS_EPOCH || series_has_epoch(s);
	case ALIGN_TIME:
	case ALIGN_CLIPPED_TIME:
		return s->axis == AXIS_TIME || series_has_wall(s);
	case ALIGN_WALL:
		return series_has_wall(s);
	case ALIGN_SAMPLES:
	case ALIGN_TOKENS:
		return s->axis == AXIS_STEP;
	}
	return false;
}

bool align_axis_is_scaled(enum align_axis axis)
{
	return axis == ALIGN_SAMPLES || axis == ALIGN_TOKENS;
}

bool axis_scale_known(const struct axis_scale *scale)
{
	return scale && ((scale->counter && scale->counter->n) || scale->per_step > 0);
}

/* Integers that order like the doubles they stand for. */
static int64_t key_of_real(double x)
{
	double positive_zero = x + 0.0;
	int64_t bits;

	memcpy(&bits, &positive_zero, sizeof bits);
	return bits < 0 ? (int64_t)((uint64_t)INT64_MIN - (uint64_t)bits) : bits;
}

static double real_of(const struct series *s, size_t i, enum align_axis axis)
{
	if (axis == ALIGN_EPOCH)
		return s->axis == AXIS_EPOCH ? series_x(s, i) : series_epoch(s, i);
	if (s->axis == AXIS_TIME && axis != ALIGN_WALL)
		return series_x(s, i);
	return series_wall(s, i);
}

static void allocate(struct axis_points *p, size_t n)
{
	p->key = xreallocarray(NULL, n + 1, sizeof *p->key);
	p->x = xreallocarray(NULL, n + 1, sizeof *p->x);
	p->value = xreallocarray(NULL, n + 1, sizeof *p->value);
	p->point = xreallocarray(NULL, n + 1, sizeof *p->point);
	p->segment = xreallocarray(NULL, n + 1, sizeof *p->segment);
}

void axis_points_release(struct axis_points *p)
{
	free(p->key);
	free(p->x);
	free(p->value);
	free(p->point);
	free(p->segment);
	*p = (struct axis_points){ .n = 0 };
}

/* Segment of POINT; NEAR is the answer for the point before, most often right. */
static uint32_t segment_of(const struct series *s, size_t point, uint32_t near)
{
	size_t low = 0, high = s->n_segments;

	if (near < s->n_segments && point - s->segments[near].first < s->segments[near].n)
		return near;
	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (s->segments[middle].first <= point)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static void take_steps(struct axis_points *p, const struct series *s, const size_t *current,
	size_t n, int64_t origin)
{
	uint32_t segment = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = current[i];

		if (__builtin_sub_overflow(s->x[k], origin, &p->key[i]))
			p->key[i] = s->x[k] < 0 ? INT64_MIN : INT64_MAX;
		p->x[i] = (double)p->key[i];
		p->value[i] = series_value(s, k);
		p->point[i] = k;
		p->segment[i] = segment = segment_of(s, k, segment);
	}
	p->n = n;
}

static void add_real(
	struct axis_points *p, const struct series *s, size_t point, double x, uint32_t *segment)
{
	p->x[p->n] = x;
	p->value[p->n] = series_value(s, point);
	p->point[p->n] = point;
	p->segment[p->n] = *segment = segment_of(s, point, *segment);
	p->n++;
}

/* Points whose x is unknown have no place on the axis. */
static void take_reals(struct axis_points *p, const struct series *s, const size_t *current,
	size_t n, enum align_axis axis)
{
	uint32_t segment = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = current[i];
		double x = real_of(s, k, axis);

		if (isfinite(x))
			add_real(p, s, k, x, &segment);
		else
			p->n_unplaced++;
	}
}

/* A counter was logged in the same rows; where it was not, nothing is made up. */
static void take_counted(struct axis_points *p, const struct series *s, const size_t *current,
	size_t n, const struct series *counter, enum segment_policy policy)
{
	uint32_t segment = 0;
	size_t *counted, m = series_current(counter, policy, &counted), j = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t step = s->x[current[i]];

		while (j < m && counter->x[counted[j]] < step)
			j++;
		if (j < m && counter->x[counted[j]] == step &&
			isfinite(series_value(counter, counted[j])))
			add_real(p, s, current[i], series_value(counter, counted[j]), &segment);
		else
			p->n_unplaced++;
	}
	free(counted);
}

static void take_scaled(struct axis_points *p, const struct series *s, const size_t *current,
	size_t n, const struct axis_scale *scale, enum segment_policy policy)
{
	uint32_t segment = 0;

	if (scale->counter && scale->counter->n) {
		take_counted(p, s, current, n, scale->counter, policy);
		return;
	}
	for (size_t i = 0; i < n; i++)
		add_real(p, s, current[i], (double)s->x[current[i]] * scale->per_step, &segment);
}

struct order { double x; size_t at; };

static int compare_order(const void *a, const void *b)
{
	const struct order *p = a, *q = b;

	if (p->x < q->x || p->x > q->x)
		return p->x < q->x ? -1 : 1;
	return (p->at > q->at) - (p->at < q->at);
}

static bool ascending(const double *x, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (x[i] < x[i - 1])
			return false;
	return true;
}

/* Clocks of several hosts may go back a little; equal x keep their order. */
static void sort_points(struct axis_points *p)
{
	struct axis_points sorted = { .n = p->n, .n_unplaced = p->n_unplaced };
	struct order *order;

	if (ascending(p->x, p->n))
		return;
	order = xreallocarray(NULL, p->n, sizeof *order);
	for (size_t i = 0; i < p->n; i++)
		order[i] = (struct order){ p->x[i], i };
	qsort(order, p->n, sizeof *order, compare_order);
	allocate(&sorted, p->n);
	for (size_t i = 0; i < p->n; i++) {
		size_t k = order[i].at;

		sorted.x[i] = p->x[k];
		sorted.value[i] = p->value[k];
		sorted.point[i] = p->point[k];
		sorted.segment[i] = p->segment[k];
	}
	free(order);
	axis_points_release(p);
	*p = sorted;
}

/* Steps that rise by one, the whole way: the common long curve. */
static bool counts_by_one(const struct series *s)
{
	if (s->axis != AXIS_STEP || s->n_segments > 1 || s->n < 2)
		return false;
	for (size_t i = 1; i < s->n; i++)
		if ((uint64_t)s->x[i] - (uint64_t)s->x[i - 1] != 1)
			return false;
	return true;
}

double align_series_cadence(const struct series *s)
{
	struct axis_points p;
	double cadence;

	if (counts_by_one(s))
		return 1;
	if (align_axis_points(&p, s, s->axis == AXIS_EPOCH ? ALIGN_EPOCH : ALIGN_STEP,
		    SEGMENT_LATEST_WINS) < 0)
		return NAN;
	cadence = align_cadence(&p);
	axis_points_release(&p);
	return cadence;
}

double align_cadence(const struct axis_points *p)
{
	double *gaps, median;

	if (p->n < 2)
		return NAN;
	gaps = xreallocarray(NULL, p->n, sizeof *gaps);
	for (size_t i = 1; i < p->n; i++)
		gaps[i - 1] = p->x[i] - p->x[i - 1];
	median = median_of(gaps, p->n - 1);
	free(gaps);
	return median;
}

/* A pause between sessions is cut to GAP_FACTOR median intervals. */
static void clip_gaps(struct axis_points *p)
{
	double longest = GAP_FACTOR * align_cadence(p), cut = 0, previous;

	if (p->n < 3 || !(longest > 0))
		return;
	previous = p->x[0];
	for (size_t i = 1; i < p->n; i++) {
		double gap = p->x[i] - previous;

		previous = p->x[i];
		if (gap > longest)
			cut += gap - longest;
		p->x[i] -= cut;
	}
}

static void finish_reals(struct axis_points *p, const struct series *s, enum align_axis axis)
{
	double origin;

	sort_points(p);
	if (axis == ALIGN_CLIPPED_TIME)
		clip_gaps(p);
	origin = p->n && s->axis != AXIS_TIME ? p->x[0] : 0;
	for (size_t i = 0; i < p->n; i++) {
		if (axis == ALIGN_TIME || axis == ALIGN_CLIPPED_TIME)
			p->x[i] -= origin;
		p->key[i] = key_of_real(p->x[i]);
	}
}

static int check_axis(
	const struct series *s, enum align_axis axis, const struct axis_scale *scale)
{
	if (!align_axis_exists(s, axis))
		return err_set(ERR_NOT_FOUND, "series %s has no %s axis; choose another one",
			s->name, axes[axis].name);
	if (!align_axis_is_scaled(axis) || axis_scale_known(scale))
		return 0;
	return err_set(ERR_NOT_FOUND,
		axis == ALIGN_SAMPLES
			? "it is not known how many samples a step of %s takes: declare \"batch\" in portside-facts.json"
			: "it is not known how many tokens a step of %s takes: log num_tokens, or declare \"tokens-per-step\" in portside-facts.json",
		s->name);
}

int align_axis_points(struct axis_points *out, const struct series *s, enum align_axis axis,
		enum segment_policy policy)
{
	return align_axis_points_scaled(out, s, axis, policy, NULL);
}

int align_axis_points_scaled(struct axis_points *out, const struct series *s, enum align_axis axis,
	enum segment_policy policy, const struct axis_scale *scale)
{
	size_t *current = NULL, n;
	int rc = check_axis(s, axis, scale);

	*out = (struct axis_points){ .integer = axes[axis].integer };
	if (rc)
		return rc;
	n = series_current(s, policy, &current);
	allocate(out, n);
	if (axes[axis].integer)
		take_steps(
			out, s, current, n, axis == ALIGN_FROM_START && n ? s->x[current[0]] : 0);
	else if (align_axis_is_scaled(axis))
		take_scaled(out, s, current, n, scale, policy);
	else
		take_reals(out, s, current, n, axis);
	free(current);
	if (!axes[axis].integer) {
		finish_reals(out, s, axis);
		out->integer = false;
	}
	return 0;
}
