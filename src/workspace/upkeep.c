/* upkeep - see upkeep.h. */
#include "config.h"

#include "workspace/upkeep.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "store/projection.h"
#include "store/verify.h"
#include "workspace/changes_list.h"
#include "workspace/discover.h"
#include "workspace/reconcile.h"
#include "workspace/state.h"
#include "workspace/stop_rules.h"

struct work {
	struct workspace *ws;
	const struct upkeep_options *o;
	struct upkeep_done *out;
	struct arena *a;
	const char *what;	/* of the part at work */
	struct buf news;
};

static bool is_cancelled(const struct work *w)
{
	return w->o->cancel && atomic_load(w->o->cancel);
}

/* For parts that ask now and then; true cancels. */
static bool report(void *user, int64_t done, int64_t total)
{
	struct work *w = user;

	if (w->o->progress)
		w->o->progress(w->o->user, w->what, done, total);
	return is_cancelled(w);
}

static void add_news(struct work *w, size_t n, const char *one, const char *many)
{
	if (n)
		buf_addf(&w->news, "%s%zu %s", w->news.n ? ", " : "", n, n == 1 ? one : many);
}

/* ---- parts ------------------------------------------------------------------- */

static int build_views(struct work *w)
{
	enum projection_state state;
	int rc = projection_state(workspace_log(w->ws), &state);

	if (rc < 0 || state == PROJECTION_FRESH)
		return rc;
	w->out->views_built = true;
	return projection_rebuild(workspace_log(w->ws), report, w);
}

static int take_spool(struct work *w)
{
	struct spool_result r;
	int rc = workspace_ingest(w->ws, w->a, &r);

	if (rc < 0)
		return rc;
	w->out->taken = r.taken;
	add_news(w, r.taken, "event from the spool", "events from the spool");
	if (r.rejected)
		w->out->note = arena_printf(w->a, "%zu spooled event%s refused: %s", r.rejected,
			r.rejected == 1 ? "" : "s", r.reason ? r.reason : "see spool/rejected");
	return 0;
}

static int find_attempts(struct work *w)
{
	struct discover_options o = { .cancel = w->o->cancel };
	struct discovered d;
	int rc;

	if (workspace_read_only(w->ws) || workspace_place(w->ws)->bundle)
		return 0;
	if ((rc = discover(&d, w->ws, &o, w->a)) < 0)
		return rc;
	w->out->attempts = d.added + d.moved;
	w->out->claims = d.claims;
	add_news(w, d.added, "new attempt", "new attempts");
	add_news(w, d.moved, "attempt moved", "attempts moved");
	add_news(w, d.gone, "attempt gone", "attempts gone");
	if (*d.note)
		w->out->note = d.note;
	return 0;
}

static int look_at_runs(struct work *w)
{
	struct reconciled r;
	int rc = reconcile(&r, w->ws, w->o->cancel, w->a);

	if (rc < 0)
		return rc;
	w->out->ended = r.ended;
	add_news(w, r.started, "run started", "runs started");
	add_news(w, r.ended, "run ended", "runs ended");
	if (*r.note)
		w->out->note = r.note;
	return 0;
}

static int count_changes(struct work *w)
{
	struct changes_list list;

	if (workspace_place(w->ws)->bundle || workspace_read_only(w->ws))
		return 0;
	return changes_list_read(&list, w->ws, NULL, 0, w->o->cancel, w->a);
}

static int judge_rules(struct work *w)
{
	int rc = stop_rules_raise(&w->out->raised, w->ws, STOP_RULES_CURVES, w->o->cancel, w->a);

	if (rc == 0)
		add_news(w, w->out->raised, "alarm raised", "alarms raised");
	return rc;
}

static int verify_log(struct work *w)
{
	struct verify_options o = { .progress = report, .user = w, .skip_file = true };
	struct verify_report r;
	int rc = log_verify(workspace_log(w->ws), &o, w->a, &r);

	if (rc < 0)
		return rc;
	w->out->defects = r.n_defects;
	if (r.n_defects)
		w->out->note = arena_printf(w->a, "the log does not verify: %s",
			r.n_findings ? r.findings[0].text : "see portside verify");
	return 0;
}

static const struct { int part; const char *what; int (*run)(struct work *w); } parts[] = {
	{ UPKEEP_SPOOL, "reading the spool", take_spool },
	{ UPKEEP_REPOSITORY, "looking for attempts", find_attempts },
	{ UPKEEP_RUNS, "looking at runs", look_at_runs },
	{ UPKEEP_CHANGES, "counting changes", count_changes },
	{ UPKEEP_RULES, "judging the rules", judge_rules },
	{ UPKEEP_VERIFY, "verifying the log", verify_log },
};

/* One part's failure must not hide the others. */
static int run_part(struct work *w, size_t i)
{
	int rc;

	if (is_cancelled(w))
		return err_set(ERR_CANCELLED, "cancelled");
	w->what = parts[i].what;
	report(w, 0, 0);
	rc = parts[i].run(w);
	if (rc >= 0 || rc == ERR_CANCELLED)
		return rc < 0 ? rc : 0;
	w->out->note = arena_printf(w->a, "%s: %s", parts[i].what, err_text());
	err_clear();
	return 0;
}

static int64_t conf_stamp(const char *path)
{
	struct stat st;

	if (!path || stat(path, &st) < 0)
		return 0;
	return (int64_t)st.st_mtim.tv_sec * NS_PER_S + st.st_mtim.tv_nsec + (int64_t)st.st_size +
		(int64_t)st.st_ino;
}

static int count_events(struct work *w)
{
	struct migration_state *m;
	int rc = log_count(workspace_log(w->ws), &w->out->events);

	w->out->conf_stamp = conf_stamp(workspace_place(w->ws)->conf_path);
	if (rc == 0 && (rc = state_migration(w->ws, NULL, w->a, &m)) == 0)
		w->out->live = m->counts.runs_live;
	return rc;
}

int upkeep(struct upkeep_done *out, struct workspace *ws, const struct upkeep_options *o,
	struct arena *a)
{
	struct work w = {
		.ws = ws, .o = o, .out = out, .a = a, .what = "building the views of the log"
	};
	int rc;

	memset(out, 0, sizeof *out);
	out->note = "";
	rc = build_views(&w);
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(parts); i++)
		if (o->parts & parts[i].part)
			rc = run_part(&w, i);
	if (rc == 0)
		rc = count_events(&w);
	out->news = arena_strndup(a, w.news.s, w.news.n);
	buf_release(&w.news);
	return rc;
}

/* ---- folders ------------------------------------------------------------------- */

struct folders { struct upkeep_folder *rows; size_t n, cap; struct arena *a; };

static void add_folder(struct folders *f, const char *path, int what)
{
	if (!path || f->n >= UPKEEP_FOLDERS_MAX || !fs_is_dir(path))
		return;
	for (size_t i = 0; i < f->n; i++) {
		if (strcmp(f->rows[i].path, path) == 0) {
			f->rows[i].parts |= what;
			return;
		}
	}
	ARRAY_GROW(f->rows, f->n, f->cap);
	f->rows[f->n++] = (struct upkeep_folder){ .path = arena_strdup(f->a, path), .parts = what };
}

/* References lie in nested folders, and watching is not recursive. */
static void add_references(struct folders *f, const char *path, int depth)
{
	enum { DEPTH_MAX = 5 };
	char **names;
	size_t n;

	add_folder(f, path, UPKEEP_REPOSITORY);
	if (depth >= DEPTH_MAX || fs_list(&names, &n, f->a, path) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n && f->n < UPKEEP_FOLDERS_MAX; i++) {
		char *child = fs_join(f->a, path, names[i]);

		if (fs_is_dir(child))
			add_references(f, child, depth + 1);
	}
}

static void add_live_runs(struct folders *f, struct workspace *ws, const char *runs)
{
	struct state_query q = { .type = "attempt" };
	struct migration_state *m;
	void **rows;
	size_t n;

	if (state_migration(ws, NULL, f->a, &m) < 0 ||
		(m->counts.runs_live && state_list(ws, &q, f->a, &rows, &n) < 0)) {
		err_clear();
		return;
	}
	for (size_t i = 0; m->counts.runs_live && i < n; i++) {
		const struct attempt_state *s = rows[i];

		for (size_t k = 0; s->runs_live && k < s->runs_n; k++)
			if (!run_status_ended(s->runs[k].state))
				add_folder(f, fs_join(f->a, runs, s->runs[k].run), UPKEEP_RUNS);
	}
}

void upkeep_folders(struct upkeep_folder **out, size_t *n, struct workspace *ws, struct arena *a)
{
	const struct place *p = workspace_place(ws);
	const char *runs = workspace_path(ws, a, "runs");
	struct folders f = { .a = a };

	add_folder(&f, p->folder, 0);
	add_folder(&f, workspace_path(ws, a, "spool"), UPKEEP_SPOOL);
	add_folder(&f, runs, UPKEEP_RUNS);
	if (!p->bundle) {
		add_folder(&f, p->main_workdir, 0);
		add_folder(&f, p->git_dir, UPKEEP_REPOSITORY);
		add_folder(&f, p->common_dir, UPKEEP_REPOSITORY);
		add_live_runs(&f, ws, runs);
		add_references(&f, fs_join(a, p->common_dir, "refs"), 0);
	}
	*n = f.n;
	*out = arena_memdup(a, f.rows, f.n * sizeof *f.rows);
	free(f.rows);
}
