/* view_journal_load - what the worker brings for view 7; see view_journal.h. */
#include "config.h"

#include "ui/view_journal.h"

#include <stdlib.h>

#include "command/open.h"
#include "ui/app.h"
#include "ui/view.h"

struct request {
	char *directory;
	bool read_only, has_at;
	struct position at;
	size_t limit;
};

static void request_free(void *p)
{
	struct request *r = p;

	free(r->directory);
	free(r);
}

void journal_model_free(void *p)
{
	struct journal_model *m = p;

	if (!m)
		return;
	arena_release(&m->arena);
	free(m);
}

static int read_open_alarms(
	struct journal_model *m, struct workspace *ws, const struct position *at)
{
	struct need *needs;
	size_t n;
	int rc = needs_read(&needs, &n, ws, at, &m->arena);

	m->config = "";
	if (rc < 0)
		return rc;
	m->alarms_open = arena_alloc(&m->arena, (n + 1) * sizeof *m->alarms_open);
	for (size_t i = 0; i < n; i++) {
		if (needs[i].kind == NEED_ALARM)
			m->alarms_open[m->n_alarms_open++] = needs[i].alarm;
		else if (needs[i].kind == NEED_CONFIG)
			m->config = needs[i].text;
	}
	return 0;
}

static int load_model(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };
	struct opened opened = { 0 };
	const struct position *at = r->has_at ? &r->at : NULL;
	struct journal_model *m = xcalloc(1, sizeof *m);
	int rc = open_migration(&opened, NULL, &how);

	(void)job;
	if (rc == 0)
		rc = journal_read(&m->journal, opened.workspace, at, NULL, r->limit, &m->arena);
	if (rc == 0)
		rc = read_open_alarms(m, opened.workspace, at);
	opened_release(&opened);
	*result = m;
	return rc;
}

static void on_model(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct journal_view *self = view_state(v);

	free(self->trouble);
	self->trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code >= 0) {
		journal_model_free(self->model);
		self->model = result;
		list_reload(&self->list);
	}
	app_touch(v->app);
}

void journal_view_load(struct view *v)
{
	static const struct job_kind kind = { "the journal", load_model, request_free,
		journal_model_free, JOB_SCREEN };
	struct journal_view *self = view_state(v);
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = xstrdup(v->app->host.directory);
	r->read_only = v->app->host.read_only;
	r->has_at = !v->app->selection.at_now;
	r->at = v->app->selection.position;
	r->limit = self->limit;
	job_start(&self->job, v->app->loop, &kind, r, on_model, v);
}
