/*
 * The runs view of a fixed log at three sizes, against tests/golden/runs.*.txt.
 * GOLDEN_UPDATE=1 writes the files anew: read the difference.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "tests/workspace/fixture.h"
#include "ui/app.h"
#include "workspace/accepted.h"

static const char tool[] = "tool:portside";

static const char conf[] =
	"[migration]\n\tname = case-B\n\treference = gpu\n\tintended = tpu-4\n"
	"[target \"gpu\"]\n\tkind = gpu\n\tprice = 0.8536 USD/hour\n"
	"[target \"tpu-4\"]\n\tkind = tpu\n\tchips = 4\n\tprice = 1.20 USD/chip-hour\n"
	"[run \"smoke\"]\n\tcommand = \"python train.py\"\n\tsteps = 100\n";

static void later(int minutes)
{
	clock_fix(clock_wall_ns() + minutes * INT64_C(60) * NS_PER_S);
}

static void prepared(struct workspace_fixture *f, const char *id, const char *attempt,
	const char *kind, const char *target, const char *provenance)
{
	later(7);
	fixture_record(f, tool, "run.prepared", id, "attempt", attempt, "kind", kind, "target",
		target, "provenance", provenance, "seed", "1", "chips", "4", "commit",
		"65e4fd6ecb9b7f347a78efb63133f8382709984f", "by", "human:ana", "steps", "100",
		"price_nano_usd_hour", "1200000000", "price_per_chip", "yes", "limit_ns",
		"900000000000", "target_kind", "tpu", NULL);
	fixture_record(f, tool, "run.started", id, "state", "running", "source", "status", NULL);
}

static void ended(struct workspace_fixture *f, const char *id, const char *state, const char *rc,
	const char *markers, const char *why)
{
	later(3);
	fixture_record(f, tool, "run.ended", id, "state", state, "rc", rc, "why", why, "source",
		"status", "elapsed_ns", "185000000000", "markers", markers, NULL);
}

static int setup(void **state)
{
	struct workspace_fixture *f;
	int64_t start;
	int rc = fixture_setup(state);

	f = *state;
	assert_true(clock_from_iso(&start, "2026-10-27T12:00:00Z"));
	clock_fix(start);
	setenv("TZ", "UTC", 1);
	git_fixture_write(&f->git, "train.py", "x\n", 2);
	git_fixture_commit(&f->git, "original\n");
	fixture_conf(f, conf);
	if (accepted_accept(fixture_workspace(f), "human:ana", "begin", &f->a) < 0)
		fail_msg("%s", err_text());
	prepared(f, "ps-aaaaaaaaaaaaa", "reference", "smoke", "gpu", "observed");
	ended(f, "ps-aaaaaaaaaaaaa", "exited 0", "0",
		"{\"steps\":\"yes\",\"error_text\":\"no\",\"steps_done\":\"100\"}", "exit 0");
	prepared(f, "ps-bbbbbbbbbbbbb", "1", "smoke", "tpu-4", "observed");
	ended(f, "ps-bbbbbbbbbbbbb", "failed", "1",
		"{\"steps\":\"no\",\"error_text\":\"yes\",\"steps_done\":\"40\"}", "exit 1");
	prepared(f, "ps-ccccccccccccc", "2", "smoke", "tpu-4", "claimed");
	ended(f, "ps-ccccccccccccc", "exited 0", "0", "{}", "the agent says so");
	prepared(f, "ps-ddddddddddddd", "unassigned", "smoke", "local", "observed");
	ended(f, "ps-ddddddddddddd", "lost", "0", "{\"error_text\":\"unknown\"}",
		"the machine was started again");
	prepared(f, "ps-eeeeeeeeeeeee", "2", "smoke", "tpu-4", "observed");
	later(2);
	fixture_close(f);
	return rc;
}

static int teardown(void **state)
{
	clock_fix(0);
	return fixture_teardown(state);
}

static void compare(const char *name, const struct buf *text)
{
	const char *source = getenv("srcdir");
	struct arena a = ARENA_INIT;
	char *path = arena_printf(&a, "%s/tests/golden/%s", source ? source : ".", name);
	struct buf golden = BUF_INIT;

	if (getenv("GOLDEN_UPDATE"))
		assert_int_equal(fs_write_durable(path, text->s, text->n, 0644), 0);
	if (fs_read(&golden, path, 0) < 0)
		fail_msg("%s", err_text());
	assert_string_equal(text->s, golden.s);
	buf_release(&golden);
	arena_release(&a);
}

static void draw(struct workspace_fixture *f, int cols, int rows, const char *name)
{
	struct app_host host = { .directory = f->git.repo,
		.program = "portside",
		.title = "case-B",
		.read_only = true,
		.refusal = "nothing is written with --read-only" };
	struct canvas canvas;
	struct buf text = BUF_INIT;

	canvas_init(&canvas, rows, cols);
	if (app_show(&host, "runs", &canvas) < 0)
		fail_msg("%s", err_text());
	canvas_dump_text(&canvas, &text);
	compare(name, &text);
	buf_release(&text);
	canvas_release(&canvas);
}

static void runs_at_80x24(void **state)
{
	draw(*state, 80, 24, "runs.80x24.txt");
}

static void runs_at_140x45(void **state)
{
	draw(*state, 140, 45, "runs.140x45.txt");
}

static void runs_at_40x8(void **state)
{
	draw(*state, 40, 8, "runs.40x8.txt");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runs_at_80x24, setup, teardown),
		cmocka_unit_test_setup_teardown(runs_at_140x45, setup, teardown),
		cmocka_unit_test_setup_teardown(runs_at_40x8, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
