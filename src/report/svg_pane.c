/* svg_pane - see svg_pane.h. */
#include "config.h"

#include "report/svg_pane.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/svg.h"

/* Dots that stand closer than so many pixels are no dots but a line. */
enum { DOT_WIDTH = 5, TICK_WIDTH = 90 };

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

static double share(double v, double low, double high, bool logarithmic)
{
	if (logarithmic)
		return (log(v) - log(low)) / (log(high) - log(low));
	return (v - low) / (high - low);
}

double svg_px(const struct svg_pane *p, double x)
{
	return p->left + share(x, p->view.x0, p->view.x1, p->view.log_x) * p->width;
}

double svg_py(const struct svg_pane *p, double y)
{
	double f = p->view.log_y && !(y > 0) ? 0
					     : share(y, p->view.y0, p->view.y1, p->view.log_y);

	return p->top + p->height * (1 - fmin(1, fmax(0, f)));
}

double svg_column_px(const struct svg_pane *p, size_t column)
{
	return p->left + ((double)column + 0.5) / (double)p->view.columns * p->width;
}

void svg_text(
	struct buf *out, double x, double y, const char *attributes, const char *s, size_t n)
{
	buf_addf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
	svg_escape(out, s, n);
	buf_adds(out, "</text>\n");
}

void svg_frame(const struct svg_pane *p)
{
	buf_addf(p->out,
		"<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#444\"/>\n",
		p->left, p->top, p->width, p->height);
}

void svg_y_ticks(const struct svg_pane *p, size_t wanted)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(ticks, p->view.y0, p->view.y1, p->view.log_y, wanted);

	for (size_t i = 0; i < n; i++) {
		double y = svg_py(p, ticks[i].value);

		buf_addf(p->out, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#eee\"/>\n", p->left, y,
			p->left + p->width);
		svg_text(p->out, p->left - 6, y + 4, " text-anchor=\"end\"", ticks[i].label,
			strlen(ticks[i].label));
	}
}

static size_t x_ticks(const struct svg_pane *p, struct plot_tick *out, size_t wanted)
{
	const struct plot_view *v = &p->view;

	if (p->is_time && !v->log_x)
		return plot_time_ticks(out, v->x0, v->x1, wanted, p->is_instant);
	return plot_ticks(out, v->x0, v->x1, v->log_x, wanted);
}

void svg_x_ticks(const struct svg_pane *p, const char *axis)
{
	struct plot_tick ticks[PLOT_TICKS_MAX];
	size_t n = x_ticks(p, ticks, (size_t)(p->width / TICK_WIDTH) + 1);
	double bottom = p->top + p->height;

	for (size_t i = 0; i < n; i++) {
		double x = svg_px(p, ticks[i].value);

		buf_addf(p->out, "<path d=\"M%.1f %.1fv4\" stroke=\"#444\"/>\n", x, bottom);
		svg_text(p->out, x, bottom + 16, " text-anchor=\"middle\"", ticks[i].label,
			strlen(ticks[i].label));
	}
	svg_text(p->out, p->left + p->width / 2, bottom + 30, " text-anchor=\"middle\"", axis,
		strlen(axis));
}

void svg_y_title(const struct svg_pane *p, const char *s)
{
	double x = 14, y = p->top + p->height / 2;

	buf_addf(p->out,
		"<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">",
		x, y, x, y);
	svg_escape(p->out, s, strlen(s));
	buf_adds(p->out, "</text>\n");
}

/* Minimum to maximum of each column, so that noise is seen as what it is. */
void svg_band(const struct svg_pane *p, const struct plot_column *columns)
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
		buf_addf(p->out, "M%.1f %.1fV%.1f", svg_column_px(p, i), svg_py(p, columns[i].min),
			svg_py(p, columns[i].max));
	}
	buf_adds(p->out, any ? "\"/>\n" : "");
}

/* The line from the edge to the first point, or from the last one to the other edge. */
static void add_end(const struct svg_pane *p, char move, double x, double y)
{
	if (!isnan(y))
		buf_addf(p->out, "%c%.1f %.1f", move, x, svg_py(p, y));
}

void svg_line(const struct svg_pane *p, const struct plot_column *columns,
	const struct plot_ends *ends, const char *style)
{
	bool any = false;

	buf_addf(p->out, "<path fill=\"none\" %s d=\"", style);
	if (ends && !isnan(ends->left)) {
		add_end(p, 'M', p->left, ends->left);
		any = true;
	}

	for (size_t i = 0; i < p->view.columns; i++) {
		const struct plot_column *c = &columns[i];

		if (isnan(c->first))
			continue;
		buf_addf(p->out, "%c%.1f %.1f", any && c->joined ? 'L' : 'M', svg_column_px(p, i),
			svg_py(p, c->first));
		if (c->n > 1)
			buf_addf(p->out, "V%.1fV%.1fV%.1f", svg_py(p, c->min), svg_py(p, c->max),
				svg_py(p, c->last));
		any = true;
	}
	if (ends && any)
		add_end(p, 'L', p->left + p->width, ends->right);
	buf_adds(p->out, any ? "\"/>\n" : "M0 0\"/>\n");
}

/* Single points are dots: a lone value between NaNs must be seen. */
void svg_dots(const struct svg_pane *p, const struct plot_source *s, const char *colour)
{
	size_t n = plot_source_n(s);

	for (size_t i = 0; (double)n * DOT_WIDTH <= p->width && i < n; i++) {
		double x = plot_source_x(s, i), y = plot_source_y(s, i);

		if (isfinite(y) && x >= p->view.x0 && x <= p->view.x1)
			buf_addf(p->out,
				"<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\" fill=\"%s\"/>\n",
				svg_px(p, x), svg_py(p, y), colour);
	}
}

static void draw_mark(
	const struct svg_pane *p, double x, double y, const char *colour, const char *word)
{
	buf_addf(p->out,
		"<path d=\"M%.1f %.1fl-4 -4m0 4l4 -4\" stroke=\"%s\"><title>%s</title></path>\n",
		x + 2, y + 2, colour, word);
}

void svg_marks(const struct svg_pane *p, const struct plot_column *columns, const char *colour)
{
	double bottom = p->top + p->height;

	for (size_t i = 0; i < p->view.columns; i++) {
		const struct plot_column *c = &columns[i];
		double x = svg_column_px(p, i);

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
				isnan(c->height) ? p->top + p->height / 2 : svg_py(p, c->height),
				colour, "NaN");
	}
}

void svg_zero(const struct svg_pane *p)
{
	if (p->view.y0 <= 0 && p->view.y1 >= 0)
		buf_addf(p->out,
			"<path d=\"M%.1f %.1fh%.1f\" stroke=\"#444\" stroke-dasharray=\"2 3\"/>\n",
			p->left, svg_py(p, 0), p->width);
}
