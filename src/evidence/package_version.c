/* package_version - PEP 440 read and ordered; see package_version.h. */
#include "config.h"

#include "evidence/package_version.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

/* ---- reading ---- */

static bool is_digit(struct span s)
{
	return s.n && isdigit((unsigned char)s.s[0]);
}

/* Digits at the front; false where there are none, or more than 64 bits hold. */
static bool take_number(struct span *s, int64_t *out)
{
	size_t n = 0;

	while (n < s->n && isdigit((unsigned char)s->s[n]))
		n++;
	if (!span_integer((struct span){ s->s, n }, out))
		return false;
	*s = span_from(*s, n);
	return true;
}

static bool is_separator(struct span s)
{
	return s.n && (s.s[0] == '.' || s.s[0] == '-' || s.s[0] == '_');
}

/* One of WORDS at the front, behind a separator or not, in any case; -1: none. */
static int take_word(struct span *s, const char *const *words, size_t n)
{
	struct span rest = is_separator(*s) ? span_from(*s, 1) : *s;

	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(words[i]);

		if (rest.n >= length && strncasecmp(rest.s, words[i], length) == 0) {
			*s = span_from(rest, length);
			return (int)i;
		}
	}
	return -1;
}

/* A number behind a word, with a separator or not; without one it is zero. */
static bool take_word_number(struct span *s, int64_t *out)
{
	struct span rest = is_separator(*s) ? span_from(*s, 1) : *s;

	*out = 0;
	if (!is_digit(rest))
		return true;
	*s = rest;
	return take_number(s, out);
}

static bool take_release(struct package_version *v, struct span *s)
{
	for (;;) {
		if (v->written_n == PACKAGE_RELEASE_MAX ||
			!take_number(s, &v->release[v->written_n]))
			return false;
		v->written_n++;
		if (!(s->n > 1 && s->s[0] == '.' && isdigit((unsigned char)s->s[1])))
			break;
		*s = span_from(*s, 1);
	}
	v->release_n = v->written_n;
	while (v->release_n > 1 && v->release[v->release_n - 1] == 0)
		v->release_n--;
	return true;
}

static bool take_pre(struct package_version *v, struct span *s)
{
	static const char *const words[] = { "alpha", "beta", "preview", "pre", "rc", "a", "b",
		"c" };
	static const enum package_pre kinds[] = { PACKAGE_PRE_A, PACKAGE_PRE_B, PACKAGE_PRE_RC,
		PACKAGE_PRE_RC, PACKAGE_PRE_RC, PACKAGE_PRE_A, PACKAGE_PRE_B, PACKAGE_PRE_RC };
	int word = take_word(s, words, ARRAY_LEN(words));

	if (word < 0)
		return true;
	v->pre = kinds[word];
	return take_word_number(s, &v->pre_number);
}

static bool take_post(struct package_version *v, struct span *s)
{
	static const char *const words[] = { "post", "rev", "r" };

	if (take_word(s, words, ARRAY_LEN(words)) >= 0)
		return take_word_number(s, &v->post);
	/* "1.0-1" */
	if (s->n > 1 && s->s[0] == '-' && isdigit((unsigned char)s->s[1])) {
		*s = span_from(*s, 1);
		return take_number(s, &v->post);
	}
	return true;
}

static bool take_dev(struct package_version *v, struct span *s)
{
	static const char *const words[] = { "dev" };

	return take_word(s, words, 1) < 0 || take_word_number(s, &v->dev);
}

static bool take_local(struct package_version *v, struct span *s)
{
	if (!span_take(s, "+"))
		return true;
	v->local = *s;
	for (size_t i = 0; i < s->n; i++) {
		bool edge = i == 0 || i + 1 == s->n;

		if (!isalnum((unsigned char)s->s[i]) &&
			(edge || !strchr(".-_", s->s[i]) || !s->s[i]))
			return false;
	}
	*s = SPAN_NONE;
	return v->local.n > 0;
}

bool package_version_read(struct package_version *out, struct span text)
{
	struct span s = span_trim(text), rest;
	struct package_version v = { .post = -1, .dev = -1, .local = SPAN_NONE };

	if (s.n && (s.s[0] == 'v' || s.s[0] == 'V'))
		s = span_from(s, 1);
	rest = s;
	if (take_number(&rest, &v.epoch) && span_take(&rest, "!"))
		s = rest;
	else
		v.epoch = 0;
	if (!take_release(&v, &s) || !take_pre(&v, &s) || !take_post(&v, &s) || !take_dev(&v, &s) ||
		!take_local(&v, &s) || s.n)
		return false;
	*out = v;
	return true;
}

/* ---- order ---- */

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int64_t part(const struct package_version *v, size_t i)
{
	return i < v->release_n ? v->release[i] : 0;
}

static int compare_release(const struct package_version *a, const struct package_version *b)
{
	int c = order(a->epoch, b->epoch);

	for (size_t i = 0; c == 0 && (i < a->release_n || i < b->release_n); i++)
		c = order(part(a, i), part(b, i));
	return c;
}

/* 1.0.dev1 is before 1.0a1, which is before 1.0. */
static int pre_rank(const struct package_version *v)
{
	if (v->pre != PACKAGE_PRE_NONE)
		return (int)v->pre;
	return v->post < 0 && v->dev >= 0 ? 0 : PACKAGE_PRE_RC + 1;
}

static int compare_public(const struct package_version *a, const struct package_version *b)
{
	int c = compare_release(a, b);

	c = c ? c : order(pre_rank(a), pre_rank(b));
	c = c ? c : order(a->pre_number, b->pre_number);
	c = c ? c : order(a->post, b->post);
	return c ? c : order(a->dev < 0 ? INT64_MAX : a->dev, b->dev < 0 ? INT64_MAX : b->dev);
}

/* A number is after a word; of two words the later in the alphabet, in any case. */
static int compare_label(struct span a, struct span b)
{
	int64_t x, y;
	bool x_is = span_integer(a, &x), y_is = span_integer(b, &y);
	int c;

	if (x_is && y_is)
		return order(x, y);
	if (x_is != y_is)
		return x_is ? 1 : -1;
	c = strncasecmp(a.s, b.s, a.n < b.n ? a.n : b.n);
	return c ? (c > 0) - (c < 0) : order((int64_t)a.n, (int64_t)b.n);
}

static int compare_local(struct span a, struct span b)
{
	while (a.n && b.n) {
		struct span x = span_until(a, ".-_", &a), y = span_until(b, ".-_", &b);
		int c = compare_label(x, y);

		if (c)
			return c;
	}
	return (a.n > 0) - (b.n > 0);
}

int package_version_compare(const struct package_version *a, const struct package_version *b)
{
	int c = compare_public(a, b);

	return c ? c : compare_local(a->local, b->local);
}

/* ---- specifiers ---- */

/* Is V one of 1.2.*, by the first N parts of SPEC? */
static bool begins_with(
	const struct package_version *v, const struct package_version *spec, size_t n)
{
	if (v->epoch != spec->epoch)
		return false;
	for (size_t i = 0; i < n; i++)
		if (part(v, i) != part(spec, i))
			return false;
	return true;
}

static bool is_pre(const struct package_version *v)
{
	return v->pre != PACKAGE_PRE_NONE || v->dev >= 0;
}

static bool is_equal(const struct package_version *v, const struct package_version *spec)
{
	return spec->local.n ? package_version_compare(v, spec) == 0 : compare_public(v, spec) == 0;
}

static bool is_before(const struct package_version *v, const struct package_version *spec)
{
	return compare_public(v, spec) < 0 &&
		!(is_pre(v) && !is_pre(spec) && compare_release(v, spec) == 0);
}

static bool is_behind(const struct package_version *v, const struct package_version *spec)
{
	return compare_public(v, spec) > 0 &&
		!(v->post >= 0 && spec->post < 0 && compare_release(v, spec) == 0);
}

/* One specifier: 1, 0, -1. */
static int matches_one(const struct package_version *v, struct span s)
{
	static const char *const operators[] = { "===", "==", "!=", "<=", ">=", "~=", "<", ">" };
	enum {
		SAME,
		EQUAL,
		UNEQUAL,
		AT_MOST,
		AT_LEAST,
		COMPATIBLE,
		BEFORE,
		BEHIND,
		NONE
	} op = SAME;
	struct package_version spec;
	bool any = false;

	while (op < NONE && !span_take(&s, operators[op]))
		op++;
	s = span_trim(s);
	if ((op == EQUAL || op == UNEQUAL) && span_ends(s, ".*")) {
		any = true;
		s.n -= 2;
	}
	if (op == NONE || !package_version_read(&spec, s))
		return -1;
	switch (op) {
	case SAME:
		return package_version_compare(v, &spec) == 0;
	case EQUAL:
		return any ? begins_with(v, &spec, spec.written_n) : is_equal(v, &spec);
	case UNEQUAL:
		return any ? !begins_with(v, &spec, spec.written_n) : !is_equal(v, &spec);
	case AT_MOST:
		return compare_public(v, &spec) <= 0;
	case AT_LEAST:
		return compare_public(v, &spec) >= 0;
	case COMPATIBLE:
		return spec.written_n < 2 ? -1
			: compare_public(v, &spec) >= 0 &&
				begins_with(v, &spec, spec.written_n - 1);
	case BEFORE:
		return is_before(v, &spec);
	case BEHIND:
		return is_behind(v, &spec);
	case NONE:
		break;
	}
	return -1;
}

int package_version_matches(const struct package_version *v, struct span specifiers)
{
	int all = 1;

	while (specifiers.n) {
		struct span one = span_trim(span_until(specifiers, ",", &specifiers));
		int m = matches_one(v, one);

		if (m < 0)
			return -1;
		all = all && m;
	}
	return all;
}

/* ---- names ---- */

bool package_name_valid(struct span name)
{
	for (size_t i = 0; i < name.n; i++) {
		bool edge = i == 0 || i + 1 == name.n;

		if (!isalnum((unsigned char)name.s[i]) &&
			(edge || !name.s[i] || !strchr("._-", name.s[i])))
			return false;
	}
	return name.n > 0;
}

void package_name_add(struct buf *out, struct span name)
{
	for (size_t i = 0; i < name.n; i++) {
		bool is_dash = strchr("._-", name.s[i]) != NULL && name.s[i];

		if (!is_dash)
			buf_addc(out, (char)tolower((unsigned char)name.s[i]));
		else if (out->n && out->s[out->n - 1] != '-')
			buf_addc(out, '-');
	}
}
