/* run_results - see run_results.h. */
#include "config.h"

#include "workspace/run_results.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/run_directory.h"
#include "store/worktree.h"
#include "workspace/run_evidence.h"
#include "workspace/state.h"

enum { DEPTH_MAX = 6, ENTRIES_MAX = 20000 };
#define RESULT_BYTES_MAX (INT64_C(4) << 30)

struct collect {
	struct workspace *ws;
	const char *run;
	const struct run_spec *spec;
	const char *artifacts;		/* where results go */
	struct arena *a;
	int entries;
	const char *trouble;		/* the first thing that could not be kept */
};

/* ---- which files are results ----------------------------------------------------- */

static bool is_result(const struct collect *c, const char *path, const char *relative, const struct stat *st)
{
	const struct curve_format *format;
	int64_t changed = (int64_t)st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;

	if (!S_ISREG(st->st_mode) || st->st_size > RESULT_BYTES_MAX)
		return false;
	if (strcmp(relative, c->spec->artifact) == 0)
		return true;
	if (changed < c->spec->prepared_ns)
		return false;	/* came with the commit */
	format = curve_format_recognise(path);
	if (!format)
		err_clear();
	/* Plain text would make every printed number a curve. */
	return format && format->rank > RANK_TEXT;
}

/* A hard link costs nothing and the checkout goes away; else a copy. */
static int keep_file(struct collect *c, const char *path, const char *relative)
{
	char *to = fs_join(c->a, c->artifacts, relative);
	int rc = fs_mkdirs(fs_dirname(c->a, to), 0700);

	if (rc < 0 || fs_exists(to))
		return rc;
	if (link(path, to) < 0 && (rc = fs_copy(path, to, 0600)) < 0)
		return rc;
	return run_evidence_add(c->ws, to, relative, "curve", c->run, c->a);
}

static void walk(struct collect *c, const char *dir, const char *prefix, int depth)
{
	DIR *d = depth < DEPTH_MAX ? opendir(dir) : NULL;

	if (!d)
		return;
	for (struct dirent *e; (e = readdir(d)) != NULL && c->entries < ENTRIES_MAX; c->entries++) {
		char *path = fs_join(c->a, dir, e->d_name);
		char *relative = *prefix ? arena_printf(c->a, "%s/%s", prefix, e->d_name) : arena_strdup(c->a, e->d_name);
		struct stat st;

		if (e->d_name[0] == '.' || lstat(path, &st) < 0 || !fs_is_inside(relative))
			continue;
		if (S_ISDIR(st.st_mode)) {
			walk(c, path, relative, depth + 1);
		} else if (is_result(c, path, relative, &st) && keep_file(c, path, relative) < 0 && !c->trouble) {
			c->trouble = arena_strdup(c->a, err_text());
		}
	}
	closedir(d);
}

/* ---- keeping ---------------------------------------------------------------------- */

static bool is_own_checkout(struct workspace *ws, const struct run_spec *spec, struct arena *a)
{
	char *parent = workspace_path(ws, a, "checkouts");

	return text_starts(spec->cwd, parent) && strcmp(fs_basename(spec->cwd), spec->run_id) == 0;
}

static int remove_checkout(struct workspace *ws, const struct run_spec *spec)
{
	struct repository *repo;
	int rc = workspace_repository(ws, &repo);

	if (rc == 0)
		rc = worktree_remove(repo, spec->cwd);
	return rc < 0 ? err_prefix("the checkout of run %s stays: ", spec->run_id) : 0;
}

int run_results_keep(struct workspace *ws, const char *run, const struct run_spec *spec, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct collect c = { .ws = ws, .run = run, .spec = spec, .a = a,
		.artifacts = run_directory_path(a, rundir, RUN_FILE_ARTIFACTS) };
	int rc;

	if (fs_exists(fs_join(a, rundir, "kept")))
		return 0;
	if ((rc = fs_mkdirs(c.artifacts, 0700)) < 0)
		return rc;
	if (fs_is_dir(spec->cwd) && is_own_checkout(ws, spec, a))
		walk(&c, spec->cwd, "", 0);
	else if (*spec->artifact && fs_is_inside(spec->artifact) && fs_exists(fs_join(a, spec->cwd, spec->artifact)))
		rc = keep_file(&c, fs_join(a, spec->cwd, spec->artifact), spec->artifact);
	if (rc < 0)
		return rc;
	rc = run_evidence_add(ws, run_directory_path(a, rundir, RUN_FILE_LOG), "log", "log", run, a);
	if (rc < 0)
		return rc;
	if (c.trouble)
		return err_set(ERR_IO, "a result could not be kept, so the checkout stays: %s", c.trouble);
	if (is_own_checkout(ws, spec, a) && (rc = remove_checkout(ws, spec)) < 0)
		return rc;
	return fs_write_durable(fs_join(a, rundir, "kept"), "", 0, 0600);
}

int run_results_finish(struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_spec spec = RUN_SPEC_INIT;
	int rc;

	if (!fs_is_dir(rundir) || fs_exists(fs_join(a, rundir, "kept")) ||
	    !fs_exists(run_directory_path(a, rundir, RUN_FILE_SPEC)))
		return 0;
	if ((rc = run_directory_read_spec(&spec, a, rundir)) < 0)
		return rc;
	return run_results_keep(ws, run, &spec, a);
}

/* ---- finding ---------------------------------------------------------------------- */

static void add_path(char **list, size_t *n, char *path)
{
	if (fs_exists(path))
		list[(*n)++] = path;
}

int run_results_paths(char ***out, size_t *n, bool *live, struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run), **list = arena_alloc(a, 3 * sizeof *list);
	struct run_spec spec = RUN_SPEC_INIT;
	bool kept = fs_exists(fs_join(a, rundir, "kept"));

	*n = 0;
	*live = false;
	*out = list;
	if (!fs_is_dir(rundir))
		return err_set(ERR_NOT_FOUND, "the files of run %s are not on this machine; a bundle or an import brings them", run);
	add_path(list, n, run_directory_path(a, rundir, RUN_FILE_ARTIFACTS));
	add_path(list, n, run_directory_path(a, rundir, RUN_FILE_LOG));
	if (kept || !fs_exists(run_directory_path(a, rundir, RUN_FILE_SPEC)))
		return 0;
	*live = true;
	if (run_directory_read_spec(&spec, a, rundir) < 0) {
		err_clear();
		return 0;
	}
	if (is_own_checkout(ws, &spec, a))
		add_path(list, n, arena_strdup(a, spec.cwd));
	else if (*spec.artifact && fs_is_inside(spec.artifact))
		add_path(list, n, fs_join(a, spec.cwd, spec.artifact));
	return 0;
}

int run_results_open(struct run_files **out, struct workspace *ws, const char *run, struct arena *a)
{
	struct curve_options options = { 0 };
	struct run_files *files;
	char **paths;
	size_t n;
	bool live;
	int rc = run_results_paths(&paths, &n, &live, ws, run, a);

	if (rc < 0)
		return rc;
	options.ended = !live;
	files = run_files_new(&options);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = run_files_add(files, paths[i]);
	if (rc < 0) {
		run_files_free(files);
		return rc;
	}
	*out = files;
	return 0;
}
