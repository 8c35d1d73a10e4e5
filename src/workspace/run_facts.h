/*
 * run_facts - what is known about a run's inputs, for "comparable?".
 *
 * From the run's own record (seed, device, declared steps; packages of the
 * interpreter and variables that change arithmetic, where they were captured), from
 * the configuration that a tracker kept beside the curves, from what its files state
 * (head of a trainer_state.json: steps and batch; series that are facts: number of
 * evaluated examples), from the record of the probe (effective batch, norm of clipping,
 * evaluated examples, number format), and from what the run declares in a file
 * portside-facts.json beside its curves:
 *
 *	{ "data": "sst2@3f9c order 1", "batch": 128, "optimizer": "adamw 0.9 0.999" }
 *
 * whose keys are the names of the items (see RUN_FACT_NAMES).  A declaration
 * beats what was derived.  What nobody logged stays unknown.
 *
 * The batch of a trainer_state is that of one process: a change in the number
 * of devices shows in steps-per-epoch, or is declared.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_FACTS_H
#define PORTSIDE_WORKSPACE_RUN_FACTS_H

#include "curve/align.h"
#include "curve/comparable.h"
#include "curve/run_files.h"
#include "domain/object.h"

/* Keys of the file, for the manual and for tests. */
#define RUN_FACT_NAMES                                                                              \
	"batch checkpoint clipping data dropout environment evaluation examples nan-filter "         \
	"optimizer packages parameters precision steps steps-per-epoch teacher tokenizer "           \
	"tokens-per-step warm-up weights window"

/* What was found in files, until one of them changes.  Zeroed by its owner. */
struct run_facts_cache {
	bool filled;
	uint64_t stamp;
	struct run_facts facts;
};

/* Texts of OUT live in A or belong to RUN.  Files are read again only when they changed.
 * RUNDIR: of the run; NULL where it is not on this machine. */
void run_facts_gather(struct run_facts *out, struct run_facts_cache *cache,
	const struct run_state *run, const struct run_files *files, const char *rundir,
	struct arena *a);

/* What S says of facts that OUT does not know yet; texts in A. */
void run_facts_add_settings(struct run_facts *out, const struct settings *s, struct arena *a);

/* One name for a number format, whatever a library or a person calls it: "fp32" for f32,
 * float32, torch.float32, single; likewise "fp64", "fp16" (half), "bf16", "tf32".  Any
 * other word is itself. */
const char *run_facts_precision(const char *name);

/* How steps of the run become samples or tokens: what its files counted, else the
 * factor that is known. */
struct axis_scale run_facts_scale(
	const struct run_facts *f, const struct run_files *files, enum align_axis axis);

#endif
