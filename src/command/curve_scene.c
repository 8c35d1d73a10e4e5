/* curve_scene - see curve_scene.h. */
#include "config.h"

#include "command/curve_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/compare.h"
#include "command/open.h"
#include "workspace/state.h"

/* A step of work; a comparison during loading may take a tenth of the time. */
enum { STEP_MS = 100, COMPARE_SHARE = 10 };

/* ---- opening --------------------------------------------------------------------- */

/* The attempt whose run was prepared last; NULL when none ran. */
static int latest_attempt(
	const char **out, struct workspace *ws, const struct position *at, struct arena *a)
{
	const struct run_state *latest = NULL;
	struct run_state **runs;
	size_t n;
	int rc = state_runs(&runs, &n, ws, NULL, at, a);

	for (size_t i = 0; rc == 0 && i < n; i++)
		if (strcmp(runs[i]->attempt, "reference") != 0 && !*runs[i]->prepared.struck &&
		    (!latest || strcmp(runs[i]->prepared.time, latest->prepared.time) >= 0))
			latest = runs[i];
	*out = latest ? latest->attempt : NULL;
	return rc;
}

static bool is_of(const struct run_state *r, const char *attempt)
{
	return !*attempt || strcmp(r->attempt, attempt) == 0;
}

/* What stands at A: the selected run when it is of the selected attempt.  A
 * selected run of the reference stands at R. */
static int choose_subject(struct comparison_request *q, const struct curve_scene_request *r,
	struct workspace *ws, struct arena *a)
{
	struct run_state *run;
	int rc;

	q->attempt_run = *r->attempt ? r->attempt : NULL;
	q->reference_run = *r->reference ? r->reference : NULL;
	if (*r->run) {
		rc = state_run(ws, r->run, r->at, a, &run);
		if (rc == ERR_NOT_FOUND)
			err_clear();
		else if (rc < 0)
			return rc;
		if (rc == 0 && strcmp(run->attempt, "reference") == 0 &&
			strcmp(r->attempt, "reference") != 0)
			q->reference_run = q->reference_run ? q->reference_run : run->id;
		else if (rc == 0 && is_of(run, r->attempt))
			q->attempt_run = run->id;
	}
	return q->attempt_run ? 0 : latest_attempt(&q->attempt_run, ws, r->at, a);
}

static void add_row(struct curve_scene *s, const struct run_state *r)
{
	struct curve_row *row = &s->rows[s->n_rows++];

	row->run = arena_strdup(&s->arena, r->id);
	row->name = run_comparison_name(&s->arena, r);
	row->state = r->provenance == PROVENANCE_IMPORTED
		? "imported"
		: word_name(&words_run_state, (int)r->state);
	row->attempt =
		strcmp(r->attempt, "reference") == 0 ? "" : arena_strdup(&s->arena, r->attempt);
	row->live = !run_status_ended(r->state);
}

/* Full runs before smoke runs, then by where they ran, seed and time: a run has
 * its place whatever was started first. */
static int by_place(const void *a, const void *b)
{
	const struct run_state *x = *(struct run_state *const *)a;
	const struct run_state *y = *(struct run_state *const *)b;
	int order = (int)y->kind - (int)x->kind;

	if (!order)
		order = text_compare_natural(x->configuration, y->configuration);
	if (!order)
		order = text_compare_natural(x->seed, y->seed);
	if (!order)
		order = strcmp(x->prepared.time, y->prepared.time);
	return order ? order : strcmp(x->id, y->id);
}

/* All but those struck. */
static void add_rows(struct curve_scene *s, struct run_state **runs, size_t n)
{
	if (n)
		qsort(runs, n, sizeof *runs, by_place);
	for (size_t i = 0; i < n; i++)
		if (!*runs[i]->prepared.struck)
			add_row(s, runs[i]);
}

static int list_rows(struct curve_scene *s, struct workspace *ws, const struct position *at)
{
	const char *attempt = s->pair->attempt.run->attempt;
	struct run_state **own = NULL, **reference = NULL;
	size_t n_own = 0, n_reference = 0;
	int rc = state_runs(&own, &n_own, ws, attempt, at, &s->arena);

	if (rc == 0 && strcmp(attempt, "reference") != 0)
		rc = state_runs(&reference, &n_reference, ws, "reference", at, &s->arena);
	if (rc < 0)
		return rc;
	s->rows = arena_alloc(&s->arena, (n_own + n_reference + 1) * sizeof *s->rows);
	add_rows(s, own, n_own);
	add_rows(s, reference, n_reference);
	return 0;
}

/* A marked run, or of a marked attempt the run like A's. */
static int find_further(const struct run_state **out, const struct curve_scene *s, const char *text,
	struct workspace *ws, const struct position *at, struct arena *a)
{
	const struct run_state *like = s->pair->attempt.run;
	struct run_state **runs, *run;
	size_t n;
	int rc;

	*out = NULL;
	if (text_starts(text, "ps-")) {
		rc = state_run(ws, text, at, a, &run);
		*out = rc == 0 ? run : NULL;
	} else if ((rc = state_runs(&runs, &n, ws, text, at, a)) == 0) {
		*out = run_comparison_best(
			runs, n, like->kind, like->configuration, like->configuration);
		if (!*out)
			*out = run_comparison_best(runs, n, like->kind, NULL, like->configuration);
	}
	if (rc == ERR_NOT_FOUND) {
		err_clear();
		rc = 0;
	}
	return rc;
}

static struct comparison_side *further_of(struct curve_scene *s, const struct run_state *run)
{
	for (size_t i = 0; s && i < s->n_further; i++)
		if (strcmp(s->further[i].run->id, run->id) == 0)
			return &s->further[i];
	return NULL;
}

static int open_further(struct curve_scene *s, const struct curve_scene_request *r,
	struct workspace *ws, struct curve_scene *reuse)
{
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++) {
		const struct run_state *run = NULL;
		int rc = r->further[i] && *r->further[i]
			? find_further(&run, s, r->further[i], ws, r->at, &s->arena)
			: 0;

		if (rc < 0)
			return rc;
		if (!run || strcmp(run->id, s->pair->attempt.run->id) == 0 || further_of(s, run))
			continue;
		if ((rc = comparison_side_open(&s->further[s->n_further], ws, run, &s->arena,
			     further_of(reuse, run))) < 0)
			return rc;
		s->n_further++;
	}
	return 0;
}

static void set_letters(struct curve_scene *s)
{
	for (size_t i = 0; i < s->n_rows; i++) {
		struct curve_row *row = &s->rows[i];

		if (strcmp(row->run, s->pair->attempt.run->id) == 0)
			row->letter = 'A';
		else if (s->pair->has_reference &&
			strcmp(row->run, s->pair->reference.run->id) == 0)
			row->letter = 'R';
		for (size_t k = 0; k < s->n_further; k++)
			if (strcmp(row->run, s->further[k].run->id) == 0)
				row->letter = (char)('B' + k);
	}
}

static void say_nothing(struct curve_scene *s, const char *why)
{
	s->nothing = arena_strdup(&s->arena, why);
	s->compared = true;
}

static int open_scene(struct curve_scene *s, const struct curve_scene_request *r,
	struct workspace *ws, struct curve_scene *reuse)
{
	struct comparison_request q = {
		.at = r->at, .goal = *r->goal ? r->goal : NULL, .align = { .nearest_max = INFINITY }
	};
	struct run_comparison *before = reuse ? reuse->pair : NULL;
	int rc = choose_subject(&q, r, ws, &s->arena);

	if (rc < 0)
		return rc;
	if (!q.attempt_run) {
		say_nothing(s,
			"no attempt ran yet; start one with r in view 3 (portside run ATTEMPT --kind smoke --target TARGET), "
			"or bring files from elsewhere: portside import ATTEMPT FILE...");
		return 0;
	}
	if (reuse)
		reuse->pair = NULL;
	rc = run_comparison_open(&s->pair, ws, &q, before);
	if (rc == ERR_NOT_FOUND) {
		s->pair = NULL;
		say_nothing(s, err_text());
		err_clear();
		return 0;
	}
	if (rc < 0 || (rc = list_rows(s, ws, r->at)) < 0 ||
		(rc = open_further(s, r, ws, reuse)) < 0)
		return rc;
	set_letters(s);
	s->more = true;
	return 0;
}

int curve_scene_open(
	struct curve_scene **out, const struct curve_scene_request *r, struct curve_scene *reuse)
{
	struct open_options options = { .directory = r->directory, .read_only = r->read_only };
	struct curve_scene *s = xcalloc(1, sizeof *s);
	struct opened opened;
	int rc = open_migration(&opened, NULL, &options);

	s->nothing = s->trouble = "";
	if (rc == 0)
		rc = open_scene(s, r, opened.workspace, reuse);
	opened_release(&opened);
	curve_scene_free(reuse);
	if (rc < 0) {
		curve_scene_free(s);
		return rc;
	}
	*out = s;
	return 0;
}

/* ---- sources ---------------------------------------------------------------------- */

const char *curve_smoothing_name(int smoothing)
{
	static const char *const names[CURVE_SMOOTHINGS] = { "", "EMA 0.6", "EMA 0.9",
		"EMA by step" };

	return names[smoothing];
}

/* A twentieth of the longer curve is a half-life that eyes like. */
static struct smooth_options smoothing_of(const struct curve_scene *s)
{
	double least = INFINITY, most = -INFINITY;

	switch (s->look.smoothing) {
	case 1:
		return (struct smooth_options){ SMOOTH_COUNT, 0.6 };
	case 2:
		return (struct smooth_options){ SMOOTH_COUNT, 0.9 };
	case 3:
		break;
	default:
		return (struct smooth_options){ SMOOTH_NONE, 0 };
	}
	for (size_t i = 0; i<plot_source_n(s->raw); i += plot_source_n(s->raw)> 1
			? plot_source_n(s->raw) - 1
			: 1) {
		least = fmin(least, plot_source_x(s->raw, i));
		most = fmax(most, plot_source_x(s->raw, i));
	}
	return most > least ? (struct smooth_options){ SMOOTH_STEP, (most - least) / 20 }
			    : (struct smooth_options){ SMOOTH_NONE, 0 };
}

static void free_source(struct plot_source **p)
{
	plot_source_free(*p);
	*p = NULL;
}

static void free_sources(struct curve_scene *s)
{
	free_source(&s->reference);
	free_source(&s->attempt);
	free_source(&s->raw);
	free_source(&s->delta);
	free_source(&s->tolerance);
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++)
		free_source(&s->others[i]);
}

/* Without the axis the source stays empty, and the first sentence is kept. */
static void update(struct curve_scene *s, struct plot_source **p, const struct series *series,
	const struct plot_how *how)
{
	if (!series) {
		free_source(p);
		return;
	}
	if (!*p)
		*p = plot_source_new();
	if (plot_source_update(*p, series, how) == 0)
		return;
	if (!*s->trouble)
		s->trouble = arena_strdup(&s->arena, err_text());
	err_clear();
}

static void update_delta(struct curve_scene *s)
{
	const struct run_comparison *c = s->pair;

	if (!c->has_comparison) {
		free_source(&s->delta);
		free_source(&s->tolerance);
		return;
	}
	if (!s->delta)
		s->delta = plot_source_new();
	plot_source_delta(s->delta, &c->comparison, s->look.delta);
	if (c->comparison.sigma && s->look.delta != DELTA_SIGMA) {
		if (!s->tolerance)
			s->tolerance = plot_source_new();
		plot_source_tolerance(s->tolerance, &c->comparison);
	} else {
		free_source(&s->tolerance);
	}
}

static void update_sources(struct curve_scene *s)
{
	struct plot_how how = { .axis = s->look.axis }, shifted, smooth;

	shifted = how;
	shifted.shift =
		s->look.axis == ALIGN_STEP || s->look.axis == ALIGN_FROM_START ? s->look.shift : 0;
	update(s, &s->raw, s->pair->attempt.series, &shifted);
	smooth = how;
	if (s->raw)
		smooth.smooth = shifted.smooth = smoothing_of(s);
	update(s, &s->reference, s->pair->reference.series, &smooth);
	update(s, &s->attempt, s->pair->attempt.series, &shifted);
	for (size_t i = 0; i < s->n_further; i++)
		update(s, &s->others[i], s->further[i].series, &smooth);
	update_delta(s);
}

/* ---- working ---------------------------------------------------------------------- */

static bool same_look(const struct curve_look *a, const struct curve_look *b)
{
	return a->axis == b->axis && a->mode == b->mode && a->shift == b->shift &&
		a->delta == b->delta && a->smoothing == b->smoothing;
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

/* Comparing takes its time with long curves: while more is to come, at most a
 * tenth of it. */
static bool compare_is_due(const struct curve_scene *s)
{
	return !s->more || !s->compared ||
		clock_boot_ns() - s->compared_at_ns > COMPARE_SHARE * s->compare_took_ns;
}

static void set_align(struct curve_scene *s)
{
	struct align_options *o = &s->pair->request.align;

	*o = (struct align_options){ .mode = s->look.mode,
		.axis = s->look.axis,
		.shift = s->look.shift,
		.nearest_max = INFINITY };
	if (o->axis != ALIGN_STEP && o->axis != ALIGN_FROM_START)
		o->shift = 0;
}

static void compare(struct curve_scene *s, const char *metric)
{
	int64_t start = clock_boot_ns();
	bool other = metric && strcmp(metric, s->pair->metric) != 0;

	/* Cut series and columns of another metric stand where the old ones stood. */
	if (other || s->pair->until_wall_s > 0)
		free_sources(s);
	set_align(s);
	s->trouble = "";
	if (run_comparison_choose(s->pair, metric) < 0) {
		/* An axis or an alignment that these curves do not have. */
		s->trouble = arena_strdup(&s->arena, err_text());
		err_clear();
	}
	for (size_t i = 0; i < s->n_further; i++)
		comparison_side_choose(&s->further[i], s->pair->metric, s->pair->until_wall_s);
	update_sources(s);
	s->compared = true;
	s->compared_at_ns = clock_boot_ns();
	s->compare_took_ns = s->compared_at_ns - start;
}

int curve_scene_work(
	struct curve_scene *s, const struct curve_look *look, const atomic_bool *cancel)
{
	const char *metric = look->metric && *look->metric ? look->metric : NULL;
	bool changed;
	int rc;

	if (!s->pair)
		return 0;
	changed = !s->compared || !same_look(&s->look, look) ||
		(metric && strcmp(metric, s->pair->metric) != 0);
	s->look = *look;
	s->look.metric = NULL;
	if ((rc = read_on(s, &changed, cancel)) < 0)
		return rc;
	count_bytes(s);
	s->behind |= changed;
	if (!s->behind)
		return 0;
	if (!compare_is_due(s)) {
		update_sources(s);	/* what is drawn never lags behind the columns */
		return 0;
	}
	s->behind = false;
	compare(s, metric);
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
	free_sources(s);
	for (size_t i = 0; i < s->n_further; i++)
		comparison_side_release(&s->further[i]);
	run_comparison_free(s->pair);
	arena_release(&s->arena);
	free(s);
}

int curve_scene_write(const struct curve_scene *s, const char *path)
{
	if (!s->pair || !s->pair->has_comparison)
		return err_set(ERR_STATE, "there is no comparison to write: %s",
			s->pair ? s->pair->missing : s->nothing);
	return run_comparison_write(s->pair, path);
}
