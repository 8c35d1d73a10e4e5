/* attempts_load - what the worker brings to view 1: rows, gauges, the detail of the
 * selected attempt; see attempts_view.h. */
#include "config.h"

#include "ui/attempts_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/open.h"

/* ---- what a job is asked ------------------------------------------------------------ */

struct request {
	const char *directory;
	bool read_only, at_now, as_it_is;
	struct position position;
	int flags;
	char *attempt;
};

static void request_free(void *p)
{
	struct request *r = p;

	free(r->attempt);
	free(r);
}

static struct request *request_new(const struct app *a, int flags)
{
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = a->host.directory;
	r->read_only = a->host.read_only;
	r->at_now = a->selection.at_now;
	r->position = a->selection.position;
	r->flags = flags;
	r->attempt = xstrdup(a->selection.attempt);
	return r;
}

static const struct position *position_of(const struct request *r)
{
	return r->at_now ? NULL : &r->position;
}

static int open_for(struct opened *out, const struct request *r)
{
	struct open_options o = {
		.directory = r->directory, .read_only = r->read_only, .as_it_is = r->as_it_is
	};

	return open_migration(out, NULL, &o);
}

/* ---- the board: rows, needs, gauges ------------------------------------------------------ */

static void board_free(void *p)
{
	struct board *b = p;

	arena_release(&b->arena);
	free(b);
}

static int run_board(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct board *b = xcalloc(1, sizeof *b);
	struct opened opened;
	int rc = open_for(&opened, r);

	*result = b;
	if (rc == 0)
		rc = migration_status_read(&b->status, opened.workspace, position_of(r), r->flags,
			job_cancel_flag(job), &b->arena);
	opened_release(&opened);
	return rc;
}

static void gauges_free(void *p)
{
	struct gauges *g = p;

	arena_release(&g->arena);
	free(g);
}

static int run_gauges(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct gauges *g = xcalloc(1, sizeof *g);
	struct opened opened;
	int rc = open_for(&opened, r);

	*result = g;
	if (rc == 0)
		rc = stop_rules_read(&g->rules, opened.workspace, position_of(r), STOP_RULES_CURVES,
			job_cancel_flag(job), &g->arena);
	opened_release(&opened);
	return rc;
}

static void detail_free(void *p)
{
	struct detail *d = p;

	arena_release(&d->arena);
	free(d);
}

static int run_detail(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct detail *d = xcalloc(1, sizeof *d);
	struct opened opened;
	int rc = open_for(&opened, r);

	(void)job;
	*result = d;
	if (rc == 0)
		rc = attempt_detail_read(
			&d->lines, opened.workspace, r->attempt, position_of(r), &d->arena);
	opened_release(&opened);
	return rc;
}

static const struct job_kind page_kind = { "the newest attempts", run_board, request_free,
	board_free, JOB_SCREEN };
static const struct job_kind board_kind = { "reading attempts", run_board, request_free, board_free,
	JOB_SCREEN };
static const struct job_kind gauges_kind = { "reading curves for the rules", run_gauges,
	request_free, gauges_free, JOB_BACKGROUND };
static const struct job_kind detail_kind = { "the attempt", run_detail, request_free, detail_free,
	JOB_SCREEN };

/* ---- what came back ------------------------------------------------------------------------ */

static void start_board(struct view *v);

static void on_detail(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct attempts_view *self = view_state(v);

	if (self->board_due)
		start_board(v);
	if (code < 0) {
		app_complain(v->app, "%s", sentence);
		return;
	}
	if (!self->detail ||
		strcmp(self->detail->lines.id, ((struct detail *)result)->lines.id) != 0)
		self->detail_top = 0;
	if (self->detail)
		detail_free(self->detail);
	self->detail = result;
	app_touch(v->app);
}

static void load_detail(struct view *v)
{
	struct attempts_view *self = view_state(v);

	if (*v->app->selection.attempt)
		job_start(&self->detail_job, v->app->loop, &detail_kind, request_new(v->app, 0),
			on_detail, v);
}

static void on_gauges(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct attempts_view *self = view_state(v);

	if (code < 0) {
		app_complain(v->app, "rules: %s", sentence);
		return;
	}
	if (self->gauges)
		gauges_free(self->gauges);
	self->gauges = result;
	app_touch(v->app);
}

/* The first attempt that is shown is the newest: what a person came for. */
static void place_selection(struct view *v)
{
	struct attempts_view *self = view_state(v);
	const struct attempt_row *row;
	bool known = *v->app->selection.attempt &&
		list_select_key(&self->list, v->app->selection.attempt);

	if (!known && !self->placed)
		list_move(&self->list, MOTION_LAST);
	row = attempts_row(self, list_selected(&self->list));
	self->placed = row != NULL;
	if (row && !known)
		app_select_attempt(v->app, row->state->id);
}

static void take_board(struct view *v, struct board *b)
{
	struct attempts_view *self = view_state(v);

	if (self->board)
		board_free(self->board);
	self->board = b;
	free(self->failure);
	self->failure = NULL;
	attempts_set_columns(self);
	list_reload(&self->list);
	place_selection(v);
	load_detail(v);
	app_touch(v->app);
}

static void on_board(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct attempts_view *self = view_state(v);
	struct board *b = result;

	if (code < 0) {
		if (!self->board) {
			free(self->failure);
			self->failure = xstrdup(sentence);
		}
		app_complain(v->app, "%s", sentence);
		return;
	}
	take_board(v, b);
	if (self->gauges && self->gauged_events == b->status.events && !b->status.curves_read)
		return;
	self->gauged_events = b->status.events;
	if (v->app->loop)
		job_start(&self->gauges_job, v->app->loop, &gauges_kind, request_new(v->app, 0),
			on_gauges, v);
}

static void start_board(struct view *v)
{
	struct attempts_view *self = view_state(v);

	self->board_due = false;
	int flags = MIGRATION_STATUS_CHANGES | (v->app->loop ? 0 : MIGRATION_STATUS_CURVES);

	job_start(&self->board_job, v->app->loop, &board_kind, request_new(v->app, flags), on_board,
		v);
}

/* Views of another version are built by the upkeep, which tells us when they are. */
static void on_page(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct attempts_view *self = view_state(v);

	if (code < 0) {
		free(self->failure);
		self->failure = xasprintf("%s",
			code == ERR_STATE ? "The views of the log are being built." : sentence);
		app_touch(v->app);
	} else {
		take_board(v, result);
	}
	/* The rest must not hold up the detail that completes the first screen. */
	self->board_due = code != ERR_STATE && job_is_running(&self->detail_job);
	if (code != ERR_STATE && !self->board_due)
		start_board(v);
}

void attempts_load(struct view *v)
{
	struct attempts_view *self = view_state(v);
	struct request *r;

	if (self->board || !v->app->loop) {
		start_board(v);
		return;
	}
	r = request_new(v->app, MIGRATION_STATUS_FIRST_PAGE);
	r->as_it_is = true;
	job_start(&self->page_job, v->app->loop, &page_kind, r, on_page, v);
}

void attempts_changed(struct view *v, unsigned what)
{
	struct attempts_view *self = view_state(v);

	if (what & CHANGED_POSITION && self->gauges) {
		gauges_free(self->gauges);
		self->gauges = NULL;
	}
	if (!(what & CHANGED_ATTEMPT) || !self->board)
		return;
	list_select_key(&self->list, v->app->selection.attempt);
	load_detail(v);
}

void attempts_release_loaded(struct attempts_view *self)
{
	job_cancel(&self->page_job);
	job_cancel(&self->board_job);
	job_cancel(&self->gauges_job);
	job_cancel(&self->detail_job);
	if (self->board)
		board_free(self->board);
	if (self->gauges)
		gauges_free(self->gauges);
	if (self->detail)
		detail_free(self->detail);
}
