/* level - see level.h. */
#include "config.h"

#include "domain/level.h"

#include <string.h>
#include <strings.h>

static const struct word level_words[] = {
	{ "", "" },
	{ "none", "does not run to its declared end, or nobody could show it" },
	{ "L0", "does the declared experiment run to its declared end on the target?" },
	{ "L2", "intended hardware, intended training semantics?" },
	{ "L3", "does the workload-specific goal hold on the intended configuration?" },
	{ "L4", "time and cost against the declared target, judged after L3" },
};
const struct words words_level = { "level", level_words, ARRAY_LEN(level_words) };

int level_index(enum level l)
{
	return (int)l - 1;
}

enum level level_from_index(int index)
{
	return index < 0 || index > 4 ? LEVEL_UNSET : (enum level)(index + 1);
}

const char *level_name(enum level l)
{
	return word_name(&words_level, (int)l);
}

const char *level_question(enum level l)
{
	return word_help(&words_level, (int)l);
}

struct ladder level_ladder(const struct level_vector *v)
{
	static const enum level rungs[] = { LEVEL_L0, LEVEL_L2, LEVEL_L3, LEVEL_L4 };
	const enum check_result results[] = { v->l0, v->l2, v->l3, v->l4 };
	struct ladder l = { LEVEL_NONE, LEVEL_NONE };
	bool proven = true;

	for (size_t i = 0; i < ARRAY_LEN(rungs); i++) {
		if (results[i] == CHECK_REFUTED)
			break;
		proven = proven && results[i] == CHECK_CONFIRMED;
		if (proven)
			l.level = rungs[i];
		l.upper = rungs[i];
	}
	return l;
}

void ladder_add(struct buf *out, const struct ladder *l)
{
	buf_adds(out, level_name(l->level));
	if (l->upper > l->level)
		buf_addf(out, " (up to %s)", level_name(l->upper));
}

static size_t skip_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(s, word, n) == 0 ? n : 0;
}

/* The length of the level's word, 0 for anything else. */
static size_t take_level(struct level_text *out, const char *s)
{
	if (skip_word(s, "none")) {
		out->level = LEVEL_NONE;
		return 4;
	}
	if ((s[0] != 'L' && s[0] != 'l') || s[1] < '0' || s[1] > '4')
		return 0;
	if (s[1] == '1') {
		out->level = LEVEL_L0;
		out->mapped = true;
	} else {
		out->level = s[1] == '0' ? LEVEL_L0 : (enum level)(LEVEL_L2 + (s[1] - '2'));
	}
	return 2;
}

bool level_parse(struct level_text *out, const char *s)
{
	size_t n;

	memset(out, 0, sizeof *out);
	s += strspn(s, " \t");
	if (!*s || strcmp(s, "-") == 0)
		return true;
	s += skip_word(s, "reached ");
	n = take_level(out, s);
	s += n;
	s += strspn(s, " \t");
	if (!n || !*s)
		return n != 0;
	if (*s != '@')
		return false;
	s++;
	s += strspn(s, " \t");
	out->configuration = s;
	out->configuration_n = strcspn(s, " \t");
	if (!out->configuration_n ||
		    s[out->configuration_n + strspn(s + out->configuration_n, " \t")])
		return false;
	if (out->configuration_n == 3 && memcmp(s, "all", 3) == 0)
		out->configuration_n = 0;
	return true;
}
