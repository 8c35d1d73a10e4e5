/* units - see units.h.  Integer arithmetic throughout: a price has no rounding. */
#include "config.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"

static const struct { const char *name; int64_t ns; } time_units[] = {
	{ "ms", NS_PER_MS }, { "s", NS_PER_S }, { "m", 60 * NS_PER_S }, { "min", 60 * NS_PER_S },
	{ "h", 3600 * NS_PER_S }, { "d", 86400 * NS_PER_S },
};

static int64_t time_unit(const char *s, size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(time_units); i++)
		if (strlen(time_units[i].name) == n && memcmp(time_units[i].name, s, n) == 0)
			return time_units[i].ns;
	return 0;
}

int units_duration_ns(int64_t *out, const char *s)
{
	const char *p = s;
	int64_t total = 0;

	while (*p) {
		size_t digits = strspn(p, "0123456789");
		size_t letters = strspn(p + digits, "abcdefghijklmnopqrstuvwxyz");
		int64_t n, unit = time_unit(p + digits, letters);

		if (!unit || !text_to_i64(p, digits, &n) || __builtin_mul_overflow(n, unit, &n) ||
		    __builtin_add_overflow(total, n, &total))
			return err_set(ERR_PARSE,
				"\"%s\" is not a duration; write for example 15m, 4h or 1h30m", s);
		p += digits + letters;
	}
	if (p == s)
		return err_set(ERR_PARSE, "an empty duration; write for example 15m, 4h or 1h30m");
	*out = total;
	return 0;
}

/* A decimal with at most nine places in units of 1e-9; the length taken or 0. */
static size_t decimal_nano(const char *s, int64_t *out)
{
	size_t whole = strspn(s, "0123456789"), places = 0;
	int64_t v, fraction = 0, scale = NANO_USD;

	if (!whole || !text_to_i64(s, whole, &v) || __builtin_mul_overflow(v, NANO_USD, &v))
		return 0;
	if (s[whole] == '.') {
		places = strspn(s + whole + 1, "0123456789");
		if (!places || places > 9)
			return 0;
		for (size_t i = 0; i < places; i++)
			fraction += (scale /= 10) * (s[whole + 1 + i] - '0');
		places++;
	}
	if (__builtin_add_overflow(v, fraction, out))
		return 0;
	return whole + places;
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " ");
}

int units_money_nano_usd(int64_t *out, const char *s)
{
	const char *p = skip_blanks(s);
	size_t n = decimal_nano(p, out);

	if (!n || strcmp(skip_blanks(p + n), "USD") != 0)
		return err_set(
			ERR_PARSE, "\"%s\" is not an amount; write for example 20.00 USD", s);
	return 0;
}

int units_price(struct price *out, const char *s)
{
	const char *p = skip_blanks(s);
	size_t n = decimal_nano(p, &out->nano_usd_hour);

	p = skip_blanks(p + n);
	if (n && strcmp(p, "USD/hour") == 0)
		out->per_chip = false;
	else if (n && strcmp(p, "USD/chip-hour") == 0)
		out->per_chip = true;
	else
		return err_set(ERR_PARSE,
			"\"%s\" is not a price; write for example 0.85 USD/hour or 1.20 USD/chip-hour",
			s);
	out->known = true;
	return 0;
}

int64_t price_cost_nano_usd(const struct price *p, int64_t elapsed_ns, int chips)
{
	const __int128 hour_ns = (__int128)3600 * NS_PER_S;
	__int128 cost;

	if (!p->known || elapsed_ns < 0)
		return -1;
	cost = (__int128)p->nano_usd_hour * elapsed_ns * (p->per_chip ? chips : 1);
	cost = (cost + hour_ns / 2) / hour_ns;
	return cost > INT64_MAX ? INT64_MAX : (int64_t)cost;
}

void units_add_money(struct buf *out, int64_t nano_usd)
{
	uint64_t v = nano_usd < 0 ? 0 - (uint64_t)nano_usd : (uint64_t)nano_usd;
	const char *sign = nano_usd < 0 ? "-" : "";
	uint64_t cents = (v + NANO_USD / 200) / (NANO_USD / 100);
	uint64_t fine = (v + NANO_USD / 20000) / (NANO_USD / 10000);

	if (v && v < NANO_USD / 100)
		buf_addf(out, "$%s0.%04llu", sign, (unsigned long long)fine);
	else
		buf_addf(out, "$%s%llu.%02llu", sign, (unsigned long long)(cents / 100),
			(unsigned long long)(cents % 100));
}

void units_add_bytes(struct buf *out, int64_t bytes)
{
	static const char *const names[] = { "B", "kB", "MB", "GB", "TB", "PB" };
	double v = (double)bytes;
	size_t i = 0;

	while (v >= 999.5 && i + 1 < ARRAY_LEN(names)) {
		v /= 1000;
		i++;
	}
	buf_addf(out, i && v < 99.95 ? "%.1f %s" : "%.0f %s", v, names[i]);
}

void units_add_count(struct buf *out, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof digits, "%lld", (long long)n);

	for (int i = 0; i < len; i++) {
		buf_addc(out, digits[i]);
		if (digits[i] != '-' && i < len - 1 && (len - 1 - i) % 3 == 0)
			buf_addc(out, ',');
	}
}
