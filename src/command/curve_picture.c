/* curve_picture - see curve_picture.h. */
#include "config.h"

#include "command/curve_picture.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/compare.h"
#include "command/curve_chart.h"
#include "curve/export_charts.h"
#include "report/svg.h"

/* What is shown as values; all of it lives in the scene and in A. */
struct shown {
	struct arena a;
	struct export_charts charts;
	struct curve_chart **made;	/* of charts that were not in sight */
	size_t n_made;
};

static void list_runs(struct shown *out, const struct curve_scene *s)
{
	struct export_run *runs = arena_alloc(&out->a, (s->n_sides + 1) * sizeof *runs);

	for (size_t i = 0; i < s->n_sides; i++)
		runs[i] = (struct export_run){ .letter = s->sides[i].letter,
			.name = s->sides[i].run->name,
			.id = s->sides[i].run->run->id };
	out->charts.runs = runs;
	out->charts.n_runs = s->n_sides;
}

/* The seeds of the reference and the reference itself, which stands first. */
static void take_band(struct arena *a, struct export_chart *out, const struct curve_scene *s,
	const struct curve_chart *chart)
{
	struct plot_source **band =
		arena_alloc(a, (chart->n_repeats + 1) * sizeof *band);

	for (size_t i = 0; i < chart->n_repeats; i++)
		if (chart->repeats[i])
			band[out->n_band++] = chart->repeats[i];
	if (out->n_band && s->n_sides && s->sides[0].letter == 'R' && chart->lines[0].drawn)
		band[out->n_band++] = chart->lines[0].drawn;
	out->band = band;
}

/* On the screen it is behind the chart that is compared, by step and unsmoothed. */
static void take_likely(struct export_chart *out, const struct curve_scene *s)
{
	const struct assessment_band *b = &s->pair->assessment.band;

	if (!s->pair->has_assessment || b->bands.n < 2 || s->look.axis != ALIGN_STEP ||
		s->look.smooth.mode != SMOOTH_NONE)
		return;
	out->likely = &b->bands;
	out->likely_seeds = b->m;
}

static void take_chart(struct arena *a, struct export_chart *out, const struct curve_scene *s,
	const struct curve_chart *chart)
{
	struct plot_source **lines = arena_alloc(a, (s->n_sides + 1) * sizeof *lines);

	for (size_t i = 0; i < s->n_sides; i++)
		lines[i] = chart->lines[i].drawn;
	*out = (struct export_chart){ .metric = chart->metric, .lines = lines };
	take_band(a, out, s, chart);
	if (chart == s->main)
		take_likely(out, s);
}

/* The chart as it is drawn; one that is not in sight is made for the file. */
static const struct curve_chart *chart_of(
	struct shown *out, const struct curve_scene *s, const char *metric)
{
	struct curve_chart *chart = curve_scene_chart(s, metric);

	if (chart)
		return chart;
	chart = out->made[out->n_made++] = curve_chart_new(metric);
	if (!curve_chart_update(chart, s))
		err_clear();	/* without such an axis it is left out, as on the screen */
	return chart;
}

/* The further runs that are drawn, each paired with R as on the screen. */
static void take_further(struct arena *a, struct export_comparison *e, const struct curve_scene *s)
{
	struct export_further *further = arena_alloc(a, (s->n_further + 1) * sizeof *further);

	for (size_t i = 0; i < s->n_further; i++) {
		const struct comparison_side *side = &s->further[i];

		further[i] = (struct export_further){ .letter = s->further_letters[i],
			.name = side->name, .run = side->run->id, .series = side->series,
			.comparison = s->has_further[i] ? &s->further_comparisons[i] : NULL };
	}
	e->further = further;
	e->n_further = s->n_further;
}

static void release(struct shown *shown)
{
	for (size_t i = 0; i < shown->n_made; i++)
		curve_chart_free(shown->made[i]);
	free(shown->made);
	arena_release(&shown->a);
}

static void take_shown(
	struct shown *out, const struct curve_scene *s, const struct curve_picture *p)
{
	size_t n = p->n_charts ? p->n_charts : 1;
	struct export_chart *charts;

	*out = (struct shown){ .a = ARENA_INIT };
	out->made = xcalloc(n, sizeof(struct curve_chart *));
	charts = arena_alloc(&out->a, n * sizeof *charts);
	for (size_t i = 0; i < n; i++) {
		const struct curve_chart *chart =
			p->n_charts ? chart_of(out, s, p->charts[i]) : s->main;

		if (chart)
			take_chart(&out->a, &charts[out->charts.n++], s, chart);
	}
	list_runs(out, s);
	out->charts.charts = charts;
	out->charts.axis = s->look.axis;
	out->charts.smooth = s->look.smooth;
	out->charts.window = p->window;
	out->charts.whole = p->fit;
}

static int write_text(struct buf *out, const struct export_charts *e, const char *path)
{
	if (text_ends(path, ".csv"))
		export_charts_csv(out, e);
	else if (text_ends(path, ".json"))
		export_charts_json(out, e);
	else if (text_ends(path, ".svg"))
		svg_charts(out, e);
	else if (text_ends(path, ".txt"))
		export_charts_text(out, e);
	else
		return err_set(
			ERR_USAGE, "%s: the name must end in .csv, .json, .svg or .txt", path);
	return 0;
}

static int write_file(const char *path, const struct buf *out)
{
	int rc = fs_write_new(path, out->s, out->n, 0644);

	return rc == ERR_EXISTS
		? err_set(ERR_EXISTS, "%s is there already; take another name", path)
		: rc;
}

/* The picture of the comparison, with every run that is drawn and the window. */
static int write_comparison_picture(
	const struct curve_scene *s, const struct curve_picture *p, const char *path)
{
	struct export_comparison e;
	struct svg_size size = { .width = 0 };
	struct buf out = BUF_INIT;
	struct shown shown;
	int rc;

	take_shown(&shown, s, p);
	size.shown = &shown.charts;
	run_comparison_export(&e, s->pair);
	take_further(&shown.a, &e, s);
	svg_comparison(&out, &e, &size);
	rc = write_file(path, &out);
	buf_release(&out);
	release(&shown);
	return rc;
}

static int write_comparison(const struct curve_scene *s, const char *path)
{
	struct arena a = ARENA_INIT;
	struct export_comparison e;
	int rc;

	run_comparison_export(&e, s->pair);
	take_further(&a, &e, s);
	rc = run_comparison_write_as(s->pair, &e, path);
	arena_release(&a);
	return rc;
}

static int write_charts(
	const struct curve_scene *s, const struct curve_picture *p, const char *path)
{
	struct buf out = BUF_INIT;
	struct shown shown;
	int rc;

	take_shown(&shown, s, p);
	rc = shown.charts.n ? write_text(&out, &shown.charts, path)
			    : err_set(ERR_STATE, "there is no curve yet to write");
	if (rc == 0)
		rc = write_file(path, &out);
	buf_release(&out);
	release(&shown);
	return rc;
}

void curve_picture_text(
	struct buf *out, const struct curve_scene *s, const struct curve_picture *p)
{
	struct shown shown;

	if (!s->pair)
		return;
	take_shown(&shown, s, p);
	export_charts_text(out, &shown.charts);
	release(&shown);
}

int curve_picture_write(
	const struct curve_scene *s, const struct curve_picture *p, const char *path)
{
	if (!s->pair)
		return err_set(ERR_STATE, "there is no curve to write: %s", s->nothing);
	if (p->n_charts || !s->pair->has_comparison)
		return write_charts(s, p, path);
	if (text_ends(path, ".svg") && s->look.axis != ALIGN_WALL)
		return write_comparison_picture(s, p, path);
	return write_comparison(s, path);
}
