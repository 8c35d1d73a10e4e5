/* upkeep - see upkeep.h. */
#include "config.h"

#include "ui/upkeep.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/err.h"
#include "command/upkeep.h"
#include "ui/app.h"
#include "ui/loop.h"

enum {
	LIVE_MS = 2000,			/* how often runs that live are looked at */
	POLL_MS = 5000,			/* where folders cannot be watched */
	LOOK = 1 << 16,			/* beside UPKEEP_ parts: has the log grown? */
};

struct watched {
	char *path;
	int parts;
	struct loop_watch *watch;	/* NULL: it cannot be watched */
	struct screen_upkeep *owner;
	bool seen;			/* in the newest list of folders */
};

struct screen_upkeep {
	struct app *app;
	struct job_slot job;
	int asked;			/* for the next round */
	int64_t events;			/* in the log, as far as the views know */
	int64_t live;
	int64_t conf_stamp;
	bool first_done;		/* the whole was done once */
	bool blind;			/* something cannot be watched: poll */
	struct loop_timer *timer;
	struct watched **folders;
	size_t n, cap;
};

/* ---- one round ------------------------------------------------------------------- */

struct round { struct arena arena; struct upkeep_round of; };

static void request_free(void *p)
{
	free(p);
}

static void round_free(void *p)
{
	struct round *r = p;

	arena_release(&r->arena);
	free(r);
}

static void report(void *user, const char *what, int64_t done, int64_t total)
{
	job_set_stage(user, what, done, total);
}

static int run_round(struct job *job, void *input, void **result)
{
	struct upkeep_request *r = input;
	struct round *round = xcalloc(1, sizeof *round);

	r->how.progress = report;
	r->how.user = job;
	r->how.cancel = job_cancel_flag(job);
	*result = round;
	return upkeep_run(&round->of, r, &round->arena);
}

static const struct job_kind round_kind = { "looking again", run_round, request_free, round_free,
	JOB_BACKGROUND };

static void on_round(void *user, int code, void *result, const char *sentence);

static void start_round(struct screen_upkeep *u)
{
	struct upkeep_request *r;

	if (!u->asked || job_is_running(&u->job))
		return;
	r = xcalloc(1, sizeof *r);
	r->directory = u->app->host.directory;
	r->read_only = u->app->host.read_only;
	r->tell_since = !u->first_done && !r->read_only;
	r->how.parts = u->asked & UPKEEP_ALL;
	u->asked = 0;
	job_start(&u->job, u->app->loop, &round_kind, r, on_round, u);
}

void screen_upkeep_ask(struct screen_upkeep *u, int parts)
{
	u->asked |= parts | LOOK;
	start_round(u);
}

bool screen_upkeep_cancel(struct screen_upkeep *u)
{
	bool running = job_is_running(&u->job);

	job_cancel(&u->job);
	u->asked = 0;
	return running;
}

/* ---- watching ---------------------------------------------------------------------- */

static void on_folder(void *user)
{
	struct watched *w = user;

	screen_upkeep_ask(w->owner, w->parts);
}

static void on_timer(void *user)
{
	struct screen_upkeep *u = user;

	screen_upkeep_ask(u, UPKEEP_RUNS | (u->blind ? UPKEEP_SPOOL | UPKEEP_REPOSITORY : 0));
}

static void free_folder(struct watched *w)
{
	loop_watch_free(w->watch);
	free(w->path);
	free(w);
}

static void watch_folder(struct screen_upkeep *u, const struct upkeep_folder *f)
{
	struct watched *w;

	for (size_t i = 0; i < u->n; i++) {
		if (strcmp(u->folders[i]->path, f->path) != 0)
			continue;
		u->folders[i]->seen = true;
		u->folders[i]->parts = f->parts;
		return;
	}
	w = xcalloc(1, sizeof *w);
	w->path = xstrdup(f->path);
	w->parts = f->parts;
	w->owner = u;
	w->seen = true;
	w->watch = loop_watch_new(u->app->loop, f->path, on_folder, w);
	if (!w->watch) {
		/* A limit of the system; the timer stands in for it. */
		u->blind = true;
		err_clear();
	}
	ARRAY_GROW(u->folders, u->n, u->cap);
	u->folders[u->n++] = w;
}

static void watch_folders(struct screen_upkeep *u, const struct upkeep_folder *folders, size_t n)
{
	size_t kept = 0;

	u->blind = false;
	for (size_t i = 0; i < u->n; i++)
		u->folders[i]->seen = false;
	for (size_t i = 0; i < n; i++)
		watch_folder(u, &folders[i]);
	for (size_t i = 0; i < u->n; i++) {
		if (!u->folders[i]->seen) {
			free_folder(u->folders[i]);
			continue;
		}
		u->blind |= !u->folders[i]->watch;
		u->folders[kept++] = u->folders[i];
	}
	u->n = kept;
}

static void set_timer(struct screen_upkeep *u)
{
	if (u->live || u->blind)
		loop_timer_start(u->timer, u->live ? LIVE_MS : POLL_MS, 0);
	else
		loop_timer_stop(u->timer);
}

/* ---- what a round brought -------------------------------------------------------------- */

static void tell(struct screen_upkeep *u, const struct upkeep_round *r)
{
	const struct upkeep_done *d = &r->done;

	if (*d->note)
		app_complain(u->app, "%s", d->note);
	else if (*d->news && u->first_done && !u->app->message)
		app_say(u->app, "%s", d->news);
	if (!*r->since || u->first_done)
		return;
	if (u->app->layer == APP_VIEW)
		app_show_text(u->app, "since you left", r->since);
	else
		app_say(u->app, "much happened since you left; :since tells");
}

/* What happened may concern parts that were not asked for. */
static int follow_up(const struct screen_upkeep *u, const struct upkeep_done *d)
{
	int parts = 0;

	if (!u->first_done)
		return 0;
	if (d->events != u->events)
		parts |= UPKEEP_RULES | UPKEEP_VERIFY;
	if (d->attempts)
		parts |= UPKEEP_CHANGES;
	return parts;
}

static void on_round(void *user, int code, void *result, const char *sentence)
{
	struct screen_upkeep *u = user;
	struct round *round = result;
	const struct upkeep_done *d;
	int more;

	if (code < 0) {
		app_complain(u->app, "%s", sentence);
		start_round(u);
		return;
	}
	d = &round->of.done;
	more = follow_up(u, d);
	watch_folders(u, round->of.folders, round->of.n_folders);
	tell(u, &round->of);
	u->live = d->live;
	if (d->events != u->events || d->views_built)
		app_changed(u->app, CHANGED_LOG | CHANGED_FILES);
	else if (!u->first_done || d->live || d->conf_stamp != u->conf_stamp)
		app_changed(u->app, CHANGED_FILES);
	u->events = d->events;
	u->conf_stamp = d->conf_stamp;
	u->first_done = true;
	round_free(round);
	if (more)
		screen_upkeep_ask(u, more);
	start_round(u);
	set_timer(u);
}

/* ---- life --------------------------------------------------------------------------------- */

struct screen_upkeep *screen_upkeep_new(struct app *a)
{
	struct screen_upkeep *u = xcalloc(1, sizeof *u);

	u->app = a;
	u->events = -1;
	u->timer = loop_timer_new(a->loop, on_timer, u);
	screen_upkeep_ask(u, UPKEEP_ALL);
	return u;
}

void screen_upkeep_free(struct screen_upkeep *u)
{
	if (!u)
		return;
	job_cancel(&u->job);
	loop_timer_free(u->timer);
	for (size_t i = 0; i < u->n; i++)
		free_folder(u->folders[i]);
	free(u->folders);
	free(u);
}
