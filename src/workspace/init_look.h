/*
 * init_look - what a work tree tells about how the project is trained.
 *
 * Bounded: so many files, so many bytes of each.  A field that nothing tells is
 * NULL; each has its WHERE.  Private to init.
 */
#ifndef PORTSIDE_WORKSPACE_INIT_LOOK_H
#define PORTSIDE_WORKSPACE_INIT_LOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct looked {
	const char *value, *where;	/* NULL: not found */
};

struct init_look {
	struct looked title;		/* first heading of the README */
	struct looked script;		/* "train.py" */
	struct looked others;		/* "eval.py, run_glue.py" */
	struct looked launcher;		/* what the README starts it with: "torchrun ..." */
	struct looked command;		/* the script and its arguments, as the README has them */
	struct looked code;		/* "12 in 3 files": CUDA constructs */
	struct looked steps;		/* the argument: "--max_steps" */
	struct looked seed;
	struct looked done;		/* text that the script prints at its end */
	struct looked data;		/* folder that git does not track */
	struct looked framework;	/* "torch", "jax", "tensorflow" */
	struct looked cuda;		/* packages that need CUDA, by commas */
	struct looked requirements;	/* a file for pip */
	struct looked tpu_requirements;
	struct looked log;		/* a trainer_state.json or another curve file */
	struct looked metric;		/* series that looks like the result */
	struct looked scale;		/* "100" when its values are fractions */
	struct looked direction;	/* "higher", "lower" */
	struct looked last_step;	/* of the log */
	struct looked batch;		/* "Slurm": a script for its sbatch */
	bool cut;			/* more files than are looked at */
};

/* WORKDIR is the main work tree.  Strings in A. */
int look_at(struct init_look *out, const char *workdir, const atomic_bool *cancel,
	struct arena *a) ATTR_MUST_USE;

#endif
