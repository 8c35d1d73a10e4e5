/*
 * diff - the changes between two revisions, hunk by hunk, for reading.
 *
 * Ends are commits or trees; "" is the empty tree.  Renames are found as
 * `git diff -M` does.  Text is bytes: CR stays in it, bad UTF-8 stays in it, a
 * line has no newline at its end.  A side larger than side_limit_bytes is not
 * compared: the file keeps its summary and a note, and diff_preview() reads its
 * beginning.  All lines of one call are bounded by line_limit.
 *
 *	struct diff d;
 *	struct diff_options options = DIFF_OPTIONS_INIT;
 *
 *	if (diff_files(&d, repo, base, tip, &options) < 0)
 *		return -1;
 *	if (diff_load(&d, 0, repo, &options) < 0)
 *		...
 *	diff_release(&d);
 */
#ifndef PORTSIDE_STORE_DIFF_H
#define PORTSIDE_STORE_DIFF_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "store/repository.h"

struct churn_cache;

struct diff_line {
	char origin;			/* ' ' both, '-' old only, '+' new only */
	bool no_newline;		/* the last line of its side, without a newline */
	int32_t old_line, new_line;	/* from 1; 0 when not on that side */
	const char *text;		/* without the newline; not NUL-terminated inside */
	size_t n;
};

struct diff_hunk {
	int32_t old_start, old_count, new_start, new_count;
	const char *heading;		/* the function line git shows after @@, "" when none */
	size_t first, n;		/* lines of the file */
};

struct diff_file {
	char status;			/* A M D R C T */
	const char *path;		/* the new one; the old one when deleted */
	const char *old_path;
	uint32_t old_mode, new_mode;
	char old_oid[OID_HEX + 1], new_oid[OID_HEX + 1];
	int64_t old_size, new_size;	/* bytes, once loaded; -1: no such side, a submodule */
	bool binary, submodule, link;
	bool crlf;			/* a loaded line ends in CR */
	bool loaded;			/* hunks and lines are there */
	const char *note;		/* why lines are missing, "" when they are not */
	struct diff_hunk *hunks;
	size_t n_hunks;
	struct diff_line *lines;
	size_t n_lines;
	int64_t added, removed;		/* of the whole file; once loaded, of its lines */
};

struct diff {
	struct arena arena;
	struct diff_file *files;
	size_t n;
	char old_tree[OID_HEX + 1], new_tree[OID_HEX + 1];
	/* where the figures may differ from git's, "" when they cannot */
	const char *reason;
};

struct diff_options {
	int context;			/* unchanged lines around a change; 3 */
	bool ignore_space;		/* amount of white space, as git diff -b */
	const char *path;		/* only this file (either name), or NULL */
	int64_t side_limit_bytes;
	int64_t line_limit;
	struct churn_cache *cache;	/* for the list of files, or NULL */
	bool names_only;		/* a list that is not cached comes without counts (-1) */
	const atomic_bool *cancel;	/* or NULL */
};

#define DIFF_OPTIONS_INIT {						\
	.context = 3, .side_limit_bytes = 8 << 20, .line_limit = 200000	\
}

/* The list of files, nothing loaded.  OUT is yours: diff_release().  REPO NULL:
 * as far as the cache has it, without the names of the trees. */
int diff_files(struct diff *out, struct repository *repo, const char *base, const char *tip,
		const struct diff_options *options) ATTR_MUST_USE;
/* Hunks and lines of file INDEX, once; a second call with other options reads
 * them anew.  A file that is not text gets its note and returns 0. */
int diff_load(struct diff *d, size_t index, struct repository *repo,
		const struct diff_options *options) ATTR_MUST_USE;
/* diff_files() and diff_load() for each, until line_limit. */
int diff_all(struct diff *out, struct repository *repo, const char *base, const char *tip,
		const struct diff_options *options) ATTR_MUST_USE;
void diff_release(struct diff *d);

/* The file with this new or old path, or -1. */
int64_t diff_find_file(const struct diff *d, const char *path);

/* The first LIMIT bytes of the new side (the old one when deleted) as lines with
 * origin ' ', for a file that is too large to compare.  In D's arena. */
int diff_preview(struct diff_line **lines, size_t *n, struct diff *d, size_t index,
	struct repository *repo, int64_t limit) ATTR_MUST_USE;

struct diff_place { size_t file, line; };

/*
 * The next loaded line after FROM (before it when BACKWARD) that holds NEEDLE;
 * case counts only when NEEDLE has an upper-case letter.  Goes round once.
 */
bool diff_search(struct diff_place *at, const struct diff *d, const char *needle, bool backward);

/*
 * Rows of a side-by-side view of lines [first, first + n): removed and added
 * lines of one block face each other by similarity of content, in order.  Pure;
 * the rows live in A.  -1: nothing on that side.
 */
struct diff_row { int64_t left, right; };	/* indexes into FILE's lines */
struct diff_row *diff_pair(
	size_t *n_rows, struct arena *a, const struct diff_line *lines, size_t first, size_t n);

#endif
