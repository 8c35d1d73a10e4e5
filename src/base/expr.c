/* expr - see expr.h.  A recursive-descent parser into a tree of nodes that live
 * in one arena.  Evaluation: expr_eval.c; the way back to text: expr_print.c. */
#include "config.h"

#include "base/expr_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

static const struct { const char *text; enum expr_operator op; } operators[] = {
	/* longer ones first: the tokenizer takes the first that fits */
	{ "!~", OP_NOT_MATCH }, { "!=", OP_NE }, { "<=", OP_LE }, { ">=", OP_GE },
	{ "=", OP_EQ }, { "<", OP_LT }, { ">", OP_GT }, { "~", OP_MATCH },
};

struct parser {
	struct expr *e;
	const char *start, *s;
	expr_known_fn *known;
	void *user;
	int depth;
};

static int fail(const struct parser *p, const char *wanted)
{
	return err_set(ERR_PARSE, "column %d: %s expected in \"%s\"", (int)(p->s - p->start) + 1,
		wanted, p->start);
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

size_t expr_word_length(const char *s)
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
	if (expr_word_length(p->s) != n || memcmp(p->s, word, n) != 0)
		return false;
	p->s += n;
	return true;
}

bool expr_is_keyword(const char *s, size_t n)
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

const char *expr_operator_text(enum expr_operator op)
{
	for (size_t i = 0; i < ARRAY_LEN(operators); i++)
		if (operators[i].op == op)
			return operators[i].text;
	return "worse than";
}

/* ---- parsing ------------------------------------------------------------- */

static int take_operator(struct parser *p, enum expr_operator *op)
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

static int take_quoted(struct parser *p, struct expr_node *n)
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

static int take_constant(struct parser *p, struct expr_node *n)
{
	size_t len;
	char *word;

	skip_blanks(p);
	if (*p->s == '"')
		return take_quoted(p, n);
	len = expr_word_length(p->s);
	if (!len || expr_is_keyword(p->s, len))
		return fail(p, "a value");
	word = arena_strndup(&p->e->arena, p->s, len);
	if (text_to_double(word, len, &n->constant.number) && !isnan(n->constant.number)) {
		n->constant.type = EXPR_NUMBER;
	} else if (p->known && p->known(p->user, word) && n->op != OP_MATCH &&
		n->op != OP_NOT_MATCH) {
		n->feature2 = word;
		note_feature(p->e, word);
	} else {
		n->constant.type = EXPR_TEXT;
		n->constant.text = word;
	}
	p->s += len;
	return 0;
}

static int compile_pattern(struct parser *p, struct expr_node *n)
{
	const char *text = n->constant.text;
	PCRE2_SIZE offset;
	int code;

	if (n->constant.type != EXPR_TEXT)
		return fail(p, "a pattern in quotes");
	n->pattern = pcre2_compile((PCRE2_SPTR)text, strlen(text),
		PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C, &code, &offset,
		NULL);
	if (!n->pattern) {
		PCRE2_UCHAR message[128];

		pcre2_get_error_message(code, message, sizeof message);
		return err_set(ERR_PARSE, "pattern \"%s\": %s at offset %zu", text, (char *)message,
			(size_t)offset);
	}
	n->next_pattern = p->e->patterns;
	p->e->patterns = n;
	return 0;
}

static int parse_compare(struct parser *p, struct expr_node **out)
{
	struct expr_node *n = ARENA_NEW(&p->e->arena, struct expr_node);
	size_t len;
	int rc;

	skip_blanks(p);
	len = expr_word_length(p->s);
	if (!len || expr_is_keyword(p->s, len))
		return fail(p, "a feature");
	if (++p->e->n_comparisons > EXPR_COMPARISONS_MAX)
		return err_set(ERR_PARSE, "the expression has more than %d comparisons",
			EXPR_COMPARISONS_MAX);
	n->type = NODE_COMPARE;
	n->feature = arena_strndup(&p->e->arena, p->s, len);
	if (p->known && !p->known(p->user, n->feature))
		return err_set(ERR_PARSE, "column %d: \"%s\" is not a feature",
			(int)(p->s - p->start) + 1, n->feature);
	note_feature(p->e, n->feature);
	p->s += len;
	if ((rc = take_operator(p, &n->op)) < 0 || (rc = take_constant(p, n)) < 0)
		return rc;
	if ((n->op == OP_MATCH || n->op == OP_NOT_MATCH) && (rc = compile_pattern(p, n)) < 0)
		return rc;
	*out = n;
	return 0;
}

static int parse_or(struct parser *p, struct expr_node **out);

static int parse_unary(struct parser *p, struct expr_node **out)
{
	int rc;

	if (++p->depth > EXPR_DEPTH_MAX)
		return err_set(
			ERR_PARSE, "the expression is nested deeper than %d", EXPR_DEPTH_MAX);
	skip_blanks(p);
	if (take_keyword(p, "not")) {
		struct expr_node *n = ARENA_NEW(&p->e->arena, struct expr_node);

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

static int parse_chain(struct parser *p, struct expr_node **out, enum expr_node_type type)
{
	const char *word = type == NODE_OR ? "or" : "and";
	int rc = type == NODE_OR ? parse_chain(p, out, NODE_AND) : parse_unary(p, out);

	while (!rc && take_keyword(p, word)) {
		struct expr_node *n = ARENA_NEW(&p->e->arena, struct expr_node);

		n->type = type;
		n->left = *out;
		rc = type == NODE_OR ? parse_chain(p, &n->right, NODE_AND)
				     : parse_unary(p, &n->right);
		*out = n;
	}
	return rc;
}

static int parse_or(struct parser *p, struct expr_node **out)
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
	for (struct expr_node *n = e->patterns; n; n = n->next_pattern)
		pcre2_code_free(n->pattern);
	free(e->features);
	arena_release(&e->arena);
	free(e);
}
