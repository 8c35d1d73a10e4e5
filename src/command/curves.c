/*
 * curves - the curves of a run, a run beside the reference, and files from
 * elsewhere.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
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
		.metric = c->metric,
		.unit = *c->unit ? c->unit : NULL,
		.reference_name = c->reference.name,
		.attempt_name = c->attempt.name,
		.reference = c->reference.series,
		.attempt = c->attempt.series,
		.comparison = &c->comparison,
		.comparable = &c->comparable,
		.provenance = &c->provenance,
		.against_attempt = c->against_attempt,
		.reference_run = c->reference.run->id,
		.attempt_run = c->attempt.run->id,
		.reference_by = *c->reference.brought_by ? c->reference.brought_by : NULL,
		.attempt_by = *c->attempt.brought_by ? c->attempt.brought_by : NULL,
		.next = *c->next ? c->next : NULL,
		.spread_runs = c->spread.n,
		.spread_low = c->spread.low,
		.spread_high = c->spread.high,
	};
}

static void add_brought(struct buf *out, const struct comparison_side *s)
{
	if (*s->brought_by) {
		buf_addf(out, "%s: imported by ", s->name);
		text_sanitise(out, s->brought_by, strlen(s->brought_by));
	}
}

bool curves_statement(struct buf *out, const struct run_comparison *c, size_t i)
{
	switch (i) {
	case 0:
		add_brought(out, &c->reference);
		return true;
	case 1:
		add_brought(out, &c->attempt);
		return true;
	case 2:
		comparison_add_spread(out, c);
		return true;
	case 3:
		if (*c->next)
			buf_addf(out, "next: %s", c->next);
		return true;
	default:
		return false;
	}
}

enum write_form { WRITE_NOTHING, WRITE_CSV, WRITE_JSON, WRITE_SVG, WRITE_TEXT };

static enum write_form form_of(const char *path)
{
	static const struct {
		const char *end;
		enum write_form form;
	} ends[] = {
		{ ".csv", WRITE_CSV },
		{ ".json", WRITE_JSON },
		{ ".svg", WRITE_SVG },
		{ ".txt", WRITE_TEXT },
	};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (text_ends(path, ends[i].end))
			return ends[i].form;
	return WRITE_NOTHING;
}

static void add_text(struct buf *out, const struct export_comparison *e,
	const struct run_comparison *c, size_t rows)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; buf_clear(&line), curves_statement(&line, c, i); i++)
		if (line.n)
			buf_addf(out, "%s\n", line.s);
	buf_release(&line);
	export_text(out, e, rows);
}

int curves_write(const struct run_comparison *c, const char *path)
{
	struct export_comparison e;
	struct buf out = BUF_INIT;
	int rc = 0;

	curves_export(&e, c);
	switch (form_of(path)) {
	case WRITE_CSV:
		export_csv(&out, &e);
		break;
	case WRITE_JSON:
		export_json(&out, &e, true);
		break;
	case WRITE_SVG:
		svg_comparison(&out, &e, NULL);
		break;
	case WRITE_TEXT:
		add_text(&out, &e, c, 0);
		break;
	case WRITE_NOTHING:
		rc = err_set(ERR_USAGE, "%s: the name must end in .csv, .json, .svg or .txt", path);
		break;
	}
	if (rc == 0 && (rc = fs_write_new(path, out.s, out.n, 0644)) == ERR_EXISTS)
		rc = err_set(ERR_EXISTS, "%s is there already; take another name", path);
	buf_release(&out);
	return rc;
}

static int read_request(struct comparison_request *r, const struct call *c)
{
	const char *kind = call_text(c, "--kind"), *align = call_text(c, "--align"),
		   *axis = call_text(c, "--axis");

	*r = (struct comparison_request){
		.attempt_run = call_text(c, "attempt"),
		.reference_run = call_text(c, "--against"),
		.goal = call_text(c, "--goal"),
		.metric = call_text(c, "--metric"),
		.configuration = call_text(c, "--configuration"),
		.at = c->at,
		.cancel = c->progress.cancel,
	};
	if (kind)
		r->kind = (enum run_kind)word_find(&words_run_kind, kind);
	if (align && !align_mode_from_name(&r->align.mode, align))
		return err_set(ERR_USAGE,
			"--align: \"%s\" is none of: exact nearest hold linear window", align);
	if (axis && !align_axis_from_name(&r->align.axis, axis))
		return err_set(ERR_USAGE,
			"--axis: \"%s\" is none of: step step-from-start epoch time", axis);
	r->align.nearest_max = call_number(c, "--within", INFINITY);
	r->align.shift = call_integer(c, "--shift", 0);
	r->has_tolerance =
		call_text(c, "--atol") || call_text(c, "--rtol") || call_text(c, "--sigma");
	r->tolerance.atol = call_number(c, "--atol", 0);
	r->tolerance.rtol = call_number(c, "--rtol", 0);
	r->tolerance.k_sigma = call_number(c, "--sigma", 0);
	return 0;
}

static int write_files(struct call *c, const struct run_comparison *rc)
{
	const char *path;

	for (size_t i = 0; (path = call_text_at(c, "--write", i)) != NULL; i++) {
		int result = curves_write(rc, path);

		if (result < 0)
			return result;
		c->message = arena_printf(c->arena, "%s%swritten: %s", c->message ? c->message : "",
			c->message ? "; " : "", path);
	}
	return 0;
}

/* For programs a comparison that could not be made has the same shape. */
static void print_missing(struct call *c, const struct run_comparison *rc)
{
	struct json_writer w = { .out = &c->text };

	c->message = arena_strdup(c->arena, rc->missing);
	c->no = true;
	if (!c->wants_json)
		return;
	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", EXPORT_SCHEMA);
	json_put_str(&w, "kind", "comparison");
	json_put_str(&w, "attempt", rc->attempt.name);
	json_put_str(&w, "metric", *rc->metric ? rc->metric : NULL);
	json_put_null(&w, "verdict");
	json_put_str(&w, "missing", rc->missing);
	json_end_object(&w);
	buf_addc(&c->text, '\n');
}

static int print_comparison(struct call *c, const struct run_comparison *rc, const char *format)
{
	struct export_comparison e;
	int64_t rows = call_integer(c, "--rows", 12);

	if (!rc->has_comparison) {
		print_missing(c, rc);
		return 0;
	}
	curves_export(&e, rc);
	if (c->wants_json)
		export_json(&c->text, &e, false);
	else if (format && strcmp(format, "csv") == 0)
		export_csv(&c->text, &e);
	else if (format && strcmp(format, "svg") == 0)
		svg_comparison(&c->text, &e, NULL);
	else
		add_text(&c->text, &e, rc, rows < 0 ? 0 : (size_t)rows);
	/* Yes only when nothing stands in the way and every point is inside. */
	c->no = rc->comparable.overall == COMPARABLE_NO || rc->comparison.verdict != COMPARE_MATCH;
	return write_files(c, rc);
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

static const struct argument compare_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "an attempt, or the id of one of its runs", true, false,
		NULL, NULL },
	{ "--configuration", ARGUMENT_TARGET, "which of its configurations", false, false, NULL,
		"the intended one" },
	{ "--kind", ARGUMENT_WORD, "which of its runs", false, false, "smoke full",
		"full, else smoke" },
	{ "--against", ARGUMENT_TEXT, "another run or attempt in place of the reference", false,
		false, NULL, NULL },
	{ "--goal", ARGUMENT_GOAL, "the goal whose metric is compared", false, false, NULL,
		"the first" },
	{ "--metric", ARGUMENT_TEXT, "a series by its name", false, false, NULL, "the goal's" },
	{ "--align", ARGUMENT_WORD, "how points are paired", false, false,
		"exact nearest hold linear window", "exact" },
	{ "--axis", ARGUMENT_WORD, "what is paired", false, false,
		"step step-from-start epoch time", "step" },
	{ "--within", ARGUMENT_NUMBER, "with nearest: largest distance", false, false, NULL,
		"any" },
	{ "--atol", ARGUMENT_NUMBER, "accepted distance, as logged", false, false, NULL,
		"the goal's margin" },
	{ "--rtol", ARGUMENT_NUMBER, "accepted share of the reference", false, false, NULL, "0" },
	{ "--sigma", ARGUMENT_NUMBER, "accepted distance in spreads of the reference", false, false,
		NULL, NULL },
	{ "--shift", ARGUMENT_INTEGER, "steps that the attempt is shifted by", false, false, NULL,
		"0" },
	{ "--rows", ARGUMENT_INTEGER, "rows of the table; 0 for all", false, false, NULL, "12" },
	{ "--as", ARGUMENT_WORD, "text, the aligned columns, or the chart", false, false,
		"text csv svg", "text" },
	{ "--write", ARGUMENT_PATH, "also write FILE.csv, .json, .svg or .txt", false, true, NULL,
		NULL },
	{ 0 },
};
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
	{ "compare", NULL, 0, "an attempt's curve beside the reference's",
		OPERATION_CLI | OPERATION_LONG, compare_arguments, compare_run, 0 },
	{ "curves", NULL, 0, "every series of a run, and the health of its files",
		OPERATION_CLI | OPERATION_LONG, curves_arguments, curves_run, 0 },
	{ "import", NULL, 0, "attach logs and curve files that were made elsewhere",
		OPERATION_CLI | OPERATION_WRITES | OPERATION_LONG, import_arguments, import_run,
		0 },
	{ 0 },
};
