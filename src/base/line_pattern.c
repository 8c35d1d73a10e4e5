/* line_pattern - looks at the names of the groups of a pattern. */
#include "config.h"

#include "base/line_pattern.h"

#include <stdbool.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/pattern.h"

static const char *const groups[] = { "step", "epoch", "name", "value" };

static bool has_group(const pcre2_code *code, const char *name)
{
	/* A name that stands twice is there, too. */
	return pcre2_substring_number_from_name(code, (PCRE2_SPTR)name) != PCRE2_ERROR_NOSUBSTRING;
}

static bool is_known(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(groups); i++)
		if (strcmp(groups[i], name) == 0)
			return true;
	return false;
}

/* The first group whose name means nothing; NULL when there is none. */
static const char *unknown_group(const pcre2_code *code)
{
	PCRE2_SPTR table = NULL;
	uint32_t n = 0, size = 0;

	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &n);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < n; i++) {
		/* two bytes of a number before each name */
		const char *name = (const char *)table + (size_t)i * size + 2;

		if (!is_known(name))
			return name;
	}
	return NULL;
}

static int check_groups(const pcre2_code *code)
{
	const char *unknown = unknown_group(code);

	if (unknown)
		return err_set(ERR_PARSE,
			"the group \"%s\" means nothing; allowed: step, epoch, name, value",
			unknown);
	if (!has_group(code, "value"))
		return err_set(ERR_PARSE, "no group is named value; write (?<value>...)");
	if (!has_group(code, "step") && !has_group(code, "epoch"))
		return err_set(ERR_PARSE,
			"no group is named step or epoch; write (?<step>...) where the step "
			"stands");
	return 0;
}

pcre2_code *line_pattern_compile(const char *text)
{
	pcre2_code *compiled = pattern_compile(text, PCRE2_DUPNAMES);

	if (!compiled || check_groups(compiled) == 0)
		return compiled;
	pcre2_code_free(compiled);
	return NULL;
}

int line_pattern_check(const char *text)
{
	pcre2_code *code = line_pattern_compile(text);

	if (!code)
		return ERR_PARSE;
	pcre2_code_free(code);
	return 0;
}
