/* gap - differences and areas between two aligned curves. */
#include "config.h"

#include "curve/gap.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/statistics.h"

/* Area under |d| between two points; two triangles where d crosses zero. */
static double area_between(double width, double d0, double d1)
{
	double a = fabs(d0), b = fabs(d1);

	if ((d0 < 0) == (d1 < 0) || a + b <= 0)
		return width * (a + b) / 2;
	return width * (a * a + b * b) / (2 * (a + b));
}

static void measure_area(struct gap *out, const double *x, const double *d, size_t n)
{
	double length = x[n - 1] - x[0];

	for (size_t i = 1; i < n; i++) {
		double width = x[i] - x[i - 1];

		out->area += area_between(width, d[i - 1], d[i]);
		out->signed_area += width * (d[i - 1] + d[i]) / 2;
	}
	out->area_per_x = length > 0 ? out->area / length : NAN;
	out->signed_area_per_x = length > 0 ? out->signed_area / length : NAN;
}

static void measure_last(struct gap *out, double r, double a)
{
	double d = a - r;

	out->last_relative_percent = 100 * d / fmax(fabs(r), GAP_EPS);
	out->last_symmetric_percent = fabs(a) + fabs(r) > 0 ? 200 * d / (fabs(a) + fabs(r)) : 0;
	out->last_log = a > 0 && r > 0 ? log(a / r) : NAN;
}

static void measure_size(struct gap *out, const double *x, double *d, size_t n)
{
	size_t tail = n / 100 ? n / 100 : 1;

	out->first = d[0];
	out->early = mean_of(d, tail);
	out->late = mean_of(d + n - tail, tail);
	for (size_t i = 0; i < n; i++) {
		d[i] = fabs(d[i]);
		if (i && !(d[i] > out->max_abs))
			continue;
		out->max_abs = d[i];
		out->max_abs_x = x[i];
	}
	out->mean_abs = mean_of(d, n);
	out->median_abs = median_of(d, n);
}

static void set_unknown(struct gap *out)
{
	double *v[] = {
		&out->mean_abs,
		&out->median_abs,
		&out->max_abs,
		&out->max_abs_x,
		&out->first,
		&out->early,
		&out->late,
		&out->area_per_x,
		&out->signed_area_per_x,
		&out->final_reference,
		&out->final_attempt,
		&out->last_relative_percent,
		&out->last_symmetric_percent,
		&out->last_log,
	};

	for (size_t i = 0; i < ARRAY_LEN(v); i++)
		*v[i] = NAN;
}

void gap_measure(
	struct gap *out, const double *x, const double *reference, const double *attempt, size_t n)
{
	double *columns = xreallocarray(NULL, n + 1, 4 * sizeof *columns);
	double *cx = columns, *r = columns + n, *a = columns + 2 * n, *d = columns + 3 * n;
	size_t kept = 0, tail;

	*out = (struct gap){ .n = 0 };
	set_unknown(out);
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(reference[i]) || !isfinite(attempt[i]))
			continue;
		cx[kept] = x[i];
		r[kept] = reference[i];
		a[kept] = attempt[i];
		d[kept++] = attempt[i] - reference[i];
	}
	out->n = kept;
	out->n_left_out = n - kept;
	if (kept) {
		tail = kept < GAP_FINAL_COUNT ? kept : GAP_FINAL_COUNT;
		out->final_reference = mean_of(r + kept - tail, tail);
		out->final_attempt = mean_of(a + kept - tail, tail);
		measure_last(out, r[kept - 1], a[kept - 1]);
		measure_area(out, cx, d, kept);
		measure_size(out, cx, d, kept);
	}
	free(columns);
}

void gap_measure_pairs(struct gap *out, const struct alignment *al)
{
	double *columns = xreallocarray(NULL, al->n + 1, 3 * sizeof *columns);
	double *x = columns, *r = columns + al->n, *a = columns + 2 * al->n;

	for (size_t i = 0; i < al->n; i++) {
		x[i] = align_pair_at(al, i).x;
		r[i] = align_pair_at(al, i).reference;
		a[i] = align_pair_at(al, i).attempt;
	}
	gap_measure(out, x, r, a, al->n);
	free(columns);
}
