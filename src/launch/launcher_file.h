/*
 * launcher_file - a launcher as data: data/launchers/NAME.launcher.
 *
 * An engine is a file in git-config syntax.  It says which commands submit, find, poll,
 * show, fetch, cancel and release, how their output is read, and what each state of the
 * provider means.  Nothing in it is a shell line: each `arg` is one element of an argument
 * vector, in which {name} stands for a value (template.h).
 *
 *	[launcher]
 *	    name = slurm
 *	    program = sbatch			; must be there; `doctor` looks
 *	    unset = SQUEUE_FORMAT		; never in the commands' environment
 *	[field "partition"]
 *	    pattern = [A-Za-z0-9_,-]+		; a full match, checked before anything runs
 *	[submit]
 *	    arg = sbatch
 *	    optional = --partition={partition}	; dropped while the field is empty
 *	    line = "^(?<id>[0-9]+)$"
 *	[poll "1"]				; rungs of a ladder, by their number
 *	    batch = ","				; one command for all jobs: {job.ids}
 *	    gone = "Invalid job id"
 *	[state]
 *	    map = "COMPLETED exited-0"
 *	    map = "PENDING|CONFIGURING queued"
 *	    never = "PartitionTimeLimit"	; a reason that does not pass by itself
 *
 * The keys of each section are one table in launcher_file.c.  An unknown section, key, name in braces, group or state, a
 * pattern that does not compile, a value twice: ERR_PARSE with file and line.
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_FILE_H
#define PORTSIDE_LAUNCH_LAUNCHER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/conf.h"
#include "base/mem.h"
#include "launch/launcher_pattern.h"
#include "launch/run_phase.h"

enum launcher_step {
	STEP_STAGE, STEP_SUBMIT, STEP_FIND, STEP_POLL, STEP_LOG, STEP_FETCH, STEP_CANCEL,
	/* the life of a machine */
	STEP_ACQUIRE, STEP_READY, STEP_RELEASE, STEP_GONE,
	STEP_COUNT
};

struct launcher_argument {
	const char *text;		/* a template */
	bool optional;			/* dropped when a value in it is empty */
	int line;
};

/* GROUP of a job is at POINTER (RFC 6901) of its item. */
struct launcher_pointer {
	enum launcher_group group;
	const char *pointer;
};

struct launcher_operation {
	enum launcher_step step;
	const char *name;		/* "1" of [poll "1"]; "" when it has none */
	int line;
	struct launcher_argument *arguments;
	size_t n_arguments, cap_arguments;
	const char *input;		/* template: a file for standard input; NULL: empty */
	int64_t limit_ns;
	uint8_t ok[256 / 8];		/* exit statuses that mean success, a bit each */
	struct launcher_patterns lines;	/* with groups */
	struct launcher_patterns gone;	/* this id is unknown: the next rung answers */
	struct launcher_patterns absent;	/* the service is not there: likewise */
	struct launcher_patterns refused;	/* for good */
	struct launcher_patterns retry;	/* passes by itself */
	const char *items;		/* JSON pointer to the list of jobs; NULL: lines */
	struct launcher_pointer *pointers;
	size_t n_pointers, cap_pointers;
	const char *batch;		/* between the ids of {job.ids}; NULL: one job a command */
	bool confirm;			/* its success proves nothing: poll until the end */
};

struct launcher_field {
	const char *name;
	struct launcher_pattern pattern;	/* CODE NULL: any value */
	const char *otherwise;
	bool required, secret;
	int line;
};

struct launcher_state {
	struct launcher_pattern pattern;	/* of the provider's word */
	enum run_phase phase;
};

struct launcher_file {
	struct arena arena;
	const char *path, *name;
	bool remote;			/* its commands go through the target's host */
	const char **programs, **unset, **set;	/* SET: NAME=VALUE */
	size_t n_programs, n_unset, n_set;
	struct launcher_field *fields;
	size_t n_fields, cap_fields;
	struct launcher_operation *operations;	/* by step, then by name as numbers */
	size_t n_operations, cap_operations;
	struct launcher_state *states;
	size_t n_states, cap_states;
	struct launcher_patterns never;	/* of the provider's reason */
};

/* *OUT is yours: launcher_file_free(); NULL on ERR_PARSE. */
int launcher_file_read(struct launcher_file **out, const struct conf *c) ATTR_MUST_USE;
void launcher_file_free(struct launcher_file *f);	/* NULL is fine */

/* The I-th operation of STEP; NULL beyond the last. */
const struct launcher_operation *launcher_file_operation(
	const struct launcher_file *f, enum launcher_step step, size_t i);
const struct launcher_field *launcher_file_field(
	const struct launcher_file *f, const char *name, size_t n);
bool launcher_operation_ok(const struct launcher_operation *o, int rc);

const char *launcher_step_word(enum launcher_step s);	/* "submit" */

/* The value of a target's key for FIELD, or its default: ERR_USAGE when it is required
 * and empty, or no full match.  VALUE NULL: not given. */
int launcher_field_check(const char **out, const struct launcher_file *f,
	const struct launcher_field *field, const char *value) ATTR_MUST_USE;

#endif
