/* log_clean_numbers - steps, memory and batch sizes in lines of a log; see log_clean.h. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "curve/reader_number.h"
#include "evidence/log_clean.h"

enum {
	NUMBER_BYTES_MAX = 32,
	DIGITS_EXACT = 19,	/* that many fit in 64 bits */
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

/* The whole number at AT, not the beginning of a fraction. */
static bool whole_number(const char *s, size_t n, size_t at, int64_t *out, size_t *end)
{
	size_t to = at;

	while (to < n && is_digit(s[to]))
		to++;
	*end = to;
	if (to == at || (to + 1 < n && s[to] == '.' && is_digit(s[to + 1])) ||
		(to < n && is_letter(s[to])))
		return false;
	return text_to_i64(s + at, to - at, out);
}

/* Behind a name: a quote that may end it, then blanks, colons and signs of equality. */
static bool skip_between(const char *s, size_t n, size_t *at)
{
	size_t i = *at, from;

	i += i < n && (s[i] == '"' || s[i] == '\'');
	from = i;
	while (i < n && i - from < 4 && (s[i] == ' ' || s[i] == '=' || s[i] == ':' || s[i] == '#'))
		i++;
	*at = i;
	return i > from;
}

/* ---- steps -------------------------------------------------------------------------- */

static bool named_step(
	const char *s, size_t n, size_t at, size_t length, int64_t *step, size_t *where)
{
	size_t i = at + length, end;

	/* "sec/step 2" and "footstep 2" are none; "global_step 2" is one. */
	if (at && (is_letter(s[at - 1]) || s[at - 1] == '/'))
		return false;
	if (!skip_between(s, n, &i) || !whole_number(s, n, i, step, &end))
		return false;
	*where = i;
	return true;
}

/* "12/100 [" with the slash at AT. */
static bool bar_step(const char *s, size_t n, size_t at, int64_t *step, size_t *where)
{
	size_t from = at, to = at + 1, end;

	while (from && is_digit(s[from - 1]))
		from--;
	while (to < n && is_digit(s[to]))
		to++;
	if (from == at || to == at + 1 || n - to < 2 || s[to] != ' ' || s[to + 1] != '[')
		return false;
	*where = from;
	return whole_number(s, at, from, step, &end);
}

/* Other bytes begin neither a name of a step nor the slash of a bar. */
static const bool begins_step[256] = {
	['/'] = true, ['s'] = true, ['S'] = true, ['i'] = true, ['I'] = true,
};

static bool step_at(const char *s, size_t n, size_t i, int64_t *step, size_t *where)
{
	static const struct { const char *name; size_t n; } names[] = {
		{ "step", 4 }, { "iteration", 9 }, { "iter", 4 },
	};

	if (s[i] == '/')
		return bar_step(s, n, i, step, where);
	if (n - i <= 4 || (s[i + 1] | 0x20) != 't')
		return false;
	for (size_t k = 0; k < ARRAY_LEN(names); k++)
		if (n - i > names[k].n && strncasecmp(s + i, names[k].name, names[k].n) == 0)
			return named_step(s, n, i, names[k].n, step, where);
	return false;
}

bool log_step(const char *s, size_t n, int64_t *step, size_t *at)
{
	for (size_t i = n; i-- > 0;)
		if (begins_step[(unsigned char)s[i]] && step_at(s, n, i, step, at))
			return true;
	return false;
}

/* ---- memory ------------------------------------------------------------------------- */

/* "GiB" and "GB"; the kernel's kB are KiB. */
static const struct { char letter; double binary, decimal; } units[] = {
	{ 'g', 1073741824.0, 1e9 }, { 'm', 1048576.0, 1e6 }, { 'k', 1024.0, 1024.0 },
};

static bool is_letter_of(char c, char lower)
{
	return is_letter(c) && (c | 0x20) == lower;
}

static size_t take_unit(const char *s, size_t n, double *bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(units) && n >= 2; i++) {
		if (!is_letter_of(s[0], units[i].letter))
			continue;
		if (is_letter_of(s[1], 'b')) {
			*bytes = units[i].decimal;
			return 2;
		}
		if (n >= 3 && is_letter_of(s[1], 'i') && is_letter_of(s[2], 'b')) {
			*bytes = units[i].binary;
			return 3;
		}
	}
	return 0;
}

static size_t take_decimal(const char *s, size_t n, double *out)
{
	size_t i = 0, dots = 0, digits = 0, fraction = 0;
	uint64_t whole = 0;

	for (; i < n && i < NUMBER_BYTES_MAX && (is_digit(s[i]) || s[i] == '.'); i++) {
		if (s[i] == '.') {
			dots++;
			continue;
		}
		whole = whole * 10 + (uint64_t)(s[i] - '0');
		digits++;
		fraction += dots;
	}
	if (digits == 0 || dots > 1)
		return 0;
	if (digits > DIGITS_EXACT)
		return text_to_double(s, i, out) ? i : 0;
	*out = number_scale(whole, -(int)fraction);
	return i;
}

static bool begins_word(const char *s, size_t at)
{
	return at == 0 || !is_word(s[at - 1]);
}

static bool rss_at(const char *s, size_t n, size_t at, double *value, bool *has_unit)
{
	size_t begin = at, i = at + 3, length;
	double unit = 1;

	if (at >= 5 && s[at - 1] == '_' && (strncasecmp(s + at - 5, "host", 4) == 0 ||
			strncasecmp(s + at - 5, "anon", 4) == 0))
		begin = at - 5;
	if (!begins_word(s, begin))
		return false;
	*has_unit = false;
	if (i < n && s[i] == '_' && (length = take_unit(s + i + 1, n - i - 1, &unit)) > 0) {
		*has_unit = true;
		i += 1 + length;
	}
	if (!skip_between(s, n, &i) || (length = take_decimal(s + i, n - i, value)) == 0)
		return false;
	i += length;
	i += i < n && s[i] == ' ';
	if (!*has_unit)
		*has_unit = take_unit(s + i, n - i, &unit) > 0;
	*value *= unit;
	return true;
}

bool log_rss(const char *s, size_t n, size_t from, double *value, bool *has_unit)
{
	for (size_t i = from; i + 3 <= n; i++)
		if (is_letter_of(s[i], 'r') && is_letter_of(s[i + 1], 's') &&
			is_letter_of(s[i + 2], 's') && rss_at(s, n, i, value, has_unit))
			return true;
	return false;
}

/* ---- batches ------------------------------------------------------------------------ */

static bool is_for_evaluation(const char *s, size_t at)
{
	static const char *const words[] = { "eval_", "eval ", "test_", "valid_", "val_" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t n = strlen(words[i]);

		if (at >= n && strncasecmp(s + at - n, words[i], n) == 0)
			return true;
	}
	return false;
}

/* Behind "batch": "_size: 32", " size per device = 8". */
static bool batch_at(const char *s, size_t n, size_t at, int64_t *batch)
{
	size_t i = at + 5, end;

	if (at && s[at - 1] == '[' && i < n && s[i] == '=')
		return whole_number(s, n, i + 1, batch, &end);
	if (is_for_evaluation(s, at) || n - i < 5 || !strchr("_- ", s[i]) || !s[i] ||
		strncasecmp(s + i + 1, "size", 4) != 0)
		return false;
	i += 5;
	if (n - i > 11 && strncasecmp(s + i, " per device", 11) == 0)
		i += 11;
	return skip_between(s, n, &i) && whole_number(s, n, i, batch, &end);
}

bool log_batch_size(const char *s, size_t n, int64_t *batch)
{
	for (size_t i = 0; i + 5 <= n; i++)
		if ((s[i] | 0x20) == 'b' && strncasecmp(s + i, "batch", 5) == 0 &&
			batch_at(s, n, i, batch))
			return true;
	return false;
}

/* ---- quantities --------------------------------------------------------------------- */

static double suffix_factor(const char *s, size_t n)
{
	static const char letters[] = "KMGT";
	const char *found = n == 1 && *s ? strchr(letters, *s) : NULL;

	return n == 0 ? 1 : found ? pow(1024, (double)(found - letters) + 1) : NAN;
}

/* "1h2m3.5s"; NaN when it is none. */
static double duration_s(const char *s, size_t n)
{
	static const struct { char letter; double seconds; } parts[] = {
		{ 'h', 3600 }, { 'm', 60 }, { 's', 1 },
	};
	double all = 0;
	size_t i = 0;

	for (size_t k = 0; k < ARRAY_LEN(parts) && i < n; k++) {
		double v;
		size_t length = take_decimal(s + i, n - i, &v);

		if (length && i + length < n && s[i + length] == parts[k].letter) {
			all += v * parts[k].seconds;
			i += length + 1;
		}
	}
	return i == n && n ? all : NAN;
}

double log_quantity(const char *s, size_t n)
{
	double v, factor;
	size_t length = take_decimal(s, n, &v);

	if (!length)
		return NAN;
	factor = suffix_factor(s + length, n - length);
	return isnan(factor) ? duration_s(s, n) : v * factor;
}
