/*
 * run_id - the name of a run at every place that sees it.
 *
 * "ps-" and 13 lower-case base32 characters (a-z, 2-7): 65 random bits, chosen
 * and stored before the launch.  It is the Slurm job name, the TPU node name,
 * the Kubernetes job name, ..., so it matches [a-z]([-a-z0-9]*[a-z0-9])? and
 * is a safe file name and a safe word for a remote shell.
 */
#ifndef PORTSIDE_LAUNCH_RUN_ID_H
#define PORTSIDE_LAUNCH_RUN_ID_H

#include <stdbool.h>

enum {
	RUN_ID_LENGTH = 16,
	RUN_ID_SIZE = RUN_ID_LENGTH + 1,	/* with the NUL */
};

void run_id_new(char out[RUN_ID_SIZE]);
bool run_id_valid(const char *s);		/* NULL is not */

#endif
