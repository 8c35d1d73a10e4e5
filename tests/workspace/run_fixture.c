/* run_fixture - see run_fixture.h. */
#include "config.h"

#include "tests/workspace/run_fixture.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "tests/unit.h"
#include "workspace/accepted.h"

static const char tool[] = "tool:portside";

static const char conf[] =
	"[migration]\n\tname = case-B\n\treference = gpu\n\tintended = tpu-4\n"
	"[goal \"accuracy\"]\n\tdirection = higher\n\tseries = eval_accuracy\n\tscale = 100\n\tunit = pp\n\ttarget = 90\n"
	"\tmargin = 1.0\n\texamples = 408\n"
	"[goal \"wer\"]\n\tdirection = lower\n\tseries = eval_wer\n\ttarget = 10\n\tmargin = 0.5\n"
	"[target \"gpu\"]\n\tkind = gpu\n\tprice = 0.8536 USD/hour\n"
	"[target \"tpu-1\"]\n\tkind = tpu\n\tprice = 1.20 USD/chip-hour\n"
	"[target \"tpu-4\"]\n\tkind = tpu\n\tchips = 4\n\tprice = 1.20 USD/chip-hour\n"
	"[run \"smoke\"]\n\tcommand = \"python train.py\"\n\tsteps = 100\n"
	"[run \"full\"]\n\tcommand = \"python train.py\"\n\tsteps = 1000\n";

void run_fixture_begin(struct workspace_fixture *f)
{
	fixture_conf(f, conf);
	if (accepted_accept(fixture_workspace(f), "human:ana", "begin", &f->a) < 0)
		fail_msg("%s", err_text());
	fixture_record(f, "human:ana", "attempt.added", "1", "n", "1", NULL);
	fixture_record(f, "human:ana", "attempt.added", "2", "n", "2", NULL);
}

void run_fixture_end(struct workspace_fixture *f, const char *run, const char *state)
{
	fixture_record(f, tool, "run.ended", run, "state", state, "source", "status", NULL);
}

void run_fixture_add(struct workspace_fixture *f, const struct fixture_run *r)
{
	const char *kept = run_fixture_path(f, r->id, "../kept");

	fixture_record(f, tool, "run.prepared", r->id, "attempt", r->attempt, "kind", r->kind,
		"target", r->target, "configuration", r->target, "provenance", "observed", "seed",
		r->seed, "chips", r->chips ? r->chips : "1", NULL);
	fixture_record(f, tool, "run.started", r->id, "state", "running", "source", "status", NULL);
	if (*r->state && r->elapsed_ns)
		fixture_record(f, tool, "run.ended", r->id, "state", r->state, "source", "status",
			"rc", "0", "elapsed_ns", r->elapsed_ns, NULL);
	else if (*r->state)
		run_fixture_end(f, r->id, r->state);
	assert_int_equal(fs_mkdirs(fs_dirname(&f->a, run_fixture_path(f, r->id, "x")), 0700), 0);
	if (*r->state)
		assert_int_equal(fs_write_durable(kept, "", 0, 0600), 0);
}

const char *run_fixture_path(struct workspace_fixture *f, const char *run, const char *name)
{
	return arena_printf(&f->a, "%s/%s/artifacts/%s",
		workspace_path(fixture_workspace(f), &f->a, "runs"), run, name);
}

void run_fixture_file(
	struct workspace_fixture *f, const char *run, const char *name, const char *text)
{
	const char *path = run_fixture_path(f, run, name);

	assert_int_equal(fs_mkdirs(fs_dirname(&f->a, path), 0700), 0);
	assert_int_equal(fs_write_durable(path, text, strlen(text), 0600), 0);
}

void run_fixture_append(
	struct workspace_fixture *f, const char *run, const char *name, const char *text)
{
	FILE *file = fopen(run_fixture_path(f, run, name), "a");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

const char *run_fixture_rows(struct workspace_fixture *f, const char *metric, int n, int stride,
	double first, double slope, double wall_s)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (int i = 1; i <= n; i++) {
		buf_addf(&b, "{\"step\": %d, \"%s\": %.10g", i * stride, metric,
			first + slope * (i - 1));
		if (wall_s > 0)
			buf_addf(&b, ", \"timestamp\": %.3f", wall_s + i);
		buf_adds(&b, "}\n");
	}
	text = arena_strndup(&f->a, b.s, b.n);
	buf_release(&b);
	return text;
}
