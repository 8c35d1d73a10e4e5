/* view_runs_load - what the worker brings to view 3; see view_runs.h. */
#include "config.h"

#include "ui/view_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/open.h"

struct request {
	char *directory, *run;
	bool read_only, at_now;
	struct position at;
};

static void request_free(void *p)
{
	struct request *r = p;

	free(r->directory);
	free(r->run);
	free(r);
}

static struct request *request_new(const struct view *v, const char *run)
{
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = xstrdup(v->app->host.directory);
	r->run = xstrdup(run);
	r->read_only = v->app->host.read_only;
	r->at_now = v->app->selection.at_now;
	r->at = v->app->selection.position;
	return r;
}

static void model_free(void *p)
{
	struct runs_model *m = p;

	if (!m)
		return;
	arena_release(&m->arena);
	free(m);
}

static void facts_free(void *p)
{
	struct runs_facts *f = p;

	if (!f)
		return;
	arena_release(&f->arena);
	free(f);
}

static int read_rows(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct runs_model *m = xcalloc(1, sizeof *m);
	struct opened opened;
	int rc = open_migration(&opened, NULL, &how);

	(void)job;
	if (rc == 0)
		rc = run_rows_read(
			&m->rows, opened.workspace, r->at_now ? NULL : &r->at, &m->arena);
	opened_release(&opened);
	*result = m;
	return rc;
}

static int read_facts(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct runs_facts *f = xcalloc(1, sizeof *f);
	struct opened opened;
	int rc = open_migration(&opened, NULL, &how);

	(void)job;
	if (rc == 0)
		rc = run_detail_read(
			&f->detail, opened.workspace, r->run, r->at_now ? NULL : &r->at, &f->arena);
	opened_release(&opened);
	*result = f;
	return rc;
}

static const struct job_kind rows_kind = { "runs", read_rows, request_free, model_free,
	JOB_SCREEN };
static const struct job_kind facts_kind = { "run", read_facts, request_free, facts_free,
	JOB_SCREEN };

static void on_facts(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct runs_view *self = view_state(v);

	facts_free(self->facts);
	self->facts = code == 0 ? result : NULL;
	if (code < 0 && code != ERR_NOT_FOUND)	/* the position lies before it */
		app_complain(v->app, "%s", sentence);
	text_view_reload(&self->text);
	app_touch(v->app);
}

void runs_load_facts(struct view *v)
{
	struct runs_view *self = view_state(v);

	if (*self->selected)
		job_start(&self->facts_job, v->app->loop, &facts_kind,
			request_new(v, self->selected), on_facts, v);
	else
		on_facts(v, ERR_NOT_FOUND, NULL, "");
}

static bool has_run(const struct runs_model *m, const char *id)
{
	for (size_t i = 0; m && i < m->rows.n; i++)
		if (strcmp(m->rows.rows[i].state->id, id) == 0)
			return true;
	return false;
}

/* The newest live run that was not there before. */
static const char *new_run(const struct runs_model *was, const struct runs_model *now)
{
	for (size_t i = 0; i < now->rows.n_live; i++)
		if (!has_run(was, now->rows.rows[i].state->id))
			return now->rows.rows[i].state->id;
	return NULL;
}

static void on_rows(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct runs_view *self = view_state(v);

	free(self->trouble);
	self->trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code == 0) {
		struct runs_model *now = result;
		const char *id = self->expects_run ? new_run(self->model, now) : NULL;

		model_free(self->model);
		self->model = now;
		runs_rows_changed(v, id);
	} else {
		runs_rows_changed(v, NULL);
	}
}

void runs_load_rows(struct view *v)
{
	struct runs_view *self = view_state(v);

	job_start(&self->rows_job, v->app->loop, &rows_kind, request_new(v, ""), on_rows, v);
}

void runs_forget(struct runs_view *self)
{
	job_cancel(&self->rows_job);
	job_cancel(&self->facts_job);
	runs_table_stop(&self->table);
	self->table.rows = NULL;
	model_free(self->model);
	facts_free(self->facts);
	self->model = NULL;
	self->facts = NULL;
}
