/* seeds - bands over repeats, Welch, non-inferiority, equivalence. */
#include "config.h"

#include "curve/seeds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LEVEL 0.95
#define SIGNIFICANT 0.05

/* Half width of the band in sd; NaN below 2.  A quantile takes its time: once a curve. */
static double band_factor(int m)
{
	return m < 2 ? NAN : student_quantile(0.5 + LEVEL / 2, m - 1) * sqrt(1 + 1.0 / m);
}

static struct seed_band band_of(const double *v, int m, double factor)
{
	struct seed_band b = {
		.mean = NAN, .sd = NAN, .half = NAN, .low = NAN, .high = NAN, .m = m
	};

	if (m < 1)
		return b;
	b.mean = mean_of(v, (size_t)m);
	if (m < 2)
		return b;
	b.sd = sd_of(v, (size_t)m);
	b.half = factor * b.sd;
	b.low = b.mean - b.half;
	b.high = b.mean + b.half;
	return b;
}

struct seed_band seed_band(const double *v, int m)
{
	return band_of(v, m, band_factor(m));
}

/* The position of KEY in P from *AT on, which moves forward only. */
static bool seek_key(const struct axis_points *p, size_t *at, int64_t key)
{
	while (*at < p->n && p->key[*at] < key)
		++*at;
	return *at < p->n && p->key[*at] == key;
}

/* Sums of one seed's residuals r_0..r_n, from which its autocorrelation follows. */
struct residuals { double first, last, sum, squares, products; size_t n; };

static void add_residual(struct residuals *s, double r)
{
	if (s->n)
		s->products += r * s->last;
	else
		s->first = r;
	s->last = r;
	s->sum += r;
	s->squares += r * r;
	s->n++;
}

/* Sum over the seeds of (r_i - m)(r_(i-1) - m), by that of (r_i - m)^2. */
static double pooled_phi(const struct residuals *seeds, size_t m)
{
	double above = 0, below = 0, squares = 0;

	for (size_t k = 0; k < m; k++) {
		const struct residuals *s = &seeds[k];
		double mean = s->n ? s->sum / (double)s->n : 0;

		above += s->products - mean * (2 * s->sum - s->first - s->last) +
			(s->n ? (double)(s->n - 1) * mean * mean : 0);
		below += s->squares - mean * s->sum;
		squares += s->squares;
	}
	/* Seeds that are apart by a constant leave rounding alone. */
	return below > squares * 1e-9 ? above / below : NAN;
}

static void collect_bands(struct seed_bands *out, const struct axis_points *p, size_t m)
{
	size_t *at = xcalloc(m, sizeof *at);
	double *v = xreallocarray(NULL, m, sizeof *v);
	struct residuals *apart = xcalloc(m, sizeof *apart);
	double factor = band_factor((int)m);

	for (size_t i = 0; i < p[0].n; i++) {
		size_t have = 0;

		for (size_t k = 0; k < m; k++)
			if (seek_key(&p[k], &at[k], p[0].key[i]) && isfinite(p[k].value[at[k]]))
				v[have++] = p[k].value[at[k]];
		if (have < m)
			continue;
		out->x[out->n] = p[0].x[i];
		out->step[out->n] = p[0].key[i];
		out->band[out->n] = band_of(v, (int)m, factor);
		for (size_t k = 0; k < m; k++)
			add_residual(&apart[k], v[k] - out->band[out->n].mean);
		out->n++;
	}
	out->phi = pooled_phi(apart, m);
	free(apart);
	free(at);
	free(v);
}

int seed_bands(struct seed_bands *out, const struct series *const *seeds, size_t m,
		enum segment_policy policy)
{
	struct axis_points *p = xcalloc(m + 1, sizeof *p);
	int rc = 0;

	*out = (struct seed_bands){ .phi = NAN };
	for (size_t k = 0; k < m && !rc; k++)
		rc = align_axis_points(&p[k], seeds[k], ALIGN_STEP, policy);
	if (!rc && m) {
		out->x = xreallocarray(NULL, p[0].n + 1, sizeof *out->x);
		out->step = xreallocarray(NULL, p[0].n + 1, sizeof *out->step);
		out->band = xreallocarray(NULL, p[0].n + 1, sizeof *out->band);
		collect_bands(out, p, m);
	}
	for (size_t k = 0; k < m; k++)
		axis_points_release(&p[k]);
	free(p);
	return rc;
}

void seed_bands_release(struct seed_bands *b)
{
	free(b->x);
	free(b->step);
	free(b->band);
	*b = (struct seed_bands){ .phi = NAN };
}

/* A non-finite value where every seed is finite lies outside. */
static bool is_outside(const struct seed_band *b, double y)
{
	return !(y >= b->low && y <= b->high);
}

static void count_point(
	struct band_alarm *out, const struct seed_band *b, int64_t step, double y, int k, int *run)
{
	out->n_compared++;
	if (!is_outside(b, y)) {
		*run = 0;
		if (!out->fired) {
			out->has_agreeing = true;
			out->last_agreeing = step;
		}
		return;
	}
	out->n_outside++;
	if (out->fired)
		return;
	if (++*run == 1)
		out->first_disagreeing = step;
	out->fired = *run >= k;
}

void seed_band_alarm(struct band_alarm *out, const struct seed_bands *b,
	const struct series *attempt, enum segment_policy policy, int k_consecutive)
{
	size_t *current = NULL, n = series_current(attempt, policy, &current), i = 0;
	int run = 0;

	*out = (struct band_alarm){ .n_compared = 0 };
	for (size_t j = 0; j < n && i < b->n; j++) {
		int64_t step = attempt->x[current[j]];

		while (i < b->n && b->step[i] < step)
			i++;
		if (i == b->n || b->step[i] != step || isnan(b->band[i].half))
			continue;
		count_point(out, &b->band[i], step, series_value(attempt, current[j]),
			k_consecutive, &run);
	}
	free(current);
}

static bool has_same_points(const struct series *x, const struct series *y)
{
	if (x->n != y->n)
		return false;
	for (size_t i = 0; i < x->n; i++) {
		double a = series_value(x, i), b = series_value(y, i);

		if (x->x[i] != y->x[i] || memcmp(&a, &b, sizeof a) != 0)
			return false;
	}
	return true;
}

bool seed_is_copy(const char *seed, const struct series *x, const char *other_seed,
	const struct series *y)
{
	return (!*seed || !*other_seed) && has_same_points(x, y);
}

int seed_alarm_points(int m, double phi)
{
	return m >= 5 && phi >= 0.9 ? 10 : 5;
}

double seed_false_alarms(int k, int m, double phi)
{
	static const double phis[] = { 0, 0.5, 0.9, 0.97 };
	static const struct {
		int k, m;
		double share[ARRAY_LEN(phis)];
	} rows[] = {
		{ 5, 3, { 0, 0, 0.05, 0.14 } },   { 5, 5, { 0, 0, 0.12, 0.18 } },
		{ 5, 10, { 0, 0, 0.15, 0.18 } },  { 10, 3, { 0, 0, 0, 0.03 } },
		{ 10, 5, { 0, 0, 0.01, 0.06 } },  { 10, 10, { 0, 0, 0.02, 0.08 } },
	};
	size_t column = 0;

	if (isnan(phi) || m < 3)
		return NAN;
	while (column + 1 < ARRAY_LEN(phis) && phis[column] < phi)
		column++;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].k == k && (rows[i].m >= m || rows[i].m == 10))
			return rows[i].share[column];
	return NAN;
}

struct welch welch_compare(const double *reference, size_t nr, const double *attempt, size_t na,
		enum better direction)
{
	struct welch w = {
		.mean_reference = mean_of(reference, nr), .mean_attempt = mean_of(attempt, na),
		.sd_reference = sd_of(reference, nr), .sd_attempt = sd_of(attempt, na),
		.se = NAN, .nu = NAN, .t95 = NAN, .interval90 = { NAN, NAN },
	};
	double vr, va;

	w.g = w.mean_attempt - w.mean_reference;
	if (direction == BETTER_LOWER)
		w.g = -w.g;
	if (nr < 2 || na < 2)
		return w;
	vr = w.sd_reference * w.sd_reference / (double)nr;
	va = w.sd_attempt * w.sd_attempt / (double)na;
	w.se = sqrt(vr + va);
	if (!(w.se > 0)) {
		w.nu = INFINITY;
		w.interval90 = (struct interval){ w.g, w.g };
		return w;
	}
	w.nu = (vr + va) * (vr + va) / (vr * vr / (double)(nr - 1) + va * va / (double)(na - 1));
	w.t95 = student_quantile(0.95, w.nu);
	w.interval90 = (struct interval){ w.g - w.t95 * w.se, w.g + w.t95 * w.se };
	return w;
}

static double upper_p(double distance, const struct welch *w)
{
	if (!(w->se > 0))
		return distance > 0 ? 0 : 1;
	return student_cdf(-distance / w->se, w->nu);
}

struct equivalence welch_equivalence(const struct welch *w, double delta)
{
	struct equivalence e = { NAN, NAN, false, false };

	if (isnan(w->se) || isnan(w->g) || !(delta > 0))
		return e;
	e.p_non_inferior = upper_p(w->g + delta, w);
	e.p_tost = fmax(e.p_non_inferior, upper_p(delta - w->g, w));
	e.non_inferior = e.p_non_inferior < SIGNIFICANT;
	e.equivalent = e.p_tost < SIGNIFICANT;
	return e;
}

enum seed_word seed_word(const struct welch *w, size_t nr, size_t na, double delta)
{
	struct equivalence e;

	if (!nr || !na)
		return SEED_NOT_MEASURED;
	if (nr < 2 || na < 2 || isnan(w->se))
		return SEED_NOT_DISTINGUISHABLE;
	e = welch_equivalence(w, delta);
	if (e.equivalent)
		return SEED_AGREES;
	if (w->interval90.low > delta || w->interval90.high < -delta)
		return SEED_DIFFERS;
	return SEED_NOT_DISTINGUISHABLE;
}

const char *seed_word_name(enum seed_word w)
{
	static const char *const names[] = {
		[SEED_NOT_MEASURED] = "not measured",
		[SEED_NOT_COMPARABLE] = "not comparable",
		[SEED_NOT_DISTINGUISHABLE] = "not distinguishable with this evidence",
		[SEED_DIFFERS] = "differs",
		[SEED_AGREES] = "agrees",
	};

	return names[w];
}

void seeds_add_spread(struct buf *out, const double *v, size_t n)
{
	double low = INFINITY, high = -INFINITY;
	struct interval sd;

	if (n < 2) {
		buf_addf(out, "%zu run: the spread between runs is unknown", n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		low = fmin(low, v[i]);
		high = fmax(high, v[i]);
	}
	sd = sd_interval(sd_of(v, n), n, LEVEL);
	buf_addf(out, "%zu repeats: %.6g to %.6g, sd %.3g (95 %% interval %.3g to %.3g)",
		n, low, high, sd_of(v, n), sd.low, sd.high);
}

double seeds_largest_sd(int n)
{
	if (n < 2)
		return NAN;
	return 1 / (student_quantile(LEVEL, 2 * n - 2) * sqrt(2.0 / n));
}

int seeds_needed(double sd, double delta)
{
	if (!(delta > 0) || !(sd >= 0))
		return 0;
	for (int n = 2; n <= SEEDS_MAX; n++)
		if (sd < delta * seeds_largest_sd(n))
			return n;
	return 0;
}

double noise_limit_share(const struct noise_limit *n, double limit)
{
	if (n->n < 2 || isnan(n->sd) || isnan(limit))
		return NAN;
	if (!(n->sd > 0))
		return limit > 0 ? 0 : 1;
	return student_cdf(-limit / (M_SQRT2 * n->sd), (double)n->n - 1);
}

struct noise_limit seeds_noise_limit(const double *v, size_t n, double share)
{
	struct noise_limit l = { .n = n, .low = NAN, .high = NAN, .sd = NAN,
		.sd95 = { NAN, NAN }, .limit = NAN, .share_at_worst = NAN };

	for (size_t i = 0; i < n; i++) {
		l.low = fmin(l.low, v[i]);
		l.high = fmax(l.high, v[i]);
	}
	if (n < 2 || !(share > 0) || !(share < 1))
		return l;
	l.sd = sd_of(v, n);
	l.sd95 = sd_interval(l.sd, n, LEVEL);
	/* Two single runs are apart by sqrt(2) of what one is from its mean. */
	l.limit = student_quantile(1 - share, (double)n - 1) * M_SQRT2 * l.sd;
	l.share_at_worst = l.sd > 0 ? normal_cdf(-l.limit / (M_SQRT2 * l.sd95.high)) : share;
	return l;
}

struct convergence convergence_check(double *reference, size_t nr, double *attempt, size_t na)
{
	struct convergence c = { .n_reference = nr, .n_attempt = na, .reference = NAN,
		.attempt = NAN, .sd = NAN, .bound = NAN, .largest_speed_up = NAN };

	if (na < 3 || nr < 2 * na)
		return c;
	c.sd = sqrt(variance_of(reference, nr) * (double)(nr - 1) / (double)nr);
	c.reference = olympic_mean(reference, nr, 1);
	c.attempt = olympic_mean(attempt, na, 1);
	c.bound = convergence_lower_bound(c.reference, c.sd, (int)nr - 2, (int)na - 2);
	c.largest_speed_up = c.reference / c.bound;
	c.state = c.attempt >= c.bound ? CONVERGENCE_WITHIN : CONVERGENCE_TOO_FAST;
	return c;
}

double convergence_lower_bound(double m, double s, int n1, int n2)
{
	if (n1 < 1 || n2 < 1 || n1 + n2 < 3 || !(s >= 0))
		return NAN;
	return m - student_quantile(0.95, n1 + n2 - 2) * s * sqrt(1.0 / n1 + 1.0 / n2);
}

double olympic_mean(double *v, size_t n, size_t drop)
{
	if (n <= 2 * drop)
		return NAN;
	if (drop) {
		/* Selecting moves the lowest before, and the highest behind, the rest. */
		select_nth(v, n, drop);
		select_nth(v + drop, n - drop, n - 2 * drop - 1);
	}
	return mean_of(v + drop, n - 2 * drop);
}

struct triangulation triangulate(const double *precise, const double *reference,
	const double *attempt, size_t n, double k, double tolerance)
{
	double r = 0, a = 0, dot = 0, pp = 0, aa = 0;
	struct triangulation t = { NAN, NAN, NAN, NAN, false };

	if (!n)
		return t;
	for (size_t i = 0; i < n; i++) {
		r += (reference[i] - precise[i]) * (reference[i] - precise[i]);
		a += (attempt[i] - precise[i]) * (attempt[i] - precise[i]);
		dot += attempt[i] * precise[i];
		pp += precise[i] * precise[i];
		aa += attempt[i] * attempt[i];
	}
	t.rmse_reference = sqrt(r / (double)n);
	t.rmse_attempt = sqrt(a / (double)n);
	t.ratio = t.rmse_attempt / t.rmse_reference;
	t.cosine = dot / sqrt(pp * aa);
	t.passes = t.rmse_attempt <= k * t.rmse_reference + tolerance / 10;
	return t;
}
