/*
 * wandb_console - the lines that a run printed, as its .wandb file holds them.
 *
 * W&B records what went to standard output and standard error in pieces that end
 * anywhere.  The pieces of each stream are put together, and the terminal reader
 * looks for metrics in the lines.  What it finds goes to SINK->printed, apart from
 * what the program logged: where both have a name, the logged one is taken.
 */
#ifndef PORTSIDE_CURVE_WANDB_CONSOLE_H
#define PORTSIDE_CURVE_WANDB_CONSOLE_H

#include <stddef.h>

#include "curve/reader.h"

/* How the merge of a run calls them. */
extern const struct curve_format wandb_console_format;

struct wandb_stream {
	void *state;		/* of the terminal reader; NULL until there is a line */
	struct buf text;	/* the line that has not ended yet */
	struct curve_sink sink;
};

struct wandb_console {
	struct wandb_stream streams[2];		/* error, output */
};

void wandb_console_init(struct wandb_console *c);
void wandb_console_release(struct wandb_console *c);
/* A piece that was written at WRITTEN_S (NaN: not known). */
void wandb_console_take(struct wandb_console *c, struct curve_sink *sink, bool is_output,
	double written_s, const char *p, size_t n);

#endif
