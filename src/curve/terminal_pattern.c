/* terminal_pattern - compiled patterns with limits. */
#include "config.h"

#include "curve/terminal_pattern.h"

#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/line_pattern.h"

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

void patterns_init(struct patterns *p, const char *const *texts, size_t n)
{
	*p = (struct patterns){ .list = n ? xcalloc(n, sizeof *p->list) : NULL };
	for (size_t i = 0; i < n; i++) {
		pcre2_code *code = line_pattern_compile(texts[i]);
		struct pattern *pattern;

		if (!code) {
			err_clear();
			continue;
		}
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
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(p->data);
	PCRE2_SPTR entry, last;
	int size = pcre2_substring_nametable_scan(p->code, as_text(group), &entry, &last);

	*text = NULL;
	*n = 0;
	/* A name may stand twice, in two alternatives: the one that took part. */
	for (; size > 0 && entry <= last; entry += size) {
		size_t number = (size_t)entry[0] << 8 | entry[1];

		if (offsets[2 * number] == PCRE2_UNSET ||
			offsets[2 * number + 1] < offsets[2 * number])
			continue;
		*text = s + offsets[2 * number];
		*n = offsets[2 * number + 1] - offsets[2 * number];
		return;
	}
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
