/* statistics - incomplete beta and gamma, quantiles, exact intervals. */
#include "config.h"

#include "curve/statistics.h"

#include <math.h>

enum { ITERATIONS_MAX = 2000 };
#define TINY 1e-300
#define PRECISION 1e-16

/* log_gamma keeps libm's sign variable out of sight: arguments are positive. */
static double log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

/* Continued fraction of I_x(a, b), modified Lentz; converges fast for
 * x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < TINY ? TINY : d);
	h = d;
	for (int m = 1; m <= ITERATIONS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double steps[2] = { even, odd }, change = 1;

		for (int i = 0; i < 2; i++) {
			d = 1 + steps[i] * d;
			d = 1 / (fabs(d) < TINY ? TINY : d);
			c = 1 + steps[i] / c;
			c = fabs(c) < TINY ? TINY : c;
			change = c * d;
			h *= change;
		}
		if (fabs(change - 1) < PRECISION)
			break;
	}
	return h;
}

double beta_regularised(double a, double b, double x)
{
	double front;

	if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1))
		return NAN;
	if (x == 0 || x == 1)
		return x;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

static double gamma_series(double a, double x)
{
	double term = 1 / a, sum = term;

	for (int n = 1; n <= ITERATIONS_MAX * 50; n++) {
		term *= x / (a + n);
		sum += term;
		if (term < sum * PRECISION)
			break;
	}
	return sum * exp(-x + a * log(x) - log_gamma(a));
}

/* Upper incomplete gamma by its continued fraction, for x >= a + 1. */
static double gamma_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / TINY, d = 1 / b, h = d;

	for (int i = 1; i <= ITERATIONS_MAX * 50; i++) {
		double an = -i * (i - a), change;

		b += 2;
		d = an * d + b;
		d = 1 / (fabs(d) < TINY ? TINY : d);
		c = b + an / c;
		c = fabs(c) < TINY ? TINY : c;
		change = d * c;
		h *= change;
		if (fabs(change - 1) < PRECISION)
			break;
	}
	return h * exp(-x + a * log(x) - log_gamma(a));
}

double gamma_regularised(double a, double x)
{
	if (!(a > 0) || !(x >= 0))
		return NAN;
	if (x == 0)
		return 0;
	if (isinf(x))
		return 1;
	return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

/* Bisection to the last bit: a distribution function is monotone, and no
 * starting value can make this miss. */
typedef double distribution_fn(double x, double a, double b);

static double invert(distribution_fn *cdf, double p, double a, double b, double low, double high)
{
	for (int i = 0; i < 1200; i++) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			break;
		if (cdf(middle, a, b) < p)
			low = middle;
		else
			high = middle;
	}
	return low + (high - low) / 2;
}

static double beta_at(double x, double a, double b)
{
	return beta_regularised(a, b, x);
}

static double gamma_at(double x, double a, double b)
{
	(void)b;
	return gamma_regularised(a, x);
}

double beta_quantile(double p, double a, double b)
{
	if (!(p >= 0) || !(p <= 1) || !(a > 0) || !(b > 0))
		return NAN;
	if (p == 0 || p == 1)
		return p;
	return invert(beta_at, p, a, b, 0, 1);
}

double gamma_quantile(double p, double a)
{
	double high = a + 1;

	if (!(p >= 0) || !(p <= 1) || !(a > 0))
		return NAN;
	if (p == 0)
		return 0;
	if (p == 1)
		return INFINITY;
	while (gamma_regularised(a, high) < p)
		high *= 2;
	return invert(gamma_at, p, a, 0, 0, high);
}

double normal_cdf(double z)
{
	return 0.5 * erfc(-z / M_SQRT2);
}

static double normal_at(double x, double a, double b)
{
	(void)a;
	(void)b;
	return normal_cdf(x);
}

double normal_quantile(double p)
{
	if (!(p >= 0) || !(p <= 1))
		return NAN;
	if (p == 0 || p == 1)
		return p == 0 ? -INFINITY : INFINITY;
	/* The lower tail keeps full precision, the upper one does not. */
	if (p > 0.5)
		return -normal_quantile(1 - p);
	return invert(normal_at, p, 0, 0, -40, 40);
}

static double student_upper_tail(double t, double nu)
{
	double x = nu / (nu + t * t);

	return 0.5 * beta_regularised(nu / 2, 0.5, x);
}

double student_cdf(double t, double nu)
{
	if (!(nu > 0) || isnan(t))
		return NAN;
	if (isinf(t))
		return t > 0 ? 1 : 0;
	if (isinf(nu))
		return normal_cdf(t);
	return t > 0 ? 1 - student_upper_tail(t, nu) : student_upper_tail(-t, nu);
}

static double student_at(double t, double nu, double unused)
{
	(void)unused;
	return student_cdf(t, nu);
}

double student_quantile(double p, double nu)
{
	double low = -1;

	if (!(p >= 0) || !(p <= 1) || !(nu > 0))
		return NAN;
	if (p == 0 || p == 1)
		return p == 0 ? -INFINITY : INFINITY;
	if (p == 0.5)
		return 0;
	if (p > 0.5)
		return -student_quantile(1 - p, nu);
	while (student_cdf(low, nu) > p && low > -1e300)
		low *= 2;
	return invert(student_at, p, nu, 0, low, 0);
}

double chi_square_cdf(double x, double nu)
{
	return gamma_regularised(nu / 2, x / 2);
}

double chi_square_quantile(double p, double nu)
{
	return 2 * gamma_quantile(p, nu / 2);
}

struct interval wilson_interval(int64_t k, int64_t n, double level)
{
	double z = normal_quantile(0.5 + level / 2), p, centre, half, denominator;

	if (n <= 0 || k < 0 || k > n)
		return (struct interval){ NAN, NAN };
	p = (double)k / (double)n;
	denominator = 1 + z * z / (double)n;
	centre = (p + z * z / (2 * (double)n)) / denominator;
	half = z * sqrt(p * (1 - p) / (double)n + z * z / (4 * (double)n * (double)n)) /
		denominator;
	return (struct interval){ fmax(0, centre - half), fmin(1, centre + half) };
}

struct interval binomial_exact_interval(int64_t k, int64_t n, double level)
{
	double tail = (1 - level) / 2;
	struct interval r = { 0, 1 };

	if (n <= 0 || k < 0 || k > n)
		return (struct interval){ NAN, NAN };
	if (k > 0)
		r.low = beta_quantile(tail, (double)k, (double)(n - k + 1));
	if (k < n)
		r.high = beta_quantile(1 - tail, (double)(k + 1), (double)(n - k));
	return r;
}

struct interval poisson_exact_interval(int64_t k, double level)
{
	double tail = (1 - level) / 2;

	if (k < 0)
		return (struct interval){ NAN, NAN };
	return (struct interval){
		k ? gamma_quantile(tail, (double)k) : 0,
		gamma_quantile(1 - tail, (double)k + 1),
	};
}

struct interval sd_interval(double sd, size_t n, double level)
{
	double tail = (1 - level) / 2, nu;

	if (n < 2)
		return (struct interval){ NAN, NAN };
	nu = (double)(n - 1);
	return (struct interval){
		sd * sqrt(nu / chi_square_quantile(1 - tail, nu)),
		sd * sqrt(nu / chi_square_quantile(tail, nu)),
	};
}

struct interval fisher_z_interval(double r, int64_t n, double level)
{
	double z, half;

	if (n < 4 || !(fabs(r) < 1))
		return (struct interval){ NAN, NAN };
	z = atanh(r);
	half = normal_quantile(0.5 + level / 2) * sqrt((1 + r * r / 2) / (double)(n - 3));
	return (struct interval){ tanh(z - half), tanh(z + half) };
}
