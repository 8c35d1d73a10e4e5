/* expr_eval - the value of an expression in Kleene logic; see expr.h. */
#include "config.h"

#include "base/expr_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum truth truth_and(enum truth a, enum truth b)
{
	if (a == TRUTH_FALSE || b == TRUTH_FALSE)
		return TRUTH_FALSE;
	return a == TRUTH_TRUE && b == TRUTH_TRUE ? TRUTH_TRUE : TRUTH_UNKNOWN;
}

enum truth truth_or(enum truth a, enum truth b)
{
	return truth_not(truth_and(truth_not(a), truth_not(b)));
}

enum truth truth_not(enum truth a)
{
	return a == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : a == TRUTH_TRUE ? TRUTH_FALSE : TRUTH_TRUE;
}

static enum truth truth_of(bool b)
{
	return b ? TRUTH_TRUE : TRUTH_FALSE;
}

/* Levels order as words do not: none, L0, L2, L3, L4. */
static bool level_number(const char *s, double *out)
{
	static const char *const levels[] = { "none", "L0", "L1", "L2", "L3", "L4" };

	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		if (strcmp(s, levels[i]) == 0) {
			*out = (double)i;
			return true;
		}
	}
	return false;
}

static bool as_number(const struct expr_value *v, double *out)
{
	if (v->type == EXPR_NUMBER) {
		*out = v->number;
		return true;
	}
	return v->type == EXPR_TEXT && v->text &&
	       (text_to_double(v->text, strlen(v->text), out) || level_number(v->text, out));
}

static enum truth match(const struct expr_node *n, const struct expr_value *v)
{
	char number[TEXT_DOUBLE_MAX];
	const char *text = v->text;
	pcre2_match_data *data;
	pcre2_match_context *limits;
	int rc;

	if (v->type == EXPR_NUMBER) {
		text_from_double(number, v->number);
		text = number;
	}
	data = pcre2_match_data_create_from_pattern(n->pattern, NULL);
	limits = pcre2_match_context_create(NULL);
	if (!data || !limits)
		abort();
	pcre2_set_match_limit(limits, 100000);
	pcre2_set_depth_limit(limits, 1000);
	rc = pcre2_match(n->pattern, (PCRE2_SPTR)text, strlen(text), 0, 0, data, limits);
	pcre2_match_data_free(data);
	pcre2_match_context_free(limits);
	if (rc < 0 && rc != PCRE2_ERROR_NOMATCH)
		return TRUTH_UNKNOWN;
	return n->op == OP_MATCH ? truth_of(rc >= 0) : truth_of(rc < 0);
}

static enum truth compare_texts(
	const struct expr_node *n, const struct expr_value *a, const struct expr_value *b)
{
	const char *x = a->type == EXPR_TEXT ? a->text : NULL,
		   *y = b->type == EXPR_TEXT ? b->text : NULL;
	int c;

	if (!x || !y)
		return n->op == OP_NE ? TRUTH_TRUE : n->op == OP_EQ ? TRUTH_FALSE : TRUTH_UNKNOWN;
	c = strcmp(x, y);
	switch (n->op) {
	case OP_EQ: return truth_of(c == 0);
	case OP_NE: return truth_of(c != 0);
	case OP_LT: return truth_of(c < 0);
	case OP_LE: return truth_of(c <= 0);
	case OP_GT: return truth_of(c > 0);
	case OP_GE: return truth_of(c >= 0);
	case OP_MATCH: case OP_NOT_MATCH: case OP_WORSE: break;
	}
	return TRUTH_UNKNOWN;
}

/* Of all pairs that A and B can be: some that are so, and some that are not. */
static enum truth truth_of_some(bool so, bool not_so)
{
	return so && not_so ? TRUTH_UNKNOWN : truth_of(so);
}

static enum truth compare_numbers(
	enum expr_operator op, double x, bool x_or_more, double y, bool y_or_more)
{
	bool less = x < y || y_or_more, more = x > y || x_or_more;
	bool equal = x == y || (x_or_more && x <= y) || (y_or_more && y <= x);

	switch (op) {
	case OP_EQ: return truth_of_some(equal, less || more);
	case OP_NE: return truth_of_some(less || more, equal);
	case OP_LT: return truth_of_some(less, equal || more);
	case OP_LE: return truth_of_some(less || equal, more);
	case OP_GT: case OP_WORSE: return truth_of_some(more, less || equal);
	case OP_GE: return truth_of_some(more || equal, less);
	case OP_MATCH: case OP_NOT_MATCH: break;
	}
	return TRUTH_UNKNOWN;
}

static enum truth compare(const struct expr_node *n, expr_feature_fn *feature, void *user)
{
	struct expr_value a = feature(user, n->feature);
	struct expr_value b = n->feature2 ? feature(user, n->feature2) : n->constant;
	double x, y;

	if (a.type == EXPR_UNKNOWN || b.type == EXPR_UNKNOWN)
		return TRUTH_UNKNOWN;
	if (n->pattern)
		return a.or_more ? TRUTH_UNKNOWN : match(n, &a);
	if (n->quoted || !as_number(&a, &x) || !as_number(&b, &y))
		return compare_texts(n, &a, &b);
	if (isnan(x) || isnan(y))
		return TRUTH_UNKNOWN;
	return compare_numbers(n->op, x, a.or_more, y, b.or_more);
}

static enum truth eval(const struct expr_node *n, expr_feature_fn *feature, void *user)
{
	switch (n->type) {
	case NODE_OR:
		return truth_or(eval(n->left, feature, user), eval(n->right, feature, user));
	case NODE_AND:
		return truth_and(eval(n->left, feature, user), eval(n->right, feature, user));
	case NODE_NOT:
		return truth_not(eval(n->left, feature, user));
	case NODE_COMPARE:
		return compare(n, feature, user);
	}
	return TRUTH_UNKNOWN;
}

enum truth expr_eval(const struct expr *e, expr_feature_fn *feature, void *user)
{
	return eval(e->root, feature, user);
}
