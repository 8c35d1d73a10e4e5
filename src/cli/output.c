/* output - see output.h. */
#include "config.h"

#include "cli/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"

int output_write(const struct buf *b)
{
	if (fs_write_all(STDOUT_FILENO, b->s, b->n) == 0)
		return 0;
	if (errno == EPIPE) {
		err_clear();
		return 0;
	}
	return err_prefix("standard output: ");
}

void output_note(const char *prefix, const char *sentence)
{
	struct buf b = BUF_INIT;

	for (const char *line = sentence;; line++) {
		size_t n = strcspn(line, "\n");

		text_sanitise(&b, line, n);
		line += n;
		if (!*line)
			break;
		buf_addc(&b, '\n');
	}
	fprintf(stderr, "%s%s\n", prefix, b.s);
	buf_release(&b);
}

static void add_message(struct buf *out, const struct call *c)
{
	struct json_writer w = { .out = out };

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	json_put_str(&w, "kind", "message");
	json_put_str(&w, "message", c->message);
	json_put_bool(&w, "ok", !c->no);
	json_end_object(&w);
	buf_addc(out, '\n');
}

static void add_table(struct buf *out, const struct cli_options *o, const struct report_table *t)
{
	struct report_style style = { .width = o->width, .ascii = o->ascii };

	switch (o->format) {
	case FORMAT_TEXT:
		report_table_text(t, out, &style);
		return;
	case FORMAT_JSON:
		report_table_json(t, out, isatty(STDOUT_FILENO));
		return;
	case FORMAT_CSV:
		report_table_csv(t, out);
		return;
	case FORMAT_MARKDOWN:
		report_table_markdown(t, out);
		return;
	}
}

/* How many bytes of S, from I on, are ASCII and no DEL. */
static size_t plain_run(const struct buf *s, size_t i)
{
	const uint64_t ones = UINT64_C(0x0101010101010101), high = UINT64_C(0x8080808080808080);
	size_t start = i;
	uint64_t eight;

	for (; i + sizeof eight <= s->n; i += sizeof eight) {
		memcpy(&eight, s->s + i, sizeof eight);
		if (((eight + ones) | eight) & high)
			break;
	}
	while (i < s->n && (unsigned char)s->s[i] < 0x7f)
		i++;
	return i - start;
}

/* JSON may write any character as \\u and means the same: what a terminal would
 * obey or turn around is never in it.  Most JSON is ASCII, and stays as it is. */
static void escape_controls(struct buf *json)
{
	struct buf out = BUF_INIT;
	size_t i = plain_run(json, 0);

	if (i == json->n)
		return;
	buf_add(&out, json->s, i);
	while (i < json->n) {
		uint32_t cp;
		size_t n = utf8_decode(json->s + i, json->n - i, &cp);

		if (cp >= 0x7f && cp <= 0xffff && text_is_control(cp))
			buf_addf(&out, "\\u%04x", (unsigned)cp);
		else if (cp > 0xffff && cp <= 0x10ffff && text_is_control(cp))
			buf_addf(&out, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(cp >> 10),
				0xdc00 + (unsigned)(cp & 0x3ff));
		else
			buf_add(&out, json->s + i, n);
		i += n;
		n = plain_run(json, i);
		buf_add(&out, json->s + i, n);
		i += n;
	}
	buf_release(json);
	*json = out;
}

/* Lines and tabs stay. */
static void sanitise_lines(struct buf *text)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < text->n;) {
		size_t n = 0;

		while (i + n < text->n && text->s[i + n] != '\n' && text->s[i + n] != '\t')
			n++;
		text_sanitise(&out, text->s + i, n);
		i += n;
		if (i < text->n)
			buf_addc(&out, text->s[i++]);
	}
	buf_release(text);
	*text = out;
}

/* A file or a pipe gets the bytes of CSV and of texts as they are. */
static void make_harmless(struct buf *out, const struct cli_options *o)
{
	if (o->format == FORMAT_JSON)
		escape_controls(out);
	else if (isatty(STDOUT_FILENO))
		sanitise_lines(out);
}

int output_call(const struct cli_options *o, const struct call *c)
{
	struct buf out = BUF_INIT;
	int rc;

	if (c->table)
		add_table(&out, o, c->table);
	if (c->text.n)
		buf_add(&out, c->text.s, c->text.n);
	if (c->message && o->format == FORMAT_JSON && !c->table && !c->text.n)
		add_message(&out, c);
	else if (c->message)
		output_note("", c->message);
	make_harmless(&out, o);
	rc = output_write(&out);
	buf_release(&out);
	return rc;
}

void output_error(const struct cli_options *o, int rc)
{
	struct buf out = BUF_INIT;
	struct json_writer w = { .out = &out };

	fprintf(stderr, "portside: %s\n", err_text());
	if (o->format != FORMAT_JSON)
		return;
	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	json_put_str(&w, "kind", "error");
	json_put_str(&w, "error", err_name(rc));
	json_put_str(&w, "message", err_text());
	json_end_object(&w);
	buf_addc(&out, '\n');
	if (output_write(&out) < 0)
		fprintf(stderr, "portside: %s\n", err_text());
	buf_release(&out);
}
