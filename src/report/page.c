/* page - see page.h. */
#include "config.h"

#include "report/page.h"

#include <string.h>

#include "report/markdown.h"

static void ATTR_PRINTF(2, 0) add(struct buf *out, const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	buf_vaddf(&text, fmt, ap);
	markdown_add_text(out, text.s, text.n);
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
		markdown_add_text(out, label, strlen(label));
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
