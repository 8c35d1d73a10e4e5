/*
 * run_table_filter - columns as the features of an expression; see run_table.h.
 *
 * A feature of base/expr.h is one word and a column is several, so each column of
 * the filter is replaced by a word of its own ("@c0") before the text is parsed.
 */
#include "config.h"

#include "curve/run_table_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

enum { FEATURES_MAX = 64 };

struct run_filter {
	struct arena arena;
	struct expr *expr;
	struct run_column columns[FEATURES_MAX];
	size_t n;
};

static bool is_operator(char c)
{
	return c == '=' || c == '!' || c == '<' || c == '>' || c == '~';
}

/* A word of a column inside of an expression. */
static size_t word_length(const char *s)
{
	return *s == '"' ? run_word_length(s) : strcspn(s, " \t()=!<>~\"");
}

static bool is_word(const char *s, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(s, word, n) == 0;
}

static const struct run_column *find_named(
	const struct run_column *columns, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(columns[i].name, name) == 0)
			return &columns[i];
	return NULL;
}

/* The words of the column at S, up to its comparison; returns the bytes taken. */
static size_t take_words(struct run_words *w, struct arena *a, const char *s)
{
	const char *p = s;

	w->n = 0;
	if (*p == '=') {
		size_t n = 1 + word_length(p + 1);

		if (n > 1)
			run_words_add(w, a, p, n, false);
		return n;
	}
	while (*p && !is_operator(*p)) {
		size_t n = word_length(p);
		bool quoted = *p == '"';

		if (!n || is_word(p, n, "worse") || is_word(p, n, "and") || is_word(p, n, "or") ||
			(quoted && (n < 2 || p[n - 1] != '"')) ||
			!run_words_add(w, a, p + quoted, n - 2 * quoted, quoted))
			break;
		p += n;
		p += strspn(p, " \t");
	}
	return (size_t)(p - s);
}

/* Puts a word for the column at S into OUT; the bytes taken, 0 for none. */
static size_t take_column(struct run_filter *f, struct buf *out, const char *s,
	const struct run_column *columns, size_t n_columns)
{
	struct run_words w;
	struct run_column *c = &f->columns[f->n];
	const struct run_column *named;
	size_t n = take_words(&w, &f->arena, s);

	if (!w.n)
		return 0;
	named = w.n == 1 ? find_named(columns, n_columns, w.list[0]) : NULL;
	*c = (struct run_column){ .kind = RUN_COLUMN_FIELD };
	if (named)
		*c = *named;
	else if (!run_column_of_words(c, &w, &f->arena))
		return 0;
	if (!named) {
		size_t length = n;

		while (length && (s[length - 1] == ' ' || s[length - 1] == '\t'))
			length--;
		c->text = c->name = arena_strndup(&f->arena, s, length);
	}
	buf_addf(out, "@c%zu ", f->n++);
	return n;
}

/* Behind a comparison: its constant, up to what stands between two comparisons. */
static size_t take_rest(struct buf *out, const char *s)
{
	size_t at = 0;

	while (s[at] && s[at] != ')') {
		size_t n = s[at] == '"' ? run_word_length(s + at) : strcspn(s + at, " \t()\"");

		if (is_word(s + at, n, "and") || is_word(s + at, n, "or"))
			break;
		if (!n)
			n = 1;
		buf_add(out, s + at, n);
		at += n;
	}
	return at;
}

static int translate(struct run_filter *f, struct buf *out, const char *s,
	const struct run_column *columns, size_t n_columns)
{
	const char *start = s;

	while (*s) {
		size_t n = strcspn(s, " \t()\"");

		if (*s == ' ' || *s == '\t' || *s == '(' || *s == ')') {
			buf_addc(out, *s++);
			continue;
		}
		if (is_word(s, n, "and") || is_word(s, n, "or") || is_word(s, n, "not")) {
			buf_add(out, s, n);
			s += n;
			continue;
		}
		if (f->n == FEATURES_MAX)
			return err_set(ERR_USAGE, "filter: more than %d comparisons in \"%s\"",
				FEATURES_MAX, start);
		n = take_column(f, out, s, columns, n_columns);
		if (!n)
			return err_set(ERR_USAGE,
				"filter: a column expected at column %d of \"%s\"",
				(int)(s - start) + 1, start);
		s += n;
		s += take_rest(out, s);
	}
	return 0;
}

static bool is_feature(void *user, const char *name)
{
	const struct run_filter *f = user;
	int64_t i;

	return text_starts(name, "@c") && text_to_i64(name + 2, strlen(name + 2), &i) && i >= 0 &&
		(size_t)i < f->n;
}

/* The sentence of the parser: its columns are those of another text.  The filter comes
 * last, since a long one is cut off there. */
static int explain(const char *text)
{
	struct buf b = BUF_INIT;
	const char *quote = strstr(err_text(), " in \"");
	int rc;

	buf_add(&b, err_text(), quote ? (size_t)(quote - err_text()) : strlen(err_text()));
	if (text_starts(b.s, "column ") && strstr(b.s, ": "))
		rc = err_set(ERR_USAGE, "filter: %s in \"%s\"", strstr(b.s, ": ") + 2, text);
	else
		rc = err_set(ERR_USAGE, "filter: %s in \"%s\"", b.s, text);
	buf_release(&b);
	return rc;
}

int run_filter_parse(struct run_filter **out, const char *text, const struct run_column *columns,
	size_t n_columns)
{
	struct run_filter *f = xcalloc(1, sizeof *f);
	struct buf b = BUF_INIT;
	int rc = translate(f, &b, text, columns, n_columns);

	if (rc == 0 && (rc = expr_parse(&f->expr, b.s, is_feature, f)) < 0)
		rc = explain(text);
	buf_release(&b);
	if (rc < 0) {
		run_filter_free(f);
		return rc;
	}
	*out = f;
	return 0;
}

void run_filter_free(struct run_filter *f)
{
	if (!f)
		return;
	expr_free(f->expr);
	arena_release(&f->arena);
	free(f);
}

bool run_filter_settle(
	struct run_filter *f, const struct run_record *records, size_t n_records)
{
	return run_columns_settle(f->columns, f->n, records, n_records);
}

struct tested { const struct run_filter *filter; const struct run_record *record; };

static struct expr_value value_of(void *user, const char *name)
{
	const struct tested *t = user;
	struct run_cell c;

	run_cell_of(&c, &t->filter->columns[strtoul(name + 2, NULL, 10)], t->record);
	/* A text that reads as a number is compared as either. */
	if (c.type == RUN_CELL_NUMBER && !c.text)
		return (struct expr_value){ .type = EXPR_NUMBER, .number = c.number };
	if (c.text)
		return (struct expr_value){ .type = EXPR_TEXT, .text = c.text };
	return (struct expr_value){ .type = EXPR_UNKNOWN };
}

enum truth run_filter_test(const struct run_filter *f, const struct run_record *r)
{
	struct tested t = { f, r };

	return expr_eval(f->expr, value_of, &t);
}

const struct run_column *run_filter_columns(const struct run_filter *f, size_t *n)
{
	*n = f->n;
	return f->columns;
}

void run_filter_scale(struct run_filter *f, const struct run_scale *scales, size_t n_scales)
{
	run_columns_scale(f->columns, f->n, scales, n_scales);
}
