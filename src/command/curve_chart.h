/*
 * curve_chart - the sources of one chart of a scene: what is drawn of one series,
 * for every run that is shown; see curve_scene.h.
 */
#ifndef PORTSIDE_COMMAND_CURVE_CHART_H
#define PORTSIDE_COMMAND_CURVE_CHART_H

#include "command/curve_scene.h"

struct curve_chart *curve_chart_new(const char *metric);
void curve_chart_free(struct curve_chart *chart);	/* NULL is fine */
/* The files of the reference's seeds may have been opened anew. */
void curve_chart_forget_repeats(struct curve_chart *chart);

/* Brings the chart to the look of S and to what its runs hold now.  False when some
 * run has no such axis; ERR then says which. */
bool curve_chart_update(struct curve_chart *chart, const struct curve_scene *s);

/* What stands on the axis in front of the band: the drawn lines, raw and older ones
 * behind them where there are such.  Returns how many were put into OUT. */
enum { CHART_SOURCES_MAX = 3 * SCENE_SIDES_MAX + COMPARISON_REPEATS_MAX };
size_t curve_chart_sources(
	const struct curve_chart *chart, struct plot_source *out[CHART_SOURCES_MAX]);

/* The names of all series of all sides into S, by group. */
void curve_names_update(struct curve_scene *s);
/* How many bytes of NAME are its group: "train/loss" 5, "eval_loss" 4, "loss" 0. */
size_t curve_group_length(const char *name);

#endif
