/* compare - a run beside another one, as text, as rows, as a picture. */
#include "config.h"

#include "command/compare.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "command/groups.h"
#include "report/svg.h"

void run_comparison_export(struct export_comparison *out, const struct run_comparison *c)
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

bool run_comparison_statement(struct buf *out, const struct run_comparison *c, size_t i)
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

	for (size_t i = 0; buf_clear(&line), run_comparison_statement(&line, c, i); i++)
		if (line.n)
			buf_addf(out, "%s\n", line.s);
	buf_release(&line);
	export_text(out, e, rows);
}

int run_comparison_write(const struct run_comparison *c, const char *path)
{
	struct export_comparison e;
	struct buf out = BUF_INIT;
	int rc = 0;

	run_comparison_export(&e, c);
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
		int result = run_comparison_write(rc, path);

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
	run_comparison_export(&e, rc);
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
const struct operation compare_operations[] = {
	{ "compare", NULL, 0, "an attempt's curve beside the reference's",
		OPERATION_CLI | OPERATION_LONG, compare_arguments, compare_run, 0 },
	{ 0 },
};
