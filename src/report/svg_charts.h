/*
 * svg_charts - one chart of several runs in a pane, and the key of a legend.
 */
#ifndef PORTSIDE_REPORT_SVG_CHARTS_H
#define PORTSIDE_REPORT_SVG_CHARTS_H

#include "curve/export_charts.h"
#include "report/svg_pane.h"

/* Brings the window of the pane to the charts of E: a column a pixel. */
void svg_chart_fit(struct svg_pane *p, const struct export_charts *e);
/* With y fitted to the chart: ticks, band, lines, marks, letters, frame. */
void svg_chart_draw(
	struct svg_pane *p, const struct export_charts *e, const struct export_chart *chart);
/* The attributes of the line of a run; borrowed. */
const char *svg_chart_line_style(char letter);
const char *svg_chart_colour(char letter);
/* A sample of the line of a run and TEXT behind it; returns where the next one begins. */
double svg_chart_key(struct buf *out, double x, double y, char letter, const char *text);

#endif
