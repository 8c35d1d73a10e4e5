/*
 * wandb_folder - what the names of W&B's files and folders say.
 *
 *	wandb/[offline-]run-20231114_221320-abc12345/run-abc12345.wandb
 *	      latest-run -> run-20231114_221320-abc12345
 *
 * The id is that of the run.  A run that was resumed has a folder for each
 * session, with the time of its beginning in the name.  What else lies in such a
 * folder are W&B's own logs, and copies of what the .wandb file holds.
 */
#ifndef PORTSIDE_CURVE_WANDB_FOLDER_H
#define PORTSIDE_CURVE_WANDB_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Pieces of a path of a .wandb file; borrowed from it. */
struct wandb_place {
	const char *id;		/* of the run */
	size_t id_n;
	const char *stamp;	/* "20231114_221320"; "" where no such folder is */
	size_t stamp_n;
	size_t home_n;		/* bytes of the path up to the folder of all sessions */
};

/* False when the name of the file has no id in it. */
bool wandb_place_read(struct wandb_place *out, const char *path);

/* Why a file in a folder of W&B is no curve, a sentence; NULL for any other file. */
const char *wandb_aside(const char *path);
/* The file is what the run printed, as W&B keeps it beside the .wandb file. */
bool wandb_is_console_copy(const char *path);

#endif
