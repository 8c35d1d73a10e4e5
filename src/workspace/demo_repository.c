/* demo_repository - see demo_repository.h. */
#include "config.h"

#include "workspace/demo_repository.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/repository_program.h"
#include "workspace/demo_story.h"

static const char making[] = ".portside-demo";
enum { STAGE_BYTES_MAX = 64, GIT_TRIES = 50, GIT_PAUSE_MS = 100 };

/* ---- the stage --------------------------------------------------------------------- */

static const char *const stage_words[] = {
	[DEMO_NONE] = "none",
	[DEMO_REPOSITORY] = "repository",
	[DEMO_RUNS] = "runs",
	[DEMO_COMPLETE] = "complete",
};

static char *stage_path(struct arena *a, const char *folder)
{
	return fs_join(a, folder, ".git/portside/demo");
}

enum demo_stage demo_stage_read(const char *folder, struct arena *a)
{
	enum demo_stage stage = DEMO_NONE;
	struct buf text = BUF_INIT;

	if (fs_read(&text, stage_path(a, folder), STAGE_BYTES_MAX) < 0) {
		err_clear();
	} else {
		buf_trim_end(&text);
		for (size_t i = 0; i < ARRAY_LEN(stage_words); i++)
			if (strcmp(text.s, stage_words[i]) == 0)
				stage = (enum demo_stage)i;
	}
	buf_release(&text);
	return stage;
}

int demo_stage_write(const char *folder, enum demo_stage stage, struct arena *a)
{
	const char *line = arena_printf(a, "%s\n", stage_words[stage]);
	char *path = stage_path(a, folder);
	int rc = fs_mkdirs(fs_dirname(a, path), 0700);

	return rc < 0 ? rc : fs_write_durable(path, line, strlen(line), 0600);
}

/* ---- the commits ------------------------------------------------------------------- */

static int run_git(
	const char *folder, const char *const *argv, const struct buf *input, const char *what)
{
	struct git_program git = { .folder = folder, .argv = argv,
		.input = input ? input->s : NULL, .input_n = input ? input->n : 0 };
	int rc = git_program_run(&git);

	return rc < 0 ? err_prefix("git could not %s: ", what) : 0;
}

static int make_commits(
	const char *place, const struct buf *stream, const char *branch, struct arena *a)
{
	const char *const init[] = { "-c", arena_printf(a, "init.defaultBranch=%s", branch), "init",
		"--quiet", "--template=", NULL };
	const char *const import[] = { "fast-import", "--quiet", "--done", NULL };
	int rc = fs_mkdirs(place, 0755);

	if (rc == 0)
		rc = run_git(place, init, NULL, "make a repository");
	if (rc == 0)
		rc = run_git(place, import, stream, "import the commits of the demo");
	return rc < 0 ? rc : demo_stage_write(place, DEMO_REPOSITORY, a);
}

static void pause_for_git(void)
{
	nanosleep(&(struct timespec){ 0, GIT_PAUSE_MS * 1000000L }, NULL);
}

/* The git of a making that was killed may write on for a moment. */
static int remove_rest(const char *place)
{
	int rc = fs_remove_tree(place);

	for (int i = 0; rc < 0 && i < GIT_TRIES; i++) {
		pause_for_git();
		rc = fs_remove_tree(place);
	}
	return rc;
}

/* Beside where it belongs, and moved there in one step.  What an interruption
 * leaves beside it is removed by the next call. */
static int make_repository(
	const char *folder, const struct buf *stream, const char *branch, struct arena *a)
{
	const char *place = fs_join(a, folder, making);
	int rc = remove_rest(place);

	if (rc == 0)
		rc = make_commits(place, stream, branch, a);
	if (rc == 0 && rename(fs_join(a, place, ".git"), fs_join(a, folder, ".git")) < 0)
		rc = err_errno(ERR_IO, "%s/.git", folder);
	return rc < 0 ? rc : fs_remove_tree(place);
}

/* A git that was killed leaves its lock; one that lives is about to end. */
static void wait_for_lock(const char *folder, struct arena *a)
{
	const char *lock = fs_join(a, folder, ".git/index.lock");

	for (int i = 0; i < GIT_TRIES && fs_exists(lock); i++)
		pause_for_git();
	(void)unlink(lock);
}

static int check_out(const char *folder, const char *branch, struct arena *a)
{
	const char *const argv[] = { "-c", "core.autocrlf=false", "checkout", "--quiet", "--force",
		branch, NULL };
	int rc;

	wait_for_lock(folder, a);
	rc = run_git(folder, argv, NULL, "check out the demo");
	return rc < 0 ? rc : demo_stage_write(folder, DEMO_RUNS, a);
}

/* ---- the folder -------------------------------------------------------------------- */

static int check_folder(const char *folder, const char *typed, struct arena *a)
{
	char **names;
	size_t n;
	int rc = fs_list(&names, &n, a, folder);

	if (rc < 0 || n == 0 || (n == 1 && strcmp(names[0], making) == 0))
		return rc;
	if (fs_exists(fs_join(a, folder, ".git/portside/log.db")))
		return err_set(ERR_EXISTS,
			"%s has a migration already: look at it with %s -C %s, or name another folder: "
			"%s demo DIR",
			folder, typed, folder, typed);
	return err_set(
		ERR_EXISTS, "%s is not empty; name another folder: %s demo DIR", folder, typed);
}

int demo_repository_make(const char *folder, bool blind, const char *typed, struct arena *a)
{
	enum demo_stage stage = demo_stage_read(folder, a);
	struct buf stream = BUF_INIT;
	const char *branch;
	int rc = stage == DEMO_RUNS ? 0 : demo_story_stream(&stream, &branch, a, blind);

	if (rc == 0 && (stage == DEMO_NONE || stage == DEMO_COMPLETE)) {
		rc = check_folder(folder, typed, a);
		if (rc == 0)
			rc = make_repository(folder, &stream, branch, a);
	}
	if (rc == 0 && stage != DEMO_RUNS)
		rc = check_out(folder, branch, a);
	buf_release(&stream);
	return rc;
}
