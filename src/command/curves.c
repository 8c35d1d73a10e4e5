/*
 * curves - the curves of a run, and files from elsewhere.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "command/groups.h"
#include "curve/run_files.h"
#include "workspace/import.h"
#include "workspace/run_results.h"
#include "workspace/state.h"

/* ---- curves ------------------------------------------------------------------------------- */

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

/* ---- import -------------------------------------------------------------------------------- */

/* All that was named, and the NULL that ends them. */
static const char *const *paths_of(const struct call *c)
{
	const char **paths;
	size_t n = 0;

	while (call_text_at(c, "file", n))
		n++;
	paths = arena_alloc(c->arena, (n + 1) * sizeof *paths);
	for (size_t i = 0; i <= n; i++)
		paths[i] = call_text_at(c, "file", i);
	return paths;
}

static int import_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "file", .title = "file", .type = REPORT_TEXT },
		{ .name = "format", .title = "read as", .type = REPORT_TEXT },
		{ .name = "size", .title = "size", .type = REPORT_BYTES },
		{ .name = "left", .title = "left because", .type = REPORT_TEXT },
	};
	const char *kind = call_text(c, "--kind");
	struct import_request r = { .subject = call_text(c, "attempt"),
		.paths = paths_of(c),
		.target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"),
		.commit = call_text(c, "--commit") };
	struct imported imported;
	int rc;

	if (kind)
		r.kind = (enum run_kind)word_find(&words_run_kind, kind);
	if ((rc = import_files(&imported, c->workspace, &r, c->arena)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "import", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < imported.n; i++) {
		const struct imported_file *f = &imported.files[i];

		report_row(c->table);
		report_text(c->table, "file", f->name);
		report_text(c->table, "format", *f->format ? f->format : NULL);
		if (!f->left)
			report_integer(c->table, "size", f->size);
		report_text(c->table, "left", f->left);
	}
	if (!imported.run)
		report_note(c->table,
			"nothing was taken: none of these files reads as a curve or a log");
	else if (imported.already)
		report_note(c->table, "known already: run %s of %s", imported.run, r.subject);
	else
		report_note(c->table, "imported: run %s of %s, by %s", imported.run, r.subject,
			workspace_actor(c->workspace)->text);
	c->no = !imported.run;
	return 0;
}

static const struct argument curves_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ "--metric", ARGUMENT_TEXT, "the points of this series in place of the list", false, false,
		NULL, NULL },
	{ 0 },
};
static const struct argument import_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "whose they are: 7, or reference", true, false, NULL, NULL },
	{ "file", ARGUMENT_PATH, "logs, curve files, folders of them", true, true, NULL, NULL },
	{ "--target", ARGUMENT_TARGET, "where they were made", false, false, NULL, "elsewhere" },
	{ "--kind", ARGUMENT_WORD, "of the run that made them", false, false, "smoke full",
		"full" },
	{ "--seed", ARGUMENT_INTEGER, "its seed", false, false, NULL, "unknown" },
	{ "--commit", ARGUMENT_TEXT, "its commit", false, false, NULL, "unknown" },
	{ 0 },
};

const struct operation curve_operations[] = {
	{ "curves", NULL, 0, "every series of a run, and the health of its files",
		OPERATION_CLI | OPERATION_LONG, curves_arguments, curves_run, 0 },
	{ "import", NULL, 0, "attach logs and curve files that were made elsewhere",
		OPERATION_CLI | OPERATION_WRITES | OPERATION_LONG, import_arguments, import_run,
		0 },
	{ 0 },
};
