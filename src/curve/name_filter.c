/* name_filter - see name_filter.h. */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include "curve/name_filter.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Names are short and come from strangers: a search that takes longer is given up. */
enum { MATCH_LIMIT = 100000, TROUBLE_MAX = 128 };

struct name_filter {
	char *text;			/* in lower case for globs */
	bool is_glob;
	pcre2_code *code;		/* NULL: no regular expression */
	pcre2_match_data *match;
	pcre2_match_context *limits;
	char trouble[TROUBLE_MAX];
};

static bool looks_like_expression(const char *s)
{
	return strpbrk(s, "^$|()[]+\\") || strstr(s, ".*") || strstr(s, ".?");
}

static char *lower(const char *s)
{
	char *copy = xstrdup(s);

	for (char *p = copy; *p; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	return copy;
}

static void compile(struct name_filter *f, const char *text)
{
	PCRE2_SIZE at;
	int code;

	f->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
		PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
	if (!f->code) {
		if (pcre2_get_error_message(code, (PCRE2_UCHAR *)f->trouble, TROUBLE_MAX) < 0)
			snprintf(f->trouble, TROUBLE_MAX, "no regular expression");
		return;
	}
	f->match = pcre2_match_data_create_from_pattern(f->code, NULL);
	f->limits = pcre2_match_context_create(NULL);
	if (!f->match || !f->limits)
		abort();
	pcre2_set_match_limit(f->limits, MATCH_LIMIT);
	pcre2_set_depth_limit(f->limits, MATCH_LIMIT);
}

struct name_filter *name_filter_new(const char *text)
{
	struct name_filter *f = xcalloc(1, sizeof *f);

	if (looks_like_expression(text))
		compile(f, text);
	f->is_glob = !f->code && !*f->trouble && strpbrk(text, "*?");
	f->text = f->is_glob ? lower(text) : xstrdup(text);
	return f;
}

void name_filter_free(struct name_filter *f)
{
	if (!f)
		return;
	pcre2_match_context_free(f->limits);
	pcre2_match_data_free(f->match);
	pcre2_code_free(f->code);
	free(f->text);
	free(f);
}

static bool passes_glob(const struct name_filter *f, const char *name)
{
	char *copy = lower(name);
	bool passes = text_glob(f->text, copy);

	free(copy);
	return passes;
}

bool name_filter_passes(const struct name_filter *f, const char *name)
{
	if (!f)
		return true;
	if (f->code)
		return pcre2_match(f->code, (PCRE2_SPTR)name, strlen(name), 0, 0, f->match,
			       f->limits) >= 0;
	return f->is_glob ? passes_glob(f, name) : strcasestr(name, f->text) != NULL;
}

const char *name_filter_trouble(const struct name_filter *f)
{
	return f->trouble;
}
