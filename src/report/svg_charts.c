/* svg_charts - see svg_charts.h and svg.h. */
#include "config.h"

#include "report/svg_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/svg.h"

enum {
	WIDTH = 980, CHART_HEIGHT = 190, COLUMNS_MAX = 3, MARGIN_LEFT = 62, MARGIN = 14,
	TITLE_HEIGHT = 22, AXIS_HEIGHT = 34, LEGEND_LINE = 18, SOURCES_MAX = 128,
};
#define CHARACTER_WIDTH 6.3

/* Told apart by dash and by letter where colours are not printed. */
const char *svg_chart_line_style(char letter)
{
	static const char *const styles[] = {
		"stroke=\"#a85400\" stroke-width=\"1.1\" stroke-dasharray=\"7 2\"",
		"stroke=\"#7a3e9d\" stroke-width=\"1.1\" stroke-dasharray=\"4 2\"",
		"stroke=\"#2e7d32\" stroke-width=\"1.1\" stroke-dasharray=\"9 2 2 2\"",
		"stroke=\"#8c564b\" stroke-width=\"1.1\" stroke-dasharray=\"2 2\"",
		"stroke=\"#c2185b\" stroke-width=\"1.1\" stroke-dasharray=\"12 3\"",
		"stroke=\"#00838f\" stroke-width=\"1.1\" stroke-dasharray=\"6 2 2 2 2 2\"",
	};

	if (letter == 'R')
		return "stroke=\"" REFERENCE_LINE "\" stroke-width=\"2.4\"";
	if (letter == 'A')
		return "stroke=\"" ATTEMPT_LINE "\" stroke-width=\"1.1\"";
	return styles[(unsigned)(letter - 'B') % ARRAY_LEN(styles)];
}

const char *svg_chart_colour(char letter)
{
	static const char *const colours[] = { "#a85400", "#7a3e9d", "#2e7d32", "#8c564b",
		"#c2185b", "#00838f" };

	if (letter == 'R')
		return REFERENCE_LINE;
	if (letter == 'A')
		return ATTEMPT_LINE;
	return colours[(unsigned)(letter - 'B') % ARRAY_LEN(colours)];
}

/* ---- one chart ---------------------------------------------------------------------- */

/* The edges of where further runs of the reference would lie. */
struct edges { struct plot_source *line[2]; };

static void open_edges(struct edges *e, const struct seed_bands *b)
{
	double *y = xreallocarray(NULL, b ? b->n + 1 : 1, sizeof *y);

	*e = (struct edges){ .line = { NULL, NULL } };
	for (size_t k = 0; b && k < ARRAY_LEN(e->line); k++) {
		for (size_t i = 0; i < b->n; i++)
			y[i] = k ? b->band[i].high : b->band[i].low;
		e->line[k] = plot_source_new();
		plot_source_points(e->line[k], b->x, y, b->n);
	}
	free(y);
}

static void close_edges(struct edges *e)
{
	for (size_t k = 0; k < ARRAY_LEN(e->line); k++)
		plot_source_free(e->line[k]);
}

static void draw_edges(const struct svg_pane *p, const struct edges *e)
{
	struct plot_column *columns = xcalloc(p->view.columns + 1, sizeof *columns);

	for (size_t k = 0; k < ARRAY_LEN(e->line) && e->line[k]; k++) {
		struct plot_ends ends = plot_ends(e->line[k], &p->view);

		plot_columns(e->line[k], &p->view, columns, NULL);
		svg_line(p, columns, &ends,
			"stroke=\"" REFERENCE_LINE "\" stroke-width=\"1\" stroke-dasharray=\"3 3\"");
	}
	free(columns);
}

static size_t gather(const struct export_charts *e, const struct export_chart *c, bool band,
	struct plot_source **out, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < e->n_runs && n < room; i++)
		if (c->lines[i] && plot_source_n(c->lines[i]))
			out[n++] = c->lines[i];
	for (size_t i = 0; band && i < c->n_band && n < room; i++)
		out[n++] = c->band[i];
	return n;
}

void svg_chart_fit(struct svg_pane *p, const struct export_charts *e)
{
	struct plot_source **all = xcalloc(e->n + 1, SOURCES_MAX * sizeof *all);
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++)
		n += gather(e, &e->charts[i], true, all + n, SOURCES_MAX);
	p->is_instant = e->axis == ALIGN_WALL;
	p->is_time = p->is_instant || e->axis == ALIGN_TIME || e->axis == ALIGN_CLIPPED_TIME;
	p->view.columns = (size_t)p->width;
	p->view.rows = (size_t)p->height;
	if (e->whole)
		plot_view_fit(&p->view, all, n, p->view.columns, p->view.rows);
	free(all);
}

/* Its letter where the line ends, when there are more than two. */
static void put_letter(
	const struct svg_pane *p, const struct plot_column *columns, char letter, bool several)
{
	struct buf attributes = BUF_INIT;

	buf_addf(&attributes, " fill=\"%s\" font-weight=\"bold\"", svg_chart_colour(letter));
	for (size_t i = p->view.columns; several && i > 0; i--) {
		if (isnan(columns[i - 1].last))
			continue;
		svg_text(p->out, svg_column_px(p, i - 1) + 3, svg_py(p, columns[i - 1].last) + 4,
			attributes.s, &letter, 1);
		break;
	}
	buf_release(&attributes);
}

static void draw_run(
	const struct svg_pane *p, struct plot_source *source, char letter, bool several)
{
	struct plot_column *columns = xcalloc(p->view.columns + 1, sizeof *columns);
	struct plot_ends ends = plot_ends(source, &p->view);

	plot_columns(source, &p->view, columns, NULL);
	if (letter == 'R')
		svg_band(p, columns);
	svg_line(p, columns, &ends, svg_chart_line_style(letter));
	svg_marks(p, columns, svg_chart_colour(letter));
	svg_dots(p, source, svg_chart_colour(letter));
	put_letter(p, columns, letter, several);
	free(columns);
}

static void draw_band(const struct svg_pane *p, const struct export_chart *c)
{
	struct plot_column *columns = xcalloc(p->view.columns + 1, sizeof *columns);

	plot_band(c->band, c->n_band, &p->view, columns);
	svg_band(p, columns);
	free(columns);
}

void svg_chart_draw(
	struct svg_pane *p, const struct export_charts *e, const struct export_chart *chart)
{
	struct plot_source *sources[SOURCES_MAX];
	size_t n = gather(e, chart, true, sources, SOURCES_MAX - 2);
	bool several = gather(e, chart, false, sources + n, SOURCES_MAX - n) > 2;
	struct edges edges;

	open_edges(&edges, chart->likely);
	for (size_t k = 0; k < ARRAY_LEN(edges.line) && edges.line[k]; k++)
		sources[n++] = edges.line[k];
	plot_view_fit_y(&p->view, sources, n);
	svg_y_ticks(p, (size_t)(p->height / 40) + 1);
	if (chart->n_band > 1)
		draw_band(p, chart);
	draw_edges(p, &edges);
	/* The attempt stands in front of all others. */
	for (int pass = 0; pass < 3; pass++)
		for (size_t i = 0; i < e->n_runs; i++) {
			char letter = e->runs[i].letter;
			int place = letter == 'R' ? 0 : letter == 'A' ? 2 : 1;

			if (place == pass && chart->lines[i] && plot_source_n(chart->lines[i]))
				draw_run(p, chart->lines[i], letter, several);
		}
	svg_frame(p);
	close_edges(&edges);
}

double svg_chart_key(struct buf *out, double x, double y, char letter, const char *text)
{
	if (letter == 'R')
		buf_addf(out,
			"<path d=\"M%.1f %.1fh24\" stroke=\"" REFERENCE_BAND "\" stroke-width=\"9\"/>\n",
			x, y - 4);
	buf_addf(out, "<path d=\"M%.1f %.1fh24\" fill=\"none\" %s/>\n", x, y - 4,
		svg_chart_line_style(letter));
	svg_text(out, x + 30, y, "", text, strlen(text));
	return x + 46 + CHARACTER_WIDTH * (double)strlen(text);
}

/* ---- all of them --------------------------------------------------------------------- */

/* The legend in as many lines as it takes; OUT NULL only counts.  Returns its height. */
static double draw_legend(struct buf *out, const struct export_charts *e)
{
	struct buf nowhere = BUF_INIT, text = BUF_INIT;
	double x = MARGIN, y = 2 * LEGEND_LINE;

	for (size_t i = 0; i < e->n_runs; i++) {
		buf_clear(&text);
		buf_addf(&text, "%c ", e->runs[i].letter);
		text_sanitise(&text, e->runs[i].name, strlen(e->runs[i].name));
		if (x > MARGIN && x + 46 + CHARACTER_WIDTH * (double)text.n > WIDTH) {
			x = MARGIN;
			y += LEGEND_LINE;
		}
		x = svg_chart_key(out ? out : &nowhere, x, y, e->runs[i].letter, text.s);
	}
	buf_release(&text);
	buf_release(&nowhere);
	return y + LEGEND_LINE;
}

static void draw_title(struct buf *out, const struct export_charts *e)
{
	struct buf text = BUF_INIT;

	export_charts_statement(&text, e, 0);
	if (e->smooth.mode != SMOOTH_NONE) {
		buf_adds(&text, "; ");
		export_charts_statement(&text, e, 1);
	}
	svg_text(out, MARGIN, 16, " font-weight=\"bold\"", text.s, text.n);
	buf_release(&text);
}

void svg_charts(struct buf *out, const struct export_charts *e)
{
	int columns = e->n < COLUMNS_MAX ? (int)e->n : COLUMNS_MAX;
	double wide = columns ? (double)WIDTH / columns : WIDTH, top = draw_legend(NULL, e);
	int rows = columns ? ((int)e->n + columns - 1) / columns : 0;
	double total = top + rows * (CHART_HEIGHT + TITLE_HEIGHT + AXIS_HEIGHT) + MARGIN;
	struct svg_pane p = { .out = out, .view = e->window,
		.width = wide - MARGIN_LEFT - MARGIN, .height = CHART_HEIGHT };

	buf_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
		"font-family=\"sans-serif\" font-size=\"11\" fill=\"#222\" role=\"img\">\n"
		"<title>curves</title>\n<rect width=\"%d\" height=\"%.0f\" fill=\"#fff\"/>\n",
		WIDTH, total, WIDTH, total, WIDTH, total);
	draw_title(out, e);
	draw_legend(out, e);
	svg_chart_fit(&p, e);
	for (size_t i = 0; i < e->n; i++) {
		const char *name = e->charts[i].metric;

		p.left = wide * (double)(i % (size_t)columns) + MARGIN_LEFT;
		p.top = top + TITLE_HEIGHT +
			(double)(i / (size_t)columns) * (CHART_HEIGHT + TITLE_HEIGHT + AXIS_HEIGHT);
		svg_text(out, p.left, p.top - 6, " font-weight=\"bold\"", name, strlen(name));
		svg_chart_draw(&p, e, &e->charts[i]);
		svg_x_ticks(&p, align_axis_name(e->axis));
	}
	buf_adds(out, "</svg>\n");
}
