/* demo - see demo.h. */
#include "config.h"

#include "workspace/demo.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "workspace/accepted.h"
#include "workspace/demo_repository.h"
#include "workspace/demo_runs.h"
#include "workspace/discover.h"
#include "workspace/run_hold.h"
#include "workspace/workspace.h"

bool demo_is_there(const char *folder, struct arena *a)
{
	enum demo_stage stage = demo_stage_read(folder, a);

	return fs_exists(fs_join(a, folder, ".git/portside/log.db")) &&
		(stage == DEMO_NONE || stage == DEMO_COMPLETE);
}

const char *demo_typed(const char *program, struct arena *a)
{
	const char *found = fs_find_program(a, "portside", getenv("PATH"), ".");
	struct stat here, there;

	if (found && stat(found, &here) == 0 && stat(program, &there) == 0 &&
		here.st_dev == there.st_dev && here.st_ino == there.st_ino)
		return "portside";
	return program;
}

static bool is_on_path(const char *program, struct arena *a)
{
	return fs_find_program(a, program, getenv("PATH"), ".") != NULL;
}

/* Asked before anything is made: half a demo helps nobody. */
static int check_programs(const struct demo_options *o, struct arena *a)
{
	if (!is_on_path("git", a))
		return err_set(ERR_NOT_FOUND,
			"the demo is a git repository, and there is no git program; install git");
	if (!o->without_runs && !is_on_path("python3", a))
		return err_set(ERR_NOT_FOUND,
			"the demo trains with python3, which is not found; install Python 3.9 or newer, "
			"or make the repository only: %s demo --without-runs",
			o->typed);
	return 0;
}

static int accept(struct workspace *ws, struct arena *a)
{
	struct accepted accepted;
	bool has_accepted;
	int rc = accepted_read(&accepted, ws, NULL);

	if (rc < 0)
		return rc;
	has_accepted = accepted.has_accepted;
	accepted_release(&accepted);
	return has_accepted
		? 0
		: accepted_accept(ws, "human:Ana-Ferro", "the demo's own configuration", a);
}

static int fill(const struct demo_options *o, struct workspace *ws, struct arena *a)
{
	struct discover_options all = { .all = true, .cancel = o->cancel };
	struct discovered found;
	int rc = discover(&found, ws, &all, a);

	if (rc == 0)
		rc = accept(ws, a);
	if (rc == 0 && !o->without_runs)
		rc = demo_runs_make(o, ws, a);
	return rc < 0 ? rc : demo_stage_write(o->folder, DEMO_COMPLETE, a);
}

static int build(const struct demo_options *o, struct arena *a)
{
	struct workspace_options how = { 0 };
	struct workspace *ws;
	int rc = demo_repository_make(o->folder, o->blind, o->typed, a);

	if (rc < 0 || (rc = workspace_open(&ws, o->folder, &how)) < 0)
		return rc;
	rc = fill(o, ws, a);
	workspace_close(ws);
	return rc;
}

int demo_build(const struct demo_options *o, struct arena *a)
{
	int rc = check_programs(o, a), hold;

	if (rc == 0)
		rc = fs_mkdirs(o->folder, 0755);
	if (rc < 0)
		return rc;
	/* Two that build one demo would make its runs twice. */
	hold = run_hold_directory(fs_join(a, o->folder, "."), RUN_HOLD_TRY);
	if (hold < 0)
		return hold;
	rc = build(o, a);
	run_hold_release(hold);
	return rc;
}
