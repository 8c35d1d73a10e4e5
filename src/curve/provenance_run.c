/* provenance_run - warnings about a whole run, and about two runs side by side. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "curve/comparable.h"
#include "curve/compare.h"
#include "curve/provenance_private.h"

#define EPOCH_TOLERANCE 0.02

/* Is LABEL a device as torch_xla prints it, a worker's in front: "xla:0/3", "w2/TPU_0(...)"? */
static bool is_device(const char *label)
{
	static const char *const kinds[] = { "xla:", "TPU", "CPU", "GPU", "CUDA", "tpu:", "cuda:",
		"cpu:" };

	if (*label == 'w') {
		size_t digits = strspn(label + 1, "0123456789");

		if (digits && label[1 + digits] == '/')
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (text_starts(label, kinds[i]))
			return true;
	return false;
}

/* The "@" before a device; "recall@5" names none.  NULL: there is none. */
static const char *device_of(const char *name)
{
	const char *at = strchr(name, '@');

	return at && at > name && is_device(at + 1) ? at : NULL;
}

/* Series that share the name before the device: one a device or worker. */
static size_t labels_of(const struct run_series *run, const struct series *s, size_t base)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n; i++) {
		const char *at = device_of(run->series[i]->name);

		n += at && (size_t)(at - run->series[i]->name) == base &&
			strncmp(run->series[i]->name, s->name, base) == 0;
	}
	return n;
}

void provenance_check_run(struct provenance_report *out, struct arena *a,
	const struct run_series *run, const struct provenance_facts *facts)
{
	size_t labels = facts->n_device_labels > 0 ? (size_t)facts->n_device_labels : 0;

	for (size_t i = 0; run && i < run->n; i++) {
		const struct series *s = run->series[i];
		const char *at = device_of(s->name);
		size_t n = at ? labels_of(run, s, (size_t)(at - s->name)) : 0;

		labels = n > labels ? n : labels;
	}
	for (size_t i = 0; run && i < run->n; i++) {
		provenance_check_compile_step(out, a, run->series[i]);
		if (provenance_is_loss(run->series[i], facts))
			provenance_check_nan_filter(out, a, run, run->series[i]);
	}
	if (labels > 1)
		provenance_add(out, a, "per-device", NULL,
			arena_printf(a,
				"%zu devices or workers write into one log: choose one, or their mean; they are never merged",
				labels));
}

static void check_cadence(struct provenance_report *out, struct arena *a, const struct series *r,
		const struct series *t)
{
	double rc = align_series_cadence(r), tc = align_series_cadence(t);

	if (r->axis == t->axis && (rc < tc || rc > tc))
		provenance_add(out, a, "cadence", r, arena_printf(a,
			"the reference logs every %.15g, the attempt every %.15g", rc, tc));
}

/* Steps per epoch between the first and the last point that have an epoch. */
static double steps_per_epoch(const struct series *s)
{
	size_t first = SIZE_MAX, last = 0;
	double epochs;

	if (!series_has_epoch(s) || s->axis != AXIS_STEP)
		return NAN;
	for (size_t i = 0; i < s->n; i++) {
		if (!isfinite(series_epoch(s, i)))
			continue;
		if (first == SIZE_MAX)
			first = i;
		last = i;
	}
	if (first == SIZE_MAX)
		return NAN;
	epochs = series_epoch(s, last) - series_epoch(s, first);
	return epochs > 0 ? (series_x(s, last) - series_x(s, first)) / epochs : NAN;
}

static void check_steps_per_epoch(struct provenance_report *out, struct arena *a,
	const struct series *r, const struct series *t)
{
	double rs = steps_per_epoch(r), ts = steps_per_epoch(t);

	if (fabs(rs - ts) > EPOCH_TOLERANCE * fmax(fabs(rs), fabs(ts)))
		provenance_add(out, a, "steps-per-epoch", r,
			arena_printf(a,
				"%.6g steps an epoch in the reference, %.6g in the attempt: the batch or the device count "
				"changed; compare by epoch or by samples",
				rs, ts));
}

static void add_rates(
	struct provenance_report *out, struct arena *a, const struct learning_rate_check *lr)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "learning rates differ at %zu of %zu equal steps, first at %" PRId64 ": ",
		lr->n_different, lr->n_common, lr->first_step);
	compare_add_logged(&b, lr->reference);
	buf_adds(&b, " and ");
	compare_add_logged(&b, lr->attempt);
	buf_adds(&b, "; the schedule differs, not the device");
	provenance_add(out, a, "lr-differs", NULL, arena_strndup(a, b.s, b.n));
	buf_release(&b);
}

void provenance_check_pair(struct provenance_report *out, struct arena *a,
		const struct run_series *reference_run, const struct series *reference,
		const struct run_series *attempt_run, const struct series *attempt)
{
	struct learning_rate_check lr;

	check_cadence(out, a, reference, attempt);
	check_steps_per_epoch(out, a, reference, attempt);
	comparable_learning_rate(&lr, reference_run, attempt_run);
	if (lr.n_different)
		add_rates(out, a, &lr);
}
