/*
 * series - one metric of one run as columns: x, wall time, value, segment.
 *
 * Points are appended in the order of the source; nothing is dropped, merged or
 * reordered.  A step that falls back, a further file or a session marker opens
 * a new segment; segments are ranges of point numbers, not a column.  NaN and
 * infinities are kept and counted.  Which points are current (superseded by a
 * restart or not) is a policy applied by series_current(), never by the reader.
 *
 * A point takes 8 bytes for x, 8 for the value (4 when the source is float32),
 * and what its wall time and its epoch take packed (packed.h), all to the last
 * bit: together under 24 as long as time and epoch take 32 bits each, which
 * they do while no time lies 1000 s off the even pace of its 128 neighbours and
 * epochs are evenly spaced, repeated or printed with a fixed number of
 * decimals.  Random bits in both take 32.4 bytes a point.
 *
 * Knows no file format and no screen.  Growth is by doubling up to 1 Mi points
 * and by a quarter after that; what is not used of it takes no memory.
 *
 *	struct run_series *run = run_series_new();
 *	struct series *s = run_series_get(run, "eval/loss", 9, AXIS_STEP);
 *
 *	series_append(s, 100, wall_s, 0.38);
 *	...
 *	run_series_free(run);
 */
#ifndef PORTSIDE_CURVE_SERIES_H
#define PORTSIDE_CURVE_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "curve/packed.h"

enum axis {
	AXIS_STEP,	/* x is an int64 optimizer step, as logged */
	AXIS_EPOCH,	/* x is a double epoch (stored as its bits) */
	AXIS_TIME,	/* x is seconds since the first point (double bits) */
	AXIS_ORDINAL,	/* x is the row number from 0 */
	AXIS_EVAL_STEP,	/* x counts evaluation batches, not training steps */
};

enum value_kind {
	VALUE_DOUBLE,
	VALUE_FLOAT,	/* the source holds float32; stored as float */
};

enum segment_policy { SEGMENT_LATEST_WINS, SEGMENT_ALL, SEGMENT_FIRST_WINS };

struct segment {
	size_t first, n;	/* range of point numbers */
	int64_t start;		/* x from which earlier segments are superseded */
	int file;		/* number of the file it came from, from 0 */
	bool concurrent;	/* a parallel writer: supersedes nothing */
	bool marked;		/* opened by a marker or a further file, not by a falling x */
};

/* A file of a cache in memory; the columns of several series lie in it. */
struct series_map {
	void *p;
	size_t n;
	int users;
};

/* One user less; after the last one the file leaves the memory. */
void series_map_release(struct series_map *map);

struct pyramid;

struct series {
	char *name;		/* bytes from strangers: sanitise when drawing */
	size_t name_n;
	enum axis axis;
	enum value_kind kind;
	size_t n, cap;
	int64_t *x;		/* or the bits of a double, see axis */
	struct packed_column wall_s;	/* seconds since 1970; see series_wall() */
	double *value;		/* one of the two, see kind */
	float *value32;
	struct packed_column epoch;	/* see series_epoch() */
	struct segment *segments;
	size_t n_segments, cap_segments;
	size_t n_nonfinite;
	bool x_derived;		/* x was computed, not logged */
	bool zone_unknown;	/* wall times are a host's own or have a year that was assumed: they
				   tell distances, not instants */
	bool no_metadata;	/* a tensor whose tag never said that it is a scalar */
	bool printed;		/* read from printed lines inside a file of records */
	char *x_metric;		/* series that its writer chose as its x; NULL: none */
	double origin_s;	/* of AXIS_TIME: seconds since 1970 where x is 0; 0: not known */
	struct segment pending;	/* opened, still without a point: see has_pending */
	bool has_pending;
	uint64_t version;	/* rises with each append: caches compare it */
	/* the columns lie there and are copied before they grow; NULL: they are own ones */
	struct series_map *map;
	struct pyramid *pyramid;	/* over the values, while there is a map; NULL: none */
	size_t n_rising;	/* points from the first on whose x is known to rise */
};

struct run_series {
	struct series **series;	/* in order of first appearance */
	size_t n, cap;
	uint32_t *table;	/* by name and axis: number + 1 in series; 0: free */
	size_t table_n;		/* a power of two, or 0 while the series are few */
	bool staging;		/* its series live shortly: nothing of them is packed */
	struct series **spare;	/* their room is for the next ones; see run_series_reset() */
	size_t n_spare, cap_spare;
};

struct run_series *run_series_new(void);
void run_series_free(struct run_series *r);
/* No series, as after run_series_new(); the room of their columns is used again. */
void run_series_reset(struct run_series *r);

/* Finds or makes; the same name on another axis is another series. */
struct series *run_series_get(struct run_series *r, const char *name, size_t n, enum axis axis);
/* NULL when absent.  The step axis is preferred when AXIS is < 0. */
struct series *run_series_find(const struct run_series *r, const char *name, int axis);

/* Appends; a falling x opens a segment by itself.  WALL_S may be NaN. */
void series_append(struct series *s, int64_t x, double wall_s, double value);
/* As above for float32 sources: the series becomes VALUE_FLOAT when it is empty. */
void series_append_float(struct series *s, int64_t x, double wall_s, float value);
/* As above for the point that makes up most of a file; false, and nothing done, for any other. */
static inline bool series_append_next_float(
	struct series *s, int64_t x, double wall_s, float value);
/* For AXIS_EPOCH and AXIS_TIME. */
void series_append_real(struct series *s, double x, double wall_s, double value);
/* As series_append_row() for the point that makes up most of a file; see above. */
static inline bool series_append_next_row(
	struct series *s, int64_t x, double wall_s, double value, double epoch);
/* For rows of text: X as it is kept (the bits of a double on AXIS_EPOCH and AXIS_TIME),
 * and the epoch beside it, NaN for none. */
void series_append_row(struct series *s, int64_t x, double wall_s, double value, double epoch);
/* Rows whose x does not fall from one to the next. */
struct series_rows {
	const int64_t *x;
	const double *wall_s, *epoch;	/* NaN: none */
	size_t n;
	bool has_wall, has_epoch;	/* of some row; else the columns are not looked at */
};
/* As series_append_row() for each of them; returns how many of VALUES are not finite. */
size_t series_append_rows(struct series *s, const struct series_rows *rows, const double *values);
/* Sets the epoch of the point appended last. */
void series_set_epoch(struct series *s, double epoch);
/* Its writer wants it drawn over the series NAME, which stands on the same steps. */
void series_set_x_metric(struct series *s, const char *name);
/* Adds SHIFT to every x, of AXIS_EPOCH or AXIS_TIME. */
void series_shift_real(struct series *s, double shift);
/* The next append opens a segment that supersedes from START on. */
void series_open_segment(struct series *s, int64_t start, int file, bool concurrent);
void series_clear(struct series *s);		/* a replaced file: back to no points */

/* N points of FROM, copied into the segment at hand or the pending one; the
 * caller sees to it that x does not fall. */
void series_append_range(struct series *s, const struct series *from, size_t first, size_t n);

/* The range that was appended to another series last: points FIRST..FIRST+N-1 of FROM, which
 * are those of TO from AT on.  All zero: none. */
struct series_twin {
	const struct series *to, *from;
	size_t at, first, n;
};

/* As series_append_range(); what TWIN has packed is not packed again, and this is the twin
 * of the next one. */
void series_append_range_like(struct series *s, const struct series *from, size_t first, size_t n,
	struct series_twin *twin);

/*
 * Moves the points of FROM, which FILE added, behind the last points of that
 * file or an earlier one, so that the columns are in the order of the files
 * whatever the order of reading.  The first segment of FROM goes on with the
 * file's last one when it was not marked and its x does not fall.  FROM keeps
 * its points; clear it.
 */
void series_splice(struct series *s, const struct series *from, int file);
/* As series_splice(), with the series of the same file that was spliced last. */
void series_splice_like(
	struct series *s, const struct series *from, int file, struct series_twin *twin);
/* The columns of FROM become those of S, which is empty; FROM is empty then. */
void series_move(struct series *s, struct series *from, int file);
/* Removes the points and segments of FILE: it was replaced. */
void series_remove_file(struct series *s, int file);
/* Segments of FILE run parallel to earlier ones, or not. */
void series_set_concurrent(struct series *s, int file, bool concurrent);

double series_x(const struct series *s, size_t i);	/* as a double, for drawing only */
double series_value(const struct series *s, size_t i);

/* A source had wall times (epochs); a point without one has NaN. */
static inline bool series_has_wall(const struct series *s)
{
	return s->wall_s.used;
}

static inline bool series_has_epoch(const struct series *s)
{
	return s->epoch.used;
}

/* Wall times that can be compared with those of a clock. */
static inline bool series_has_instants(const struct series *s)
{
	return s->wall_s.used && !s->zone_unknown;
}

static inline double series_wall(const struct series *s, size_t i)
{
	return s->wall_s.used ? packed_at(&s->wall_s, i) : __builtin_nan("");
}

static inline double series_epoch(const struct series *s, size_t i)
{
	return s->epoch.used ? packed_at(&s->epoch, i) : __builtin_nan("");
}

/* X2 is before X1. */
static inline bool series_x_falls(enum axis axis, int64_t x1, int64_t x2)
{
	double a, b;

	if (axis != AXIS_EPOCH && axis != AXIS_TIME)
		return x2 < x1;
	__builtin_memcpy(&a, &x1, sizeof a);
	__builtin_memcpy(&b, &x2, sizeof b);
	return b < a;
}

/* The next point of a row, when no column, no segment and no room is to be made for it. */
static inline bool series_append_next_row(
	struct series *s, int64_t x, double wall_s, double value, double epoch)
{
	size_t n = s->n;

	if (s->kind != VALUE_DOUBLE || !n || n == s->cap || s->has_pending ||
		series_x_falls(s->axis, s->x[n - 1], x) ||
		!(s->wall_s.used || __builtin_isnan(wall_s)) ||
		!(s->epoch.used || __builtin_isnan(epoch)))
		return false;
	s->x[n] = x;
	s->value[n] = value;
	if (s->wall_s.used)
		packed_append(&s->wall_s, wall_s);
	if (s->epoch.used)
		packed_append(&s->epoch, epoch);
	s->segments[s->n_segments - 1].n++;
	s->n_nonfinite += !__builtin_isfinite(value);
	s->n = n + 1;
	s->version++;
	return true;
}

/* The next point, when no column, no segment and no room is to be made for it. */
static inline bool series_append_next_float(struct series *s, int64_t x, double wall_s, float value)
{
	size_t n = s->n;

	if (s->kind != VALUE_FLOAT || !n || n == s->cap || s->has_pending || !s->wall_s.used ||
		s->epoch.used || x < s->x[n - 1] || s->axis == AXIS_EPOCH || s->axis == AXIS_TIME)
		return false;
	s->x[n] = x;
	s->value32[n] = value;
	packed_append(&s->wall_s, wall_s);
	s->segments[s->n_segments - 1].n++;
	s->n_nonfinite += !__builtin_isfinite(value);
	s->n = n + 1;
	s->version++;
	return true;
}

/*
 * Point numbers that are current under POLICY, ascending in x, in *OUT (yours:
 * free()).  Inside a segment the last of equal x is current.
 */
size_t series_current(const struct series *s, enum segment_policy policy, size_t **out);

/* Bytes held by the columns, for the memory line of the health view. */
size_t series_bytes(const struct series *s);

#endif
