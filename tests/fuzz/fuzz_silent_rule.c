/*
 * fuzz_silent_rule - any numbers as what a run tells about failures without a text.
 *
 * Bytes are taken from the front: flags, how many numbers of each series, the numbers as
 * the bits of doubles or as small integers, and what others have answered.  Each rule
 * must answer with a sentence; none may refute from fewer numbers than it asks for, nor
 * confirm for a stand-in.
 */
#include "config.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/silent_rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NUMBERS_MAX = 400, RESULTS = CHECK_NOT_APPLICABLE + 1 };

struct source {
	const uint8_t *p;
	size_t n;
};

static void check(bool holds)
{
	if (!holds)
		abort();
}

static uint8_t take(struct source *s)
{
	if (!s->n)
		return 0;
	s->n--;
	return *s->p++;
}

/* A count, then one number a byte, or the eight bytes of a double. */
static struct silent_numbers take_numbers(struct source *s, struct arena *a)
{
	size_t n = (size_t)take(s) * 2;
	bool bits = take(s) & 1;
	double *v = arena_alloc(a, (NUMBERS_MAX + 1) * sizeof *v);
	size_t size = bits ? sizeof *v : 1, i = 0;

	for (; i < n && i < NUMBERS_MAX && s->n >= size; i++) {
		if (bits) {
			memcpy(&v[i], s->p, sizeof *v);
			s->p += size;
			s->n -= size;
		} else {
			v[i] = (double)take(s);
		}
	}
	return (struct silent_numbers){ v, i, n & 2 ? "log" : NULL };
}

static void take_signals(struct run_signal out[RUN_SIGNALS], struct source *s)
{
	for (size_t i = 0; i < RUN_SIGNALS; i++)
		out[i] = (struct run_signal){ .result = (enum check_result)(take(s) % RESULTS),
			.has_value = take(s) & 1,
			.value = take(s) / 16.0,
			.text = "of a report" };
}

static void take_answers(struct probe_answer out[PROBE_QUESTIONS], struct source *s)
{
	static const char *const names[] = {
		"dev", "opt", "grad", "tie", "ckpt", "steps", "batch" };

	for (size_t i = 0; i < PROBE_QUESTIONS; i++)
		out[i] = (struct probe_answer){ names[take(s) % ARRAY_LEN(names)],
			(enum check_result)(take(s) % RESULTS), "of a record", "probe-0.jsonl:1" };
}

static size_t finite_n(const struct silent_numbers *x)
{
	size_t n = 0;

	for (size_t i = 0; i < x->n; i++)
		n += isfinite(x->v[i]) != 0;
	return n;
}

static void check_all(const struct silent_finding out[SILENT_RULES], const struct silent_input *in)
{
	for (size_t i = 0; i < SILENT_RULES; i++) {
		check(out[i].rule == &silent_rules[i] && out[i].text && *out[i].text);
		check(out[i].places && out[i].facts_n <= SILENT_FACTS_MAX);
		check(!in->simulated || out[i].result != CHECK_CONFIRMED);
	}
	check(out[SILENT_STEP_CLASSES].result != CHECK_REFUTED ||
		finite_n(&in->step_s) >= SILENT_STEPS_MIN);
	check(out[SILENT_MEMORY].result != CHECK_REFUTED ||
		finite_n(&in->memory_bytes) >= SILENT_MEMORY_SHORT);
	check(out[SILENT_IDLE].result != CHECK_REFUTED ||
		finite_n(&in->duty_percent) >= SILENT_DUTY_MIN);
	check(out[SILENT_ZERO_LOSS].result != CHECK_REFUTED || in->loss.n >= SILENT_ZEROS_MIN);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source s = { data, size };
	struct silent_finding out[SILENT_RULES];
	struct run_signal signals[RUN_SIGNALS];
	struct probe_answer answers[PROBE_QUESTIONS];
	struct arena a = ARENA_INIT;
	uint8_t flags = take(&s);
	struct silent_input in = { .accelerator = flags & 1, .simulated = flags >> 1 & 1,
		.packages_known = flags >> 2 & 1 };

	if (flags >> 3 & 1) {
		take_signals(signals, &s);
		in.signals = signals;
	}
	if (flags >> 4 & 1) {
		take_answers(answers, &s);
		in.answers = answers;
	}
	in.step_s = take_numbers(&s, &a);
	in.reference_step_s = take_numbers(&s, &a);
	in.memory_x = take_numbers(&s, &a);
	in.memory_bytes = take_numbers(&s, &a);
	/* Pairs, as whoever reads them gives them. */
	if (in.memory_x.n > in.memory_bytes.n)
		in.memory_x.n = in.memory_bytes.n;
	in.memory_bytes.n = in.memory_x.n;
	in.duty_percent = take_numbers(&s, &a);
	in.loss = take_numbers(&s, &a);
	in.gradient_norm = take_numbers(&s, &a);
	if (in.gradient_norm.n < in.loss.n)
		in.gradient_norm.n = 0;
	silent_rules_ask(out, &in, &a);
	check_all(out, &in);
	arena_release(&a);
	return 0;
}
