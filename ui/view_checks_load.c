/* view_checks_load - what the worker brings to view 5; see view_checks.h. */
#include "config.h"

#include "ui/view_checks.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/open.h"
#include "command/triage_subject.h"

struct request {
	char *directory, *attempt;
	bool read_only, at_now, looks;
	struct position at;
};

static void request_free(void *p)
{
	struct request *r = p;

	free(r->directory);
	free(r->attempt);
	free(r);
}

static struct request *request_new(const struct view *v, bool looks)
{
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = xstrdup(v->app->host.directory);
	r->attempt = xstrdup(v->app->selection.attempt);
	r->read_only = v->app->host.read_only;
	r->at_now = v->app->selection.at_now;
	r->at = v->app->selection.position;
	r->looks = looks;
	return r;
}

static void model_free(void *p)
{
	struct checks_model *m = p;

	if (!m)
		return;
	checks_release(&m->checks);
	free(m);
}

static int read_checks(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct checks_request q = { .subject = r->attempt, .at = r->at_now ? NULL : &r->at,
		.now = r->looks, .gaps = r->looks, .cancel = job_cancel_flag(job) };
	struct checks_model *m = xcalloc(1, sizeof *m);
	struct arena arena = ARENA_INIT;
	struct opened opened;
	int rc = open_migration(&opened, NULL, &how);

	m->looked = r->looks;
	if (rc == 0 && !*r->attempt)
		rc = triage_last_attempt(&q.subject, opened.workspace, q.at, &arena);
	if (rc == 0 && *q.subject)
		rc = checks_load(&m->checks, opened.workspace, &q);
	opened_release(&opened);
	arena_release(&arena);
	*result = m;
	return rc;
}

static void on_answer(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct checks_view *self = view_state(v);

	free(self->trouble);
	self->trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code == 0) {
		model_free(self->model);
		self->model = result;
	}
	checks_arrived(v);
}

static void start_look(struct view *v)
{
	static const struct job_kind kind = { "reading the evidence", read_checks, request_free,
		model_free, JOB_CALL };
	struct checks_view *self = view_state(v);

	job_start(&self->look_job, v->app->loop, &kind, request_new(v, true), on_answer, v);
}

static void on_record(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;

	on_answer(v, code, result, sentence);
	if (code == 0)
		start_look(v);
}

void checks_read(struct view *v)
{
	static const struct job_kind kind = { "checks", read_checks, request_free, model_free,
		JOB_SCREEN };
	struct checks_view *self = view_state(v);

	job_cancel(&self->look_job);
	job_start(&self->record_job, v->app->loop, &kind, request_new(v, false), on_record, v);
}

void checks_stop_reading(struct view *v)
{
	struct checks_view *self = view_state(v);

	if (!job_is_running(&self->look_job))
		return;
	job_cancel(&self->look_job);
	v->stale = true;
}

void checks_forget(struct checks_view *self)
{
	job_cancel(&self->record_job);
	job_cancel(&self->look_job);
	model_free(self->model);
	self->model = NULL;
}
