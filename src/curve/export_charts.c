/* export_charts - see export_charts.h. */
#include "config.h"

#include "curve/export_charts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"

/* ---- what is said of all of it -------------------------------------------------- */

static void add_range(struct buf *out, const struct export_charts *e)
{
	if (e->whole)
		buf_addf(out, "x is the %s, every point", align_axis_name(e->axis));
	else
		buf_addf(out, "x is the %s, from %.15g to %.15g", align_axis_name(e->axis),
			e->window.x0, e->window.x1);
}

static void add_run(struct buf *out, const struct export_run *r)
{
	buf_addf(out, "%c = ", r->letter);
	text_sanitise(out, r->name, strlen(r->name));
	if (r->id)
		buf_addf(out, " (run %s)", r->id);
}

void export_chart_add_bands(struct buf *out, const struct export_chart *c)
{
	if (c->n_band > 1)
		buf_addf(out, "grey: least to greatest of %zu runs of the reference", c->n_band);
	if (c->likely)
		buf_addf(out,
			"%sdashed: where 95 %% of further runs of the reference would lie at any one step, from %zu seeds",
			c->n_band > 1 ? "; " : "", c->likely_seeds);
}

bool export_charts_statement(struct buf *out, const struct export_charts *e, size_t i)
{
	switch (i) {
	case 0:
		add_range(out, e);
		return true;
	case 1:
		buf_adds(out, "smoothing: ");
		smooth_describe(out, &e->smooth);
		buf_adds(out, e->smooth.mode == SMOOTH_NONE ? "none" : " (of the drawing)");
		return true;
	default:
		break;
	}
	if (i - 2 >= e->n_runs)
		return false;
	add_run(out, &e->runs[i - 2]);
	return true;
}

/* ---- points ------------------------------------------------------------------------ */

/* The points of a line that are written: those in the window. */
struct range { size_t first, end; };

static struct range range_of(const struct export_charts *e, const struct plot_source *p)
{
	struct range r = { 0, plot_source_n(p) };

	while (!e->whole && r.first < r.end && plot_source_x(p, r.first) < e->window.x0)
		r.first++;
	while (!e->whole && r.end > r.first && plot_source_x(p, r.end - 1) > e->window.x1)
		r.end--;
	return r;
}

static void add_number(struct buf *out, double v)
{
	char text[TEXT_DOUBLE_MAX];

	text_from_double(text, v);
	buf_adds(out, text);
}

/* A cell in quotes, which are doubled inside.  One that a spreadsheet would take for a
 * formula gets an apostrophe. */
static void add_quoted(struct buf *out, const char *s)
{
	struct buf clean = BUF_INIT;

	text_sanitise(&clean, s, strlen(s));
	buf_adds(out, *s && strchr("=+-@", *s) ? "\"'" : "\"");
	for (size_t i = 0; i < clean.n; i++) {
		if (clean.s[i] == '"')
			buf_addc(out, '"');
		buf_addc(out, clean.s[i]);
	}
	buf_addc(out, '"');
	buf_release(&clean);
}

static void add_x(struct buf *out, const struct plot_readout *r)
{
	if (r->has_key)
		buf_addf(out, "%" PRId64, r->key);
	else
		add_number(out, r->x);
}

static void add_row(struct buf *out, const char *metric, char letter, const struct plot_readout *r)
{
	add_quoted(out, metric);
	buf_addf(out, ",%c,", letter);
	add_x(out, r);
	buf_addc(out, ',');
	add_number(out, r->value);
	buf_addc(out, ',');
	if (!isnan(r->smoothed))
		add_number(out, r->smoothed);
	buf_addf(out, ",%" PRIu32 ",", r->segment + 1);
	if (isfinite(r->wall_s))
		add_number(out, r->wall_s);
	buf_addc(out, '\n');
}

void export_charts_csv(struct buf *out, const struct export_charts *e)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; buf_clear(&line), export_charts_statement(&line, e, i); i++)
		buf_addf(out, "# %s\n", line.s);
	buf_release(&line);
	buf_adds(out, "series,letter,x,value,smoothed,segment,time\n");
	for (size_t c = 0; c < e->n; c++)
		for (size_t k = 0; k < e->n_runs; k++) {
			const struct plot_source *p = e->charts[c].lines[k];
			struct range r = p ? range_of(e, p) : (struct range){ 0, 0 };

			for (size_t i = r.first; i < r.end; i++) {
				struct plot_readout at;

				plot_read_point(&at, p, i);
				add_row(out, e->charts[c].metric, e->runs[k].letter, &at);
			}
		}
}

/* ---- JSON -------------------------------------------------------------------------- */

static void put_runs(struct json_writer *w, const struct export_charts *e)
{
	json_begin_array(w, "runs");
	for (size_t i = 0; i < e->n_runs; i++) {
		char letter[2] = { e->runs[i].letter, '\0' };

		json_begin_object(w, NULL);
		json_put_str(w, "letter", letter);
		json_put_str(w, "name", e->runs[i].name);
		json_put_str(w, "run", e->runs[i].id);
		json_end_object(w);
	}
	json_end_array(w);
}

static void put_point(struct json_writer *w, const struct plot_readout *r)
{
	json_begin_object(w, NULL);
	if (r->has_key)
		json_put_i64(w, "x", r->key);
	else
		json_put_double(w, "x", r->x);
	json_put_double(w, "value", r->value);
	if (!isnan(r->smoothed))
		json_put_double(w, "smoothed", r->smoothed);
	json_put_i64(w, "segment", (int64_t)r->segment + 1);
	if (isfinite(r->wall_s))
		json_put_double(w, "time", r->wall_s);
	json_end_object(w);
}

static void put_line(struct json_writer *w, const struct export_charts *e,
	const struct plot_source *p, char letter)
{
	struct range r = range_of(e, p);
	char name[2] = { letter, '\0' };

	json_begin_object(w, NULL);
	json_put_str(w, "letter", name);
	json_begin_array(w, "points");
	for (size_t i = r.first; i < r.end; i++) {
		struct plot_readout at;

		plot_read_point(&at, p, i);
		put_point(w, &at);
	}
	json_end_array(w);
	json_end_object(w);
}

static void put_chart(
	struct json_writer *w, const struct export_charts *e, const struct export_chart *c)
{
	json_begin_object(w, NULL);
	json_put_str(w, "series", c->metric);
	json_begin_array(w, "lines");
	for (size_t k = 0; k < e->n_runs; k++)
		if (c->lines[k])
			put_line(w, e, c->lines[k], e->runs[k].letter);
	json_end_array(w);
	json_end_object(w);
}

void export_charts_json(struct buf *out, const struct export_charts *e)
{
	struct json_writer w = { .out = out };
	struct buf smoothing = BUF_INIT;

	smooth_describe(&smoothing, &e->smooth);
	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", EXPORT_CHARTS_SCHEMA);
	json_put_str(&w, "kind", "charts");
	json_put_str(&w, "axis", align_axis_name(e->axis));
	json_put_str(&w, "smoothing", smoothing.n ? smoothing.s : NULL);
	if (!e->whole) {
		json_put_double(&w, "from", e->window.x0);
		json_put_double(&w, "to", e->window.x1);
	}
	put_runs(&w, e);
	json_begin_array(&w, "charts");
	for (size_t i = 0; i < e->n; i++)
		put_chart(&w, e, &e->charts[i]);
	json_end_array(&w);
	json_end_object(&w);
	buf_addc(out, '\n');
	buf_release(&smoothing);
}

/* ---- text -------------------------------------------------------------------------- */

static void add_cell(struct buf *out, double v)
{
	char text[TEXT_DOUBLE_MAX];

	if (isfinite(v))
		buf_addf(out, " %12.6g", v);
	else
		buf_addf(out, " %12.*s", (int)text_from_double(text, v), text);
}

static void add_summary(struct buf *out, const struct export_charts *e,
	const struct plot_source *p, char letter)
{
	struct range r = range_of(e, p);
	double least = NAN, greatest = NAN;
	struct plot_readout first, last;
	struct buf x = BUF_INIT;

	if (r.first == r.end)
		return;
	for (size_t i = r.first; i < r.end; i++) {
		struct plot_readout at;

		plot_read_point(&at, p, i);
		if (!isfinite(at.value))
			continue;
		least = fmin(least, at.value);
		greatest = fmax(greatest, at.value);
	}
	plot_read_point(&first, p, r.first);
	plot_read_point(&last, p, r.end - 1);
	buf_addf(out, "  %c %8zu", letter, r.end - r.first);
	add_cell(out, first.value);
	add_cell(out, last.value);
	add_cell(out, least);
	add_cell(out, greatest);
	add_x(&x, &last);
	buf_addf(out, " %12s\n", x.s);
	buf_release(&x);
}

void export_charts_text(struct buf *out, const struct export_charts *e)
{
	struct buf line = BUF_INIT;

	for (size_t i = 0; buf_clear(&line), export_charts_statement(&line, e, i); i++)
		buf_addf(out, "%s\n", line.s);
	buf_release(&line);
	for (size_t c = 0; c < e->n; c++) {
		buf_addc(out, '\n');
		text_sanitise(out, e->charts[c].metric, strlen(e->charts[c].metric));
		buf_addf(out, "\n    %8s %12s %12s %12s %12s %12s\n", "points", "first", "last",
			"least", "greatest", "at");
		for (size_t k = 0; k < e->n_runs; k++)
			if (e->charts[c].lines[k])
				add_summary(out, e, e->charts[c].lines[k], e->runs[k].letter);
	}
}
