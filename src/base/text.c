/* text - see text.h.  Numbers are in number.c. */
#include "config.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { UTF8_BYTES_MAX = 4 };

static bool is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

size_t utf8_decode(const char *s, size_t n, uint32_t *cp)
{
	const unsigned char *u = (const unsigned char *)s;

	*cp = UINT32_MAX;
	if (u[0] < 0x80) {
		*cp = u[0];
		return 1;
	}
	if (u[0] >= 0xc2 && u[0] <= 0xdf && n >= 2 && is_tail(u[1])) {
		*cp = (uint32_t)(u[0] & 0x1f) << 6 | (u[1] & 0x3f);
		return 2;
	}
	if ((u[0] & 0xf0) == 0xe0 && n >= 3 && is_tail(u[1]) && is_tail(u[2])) {
		uint32_t c = (uint32_t)(u[0] & 0x0f) << 12 | (uint32_t)(u[1] & 0x3f) << 6 |
			(u[2] & 0x3f);

		if (c < 0x800 || (c >= 0xd800 && c <= 0xdfff))
			return 1;
		*cp = c;
		return 3;
	}
	if (u[0] >= 0xf0 && u[0] <= 0xf4 && n >= 4 && is_tail(u[1]) && is_tail(u[2]) &&
		is_tail(u[3])) {
		uint32_t c = (uint32_t)(u[0] & 0x07) << 18 | (uint32_t)(u[1] & 0x3f) << 12 |
			     (uint32_t)(u[2] & 0x3f) << 6 | (u[3] & 0x3f);

		if (c < 0x10000 || c > 0x10ffff)
			return 1;
		*cp = c;
		return 4;
	}
	return 1;
}

void utf8_encode(struct buf *out, uint32_t cp)
{
	char c[4];

	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	if (cp < 0x80) {
		buf_addc(out, (char)cp);
	} else if (cp < 0x800) {
		c[0] = (char)(0xc0 | cp >> 6);
		c[1] = (char)(0x80 | (cp & 0x3f));
		buf_add(out, c, 2);
	} else if (cp < 0x10000) {
		c[0] = (char)(0xe0 | cp >> 12);
		c[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		c[2] = (char)(0x80 | (cp & 0x3f));
		buf_add(out, c, 3);
	} else {
		c[0] = (char)(0xf0 | cp >> 18);
		c[1] = (char)(0x80 | (cp >> 12 & 0x3f));
		c[2] = (char)(0x80 | (cp >> 6 & 0x3f));
		c[3] = (char)(0x80 | (cp & 0x3f));
		buf_add(out, c, 4);
	}
}

size_t text_cut(const char *s, size_t n, size_t max)
{
	size_t cut = max;

	if (n <= max)
		return n;
	while (cut && max - cut < UTF8_BYTES_MAX && is_tail((unsigned char)s[cut]))
		cut--;
	return is_tail((unsigned char)s[cut]) ? max : cut;
}

bool utf8_valid(const char *s, size_t n)
{
	while (n) {
		uint64_t eight;
		uint32_t cp;
		size_t k;

		if (n >= sizeof eight) {
			memcpy(&eight, s, sizeof eight);
			if (!(eight & UINT64_C(0x8080808080808080))) {
				s += sizeof eight;
				n -= sizeof eight;
				continue;
			}
		}
		k = utf8_decode(s, n, &cp);

		if (cp == UINT32_MAX)
			return false;
		s += k;
		n -= k;
	}
	return true;
}

bool text_is_control(uint32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == UINT32_MAX)
		return true;
	if (cp < 0x61c)
		return false;
	return cp == 0x61c || cp == 0x180e || (cp >= 0x200b && cp <= 0x200f) ||
	       (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2060 && cp <= 0x206f) || cp == 0xfeff ||
	       (cp >= 0xfff9 && cp <= 0xfffb) || (cp >= 0xe0000 && cp <= 0xe0fff);
}

static void add_mark(struct buf *out, uint32_t cp, unsigned char byte)
{
	if (cp == '\t')
		buf_addc(out, ' ');
	else if (cp < 0x20)
		buf_addf(out, "^%c", (int)(cp + 0x40));
	else if (cp == 0x7f)
		buf_adds(out, "^?");
	else if (cp == UINT32_MAX)
		buf_addf(out, "<%02X>", byte);
	else
		buf_addf(out, "<U+%04X>", cp);
}

void text_sanitise(struct buf *out, const char *s, size_t n)
{
	size_t plain = 0;

	while (plain < n) {
		uint32_t cp;
		size_t start = plain, k = 1;

		while (plain < n && (unsigned char)s[plain] >= 0x20 &&
			(unsigned char)s[plain] < 0x7f)
			plain++;
		buf_add(out, s + start, plain - start);
		if (plain == n)
			break;
		k = utf8_decode(s + plain, n - plain, &cp);
		if (text_is_control(cp))
			add_mark(out, cp, (unsigned char)s[plain]);
		else
			buf_add(out, s + plain, k);
		plain += k;
	}
}

char *text_sanitised(struct arena *a, const char *s)
{
	struct buf b = BUF_INIT;
	char *copy;

	if (s)
		text_sanitise(&b, s, strlen(s));
	copy = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return copy;
}

bool text_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), k = strlen(suffix);

	return n >= k && memcmp(s + n - k, suffix, k) == 0;
}

/* Backtracks to the last star only, so that no pattern is exponential. */
bool text_glob(const char *pattern, const char *s)
{
	const char *star = NULL, *resume = NULL;

	while (*s) {
		if (*pattern == '*') {
			star = pattern++;
			resume = s;
		} else if (*pattern == '?' || *pattern == *s) {
			pattern++;
			s++;
		} else if (star) {
			pattern = star + 1;
			s = ++resume;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return !*pattern;
}

static char *next_word(struct arena *a, const char **s)
{
	struct buf b = BUF_INIT;
	char quote = '\0', *word;

	for (; **s && (quote || (**s != ' ' && **s != '\t')); ++*s) {
		if (quote ? **s == quote : **s == '\'' || **s == '"')
			quote = quote ? '\0' : **s;
		else
			buf_addc(&b, **s);
	}
	word = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return word;
}

char **text_words(struct arena *a, const char *s, size_t *n)
{
	char **words = arena_alloc(a, (strlen(s) / 2 + 2) * sizeof *words);

	*n = 0;
	for (s += strspn(s, " \t"); *s; s += strspn(s, " \t"))
		words[(*n)++] = next_word(a, &s);
	words[*n] = NULL;
	return words;
}

static size_t digits(const char *s)
{
	return strspn(s, "0123456789");
}

static int compare_digits(const char **a, const char **b)
{
	size_t na, nb;
	int c;

	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	na = digits(*a);
	nb = digits(*b);
	if (na != nb)
		return na < nb ? -1 : 1;
	c = memcmp(*a, *b, na);
	*a += na;
	*b += nb;
	return c;
}

int text_compare_natural(const char *a, const char *b)
{
	const char *a0 = a, *b0 = b;

	while (*a && *b) {
		if (digits(a) && digits(b)) {
			int c = compare_digits(&a, &b);

			if (c)
				return c;
			continue;
		}
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	if (*a || *b)
		return *a ? 1 : -1;
	return strcmp(a0, b0);		/* a01 and a1 are not the same name */
}

static bool is_word_start(const char *s, size_t i)
{
	return i == 0 || !isalnum((unsigned char)s[i - 1]);
}

enum { FUZZY_MAX = 128, FUZZY_RUN = 8, FUZZY_WORD = 6 };

/*
 * best[j] is the best score of the needle so far with its last letter at j, so
 * that the whole costs needle x haystack and not a tree of choices.
 */
int text_fuzzy_score(const char *needle, const char *haystack)
{
	size_t n = strnlen(haystack, FUZZY_MAX);
	int best[FUZZY_MAX], top = 0;
	bool first = true;

	for (; *needle; needle++) {
		int c = tolower((unsigned char)*needle), next[FUZZY_MAX], before = -1;

		if (c == ' ')
			continue;
		top = -1;
		for (size_t j = 0; j < n; j++) {
			int here = first ? 0 : before;

			next[j] = -1;
			if (!first && j && best[j - 1] >= 0 && best[j - 1] + FUZZY_RUN > here)
				here = best[j - 1] + FUZZY_RUN;
			if (here >= 0 && tolower((unsigned char)haystack[j]) == c)
				next[j] = here + 1 + (is_word_start(haystack, j) ? FUZZY_WORD : 0);
			if (next[j] > top)
				top = next[j];
			if (!first && best[j] > before)
				before = best[j];
		}
		if (top < 0)
			return -1;
		memcpy(best, next, n * sizeof *best);
		first = false;
	}
	return top * FUZZY_MAX + (int)(FUZZY_MAX - n);
}
