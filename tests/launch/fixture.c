/* Runs in a temporary folder for the tests of launch/. */
#include "config.h"

#include "fixture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"

int fixture_setup(void **state)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	const char *temporary = getenv("TMPDIR"), *build = getenv("top_builddir");
	char *folder = xasprintf("%s/portside-launch.XXXXXX", temporary ? temporary : "/tmp");

	if (!mkdtemp(folder))
		return -1;
	f->folder = arena_strdup(&f->arena, folder);
	f->runs = fs_join(&f->arena, folder, "runs");
	f->work = fs_join(&f->arena, folder, "work");
	f->program = arena_printf(&f->arena, "%s/tests/launch/supervise", build ? build : ".");
	free(folder);
	if (fs_mkdirs(f->work, 0700) < 0 || fs_mkdirs(f->runs, 0700) < 0)
		return -1;
	*state = f;
	return 0;
}

/* Supervisors first, so that none says what its killed child did. */
static void kill_rest(struct fixture *f)
{
	struct process_list members = PROCESS_LIST_INIT;
	struct run_verdict v;

	if (!f->launch)
		return;
	verdict_read(&v, f->rundir);
	if (v.has_status && v.locked)
		(void)process_signal(v.status.supervisor_pid, v.status.supervisor_ticks, SIGKILL);
	process_members(&members, launch_run_id(f->launch));
	for (size_t i = 0; i < members.n; i++)
		(void)process_signal(members.items[i].pid, members.items[i].ticks, SIGKILL);
	process_list_release(&members);
}

int fixture_teardown(void **state)
{
	struct fixture *f = *state;
	int bad = 0;

	kill_rest(f);
	launch_free(f->launch);
	bad = fs_remove_tree(f->folder);
	arena_release(&f->arena);
	free(f);
	return bad;
}

struct run_spec fixture_spec(struct fixture *f)
{
	struct run_spec s = RUN_SPEC_INIT;

	s.kind = "smoke";
	s.cwd = f->work;
	s.grace_ns = 2 * INT64_C(1000000000);
	s.skip_capture = true;
	return s;
}

void fixture_start(struct fixture *f, const struct run_spec *s)
{
	struct launch_result result;

	if (launch_prepare(&f->launch, f->runs, s, environ) < 0)
		fail_msg("prepare: %s", err_text());
	f->rundir = launch_rundir(f->launch);
	if (launch_start(f->launch, f->program, &result) < 0)
		fail_msg("start: %s", err_text());
	assert_int_equal(result.result, LAUNCHER_STARTED);
}

void fixture_start_script(struct fixture *f, const char *script)
{
	struct run_spec s = fixture_spec(f);

	s.script = script;
	fixture_start(f, &s);
}

void fixture_pause(int *waited_ms, const char *what)
{
	static const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };

	if (*waited_ms >= WAIT_LIMIT_MS)
		fail_msg("waited %d ms for %s in vain", *waited_ms, what);
	nanosleep(&pause, NULL);
	*waited_ms += 5;
}

struct run_verdict fixture_wait(struct fixture *f, enum run_verdict_kind kind)
{
	struct run_verdict v;

	for (int waited_ms = 0;; fixture_pause(&waited_ms, verdict_word(kind))) {
		verdict_read(&v, f->rundir);
		if (v.kind == kind)
			return v;
	}
}

struct status fixture_wait_final(struct fixture *f)
{
	return fixture_wait(f, RUN_VERDICT_FINAL).status;
}

void fixture_wait_file(const char *path)
{
	for (int waited_ms = 0; fs_size(path) <= 0;)
		fixture_pause(&waited_ms, path);
}

void fixture_wait_dead(const struct process *p)
{
	for (int waited_ms = 0; process_alive(p->pid, p->ticks);)
		fixture_pause(&waited_ms, "the end of a process");
}

char *fixture_read(struct fixture *f, const char *path, size_t *n)
{
	struct buf b = BUF_INIT;
	char *copy;

	if (fs_read(&b, path, 0) < 0)
		fail_msg("%s", err_text());
	copy = arena_memdup(&f->arena, b.s, b.n + 1);
	if (n)
		*n = b.n;
	buf_release(&b);
	return copy;
}

char *fixture_log(struct fixture *f)
{
	return fixture_read(f, fs_join(&f->arena, f->rundir, "log"), NULL);
}

struct process fixture_read_process(struct fixture *f, const char *name)
{
	char *path = fs_join(&f->arena, f->work, name);
	struct process p = { .pid = 0 };

	fixture_wait_file(path);
	/* One that has ended already stays all zero: not alive. */
	(void)process_read(&p, (pid_t)strtol(fixture_read(f, path, NULL), NULL, 10));
	return p;
}
