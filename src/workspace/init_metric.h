/*
 * init_metric - which series of earlier logs looks like the result.
 */
#ifndef PORTSIDE_WORKSPACE_INIT_METRIC_H
#define PORTSIDE_WORKSPACE_INIT_METRIC_H

#include "workspace/init_look.h"

/* NAMES are relative to WORKDIR; fills log, metric, scale, direction and
 * last_step of OUT.  A file that is no curve tells nothing. */
void look_at_curves(struct init_look *out, const char *workdir, const char *const *names, size_t n,
		    const atomic_bool *cancel, struct arena *a);

#endif
