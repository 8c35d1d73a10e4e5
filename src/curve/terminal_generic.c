/* terminal_generic - any line with a step and pairs of key and number. */
#include "config.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "curve/terminal_families.h"
#include "curve/terminal_scan.h"

enum { LETTER = 1, INSIDE = 2 };	/* of a key: its first byte, any later one */

#define L (LETTER | INSIDE)
#define I INSIDE
static const unsigned char key_bytes[256] = {
	['A'] = L,
	['B'] = L,
	['C'] = L,
	['D'] = L,
	['E'] = L,
	['F'] = L,
	['G'] = L,
	['H'] = L,
	['I'] = L,
	['J'] = L,
	['K'] = L,
	['L'] = L,
	['M'] = L,
	['N'] = L,
	['O'] = L,
	['P'] = L,
	['Q'] = L,
	['R'] = L,
	['S'] = L,
	['T'] = L,
	['U'] = L,
	['V'] = L,
	['W'] = L,
	['X'] = L,
	['Y'] = L,
	['Z'] = L,
	['a'] = L,
	['b'] = L,
	['c'] = L,
	['d'] = L,
	['e'] = L,
	['f'] = L,
	['g'] = L,
	['h'] = L,
	['i'] = L,
	['j'] = L,
	['k'] = L,
	['l'] = L,
	['m'] = L,
	['n'] = L,
	['o'] = L,
	['p'] = L,
	['q'] = L,
	['r'] = L,
	['s'] = L,
	['t'] = L,
	['u'] = L,
	['v'] = L,
	['w'] = L,
	['x'] = L,
	['y'] = L,
	['z'] = L,
	['_'] = L,
	['0'] = I,
	['1'] = I,
	['2'] = I,
	['3'] = I,
	['4'] = I,
	['5'] = I,
	['6'] = I,
	['7'] = I,
	['8'] = I,
	['9'] = I,
	['.'] = I,
	['/'] = I,
	['@'] = I,
	['%'] = I,
	['-'] = I,
};
#undef L
#undef I

static const struct step_word { const char *text; size_t n; } step_words[] = {
	{ "step", 4 }, { "iter", 4 }, { "iteration", 9 }, { "global_step", 11 },
};

static bool begins_key(char c)
{
	return key_bytes[(unsigned char)c] & LETTER;
}

static bool is_in_key(char c)
{
	return key_bytes[(unsigned char)c] & INSIDE;
}

static bool is_step_word(const char *p, size_t n)
{
	char first = (char)(*p | 32);

	if (first != 's' && first != 'i' && first != 'g')
		return false;
	for (size_t i = 0; i < ARRAY_LEN(step_words); i++)
		if (n == step_words[i].n && first == *step_words[i].text &&
			strncasecmp(p, step_words[i].text, n) == 0)
			return true;
	return false;
}

/* "step 10", "step=10", "iteration [4]", "global_step: 3". */
static bool scan_step(struct text_scan *s, int64_t *step, struct token *token)
{
	struct text_scan at = *s;

	while (at.p < at.end && (*at.p == ' ' || *at.p == ':' || *at.p == '=' || *at.p == '['))
		at.p++;
	token->p = at.p;
	if (at.p == s->p || !scan_integer(&at, step))
		return false;
	token->n = (size_t)(at.p - token->p);
	if (at.p < at.end && (is_in_key(*at.p) && *at.p != '/'))
		return false;
	s->p = at.p;
	return true;
}

/* Behind a key: a colon or equals sign, a number at TOKEN. */
static bool scan_value(struct text_scan *s, double *value, struct token *token)
{
	struct text_scan at = *s;

	scan_blanks(&at);
	if (!scan_char(&at, ':') && !scan_char(&at, '='))
		return false;
	scan_blanks(&at);
	token->p = at.p;
	if (!scan_number_token(&at, value))
		return false;
	token->n = (size_t)(at.p - token->p);
	s->p = at.p;
	return true;
}

/* The next key from P on, or END; *N is its length. */
static const char *find_key(const char *p, const char *end, size_t *n)
{
	const char *key;

	for (;;) {
		while (p < end && !is_in_key(*p))
			p++;
		for (key = p; p < end && is_in_key(*p);)
			p++;
		*n = (size_t)(p - key);
		if (key == end || begins_key(*key))
			return key;
	}
}

static bool begins_with(const struct frame *f, const char *text)
{
	return f->n >= strlen(text) && memcmp(f->p, text, strlen(text)) == 0;
}

static bool has_text(const struct frame *f, const char *text)
{
	return memmem(f->p, f->n, text, strlen(text));
}

/* What nanoGPT prints: "iter 10: " and no further colon or equals sign. */
static bool may_be_nanogpt(const struct frame *f)
{
	struct text_scan s = { f->p, f->p + f->n };
	int64_t step;

	if ((!scan_text(&s, "iter ") && !scan_text(&s, "step ")) || !scan_integer(&s, &step))
		return false;
	return scan_text(&s, ": ") && !memchr(s.p, '=', scan_left(&s)) &&
		!memchr(s.p, ':', scan_left(&s));
}

/* "s:10 " and "step:10/20 ". */
static bool may_have_short_keys(const struct frame *f)
{
	struct text_scan s = { f->p, f->p + f->n };
	int64_t step;

	return (scan_text(&s, "s:") || scan_text(&s, "step:")) && scan_integer(&s, &step);
}

static bool may_be_keras(const struct frame *f)
{
	struct text_scan s = { f->p, f->p + f->n };
	int64_t count;

	if (begins_with(f, "Epoch "))
		return true;
	scan_blanks(&s);
	return scan_integer(&s, &count) && scan_char(&s, '/');
}

/*
 * The families that are tried before this one decline any frame with the same
 * text, whatever its numbers are: they miss a word or a mark of their own.
 */
static bool is_only_generic(const struct frame *f)
{
	if (memchr(f->p, '{', f->n) || memchr(f->p, '|', f->n) || has_text(f, "ompleted ") ||
		has_text(f, "epoch "))
		return false;
	if (begins_with(f, "Test: ") || begins_with(f, "Train: ") || begins_with(f, "["))
		return false;
	return !may_be_nanogpt(f) && !may_have_short_keys(f) && !may_be_keras(f);
}

/* "step" or "iter" around the t at P, in any case. */
static bool is_step_around(const char *p)
{
	if ((*p | 32) != 't' || (p[1] | 32) != 'e')
		return false;
	return ((p[-1] | 32) == 's' && (p[2] | 32) == 'p') ||
		((p[-1] | 32) == 'i' && (p[2] | 32) == 'r');
}

/* None of the eight bytes at P is a t of either case. */
static bool has_no_t(const char *p)
{
	uint64_t eight;

	memcpy(&eight, p, sizeof eight);
	eight = (eight | UINT64_C(0x2020202020202020)) ^ UINT64_C(0x7474747474747474);
	return !((eight - UINT64_C(0x0101010101010101)) & ~eight & UINT64_C(0x8080808080808080));
}

/* "step" or "iter" stands somewhere, in any case: all words of a step have one of them. */
static bool may_have_step(const struct frame *f)
{
	const char *p = f->p + 1, *end = f->p + f->n - 2;

	while (p < end) {
		const char *stop = end - p > 8 ? p + 8 : end;

		if (end - p >= 8 && has_no_t(p))
			p = stop;
		for (; p < stop; p++)
			if (is_step_around(p))
				return true;
	}
	return false;
}

bool take_generic(struct terminal *t, struct curve_sink *sink, const struct frame *f)
{
	struct text_scan s = { f->p, f->p + f->n };
	struct row_x x = terminal_at_step(0);
	struct token step = token_between(NULL, NULL), epoch = step, token = step;
	bool has_step = false, is_step, repeats = true;
	const char *key;
	double value;
	size_t n;

	if (f->n < 4 || !may_have_step(f))
		return false;
	while ((key = find_key(s.p, s.end, &n)) != s.end) {
		s.p = key + n;
		is_step = is_step_word(key, n);
		if (is_step && !has_step && scan_step(&s, &x.step, &step)) {
			has_step = true;
		} else if (!scan_value(&s, &value, &token) || is_step) {
			continue;
		} else if (n == 5 && strncasecmp(key, "epoch", n) == 0) {
			repeats &= !epoch.p;
			epoch = token;
			x.epoch = value;
		} else {
			terminal_add_token(t, key, n, value, token);
		}
	}
	if (!has_step || !t->n_pairs)
		return false;
	terminal_emit(t, sink, &x, "", "");
	t->taken.repeats = repeats;
	t->taken.placing = PLACE_STEP;
	t->taken.step = step;
	t->taken.step_form = SHAPE_DIGITS;
	t->taken.epoch = epoch;
	t->taken.free_to = s.end;
	t->taken.fits = is_only_generic;
	return true;
}
