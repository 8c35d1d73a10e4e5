/*
 * markdown - hostile text as text in a Markdown document.
 *
 * Nothing in it becomes a heading, a link, an image, a tag, emphasis or the end of
 * a table cell, and no control character stays, so that it is one line of plain
 * words wherever it stands: in a table, in a sentence, in an item of a list.
 *
 *	buf_adds(&out, "| ");
 *	markdown_add_text(&out, name, strlen(name));
 */
#ifndef PORTSIDE_REPORT_MARKDOWN_H
#define PORTSIDE_REPORT_MARKDOWN_H

#include <stddef.h>

#include "base/buf.h"

/* Appends the N bytes S, sanitised and escaped.  "#" alone stays as it is. */
void markdown_add_text(struct buf *out, const char *s, size_t n);

#endif
