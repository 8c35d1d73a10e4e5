/* xla_duration - printed durations turned back into nanoseconds; see xla_duration.h. */
#include "config.h"

#include "evidence/xla_duration.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/mem.h"

enum { UNITS = 6, MICROSECONDS = UNITS - 1 };

static const struct unit {
	const char *suffix;
	int64_t ns;
	int width;
} units[UNITS] = {
	{ "d", 86400 * NS_PER_S, 2 },
	{ "h", 3600 * NS_PER_S, 2 },
	{ "m", 60 * NS_PER_S, 2 },
	{ "s", NS_PER_S, 2 },
	{ "ms", NS_PER_MS, 3 },
	{ "us", 1000, 7 },
};

/* More would overflow in the sum of all units. */
static const int64_t unit_values_max = INT64_MAX / 4;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct span take_digits(struct span *rest)
{
	size_t n = 0;

	while (n < rest->n && is_digit(rest->s[n]))
		n++;
	*rest = (struct span){ rest->s + n, rest->n - n };
	return (struct span){ rest->s - n, n };
}

/* The unit at the front of REST, UNITS: none; "ms" is not "m". */
static size_t take_unit(struct span *rest, size_t from)
{
	for (size_t i = from; i < UNITS; i++) {
		if (i == 2 && span_starts(*rest, "ms"))
			continue;
		if (span_take(rest, units[i].suffix))
			return i;
	}
	return UNITS;
}

struct parts {
	int64_t value[UNITS];		/* printed; us: in ns */
	bool printed[UNITS];
};

/* "113.020" of "113.020us" as ns, rounded; at most three decimals are printed. */
static bool take_microseconds(struct span *rest, struct span whole, int64_t *ns)
{
	int64_t us, thousandths = 0, scale = 1000;
	struct span decimals;

	if (!span_integer(whole, &us) || us > unit_values_max / 1000)
		return false;
	if (span_take(rest, ".")) {
		decimals = take_digits(rest);
		for (size_t i = 0; i < decimals.n && i < 3; i++)
			thousandths += (decimals.s[i] - '0') * (scale /= 10);
	}
	*ns = us * 1000 + thousandths;
	return true;
}

static bool take_part(struct parts *p, struct span *rest, size_t *next)
{
	struct span whole = take_digits(rest);
	size_t unit;

	if (!whole.n)
		return false;
	/* The last one, whose unit older reports leave out. */
	if (*next && (!rest->n || *rest->s == '.')) {
		unit = MICROSECONDS;
		p->printed[unit] = true;
		*next = UNITS;
		return take_microseconds(rest, whole, &p->value[unit]) &&
			(span_take(rest, "us") || !rest->n);
	}
	if (rest->n && *rest->s == '.') {
		p->printed[MICROSECONDS] = true;
		*next = UNITS;
		return take_microseconds(rest, whole, &p->value[MICROSECONDS]) &&
			span_take(rest, "us");
	}
	unit = take_unit(rest, *next);
	if (unit == UNITS || !span_integer(whole, &p->value[unit]) ||
		p->value[unit] > unit_values_max / units[unit].ns)
		return false;
	if (unit == MICROSECONDS)
		p->value[unit] *= units[unit].ns;
	p->printed[unit] = true;
	*next = unit + 1;
	return true;
}

static bool take_parts(struct parts *p, struct span rest)
{
	size_t next = 0;

	if (!rest.n)
		return false;
	while (rest.n)
		if (next == UNITS || !take_part(p, &rest, &next))
			return false;
	return true;
}

static size_t largest(const struct parts *p)
{
	size_t i = 0;

	while (i < MICROSECONDS && !p->printed[i])
		i++;
	return i;
}

/* Adds unit I and those above to NS, which stands below; false: nobody printed that. */
static bool add_units(const struct parts *p, size_t above, int64_t *ns)
{
	for (size_t i = above; i-- > 0;) {
		int64_t whole = p->value[i];
		/* The largest unit is printed for one whole of it or more, and none for as
		 * many as would be one of the unit above. */
		int64_t least = i == largest(p) ? 1 : 0;
		int64_t most = i ? units[i - 1].ns / units[i].ns - 1 : INT64_MAX;

		if (!p->printed[i])
			continue;
		if (2 * *ns > units[i].ns)
			whole--;
		if (whole < least || whole > most)
			return false;
		*ns += whole * units[i].ns;
	}
	return true;
}

/* The unit whose half stands below it, UNITS: none. */
static size_t half_unit(const struct parts *p)
{
	int64_t ns = p->value[MICROSECONDS];

	for (size_t i = MICROSECONDS; i-- > 0;) {
		if (!p->printed[i])
			continue;
		if (2 * ns == units[i].ns && p->value[i] > 0)
			return i;
		ns += (p->value[i] - (2 * ns > units[i].ns)) * units[i].ns;
	}
	return UNITS;
}

bool xla_duration_read(struct xla_duration *out, struct span text)
{
	struct parts p = { .value = { 0 } };
	int64_t ns, other;
	bool is_known, other_known;
	size_t half;

	if (!take_parts(&p, text))
		return false;
	half = half_unit(&p);
	ns = p.value[MICROSECONDS];
	is_known = add_units(&p, MICROSECONDS, &ns);
	*out = (struct xla_duration){ ns, ns };
	if (half == UNITS)
		return is_known;
	/* The other candidate: what is printed was rounded up. */
	p.value[half]--;
	other = p.value[MICROSECONDS];
	other_known = add_units(&p, MICROSECONDS, &other);
	if (other_known && is_known)
		*out = (struct xla_duration){ ns < other ? ns : other, ns < other ? other : ns };
	else if (other_known)
		*out = (struct xla_duration){ other, other };
	return is_known || other_known;
}

/* VALUE / UNIT to the nearest whole, a half to the even one, as printf does. */
static int64_t rounded(int64_t value, int64_t unit)
{
	int64_t whole = value / unit, rest = value % unit;

	if (2 * rest > unit || (2 * rest == unit && whole % 2))
		whole++;
	return whole;
}

void xla_duration_print(struct buf *out, int64_t ns)
{
	bool begun = false;

	for (size_t i = 0; i < MICROSECONDS; i++) {
		if (!begun && ns < units[i].ns)
			continue;
		begun = true;
		buf_addf(out, "%0*" PRId64 "%s", units[i].width, rounded(ns, units[i].ns),
			units[i].suffix);
		ns %= units[i].ns;
	}
	buf_addf(out, "%03" PRId64 ".%03" PRId64 "us", ns / 1000, ns % 1000);
}

bool go_duration_read(int64_t *out_ns, struct span text)
{
	static const struct { const char *suffix; double ns;
	} go_units[] = {
		{ "ns", 1 },
		{ "us", 1e3 },
		{ "ms", 1e6 },
		{ "h", 3600e9 },
		{ "m", 60e9 },
		{ "s", 1e9 },
	};
	int64_t total = 0;

	if (!text.n)
		return false;
	while (text.n) {
		struct span number;
		double value;
		size_t n = 0, i;

		while (n < text.n && (is_digit(text.s[n]) || text.s[n] == '.'))
			n++;
		number = (struct span){ text.s, n };
		text = (struct span){ text.s + n, text.n - n };
		for (i = 0; i < ARRAY_LEN(go_units); i++)
			if (span_take(&text, go_units[i].suffix))
				break;
		if (i == ARRAY_LEN(go_units) || !span_number(number, &value) ||
			value * go_units[i].ns > 1e18 || total > unit_values_max)
			return false;
		total += (int64_t)(value * go_units[i].ns + 0.5);
	}
	*out_ns = total;
	return true;
}
