/*
 * wandb_facts - what a .wandb file says of its run beside the curves.
 *
 * Who and where it was, from which commit, whether and where it went on from an
 * earlier session or another run, how it ended, and its configuration and summary.
 * The configuration goes to the settings of the sink.
 */
#ifndef PORTSIDE_CURVE_WANDB_FACTS_H
#define PORTSIDE_CURVE_WANDB_FACTS_H

#include "base/buf.h"
#include "curve/protobuf.h"
#include "curve/reader.h"
#include "curve/settings.h"
#include "curve/wandb_value.h"

/* Texts are NULL when the file does not say; bytes of strangers. */
struct wandb_facts {
	char *run_id, *name, *project, *entity, *host, *remote, *commit;
	char *branch_run;		/* of which it is a fork, or itself when it was rewound */
	double branch_step;		/* the last one that is kept; NaN: none */
	int64_t starting_step;		/* 0: from the beginning */
	double start_wall_s;		/* NaN: not said */
	bool resumed;
	bool exited;
	int64_t exit_code;
	struct settings summary;	/* last values, by name */
};

#define WANDB_FACTS_INIT { .start_wall_s = __builtin_nan(""), .branch_step = __builtin_nan("") }

void wandb_facts_release(struct wandb_facts *f);

/* Messages of a record; false when malformed. */
bool wandb_facts_take_run(struct wandb_facts *f, struct wandb_values *v, struct settings *config,
	struct protobuf m);
bool wandb_facts_take_exit(struct wandb_facts *f, struct protobuf m);
/* ConfigRecord and SummaryRecord have one form. */
bool wandb_take_settings(struct settings *s, struct wandb_values *v, struct protobuf m);

/* A Timestamp message. */
struct wandb_time {
	int64_t seconds, nanos;
};
bool wandb_time_read(struct wandb_time *out, struct protobuf m);
double wandb_time_wall(const struct wandb_time *t);	/* seconds since 1970 */

/* "run abc12345 of demo, host gpu-a, commit 9f3c1d2, exit 1", sanitised. */
void wandb_facts_add_line(struct buf *out, const struct wandb_facts *f);

#endif
