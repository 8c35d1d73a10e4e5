/*
 * diff - what an attempt changed, for reading: which two revisions are
 * compared, the files between them, and the lines of one file at a time.
 *
 * A change is read in two steps, so that a screen shows the list of files and
 * the first of them before the others are read:
 *
 *	struct change change;
 *	struct change_lines lines;
 *	struct diff_options options = DIFF_OPTIONS_INIT;
 *
 *	if (change_read(&change, ws, &(struct change_question){ .attempt = "7" }, NULL) < 0)
 *		return -1;
 *	if (change_load(&lines, ws, &change.files.files[0], &options) < 0)
 *		...
 *	change_lines_release(&lines);
 *	change_release(&change);
 *
 * Each owns all of its memory and may be handed to another thread.  Paths and
 * lines are bytes of the repository, hostile until sanitised.
 */
#ifndef PORTSIDE_COMMAND_DIFF_H
#define PORTSIDE_COMMAND_DIFF_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/event.h"
#include "store/diff.h"
#include "store/word_diff.h"

struct workspace;

enum change_against { AGAINST_PREVIOUS, AGAINST_ORIGINAL, AGAINST_OTHER };

struct change_question {
	const char *attempt;		/* an object id; "" is the last attempt */
	const struct position *at;	/* NULL: now */
	enum change_against against;
	const char *other;		/* of AGAINST_OTHER: another attempt's id */
	bool names_only;		/* do not wait for counts that are not cached */
};

struct change {
	struct arena arena;
	const char *attempt;		/* "" when there is none */
	const char *subject;		/* of its commit */
	char base[OID_HEX + 1], tip[OID_HEX + 1];
	char original[OID_HEX + 1];	/* "" when it is not known */
	const char *base_name;		/* "attempt 6", "the original" */
	const char *missing;		/* why there is nothing to compare; "" */
	bool without_lines;		/* the repository is not here: files and counts only */
	bool counted;			/* false: names only, counts are -1 */
	struct diff files;		/* the list; no file is loaded */
	int64_t added, removed;
	size_t binaries;
};

/* Fails only for what is broken; a change that cannot be shown has its reason
 * in MISSING.  OUT is yours: change_release(), also after an error. */
int change_read(struct change *out, struct workspace *ws, const struct change_question *q,
		const atomic_bool *cancel) ATTR_MUST_USE;
/* The same between two commits ("" is the empty tree) that were found already. */
int change_between(struct change *out, struct workspace *ws, const char *base, const char *tip,
		   const atomic_bool *cancel) ATTR_MUST_USE;
void change_release(struct change *c);

/* ---- lines ---- */

enum {
	CHANGE_SIDE_MAX = 8 << 20,	/* a larger side is not compared */
	CHANGE_PREVIEW_BYTES = 64 << 10,	/* of such a file that are shown */
};

struct change_lines {
	struct diff diff;		/* one file, loaded */
	const struct diff_file *file;	/* it */
	/* Rows of a side-by-side view, all hunks in order, and where each begins. */
	struct diff_row *rows;
	size_t n_rows;
	size_t *hunk_rows;		/* n_hunks + 1 */
	int64_t *partner;		/* of each line: the one that faces it, or -1 */
	/* the lines are the beginning of a file that is too large */
	bool preview;
	bool hide_cr;			/* both sides end their lines in CRLF: the CR is no news */
	const char **notes;		/* "renamed from a.py", "mode 100644 became 100755" */
	size_t n_notes;
};

/* Reads one file of a change.  OUT is yours: change_lines_release(). */
int change_load(struct change_lines *out, struct workspace *ws, const struct diff_file *file,
		const struct diff_options *options) ATTR_MUST_USE;
void change_lines_release(struct change_lines *l);

/* The line as it is shown: without the CR of a file that has it everywhere. */
size_t change_line_length(const struct change_lines *l, size_t line);
/* Which words of LINE differ from its partner; false: nothing to mark. In A. */
bool change_word_marks(struct word_range **ranges, size_t *n, struct arena *a,
	const struct change_lines *l, size_t line);
/* The line of the new side (of the old one for a deleted file) at or after LINE. */
int32_t change_line_number(const struct change_lines *l, size_t line);

/* "a.py", "a.py -> b.py" as bytes. */
void change_add_path(struct buf *out, const struct diff_file *f, const char *arrow);
/* Hunk H as a patch has it, byte for byte. */
void change_add_hunk(struct buf *out, const struct change_lines *l, size_t h);

/* ---- for an editor ---- */

/*
 * The path of a file to open: that of the work tree when it has the same bytes
 * as this revision, else a read-only copy in FOLDER (made when it is missing)
 * with the revision in its name.  The old side when F is deleted.
 */
int change_export(struct buf *path, bool *is_copy, struct workspace *ws, const struct change *c,
		  const struct diff_file *f, const char *folder) ATTR_MUST_USE;
/* The same for any path of the change's tip. */
int change_export_path(struct buf *path, bool *is_copy, struct workspace *ws,
	const struct change *c, const char *name, const char *folder) ATTR_MUST_USE;

#endif
