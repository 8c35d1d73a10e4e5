/* smooth - debiased exponential averages by point count and by distance. */
#include "config.h"

#include "curve/smooth.h"

#include <math.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "curve/statistics.h"

bool smooth_valid(const struct smooth_options *o)
{
	if (o->mode == SMOOTH_COUNT && !(o->parameter >= 0 && o->parameter <= 1)) {
		err_set(ERR_USAGE, "the smoothing weight %g is not between 0 and 1", o->parameter);
		return false;
	}
	if (o->mode == SMOOTH_STEP && !(o->parameter > 0 && isfinite(o->parameter))) {
		err_set(ERR_USAGE, "the smoothing half-life %g is not a number of steps above 0",
			o->parameter);
		return false;
	}
	return true;
}

void smooth_describe(struct buf *out, const struct smooth_options *o)
{
	char number[TEXT_DOUBLE_MAX];

	if (o->mode == SMOOTH_NONE)
		return;
	text_from_double(number, o->parameter);
	buf_addf(out, o->mode == SMOOTH_COUNT ? "EMA %s" : "EMA half-life %s", number);
}

void smoother_init(struct smoother *s, const struct smooth_options *options)
{
	*s = (struct smoother){ .options = *options };
	if (options->mode == SMOOTH_COUNT)
		s->denominator = 1;
}

static double next_by_count(struct smoother *s, double y)
{
	double w = s->options.parameter;

	s->numerator = s->numerator * w + (1 - w) * y;
	s->denominator *= w;
	return w == 1 ? s->numerator : s->numerator / (1 - s->denominator);
}

static double next_by_step(struct smoother *s, double x, double y)
{
	double a = s->started ? exp2(-(x - s->previous_x) / s->options.parameter) : 0;

	s->started = true;
	s->previous_x = x;
	s->numerator = a * s->numerator + y;
	s->denominator = a * s->denominator + 1;
	return s->numerator / s->denominator;
}

double smoother_next(struct smoother *s, double x, double y)
{
	if (!isfinite(y))
		return y;
	switch (s->options.mode) {
	case SMOOTH_COUNT:
		return next_by_count(s, y);
	case SMOOTH_STEP:
		return next_by_step(s, x, y);
	case SMOOTH_NONE:
		break;
	}
	return y;
}

static bool all_equal(const double *y, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!(y[i] == y[0]))
			return false;
	return true;
}

void smooth_apply(const struct smooth_options *options, const double *x, const double *y, size_t n,
		double *out)
{
	struct smooth_options o = *options;
	struct smoother s;

	if (o.mode == SMOOTH_COUNT && all_equal(y, n))
		o.mode = SMOOTH_NONE;
	smoother_init(&s, &o);
	for (size_t i = 0; i < n; i++)
		out[i] = smoother_next(&s, x ? x[i] : (double)i, y[i]);
}

static void widen_range(double *low, double *high)
{
	double pad;

	if (*high > *low)
		return;
	pad = fabs(*low) > 0 ? fabs(*low) * 0.05 : 0.5;
	*low -= pad;
	*high += pad;
}

void smooth_clip_range(double *y, size_t n, double *low, double *high)
{
	size_t from, to;

	*low = 0;
	*high = 1;
	if (!n)
		return;
	from = n > 2 ? (size_t)ceil((double)(n - 1) * 0.05) : 0;
	to = n > 2 ? (size_t)floor((double)(n - 1) * 0.95) : n - 1;
	*low = select_nth(y, n, from);
	*high = select_nth(y, n, to);
	if (*high < *low)
		*high = *low;
	widen_range(low, high);
}
