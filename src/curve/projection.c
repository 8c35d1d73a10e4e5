/* projection - run time from the steps so far, and two classes of step times. */
#include "config.h"

#include "curve/projection.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { QUIET_STEPS = 10, POST_STEPS_MIN = 20 };
#define SPIKE_FACTOR 3
#define RATIO_MIN 3
#define ASHMAN_MIN 2
#define SHARE_MIN 0.01

const char *run_time_state_text(enum run_time_state s)
{
	static const char *const texts[] = {
		[RUN_TIME_OK] = "",
		[RUN_TIME_NO_STEPS] = "no step times yet",
		[RUN_TIME_STILL_WARMING_UP] =
			"still warming up: no 10 steps in a row without a compilation yet",
		[RUN_TIME_TOO_FEW_STEPS] = "fewer than 20 steps after the warm-up",
	};

	return texts[s];
}

static size_t keep_finite(double *out, const double *v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(v[i]) && v[i] >= 0)
			out[kept++] = v[i];
	return kept;
}

/* First of QUIET_STEPS steps in a row at or under LIMIT; N: none. */
static size_t find_warmup_end(const double *step, size_t n, double limit)
{
	size_t quiet = 0;

	for (size_t i = 0; i < n; i++) {
		quiet = step[i] <= limit ? quiet + 1 : 0;
		if (quiet == QUIET_STEPS)
			return i + 1 - QUIET_STEPS;
	}
	return n;
}

static void measure_post(struct projection *out, const double *post, double *scratch)
{
	double steady = 0, excess = 0;
	size_t n_steady = 0;

	for (size_t i = 0; i < out->n_post; i++)
		scratch[i] = post[i];
	out->median_s = median_of(scratch, out->n_post);
	for (size_t i = 0; i < out->n_post; i++) {
		if (post[i] > SPIKE_FACTOR * out->median_s) {
			excess += post[i] - out->median_s;
			out->n_spikes++;
		} else {
			steady += post[i];
			n_steady++;
		}
	}
	out->steady_s = steady / (double)n_steady;
	out->spike_share = (double)out->n_spikes / (double)out->n_post;
	out->spike_cost_s = out->n_spikes ? excess / (double)out->n_spikes : 0;
}

static double post_slope(const double *post, size_t n)
{
	double *x = xreallocarray(NULL, n, sizeof *x), slope;

	for (size_t i = 0; i < n; i++)
		x[i] = (double)i;
	slope = theil_sen(x, post, n).slope;
	free(x);
	return slope;
}

static double largest(const double *v, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, v[i]);
	return most;
}

/* What is left of the run; spikes as a share of the steps. */
static void project(struct projection *out, const struct projection_input *in, double elapsed,
	size_t n, const double *post)
{
	double left = fmax(0, (double)in->total_steps - (double)n);
	double fixed = elapsed + (double)in->evaluations_left * in->evaluation_s +
		(double)in->saves_left * in->save_s + left * out->steady_s;
	double each = left / (double)out->n_post;
	struct interval spikes = poisson_exact_interval((int64_t)out->n_spikes, 0.95);
	double cost = out->n_spikes ? out->spike_cost_s : largest(post, out->n_post);

	out->total_s = fixed + left * out->spike_share * out->spike_cost_s;
	out->interval_s.low = fixed + each * spikes.low * cost;
	out->interval_s.high = fixed + each * spikes.high * cost;
}

static void project_steps(struct projection *out, const struct projection_input *in,
	const double *step, size_t n, double *scratch)
{
	double elapsed = mean_of(step, n) * (double)n, limit;
	size_t from;

	if (isfinite(in->elapsed_s))
		elapsed = in->elapsed_s;
	out->naive_s = elapsed / (double)n * fmax((double)n, (double)in->total_steps);
	for (size_t i = 0; i < n; i++)
		scratch[i] = step[i];
	limit = SPIKE_FACTOR * percentile_of(scratch, n, 0.1);
	out->warmup_end = find_warmup_end(step, n, limit);
	out->state = RUN_TIME_STILL_WARMING_UP;
	if (out->warmup_end == n)
		return;
	from = out->warmup_end + QUIET_STEPS > n / 5 ? out->warmup_end + QUIET_STEPS : n / 5;
	out->n_post = n > from ? n - from : 0;
	out->state = RUN_TIME_TOO_FEW_STEPS;
	if (out->n_post < POST_STEPS_MIN)
		return;
	measure_post(out, step + from, scratch);
	out->slope_s = post_slope(step + from, out->n_post);
	project(out, in, elapsed, n, step + from);
	out->state = RUN_TIME_OK;
}

void project_run_time(struct projection *out, const struct projection_input *in)
{
	double *step = xreallocarray(NULL, in->n + 1, 2 * sizeof *step), *scratch = step + in->n;
	size_t n = keep_finite(step, in->step_s, in->n);

	*out = (struct projection){
		.state = RUN_TIME_NO_STEPS,
		.median_s = NAN,
		.steady_s = NAN,
		.spike_share = NAN,
		.spike_cost_s = NAN,
		.total_s = NAN,
		.interval_s = { NAN, NAN },
		.naive_s = NAN,
		.slope_s = NAN,
	};
	if (n)
		project_steps(out, in, step, n, scratch);
	free(step);
}

enum projection_budget projection_against(const struct projection *p, double budget_s)
{
	if (p->state != RUN_TIME_OK || isnan(budget_s))
		return BUDGET_UNKNOWN;
	if (p->interval_s.low > budget_s)
		return BUDGET_WILL_EXCEED;
	return p->interval_s.high > budget_s ? BUDGET_MAY_EXCEED : BUDGET_WITHIN;
}

double project_final_metric(double reference_now, double reference_end, double attempt_now)
{
	return attempt_now + (reference_end - reference_now);
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double class_sd(const double *v, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sqrt(sum / (double)n);
}

/* The cut of the sorted V that parts the class means most. */
static size_t otsu_cut(const double *v, size_t n)
{
	double total = mean_of(v, n) * (double)n, lower = 0, best = -1;
	size_t cut = 0;

	for (size_t k = 1; k < n; k++) {
		double m1, m2, between;

		lower += v[k - 1];
		if (!(v[k] > v[k - 1]))
			continue;
		m1 = lower / (double)k;
		m2 = (total - lower) / (double)(n - k);
		between = (double)k * (double)(n - k) * (m1 - m2) * (m1 - m2);
		if (between > best) {
			best = between;
			cut = k;
		}
	}
	return cut;
}

static void describe_classes(struct step_split *out, const double *v, size_t n, size_t cut)
{
	double spread;

	out->valid = true;
	out->n_lower = cut;
	out->n_upper = n - cut;
	out->mean_lower = mean_of(v, cut);
	out->mean_upper = mean_of(v + cut, n - cut);
	out->sd_lower = class_sd(v, cut, out->mean_lower);
	out->sd_upper = class_sd(v + cut, n - cut, out->mean_upper);
	out->ratio = exp(out->mean_upper - out->mean_lower);
	spread = sqrt(out->sd_lower * out->sd_lower + out->sd_upper * out->sd_upper);
	out->d = spread > 0 ? (out->mean_upper - out->mean_lower) * M_SQRT2 / spread : INFINITY;
	out->share = (double)out->n_upper / (double)n;
	out->two_classes = out->ratio > RATIO_MIN && out->d > ASHMAN_MIN && out->share > SHARE_MIN;
}

void step_time_split(struct step_split *out, const double *step_s, size_t n)
{
	double *v = xreallocarray(NULL, n + 1, sizeof *v);
	size_t kept = 0, cut;

	*out = (struct step_split){ .valid = false };
	for (size_t i = 0; i < n; i++)
		if (isfinite(step_s[i]) && step_s[i] > 0)
			v[kept++] = log(step_s[i]);
	qsort(v, kept, sizeof *v, compare_doubles);
	cut = kept ? otsu_cut(v, kept) : 0;
	if (cut)
		describe_classes(out, v, kept, cut);
	free(v);
}
