/* evidence_run - see evidence_run.h. */
#include "config.h"

#include "command/evidence_run.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/triage.h"
#include "workspace/contract_again.h"
#include "workspace/run_parsed.h"
#include "workspace/state.h"

static const struct report_column file_columns[] = {
	{ .name = "file", .title = "file", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "parser", .title = "read as", .type = REPORT_TEXT, .min_width = 10 },
	{ .name = "facts", .title = "facts", .type = REPORT_INTEGER },
	{ .name = "health", .title = "health", .type = REPORT_TEXT, .min_width = 10 },
	{ .name = "recorded", .title = "on record", .type = REPORT_BOOL },
	{ .name = "who", .title = "brought by", .type = REPORT_TEXT },
	{ .name = "left", .title = "not used because", .type = REPORT_TEXT },
	{ .name = "digest", .title = "sha256", .type = REPORT_TEXT, .min_width = 12 },
	{ .name = "size", .title = NULL, .type = REPORT_BYTES },
	{ .name = "version", .title = NULL, .type = REPORT_ID },
	{ .name = "changed", .title = NULL, .type = REPORT_BOOL },
};

/* The file comes first, so that one file has the columns behind it. */
const struct report_column evidence_fact_columns[] = {
	{ .name = "file", .title = "file", .type = REPORT_TEXT },
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
const size_t evidence_fact_columns_n = ARRAY_LEN(evidence_fact_columns);

void evidence_put_fact(struct report_table *t, const char *file,
	const struct evidence_facts *facts, const struct evidence_fact *f)
{
	const struct evidence_fact_row *row = &evidence_fact_names[f->name];
	const char *unit = evidence_unit_words[row->unit];
	struct buf value = BUF_INIT;

	evidence_fact_add_value(&value, f);
	report_row(t);
	if (file)
		report_text(t, "file", file);
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
	report_text(t, "unit", *unit ? unit : NULL);
	report_text(t, "parser", facts->parser);
	report_integer(t, "version", facts->version);
	buf_release(&value);
}

static void put_digest(struct report_table *t, const struct digest *digest)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, digest);
	if (!digest_is_zero(digest))
		report_text(t, "digest", hex);
}

static void put_file(struct report_table *t, const struct run_parsed_file *f)
{
	struct buf health = BUF_INIT;

	evidence_health_add_line(&health, &f->facts->health);
	report_row(t);
	report_text(t, "file", f->name);
	report_text(t, "parser", f->parser);
	report_integer(t, "facts", (int64_t)f->facts->n);
	report_text(t, "health", health.s);
	report_bool(t, "recorded", f->recorded);
	report_text(t, "who", *f->who ? f->who : NULL);
	put_digest(t, &f->digest);
	report_integer(t, "size", f->size_bytes);
	report_integer(t, "version", f->version);
	report_bool(t, "changed", false);
	buf_release(&health);
}

static void put_left(struct report_table *t, const struct run_parsed_left *l)
{
	report_row(t);
	report_text(t, "file", l->name);
	report_text(t, "left", l->why);
	put_digest(t, &l->digest);
	report_bool(t, "changed", l->changed);
}

static void put_facts(struct call *c, const struct run_parsed *p)
{
	size_t details = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->files[i].facts->n; k++) {
			const struct evidence_fact *f = &p->files[i].facts->rows[k];

			if (f->detail && !call_flag(c, "--details"))
				details++;
			else
				evidence_put_fact(c->table, p->files[i].name, p->files[i].facts, f);
		}
	if (details)
		report_note(c->table, "%zu details are not shown; --details shows them", details);
}

/* Evidence of an optimized run says nothing of a contract that was run before it. */
static int note_contract(struct call *c, struct workspace *ws, const struct run_state *run)
{
	const struct position *at = c->workspace ? c->at : NULL;
	struct contract_again again;
	struct attempt_state *s;
	int rc = state_attempt(ws, run->attempt, at, c->arena, &s);

	if (rc == ERR_NOT_FOUND) {
		err_clear();
		return 0;
	}
	if (rc == 0)
		rc = contract_again_read(&again, ws, s, run->configuration, at, c->arena);
	if (rc == 0 && *again.owes)
		report_note(c->table, "%s", again.owes);
	return rc;
}

int evidence_run_show(struct call *c, struct workspace *ws, const char *subject)
{
	struct run_parsed_limits limits = { .cancel = c->progress.cancel };
	bool facts = call_flag(c, "--facts") || call_flag(c, "--details");
	struct run_parsed parsed = { .n = 0 };
	struct run_state *run;
	int rc = triage_find_run(&run, ws, c->workspace ? c->at : NULL, subject, c->arena);

	if (rc == 0)
		rc = run_parsed_read_within(&parsed, ws, run, &limits, c->arena);
	if (rc == 0) {
		c->table = report_table_new(c->arena, "evidence",
			facts ? evidence_fact_columns : file_columns,
			facts ? evidence_fact_columns_n : ARRAY_LEN(file_columns));
		for (size_t i = 0; !facts && i < parsed.n; i++)
			put_file(c->table, &parsed.files[i]);
		for (size_t i = 0; !facts && i < parsed.left_n; i++)
			put_left(c->table, &parsed.left[i]);
		if (facts)
			put_facts(c, &parsed);
		report_note(c->table, "run %s of %s: %zu file%s read, %zu not used", run->id,
			run->attempt, parsed.n, parsed.n == 1 ? "" : "s", parsed.left_n);
		rc = note_contract(c, ws, run);
		if (parsed.full)
			report_note(c->table, "it has more files than are looked at: %d",
				RUN_PARSED_FILES_MAX);
	}
	run_parsed_release(&parsed);
	return rc;
}
