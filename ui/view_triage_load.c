/* view_triage_load - what the worker brings to view 6; see view_triage.h. */
#include "config.h"

#include "ui/view_triage.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/open.h"

/* ---- requests -------------------------------------------------------------------- */

struct request {
	char *directory, *attempt, *run, *path;
	bool read_only, at_now;
	struct position at;
	int64_t offset;
	struct triage_mailbox *box;
};

static void request_free(void *p)
{
	struct request *r = p;

	free(r->directory);
	free(r->attempt);
	free(r->run);
	free(r->path);
	triage_mailbox_release(r->box);
	free(r);
}

static struct request *request_new(const struct view *v)
{
	const struct triage_view *self = view_state(v);
	const struct selection *s = &v->app->selection;
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = xstrdup(v->app->host.directory);
	r->attempt = xstrdup(s->attempt);
	r->run = xstrdup(*self->run ? self->run : s->run);
	r->path = xstrdup(self->path);
	r->read_only = v->app->host.read_only;
	r->at_now = s->at_now;
	r->at = s->position;
	return r;
}

static int open_for(struct opened *out, const struct request *r, bool reads_only)
{
	struct open_options how = { .directory = r->directory,
		.read_only = r->read_only || reads_only };

	return open_migration(out, NULL, &how);
}

static const struct position *position_of(const struct request *r)
{
	return r->at_now ? NULL : &r->at;
}

/* ---- the attempt, its runs and its labels ---------------------------------------- */

static void model_free(void *p)
{
	struct triage_model *m = p;

	if (!m)
		return;
	free(m->seen_trouble);
	arena_release(&m->arena);
	free(m);
}

static int read_model(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct triage_model *m = xcalloc(1, sizeof *m);
	struct opened opened;
	int rc = open_for(&opened, r, true);

	(void)job;
	if (rc == 0)
		rc = triage_subject_read(&m->subject, opened.workspace, r->attempt, r->run,
			position_of(r), &m->arena);
	opened_release(&opened);
	*result = m;
	return rc;
}

/* ---- who was shown labels ------------------------------------------------------------ */

static int record_seen(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct arena a = ARENA_INIT;
	struct opened opened;
	int rc = open_for(&opened, r, false);

	(void)job;
	if (rc == 0)
		rc = triage_subject_seen(opened.workspace, r->attempt,
			triage_reviewer(opened.workspace, &a), "view 6", &a);
	opened_release(&opened);
	arena_release(&a);
	*result = NULL;
	return rc;
}

static void on_seen(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct triage_view *self = view_state(v);

	(void)result;
	if (code >= 0)
		return;
	free(self->model->seen_trouble);
	self->model->seen_trouble = xstrdup(sentence);
	triage_make_lines(self);
	app_touch(v->app);
}

static void no_result(void *p)
{
	(void)p;
}

/* Labels of others are shown now: that is a fact for later labels. */
static void tell_seen(struct view *v)
{
	static const struct job_kind kind = { "who saw the labels", record_seen, request_free,
		no_result, JOB_CALL };
	struct triage_view *self = view_state(v);
	const struct triage_subject *s = &self->model->subject;
	struct request *r;

	if (!s->state || !s->others || s->seen || !v->app->selection.at_now ||
		v->app->host.read_only || triage_is_hidden(self))
		return;
	r = request_new(v);
	free(r->attempt);
	r->attempt = xstrdup(s->attempt);
	job_start(&self->seen_job, v->app->loop, &kind, r, on_seen, v);
}

/* ---- the log --------------------------------------------------------------------- */

static void findings_free(void *p)
{
	triage_findings_free(p);
}

static int read_log(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct triage_options o = { .cancel = job_cancel_flag(job), .progress = triage_mailbox_put,
		.user = r->box };
	struct triage_result found = { .arena = ARENA_INIT };
	struct opened opened;
	int rc = open_for(&opened, r, true);

	if (rc == 0)
		rc = triage_read(&found, opened.workspace, position_of(r), r->run, &o);
	if (rc == 0)
		*result = triage_findings_new(
			&found, found.findings->bytes, found.findings->bytes, true);
	triage_result_release(&found);
	opened_release(&opened);
	return rc;
}

static void replace_findings(struct view *v, struct triage_findings *f)
{
	struct triage_view *self = view_state(v);

	triage_findings_free(self->found);
	self->found = f;
	triage_findings_arrived(v);
}

static void on_log(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct triage_view *self = view_state(v);

	triage_mailbox_release(self->box);
	self->box = NULL;
	free(self->scan_trouble);
	self->scan_trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code == 0)
		replace_findings(v, result);
	else
		triage_findings_arrived(v);
}

static void forget_log(struct triage_view *self)
{
	job_cancel(&self->scan_job);
	job_cancel(&self->place_job);
	triage_mailbox_release(self->box);
	self->box = NULL;
	triage_findings_free(self->found);
	self->found = NULL;
	free(self->scan_trouble);
	self->scan_trouble = NULL;
}

/* Another log is shown at once, and read behind that. */
static void start_log(struct view *v, const struct triage_run *run)
{
	struct triage_view *self = view_state(v);
	const char *path = run ? run->path : "";

	if (strcmp(path, self->path) == 0 &&
		(self->found || self->box || self->scan_due || self->scan_trouble) &&
		(!run || !run->live || self->box))
		return;
	if (strcmp(path, self->path) != 0) {
		self->has_gone = false;
		forget_log(self);
	}
	free(self->path);
	self->path = xstrdup(path);
	log_pane_show(&self->log, *path ? path : NULL);
	self->scan_due = *path != '\0';
}

/* Behind the first window, which it would hold up. */
static void start_scan(struct view *v)
{
	static const struct job_kind kind = { "reading the log", read_log, request_free,
		findings_free, JOB_CALL };
	struct triage_view *self = view_state(v);
	const struct triage_run *run = triage_run(self);
	struct request *r;

	if (!self->scan_due || !run || !(self->log.window || self->log.trouble))
		return;
	self->scan_due = false;
	r = request_new(v);
	free(r->run);
	r->run = xstrdup(run->id);
	triage_mailbox_release(self->box);
	self->box = triage_mailbox_new();
	r->box = triage_mailbox_share(self->box);
	job_start(&self->scan_job, v->app->loop, &kind, r, on_log, v);
}

void triage_take_news(struct view *v)
{
	struct triage_view *self = view_state(v);
	struct triage_findings *f;

	start_scan(v);
	f = triage_mailbox_take(self->box);
	if (f)
		replace_findings(v, f);
}

/* ---- what prints no error --------------------------------------------------------- */

static void silent_free(void *p)
{
	struct silent_report *r = p;

	if (!r)
		return;
	silent_report_release(r);
	free(r);
}

static int read_silent(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct silent_report *report = xcalloc(1, sizeof *report);
	struct opened opened;
	int rc = open_for(&opened, r, true);

	report->arena = (struct arena)ARENA_INIT;
	if (rc == 0)
		rc = silent_report_read(report, opened.workspace, position_of(r), r->run,
			job_cancel_flag(job));
	opened_release(&opened);
	*result = report;
	return rc;
}

static void forget_silent(struct triage_view *self)
{
	job_cancel(&self->silent_job);
	silent_free(self->silent);
	self->silent = NULL;
	free(self->silent_run);
	self->silent_run = xstrdup("");
	free(self->silent_trouble);
	self->silent_trouble = NULL;
}

static void on_silent(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct triage_view *self = view_state(v);

	free(self->silent_trouble);
	self->silent_trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code == 0) {
		silent_free(self->silent);
		self->silent = result;
	}
	triage_make_lines(self);
	app_touch(v->app);
}

/* Once for a run that has ended; one that lives is asked anew when there is news. */
static void ask_silent(struct view *v, const struct triage_run *run)
{
	static const struct job_kind kind = { "failures without a text", read_silent,
		request_free, silent_free, JOB_BACKGROUND };
	struct triage_view *self = view_state(v);
	struct request *r;

	if (!run || strcmp(run->id, self->silent_run) != 0)
		forget_silent(self);
	if (!run || (!run->live && *self->silent_run))
		return;
	r = request_new(v);
	free(r->run);
	r->run = xstrdup(run->id);
	free(self->silent_run);
	self->silent_run = xstrdup(run->id);
	job_start(&self->silent_job, v->app->loop, &kind, r, on_silent, v);
}

/* ---- agreement, over all attempts ------------------------------------------------ */

static int read_agreement(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct agreement *g = xcalloc(1, sizeof *g);
	struct arena a = ARENA_INIT;
	struct opened opened;
	int rc = open_for(&opened, r, true);

	(void)job;
	if (rc == 0)
		rc = triage_agreement_read(g, opened.workspace, position_of(r), &a);
	opened_release(&opened);
	arena_release(&a);
	*result = g;
	return rc;
}

static void on_agreement(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct triage_view *self = view_state(v);

	(void)sentence;
	self->has_agreement = code == 0;
	if (code == 0)
		self->agreement = *(struct agreement *)result;
	if (code == 0)
		free(result);
	triage_make_lines(self);
	app_touch(v->app);
}

/* ---- together -------------------------------------------------------------------- */

static void on_model(void *user, int code, void *result, const char *sentence)
{
	static const struct job_kind agreement_kind = { "agreement", read_agreement, request_free,
		free, JOB_BACKGROUND };
	struct view *v = user;
	struct triage_view *self = view_state(v);

	free(self->trouble);
	self->trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code == 0) {
		model_free(self->model);
		self->model = result;
		start_log(v, triage_run(self));
		ask_silent(v, triage_run(self));
		tell_seen(v);
		job_start(&self->agreement_job, v->app->loop, &agreement_kind, request_new(v),
			on_agreement, v);
	}
	triage_model_arrived(v);
}

void triage_load(struct view *v)
{
	static const struct job_kind kind = { "attempt", read_model, request_free, model_free,
		JOB_SCREEN };
	struct triage_view *self = view_state(v);

	job_start(&self->model_job, v->app->loop, &kind, request_new(v), on_model, v);
}

void triage_stop_reading(struct view *v)
{
	struct triage_view *self = view_state(v);

	if (!self->box && !self->scan_due)
		return;
	self->scan_due = false;
	job_cancel(&self->scan_job);
	triage_mailbox_release(self->box);
	self->box = NULL;
	triage_findings_free(self->found);
	self->found = NULL;
	v->stale = true;
	triage_findings_arrived(v);
}

void triage_forget(struct triage_view *self)
{
	job_cancel(&self->model_job);
	job_cancel(&self->seen_job);
	job_cancel(&self->agreement_job);
	forget_silent(self);
	forget_log(self);
	model_free(self->model);
	self->model = NULL;
}

/* ---- from a line to the diff ----------------------------------------------------- */

struct place { struct arena arena; struct triage_place found; };

static void place_free(void *p)
{
	struct place *place = p;

	arena_release(&place->arena);
	free(place);
}

static int read_place(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct place *p = xcalloc(1, sizeof *p);
	struct opened opened;
	int rc = open_for(&opened, r, true);

	if (rc == 0)
		rc = triage_place_find(&p->found, opened.workspace, r->attempt, position_of(r),
			r->path, r->offset, job_cancel_flag(job), &p->arena);
	opened_release(&opened);
	*result = p;
	return rc;
}

static void on_place(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct place *p = result;

	if (code < 0) {
		app_complain(v->app, "%s", sentence);
		return;
	}
	triage_place_arrived(v, &p->found);
	place_free(p);
}

void triage_read_place(struct view *v, int64_t offset)
{
	static const struct job_kind kind = { "place in the diff", read_place, request_free,
		place_free, JOB_SCREEN };
	struct triage_view *self = view_state(v);
	struct request *r;

	if (!self->model || !*self->path)
		return;
	r = request_new(v);
	free(r->attempt);
	r->attempt = xstrdup(self->model->subject.attempt);
	r->offset = offset;
	job_start(&self->place_job, v->app->loop, &kind, r, on_place, v);
}
