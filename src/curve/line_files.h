/*
 * line_files - the files below a folder that hold one series each, a line a point.
 *
 * MLflow and DVCLive keep a run as a folder with a file for each metric, and the
 * path of the file is the metric's name.  Files that appear are taken up, each is
 * followed from where its reading stands, and a file that was replaced, cut or
 * removed makes all of them be read again.  Links are not followed.
 *
 *	rc = line_files_look(&s->files, folder, ".tsv");
 *	if (rc != CURVE_SAME)
 *		return rc;			CURVE_VOID or an error
 *	return line_files_read(&s->files, sink, take_line, state);
 */
#ifndef PORTSIDE_CURVE_LINE_FILES_H
#define PORTSIDE_CURVE_LINE_FILES_H

#include "curve/reader.h"
#include "curve/reader_lines.h"

enum { LINE_FILES_MAX = 4096, LINE_FILES_DEPTH_MAX = 8, LINE_FILES_HEAD = 64 };

struct line_file {
	char *path;
	char *name;			/* below the folder, without the end */
	dev_t device;
	ino_t inode;
	int64_t size, changed_ns;	/* when it was last read to its end */
	int64_t offset;			/* after the last complete line */
	char head[LINE_FILES_HEAD];	/* the first bytes: other ones mean another file */
	size_t head_n;
	struct line_reader lines;
	bool seen;			/* by the look at hand */

	/* for its reader; zero at first and after CURVE_VOID */
	struct series *series;
	int columns;
	int64_t rows;
};

struct line_files {
	struct line_file *list;		/* in the order of the names */
	size_t n, cap;
	int64_t n_left;			/* files that were too many for the look at hand */
};

typedef void line_files_fn(void *user, struct curve_sink *sink, struct line_file *file,
	const struct line *line);

/* CURVE_SAME: go on and read; CURVE_VOID; ERR_IO, ERR_NOT_FOUND for the folder. */
int line_files_look(struct line_files *f, const char *folder, const char *end) ATTR_MUST_USE;
/* CURVE_SAME, CURVE_CHANGED, CURVE_MORE, CURVE_VOID or ERR_CANCELLED. */
int line_files_read(struct line_files *f, struct curve_sink *sink, line_files_fn *take,
	void *user) ATTR_MUST_USE;
void line_files_release(struct line_files *f);

/* True when a file with that end lies below FOLDER. */
bool line_files_any(const char *folder, const char *end);

#endif
