/* check - see check.h. */
#include "config.h"

#include "domain/check.h"

#include <string.h>

#include "domain/kind.h"

static const struct word check_words[] = {
	{ "not checked", "nobody looked" },
	{ "confirmed", "evidence supports it" },
	{ "refuted", "evidence contradicts it" },
	{ "unknown", "looked at; the evidence is not enough, or contradicts itself" },
	{ "not applicable", "cannot apply, for a stored reason" },
};
const struct words words_check = { "check result", check_words, ARRAY_LEN(check_words) };

const struct check_item check_items[] = {
	{ "exit", "L0", "did the process end with 0?", "exit 0", "non-zero exit, signal", false,
		true, 1 },
	{ "steps-done", "L0", "were all declared steps done?", "steps done = declared",
		"fewer steps than declared", false, true, 1 },
	{ "end-marker", "L0", "was the end marker written?", "the declared text is in the log",
		"the text is missing", false, true, 1 },
	{ "artifact", "L0", "is the declared artifact there?", "file present and not empty",
		"file missing", false, true, 1 },
	{ "error-text", "L0", "is the log free of tracebacks and out-of-memory texts?",
		"none found", "traceback, out-of-memory text", false, true, 1 },
	{ "hang", "L0", "did steps keep coming?", "steps at their usual pace",
		"no step for max(10 min, 20 x median step)", false, true, 1 },

	{ "dev", "L2", "are parameters and batches on the accelerator?",
		"device of one parameter and one batch; tpu-info shows the run's PID; duty cycle "
		"above 0",
		"PJRT fell back to CPU; libtpu not found; PID N/A; duty cycle about 0", false, true,
		3 },
	{ "fallback", "L2", "does every hot-path operator run on the chip?",
		"no aten::* counter except _local_scalar_dense and nonzero",
		"an operator was not lowered; aten::* counted", false, true, 5 },
	{ "compile", "L2", "do compilations stop after warm-up?",
		"compile samples flat between two reports, below 0.02 a step",
		"more than 0.1 samples a step after warm-up, or rising in 3 blocks", false, true,
		5 },
	{ "config", "L2", "is it the intended configuration?",
		"chips, topology, backend and world size as declared",
		"any differs, for example validated on 1 chip, intended 4", false, true, 1 },
	{ "batch", "L2", "is the effective batch equal?",
		"per device x replicas x accumulation = reference",
		"the product differs; the loader drops last batches", false, false, 3 },
	{ "steps", "L2", "is the number of optimizer steps equal?",
		"step counters, examples or tokens equal",
		"fewer steps; early stop on one side only", false, false, 2 },
	{ "lr", "L2", "is the learning-rate series equal?",
		"equal at the same steps to the logged digits",
		"any value differs at an equal step", false, false, 2 },
	{ "opt-order", "L2", "was the optimizer built after the device transfer?",
		"code order; parameter checksum changes after N steps",
		"parameters unchanged after N steps", false, false, 5 },
	{ "grad", "L2", "is the gradient reduced over chips, then clipped once?",
		"order in code or trace; gradient norm of 1 chip = that of N chips on one batch",
		"clipped before it is reduced", false, true, 5 },
	{ "params", "L2", "no stale copies, ties intact after transfer?",
		"checksums of live module, optimizer group and saved file agree",
		"the optimizer updates a copy; a tie is broken", false, true, 5 },
	{ "ckpt", "L2", "do save and restore round-trip, is the best one reloaded?",
		"reload, evaluate, equal metric; size as expected",
		"adapter keys missing; one shard only; last step where best was asked", false, true,
		20 },
	{ "eval", "L2", "same examples, same metric code?",
		"hash and count of ids equal; metric code hash equal",
		"count, label map or tokenizer differs", false, false, 10 },
	{ "dtype", "L2", "are autocast and matmul precision known and intended?",
		"recorded autocast type, matmul precision, XLA_USE_BF16",
		"autocast disabled or ignored; bf16 not declared", false, true, 3 },
	{ "seed-data", "L2", "is the data order equal, or declared different?",
		"hash of the first batches' ids equal, or a declared difference",
		"hash differs without a declaration", false, true, 5 },
	{ "deps", "L2", "is every version difference classified?",
		"each change is marked match, modified or mismatch, with a reason",
		"an unclassified major change", false, false, 3 },

	{ "goal", "L3", "does the goal hold, measured on this configuration?",
		"the goal's predicate is true", "false, and not inherited from the reference", true,
		true, 10 },

	{ "workload", "L4", "is the workload equal?", "same steps, evaluations and stopping",
		"early stop, fewer evaluations", false, false, 3 },
	{ "endpoint", "L4", "is the same endpoint measured?",
		"same endpoint, preparation and compilation stated", "different endpoints", false,
		false, 2 },
	{ "performance", "L4", "are the declared time and cost met?",
		"time and cost within the target", "slower or dearer than the target", false, true,
		5 },

	{ "contract-device", CHECK_LEVEL_CONTRACT, "was the intended device recognised?",
		"the program names a device of the target's kind", "it names another kind", false,
		true, 1 },
	{ "contract-model", CHECK_LEVEL_CONTRACT, "was the intended model loaded?",
		"the revision is the fixed one, labels read as fixed",
		"another revision, labels read otherwise", false, true, 1 },
	{ "contract-input", CHECK_LEVEL_CONTRACT, "did a small input pass the intended path?",
		"a normal or short case gave an output", "each of them raised or gave nothing",
		false, true, 2 },
	{ "contract-output", CHECK_LEVEL_CONTRACT, "does every output satisfy the contract?",
		"every case is ok", "a case is not", false, true, 5 },
	{ "contract-conditions", CHECK_LEVEL_CONTRACT, "does it run under useful conditions?",
		"a person has seen that the declared conditions are met", "they are not met", false,
		true, 10 },
};
const size_t check_items_n = ARRAY_LEN(check_items);

int check_result_find(const char *word)
{
	if (strcmp(word, "not-checked") == 0)
		return CHECK_NOT_CHECKED;
	if (strcmp(word, "not-applicable") == 0)
		return CHECK_NOT_APPLICABLE;
	return word_find(&words_check, word);
}

void check_all_add(struct check_all *all, enum check_result r)
{
	switch (r) {
	case CHECK_REFUTED:
		all->refuted++;
		break;
	case CHECK_CONFIRMED:
		all->confirmed++;
		break;
	case CHECK_NOT_APPLICABLE:
		all->not_applicable++;
		break;
	case CHECK_UNKNOWN:
	case CHECK_NOT_CHECKED:
		all->open++;
		break;
	}
}

enum check_result check_all_result(const struct check_all *all)
{
	if (all->refuted)
		return CHECK_REFUTED;
	if (all->open)
		return CHECK_UNKNOWN;
	return all->confirmed ? CHECK_CONFIRMED : CHECK_NOT_CHECKED;
}

enum check_result check_all(const enum check_result *results, size_t n)
{
	struct check_all all = { 0 };

	for (size_t i = 0; i < n; i++)
		check_all_add(&all, results[i]);
	return check_all_result(&all);
}

enum truth check_truth(enum check_result r)
{
	if (r == CHECK_CONFIRMED)
		return TRUTH_TRUE;
	return r == CHECK_REFUTED ? TRUTH_FALSE : TRUTH_UNKNOWN;
}

static bool contradicts(enum check_result a, enum check_result b)
{
	return (a == CHECK_CONFIRMED && b == CHECK_REFUTED) ||
	       (a == CHECK_REFUTED && b == CHECK_CONFIRMED);
}

enum check_result check_combine(enum check_result human, enum check_result tool)
{
	if (contradicts(human, tool))
		return CHECK_UNKNOWN;
	return human == CHECK_NOT_CHECKED ? tool : human;
}

const struct check_item *check_find(const char *id)
{
	size_t n = strcspn(id, ".");

	for (size_t i = 0; i < check_items_n; i++) {
		const struct check_item *item = &check_items[i];

		if (strlen(item->id) != n || memcmp(item->id, id, n) != 0)
			continue;
		if (item->per_goal)
			return id[n] && name_is_plain(id + n + 1) ? item : NULL;
		return id[n] ? NULL : item;
	}
	return NULL;
}

const char *check_goal(const char *id)
{
	const char *dot = strchr(id, '.');

	return dot ? dot + 1 : "";
}

const char *assessment_object_id(struct arena *a, const char *attempt, const char *configuration)
{
	return arena_printf(a, "%s@%s", attempt, configuration);
}

const char *check_object_id(
	struct arena *a, const char *attempt, const char *configuration, const char *check)
{
	return arena_printf(a, "%s@%s:%s", attempt, configuration, check);
}

bool assessment_object_parse(struct check_name *out, struct arena *a, const char *s)
{
	const char *at = strchr(s, '@');
	int64_t n;
	const char *line;

	memset(out, 0, sizeof *out);
	if (!at || !name_is_plain(at + 1))
		return false;
	out->attempt = arena_strndup(a, s, (size_t)(at - s));
	out->configuration = arena_strdup(a, at + 1);
	out->check = "";
	return attempt_object_parse(&n, &line, a, out->attempt) ||
	       strcmp(out->attempt, "reference") == 0;
}

bool check_object_parse(struct check_name *out, struct arena *a, const char *s)
{
	const char *colon = strrchr(s, ':');

	if (!colon || !assessment_object_parse(out, a, arena_strndup(a, s, (size_t)(colon - s))))
		return false;
	out->check = arena_strdup(a, colon + 1);
	return check_find(out->check) != NULL;
}
