/* silent_rule - the table, and the rules that take over answers; see silent_rule.h. */
#include "config.h"

#include "evidence/silent_rule.h"

#include <stdarg.h>
#include <string.h>

#include "evidence/silent_rule_private.h"

const struct silent_rule silent_rules[SILENT_RULES] = {
	[SILENT_DEVICE] = { "device", "Did it train on the accelerator?", "C2", 0, "", 1,
		"run tpu-info (or nvidia-smi) while steps run: who holds the chip, and its duty cycle", 5 },
	[SILENT_IDLE] = { "idle", "Was the chip busy at all?", "C2", 0.01,
		"12 samples of a chip that nobody uses", 0.99,
		"print the device of the parameters and of one batch", 5 },
	[SILENT_WEAKENED] = { "weakened", "Is it the whole experiment: steps, model, data?", "C0", 0,
		"", 1, "compare the settings of both runs side by side: portside compare", 5 },
	[SILENT_STEPS] = { "steps", "Does it take as many optimizer steps as the reference?", "C3", 0,
		"", 1, "count the optimizer's steps of one epoch on both sides", 10 },
	[SILENT_BATCH] = { "batch", "Is the effective batch that of the reference?", "C3", 0, "", 1,
		"multiply batch per device, devices and accumulation on both sides", 5 },
	[SILENT_REDUCTION] = { "reduction", "Are gradients reduced first and clipped once?", "C3", 0,
		"", 1, "print the norm before clipping on every rank at step 1: equal, or local?", 15 },
	[SILENT_OPTIMIZER] = { "optimizer", "Does the optimizer hold the parameters that train?", "C2",
		0, "", 1, "checksum the parameters before and after ten steps", 10 },
	[SILENT_PARAMETERS] = { "parameters", "Do parameters, copies and ties stay what they were?",
		"C3", 0, "", 1, "checksum the tied weights on both sides after the transfer", 10 },
	[SILENT_CHECKPOINT] = { "checkpoint", "Is what is saved what is loaded again?", "C3", 0, "", 1,
		"load the last checkpoint in a new process and evaluate it once", 15 },
	[SILENT_VERSIONS] = { "versions", "Are its versions free of known defects?", "C3", 0, "", 1,
		"run ten steps on two chips with the release that is free of it", 20 },
	[SILENT_FALLBACK] = { "fallback", "Does every operator run on the device?", "C5", 0, "", 1,
		"read the aten:: counters of one metrics report after ten steps", 5 },
	[SILENT_ZERO_LOSS] = { "zero-loss", "Is the loss a loss, and its gradient finite?", "C5", 0,
		"", 1, "evaluate one batch in fp32 and print loss and gradient norm", 10 },
	[SILENT_FIRST_STEP] = { "first-step", "Does the first step give the reference's loss?", "C5",
		0.01, "a first loss 5 % off, in bf16", 0.99,
		"one batch through both models with the same weights, in fp32", 15 },
	[SILENT_DIVERGENCE] = { "divergence", "Does the curve stay with the reference's?", "C0", 0.02,
		"from the middle on 10 % above, one seed a side", 0.95,
		"repeat the reference with another seed: how far is it apart from itself?", 60 },
	[SILENT_RESULT] = { "result", "Does it end where the reference's repeats end?", "C0", 0.05,
		"a result 10 margins below those of 3 seeds that scatter by 0.8 margins", 0.95,
		"repeat the run with the same seed: is it apart from itself?", 60 },
	[SILENT_RECOMPILATION] = { "recompilation", "Do compilations stop after the warm-up?", "C4",
		0.01, "a new shape in 30 % of 200 steps", 0.99,
		"XLA_METRICS_FILE for thirty steps: UncachedCompile of each report", 10 },
	[SILENT_GRAPH_GROWTH] = { "graph-growth", "Does the graph keep its size?", "C4", 0.01,
		"a graph that gets 2 % more nodes every 20 steps, 200 steps", 0.99,
		"XLA_METRICS_FILE for thirty steps: TensorsGraphSize of each report", 10 },
	[SILENT_TENSOR_LEAK] = { "tensor-leak", "Are as many tensors destroyed as created?", "C4", 0.01,
		"five tensors that each step keeps, 200 steps", 0.99,
		"CreateXlaTensor less DestroyXlaTensor of each metrics report", 10 },
	[SILENT_HOST_READS] = { "host-reads", "Does the host read values only to log them?", "C4", 0.01,
		"a value read in every step, 200 steps", 0.99,
		"PT_XLA_DEBUG=1 for twenty steps: the line that reads", 10 },
	[SILENT_STEP_CLASSES] = { "step-classes", "Do steps take one time, and not two?", "C4", 0.01,
		"5 % of 200 steps 20 times as long, at no fixed distance", 0.95,
		"CompileTime samples against steps, in one metrics report", 10 },
	[SILENT_SLOW_STEPS] = { "slow-steps", "Is a step about as fast as the reference's?", "C4", 0.01,
		"steps five times as long as the reference's, 200 steps", 0.99,
		"profile ten steps: compiling, input, or the host?", 20 },
	[SILENT_MEMORY] = { "memory", "Does memory stop growing?", "C4", 0.01,
		"a leak of 20 % of the memory over the run, 100 samples", 0.95,
		"run twice as many steps of the smoke run, and look at the peak", 20 },
};

/* ---- saying --------------------------------------------------------------------------- */

void silent_say(struct silent_work *w, enum check_result result, const char *format, ...)
{
	struct buf text = BUF_INIT;
	va_list args;

	va_start(args, format);
	buf_vaddf(&text, format, args);
	va_end(args);
	w->finding->result = result;
	w->finding->text = arena_strdup(w->a, text.s);
	buf_release(&text);
}

void silent_value(struct silent_work *w, double value)
{
	w->finding->has_value = true;
	w->finding->value = value;
}

void silent_place(struct silent_work *w, const char *place)
{
	struct silent_finding *f = w->finding;

	if (!place || !*place || strstr(f->places, place))
		return;
	f->places = *f->places ? arena_printf(w->a, "%s, %s", f->places, place) :
				 arena_strdup(w->a, place);
}

void silent_rule_add_rate(struct buf *out, const struct silent_rule *rule)
{
	if (rule->false_alarms > 0)
		buf_addf(out, "at most %g of 100 healthy runs", 100 * rule->false_alarms);
	else
		buf_adds(out, "none (it compares facts)");
}

/* ---- what others have answered ---------------------------------------------------------- */

#define SIGNAL_GROWTH_LEAST 1.05

static void take_signal(struct silent_work *w, enum run_signal_id id)
{
	const struct run_signal *s = w->in->signals ? &w->in->signals[id] : NULL;

	if (!s || s->result == CHECK_NOT_CHECKED) {
		silent_say(w, CHECK_NOT_CHECKED, "%s",
			s ? s->text : "no metrics report of this run");
		return;
	}
	/* Numbers that stand about still rise three times in a row by chance. */
	if (s->result == CHECK_REFUTED && (id == SIGNAL_GRAPH_GROWTH || id == SIGNAL_TENSOR_LEAK) &&
		!(s->value >= SIGNAL_GROWTH_LEAST))
		silent_say(w, CHECK_UNKNOWN, "%s: rising, and by less than counts", s->text);
	else
		silent_say(w, s->result, "%s", s->text);
	if (s->has_value)
		silent_value(w, s->value);
	for (size_t i = 0; i < s->facts_n && i < SILENT_FACTS_MAX; i++)
		w->finding->facts[w->finding->facts_n++] = s->facts[i];
}

static const struct probe_answer *answer_of(const struct silent_work *w, const char *check)
{
	for (size_t i = 0; w->in->answers && i < PROBE_QUESTIONS; i++)
		if (strcmp(w->in->answers[i].check, check) == 0)
			return &w->in->answers[i];
	return NULL;
}

static void take_answer(struct silent_work *w, const char *check)
{
	const struct probe_answer *answer = answer_of(w, check);

	if (!answer || answer->result == CHECK_NOT_CHECKED) {
		silent_say(w, CHECK_NOT_CHECKED, "%s",
			answer ? answer->why : "no record of the probe");
		return;
	}
	silent_say(w, answer->result, "%s", answer->why);
	silent_place(w, answer->places);
}

static void take_proof(struct silent_work *w)
{
	const struct device_proof *p = w->in->proof;

	silent_say(w, p->result, "%s", p->text);
	for (size_t i = 0; i < DEVICE_LOOKS; i++)
		for (size_t k = 0; k < p->looks[i].facts_n && p->looks[i].result == p->result &&
			w->finding->facts_n < SILENT_FACTS_MAX; k++)
			w->finding->facts[w->finding->facts_n++] = p->looks[i].facts[k];
}

/* A refutation of either side stands; then a confirmation; what both leave open is. */
static void ask_device(struct silent_work *w)
{
	const struct probe_answer *answer = answer_of(w, "dev");
	const struct device_proof *proof = w->in->proof;
	enum check_result by_proof = proof ? proof->result : CHECK_NOT_CHECKED,
			  by_probe = answer ? answer->result : CHECK_NOT_CHECKED;

	if (!w->in->accelerator)
		silent_say(w, CHECK_NOT_APPLICABLE, "it was not meant for an accelerator");
	else if (by_probe == CHECK_REFUTED ||
		(by_probe == CHECK_CONFIRMED && by_proof != CHECK_REFUTED))
		take_answer(w, "dev");
	else if (by_proof != CHECK_NOT_CHECKED)
		take_proof(w);
	else
		take_answer(w, "dev");
}

/* ---- versions ---------------------------------------------------------------------------- */

static void name_hit(struct silent_work *w, enum check_result result, const struct package_hit *hit)
{
	struct silent_finding *f = w->finding;

	silent_say(w, result, "%s %s %s%s%s", hit->known->package, hit->package->text,
		hit->known->happens,
		result == CHECK_UNKNOWN ? "; it would if " : "",
		result == CHECK_UNKNOWN ? hit->known->condition : "");
	f->facts[f->facts_n++] = hit->package;
	if (hit->beside)
		f->facts[f->facts_n++] = hit->beside;
}

static const struct package_hit *hit_that(const struct silent_work *w, enum truth holds)
{
	for (size_t i = 0; i < w->in->hits_n; i++)
		if (w->in->hits_hold[i] == holds)
			return &w->in->hits[i];
	return NULL;
}

/* A match is a reason to look: whether it has struck this run, the run alone shows. */
static void ask_versions(struct silent_work *w)
{
	if (!w->in->packages_known)
		silent_say(w, CHECK_NOT_CHECKED, "no list of this run's packages");
	else if (hit_that(w, TRUTH_TRUE))
		name_hit(w, CHECK_REFUTED, hit_that(w, TRUTH_TRUE));
	else if (hit_that(w, TRUTH_UNKNOWN))
		name_hit(w, CHECK_UNKNOWN, hit_that(w, TRUTH_UNKNOWN));
	else
		silent_say(w, CHECK_CONFIRMED,
			"none of its versions is on the list of those that are known to do something else here");
}

/* ---- all --------------------------------------------------------------------------------- */

static void ask_reduction(struct silent_work *w) { take_answer(w, "grad"); }
static void ask_optimizer(struct silent_work *w) { take_answer(w, "opt-order"); }
static void ask_parameters(struct silent_work *w) { take_answer(w, "params"); }
static void ask_checkpoint(struct silent_work *w) { take_answer(w, "ckpt"); }
static void ask_fallback(struct silent_work *w) { take_signal(w, SIGNAL_CPU_FALLBACK); }
static void ask_recompilation(struct silent_work *w) { take_signal(w, SIGNAL_RECOMPILATION); }
static void ask_graph_growth(struct silent_work *w) { take_signal(w, SIGNAL_GRAPH_GROWTH); }
static void ask_tensor_leak(struct silent_work *w) { take_signal(w, SIGNAL_TENSOR_LEAK); }
static void ask_host_reads(struct silent_work *w) { take_signal(w, SIGNAL_HOST_READS); }

static void (*const asks[SILENT_RULES])(struct silent_work *w) = {
	[SILENT_DEVICE] = ask_device,
	[SILENT_IDLE] = silent_ask_idle,
	[SILENT_WEAKENED] = silent_ask_weakened,
	[SILENT_STEPS] = silent_ask_steps,
	[SILENT_BATCH] = silent_ask_batch,
	[SILENT_REDUCTION] = ask_reduction,
	[SILENT_OPTIMIZER] = ask_optimizer,
	[SILENT_PARAMETERS] = ask_parameters,
	[SILENT_CHECKPOINT] = ask_checkpoint,
	[SILENT_VERSIONS] = ask_versions,
	[SILENT_FALLBACK] = ask_fallback,
	[SILENT_ZERO_LOSS] = silent_ask_zero_loss,
	[SILENT_FIRST_STEP] = silent_ask_first_step,
	[SILENT_DIVERGENCE] = silent_ask_divergence,
	[SILENT_RESULT] = silent_ask_result,
	[SILENT_RECOMPILATION] = ask_recompilation,
	[SILENT_GRAPH_GROWTH] = ask_graph_growth,
	[SILENT_TENSOR_LEAK] = ask_tensor_leak,
	[SILENT_HOST_READS] = ask_host_reads,
	[SILENT_STEP_CLASSES] = silent_ask_step_classes,
	[SILENT_SLOW_STEPS] = silent_ask_slow_steps,
	[SILENT_MEMORY] = silent_ask_memory,
};

/* These speak of the device itself, which a stand-in has not. */
static bool is_of_device(size_t i)
{
	return i == SILENT_DEVICE || i == SILENT_IDLE || i == SILENT_SLOW_STEPS;
}

static void hold_back(struct silent_work *w, size_t i)
{
	struct silent_finding *f = w->finding;

	if (f->result != CHECK_CONFIRMED && !(f->result == CHECK_REFUTED && is_of_device(i)))
		return;
	f->text = arena_printf(w->a, "%s; but the target only simulates", f->text);
	f->result = CHECK_UNKNOWN;
}

void silent_rules_ask(
	struct silent_finding out[SILENT_RULES], const struct silent_input *in, struct arena *a)
{
	for (size_t i = 0; i < SILENT_RULES; i++) {
		struct silent_work w = { in, &out[i], a };

		out[i] = (struct silent_finding){ .rule = &silent_rules[i], .text = "", .places = "" };
		asks[i](&w);
		if (in->simulated)
			hold_back(&w, i);
	}
}
