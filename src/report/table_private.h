/*
 * table_private - what the files of table share.
 */
#ifndef PORTSIDE_REPORT_TABLE_PRIVATE_H
#define PORTSIDE_REPORT_TABLE_PRIVATE_H

#include "report/table.h"

/* Heading for people with its unit: "gap (pp)". */
void report_add_title(struct buf *out, const struct report_column *c);
/* Shown to people: it has a title. */
bool report_is_shown(const struct report_column *c);
bool report_is_right(const struct report_column *c);

#endif
