/*
 * run_files - the curve files of one run, merged into one set of series.
 *
 * Given files and folders, recognises by content what holds curves, follows
 * each, and merges the points: files of one format in the order of their names
 * are segments of the run; files whose wall times overlap are parallel
 * segments.  When two sources hold the same series (a log and a trainer_state)
 * the structured one is taken and a note says so.  Tags of several event
 * folders are told apart by the folder's name.
 *
 * A log that is rotated while it is followed (train.log becomes train.log.1, and a new
 * train.log is begun) stays one log: its older parts come first.
 *
 * Says what it took and what it left.  One unreadable file never makes the run
 * unreadable: its error stands beside its name.
 *
 * Not thread-safe: one owner.  A worker reads and hands the whole run over.
 *
 *	struct run_files *run = run_files_new(&options);
 *	if (run_files_add(run, "out/") < 0)
 *		return -1;
 *	while (run_files_refresh(run, &cancelled) == CURVE_MORE)
 *		draw(run->series);
 *	run_files_free(run);
 */
#ifndef PORTSIDE_CURVE_RUN_FILES_H
#define PORTSIDE_CURVE_RUN_FILES_H

#include "base/buf.h"
#include "curve/foreign_database.h"
#include "curve/reader.h"
#include "curve/series.h"

/* What a run declares about its inputs, beside its curves; no curve itself. */
#define RUN_FACTS_FILE "portside-facts.json"

struct run_file {
	char *name;			/* relative to what was added, for display */
	char *prefix;			/* put before tags: "" or "eval/" */
	struct curve_file *file;	/* NULL: left, and LEFT says why */
	char *left;
	struct foreign_stamp left_at;	/* how it was then: looked at again once it changed */
	char *group;			/* folder: files of one format in it are one sequence;
					   a store is a group of its own, and so are the
					   sessions of one W&B run */
	char *order;			/* of the files of a group */
	int64_t age;			/* of parts of one log the older one has more: rotated.h */
	bool concurrent;		/* its wall times overlap those of an earlier one */
};

struct run_files {
	struct run_series *series;	/* the merged columns: read only */
	struct run_file *files;		/* what was taken and what was left; the
					   number is segment.file */
	size_t n, cap;
	struct curve_notes notes;	/* of the run and of all files */
	struct settings settings;	/* of all files; the first that has a name wins */
	struct health health;		/* sum over the files */
	struct curve_options options;
	char **patterns, *store_run;	/* what the options borrow */
	char **roots;			/* as given to run_files_add() */
	size_t n_roots, cap_roots;
	struct run_owners *owners;	/* which format holds a name */
	char *cache;			/* folder for run_cache.h; NULL: none */
	bool cache_writes;
};

enum { RUN_FILES_MAX = 4096, RUN_FILES_DEPTH_MAX = 8 };

struct run_files *run_files_new(const struct curve_options *options);
void run_files_free(struct run_files *r);

/*
 * Adds a file, or the curve files below a folder (links to folders are not
 * followed).  A path named by the user that is no curve is listed as left.
 * ERR_NOT_FOUND when PATH does not exist; ERR_IO when a folder cannot be read.
 */
int run_files_add(struct run_files *r, const char *path) ATTR_MUST_USE;

/* Looks for files that appeared below the folders that were added; when one of
 * them changes the order or the names, the run is read anew. */
int run_files_rescan(struct run_files *r) ATTR_MUST_USE;

/* What is read of large files that have ended may be kept in FOLDER, which is a cache,
 * and is taken from there; nothing is changed there without WRITES. */
void run_files_use_cache(struct run_files *r, const char *folder, bool writes);

/* So many may read one large file; without a call, as many as help on this machine. */
void run_files_set_threads(struct run_files *r, int threads);

/*
 * Reads what is new in every file; a step of about CURVE_STEP_BYTES a file.
 * Returns enum curve_progress; ERR_CANCELLED.  Errors of single files are in
 * the file.
 */
int run_files_refresh(struct run_files *r, const atomic_bool *cancel) ATTR_MUST_USE;

/* All of it: refresh until nothing is left; then what may be kept is kept. */
int run_files_read(struct run_files *r, const atomic_bool *cancel) ATTR_MUST_USE;

/* The run has ended: rests become errors in the health line at the next refresh. */
void run_files_end(struct run_files *r);

/* True when a taken file is of that format; for rules about its source. */
bool run_files_has_format(const struct run_files *r, const char *format_name);

/* The format of the file that holds most points of S, NULL when empty. */
const struct curve_format *run_files_format_of(const struct run_files *r, const struct series *s);

/* One line a file: name, format, health or why it was left.  For people. */
void run_files_add_lines(struct buf *out, const struct run_files *r);

/* Reads one file or folder into a run; the short form for commands. */
int run_files_load(struct run_files **out, const char *path,
	const struct curve_options *options) ATTR_MUST_USE;

#endif
