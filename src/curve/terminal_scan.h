/*
 * terminal_scan - small steps over the text of a frame.
 *
 * A scan never leaves [p, end); each function returns whether it moved on.
 */
#ifndef PORTSIDE_CURVE_TERMINAL_SCAN_H
#define PORTSIDE_CURVE_TERMINAL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "curve/reader_number.h"

struct text_scan {
	const char *p, *end;
};

void scan_blanks(struct text_scan *s);
bool scan_char(struct text_scan *s, char c);
bool scan_text(struct text_scan *s, const char *text);		/* exactly */
bool scan_to_text(struct text_scan *s, const char *text);	/* to behind its first place */
bool scan_integer(struct text_scan *s, int64_t *out);		/* digits only */

/*
 * A number with a suffix or commas that is followed by the end, a blank or one
 * of , ; | ) ] }.
 */
bool scan_number_token(struct text_scan *s, double *out);

/* As above, but a unit of letters or % may follow ("52.5ms", "12.25%"). */
bool scan_number_with_unit(struct text_scan *s, double *out);

/* The piece up to SEPARATOR (text) or the end, trimmed; false when used up. */
bool scan_piece(struct text_scan *s, const char *separator, struct text_scan *piece);

void trim_scan(struct text_scan *s);
static inline size_t scan_left(const struct text_scan *s)
{
	return (size_t)(s->end - s->p);
}

/* The whole of it is TEXT; inline, so that the length of a literal is known. */
static inline bool scan_is(const struct text_scan *s, const char *text)
{
	size_t n = strlen(text);

	return scan_left(s) == n && memcmp(s->p, text, n) == 0;
}

#endif
