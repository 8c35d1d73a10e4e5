/* compare - a run beside another one, as text, as rows, as a picture. */
#include "config.h"

#include "command/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "command/groups.h"
#include "report/svg.h"
#include "report/width.h"

#define AXES                                                                                       \
	"step step-from-start samples tokens epoch time time-without-gaps"

const char *run_comparison_kind_note(const struct run_comparison *c)
{
	const struct comparison_request *q = &c->request;

	/* Of an attempt a full run goes first; a run that was named is the one meant. */
	if (q->kind || c->attempt.run->kind != RUN_KIND_SMOKE || text_starts(q->attempt_run, "ps-"))
		return NULL;
	return q->configuration ? "A has no full run there" : "A has no full run";
}

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
		.assessment = c->has_assessment ? &c->assessment : NULL,
		.next = *c->next ? c->next : NULL,
		.reference_kind = word_name(&words_run_kind, (int)c->reference.run->kind),
		.attempt_kind = word_name(&words_run_kind, (int)c->attempt.run->kind),
		.reference_seed = c->reference.run->seed,
		.attempt_seed = c->attempt.run->seed,
		.kind_note = run_comparison_kind_note(c),
		.spread_runs = c->spread.n,
		.spread_low = c->spread.low,
		.spread_high = c->spread.high,
	};
}

static void add_brought(struct buf *out, const struct comparison_side *s)
{
	if (*s->brought_by) {
		buf_addf(out, "imported: %s, by ", s->name);
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
		if (!c->has_assessment)
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

enum { LABEL_COLUMNS = 15 };

/* Where a line may end: at a blank; where pairs of words stand apart by two, there. */
static bool may_end(const char *s, bool pairs)
{
	return *s == ' ' && (!pairs || s[1] == ' ');
}

/* Bytes of the longest start of S that fits; all of a word that is too long. */
static size_t fitting(const char *s, size_t n, size_t columns)
{
	size_t taken, fits = width_fit(s, n, columns, &taken), at = fits;
	bool pairs = strstr(s, "  ") != NULL;

	if (fits == n)
		return n;
	while (at && !may_end(s + at, pairs))
		at--;
	if (at)
		return at;
	at = fits;
	while (at < n && !may_end(s + at, pairs))
		at++;
	return at;
}

/* Bytes of "verdict" in "verdict: match"; 0 when a sentence has no such label. */
static size_t label_of(const char *line)
{
	const char *colon = strstr(line, ": ");

	return colon && colon - line < LABEL_COLUMNS - 1 ? (size_t)(colon - line) : 0;
}

/* "verdict: match" with its label in a column of its own.  AGAIN:
 * the sentence before had the same label. */
static void add_sentence(
	struct buf *out, const char *line, size_t label, bool again, size_t all_columns)
{
	size_t n, columns = all_columns;

	if (label) {
		buf_addf(out, "%-*.*s", LABEL_COLUMNS, again ? 0 : (int)label, line);
		line += label + 2;
		columns -= LABEL_COLUMNS;
	}
	n = strlen(line);
	for (;;) {
		size_t k = fitting(line, n, columns);

		buf_addf(out, "%.*s\n", (int)k, line);
		while (k < n && line[k] == ' ')
			k++;
		if (k == n)
			return;
		line += k;
		n -= k;
		buf_addf(out, "%*s", LABEL_COLUMNS, "");
		columns = all_columns - LABEL_COLUMNS;
	}
}

/* In the order of a reader's questions: what is the answer, where do they part, how
 * far, is that more than noise, and what to know of the logs. */
static const char *const paragraphs[][10] = {
	{ "runs", "comparable", "verdict", "no verdict", "conclusion", "next" },
	{ "must be equal", "start", "where", "lag" },
	{ "last", "end", "d = A - R", "inside", "side", "tolerance", "alignment" },
	{ "reference", "band", "seeds", "needed", "convergence", "predictions", "noise" },
	{ "warning", "imported" },
};

static bool has_label(const char *line, const char *label)
{
	size_t n = label_of(line);

	return strlen(label) == n && strncmp(line, label, n) == 0;
}

static void gather(char ***lines, size_t *n, size_t *cap, struct arena *a, struct buf *line)
{
	if (line->n) {
		ARRAY_GROW(*lines, *n, *cap);
		(*lines)[(*n)++] = arena_strndup(a, line->s, line->n);
	}
	buf_clear(line);
}

/* Those of N with LABEL; true when there was one.  A line that is said is NULL. */
static bool add_labelled(
	struct buf *out, char **lines, size_t n, const char *label, size_t columns)
{
	bool any = false;

	for (size_t i = 1; i < n; i++) {
		if (!lines[i] || !has_label(lines[i], label))
			continue;
		add_sentence(out, lines[i], label_of(lines[i]), any, columns);
		lines[i] = NULL;
		any = true;
	}
	return any;
}

/* What belongs to no paragraph is said all the same. */
static void add_others(struct buf *out, char *const *lines, size_t n, size_t columns)
{
	bool any = false;

	for (size_t i = 1; i < n; i++) {
		if (!lines[i])
			continue;
		add_sentence(out, lines[i], label_of(lines[i]), false, columns);
		any = true;
	}
	if (any)
		buf_addc(out, '\n');
}

static void add_paragraphs(struct buf *out, char **lines, size_t n, size_t columns)
{
	if (n)
		add_sentence(out, lines[0], 0, false, columns);		/* the title */
	for (size_t p = 0; p < ARRAY_LEN(paragraphs); p++) {
		bool any = false;

		for (size_t k = 0; k < ARRAY_LEN(paragraphs[p]) && paragraphs[p][k]; k++)
			any |= add_labelled(out, lines, n, paragraphs[p][k], columns);
		if (any)
			buf_addc(out, '\n');
	}
	add_others(out, lines, n, columns);
}

void run_comparison_add_text(struct buf *out, const struct run_comparison *c, size_t columns)
{
	struct export_comparison e;
	struct arena a = ARENA_INIT;
	struct buf line = BUF_INIT;
	char **lines = NULL;
	size_t n = 0, cap = 0;

	run_comparison_export(&e, c);
	for (size_t i = 0; export_statement(&line, &e, i); i++)
		gather(&lines, &n, &cap, &a, &line);
	for (size_t i = 0; export_detail(&line, &e, i); i++)
		gather(&lines, &n, &cap, &a, &line);
	for (size_t i = 0; run_comparison_statement(&line, c, i); i++)
		gather(&lines, &n, &cap, &a, &line);
	add_paragraphs(out, lines, n, columns);
	free(lines);
	buf_release(&line);
	arena_release(&a);
}

static void add_text(struct buf *out, const struct export_comparison *e,
	const struct run_comparison *c, size_t rows)
{
	struct buf line = BUF_INIT;

	run_comparison_add_text(out, c, COMPARE_TEXT_COLUMNS);
	for (size_t i = 0; buf_clear(&line), export_further_statement(&line, e, i); i++)
		buf_addf(out, "%s\n", line.s);
	buf_release(&line);
	export_rows(out, e, rows);
}

void run_comparison_add_as(struct buf *out, const struct run_comparison *c,
	const struct export_comparison *e, const char *format, size_t rows)
{
	if (format && strcmp(format, "csv") == 0)
		export_csv(out, e);
	else if (format && strcmp(format, "svg") == 0)
		svg_comparison(out, e, NULL);
	else
		add_text(out, e, c, rows);
}

int run_comparison_write_as(
	const struct run_comparison *c, const struct export_comparison *e, const char *path)
{
	struct buf out = BUF_INIT;
	int rc = 0;

	switch (form_of(path)) {
	case WRITE_CSV:
		export_csv(&out, e);
		break;
	case WRITE_JSON:
		export_json(&out, e, true);
		break;
	case WRITE_SVG:
		svg_comparison(&out, e, NULL);
		break;
	case WRITE_TEXT:
		add_text(&out, e, c, 0);
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

int run_comparison_write(const struct run_comparison *c, const char *path)
{
	struct export_comparison e;

	run_comparison_export(&e, c);
	return run_comparison_write_as(c, &e, path);
}

/* What a word stands for, by the function that knows the words. */
static int read_how(struct comparison_request *r, const struct call *c)
{
	const char *align = call_text(c, "--align"), *axis = call_text(c, "--axis"),
		   *segments = call_text(c, "--segments");

	if (align && !align_mode_from_name(&r->align.mode, align))
		return err_set(ERR_USAGE,
			"--align: \"%s\" is none of: exact nearest hold linear window", align);
	if (axis && !align_axis_from_name(&r->align.axis, axis))
		return err_set(ERR_USAGE, "--axis: \"%s\" is none of: " AXES, axis);
	if (segments)
		r->align.policy = strcmp(segments, "all") == 0 ? SEGMENT_ALL
			: strcmp(segments, "first") == 0       ? SEGMENT_FIRST_WINS
							       : SEGMENT_LATEST_WINS;
	r->align.nearest_max = call_number(c, "--within", INFINITY);
	r->align.shift = call_integer(c, "--shift", 0);
	return 0;
}

static bool is_distance(double v)
{
	return isfinite(v) && v >= 0;
}

int compare_request(struct comparison_request *r, const struct call *c)
{
	const char *kind = call_text(c, "--kind"), *delta = call_text(c, "--delta");

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
	r->has_tolerance =
		call_text(c, "--atol") || call_text(c, "--rtol") || call_text(c, "--sigma");
	r->tolerance.atol = call_number(c, "--atol", 0);
	r->tolerance.rtol = call_number(c, "--rtol", 0);
	r->tolerance.k_sigma = call_number(c, "--sigma", 0);
	if (!is_distance(r->tolerance.atol) || !is_distance(r->tolerance.rtol) ||
		!is_distance(r->tolerance.k_sigma))
		return err_set(ERR_USAGE,
			"--atol, --rtol and --sigma take a finite number, 0 or more");
	r->want_predictions = true;
	r->share = call_number(c, "--share", 1);
	if (!(r->share > 0) || r->share > 1)
		return err_set(ERR_USAGE, "--share: %g is no share; 1 is every point, 0.95 most",
			r->share);
	r->want_sigma = delta && strcmp(delta, "sigma") == 0;
	return read_how(r, c);
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

bool run_comparison_is_yes(const struct run_comparison *c)
{
	return c->has_comparison && c->comparable.overall != COMPARABLE_NO &&
		!c->assessment.self.cannot_gate && c->comparison.verdict == COMPARE_MATCH;
}

static int print_comparison(struct call *c, const struct run_comparison *rc, const char *format)
{
	struct export_comparison e;
	const char *delta = call_text(c, "--delta");
	int64_t rows = call_integer(c, "--rows", 12);

	if (!rc->has_comparison) {
		print_missing(c, rc);
		return 0;
	}
	run_comparison_export(&e, rc);
	if (delta && !delta_mode_from_word(&e.delta, delta))
		return err_set(ERR_USAGE,
			"--delta: \"%s\" is none of: difference absolute relative ratio log2 sigma", delta);
	if (c->wants_json)
		export_json(&c->text, &e, false);
	else
		run_comparison_add_as(&c->text, rc, &e, c->wants_csv ? "csv" : format,
			rows < 0 ? 0 : (size_t)rows);
	c->no = !run_comparison_is_yes(rc);
	return write_files(c, rc);
}

static int compare_run(struct call *c)
{
	struct comparison_request r;
	struct run_comparison *comparison;
	int rc;

	if (call_text(c, "--with"))
		return compare_several(c);
	rc = compare_request(&r, c);
	if (rc < 0 || (rc = run_comparison_make(&comparison, c->workspace, &r)) < 0)
		return rc;
	run_comparison_assess(comparison);
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
	{ "--axis", ARGUMENT_WORD, "what is paired", false, false, AXES, "step" },
	{ "--within", ARGUMENT_NUMBER, "with nearest: largest distance", false, false, NULL,
		"any" },
	{ "--atol", ARGUMENT_NUMBER, "accepted distance, as logged", false, false, NULL,
		"the goal's margin" },
	{ "--rtol", ARGUMENT_NUMBER, "accepted share of the reference", false, false, NULL, "0" },
	{ "--sigma", ARGUMENT_NUMBER, "accepted distance in spreads of the reference", false, false,
		NULL, NULL },
	{ "--share", ARGUMENT_NUMBER, "share of the points that must be inside", false, false,
		NULL, "1" },
	{ "--delta", ARGUMENT_WORD, "how the rows show the difference", false, false,
		"difference absolute relative ratio log2 sigma", "difference" },
	{ "--shift", ARGUMENT_INTEGER, "steps the attempt is shifted by; again per --with", false,
		true, NULL, "0" },
	{ "--segments", ARGUMENT_WORD, "which points count after a restart", false, false,
		"latest all first", "latest" },
	{ "--with", ARGUMENT_ATTEMPT, "a further attempt or run: one table of all", false, true,
		NULL, NULL },
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
