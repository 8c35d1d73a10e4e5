/*
 * run_table - runs as a table whose columns are asked for: by series, by what a run
 * was configured with, by what a run is.  Pure: knows no file and no log.
 *
 * A column, as people write it:
 *
 *	[last|first|min|max|mean|count] SERIES [@X] [as NAME]
 *	step of min SERIES		also of max, first, last
 *	=KEY				of the configuration: =optimizer.lr
 *	run attempt kind target seed outcome started duration step cost
 *
 * SERIES alone is its last value.  With @X a word in front counts the points up to
 * X; SERIES @X alone is the value that was logged at X, and absent where none was.
 * SERIES@X is the same, unless a run has a series that is called so ("recall@5"): then
 * it is that series in all rows, see run_columns_settle().
 * Names with blanks or commas stand in double quotes, also a series that is called
 * like a field.  Several columns are parted by commas.
 *
 * A cell is a number, a text, absent, or still being read.  Absent is no 0 and no
 * empty text: in an order it is last whichever way round, in a filter it makes its
 * comparison unknown, and a row of which a filter is unknown is neither shown nor
 * counted as one that does not pass.
 *
 * A value of the configuration that reads as a number is one: it is shown as it was
 * written, and 1e-4 is 0.0001.
 *
 * Values of a series that a goal shows in another unit are in that unit everywhere, in
 * cells, orders and filters: run_columns_scale() says by which factor.
 *
 * A filter is an expression of base/expr.h, whose features are columns as above
 * (without "as NAME") or the names of columns; what stands on the right of a
 * comparison is a constant:
 *
 *	target = tpu and min eval_loss < 1.2 and not (=optimizer ~ "^sgd")
 *
 *	struct run_column *columns;
 *	size_t n;
 *
 *	if (run_columns_parse(&columns, &n, &arena, "run, min eval_loss as best") < 0)
 *		return -1;
 *	run_cell_of(&cell, &columns[1], &records[0]);
 */
#ifndef PORTSIDE_CURVE_RUN_TABLE_H
#define PORTSIDE_CURVE_RUN_TABLE_H

#include "base/expr.h"
#include "curve/series_summary.h"
#include "curve/settings.h"

enum run_column_kind { RUN_COLUMN_FIELD, RUN_COLUMN_SERIES, RUN_COLUMN_STEP_OF, RUN_COLUMN_CONFIG };
enum run_field {
	RUN_FIELD_RUN, RUN_FIELD_ATTEMPT, RUN_FIELD_KIND, RUN_FIELD_TARGET, RUN_FIELD_SEED,
	RUN_FIELD_OUTCOME, RUN_FIELD_STARTED, RUN_FIELD_DURATION, RUN_FIELD_STEP, RUN_FIELD_COST,
	RUN_FIELDS,
};
enum run_reduce { RUN_LAST, RUN_FIRST, RUN_MIN, RUN_MAX, RUN_MEAN, RUN_COUNT };

enum { RUN_COLUMNS_MAX = 20, RUN_SORTS_MAX = 8 };

struct run_column {
	enum run_column_kind kind;
	enum run_field field;
	enum run_reduce reduce;
	bool has_at;		/* AT limits the points */
	bool is_exact;		/* the value at AT itself */
	double at;
	const char *key;	/* of a series, of the configuration */
	const char *joined;	/* "recall@5", where KEY and AT were written as one word; NULL */
	double scale;		/* of the values of a series; 0: as they were logged */
	const char *unit;	/* of scaled values, "pp"; NULL: none */
	const char *name;	/* NAME, else the column as it was written */
	const char *text;	/* as it was written, without "as NAME" */
};

enum run_cell_type { RUN_CELL_ABSENT, RUN_CELL_READING, RUN_CELL_NUMBER, RUN_CELL_TEXT };
struct run_cell {
	enum run_cell_type type;
	double number;		/* seconds, dollars, values, x; may be NaN where that was logged */
	const char *text;	/* borrowed; of a number: as it was written, or NULL */
	bool is_whole;		/* of a step: WHOLE is NUMBER, exactly */
	int64_t whole;
};

/* All that a table may ask of one run; everything is borrowed. */
struct run_record {
	const char *fields[RUN_FIELDS];	/* NULL or "": not known; no numbers are here */
	double duration_s, last_step, cost_usd;		/* NaN: not known */
	bool is_reading;		/* its curves are not there yet */
	const struct series_summary *series;
	size_t n_series;
	const struct settings *config;	/* NULL: none */
	/* What a column with @X says, by column.text: it needs the points themselves. */
	const struct run_at { const char *text; struct run_cell cell; } *at;
	size_t n_at;
};

/* ERR_USAGE names what is wrong and what may be written.  Texts in A. */
int run_column_parse(struct run_column *out, struct arena *a, const char *s) ATTR_MUST_USE;
int run_columns_parse(
	struct run_column **out, size_t *n, struct arena *a, const char *list) ATTR_MUST_USE;

/* "run, attempt, ...": the fields. */
void run_fields_add_names(struct buf *out);

/* How the values of series are shown: times SCALE, in UNIT.  SERIES is a glob; the first
 * that fits counts. */
struct run_scale { const char *series; double scale; const char *unit; };
void run_columns_scale(struct run_column *columns, size_t n, const struct run_scale *scales,
	size_t n_scales);

/* Is it a number wherever it is anything?  A seed is a text that mostly looks like one. */
bool run_column_is_number(const struct run_column *c);
void run_cell_of(struct run_cell *out, const struct run_column *c, const struct run_record *r);
/* For columns with @X, from the points. */
void run_cell_at(struct run_cell *out, const struct run_column *c, const struct run_series *points);
/* Does any of COLUMNS need curves, or their points? */
bool run_columns_need_curves(const struct run_column *columns, size_t n);
bool run_columns_need_points(const struct run_column *columns, size_t n);

/* What N columns with a joined name mean, once it is known what the runs log: a series
 * that is really called so wins, for all rows alike.  Before that each record answers for
 * itself.  True when a column changed. */
bool run_columns_settle(struct run_column *columns, size_t n, const struct run_record *records,
	size_t n_records);

/* ---- order ---- */

struct run_sort { struct run_column column; bool down; };

/* "-min eval_loss, run": names of COLUMNS, or columns of their own. */
int run_sorts_parse(struct run_sort **out, size_t *n, struct arena *a, const char *list,
	const struct run_column *columns, size_t n_columns) ATTR_MUST_USE;
/* < 0, 0, > 0; numbers before texts, texts as people order them, absent last. */
int run_cell_compare(const struct run_cell *a, const struct run_cell *b, bool down);
/* Orders ROWS, numbers of RECORDS; equal ones keep their order. */
void run_table_sort(size_t *rows, size_t n, const struct run_record *records,
	const struct run_sort *sorts, size_t n_sorts);

/* ---- filter ---- */

struct run_filter;

/* OUT is yours: run_filter_free().  ERR_USAGE says what is wrong first, then the text. */
int run_filter_parse(struct run_filter **out, const char *text, const struct run_column *columns,
	size_t n_columns) ATTR_MUST_USE;
void run_filter_free(struct run_filter *f);
bool run_filter_settle(
	struct run_filter *f, const struct run_record *records, size_t n_records);
enum truth run_filter_test(const struct run_filter *f, const struct run_record *r);
/* What it asks for, so that it can be read; and how it is to be understood. */
const struct run_column *run_filter_columns(const struct run_filter *f, size_t *n);
void run_filter_scale(struct run_filter *f, const struct run_scale *scales, size_t n_scales);

/* ---- groups ---- */

struct run_statistic {
	size_t n;			/* finite numbers among the cells */
	double mean, min, max, sd;	/* NaN without one; SD (n - 1) NaN below two */
	const char *text;		/* what all texts are; NULL: there is none, or several */
	size_t n_texts;			/* different texts */
};

struct run_group {
	struct run_cell key;		/* ABSENT: the runs that have none; last.  Those that are
					   still being read are among them. */
	size_t n;			/* runs */
	struct run_statistic *columns;	/* one for each of COLUMNS */
};

/* Runs with equal KEY, in order of the key.  In A. */
void run_table_group(struct run_group **out, size_t *n, struct arena *a, const size_t *rows,
	size_t n_rows, const struct run_record *records, const struct run_column *key,
	const struct run_column *columns, size_t n_columns);

#endif
