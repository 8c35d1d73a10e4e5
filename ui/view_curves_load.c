/* view_curves_load - jobs, and files that grow; see view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"

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
	const char *charts[CURVES_GRID_MAX];	/* of LOOK */
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
	r->look.n_charts = curves_grid_names(self, r->charts);
	for (size_t i = 0; i < r->look.n_charts; i++)
		r->charts[i] = arena_strdup(&r->arena, r->charts[i]);
	r->look.charts = r->charts;
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

static void on_files(void *user)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	self->work_due = true;
	if (app_view(v->app) == v)
		curves_go_on(v);
}

/* Notices are lost on some file systems, and a run ends without touching a
 * curve: look again by the clock, while it lives. */
static void on_tick(void *user)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	if (app_view(v->app) != v) {
		/* Nobody looks: the clock goes on with the next picture. */
		loop_timer_stop(self->timer);
		self->resting = true;
		return;
	}
	if (++self->ticks % RELOAD_TICKS == 0 && !job_is_running(&self->load_job))
		curves_load(v);
	else
		on_files(v);
}

void curves_stop(struct curves_view *self)
{
	for (size_t i = 0; i < self->n_watches; i++)
		loop_watch_free(self->watches[i]);
	self->n_watches = 0;
	self->resting = false;
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

static void watch_folder(struct view *v, const char *folder, const char **folders)
{
	struct curves_view *self = view_state(v);
	struct loop_watch *w;

	if (self->n_watches == CURVES_WATCHES_MAX ||
		is_watched(folders, self->n_watches, folder))
		return;
	w = loop_watch_new(v->app->loop, folder, on_files, v);
	if (!w) {
		err_clear();	/* the clock looks there too */
		return;
	}
	folders[self->n_watches] = folder;
	self->watches[self->n_watches++] = w;
}

/* Where files are, and where the first ones may come. */
static void watch_side(
	struct view *v, const struct comparison_side *s, const char **folders, struct arena *a)
{
	if (!s->live || !s->files)
		return;
	for (size_t i = 0; i < s->files->n; i++)
		if (s->files->files[i].file)
			watch_folder(v, fs_dirname(a, s->files->files[i].file->path), folders);
	for (size_t i = 0; i < s->files->n_roots; i++)
		if (fs_is_dir(s->files->roots[i]))
			watch_folder(v, s->files->roots[i], folders);
}

static void watch(struct view *v)
{
	struct curves_view *self = view_state(v);
	const char *folders[CURVES_WATCHES_MAX];
	struct arena a = ARENA_INIT;

	if (!v->app->loop)
		return;
	curves_stop(self);
	if (!curve_scene_is_live(self->scene) || !v->app->selection.at_now)
		return;
	watch_side(v, &self->scene->pair->attempt, folders, &a);
	watch_side(v, &self->scene->pair->reference, folders, &a);
	for (size_t i = 0; i < self->scene->n_further; i++)
		watch_side(v, &self->scene->further[i], folders, &a);
	if (!self->timer)
		self->timer = loop_timer_new(v->app->loop, on_tick, v);
	loop_timer_start(self->timer, LIVE_MS, LIVE_MS);
	arena_release(&a);
}

/* ---- what came back ------------------------------------------------------------------ */

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
	curves_lists_take(self);
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
		curves_load(v);
}

static void on_loaded(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct curves_view *self = view_state(v);

	self->awaited &= self->reload_due;
	take_scene(v, code, result, sentence);
	if (self->reload_due)
		curves_load(v);
	else if (self->scene)
		watch(v);
}

/* Whoever comes back to a live view sees what came meanwhile. */
static void wake(struct view *v)
{
	struct curves_view *self = view_state(v);

	if (!self->resting || app_view(v->app) != v)
		return;
	self->resting = false;
	self->work_due = true;
	loop_timer_start(self->timer, LIVE_MS, LIVE_MS);
}

/* The next step, after the picture of this one was drawn. */
void curves_go_on(struct view *v)
{
	struct curves_view *self = view_state(v);

	wake(v);
	if (!self->scene || (!self->work_due && !self->scene->more))
		return;
	self->work_due = false;
	job_start(&self->work_job, v->app->loop, &work_kind, request_new(v), on_worked, v);
}

void curves_load(struct view *v)
{
	struct curves_view *self = view_state(v);

	/* A scene at work comes back soon, with all that was read. */
	self->reload_due = job_is_running(&self->work_job);
	if (!self->reload_due)
		job_start(&self->load_job, v->app->loop, &load_kind, request_new(v), on_loaded, v);
}

void curves_look_again(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->work_due = true;
	curves_go_on(v);
}
