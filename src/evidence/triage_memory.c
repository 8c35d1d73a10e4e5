/*
 * triage_memory - rules 8 and 9: memory of the device and of the host; see triage.h.
 *
 * Two mechanisms end in the same text.  A program that does not fit needs less with a
 * smaller batch; a graph that grows, or is unrolled, fails at the same place whatever
 * the batch is.  Memory of the host that rises from step to step is lazy execution that
 * keeps what it should have run.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "evidence/triage_private.h"

enum {
	EXIT_KILLED = 137,
	SERIES_MIN = 4,		/* points of a series of resident memory */
	TRIES_MAX = 32,
};

static const double fits_ratio = 1.15, grows_ratio = 1.05;
static const double growth = 1.5, upward = 0.8;

/* ---- the device ------------------------------------------------------------------------ */

/* One batch size that was tried and failed. */
struct try {
	int64_t batch, step;
	double need;
};

static bool is_of_device_memory(const struct triage_work *w, const struct log_hit *h)
{
	return work_signature(w, h)->rule == RULE_DEVICE_MEMORY;
}

bool triage_went_on(const struct triage_work *w, const struct log_hit *h)
{
	return is_of_device_memory(w, h) && w->in->end == TRIAGE_ENDED && w->in->exit_status == 0 &&
		w->f->last_step >= 0 && w->f->last_step_offset > h->offset + strlen(h->text);
}

static size_t gather_tries(const struct triage_work *w, struct try out[TRIES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < w->f->hits_n; i++) {
		const struct log_hit *h = &w->f->hits[i];
		size_t k = 0;

		if (!is_of_device_memory(w, h) || h->batch <= 0)
			continue;
		while (k < n && out[k].batch != h->batch)
			k++;
		if (k == n && n < TRIES_MAX)
			out[n++] = (struct try){ h->batch, h->step, h->need };
		else if (k < n && isnan(out[k].need))
			out[k].need = h->need;
	}
	return n;
}

/* The next smaller batch; NULL: none. */
static const struct try *next_smaller(const struct try *tries, size_t n, const struct try *of)
{
	const struct try *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (tries[i].batch < of->batch && (!best || tries[i].batch > best->batch))
			best = &tries[i];
	return best;
}

static bool same_step_twice(const struct try *tries, size_t n, int64_t *step)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (tries[i].step > 1 && tries[i].step == tries[k].step) {
				*step = tries[i].step;
				return true;
			}
	return false;
}

/* The smallest ratio of needs of neighbouring batch sizes; NaN: there are none. */
static double least_ratio(const struct try *tries, size_t n, const struct try **of)
{
	double least = NAN;

	for (size_t i = 0; i < n; i++) {
		const struct try *smaller = next_smaller(tries, n, &tries[i]);
		double ratio = smaller && smaller->need > 0 ? tries[i].need / smaller->need : NAN;

		if (!isnan(ratio) && (isnan(least) || ratio < least)) {
			least = ratio;
			*of = &tries[i];
		}
	}
	return least;
}

static void conclude_ratio(struct triage_work *w, double ratio, const struct try *of,
	const struct try *smaller)
{
	struct triage_verdict *v = w->v;

	v->basis = TRIAGE_BY_GROWTH;
	v->from = smaller->need;
	v->to = of->need;
	v->cause = ratio < grows_ratio ? TRIAGE_C4 : TRIAGE_C6;
	v->uncertain = ratio >= grows_ratio && ratio < fits_ratio;
	triage_reason(w, "the memory that is needed %s with the batch: %.2f GiB at %lld, %.2f GiB at %lld",
		v->cause == TRIAGE_C4 ? "hardly falls" : v->uncertain ? "falls a little" : "falls",
		of->need / 1073741824.0, (long long)of->batch, smaller->need / 1073741824.0,
		(long long)smaller->batch);
}

void triage_device_memory(struct triage_work *w, size_t first_hit)
{
	struct triage_verdict *v = w->v;
	const struct try *of = NULL;
	struct try tries[TRIES_MAX];
	size_t n = gather_tries(w, tries);
	double ratio = least_ratio(tries, n, &of);
	int64_t step;

	use_rule(w, 8);
	v->basis = TRIAGE_BY_ORDER;
	v->first_line = w->f->hits[first_hit].line;
	if (n > 1 && same_step_twice(tries, n, &step)) {
		v->cause = TRIAGE_C4;
		triage_reason(w, "the device's memory ends at step %lld at several batch sizes",
			(long long)step);
	} else if (!isnan(ratio)) {
		conclude_ratio(w, ratio, of, next_smaller(tries, n, of));
	} else {
		v->cause = TRIAGE_C6;
		v->uncertain = true;
		triage_reason(w, "the device's memory does not hold it; one batch size alone cannot tell a model that does not fit from a graph that grows");
	}
}

/* ---- the host --------------------------------------------------------------------------- */

static bool exit_is_kill(const struct triage_work *w)
{
	return w->in->end == TRIAGE_ENDED &&
		(w->in->exit_status == EXIT_KILLED || w->in->exit_status == -9);
}

bool triage_is_killed(const struct triage_work *w, const struct log_hit *h)
{
	enum signature_rule rule;

	if (!h)
		return exit_is_kill(w);
	rule = work_signature(w, h)->rule;
	return rule == RULE_KILLED || (rule == RULE_CHILD && strcmp(h->group, "-9") == 0);
}

static bool grows(int64_t n, int64_t rises, double first, double last)
{
	return n >= SERIES_MIN && first > 0 && last >= growth * first &&
		(double)rises >= upward * (double)(n - 1);
}

static bool measured_grows(const struct triage_memory *m, double *first, double *last)
{
	int64_t rises = 0;

	for (size_t i = 1; i < m->n; i++)
		rises += m->bytes[i] > m->bytes[i - 1];
	if (m->n == 0)
		return false;
	*first = m->bytes[0];
	*last = m->bytes[m->n - 1];
	return grows((int64_t)m->n, rises, *first, *last);
}

static const struct log_memory *printed_growth(const struct log_findings *f)
{
	for (size_t i = 0; i < f->memory_n; i++) {
		const struct log_memory *m = &f->memory[i];

		if (grows(m->n, m->rises, m->first, m->last))
			return m;
	}
	return NULL;
}

static void conclude_growth(struct triage_work *w, double first, double last, bool bytes)
{
	struct triage_verdict *v = w->v;
	double unit = bytes ? 1073741824.0 : 1;

	v->cause = TRIAGE_C4;
	v->basis = TRIAGE_BY_GROWTH;
	v->from = first;
	v->to = last;
	v->uncertain = false;
	v->side = w->in->target == TRIAGE_GPU ? TRIAGE_SIDE_GPU :
		w->in->target == TRIAGE_TPU   ? TRIAGE_SIDE_TPU :
						TRIAGE_SIDE_UNKNOWN;
	triage_reason(w, "the host's memory rose from %.1f%s to %.1f%s before the process was killed",
		first / unit, bytes ? " GiB" : "", last / unit, bytes ? " GiB" : "");
}

void triage_killed(struct triage_work *w)
{
	struct triage_verdict *v = w->v;
	const struct log_memory *m = printed_growth(w->f);
	double first, last;

	use_rule(w, 9);
	if (measured_grows(&w->in->memory, &first, &last)) {
		conclude_growth(w, first, last, true);
	} else if (w->in->memory.n < SERIES_MIN && m) {
		conclude_growth(w, m->first, m->last, m->has_unit);
		if (!v->first_line)
			v->first_line = m->first_line;
	} else {
		v->cause = TRIAGE_C6;
		v->basis = TRIAGE_BY_ORDER;
		v->uncertain = true;
		v->side = TRIAGE_SIDE_HOST;
		triage_reason(w, "the process was killed, which the host does when its memory ends; no series of its memory shows growth");
	}
}
