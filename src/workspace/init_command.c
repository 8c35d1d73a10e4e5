/* init_command - see init_command.h. */
#include "config.h"

#include "workspace/init_command.h"

#include <string.h>

#include "base/text.h"

enum { COMMAND_BYTES_MAX = 400 };

/* Nothing that a shell would take apart or expand. */
static bool is_plain(const char *s, size_t n)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@+%";

	return n && strspn(s, letters) >= n;
}

static size_t blanks(const char *s)
{
	return strspn(s, " \t");
}

static size_t word_length(const char *s)
{
	return strcspn(s, " \t\n");
}

/* The words of a command from S on: all plain, with one blank between. */
static bool take_words(struct buf *out, const char *s)
{
	for (;;) {
		size_t n;

		s += blanks(s);
		if (*s == '\\' && s[1] == '\n') {
			s += 2;
			continue;
		}
		if (!*s || *s == '\n' || *s == '#')
			return out->n > 0 && out->n <= COMMAND_BYTES_MAX;
		n = word_length(s);
		if (!is_plain(s, n))
			return false;
		buf_addf(out, "%s%.*s", out->n ? " " : "", (int)n, s);
		s += n;
	}
}

/* Behind "python train.py" the script's name; NULL when the line is another. */
static const char *script_of(const char *line, const char *script)
{
	static const char *const starters[] = { "python3 ", "python ", "$ python3 ", "$ python " };
	size_t n = strlen(script);

	line += strspn(line, " \t`");
	for (size_t i = 0; i < ARRAY_LEN(starters); i++) {
		const char *at = line + strlen(starters[i]);

		if (!text_starts(line, starters[i]))
			continue;
		at += text_starts(at, "./") ? 2 : 0;
		return text_starts(at, script) && strchr(" \t\n", at[n]) ? at : NULL;
	}
	return NULL;
}

void init_command_find(
	struct looked *out, const char *text, const char *name, const char *script, struct arena *a)
{
	size_t line = 1;

	for (const char *s = text; s && !out->value; line++) {
		const char *at = script_of(s, script);
		struct buf words = BUF_INIT;

		if (at && take_words(&words, at))
			*out = (struct looked){ arena_strdup(a, words.s),
				arena_printf(a, "%s:%zu", name, line) };
		buf_release(&words);
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
}

void init_command_set(struct buf *out, const char *words, const char *option, const char *value)
{
	size_t n = strlen(option);
	bool done = false;

	while (*words) {
		size_t length = word_length(words);
		bool is = text_starts(words, option), joined = is && words[n] == '=';

		if (is && (joined || n == length)) {
			buf_addf(out, "%s%s%s%s", out->n ? " " : "", option, joined ? "=" : " ",
				value);
			done = true;
			words += length + blanks(words + length);
			if (!joined)
				words += word_length(words);
		} else {
			buf_addf(out, "%s%.*s", out->n ? " " : "", (int)length, words);
			words += length;
		}
		words += blanks(words);
	}
	if (!done)
		buf_addf(out, "%s%s %s", out->n ? " " : "", option, value);
}

const char *init_command_value(const char *words, const char *option, struct arena *a)
{
	size_t n = strlen(option);

	while (*words) {
		size_t length = word_length(words);
		const char *value = NULL;

		if (text_starts(words, option) && words[n] == '=')
			value = words + n + 1;
		else if (text_starts(words, option) && n == length)
			value = words + n + blanks(words + n);
		if (value)
			return arena_strndup(a, value, word_length(value));
		words += length;
		words += blanks(words);
	}
	return NULL;
}
