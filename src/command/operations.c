/*
 * operations - the list of all operations, and turning words into calls.
 *
 * A new noun is a new file with one array, and one line in `groups` here.
 */
#include "config.h"

#include "command/operation.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/groups.h"
#include "domain/authority.h"
#include "workspace/workspace.h"

static const struct operation *const groups[] = {
	OPERATION_GROUPS
};

const struct operation *operation_at(size_t i)
{
	for (size_t g = 0; g < ARRAY_LEN(groups); g++)
		for (const struct operation *o = groups[g]; o->name; o++)
			if (i-- == 0)
				return o;
	return NULL;
}

const struct operation *operation_find(const char *name)
{
	const struct operation *o;

	for (size_t i = 0; (o = operation_at(i)) != NULL; i++)
		if (strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

const struct operation *operation_by_screen(int screen)
{
	const struct operation *o;

	for (size_t i = 0; screen && (o = operation_at(i)) != NULL; i++)
		if (o->screen == screen)
			return o;
	return NULL;
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p && *p; ) {
		size_t k = strcspn(p, " ");

		if (k == n && memcmp(p, word, n) == 0)
			return true;
		p += k;
		p += strspn(p, " ");
	}
	return false;
}

/* ---- values --------------------------------------------------------------- */

static const struct value *value_at(const struct call *c, const char *name, size_t i)
{
	for (size_t k = 0; k < c->n_values; k++)
		if (strcmp(c->values[k].argument->name, name) == 0 && i-- == 0)
			return &c->values[k];
	return NULL;
}

const char *call_text_at(const struct call *c, const char *name, size_t i)
{
	const struct value *v = value_at(c, name, i);

	return v ? v->text : NULL;
}

const char *call_text(const struct call *c, const char *name)
{
	return call_text_at(c, name, 0);
}

bool call_flag(const struct call *c, const char *name)
{
	return value_at(c, name, 0) != NULL;
}

int64_t call_integer(const struct call *c, const char *name, int64_t otherwise)
{
	const char *s = call_text(c, name);
	int64_t v;

	return s && text_to_i64(s, strlen(s), &v) ? v : otherwise;
}

double call_number(const struct call *c, const char *name, double otherwise)
{
	const char *s = call_text(c, name);
	double v;

	return s && text_to_double(s, strlen(s), &v) ? v : otherwise;
}

const char *const *call_rest(const struct call *c, const char *name)
{
	const struct value *v = value_at(c, name, 0);

	return v ? v->rest : NULL;
}

bool call_cancelled(const struct call *c)
{
	return c->progress.cancel && atomic_load(c->progress.cancel);
}

void call_report(const struct call *c, const char *what, int64_t done, int64_t total)
{
	if (c->progress.report)
		c->progress.report(c->progress.user, what, done, total);
}

/* ---- words to values ------------------------------------------------------ */

struct parse {
	const struct operation *o;
	struct arena *a;
	struct value *values;
	size_t n, cap;
	size_t positionals;	/* that were given */
};

static int ATTR_PRINTF(2, 3) usage(const struct operation *o, const char *fmt, ...)
{
	struct buf b = BUF_INIT;
	va_list ap;
	int rc;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	buf_adds(&b, "\nusage: portside ");
	operation_add_usage(&b, o);
	rc = err_set(ERR_USAGE, "%s", b.s);
	buf_release(&b);
	return rc;
}

static int check_value(const struct operation *o, const struct argument *arg, const char *text)
{
	int64_t whole;
	double real;

	if (arg->type == ARGUMENT_INTEGER && !text_to_i64(text, strlen(text), &whole))
		return err_set(ERR_USAGE, "%s: %s: \"%s\" is not a whole number", o->name,
			arg->name, text);
	if (arg->type == ARGUMENT_NUMBER && !text_to_double(text, strlen(text), &real))
		return err_set(
			ERR_USAGE, "%s: %s: \"%s\" is not a number", o->name, arg->name, text);
	if (arg->type == ARGUMENT_WORD && !has_word(arg->choices, text))
		return err_set(ERR_USAGE, "%s: %s: \"%s\" is none of: %s", o->name, arg->name, text,
			arg->choices);
	return 0;
}

static void keep(struct parse *p, const struct argument *arg, const char *text)
{
	ARRAY_GROW(p->values, p->n, p->cap);
	p->values[p->n++] = (struct value){ .argument = arg, .text = arena_strdup(p->a, text) };
}

static const struct argument *option_named(const struct operation *o, const char *s, size_t n)
{
	for (const struct argument *arg = o->arguments; arg && arg->name; arg++)
		if (strlen(arg->name) == n && memcmp(arg->name, s, n) == 0)
			return arg;
	return NULL;
}

/* Takes --name VALUE, --name=VALUE or --flag; returns the words taken. */
static int take_option(struct parse *p, const char *const *words, size_t left)
{
	size_t n = strcspn(words[0], "=");
	const struct argument *arg = option_named(p->o, words[0], n);
	const char *text;
	int rc;

	if (!arg)
		return usage(p->o, "%s is no option of this command", words[0]);
	if (arg->type == ARGUMENT_FLAG) {
		if (words[0][n])
			return usage(p->o, "%s takes no value", arg->name);
		keep(p, arg, "");
		return 1;
	}
	if (!words[0][n] && left < 2)
		return usage(p->o, "%s needs a value", arg->name);
	text = words[0][n] ? words[0] + n + 1 : words[1];
	if ((rc = check_value(p->o, arg, text)) < 0)
		return rc;
	keep(p, arg, text);
	return words[0][n] ? 1 : 2;
}

static const struct argument *next_positional(const struct parse *p)
{
	size_t i = 0;

	for (const struct argument *arg = p->o->arguments; arg && arg->name; arg++) {
		if (*arg->name == '-' || arg->type == ARGUMENT_REST)
			continue;
		if (i++ == p->positionals || arg->repeats)
			return arg;
	}
	return NULL;
}

static int take_rest(struct parse *p, const char *const *words, size_t n)
{
	for (const struct argument *arg = p->o->arguments; arg && arg->name; arg++) {
		const char **rest;

		if (arg->type != ARGUMENT_REST)
			continue;
		rest = arena_alloc(p->a, (n + 1) * sizeof *rest);
		for (size_t i = 0; i < n; i++)
			rest[i] = arena_strdup(p->a, words[i]);
		keep(p, arg, "");
		p->values[p->n - 1].rest = rest;
		return 0;
	}
	return 1;	/* no such argument: -- only ends the options */
}

static int check_required(const struct parse *p)
{
	for (const struct argument *arg = p->o->arguments; arg && arg->name; arg++) {
		bool given = false;

		for (size_t i = 0; i < p->n; i++)
			given = given || p->values[i].argument == arg;
		if (arg->required && !given)
			return usage(p->o, "%s is missing", arg->name);
	}
	return 0;
}

static int take_words(struct parse *p, const char *const *words, size_t n)
{
	bool options = true;

	for (size_t i = 0; i < n; ) {
		const struct argument *arg;
		int rc;

		if (options && strcmp(words[i], "--") == 0) {
			if (take_rest(p, words + i + 1, n - i - 1) == 0)
				return 0;
			options = false;
			i++;
			continue;
		}
		if (options && words[i][0] == '-' && words[i][1] == '-') {
			if ((rc = take_option(p, words + i, n - i)) < 0)
				return rc;
			i += (size_t)rc;
			continue;
		}
		arg = next_positional(p);
		if (!arg)
			return usage(p->o, "\"%s\" is one word too many", words[i]);
		if ((rc = check_value(p->o, arg, words[i])) < 0)
			return rc;
		keep(p, arg, words[i]);
		p->positionals++;
		i++;
	}
	return 0;
}

int operation_parse(const struct value **out, size_t *n, struct arena *a, const struct operation *o,
		    const char *const *words, size_t n_words)
{
	struct parse p = { .o = o, .a = a };
	int rc = take_words(&p, words, n_words);

	if (rc == 0)
		rc = check_required(&p);
	*out = arena_memdup(a, p.values, p.n * sizeof *p.values);
	*n = p.n;
	free(p.values);
	return rc;
}

/* ---- calling -------------------------------------------------------------- */

int operation_call(const struct operation *o, struct call *c)
{
	int rc;

	if (!o->run)
		return err_set(ERR_USAGE, "\"%s\" works on the screen only", o->name);
	if (!c->workspace && !(o->flags & OPERATION_NO_WORKSPACE))
		return err_set(ERR_STATE, "%s needs an opened migration; use -C DIR", o->name);
	if (o->flags & OPERATION_WRITES && c->workspace && workspace_read_only(c->workspace) &&
	    !(o->flags & OPERATION_SPOOLS && workspace_spools(c->workspace)))
		return err_set(
			ERR_REFUSED, "%s writes, and the migration was opened read-only", o->name);
	if (o->flags & OPERATION_WRITES && c->at)
		return err_set(ERR_STATE,
			"%s writes, and you are looking at the past; go back to now first",
			o->name);
	if (o->flags & OPERATION_PERSON && c->workspace &&
	    (rc = authority_check(workspace_actor(c->workspace), AUTHORITY_PERSON)) < 0)
		return err_prefix("%s: ", o->name);
	return o->run(c);
}

static void add_argument(struct buf *out, const struct argument *arg)
{
	const char *open = arg->required ? "" : "[", *close = arg->required ? "" : "]";
	bool option = *arg->name == '-';

	buf_addf(out, " %s%s", open, arg->type == ARGUMENT_REST ? "-- " : "");
	if (option && arg->type != ARGUMENT_FLAG)
		buf_addf(out, "%s ", arg->name);
	if (arg->type == ARGUMENT_FLAG) {
		buf_adds(out, arg->name);
	} else if (arg->type == ARGUMENT_WORD) {
		for (const char *s = arg->choices; *s; s++)
			buf_addc(out, *s == ' ' ? '|' : *s);
	} else {
		for (const char *s = arg->name + strspn(arg->name, "-"); *s; s++)
			buf_addc(out, *s >= 'a' && *s <= 'z' ? (char)(*s - 32) : *s);
	}
	buf_addf(out, "%s%s", arg->repeats ? "..." : "", close);
}

void operation_add_usage(struct buf *out, const struct operation *o)
{
	buf_adds(out, o->name);
	for (const struct argument *arg = o->arguments; arg && arg->name; arg++)
		add_argument(out, arg);
}
