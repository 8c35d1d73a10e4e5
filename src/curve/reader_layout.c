/* reader_layout - how a number that was read is laid out. */
#include "config.h"

#include "curve/reader_layout.h"

#define DIGIT LAYOUT_STOPS_NUMBER
#define MARK (LAYOUT_STOPS_NUMBER & ~LAYOUT_STOPS_DIGITS)
const unsigned char layout_goes_on[256] = {
	['0'] = DIGIT, ['1'] = DIGIT, ['2'] = DIGIT, ['3'] = DIGIT, ['4'] = DIGIT,
	['5'] = DIGIT, ['6'] = DIGIT, ['7'] = DIGIT, ['8'] = DIGIT, ['9'] = DIGIT,
	['.'] = MARK, ['e'] = MARK, ['E'] = MARK,
};
#undef DIGIT
#undef MARK

static size_t run_of_digits(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && is_decimal_digit(*q))
		q++;
	return (size_t)(q - p);
}

/* "e-05" and nothing behind it. */
static bool is_exponent(const char *p, const char *end)
{
	return end - p == LAYOUT_EXPONENT_BYTES && (*p | 32) == 'e' &&
		(p[1] == '-' || p[1] == '+') && is_decimal_digit(p[2]) && is_decimal_digit(p[3]);
}

static struct digit_run run_of(size_t n)
{
	if (n == 0)
		return (struct digit_run){ .others = 0 };
	return (struct digit_run){
		.others = UINT64_C(0x8080808080808080) & first_bytes((unsigned)n),
		.shift = (unsigned)(64 - 8 * n),
	};
}

static void prepare(struct number_layout *l)
{
	size_t n = (size_t)l->whole + l->fraction;

	if (l->form == LAYOUT_ONE || l->form == LAYOUT_POWER) {
		l->first = run_of(l->fraction < 8 ? l->fraction : 8);
		l->second = run_of(l->fraction < 8 ? 0 : l->fraction - 8u);
	} else if (n <= 8) {
		l->first = run_of(n);
	}
	if (l->form == LAYOUT_SHORT) {
		l->before = first_bytes(l->whole);
		l->behind = ~l->before;
	}
}

/* Up to 16 digits. */
static bool take_run(const char *p, unsigned n, uint64_t *digits)
{
	uint64_t first = load_eight(p), second;
	unsigned rest = n > 8 ? n - 8 : 0;

	if (other_bytes(first) & first_bytes(n - rest))
		return false;
	*digits = digits_of(first, n - rest);
	if (!rest)
		return true;
	second = load_eight(p + 8);
	*digits = *digits * digit_powers[rest] + digits_of(second, rest);
	return !(other_bytes(second) & first_bytes(rest));
}

static uint64_t times_ten(uint64_t v, unsigned n)
{
	return n <= 8 ? v * digit_powers[n] : v * digit_powers[8] * digit_powers[n - 8];
}

bool layout_take_long(const struct number_layout *l, const char *p, uint64_t *digits)
{
	uint64_t fraction;

	if (!take_run(p, l->whole, digits))
		return false;
	if (!l->fraction)
		return true;
	if (p[l->whole] != '.' || !take_run(p + l->whole + 1, l->fraction, &fraction))
		return false;
	*digits = times_ten(*digits, l->fraction) + fraction;
	return true;
}

double layout_long_value(const struct number_layout *l, uint64_t digits)
{
	double v = number_scale(digits, -(int)l->fraction);

	return l->start ? -v : v;
}

static enum layout_form form_of(const struct number_layout *l, bool has_exponent)
{
	size_t n = (size_t)l->whole + l->fraction;

	if (!l->whole || l->whole > LAYOUT_SIDE_MAX || l->fraction > LAYOUT_SIDE_MAX ||
		n > LAYOUT_DIGITS_MAX)
		return LAYOUT_NONE;
	if (has_exponent)
		return l->whole == 1 && l->fraction <= 8 ? LAYOUT_POWER : LAYOUT_NONE;
	if (!l->fraction)
		return l->whole <= 8 ? LAYOUT_WHOLE : LAYOUT_LONG;
	if (n < 8)
		return LAYOUT_SHORT;
	return l->whole == 1 ? LAYOUT_ONE : LAYOUT_LONG;
}

struct number_layout layout_of(const char *p, size_t n, unsigned stops)
{
	struct number_layout l = { .form = LAYOUT_NONE, .stops = (uint8_t)stops };
	const char *end = p + n, *q;
	bool has_exponent, has_point;

	if (n >= LAYOUT_ROOM - 8)
		return l;
	l.start = n && *p == '-';
	q = p + l.start;
	l.whole = (uint8_t)run_of_digits(q, end);
	q += l.whole;
	has_point = q < end && *q == '.';
	if (has_point) {
		l.fraction = (uint8_t)run_of_digits(q + 1, end);
		q += 1 + l.fraction;
	}
	has_exponent = is_exponent(q, end);
	if ((q != end && !has_exponent) || (has_point && !l.fraction))
		return l;
	l.form = (uint8_t)form_of(&l, has_exponent);
	l.length = (uint8_t)n;
	if (l.form == LAYOUT_NONE)
		return l;
	l.divisor = number_powers_of_ten[l.fraction];
	l.divisor = l.start ? -l.divisor : l.divisor;
	prepare(&l);
	return l;
}
