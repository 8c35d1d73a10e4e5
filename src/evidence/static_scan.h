/*
 * static_scan - places in the sources that tie a project to CUDA.
 *
 * One table of constructs: G-01 to G-17 are calls and packages of CUDA, H-01 to
 * H-06 are hints of trouble on a TPU, O-01 and O-02 orders in Python code
 * (static_order.h).  A hit is a place to look at, not a failure.  The scan looks at
 * text only, line by line, up to a size; whole-line comments of Python, shell, YAML
 * and C are left out.  Matching is bounded per line, so that a hostile file costs no
 * more than its length.
 *
 * A scanner belongs to one thread.  Hits of a blob depend on nothing else, so
 * the caller keeps static_hits_encode() by blob name and scans each blob once.
 *
 *	struct static_scanner *s;
 *	struct static_hits hits = STATIC_HITS_INIT;
 *
 *	if (static_scanner_new(&s) < 0)
 *		return -1;
 *	static_scan(&hits, s, "train.py", text, n);
 *	static_hits_release(&hits);
 *	static_scanner_free(s);
 */
#ifndef PORTSIDE_EVIDENCE_STATIC_SCAN_H
#define PORTSIDE_EVIDENCE_STATIC_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/mem.h"

struct static_construct {
	const char *id;			/* "G-01" */
	const char *causes;		/* "C2", "C1 C2": by likelihood */
	bool hint;			/* H: a hint, not a CUDA construct */
	const char *meaning;		/* one line for a person */
	const char *pattern;		/* PCRE2; NULL: found by static_order.h */
};

/* The table, in order. */
const struct static_construct *static_constructs(size_t *n);
const struct static_construct *static_construct_find(const char *id);	/* NULL: unknown */

struct static_hit {
	int32_t construct;		/* index into static_constructs() */
	int32_t line;			/* from 1 */
	int32_t column;			/* byte in the line, from 1 */
	const char *text;		/* the line, without its end, cut at STATIC_TEXT_MAX */
};

enum {
	STATIC_SCAN_VERSION = 2,	/* part of the caller's cache key */
	STATIC_TEXT_MAX = 160,
	STATIC_HITS_MAX = 1000,		/* a file; more are counted only */
	STATIC_FILE_MAX = 4 << 20,	/* bytes; the rest is not looked at */
};

enum static_skip { STATIC_SCANNED, STATIC_BINARY, STATIC_TOO_LARGE };

struct static_hits {
	struct arena arena;
	struct static_hit *rows;	/* by line, column, construct */
	size_t n, cap;
	int64_t more;			/* hits beyond STATIC_HITS_MAX */
	enum static_skip skipped;	/* too large: the beginning was scanned */
	bool limited;			/* a line reached a match limit: hits may be missing */
};

#define STATIC_HITS_INIT { .arena = ARENA_INIT }

struct static_scanner;

/* OUT is yours: static_scanner_free(). */
int static_scanner_new(struct static_scanner **out) ATTR_MUST_USE;
void static_scanner_free(struct static_scanner *s);

/* Is PATH of a kind that is worth scanning: sources, scripts, requirements,
 * configuration?  Data, images and notebooks are not. */
bool static_scan_wants(const char *path);

/* Fills OUT, empty before; PATH tells the comment syntax. */
void static_scan(struct static_hits *out, struct static_scanner *s, const char *path,
	const char *text, size_t n);
void static_hits_release(struct static_hits *h);

/* For a cache: compact, versioned, checked when it is read.  ERR_DAMAGED. */
void static_hits_encode(struct buf *out, const struct static_hits *h);
int static_hits_decode(struct static_hits *out, const char *s, size_t n) ATTR_MUST_USE;

#endif
