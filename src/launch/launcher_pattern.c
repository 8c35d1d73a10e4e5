/* launcher_pattern - PCRE2 with names of groups that mean something. */
#include "config.h"

#include "launch/launcher_pattern.h"

#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/pattern.h"

enum {
	MATCH_LIMIT = 200 * 1000, DEPTH_LIMIT = 2000, HEAP_LIMIT_KIB = 4 * 1024,
};

static const char *const group_words[GROUP_COUNT] = {
	[GROUP_ID] = "id", [GROUP_CLUSTER] = "cluster", [GROUP_STATE] = "state",
	[GROUP_REASON] = "reason", [GROUP_RC] = "rc", [GROUP_SIGNAL] = "signal",
	[GROUP_SUBMITTED] = "submitted", [GROUP_NODE] = "node", [GROUP_RUN] = "run",
	[GROUP_WORKER] = "worker", [GROUP_OFFSET] = "offset", [GROUP_LENGTH] = "length",
	[GROUP_SIZE] = "size",
};

const char *launcher_group_word(enum launcher_group g)
{
	return group_words[g];
}

bool launcher_group_find(enum launcher_group *out, const char *name)
{
	for (size_t i = 0; i < GROUP_COUNT; i++)
		if (strcmp(group_words[i], name) == 0) {
			*out = (enum launcher_group)i;
			return true;
		}
	return false;
}

static int check_groups(const pcre2_code *code)
{
	PCRE2_SPTR table = NULL;
	uint32_t n = 0, size = 0;
	enum launcher_group group;

	pcre2_pattern_info(code, PCRE2_INFO_NAMECOUNT, &n);
	pcre2_pattern_info(code, PCRE2_INFO_NAMEENTRYSIZE, &size);
	pcre2_pattern_info(code, PCRE2_INFO_NAMETABLE, &table);
	for (uint32_t i = 0; i < n; i++) {
		/* two bytes of a number before each name */
		const char *name = (const char *)table + (size_t)i * size + 2;

		if (!launcher_group_find(&group, name))
			return err_set(ERR_PARSE, "the group \"%s\" means nothing", name);
	}
	return 0;
}

int launcher_pattern_compile(struct launcher_pattern *out, const char *text, bool whole)
{
	uint32_t options = whole ? PCRE2_ANCHORED | PCRE2_ENDANCHORED : 0;

	*out = (struct launcher_pattern){ .text = text };
	out->code = pattern_compile(text, options);
	if (!out->code)
		return err_code();
	if (check_groups(out->code) < 0) {
		launcher_pattern_release(out);
		return err_code();
	}
	return 0;
}

void launcher_pattern_release(struct launcher_pattern *p)
{
	pcre2_code_free(p->code);
	p->code = NULL;
}

static struct launcher_span span(const char *s, const PCRE2_SIZE *ovector, int number)
{
	const PCRE2_SIZE *at = ovector + 2 * (size_t)number;

	/* \K in a lookahead can put the end before the start */
	if (at[0] == PCRE2_UNSET || at[1] < at[0])
		return (struct launcher_span){ NULL, 0 };
	return (struct launcher_span){ s + at[0], at[1] - at[0] };
}

static void take_groups(struct launcher_match *out, const struct launcher_pattern *p,
	const char *s, pcre2_match_data *data)
{
	const PCRE2_SIZE *ovector = pcre2_get_ovector_pointer(data);

	memset(out, 0, sizeof *out);
	out->whole = span(s, ovector, 0);
	for (size_t i = 0; i < GROUP_COUNT; i++) {
		int number = pcre2_substring_number_from_name(
			p->code, (PCRE2_SPTR)group_words[i]);

		if (number > 0)
			out->groups[i] = span(s, ovector, number);
	}
}

bool launcher_pattern_match(
	struct launcher_match *out, const struct launcher_pattern *p, const char *s, size_t n)
{
	pcre2_match_data *data = pcre2_match_data_create_from_pattern(p->code, NULL);
	pcre2_match_context *context = pcre2_match_context_create(NULL);
	bool found = false;

	if (data && context) {
		pcre2_set_match_limit(context, MATCH_LIMIT);
		pcre2_set_depth_limit(context, DEPTH_LIMIT);
		pcre2_set_heap_limit(context, HEAP_LIMIT_KIB);
		found = pcre2_match(p->code, (PCRE2_SPTR)s, n, 0, 0, data, context) > 0;
		if (found && out)
			take_groups(out, p, s, data);
	}
	pcre2_match_context_free(context);
	pcre2_match_data_free(data);
	return found;
}

const struct launcher_pattern *launcher_patterns_find(
	const struct launcher_patterns *rows, const char *s, size_t n)
{
	for (size_t i = 0; i < rows->n; i++)
		if (launcher_pattern_match(NULL, &rows->rows[i], s, n))
			return &rows->rows[i];
	return NULL;
}
