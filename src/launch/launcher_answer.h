/*
 * launcher_answer - what the output of a launcher's command says.
 *
 * The rules, in this order, whatever the exit status:
 *
 *	a line (or an item) with a job	answered: the rows
 *	`refused` matches		refused for good, with its words
 *	`gone`				the id is unknown here: the next rung may know it
 *	`absent`			the service is not there: likewise, said once
 *	status is `ok`			answered, without rows
 *	anything else			unreachable, with the last line of standard error
 *
 * So a command that failed is never taken for "the job has ended", and a job that is not
 * in a list is never taken for one that ended well.
 *
 *	struct launcher_answer answer;
 *
 *	launcher_answer_read(&answer, operation, &run, &arena);
 *	row = launcher_answer_find(&answer, GROUP_ID, id);
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_ANSWER_H
#define PORTSIDE_LAUNCH_LAUNCHER_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/program_run.h"
#include "launch/launcher_file.h"
#include "launch/run_phase.h"

enum launcher_outcome {
	OUTCOME_ANSWERED, OUTCOME_GONE, OUTCOME_ABSENT, OUTCOME_REFUSED, OUTCOME_UNREACHABLE,
};

/* A job as one line or item shows it; NULL for what it does not say. */
struct launcher_row {
	const char *groups[GROUP_COUNT];
};

struct launcher_answer {
	enum launcher_outcome outcome;
	struct launcher_row *rows;	/* in their order */
	size_t n;
	bool partial;			/* not all is kept: who is not in ROWS may be there */
	const char *words;		/* a line for a person; "" when answered */
};

/* Everything in A, sanitised. */
void launcher_answer_read(struct launcher_answer *out, const struct launcher_operation *o,
	const struct program_run *run, struct arena *a);

/* The last row whose GROUP is VALUE; NULL when there is none. */
const struct launcher_row *launcher_answer_find(
	const struct launcher_answer *answer, enum launcher_group group, const char *value);

/*
 * The row as an answer of a poll.  A word that [state] does not map is alive, shown as it
 * is.  exited-0 stands for an exit: with a status that is not 0 it is failed, without any
 * it is the provider's word.
 */
void launcher_row_observation(
	struct run_observation *out, const struct launcher_file *f, const struct launcher_row *row);

/* Is the row's reason one that does not pass by itself? */
bool launcher_row_never(const struct launcher_file *f, const struct launcher_row *row);

#endif
