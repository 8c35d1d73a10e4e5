/* view_curves - does it train the same?  See view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/operation.h"

/* A live run is looked at when its files change, and at least so often; every
 * RELOAD_TICKS of them its folders and its state too. */
enum { LIVE_MS = 1000, RELOAD_TICKS = 5 };

/* ---- jobs ----------------------------------------------------------------------- */

struct request {
	struct arena arena;
	struct curve_scene_request scene;
	struct position at;
	struct curve_scene *reuse;
	struct curve_look look;
	bool to_the_end;		/* no screen that could draw in between */
};

static void free_request(void *p)
{
	struct request *r = p;

	curve_scene_free(r->reuse);
	arena_release(&r->arena);
	free(r);
}

static void free_scene(void *p)
{
	curve_scene_free(p);
}

static int work(struct job *job, struct request *r, struct curve_scene *s)
{
	int rc;

	do {
		rc = curve_scene_work(s, &r->look, job_cancel_flag(job));
		job_set_progress(job, s->bytes_done, s->bytes_total);
	} while (rc == 0 && s->more && r->to_the_end);
	return rc;
}

static int run_load(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct curve_scene *s, *reuse = r->reuse;
	int rc;

	r->reuse = NULL;
	if ((rc = curve_scene_open(&s, &r->scene, reuse)) < 0)
		return rc;
	*result = s;
	return work(job, r, s);
}

static int run_work(struct job *job, void *input, void **result)
{
	struct request *r = input;

	*result = r->reuse;
	r->reuse = NULL;
	return work(job, r, *result);
}

static const struct job_kind load_kind = { "curves", run_load, free_request, free_scene,
	JOB_SCREEN };
static const struct job_kind work_kind = { "curves", run_work, free_request, free_scene,
	JOB_SCREEN };

static struct request *request_new(struct view *v)
{
	struct curves_view *self = view_state(v);
	const struct selection *s = &v->app->selection;
	const char *other = s->other_attempt;
	struct request *r = xcalloc(1, sizeof *r);

	r->look = self->look;
	r->look.metric = arena_strdup(&r->arena, self->metric);
	r->reuse = self->scene;
	self->scene = NULL;
	r->to_the_end = !v->app->loop;
	r->at = s->position;
	r->scene = (struct curve_scene_request){
		.directory = arena_strdup(&r->arena, v->app->host.directory),
		.read_only = v->app->host.read_only,
		.at = s->at_now ? NULL : &r->at,
		.attempt = arena_strdup(&r->arena, s->attempt),
		.run = arena_strdup(&r->arena, s->run),
		.reference = arena_strdup(&r->arena, self->reference),
		.goal = arena_strdup(&r->arena, s->goal),
	};
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++) {
		r->scene.further[i] = arena_strdup(&r->arena, self->further[i]);
		/* Beside the selected attempt another one was chosen to compare. */
		if (!r->scene.further[i] && *other)
			r->scene.further[i] = arena_strdup(&r->arena, other);
		if (!self->further[i])
			other = "";
	}
	return r;
}

/* ---- watching -------------------------------------------------------------------- */

static void start_work(struct view *v);

static void on_files(void *user)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	self->work_due = true;
	if (app_view(v->app) == v)
		start_work(v);
}

/* Notices are lost on some file systems, and a run ends without touching a
 * curve: look again by the clock, while it lives. */
static void on_tick(void *user)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	if (app_view(v->app) != v)
		return;
	if (++self->ticks % RELOAD_TICKS == 0 && !job_is_running(&self->load_job))
		v->type->load(v);
	else
		on_files(v);
}

static void stop_watching(struct curves_view *self)
{
	for (size_t i = 0; i < self->n_watches; i++)
		loop_watch_free(self->watches[i]);
	self->n_watches = 0;
	if (self->timer)
		loop_timer_stop(self->timer);
}

static bool is_watched(const char *const *folders, size_t n, const char *folder)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(folders[i], folder) == 0)
			return true;
	return false;
}

static void watch_side(
	struct view *v, const struct comparison_side *s, const char **folders, struct arena *a)
{
	struct curves_view *self = view_state(v);

	for (size_t i = 0;
		s->live && s->files && i < s->files->n && self->n_watches < CURVES_WATCHES_MAX;
		i++) {
		const char *folder = s->files->files[i].file
			? fs_dirname(a, s->files->files[i].file->path)
			: NULL;
		struct loop_watch *w;

		if (!folder || is_watched(folders, self->n_watches, folder))
			continue;
		w = loop_watch_new(v->app->loop, folder, on_files, v);
		if (!w) {
			err_clear();	/* the clock looks there too */
			continue;
		}
		folders[self->n_watches] = folder;
		self->watches[self->n_watches++] = w;
	}
}

static void watch(struct view *v)
{
	struct curves_view *self = view_state(v);
	const char *folders[CURVES_WATCHES_MAX];
	struct arena a = ARENA_INIT;

	if (!v->app->loop)
		return;
	stop_watching(self);
	if (!curve_scene_is_live(self->scene) || !v->app->selection.at_now)
		return;
	watch_side(v, &self->scene->pair->attempt, folders, &a);
	watch_side(v, &self->scene->pair->reference, folders, &a);
	if (!self->timer)
		self->timer = loop_timer_new(v->app->loop, on_tick, v);
	loop_timer_start(self->timer, LIVE_MS, LIVE_MS);
	arena_release(&a);
}

/* ---- what came back ------------------------------------------------------------------ */

/* Where nobody moves about, the list stands on what is drawn. */
static void select_shown(struct curves_view *self)
{
	if (self->pane != PANE_METRICS)
		list_select_key(&self->metrics, self->metric_shown);
	for (size_t i = 0; i < self->n_runs; i++)
		if (self->pane != PANE_RUNS && self->run_rows[i].letter == 'A')
			list_select_key(&self->runs, self->run_rows[i].run);
}

static void copy_names(struct curves_view *self)
{
	const struct curve_scene *s = self->scene;
	const struct run_comparison *c = s->pair;

	arena_release(&self->names);
	self->n_metrics = self->n_common = self->n_runs = 0;
	self->metric_shown = "";
	if (c) {
		self->metric_names =
			arena_alloc(&self->names, (c->n_metrics + 1) * sizeof *self->metric_names);
		for (; self->n_metrics < c->n_metrics; self->n_metrics++)
			self->metric_names[self->n_metrics] =
				arena_strdup(&self->names, c->metrics[self->n_metrics]);
		self->n_common = c->n_common;
		self->metric_shown = arena_strdup(&self->names, c->metric);
	}
	self->run_rows = arena_alloc(&self->names, (s->n_rows + 1) * sizeof *self->run_rows);
	for (; self->n_runs < s->n_rows; self->n_runs++) {
		const struct curve_row *row = &s->rows[self->n_runs];

		self->run_rows[self->n_runs] = (struct curves_run){
			.run = arena_strdup(&self->names, row->run),
			.name = arena_strdup(&self->names, row->name),
			.state = arena_strdup(&self->names, row->state),
			.attempt = arena_strdup(&self->names, row->attempt),
			.letter = row->letter,
			.live = row->live,
		};
	}
	list_reload(&self->metrics);
	list_reload(&self->runs);
	select_shown(self);
}

static void take_scene(struct view *v, int code, struct curve_scene *s, const char *sentence)
{
	struct curves_view *self = view_state(v);

	free(self->complaint);
	self->complaint = NULL;
	if (code < 0) {
		self->complaint = xstrdup(sentence);
		self->n_metrics = self->n_runs = 0;
		return;
	}
	self->scene = s;
	copy_names(self);
	curves_settle(self);
	curves_catch_up(v);
	if (self->table)
		text_view_reload(&self->rows);
}

static void on_worked(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	take_scene(v, code, result, sentence);
	if (self->reload_due)
		v->type->load(v);
}

static void on_loaded(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	take_scene(v, code, result, sentence);
	if (self->reload_due)
		v->type->load(v);
	else if (self->scene)
		watch(v);
}

/* The next step, after the picture of this one was drawn. */
static void start_work(struct view *v)
{
	struct curves_view *self = view_state(v);

	if (!self->scene || (!self->work_due && !self->scene->more))
		return;
	self->work_due = false;
	job_start(&self->work_job, v->app->loop, &work_kind, request_new(v), on_worked, v);
}

static void load(struct view *v)
{
	struct curves_view *self = view_state(v);

	/* A scene at work comes back soon, with all that was read. */
	self->reload_due = job_is_running(&self->work_job);
	if (!self->reload_due)
		job_start(&self->load_job, v->app->loop, &load_kind, request_new(v), on_loaded, v);
}

/* Something of the look changed. */
void curves_look_again(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->work_due = true;
	start_work(v);
}

/* ---- lists ---------------------------------------------------------------------------- */

static long count_metrics(void *user)
{
	struct curves_view *self = view_state(user);

	return (long)self->n_metrics;
}

static void put_metric(void *user, long row, int column, struct list_cell *out)
{
	struct curves_view *self = view_state(user);
	const char *name = self->metric_names[row];

	(void)column;
	buf_addf(out->text, "%c ", strcmp(name, self->metric_shown) == 0 ? '*' : ' ');
	text_sanitise(out->text, name, strlen(name));
	if ((size_t)row >= self->n_common) {
		buf_adds(out->text, "  only in A");
		out->style = STYLE_DIM;
	}
}

static void metric_key(void *user, long row, struct buf *out)
{
	struct curves_view *self = view_state(user);

	buf_adds(out, self->metric_names[row]);
}

static long count_runs(void *user)
{
	struct curves_view *self = view_state(user);

	return (long)self->n_runs;
}

static void put_run(void *user, long row, int column, struct list_cell *out)
{
	struct curves_view *self = view_state(user);
	const struct curves_run *r = &self->run_rows[row];

	if (column == 0) {
		buf_addc(out->text, r->letter ? r->letter : ' ');
		out->style = r->letter == 'R' ? STYLE_SERIES_1 : STYLE_SERIES_2;
	} else if (column == 1) {
		text_sanitise(out->text, r->name, strlen(r->name));
	} else {
		buf_adds(out->text, r->state);
		out->style = r->live ? STYLE_LIVE : STYLE_DIM;
	}
}

static void run_key(void *user, long row, struct buf *out)
{
	struct curves_view *self = view_state(user);

	buf_adds(out, self->run_rows[row].run);
}

static const struct list_column metric_columns[] = { { "metric", 12, 1, 0, false } };
static const struct list_column run_columns[] = {
	{ "", 1, 0, 0, false }, { "run", 12, 1, 0, false }, { "state", 9, 0, 1, false },
};
static const struct list_source metric_source = {
	.columns = metric_columns,
	.n_columns = ARRAY_LEN(metric_columns),
	.count = count_metrics,
	.cell = put_metric,
	.key = metric_key,
	.empty = "no curve was read yet",
};
static const struct list_source run_source = {
	.columns = run_columns,
	.n_columns = ARRAY_LEN(run_columns),
	.count = count_runs,
	.cell = put_run,
	.key = run_key,
	.empty = "no run yet",
};

static void open_view(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->metric = xstrdup("");
	self->reference = xstrdup("");
	self->metric_shown = "";
	self->fit = self->at_last = true;
	self->window = (struct plot_view)PLOT_VIEW_INIT;
	self->cursor_x = self->last_x = NAN;
	buf_init(&self->row);
	list_init(&self->metrics, &metric_source, v);
	list_init(&self->runs, &run_source, v);
	self->metrics.no_heads = self->runs.no_heads = true;	/* the pane's title says it */
	curves_table_init(v);
}

static void close_view(struct view *v)
{
	struct curves_view *self = view_state(v);

	job_cancel(&self->load_job);
	job_cancel(&self->work_job);
	stop_watching(self);
	if (self->timer)
		loop_timer_free(self->timer);
	curve_scene_free(self->scene);
	list_release(&self->metrics);
	list_release(&self->runs);
	text_view_release(&self->rows);
	buf_release(&self->row);
	arena_release(&self->names);
	if (self->has_picture)
		canvas_release(&self->picture);
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++)
		free(self->further[i]);
	free(self->metric);
	free(self->reference);
	free(self->complaint);
}

static void changed(struct view *v, unsigned what)
{
	struct curves_view *self = view_state(v);

	/* Another goal is another metric; another attempt has other runs to mark. */
	if (what & CHANGED_GOAL && what != CHANGED_ALL)
		*self->metric = '\0';
	if (what & CHANGED_ATTEMPT && what != CHANGED_ALL)
		self->fit = self->at_last = true;
}

/* ---- the rest of the contract -------------------------------------------- */

static void draw(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);

	curves_draw(v, c, r);
	if (v->app->loop && !job_is_running(&self->load_job))
		start_work(v);
}

static void search(struct view *v, const char *text)
{
	struct curves_view *self = view_state(v);

	list_set_search(&self->metrics, text);
}

static bool search_next(struct view *v, int direction)
{
	struct curves_view *self = view_state(v);
	long row;

	if (!list_search(&self->metrics, direction) || (row = list_selected(&self->metrics)) < 0)
		return false;
	curves_choose_metric(v, self->metric_names[row]);
	return true;
}

static void filter(struct view *v, const char *text)
{
	struct curves_view *self = view_state(v);

	self->pane = PANE_METRICS;
	list_set_filter(&self->metrics, text);
}

static void subject(struct view *v, struct buf *out)
{
	struct curves_view *self = view_state(v);

	if (!*self->metric_shown)
		return;
	text_sanitise(out, self->metric_shown, strlen(self->metric_shown));
}

static bool copy(struct view *v, struct buf *out)
{
	struct curves_view *self = view_state(v);

	if (!self->scene || !self->scene->pair || !self->scene->pair->has_comparison)
		return false;
	curves_add_readout(out, self);
	buf_addc(out, '\n');
	curves_add_facts(out, self->scene);
	return true;
}

/* e: the curve file that A is read from. */
static bool file(struct view *v, struct buf *path, long *line)
{
	struct curves_view *self = view_state(v);
	const struct run_files *files =
		self->scene && self->scene->pair ? self->scene->pair->attempt.files : NULL;
	const struct series *s = files ? self->scene->pair->attempt.series : NULL;

	if (!s || !s->n_segments || s->segments[0].file < 0 ||
		(size_t)s->segments[0].file >= files->n || !files->files[s->segments[0].file].file)
		return false;
	buf_adds(path, files->files[s->segments[0].file].file->path);
	*line = 1;
	return true;
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key plot[] = {
		{ "h l", "read-out" },
		{ "+ -", "zoom" },
		{ "D", "first out" },
		{ "Tab", "metrics, runs" },
		{ "t", "table" },
		{ "i", "facts" },
	};
	static const struct status_key metrics[] = { { "Enter", "show" }, { "&", "filter" },
		{ "Tab", "runs" }, { "Esc", "curves" } };
	static const struct status_key runs[] = {
		{ "Enter", "put at A or R" },
		{ "Space", "draw too" },
		{ "Tab", "curves" },
		{ "Esc", "curves" },
	};
	struct curves_view *self = view_state(v);

	switch (self->pane) {
	case PANE_METRICS:
		*out = metrics;
		return ARRAY_LEN(metrics);
	case PANE_RUNS:
		*out = runs;
		return ARRAY_LEN(runs);
	case PANE_PLOT: case PANE_COUNT:
		break;
	}
	*out = plot;
	return ARRAY_LEN(plot);
}

const struct view_type curves_view = {
	.name = "curves",
	.digit = '4',
	.title = "curves",
	.answers = "does it train the same?",
	.contexts = CONTEXT_CURVES | CONTEXT_LIST,
	.reload_on = CHANGED_ATTEMPT | CHANGED_RUN | CHANGED_GOAL | CHANGED_POSITION | CHANGED_LOG |
		CHANGED_FILES,
	.size = sizeof(struct curves_view),
	.open = open_view,
	.close = close_view,
	.load = load,
	.changed = changed,
	.draw = draw,
	.move = curves_move,
	.operate = curves_operate,
	.back = curves_back,
	.search = search,
	.search_next = search_next,
	.filter = filter,
	.subject = subject,
	.copy = copy,
	.file = file,
	.keys = keys,
};
