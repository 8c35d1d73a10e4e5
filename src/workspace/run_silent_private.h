/*
 * run_silent_private - what the files of run_silent.h share.
 */
#ifndef PORTSIDE_WORKSPACE_RUN_SILENT_PRIVATE_H
#define PORTSIDE_WORKSPACE_RUN_SILENT_PRIVATE_H

#include "workspace/run_silent.h"

/* Loss and gradient norm at equal steps; both N 0 without a loss. */
void run_silent_loss(struct silent_input *in, const struct run_files *files, struct arena *a);

/* Memory of the host or of a device, by the series' name; N 0 without one. */
void run_silent_memory(struct silent_input *in, const struct run_files *files, struct arena *a);

/* Step times and memory of the host as the probe of RUN recorded them. */
int run_silent_probe(struct silent_input *in, struct workspace *ws, const struct run_state *run,
	struct arena *a) ATTR_MUST_USE;

#endif
