/* compare_sigma - the spread of the reference: over its seeds, or around its own trend. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "curve/compare_private.h"
#include "curve/smooth.h"
#include "curve/statistics.h"

enum { SEEDS_MIN = 3, ROLLING_POINTS = 20 };
#define ROLLING_WEIGHT 0.9

/* Values of the seeds at one x, collected while all are walked together. */
struct seed_cursor {
	struct axis_points points;
	size_t at;
};

static bool cursor_value(struct seed_cursor *s, int64_t key, double *value)
{
	while (s->at < s->points.n && s->points.key[s->at] < key)
		s->at++;
	if (s->at == s->points.n || s->points.key[s->at] != key ||
		!isfinite(s->points.value[s->at]))
		return false;
	*value = s->points.value[s->at];
	return true;
}

static void sigma_over(struct comparison *c, struct seed_cursor *seeds, size_t n)
{
	double *v = xreallocarray(NULL, n, sizeof *v);

	for (size_t i = 0; i < c->alignment.n; i++) {
		size_t have = 0;

		for (size_t k = 0; k < n; k++)
			have += cursor_value(
				&seeds[k], align_pair_at(&c->alignment, i).key, &v[have]);
		c->sigma[i] = have >= SEEDS_MIN ? sd_of(v, have) : NAN;
	}
	free(v);
}

/* The reference is one of its seeds; what its steps mean in samples holds for all. */
static int sigma_from_seeds(struct comparison *c, const struct series *reference)
{
	const struct compare_options *o = &c->options;
	size_t n = o->n_seeds + 1;
	struct seed_cursor *seeds = xcalloc(n, sizeof *seeds);
	int rc = 0;

	for (size_t k = 0; k < n && !rc; k++)
		rc = align_axis_points_scaled(&seeds[k].points, k ? o->seeds[k - 1] : reference,
			o->align.axis, o->align.policy,
			&o->align.reference_scale);
	if (!rc)
		sigma_over(c, seeds, n);
	for (size_t k = 0; k < n; k++)
		axis_points_release(&seeds[k].points);
	free(seeds);
	c->sigma_source = SIGMA_SEEDS;
	return rc;
}

/* sd of the last ROLLING_POINTS finite residuals up to each point of R. */
static void rolling_sd(const double *residual, size_t n, double *out)
{
	double window[ROLLING_POINTS];
	size_t seen = 0;

	for (size_t i = 0; i < n; i++) {
		if (isfinite(residual[i]))
			window[seen++ % ROLLING_POINTS] = residual[i];
		out[i] = sd_of(window, seen < ROLLING_POINTS ? seen : ROLLING_POINTS);
	}
	/* The first points have too few behind them: take the first full spread. */
	for (size_t i = n; i-- > 1;)
		if (isnan(out[i - 1]))
			out[i - 1] = out[i];
}

static int sigma_from_trend(struct comparison *c, const struct series *reference)
{
	struct smooth_options trend = { SMOOTH_COUNT, ROLLING_WEIGHT };
	const struct align_options *o = &c->options.align;
	struct axis_points r;
	double *smoothed, *sd;
	size_t at = 0;
	int rc = align_axis_points_scaled(&r, reference, o->axis, o->policy, &o->reference_scale);

	if (rc)
		return rc;
	smoothed = xreallocarray(NULL, r.n + 1, sizeof *smoothed);
	sd = xreallocarray(NULL, r.n + 1, sizeof *sd);
	smooth_apply(&trend, r.x, r.value, r.n, smoothed);
	for (size_t i = 0; i < r.n; i++)
		smoothed[i] = r.value[i] - smoothed[i];
	rolling_sd(smoothed, r.n, sd);
	for (size_t i = 0; i < c->alignment.n; i++) {
		while (at + 1 < r.n && r.key[at + 1] <= align_pair_at(&c->alignment, i).key)
			at++;
		c->sigma[i] = r.n ? sd[at] : NAN;
	}
	c->sigma_source = SIGMA_ROLLING;
	free(smoothed);
	free(sd);
	axis_points_release(&r);
	return 0;
}

int compare_find_sigma(struct comparison *c, const struct series *reference)
{
	int rc;

	c->sigma = xcalloc(c->alignment.n + 1, sizeof *c->sigma);
	rc = c->options.n_seeds + 1 >= SEEDS_MIN ? sigma_from_seeds(c, reference)
						 : sigma_from_trend(c, reference);
	/* One that no double holds is not known; everything would be inside of it. */
	for (size_t i = 0; i < c->alignment.n; i++)
		if (!isfinite(c->sigma[i]))
			c->sigma[i] = NAN;
	return rc;
}
