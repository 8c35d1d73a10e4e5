/* terminal_pattern - compiled patterns with limits. */
#include "config.h"

#include "curve/terminal_pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/line_pattern.h"
#include "curve/pattern_digits.h"

enum { MATCH_LIMIT = 100000, DEPTH_LIMIT = 1000, SUBJECT_MAX = 16 * 1024 };

enum group { GROUP_STEP, GROUP_EPOCH, GROUP_NAME, GROUP_VALUE, GROUPS };

static const char *const group_names[GROUPS] = { "step", "epoch", "name", "value" };

/* A name may stand twice, in two alternatives: its entries in the table of the pattern. */
struct group_entries {
	PCRE2_SPTR first, last;
	int size;		/* of an entry; below 1: it has no such group */
};

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	struct group_entries groups[GROUPS];
	bool has_machine_code;
	bool digits_are_alike;
	bool is_anchored;	/* matches at the beginning of a frame or nowhere */
	uint32_t least_bytes;	/* of a match */
	int first;		/* the byte that each match begins with; below 0: not known */
};

static PCRE2_SPTR as_text(const char *s)
{
	return (PCRE2_SPTR)s;
}

static int first_byte(const pcre2_code *code)
{
	uint32_t kind = 0, unit = 0;

	if (pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODETYPE, &kind) != 0 || kind != 1 ||
		pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODEUNIT, &unit) != 0 || unit > 127)
		return -1;
	return (int)unit;
}

/* What is asked once, not with every line. */
static void describe(struct pattern *p)
{
	uint32_t options = 0;

	for (int i = 0; i < GROUPS; i++)
		p->groups[i].size = pcre2_substring_nametable_scan(p->code,
			as_text(group_names[i]), &p->groups[i].first, &p->groups[i].last);
	p->has_machine_code = pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE) == 0;
	if (pcre2_pattern_info(p->code, PCRE2_INFO_ALLOPTIONS, &options) == 0)
		p->is_anchored = options & PCRE2_ANCHORED;
	if (pcre2_pattern_info(p->code, PCRE2_INFO_MINLENGTH, &p->least_bytes) != 0)
		p->least_bytes = 0;
	p->first = first_byte(p->code);
}

/* A letter, in either case, or a mark stands in P[0..N). */
static bool has_first(const struct pattern *p, const char *s, size_t n)
{
	if (p->first < 0 || memchr(s, p->first, n))
		return true;
	return isalpha(p->first) && memchr(s, p->first ^ 32, n);
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
		pattern = xcalloc(1, sizeof *pattern);
		pattern->code = code;
		pattern->data = pcre2_match_data_create_from_pattern(code, NULL);
		pattern->context = pcre2_match_context_create(NULL);
		pcre2_set_match_limit(pattern->context, MATCH_LIMIT);
		pcre2_set_depth_limit(pattern->context, DEPTH_LIMIT);
		describe(pattern);
		pattern->digits_are_alike = pattern_digits_are_alike(texts[i]);
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

bool patterns_digits_are_alike(const struct patterns *p)
{
	for (size_t i = 0; i < p->n; i++)
		if (!p->list[i]->digits_are_alike)
			return false;
	return true;
}

static void get_group(const struct pattern *p, enum group group, const PCRE2_SIZE *offsets,
	const char *s, const char **text, size_t *n)
{
	const struct group_entries *g = &p->groups[group];

	*text = NULL;
	*n = 0;
	/* The one that took part. */
	for (PCRE2_SPTR entry = g->first; g->size > 0 && entry <= g->last; entry += g->size) {
		size_t number = (size_t)entry[0] << 8 | entry[1];

		if (offsets[2 * number] == PCRE2_UNSET ||
			offsets[2 * number + 1] < offsets[2 * number])
			continue;
		*text = s + offsets[2 * number];
		*n = offsets[2 * number + 1] - offsets[2 * number];
		return;
	}
}

/* Machine code is called without a look at the arguments, which are always of one kind. */
static int match(const struct pattern *p, const char *s, size_t n, size_t start)
{
	if (p->has_machine_code)
		return pcre2_jit_match(p->code, as_text(s), n, start, 0, p->data, p->context);
	return pcre2_match(p->code, as_text(s), n, start, 0, p->data, p->context);
}

static bool is_found(struct patterns *p, size_t i, const char *s, size_t n, size_t start)
{
	int found = match(p->list[i], s, n, start);

	p->gave_up |= found < 1 && found != PCRE2_ERROR_NOMATCH;
	return found >= 1;
}

/* A group that took part and holds nothing to be seen is no name. */
static void drop_blank_name(struct pattern_match *m)
{
	size_t i = 0;

	while (i < m->name_n && (m->name[i] == ' ' || m->name[i] == '\t'))
		i++;
	if (i == m->name_n)
		m->name = NULL;
}

bool pattern_next(struct patterns *p, size_t i, const char *s, size_t n, size_t start,
	struct pattern_match *out)
{
	const struct pattern *pattern = p->list[i];
	const PCRE2_SIZE *offsets;

	if (n > SUBJECT_MAX)
		n = SUBJECT_MAX;
	if (start > n || n - start < pattern->least_bytes || (start && pattern->is_anchored) ||
		(start && !has_first(pattern, s + start, n - start)) ||
		!is_found(p, i, s, n, start))
		return false;
	offsets = pcre2_get_ovector_pointer(pattern->data);
	out->end = offsets[1] > start ? offsets[1] : start + 1;
	get_group(pattern, GROUP_STEP, offsets, s, &out->step, &out->step_n);
	get_group(pattern, GROUP_EPOCH, offsets, s, &out->epoch, &out->epoch_n);
	get_group(pattern, GROUP_NAME, offsets, s, &out->name, &out->name_n);
	drop_blank_name(out);
	get_group(pattern, GROUP_VALUE, offsets, s, &out->value, &out->value_n);
	return true;
}
