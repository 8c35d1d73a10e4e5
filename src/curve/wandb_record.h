/*
 * wandb_record - one Record message of a .wandb file: its values, put into series.
 *
 * A row of the history stands at its item "_step", else at the step of the
 * message; "_timestamp" is its wall time, else the start of the run and
 * "_runtime".  Statistics of the system become series "system/KEY" by seconds
 * since the first of them.  What define_metric() chose as x is kept with the
 * series.  Field numbers are those of W&B's messages.
 *
 * A session that goes on from an earlier one opens a segment at its starting
 * step.
 */
#ifndef PORTSIDE_CURVE_WANDB_RECORD_H
#define PORTSIDE_CURVE_WANDB_RECORD_H

#include "curve/protobuf.h"
#include "curve/reader.h"
#include "curve/reader_slots.h"
#include "curve/wandb_console.h"
#include "curve/wandb_facts.h"
#include "curve/wandb_value.h"

struct wandb_plain;

/* A series of the history, beside its slot. */
struct wandb_name {
	int session;		/* whose segment is open */
	bool defined;		/* define_metric() was asked for its x, */
	bool has_own;		/* and had an answer for this very name */
};

/* What define_metric() said of one name, or of all names that match. */
struct wandb_metric {
	char *name;
	bool is_glob;
	char *x;		/* NULL: nothing */
};

/* Where the row at hand stands, as far as its items tell. */
struct wandb_row {
	bool has_step;
	int64_t step;
	double timestamp, runtime, epoch;	/* NaN: none */
	int64_t non_numeric;
};

#define WANDB_ROW_INIT                                                                             \
	{                                                                                          \
		.timestamp = __builtin_nan(""), .runtime = __builtin_nan(""),                      \
		.epoch = __builtin_nan("")                                                         \
	}

struct wandb_reader {
	struct slots slots;
	struct wandb_name *names;	/* beside slots.slots */
	size_t n_names, cap_names;
	struct wandb_values values;
	struct buf name;
	struct wandb_metric *metrics;
	size_t n_metrics, cap_metrics;
	struct wandb_facts facts;
	int session;			/* number of the session; 0: from the beginning */
	int64_t session_start;
	bool has_stats;
	struct wandb_time stats_start;
	struct wandb_console console;
	struct wandb_plain *plain;
};

void wandb_reader_init(struct wandb_reader *r);
void wandb_reader_release(struct wandb_reader *r);

/*
 * The record P[0..N), bytes up to LIMIT can be read.  False when it is malformed:
 * it gives no points.
 */
bool wandb_reader_take(struct wandb_reader *r, struct curve_sink *sink, const char *p, size_t n,
	const char *limit);

/* Called before the sink is looked at. */
void wandb_reader_flush(struct wandb_reader *r, struct curve_sink *sink);

/* Shared with the short way: the wall time of a row, NaN when it has none. */
double wandb_row_wall(const struct wandb_reader *r, double timestamp, double runtime);
/* The name is that of an epoch, which is kept beside the step as well. */
bool wandb_name_is_epoch(const char *name, size_t n);

enum {
	RECORD_HISTORY = 2, RECORD_SUMMARY = 3, RECORD_OUTPUT = 4, RECORD_CONFIG = 5,
	RECORD_STATS = 7, RECORD_METRIC = 12, RECORD_OUTPUT_RAW = 13, RECORD_RUN = 17,
	RECORD_EXIT = 18,
};

#endif
