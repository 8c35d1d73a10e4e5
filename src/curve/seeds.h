/*
 * seeds - what several runs of each side can show, and what one cannot.
 *
 * worse is positive when the attempt is worse; g below is s*(mean A - mean R),
 * as in tests of non-inferiority: negative means worse.
 */
#ifndef PORTSIDE_CURVE_SEEDS_H
#define PORTSIDE_CURVE_SEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "curve/compare.h"
#include "curve/series.h"
#include "curve/statistics.h"

/* mean +- t(.975, m-1) * s * sqrt(1 + 1/m) of M reference values at one x.
 * NaN bounds for m < 2; m = 2 is too wide to be of use. */
struct seed_band { double mean, sd, half, low, high; int m; };
struct seed_band seed_band(const double *v, int m);

/*
 * The band at every x that all M series share, exact steps.  Arrays are yours.
 * PHI is the autocorrelation at lag 1 of what the seeds are apart from their mean,
 * pooled; NaN where they are never apart.
 */
struct seed_bands { double *x; int64_t *step; struct seed_band *band; size_t n; double phi; };
int seed_bands(struct seed_bands *out, const struct series *const *seeds, size_t m,
		enum segment_policy policy) ATTR_MUST_USE;
void seed_bands_release(struct seed_bands *b);
/* Points outside the band: first alarm = start of the first K consecutive ones. */
struct band_alarm {
	size_t n_compared, n_outside;
	bool fired;
	bool has_agreeing;		/* a point inside comes before the alarm */
	int64_t last_agreeing, first_disagreeing;	/* steps; the latter when it fired */
};
void seed_band_alarm(struct band_alarm *out, const struct seed_bands *b,
	const struct series *attempt, enum segment_policy policy, int k_consecutive);

/*
 * Is one run a copy of the other: the very same points, where not both have declared
 * a seed?  A file that was imported twice is no second sample of anything.
 */
bool seed_is_copy(const char *seed, const struct series *x, const char *other_seed,
	const struct series *y);

/*
 * How many points in a row must lie outside before it means something, and how
 * often as many do although nothing changed: 5, or 10 for 5 seeds and more whose
 * points hang together (phi >= 0.9).  The shares were simulated for curves of 73
 * points with Gaussian AR(1) noise; of a phi or a number of seeds in between the
 * larger one holds.  NaN without a phi.
 */
int seed_alarm_points(int m, double phi);
double seed_false_alarms(int k_consecutive, int m, double phi);
enum { SEED_FALSE_ALARM_POINTS = 73 };

/* Welch with Welch-Satterthwaite degrees; s is +1 for higher is better. */
struct welch {
	double mean_reference, mean_attempt, sd_reference, sd_attempt;
	double g, se, nu, t95;
	struct interval interval90;
};
struct welch welch_compare(const double *reference, size_t n_reference, const double *attempt,
	size_t n_attempt, enum better direction);

/* At margin delta > 0. */
struct equivalence {
	double p_non_inferior, p_tost;
	bool non_inferior, equivalent;	/* p < 0.05 */
};
struct equivalence welch_equivalence(const struct welch *w, double delta);

enum seed_word {
	SEED_NOT_MEASURED, SEED_NOT_COMPARABLE, SEED_NOT_DISTINGUISHABLE, SEED_DIFFERS, SEED_AGREES,
};
/* The word that the evidence allows.  One seed a side never agrees. */
enum seed_word seed_word(const struct welch *w, size_t n_reference, size_t n_attempt, double delta);
const char *seed_word_name(enum seed_word w);

/* With N runs a side and no difference at all, the largest sd of one run at which
 * a margin of 1 can still be shown; NaN below 2. */
double seeds_largest_sd(int n);
/* The fewest runs a side that show DELTA when one run has SD; 0 beyond SEEDS_MAX. */
enum { SEEDS_MAX = 100 };
int seeds_needed(double sd, double delta);

/*
 * A limit for "the gap of two single runs is worse than ...", from N repeats of one
 * of them: a further run that is no different is beyond it in SHARE of all cases.
 * With the sd at the upper end of its 95 % interval it would be SHARE_AT_WORST.
 */
struct noise_limit {
	size_t n;
	double low, high, sd;
	struct interval sd95;
	double limit, share_at_worst;
};
struct noise_limit seeds_noise_limit(const double *v, size_t n, double share);
/* Of how many runs that are no different a limit makes false alarms, as estimated. */
double noise_limit_share(const struct noise_limit *n, double limit);

/* "3 repeats of the reference: 2.1 to 6.0, sd 0.31 [0.16, 1.94]" */
void seeds_add_spread(struct buf *out, const double *v, size_t n);

/*
 * MLPerf style lower bound for too fast convergence: m - t(.95, n1+n2-2) * s * sqrt(1/n1 +
 * 1/n2).
 */
double convergence_lower_bound(double m, double s, int n1, int n2);
/*
 * Both sides of convergence: the steps (or samples) that each run took to a quality.
 * A submission whose mean lies under the bound learns faster than repeats of the
 * reference explain, which is no praise: look for an early stop, an evaluation that
 * leaked, or steps that were not counted.
 */
enum convergence_state { CONVERGENCE_TOO_FEW, CONVERGENCE_WITHIN, CONVERGENCE_TOO_FAST };
struct convergence {
	enum convergence_state state;
	size_t n_reference, n_attempt;	/* runs that reached the quality */
	double reference, attempt;	/* olympic means */
	double sd;			/* of all reference runs, with n */
	double bound, largest_speed_up;	/* bound and reference / bound */
};
/* Needs 3 runs of the attempt and twice as many of the reference.  Reorders both. */
struct convergence convergence_check(
	double *reference, size_t n_reference, double *attempt, size_t n_attempt);
/* Mean without the DROP lowest and highest.  Reorders V. */
double olympic_mean(double *v, size_t n, size_t drop);

/* RMSE of both against a high-precision reference. */
struct triangulation { double rmse_reference, rmse_attempt, ratio, cosine; bool passes; };
struct triangulation triangulate(const double *precise, const double *reference,
	const double *attempt, size_t n, double k, double tolerance);

#endif
