/*
 * launcher_values - what the names in braces of a launcher stand for.
 *
 * Names of the run are one table here, with what each means; a definition's own fields
 * come besides (launcher_file.h).  Values are borrowed, "" by default, and only ever become
 * part of one argument.
 *
 *	struct launcher_values v = { .file = file };
 *
 *	launcher_values_set(&v, VALUE_RUN_ID, spec->run_id);
 *	template_expand(&out, text, launcher_value, &v, &empty);
 */
#ifndef PORTSIDE_LAUNCH_LAUNCHER_VALUES_H
#define PORTSIDE_LAUNCH_LAUNCHER_VALUES_H

#include <stddef.h>

#include "launch/launcher_file.h"

enum launcher_value_name {
	VALUE_RUN_ID, VALUE_RUN_DIR, VALUE_RUN_CMD, VALUE_RUN_ENV, VALUE_REMOTE_DIR,
	VALUE_LIMIT_SECONDS, VALUE_LIMIT_MINUTES, VALUE_GRACE_SECONDS,
	VALUE_JOB_ID, VALUE_JOB_IDS, VALUE_JOB_CLUSTER, VALUE_JOB_NODE,
	VALUE_LOG_OFFSET, VALUE_LOG_MAX, VALUE_CANCEL_WHY, VALUE_DATA_DIR, VALUE_REPO_DIR,
	VALUE_ARRAY_RANGE,
	VALUE_COUNT
};

struct launcher_values {
	const struct launcher_file *file;
	const char *run[VALUE_COUNT];	/* NULL: "" */
	const char *const *fields;	/* one for each of FILE->fields; NULL: their defaults */
};

/* A template_value_fn; USER is a struct launcher_values. */
const char *launcher_value(const void *user, const char *name, size_t n);

const char *launcher_value_word(enum launcher_value_name v);	/* "run.id" */
const char *launcher_value_help(enum launcher_value_name v);

#endif
