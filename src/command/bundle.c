/*
 * bundle - a migration as one file for another person.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/groups.h"
#include "workspace/bundle.h"
#include "workspace/changes.h"
#include "workspace/checkpoint.h"
#include "workspace/state.h"

static void progress(void *user, const char *what, int64_t done, int64_t total)
{
	call_report(user, what, done, total);
}

/* The reader of the bundle sees churn from the cache, so it is filled before. */
static int fill_cache(struct call *c)
{
	struct state_query q = { .type = "attempt" };
	struct attempt_changes *changes;
	void **rows;
	size_t n;
	int rc = state_list(c->workspace, &q, c->arena, &rows, &n);

	if (rc < 0 || !n)
		return rc;
	return changes_of(&changes, c->workspace, (struct attempt_state **)rows, n,
		changes_original(c->workspace, c->arena), 0, c->progress.cancel, c->arena);
}

static int bundle_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "file", .title = "file", .type = REPORT_TEXT },
		{ .name = "bytes", .title = "size", .type = REPORT_BYTES },
		{ .name = "sections", .title = "sections", .type = REPORT_INTEGER },
	};
	struct bundle_options o = {
		.without_texts = call_flag(c, "--without-texts"),
		.without_evidence = call_flag(c, "--without-evidence"),
		.without_code = call_flag(c, "--without-code"),
		.progress = progress,
		.user = c,
		.cancel = c->progress.cancel,
	};
	const char *path = fs_absolute(c->arena, call_text(c, "file"));
	struct checkpoint head = { 0 };
	struct bundle_written w;
	char *save, *line;
	int rc;

	if (c->read_only)
		return err_set(ERR_REFUSED, "bundle writes a file, and --read-only was given");
	if (!o.without_code && !workspace_place(c->workspace)->bundle && (rc = fill_cache(c)) < 0)
		return rc;
	/* Before it is written: the bundle holds the event too. */
	if (!fs_exists(path) &&
		(rc = checkpoint_publish(&head, c->workspace, fs_basename(path), c->arena)) < 0)
		return rc;
	if ((rc = bundle_write(c->workspace, path, &o, &w, c->arena)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "bundle", columns, ARRAY_LEN(columns));
	report_row(c->table);
	report_text(c->table, "file", path);
	report_integer(c->table, "bytes", w.bytes);
	report_integer(c->table, "sections", w.sections);
	for (line = strtok_r(arena_strdup(c->arena, w.left_out), "\n", &save); line;
		line = strtok_r(NULL, "\n", &save))
		report_note(c->table, "not in it, or not as it was: %s", line);
	if (o.without_texts)
		report_note(c->table,
			"free text is withheld: its digests are there, its words are not");
	report_note(c->table, "Portside-Head: %s %lld", head.head, (long long)head.count);
	report_note(
		c->table, "another person opens it read-only: portside -C %s", fs_basename(path));
	return 0;
}

static const struct argument bundle_arguments[] = {
	{ "file", ARGUMENT_PATH, "the file to write; it must not exist", true, false, NULL, NULL },
	{ "--without-texts", ARGUMENT_FLAG, "withhold notes, reasons and other free text", false,
		false, NULL, NULL },
	{ "--without-evidence", ARGUMENT_FLAG, "no logs, curves and other evidence", false, false,
		NULL, NULL },
	{ "--without-code", ARGUMENT_FLAG, "no code: the diffs cannot be read", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation bundle_operations[] = {
	{ "bundle", NULL, 0, "write the migration as one file for a reviewer",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG | OPERATION_DIALOG,
		bundle_arguments, bundle_run, 0 },
	{ 0 },
};
