/*
 * demo - the demo migration, built and told.
 *
 * On a terminal the workbench opens on it.  Elsewhere the same story is told in
 * tables: the attempts, the curve of the attempt that claims too much, and what
 * waits for a person.  A second time the first demo is opened or told.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/groups.h"
#include "command/open.h"
#include "workspace/demo.h"

static void progress(void *user, const char *what, int64_t done, int64_t total)
{
	call_report(user, what, done, total);
}

/* On standard error, so that the output stays the story. */
static void note(void *user, const char *sentence)
{
	(void)user;
	fprintf(stderr, "portside: %s\n", sentence);
}

struct chapter { const char *heading, *operation, *words[6]; };

/* What the headless story shows, in order. */
static const struct chapter chapters[] = {
	{ "The attempts. What was claimed stands beside what was measured; levels that nobody looked at are not shown as passed.",
		"attempt list", { NULL } },
	{ "Attempt 7 claims L3 on four chips. Its run ended with exit 0. Its curve beside the reference's:",
		"compare", { "7", "--configuration", "sim-tpu-4", NULL } },
	{ "Attempt 8 on the same chips:", "compare",
		{ "8", "--configuration", "sim-tpu-4", NULL } },
	{ "Where the migration stands, and what waits for a person:", "status", { NULL } },
};

static int tell(struct call *c, struct opened *opened, const struct chapter *chapter)
{
	const struct operation *o = operation_find(chapter->operation);
	struct call sub = *c;
	size_t n = 0;
	int rc;

	if (!o)
		return 0;
	while (chapter->words[n])
		n++;
	sub.workspace = opened->workspace;
	sub.table = NULL;
	buf_init(&sub.text);
	sub.values = NULL;
	rc = operation_parse(&sub.values, &sub.n_values, c->arena, o, chapter->words, n);
	if (rc == 0)
		rc = operation_call(o, &sub);
	if (rc == 0) {
		buf_addf(&c->text, "%s%s\n\n", c->text.n ? "\n" : "", chapter->heading);
		if (sub.table)
			report_table_text(
				sub.table, &c->text, &(struct report_style){ .width = 120 });
		buf_add(&c->text, sub.text.s, sub.text.n);
	}
	buf_release(&sub.text);
	return rc;
}

static int demo_run(struct call *c)
{
	struct demo_options o = {
		.folder = call_text(c, "folder") ? call_text(c, "folder") : "textcls",
		.program = c->program,
		.typed = demo_typed(c->program, c->arena),
		.blind = call_flag(c, "--blind"),
		.without_runs = call_flag(c, "--without-runs"),
		.progress = progress,
		.note = note,
		.user = c,
		.cancel = c->progress.cancel,
	};
	bool opens = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && !c->wants_json &&
		!call_flag(c, "--stay");
	struct opened opened = { 0 };
	/* The story of the first demo is none of a blind one or of one without runs. */
	bool again = (opens || (!o.blind && !o.without_runs)) && !call_text(c, "folder") &&
		demo_is_there(o.folder, c->arena);
	int rc = again ? 0 : demo_build(&o, c->arena);

	if (rc < 0)
		return rc;
	if (opens) {
		c->open_next = fs_absolute(c->arena, o.folder);
		return 0;
	}
	rc = open_migration(&opened, NULL, &(struct open_options){ .directory = o.folder });
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(chapters) && !o.without_runs; i++)
		rc = tell(c, &opened, &chapters[i]);
	opened_release(&opened);
	if (rc == 0)
		c->message = arena_printf(c->arena,
			"the demo migration is in %s; look at it: %s -C %s", o.folder, o.typed,
			o.folder);
	return rc;
}

static const struct argument demo_arguments[] = {
	{ "folder", ARGUMENT_PATH, "a new or empty folder, or a demo that was interrupted", false,
		false, NULL, "textcls" },
	{ "--blind", ARGUMENT_FLAG, "messages that do not tell the causes, for a class", false,
		false, NULL, NULL },
	{ "--without-runs", ARGUMENT_FLAG, "the repository only; you start the runs", false, false,
		NULL, NULL },
	{ "--stay", ARGUMENT_FLAG, "tell the story here, also on a terminal", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation demo_operations[] = {
	{ "demo", NULL, 0, "build the demo migration, train it, and open it",
	  OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, demo_arguments, demo_run, 0 },
	{ 0 },
};
