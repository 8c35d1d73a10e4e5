/* reader_formats - the table of formats and the choice among them. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/csv.h"
#include "curve/dvclive.h"
#include "curve/foreign_database.h"
#include "curve/jsonl.h"
#include "curve/mlflow_database.h"
#include "curve/mlflow_files.h"
#include "curve/predictions.h"
#include "curve/reader.h"
#include "curve/terminal.h"
#include "curve/tfevents.h"
#include "curve/trackio.h"
#include "curve/trainer_state.h"
#include "curve/wandb.h"

const struct curve_format *const curve_formats[] = {
	&tfevents_format,
	&wandb_format,
	&mlflow_database_format,
	&trackio_format,
	&mlflow_files_format,
	&dvclive_format,
	&trainer_state_format,
	&predictions_format,
	&csv_format,
	&jsonl_format,
	&terminal_format,
	NULL,
};

/* Packed copies are no empty runs. */
static const struct packed { const char *magic; size_t n; const char *name; } packed_forms[] = {
	{ "\x1f\x8b", 2, "gzip" },
	{ "\x28\xb5\x2f\xfd", 4, "zstd" },
	{ "BZh", 3, "bzip2" },
	{ "\xfd" "7zXZ", 5, "xz" },
	{ "PK\x03\x04", 4, "zip" },
};

const struct curve_format *curve_format_find(const char *name)
{
	for (size_t i = 0; curve_formats[i]; i++)
		if (strcmp(curve_formats[i]->name, name) == 0)
			return curve_formats[i];
	return NULL;
}

/* What a name ends with, and the formats that keep its promise. */
static const struct promise { const char *end, *title, *formats[4]; } promises[] = {
	{ ".csv", "a table", { "csv", "predictions" } },
	{ ".tsv", "a table", { "csv", "predictions" } },
	{ ".jsonl", "JSON lines", { "jsonl", "predictions" } },
	{ ".ndjson", "JSON lines", { "jsonl", "predictions" } },
	{ ".json", "JSON", { "trainer_state", "jsonl", "predictions" } },
	{ ".wandb", "W&B", { "wandb" } },
	{ ".db", "an SQLite database", { "mlflow-sqlite", "trackio" } },
	{ ".sqlite", "an SQLite database", { "mlflow-sqlite", "trackio" } },
	{ ".sqlite3", "an SQLite database", { "mlflow-sqlite", "trackio" } },
};

const char *curve_name_promises(const char *basename, const struct curve_format *format)
{
	for (size_t i = 0; i < ARRAY_LEN(promises); i++) {
		if (!text_ends(basename, promises[i].end))
			continue;
		for (size_t k = 0; format && k < ARRAY_LEN(promises[i].formats); k++)
			if (promises[i].formats[k] &&
				strcmp(promises[i].formats[k], format->name) == 0)
				return NULL;
		return promises[i].title;
	}
	return NULL;
}

/*
 * Nothing but a tracker's database: text readers would take what a damaged one is
 * full of.  Opened once, since that may take a copy.
 */
static const struct curve_format *choose_database(const char *path)
{
	static const struct {
		const struct curve_format *format;
		int (*is)(struct foreign_database *d);
	} databases[] = {
		{ &mlflow_database_format, mlflow_database_is },
		{ &trackio_format, trackio_is },
	};
	const struct curve_format *found = NULL;
	struct foreign_database d;
	int rc = 0;

	if (foreign_database_open(&d, path, NULL) < 0)
		return NULL;
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(databases); i++)
		if ((rc = databases[i].is(&d)) > 0)
			found = databases[i].format;
	if (rc == 0 && d.log_missing)
		(void)foreign_database_lacks_log(&d);
	else if (rc == 0)
		(void)err_set(ERR_NOT_FOUND,
			"%s is an SQLite database of another program: it has neither MLflow's nor trackio's tables",
			path);
	foreign_database_close(&d);
	return found;
}

/* A folder can only be a store; a file is any format. */
static const struct curve_format *choose(const char *path, const char *head, size_t n, bool folder)
{
	const char *basename = fs_basename(path);

	for (size_t i = 0; i < ARRAY_LEN(packed_forms); i++)
		if (n >= packed_forms[i].n &&
			memcmp(head, packed_forms[i].magic, packed_forms[i].n) == 0) {
			(void)err_set(ERR_PARSE, "%s is packed with %s; unpack it first", path,
				packed_forms[i].name);
			return NULL;
		}
	if (wandb_check_head(path, head, n) < 0)
		return NULL;
	if (foreign_database_is_magic(head, n))
		return choose_database(path);
	for (size_t i = 0; curve_formats[i]; i++)
		if ((!folder || curve_formats[i]->shape == CURVE_STORE) &&
		    curve_formats[i]->recognise(path, basename, head, n))
			return curve_formats[i];
	if (n == 0 && !folder)
		(void)err_set(ERR_NOT_FOUND, "%s is empty: its format is not known yet", path);
	else if (!folder && curve_name_promises(basename, NULL))
		(void)err_set(ERR_NOT_FOUND,
			"%s holds no curve in a known format, though its name says %s", path,
			curve_name_promises(basename, NULL));
	else
		(void)err_set(ERR_NOT_FOUND, "%s holds no curve in a known format", path);
	return NULL;
}

const struct curve_format *curve_format_recognise(const char *path)
{
	const struct curve_format *format = NULL;
	struct curve_source src = { .fd = -1 };
	struct stat st;
	const char *head;
	size_t n;
	int fd;

	if (stat(path, &st) < 0) {
		(void)err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", path);
		return NULL;
	}
	if (S_ISDIR(st.st_mode))
		return choose(path, "", 0, true);
	if (!S_ISREG(st.st_mode)) {
		(void)err_set(ERR_IO, "%s is not a regular file", path);
		return NULL;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		(void)err_errno(ERR_IO, "%s", path);
		return NULL;
	}
	source_open_fd(&src, fd, st.st_size < CURVE_HEAD_MAX ? st.st_size : CURVE_HEAD_MAX);
	head = source_bytes(&src, 0, CURVE_HEAD_MAX, &n);
	if (src.error) {
		errno = src.error;
		(void)err_errno(ERR_IO, "%s", path);
	} else {
		format = choose(path, head, n, false);
	}
	source_release(&src);
	close(fd);
	return format;
}
