/* compare_words - the names of verdicts, units and sides, and which way a series is better by
 * its own name; see compare.h. */
#include "config.h"

#include <string.h>
#include <strings.h>

#include "curve/compare.h"

static const char *const verdict_names[] = {
	[COMPARE_NO_OVERLAP] = "no overlap",
	[COMPARE_NOT_DECIDABLE] = "not decidable from this log",
	[COMPARE_MATCH] = "match",
	[COMPARE_DIFFERS_FROM_START] = "differs from the start",
	[COMPARE_EXCURSION] = "excursion",
	[COMPARE_DIVERGES] = "diverges",
};

static const char *const delta_names[] = {
	[DELTA_PLAIN] = "d",
	[DELTA_ABSOLUTE] = "|d|",
	[DELTA_RELATIVE] = "d/|R|",
	[DELTA_LOG2] = "log2 A/R",
	[DELTA_SIGMA] = "d/sigma",
};

static const char *const delta_words[] = {
	[DELTA_PLAIN] = "difference",
	[DELTA_ABSOLUTE] = "absolute",
	[DELTA_RELATIVE] = "relative",
	[DELTA_LOG2] = "log2",
	[DELTA_SIGMA] = "sigma",
};

static const char *const delta_gaps[] = {
	[DELTA_PLAIN] = "R is no number there",
	[DELTA_ABSOLUTE] = "R is no number there",
	[DELTA_RELATIVE] = "R is 0 or no number there",
	[DELTA_LOG2] = "R or A is not over 0 there, or the tolerance is all of R",
	[DELTA_SIGMA] = "the reference has no spread there",
};

static const char *const side_names[] = {
	[SIDE_NEITHER] = "neither",
	[SIDE_REFERENCE] = "reference",
	[SIDE_ATTEMPT] = "attempt",
	[SIDE_UNKNOWN] = "unknown",
};

static const char *const direction_names[] = {
	[BETTER_NONE] = "",
	[BETTER_HIGHER] = "higher",
	[BETTER_LOWER] = "lower",
};

/* Words that people call a result by; digits may follow: "acc1", "rouge2". */
static const struct {
	const char *word;
	enum better better;
} result_words[] = {
	{ "loss", BETTER_LOWER },
	{ "nll", BETTER_LOWER },
	{ "perplexity", BETTER_LOWER },
	{ "ppl", BETTER_LOWER },
	{ "error", BETTER_LOWER },
	{ "err", BETTER_LOWER },
	{ "wer", BETTER_LOWER },
	{ "cer", BETTER_LOWER },
	{ "mse", BETTER_LOWER },
	{ "rmse", BETTER_LOWER },
	{ "mae", BETTER_LOWER },
	{ "acc", BETTER_HIGHER },
	{ "accuracy", BETTER_HIGHER },
	{ "f1", BETTER_HIGHER },
	{ "bleu", BETTER_HIGHER },
	{ "rouge", BETTER_HIGHER },
	{ "rougel", BETTER_HIGHER },
	{ "rougelsum", BETTER_HIGHER },
	{ "auc", BETTER_HIGHER },
};

const char *compare_verdict_name(enum compare_verdict v)
{
	return verdict_names[v];
}

const char *delta_mode_name(enum delta_mode m)
{
	return delta_names[m];
}

const char *delta_mode_word(enum delta_mode m)
{
	return delta_words[m];
}

const char *delta_mode_gap(enum delta_mode m)
{
	return delta_gaps[m];
}

bool delta_mode_from_word(enum delta_mode *out, const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(delta_words); i++) {
		if (strcmp(delta_words[i], word) == 0) {
			*out = (enum delta_mode)i;
			return true;
		}
	}
	if (strcmp(word, "ratio") != 0)
		return false;
	/* As a logarithm half and double are as far away. */
	*out = DELTA_LOG2;
	return true;
}

const char *side_name(enum side s)
{
	return side_names[s];
}

const char *direction_name(enum better d)
{
	return direction_names[d];
}

static enum better better_by_word(const char *word, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(result_words); i++) {
		size_t k = strlen(result_words[i].word);

		if (k <= n && strncasecmp(word, result_words[i].word, k) == 0 &&
			strspn(word + k, "0123456789") >= n - k)
			return result_words[i].better;
	}
	return BETTER_NONE;
}

enum better better_by_name(const char *series)
{
	static const char between[] = "/_.-: ";
	enum better found = BETTER_NONE;

	for (const char *s = series; *s && !found; s += strspn(s, between)) {
		size_t n = strcspn(s, between);

		found = better_by_word(s, n);
		s += n;
	}
	return found;
}
