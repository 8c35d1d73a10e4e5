/*
 * width - columns that text takes on a terminal, without asking the locale.
 *
 * Wide East Asian characters and emoji take two, combining marks and joiners
 * none.  Controls count as none: sanitise first.
 */
#ifndef PORTSIDE_REPORT_WIDTH_H
#define PORTSIDE_REPORT_WIDTH_H

#include <stddef.h>
#include <stdint.h>

int width_of(uint32_t cp);
size_t width_of_text(const char *s, size_t n);

/* Bytes of the longest start of S that takes at most COLUMNS; *TAKEN columns. */
size_t width_fit(const char *s, size_t n, size_t columns, size_t *taken);

#endif
