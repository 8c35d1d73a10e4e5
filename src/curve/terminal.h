/*
 * terminal - metrics in what a training program printed.
 *
 * A line is cut into frames at carriage returns and runs of backspaces, escape
 * sequences are taken out, and the frame is offered to the patterns of the user
 * and then to a table of families (terminal_families); the first that
 * recognises it takes it.  A time in front of the frame (log_stamp) is the wall
 * time of its row.  Nothing of a frame is ever written to a terminal.
 */
#ifndef PORTSIDE_CURVE_TERMINAL_H
#define PORTSIDE_CURVE_TERMINAL_H

#include "base/buf.h"
#include "curve/json_scan.h"
#include "curve/reader.h"
#include "curve/reader_lines.h"
#include "curve/reader_shape.h"
#include "curve/reader_slots.h"
#include "curve/terminal_matched.h"
#include "curve/terminal_pattern.h"

extern const struct curve_format terminal_format;

/* A piece of the frame's text; NULL: none. */
struct token {
	const char *p;
	size_t n;
	bool padded;		/* blanks before it mean nothing */
};

struct pair {
	const char *name;	/* borrowed from the frame */
	size_t name_n;
	double value;
	struct token token;	/* where the value was read */
	const char *suffix;	/* of the name; a literal */
	enum shape_condition condition;		/* on which the pair is taken at all */
	size_t slot;		/* once it was emitted; SIZE_MAX: none */
};

struct frame {
	const char *p;
	size_t n;
};

/* How the x of a row follows from its numbers; with the counts of each, in their order. */
enum placing {
	PLACE_STEP,
	PLACE_EPOCH,
	PLACE_EPOCH_OR_STEP,		/* by the steps of an epoch */
	PLACE_UPDATES,			/* step; epoch */
	PLACE_BATCH,			/* epoch from 1, batch, batches */
	PLACE_BATCH_FROM_ZERO,		/* epoch from 0, batch, batches */
	PLACE_DEVICE,			/* epoch, step of it */
	PLACE_BAR,			/* count, total */
	PLACE_BAR_OF_EPOCH,		/* count, total, epoch */
	PLACE_KERAS,			/* count, total */
};

enum { LITERALS_MAX = 2 };

/*
 * What a family says of the row that it took when nothing but the numbers of
 * these tokens decides about another row with the same text between them.
 */
struct taken_row {
	bool repeats;
	enum placing placing;
	struct token step, epoch;
	enum shape_token step_form;
	struct token counts[SHAPE_COUNTS];
	struct token literals[LITERALS_MAX];	/* text, whatever digits it has */
	struct token fill;			/* of a progress bar */
	struct token percent;			/* digits that mean nothing, padded */
	size_t subject;				/* number of the device */
	const char *free_to;	/* digits before it that are in no token or name mean nothing */
	bool (*fits)(const struct frame *f);	/* what is left to check; NULL: nothing */
	/* set by terminal_emit() and terminal_hold(): the row and its axis */
	size_t n_pairs;
	enum axis axis;
	bool held;
};

enum { PAIRS_MAX = 4096 };

/* A progress bar whose last refresh of a count is the one that counts. */
struct held_row {
	bool held;
	struct row_x x;
	int64_t count, epoch;	/* which refreshes belong together */
	struct shape *shape;	/* it waits there; NULL: it is here */
	size_t *slots;		/* names, in their order */
	double *values;
	size_t n, cap;
};

struct device {
	char *label;
	int64_t epoch, last_step, interval, base;
};

struct terminal {
	struct line_reader lines;
	struct patterns patterns;
	struct matched matched;
	struct slots slots;
	struct json_row row;
	struct shapes shapes;
	struct taken_row taken;
	struct frame frame;		/* at hand */
	const char *limit;		/* bytes up to here can be read behind it */
	struct token stamp;		/* the time in front of it, found when it is a row */
	struct stamp_memo stamp_memo;
	struct log_clock clock;
	bool said_zone, said_year;	/* what its stamps leave out */
	struct buf clean;		/* the frame without escapes */
	struct buf name;
	struct pair *pairs;		/* of the frame at hand */
	size_t n_pairs, cap_pairs;
	int64_t n_pairs_left;	/* of the row at hand: too many */
	struct held_row bar, keras;
	bool bar_from_zero;		/* an epoch 0 was seen */
	int64_t keras_epoch;		/* of the last "Epoch k/n"; 0: none */
	struct device *devices;
	size_t n_devices, cap_devices;
	int64_t timm_x;			/* of the last training line */
};

/* The row at hand goes to its series as PREFIX name SUFFIX; counts a record. */
void terminal_emit(struct terminal *t, struct curve_sink *sink, const struct row_x *x,
	const char *prefix, const char *suffix);
void terminal_add_pair(struct terminal *t, const char *name, size_t n, double value);
void terminal_add_token(
	struct terminal *t, const char *name, size_t n, double value, struct token token);

/* X with the wall time of the frame at hand. */
struct row_x terminal_timed(struct terminal *t, struct curve_sink *sink, const struct row_x *x);

/* Keeps the pairs until the count changes or the line ends. */
void terminal_hold(struct terminal *t, struct curve_sink *sink, struct held_row *held,
	const struct row_x *x, int64_t epoch, int64_t count);
/* What both ways of holding begin with: the row that is held goes, when the new one is none
 * of its refreshes.  Returns whether it is one. */
bool held_begin(struct terminal *t, struct curve_sink *sink, struct held_row *held, int64_t epoch,
	int64_t count);
void terminal_release_held(struct terminal *t, struct curve_sink *sink, struct held_row *held);

/* The wall time of a stamp, with what must be said about it. */
double terminal_stamp_time(
	struct terminal *t, struct curve_sink *sink, const struct log_stamp *stamp);

static inline struct token token_between(const char *p, const char *end)
{
	return (struct token){ .p = p, .n = (size_t)(end - p), .padded = false };
}

static inline struct token token_padded(const char *p, const char *end)
{
	return (struct token){ .p = p, .n = (size_t)(end - p), .padded = true };
}

/* Learns the shape of the frame that was taken, when its family allows it. */
void terminal_learn(struct terminal *t, struct curve_sink *sink, const struct frame *f);
/* Takes the frame at P by the shape of an earlier one; returns its end, NULL when it has none. */
const char *terminal_take_shape(struct terminal *t, struct curve_sink *sink, enum row_end end,
	const char *p, const char *limit);
/* Likewise P[0..N) when LIMIT was too near to tell. */
bool terminal_take_last_shape(
	struct terminal *t, struct curve_sink *sink, const char *p, size_t n, const char *limit);

struct row_x terminal_at_step(int64_t step);
struct row_x terminal_at_epoch(double epoch);
/* At the step that the epoch has, when the steps of an epoch are known (above 0). */
struct row_x terminal_at_epoch_or_step(double epoch, double steps_per_epoch);

#endif
