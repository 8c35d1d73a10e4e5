/*
 * terminal - metrics in what a training program printed.
 *
 * A line is cut into frames at carriage returns and runs of backspaces, escape
 * sequences are taken out, and the frame is offered to the patterns of the user
 * and then to a table of families (terminal_families); the first that
 * recognises it takes it.  Nothing of a frame is ever written to a terminal.
 */
#ifndef PORTSIDE_CURVE_TERMINAL_H
#define PORTSIDE_CURVE_TERMINAL_H

#include "base/buf.h"
#include "curve/json_scan.h"
#include "curve/reader.h"
#include "curve/reader_lines.h"
#include "curve/reader_slots.h"
#include "curve/terminal_pattern.h"

extern const struct curve_format terminal_format;

struct pair {
	const char *name;	/* borrowed from the frame */
	size_t name_n;
	double value;
};

enum { PAIRS_MAX = 4096 };

/* A progress bar whose last refresh of a count is the one that counts. */
struct held_row {
	bool held;
	struct row_x x;
	int64_t count, epoch;	/* which refreshes belong together */
	struct buf names;	/* NUL-separated copies */
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
	struct slots slots;
	struct json_row row;
	struct buf clean;		/* the frame without escapes */
	struct buf name;
	struct pair *pairs;		/* of the frame at hand */
	size_t n_pairs, cap_pairs;
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

/* Keeps the pairs until the count changes or the line ends. */
void terminal_hold(struct terminal *t, struct curve_sink *sink, struct held_row *held, const struct row_x *x,
	int64_t epoch, int64_t count);
void terminal_release_held(struct terminal *t, struct curve_sink *sink, struct held_row *held);

struct row_x terminal_at_step(int64_t step);
struct row_x terminal_at_epoch(double epoch);

#endif
