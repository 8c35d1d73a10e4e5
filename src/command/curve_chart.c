/* curve_chart - see curve_chart.h. */
#include "config.h"

#include "command/curve_chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"

static void free_source(struct plot_source **p)
{
	plot_source_free(*p);
	*p = NULL;
}

struct curve_chart *curve_chart_new(const char *metric)
{
	struct curve_chart *chart = xcalloc(1, sizeof *chart);

	chart->metric = xstrdup(metric);
	return chart;
}

static void clear_line(struct curve_line *line)
{
	free_source(&line->drawn);
	free_source(&line->raw);
	free_source(&line->older);
	free(line->cut.segments);
	memset(line, 0, sizeof *line);
}

void curve_chart_forget_repeats(struct curve_chart *chart)
{
	for (size_t i = 0; i < COMPARISON_REPEATS_MAX; i++)
		free_source(&chart->repeats[i]);
	chart->n_repeats = 0;
}

void curve_chart_free(struct curve_chart *chart)
{
	if (!chart)
		return;
	for (size_t i = 0; i < SCENE_SIDES_MAX; i++)
		clear_line(&chart->lines[i]);
	curve_chart_forget_repeats(chart);
	free(chart->metric);
	free(chart);
}

/* Without the axis, or without a point, there is no source. */
static void update(struct curve_chart *chart, struct plot_source **p, const struct series *series,
	const struct plot_how *how)
{
	if (!series || !series->n) {
		free_source(p);
		return;
	}
	if (!*p)
		*p = plot_source_new();
	if (plot_source_update(*p, series, how) < 0) {
		chart->no_axis = true;
		free_source(p);
	} else if (!plot_source_n(*p)) {
		free_source(p);
	}
}

/* The series of a run as it was at the moment that is looked at; the columns of an
 * earlier cut stand where this one will, so what was made of them goes. */
static void find_series(struct curve_line *line, const struct comparison_side *side,
	const char *metric, double until)
{
	struct comparison_side view = *side;

	if (line->cut.segments)
		clear_line(line);
	memset(&view.cut, 0, sizeof view.cut);
	comparison_side_choose(&view, metric, until);
	line->cut = view.cut;
	line->series = view.series == &view.cut ? &line->cut : view.series;
}

static enum segment_policy policy_of(enum curve_restarts restarts)
{
	switch (restarts) {
	case RESTARTS_FIRST:
		return SEGMENT_FIRST_WINS;
	case RESTARTS_ALL:
		return SEGMENT_ALL;
	case RESTARTS_LATEST: case RESTARTS_LATEST_ALONE: case RESTARTS_COUNT:
		break;
	}
	return SEGMENT_LATEST_WINS;
}

static bool shows_older(const struct curve_look *look, const struct series *s)
{
	return s && s->n_segments > 1 &&
		(look->restarts == RESTARTS_LATEST || look->restarts == RESTARTS_FIRST);
}

/* How the steps of a run become samples or tokens; its facts are known once it was
 * compared. */
static struct axis_scale scale_of(const struct curve_scene *s, const struct comparison_side *side)
{
	return align_axis_is_scaled(s->look.axis) && side->files
		? run_facts_scale(&side->facts, side->files, s->look.axis)
		: (struct axis_scale){ .per_step = 0 };
}

static void update_line(struct curve_chart *chart, struct curve_line *line,
	const struct curve_look *look, int64_t shift, struct axis_scale scale)
{
	struct plot_how plain = { .axis = look->axis,
		.policy = policy_of(look->restarts),
		.shift = shift,
		.scale = scale };
	struct plot_how smooth = plain, all = plain;

	smooth.smooth = look->smooth;
	all.policy = SEGMENT_ALL;
	update(chart, &line->drawn, line->series, &smooth);
	if (look->smooth.mode != SMOOTH_NONE)
		update(chart, &line->raw, line->series, &plain);
	else
		free_source(&line->raw);
	if (shows_older(look, line->series))
		update(chart, &line->older, line->series, &all);
	else
		free_source(&line->older);
}

/* Only the attempt is shifted, and only where x counts steps. */
static int64_t shift_of(const struct curve_look *look, char letter)
{
	return letter == 'A' && (look->axis == ALIGN_STEP || look->axis == ALIGN_FROM_START)
		? look->shift
		: 0;
}

/* The seeds of the reference, which make its band. */
static void update_repeats(struct curve_chart *chart, const struct curve_scene *s)
{
	struct plot_how how = { .axis = s->look.axis,
		.policy = policy_of(s->look.restarts),
		.smooth = s->look.smooth };

	chart->n_repeats = 0;
	for (size_t i = 0; i < s->pair->n_repeats; i++) {
		const struct comparison_side *side = &s->pair->repeats[i];
		const struct series *series =
			side->files && !(s->pair->until_wall_s > 0)
			? run_series_find(side->files->series, chart->metric, -1)
			: NULL;

		how.scale = scale_of(s, &s->pair->reference);
		update(chart, &chart->repeats[i], series, &how);
		chart->n_repeats = i + 1;
	}
}

static void update_sides(struct curve_chart *chart, const struct curve_scene *s, bool of_pair)
{
	for (size_t i = 0; i < s->n_sides; i++) {
		struct curve_line *line = &chart->lines[i];
		char letter = s->sides[i].letter;

		if ((letter == 'R' || letter == 'A') != of_pair)
			continue;
		find_series(line, s->sides[i].run, chart->metric, s->pair->until_wall_s);
		update_line(chart, line, &s->look, shift_of(&s->look, letter),
			scale_of(s, s->sides[i].run));
	}
}

/* Only the two that are compared decide whether the axis can be shown, so they come
 * last: the error that stays is theirs. */
bool curve_chart_update(struct curve_chart *chart, const struct curve_scene *s)
{
	update_sides(chart, s, false);
	update_repeats(chart, s);
	chart->no_axis = false;
	update_sides(chart, s, true);
	if (!chart->no_axis)
		err_clear();
	chart->round = s->round;
	return !chart->no_axis;
}

size_t curve_chart_sources(
	const struct curve_chart *chart, struct plot_source *out[CHART_SOURCES_MAX])
{
	size_t n = 0;

	for (size_t i = 0; i < SCENE_SIDES_MAX; i++) {
		const struct curve_line *line = &chart->lines[i];

		if (line->drawn)
			out[n++] = line->drawn;
		if (line->raw)
			out[n++] = line->raw;
		if (line->older)
			out[n++] = line->older;
	}
	for (size_t i = 0; i < chart->n_repeats; i++)
		if (chart->repeats[i])
			out[n++] = chart->repeats[i];
	return n;
}
