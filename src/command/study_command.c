/* study_command - `study`: Table I live, as rows of any form. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "command/groups.h"
#include "command/recent.h"
#include "command/study.h"

enum { EXTRA_COLUMNS = 5 };

/* The header of the study's table, column for column: a CSV of its rows is the
 * file itself.  What the export adds comes behind.  Titles are for people and
 * leave out what does not fit. */
static const struct report_column columns[STUDY_COLUMNS + EXTRA_COLUMNS] = {
	{ .name = "n", .title = "#", .type = REPORT_TEXT },
	{ .name = "project", .title = "project", .type = REPORT_TEXT, .min_width = 8 },
	{ .name = "ref", .title = NULL, .type = REPORT_TEXT },
	{ .name = "challenge", .title = "challenge", .type = REPORT_TEXT, .min_width = 6 },
	{ .name = "sub_experiment", .title = NULL, .type = REPORT_TEXT },
	{ .name = "metric", .title = "metric", .type = REPORT_TEXT },
	{ .name = "direction", .title = NULL, .type = REPORT_TEXT },
	{ .name = "paper", .title = "paper", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "gpu", .title = "gpu", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "tpu", .title = "tpu", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "attempts", .title = "att", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "ff", .title = "ff", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "human", .title = "hum", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "human_paren", .title = NULL, .type = REPORT_TEXT },
	{ .name = "level_first", .title = "first", .type = REPORT_TEXT },
	{ .name = "level_claimed", .title = "claim", .type = REPORT_TEXT },
	{ .name = "level_measured", .title = "meas", .type = REPORT_TEXT },
	{ .name = "silent", .title = "sil", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "churn_files", .title = "files", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "churn_added", .title = "+", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "churn_deleted", .title = "-", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "agent_usd", .title = "$", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "agent_h", .title = "h", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "time_gpu_min", .title = "gpu min", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "time_tpu_min", .title = "tpu min", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "cost_gpu_usd", .title = "gpu $", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "cost_tpu_usd", .title = "tpu $", .type = REPORT_TEXT, .align = REPORT_RIGHT },
	{ .name = "footnotes", .title = NULL, .type = REPORT_TEXT },
	{ .name = "inherited", .title = NULL, .type = REPORT_TEXT },
	{ .name = "configuration", .title = NULL, .type = REPORT_TEXT },
	{ .name = "gap_examples", .title = NULL, .type = REPORT_TEXT },
	{ .name = "resolution", .title = NULL, .type = REPORT_TEXT },
	{ .name = "workload_equivalent", .title = NULL, .type = REPORT_TEXT },
};

static const char *or_unknown(const char *s)
{
	return *s ? s : NULL;
}

static void add_extra(struct report_table *t, const struct study_extra *e)
{
	const char *const cells[EXTRA_COLUMNS] = { e->inherited, e->configuration, e->gap_examples,
		e->resolution, e->workload_equivalent };

	for (int c = 0; c < EXTRA_COLUMNS; c++)
		report_text(t, columns[STUDY_COLUMNS + c].name, or_unknown(cells[c]));
}

static void add_row(struct report_table *t, const struct study_line *l)
{
	report_row(t);
	for (int c = 0; c < STUDY_COLUMNS; c++)
		report_text(t, columns[c].name, or_unknown(l->row.cells[c]));
}

static void add_legend(struct report_table *t)
{
	static const char *const lines[] = { STUDY_LEGEND };

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		report_note(t, "%s", lines[i]);
}

static void add_notes(struct report_table *t, const struct study_lines *s)
{
	struct buf b = BUF_INIT;

	if (t->n_rows)
		add_legend(t);
	for (size_t i = 0; i < s->n; i++) {
		const struct study_line *l = &s->lines[i];

		if (*l->error)
			report_note(t, "%s: %s", l->directory, l->error);
		for (size_t k = 0; k < l->n_needs; k++)
			report_note(t, "%s needs you: %s", l->row.cells[STUDY_PROJECT],
				l->needs[k].text);
		if (!*l->row.cells[STUDY_FOOTNOTES])
			continue;
		buf_clear(&b);
		study_add_footnotes(&b, l->row.cells[STUDY_FOOTNOTES]);
		report_note(t, "%s: marked in the table: %s", l->row.cells[STUDY_PROJECT], b.s);
	}
	buf_clear(&b);
	study_add_totals(&b, s);
	for (char *line = b.s, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		report_note(t, "%s", line);
	}
	buf_release(&b);
}

static size_t count_given(const struct call *c)
{
	size_t n = 0;

	while (call_text_at(c, "directory", n))
		n++;
	return n;
}

/* The folders that were named, else the list of those that were opened. */
static int directories_of(const char ***out, size_t *n, struct call *c)
{
	*n = count_given(c);
	if (!*n)
		return recent_list(out, n, c->arena);
	*out = arena_alloc(c->arena, *n * sizeof **out);
	for (size_t i = 0; i < *n; i++)
		(*out)[i] = call_text_at(c, "directory", i);
	return 0;
}

static int study_run(struct call *c)
{
	struct study_request q = { .with_study = !call_flag(c, "--mine"),
		.cancel = c->progress.cancel };
	const char **directories = NULL;
	struct study_lines s;
	bool paper;
	int rc = 0;

	if (call_flag(c, "--mine") && call_flag(c, "--paper"))
		return err_set(ERR_USAGE,
			"--mine leaves the study's rows out and --paper leaves the others out: give one of them");
	if (!call_flag(c, "--paper"))
		rc = directories_of(&directories, &q.n, c);
	q.directories = directories;
	if (rc == 0)
		rc = study_lines_read(&s, &q, c->arena);
	if (rc < 0)
		return rc;
	paper = call_flag(c, "--paper");
	c->table = report_table_new(
		c->arena, "study", columns, paper ? STUDY_COLUMNS : ARRAY_LEN(columns));
	for (size_t i = 0; i < s.n; i++) {
		if (*s.lines[i].error)
			continue;
		add_row(c->table, &s.lines[i]);
		if (!paper)
			add_extra(c->table, &s.lines[i].extra);
	}
	add_notes(c->table, &s);
	return 0;
}

static const struct argument study_arguments[] = {
	{ "directory", ARGUMENT_PATH, "migrations; else your list and those opened here", false,
		true, NULL, NULL },
	{ "--mine", ARGUMENT_FLAG, "without the study's own rows", false, false, NULL, NULL },
	{ "--paper", ARGUMENT_FLAG, "the study's own rows alone, as they were printed", false,
		false, NULL, NULL },
	{ 0 },
};

const struct operation study_operations[] = {
	{ "study", NULL, 0, "many migrations side by side, as the study's Table I",
	  OPERATION_CLI | OPERATION_NO_WORKSPACE | OPERATION_LONG, study_arguments, study_run, 0 },
	{ 0 },
};
