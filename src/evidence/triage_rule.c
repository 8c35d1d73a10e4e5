/* triage_rule - whether the matches of one signature amount to a finding; see triage.h. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "evidence/triage_private.h"

/* What is counted, in words: "5 in 12 steps". */
static const char *count_text(struct triage_work *w, double count, double of, const char *what)
{
	return arena_printf(w->arena, "%.0f in %.0f %s", count, of, what);
}

static void by_count(struct triage_work *w, struct triage_finding *f, double count, double of,
	const char *what)
{
	f->cause = triage_cause_find(f->signature->cause);
	f->basis = TRIAGE_BY_COUNT;
	f->count = count;
	f->of = of;
	f->why = count_text(w, count, of, what);
}

static void by_hit(struct triage_finding *f)
{
	f->cause = triage_cause_find(f->signature->cause);
	f->basis = TRIAGE_BY_HIT;
}

/* "21 counts during 11 steps", as the profiler prints it; the last line holds. */
static void judge_counts(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	const struct signature *s = f->signature;

	f->noted = true;
	if (isnan(t->last_value) || isnan(t->last_second) || t->last_second <= 0 ||
		t->last_second < s->minimum)
		return;
	if (t->last_value / t->last_second > s->limit)
		by_count(w, f, t->last_value, t->last_second, "steps");
}

static void judge_late(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	if (t->late > 0) {
		by_count(w, f, (double)t->late, (double)t->count, "blocks after warm-up");
		f->why = arena_printf(w->arena, "%lld of %lld blocks after step %d",
			(long long)t->late, (long long)t->count, LOG_WARM_UP);
	} else if (w->steps > LOG_WARM_UP &&
		(double)t->count / (double)w->steps > f->signature->limit) {
		by_count(w, f, (double)t->count, (double)w->steps, "steps");
	}
}

static void judge_blocks(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	f->noted = true;
	if (w->steps > LOG_WARM_UP && (double)t->count / (double)w->steps >= f->signature->limit)
		by_count(w, f, (double)t->count, (double)w->steps, "steps");
}

static void judge_value(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	f->noted = true;
	if (w->steps > LOG_WARM_UP && t->last_value / (double)w->steps >= f->signature->limit)
		by_count(w, f, t->last_value, (double)w->steps, "steps");
}

static void judge_grow(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	const struct signature *s = f->signature;

	if (t->rises > 0) {
		f->cause = triage_cause_find(s->cause);
		f->basis = TRIAGE_BY_GROWTH;
		f->from = t->rise_from;
		f->to = t->rise_to;
		f->line = t->rise_line;
		f->why = arena_printf(w->arena, "it rose from %.0f to %.0f after warm-up", t->rise_from,
			t->rise_to);
	} else if (s->limit > 0 && w->steps > LOG_WARM_UP &&
		t->last_value / (double)w->steps > s->limit) {
		by_count(w, f, t->last_value, (double)w->steps, "steps");
	}
}

/* The longest duration that another signature printed. */
static double longest(const struct triage_work *w, const char *id)
{
	int at = id ? signature_find(w->in->catalogue, id) : -1;

	return at >= 0 ? w->f->tallies[at].largest_value : NAN;
}

static void judge_repeats(
	struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	const struct signature *s = f->signature;
	double seconds = longest(w, s->other);

	f->noted = true;
	if ((double)t->same_most > s->limit) {
		f->cause = triage_cause_find(s->cause);
		f->basis = TRIAGE_BY_COUNT;
		f->count = (double)t->same_most;
		f->of = (double)t->count;
		f->line = t->same_line;
		f->why = arena_printf(w->arena, "%lld times for %s", (long long)t->same_most,
			t->same_text);
	} else if (s->minimum > 0 && seconds > s->minimum) {
		by_hit(f);
		f->why = arena_printf(w->arena, "one took %.0f s", seconds);
	}
}

static void judge_beyond(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	const struct signature *s = f->signature;

	if (t->beyond) {
		by_hit(f);
		f->line = t->beyond_line;
		f->why = arena_printf(w->arena, "it lists %s", t->beyond_text);
	} else if (s->other) {
		f->cause = triage_cause_find(s->other);
		f->basis = TRIAGE_BY_HIT;
		f->why = "it lists only operators that wait for a value";
	} else {
		f->noted = true;
	}
}

static void judge_size(struct triage_work *w, struct triage_finding *f, const struct log_tally *t)
{
	double bytes = t->largest_value * 1e9;

	f->noted = w->in->device_bytes > 0 && bytes > f->signature->limit * w->in->device_bytes;
	if (f->noted)
		f->why = arena_printf(w->arena, "%.1f GB of %.1f GB", bytes / 1e9,
			w->in->device_bytes / 1e9);
}

static void judge_silent(struct triage_work *w, struct triage_finding *f)
{
	/* On a GPU run that a TPU was not found is as it should be. */
	if (f->signature->side == SIDE_TPU && w->in->target == TRIAGE_GPU) {
		use_rule(w, 1);
		return;
	}
	by_hit(f);
}

void triage_judge(struct triage_work *w, size_t index, struct triage_finding *out)
{
	const struct signature *s = signature_at(w->in->catalogue, index);
	const struct log_tally *t = &w->f->tallies[index];

	*out = (struct triage_finding){ .signature = s, .index = index, .line = t->first_line,
		.count = NAN, .of = NAN, .from = NAN, .to = NAN, .why = "" };
	if (t->count == 0)
		return;
	switch (s->rule) {
	case RULE_SILENT:
	case RULE_WHOLE_RUN:
		judge_silent(w, out);
		break;
	case RULE_COUNTS:
		judge_counts(w, out, t);
		break;
	case RULE_LATE:
		judge_late(w, out, t);
		break;
	case RULE_BLOCKS:
		judge_blocks(w, out, t);
		break;
	case RULE_VALUE:
		judge_value(w, out, t);
		break;
	case RULE_GROW:
		judge_grow(w, out, t);
		break;
	case RULE_REPEATS:
		judge_repeats(w, out, t);
		break;
	case RULE_BEYOND:
		judge_beyond(w, out, t);
		break;
	case RULE_SIZE:
		judge_size(w, out, t);
		break;
	case RULE_REFERENCE:
		by_hit(out);
		break;
	case RULE_FLAG:
		out->noted = true;
		break;
	case RULE_HIT:
	case RULE_TPU_RUN:
	case RULE_PARITY:
		/* Of a text that raises the first error decides; a silent one decides here. */
		if (s->kind == SIGNATURE_SILENT)
			judge_silent(w, out);
		else
			out->noted = s->kind == SIGNATURE_WARNS;
		break;
	case RULE_GPU:
	case RULE_STATIC:
	case RULE_INNER:
	case RULE_DROP:
	case RULE_DEVICE_MEMORY:
	case RULE_KILLED:
	case RULE_CHILD:
	case RULE_DEVICE_NAMED:
	case RULE_CRASH:
	case RULES_N:
		break;
	}
}
