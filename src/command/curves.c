/*
 * curves - the curves of a run, a run beside the reference, and files from
 * elsewhere.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/curves.h"
#include "command/groups.h"
#include "curve/export.h"
#include "report/svg.h"
#include "workspace/import.h"
#include "workspace/run_results.h"
#include "workspace/state.h"

/* ---- compare ---------------------------------------------------------------------------- */

void curves_export(struct export_comparison *out, const struct run_comparison *c)
{
	*out = (struct export_comparison){
		.metric = c->metric, .unit = *c->unit ? c->unit : NULL, .reference_name = c->reference.name,
		.attempt_name = c->attempt.name, .reference = c->reference.series, .attempt = c->attempt.series,
		.comparison = &c->comparison, .comparable = &c->comparable, .provenance = &c->provenance,
	};
}

static int read_request(struct comparison_request *r, const struct call *c)
{
	const char *kind = call_text(c, "--kind"), *align = call_text(c, "--align"), *axis = call_text(c, "--axis");

	*r = (struct comparison_request){
		.attempt_run = call_text(c, "attempt"), .reference_run = call_text(c, "--against"), .goal = call_text(c, "--goal"),
		.metric = call_text(c, "--metric"), .configuration = call_text(c, "--configuration"), .at = c->at,
		.cancel = c->progress.cancel,
	};
	if (kind)
		r->kind = (enum run_kind)word_find(&words_run_kind, kind);
	if (align && !align_mode_from_name(&r->align.mode, align))
		return err_set(ERR_USAGE, "--align: \"%s\" is none of: exact nearest hold linear window", align);
	if (axis && !align_axis_from_name(&r->align.axis, axis))
		return err_set(ERR_USAGE, "--axis: \"%s\" is none of: step step-from-start epoch time", axis);
	r->align.nearest_max = call_number(c, "--within", INFINITY);
	r->has_tolerance = call_text(c, "--atol") || call_text(c, "--rtol");
	r->tolerance.atol = call_number(c, "--atol", 0);
	r->tolerance.rtol = call_number(c, "--rtol", 0);
	return 0;
}

static int write_svg(const struct export_comparison *e, const char *path)
{
	struct buf out = BUF_INIT;
	int rc;

	svg_comparison(&out, e, NULL);
	rc = fs_write_durable(path, out.s, out.n, 0644);
	buf_release(&out);
	return rc;
}

static int print_comparison(struct call *c, const struct run_comparison *rc, const char *format)
{
	struct export_comparison e;
	const char *svg = call_text(c, "--svg");
	int64_t rows = call_integer(c, "--rows", 12);
	int result = 0;

	if (!rc->has_comparison) {
		c->message = arena_strdup(c->arena, rc->missing);
		c->no = true;
		return 0;
	}
	curves_export(&e, rc);
	if (format && strcmp(format, "csv") == 0)
		export_csv(&c->text, &e);
	else if (c->wants_json)
		export_json(&c->text, &e, false);
	else
		export_text(&c->text, &e, rows < 0 ? 0 : (size_t)rows);
	if (svg && (result = write_svg(&e, svg)) == 0)
		c->message = arena_printf(c->arena, "the chart is in %s", svg);
	/* Yes only when nothing stands in the way and every point is inside. */
	c->no = rc->comparable.overall == COMPARABLE_NO || rc->comparison.verdict != COMPARE_MATCH;
	return result;
}

static int compare_run(struct call *c)
{
	struct comparison_request r;
	struct run_comparison *comparison;
	int rc = read_request(&r, c);

	if (rc < 0 || (rc = run_comparison_make(&comparison, c->workspace, &r)) < 0)
		return rc;
	rc = print_comparison(c, comparison, call_text(c, "--as"));
	run_comparison_free(comparison);
	return rc;
}

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
		[AXIS_STEP] = "step", [AXIS_EPOCH] = "epoch", [AXIS_TIME] = "time", [AXIS_ORDINAL] = "row", [AXIS_EVAL_STEP] = "eval step",
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
	for (char *save, *line = strtok_r(lines.s, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		report_note(t, "%s", line);
	for (size_t i = 0; i < files->notes.n; i++)
		report_note(t, "%s: %s", files->notes.notes[i].id, files->notes.notes[i].text);
	buf_release(&lines);
}

static int curves_run(struct call *c)
{
	struct run_state *r;
	struct run_files *files;
	int rc = state_run(c->workspace, call_text(c, "run"), c->at, c->arena, &r);

	if (rc < 0 || (rc = run_results_open(&files, c->workspace, r->id, c->arena)) < 0)
		return rc;
	rc = run_files_read(files, c->progress.cancel);
	if (rc == 0) {
		c->table = report_table_new(c->arena, "curves", series_columns, ARRAY_LEN(series_columns));
		for (size_t i = 0; i < files->series->n; i++)
			put_series(c->table, files->series->series[i]);
		if (!files->series->n)
			report_note(c->table, "no curves yet: nothing in the run's files reads as a metric");
		note_files(c->table, files);
	}
	run_files_free(files);
	return rc;
}

/* ---- import -------------------------------------------------------------------------------- */

static int import_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "file", .title = "file", .type = REPORT_TEXT },
		{ .name = "format", .title = "read as", .type = REPORT_TEXT },
		{ .name = "size", .title = "size", .type = REPORT_BYTES },
		{ .name = "left", .title = "left because", .type = REPORT_TEXT },
	};
	const char *paths[64] = { NULL }, *kind = call_text(c, "--kind");
	struct import_request r = { .subject = call_text(c, "attempt"), .paths = paths, .target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"), .commit = call_text(c, "--commit") };
	struct imported imported;
	int rc;

	for (size_t i = 0; i + 1 < ARRAY_LEN(paths) && (paths[i] = call_text_at(c, "file", i)) != NULL; i++)
		;
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
		report_note(c->table, "nothing was taken: none of these files reads as a curve or a log");
	else
		report_note(c->table, "%s run %s of %s, by %s", imported.already ? "known already:" : "imported:", imported.run,
			r.subject, workspace_actor(c->workspace)->text);
	c->no = !imported.run;
	return 0;
}

static const struct argument compare_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "an attempt, or the id of one of its runs", true, false, NULL, NULL },
	{ "--configuration", ARGUMENT_TARGET, "which of its configurations", false, false, NULL, "the intended one" },
	{ "--kind", ARGUMENT_WORD, "which of its runs", false, false, "smoke full", "full, else smoke" },
	{ "--against", ARGUMENT_RUN, "another run in place of the reference", false, false, NULL, NULL },
	{ "--goal", ARGUMENT_GOAL, "the goal whose metric is compared", false, false, NULL, "the first" },
	{ "--metric", ARGUMENT_TEXT, "a series by its name", false, false, NULL, "the goal's" },
	{ "--align", ARGUMENT_WORD, "how points are paired", false, false, "exact nearest hold linear window", "exact" },
	{ "--axis", ARGUMENT_WORD, "what is paired", false, false, "step step-from-start epoch time", "step" },
	{ "--within", ARGUMENT_NUMBER, "with nearest: largest distance", false, false, NULL, "any" },
	{ "--atol", ARGUMENT_NUMBER, "accepted distance, as logged", false, false, NULL, "the goal's margin" },
	{ "--rtol", ARGUMENT_NUMBER, "accepted share of the reference", false, false, NULL, "0" },
	{ "--rows", ARGUMENT_INTEGER, "rows of the table; 0 for all", false, false, NULL, "12" },
	{ "--as", ARGUMENT_WORD, "text, or the aligned columns as CSV", false, false, "text csv", "text" },
	{ "--svg", ARGUMENT_PATH, "also write the chart to this file", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument curves_arguments[] = {
	{ "run", ARGUMENT_RUN, "run id, or its first letters", true, false, NULL, NULL },
	{ 0 },
};
static const struct argument import_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "whose they are: 7, or reference", true, false, NULL, NULL },
	{ "file", ARGUMENT_PATH, "logs, curve files, folders of them", true, true, NULL, NULL },
	{ "--target", ARGUMENT_TARGET, "where they were made", false, false, NULL, "elsewhere" },
	{ "--kind", ARGUMENT_WORD, "of the run that made them", false, false, "smoke full", "full" },
	{ "--seed", ARGUMENT_INTEGER, "its seed", false, false, NULL, "unknown" },
	{ "--commit", ARGUMENT_TEXT, "its commit", false, false, NULL, "unknown" },
	{ 0 },
};

const struct operation curve_operations[] = {
	{ "compare", NULL, 0, "an attempt's curve beside the reference's", OPERATION_CLI | OPERATION_LONG, compare_arguments, compare_run, 0 },
	{ "curves", NULL, 0, "every series of a run, and the health of its files", OPERATION_CLI | OPERATION_LONG, curves_arguments, curves_run, 0 },
	{ "import", NULL, 0, "attach logs and curve files that were made elsewhere",
	  OPERATION_CLI | OPERATION_WRITES | OPERATION_LONG, import_arguments, import_run, 0 },
	{ 0 },
};
