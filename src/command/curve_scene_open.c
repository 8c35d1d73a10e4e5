/* curve_scene_open - which runs are shown, and the list of those that can be; see
 * curve_scene.h. */
#include "config.h"

#include "command/curve_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/curve_chart.h"
#include "command/open.h"
#include "curve/parallel.h"
#include "workspace/state.h"

/* So many runs of other attempts can be chosen; more would hide the others. */
enum { OTHER_ROWS_MAX = 400 };

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
			runs[i]->kind != RUN_KIND_CONTRACT &&
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

static int by_attempt(const void *a, const void *b)
{
	const struct run_state *x = *(struct run_state *const *)a;
	const struct run_state *y = *(struct run_state *const *)b;
	int order = text_compare_natural(x->attempt, y->attempt);

	return order ? order : by_place(a, b);
}

/* Takes the runs of ATTEMPT, or with NULL all that are left, out of ALL to its front;
 * returns their number. */
static size_t take_runs(struct run_state **all, size_t n, const char *attempt)
{
	size_t taken = 0;

	for (size_t i = 0; i < n; i++) {
		struct run_state *run = all[i];

		if (attempt && strcmp(run->attempt, attempt) != 0)
			continue;
		memmove(&all[taken + 1], &all[taken], (i - taken) * sizeof *all);
		all[taken++] = run;
	}
	return taken;
}

/* A run of the contract has no curves.  How many are left. */
static size_t without_contracts(struct run_state **runs, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (runs[i]->kind != RUN_KIND_CONTRACT)
			runs[kept++] = runs[i];
	return kept;
}

/* The attempt's own runs, then the reference's, then those of other attempts. */
static int list_rows(struct curve_scene *s, struct workspace *ws, const struct position *at)
{
	const char *attempt = s->pair->attempt.run->attempt;
	struct run_state **runs;
	size_t n, k;
	int rc = state_runs(&runs, &n, ws, NULL, at, &s->arena);

	if (rc < 0)
		return rc;
	s->rows = arena_alloc(&s->arena, (n + 1) * sizeof *s->rows);
	n = without_contracts(runs, n);
	k = take_runs(runs, n, attempt);
	add_rows(s, runs, k);
	runs += k;
	n -= k;
	k = take_runs(runs, n, "reference");
	add_rows(s, runs, k);
	runs += k;
	n -= k;
	if (n)
		qsort(runs, n, sizeof *runs, by_attempt);
	for (size_t i = 0; i < n && i < OTHER_ROWS_MAX; i++)
		if (!*runs[i]->prepared.struck)
			add_row(s, runs[i]);
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
		s->further_letters[s->n_further++] = (char)('B' + i);
	}
	return 0;
}

static void add_side(struct curve_scene *s, struct comparison_side *run, char letter)
{
	s->sides[s->n_sides++] = (struct curve_side){ run, letter };
	for (size_t i = 0; i < s->n_rows; i++)
		if (strcmp(s->rows[i].run, run->run->id) == 0)
			s->rows[i].letter = letter;
}

static void list_sides(struct curve_scene *s)
{
	if (s->pair->has_reference)
		add_side(s, &s->pair->reference, 'R');
	add_side(s, &s->pair->attempt, 'A');
	for (size_t i = 0; i < s->n_further; i++)
		add_side(s, &s->further[i], s->further_letters[i]);
}

/* Charts outlive a new look at the runs when the same files stand in the same places:
 * what was made of long columns is not made again. */
static void take_charts(struct curve_scene *s, struct curve_scene *before,
	const struct run_files *const *files, size_t n)
{
	bool same = n == s->n_sides && s->pair->until_wall_s <= 0;

	for (size_t i = 0; i < n && same; i++)
		same = files[i] == s->sides[i].run->files;
	if (!same)
		return;
	memcpy(s->charts, before->charts, sizeof s->charts);
	s->n_charts = before->n_charts;
	s->round = before->round;	/* or a chart of then would pass for one of now */
	before->n_charts = 0;
	for (size_t i = 0; i < s->n_charts; i++)
		curve_chart_forget_repeats(s->charts[i]);
}

static void say_nothing(struct curve_scene *s, const char *why)
{
	s->nothing = arena_strdup(&s->arena, why);
	s->compared = true;
}

/* The screen goes on while files are read. */
static void spare_a_processor(struct curve_scene *s)
{
	int threads = parallel_threads(1);

	for (size_t i = 0; i < s->n_sides; i++)
		run_files_set_threads(s->sides[i].run->files, threads);
}

static int open_scene(struct curve_scene *s, const struct curve_scene_request *r,
	struct workspace *ws, struct curve_scene *reuse)
{
	struct comparison_request q = {
		.at = r->at, .goal = *r->goal ? r->goal : NULL, .align = { .nearest_max = INFINITY }
	};
	struct run_comparison *before = reuse ? reuse->pair : NULL;
	const struct run_files *files[SCENE_SIDES_MAX];
	size_t n_files = reuse ? reuse->n_sides : 0;
	int rc = choose_subject(&q, r, ws, &s->arena);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n_files; i++)
		files[i] = reuse->sides[i].run->files;
	if (!q.attempt_run) {
		say_nothing(s,
			"no attempt ran yet; start one with r in view 3 (portside run ATTEMPT "
			"--kind smoke --target TARGET), "
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
	list_sides(s);
	spare_a_processor(s);
	if (reuse)
		take_charts(s, reuse, files, n_files);
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

