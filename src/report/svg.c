/* svg - overlay and delta pane of a comparison as one picture. */
#include "config.h"

#include "report/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "curve/plot_data.h"

enum {
	DEFAULT_WIDTH = 860, DEFAULT_HEIGHT = 480, LEAST_WIDTH = 320, LEAST_HEIGHT = 240,
	MARGIN_LEFT = 70, MARGIN_RIGHT = 16, LINE_HEIGHT = 15, LEGEND_HEIGHT = 22, AXIS_HEIGHT = 34,
	PANE_GAP = 14, DOTS_MAX = 160, LEGEND_NAME_MAX = 40,
};
#define CHARACTER_WIDTH 6.3
#define REFERENCE_BAND "#d9d9d9"
#define REFERENCE_LINE "#8c8c8c"
#define ATTEMPT_LINE "#1f4e8c"
#define TOLERANCE_BAND "#e3efe0"
#define OUT_COLOUR "#b3261e"

/* One plot area with its window. */
struct pane {
	struct buf *out;
	struct plot_view view;
	double left, top, width, height;
};

void svg_escape(struct buf *out, const char *s, size_t n)
{
	struct buf clean = BUF_INIT;

	text_sanitise(&clean, s, n);
	for (size_t i = 0; i < clean.n; i++) {
		switch (clean.s[i]) {
		case '&':
			buf_adds(out, "&amp;");
			break;
		case '<':
			buf_adds(out, "&lt;");
			break;
		case '>':
			buf_adds(out, "&gt;");
			break;
		case '"':
			buf_adds(out, "&quot;");
			break;
		case '\'':
			buf_adds(out, "&#39;");
			break;
		default:
			buf_addc(out, clean.s[i]);
		}
	}
	buf_release(&clean);
}

static double px(const struct pane *p, double x)
{
	return p->left + (x - p->view.x0) / (p->view.x1 - p->view.x0) * p->width;
}

static double py(const struct pane *p, double y)
{
	double f = (y - p->view.y0) / (p->view.y1 - p->view.y0);

	return p->top + p->height * (1 - fmin(1, fmax(0, f)));
}

static double column_px(const struct pane *p, size_t column)
{
	return p->left + ((double)column + 0.5) / (double)p->view.columns * p->width;
}

static void add_text(
	struct buf *out, double x, double y, const char *attributes, const char *s, size_t n)
{
	buf_addf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
	svg_escape(out, s, n);
	buf_adds(out, "</text>\n");
}

static void draw_frame(const struct pane *p)
{
	buf_addf(p->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#444\"/>\n",
		p->left, p->top, p->width, p->height);
}

static void draw_y_ticks(const struct pane *p, size_t wanted)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(ticks, p->view.y0, p->view.y1, false, wanted);

	for (size_t i = 0; i < n; i++) {
		double y = py(p, ticks[i].value);

		buf_addf(p->out, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#eee\"/>\n", p->left, y,
			p->left + p->width);
		add_text(p->out, p->left - 6, y + 4, " text-anchor=\"end\"", ticks[i].label,
			strlen(ticks[i].label));
	}
}

static void draw_x_ticks(const struct pane *p, const char *axis)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(ticks, p->view.x0, p->view.x1, false, 9);
	double bottom = p->top + p->height;

	for (size_t i = 0; i < n; i++) {
		double x = px(p, ticks[i].value);

		buf_addf(p->out, "<path d=\"M%.1f %.1fv4\" stroke=\"#444\"/>\n", x, bottom);
		add_text(p->out, x, bottom + 16, " text-anchor=\"middle\"", ticks[i].label,
			strlen(ticks[i].label));
	}
	add_text(p->out, p->left + p->width / 2, bottom + 30, " text-anchor=\"middle\"", axis,
		strlen(axis));
}

static void draw_y_title(const struct pane *p, const char *s)
{
	double x = 14, y = p->top + p->height / 2;

	buf_addf(p->out,
		"<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">",
		x, y, x, y);
	svg_escape(p->out, s, strlen(s));
	buf_adds(p->out, "</text>\n");
}

/* Minimum to maximum of each column, so that noise is seen as what it is. */
static void draw_band(const struct pane *p, const struct plot_column *columns)
{
	bool any = false;

	for (size_t i = 0; i < p->view.columns; i++) {
		if (!columns[i].n || !(columns[i].max > columns[i].min))
			continue;
		buf_adds(p->out,
			any ? ""
			    : "<path stroke=\"" REFERENCE_BAND
			      "\" stroke-width=\"2\" fill=\"none\" d=\"");
		any = true;
		buf_addf(p->out, "M%.1f %.1fV%.1f", column_px(p, i), py(p, columns[i].min),
			py(p, columns[i].max));
	}
	buf_adds(p->out, any ? "\"/>\n" : "");
}

static void draw_line(const struct pane *p, const struct plot_column *columns, const char *style)
{
	bool any = false;

	for (size_t i = 0; i < p->view.columns; i++) {
		const struct plot_column *c = &columns[i];

		if (isnan(c->first))
			continue;
		if (!any)
			buf_addf(p->out, "<path fill=\"none\" %s d=\"", style);
		buf_addf(p->out, "%c%.1f %.1f", any && c->joined ? 'L' : 'M', column_px(p, i),
			py(p, c->first));
		if (c->n > 1)
			buf_addf(p->out, "V%.1fV%.1fV%.1f", py(p, c->min), py(p, c->max),
				py(p, c->last));
		any = true;
	}
	buf_adds(p->out, any ? "\"/>\n" : "");
}

/* Single points are dots: a lone value between NaNs must be seen. */
static void draw_dots(const struct pane *p, const struct plot_source *s, const char *colour)
{
	size_t n = plot_source_n(s);

	for (size_t i = 0; n <= DOTS_MAX && i < n; i++) {
		double y = plot_source_y(s, i);

		if (isfinite(y))
			buf_addf(p->out,
				"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\" fill=\"%s\"/>\n",
				px(p, plot_source_x(s, i)), py(p, y), colour);
	}
}

static void draw_mark(
	const struct pane *p, double x, double y, const char *colour, const char *word)
{
	buf_addf(p->out,
		"<path d=\"M%.1f %.1fl-4 -4m0 4l4 -4\" stroke=\"%s\"><title>%s</title></path>\n",
		x + 2, y + 2, colour, word);
}

static void draw_marks(const struct pane *p, const struct plot_column *columns, const char *colour)
{
	double bottom = p->top + p->height;

	for (size_t i = 0; i < p->view.columns; i++) {
		const struct plot_column *c = &columns[i];
		double x = column_px(p, i);

		if (c->marks & PLOT_RESTART)
			buf_addf(p->out,
				"<path d=\"M%.1f %.1fv8\" stroke=\"%s\"><title>restart</title></path>\n",
				x, p->top, colour);
		if (c->marks & PLOT_PLUS_INF)
			draw_mark(p, x, p->top + 4, colour, "+Infinity");
		if (c->marks & PLOT_MINUS_INF)
			draw_mark(p, x, bottom - 4, colour, "-Infinity");
		if (c->marks & PLOT_NAN)
			draw_mark(p, x,
				isnan(c->height) ? p->top + p->height / 2 : py(p, c->height),
				colour, "NaN");
	}
}

static void draw_tolerance(const struct pane *p, const struct plot_source *tolerance)
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
				column_px(p, i), py(p, half), wide, py(p, -half) - py(p, half));
	}
	free(columns);
}

static void draw_zero(const struct pane *p)
{
	if (p->view.y0 <= 0 && p->view.y1 >= 0)
		buf_addf(p->out,
			"<path d=\"M%.1f %.1fh%.1f\" stroke=\"#444\" stroke-dasharray=\"2 3\"/>\n",
			p->left, py(p, 0), p->width);
}

static void draw_first_out(const struct pane *p, const struct comparison *c)
{
	if (!c->has_first_out)
		return;
	buf_addf(p->out, "<path d=\"M%.1f %.1fv%.1f\" stroke=\"" OUT_COLOUR
		"\" stroke-dasharray=\"4 3\"><title>first out of tolerance</title></path>\n",
		px(p, c->first_out_x), p->top, p->height);
}

static void draw_overlay(struct pane *p, struct plot_source *r, struct plot_source *a)
{
	struct plot_column *columns = xcalloc(p->view.columns, sizeof *columns);

	draw_y_ticks(p, 6);
	plot_columns(r, &p->view, columns, NULL);
	draw_band(p, columns);
	draw_line(p, columns, "stroke=\"" REFERENCE_LINE "\" stroke-width=\"2.4\"");
	draw_marks(p, columns, REFERENCE_LINE);
	draw_dots(p, r, REFERENCE_LINE);
	plot_columns(a, &p->view, columns, NULL);
	draw_line(p, columns, "stroke=\"" ATTEMPT_LINE "\" stroke-width=\"1.1\"");
	draw_marks(p, columns, ATTEMPT_LINE);
	draw_dots(p, a, ATTEMPT_LINE);
	draw_frame(p);
	free(columns);
}

static void draw_delta(struct pane *p, const struct comparison *c)
{
	struct plot_source *d = plot_source_new(), *tolerance = plot_source_new();
	struct plot_source *both[] = { d, tolerance };
	struct plot_column *columns = xcalloc(p->view.columns, sizeof *columns);

	plot_source_delta(d, c, DELTA_PLAIN);
	plot_source_tolerance(tolerance, c);
	plot_view_fit_y(&p->view, both, ARRAY_LEN(both));
	p->view.y1 = fmax(fabs(p->view.y0), fabs(p->view.y1)) * 1.05;
	p->view.y0 = -p->view.y1;
	draw_tolerance(p, tolerance);
	draw_y_ticks(p, 4);
	draw_zero(p);
	plot_columns(d, &p->view, columns, NULL);
	draw_line(p, columns, "stroke=\"" ATTEMPT_LINE "\" stroke-width=\"1.1\"");
	draw_marks(p, columns, OUT_COLOUR);
	draw_dots(p, d, ATTEMPT_LINE);
	draw_first_out(p, c);
	draw_frame(p);
	free(columns);
	plot_source_free(d);
	plot_source_free(tolerance);
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

static void draw_legend(struct buf *out, const struct export_comparison *e, double y)
{
	struct arena a = ARENA_INIT;
	struct buf smooth = BUF_INIT;
	const char *r = arena_printf(&a, "R %s", shortened(&a, e->reference_name, "reference"));
	const char *t = arena_printf(&a, "A %s", shortened(&a, e->attempt_name, "attempt"));
	double x = MARGIN_LEFT;

	buf_addf(out,
		"<path d=\"M%.1f %.1fh24\" stroke=\"" REFERENCE_BAND "\" stroke-width=\"9\"/>"
		"<path d=\"M%.1f %.1fh24\" stroke=\"" REFERENCE_LINE "\" stroke-width=\"2.4\"/>\n",
		x, y - 4, x, y - 4);
	add_text(out, x + 30, y, "", r, strlen(r));
	x += 46 + CHARACTER_WIDTH * (double)strlen(r);
	buf_addf(out,
		"<path d=\"M%.1f %.1fh24\" stroke=\"" ATTEMPT_LINE "\" stroke-width=\"1.6\"/>\n", x,
		y - 4);
	add_text(out, x + 30, y, "", t, strlen(t));
	x += 46 + CHARACTER_WIDTH * (double)strlen(t);
	smooth_describe(&smooth, &e->smooth);
	if (smooth.n) {
		buf_adds(&smooth, " (drawing only)");
		add_text(out, x, y, "", smooth.s, smooth.n);
	}
	buf_release(&smooth);
	arena_release(&a);
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

/* Returns the number of lines; OUT NULL only counts. */
static size_t draw_statements(
	struct buf *out, const struct export_comparison *e, double width, double y)
{
	size_t columns = (size_t)((width - 24) / CHARACTER_WIDTH), lines = 0;
	struct buf text = BUF_INIT;

	for (size_t i = 0; buf_clear(&text), export_statement(&text, e, i); i++) {
		for (size_t at = 0; at < text.n; lines++) {
			size_t n = line_length(text.s + at, text.n - at, columns);
			double line_y = y + LINE_HEIGHT * (double)(lines + 1);

			if (out)
				add_text(out, 12, line_y, i == 2 ? " font-weight=\"bold\"" : "",
					text.s + at, n);
			at += n;
			while (at < text.n && text.s[at] == ' ')
				at++;
		}
	}
	buf_release(&text);
	return lines;
}

static int load_sources(
	struct plot_source *r, struct plot_source *a, const struct export_comparison *e)
{
	struct plot_how how = {
		.axis = e->comparison->alignment.options.axis,
		.policy = e->comparison->alignment.options.policy,
		.smooth = e->smooth,
	};
	int rc = e->reference ? plot_source_update(r, e->reference, &how) : 0;

	how.shift = e->comparison->alignment.options.shift;
	if (!rc && e->attempt)
		rc = plot_source_update(a, e->attempt, &how);
	return rc;
}

static void draw_panes(struct buf *out, const struct export_comparison *e, int width, int height)
{
	struct plot_source *sources[] = { plot_source_new(), plot_source_new() };
	double usable = height - LEGEND_HEIGHT - AXIS_HEIGHT - PANE_GAP;
	struct pane overlay = {
		.out = out, .view = PLOT_VIEW_INIT, .left = MARGIN_LEFT, .top = LEGEND_HEIGHT,
		.width = width - MARGIN_LEFT - MARGIN_RIGHT, .height = usable * 0.68,
	};
	struct pane delta = overlay;

	/* The axis was there when the runs were compared. */
	if (load_sources(sources[0], sources[1], e) == 0) {
		plot_view_fit(
			&overlay.view, sources, 2, (size_t)overlay.width, (size_t)overlay.height);
		draw_overlay(&overlay, sources[0], sources[1]);
		draw_y_title(&overlay, e->metric ? e->metric : "value");
		delta.view = overlay.view;
		delta.top = overlay.top + overlay.height + PANE_GAP;
		delta.height = usable * 0.32;
		draw_delta(&delta, e->comparison);
		draw_y_title(&delta, "d = A - R");
		draw_x_ticks(&delta, align_axis_name(e->comparison->alignment.options.axis));
	}
	plot_source_free(sources[0]);
	plot_source_free(sources[1]);
}

void svg_comparison(struct buf *out, const struct export_comparison *e, const struct svg_size *size)
{
	int width = size && size->width > 0 ? size->width : DEFAULT_WIDTH;
	int height = size && size->height > 0 ? size->height : DEFAULT_HEIGHT;
	const char *title = e->title ? e->title : e->metric ? e->metric : "comparison";
	size_t lines;
	double total;

	width = width < LEAST_WIDTH ? LEAST_WIDTH : width;
	height = height < LEAST_HEIGHT ? LEAST_HEIGHT : height;
	lines = draw_statements(NULL, e, width, 0);
	total = height + 28 + LINE_HEIGHT * (double)lines + 12;
	buf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
		"font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\" role=\"img\">\n<title>",
		width, total, width, total);
	svg_escape(out, title, strlen(title));
	buf_addf(out, "</title>\n<rect width=\"%d\" height=\"%.0f\" fill=\"#fff\"/>\n", width,
		total);
	add_text(out, 12, 18, " font-size=\"14\" font-weight=\"bold\"", title, strlen(title));
	buf_adds(out, "<g transform=\"translate(0 28)\">\n");
	draw_legend(out, e, 12);
	draw_panes(out, e, width, height);
	draw_statements(out, e, width, height);
	buf_adds(out, "</g>\n</svg>\n");
}
