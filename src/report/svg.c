/* svg - overlay and delta pane of a comparison as one picture. */
#include "config.h"

#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/svg_charts.h"
#include "report/svg_pane.h"

enum {
	DEFAULT_WIDTH = 860, DEFAULT_HEIGHT = 480, LEAST_WIDTH = 320, LEAST_HEIGHT = 240,
	MARGIN_LEFT = 70, MARGIN_RIGHT = 16, LINE_HEIGHT = 15, LEGEND_HEIGHT = 22, AXIS_HEIGHT = 34,
	PANE_GAP = 14, LEGEND_NAME_MAX = 40,
};
#define CHARACTER_WIDTH 6.3

static void draw_tolerance(const struct svg_pane *p, const struct plot_source *tolerance)
{
	size_t n = plot_source_n(tolerance);
	struct plot_column *columns = xcalloc(p->view.columns, sizeof *columns);

	if (n)
		plot_columns(tolerance, &p->view, columns, NULL);
	for (size_t i = 0; i < p->view.columns; i++) {
		double half = columns[i].n ? columns[i].max : NAN;
		double wide = p->width / (double)p->view.columns;

		/* A band of sparse points is continued to the next one. */
		for (size_t k = i + 1; n && isfinite(half) && k < p->view.columns && !columns[k].n;
			k++)
			wide += p->width / (double)p->view.columns;
		if (isfinite(half))
			buf_addf(p->out,
				"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"%.1f\" fill=\"" TOLERANCE_BAND
				"\"/>\n",
				svg_column_px(p, i), svg_py(p, half), wide,
				svg_py(p, -half) - svg_py(p, half));
	}
	free(columns);
}

static void draw_first_out(const struct svg_pane *p, const struct comparison *c)
{
	if (!c->has_first_out)
		return;
	buf_addf(p->out, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"" OUT_COLOUR
		"\" stroke-dasharray=\"4 3\"><title>first out of tolerance</title></path>\n",
		svg_px(p, c->first_out_x), p->top, p->height);
}

/* The differences of a further run, in the line that it has in the overlay. */
static void draw_further_delta(struct svg_pane *p, const struct plot_source *d, char letter)
{
	struct plot_column *columns = xcalloc(p->view.columns, sizeof *columns);
	struct plot_ends ends;

	plot_columns(d, &p->view, columns, NULL);
	ends = plot_ends(d, &p->view);
	buf_addf(p->out, "<g><title>d of %c</title>\n", letter);
	svg_line(p, columns, &ends, svg_chart_line_style(letter));
	svg_marks(p, columns, svg_chart_colour(letter));
	svg_dots(p, d, svg_chart_colour(letter));
	buf_adds(p->out, "</g>\n");
	free(columns);
}

/* Of all runs: A first, then the tolerance, then further ones. */
static struct plot_source **delta_sources(const struct export_comparison *e)
{
	struct plot_source **all = xcalloc(2 + e->n_further, sizeof *all);

	for (size_t i = 0; i < 2 + e->n_further; i++)
		all[i] = plot_source_new();
	plot_source_delta(all[0], e->comparison, DELTA_PLAIN);
	plot_source_tolerance(all[1], e->comparison, DELTA_PLAIN);
	for (size_t i = 0; i < e->n_further; i++)
		if (e->further[i].comparison)
			plot_source_delta(all[2 + i], e->further[i].comparison, DELTA_PLAIN);
	return all;
}

static void draw_delta(struct svg_pane *p, const struct export_comparison *e)
{
	const struct comparison *c = e->comparison;
	struct plot_source **all = delta_sources(e), *d = all[0], *tolerance = all[1];
	struct plot_column *columns = xcalloc(p->view.columns, sizeof *columns);
	struct plot_ends ends;

	plot_view_fit_y(&p->view, all, 2 + e->n_further);
	p->view.y1 = fmax(fabs(p->view.y0), fabs(p->view.y1)) * 1.05;
	p->view.y0 = -p->view.y1;
	draw_tolerance(p, tolerance);
	svg_y_ticks(p, 4);
	svg_zero(p);
	plot_columns(d, &p->view, columns, NULL);
	ends = plot_ends(d, &p->view);
	svg_line(p, columns, &ends, "stroke=\"" ATTEMPT_LINE "\" stroke-width=\"1.1\"");
	svg_marks(p, columns, OUT_COLOUR);
	svg_dots(p, d, ATTEMPT_LINE);
	for (size_t i = 0; i < e->n_further; i++)
		if (e->further[i].comparison)
			draw_further_delta(p, all[2 + i], e->further[i].letter);
	draw_first_out(p, c);
	svg_frame(p);
	free(columns);
	for (size_t i = 0; i < 2 + e->n_further; i++)
		plot_source_free(all[i]);
	free(all);
}

static const char *shortened(struct arena *a, const char *name, const char *otherwise)
{
	const char *s = text_sanitised(a, name && *name ? name : otherwise);
	size_t bytes = 0, n = strlen(s);
	uint32_t cp;

	for (int i = 0; bytes < n && i < LEGEND_NAME_MAX; i++)
		bytes += utf8_decode(s + bytes, n - bytes, &cp);
	return bytes == n ? s : arena_printf(a, "%.*s\xe2\x80\xa6", (int)bytes, s);
}

/* The next entry of a legend, in a new line where it does not fit any more. */
static void place_key(struct buf *out, double *x, double *y, double width, char letter,
	const char *text)
{
	double wide = 46 + CHARACTER_WIDTH * (double)strlen(text);

	if (*x > MARGIN_LEFT && *x + wide > width - MARGIN_RIGHT) {
		*x = MARGIN_LEFT;
		*y += LINE_HEIGHT;
	}
	*x = letter ? svg_chart_key(out, *x, *y, letter, text) : *x + wide;
	if (!letter)
		svg_text(out, *x - wide, *y, "", text, strlen(text));
}

/* Every run by its name; returns how much higher than one line that is. */
static double draw_legend(struct buf *out, const struct export_comparison *e,
	const struct export_charts *shown, double width, double top)
{
	struct arena a = ARENA_INIT;
	struct buf smooth = BUF_INIT;
	double x = MARGIN_LEFT, y = top;

	place_key(out, &x, &y, width, 'R',
		arena_printf(&a, "R %s", shortened(&a, e->reference_name, "reference")));
	place_key(out, &x, &y, width, 'A',
		arena_printf(&a, "A %s", shortened(&a, e->attempt_name, "attempt")));
	for (size_t i = 0; i < shown->n_runs; i++) {
		const struct export_run *run = &shown->runs[i];

		if (run->letter != 'R' && run->letter != 'A')
			place_key(out, &x, &y, width, run->letter,
				arena_printf(&a, "%c %s", run->letter,
					shortened(&a, run->name, "run")));
	}
	smooth_describe(&smooth, &shown->smooth);
	if (smooth.n) {
		buf_adds(&smooth, " (drawing only)");
		place_key(out, &x, &y, width, '\0', smooth.s);
	}
	buf_release(&smooth);
	arena_release(&a);
	return y - top;
}

/* Statements as lines of at most COLUMNS bytes, broken at blanks. */
static size_t line_length(const char *s, size_t n, size_t columns)
{
	size_t cut = columns;

	if (n <= columns)
		return n;
	while (cut > columns / 2 && s[cut] != ' ')
		cut--;
	if (s[cut] != ' ')
		cut = columns;
	cut = text_cut(s, n, cut);
	return cut ? cut : 1;
}

/* Those of the comparison, what stands behind the lines, and which further runs are
 * drawn. */
static bool statement(struct buf *out, const struct export_comparison *e,
	const struct export_charts *shown, size_t i)
{
	size_t n = 0;
	struct buf skipped = BUF_INIT;

	while (n <= i && (buf_clear(&skipped), export_statement(&skipped, e, n)))
		n++;
	if (n > i) {
		buf_add(out, skipped.s, skipped.n);
		buf_release(&skipped);
		return true;
	}
	buf_release(&skipped);
	if (i == n) {
		export_chart_add_bands(out, &shown->charts[0]);
		return true;
	}
	/* What is said of R and A is said above; the smoothing is in the legend. */
	return shown->n_runs > 2 && !e->n_further &&
		export_charts_statement(out, shown, i - n + 3);
}

/* Returns the number of lines; OUT NULL only counts. */
static size_t draw_statements(struct buf *out, const struct export_comparison *e,
	const struct export_charts *shown, double width, double y)
{
	size_t columns = (size_t)((width - 24) / CHARACTER_WIDTH), lines = 0;
	struct buf text = BUF_INIT;

	for (size_t i = 0; buf_clear(&text), statement(&text, e, shown, i); i++) {
		for (size_t at = 0; at < text.n; lines++) {
			size_t n = line_length(text.s + at, text.n - at, columns);
			double line_y = y + LINE_HEIGHT * (double)(lines + 1);

			if (out)
				svg_text(out, 12, line_y,
					i == 2 ? " font-weight=\"bold\" xml:space=\"preserve\""
					       : " xml:space=\"preserve\"",
					text.s + at, n);
			at += n;
			while (at < text.n && text.s[at] == ' ')
				at++;
		}
	}
	buf_release(&text);
	return lines;
}

/* Without a picture that is shown somewhere: both runs, all of them, and what the
 * reference's own repeats are around them. */
struct pair {
	struct export_charts charts;
	struct export_chart chart;
	struct plot_source **lines;
	struct export_run *runs;
	struct plot_source **band;
};

static int load_sources(struct pair *p, const struct export_comparison *e)
{
	const struct align_options *o = &e->comparison->alignment.options;
	struct plot_how how = { .axis = o->axis, .policy = o->policy, .smooth = e->smooth,
		.scale = o->reference_scale };
	int rc = e->reference ? plot_source_update(p->lines[0], e->reference, &how) : 0;

	how.shift = o->shift;
	how.scale = o->attempt_scale;
	if (!rc && e->attempt)
		rc = plot_source_update(p->lines[1], e->attempt, &how);
	for (size_t i = 0; !rc && i < e->n_further; i++) {
		const struct export_further *f = &e->further[i];

		if (!f->series)
			continue;
		how.shift = f->comparison ? f->comparison->alignment.options.shift : 0;
		if (f->comparison)
			how.scale = f->comparison->alignment.options.attempt_scale;
		rc = plot_source_update(p->lines[2 + i], f->series, &how);
	}
	return rc;
}

/* Repeats that have no such axis are not drawn. */
static void load_band(struct pair *p, const struct export_comparison *e)
{
	const struct align_options *o = &e->comparison->alignment.options;
	const struct assessment_input *in = &e->assessment->input;
	struct plot_how how = { .axis = o->axis, .policy = o->policy, .smooth = e->smooth,
		.scale = o->reference_scale };

	p->band = xcalloc(in->n_references + 1, sizeof *p->band);
	for (size_t i = 0; i < in->n_references; i++) {
		const struct series *s = in->references[i].series;
		struct plot_source *source;

		if (!s || !s->n)
			continue;
		source = plot_source_new();
		if (plot_source_update(source, s, &how) < 0) {
			err_clear();
			plot_source_free(source);
			continue;
		}
		p->band[p->chart.n_band++] = source;
	}
	p->chart.band = p->band;
	if (e->assessment->band.bands.n > 1 && o->axis == ALIGN_STEP &&
		e->smooth.mode == SMOOTH_NONE) {
		p->chart.likely = &e->assessment->band.bands;
		p->chart.likely_seeds = e->assessment->band.m;
	}
}

static void open_pair(struct pair *p, const struct export_comparison *e)
{
	size_t n = 2 + e->n_further;

	*p = (struct pair){ .lines = xcalloc(n, sizeof(struct plot_source *)),
		.runs = xcalloc(n, sizeof(struct export_run)) };
	for (size_t i = 0; i < n; i++) {
		const struct export_further *f = i < 2 ? NULL : &e->further[i - 2];

		p->lines[i] = plot_source_new();
		p->runs[i] = (struct export_run){ .letter = f ? f->letter : i ? 'A' : 'R',
			.name = f ? f->name : "" };
	}
	p->chart = (struct export_chart){ .metric = e->metric, .lines = p->lines };
	p->charts = (struct export_charts){ .runs = p->runs, .n_runs = n,
		.charts = &p->chart, .n = 1,
		.axis = e->comparison->alignment.options.axis, .smooth = e->smooth,
		.window = PLOT_VIEW_INIT, .whole = true };
	if (load_sources(p, e) < 0)
		err_clear();	/* the axis was there when the runs were compared */
	if (e->assessment)
		load_band(p, e);
}

static void close_pair(struct pair *p)
{
	for (size_t i = 0; i < p->chart.n_band; i++)
		plot_source_free(p->band[i]);
	free(p->band);
	for (size_t i = 0; i < p->charts.n_runs; i++)
		plot_source_free(p->lines[i]);
	free(p->lines);
	free(p->runs);
}

/* Sentences have the unit of a goal; the axis has what was logged, and says so. */
static void title_y(const struct svg_pane *p, const char *title, const struct comparison *c)
{
	struct buf b = BUF_INIT;

	buf_adds(&b, title);
	if (c->options.scale < 1 || c->options.scale > 1)
		buf_adds(&b, ", as logged");
	svg_y_title(p, b.s);
	buf_release(&b);
}

/* Overlay and differences on one axis; SHOWN has the lines and the window. */
static void draw_panes(struct buf *out, const struct export_comparison *e,
	const struct export_charts *shown, int width, int height)
{
	double usable = height - LEGEND_HEIGHT - AXIS_HEIGHT - PANE_GAP;
	struct svg_pane overlay = {
		.out = out, .view = shown->window, .left = MARGIN_LEFT, .top = LEGEND_HEIGHT,
		.width = width - MARGIN_LEFT - MARGIN_RIGHT, .height = usable * 0.68,
	};
	struct svg_pane delta = overlay;

	svg_chart_fit(&overlay, shown);
	svg_chart_draw(&overlay, shown, &shown->charts[0]);
	title_y(&overlay, e->metric ? e->metric : "value", e->comparison);
	delta.view = overlay.view;
	delta.view.log_y = delta.view.clip = false;
	delta.top = overlay.top + overlay.height + PANE_GAP;
	delta.height = usable * 0.32;
	draw_delta(&delta, e);
	title_y(&delta, e->n_further ? "d = run - R" : "d = A - R", e->comparison);
	svg_x_ticks(&delta, align_axis_name(shown->axis));
}

void svg_comparison(struct buf *out, const struct export_comparison *e, const struct svg_size *size)
{
	int width = size && size->width > 0 ? size->width : DEFAULT_WIDTH;
	int height = size && size->height > 0 ? size->height : DEFAULT_HEIGHT;
	const char *title = e->title ? e->title : e->metric ? e->metric : "comparison";
	const struct export_charts *shown = size ? size->shown : NULL;
	struct pair pair;
	struct buf legend = BUF_INIT;
	size_t lines;
	double total, more;

	width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
	height = height < LEAST_HEIGHT ? LEAST_HEIGHT : height;
	open_pair(&pair, e);
	shown = shown && shown->n ? shown : &pair.charts;
	lines = draw_statements(NULL, e, shown, width, 0);
	more = draw_legend(&legend, e, shown, width, 28 + 12);
	total = height + 28 + more + LINE_HEIGHT * (double)lines + 12;
	buf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
		"font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\" role=\"img\">\n<title>",
		width, total, width, total);
	svg_escape(out, title, strlen(title));
	buf_addf(out, "</title>\n<rect width=\"%d\" height=\"%.0f\" fill=\"#fff\"/>\n", width,
		total);
	svg_text(out, 12, 18, " font-size=\"14\" font-weight=\"bold\"", title, strlen(title));
	buf_add(out, legend.s, legend.n);
	buf_release(&legend);
	buf_addf(out, "<g transform=\"translate(0 %.0f)\">\n", 28 + more);
	draw_panes(out, e, shown, width, height);
	draw_statements(out, e, shown, width, height);
	buf_adds(out, "</g>\n</svg>\n");
	close_pair(&pair);
}
