/*
 * statistics - distributions, quantiles and small tests, to 1e-9 or better.
 *
 * Pure functions on plain numbers; no state, no randomness.  Arguments out of
 * range give NaN, never an abort.  sd is with n-1 unless said.  Methods: Lanczos
 * log-gamma of libm, continued fraction of the incomplete beta (modified Lentz),
 * series and continued fraction of the incomplete gamma, and bisection with
 * Newton steps for inverses.
 */
#ifndef PORTSIDE_CURVE_STATISTICS_H
#define PORTSIDE_CURVE_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

double beta_regularised(double a, double b, double x);	/* I_x(a, b) */
double gamma_regularised(double a, double x);		/* P(a, x), lower */
double beta_quantile(double p, double a, double b);
double gamma_quantile(double p, double a);

double normal_cdf(double z);
double normal_quantile(double p);
double student_cdf(double t, double nu);		/* nu need not be whole */
double student_quantile(double p, double nu);		/* 0.975, 2 -> 4.302652730 */
double chi_square_cdf(double x, double nu);
double chi_square_quantile(double p, double nu);

struct interval { double low, high; };

struct interval wilson_interval(int64_t k, int64_t n, double level);	/* level 0.95 */
/* Clopper-Pearson */
struct interval binomial_exact_interval(int64_t k, int64_t n, double level);
struct interval poisson_exact_interval(int64_t k, double level);
struct interval sd_interval(double sd, size_t n, double level);
struct interval fisher_z_interval(double r, int64_t n, double level);	/* of a rank correlation */

double mean_of(const double *v, size_t n);
double variance_of(const double *v, size_t n);		/* n-1; NaN below 2 */
double sd_of(const double *v, size_t n);
double median_of(double *v, size_t n);			/* reorders V; NaN for n = 0 */
double select_nth(double *v, size_t n, size_t k);	/* k-th smallest from 0; reorders V */
double mad_of(const double *v, size_t n);		/* median |v - median|, unscaled */
double percentile_of(double *v, size_t n, double p);	/* linear interpolation; reorders V */
#define MAD_TO_SIGMA 1.4826

/* Autocorrelation at lag 1, and the effective number of independent points. */
double autocorrelation(const double *v, size_t n);
double effective_size(size_t n, double phi);

/* Median of pairwise slopes; more than 2000 points are thinned evenly, and
 * the thinning is visible in n_used. */
struct trend { double slope; size_t n_used; };
struct trend theil_sen(const double *x, const double *y, size_t n);

struct mann_kendall { int64_t s; double variance, z, p; };
struct mann_kendall mann_kendall(const double *y, size_t n);

/* Paired predictions: b right in the reference only, c right in the attempt only. */
struct mcnemar { double p, gap, se; struct interval interval; };
struct mcnemar mcnemar_exact(int64_t b, int64_t c, int64_t n);

/* Unpaired proportions: gap in percentage points is k_a/n - k_b/n. */
struct proportion_gap { double gap, se, z; };
struct proportion_gap proportion_gap(int64_t k_reference, int64_t k_attempt, int64_t n);
/* Half width of what one paired evaluation with D discordant items can resolve, in pp. */
double paired_resolution_pp(int64_t d, int64_t n);

/* Two-sided cumulative sums; index of the first alarm or SIZE_MAX.  They locate
 * an onset; on short curves they raise no alarm by themselves. */
size_t cusum_alarm(const double *r, size_t n, double k, double h);

#endif
