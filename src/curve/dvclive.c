/* dvclive - tab separated rows, aligned from the right. */
#include "config.h"

#include "curve/dvclive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/json_scan.h"
#include "curve/line_files.h"
#include "curve/reader_number.h"
#include "curve/yaml_flat.h"

enum { SUMMARY_BYTES_MAX = 16 * 1024 * 1024 };
#define METRICS_FOLDER "plots/metrics"

struct dvclive { struct line_files metrics; };

/* ---- a row ---- */

/* The last cell of P[0..*N), which becomes shorter; false when there is none. */
static bool last_cell(const char *p, size_t *n, bool *used_up, const char **cell, size_t *cell_n)
{
	const char *tab;

	if (*used_up)
		return false;
	tab = memrchr(p, '\t', *n);
	*cell = tab ? tab + 1 : p;
	*cell_n = *n - (size_t)(*cell - p);
	*n = tab ? (size_t)(tab - p) : 0;
	*used_up = !tab;
	return true;
}

static double time_of(const char *cell, size_t n)
{
	struct number number;

	if (!number_read(&number, cell, n) || !number_is_wall_time(number.value))
		return NAN;
	return number.value > 1e11 ? number.value / 1000 : number.value;
}

bool dvclive_row_read(
	const char *p, size_t n, int64_t *step, double *wall_s, double *value, bool *is_number)
{
	const char *cell, *value_cell;
	size_t cell_n, value_n;
	struct number number;
	bool used_up = false;

	*wall_s = NAN;
	if (!last_cell(p, &n, &used_up, &value_cell, &value_n) ||
		!last_cell(p, &n, &used_up, &cell, &cell_n) ||
		!number_read(&number, cell, cell_n) || !number.is_integer)
		return false;
	*step = number.integer;
	if (last_cell(p, &n, &used_up, &cell, &cell_n))
		*wall_s = time_of(cell, cell_n);
	*is_number = number_read(&number, value_cell, value_n);
	*value = *is_number ? number.value : NAN;
	return true;
}

static void take_line(
	void *user, struct curve_sink *sink, struct line_file *file, const struct line *line)
{
	double wall_s, value;
	int64_t step;
	bool is_number;

	(void)user;
	if (!line->n || !file->rows++)	/* the header */
		return;
	if (!dvclive_row_read(line->p, line->n, &step, &wall_s, &value, &is_number)) {
		sink->health.malformed++;
		return;
	}
	sink->health.records++;
	if (!is_number) {
		sink->health.non_numeric++;
		return;
	}
	if (!file->series)
		file->series =
			run_series_get(sink->series, file->name, strlen(file->name), AXIS_STEP);
	curve_sink_point(sink, file->series, step, wall_s, value);
}

/* ---- params.yaml and metrics.json ---- */

static bool has_rows(const struct dvclive *d, const char *name)
{
	for (size_t i = 0; i < d->metrics.n; i++)
		if (strcmp(d->metrics.list[i].name, name) == 0)
			return true;
	return false;
}

/* "train.loss" of the summary is "train/loss" among the files. */
static void put_last_value(
	const struct dvclive *d, struct curve_sink *sink, const struct json_field *f)
{
	struct buf name = BUF_INIT;
	struct number number;

	buf_add(&name, f->name, f->name_n);
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] == '.')
			name.s[i] = '/';
	if (json_field_number(f, &number) && !has_rows(d, name.s)) {
		char *setting = xasprintf("last.%s", name.s);

		settings_put(&sink->settings, setting, strlen(setting), f->text, f->text_n);
		free(setting);
	}
	buf_release(&name);
}

static void read_summary(const struct dvclive *d, struct curve_sink *sink, const char *path)
{
	struct json_row row = JSON_ROW_INIT;
	struct buf text = BUF_INIT;
	size_t used;

	if (fs_exists(path) && fs_read(&text, path, SUMMARY_BYTES_MAX) < 0)
		err_clear();
	if (text.n && *text.s == '{' &&
		json_scan_object(&row, text.s, text.n, &used) == JSON_SCAN_OK)
		for (size_t i = 0; i < row.n; i++)
			if (row.fields[i].kind == JSON_FIELD_NUMBER)
				put_last_value(d, sink, &row.fields[i]);
	json_row_release(&row);
	buf_release(&text);
}

static void read_settings(const struct dvclive *d, struct curve_sink *sink, const char *path)
{
	struct arena a = ARENA_INIT;

	if (yaml_flat_load(&sink->settings, "", fs_join(&a, path, "params.yaml")) < 0)
		err_clear();
	read_summary(d, sink, fs_join(&a, path, "metrics.json"));
	arena_release(&a);
}

/* ---- following ---- */

static int dvclive_refresh(void *state, struct curve_sink *sink, const char *path)
{
	struct dvclive *d = state;
	struct arena a = ARENA_INIT;
	int rc = line_files_look(&d->metrics, fs_join(&a, path, METRICS_FOLDER), ".tsv");

	if (rc == CURVE_SAME)
		rc = line_files_read(&d->metrics, sink, take_line, d);
	if (rc == CURVE_CHANGED)
		read_settings(d, sink, path);
	arena_release(&a);
	return rc;
}

static void *dvclive_new(const struct curve_sink *sink)
{
	(void)sink;
	return xcalloc(1, sizeof(struct dvclive));
}

static void dvclive_free(void *state)
{
	struct dvclive *d = state;

	line_files_release(&d->metrics);
	free(d);
}

static bool dvclive_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct arena a = ARENA_INIT;
	const char *metrics = fs_join(&a, path, METRICS_FOLDER);
	bool is;

	(void)basename;
	(void)head;
	(void)n;
	is = fs_is_dir(metrics) && line_files_any(metrics, ".tsv");
	arena_release(&a);
	return is;
}

static bool dvclive_holds(const char *name)
{
	return strcmp(name, "params.yaml") == 0 || strcmp(name, "metrics.json") == 0 ||
		(text_starts(name, METRICS_FOLDER "/") && text_ends(name, ".tsv"));
}

const struct curve_format dvclive_format = {
	.name = "dvclive",
	.title = "DVCLive",
	.delay = "each value",
	.shape = CURVE_STORE,
	.rank = RANK_TABLE,
	.recognise = dvclive_recognise,
	.new_state = dvclive_new,
	.free_state = dvclive_free,
	.refresh = dvclive_refresh,
	.holds = dvclive_holds,
};
