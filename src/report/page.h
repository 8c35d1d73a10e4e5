/*
 * page - a document of headings, sentences and tables as Markdown.
 *
 * Reads well as plain text and on a web page that renders Markdown.  Every text
 * that is handed in is hostile: it is sanitised and escaped, so that no name or
 * note becomes a link, a tag or a heading.
 *
 *	page_heading(&out, 2, "Attempts");
 *	page_sentence(&out, "%zu attempts on %s.", n, name);
 *	page_table(&out, table);
 */
#ifndef PORTSIDE_REPORT_PAGE_H
#define PORTSIDE_REPORT_PAGE_H

#include "base/buf.h"
#include "report/table.h"

/* The result of the format is escaped as a whole; each is a block of its own. */
void page_heading(struct buf *out, int level, const char *fmt, ...) ATTR_PRINTF(3, 4);
void page_sentence(struct buf *out, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* One item of a list; LABEL is printed in bold, NULL: none. */
void page_item(struct buf *out, const char *label, const char *fmt, ...) ATTR_PRINTF(3, 4);
/* A line to be copied by a machine: verbatim, on its own. */
void page_verbatim(struct buf *out, const char *fmt, ...) ATTR_PRINTF(2, 3);
/* Rows and notes; a table without rows prints only its notes. */
void page_table(struct buf *out, const struct report_table *t);

#endif
