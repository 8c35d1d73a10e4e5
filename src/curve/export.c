/* export - what a comparison says, as sentences, CSV and a text table. */
#include "config.h"

#include "curve/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "curve/export_rows.h"

enum { FIGURE_DIGITS = 6 };

static void add_name(struct buf *out, const char *s, const char *otherwise)
{
	s = s && *s ? s : otherwise;
	text_sanitise(out, s, strlen(s));
}

static void add_title(struct buf *out, const struct export_comparison *e)
{
	add_name(out, e->metric, "metric");
	if (e->unit) {
		buf_adds(out, " in ");
		add_name(out, e->unit, "");
	}
	buf_adds(out, ": R = ");
	add_name(out, e->reference_name, "reference");
	buf_adds(out,
		e->against_attempt ? " (another attempt), A = " : " (reference, not truth), A = ");
	add_name(out, e->attempt_name, "attempt");
}

static void add_comparable(struct buf *out, const struct export_comparison *e)
{
	static const char *const answers[] = {
		[COMPARABLE_YES] = "yes",
		[COMPARABLE_NO] = "NO",
		[COMPARABLE_OPEN] = "not known",
	};

	buf_addf(out, "comparable: %s",
		e->comparable ? answers[e->comparable->overall] : "not checked");
	if (!e->comparable)
		return;
	buf_addc(out, ';');
	comparable_add_items(out, e->comparable);
	if (e->comparable->n_unknown)
		buf_addf(out, "  not on record: %zu of %zu inputs", e->comparable->n_unknown,
			e->comparable->n);
}

static void add_obstacle(struct buf *out, const struct comparable_item *item)
{
	buf_addf(out, "%s: %s (R), %s (A); %s", item->name,
		*item->reference ? item->reference : "unknown",
		*item->attempt ? item->attempt : "unknown", item->make_equal);
}

/* Every red item, so that nobody repairs one and runs again for the next. */
static void add_obstacles(struct buf *out, const struct comparable *c)
{
	bool first = true;

	buf_adds(out, "no verdict: ");
	for (size_t i = 0; i < c->n; i++) {
		const struct comparable_item *item = &c->items[i];

		if (item->status != COMPARABLE_DIFFERS || !item->blocks)
			continue;
		buf_adds(out, first ? "" : ". Also ");
		add_obstacle(out, item);
		first = false;
	}
}

static void add_verdict(struct buf *out, const struct export_comparison *e)
{
	if (e->comparable && e->comparable->overall == COMPARABLE_NO) {
		add_obstacles(out, e->comparable);
		return;
	}
	buf_adds(out, "verdict: ");
	compare_add_verdict(out, e->comparison);
	if (!e->comparable)
		buf_adds(out, " (if the runs are comparable, which was not checked)");
	else
		comparable_add_conditions(out, e->comparable);
	if (e->assessment && e->assessment->self.cannot_gate)
		buf_addf(out, " (worth nothing: two runs of the reference with seed %s disagree beyond the tolerance)",
			e->assessment->self.seed);
}

static void add_x(struct buf *out, const struct comparison *c, int64_t key, double x)
{
	char number[TEXT_DOUBLE_MAX];

	if (c->alignment.integer) {
		buf_addf(out, "%" PRId64, key);
		return;
	}
	text_from_double(number, x);
	buf_adds(out, number);
}

static void add_inside(struct buf *out, const struct export_comparison *e)
{
	const struct comparison *c = e->comparison;

	buf_addf(out, "inside: %zu of %zu points", c->n_inside, c->alignment.n);
	if (!compare_is_few(c))
		buf_addf(out, " (%.3g %%)", 100.0 * (double)c->n_inside / (double)c->alignment.n);
	if (c->n_nonfinite_pairs)
		buf_addf(out, "; %zu pair%s with NaN or infinity, the same on both sides in %zu",
			c->n_nonfinite_pairs, c->n_nonfinite_pairs == 1 ? "" : "s",
			c->n_nonfinite_equal);
	if (!c->has_first_out)
		return;
	buf_adds(out, "; first out at ");
	add_x(out, c, c->first_out_key, c->first_out_x);
	buf_adds(out, "; longest run out ");
	add_x(out, c, c->longest_out.first_key, c->longest_out.first_x);
	buf_adds(out, " to ");
	add_x(out, c, c->longest_out.last_key, c->longest_out.last_x);
	buf_addf(out, ", %zu point%s", c->longest_out.n, c->longest_out.n == 1 ? "" : "s");
}

static void add_differences(struct buf *out, const struct export_comparison *e)
{
	const struct comparison *c = e->comparison;
	double scale = c->options.scale;
	struct align_pair largest;

	if (!c->n_finite) {
		buf_adds(out, "d = A - R: no pair of finite values");
		return;
	}
	buf_adds(out, "d = A - R: bias (mean) ");
	compare_add_computed(out, c->bias * scale, FIGURE_DIGITS);
	buf_adds(out, ", mean |d| ");
	compare_add_computed(out, c->mean_abs * scale, FIGURE_DIGITS);
	if (c->max_abs == SIZE_MAX)
		return;
	buf_adds(out, ", farthest ");
	compare_add_computed(
		out, compare_delta(c, c->max_abs, DELTA_PLAIN) * scale, FIGURE_DIGITS);
	buf_adds(out, " at ");
	largest = align_pair_at(&c->alignment, c->max_abs);
	add_x(out, c, largest.key, largest.x);
}

static void add_aligned(struct buf *out, const struct export_comparison *e)
{
	buf_adds(out, "alignment: ");
	compare_add_alignment(out, e->comparison);
}

static void add_tolerance(struct buf *out, const struct export_comparison *e)
{
	const struct comparison *c = e->comparison;
	const struct tolerance *t = &c->options.tolerance;

	buf_adds(out, "tolerance: ");
	compare_add_tolerance(out, c);
	/* A share of R, or a number of spreads, has no unit. */
	if (e->unit && !(t->k_sigma > 0) && t->atol > 0) {
		buf_adds(out, ", in ");
		add_name(out, e->unit, "");
	}
}

static void add_sides(struct buf *out, const struct export_comparison *e)
{
	if (!e->comparison->n_finite)
		return;	/* said of the differences */
	buf_adds(out, "side: A is ");
	compare_add_sides(out, e->comparison);
}

static void add_final(struct buf *out, const struct export_comparison *e)
{
	buf_adds(out, "last: ");
	compare_add_final(out, e->comparison);
}

static void add_seeds(struct buf *out, const struct export_comparison *e)
{
	buf_adds(out, "seeds: ");
	compare_add_seeds(out, e->comparison);
}

static void add_run(struct buf *out, const char *letter, const char *kind, const char *seed)
{
	buf_addf(out, "%s %s, ", letter, *kind ? kind : "of unknown kind");
	if (seed && *seed) {
		buf_adds(out, "seed ");
		text_sanitise(out, seed, strlen(seed));
	} else {
		buf_adds(out, "no seed on record");
	}
}

static void add_runs(struct buf *out, const struct export_comparison *e)
{
	if (!e->reference_kind || !e->attempt_kind)
		return;
	buf_adds(out, "runs: ");
	add_run(out, "R", e->reference_kind, e->reference_seed);
	add_run(out, "; A", e->attempt_kind, e->attempt_seed);
	if (e->kind_note)
		buf_addf(out, " (%s)", e->kind_note);
}

static void add_conclusion(struct buf *out, const struct export_comparison *e)
{
	buf_adds(out, "conclusion: ");
	assessment_add_conclusion(out, e->assessment);
}

/* Who it is, how it ends, and the verdict of its own pairing with R. */
static void add_further(struct buf *out, const struct export_further *f)
{
	const struct comparison *c = f->comparison;

	buf_addf(out, "%c: ", f->letter);
	add_name(out, f->name, "run");
	if (f->run)
		buf_addf(out, " (run %s)", f->run);
	if (!c) {
		buf_adds(out, "; not paired with R");
		if (f->missing) {
			buf_adds(out, ": ");
			text_sanitise(out, f->missing, strlen(f->missing));
		}
		return;
	}
	buf_addf(out, "; inside: %zu of %zu points; ", c->n_inside, c->alignment.n);
	if (f->comparable && f->comparable->overall == COMPARABLE_NO) {
		buf_addf(out, "no verdict: %s", f->comparable->first_obstacle->name);
		return;
	}
	compare_add_verdict(out, c);
	if (!f->comparable)
		buf_adds(out, " (if the runs are comparable, which was not checked)");
	else
		comparable_add_conditions(out, f->comparable);
}

bool export_further_statement(struct buf *out, const struct export_comparison *e, size_t i)
{
	if (i < e->n_further)
		add_further(out, &e->further[i]);
	return i < e->n_further;
}

typedef void statement_fn(struct buf *out, const struct export_comparison *e);
enum when { ALWAYS, ASSESSED, NOT_ASSESSED };

/* In the order of a reader's questions. */
static const struct {
	statement_fn *add;
	enum when when;
} statements[] = {
	{ add_title, ALWAYS },
	{ add_comparable, ALWAYS },
	{ add_verdict, ALWAYS },
	{ add_conclusion, ASSESSED },
	{ add_runs, ALWAYS },
	{ add_aligned, ALWAYS },
	{ add_tolerance, ALWAYS },
	{ add_inside, ALWAYS },
	{ add_differences, ALWAYS },
	{ add_sides, ALWAYS },
	{ add_final, ALWAYS },
	{ add_seeds, NOT_ASSESSED },	/* the conclusion counts them */
};

static bool is_said(const struct export_comparison *e, size_t statement)
{
	enum when when = statements[statement].when;

	return when == ALWAYS || (when == ASSESSED) == (e->assessment != NULL);
}

bool export_statement(struct buf *out, const struct export_comparison *e, size_t i)
{
	const struct provenance_report *p = e->provenance;

	for (size_t k = 0; k < ARRAY_LEN(statements); k++) {
		if (!is_said(e, k))
			continue;
		if (!i--) {
			statements[k].add(out, e);
			return true;
		}
	}
	if (export_further_statement(out, e, i))
		return true;
	i -= e->n_further;
	if (!p || i >= p->n)
		return false;
	buf_addf(out, "warning: %s: ", p->warnings[i].id);
	if (p->warnings[i].side)
		buf_addf(out, "%s, ", p->warnings[i].side);
	if (p->warnings[i].series) {
		add_name(out, p->warnings[i].series, "");
		buf_adds(out, ": ");
	}
	add_name(out, p->warnings[i].text, "");
	return true;
}

bool export_detail(struct buf *out, const struct export_comparison *e, size_t i)
{
	const char *id;

	/* The first is the conclusion, which is in the heading. */
	return e->assessment && assessment_statement(out, e->assessment, i + 1, &id);
}

/* All of them, each behind PREFIX on a line of its own. */
static void add_lines(struct buf *out, const struct export_comparison *e, const char *prefix)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; buf_clear(&line), export_statement(&line, e, i); i++)
		if (line.n)
			buf_addf(out, "%s%s\n", prefix, line.s);
	for (size_t i = 0; buf_clear(&line), export_detail(&line, e, i); i++)
		if (line.n)
			buf_addf(out, "%s%s\n", prefix, line.s);
	buf_release(&line);
}

static void add_double(struct buf *out, double v)
{
	char number[TEXT_DOUBLE_MAX];

	text_from_double(number, v);
	buf_adds(out, number);
}

static void add_place(struct buf *out, const struct export_comparison *e, const size_t *cells)
{
	size_t i = 0;
	struct align_pair p;

	while (cells[i] == SIZE_MAX)
		i++;
	p = align_pair_at(&export_rows_run(e, i)->alignment, cells[i]);
	add_x(out, e->comparison, p.key, p.x);
}

/* The reference is the same for all runs that are paired at one place. */
static double reference_at(const struct export_comparison *e, const size_t *cells)
{
	size_t i = 0;

	while (cells[i] == SIZE_MAX)
		i++;
	return align_pair_at(&export_rows_run(e, i)->alignment, cells[i]).reference;
}

static void add_csv_attempt(struct buf *out, const struct export_comparison *e, size_t i)
{
	const struct comparison *c = e->comparison;
	struct align_pair p = align_pair_at(&c->alignment, i);
	double columns[] = { p.attempt, compare_delta(c, i, DELTA_PLAIN),
		compare_tolerance_at(c, i), compare_delta(c, i, e->delta),
		compare_tolerance_in(c, i, e->delta) };
	size_t n = e->delta ? ARRAY_LEN(columns) : 3;

	for (size_t k = 0; k < n; k++) {
		buf_addc(out, ',');
		add_double(out, columns[k]);
	}
	buf_addf(out, ",%d,%u,%u", c->inside[i], (unsigned)p.reference_segment,
		(unsigned)p.attempt_segment);
}

static void add_csv_further(struct buf *out, const struct comparison *c, size_t i)
{
	buf_addc(out, ',');
	add_double(out, align_pair_at(&c->alignment, i).attempt);
	buf_addc(out, ',');
	add_double(out, compare_delta(c, i, DELTA_PLAIN));
	buf_addf(out, ",%d", c->inside[i]);
}

static void add_csv_row(struct buf *out, const struct export_comparison *e, const size_t *cells)
{
	add_place(out, e, cells);
	buf_addc(out, ',');
	add_double(out, reference_at(e, cells));
	if (cells[0] != SIZE_MAX)
		add_csv_attempt(out, e, cells[0]);
	else
		buf_adds(out, e->delta ? ",,,,,,,," : ",,,,,,");
	for (size_t i = 0; i < e->n_further; i++) {
		if (cells[1 + i] != SIZE_MAX)
			add_csv_further(out, e->further[i].comparison, cells[1 + i]);
		else
			buf_adds(out, ",,,");
	}
	buf_addc(out, '\n');
}

void export_csv(struct buf *out, const struct export_comparison *e)
{
	struct export_rows rows;

	add_lines(out, e, "# ");
	buf_adds(out, "x,reference,attempt,d,tolerance,");
	if (e->delta)
		buf_addf(out, "%s,%s_tolerance,", delta_mode_word(e->delta),
			delta_mode_word(e->delta));
	buf_adds(out, "inside,reference_segment,attempt_segment");
	for (size_t i = 0; i < e->n_further; i++)
		buf_addf(out, ",%c,%c_d,%c_inside", e->further[i].letter, e->further[i].letter,
			e->further[i].letter);
	buf_addc(out, '\n');
	export_rows_init(&rows, e);
	for (size_t i = 0; i < rows.n; i++)
		add_csv_row(out, e, export_rows_cells(&rows, i));
	export_rows_release(&rows);
}

/* A value as it was logged. */
static const char *cell_value(char out[TEXT_DOUBLE_MAX], double v)
{
	if (isfinite(v))
		snprintf(out, TEXT_DOUBLE_MAX, "%.6g", v);
	else
		text_from_double(out, v);
	return out;
}

/* One that was computed: where it is none, a line below the rows says why. */
static const char *cell_figure(char out[TEXT_DOUBLE_MAX], double v)
{
	if (isfinite(v))
		return cell_value(out, v);
	return isnan(v) ? "-" : "too large";
}

/* A share or a number of spreads has no unit to be scaled to. */
static double shown_in(const struct comparison *c, double v, enum delta_mode mode)
{
	return mode == DELTA_PLAIN || mode == DELTA_ABSOLUTE ? v * c->options.scale : v;
}

/* True when its tolerance is missing. */
static bool add_text_attempt(
	struct buf *out, const struct comparison *c, size_t i, enum delta_mode delta)
{
	struct align_pair p = align_pair_at(&c->alignment, i);
	char a[TEXT_DOUBLE_MAX], d[TEXT_DOUBLE_MAX], t[TEXT_DOUBLE_MAX];
	double tolerance = compare_tolerance_in(c, i, delta);

	buf_addf(out, "  %12s  %12s  %12s  %s", cell_value(a, p.attempt * c->options.scale),
		cell_figure(d, shown_in(c, compare_delta(c, i, delta), delta)),
		cell_figure(t, shown_in(c, tolerance, delta)), c->inside[i] ? "in" : "OUT");
	return isnan(tolerance);
}

static void add_text_further(
	struct buf *out, const struct comparison *c, size_t i, enum delta_mode delta)
{
	struct align_pair p = align_pair_at(&c->alignment, i);
	char a[TEXT_DOUBLE_MAX], d[TEXT_DOUBLE_MAX];

	buf_addf(out, "  %12s  %12s  %-3s", cell_value(a, p.attempt * c->options.scale),
		cell_figure(d, shown_in(c, compare_delta(c, i, delta), delta)),
		c->inside[i] ? "in" : "OUT");
}

static bool add_text_row(struct buf *out, const struct export_comparison *e, const size_t *cells)
{
	char r[TEXT_DOUBLE_MAX];
	struct buf x = BUF_INIT;
	bool missing = false;

	add_place(&x, e, cells);
	buf_addf(out, "%12s  %12s", x.s,
		cell_value(r, reference_at(e, cells) * e->comparison->options.scale));
	buf_release(&x);
	if (cells[0] != SIZE_MAX)
		missing = add_text_attempt(out, e->comparison, cells[0], e->delta);
	else
		buf_addf(out, "  %12s  %12s  %12s  %s", "-", "-", "-", "-");
	for (size_t i = 0; i < e->n_further; i++) {
		if (!i)
			buf_adds(out, cells[0] == SIZE_MAX ? "  "
				: e->comparison->inside[cells[0]] ? " " : "");
		if (cells[1 + i] != SIZE_MAX)
			add_text_further(out, e->further[i].comparison, cells[1 + i], e->delta);
		else
			buf_addf(out, "  %12s  %12s  %-3s", "-", "-", "-");
	}
	buf_trim_end(out);
	buf_addc(out, '\n');
	return missing;
}

/* Row K of LIMIT ones that are spread over all N, with the first and the last. */
static size_t spread_row(size_t k, size_t limit, size_t n)
{
	return limit > 1 ? (size_t)((double)k * (double)(n - 1) / (double)(limit - 1)) : n - 1;
}

static size_t chosen_row(size_t first_out, size_t k, size_t limit, size_t n)
{
	size_t row = spread_row(k, limit, n);
	size_t next = k + 1 < limit ? spread_row(k + 1, limit, n) : n;

	if (first_out == SIZE_MAX || k == 0 || k + 1 >= limit)
		return row;
	/* The second row also stands in for what is between it and the first. */
	if (first_out < next && first_out > (k == 1 ? 0 : row))
		return first_out;
	return row;
}

/* The row in which A is out first; SIZE_MAX: none. */
static size_t first_out_row(const struct export_rows *rows, const struct comparison *c)
{
	for (size_t i = 0; c->has_first_out && i < rows->n; i++)
		if (export_rows_cells(rows, i)[0] == c->first_out)
			return i;
	return SIZE_MAX;
}

void export_text(struct buf *out, const struct export_comparison *e, size_t limit)
{
	add_lines(out, e, "");
	export_rows(out, e, limit);
}

void export_rows(struct buf *out, const struct export_comparison *e, size_t limit)
{
	struct export_rows all;
	size_t first_out, n, rows;
	bool missing = false;

	export_rows_init(&all, e);
	first_out = first_out_row(&all, e->comparison);
	n = all.n;
	rows = limit && limit < n ? limit : n;
	buf_addf(out, "%12.12s  %12s  %12s  %12s  %12s",
		align_axis_name(e->comparison->alignment.options.axis), "R", "A",
		delta_mode_name(e->delta), "tolerance");
	for (size_t i = 0; i < e->n_further; i++)
		buf_addf(out, "     %12c  %10s %c", e->further[i].letter, "d",
			e->further[i].letter);
	buf_addc(out, '\n');
	for (size_t k = 0; k < rows; k++)
		missing |= add_text_row(out, e,
			export_rows_cells(&all, rows < n ? chosen_row(first_out, k, rows, n) : k));
	if (missing)
		buf_addf(out, "tolerance -: %s\n", delta_mode_gap(e->delta));
	if (rows < n)
		buf_addf(out, "%zu of %zu rows\n", rows, n);
	export_rows_release(&all);
}
