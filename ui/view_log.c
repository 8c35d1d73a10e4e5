/* view_log - see view_log.h. */
#include "config.h"

#include "ui/view_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

/* A new window is asked for when so few lines are left before its edge. */
enum { EDGE_LINES = 200 };

/* ---- the worker ---------------------------------------------------------------- */

struct request {
	char *path, *text;		/* TEXT NULL: an error's text */
	bool clean;
	int direction;
	int64_t offset;
	enum run_log_place place;
};

struct found { bool found; int64_t at; };

static void request_free(void *p)
{
	struct request *r = p;

	free(r->path);
	free(r->text);
	free(r);
}

static void window_free(void *p)
{
	run_log_free(p);
}

static int read_window(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct run_log_window *w = NULL;
	int rc = run_log_read(&w, r->path, r->offset, r->place);

	(void)job;
	if (rc == 0 && r->clean)
		run_log_clean(w);
	*result = w;
	return rc;
}

static int find(struct job *job, void *input, void **result)
{
	const struct request *r = input;
	struct found *f = xcalloc(1, sizeof *f);
	int rc = run_log_find(
		&f->at, r->path, r->offset, r->direction, r->text, job_cancel_flag(job));

	f->found = rc > 0;
	*result = f;
	return rc < 0 ? rc : 0;
}

static const struct job_kind read_kind = { "log", read_window, request_free, window_free,
	JOB_SCREEN };
static const struct job_kind find_kind = { "search of the log", find, request_free, free,
	JOB_CALL };

/* ---- the window ------------------------------------------------------------------ */

static long n_lines(const struct log_pane *p)
{
	return p->window ? (long)p->window->n_lines : 0;
}

static long count_lines(void *user)
{
	return n_lines(user);
}

static void get_line(void *user, long i, struct text_line *out)
{
	const struct log_pane *p = user;
	const struct run_log_line *l = &p->window->lines[i];

	out->s = p->window->bytes + l->at;
	out->n = l->n;
	if (p->marks) {
		out->style = p->marks[i].style;
		out->gutter = p->marks[i].sign ? p->marks[i].sign : l->continued ? '\\' : 0;
		out->gutter_style = p->marks[i].sign ? p->marks[i].sign_style : STYLE_DIM;
		return;
	}
	out->style = l->error ? STYLE_BAD : STYLE_TEXT;
	out->gutter = l->error ? '!' : l->continued ? '\\' : 0;
	out->gutter_style = l->error ? STYLE_BAD : STYLE_DIM;
}

static const struct text_source source = { count_lines, get_line, "the log is empty" };

static int64_t offset_of(const struct log_pane *p, long line)
{
	if (!p->window || line < 0 || line >= n_lines(p))
		return 0;
	return p->window->offset + p->window->lines[line].at;
}

static bool reaches_end(const struct log_pane *p)
{
	return p->window && p->window->offset + (int64_t)p->window->n >= p->window->size;
}

void log_pane_mark(struct log_pane *p)
{
	free(p->marks);
	p->marks = NULL;
	if (!p->mark || !p->window)
		return;
	p->marks = xcalloc(p->window->n_lines + 1, sizeof *p->marks);
	p->mark(p->mark_user, p->window, p->marks);
}

int64_t log_pane_place(const struct log_pane *p)
{
	return p->window ? offset_of(p, p->text.at) : -1;
}

/* The same line stays at the same row of the screen. */
static void take_window(struct log_pane *p, struct run_log_window *w)
{
	long delta = p->amid ? p->text.page * 2 / 3 : p->text.at - p->text.top;
	long last = (long)w->n_lines - 1;

	p->amid = false;
	run_log_free(p->window);
	p->window = w;
	log_pane_mark(p);
	if (p->goal < 0) {
		p->text.at = last > 0 ? last : 0;
		p->text.follow = true;
	} else {
		p->text.at = (long)run_log_line_at(w, p->goal);
	}
	p->text.top = p->text.at > delta ? p->text.at - delta : 0;
}

static void on_window(void *user, int code, void *result, const char *sentence)
{
	struct log_pane *p = user;

	free(p->trouble);
	p->trouble = NULL;
	p->starting = false;
	if (code == 0)
		take_window(p, result);
	else
		p->trouble = xstrdup(code == ERR_NOT_FOUND ? "no log here (yet)" : sentence);
	app_touch(p->app);
}

static struct request *request_new(const struct log_pane *p, int64_t offset)
{
	struct request *r = xcalloc(1, sizeof *r);

	r->path = xstrdup(p->path);
	r->clean = p->clean;
	r->offset = offset;
	return r;
}

static void ask(struct log_pane *p, int64_t offset, enum run_log_place place)
{
	struct request *r = request_new(p, offset);

	r->place = place;
	job_start(&p->read, p->app->loop, &read_kind, r, on_window, p);
}

static void ask_end(struct log_pane *p)
{
	p->goal = -1;
	ask(p, INT64_MAX / 2, RUN_LOG_BEFORE);
}

/* ---- life -------------------------------------------------------------------------- */

void log_pane_init(struct log_pane *p, struct app *app)
{
	memset(p, 0, sizeof *p);
	p->app = app;
	text_view_init(&p->text, &source, p);
	p->text.gutter = true;
}

static void forget(struct log_pane *p)
{
	job_cancel(&p->read);
	job_cancel(&p->find);
	run_log_free(p->window);
	p->window = NULL;
	free(p->marks);
	p->marks = NULL;
	free(p->trouble);
	p->trouble = NULL;
	free(p->path);
	p->path = NULL;
	p->text.at = p->text.top = p->text.left = 0;
}

void log_pane_release(struct log_pane *p)
{
	forget(p);
	free(p->search);
	text_view_release(&p->text);
	memset(p, 0, sizeof *p);
}

void log_pane_show(struct log_pane *p, const char *path)
{
	if (path && p->path && strcmp(path, p->path) == 0)
		return;
	forget(p);
	if (!path)
		return;
	p->path = xstrdup(path);
	p->starting = true;
	p->text.follow = true;
	ask_end(p);
}

void log_pane_tick(struct log_pane *p)
{
	if (!p->path || job_is_running(&p->read))
		return;
	if (p->text.follow)
		ask_end(p);
	else if (reaches_end(p)) {
		/* The size grows in the title; the place stays. */
		p->goal = offset_of(p, p->text.at);
		ask(p, p->goal, RUN_LOG_AROUND);
	}
}

void log_pane_follow(struct log_pane *p)
{
	if (!p->path)
		return;
	p->text.follow = true;
	ask_end(p);
}

void log_pane_go(struct log_pane *p, int64_t offset)
{
	if (!p->path)
		return;
	p->text.follow = false;
	p->goal = offset;
	ask(p, offset, RUN_LOG_AROUND);
}

void log_pane_go_amid(struct log_pane *p, int64_t offset)
{
	p->amid = true;
	log_pane_go(p, offset);
}

/* ---- moving ------------------------------------------------------------------------ */

static void ask_near_edge(struct log_pane *p)
{
	long n = n_lines(p), edge = EDGE_LINES < n / 4 ? EDGE_LINES : n / 4;
	bool above = p->window && p->window->offset > 0 && p->text.at < edge;
	bool below = p->window && !reaches_end(p) && p->text.at >= n - edge;

	if ((!above && !below) || job_is_running(&p->read))
		return;
	p->goal = offset_of(p, p->text.at);
	ask(p, p->goal, RUN_LOG_AROUND);
}

bool log_pane_move(struct log_pane *p, enum motion motion)
{
	bool moved;

	if (!p->window)
		return false;
	if (motion == MOTION_LAST) {
		log_pane_follow(p);
		return true;
	}
	if (motion == MOTION_FIRST && p->window->offset > 0) {
		log_pane_go(p, 0);
		return true;
	}
	moved = text_view_move(&p->text, motion);
	if (p->text.at < n_lines(p) - 1)
		p->text.follow = false;
	if (!p->text.follow && p->goal < 0) {
		job_cancel(&p->read);	/* it would go back to the end */
		p->goal = offset_of(p, p->text.at);
	}
	ask_near_edge(p);
	return moved;
}

void log_pane_wrap(struct log_pane *p)
{
	p->text.wrap = !p->text.wrap;
	p->text.left = 0;
}

/* ---- searching ------------------------------------------------------------------------ */

static void on_found(void *user, int code, void *result, const char *sentence)
{
	struct log_pane *p = user;
	struct found *f = result;

	if (code < 0) {
		app_complain(p->app, "%s", sentence);
		return;
	}
	if (f->found)
		log_pane_go(p, f->at);
	else
		app_say(p->app,
			"no more of it in this direction; g and G go to the ends of the log");
	free(f);
}

static void start_search(struct log_pane *p, int direction, const char *text)
{
	struct request *r;
	long at = p->text.at;

	if (!p->window || !p->path)
		return;
	r = request_new(p, offset_of(p, at));
	if (direction > 0 && at + 1 < n_lines(p))
		r->offset = offset_of(p, at + 1);
	else if (direction > 0)
		r->offset = p->window->offset + (int64_t)p->window->n;
	r->direction = direction;
	r->text = text ? xstrdup(text) : NULL;
	p->text.follow = false;
	job_start(&p->find, p->app->loop, &find_kind, r, on_found, p);
}

void log_pane_set_search(struct log_pane *p, const char *text)
{
	free(p->search);
	p->search = text && *text ? xstrdup(text) : NULL;
	text_view_set_search(&p->text, text);
}

bool log_pane_search(struct log_pane *p, int direction)
{
	if (!p->search)
		return false;
	start_search(p, direction, p->search);
	return true;
}

void log_pane_next_error(struct log_pane *p, int direction)
{
	start_search(p, direction, NULL);
}

/* ---- showing ------------------------------------------------------------------------------ */

void log_pane_add_state(const struct log_pane *p, struct buf *out)
{
	const struct run_log_window *w = p->window;
	int64_t at;

	if (!w)
		return;
	units_add_bytes(out, w->size);
	at = offset_of(p, p->text.at);
	if (w->size > 0 && !p->text.follow)
		buf_addf(out, ", at %lld%%", (long long)(at / (w->size / 100 + 1)));
	if (p->text.follow)
		buf_adds(out, ", at the end");
}

bool log_pane_copy(const struct log_pane *p, struct buf *out)
{
	const struct run_log_line *l;

	if (!p->window || p->text.at >= n_lines(p))
		return false;
	l = &p->window->lines[p->text.at];
	buf_add(out, p->window->bytes + l->at, l->n);
	return true;
}

void log_pane_draw(struct log_pane *p, struct canvas *c, struct rect r)
{
	if (p->trouble || !p->path)
		canvas_put_wrapped(
			c, r, 0, STYLE_DIM, p->trouble ? p->trouble : "no run is selected");
	else if (p->window || !p->starting)
		text_view_draw(&p->text, c, r);
}
