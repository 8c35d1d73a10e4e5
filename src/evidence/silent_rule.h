/*
 * silent_rule - failures without an error text, each looked for by a rule with a stated
 * rate of false alarms.
 *
 * About half of the attempts that fail end with 0.  What tells them apart is not in one
 * text but in numbers: how long steps take, how memory grows, how the curve runs beside
 * the reference's, what the counters and the probe's records say, which versions ran.
 * Each rule is a row of one table, and answers one question:
 *
 *	confirmed	looked at, and what the rule looks for is not there
 *	refuted		it is there
 *	unknown		looked at; the figures are too few, or lie between the limits
 *	not checked	nothing of this run tells
 *	not applicable	the question has no sense here: a run that was meant for a CPU
 *
 * FALSE_ALARMS is the share of healthy runs that the rule refutes at most.  Of a rule that
 * compares facts it is 0: nothing in it is sampled.  Of a rule over noisy numbers it was
 * simulated: healthy runs with jitter of step times, pauses of a garbage collector, saves,
 * evaluations, first compilations, caches that fill, several seeds.  DETECTED is the
 * share of sick runs that it finds, at the effect that EFFECT names.  The tests hold both
 * with a fixed seed.  They are rates of that simulation: what a real cluster does beyond
 * it is not in them.
 *
 * Pure: numbers and facts go in.  What is asked elsewhere (run_signal.h, probe_check.h,
 * device_proof.h, curve/assessment.h, curve/comparable.h) is not asked again here.
 *
 *	struct silent_finding findings[SILENT_RULES];
 *	struct silent_input in = { .accelerator = true, .step_s = { steps, n, "log" } };
 *
 *	silent_rules_ask(findings, &in, &arena);
 *	if (findings[SILENT_STEP_CLASSES].result == CHECK_REFUTED)
 *		puts(findings[SILENT_STEP_CLASSES].text);
 */
#ifndef PORTSIDE_EVIDENCE_SILENT_RULE_H
#define PORTSIDE_EVIDENCE_SILENT_RULE_H

#include "base/check_result.h"
#include "base/expr.h"
#include "curve/assessment.h"
#include "curve/comparable.h"
#include "evidence/device_proof.h"
#include "evidence/packages_known.h"
#include "evidence/probe_check.h"
#include "evidence/run_signal.h"

/* In the order in which they are told: what changes the result before what slows it. */
enum silent_rule_id {
	SILENT_DEVICE, SILENT_IDLE,
	SILENT_WEAKENED, SILENT_STEPS, SILENT_BATCH,
	SILENT_REDUCTION, SILENT_OPTIMIZER, SILENT_PARAMETERS, SILENT_CHECKPOINT, SILENT_VERSIONS,
	SILENT_FALLBACK, SILENT_ZERO_LOSS, SILENT_FIRST_STEP, SILENT_DIVERGENCE,
	SILENT_RESULT,
	SILENT_RECOMPILATION, SILENT_GRAPH_GROWTH, SILENT_TENSOR_LEAK, SILENT_HOST_READS,
	SILENT_STEP_CLASSES, SILENT_SLOW_STEPS, SILENT_MEMORY,
	SILENT_RULES
};

struct silent_rule {
	const char *id;			/* "step-classes" */
	const char *question;		/* yes is healthy */
	const char *cause;		/* of a refuted one: "C4" */
	double false_alarms;		/* share of healthy runs; 0: nothing is sampled */
	const char *effect;		/* what DETECTED was measured at; "": it is exact */
	double detected;
	const char *next;		/* the cheapest check that tells */
	int minutes;			/* of it, roughly */
};

extern const struct silent_rule silent_rules[SILENT_RULES];

/* Of fewer numbers no answer but "unknown". */
enum {
	SILENT_STEPS_MIN = 40,		/* behind the warm-up */
	SILENT_MEMORY_MIN = 20,		/* behind the first fifth */
	SILENT_MEMORY_SHORT = 6,	/* likewise, when each is above the one before: a level
					 * with noise does that once in 720 runs */
	SILENT_DUTY_MIN = 6,
	SILENT_DIVERGED_MIN = 10,	/* points in a row up to the last, without seeds */
	SILENT_ZEROS_MIN = 3,		/* points in a row */
	SILENT_FACTS_MAX = SIGNAL_FACTS_MAX,
};

struct silent_numbers {
	const double *v;
	size_t n;
	const char *place;		/* where they stand: "log"; NULL: not told */
};

struct silent_input {
	bool accelerator;		/* it was meant for a TPU or a GPU */
	bool simulated;			/* its target is a stand-in: nothing is confirmed */
	struct silent_numbers step_s, reference_step_s;	/* of each step, in order */
	/* Of the host, else of a device; X is steps or seconds. */
	struct silent_numbers memory_x, memory_bytes;
	bool memory_unit_unknown;	/* they grow, but what they count is not told */
	struct silent_numbers duty_percent;	/* of the busiest chip, one a sample */
	struct silent_numbers loss, gradient_norm;	/* at equal steps; N 0: not logged */
	/* NULL: not known */
	const struct run_signal *signals;		/* RUN_SIGNALS of them */
	const struct device_proof *proof;
	const struct probe_answer *answers;		/* PROBE_QUESTIONS of them */
	const struct comparable *comparable;
	const struct run_facts *reference_facts, *facts;
	const struct comparison *comparison;
	const struct assessment *assessment;
	/* Versions that are known to do something else, and whether the condition of each
	 * holds here. */
	bool packages_known;		/* a list of packages was read */
	const struct package_hit *hits;
	const enum truth *hits_hold;
	size_t hits_n;
};

struct silent_finding {
	const struct silent_rule *rule;
	enum check_result result;
	bool has_value;
	double value;			/* what TEXT is about: a ratio, a share */
	const char *text;		/* one sentence with the figures */
	const char *places;		/* "probe-0-71.jsonl:12"; "": see FACTS */
	const struct evidence_fact *facts[SILENT_FACTS_MAX];	/* borrowed */
	size_t facts_n;
};

/* Texts are in A, or borrowed from IN. */
void silent_rules_ask(
	struct silent_finding out[SILENT_RULES], const struct silent_input *in, struct arena *a);

/* "at most 1 of 100 healthy runs", "none (it compares facts)". */
void silent_rule_add_rate(struct buf *out, const struct silent_rule *rule);

#endif
