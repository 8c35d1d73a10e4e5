/* static_order - see static_order.h. */
#include "config.h"

#include "evidence/static_order.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

enum {
	SCOPES_MAX = 32,		/* functions in functions; deeper ones count to the last */
	OPTIMIZERS_MAX = 8,		/* in sight at once */
	NAME_MAX_BYTES = 64,
	STATEMENT_MAX_BYTES = 8192,	/* the rest of a longer one is not looked at */
};

struct optimizer {
	char model[NAME_MAX_BYTES];
	int32_t line, indent;
};

/* What was seen in one function so far. */
struct scope {
	int32_t indent;			/* of its def; -1: the file */
	int32_t clip_line, clip_indent;	/* since the last backward pass; 0: none */
	bool reduced;
	struct optimizer optimizers[OPTIMIZERS_MAX];
	size_t n;
};

struct order {
	struct static_order_hit *hits;
	size_t n;
	struct scope scopes[SCOPES_MAX];
	size_t depth;
};

/* ---- statements without comments and strings ---- */

struct reader {
	const char *s, *end;
	int32_t line;			/* of S */
	struct buf statement;		/* what is not code is a blank */
	int32_t first_line, indent;
};

static void put(struct reader *r, char c)
{
	if (r->statement.n < STATEMENT_MAX_BYTES)
		buf_addc(&r->statement, c);
}

static void skip_string(struct reader *r)
{
	char quote = *r->s;
	bool triple = r->end - r->s >= 3 && r->s[1] == quote && r->s[2] == quote;

	r->s += triple ? 3 : 1;
	while (r->s < r->end) {
		if (*r->s == '\n') {
			if (!triple)
				return;	/* it is not closed: the line ends it */
			r->line++;
		}
		if (*r->s == '\\' && r->end - r->s > 1) {
			r->line += r->s[1] == '\n';
			r->s += 2;
			continue;
		}
		if (*r->s == quote &&
			(!triple || (r->end - r->s >= 3 && r->s[1] == quote && r->s[2] == quote))) {
			r->s += triple ? 3 : 1;
			put(r, '"');
			return;
		}
		r->s++;
	}
}

static void skip_comment(struct reader *r)
{
	while (r->s < r->end && *r->s != '\n')
		r->s++;
}

static void read_indent(struct reader *r)
{
	r->indent = 0;
	r->first_line = r->line;
	for (; r->s < r->end && (*r->s == ' ' || *r->s == '\t'); r->s++)
		r->indent += *r->s == '\t' ? 8 - r->indent % 8 : 1;
}

/* The next statement, over lines where brackets are open; false at the end. */
static bool next_statement(struct reader *r)
{
	int brackets = 0;

	buf_clear(&r->statement);
	if (r->s >= r->end)
		return false;
	read_indent(r);
	while (r->s < r->end) {
		char c = *r->s;

		if (c == '"' || c == '\'') {
			skip_string(r);
			continue;
		}
		if (c == '#') {
			skip_comment(r);
			continue;
		}
		r->s++;
		if (c == '\n') {
			r->line++;
			if (brackets <= 0)
				return true;
			c = ' ';
		} else if (c == '\\' && r->s < r->end && *r->s == '\n') {
			r->line++;
			r->s++;
			c = ' ';
		}
		brackets += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
		put(r, c);
	}
	return true;
}

/* ---- words ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Where NAME, with "(" behind it, stands as a whole name; NULL. */
static const char *find_call(const char *s, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = strstr(s, name); at; at = strstr(at + 1, name))
		if ((at == s || !is_name(at[-1])) && at[n + strspn(at + n, " ")] == '(')
			return at;
	return NULL;
}

static bool starts_word(const char *s, const char *word)
{
	size_t n = strlen(word);

	return strncmp(s, word, n) == 0 && !is_name(s[n]);
}

static void add_hit(struct order *o, enum static_order_kind kind, int32_t line, int32_t other)
{
	if (o->n < STATIC_ORDER_MAX)
		o->hits[o->n++] = (struct static_order_hit){ kind, line, other };
}

/* ---- clip and reduce ---- */

static const char *find_reduction(const char *s)
{
	const char *at = find_call(s, "reduce_gradients");

	if (!at)
		at = find_call(s, "xm.optimizer_step");
	if (!at)
		at = find_call(s, "xla_model.optimizer_step");
	/* What is reduced may be a loss or a count: only gradients matter. */
	if (!at && (at = find_call(s, "all_reduce")) != NULL && !strstr(at, "grad"))
		at = NULL;
	return at;
}

static const char *find_clip(const char *s)
{
	const char *at = find_call(s, "clip_grad_norm_");

	return at ? at : find_call(s, "clip_grad_value_");
}

static void look_at_gradients(struct order *o, struct scope *f, const struct reader *r)
{
	const char *s = r->statement.s;
	const char *clip = find_clip(s), *reduction = find_reduction(s);

	if (find_call(s, "backward")) {
		f->clip_line = 0;
		f->reduced = false;
	}
	if (reduction && f->clip_line && !f->reduced) {
		add_hit(o, STATIC_CLIP_FIRST, f->clip_line, r->first_line);
		f->clip_line = 0;
	}
	if (reduction)
		f->reduced = true;
	if (clip && !f->reduced) {
		f->clip_line = r->first_line;
		f->clip_indent = r->indent;
	}
}

/* ---- optimizer and transfer ---- */

/* The name before ".parameters(", as "self.model"; false: none that fits. */
static bool model_of(char out[NAME_MAX_BYTES], const char *s)
{
	const char *end = strstr(s, ".parameters("), *from = end;

	while (from && from > s && (is_name(from[-1]) || from[-1] == '.'))
		from--;
	if (!from || from == end || end - from >= NAME_MAX_BYTES)
		return false;
	memcpy(out, from, (size_t)(end - from));
	out[end - from] = '\0';
	return true;
}

static bool builds_optimizer(const char *s)
{
	static const char *const names[] = { "Adam", "AdamW", "SGD", "Adafactor", "RMSprop",
		"Adagrad", "LAMB", "Lamb", "Lion", "Adamax", "NAdam", "RAdam", "AdamW8bit" };

	if (strstr(s, "optim.") || strstr(s, "ptimizer"))
		return strchr(s, '=') != NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (find_call(s, names[i]))
			return strchr(s, '=') != NULL;
	return false;
}

/* Another type of number is no other place. */
static bool is_type(const char *argument)
{
	argument += strspn(argument, " ");
	return strncmp(argument, "torch.float", 11) == 0 ||
		strncmp(argument, "torch.bfloat", 12) == 0 ||
		strncmp(argument, "torch.half", 10) == 0 ||
		strncmp(argument, "torch.double", 12) == 0 || strncmp(argument, "dtype", 5) == 0 ||
		strncmp(argument, "memory_format", 13) == 0;
}

static bool moves(const char *s, const char *model)
{
	size_t n = strlen(model);

	for (const char *at = strstr(s, model); at; at = strstr(at + 1, model)) {
		if (at > s && (is_name(at[-1]) || at[-1] == '.'))
			continue;
		if (strncmp(at + n, ".cuda(", 6) == 0 ||
			(strncmp(at + n, ".to(", 4) == 0 && !is_type(at + n + 4)))
			return true;
	}
	return false;
}

static void look_at_optimizers(struct order *o, struct scope *f, const struct reader *r)
{
	const char *s = r->statement.s;
	struct optimizer *new = &f->optimizers[f->n];

	for (size_t i = 0; i < f->n; i++)
		if (moves(s, f->optimizers[i].model)) {
			add_hit(o, STATIC_OPTIMIZER_FIRST, f->optimizers[i].line, r->first_line);
			f->optimizers[i--] = f->optimizers[--f->n];
		}
	if (f->n == OPTIMIZERS_MAX || !builds_optimizer(s) || find_clip(s))
		return;
	new = &f->optimizers[f->n];
	/* "AdamW(model.to(device).parameters())" moves it first. */
	if (model_of(new->model, s)) {
		new->line = r->first_line;
		new->indent = r->indent;
		f->n++;
	}
}

/* ---- functions ---- */

/* Of two branches one is run: what the other one did is forgotten. */
static void leave_branch(struct scope *f, const struct reader *r)
{
	if (f->clip_indent > r->indent)
		f->clip_line = 0;
	for (size_t i = 0; i < f->n; i++)
		if (f->optimizers[i].indent > r->indent)
			f->optimizers[i--] = f->optimizers[--f->n];
}

static void look_at_statement(struct order *o, const struct reader *r)
{
	const char *s = r->statement.s + strspn(r->statement.s, " \t");
	struct scope *f;

	if (!*s)
		return;
	while (o->depth > 1 && r->indent <= o->scopes[o->depth - 1].indent)
		o->depth--;
	if ((starts_word(s, "def") || starts_word(s, "async") || starts_word(s, "class")) &&
		o->depth < SCOPES_MAX) {
		o->scopes[o->depth++] = (struct scope){ .indent = r->indent };
		return;
	}
	f = &o->scopes[o->depth - 1];
	if (starts_word(s, "else") || starts_word(s, "elif") || starts_word(s, "except"))
		leave_branch(f, r);
	look_at_gradients(o, f, r);
	look_at_optimizers(o, f, r);
}

size_t static_order_find(struct static_order_hit *hits, const char *text, size_t n)
{
	struct order *o = xcalloc(1, sizeof *o);
	struct reader r = { .s = text, .end = text + n, .line = 1, .statement = BUF_INIT };
	size_t found;

	o->hits = hits;
	o->depth = 1;
	o->scopes[0].indent = -1;
	while (next_statement(&r))
		look_at_statement(o, &r);
	found = o->n;
	buf_release(&r.statement);
	free(o);
	return found;
}
