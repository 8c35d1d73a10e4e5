/* cause - see cause.h. */
#include "config.h"

#include "domain/cause.h"

#include <strings.h>

#include "domain/choice.h"

const struct cause causes[CAUSES_N] = {
	{ "C0", "other, inherited or unknown",
		"inherited from the original, hardware, human, or not known", "any", -1, -1 },
	{ "C1", "environment and dependencies",
		"pinned versions that do not fit; data or models moved",
		"import, API and package errors", 7, -1 },
	{ "C2", "CUDA and device assumptions",
		"GPU-only calls, tensors left on the CPU, optimizer built before the transfer",
		"mostly explicit errors", 8, -1 },
	{ "C3", "library interactions",
		"a library changes how parameters or checkpoints are handled",
		"stale parameters, wrong checkpoint format, restore errors", 5, -1 },
	{ "C4", "lazy-tensor execution", "dynamic shapes, host synchronisation, a growing graph",
		"repeated recompilation, slow steps, rising host memory, no error", 13, 13 },
	{ "C5", "operators and numerics", "unsupported operators, CPU fallback, mixed precision",
		"numerical differences", 7, -1 },
	{ "C6", "memory capacity", "larger than the chip's memory", "out-of-memory errors", 3, -1 },
};

const struct cause *cause_find(const char *id)
{
	for (size_t i = 0; i < CAUSES_N; i++)
		if (strcasecmp(causes[i].id, id) == 0)
			return &causes[i];
	return NULL;
}

static const struct word outcome_words[] = { { "", "" }, OUTCOME_CHOICES(CHOICE_WORD) };
const struct words words_outcome = { "outcome", outcome_words, ARRAY_LEN(outcome_words) };

static const struct word silent_words[] = { { "", "" }, SILENT_CHOICES(CHOICE_WORD) };
const struct words words_silent = { "silent", silent_words, ARRAY_LEN(silent_words) };
