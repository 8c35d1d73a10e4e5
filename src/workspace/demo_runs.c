/* demo_runs - see demo_runs.h. */
#include "config.h"

#include "workspace/demo_runs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/conf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/conffile.h"
#include "workspace/reconcile.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

enum { POLL_MS = 40, RUNS_MAX = 64, LIVE_MAX = 2 };

struct planned {
	const char *key, *subject, *target, *seed;
	enum run_kind kind;
	int64_t exit;
	const char *run;	/* its id once it is in the log */
	bool own;		/* started by this call */
	bool ended;
};

struct plan {
	struct planned runs[RUNS_MAX];
	size_t n, started, ended;
	const char *typed, *folder;	/* for hints, as in demo_options */
};

/* ---- the plan ---------------------------------------------------------------------- */

static const char *entry(
	const struct conf *c, const char *name, const char *key, const char *otherwise)
{
	const struct conf_entry *e = conf_find(c, "run", name, key);

	return e ? e->value : otherwise;
}

static void plan_run(struct planned *r, const struct conf *conf, const char *name, struct arena *a)
{
	const char *commit = entry(conf, name, "commit", "original");

	*r = (struct planned){
		.key = arena_strdup(a, name),
		.subject = text_starts(commit, "attempt-")
			? arena_strdup(a, commit + strlen("attempt-"))
			: "reference",
		.target = arena_strdup(a, entry(conf, name, "target", "")),
		.seed = arena_strdup(a, entry(conf, name, "seed", "1")),
		.kind = strcmp(entry(conf, name, "kind", "smoke"), "full") == 0 ? RUN_KIND_FULL
										: RUN_KIND_SMOKE,
		.exit = strtoll(entry(conf, name, "exit", "0"), NULL, 10),
	};
}

static int read_plan(struct plan *p, struct arena *a)
{
	struct conf conf = CONF_INIT;
	const char *last = "";
	int rc = conffile_read(&conf, fs_data_path(a, "demo/runs"));

	for (size_t i = 0; rc == 0 && i < conf.n && p->n < RUNS_MAX; i++) {
		const struct conf_entry *e = &conf.entries[i];

		if (strcmp(e->section, "run") != 0 || strcmp(e->name, last) == 0)
			continue;
		last = e->name;
		plan_run(&p->runs[p->n++], &conf, e->name, a);
	}
	conf_release(&conf);
	return rc;
}

/* ---- what is there already --------------------------------------------------------- */

static bool ended_as_planned(const struct planned *r, const struct run_state *s)
{
	return s->state == (r->exit ? RUN_FAILED : RUN_EXITED_0) && s->rc_known && s->rc == r->exit;
}

static bool is_of(const struct planned *r, const struct run_state *s)
{
	return !*s->prepared.struck && s->kind == r->kind && strcmp(s->attempt, r->subject) == 0 &&
		strcmp(s->target, r->target) == 0 && strcmp(s->seed, r->seed) == 0 &&
		(!run_status_ended(s->state) || ended_as_planned(r, s));
}

static int find_made(
	struct plan *p, struct workspace *ws, const atomic_bool *cancel, struct arena *a)
{
	struct state_query q = { .type = "run" };
	struct reconciled seen;
	void **rows;
	size_t n = 0;
	int rc = reconcile(&seen, ws, cancel, a);

	if (rc == 0)
		rc = state_list(ws, &q, a, &rows, &n);
	for (size_t k = 0; rc == 0 && k < p->n; k++) {
		struct planned *r = &p->runs[k];

		for (size_t i = 0; i < n && !r->ended; i++) {
			const struct run_state *s = rows[i];

			if (!is_of(r, s))
				continue;
			r->run = s->id;
			r->ended = run_status_ended(s->state);
		}
		p->started += r->run != NULL;
		p->ended += r->ended;
	}
	return rc;
}

/* "5-full, 6-smoke and 9 more": the runs that are not there. */
static const char *missing(const struct plan *p, struct arena *a)
{
	enum { NAMED_MAX = 6 };
	struct buf b = BUF_INIT;
	size_t n = 0;
	const char *text;

	for (size_t i = 0; i < p->n; i++)
		if (!p->runs[i].run && n++ < NAMED_MAX)
			buf_addf(&b, "%s%s", n > 1 ? ", " : "", p->runs[i].key);
	if (n > NAMED_MAX)
		buf_addf(&b, " and %zu more", n - NAMED_MAX);
	text = arena_strndup(a, b.s ? b.s : "", b.n);
	buf_release(&b);
	return text;
}

static void tell_rest(const struct plan *p, const struct demo_options *o, struct arena *a)
{
	if (o->note && p->started && p->started < p->n)
		o->note(o->user,
			arena_printf(a, "%zu of %zu runs of the demo are there; going on with %s",
				p->started, p->n, missing(p, a)));
}

/* Adds to an error what is left to do, and how. */
static int interrupted(int rc, const struct plan *p, const struct demo_options *o, struct arena *a)
{
	const char *sentence = arena_strdup(a, err_text());

	if (!p->n || p->started == p->n)
		return err_set((enum err)rc, "%s. Once that is mended, %s demo %s goes on",
			sentence, o->typed, o->folder);
	return err_set((enum err)rc,
		"%s. %zu of %zu runs are missing (%s); %s demo %s makes them", sentence,
		p->n - p->started, p->n, missing(p, a), o->typed, o->folder);
}

/* ---- making ------------------------------------------------------------------------ */

/* A full run waits for the smoke runs of the same subject and target. */
static bool may_start(const struct plan *p, const struct planned *r)
{
	for (const struct planned *before = p->runs; before < r; before++)
		if (!before->ended && strcmp(before->subject, r->subject) == 0 &&
			strcmp(before->target, r->target) == 0)
			return false;
	return true;
}

static int start_next(struct plan *p, const struct demo_options *o, struct workspace *ws)
{
	for (size_t i = 0; i < p->n && p->started - p->ended < LIVE_MAX; i++) {
		struct planned *r = &p->runs[i];
		struct run_request q = { .subject = r->subject,
			.kind = r->kind,
			.target = r->target,
			.seed = r->seed,
			.program = o->program,
			.by = "human:Ana-Ferro",
			.skip_capture = true };
		struct run_started s;
		int rc;

		if (r->run || !may_start(p, r))
			continue;
		if ((rc = run_start(&s, ws, &q, workspace_arena(ws))) < 0)
			return err_prefix("demo run %s: ", r->key);
		r->run = s.run;
		r->own = true;
		p->started++;
	}
	return 0;
}

/* One that was found alive and ends otherwise is made once more, one of this
 * call is not: nothing would change. */
static int take_end(struct plan *p, struct planned *r, struct workspace *ws, struct arena *a)
{
	const char *run = r->run;
	struct run_state *s;
	int rc = state_run(ws, run, NULL, a, &s);

	if (rc < 0)
		return rc;
	if (ended_as_planned(r, s)) {
		r->ended = true;
		p->ended++;
		return 0;
	}
	p->started--;
	r->run = NULL;
	if (!r->own)
		return 0;
	return err_set(ERR_STATE,
		"demo run %s ended as %s (%s) instead of with exit status %lld: %s -C %s tail %s "
		"shows its log",
		r->key, word_name(&words_run_state, (int)s->state), s->why, (long long)r->exit,
		p->typed, p->folder, run);
}

static int look(struct plan *p, struct workspace *ws)
{
	for (size_t i = 0; i < p->n; i++) {
		struct planned *r = &p->runs[i];
		struct arena a = ARENA_INIT;
		bool ended = false;
		int rc = r->run && !r->ended ? reconcile_run(&ended, ws, r->run, &a) : 0;

		if (rc < 0)
			rc = err_prefix("demo run %s: ", r->key);
		else if (ended)
			rc = take_end(p, r, ws, &a);
		arena_release(&a);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int make_missing(struct plan *p, const struct demo_options *o, struct workspace *ws)
{
	const struct timespec pause = { 0, POLL_MS * 1000000L };
	int rc = 0;

	while (rc == 0 && p->ended < p->n) {
		if (o->cancel && atomic_load(o->cancel))
			return err_set(ERR_CANCELLED,
				"cancelled after %zu of %zu runs; those that were started end by themselves",
				p->ended, p->n);
		if ((rc = start_next(p, o, ws)) < 0 || (rc = look(p, ws)) < 0)
			break;
		if (o->progress)
			o->progress(o->user, "training runs", (int64_t)p->ended, (int64_t)p->n);
		nanosleep(&pause, NULL);
	}
	return rc;
}

int demo_runs_make(const struct demo_options *o, struct workspace *ws, struct arena *a)
{
	struct plan p = { .typed = o->typed, .folder = o->folder };
	int rc = read_plan(&p, a);

	if (rc == 0)
		rc = find_made(&p, ws, o->cancel, a);
	if (rc == 0) {
		tell_rest(&p, o, a);
		rc = make_missing(&p, o, ws);
	}
	return rc < 0 ? interrupted(rc, &p, o, a) : 0;
}
