/*
 * text - UTF-8, sanitising, and small string helpers.
 *
 * Everything that comes from a repository, a log, an agent or a message is
 * hostile until text_sanitise() has seen it: no byte that it lets through can
 * move a terminal's cursor, reorder a line, or be there unseen.
 */
#ifndef PORTSIDE_BASE_TEXT_H
#define PORTSIDE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * Decodes one code point of S (N > 0 bytes).  Returns the bytes it took, and
 * in *CP the code point, or UINT32_MAX for a bad byte (which took 1 byte).
 * Overlong forms, surrogates and values above U+10FFFF are bad.
 */
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);
void utf8_encode(struct buf *out, uint32_t cp);
bool utf8_valid(const char *s, size_t n);

/* How many of the N bytes S fit into MAX without half a character at the end.
 * Bytes that are no UTF-8 are cut anywhere. */
size_t text_cut(const char *s, size_t n, size_t max);

/*
 * True for what must never reach a terminal, or a reader, as it is: C0, DEL, C1; what
 * turns text around (U+061C, U+200E, U+200F, U+202A-202E, U+2066-2069); what has no width
 * and hides in a name (U+180E, U+200B-200D, U+2060-206F, U+FEFF, U+FFF9-FFFB, tags from
 * U+E0000 on); line and paragraph separators, and UINT32_MAX.  Newline and tab are
 * controls too.
 */
bool text_is_control(uint32_t cp);

/*
 * Appends S with every control made visible: ^[ for ESC, ^? for DEL, <U+202E>
 * for others, <FF> for a bad byte.  A tab becomes one blank.  Stable: sanitising
 * twice changes nothing.
 */
void text_sanitise(struct buf *out, const char *s, size_t n);
char *text_sanitised(struct arena *a, const char *s);	/* NULL gives "" */

bool text_starts(const char *s, const char *prefix);
bool text_ends(const char *s, const char *suffix);
bool text_glob(const char *pattern, const char *s);	/* * and ?, whole string */

/*
 * The words of S, *N of them and NULL behind, in A.  Blanks and tabs part words;
 * '...' and "..." keep them.  Nothing else means anything: it is no shell.
 */
char **text_words(struct arena *a, const char *s, size_t *n);

/* Whole string, decimal, no blanks; false leaves *OUT alone. */
bool text_to_i64(const char *s, size_t n, int64_t *out);

/*
 * A number as logs write it (see curve formats): sign, nan/inf/infinity in any
 * case, 1e-5, .5, 5.; independent of the locale; no hex.  Takes the whole of
 * S[0..N) or fails.
 */
bool text_to_double(const char *s, size_t n, double *out);

/* The shortest text that reads back as the same double; "NaN", "Infinity",
 * "-Infinity" for the others.  OUT has room for TEXT_DOUBLE_MAX bytes. */
enum { TEXT_DOUBLE_MAX = 32 };
size_t text_from_double(char *out, double v);

/* Orders names as people do: a2 before a10. */
int text_compare_natural(const char *a, const char *b);

/* Case-insensitive subsequence match for palettes and filters: -1 when NEEDLE
 * does not occur, else a score, higher is better (word starts, runs, length). */
int text_fuzzy_score(const char *needle, const char *haystack);

#endif
