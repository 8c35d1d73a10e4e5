/* demo - see demo.h. */
#include "config.h"

#include "workspace/demo.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "store/conffile.h"
#include "workspace/accepted.h"
#include "workspace/demo_story.h"
#include "workspace/discover.h"
#include "workspace/reconcile.h"
#include "workspace/run_start.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

extern char **environ;

enum { POLL_MS = 40, RUNS_MAX = 64, LIVE_MAX = 2 };

static void say(const struct demo_options *o, const char *what, int64_t done, int64_t total)
{
	if (o->progress)
		o->progress(o->user, what, done, total);
}

static bool is_cancelled(const struct demo_options *o)
{
	return o->cancel && atomic_load(o->cancel);
}

/* ---- the repository --------------------------------------------------------------- */

/* Runs git with stdin from a file; the user's own configuration stays out. */
static int run_git(const char *const *argv, int input, const char *what)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int status, rc;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	rc = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (rc) {
		errno = rc;
		return err_errno(ERR_IO, "cannot start git (%s)", what);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_errno(ERR_IO, "git (%s)", what);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return err_set(ERR_GIT, "git could not %s", what);
	return 0;
}

static int feed(const char *folder, const struct buf *stream)
{
	const char *const argv[] = { "git", "-C", folder, "fast-import", "--quiet", "--done", NULL };
	FILE *file = tmpfile();
	int rc;

	if (!file)
		return err_errno(ERR_IO, "cannot make a temporary file");
	rc = fs_write_all(fileno(file), stream->s, stream->n);
	if (rc == 0 && lseek(fileno(file), 0, SEEK_SET) < 0)
		rc = err_errno(ERR_IO, "cannot read a temporary file");
	if (rc == 0)
		rc = run_git(argv, fileno(file), "import the commits of the demo");
	fclose(file);
	return rc;
}

static int make_repository(const struct demo_options *o, struct arena *a)
{
	struct buf stream = BUF_INIT;
	const char *branch;
	int rc = demo_story_stream(&stream, &branch, a, o->blind);

	if (rc == 0) {
		const char *const init[] = { "git", "-c", arena_printf(a, "init.defaultBranch=%s", branch), "init", "--quiet",
			"--template=", o->folder, NULL };
		const char *const checkout[] = { "git", "-C", o->folder, "-c", "core.hooksPath=/dev/null", "checkout",
			"--quiet", "--force", branch, NULL };

		rc = run_git(init, STDIN_FILENO, "make a repository");
		if (rc == 0)
			rc = feed(o->folder, &stream);
		if (rc == 0)
			rc = run_git(checkout, STDIN_FILENO, "check out the demo");
	}
	buf_release(&stream);
	return rc;
}

bool demo_is_there(const char *folder, struct arena *a)
{
	return fs_exists(fs_join(a, folder, ".git/portside/log.db"));
}

static int make_folder(const char *folder, struct arena *a)
{
	char **names;
	size_t n = 0;
	int rc = fs_mkdirs(folder, 0755);

	if (rc == 0)
		rc = fs_list(&names, &n, a, folder);
	if (rc == 0 && n && demo_is_there(folder, a))
		rc = err_set(ERR_EXISTS, "%s has a migration already: look at it with portside -C %s, or name another folder: "
			"portside demo DIR", folder, folder);
	else if (rc == 0 && n)
		rc = err_set(ERR_EXISTS, "%s is not empty; name another folder: portside demo DIR", folder);
	return rc;
}

static bool is_on_path(const char *program, struct arena *a)
{
	const char *path = getenv("PATH");

	for (const char *s = path ? path : ""; *s; ) {
		size_t n = strcspn(s, ":");

		if (n && access(fs_join(a, arena_strndup(a, s, n), program), X_OK) == 0)
			return true;
		s += n;
		s += *s == ':';
	}
	return false;
}

/* Asked before anything is made: half a demo helps nobody. */
static int check_programs(const struct demo_options *o, struct arena *a)
{
	if (!is_on_path("git", a))
		return err_set(ERR_NOT_FOUND, "the demo is a git repository, and there is no git program; install git");
	if (!o->without_runs && !is_on_path("python3", a))
		return err_set(ERR_NOT_FOUND, "the demo trains with python3, which is not found; install Python 3.9 or newer, "
			"or make the repository only: portside demo --without-runs");
	return 0;
}

/* ---- the runs ---------------------------------------------------------------------- */

struct planned {
	const char *key, *subject, *target, *seed;
	enum run_kind kind;
	const char *run;	/* its id once it was started */
	bool ended;
};

struct plan {
	struct planned runs[RUNS_MAX];
	size_t n, started, ended;
};

static const char *entry(const struct conf *c, const char *name, const char *key, const char *otherwise)
{
	const struct conf_entry *e = conf_find(c, "run", name, key);

	return e ? e->value : otherwise;
}

static int read_plan(struct plan *p, struct arena *a)
{
	struct conf conf = CONF_INIT;
	const char *last = "";
	int rc = conffile_read(&conf, fs_data_path(a, "demo/runs"));

	for (size_t i = 0; rc == 0 && i < conf.n && p->n < RUNS_MAX; i++) {
		const struct conf_entry *e = &conf.entries[i];
		const char *commit = entry(&conf, e->name, "commit", "original");
		struct planned *r;

		if (strcmp(e->section, "run") != 0 || strcmp(e->name, last) == 0)
			continue;
		last = e->name;
		r = &p->runs[p->n++];
		r->key = arena_strdup(a, e->name);
		r->subject = text_starts(commit, "attempt-") ? arena_strdup(a, commit + strlen("attempt-")) : "reference";
		r->target = arena_strdup(a, entry(&conf, e->name, "target", ""));
		r->seed = arena_strdup(a, entry(&conf, e->name, "seed", "1"));
		r->kind = strcmp(entry(&conf, e->name, "kind", "smoke"), "full") == 0 ? RUN_KIND_FULL : RUN_KIND_SMOKE;
	}
	conf_release(&conf);
	return rc;
}

/* A full run waits for the smoke runs of the same subject and target. */
static bool may_start(const struct plan *p, const struct planned *r)
{
	for (const struct planned *before = p->runs; before < r; before++)
		if (!before->ended && strcmp(before->subject, r->subject) == 0 && strcmp(before->target, r->target) == 0)
			return false;
	return true;
}

static int start_next(struct plan *p, const struct demo_options *o, struct workspace *ws)
{
	for (size_t i = 0; i < p->n && p->started - p->ended < LIVE_MAX; i++) {
		struct planned *r = &p->runs[i];
		struct run_request q = { .subject = r->subject, .kind = r->kind, .target = r->target, .seed = r->seed,
			.program = o->program, .by = "human:Ana-Ferro", .skip_capture = true };
		struct run_started s;
		int rc;

		if (r->run || !may_start(p, r))
			continue;
		if ((rc = run_start(&s, ws, &q, workspace_arena(ws))) < 0)
			return err_prefix("demo run %s: ", r->key);
		r->run = s.run;
		p->started++;
	}
	return 0;
}

static int look(struct plan *p, struct workspace *ws)
{
	for (size_t i = 0; i < p->n; i++) {
		struct planned *r = &p->runs[i];
		struct arena a = ARENA_INIT;
		bool ended = false;
		int rc = r->run && !r->ended ? reconcile_run(&ended, ws, r->run, &a) : 0;

		arena_release(&a);
		if (rc < 0)
			return err_prefix("demo run %s: ", r->key);
		if (ended) {
			r->ended = true;
			p->ended++;
		}
	}
	return 0;
}

static int make_runs(const struct demo_options *o, struct workspace *ws, struct arena *a)
{
	const struct timespec pause = { 0, POLL_MS * 1000000L };
	struct plan p = { .n = 0 };
	int rc = read_plan(&p, a);

	while (rc == 0 && p.ended < p.n) {
		if (is_cancelled(o))
			return err_set(ERR_CANCELLED, "cancelled after %zu of %zu runs; those that were started end by themselves. "
				"Look at what is there with portside -C %s, or remove the folder and begin anew", p.ended, p.n, o->folder);
		if ((rc = start_next(&p, o, ws)) < 0 || (rc = look(&p, ws)) < 0)
			break;
		say(o, "training runs", (int64_t)p.ended, (int64_t)p.n);
		nanosleep(&pause, NULL);
	}
	return rc;
}

int demo_build(const struct demo_options *o, struct arena *a)
{
	struct workspace_options how = { 0 };
	struct discover_options all = { .all = true };
	struct discovered found;
	struct workspace *ws;
	int rc = check_programs(o, a);

	if (rc == 0)
		rc = make_folder(o->folder, a);
	if (rc == 0)
		rc = make_repository(o, a);
	if (rc < 0)
		return rc;
	if ((rc = workspace_open(&ws, o->folder, &how)) < 0)
		return rc;
	rc = discover(&found, ws, &all, a);
	if (rc == 0)
		rc = accepted_accept(ws, "human:Ana-Ferro", "the demo's own configuration", a);
	if (rc == 0 && !o->without_runs)
		rc = make_runs(o, ws, a);
	workspace_close(ws);
	return rc;
}
