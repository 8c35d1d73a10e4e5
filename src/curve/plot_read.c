/* plot_read - ticks, labels, the read-out under the cursor, and jumps. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "curve/plot_private.h"

enum { CHUNK = 4096 };

/* Writes MANTISSA e EXPONENT without padding zeros: 5e-5. */
static void exponent_label(char out[PLOT_LABEL_MAX], double value, double step)
{
	int digits = 0, exponent;
	char text[64], *e;

	if (step > 0)
		digits = (int)(floor(log10(fabs(value)) + 1e-9) - floor(log10(step) + 1e-9));
	digits = digits < 0 ? 0 : digits > 8 ? 8 : digits;
	snprintf(text, sizeof text, "%.*e", digits, value);
	e = strchr(text, 'e');
	if (!e || sscanf(e + 1, "%d", &exponent) != 1) {
		snprintf(out, PLOT_LABEL_MAX, "%.3g", value);
		return;
	}
	*e = '\0';
	snprintf(out, PLOT_LABEL_MAX, "%.15se%d", text, exponent);
}

/* LIKE: the greatest of the values beside which it stands, all in one form. */
static void put_label(char out[PLOT_LABEL_MAX], double value, double step, double like)
{
	static const struct { double unit; const char *suffix; } units[] = {
		{ 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 1, "" },
	};
	double size = fabs(value);
	size_t u = 0;
	int decimals;

	if (!isfinite(value) || !(size > 0)) {
		snprintf(out, PLOT_LABEL_MAX, size > 0 ? "%g" : "0", value);
		return;
	}
	if (like < 1e-3 || size >= 1e15) {
		exponent_label(out, value, step);
		return;
	}
	while (u + 1 < ARRAY_LEN(units) && size < units[u].unit)
		u++;
	decimals = step > 0 ? (int)-floor(log10(step / units[u].unit) + 1e-9) : 3;
	decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
	value /= units[u].unit;
	/* What rounds to zero has no sign. */
	if (fabs(value) < 0.5 * pow(10, -decimals))
		value = 0;
	snprintf(out, PLOT_LABEL_MAX, "%.*f%s", decimals, value, units[u].suffix);
}

void plot_label(char out[PLOT_LABEL_MAX], double value, double step)
{
	put_label(out, value, step, fabs(value));
}

/* The next of 1, 2, 5 x 10^k at or above V. */
static double round_step(double v)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double decade = pow(10, floor(log10(v)));

	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (steps[i] * decade >= v * (1 - 1e-9))
			return steps[i] * decade;
	return 10 * decade;
}

static size_t linear_ticks(struct plot_tick *out, double low, double high, size_t wanted)
{
	double step = round_step((high - low) / (double)wanted), first, count;
	size_t n = 0;

	for (;; step = round_step(step * 1.5)) {
		first = ceil(low / step - 1e-9);
		count = floor(high / step + 1e-9) - first + 1;
		if (count <= (double)wanted)
			break;
	}
	for (; n < wanted && (double)n < count; n++) {
		out[n].value = (first + (double)n) * step;
		if (fabs(out[n].value) < step * 1e-6)
			out[n].value = 0;
		put_label(out[n].label, out[n].value, step, fmax(fabs(low), fabs(high)));
	}
	return n;
}

static size_t decade_ticks(struct plot_tick *out, double low, double high, size_t wanted)
{
	int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
	int stride = (last - first) / (int)wanted + 1;
	size_t n = 0;

	for (int k = first; k <= last && n < wanted; k += stride, n++) {
		out[n].value = pow(10, k);
		plot_label(out[n].label, out[n].value, out[n].value);
	}
	return n;
}

size_t plot_ticks(struct plot_tick out[PLOT_TICKS_MAX], double low, double high, bool logarithmic,
	size_t wanted)
{
	if (wanted > PLOT_TICKS_MAX)
		wanted = PLOT_TICKS_MAX;
	if (!wanted || !(high > low) || !isfinite(low) || !isfinite(high) || !isfinite(high - low))
		return 0;
	/* Doubles that differ in their last bits only have no round value between. */
	if (high - low <= fmax(fabs(low), fabs(high)) * 1e-14)
		return 0;
	if (logarithmic && low > 0 && high >= 100 * low)
		return decade_ticks(out, low, high, wanted);
	return linear_ticks(out, low, high, wanted);
}

void plot_read_point(struct plot_readout *out, const struct plot_source *p, size_t i)
{
	bool smoothed = p->how.smooth.mode != SMOOTH_NONE;

	*out = (struct plot_readout){ .found = true, .smoothed = NAN, .wall_s = NAN };
	out->x = plot_source_x(p, i);
	out->point = p->borrowed || p->comparison ? i : p->point[i];
	out->segment = plot_segment(p, i);
	out->value = plot_source_y(p, i);
	if (!p->series)
		return;
	out->smoothed = smoothed ? out->value : NAN;
	out->value = series_value(p->series, out->point);
	if (p->integer)
		out->step = p->series->x[out->point];
	out->has_key = p->integer && p->how.axis == ALIGN_STEP &&
		!__builtin_add_overflow(out->step, p->how.shift, &out->key);
	out->wall_s = series_wall(p->series, out->point);
}

void plot_read(struct plot_readout *out, const struct plot_source *p, double x)
{
	size_t end = plot_upper(p, x);

	*out = (struct plot_readout){ .x = NAN, .value = NAN, .smoothed = NAN, .wall_s = NAN };
	if (end)
		plot_read_point(out, p, end - 1);
}

void plot_read_nearest(struct plot_readout *out, const struct plot_source *p, double x)
{
	size_t end = plot_upper(p, x);

	plot_read(out, p, x);
	if (end < p->n && (!end || plot_source_x(p, end) - x < x - out->x))
		plot_read_point(out, p, end);
}

size_t plot_pair_at(const struct comparison *c, double x)
{
	const struct alignment *al = &c->alignment;
	size_t low = 0, high = c->alignment.n;

	if (!high || isnan(x))
		return SIZE_MAX;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (align_pair_at(al, middle).x < x)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == c->alignment.n ||
		(low && x - align_pair_at(al, low - 1).x <= align_pair_at(al, low).x - x))
		low--;
	return low;
}

static bool has_nonfinite(const struct plot_source *p, size_t first, size_t end)
{
	struct pyramid_range r = pyramid_query(&p->pyramid, plot_values(p), first, end);

	return r.n_finite < r.n;
}

/* Whole chunks without one are passed over by the pyramid. */
static size_t next_nonfinite(const struct plot_source *p, size_t from)
{
	for (size_t i = from; i < p->n; i += CHUNK) {
		size_t end = p->n - i < CHUNK ? p->n : i + CHUNK;

		if (!has_nonfinite(p, i, end))
			continue;
		while (isfinite(plot_source_y(p, i)))
			i++;
		return i;
	}
	return SIZE_MAX;
}

static size_t previous_nonfinite(const struct plot_source *p, size_t end)
{
	while (end) {
		size_t first = end < CHUNK ? 0 : end - CHUNK;

		if (has_nonfinite(p, first, end)) {
			while (isfinite(plot_source_y(p, end - 1)))
				end--;
			return end - 1;
		}
		end = first;
	}
	return SIZE_MAX;
}

static size_t next_start(const struct plot_source *p, double x)
{
	for (size_t i = 0; i < p->n_starts; i++)
		if (plot_source_x(p, p->starts[i]) > x)
			return p->starts[i];
	return SIZE_MAX;
}

static size_t previous_start(const struct plot_source *p, double x)
{
	for (size_t i = p->n_starts; i > 0; i--)
		if (plot_source_x(p, p->starts[i - 1]) < x)
			return p->starts[i - 1];
	return SIZE_MAX;
}

static size_t target_of(const struct plot_source *p, enum plot_jump jump, double x)
{
	size_t lower = plot_lower(p, x), upper = plot_upper(p, x);

	switch (jump) {
	case JUMP_LAST:
		return p->n ? p->n - 1 : SIZE_MAX;
	case JUMP_NEXT_NONFINITE:
		return next_nonfinite(p, upper);
	case JUMP_PREVIOUS_NONFINITE:
		return previous_nonfinite(p, lower);
	case JUMP_NEXT_RESTART:
		return next_start(p, x);
	case JUMP_PREVIOUS_RESTART:
		return previous_start(p, x);
	case JUMP_NEXT_POINT:
		return upper < p->n ? upper : SIZE_MAX;
	case JUMP_PREVIOUS_POINT:
		return lower ? lower - 1 : SIZE_MAX;
	case JUMP_FIRST_OUT:
	case JUMP_MAX_DELTA:
		break;
	}
	return SIZE_MAX;
}

static bool goes_back(enum plot_jump jump)
{
	return jump == JUMP_PREVIOUS_NONFINITE || jump == JUMP_PREVIOUS_RESTART ||
		jump == JUMP_PREVIOUS_POINT || jump == JUMP_LAST;
}

static bool jump_to_pair(double *to, const struct comparison *c, size_t pair)
{
	if (pair == SIZE_MAX)
		return false;
	*to = align_pair_at(&c->alignment, pair).x;
	return true;
}

bool plot_jump(double *to, enum plot_jump jump, double x, struct plot_source *const *sources,
	size_t n, const struct comparison *c)
{
	bool found = false;

	if (jump == JUMP_FIRST_OUT || jump == JUMP_MAX_DELTA)
		return c && jump_to_pair(to, c, jump == JUMP_FIRST_OUT ? c->first_out : c->max_abs);
	for (size_t i = 0; i < n; i++) {
		size_t point = target_of(sources[i], jump, x);
		double at;

		if (point == SIZE_MAX)
			continue;
		at = plot_source_x(sources[i], point);
		if (!found || (goes_back(jump) ? at > *to : at < *to))
			*to = at;
		found = true;
	}
	return found;
}
