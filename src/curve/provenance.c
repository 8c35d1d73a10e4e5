/* provenance - what the numbers themselves tell about their source. */
#include "config.h"

#include "curve/provenance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "curve/provenance_private.h"
#include "curve/series_role.h"
#include "curve/statistics.h"

enum {
	BF16_VALUES_MIN = 16,
	BF16_DISTINCT_MIN = 8,
	FEW_VALUES_MIN = 4,
	FEW_DIGITS_MAX = 4,
};
#define COMPILE_FACTOR 5

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool said_already(
	const struct provenance_report *p, const char *id, const struct series *s)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->warnings[i].id, id) == 0 &&
			same_text(p->warnings[i].series, s ? s->name : NULL) &&
			same_text(p->warnings[i].side, p->side))
			return true;
	return false;
}

void provenance_add(struct provenance_report *out, struct arena *a, const char *id,
	const struct series *s, char *text)
{
	struct provenance_warning *grown;

	if (said_already(out, id, s))
		return;
	if (out->n == out->cap) {
		out->cap = out->cap ? 2 * out->cap : 8;
		grown = arena_alloc(a, out->cap * sizeof *grown);
		if (out->n)
			memcpy(grown, out->warnings, out->n * sizeof *grown);
		out->warnings = grown;
	}
	out->arena = a;
	out->warnings[out->n++] = (struct provenance_warning){ id,
		s ? arena_strdup(a, s->name) : NULL, out->side, text };
}

bool provenance_has(const struct provenance_report *p, const char *id)
{
	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->warnings[i].id, id) == 0)
			return true;
	return false;
}

/* Finite non-zero values of S; yours: free(). */
static double *usable_values(const struct series *s, size_t *n)
{
	double *v = xreallocarray(NULL, s->n + 1, sizeof *v);

	*n = 0;
	for (size_t i = 0; i < s->n; i++) {
		double y = series_value(s, i);

		if (isfinite(y) && (y < 0 || y > 0))
			v[(*n)++] = y;
	}
	return v;
}

static bool all_multiples(const double *v, size_t n, double per_unit)
{
	for (size_t i = 0; i < n; i++) {
		double nearest = round(v[i] * per_unit) / per_unit;

		if (v[i] < nearest || v[i] > nearest)
			return false;
	}
	return true;
}

static bool is_rounded_to_4(const struct series *s)
{
	size_t n;
	double *v = usable_values(s, &n);
	bool yes = n >= FEW_VALUES_MIN && all_multiples(v, n, 1e4) && !all_multiples(v, n, 1e3);

	free(v);
	return yes;
}

static uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static bool on_bf16_grid(double v, uint32_t *bits)
{
	float f = fabs(v) <= 3.4028234663852886e38 ? (float)v : 0;

	*bits = float_bits(f);
	return (double)f >= v && (double)f <= v && (*bits & 0xffff) == 0;
}

/* Counts distinct values up to the number that is asked for. */
static void note_distinct(double *seen, size_t *n_seen, double v)
{
	if (*n_seen == BF16_DISTINCT_MIN)
		return;
	for (size_t i = 0; i < *n_seen; i++)
		if (seen[i] >= v && seen[i] <= v)
			return;
	seen[(*n_seen)++] = v;
}

bool provenance_is_bf16_grid(const double *v, size_t n)
{
	double seen[BF16_DISTINCT_MIN];
	size_t n_seen = 0, n_used = 0, n_last_bit = 0, n_fraction = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t bits;

		if (!isfinite(v[i]) || !(v[i] < 0 || v[i] > 0))
			continue;
		if (!on_bf16_grid(v[i], &bits))
			return false;
		n_used++;
		n_last_bit += (bits >> 16) & 1;
		n_fraction += v[i] < trunc(v[i]) || v[i] > trunc(v[i]);
		note_distinct(seen, &n_seen, v[i]);
	}
	return n_used >= BF16_VALUES_MIN && n_seen == BF16_DISTINCT_MIN &&
		4 * n_last_bit >= n_used && 2 * n_fraction >= n_used;
}

static bool is_bf16_series(const struct series *s)
{
	size_t n;
	double *v = usable_values(s, &n);
	bool yes = provenance_is_bf16_grid(v, n);

	free(v);
	return yes;
}

/* Significant digits and decimals of the shortest text of V. */
static void count_digits(double v, int *significant, int *decimals)
{
	char text[TEXT_DOUBLE_MAX];
	const char *p = text, *exponent;
	int after = 0, zeros = 0, power = 0;
	bool point = false;

	*significant = 0;
	text_from_double(text, fabs(v));
	for (; *p && *p != 'e' && *p != 'E'; p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		after += point;
		if (*p == '0') {
			zeros += *significant > 0;
			continue;
		}
		*significant += zeros + 1;
		zeros = 0;
	}
	exponent = *p ? p + 1 : NULL;
	if (exponent)
		power = (int)strtol(exponent, NULL, 10);
	*decimals = after - power > 0 ? after - power : 0;
	if (*decimals && after && p[-1] == '0')
		*decimals = 0;	/* "2.0": no digit after the point was needed */
}

struct printed { size_t n; int significant, decimals; };

static struct printed printed_digits(const struct series *s)
{
	struct printed most = { 0, 0, 0 };

	for (size_t i = 0; i < s->n; i++) {
		double v = series_value(s, i);
		int significant, decimals;

		if (!isfinite(v) || !(v < 0 || v > 0))
			continue;
		count_digits(v, &significant, &decimals);
		most.n++;
		most.significant = significant > most.significant ? significant : most.significant;
		most.decimals = decimals > most.decimals ? decimals : most.decimals;
		if (most.significant > FEW_DIGITS_MAX && most.decimals > FEW_DIGITS_MAX)
			break;
	}
	return most;
}

static bool is_few_digits(const struct printed *p)
{
	return p->n >= FEW_VALUES_MIN &&
		(p->significant <= FEW_DIGITS_MAX || p->decimals <= FEW_DIGITS_MAX);
}

bool provenance_is_loss(const struct series *s, const struct provenance_facts *facts)
{
	return facts->source == PROVENANCE_HUGGING_FACE &&
		strcmp(series_last_part(s->name), "loss") == 0 && !text_starts(s->name, "eval");
}

struct resolution provenance_resolution(
	const struct series *s, const struct provenance_facts *facts)
{
	struct resolution r = { RESOLUTION_UNKNOWN, 0 };
	struct printed printed;

	if (is_bf16_series(s))
		return (struct resolution){ RESOLUTION_BF16, 0 };
	if (s->kind == VALUE_FLOAT)
		return (struct resolution){ RESOLUTION_F32, 0 };
	if (provenance_is_loss(s, facts) && is_rounded_to_4(s))
		return (struct resolution){ RESOLUTION_FIXED, 5e-5 };
	if (facts->source != PROVENANCE_TEXT)
		return r;
	printed = printed_digits(s);
	if (!is_few_digits(&printed))
		return r;
	if (printed.decimals <= FEW_DIGITS_MAX)
		return (struct resolution){ RESOLUTION_FIXED, 0.5 * pow(10, -printed.decimals) };
	return (struct resolution){ RESOLUTION_DIGITS, printed.significant };
}

double resolution_at(const struct resolution *r, double v)
{
	bool usable = isfinite(v) && (v < 0 || v > 0);

	switch (r->kind) {
	case RESOLUTION_FIXED:
		return r->fixed;
	case RESOLUTION_DIGITS:
		return usable ? 0.5 * pow(10, floor(log10(fabs(v))) - r->fixed + 1) : 0;
	case RESOLUTION_BF16:
		return usable ? ldexp(1, ilogb(v) - 8) : 0;
	case RESOLUTION_F32:
		return usable ? ldexp(1, ilogb(v) - 24) : 0;
	case RESOLUTION_UNKNOWN:
		break;
	}
	return 0;
}

double resolution_of(const struct series *s, const struct provenance_facts *facts)
{
	struct resolution r = provenance_resolution(s, facts);
	double most = 0;

	if (r.kind == RESOLUTION_UNKNOWN)
		return 0;
	for (size_t i = 0; i < s->n; i++)
		most = fmax(most, resolution_at(&r, series_value(s, i)));
	return most;
}

void provenance_check_nan_filter(struct provenance_report *out, struct arena *a,
	const struct run_series *run, const struct series *loss)
{
	const struct series *norm = run_series_find(run, "grad_norm", (int)loss->axis);
	struct align_options exact = { .mode = ALIGN_EXACT };
	struct alignment al;
	size_t n = 0;
	double first = NAN;

	exact.axis = loss->axis == AXIS_EPOCH ? ALIGN_EPOCH : ALIGN_STEP;
	if (!norm || align_series(&al, norm, loss, &exact) < 0)
		return;
	for (size_t i = 0; i < al.n; i++) {
		struct align_pair p = align_pair_at(&al, i);
		double y = p.attempt;

		if (isfinite(p.reference) || y < 0 || y > 0 || isnan(y))
			continue;
		if (!n++)
			first = p.x;
	}
	alignment_release(&al);
	if (n)
		provenance_add(out, a, "hf-nan-filter", loss,
			arena_printf(a,
				"%zu row%s with loss 0.0 and a gradient norm that is no number, the first at %.15g: a GPU run "
				"hides NaN behind its running mean, a TPU run does not; switch logging_nan_inf_filter off",
				n, n == 1 ? "" : "s", first));
}

double provenance_window(const struct series *s, const struct provenance_facts *facts)
{
	if (!provenance_is_loss(s, facts) || s->axis != AXIS_STEP)
		return NAN;
	return align_series_cadence(s);
}

static void check_window_mean(struct provenance_report *out, struct arena *a,
	const struct series *s, const struct provenance_facts *facts)
{
	double cadence = provenance_window(s, facts);

	if (cadence > 1)
		provenance_add(out, a, "hf-window-mean", s,
			arena_printf(a,
				"each row is the mean of the %.15g steps before it: with another cadence align in window mode",
				cadence));
}

static bool is_step_time(const char *name)
{
	static const char *const names[] = {
		"time",
		"seconds",
		"step_time",
		"step_time_seconds",
		"time_per_step",
		"batch_time",
		"iter_time",
		"seconds_per_step",
		"step_seconds",
		"step_time_s",
		"step_time_ms",
		"dt",
	};

	name = series_last_part(name);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

void provenance_check_compile_step(
	struct provenance_report *out, struct arena *a, const struct series *s)
{
	size_t n;
	double *v, first, median;

	if (!is_step_time(s->name))
		return;
	v = usable_values(s, &n);
	if (n >= 3) {
		first = v[0];
		median = median_of(v + 1, n - 1);
		if (first >= COMPILE_FACTOR * median)
			provenance_add(out, a, "compile-step", s,
				arena_printf(a,
					"the first step took %.6g, the median of the others is %.6g: leave it out of rates",
					first, median));
	}
	free(v);
}

static void check_digits(struct provenance_report *out, struct arena *a, const struct series *s)
{
	struct printed printed = printed_digits(s);

	if (!is_few_digits(&printed))
		return;
	provenance_add(out, a, "few-digits", s,
		arena_printf(a, "the log prints at most %d significant digits and %d decimals",
			printed.significant, printed.decimals));
}

void provenance_check_series(struct provenance_report *out, struct arena *a,
	const struct run_series *run, const struct series *s, const struct provenance_facts *facts)
{
	if (provenance_is_loss(s, facts)) {
		provenance_check_nan_filter(out, a, run, s);
		if (is_rounded_to_4(s))
			provenance_add(out, a, "hf-rounded-4", s,
				arena_printf(a,
					"values are rounded to 4 decimals: no difference under 5e-5 can be seen"));
		check_window_mean(out, a, s, facts);
	}
	if (is_bf16_series(s))
		provenance_add(out, a, "bf16-grid", s,
			arena_printf(a,
				"all %zu values lie on the bfloat16 grid: 8 bits of precision, and sums of them stall",
				s->n));
	if (s->kind == VALUE_FLOAT)
		provenance_add(out, a, "f32-source", s, arena_printf(a,
			"the source stores float32: 24 bits of precision"));
	if (facts->source == PROVENANCE_TEXT)
		check_digits(out, a, s);
	provenance_check_compile_step(out, a, s);
}
