/* study - see study.h. */
#include "config.h"

#include "domain/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "domain/object.h"

const char *const study_column_names[STUDY_COLUMNS] = {
	"n",
	"project",
	"ref",
	"challenge",
	"sub_experiment",
	"metric",
	"direction",
	"paper",
	"gpu",
	"tpu",
	"attempts",
	"ff",
	"human",
	"human_paren",
	"level_first",
	"level_claimed",
	"level_measured",
	"silent",
	"churn_files",
	"churn_added",
	"churn_deleted",
	"agent_usd",
	"agent_h",
	"time_gpu_min",
	"time_tpu_min",
	"cost_gpu_usd",
	"cost_tpu_usd",
	"footnotes",
};

/* ---- reading ----------------------------------------------------------------- */

struct reader {
	const char *s, *end;
	int line;
};

static const char *plain_cell(struct arena *a, struct reader *r)
{
	const char *start = r->s;

	while (r->s < r->end && *r->s != ',' && *r->s != '\n')
		r->s++;
	return arena_strndup(a, start, (size_t)(r->s - start));
}

/* A quoted cell; two quotes are one.  NULL when the last quote is missing. */
static const char *quoted_cell(struct arena *a, struct reader *r)
{
	struct buf b = BUF_INIT;
	const char *out;

	for (r->s++; r->s < r->end; r->s++) {
		if (*r->s == '"') {
			if (r->s + 1 == r->end || r->s[1] != '"')
				break;
			r->s++;
		}
		buf_addc(&b, *r->s);
	}
	out = r->s < r->end ? arena_strndup(a, b.s, b.n) : NULL;
	if (out)
		r->s++;
	buf_release(&b);
	return out;
}

static int read_row(struct study_row *row, struct arena *a, struct reader *r)
{
	for (int c = 0; c < STUDY_COLUMNS; c++) {
		bool last = c == STUDY_COLUMNS - 1;

		row->cells[c] =
			r->s < r->end && *r->s == '"' ? quoted_cell(a, r) : plain_cell(a, r);
		if (!row->cells[c])
			return err_set(ERR_PARSE, "line %d: %s: the closing quote is missing",
				r->line, study_column_names[c]);
		if (!last && (r->s == r->end || *r->s != ','))
			return err_set(ERR_PARSE,
				"line %d: %d columns are needed, %s is the last one here", r->line,
				STUDY_COLUMNS, study_column_names[c]);
		if (last && r->s < r->end && *r->s != '\n')
			return err_set(
				ERR_PARSE, "line %d: more than %d columns", r->line, STUDY_COLUMNS);
		if (r->s < r->end)
			r->s++;
	}
	r->line++;
	return 0;
}

static int check_header(const struct study_row *header)
{
	for (int c = 0; c < STUDY_COLUMNS; c++)
		if (strcmp(header->cells[c], study_column_names[c]) != 0)
			return err_set(ERR_PARSE, "line 1: column %d is \"%s\", not %s", c + 1,
				header->cells[c], study_column_names[c]);
	return 0;
}

int study_parse(struct study *out, struct arena *a, const char *s, size_t n)
{
	struct reader r = { s, s + n, 1 };
	struct study_row row, *rows = NULL;
	size_t rows_n = 0, cap = 0;
	int rc = read_row(&row, a, &r);

	memset(out, 0, sizeof *out);
	if (!rc)
		rc = check_header(&row);
	while (!rc && r.s < r.end) {
		rc = read_row(&row, a, &r);
		ARRAY_GROW(rows, rows_n, cap);
		rows[rows_n++] = row;
	}
	if (!rc && rows_n) {
		out->rows = arena_memdup(a, rows, rows_n * sizeof *rows);
		out->n = rows_n;
	}
	free(rows);
	return rc;
}

/* ---- writing ----------------------------------------------------------------- */

static void add_cell(struct buf *out, const char *s)
{
	if (!strpbrk(s, ",\"\n\r")) {
		buf_adds(out, s);
		return;
	}
	buf_addc(out, '"');
	for (; *s; s++) {
		if (*s == '"')
			buf_addc(out, '"');
		buf_addc(out, *s);
	}
	buf_addc(out, '"');
}

static void add_cells(struct buf *out, const char *const *cells)
{
	for (int c = 0; c < STUDY_COLUMNS; c++) {
		if (c)
			buf_addc(out, ',');
		add_cell(out, cells[c]);
	}
	buf_addc(out, '\n');
}

void study_add_header(struct buf *out)
{
	add_cells(out, study_column_names);
}

void study_add_row(struct buf *out, const struct study_row *row)
{
	add_cells(out, row->cells);
}

/* ---- reading values ------------------------------------------------------------ */

double study_number(const struct study_row *row, enum study_column c)
{
	const char *s = row->cells[c];
	double v;

	return *s && text_to_double(s, strlen(s), &v) ? v : NAN;
}

const char *study_footnote(struct arena *a, const struct study_row *row, const char *column)
{
	size_t n = strlen(column);

	for (const char *s = row->cells[STUDY_FOOTNOTES]; *s;) {
		size_t len = strcspn(s, ";");

		if (len > n && s[n] == '=' && memcmp(s, column, n) == 0)
			return arena_strndup(a, s + n + 1, len - n - 1);
		s += len;
		s += *s == ';';
	}
	return "";
}

/* ---- sums ---------------------------------------------------------------------- */

static int64_t whole(const struct study_row *row, enum study_column c)
{
	double v = study_number(row, c);

	return isnan(v) || fabs(v) > 1e15 ? 0 : (int64_t)v;
}

static void widen(double *low, double *high, double v)
{
	if (isnan(v))
		return;
	if (isnan(*low) || v < *low)
		*low = v;
	if (isnan(*high) || v > *high)
		*high = v;
}

static double ratio(const struct study_row *row, enum study_column tpu, enum study_column gpu)
{
	double t = study_number(row, tpu), g = study_number(row, gpu);

	return isnan(t) || isnan(g) || g == 0 ? NAN : t / g;
}

static void add_levels(struct study_totals *t, const struct study_row *row)
{
	int claimed = word_find(&words_level, row->cells[STUDY_LEVEL_CLAIMED]);
	int measured = word_find(&words_level, row->cells[STUDY_LEVEL_MEASURED]);

	if (measured > 0)
		t->at_level[level_index((enum level)measured)]++;
	if (claimed <= 0)
		t->claimed_none++;
	else if (measured > 0 && claimed == measured)
		t->claimed_equal++;
	else if (measured > 0 && claimed < measured)
		t->claimed_lower++;
	else if (measured > 0)
		t->claimed_higher++;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(const struct study *s, enum study_column c)
{
	double *values = xcalloc(s->n + 1, sizeof *values), median = NAN;
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		double v = study_number(&s->rows[i], c);

		if (!isnan(v))
			values[n++] = v;
	}
	qsort(values, n, sizeof *values, compare_doubles);
	if (n)
		median = (values[(n - 1) / 2] + values[n / 2]) / 2;
	free(values);
	return median;
}

struct study_totals study_totals(const struct study *s)
{
	struct study_totals t = {
		.projects = s->n,
		.agent_usd_low = NAN,
		.agent_usd_high = NAN,
		.time_ratio_low = NAN,
		.time_ratio_high = NAN,
		.cost_ratio_low = NAN,
		.cost_ratio_high = NAN,
	};
	size_t counted = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct study_row *row = &s->rows[i];
		double usd = study_number(row, STUDY_AGENT_USD),
		       hours = study_number(row, STUDY_AGENT_H);

		t.attempts += whole(row, STUDY_ATTEMPTS);
		t.fail_fast += whole(row, STUDY_FF);
		t.interventions += whole(row, STUDY_HUMAN);
		counted += !isnan(study_number(row, STUDY_HUMAN));
		t.silent += whole(row, STUDY_SILENT);
		t.agent_usd += isnan(usd) ? 0 : usd;
		t.agent_hours += isnan(hours) ? 0 : hours;
		widen(&t.agent_usd_low, &t.agent_usd_high, usd);
		widen(&t.time_ratio_low, &t.time_ratio_high,
			ratio(row, STUDY_TIME_TPU_MIN, STUDY_TIME_GPU_MIN));
		widen(&t.cost_ratio_low, &t.cost_ratio_high,
			ratio(row, STUDY_COST_TPU_USD, STUDY_COST_GPU_USD));
		add_levels(&t, row);
	}
	t.agent_usd_median = median_of(s, STUDY_AGENT_USD);
	t.interventions_mean = counted ? (double)t.interventions / (double)counted : NAN;
	return t;
}

/* ---- a migration as a row --------------------------------------------------------- */

static const char *count(struct arena *a, int64_t v)
{
	return arena_printf(a, "%lld", (long long)v);
}

void study_row_from_migration(
	struct study_row *out, struct arena *a, const struct migration_state *m, int n)
{
	const struct migration_counts *c = &m->counts;

	for (int i = 0; i < STUDY_COLUMNS; i++)
		out->cells[i] = "";
	out->cells[STUDY_N] = count(a, n);
	out->cells[STUDY_PROJECT] = m->name;
	out->cells[STUDY_ATTEMPTS] = count(a, c->attempts);
	out->cells[STUDY_FF] = count(a, c->alarms);
	/* Nobody recorded one, or labelled an attempt: that is no 0. */
	if (c->interventions)
		out->cells[STUDY_HUMAN] = count(a, c->interventions);
	if (c->successes + c->failures)
		out->cells[STUDY_SILENT] = count(a, c->silent);
	out->cells[STUDY_LEVEL_FIRST] = level_name(m->level_first);
	out->cells[STUDY_LEVEL_CLAIMED] = level_name(m->level_last_claimed);
	out->cells[STUDY_LEVEL_MEASURED] = level_name(migration_best_anywhere(m));
	if (c->sessions && !c->sessions_without_cost)
		out->cells[STUDY_AGENT_USD] =
			arena_printf(a, "%.2f", (double)c->session_cost_nano_usd / 1e9);
	if (c->agent_ns)
		out->cells[STUDY_AGENT_H] = arena_printf(a, "%.2f", (double)c->agent_ns / 3.6e12);
}
