/* text_pattern - see text_pattern.h. */
#include "config.h"

#include "base/text_pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/pattern.h"

enum {
	OPTIONS = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF,
	MATCH_STEPS_MAX = 1000000,
	DEPTH_MAX = 5000,
	HEAP_KIB_MAX = 16384,
};

int text_pattern_check(const char *pattern)
{
	return pattern_check(pattern, OPTIONS);
}

static int search(const pcre2_code *code, const char *s, size_t n)
{
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	pcre2_match_context *context = pcre2_match_context_create(NULL);
	int rc = PCRE2_ERROR_NOMEMORY;

	if (match && context) {
		pcre2_set_match_limit(context, MATCH_STEPS_MAX);
		pcre2_set_depth_limit(context, DEPTH_MAX);
		pcre2_set_heap_limit(context, HEAP_KIB_MAX);
		rc = pcre2_match(code, (PCRE2_SPTR)s, n, 0, 0, match, context);
	}
	pcre2_match_data_free(match);
	pcre2_match_context_free(context);
	return rc;
}

enum text_pattern_answer text_pattern_find(const char *pattern, const char *s, size_t n)
{
	pcre2_code *code = pattern_compile(pattern, OPTIONS);
	int rc;

	if (!code) {
		err_clear();
		return TEXT_PATTERN_GAVE_UP;
	}
	rc = search(code, n ? s : "", n);
	pcre2_code_free(code);
	if (rc >= 0)
		return TEXT_PATTERN_FOUND;
	return rc == PCRE2_ERROR_NOMATCH ? TEXT_PATTERN_MISSING : TEXT_PATTERN_GAVE_UP;
}
