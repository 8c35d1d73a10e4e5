/*
 * expr - see expr.h.  A recursive-descent parser into a tree of nodes that live
 * in one arena; evaluation is Kleene logic over three values.
 */
#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8

#include "base/expr.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <pcre2.h>

#include "base/err.h"
#include "base/text.h"

enum node_type { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARE };
enum operator { OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE, OP_MATCH, OP_NOT_MATCH, OP_WORSE };

static const struct { const char *text; enum operator op; } operators[] = {
	/* longer ones first: the tokenizer takes the first that fits */
	{ "!~", OP_NOT_MATCH }, { "!=", OP_NE }, { "<=", OP_LE }, { ">=", OP_GE },
	{ "=", OP_EQ }, { "<", OP_LT }, { ">", OP_GT }, { "~", OP_MATCH },
};

struct node {
	enum node_type type;
	struct node *left, *right;
	const char *feature;
	enum operator op;
	struct expr_value constant;	/* or, when feature2 is set, another feature */
	const char *feature2;
	bool quoted;
	pcre2_code *pattern;
	struct node *next_pattern;	/* all nodes with a pattern, to free them */
};

struct expr {
	struct arena arena;
	struct node *root;
	struct node *patterns;
	const char **features;
	size_t n_features, cap_features;
};

struct parser {
	struct expr *e;
	const char *start, *s;
	expr_known_fn *known;
	void *user;
	int depth;
};

enum { EXPR_DEPTH_MAX = 64 };

static int fail(const struct parser *p, const char *wanted)
{
	return err_set(ERR_PARSE, "column %d: %s expected in \"%s\"", (int)(p->s - p->start) + 1, wanted, p->start);
}

static void skip_blanks(struct parser *p)
{
	p->s += strspn(p->s, " \t");
}

static bool is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '-' || c == '/' || c == '@' || c == '%' || c == '+' ||
	       (unsigned char)c >= 0x80;
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (is_word_byte(s[n]))
		n++;
	return n;
}

static bool take_keyword(struct parser *p, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(p);
	if (word_length(p->s) != n || memcmp(p->s, word, n) != 0)
		return false;
	p->s += n;
	return true;
}

static bool is_keyword(const char *s, size_t n)
{
	static const char *const words[] = { "and", "or", "not", "worse", "than" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

static void note_feature(struct expr *e, const char *name)
{
	for (size_t i = 0; i < e->n_features; i++)
		if (strcmp(e->features[i], name) == 0)
			return;
	ARRAY_GROW(e->features, e->n_features, e->cap_features);
	e->features[e->n_features++] = name;
}

/* ---- parsing ------------------------------------------------------------- */

static int take_operator(struct parser *p, enum operator *op)
{
	skip_blanks(p);
	if (take_keyword(p, "worse")) {
		if (!take_keyword(p, "than"))
			return fail(p, "\"than\"");
		*op = OP_WORSE;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_LEN(operators); i++) {
		if (text_starts(p->s, operators[i].text)) {
			p->s += strlen(operators[i].text);
			*op = operators[i].op;
			return 0;
		}
	}
	return fail(p, "a comparison (= != < <= > >= ~ !~ or \"worse than\")");
}

static int take_quoted(struct parser *p, struct node *n)
{
	struct buf b = BUF_INIT;

	for (p->s++; *p->s && *p->s != '"'; p->s++) {
		if (*p->s == '\\' && (p->s[1] == '"' || p->s[1] == '\\'))
			p->s++;
		buf_addc(&b, *p->s);
	}
	if (!*p->s) {
		buf_release(&b);
		return fail(p, "a closing quote");
	}
	p->s++;
	n->quoted = true;
	n->constant.type = EXPR_TEXT;
	n->constant.text = arena_strndup(&p->e->arena, b.s, b.n);
	buf_release(&b);
	return 0;
}

static int take_constant(struct parser *p, struct node *n)
{
	size_t len;
	char *word;

	skip_blanks(p);
	if (*p->s == '"')
		return take_quoted(p, n);
	len = word_length(p->s);
	if (!len || is_keyword(p->s, len))
		return fail(p, "a value");
	word = arena_strndup(&p->e->arena, p->s, len);
	if (text_to_double(word, len, &n->constant.number) && !isnan(n->constant.number)) {
		n->constant.type = EXPR_NUMBER;
	} else if (p->known && p->known(p->user, word) && n->op != OP_MATCH && n->op != OP_NOT_MATCH) {
		n->feature2 = word;
		note_feature(p->e, word);
	} else {
		n->constant.type = EXPR_TEXT;
		n->constant.text = word;
	}
	p->s += len;
	return 0;
}

static int compile_pattern(struct parser *p, struct node *n)
{
	const char *text = n->constant.text;
	PCRE2_SIZE offset;
	int code;

	if (n->constant.type != EXPR_TEXT)
		return fail(p, "a pattern in quotes");
	n->pattern = pcre2_compile((PCRE2_SPTR)text, strlen(text), PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
		PCRE2_NEVER_BACKSLASH_C, &code, &offset, NULL);
	if (!n->pattern) {
		PCRE2_UCHAR message[128];

		pcre2_get_error_message(code, message, sizeof message);
		return err_set(ERR_PARSE, "pattern \"%s\": %s at offset %zu", text, (char *)message, (size_t)offset);
	}
	n->next_pattern = p->e->patterns;
	p->e->patterns = n;
	return 0;
}

static int parse_compare(struct parser *p, struct node **out)
{
	struct node *n = ARENA_NEW(&p->e->arena, struct node);
	size_t len;
	int rc;

	skip_blanks(p);
	len = word_length(p->s);
	if (!len || is_keyword(p->s, len))
		return fail(p, "a feature");
	n->type = NODE_COMPARE;
	n->feature = arena_strndup(&p->e->arena, p->s, len);
	if (p->known && !p->known(p->user, n->feature))
		return err_set(ERR_PARSE, "column %d: \"%s\" is not a feature", (int)(p->s - p->start) + 1, n->feature);
	note_feature(p->e, n->feature);
	p->s += len;
	if ((rc = take_operator(p, &n->op)) < 0 || (rc = take_constant(p, n)) < 0)
		return rc;
	if ((n->op == OP_MATCH || n->op == OP_NOT_MATCH) && (rc = compile_pattern(p, n)) < 0)
		return rc;
	*out = n;
	return 0;
}

static int parse_or(struct parser *p, struct node **out);

static int parse_unary(struct parser *p, struct node **out)
{
	int rc;

	if (++p->depth > EXPR_DEPTH_MAX)
		return err_set(ERR_PARSE, "the expression is nested deeper than %d", EXPR_DEPTH_MAX);
	skip_blanks(p);
	if (take_keyword(p, "not")) {
		struct node *n = ARENA_NEW(&p->e->arena, struct node);

		n->type = NODE_NOT;
		rc = parse_unary(p, &n->left);
		*out = n;
	} else if (*p->s == '(') {
		p->s++;
		rc = parse_or(p, out);
		skip_blanks(p);
		if (!rc && *p->s != ')')
			rc = fail(p, "a closing bracket");
		else if (!rc)
			p->s++;
	} else {
		rc = parse_compare(p, out);
	}
	p->depth--;
	return rc;
}

static int parse_chain(struct parser *p, struct node **out, enum node_type type)
{
	const char *word = type == NODE_OR ? "or" : "and";
	int rc = type == NODE_OR ? parse_chain(p, out, NODE_AND) : parse_unary(p, out);

	while (!rc && take_keyword(p, word)) {
		struct node *n = ARENA_NEW(&p->e->arena, struct node);

		n->type = type;
		n->left = *out;
		rc = type == NODE_OR ? parse_chain(p, &n->right, NODE_AND) : parse_unary(p, &n->right);
		*out = n;
	}
	return rc;
}

static int parse_or(struct parser *p, struct node **out)
{
	return parse_chain(p, out, NODE_OR);
}

int expr_parse(struct expr **out, const char *s, expr_known_fn *known, void *user)
{
	struct expr *e = xcalloc(1, sizeof *e);
	struct parser p = { .e = e, .known = known, .user = user };
	int rc;

	p.start = p.s = arena_strdup(&e->arena, s);
	rc = parse_or(&p, &e->root);
	skip_blanks(&p);
	if (!rc && *p.s)
		rc = fail(&p, "\"and\", \"or\" or the end");
	if (rc < 0) {
		expr_free(e);
		return rc;
	}
	*out = e;
	return 0;
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	for (struct node *n = e->patterns; n; n = n->next_pattern)
		pcre2_code_free(n->pattern);
	free(e->features);
	arena_release(&e->arena);
	free(e);
}

/* ---- evaluation ---------------------------------------------------------- */

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

static enum truth match(const struct node *n, const struct expr_value *v)
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

static enum truth compare_texts(const struct node *n, const struct expr_value *a, const struct expr_value *b)
{
	const char *x = a->type == EXPR_TEXT ? a->text : NULL, *y = b->type == EXPR_TEXT ? b->text : NULL;
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

static enum truth compare(const struct node *n, expr_feature_fn *feature, void *user)
{
	struct expr_value a = feature(user, n->feature);
	struct expr_value b = n->feature2 ? feature(user, n->feature2) : n->constant;
	double x, y;

	if (a.type == EXPR_UNKNOWN || b.type == EXPR_UNKNOWN)
		return TRUTH_UNKNOWN;
	if (n->pattern)
		return match(n, &a);
	if (n->quoted || !as_number(&a, &x) || !as_number(&b, &y))
		return compare_texts(n, &a, &b);
	if (isnan(x) || isnan(y))
		return TRUTH_UNKNOWN;
	switch (n->op) {
	case OP_EQ: return truth_of(x == y);
	case OP_NE: return truth_of(x != y);
	case OP_LT: return truth_of(x < y);
	case OP_LE: return truth_of(x <= y);
	case OP_GT: case OP_WORSE: return truth_of(x > y);
	case OP_GE: return truth_of(x >= y);
	case OP_MATCH: case OP_NOT_MATCH: break;
	}
	return TRUTH_UNKNOWN;
}

static enum truth eval(const struct node *n, expr_feature_fn *feature, void *user)
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

/* ---- features, gauges, printing ------------------------------------------ */

const char *const *expr_features(const struct expr *e, size_t *n)
{
	*n = e->n_features;
	return e->features;
}

static const char *operator_text(enum operator op)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++)
		if (operators[i].op == op)
			return operators[i].text;
	return "worse than";
}

static const struct node *nth_conjunct(const struct node *n, size_t *i)
{
	const struct node *found;

	if (n->type == NODE_AND) {
		found = nth_conjunct(n->left, i);
		return found ? found : nth_conjunct(n->right, i);
	}
	if (n->type != NODE_COMPARE)
		return NULL;
	return (*i)-- == 0 ? n : NULL;
}

static bool is_conjunction(const struct node *n)
{
	if (n->type == NODE_AND)
		return is_conjunction(n->left) && is_conjunction(n->right);
	return n->type == NODE_COMPARE;
}

bool expr_gauge(const struct expr *e, size_t i, struct expr_gauge *out)
{
	const struct node *n = is_conjunction(e->root) ? nth_conjunct(e->root, &i) : NULL;

	if (!n || n->feature2)
		return false;
	out->feature = n->feature;
	out->op = operator_text(n->op);
	out->limit = n->constant;
	return true;
}

static bool is_bare(const char *s)
{
	double number;
	size_t n = strlen(s);

	return n && word_length(s) == n && !is_keyword(s, n) && !text_to_double(s, n, &number);
}

static void print_constant(struct buf *out, const struct node *n)
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

static void print(struct buf *out, const struct node *n, int outer)
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
		buf_addf(out, "%s %s ", n->feature, operator_text(n->op));
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
