/*
 * evidence - what a file tells, or the files of a run: the facts that parsers read, each
 * with its line.
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/evidence_run.h"
#include "command/groups.h"
#include "command/open.h"
#include "command/triage.h"
#include "evidence/evidence_bytes.h"
#include "evidence/evidence_format.h"

static void add_format(
	struct call *c, const struct evidence_format *format, const struct evidence_source *source)
{
	struct evidence_facts facts = EVIDENCE_FACTS_INIT;
	struct buf health = BUF_INIT;
	size_t details = 0;

	evidence_format_parse(&facts, format, source);
	for (size_t i = 0; i < facts.n; i++) {
		if (facts.rows[i].detail && !call_flag(c, "--details"))
			details++;
		else
			evidence_put_fact(c->table, NULL, &facts, &facts.rows[i]);
	}
	evidence_health_add_line(&health, &facts.health);
	report_note(c->table, "%s: %s", format->title, health.s);
	if (details)
		report_note(c->table, "%zu details are not shown; --details shows them", details);
	buf_release(&health);
	evidence_facts_release(&facts);
}

static int add_formats(struct call *c, const struct evidence_source *source)
{
	const struct evidence_format *format = NULL;
	const char *name = call_text(c, "--as");
	size_t n = 0;

	if (name) {
		format = evidence_format_find(name);
		if (!format)
			return err_set(ERR_USAGE,
				"%s is no format of evidence; portside help evidence lists them",
				name);
		add_format(c, format, source);
		return 0;
	}
	for (; !call_cancelled(c) && (format = evidence_format_recognise(source, format)); n++)
		add_format(c, format, source);
	if (!n)
		report_note(c->table, "nothing in this file is evidence of a known format");
	return call_cancelled(c) ? err_set(ERR_CANCELLED, "cancelled") : 0;
}

static int look_at_file(struct call *c, const char *path)
{
	struct evidence_bytes bytes;
	int fd = fs_open_file(path), rc;

	if (fd < 0)
		return fd;
	c->table = report_table_new(
		c->arena, "evidence", evidence_fact_columns + 1, evidence_fact_columns_n - 1);
	rc = evidence_bytes_read(&bytes, fd, path, NULL, c->progress.cancel);
	if (rc == 0) {
		struct evidence_source source = { bytes.s, bytes.n, fs_basename(path),
			call_text(c, "--command") };

		rc = add_formats(c, &source);
		evidence_bytes_release(&bytes);
	}
	close(fd);
	return rc;
}

/* A run or an attempt of the migration at hand. */
static int look_at_run(struct call *c, const char *subject)
{
	struct open_options how = { .directory = c->directory, .read_only = true };
	struct opened opened = { 0 };
	int rc;

	if (c->workspace)
		return evidence_run_show(c, c->workspace, subject);
	rc = open_migration(&opened, NULL, &how);
	if (rc == 0)
		rc = evidence_run_show(c, opened.workspace, subject);
	else
		rc = err_prefix("%s is no file, and for a run or an attempt of it: ",
			text_sanitised(c->arena, subject));
	opened_release(&opened);
	return rc;
}

static int run(struct call *c)
{
	const char *subject = call_text(c, "subject");
	const char *path = fs_join(c->arena, c->directory ? c->directory : ".", subject);
	bool number = subject[strspn(subject, "0123456789")] == '\0';

	if (!number && fs_exists(path))
		return look_at_file(c, path);
	if (triage_is_like_path(subject))
		return err_set(ERR_NOT_FOUND, "there is no file %s; give the path of a file, a run or an attempt",
			text_sanitised(c->arena, subject));
	return look_at_run(c, subject);
}

static const struct argument arguments[] = {
	{ "subject", ARGUMENT_PATH, "a file, or a run or an attempt: its files", true, false, NULL,
		NULL },
	{ "--as", ARGUMENT_WORD, "its format, where it is not recognised", false, false,
		"xla-metrics xla-debug xla-profiler xla-log torchtpu tpu-info nvidia-smi packages "
		"settings-printed settings-json settings-yaml environment",
		"by content" },
	{ "--command", ARGUMENT_TEXT, "what printed it: its columns", false, false, NULL, NULL },
	{ "--facts", ARGUMENT_FLAG, "of a run: the facts of all its files", false, false, NULL, NULL },
	{ "--details", ARGUMENT_FLAG, "every value of every report", false, false, NULL, NULL },
	{ 0 },
};

const struct operation evidence_operations[] = {
	{ "evidence", NULL, 0, "the facts that a file, or those of a run, tell",
		OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, arguments, run, 0 },
	{ 0 },
};
