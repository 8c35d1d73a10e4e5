/* launcher_values - the table of the run's names. */
#include "config.h"

#include "launch/launcher_values.h"

#include <string.h>

static const struct {
	const char *word, *help;
} names[VALUE_COUNT] = {
	[VALUE_RUN_ID] = { "run.id", "the run's id, chosen before anything is launched" },
	[VALUE_RUN_DIR] = { "run.dir", "its directory, here" },
	[VALUE_RUN_CMD] = { "run.cmd", "the file of its command, here" },
	[VALUE_RUN_ENV] = { "run.env", "the file of its environment, here" },
	[VALUE_REMOTE_DIR] = { "remote.dir", "its directory, where it runs" },
	[VALUE_LIMIT_SECONDS] = { "limit.seconds", "its time limit; 0 for none" },
	[VALUE_LIMIT_MINUTES] = { "limit.minutes",
		"limit, grace and a minute, rounded up, for the provider's own limit" },
	[VALUE_GRACE_SECONDS] = { "grace.seconds", "between TERM and KILL" },
	[VALUE_JOB_ID] = { "job.id", "the provider's id" },
	[VALUE_JOB_IDS] = { "job.ids", "those of all jobs that one poll asks for" },
	[VALUE_JOB_CLUSTER] = { "job.cluster", "the cluster that gave the id" },
	[VALUE_JOB_NODE] = { "job.node", "where it runs" },
	[VALUE_LOG_OFFSET] = { "log.offset", "first byte of the log that is asked for" },
	[VALUE_LOG_MAX] = { "log.max", "bytes of the log that are taken at once" },
	[VALUE_CANCEL_WHY] = { "cancel.why", "one word: why it is cancelled" },
	[VALUE_DATA_DIR] = { "data.dir", "the folder of portside's data" },
	[VALUE_REPO_DIR] = { "repo.dir", "the folder of the code that the run uses" },
	[VALUE_ARRAY_RANGE] = { "array.range", "the indices of an array of jobs" },
};

const char *launcher_value_word(enum launcher_value_name v)
{
	return names[v].word;
}

const char *launcher_value_help(enum launcher_value_name v)
{
	return names[v].help;
}

static const char *value_of_field(const struct launcher_values *v, const struct launcher_field *f)
{
	const char *value = v->fields ? v->fields[f - v->file->fields] : NULL;

	return value ? value : f->otherwise;
}

const char *launcher_value(const void *user, const char *name, size_t n)
{
	const struct launcher_values *v = user;
	const struct launcher_field *field;

	for (size_t i = 0; i < VALUE_COUNT; i++)
		if (strlen(names[i].word) == n && memcmp(names[i].word, name, n) == 0)
			return v->run[i] ? v->run[i] : "";
	field = launcher_file_field(v->file, name, n);
	return field ? value_of_field(v, field) : NULL;
}
