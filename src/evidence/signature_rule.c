/* signature_rule - the word in the column "rule" and its parameters; see signature.h. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "evidence/signature_private.h"

/* What stands behind each word. */
enum parameters {
	NO_PARAMETERS, ONE_LIMIT, LIMIT_AND_LEAST, MAYBE_LIMIT, REPEATS, WORDS,
};

static const struct {
	const char *word;
	enum parameters parameters;
} rules[RULES_N] = {
	[RULE_HIT] = { "hit", NO_PARAMETERS },
	[RULE_SILENT] = { "silent", NO_PARAMETERS },
	[RULE_WHOLE_RUN] = { "whole-run", NO_PARAMETERS },
	[RULE_FLAG] = { "flag", NO_PARAMETERS },
	[RULE_GPU] = { "gpu", NO_PARAMETERS },
	[RULE_STATIC] = { "static", NO_PARAMETERS },
	[RULE_INNER] = { "inner", NO_PARAMETERS },
	[RULE_DROP] = { "drop", NO_PARAMETERS },
	[RULE_COUNTS] = { "counts", LIMIT_AND_LEAST },
	[RULE_LATE] = { "late", ONE_LIMIT },
	[RULE_BLOCKS] = { "blocks", ONE_LIMIT },
	[RULE_VALUE] = { "value", ONE_LIMIT },
	[RULE_GROW] = { "grow", MAYBE_LIMIT },
	[RULE_REPEATS] = { "repeats", REPEATS },
	[RULE_BEYOND] = { "beyond", WORDS },
	[RULE_SIZE] = { "size", ONE_LIMIT },
	[RULE_DEVICE_MEMORY] = { "device-memory", NO_PARAMETERS },
	[RULE_KILLED] = { "killed", NO_PARAMETERS },
	[RULE_CHILD] = { "child", NO_PARAMETERS },
	[RULE_REFERENCE] = { "reference", NO_PARAMETERS },
	[RULE_DEVICE_NAMED] = { "device-named", NO_PARAMETERS },
	[RULE_TPU_RUN] = { "tpu-run", NO_PARAMETERS },
	[RULE_PARITY] = { "parity", NO_PARAMETERS },
	[RULE_CRASH] = { "crash", NO_PARAMETERS },
};

const char *signature_rule_name(enum signature_rule r)
{
	return rules[r].word;
}

static bool read_number(const char *word, double *out)
{
	return text_to_double(word, strlen(word), out) && *out > 0 && *out < 1e12;
}

static int read_words(struct signature *s, char **words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(words[i], "else") == 0 && i + 2 == n) {
			s->other = words[i + 1];
			return 0;
		}
		if (s->words_n == SIGNATURE_WORDS_MAX)
			return err_set(ERR_PARSE, "rule beyond takes at most %d words",
				SIGNATURE_WORDS_MAX);
		s->words[s->words_n++] = words[i];
	}
	return s->words_n ? 0 : err_set(ERR_PARSE, "rule beyond needs the words that are harmless");
}

static int read_repeats(struct signature *s, char **words, size_t n)
{
	if ((n != 1 && n != 3) || !read_number(words[0], &s->limit) ||
		(n == 3 && !read_number(words[2], &s->minimum)))
		return err_set(ERR_PARSE, "rule repeats is \"repeats N\" or \"repeats N ID SECONDS\"");
	if (n == 3)
		s->other = words[1];
	return 0;
}

static int read_limits(struct signature *s, char **words, size_t n, size_t least, size_t most)
{
	const char *word = rules[s->rule].word;

	if (n < least || n > most)
		return err_set(ERR_PARSE, "rule %s takes %zu number%s", word, most,
			most == 1 ? "" : "s");
	if ((n > 0 && !read_number(words[0], &s->limit)) ||
		(n > 1 && !read_number(words[1], &s->minimum)))
		return err_set(ERR_PARSE, "rule %s takes numbers above 0", word);
	return 0;
}

static int read_parameters(struct signature *s, char **words, size_t n)
{
	switch (rules[s->rule].parameters) {
	case NO_PARAMETERS:
		return n == 0 ? 0 : err_set(ERR_PARSE, "rule %s takes nothing behind it",
					    rules[s->rule].word);
	case ONE_LIMIT:
		return read_limits(s, words, n, 1, 1);
	case LIMIT_AND_LEAST:
		return read_limits(s, words, n, 1, 2);
	case MAYBE_LIMIT:
		return read_limits(s, words, n, 0, 1);
	case REPEATS:
		return read_repeats(s, words, n);
	case WORDS:
		return read_words(s, words, n);
	}
	return 0;
}

int signature_rule_read(struct signature *s, const char *text, struct arena *a)
{
	size_t n, i = 0;
	char **words = text_words(a, text, &n);

	s->rule_text = arena_strdup(a, text);
	if (n == 0) {
		s->rule = RULE_HIT;
		s->rule_text = rules[RULE_HIT].word;
		return 0;
	}
	while (i < RULES_N && strcmp(rules[i].word, words[0]) != 0)
		i++;
	if (i == RULES_N)
		return err_set(ERR_PARSE,
			"\"%s\" is no rule; most are hit, silent, flag or drop", words[0]);
	s->rule = (enum signature_rule)i;
	return read_parameters(s, words + 1, n - 1);
}
