/*
 * reader - one table of curve file formats, and one file that is followed.
 *
 * A format is a row: how it is recognised, how it reads on from an offset, and
 * how a person would call it.  A reader is incremental: it is given the source
 * and the offset after the last complete record, takes what is complete, and
 * returns the new offset; an incomplete rest is offered again when the file has
 * grown.  How the bytes were cut into calls never changes the points.
 *
 * A curve_file follows one path: device, inode, size, offset and parser state.
 * What was read since the last curve_file_taken() lies in sink.series; its
 * owner (run_files) moves the points into the run.  A file that was replaced,
 * truncated or rewritten (its first bytes differ, as when a CSV header gets a
 * column) is read again from its beginning and says so.  The series of a
 * CURVE_DOCUMENT always hold the whole document.
 *
 * Only pread() is used: a live file that is truncated raises no signal.
 * Memory is bounded by the window of the source, not by the file.
 *
 *	struct curve_file *f = curve_file_new("out/metrics.csv", &options);
 *	while (curve_file_refresh(f, &cancelled) == CURVE_MORE)
 *		take_points(f);
 */
#ifndef PORTSIDE_CURVE_READER_H
#define PORTSIDE_CURVE_READER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "curve/health.h"
#include "curve/reader_source.h"
#include "curve/series.h"
#include "curve/settings.h"

/* A warning with a stable word ("no-step-column") and a sentence. */
struct curve_note {
	char *id;
	char *text;
};

struct curve_notes {
	struct curve_note *notes;
	size_t n, cap;
};

/* Adds once: an id with the same text is not repeated. */
void curve_notes_add(struct curve_notes *notes, const char *id, const char *fmt, ...)
	ATTR_PRINTF(3, 4);
bool curve_notes_has(const struct curve_notes *notes, const char *id);
void curve_notes_merge(struct curve_notes *into, const struct curve_notes *from);
void curve_notes_release(struct curve_notes *notes);

/* What the user configured; borrowed for the life of the files (run_files keep copies). */
struct curve_options {
	const char *const *patterns;	/* PCRE2 with the groups step, epoch, name, value */
	size_t n_patterns;
	double steps_per_epoch;		/* of HF logs without a step; 0: unknown */
	bool ended;			/* the run has ended: a rest is an error, not pending */
	bool no_shapes;			/* read every row in full, also those like an earlier one */
	int threads;			/* that may read one large file; 0: those of the machine */
	int64_t piece_bytes;		/* what one of them reads at a time; 0: the usual */
	/* files below a folder that are older are not the run's; 0: all */
	int64_t changed_since_ns;
	/* of a store that holds several runs, by id or name; NULL: its only one */
	const char *store_run;
};

struct curve_file;
struct store_runs;		/* curve/store_runs.h */

/* Where a reader puts what it found. */
struct curve_sink {
	struct run_series *series;	/* points since the last take */
	/* the same of lines that a program printed, in a file that holds them beside its
	 * records: weaker than any record; NULL: none */
	struct run_series *printed;
	struct health health;		/* of the whole file so far; tail_bytes set by the file */
	struct curve_notes notes;
	struct settings settings;	/* what the source says the run was configured with */
	const struct curve_options *options;
	const atomic_bool *cancel;	/* may be NULL */
	int64_t budget_bytes;		/* of one call; the reader may stop after it */
	const char *name;		/* the file, for sentences */
	double changed_s;		/* when it was last changed; NaN: not known */
	double first_wall_s;		/* least wall time of a point; NaN: none */
};

bool curve_sink_cancelled(const struct curve_sink *sink);
/* Appends and counts; the segment rules of the series apply. */
void curve_sink_point(
	struct curve_sink *sink, struct series *s, int64_t x, double wall_s, double value);
void curve_sink_real(
	struct curve_sink *sink, struct series *s, double x, double wall_s, double value);
void curve_sink_float(
	struct curve_sink *sink, struct series *s, int64_t x, double wall_s, float value);
/* Takes the wall time of points into the newest and the first one; NaN: none. */
void curve_sink_wall(struct curve_sink *sink, double wall_s);
/* A time of the file has no zone and was taken as UTC: said once. */
void curve_sink_zone_unknown(struct curve_sink *sink);
/* A time of the file has no year; that of YEAR_S was taken, by the last change: said once. */
void curve_sink_year_unknown(struct curve_sink *sink, double year_s);
/* Remembers the first damage at OFFSET for the health line. */
void curve_sink_damage(struct curve_sink *sink, int64_t offset);

/* Which file wins when two hold the same series: higher is better. */
enum curve_rank { RANK_TEXT, RANK_LINES, RANK_TABLE, RANK_RECORDS };

enum curve_shape {
	CURVE_STREAM,		/* grows at its end: read on from the offset */
	CURVE_DOCUMENT,		/* rewritten as a whole: read again on any change */
	CURVE_STORE,		/* a database or folder: opened by path */
};

struct curve_format {
	const char *name;		/* for --json: "tfevents" */
	const char *title;		/* for people: "TensorBoard events" */
	const char *delay;		/* when written data reaches the disk */
	enum curve_shape shape;
	enum curve_rank rank;
	/* of one call, as far as a stream stops in between; 0: CURVE_STEP_BYTES.  The points
	 * of a text step are still in the processor's cache when they are moved into a run. */
	int64_t step_bytes;
	/* By content first, name second.  HEAD is the first bytes, at most
	 * CURVE_HEAD_MAX; PATH is there for folders and databases. */
	bool (*recognise)(const char *path, const char *basename, const char *head, size_t n);
	/* The state of one file, freed with free_state. */
	void *(*new_state)(const struct curve_sink *sink);
	void (*free_state)(void *state);
	/*
	 * Reads complete records from OFFSET on, until the end of the source,
	 * the budget or the cancel flag.  Returns the offset after the last
	 * complete one, or CURVE_AGAIN when what came later changes what was
	 * read before: the points are void, the state stays, and the file is
	 * read from 0.  Never fails: what cannot be read is counted.
	 */
	int64_t (*advance)(
		void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset);
	/*
	 * Both or neither: records can be found from any place (reader_pieces.h).
	 * SEEK gives the first good record that begins in FIRST..END-1, or -1.
	 * JOIN takes what the state PIECE learnt of the records from AT on into
	 * STATE, which stands at AT, and puts right what the series of PIECE could
	 * not know; false when reading on from STATE would have given others.
	 */
	int64_t (*seek)(void *state, struct curve_sink *sink, struct curve_source *src,
		int64_t first, int64_t end);
	bool (*join)(void *state, const void *piece, int64_t at);
	/* The run has ended: decides what was left open.  May be NULL. */
	void (*finish)(
		void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset);
	/*
	 * For CURVE_STORE only, in place of advance: reads what is new by path,
	 * about the budget a call.  Returns enum curve_progress or an error;
	 * CURVE_VOID when what was read before does not hold any more: the points
	 * are void, the state stays, and the next call reads from the beginning.
	 */
	int (*refresh)(void *state, struct curve_sink *sink, const char *path);
	/* What the file says of its run, on one line for people; NULL: nothing. */
	void (*describe)(struct buf *out, const struct curve_file *f);
	/* Under what name and rank the series of sink.printed are taken; NULL: never any. */
	const struct curve_format *printed;
	/* For a CURVE_STORE that may hold several runs: all, also deleted ones.  Or NULL. */
	int (*list_runs)(struct store_runs *out, const char *path, const atomic_bool *cancel);
	/* For a CURVE_STORE that is a folder: whether NAME, below it, is a part of it. */
	bool (*holds)(const char *name);
};

enum { CURVE_HEAD_MAX = 64 * 1024, CURVE_AGAIN = -1 };

/* In the order of recognition; ends with NULL. */
extern const struct curve_format *const curve_formats[];
const struct curve_format *curve_format_find(const char *name);

/*
 * The format of a file or folder, or NULL with the reason in err_text(): not a
 * curve (ERR_NOT_FOUND), packed or of another version (ERR_PARSE), ERR_IO.
 */
const struct curve_format *curve_format_recognise(const char *path);

/* The folder that is one store, around the names that are walked; all zero: there is none. */
struct curve_enclosing {
	const struct curve_format *format;
	size_t at;			/* where the names below it begin in a name of the walk */
};

/* Of the names below the folder PREFIX of the walk, which FORMAT (or NULL) was found to be. */
static inline struct curve_enclosing curve_enclosing_in(struct curve_enclosing outer,
	const struct curve_format *format, const char *prefix)
{
	if (!format || !format->holds)
		return outer;
	return (struct curve_enclosing){ format, *prefix ? strlen(prefix) + 1 : 0 };
}

/* NAME, of the walk, is a part of that store. */
static inline bool curve_enclosing_holds(const struct curve_enclosing *e, const char *name)
{
	return e->format && e->format->holds(name + e->at);
}

struct stat;

/*
 * What the end of a name promises that FORMAT does not keep, for people: "a table" of
 * "x.csv" that holds JSON lines.  NULL when nothing is promised, or it is kept.
 */
const char *curve_name_promises(const char *basename, const struct curve_format *format);

struct curve_file {
	char *path;
	const struct curve_format *format;
	struct curve_sink sink;
	struct curve_options options;	/* a copy; ENDED may be set later */
	void *state;
	dev_t device;
	ino_t inode;
	int64_t size;			/* when it was last looked at */
	int64_t mtime_ns;
	int64_t offset;			/* after the last complete record */
	bool replaced;			/* points taken before are void: drop them */
	bool finished;			/* finish() was called */
	/* a document whose points its owner keeps: see curve_file_give() */
	bool given;
	int error;			/* 0 or why it cannot be read now, with a sentence: */
	char *error_text;
	/* moves the points of sink.series while a refresh goes on; NULL: after it */
	void (*take)(void *user);
	void *take_user;
	bool in_one_piece;		/* several threads did not pay */
	bool restored, kept;		/* from a cache; it is in the cache: see run_cache.h */
	char *head;			/* the first bytes: other ones mean another file */
	size_t head_n;
	struct curve_source source;
};

enum curve_progress {
	CURVE_SAME = 0,		/* nothing new */
	CURVE_CHANGED = 1,	/* read to the end of what is there */
	CURVE_MORE = 2,		/* something was read, more is there: call again */
	CURVE_VOID = 3,		/* only from a store's reader, see refresh */
};

/* Recognises PATH; NULL with the reason in err_text(). */
struct curve_file *curve_file_new(const char *path, const struct curve_options *options);
/* As above with a known format (tests, a user's choice). */
struct curve_file *curve_file_new_as(const char *path, const struct curve_format *format,
	const struct curve_options *options);
void curve_file_free(struct curve_file *f);

/*
 * Reads what was added, at most about a step a call, so that a screen can draw
 * in between.  Returns enum curve_progress or a negative error when
 * the file cannot be opened now (the points read before stay valid).
 */
int curve_file_refresh(struct curve_file *f, const atomic_bool *cancel) ATTR_MUST_USE;

/*
 * The owner has moved the points of sink.series: empties it (but for a document), clears
 * replaced.
 */
void curve_file_taken(struct curve_file *f);

/* The owner moved the points of a document away instead of copying them, since there
 * are many; before it needs them again it calls curve_file_restart(). */
void curve_file_give(struct curve_file *f);

/* All points are void; the next refresh reads from the first byte. */
void curve_file_restart(struct curve_file *f);

/* Its points, all of those of the file as ST tells it, came from elsewhere; when it
 * changes it is read from the first byte. */
void curve_file_restored(struct curve_file *f, const struct stat *st);
/* What was read is the file as ST tells it. */
bool curve_file_is_at(const struct curve_file *f, const struct stat *st);

/* The run has ended: the rest is final. The next refresh calls finish(). */
void curve_file_end(struct curve_file *f);

enum {
	CURVE_STEP_BYTES = 8 * 1024 * 1024,
	CURVE_TEXT_STEP_BYTES = 256 * 1024,
	CURVE_FIXED_HEAD = 16 * 1024
};

#endif
