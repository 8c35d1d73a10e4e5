/* place - see place.h.  Knows git's layout of folders, and nothing else of git. */
#include "config.h"

#include "workspace/place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"

enum { LINK_FILE_MAX = 64 * 1024 };

/* The first line of a small file without its end; NULL when there is none. */
static char *first_line(struct arena *a, const char *path)
{
	struct buf b = BUF_INIT;
	char *line = NULL;

	if (fs_read(&b, path, LINK_FILE_MAX) == 0) {
		buf_truncate(&b, strcspn(b.s, "\r\n"));
		line = arena_strndup(a, b.s, b.n);
	}
	buf_release(&b);
	return line;
}

static char *resolved(struct arena *a, const char *path)
{
	char *real = realpath(path, NULL), *copy = real ? arena_strdup(a, real) : NULL;

	free(real);
	return copy;
}

/* .git as a folder, or the folder that a file of that name points to. */
static char *git_dir_of(struct arena *a, const char *workdir)
{
	char *dot = fs_join(a, workdir, ".git"), *line;

	if (fs_is_dir(dot))
		return dot;
	line = first_line(a, dot);
	if (!line || !text_starts(line, "gitdir:"))
		return NULL;
	line += strlen("gitdir:");
	line += strspn(line, " ");
	return resolved(a, fs_join(a, workdir, line));
}

static bool is_bare(struct arena *a, const char *dir)
{
	return fs_exists(fs_join(a, dir, "HEAD")) && fs_is_dir(fs_join(a, dir, "objects")) &&
	       fs_is_dir(fs_join(a, dir, "refs"));
}

static void set_common(struct place *p, struct arena *a)
{
	char *line = first_line(a, fs_join(a, p->git_dir, "commondir"));
	char *common = line ? resolved(a, fs_join(a, p->git_dir, line)) : NULL;

	p->common_dir = common ? common : p->git_dir;
	p->folder = fs_join(a, p->common_dir, "portside");
}

/* A linked work tree's main one is where the common folder lies, by git's
 * own convention; a bare repository with linked work trees has none. */
static void set_main(struct place *p, struct arena *a)
{
	if (!p->workdir)
		return;
	if (strcmp(p->common_dir, p->git_dir) == 0)
		p->main_workdir = p->workdir;
	else if (strcmp(fs_basename(p->common_dir), ".git") == 0)
		p->main_workdir = fs_dirname(a, p->common_dir);
	if (p->main_workdir)
		p->conf_path = fs_join(a, p->main_workdir, "portside.conf");
}

int place_find(struct place *out, struct arena *a, const char *directory)
{
	char *here = resolved(a, directory);

	memset(out, 0, sizeof *out);
	if (!here)
		return err_errno(ERR_NOT_FOUND, "cannot open %s", directory);
	out->directory = here;
	for (char *dir = here; ; dir = fs_dirname(a, dir)) {
		if (fs_exists(fs_join(a, dir, ".git"))) {
			out->workdir = dir;
			out->git_dir = git_dir_of(a, dir);
			if (!out->git_dir)
				return err_set(ERR_NOT_FOUND,
					"%s/.git points to a git directory that is not there; "
					"run git worktree repair in the main work tree",
					dir);
		} else if (is_bare(a, dir)) {
			out->git_dir = dir;
		}
		if (out->git_dir) {
			set_common(out, a);
			set_main(out, a);
			return 0;
		}
		if (strcmp(dir, "/") == 0)
			break;
	}
	return err_set(ERR_NOT_FOUND,
		"%s is not inside a git repository; go to the project that is migrated, "
		"or try the demo: portside demo",
		here);
}
