/* page - see page.h. */
#include "config.h"

#include "report/page.h"

#include <string.h>

#include "base/text.h"

void page_add_escaped(struct buf *out, const char *s)
{
	static const char special[] = "\\`*_{}[]|~#!";
	struct buf clean = BUF_INIT;

	text_sanitise(&clean, s, strlen(s));
	for (size_t i = 0; i < clean.n; i++) {
		char c = clean.s[i];

		if (c == '<')
			buf_adds(out, "&lt;");
		else if (c == '>')
			buf_adds(out, "&gt;");
		else if (c == '&')
			buf_adds(out, "&amp;");
		else if (c && strchr(special, c))
			buf_addf(out, "\\%c", c);
		else
			buf_addc(out, c);
	}
	buf_release(&clean);
}

static void ATTR_PRINTF(2, 0) add(struct buf *out, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	buf_vaddf(&text, fmt, ap);
	page_add_escaped(out, text.s);
	buf_release(&text);
}

/* Blocks stand apart; items of one list do not. */
static void begin_block(struct buf *out)
{
	if (out->n && out->s[out->n - 1] != '\n')
		buf_addc(out, '\n');
	if (out->n > 1 && out->s[out->n - 2] != '\n')
		buf_addc(out, '\n');
}

void page_heading(struct buf *out, int level, const char *fmt, ...)
{
	va_list ap;

	begin_block(out);
	buf_pad(out, '#', (size_t)level);
	buf_addc(out, ' ');
	va_start(ap, fmt);
	add(out, fmt, ap);
	va_end(ap);
	buf_adds(out, "\n\n");
}

void page_sentence(struct buf *out, const char *fmt, ...)
{
	va_list ap;

	begin_block(out);
	va_start(ap, fmt);
	add(out, fmt, ap);
	va_end(ap);
	buf_adds(out, "\n\n");
}

void page_item(struct buf *out, const char *label, const char *fmt, ...)
{
	va_list ap;

	buf_adds(out, "- ");
	if (label) {
		buf_adds(out, "**");
		page_add_escaped(out, label);
		buf_adds(out, ":** ");
	}
	va_start(ap, fmt);
	add(out, fmt, ap);
	va_end(ap);
	buf_addc(out, '\n');
}

void page_verbatim(struct buf *out, const char *fmt, ...)
{
	va_list ap;

	begin_block(out);
	buf_adds(out, "    ");
	va_start(ap, fmt);
	buf_vaddf(out, fmt, ap);
	va_end(ap);
	buf_adds(out, "\n\n");
}

void page_table(struct buf *out, const struct report_table *t)
{
	begin_block(out);
	if (t->n_rows) {
		report_table_markdown(t, out);
		return;
	}
	for (const struct report_note *n = t->notes; n; n = n->next)
		page_sentence(out, "%s", n->text);
}
