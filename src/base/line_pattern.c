/* line_pattern - compiles a pattern, and looks at the names of its groups. */
#include "config.h"

#include "base/line_pattern.h"

#include <stdbool.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"

enum { REASON_BYTES = 128 };

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
			"no group is named step or epoch; write (?<step>...) where the step stands");
	return 0;
}

static pcre2_code *compile(const char *text, uint32_t options)
{
	PCRE2_SIZE at = 0;
	int code = 0;
	unsigned char reason[REASON_BYTES] = "";
	pcre2_code *compiled;

	if (strlen(text) > LINE_PATTERN_BYTES_MAX) {
		(void)err_set(ERR_PARSE, "a pattern has at most %d bytes", LINE_PATTERN_BYTES_MAX);
		return NULL;
	}
	compiled = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED,
		PCRE2_NEVER_BACKSLASH_C | options, &code, &at, NULL);
	if (!compiled) {
		pcre2_get_error_message(code, reason, sizeof reason);
		(void)err_set(
			ERR_PARSE, "%s at byte %zu of the pattern", (char *)reason, (size_t)at);
	}
	return compiled;
}

pcre2_code *line_pattern_compile(const char *text)
{
	pcre2_code *compiled = compile(text, PCRE2_DUPNAMES);

	if (!compiled || check_groups(compiled) == 0)
		return compiled;
	pcre2_code_free(compiled);
	return NULL;
}

int line_pattern_check_syntax(const char *text)
{
	pcre2_code *code = compile(text, 0);

	if (!code)
		return ERR_PARSE;
	pcre2_code_free(code);
	return 0;
}

int line_pattern_check(const char *text)
{
	pcre2_code *code = line_pattern_compile(text);

	if (!code)
		return ERR_PARSE;
	pcre2_code_free(code);
	return 0;
}
