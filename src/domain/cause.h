/*
 * cause - why attempts fail: C0 to C6, outcomes, and silence.
 *
 * The counts of the study are data, not limits: the list stays open (C0 takes
 * what does not fit).  A cause is labelled by mechanism and by the fix that worked,
 * not by the text of the error.
 */
#ifndef PORTSIDE_DOMAIN_CAUSE_H
#define PORTSIDE_DOMAIN_CAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "domain/vocabulary.h"

struct cause {
	const char *id;		/* "C4" */
	const char *name;	/* "lazy-tensor execution" */
	const char *mechanism;
	const char *symptoms;
	int study_count, study_silent;	/* -1: not printed there */
};

enum { CAUSES_N = 7 };
extern const struct cause causes[CAUSES_N];
const struct cause *cause_find(const char *id);		/* "C4" or "c4"; NULL */

enum attempt_outcome {
	OUTCOME_NONE, OUTCOME_SUCCESS, OUTCOME_FAILURE, OUTCOME_ABORTED, OUTCOME_SUPERSEDED,
};
extern const struct words words_outcome;

/* Silent is said, not guessed: yes, no, or nothing recorded. */
enum silence { SILENT_NONE, SILENT_YES, SILENT_NO };
extern const struct words words_silent;

#endif
