/* signature_match - patterns of signatures compiled and tried; see signature.h. */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "evidence/signature_private.h"

enum {
	MATCH_LIMIT = 200000,		/* steps of one match; a line needs some hundred */
	DEPTH_LIMIT = 2000,
	HEAP_LIMIT_KIB = 4096,
	JIT_STACK_START = 32 * 1024,
	JIT_STACK_MAX = 512 * 1024,
	PATTERN_BYTES_MAX = 4096,
};

struct signature_matcher {
	pcre2_match_data *match;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
};

struct signature_matcher *signature_matcher_new(void)
{
	struct signature_matcher *m = xcalloc(1, sizeof *m);

	m->match = pcre2_match_data_create(SIGNATURE_GROUPS + 1, NULL);
	m->context = pcre2_match_context_create(NULL);
	m->stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, NULL);
	if (m->context) {
		pcre2_set_match_limit(m->context, MATCH_LIMIT);
		pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
		pcre2_set_heap_limit(m->context, HEAP_LIMIT_KIB);
		if (m->stack)
			pcre2_jit_stack_assign(m->context, NULL, m->stack);
	}
	return m;
}

void signature_matcher_free(struct signature_matcher *m)
{
	if (!m)
		return;
	pcre2_match_data_free(m->match);
	pcre2_match_context_free(m->context);
	pcre2_jit_stack_free(m->stack);
	free(m);
}

static void copy_groups(struct signature_match *out, const PCRE2_SIZE *o, int pairs)
{
	out->whole = (struct signature_span){ o[0], o[1] };
	out->groups_n = pairs > 1 ? (size_t)pairs - 1 : 0;
	for (size_t i = 0; i < out->groups_n; i++)
		out->groups[i] = (struct signature_span){ o[2 * i + 2], o[2 * i + 3] };
}

int signature_match(struct signature_match *out, struct signature_matcher *m,
	const struct signature *s, const char *text, size_t n, unsigned flags)
{
	uint32_t options = (flags & SIGNATURE_NOT_BEGIN ? PCRE2_NOTBOL : 0) |
		(flags & SIGNATURE_NOT_END ? PCRE2_NOTEOL : 0);
	int rc;

	if (!m->match || !m->context)
		return -1;
	rc = pcre2_match(s->code, (PCRE2_SPTR)text, n, 0, options, m->match, m->context);
	if (rc == PCRE2_ERROR_NOMATCH)
		return 0;
	if (rc < 0)
		return -1;
	copy_groups(out, pcre2_get_ovector_pointer(m->match), rc ? rc : SIGNATURE_GROUPS + 1);
	/* \K in a lookahead may end a match before it begins. */
	return out->whole.from <= out->whole.to && out->whole.to <= n;
}

/* ---- compiling ---------------------------------------------------------------------- */

/* Signs outside of a class that stand for an end of a line, and \R. */
static void look_at_ends(struct signature *s)
{
	bool in_class = false;

	for (const char *p = s->pattern; *p; p++) {
		if (*p == '\\' && p[1]) {
			p++;
			if (*p == 'R' && !in_class)
				s->two_lines = true;
			if (strchr("AzZ", *p) && !in_class)
				s->anchored = true;
		} else if (*p == '[' && !in_class) {
			in_class = true;
			p += p[1] == '^';
			p += p[1] == ']';
		} else if (*p == ']') {
			in_class = false;
		} else if ((*p == '^' || *p == '$') && !in_class) {
			s->anchored = true;
		}
	}
}

static int compile(struct signature *s)
{
	uint32_t options = PCRE2_MULTILINE | PCRE2_NEVER_UTF | PCRE2_NEVER_BACKSLASH_C;
	PCRE2_UCHAR why[128];
	PCRE2_SIZE at;
	int code;

	s->code = pcre2_compile(
		(PCRE2_SPTR)s->pattern, PCRE2_ZERO_TERMINATED, options, &code, &at, NULL);
	if (!s->code) {
		pcre2_get_error_message(code, why, sizeof why);
		return err_set(ERR_PARSE, "the pattern is wrong at byte %zu: %s", at + 1, (char *)why);
	}
	/* Without JIT the interpreter answers the same, slower. */
	pcre2_jit_compile(s->code, PCRE2_JIT_COMPLETE);
	return 0;
}

/* The example as it would stand in a log. */
static char *example_text(const char *example, size_t *n)
{
	char *out = xmalloc(strlen(example) + 1);

	*n = 0;
	for (const char *p = example; *p; p++) {
		bool newline = *p == '\\' && p[1] == 'n';

		out[(*n)++] = newline ? '\n' : *p;
		p += newline;
	}
	out[*n] = '\0';
	return out;
}

static int try_example(const struct signature *s)
{
	struct signature_matcher *m = signature_matcher_new();
	struct signature_match match;
	size_t n;
	char *text = example_text(s->example, &n);
	int found = signature_match(&match, m, s, text, n, 0);

	free(text);
	signature_matcher_free(m);
	if (found < 0)
		return err_set(ERR_PARSE,
			"the pattern takes too many steps on its own example; make it simpler");
	return found ? 0 : err_set(ERR_PARSE,
			"the pattern does not match its own example; correct one of them");
}

int signature_compile(struct signature *s)
{
	int rc;

	if (strlen(s->pattern) > PATTERN_BYTES_MAX)
		return err_set(
			ERR_PARSE, "the pattern is longer than %d bytes", PATTERN_BYTES_MAX);
	look_at_ends(s);
	if ((rc = compile(s)) < 0)
		return rc;
	if ((rc = signature_words_find(&s->needs, s->pattern, s->anchored)) < 0)
		return err_prefix("the pattern would slow every scan: ");
	return *s->example ? try_example(s) : 0;
}
