/* pattern - see pattern.h. */
#include "config.h"

#include "base/pattern.h"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"

enum { REASON_BYTES = 128 };

pcre2_code *pattern_compile(const char *text, uint32_t options)
{
	PCRE2_SIZE at = 0;
	int code = 0;
	unsigned char reason[REASON_BYTES] = "";
	pcre2_code *compiled;

	if (strlen(text) > PATTERN_BYTES_MAX) {
		(void)err_set(ERR_PARSE, "a pattern has at most %d bytes", PATTERN_BYTES_MAX);
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

int pattern_check(const char *text, uint32_t options)
{
	pcre2_code *code = pattern_compile(text, options);

	if (!code)
		return ERR_PARSE;
	pcre2_code_free(code);
	return 0;
}
