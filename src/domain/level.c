/* level - see level.h. */
#include "config.h"

#include "domain/level.h"

#include <string.h>
#include <strings.h>

#include "domain/choice.h"

static const struct word level_words[] = { { "", "" }, LEVEL_CHOICES(CHOICE_WORD) };
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

/* The levels that gate, from the lowest; L1 is a measurement without a verdict. */
static const enum level rungs[] = { LEVEL_L0, LEVEL_L2, LEVEL_L3, LEVEL_L4 };
enum { RUNGS = ARRAY_LEN(rungs) };

static enum check_result result_of(const struct level_vector *v, size_t rung)
{
	const enum check_result results[RUNGS] = { v->l0, v->l2, v->l3, v->l4 };

	return results[rung];
}

struct ladder level_ladder(const struct level_vector *v)
{
	struct ladder l = { LEVEL_NONE, LEVEL_NONE };
	bool proven = true;

	for (size_t i = 0; i < RUNGS; i++) {
		if (result_of(v, i) == CHECK_REFUTED)
			break;
		proven = proven && result_of(v, i) == CHECK_CONFIRMED;
		if (proven)
			l.level = rungs[i];
		l.upper = rungs[i];
	}
	return l;
}

/* How many rungs are proven, and what is to be said where not even L0 is. */
static size_t add_proven(struct buf *out, const struct level_vector *v)
{
	size_t n = 0;

	while (n < RUNGS && result_of(v, n) == CHECK_CONFIRMED)
		n++;
	if (n)
		buf_adds(out, level_name(rungs[n - 1]));
	else if (v->l0 == CHECK_REFUTED)
		buf_adds(out, level_name(LEVEL_NONE));
	else
		buf_addf(out, "L0 %s", word_name(&words_check, (int)v->l0));
	return n;
}

static bool are_alike(const struct level_vector *v, size_t from)
{
	for (size_t i = from + 1; i < RUNGS; i++)
		if (result_of(v, i) != result_of(v, from))
			return false;
	return true;
}

void level_add_measured(struct buf *out, const struct level_vector *v)
{
	size_t n = add_proven(out, v);

	if (!n || n == RUNGS)
		return;
	if (n + 1 < RUNGS && result_of(v, n) != CHECK_REFUTED && are_alike(v, n)) {
		buf_addf(out, ", above %s", word_name(&words_check, (int)result_of(v, n)));
		return;
	}
	for (size_t i = n; i < RUNGS; i++) {
		buf_addf(out, ", %s %s", level_name(rungs[i]),
			word_name(&words_check, (int)result_of(v, i)));
		if (result_of(v, i) == CHECK_REFUTED)
			return;
	}
}

void level_add_measured_briefly(struct buf *out, const struct level_vector *v)
{
	size_t n = add_proven(out, v);

	if (!n || n == RUNGS)
		return;
	for (size_t i = n; i < RUNGS; i++)
		if (result_of(v, i) == CHECK_REFUTED) {
			buf_addf(out, ", %s %s", level_name(rungs[i]),
				word_name(&words_check, CHECK_REFUTED));
			return;
		}
	buf_adds(out, ", above ?");
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
