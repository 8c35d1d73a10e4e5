/*
 * evidence - what a file tells: the facts that its parser reads, each with its line.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/groups.h"
#include "evidence/evidence_format.h"

/* A log is looked at whole. */
enum { FILE_MAX_BYTES = 1024 * 1024 * 1024 };

static const struct report_column columns[] = {
	{ .name = "line", .title = "line", .type = REPORT_ID },
	{ .name = "fact", .title = "fact", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "of", .title = "of", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "value", .title = "value", .type = REPORT_TEXT, .min_width = 10 },
	{ .name = "certainty", .title = "certainty", .type = REPORT_TEXT },
	{ .name = "text", .title = "as printed", .type = REPORT_TEXT, .min_width = 10 },
	{ .name = "group", .title = NULL, .type = REPORT_ID },
	{ .name = "number", .title = NULL, .type = REPORT_DOUBLE },
	{ .name = "unit", .title = NULL, .type = REPORT_TEXT },
	{ .name = "parser", .title = NULL, .type = REPORT_TEXT },
	{ .name = "version", .title = NULL, .type = REPORT_ID },
};

static void add_fact(
	struct call *c, const struct evidence_facts *facts, const struct evidence_fact *f)
{
	const struct evidence_fact_row *row = &evidence_fact_names[f->name];
	struct report_table *t = c->table;
	struct buf value = BUF_INIT;

	evidence_fact_add_value(&value, f);
	report_row(t);
	if (f->line)
		report_integer(t, "line", f->line);
	report_text(t, "fact", row->text);
	report_text(t, "of", *f->key ? f->key : NULL);
	report_text(t, "value", value.n ? value.s : NULL);
	report_text(t, "certainty", evidence_certainty_words[f->certainty]);
	report_text(t, "text", *f->text && strcmp(f->text, value.s) != 0 ? f->text : NULL);
	if (f->group >= 0)
		report_integer(t, "group", f->group);
	if (f->is_number)
		report_double(t, "number", f->number);
	report_text(
		t, "unit", *evidence_unit_words[row->unit] ? evidence_unit_words[row->unit] : NULL);
	report_text(t, "parser", facts->parser);
	report_integer(t, "version", facts->version);
	buf_release(&value);
}

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
			add_fact(c, &facts, &facts.rows[i]);
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

static int run(struct call *c)
{
	const char *path = call_text(c, "file");
	struct evidence_source source = { .bytes = "" };
	struct buf text = BUF_INIT;
	int rc;

	c->table = report_table_new(c->arena, "evidence", columns, ARRAY_LEN(columns));
	if (c->directory)
		path = fs_join(c->arena, c->directory, path);
	rc = fs_read(&text, path, FILE_MAX_BYTES);
	if (rc == 0) {
		source = (struct evidence_source){ text.s, text.n, fs_basename(path),
			call_text(c, "--command") };
		rc = add_formats(c, &source);
	}
	buf_release(&text);
	return rc;
}

static const struct argument arguments[] = {
	{ "file", ARGUMENT_PATH, "a log, a report, a list of packages", true, false, NULL, NULL },
	{ "--as", ARGUMENT_WORD, "its format, where it is not recognised", false, false,
		"xla-metrics xla-debug xla-profiler xla-log torchtpu tpu-info nvidia-smi packages "
		"settings-printed settings-json settings-yaml environment",
		"by content" },
	{ "--command", ARGUMENT_TEXT, "what printed it: its columns", false, false, NULL, NULL },
	{ "--details", ARGUMENT_FLAG, "every value of every report", false, false, NULL, NULL },
	{ 0 },
};

const struct operation evidence_operations[] = {
	{ "evidence", NULL, 0, "the facts that a file tells, with their lines",
		OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, arguments, run, 0 },
	{ 0 },
};
