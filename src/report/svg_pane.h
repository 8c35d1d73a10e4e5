/*
 * svg_pane - one plot area of a picture for reports, with its window; what the
 * pictures of report/svg.h share.
 */
#ifndef PORTSIDE_REPORT_SVG_PANE_H
#define PORTSIDE_REPORT_SVG_PANE_H

#include "base/buf.h"
#include "curve/plot_data.h"

#define REFERENCE_BAND "#d9d9d9"
#define REFERENCE_LINE "#8c8c8c"
#define ATTEMPT_LINE "#1f4e8c"
#define TOLERANCE_BAND "#e3efe0"
#define OUT_COLOUR "#b3261e"

struct svg_pane {
	struct buf *out;
	struct plot_view view;
	double left, top, width, height;
	bool is_time, is_instant;	/* x is seconds; since 1970 */
};

double svg_px(const struct svg_pane *p, double x);
double svg_py(const struct svg_pane *p, double y);	/* clamped to the pane */
double svg_column_px(const struct svg_pane *p, size_t column);

/* S is hostile; ATTRIBUTES are ours, with a blank in front. */
void svg_text(
	struct buf *out, double x, double y, const char *attributes, const char *s, size_t n);
void svg_frame(const struct svg_pane *p);
void svg_y_ticks(const struct svg_pane *p, size_t wanted);
void svg_x_ticks(const struct svg_pane *p, const char *axis);
void svg_y_title(const struct svg_pane *p, const char *s);
void svg_zero(const struct svg_pane *p);

void svg_band(const struct svg_pane *p, const struct plot_column *columns);
/* ENDS: where the line crosses the edges; NULL: nowhere. */
void svg_line(const struct svg_pane *p, const struct plot_column *columns,
	const struct plot_ends *ends, const char *style);
void svg_dots(const struct svg_pane *p, const struct plot_source *s, const char *colour);
void svg_marks(const struct svg_pane *p, const struct plot_column *columns, const char *colour);

#endif
