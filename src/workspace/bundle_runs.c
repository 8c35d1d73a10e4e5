/* bundle_runs - the folders of runs and the copies of evidence in a bundle. */
#include "config.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "launch/run_directory.h"
#include "workspace/bundle_format.h"
#include "workspace/bundle_writer.h"
#include "workspace/workspace.h"

enum { TREE_DEPTH_MAX = 8 };

static int put_tree(struct bundle_writer *w, const char *dir, const char *prefix, int depth)
{
	char **names;
	size_t n;
	int rc;

	if (!fs_is_dir(dir))
		return 0;
	if (depth > TREE_DEPTH_MAX) {
		bundle_leave_out(w, prefix, "folders too deep");
		return 0;
	}
	rc = fs_list(&names, &n, w->a, dir);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		char *path = fs_join(w->a, dir, names[i]),
		     *name = arena_printf(w->a, "%s/%s", prefix, names[i]);
		struct stat st;

		if (lstat(path, &st) < 0)
			continue;
		if (!bundle_name_is_safe(name))
			bundle_leave_out(w, name, "a name that a bundle does not carry");
		else if (S_ISDIR(st.st_mode))
			rc = put_tree(w, path, name, depth + 1);
		else
			rc = bundle_put_redacted(w, name, path);
	}
	return rc;
}

static int put_run(struct bundle_writer *w, const char *run)
{
	static const enum run_directory_file texts[] = { RUN_FILE_SPEC, RUN_FILE_CMD,
		RUN_FILE_LOG };
	static const enum run_directory_file trees[] = {
		RUN_FILE_ARTIFACTS, RUN_FILE_CAPTURE, RUN_FILE_PROBE, RUN_FILE_EVIDENCE };
	char *rundir = fs_join(w->a, workspace_path(w->ws, w->a, "runs"), run),
	     *prefix = arena_printf(w->a, "runs/%s", run);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(texts); i++) {
		char *path = run_directory_path(w->a, rundir, texts[i]);

		if (fs_exists(path))
			rc = bundle_put_redacted(w,
				arena_printf(w->a, "%s/%s", prefix, run_file_name(texts[i])), path);
	}
	if (rc == 0 && fs_exists(fs_join(w->a, rundir, "kept")))
		rc = bundle_put_section(w, arena_printf(w->a, "%s/kept", prefix), "", 0);
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(trees); i++)
		rc = put_tree(w, run_directory_path(w->a, rundir, trees[i]),
			arena_printf(w->a, "%s/%s", prefix, run_file_name(trees[i])), 0);
	return rc;
}

int bundle_put_runs(struct bundle_writer *w)
{
	char **names;
	size_t n;
	int rc;

	if (w->options->without_evidence) {
		bundle_leave_out(w, "runs and evidence", "left out on request");
		return 0;
	}
	rc = run_directory_list(&names, &n, w->a, workspace_path(w->ws, w->a, "runs"));
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (w->options->progress)
			w->options->progress(
				w->options->user, "bundling runs", (int64_t)i + 1, (int64_t)n);
		rc = put_run(w, names[i]);
	}
	return rc < 0 ? rc : put_tree(w, workspace_path(w->ws, w->a, "evidence"), "evidence", 0);
}
