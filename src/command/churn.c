/*
 * churn - files, lines added and removed by attempt, against the previous one
 * and against the original.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/json.h"
#include "command/attempt.h"
#include "command/diff.h"
#include "command/groups.h"
#include "workspace/changes_list.h"
#include "workspace/state.h"

static const struct report_column totals_columns[] = {
	{ .name = "attempt", .title = "#", .type = REPORT_TEXT },
	{ .name = "files", .title = "files", .type = REPORT_INTEGER },
	{ .name = "added", .title = "added", .type = REPORT_INTEGER },
	{ .name = "removed", .title = "removed", .type = REPORT_INTEGER },
	{ .name = "previous", .title = NULL, .type = REPORT_JSON },
	{ .name = "original",
		.title = "against the original",
		.type = REPORT_JSON,
		.min_width = 12 },
	{ .name = "reason", .title = "remark", .type = REPORT_TEXT, .min_width = 6 },
};

static const struct report_column file_columns[] = {
	{ .name = "attempt", .title = "#", .type = REPORT_TEXT },
	{ .name = "against", .title = "against", .type = REPORT_TEXT },
	{ .name = "status", .title = "", .type = REPORT_TEXT },
	{ .name = "file", .title = "file", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "old_file", .title = "was", .type = REPORT_TEXT, .min_width = 6 },
	{ .name = "added", .title = "added", .type = REPORT_INTEGER },
	{ .name = "removed", .title = "removed", .type = REPORT_INTEGER },
	{ .name = "binary", .title = "binary", .type = REPORT_BOOL },
};

/* ---- totals ---------------------------------------------------------------------- */

/* TEXT is what people see, and not made where they see none. */
static void put_totals(struct report_table *t, const char *name, const struct change_totals *totals,
	bool for_people, struct buf *json)
{
	const struct { const char *before; int64_t n; } parts[] = {
		{ "{\"files\":", (int64_t)totals->files }, { ",\"added\":", totals->added },
		{ ",\"removed\":", totals->removed }, { ",\"binary\":", (int64_t)totals->binaries },
	};
	char text[80] = "";

	if (!totals->known) {
		report_unknown(t, name);
		return;
	}
	buf_clear(json);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct json_writer w = { .out = json };

		buf_adds(json, parts[i].before);
		json_put_i64(&w, NULL, parts[i].n);
	}
	buf_addc(json, '}');
	if (for_people)
		snprintf(text, sizeof text, "%zuf +%lld -%lld", totals->files,
			(long long)totals->added, (long long)totals->removed);
	report_json(t, name, json->s, text);
}

static void put_count(
	struct report_table *t, const char *name, const struct change_totals *totals, int64_t n)
{
	if (totals->known)
		report_integer(t, name, n);
	else
		report_unknown(t, name);
}

static const char *remark(bool environment_only, const struct attempt_changes *changes)
{
	if (environment_only)
		return "environment only";
	if (*changes->previous.reason)
		return changes->previous.reason;
	return *changes->original.reason ? changes->original.reason : NULL;
}

static void add_totals(struct call *c, const char *id, bool environment_only,
	const struct attempt_changes *changes, struct buf *json)
{
	const struct change_totals *p = &changes->previous;
	struct report_table *t = c->table;

	report_row(t);
	report_text(t, "attempt", id);
	put_count(t, "files", p, (int64_t)p->files);
	put_count(t, "added", p, p->added);
	put_count(t, "removed", p, p->removed);
	put_totals(t, "previous", p, false, json);
	put_totals(t, "original", &changes->original, !c->wants_json, json);
	report_text(t, "reason", remark(environment_only, changes));
}

/* ---- files ----------------------------------------------------------------------- */

static void add_file(
	struct report_table *t, const char *attempt, const char *against, const struct diff_file *f)
{
	report_row(t);
	report_text(t, "attempt", attempt);
	report_text(t, "against", against);
	report_textf(t, "status", "%c", f->status);
	report_text(t, "file", f->path);
	report_text(t, "old_file", strcmp(f->old_path, f->path) != 0 ? f->old_path : NULL);
	report_bool(t, "binary", f->binary);
	if (f->binary)
		return;
	report_integer(t, "added", f->added);
	report_integer(t, "removed", f->removed);
}

static int add_files(struct call *c, const char *attempt, enum change_against against)
{
	static const char *const words[] = { "previous", "original", "other" };
	struct change_question q = { .attempt = attempt, .at = c->at, .against = against };
	struct change change;
	int rc = change_read(&change, c->workspace, &q, c->progress.cancel);

	for (size_t i = 0; rc == 0 && i < change.files.n; i++)
		add_file(c->table, attempt, words[against], &change.files.files[i]);
	if (rc == 0 && *change.missing)
		report_note(
			c->table, "%s against the %s: %s", attempt, words[against], change.missing);
	if (rc == 0 && *change.files.reason)
		report_note(c->table, "%s against the %s: %s", attempt, words[against],
			change.files.reason);
	change_release(&change);
	return rc;
}

/* ---- command --------------------------------------------------------------------- */

static bool wants_original(const struct call *c)
{
	const char *text = call_text(c, "--against");

	return !text || strcmp(text, "both") == 0;
}

static int total_of_one(struct call *c, struct attempt_state *s)
{
	struct attempt_changes *changes;
	struct migration_state *m;
	struct buf json = BUF_INIT;
	int rc = state_migration(c->workspace, c->at, c->arena, &m);

	if (rc == 0)
		rc = changes_of(&changes, c->workspace, &s, 1, m->original,
			wants_original(c) ? 0 : CHANGES_PREVIOUS_ONLY, c->progress.cancel,
			c->arena);
	if (rc == 0)
		add_totals(c, s->id, s->environment_only, &changes[0], &json);
	buf_release(&json);
	return rc;
}

static int files_of_one(struct call *c, const char *id)
{
	int rc = add_files(c, id, AGAINST_PREVIOUS);

	if (rc == 0 && wants_original(c))
		rc = add_files(c, id, AGAINST_ORIGINAL);
	return rc;
}

static int list_all(struct call *c, bool files)
{
	int flags = wants_original(c) ? 0 : CHANGES_PREVIOUS_ONLY;
	struct changes_list list;
	struct buf json = BUF_INIT;
	int rc = changes_list_read(&list, c->workspace, c->at, files ? CHANGES_NONE : flags,
		c->progress.cancel, c->arena);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < list.n && rc == 0; i++) {
		const struct changes_row *row = &list.rows[i];

		if (files)
			rc = files_of_one(c, row->id);
		else
			add_totals(c, row->id, row->environment_only, &row->changes, &json);
	}
	buf_release(&json);
	if (!list.n)
		report_note(c->table,
			"no attempts yet; portside attempt refresh looks for tags, trailers and branches");
	return rc;
}

static int run(struct call *c)
{
	const char *text = call_text(c, "attempt");
	bool files = call_flag(c, "--files");
	struct attempt_state *s;
	int rc;

	c->table = files
		? report_table_new(c->arena, "churn-files", file_columns, ARRAY_LEN(file_columns))
		: report_table_new(c->arena, "churn", totals_columns, ARRAY_LEN(totals_columns));
	if (!text)
		rc = list_all(c, files);
	else if ((rc = state_attempt(c->workspace, text, c->at, c->arena, &s)) == 0)
		rc = files ? files_of_one(c, s->id) : total_of_one(c, s);
	if (rc == 0 && !files && c->table->n_rows)
		report_note(c->table,
			"files, added and removed are against the previous attempt, as git diff --numstat -M counts");
	return rc;
}

static const struct argument arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "only this one", false, false, NULL, "all" },
	{ "--against", ARGUMENT_WORD, "what is compared with", false, false, "previous both",
		"both" },
	{ "--files", ARGUMENT_FLAG, "a row a file", false, false, NULL, NULL },
	{ 0 },
};

const struct operation churn_operations[] = {
	{ "churn", NULL, 0, "files, lines added and removed by attempt",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_LONG, arguments, run, 0 },
	{ 0 },
};
