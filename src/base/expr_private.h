/*
 * expr_private - what expr.c, expr_eval.c and expr_print.c share: the tree.
 *
 * Nobody else includes it.  Nodes and texts live in the arena of the expression.
 */
#ifndef PORTSIDE_BASE_EXPR_PRIVATE_H
#define PORTSIDE_BASE_EXPR_PRIVATE_H

#define PCRE2_CODE_UNIT_WIDTH 8

#include <pcre2.h>

#include "base/expr.h"

enum { EXPR_DEPTH_MAX = 64, EXPR_COMPARISONS_MAX = 1000 };

enum expr_node_type { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARE };
enum expr_operator { OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MATCH, OP_NOT_MATCH, OP_WORSE };

struct expr_node {
	enum expr_node_type type;
	struct expr_node *left, *right;
	const char *feature;
	enum expr_operator op;
	struct expr_value constant;	/* or, when feature2 is set, another feature */
	const char *feature2;
	bool quoted;
	pcre2_code *pattern;
	struct expr_node *next_pattern;	/* all nodes with a pattern, to free them */
};

struct expr {
	struct arena arena;
	struct expr_node *root;
	struct expr_node *patterns;
	const char **features;
	size_t n_features, cap_features;
	size_t n_comparisons;
};

/* What the parser takes as a word: the printer quotes everything else. */
bool expr_is_keyword(const char *s, size_t n);
size_t expr_word_length(const char *s);

const char *expr_operator_text(enum expr_operator op);

#endif
