/* vocabulary - see vocabulary.h. */
#include "config.h"

#include "domain/vocabulary.h"

#include <string.h>

#include "base/event.h"
#include "domain/choice.h"

#define WORDS(id, what, table) const struct words id = { what, table, ARRAY_LEN(table) }

static const struct word intervention_words[] = { { "", "" }, INTERVENTION_CHOICES(CHOICE_WORD) };
WORDS(words_intervention, "intervention kind", intervention_words);

static const struct word decision_words[] = { { "", "" }, DECISION_CHOICES(CHOICE_WORD) };
WORDS(words_decision, "decision", decision_words);

static const struct word verdict_words[] = { { "", "" }, VERDICT_CHOICES(CHOICE_WORD) };
WORDS(words_verdict, "verdict", verdict_words);

static const struct word class_words[] = {
	{ "", "" },
	{ "budget", "effort spent without a result" },
	{ "correctness", "the numbers look wrong" },
	{ "cost", "going on costs too much" },
	{ "feasibility", "something cannot be done" },
};
WORDS(words_rule_class, "rule class", class_words);

static const struct word action_words[] = {
	{ "", "" },
	{ "stop", "stop the line and ask" },
	{ "decision", "ask for a decision" },
};
WORDS(words_rule_action, "rule action", action_words);

static const struct word run_words[] = {
	{ "", "" },
	{ "prepared", "written down, not launched" },
	{ "launching", "being launched" },
	{ "queued", "waits for a machine" },
	{ "running", "runs" },
	{ "exited 0", "the process ended with 0" },
	{ "failed", "the process ended with an error" },
	{ "cancelled", "ended by a person" },
	{ "timeout", "ended by its time limit" },
	{ "budget", "ended by its budget" },
	{ "logcap", "ended because its log grew too large" },
	{ "preempted", "the provider took the machine" },
	{ "node-fail", "the machine failed" },
	{ "launch-failed", "it never started" },
	{ "lost", "its end was not seen" },
};
WORDS(words_run_state, "run state", run_words);

static const struct word run_kind_words[] = {
	{ "", "" },
	{ "smoke", "a short run" },
	{ "full", "the declared experiment" },
	{ "contract", "the cases of the contract" },
};
WORDS(words_run_kind, "run kind", run_kind_words);

const char *run_kind_text(enum run_kind k)
{
	return k == RUN_KIND_NONE ? "unknown" : word_name(&words_run_kind, (int)k);
}

const char *run_kind_phrase(enum run_kind k)
{
	switch (k) {
	case RUN_KIND_SMOKE:
		return "smoke run";
	case RUN_KIND_FULL:
		return "full run";
	case RUN_KIND_CONTRACT:
		return "run of the contract";
	case RUN_KIND_NONE:
		break;
	}
	return "run of unknown kind";
}

static const struct word run_label_words[] = {
	{ "", "" },
	{ "bring-up", "is it right? says nothing about speed" },
	{ "optimized", "is it fast? the questions of L2 are asked anew" },
};
WORDS(words_run_label, "label", run_label_words);

enum run_label run_label_of(const char *text)
{
	return word_find(&words_run_label, text) == RUN_LABEL_OPTIMIZED ? RUN_LABEL_OPTIMIZED
									: RUN_LABEL_BRING_UP;
}

static const struct word provenance_words[] = {
	{ "", "" },
	{ "observed", "launched and followed to its end here" },
	{ "watched", "launched elsewhere, followed from here" },
	{ "imported", "read from files afterwards" },
	{ "claimed", "told by its author, nothing was seen" },
};
WORDS(words_provenance, "provenance", provenance_words);

static const struct word signoff_words[] = { { "", "" }, SIGNOFF_CHOICES(CHOICE_WORD) };
WORDS(words_signoff, "sign-off", signoff_words);

static const struct word target_words[] = {
	{ "", "" },
	{ "gpu", "an NVIDIA GPU" },
	{ "tpu", "a Google TPU" },
	{ "cpu", "no accelerator" },
};
WORDS(words_target_kind, "target kind", target_words);

static const struct word launcher_words[] = {
	{ "", "" },
	{ "local", "on this machine" },
};
WORDS(words_launcher, "launcher", launcher_words);

static const struct word form_words[] = {
	{ "", "" },
	{ "threshold", "the value reaches the target within the margin" },
	{ "ordering", "the method leads the baseline by more than the margin" },
	{ "band", "the value lies between low and high" },
};
WORDS(words_goal_form, "goal form", form_words);

static const struct word at_words[] = {
	{ "", "" },
	{ "last", "the last value of the series counts" },
	{ "best", "the best value counts: the best checkpoint is reloaded" },
};
WORDS(words_goal_at, "value that counts", at_words);

static const struct word direction_words[] = {
	{ "", "" },
	{ "higher", "a higher value is better" },
	{ "lower", "a lower value is better" },
};
WORDS(words_direction, "direction", direction_words);

static const struct word input_words[] = {
	{ "", "" },
	{ "device", "the accelerator" },
	{ "packages", "versions of packages" },
	{ "environment", "variables that change arithmetic" },
	{ "data", "revision and order of the data" },
	{ "tokenizer", "tokenizer" },
	{ "weights", "checkpoint that both start from" },
	{ "parameters", "number of trained parameters" },
	{ "teacher", "teacher model" },
	{ "lr", "learning rate at equal steps" },
	{ "optimizer", "optimizer and its arguments" },
	{ "batch", "effective batch: per device x devices x accumulation" },
	{ "steps", "optimizer steps" },
	{ "steps-per-epoch", "steps of one epoch" },
	{ "warm-up", "steps of warm-up" },
	{ "clipping", "norm at which gradients are clipped" },
	{ "dropout", "dropout" },
	{ "seed", "seed" },
	{ "evaluation", "metric and its code" },
	{ "examples", "number of evaluated examples" },
	{ "checkpoint", "best or last checkpoint" },
	{ "coverage", "points that both have" },
	{ "window", "steps that one logged value is the mean of" },
	{ "first-step", "first step that is logged" },
	{ "resolution", "grid of the values in the log" },
	{ "nan-filter", "whether NaN was filtered out of the log" },
	{ "precision", "number format of the computation" },
};
WORDS(words_input, "input", input_words);

static const struct word truth_value_words[] = {
	{ "", "" }, { "false", "no" }, { "true", "yes" },
};
WORDS(words_truth_value, "truth value", truth_value_words);

static const struct word endpoint_words[] = {
	{ "", "" },
	{ "request", "one request" },
	{ "batch", "one batch" },
	{ "training-step", "one step of training" },
	{ "full-run", "a full run, from its start to its end" },
	{ "quality", "from the start of a run until a goal is reached" },
};
WORDS(words_endpoint, "endpoint", endpoint_words);

static const struct word preparation_words[] = {
	{ "", "" },
	{ "included", "with preparation and compilation" },
	{ "excluded", "without preparation and compilation" },
};
WORDS(words_preparation, "preparation", preparation_words);

static const struct word repetition_words[] = {
	{ "", "" }, { "first", "of the first run" }, { "repeated", "of a repeated run" },
};
WORDS(words_repetition, "repetition", repetition_words);

static const struct word package_class_words[] = {
	{ "", "" },
	{ "match", "means the same as the reference's version" },
	{ "modified", "differs, and is known not to change what is computed" },
	{ "mismatch", "differs, and may change what is computed" },
};
WORDS(words_package_class, "class of a version", package_class_words);

static const struct word seen_words[] = {
	{ "", "" },
	{ "yes", "seen" },
	{ "no", "looked for and not there" },
	{ "unknown", "could not be looked for" },
};
WORDS(words_seen, "marker", seen_words);

static const struct word actor_words[] = {
	{ "", "" },
	{ "human", "a person" },
	{ "agent", "a coding agent" },
	{ "tool", "a program that reads facts" },
};
WORDS(words_actor, "actor", actor_words);

const char *word_name(const struct words *w, int value)
{
	return value < 0 || (size_t)value >= w->n ? "" : w->list[value].name;
}

const char *word_help(const struct words *w, int value)
{
	return value < 0 || (size_t)value >= w->n ? "" : w->list[value].help;
}

int word_find(const struct words *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->list[i].name, name) == 0)
			return (int)i;
	return -1;
}

void word_add_choices(struct buf *out, const struct words *w)
{
	const char *between = "";

	for (size_t i = 0; i < w->n; i++) {
		if (!*w->list[i].name)
			continue;
		buf_addf(out, "%s%s", between, w->list[i].name);
		between = ", ";
	}
}

bool run_status_ended(enum run_status s)
{
	return s >= RUN_EXITED_0;
}

bool run_status_cut(enum run_status s)
{
	return s >= RUN_CANCELLED;
}

enum actor_class actor_class(const char *actor)
{
	const char *class = event_actor_class(actor);

	return class ? (enum actor_class)word_find(&words_actor, class) : ACTOR_NONE;
}
