/*
 * run_signal - what the counters of a run say about how it executes.
 *
 * Seven questions, each with its limits in one table, answered from the facts of
 * metrics reports and profiler lines.  Confirmed is healthy, refuted is what the
 * question asks about gone wrong, unknown is the zone between and whatever the facts do
 * not decide; without facts nothing is checked.  An answer has the facts that it used.
 *
 * Steps are MarkStep: loaders, evaluation and accumulation add to it.  The first
 * warm-up steps are left out: with reports before and after by their difference, with
 * one report by a bound (at most one compilation a step of the warm-up), so that a
 * healthy answer holds whatever the warm-up was.  What a whole report does not name is
 * zero; of a report that was cut off it is not known.  A reset of the counters ends a
 * stretch; the worst stretch of all files counts.
 *
 *	struct run_signal signals[RUN_SIGNALS];
 *
 *	run_signals(signals, &arena, sets, n, &options);
 *	if (signals[SIGNAL_RECOMPILATION].result == CHECK_REFUTED)
 *		puts(signals[SIGNAL_RECOMPILATION].text);
 */
#ifndef PORTSIDE_EVIDENCE_RUN_SIGNAL_H
#define PORTSIDE_EVIDENCE_RUN_SIGNAL_H

#include <stddef.h>

#include "base/check_result.h"
#include "base/mem.h"
#include "evidence/evidence_facts.h"

enum run_signal_id {
	SIGNAL_RECOMPILATION, SIGNAL_HOST_READS, SIGNAL_DYNAMIC_SHAPE, SIGNAL_CPU_FALLBACK,
	SIGNAL_GRAPH_GROWTH, SIGNAL_TENSOR_LEAK, SIGNAL_EXECUTION, RUN_SIGNALS
};

struct run_signal_rule {
	const char *id;			/* "recompilation" */
	const char *question;
	const char *cause;		/* of a refuted one: "C4" */
	double healthy, bad;		/* limits of its value; NaN: it has none */
};

extern const struct run_signal_rule run_signal_rules[RUN_SIGNALS];

enum {
	SIGNAL_WARM_UP_STEPS = 10,
	SIGNAL_STEPS_MIN = 10,		/* behind the warm-up, for any answer but unknown */
	SIGNAL_HOST_STEPS_MIN = 20,
	SIGNAL_RISES = 3,		/* reports in a row, each above the one before */
	SIGNAL_FACTS_MAX = 8,
};

struct run_signal {
	const struct run_signal_rule *rule;
	enum check_result result;
	bool has_value;
	double value;			/* a ratio by step, or by the first report */
	size_t reports;			/* that it was read from: one shows no change */
	const char *text;		/* one sentence with the figures */
	const struct evidence_fact *facts[SIGNAL_FACTS_MAX];	/* borrowed */
	size_t facts_n;
};

struct run_signal_options {
	double logging_steps;		/* steps between two logged lines; 0: not known */
};

/* Texts are in A. */
void run_signals(struct run_signal out[RUN_SIGNALS], struct arena *a,
	const struct evidence_facts *const *sets, size_t n,
	const struct run_signal_options *options);

/* An operator on the CPU that is no fallback: a read by the host, a dynamic shape. */
bool run_signal_is_fallback(const char *op);

#endif
