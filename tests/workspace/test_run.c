/* Runs on this computer: start, gate, ends, results, and what is never stored. */
#include "config.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "launch/launch.h"
#include "launch/run_directory.h"
#include "launch/supervisor.h"
#include "launch/verdict.h"
#include "tests/workspace/fixture.h"
#include "workspace/accepted.h"
#include "workspace/reconcile.h"
#include "workspace/run_results.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

static const char *program;		/* this one: its `supervise` is the supervisor */

static const char conf[] =
	"[migration]\n\tname = small\n\toriginal = original\n"
	"[target \"sim\"]\n\tkind = cpu\n\tlauncher = local\n\tprice = 3.60 USD/hour\n"
	"[target \"other\"]\n\tkind = cpu\n\tlauncher = local\n"
	"[run \"smoke\"]\n\tcommand = \"sh train.sh 3\"\n\tsteps = 3\n\tdone = \"all done\"\n\tartifact = out/result.json\n"
	"\tlimit = 1m\n\tlink = data\n"
	"[run \"full\"]\n\tcommand = \"sh train.sh 5\"\n\tsteps = 5\n\tlimit = 1m\n";

/* Steps, a result, the declared end; waits while data/hold is there. */
static const char training[] =
	"mkdir -p out\n"
	"for i in $(seq 1 $1); do echo \"step $i/$1\"; done\n"
	"echo \"$PORTSIDE_RUN_ID\" >>data/ran\n"
	"while test -e data/hold; do sleep 0.05; done\n"
	"echo '{\"steps\": '$1'}' >out/result.json\n"
	"echo '{\"step\": 1, \"loss\": 0.5}' >metrics.jsonl\n"
	"echo all done\n";

static void put(struct workspace_fixture *f, const char *name, const char *text)
{
	git_fixture_write(&f->git, name, text, strlen(text));
}

static int setup(void **state)
{
	struct workspace_fixture *f;
	int rc = fixture_setup(state);

	f = *state;
	unsetenv("PORTSIDE_ATTEMPT");
	put(f, "train.sh", training);
	put(f, ".gitignore", "data\n");
	git_fixture_commit(&f->git, "original\n");
	git_fixture_run(&f->git, "git tag original && mkdir data");
	put(f, "train.sh", arena_printf(&f->a, "# attempt 1\n%s", training));
	git_fixture_commit(&f->git, "use xla\n");
	git_fixture_run(&f->git, "git tag attempt/1");
	fixture_conf(f, conf);
	fixture_discover(f);
	if (accepted_accept(fixture_workspace(f), "human:ana", "begin", &f->a) < 0)
		fail_msg("%s", err_text());
	return rc;
}

static struct run_request request(const char *subject, enum run_kind kind)
{
	return (struct run_request){ .subject = subject,
		.kind = kind,
		.target = "sim",
		.program = program,
		.skip_capture = true };
}

static struct run_started start(struct workspace_fixture *f, const struct run_request *r)
{
	struct run_started s;

	if (run_start(&s, fixture_workspace(f), r, &f->a) < 0)
		fail_msg("%s", err_text());
	return s;
}

static void pause_ms(int ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000L }, NULL);
}

static struct run_state *state_of(struct workspace_fixture *f, const char *run)
{
	struct run_state *s;

	if (state_run(fixture_workspace(f), run, NULL, &f->a, &s) < 0)
		fail_msg("%s", err_text());
	return s;
}

static struct run_state *wait_for_end(struct workspace_fixture *f, const char *run)
{
	for (int i = 0; i < 12000; i++) {
		bool ended;

		if (reconcile_run(&ended, fixture_workspace(f), run, &f->a) < 0)
			fail_msg("%s", err_text());
		if (ended)
			return state_of(f, run);
		pause_ms(10);
	}
	fail_msg("run %s does not end", run);
	return NULL;
}

static char *path_of(struct workspace_fixture *f, const char *run, const char *name)
{
	return fs_join(&f->a, workspace_path(fixture_workspace(f), &f->a, "runs"),
		arena_printf(&f->a, "%s/%s", run, name));
}

static char *shell(struct workspace_fixture *f, const char *command)
{
	return git_fixture_read(&f->git, "%s", command);
}

/* ---- a configured run ---- */

static void smoke_runs_in_a_clean_checkout(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct run_state *s;
	struct run_started started;

	put(f, "train.sh", "echo not this one; exit 9\n");	/* not committed: not what runs */
	started = start(f, &r);
	s = wait_for_end(f, started.run);
	assert_string_equal(started.subject, "1");
	assert_int_equal(s->state, RUN_EXITED_0);
	assert_int_equal(s->l0, CHECK_CONFIRMED);
	assert_string_equal(s->commit, fixture_attempt(f, "1")->tip);
	assert_true(s->cost_known);
	assert_true(s->cost_nano_usd > 0);
	assert_true(fs_exists(path_of(f, started.run, "artifacts/out/result.json")));
	assert_true(fs_exists(path_of(f, started.run, "artifacts/metrics.jsonl")));
	assert_int_equal(fixture_count(f, "run.prepared", started.run), 1);
	assert_int_equal(fixture_count(f, "run.started", started.run), 1);
	assert_int_equal(fixture_count(f, "run.ended", started.run), 1);
	/* The checkout is gone, from git's list too; the person's file is as it was. */
	assert_string_equal(shell(f, "git worktree list | wc -l"), "1");
	assert_string_equal(shell(f, "ls .git/portside/checkouts"), "");
	assert_string_equal(shell(f, "cat train.sh"), "echo not this one; exit 9");
}

/* A folder that is a store has parts that no reader would take alone, and the last
 * rows of a database may be in its log, or taken back by its journal. */
static void stores_of_trackers_are_kept_whole(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("2", RUN_KIND_SMOKE);
	const char *srcdir = getenv("srcdir"),
		   *samples = fs_absolute(&f->a,
			   arena_printf(&f->a, "%s/tests/curve/samples", srcdir ? srcdir : "."));
	struct run_started started;
	struct run_files *files;

	git_fixture_run(&f->git, "mkdir -p mlruns/0/old/metrics");
	put(f, "mlruns/0/old/meta.yaml", "run_id: old\n");
	put(f, "mlruns/0/old/metrics/loss", "1 9 0\n");
	put(f, "train.sh",
		arena_printf(&f->a,
			"mkdir -p mlruns/0/aa/metrics/val mlruns/0/aa/params\n"
			"echo 'run_id: aa' >mlruns/0/aa/meta.yaml\n"
			"echo '1700000000000 0.5 1' >mlruns/0/aa/metrics/val/acc\n"
			"echo 0.001 >mlruns/0/aa/params/lr\n"
			"cat '%s'/trackio/03-wal/demo.db >demo.db\n"
			"cat '%s'/trackio/03-wal/demo.db-wal >demo.db-wal\n"
			"echo torn >demo.db-journal; echo torn >notes-journal\n%s",
			samples, samples, training));
	git_fixture_commit(&f->git, "track\n");
	git_fixture_run(&f->git, "git tag attempt/2");
	fixture_discover(f);
	started = start(f, &r);
	assert_int_equal(wait_for_end(f, started.run)->state, RUN_EXITED_0);
	assert_false(fs_exists(path_of(f, started.run, "artifacts/mlruns/0/old")));
	assert_true(fs_exists(path_of(f, started.run, "artifacts/demo.db-journal")));
	assert_false(fs_exists(path_of(f, started.run, "artifacts/notes-journal")));
	if (run_results_open(&files, fixture_workspace(f), started.run, &f->a) < 0 ||
		run_files_read(files, NULL) < 0)
		fail_msg("%s", err_text());
	assert_int_equal(run_series_find(files->series, "val/acc", -1)->n, 1);
	assert_string_equal(settings_find(&files->settings, "opt.name"), "adam");
	/* Of trackio's; the run's own metrics.jsonl has the name too, and less of it. */
	assert_int_equal(run_series_find(files->series, "loss", -1)->n, 8);
	run_files_free(files);
}

/* A look that comes late must not make the run longer or later. */
static void a_late_look_does_not_move_the_end(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct run_started started = start(f, &r);
	struct status status = { .state = STATUS_RUNNING };
	struct run_state *s;
	bool ended;

	for (int i = 0; i < 6000 && status.state != STATUS_DONE; i++) {
		assert_int_equal(
			status_read(&status, path_of(f, started.run, ""), NULL), STATUS_READ_OK);
		pause_ms(10);
	}
	clock_fix(clock_wall_ns() + 3600 * NS_PER_S);
	assert_int_equal(reconcile_run(&ended, fixture_workspace(f), started.run, &f->a), 0);
	clock_fix(0);
	assert_true(ended);
	s = state_of(f, started.run);
	assert_int_equal(s->started_ns, status.start_ns);
	assert_int_equal(s->ended_ns, status.end_ns);
	assert_int_equal(s->elapsed_ns, status.elapsed_ns);
	assert_true(strcmp(s->noticed, s->ended) > 0);
	assert_true(s->cost_known);
}

static void evidence_names_each_result_once(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("reference", RUN_KIND_SMOKE);
	struct run_started s = start(f, &r);
	struct reconciled out;
	size_t events;

	wait_for_end(f, s.run);
	events = fixture_count(f, "evidence.added", NULL);
	assert_int_equal(events, 3);	/* log, result, curve */
	/* as after a crash before the last step */
	assert_int_equal(unlink(path_of(f, s.run, "kept")), 0);
	assert_int_equal(reconcile(&out, fixture_workspace(f), NULL, &f->a), 0);
	assert_string_equal(out.note, "");
	assert_true(fs_exists(path_of(f, s.run, "kept")));
	assert_int_equal(fixture_count(f, "evidence.added", NULL), 3);
}

static void the_same_run_is_not_started_twice(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE), other = r;
	struct run_started first, second, third;

	put(f, "data/hold", "");
	first = start(f, &r);
	assert_int_equal(run_start(&second, fixture_workspace(f), &r, &f->a), ERR_EXISTS);
	assert_non_null(strstr(err_text(), first.run));
	other.seed = "2";
	third = start(f, &other);
	git_fixture_run(&f->git, "rm data/hold");
	wait_for_end(f, first.run);
	wait_for_end(f, third.run);
	first = start(f, &r);		/* it is over: again is fine */
	wait_for_end(f, first.run);
	assert_string_equal(shell(f, "wc -l <data/ran"), "3");
}

static void nothing_runs_unaccepted_or_misnamed(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct run_started s;
	int64_t before = fixture_events(f);

	r.target = "nowhere";
	assert_int_equal(run_start(&s, fixture_workspace(f), &r, &f->a), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "sim, other"));
	r = request("9", RUN_KIND_SMOKE);
	assert_int_equal(run_start(&s, fixture_workspace(f), &r, &f->a), ERR_NOT_FOUND);
	r = request("1", RUN_KIND_SMOKE);
	r.seed = "one";
	assert_int_equal(run_start(&s, fixture_workspace(f), &r, &f->a), ERR_USAGE);
	assert_true(fixture_events(f) == before);
	assert_string_equal(
		shell(f,
			"ls .git/portside/runs .git/portside/checkouts 2>/dev/null | grep -c ps- || true"),
		"0");
}

/* A file that a newer version wrote: its launcher is not replaced by this machine. */
static void an_unknown_launcher_starts_nothing(void **state)
{
	static const char newer[] =
		"; newer\n[migration]\n\tname = small\n[target \"sim\"]\n\tkind = tpu\n\tlauncher = slurm\n"
		"[run \"smoke\"]\n\tcommand = \"sh train.sh 3\"\n\tsteps = 3\n";
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct digest d = sha256_bytes(newer, sizeof newer - 1);
	char hex[DIGEST_HEX + 1];
	struct run_started s;
	int64_t before;

	digest_hex(hex, &d);
	fixture_record(
		f, "human:ana", "config.accepted", "migration", "digest", hex, "text", newer, NULL);
	before = fixture_events(f);
	assert_int_equal(run_start(&s, fixture_workspace(f), &r, &f->a), ERR_NOT_FOUND);
	assert_non_null(strstr(err_text(), "target sim: there is no launcher"));
	assert_true(fixture_events(f) == before);
	assert_string_equal(
		shell(f,
			"ls .git/portside/runs .git/portside/checkouts 2>/dev/null | grep -c ps- || true"),
		"0");
}

/* ---- the gate ---- */

static const char *gate(struct workspace_fixture *f, const char *subject, const char *target)
{
	struct run_request r = request(subject, RUN_KIND_FULL);
	struct accepted c;
	char commit[OID_HEX + 1];
	const char *why;

	r.target = target;
	assert_int_equal(accepted_read(&c, fixture_workspace(f), NULL), 0);
	assert_int_equal(run_commit(commit, fixture_workspace(f), subject, &f->a), 0);
	assert_int_equal(
		run_gate_reason(&why, fixture_workspace(f), &c.in_force, &r, commit, &f->a), 0);
	accepted_release(&c);
	return why;
}

static void full_needs_its_own_smoke(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request smoke = request("1", RUN_KIND_SMOKE), full = request("1", RUN_KIND_FULL);
	struct run_started s;

	assert_int_equal(run_start(&s, fixture_workspace(f), &full, &f->a), ERR_REFUSED);
	assert_non_null(
		strstr(err_text(), "no smoke run of this commit, target and command has passed"));
	s = start(f, &smoke);
	wait_for_end(f, s.run);
	assert_null(gate(f, "1", "sim"));
	assert_non_null(gate(f, "1", "other"));		/* another target */
	assert_non_null(gate(f, "reference", "sim"));	/* another commit */
	s = start(f, &full);
	assert_int_equal(wait_for_end(f, s.run)->state, RUN_EXITED_0);
	/* Another command from now on. */
	fixture_conf(f, arena_printf(&f->a, "%s\tsetup = \"true\"\n", conf));
	fixture_conf(f, git_fixture_read(&f->git, "sed 's/train.sh 3/train.sh 4/' portside.conf"));
	assert_int_equal(accepted_accept(fixture_workspace(f), "human:ana", "longer", &f->a), 0);
	assert_non_null(gate(f, "1", "sim"));
}

static void a_failed_smoke_does_not_open_the_gate(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct run_started s;

	put(f, "data/ran", "");
	/* its >>data/ran fails, and so does nothing else */
	git_fixture_run(&f->git, "rm data/ran && mkdir data/ran");
	fixture_conf(f,
		git_fixture_read(&f->git, "sed 's/train.sh 3/train.sh 3; exit 4/' portside.conf"));
	assert_int_equal(accepted_accept(fixture_workspace(f), "human:ana", "breaks", &f->a), 0);
	s = start(f, &r);
	assert_int_equal(wait_for_end(f, s.run)->state, RUN_FAILED);
	assert_non_null(strstr(gate(f, "1", "sim"), "refuted"));
}

static void claims_open_no_gate_and_a_decision_does(void **state)
{
	struct workspace_fixture *f = *state;
	static const char run[] = "ps-aaaaaaaaaaaaa";

	fixture_record(f, "tool:portside", "run.prepared", run, "attempt", "1", "kind", "smoke",
		"target", "sim", "provenance", "claimed", "commit", fixture_attempt(f, "1")->tip,
		"steps", "1", NULL);
	fixture_record(f, "tool:portside", "run.ended", run, "state", "exited 0", "rc", "0",
		"source", "person", NULL);
	assert_non_null(gate(f, "1", "sim"));
	fixture_record(f, "human:ana", "decision.made", "d1", "choice", "full run anyway",
		"subject", "attempt:1", "reason", "the smoke target is away", NULL);
	assert_null(gate(f, "1", "sim"));
	assert_non_null(gate(f, "reference", "sim"));
}

/* ---- ends ---- */

static void a_cancelled_run_says_so(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct run_started s;
	struct run_state *end;

	put(f, "data/hold", "");
	s = start(f, &r);
	assert_int_equal(launch_cancel(s.rundir, program, "human:ana", "enough", -1), 0);
	end = wait_for_end(f, s.run);
	assert_int_equal(end->state, RUN_CANCELLED);
	assert_int_equal(end->l0, CHECK_UNKNOWN);
}

static void an_orphan_is_adopted_and_ends_lost(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct reconciled seen;
	struct run_started s;
	struct run_verdict v;

	put(f, "data/hold", "");
	s = start(f, &r);
	verdict_read(&v, s.rundir);
	assert_int_equal(kill(v.status.supervisor_pid, SIGKILL), 0);
	for (int i = 0; i < 500 && v.kind != RUN_VERDICT_ORPHAN; i++) {
		pause_ms(10);
		verdict_read(&v, s.rundir);
	}
	assert_int_equal(v.kind, RUN_VERDICT_ORPHAN);
	assert_int_equal(reconcile(&seen, fixture_workspace(f), NULL, &f->a), 0);
	assert_int_equal(seen.orphans, 1);
	assert_int_equal(seen.live, 1);
	assert_int_equal(launch_adopt(s.rundir, program), 0);
	git_fixture_run(&f->git, "rm data/hold");
	/* All was there for an "exited 0"; it is not guessed. */
	assert_int_equal(wait_for_end(f, s.run)->state, RUN_LOST);
	assert_true(fs_exists(path_of(f, s.run, "artifacts/out/result.json")));
}

static void a_deleted_directory_is_told_not_guessed(void **state)
{
	struct workspace_fixture *f = *state;
	struct run_request r = request("1", RUN_KIND_SMOKE);
	struct reconciled seen;
	struct run_started s;

	put(f, "data/hold", "");
	s = start(f, &r);
	git_fixture_run(&f->git, "rm -r .git/portside/runs/%s", s.run);
	assert_int_equal(reconcile(&seen, fixture_workspace(f), NULL, &f->a), 0);
	assert_int_equal(seen.live, 1);
	assert_non_null(strstr(seen.note, "goes on without a record"));
	git_fixture_run(&f->git, "rm data/hold");
	for (int i = 0; i < 500 && seen.live; i++) {
		pause_ms(10);
		assert_int_equal(reconcile(&seen, fixture_workspace(f), NULL, &f->a), 0);
	}
	assert_int_equal(state_of(f, s.run)->state, RUN_LOST);
}

static void runs_of_other_machines_are_left_alone(void **state)
{
	struct workspace_fixture *f = *state;
	struct reconciled seen;
	struct run_state *s;

	/* As a replica brought it: recorded here only in form, so the test edits whose it is. */
	fixture_record(f, "tool:portside", "run.prepared", "ps-bbbbbbbbbbbbb", "attempt", "1",
		"kind", "smoke", "target", "sim", "provenance", "watched", NULL);
	assert_int_equal(reconcile(&seen, fixture_workspace(f), NULL, &f->a), 0);
	s = state_of(f, "ps-bbbbbbbbbbbbb");
	assert_int_equal(s->state, RUN_PREPARED);
}

/* ---- wrapped commands ---- */

static struct run_started wrap(struct workspace_fixture *f, const char *const *argv)
{
	struct run_wrap w = { .argv = argv, .program = program, .skip_capture = true };
	struct run_started s;

	if (run_wrap(&s, fixture_workspace(f), &w, &f->a) < 0)
		fail_msg("%s", err_text());
	return s;
}

static void a_wrapped_command_finds_its_attempt(void **state)
{
	static const char *const argv[] = { "true", NULL };
	struct workspace_fixture *f = *state;

	assert_string_equal(wrap(f, argv).subject, "1");
	git_fixture_run(&f->git, "git checkout -q original");
	assert_string_equal(wrap(f, argv).subject, "reference");
	git_fixture_run(&f->git, "git commit -q --allow-empty -m more");
	fixture_close(f);
	assert_string_equal(wrap(f, argv).subject, RUN_UNASSIGNED);
	setenv("PORTSIDE_ATTEMPT", "4", 1);	/* its first commit is still to come */
	assert_string_equal(wrap(f, argv).subject, "4");
	unsetenv("PORTSIDE_ATTEMPT");
}

static void a_program_that_is_missing_is_on_record(void **state)
{
	static const char *const argv[] = { "/no/such/program", NULL };
	struct workspace_fixture *f = *state;
	struct run_wrap w = { .argv = argv, .program = program, .skip_capture = true };
	struct run_started s;

	assert_int_equal(run_wrap(&s, fixture_workspace(f), &w, &f->a), ERR_IO);
	assert_int_equal(s.exit_code, 127);
	assert_int_equal(state_of(f, s.run)->state, RUN_LAUNCH_FAILED);
	assert_int_equal(fixture_count(f, "run.ended", s.run), 1);
}

static void secrets_are_in_no_stored_file(void **state)
{
	static const char *const argv[] = { "sh", "-c", "test -n \"$HF_TOKEN\"",
		"--token=hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789", "--password",
		"correct-horse-battery", NULL };
	struct workspace_fixture *f = *state;
	struct run_started s;
	struct run_spec spec = RUN_SPEC_INIT;

	setenv("HF_TOKEN", "hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789", 1);
	setenv("DB_PASSWORD", "correct-horse-battery", 1);
	put(f, "train.sh",
		"token = 'hf_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789' # correct-horse-battery\n");
	s = wrap(f, argv);
	assert_int_equal(wait_for_end(f, s.run)->state, RUN_EXITED_0);	/* it had them */
	unsetenv("HF_TOKEN");
	unsetenv("DB_PASSWORD");
	fixture_close(f);		/* all of the database is in its file */
	assert_string_equal(
		shell(f, "grep -rlE 'hf_AbCdEf|correct-horse' .git/portside || true"), "");
	assert_int_equal(run_directory_read_spec(&spec, &f->a, s.rundir), 0);
	assert_int_equal(strlen(spec.dirty_sha256), DIGEST_HEX);
	assert_true(fs_exists(path_of(f, s.run, "capture/dirty.patch")));
	assert_non_null(
		strstr(shell(f, "cat .git/portside/runs/*/capture/dirty.patch"), "[redacted "));
}

static void a_kept_artifact_is_a_copy(void **state)
{
	static const char *const argv[] = { "sh", "-c", "echo first >made.txt", NULL };
	struct workspace_fixture *f = *state;
	struct run_wrap w = {
		.argv = argv, .program = program, .artifact = "made.txt", .skip_capture = true
	};
	struct run_started s;
	char *here = getcwd(NULL, 0);

	assert_int_equal(chdir(f->git.repo), 0);
	assert_int_equal(run_wrap(&s, fixture_workspace(f), &w, &f->a), 0);
	assert_int_equal(wait_for_end(f, s.run)->l0, CHECK_CONFIRMED);
	put(f, "made.txt", "second\n");
	assert_string_equal(
		shell(f,
			arena_printf(&f->a, "cat .git/portside/runs/%s/artifacts/made.txt", s.run)),
		"first");
	assert_string_equal(shell(f,
				    arena_printf(&f->a,
					    "stat -c %%a .git/portside/runs/%s/artifacts/made.txt",
					    s.run)),
		"400");
	assert_int_equal(chdir(here), 0);
	free(here);
}

/* Training code writes what it likes; a link of it names nothing outside. */
static void no_link_brings_a_file_from_outside(void **state)
{
	static const char *const argv[] = { "sh", "-c",
		"ln -s \"$PWD/../far\" out; ln -s \"$PWD/../far/file\" one", NULL };
	static const char *const artifacts[] = { "out/file", "one", "out" };
	struct workspace_fixture *f = *state;
	char *here = getcwd(NULL, 0);

	git_fixture_run(&f->git, "mkdir ../far && echo secret-of-another >../far/file");
	assert_int_equal(chdir(f->git.repo), 0);
	for (size_t i = 0; i < ARRAY_LEN(artifacts); i++) {
		struct run_wrap w = { .argv = argv,
			.program = program,
			.artifact = artifacts[i],
			.skip_capture = true };
		struct run_started s;

		git_fixture_run(&f->git, "rm -f out one");
		assert_int_equal(run_wrap(&s, fixture_workspace(f), &w, &f->a), 0);
		assert_int_equal(wait_for_end(f, s.run)->l0, CHECK_REFUTED);
	}
	assert_string_equal(shell(f, "grep -rl secret-of-another .git || true"), "");
	assert_int_equal(chdir(here), 0);
	free(here);
}

/* Neither when it is over nor while it lives. */
static void no_link_shows_a_file_from_outside(void **state)
{
	static const char *const argv[] = { "sh", "-c", "ln -s \"$PWD/../far.jsonl\" out.jsonl\n"
		"echo started >data/started\nwhile test -e data/hold; do sleep 0.05; done", NULL };
	struct workspace_fixture *f = *state;
	struct run_wrap w = {
		.argv = argv, .program = program, .artifact = "out.jsonl", .skip_capture = true
	};
	struct run_started s;
	char *here = getcwd(NULL, 0), **paths;
	size_t n;
	bool live;

	git_fixture_run(
		&f->git, "echo '{\"step\": 1, \"loss\": 0.5}' >../far.jsonl && touch data/hold");
	assert_int_equal(chdir(f->git.repo), 0);
	assert_int_equal(run_wrap(&s, fixture_workspace(f), &w, &f->a), 0);
	for (int i = 0; i < 6000 && !fs_exists("data/started"); i++)
		pause_ms(10);
	assert_int_equal(
		run_results_paths(&paths, &n, &live, fixture_workspace(f), s.run, &f->a), 0);
	assert_true(live);
	for (size_t i = 0; i < n; i++)
		assert_null(strstr(paths[i], "out.jsonl"));
	git_fixture_run(&f->git, "rm out.jsonl && cp ../far.jsonl out.jsonl");
	assert_int_equal(
		run_results_paths(&paths, &n, &live, fixture_workspace(f), s.run, &f->a), 0);
	assert_non_null(strstr(paths[n - 1], "out.jsonl"));
	git_fixture_run(&f->git, "rm data/hold");
	(void)wait_for_end(f, s.run);
	assert_int_equal(chdir(here), 0);
	free(here);
}

int main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			smoke_runs_in_a_clean_checkout, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			a_late_look_does_not_move_the_end, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			stores_of_trackers_are_kept_whole, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			evidence_names_each_result_once, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			the_same_run_is_not_started_twice, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			nothing_runs_unaccepted_or_misnamed, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			an_unknown_launcher_starts_nothing, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(full_needs_its_own_smoke, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			a_failed_smoke_does_not_open_the_gate, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			claims_open_no_gate_and_a_decision_does, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(a_cancelled_run_says_so, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			an_orphan_is_adopted_and_ends_lost, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			a_deleted_directory_is_told_not_guessed, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			runs_of_other_machines_are_left_alone, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			a_wrapped_command_finds_its_attempt, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			a_program_that_is_missing_is_on_record, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			secrets_are_in_no_stored_file, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(a_kept_artifact_is_a_copy, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			no_link_brings_a_file_from_outside, setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(
			no_link_shows_a_file_from_outside, setup, fixture_teardown),
	};
	int rc;

	if (argc > 1 && strcmp(argv[1], "supervise") == 0)
		return supervisor_main(argc - 1, argv + 1);
	program = fs_absolute(&a, argv[0]);
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_release(&a);
	return rc;
}
