/* statistics_sample - moments, order statistics, trends, tests on samples. */
#include "config.h"

#include "curve/statistics.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { TREND_POINTS_MAX = 2000 };

double mean_of(const double *v, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / (double)n : NAN;
}

double variance_of(const double *v, size_t n)
{
	double mean = mean_of(v, n), sum = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum / (double)(n - 1);
}

double sd_of(const double *v, size_t n)
{
	return sqrt(variance_of(v, n));
}

static void swap_values(double *v, size_t i, size_t j)
{
	double t = v[i];

	v[i] = v[j];
	v[j] = t;
}

/* The middle one of three, so that sorted input is no worst case. */
static double pivot_of(const double *v, size_t low, size_t high)
{
	double a = v[low], b = v[low + (high - low) / 2], c = v[high];

	return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

double select_nth(double *v, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	if (k >= n)
		return NAN;
	while (low < high) {
		double pivot = pivot_of(v, low, high);
		size_t i = low, j = high;

		for (;;) {
			while (v[i] < pivot)
				i++;
			while (v[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap_values(v, i++, j--);
		}
		/* Now v[low..i-1] <= pivot <= v[j+1..high]; when i = j, v[i] = pivot. */
		if (k <= j && j < high)
			high = j;
		else if (k > j)
			low = j + 1;
		else if (k == high)
			break;
		else
			high--;
	}
	return v[k];
}

double median_of(double *v, size_t n)
{
	double upper, lower;

	if (!n)
		return NAN;
	upper = select_nth(v, n, n / 2);
	if (n % 2)
		return upper;
	lower = v[0];
	for (size_t i = 1; i < n / 2; i++)
		lower = fmax(lower, v[i]);
	return lower + (upper - lower) / 2;
}

double mad_of(const double *v, size_t n)
{
	double *copy, middle;

	if (!n)
		return NAN;
	copy = xreallocarray(NULL, n, sizeof *copy);
	for (size_t i = 0; i < n; i++)
		copy[i] = v[i];
	middle = median_of(copy, n);
	for (size_t i = 0; i < n; i++)
		copy[i] = fabs(v[i] - middle);
	middle = median_of(copy, n);
	free(copy);
	return middle;
}

double percentile_of(double *v, size_t n, double p)
{
	double at = p * (double)(n - 1), low, high;
	size_t k;

	if (!n || !(p >= 0) || !(p <= 1))
		return NAN;
	k = (size_t)at;
	low = select_nth(v, n, k);
	if (k + 1 >= n)
		return low;
	high = v[k + 1];
	for (size_t i = k + 2; i < n; i++)
		high = fmin(high, v[i]);
	return low + (high - low) * (at - (double)k);
}

double autocorrelation(const double *v, size_t n)
{
	double mean = mean_of(v, n), above = 0, below = 0;

	for (size_t i = 0; i < n; i++) {
		if (i)
			above += (v[i] - mean) * (v[i - 1] - mean);
		below += (v[i] - mean) * (v[i] - mean);
	}
	return below > 0 ? above / below : NAN;
}

double effective_size(size_t n, double phi)
{
	return (double)n * (1 - phi) / (1 + phi);
}

/* Every STRIDE-th point, ends included, so that pairs stay bounded. */
static size_t thin_points(const double *x, const double *y, size_t n, double *tx, double *ty)
{
	size_t used = n < TREND_POINTS_MAX ? n : TREND_POINTS_MAX, kept = 0;

	for (size_t i = 0; i < used; i++) {
		size_t k = used < 2
			? i
			: (size_t)((double)i * (double)(n - 1) / (double)(used - 1) + 0.5);

		if (!isfinite(x[k]) || !isfinite(y[k]))
			continue;
		tx[kept] = x[k];
		ty[kept++] = y[k];
	}
	return kept;
}

struct trend theil_sen(const double *x, const double *y, size_t n)
{
	size_t room = n < TREND_POINTS_MAX ? n : TREND_POINTS_MAX, used, pairs = 0;
	struct trend t = { NAN, 0 };
	double *tx, *ty, *slopes;

	if (n < 2)
		return t;
	tx = xreallocarray(NULL, room, sizeof *tx);
	ty = xreallocarray(NULL, room, sizeof *ty);
	used = thin_points(x, y, n, tx, ty);
	slopes = xreallocarray(NULL, used * used / 2 + 1, sizeof *slopes);
	for (size_t i = 0; i < used; i++)
		for (size_t j = i + 1; j < used; j++)
			if (tx[j] > tx[i] || tx[j] < tx[i])
				slopes[pairs++] = (ty[j] - ty[i]) / (tx[j] - tx[i]);
	t.slope = median_of(slopes, pairs);
	t.n_used = used;
	free(tx);
	free(ty);
	free(slopes);
	return t;
}

struct mann_kendall mann_kendall(const double *y, size_t n)
{
	struct mann_kendall m = { 0, 0, 0, 1 };
	double size = (double)n;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			m.s += (y[j] > y[i]) - (y[j] < y[i]);
	m.variance = size * (size - 1) * (2 * size + 5) / 18;
	if (m.variance > 0 && m.s)
		m.z = ((double)m.s - (m.s > 0 ? 1 : -1)) / sqrt(m.variance);
	m.p = 2 * normal_cdf(-fabs(m.z));
	return m;
}

/* Sum of C(n, i) / 2^n for i <= k. */
static double binomial_half_cdf(int64_t k, int64_t n)
{
	return beta_regularised((double)(n - k), (double)(k + 1), 0.5);
}

struct mcnemar mcnemar_exact(int64_t b, int64_t c, int64_t n)
{
	struct mcnemar m = { .p = NAN, .gap = NAN, .se = NAN, .interval = { NAN, NAN } };
	int64_t low = b < c ? b : c;
	double half;

	if (b < 0 || c < 0 || n <= 0 || b > n - c)
		return m;
	m.p = b + c ? fmin(1, 2 * binomial_half_cdf(low, b + c)) : 1;
	m.gap = (double)(c - b) / (double)n;
	m.se = sqrt((double)(b + c) - (double)(b - c) * (double)(b - c) / (double)n) / (double)n;
	half = normal_quantile(0.975) * m.se;
	m.interval = (struct interval){ m.gap - half, m.gap + half };
	return m;
}

struct proportion_gap proportion_gap(int64_t k_reference, int64_t k_attempt, int64_t n)
{
	struct proportion_gap g = { NAN, NAN, NAN };
	double p, q, size = (double)n;

	if (n <= 0 || k_reference < 0 || k_attempt < 0 || k_reference > n || k_attempt > n)
		return g;
	p = (double)k_reference / size;
	q = (double)k_attempt / size;
	g.gap = 100 * (q - p);
	g.se = 100 * sqrt((p * (1 - p) + q * (1 - q)) / size);
	g.z = g.se > 0 ? fabs(g.gap) / g.se : NAN;
	return g;
}

double paired_resolution_pp(int64_t d, int64_t n)
{
	if (d < 0 || n <= 0)
		return NAN;
	return 100 * normal_quantile(0.975) * sqrt((double)d) / (double)n;
}

size_t cusum_alarm(const double *r, size_t n, double k, double h)
{
	double up = 0, down = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(r[i]))
			continue;
		up = fmax(0, up + r[i] - k);
		down = fmax(0, down - r[i] - k);
		if (up > h || down > h)
			return i;
	}
	return SIZE_MAX;
}
