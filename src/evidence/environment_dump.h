/*
 * environment_dump - the environment that a run had: the output of `env`, a shell's
 * `export` lines, the NUL-separated file of a capture.
 *
 * Kept are the variables that decide how a run runs, by one table with what each is
 * for; of others only their number is.  A name or a value that looks like a secret is
 * never kept.  torch_xla sets some of these when it is imported: which moment a dump
 * is of is not in it.
 *
 * A NUL-separated file has records instead of lines, and its facts their numbers.
 */
#ifndef PORTSIDE_EVIDENCE_ENVIRONMENT_DUMP_H
#define PORTSIDE_EVIDENCE_ENVIRONMENT_DUMP_H

#include <stdbool.h>

#include "evidence/evidence_format.h"

enum { ENVIRONMENT_DUMP_VERSION = 1 };

enum variable_group {
	VARIABLE_DEVICE, VARIABLE_DEBUGGING, VARIABLE_COMPILER, VARIABLE_NUMERICS,
	VARIABLE_TORCHTPU, VARIABLE_RUN, VARIABLE_GROUPS
};
extern const char *const variable_group_words[VARIABLE_GROUPS];

struct environment_variable {
	const char *name;		/* or a pattern: "NCCL_*" */
	enum variable_group group;
	bool numerics;			/* equal or declared before two runs are compared */
};

/* NULL: it is not kept. */
const struct environment_variable *environment_variable_find(const char *name);

bool environment_dump_recognise(const struct evidence_source *source);
void environment_dump_parse(struct evidence_facts *facts, const struct evidence_source *source);

#endif
