/* expr_print - an expression as text, and its comparisons for a gauge; see expr.h. */
#include "config.h"

#include "base/expr_private.h"

#include <string.h>

#include "base/text.h"

const char *const *expr_features(const struct expr *e, size_t *n)
{
	*n = e->n_features;
	return e->features;
}

static const struct expr_node *nth_conjunct(const struct expr_node *n, size_t *i)
{
	const struct expr_node *found;

	if (n->type == NODE_AND) {
		found = nth_conjunct(n->left, i);
		return found ? found : nth_conjunct(n->right, i);
	}
	if (n->type != NODE_COMPARE)
		return NULL;
	return (*i)-- == 0 ? n : NULL;
}

static bool is_conjunction(const struct expr_node *n)
{
	if (n->type == NODE_AND)
		return is_conjunction(n->left) && is_conjunction(n->right);
	return n->type == NODE_COMPARE;
}

bool expr_gauge(const struct expr *e, size_t i, struct expr_gauge *out)
{
	const struct expr_node *n = is_conjunction(e->root) ? nth_conjunct(e->root, &i) : NULL;

	if (!n || n->feature2)
		return false;
	out->feature = n->feature;
	out->op = expr_operator_text(n->op);
	out->limit = n->constant;
	return true;
}

static bool is_bare(const char *s)
{
	double number;
	size_t n = strlen(s);

	return n && expr_word_length(s) == n && !expr_is_keyword(s, n) &&
		!text_to_double(s, n, &number);
}

static void print_constant(struct buf *out, const struct expr_node *n)
{
	char number[TEXT_DOUBLE_MAX];

	if (n->feature2) {
		buf_adds(out, n->feature2);
	} else if (n->constant.type == EXPR_NUMBER) {
		buf_add(out, number, text_from_double(number, n->constant.number));
	} else if (!n->quoted && is_bare(n->constant.text)) {
		buf_adds(out, n->constant.text);
	} else {
		buf_addc(out, '"');
		for (const char *s = n->constant.text; *s; s++) {
			if (*s == '"' || *s == '\\')
				buf_addc(out, '\\');
			buf_addc(out, *s);
		}
		buf_addc(out, '"');
	}
}

static void print(struct buf *out, const struct expr_node *n, int outer)
{
	bool brackets = outer > (int)n->type && n->type != NODE_COMPARE;

	if (brackets)
		buf_addc(out, '(');
	switch (n->type) {
	case NODE_OR:
	case NODE_AND:
		print(out, n->left, (int)n->type);
		buf_adds(out, n->type == NODE_OR ? " or " : " and ");
		print(out, n->right, (int)n->type + 1);
		break;
	case NODE_NOT:
		buf_adds(out, "not ");
		print(out, n->left, NODE_NOT);
		break;
	case NODE_COMPARE:
		buf_addf(out, "%s %s ", n->feature, expr_operator_text(n->op));
		print_constant(out, n);
		break;
	}
	if (brackets)
		buf_addc(out, ')');
}

void expr_print(struct buf *out, const struct expr *e)
{
	print(out, e->root, NODE_OR);
}
