/* pattern_digits - walks over the text of a pattern, and gives up early. */
#include "config.h"

#include "curve/pattern_digits.h"

#include <string.h>

#include "curve/reader_digits.h"

static bool is_letter(char c)
{
	return (unsigned char)((c | 32) - 'a') < 26;
}

/* Behind the escape at P; NULL when it may mean a digit, a reference or a quotation. */
static const char *pass_escape(const char *p)
{
	char c = p[1];

	if (c == '\0' || is_decimal_digit(c))
		return NULL;
	if (is_letter(c) && !strchr("dDsSwWhHvVbBAzZtnrfe", c))
		return NULL;
	return p + 2;
}

/* Behind the name of a set like "[:alpha:]". */
static const char *pass_set(const char *p)
{
	for (p += 2; is_letter(*p) || *p == '^';)
		p++;
	return strncmp(p, ":]", 2) == 0 ? p + 2 : NULL;
}

/* Behind a member of a class, and which byte it is; *BYTE 0: not a single one. */
static const char *pass_member(const char *p, char *byte)
{
	*byte = *p;
	if (*p == '\\') {
		*byte = is_letter(p[1]) ? '\0' : p[1];
		return pass_escape(p);
	}
	if (*p == '[' && p[1] == ':') {
		*byte = '\0';
		return pass_set(p);
	}
	return *p ? p + 1 : NULL;
}

/*
 * Behind the class at P.  A range between two bytes that are no digits has all digits or
 * none; of those with a digit only 0-9 is indifferent.
 */
static const char *pass_class(const char *p)
{
	char first, last;

	p += 1 + (p[1] == '^');
	if (*p == ']')
		return NULL;	/* a member of its own */
	while (p && *p != ']') {
		p = pass_member(p, &first);
		if (!p)
			return NULL;
		if (*p != '-' || p[1] == ']') {
			if (is_decimal_digit(first))
				return NULL;
			continue;
		}
		p = pass_member(p + 1, &last);
		if (!p || !first || !last ||
			((is_decimal_digit(first) || is_decimal_digit(last)) &&
				(first != '0' || last != '9')))
			return NULL;
	}
	return p ? p + 1 : NULL;
}

/* Behind the name of a group, at whose bracket or quote P stands. */
static const char *pass_name(const char *p)
{
	p = strchr(p + 1, *p == '<' ? '>' : '\'');
	return p ? p + 1 : NULL;
}

/* Behind the beginning of a group: named, without a number, atomic, or looking around. */
static const char *pass_group(const char *p)
{
	if (p[1] == '*')
		return NULL;
	if (p[1] != '?')
		return p + 1;
	p += 2;
	if (*p == ':' || *p == '>' || *p == '=' || *p == '!' || *p == '|')
		return p + 1;
	if (*p == '<' && (p[1] == '=' || p[1] == '!'))
		return p + 2;
	if (*p == 'P' && p[1] == '<')
		p++;
	if (*p == '<' || *p == '\'')
		return pass_name(p);
	/* Without regard to case: that of letters. */
	return strncmp(p, "i)", 2) == 0 || strncmp(p, "i:", 2) == 0 ? p + 2 : NULL;
}

bool pattern_digits_are_alike(const char *text)
{
	const char *p = text;

	while (p && *p) {
		if (is_decimal_digit(*p))
			return false;
		if (*p == '\\')
			p = pass_escape(p);
		else if (*p == '[')
			p = pass_class(p);
		else if (*p == '(')
			p = pass_group(p);
		else
			p++;
	}
	return p;
}
