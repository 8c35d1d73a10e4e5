/* curve_scene - reads on, compares, and brings the charts up to date; see curve_scene.h.
 * Which runs: curve_scene_open.c. */
#include "config.h"

#include "command/curve_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "command/curve_chart.h"
#include "curve/run_cache.h"

/* A step of work; a comparison during loading may take a tenth of the time. */
enum { BAND_SEEDS_MIN = 3, STEP_MS = 100, COMPARE_SHARE = 10, POINT_BYTES = 20,
	BYTES_SHOWN_FIRST = 32 * 1024 * 1024 };

/* ---- charts ------------------------------------------------------------------------- */

const char *curve_restarts_name(enum curve_restarts r)
{
	static const char *const names[] = {
		[RESTARTS_LATEST] = "latest points, older ones faint",
		[RESTARTS_LATEST_ALONE] = "latest points alone",
		[RESTARTS_FIRST] = "first points, later ones faint",
		[RESTARTS_ALL] = "all points alike",
	};

	return names[r];
}

const struct curve_side *curve_scene_side(const struct curve_scene *s, char letter)
{
	for (size_t i = 0; i < s->n_sides; i++)
		if (s->sides[i].letter == letter)
			return &s->sides[i];
	return NULL;
}

static struct curve_chart *find_chart(const struct curve_scene *s, const char *metric)
{
	for (size_t i = 0; i < s->n_charts; i++)
		if (strcmp(s->charts[i]->metric, metric) == 0)
			return s->charts[i];
	return NULL;
}

struct curve_chart *curve_scene_chart(const struct curve_scene *s, const char *metric)
{
	struct curve_chart *chart = find_chart(s, metric);

	return chart && chart->round == s->round ? chart : NULL;
}

/* Makes room by letting the chart go that was not asked for longest. */
static void drop_oldest(struct curve_scene *s)
{
	size_t oldest = 0;

	for (size_t i = 1; i < s->n_charts; i++)
		if (s->charts[i]->round < s->charts[oldest]->round)
			oldest = i;
	curve_chart_free(s->charts[oldest]);
	s->charts[oldest] = s->charts[--s->n_charts];
}

static struct curve_chart *chart_of(struct curve_scene *s, const char *metric)
{
	struct curve_chart *chart = find_chart(s, metric);

	if (chart)
		return chart;
	if (s->n_charts == SCENE_CHARTS_MAX)
		drop_oldest(s);
	return s->charts[s->n_charts++] = curve_chart_new(metric);
}

static void update_main(struct curve_scene *s)
{
	s->main = *s->pair->metric ? chart_of(s, s->pair->metric) : NULL;
	if (!s->main || curve_chart_update(s->main, s))
		return;
	if (!*s->trouble)
		s->trouble = arena_strdup(&s->arena, err_text());
	err_clear();
}

/* The charts that were asked for, as many as the time allows.  True: all of them. */
static bool update_charts(struct curve_scene *s, const struct curve_look *look)
{
	int64_t start = clock_boot_ns();

	for (size_t i = 0; i < look->n_charts; i++) {
		struct curve_chart *chart = chart_of(s, look->charts[i]);

		if (chart->round == s->round)
			continue;
		if (clock_boot_ns() - start > STEP_MS * NS_PER_MS)
			return false;
		if (!curve_chart_update(chart, s))
			err_clear();	/* the chart says so itself */
	}
	return true;
}

/* ---- the difference ------------------------------------------------------------------- */

static void free_delta(struct curve_scene *s)
{
	plot_source_free(s->delta);
	plot_source_free(s->tolerance);
	s->delta = s->tolerance = NULL;
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++) {
		plot_source_free(s->further_deltas[i]);
		s->further_deltas[i] = NULL;
	}
}

/* What is drawn of the differences borrows from the comparisons. */
static void free_comparisons(struct curve_scene *s)
{
	free_delta(s);
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++)
		if (s->has_further[i])
			comparison_release(&s->further_comparisons[i]);
	memset(s->has_further, 0, sizeof s->has_further);
}

/* Each further run beside R, as A is.  One that cannot be paired has no difference. */
static void compare_further(struct curve_scene *s)
{
	for (size_t i = 0; s->pair->has_comparison && i < s->n_further; i++) {
		if (run_comparison_beside(
			    &s->further_comparisons[i], s->pair, &s->further[i]) == 0)
			s->has_further[i] = true;
		err_clear();
	}
}

static void free_band(struct curve_scene *s)
{
	plot_source_free(s->band_low);
	plot_source_free(s->band_high);
	s->band_low = s->band_high = NULL;
}

static void update_delta(struct curve_scene *s)
{
	const struct comparison *c = &s->pair->comparison;

	free_delta(s);
	if (!s->pair->has_assessment)
		free_band(s);
	if (!s->pair->has_comparison)
		return;
	s->delta = plot_source_new();
	plot_source_delta(s->delta, c, s->look.delta);
	for (size_t i = 0; i < s->n_further; i++) {
		if (!s->has_further[i])
			continue;
		s->further_deltas[i] = plot_source_new();
		plot_source_delta(s->further_deltas[i], &s->further_comparisons[i], s->look.delta);
	}
	/* Of a ratio the two edges are no mirror image of each other. */
	if (c->options.tolerance.k_sigma > 0 && s->look.delta != DELTA_SIGMA &&
		s->look.delta != DELTA_LOG2) {
		s->tolerance = plot_source_new();
		plot_source_tolerance(s->tolerance, c, s->look.delta);
	}
}

/* ---- working ---------------------------------------------------------------------- */

static bool same_look(const struct curve_scene *s, const struct curve_look *b)
{
	const struct curve_look *a = &s->look;

	return s->asked_axis == b->axis && a->mode == b->mode && a->shift == b->shift &&
		a->delta == b->delta && a->smooth.mode == b->smooth.mode &&
		a->smooth.parameter >= b->smooth.parameter &&
		a->smooth.parameter <= b->smooth.parameter && a->restarts == b->restarts;
}

static void count_bytes(struct curve_scene *s)
{
	const struct comparison_side *sides[] = { &s->pair->attempt, &s->pair->reference };

	s->bytes_done = s->bytes_total = 0;
	for (size_t i = 0; i < ARRAY_LEN(sides); i++) {
		for (size_t k = 0; sides[i]->files && k < sides[i]->files->n; k++) {
			const struct curve_file *f = sides[i]->files->files[k].file;

			if (!f || f->size <= 0)
				continue;
			s->bytes_total += f->size;
			s->bytes_done += f->format->shape == CURVE_STREAM ? f->offset : f->size;
		}
	}
}

/* One step of every file; true in *NEW when something came. */
static int read_step(struct curve_scene *s, bool *new, const atomic_bool *cancel)
{
	int most = run_comparison_read(s->pair, cancel);

	for (size_t i = 0; most >= 0 && i < s->n_further; i++) {
		int rc;

		if (s->further[i].live && run_files_rescan(s->further[i].files) < 0)
			err_clear();
		rc = run_files_refresh(s->further[i].files, cancel);
		most = rc < 0 ? rc : rc > most ? rc : most;
	}
	if (most < 0)
		return most;
	*new |= most != CURVE_SAME;
	s->more = most == CURVE_MORE;
	return 0;
}

static int read_on(struct curve_scene *s, bool *new, const atomic_bool *cancel)
{
	int64_t start = clock_boot_ns();
	int rc;

	do
		rc = read_step(s, new, cancel);
	while (rc == 0 && s->more && clock_boot_ns() - start < STEP_MS * NS_PER_MS);
	return rc;
}

static int64_t bytes_of(const struct run_files *files)
{
	int64_t sum = 0;

	for (size_t i = 0; i < files->n; i++)
		if (files->files[i].file)
			sum += files->files[i].file->source.size;
	return sum + files->health.points * POINT_BYTES;
}

/* Comparing them takes longer than anybody waits for a first picture. */
static bool is_long(const struct curve_scene *s)
{
	const struct run_comparison *c = s->pair;
	int64_t bytes = bytes_of(c->attempt.files);

	if (c->has_reference)
		bytes += bytes_of(c->reference.files);
	return bytes > BYTES_SHOWN_FIRST;
}

/* Comparing takes its time with long curves: while more is to come, at most a
 * tenth of it, and none before all of them was drawn once. */
static bool compare_is_due(const struct curve_scene *s)
{
	if (!s->more)
		return true;
	if (!s->compared)
		return !is_long(s);
	return clock_boot_ns() - s->compared_at_ns > COMPARE_SHARE * s->compare_took_ns;
}

/* Where the logs count no steps, what they have in place of them is drawn, too. */
static void take_axis(struct curve_scene *s)
{
	bool steps = s->asked_axis == ALIGN_STEP || s->asked_axis == ALIGN_FROM_START;
	bool instead = s->pair->axis == ALIGN_EPOCH || s->pair->axis == ALIGN_TIME;

	s->look.axis = steps && instead ? s->pair->axis : s->asked_axis;
}

/* Two runs are never paired by the time of day: they are then drawn so, and compared
 * by step all the same. */
static void set_align(struct curve_scene *s)
{
	struct align_options *o = &s->pair->request.align;

	*o = (struct align_options){ .mode = s->look.mode,
		.axis = s->asked_axis == ALIGN_WALL ? ALIGN_STEP : s->asked_axis,
		.policy = s->look.restarts == RESTARTS_FIRST ? SEGMENT_FIRST_WINS
							     : SEGMENT_LATEST_WINS,
		.shift = s->look.shift,
		.nearest_max = INFINITY };
	if (o->axis != ALIGN_STEP && o->axis != ALIGN_FROM_START)
		o->shift = 0;
}

static void choose_further(struct curve_scene *s)
{
	for (size_t i = 0; i < s->n_further; i++) {
		struct comparison_side *side = &s->further[i];

		comparison_side_choose(side, s->pair->metric, s->pair->until_wall_s);
		run_facts_gather(&side->facts, &side->facts_cache, side->run, side->files,
			side->rundir, &s->arena);
	}
	curve_names_update(s);
}

/* Draws anew: every chart is of an earlier round then. */
static void update_all(struct curve_scene *s)
{
	s->round++;
	update_main(s);
	update_delta(s);
}

/* Before the first comparison, which comes with the next step that brings nothing new. */
static void show(struct curve_scene *s, const char *metric)
{
	s->more = true;
	s->trouble = "";
	if (!s->shown) {
		free_comparisons(s);
		run_comparison_show(s->pair, metric);
		take_axis(s);
		choose_further(s);
	}
	s->shown = true;
	update_all(s);
}

static void compare(struct curve_scene *s, const char *metric)
{
	int64_t start = clock_boot_ns();

	free_comparisons(s);
	set_align(s);
	s->pair->request.want_sigma = s->look.delta == DELTA_SIGMA;
	s->trouble = "";
	if (run_comparison_choose(s->pair, metric) < 0) {
		/* An axis or an alignment that these curves do not have. */
		s->trouble = arena_strdup(&s->arena, err_text());
		err_clear();
	}
	take_axis(s);
	choose_further(s);
	compare_further(s);
	s->compared = true;
	s->compared_at_ns = clock_boot_ns();
	s->compare_took_ns = s->compared_at_ns - start;
}

static bool keep_is_due(const struct curve_scene *s)
{
	bool due = run_cache_is_due(s->pair->attempt.files);

	if (s->pair->has_reference)
		due |= run_cache_is_due(s->pair->reference.files);
	for (size_t i = 0; i < s->n_further; i++)
		due |= run_cache_is_due(s->further[i].files);
	return due;
}

/* What was read to its end goes into the cache, in a step of its own: the picture of the
 * one before comes first. */
static void keep_read(struct curve_scene *s)
{
	if (s->more)
		return;
	if (!s->keeps) {
		s->keeps = s->more = keep_is_due(s);
		return;
	}
	s->keeps = false;
	run_cache_keep(s->pair->attempt.files);
	if (s->pair->has_reference)
		run_cache_keep(s->pair->reference.files);
	for (size_t i = 0; i < s->n_further; i++)
		run_cache_keep(s->further[i].files);
}

static struct plot_source *edge_of(const struct seed_bands *b, bool high)
{
	double *y = xreallocarray(NULL, b->n + 1, sizeof *y);
	struct plot_source *p = plot_source_new();

	for (size_t i = 0; i < b->n; i++)
		y[i] = high ? b->band[i].high : b->band[i].low;
	plot_source_points(p, b->x, y, b->n);
	free(y);
	return p;
}

/* From two seeds a band is too wide to be of use. */
static void update_band(struct curve_scene *s)
{
	const struct assessment_band *b = &s->pair->assessment.band;

	free_band(s);
	if (!s->pair->has_assessment || b->m < BAND_SEEDS_MIN || b->bands.n < 2)
		return;
	s->band_low = edge_of(&b->bands, false);
	s->band_high = edge_of(&b->bands, true);
}

/* What the evidence allows to say, likewise. */
static void assess(struct curve_scene *s)
{
	if (s->more || !s->pair->has_comparison || s->pair->has_assessment)
		return;
	if (!s->assesses) {
		s->assesses = s->more = true;
		return;
	}
	s->assesses = false;
	run_comparison_assess(s->pair);
	update_band(s);
}

int curve_scene_work(
	struct curve_scene *s, const struct curve_look *look, const atomic_bool *cancel)
{
	const char *metric = look->metric && *look->metric ? look->metric : NULL;
	bool changed, news = false;
	int rc;

	if (!s->pair)
		return 0;
	changed = !s->compared || !same_look(s, look) ||
		(metric && strcmp(metric, s->pair->metric) != 0);
	s->look = *look;
	s->asked_axis = look->axis;
	take_axis(s);
	s->look.metric = NULL;
	s->look.charts = NULL;
	s->look.n_charts = 0;
	if ((rc = read_on(s, &news, cancel)) < 0)
		return rc;
	count_bytes(s);
	changed |= news;
	s->behind |= changed;
	if (news && !s->compared && is_long(s)) {
		show(s, metric);
		return 0;
	}
	if (s->behind && compare_is_due(s)) {
		s->behind = false;
		compare(s, metric);
		changed = true;
	}
	if (changed)
		update_all(s);	/* what is drawn never lags behind the columns */
	s->more |= !update_charts(s, look);
	if (!s->behind) {
		assess(s);
		keep_read(s);
	}
	return 0;
}

bool curve_scene_is_live(const struct curve_scene *s)
{
	bool live = s->pair && run_comparison_is_live(s->pair);

	for (size_t i = 0; i < s->n_further; i++)
		live |= s->further[i].live;
	return live;
}

void curve_scene_free(struct curve_scene *s)
{
	if (!s)
		return;
	free_comparisons(s);
	free_band(s);
	for (size_t i = 0; i < s->n_charts; i++)
		curve_chart_free(s->charts[i]);
	for (size_t i = 0; i < s->n_further; i++)
		comparison_side_release(&s->further[i]);
	run_comparison_free(s->pair);
	arena_release(&s->names_arena);
	arena_release(&s->arena);
	free(s);
}
