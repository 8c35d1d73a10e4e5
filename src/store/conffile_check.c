/*
 * conffile_check - the grammar of git-config text, for messages that name the
 * line and show it corrected.
 */
#include "config.h"
#include "store/conffile_check.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"

/* Their values go to a program or an expression: a part that git drops would
 * change what runs. */
static const char *const exact_keys[] = { "command", "setup", "when" };

struct check {
	const char *path, *s;
	size_t n, at;
	int line;
	bool in_section;
	/* of a named section that has no entry yet; 0: none is open */
	int empty_line;
	size_t empty_start, empty_n;	/* "[goal \"loss\"]" as written */
	struct conffile_lines *out;
	char key[64];			/* as written, cut for messages */
};

static bool at_end(const struct check *c)
{
	return c->at >= c->n;
}

static char peek(const struct check *c)
{
	return at_end(c) ? '\n' : c->s[c->at];
}

static bool is_line_end(const struct check *c)
{
	return at_end(c) || c->s[c->at] == '\n' ||
		(c->s[c->at] == '\r' && (c->at + 1 == c->n || c->s[c->at + 1] == '\n'));
}

static void skip_blanks(struct check *c)
{
	while (!is_line_end(c) && (peek(c) == ' ' || peek(c) == '\t' || peek(c) == '\r'))
		c->at++;
}

static void skip_line(struct check *c)
{
	while (!at_end(c) && c->s[c->at] != '\n')
		c->at++;
	if (!at_end(c)) {
		c->at++;
		c->line++;
	}
}

static bool is_letter(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

static bool is_name_byte(char ch)
{
	return is_letter(ch) || (ch >= '0' && ch <= '9') || ch == '-';
}

/* ---- sections ---- */

static int check_section_name(struct check *c, const char *name, size_t n)
{
	static const char word[] = "include";

	if (n >= strlen(word) && strncasecmp(name, word, strlen(word)) == 0)
		return err_set(ERR_PARSE,
			"%s:%d: [%.*s] is refused: nothing is read from another file; "
			"write the settings here",
			c->path, c->line, (int)n, name);
	return 0;
}

static int take_subsection(struct check *c)
{
	c->at++;
	while (!is_line_end(c) && peek(c) != '"') {
		if (peek(c) == '\\')
			c->at++;
		if (!is_line_end(c))
			c->at++;
	}
	if (is_line_end(c))
		return err_set(ERR_PARSE,
			"%s:%d: the quote of the section's name is not closed; write: [section \"name\"]",
			c->path, c->line);
	c->at++;
	return 0;
}

/* git knows keys alone: what a section without one was to say would go unnoticed. */
static int refuse_empty(const struct check *c)
{
	return err_set(ERR_PARSE,
		"%s:%d: %.*s has no key, so it says nothing; write its keys below it, or take it out",
		c->path, c->empty_line, (int)c->empty_n, c->s + c->empty_start);
}

static int take_section(struct check *c)
{
	size_t begin = c->at, start = ++c->at;
	bool is_named;
	int rc;

	if (c->empty_line)
		return refuse_empty(c);
	while (!is_line_end(c) && (is_name_byte(peek(c)) || peek(c) == '.'))
		c->at++;
	if (c->at == start)
		return err_set(ERR_PARSE,
			"%s:%d: a section has no name; write: [section] or [section \"name\"]",
			c->path, c->line);
	if ((rc = check_section_name(c, c->s + start, c->at - start)) < 0)
		return rc;
	is_named = memchr(c->s + start, '.', c->at - start);
	skip_blanks(c);
	is_named |= peek(c) == '"';
	if (peek(c) == '"' && (rc = take_subsection(c)) < 0)
		return rc;
	if (is_line_end(c) || peek(c) != ']')
		return err_set(ERR_PARSE,
			"%s:%d: a section ends in ]; write: [section] or [section \"name\"]",
			c->path, c->line);
	c->at++;
	c->in_section = true;
	if (is_named) {
		c->empty_line = c->line;
		c->empty_start = begin;
		c->empty_n = c->at - begin;
	}
	return 0;
}

/* ---- values ---- */

struct value {
	size_t start, end;		/* as written, blanks at both ends left out */
	int line;
	int quotes;			/* bare ones: those that git drops */
	bool first_is_quote, last_is_quote, open;
	bool comment;			/* a bare ; or # ended it */
	char bad_escape;		/* 0: none */
};

static bool is_escape(char ch)
{
	return ch != '\0' && strchr("\\\"ntb", ch) != NULL;
}

/* Over one backslash; a line that ends in it goes on in the next. */
static void take_escape(struct check *c, struct value *v)
{
	c->at++;
	if (is_line_end(c)) {
		if (peek(c) == '\r')
			c->at++;
		if (!at_end(c)) {
			c->at++;
			c->line++;
		}
		return;
	}
	if (!is_escape(peek(c)) && v->bad_escape == 0)
		v->bad_escape = peek(c);
	c->at++;
}

static struct value take_value(struct check *c)
{
	struct value v = {
		.start = c->at, .end = c->at, .line = c->line, .first_is_quote = peek(c) == '"'
	};

	while (!is_line_end(c)) {
		char ch = peek(c);

		if (!v.open && (ch == ';' || ch == '#')) {
			v.comment = true;
			break;
		}
		if (ch == '\\') {
			take_escape(c, &v);
			v.end = c->at;
			v.last_is_quote = false;
			continue;
		}
		c->at++;
		if (ch == '"') {
			v.open = !v.open;
			v.quotes++;
		}
		if (ch != ' ' && ch != '\t' && ch != '\r') {
			v.end = c->at;
			v.last_is_quote = ch == '"';
		}
	}
	return v;
}

/* To the end of the line, for a value that a comment sign cut. */
static size_t written_end(const struct check *c, const struct value *v)
{
	size_t end = c->at;

	if (v->comment)
		while (end < c->n && c->s[end] != '\n')
			end++;
	while (end > v->start && strchr(" \t\r\n", c->s[end - 1]) != NULL)
		end--;
	return end;
}

/* The line as it should be: all of the value in quotes, quotes and strange
 * backslashes inside escaped, continued lines joined. */
static void add_corrected(struct buf *out, const struct check *c, const struct value *v)
{
	size_t at = v->start, end = written_end(c, v);

	if (v->first_is_quote && v->open && v->quotes == 1)
		at++;
	buf_addf(out, "%s = \"", c->key);
	for (; at < end; at++) {
		char next = at + 1 < end ? c->s[at + 1] : '\0';

		if (c->s[at] == '\n' || c->s[at] == '\r')
			continue;
		if (c->s[at] == '\\' && (next == '\n' || next == '\r'))
			continue;
		if (c->s[at] == '\\' && is_escape(next)) {
			buf_add(out, c->s + at++, 2);
			continue;
		}
		if (c->s[at] == '"' || c->s[at] == '\\')
			buf_addc(out, '\\');
		buf_addc(out, c->s[at]);
	}
	buf_addc(out, '"');
}

/* A bad backslash alone: the value keeps its quotes. */
static void add_escaped(struct buf *out, const struct check *c, const struct value *v)
{
	size_t end = written_end(c, v);

	buf_addf(out, "%s = ", c->key);
	for (size_t at = v->start; at < end; at++) {
		char next = at + 1 < end ? c->s[at + 1] : '\0';

		if (c->s[at] == '\\' && is_escape(next)) {
			buf_add(out, c->s + at++, 2);
			continue;
		}
		if (c->s[at] == '\\')
			buf_addc(out, '\\');
		buf_addc(out, c->s[at]);
	}
}

static bool is_exact_key(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(exact_keys); i++)
		if (strcasecmp(key, exact_keys[i]) == 0)
			return true;
	return false;
}

static int refuse_value(const struct check *c, const struct value *v, const char *why)
{
	struct buf line = BUF_INIT;
	int rc;

	add_corrected(&line, c, v);
	rc = err_set(ERR_PARSE, "%s:%d: %s: %s; write: %s", c->path, v->line, c->key, why, line.s);
	buf_release(&line);
	return rc;
}

static int refuse_escape(const struct check *c, const struct value *v)
{
	struct buf line = BUF_INIT;
	int rc;

	add_escaped(&line, c, v);
	rc = err_set(ERR_PARSE,
		"%s:%d: %s: \\%c is no escape (only \\\\ \\\" \\n \\t \\b are); write: %s", c->path,
		v->line, c->key, v->bad_escape, line.s);
	buf_release(&line);
	return rc;
}

static int check_value(const struct check *c, const struct value *v)
{
	bool whole = v->quotes == 2 && v->first_is_quote && v->last_is_quote;

	if (v->open)
		return refuse_value(c, v, "a quote is not closed");
	if (is_exact_key(c->key) && v->comment && !whole)
		return refuse_value(c, v, "git reads a bare ; or # as the start of a comment");
	if (is_exact_key(c->key) && v->quotes > 0 && !whole)
		return refuse_value(c, v, "git drops these quotes");
	if (v->bad_escape != 0)
		return refuse_escape(c, v);
	return 0;
}

static int take_entry(struct check *c)
{
	size_t start = c->at, n;
	struct value v;
	int line = c->line;

	while (!is_line_end(c) && is_name_byte(peek(c)))
		c->at++;
	n = c->at - start;
	if (n >= sizeof c->key)
		n = sizeof c->key - 1;
	memcpy(c->key, c->s + start, n);
	c->key[n] = '\0';
	if (!c->in_section)
		return err_set(ERR_PARSE,
			"%s:%d: %s stands before any section; write [migration] above it", c->path,
			c->line, c->key);
	c->empty_line = 0;
	skip_blanks(c);
	ARRAY_GROW(c->out->rows, c->out->n, c->out->cap);
	c->out->rows[c->out->n++] = line;
	if (is_line_end(c) || peek(c) == ';' || peek(c) == '#')
		return 0;
	if (peek(c) != '=')
		return err_set(ERR_PARSE,
			"%s:%d: after %s comes =, not \"%c\"; keys hold letters, digits and -; write: %s = value",
			c->path, c->line, c->key, peek(c), c->key);
	c->at++;
	skip_blanks(c);
	v = take_value(c);
	return check_value(c, &v);
}

static int check_line(struct check *c)
{
	int rc = 0;

	skip_blanks(c);
	if (peek(c) == '[' && !is_line_end(c)) {
		rc = take_section(c);
		skip_blanks(c);
	}
	if (rc == 0 && !is_line_end(c) && is_letter(peek(c)))
		rc = take_entry(c);
	if (rc < 0)
		return rc;
	skip_blanks(c);
	if (!is_line_end(c) && peek(c) != ';' && peek(c) != '#')
		return err_set(ERR_PARSE,
			"%s:%d: \"%c\" is no section, key or comment; write: key = value", c->path,
			c->line, peek(c));
	skip_line(c);
	return 0;
}

static int check_bytes(const struct check *c)
{
	int line = 1;

	for (size_t i = 0; i < c->n;) {
		uint32_t cp;
		size_t used = utf8_decode(c->s + i, c->n - i, &cp);

		if (cp == UINT32_MAX || cp == 0)
			return err_set(ERR_PARSE,
				"%s:%d: a byte is no UTF-8 text; save the file as UTF-8", c->path,
				line);
		line += cp == '\n';
		i += used;
	}
	return 0;
}

int conffile_check(struct conffile_lines *out, const char *path, const char *s, size_t n)
{
	struct check c = { .path = path, .s = s, .n = n, .line = 1, .out = out };
	int rc = check_bytes(&c);

	if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
		c.at = 3;
	while (rc == 0 && !at_end(&c))
		rc = check_line(&c);
	return rc == 0 && c.empty_line ? refuse_empty(&c) : rc;
}
