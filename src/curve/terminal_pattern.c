/* terminal_pattern - compiled patterns with limits. */
#include "config.h"

#include "curve/terminal_pattern.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"

enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, SUBJECT_MAX = 16 * 1024 };

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

static PCRE2_SPTR as_text(const char *s)
{
	return (PCRE2_SPTR)s;
}

static pcre2_code *compile(const char *text)
{
	PCRE2_SIZE at = 0;
	int code = 0;
	pcre2_code *compiled = pcre2_compile(
		as_text(text), PCRE2_ZERO_TERMINATED, PCRE2_NEVER_BACKSLASH_C, &code, &at, NULL);
	unsigned char reason[128] = "";

	if (!compiled) {
		pcre2_get_error_message(code, reason, sizeof reason);
		(void)err_set(
			ERR_PARSE, "pattern \"%s\": %s at %zu", text, (char *)reason, (size_t)at);
		return NULL;
	}
	if (pcre2_substring_number_from_name(compiled, as_text("value")) < 0) {
		pcre2_code_free(compiled);
		(void)err_set(ERR_PARSE,
			"pattern \"%s\" has no group named value; write (?<value>...)", text);
		return NULL;
	}
	return compiled;
}

int pattern_check(const char *pattern)
{
	pcre2_code *code = compile(pattern);

	if (!code)
		return ERR_PARSE;
	pcre2_code_free(code);
	return 0;
}

void patterns_init(struct patterns *p, const char *const *texts, size_t n)
{
	*p = (struct patterns){ .list = n ? xcalloc(n, sizeof *p->list) : NULL };
	for (size_t i = 0; i < n; i++) {
		pcre2_code *code = compile(texts[i]);
		struct pattern *pattern;

		if (!code)
			continue;
		(void)pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
		pattern = xcalloc(1, sizeof *pattern);
		pattern->code = code;
		pattern->data = pcre2_match_data_create_from_pattern(code, NULL);
		pattern->context = pcre2_match_context_create(NULL);
		pcre2_set_match_limit(pattern->context, MATCH_LIMIT);
		pcre2_set_depth_limit(pattern->context, DEPTH_LIMIT);
		p->list[p->n++] = pattern;
	}
}

void patterns_release(struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++) {
		pcre2_match_context_free(p->list[i]->context);
		pcre2_match_data_free(p->list[i]->data);
		pcre2_code_free(p->list[i]->code);
		free(p->list[i]);
	}
	free(p->list);
	*p = (struct patterns){ 0 };
}

static void get_group(
	const struct pattern *p, const char *group, const char *s, const char **text, size_t *n)
{
	int number = pcre2_substring_number_from_name(p->code, as_text(group));
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(p->data);

	*text = NULL;
	*n = 0;
	if (number < 0 || offsets[2 * number] == PCRE2_UNSET ||
		offsets[2 * number + 1] < offsets[2 * number])
		return;
	*text = s + offsets[2 * number];
	*n = offsets[2 * number + 1] - offsets[2 * number];
}

bool pattern_next(const struct patterns *p, size_t i, const char *s, size_t n, size_t start,
	struct pattern_match *out)
{
	const struct pattern *pattern = p->list[i];
	const PCRE2_SIZE *offsets;

	if (n > SUBJECT_MAX)
		n = SUBJECT_MAX;
	if (start > n ||
		pcre2_match(pattern->code, as_text(s), n, start, 0, pattern->data,
			pattern->context) < 1)
		return false;
	offsets = pcre2_get_ovector_pointer(pattern->data);
	out->end = offsets[1] > start ? offsets[1] : start + 1;
	get_group(pattern, "step", s, &out->step, &out->step_n);
	get_group(pattern, "epoch", s, &out->epoch, &out->epoch_n);
	get_group(pattern, "name", s, &out->name, &out->name_n);
	get_group(pattern, "value", s, &out->value, &out->value_n);
	return true;
}
