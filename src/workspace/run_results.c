/* run_results - see run_results.h. */
#include "config.h"

#include "workspace/run_results.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/foreign_database.h"
#include "curve/wandb_folder.h"
#include "launch/run_directory.h"
#include "workspace/accepted.h"
#include "workspace/goal_checks.h"
#include "workspace/facts_record.h"
#include "workspace/run_checkout.h"
#include "workspace/run_checks.h"
#include "workspace/run_evidence.h"
#include "workspace/run_facts.h"
#include "workspace/run_hold.h"
#include "workspace/run_probe.h"
#include "workspace/state.h"

enum { DEPTH_MAX = 10, ENTRIES_MAX = 20000 };
#define RESULT_BYTES_MAX (INT64_C(4) << 30)

/* In a run directory: its evidence was kept and not asked yet. */
static const char unchecked[] = "unchecked";

struct collect {
	struct workspace *ws;
	const char *run;
	const struct run_spec *spec;
	const char *artifacts;		/* where results go */
	struct arena *a;
	int entries;
	bool own_checkout;		/* it goes away once its results are kept */
	const char *trouble;		/* the first thing that could not be kept */
};

/* ---- which files are results ---- */

static struct curve_enclosing look_for_store(
	const char *dir, const char *prefix, struct curve_enclosing outer)
{
	const struct curve_format *format = curve_format_recognise(dir);

	err_clear();
	return curve_enclosing_in(outer, format, prefix);
}

static bool is_database(const char *path)
{
	const struct curve_format *format = curve_format_recognise(path);

	err_clear();
	return format && format->shape == CURVE_STORE;
}

/* The log or the journal beside a tracker's database: without it rows are lost, or
 * the half of a transaction is taken for rows. */
static bool is_companion(const char *path)
{
	struct arena a = ARENA_INIT;
	bool found = false;

	for (size_t i = 0; !found && i < FOREIGN_COMPANIONS_KEPT; i++) {
		const char *end = foreign_companions[i];

		found = text_ends(path, end) &&
			is_database(arena_strndup(&a, path, strlen(path) - strlen(end)));
	}
	arena_release(&a);
	return found;
}

static bool is_result(const struct collect *c, const char *path, const char *relative,
	const struct stat *st, struct curve_enclosing store)
{
	const struct curve_format *format;
	int64_t changed = (int64_t)st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;

	if (!S_ISREG(st->st_mode))
		return false;
	if (*c->spec->artifact && text_starts(relative, c->spec->artifact) &&
	    (relative[strlen(c->spec->artifact)] == '/' || !relative[strlen(c->spec->artifact)]))
		return true;
	if (st->st_size > RESULT_BYTES_MAX)
		return false;
	if (changed < c->spec->prepared_ns)
		return false;	/* came with the commit */
	if (strcmp(fs_basename(relative), RUN_FACTS_FILE) == 0 ||
		curve_enclosing_holds(&store, relative) ||
		is_companion(path))
		return true;
	if (wandb_aside(path))
		return false;
	format = curve_format_recognise(path);
	if (!format)
		err_clear();
	/* Plain text would make every printed number a curve. */
	return format && format->rank > RANK_TEXT;
}

/* The name may mean another file by now than the one that was opened. */
static bool link_file(int fd, const char *path, const char *part)
{
	struct stat opened, linked;

	if (link(path, part) < 0)
		return false;
	if (fstat(fd, &opened) == 0 && lstat(part, &linked) == 0 &&
	    opened.st_dev == linked.st_dev && opened.st_ino == linked.st_ino)
		return true;
	unlink(part);
	return false;
}

/*
 * Under a name of its own first, so that an interrupted copy is no result.  A
 * hard link costs nothing, and is safe only where the checkout goes away: what
 * stays in a person's work tree may be written again.
 */
static int take_file(const struct collect *c, int fd, const char *path, const char *to)
{
	char *part = arena_printf(c->a, "%s.part", to);
	int rc = 0;

	if (unlink(part) < 0 && errno != ENOENT)
		return err_errno(ERR_IO, "%s", part);
	if (!c->own_checkout || !link_file(fd, path, part))
		rc = fs_copy(arena_printf(c->a, "/proc/self/fd/%d", fd), part, 0400);
	if (rc == 0 && rename(part, to) < 0)
		rc = err_errno(ERR_IO, "%s", to);
	return rc;
}

static int keep_file(struct collect *c, const char *path, const char *relative)
{
	char *to = fs_join(c->a, c->artifacts, relative);
	int fd = fs_open_inside(c->spec->cwd, relative), rc;

	if (fd < 0)
		return fd;
	rc = fs_mkdirs(fs_dirname(c->a, to), 0700);
	if (rc == 0 && !fs_exists(to))
		rc = take_file(c, fd, path, to);
	close(fd);
	return rc < 0 ? rc : run_evidence_add(c->ws, to, relative, "curve", c->run, c->a);
}

static void note_trouble(struct collect *c, const char *sentence)
{
	if (!c->trouble)
		c->trouble = arena_strdup(c->a, sentence);
}

static void walk(struct collect *c, const char *dir, const char *prefix, int depth,
	struct curve_enclosing store)
{
	DIR *d = depth < DEPTH_MAX ? opendir(dir) : NULL;

	if (!d)
		return;
	store = look_for_store(dir, prefix, store);
	for (struct dirent *e; (e = readdir(d)) != NULL; ) {
		char *path = fs_join(c->a, dir, e->d_name);
		char *relative = *prefix ? arena_printf(c->a, "%s/%s", prefix, e->d_name)
					 : arena_strdup(c->a, e->d_name);
		struct stat st;

		if (c->entries++ >= ENTRIES_MAX)
			break;
		if (e->d_name[0] == '.' || lstat(path, &st) < 0 || !fs_is_inside(relative))
			continue;
		if (S_ISDIR(st.st_mode))
			walk(c, path, relative, depth + 1, store);
		else if (is_result(c, path, relative, &st, store) &&
			keep_file(c, path, relative) < 0)
			note_trouble(c, err_text());
	}
	closedir(d);
}

/* Training code may leave a link to anywhere: what lies behind one is not kept. */
static bool passes_link(const char *folder, const char *name)
{
	struct arena a = ARENA_INIT;
	char *real = realpath(folder, NULL), *found = realpath(fs_join(&a, folder, name), NULL);
	bool passes = !real || !found || strcmp(fs_join(&a, real, name), found) != 0;

	free(real);
	free(found);
	arena_release(&a);
	return passes;
}

/* The declared artifact first: no limit of the walk may cost it. */
static void keep_artifact(struct collect *c)
{
	const char *artifact = c->spec->artifact, *path = fs_join(c->a, c->spec->cwd, artifact);
	struct stat st;

	if (!*artifact || !fs_is_inside(artifact) || lstat(path, &st) < 0 ||
		passes_link(c->spec->cwd, artifact))
		return;
	if (S_ISREG(st.st_mode)) {
		if (keep_file(c, path, artifact) < 0)
			note_trouble(c, err_text());
	} else if (S_ISDIR(st.st_mode) && c->own_checkout) {
		walk(c, path, artifact, 0, (struct curve_enclosing){ NULL, 0 });
	}
}

/* ---- keeping ---- */

static int collect(struct collect *c)
{
	keep_artifact(c);
	if (c->own_checkout)
		walk(c, c->spec->cwd, "", 0, (struct curve_enclosing){ NULL, 0 });
	if (c->entries >= ENTRIES_MAX)
		note_trouble(c,
			"it holds too many files to look at each; name what counts as the "
			"run's artifact");
	if (c->trouble)
		return err_set(ERR_IO, "a result could not be kept, so the checkout %s stays: %s",
			c->spec->cwd, c->trouble);
	return 0;
}

/* What was looked at beside the run: packages, devices. */
static int keep_captures(
	struct workspace *ws, const char *run, const char *rundir, struct arena *a)
{
	static const char *const names[] = { "pip-freeze.txt", "tpu-info.txt", "tpu-info.samples",
		"nvidia-smi.csv", "nvidia-smi.samples" };
	const char *folder = run_directory_path(a, rundir, RUN_FILE_CAPTURE);
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(names) && rc == 0; i++)
		rc = run_evidence_add(ws, fs_join(a, folder, names[i]),
			fs_join(a, "capture", names[i]), "report", run, a);
	return rc;
}

static int keep(struct workspace *ws, const char *run, const char *rundir,
	const struct run_spec *spec, struct arena *a)
{
	struct collect c = { .ws = ws, .run = run, .spec = spec, .a = a,
		.artifacts = run_directory_path(a, rundir, RUN_FILE_ARTIFACTS),
		.own_checkout = run_checkout_is_own(ws, spec, a) };
	int rc = fs_mkdirs(c.artifacts, 0700);

	if (rc == 0 && fs_is_dir(spec->cwd))
		rc = collect(&c);
	if (rc == 0)
		rc = run_evidence_add(
			ws, run_directory_path(a, rundir, RUN_FILE_LOG), "log", "log", run, a);
	if (rc == 0)
		rc = run_probe_keep(ws, run, rundir, a);
	if (rc == 0)
		rc = keep_captures(ws, run, rundir, a);
	if (rc == 0 && c.own_checkout)
		rc = run_checkout_remove(ws, spec);
	if (rc == 0)
		rc = fs_write_durable(fs_join(a, rundir, unchecked), "", 0, 0600);
	if (rc == 0)
		rc = fs_write_durable(fs_join(a, rundir, "kept"), "", 0, 0600);
	return rc < 0 ? rc : facts_record_run(NULL, ws, run, NULL, a);
}

/* What its evidence answers is recorded once the evidence is; after a crash by the next
 * look.  A run that was kept by an older version waits for somebody to ask. */
static int check(struct workspace *ws, const char *run, const char *rundir, struct arena *a)
{
	const char *mark = fs_join(a, rundir, unchecked);
	int rc = fs_exists(mark) ? run_checks_finish(ws, run, a) : 0;

	if (rc < 0)
		return err_prefix("run %s: what its evidence says of L2: ", run);
	rc = fs_exists(mark) ? goal_checks_finish(ws, run, NULL, a) : 0;
	if (rc < 0)
		return err_prefix("run %s: what its curves say of the goals: ", run);
	if (unlink(mark) < 0 && errno != ENOENT)
		return err_errno(ERR_IO, "%s", mark);
	return 0;
}

int run_results_keep(
	struct workspace *ws, const char *run, const struct run_spec *spec, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	int hold = run_hold_directory(rundir, RUN_HOLD_TRY), rc = 0;

	if (hold == ERR_BUSY) {
		err_clear();	/* another screen is at it */
		return 0;
	}
	if (hold < 0)
		return hold;
	if (!fs_exists(fs_join(a, rundir, "kept")))
		rc = keep(ws, run, rundir, spec, a);
	if (rc == 0)
		rc = check(ws, run, rundir, a);
	run_hold_release(hold);
	return rc;
}

int run_results_finish(struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_spec spec = RUN_SPEC_INIT;
	int rc;

	if (fs_exists(fs_join(a, rundir, "kept")) && !fs_exists(fs_join(a, rundir, unchecked)))
		return facts_record_upkeep(ws, run, NULL, a);
	if (!fs_is_dir(rundir) || !fs_exists(run_directory_path(a, rundir, RUN_FILE_SPEC)))
		return 0;
	if ((rc = run_directory_read_spec(&spec, a, rundir)) < 0)
		return rc;
	return run_results_keep(ws, run, &spec, a);
}

/* ---- finding ---- */

static void add_path(char **list, size_t *n, char *path)
{
	if (fs_exists(path))
		list[(*n)++] = path;
}

int run_results_paths(
	char ***out, size_t *n, bool *live, struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run),
	     **list = arena_alloc(a, 3 * sizeof *list);
	struct run_spec spec = RUN_SPEC_INIT;
	bool kept = fs_exists(fs_join(a, rundir, "kept"));

	*n = 0;
	*live = false;
	*out = list;
	if (!fs_is_dir(rundir))
		return err_set(ERR_NOT_FOUND,
			"the files of run %s are not on this machine; a bundle or an import "
			"brings them",
			run);
	/* What cannot be looked into would read as a run without curves. */
	if (access(rundir, R_OK | X_OK) < 0)
		return err_errno(ERR_IO, "the files of run %s cannot be read: %s", run, rundir);
	add_path(list, n, run_directory_path(a, rundir, RUN_FILE_ARTIFACTS));
	add_path(list, n, run_directory_path(a, rundir, RUN_FILE_LOG));
	if (kept || !fs_exists(run_directory_path(a, rundir, RUN_FILE_SPEC)))
		return 0;
	*live = true;
	if (run_directory_read_spec(&spec, a, rundir) < 0) {
		err_clear();
		return 0;
	}
	if (run_checkout_is_own(ws, &spec, a))
		add_path(list, n, arena_strdup(a, spec.cwd));
	else if (*spec.artifact && fs_is_inside(spec.artifact) &&
		!passes_link(spec.cwd, spec.artifact))
		add_path(list, n, fs_join(a, spec.cwd, spec.artifact));
	return 0;
}

/* 0 when the specification does not say. */
static int64_t prepared_ns(struct workspace *ws, const char *run, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run);
	struct run_spec spec = RUN_SPEC_INIT;

	if (run_directory_read_spec(&spec, a, rundir) < 0) {
		err_clear();
		return 0;
	}
	return spec.prepared_ns;
}

void run_results_patterns(struct curve_options *o, struct workspace *ws, struct arena *a)
{
	struct accepted accepted;
	const char **list;

	if (accepted_read(&accepted, ws, NULL) < 0) {
		err_clear();
		return;
	}
	list = arena_alloc(a, (accepted.in_force.patterns_n + 1) * sizeof *list);
	for (size_t i = 0; i < accepted.in_force.patterns_n; i++)
		list[i] = arena_strdup(a, accepted.in_force.patterns[i].match);
	o->patterns = list;
	o->n_patterns = accepted.in_force.patterns_n;
	accepted_release(&accepted);
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
	if (live)
		options.changed_since_ns = prepared_ns(ws, run, a);
	run_results_patterns(&options, ws, a);
	files = run_files_new(&options);
	run_files_use_cache(
		files, workspace_path(ws, a, "cache/series"), !workspace_read_only(ws));
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = run_files_add(files, paths[i]);
	if (rc < 0) {
		run_files_free(files);
		return rc;
	}
	*out = files;
	return 0;
}
