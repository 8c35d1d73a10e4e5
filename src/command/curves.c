/* curves - the curves of a run. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "command/groups.h"
#include "curve/run_files.h"
#include "workspace/run_results.h"
#include "workspace/state.h"

static const struct report_column series_columns[] = {
	{ .name = "series", .title = "series", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "points", .title = "points", .type = REPORT_INTEGER },
	{ .name = "first", .title = "first", .type = REPORT_DOUBLE },
	{ .name = "last", .title = "last", .type = REPORT_DOUBLE },
	{ .name = "min", .title = "min", .type = REPORT_DOUBLE },
	{ .name = "max", .title = "max", .type = REPORT_DOUBLE },
	{ .name = "last_x", .title = "at", .type = REPORT_DOUBLE },
	{ .name = "axis", .title = "axis", .type = REPORT_TEXT },
	{ .name = "nonfinite", .title = "NaN/Inf", .type = REPORT_INTEGER },
	{ .name = "segments", .title = "segments", .type = REPORT_INTEGER },
};

static const char *axis_name(enum axis axis)
{
	static const char *const names[] = {
		[AXIS_STEP] = "step",
		[AXIS_EPOCH] = "epoch",
		[AXIS_TIME] = "time",
		[AXIS_ORDINAL] = "row",
		[AXIS_EVAL_STEP] = "eval step",
	};

	return names[axis];
}

static void put_series(struct report_table *t, const struct series *s)
{
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		double v = series_value(s, i);

		if (isfinite(v) && v < least)
			least = v;
		if (isfinite(v) && v > most)
			most = v;
	}
	report_row(t);
	report_text(t, "series", s->name);
	report_integer(t, "points", (int64_t)s->n);
	report_text(t, "axis", axis_name(s->axis));
	report_integer(t, "nonfinite", (int64_t)s->n_nonfinite);
	report_integer(t, "segments", (int64_t)s->n_segments);
	if (!s->n)
		return;
	report_double(t, "first", series_value(s, 0));
	report_double(t, "last", series_value(s, s->n - 1));
	report_double(t, "last_x", series_x(s, s->n - 1));
	if (least <= most) {
		report_double(t, "min", least);
		report_double(t, "max", most);
	}
}

static void note_files(struct report_table *t, const struct run_files *files)
{
	struct buf lines = BUF_INIT;

	run_files_add_lines(&lines, files);
	for (char *save, *line = strtok_r(lines.s, "\n", &save); line;
		line = strtok_r(NULL, "\n", &save))
		report_note(t, "%s", line);
	for (size_t i = 0; i < files->series->n; i++) {
		const struct series *s = files->series->series[i];

		if (s->x_metric && s->n)
			report_note(t, "x-metric: %s: the program chose %s as its x", s->name,
				s->x_metric);
	}
	for (size_t i = 0; i < files->notes.n; i++)
		report_note(t, "%s: %s", files->notes.notes[i].id, files->notes.notes[i].text);
	buf_release(&lines);
}

/* Every point of one series, as logged. */
static int put_points(struct call *c, const struct run_files *files, const char *metric)
{
	static const struct report_column columns[] = {
		{ .name = "x", .title = "x", .type = REPORT_DOUBLE },
		{ .name = "value", .title = "value", .type = REPORT_DOUBLE },
		{ .name = "segment", .title = "segment", .type = REPORT_INTEGER },
		{ .name = "time", .title = "time", .type = REPORT_TIME },
	};
	const struct series *s = run_series_find(files->series, metric, -1);
	size_t segment = 0;

	if (!s)
		return err_set(ERR_NOT_FOUND,
			"the run does not log %s; portside curves RUN lists what it does", metric);
	c->table = report_table_new(c->arena, "curve", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < s->n && !call_cancelled(c); i++) {
		while (segment + 1 < s->n_segments && s->segments[segment + 1].first <= i)
			segment++;
		report_row(c->table);
		report_double(c->table, "x", series_x(s, i));
		report_double(c->table, "value", series_value(s, i));
		report_integer(c->table, "segment", (int64_t)segment + 1);
		if (fabs(series_wall(s, i)) < 9e9)
			report_integer(c->table, "time", (int64_t)(series_wall(s, i) * 1e9));
	}
	return 0;
}

static int curves_run(struct call *c)
{
	const char *metric = call_text(c, "--metric");
	struct run_state *r;
	struct run_files *files;
	int rc = state_run(c->workspace, call_text(c, "run"), c->at, c->arena, &r);

	if (rc < 0 || (rc = run_results_open(&files, c->workspace, r->id, c->arena)) < 0)
		return rc;
	rc = run_files_read(files, c->progress.cancel);
	if (rc == 0 && metric) {
		rc = put_points(c, files, metric);
	} else if (rc == 0) {
		c->table = report_table_new(
			c->arena, "curves", series_columns, ARRAY_LEN(series_columns));
		for (size_t i = 0; i < files->series->n; i++)
			put_series(c->table, files->series->series[i]);
		if (!files->series->n)
			report_note(c->table,
				"no curves yet: nothing in the run's files reads as a metric");
		note_files(c->table, files);
	}
	run_files_free(files);
	return rc;
}

static const struct argument curves_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ "--metric", ARGUMENT_TEXT, "the points of this series in place of the list", false, false,
		NULL, NULL },
	{ 0 },
};

const struct operation curve_operations[] = {
	{ "curves", NULL, 0, "every series of a run, and the health of its files",
		OPERATION_CLI | OPERATION_LONG, curves_arguments, curves_run, 0 },
	{ 0 },
};
