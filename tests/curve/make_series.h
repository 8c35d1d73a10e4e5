/*
 * make_series - small series for the tests of comparing and drawing.
 */
#ifndef PORTSIDE_TESTS_MAKE_SERIES_H
#define PORTSIDE_TESTS_MAKE_SERIES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "curve/series.h"

#define POINTS(...)                                                                                \
	(const double[]){ __VA_ARGS__ }, sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double)

/* X, Y, X, Y, ... on the step axis. */
static inline struct series *make_series(
	struct run_series *run, const char *name, const double *xy, size_t n)
{
	struct series *s = run_series_get(run, name, strlen(name), AXIS_STEP);

	for (size_t i = 0; i + 1 < n; i += 2)
		series_append(s, (int64_t)xy[i], NAN, xy[i + 1]);
	return s;
}

static inline void assert_close(double a, double b, double relative)
{
	if (isnan(b) ? isnan(a) : fabs(a - b) <= relative * fmax(1e-300, fabs(b)) || a == b)
		return;
	print_error("%.17g is not %.17g within %g\n", a, b, relative);
	fail();
}

static inline void assert_within(double a, double b, double distance)
{
	if (fabs(a - b) <= distance)
		return;
	print_error("%.17g is farther than %g from %.17g\n", a, distance, b);
	fail();
}

/* The same numbers on every machine: a linear congruence, upper bits. */
static inline double make_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* Gaussian by Box and Muller; one of the two is thrown away, so that there is no state. */
static inline double make_normal(uint64_t *state)
{
	double u = make_random(state), v = make_random(state);

	return sqrt(-2 * log(u > 0 ? u : 1e-300)) * cos(6.283185307179586 * v);
}

#endif
