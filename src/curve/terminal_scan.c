/* terminal_scan - numbers and separators as logs write them. */
#include "config.h"

#include "curve/terminal_scan.h"

#include <string.h>

/* A NUL that a program printed separates like a blank. */
static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\0';
}

static bool is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static bool is_letter(char c)
{
	return (unsigned char)((c | 32) - 'a') < 26;
}

void scan_blanks(struct text_scan *s)
{
	while (s->p < s->end && is_blank(*s->p))
		s->p++;
}

bool scan_char(struct text_scan *s, char c)
{
	if (s->p == s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

bool scan_text(struct text_scan *s, const char *text)
{
	size_t n = strlen(text);

	if (scan_left(s) < n || memcmp(s->p, text, n) != 0)
		return false;
	s->p += n;
	return true;
}

bool scan_to_text(struct text_scan *s, const char *text)
{
	size_t n = strlen(text);
	const char *found = memmem(s->p, scan_left(s), text, n);

	if (!found)
		return false;
	s->p = found + n;
	return true;
}

bool scan_integer(struct text_scan *s, int64_t *out)
{
	const char *p = s->p;
	int64_t v = 0;

	for (; p < s->end && is_digit(*p); p++) {
		if (v > (INT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (*p - '0');
	}
	if (p == s->p)
		return false;
	s->p = p;
	*out = v;
	return true;
}

static bool ends_token(const struct text_scan *s, const char *p)
{
	if (p >= s->end || is_blank(*p))
		return true;
	return *p == ',' || *p == ';' || *p == '|' || *p == ')' || *p == ']' || *p == '}' ||
		*p == '\r';
}

/* A comma belongs to the number only before a group of three digits. */
static const char *end_of_groups(const struct text_scan *s, const char *p)
{
	while (s->end - p >= 4 && *p == ',' && is_digit(p[1]) && is_digit(p[2]) && is_digit(p[3]) &&
	       !(s->end - p > 4 && is_digit(p[4])))
		p += 4;
	if (p < s->end && *p == '.')
		for (p++; p < s->end && is_digit(*p);)
			p++;
	return p;
}

static bool take_token(struct text_scan *s, double *out, const char *end)
{
	struct number n;

	if (!ends_token(s, end) || !number_read_token(&n, s->p, (size_t)(end - s->p), true))
		return false;
	*out = n.value;
	s->p = end;
	return true;
}

bool scan_number_token(struct text_scan *s, double *out)
{
	struct number n;
	const char *end;
	size_t used = number_scan(&n, s->p, s->end);

	if (!used)
		return false;
	end = s->p + used;
	if (end < s->end && *end == ',' && s->end - end > 1 && is_digit(end[1]))
		return take_token(s, out, end_of_groups(s, end));
	if (ends_token(s, end)) {
		*out = n.value;
		s->p = end;
		return true;
	}
	return take_token(s, out, end + 1);
}

bool scan_number_with_unit(struct text_scan *s, double *out)
{
	struct number n;
	const char *end;
	size_t used;

	if (scan_number_token(s, out))
		return true;
	used = number_scan(&n, s->p, s->end);
	if (!used)
		return false;
	for (end = s->p + used; end < s->end && (is_letter(*end) || *end == '%');)
		end++;
	if (!ends_token(s, end))
		return false;
	*out = n.value;
	s->p = end;
	return true;
}

void trim_scan(struct text_scan *s)
{
	scan_blanks(s);
	while (s->end > s->p && is_blank(s->end[-1]))
		s->end--;
}

bool scan_piece(struct text_scan *s, const char *separator, struct text_scan *piece)
{
	size_t n = strlen(separator);
	const char *found;

	if (!s->p)
		return false;
	found = memmem(s->p, scan_left(s), separator, n);
	*piece = (struct text_scan){ s->p, found ? found : s->end };
	s->p = found ? found + n : NULL;
	trim_scan(piece);
	return true;
}
