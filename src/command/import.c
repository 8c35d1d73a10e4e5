/* import - attaches logs and curve files that were made elsewhere. */
#include "config.h"

#include "base/text.h"
#include "command/groups.h"
#include "workspace/import.h"

/* All that was named, and the NULL that ends them. */
static const char *const *paths_of(const struct call *c)
{
	const char **paths;
	size_t n = 0;

	while (call_text_at(c, "file", n))
		n++;
	paths = arena_alloc(c->arena, (n + 1) * sizeof *paths);
	for (size_t i = 0; i <= n; i++)
		paths[i] = call_text_at(c, "file", i);
	return paths;
}

static int import_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "file", .title = "file", .type = REPORT_TEXT },
		{ .name = "format", .title = "read as", .type = REPORT_TEXT },
		{ .name = "size", .title = "size", .type = REPORT_BYTES },
		{ .name = "left", .title = "left because", .type = REPORT_TEXT },
	};
	const char *kind = call_text(c, "--kind");
	struct import_request r = { .subject = call_text(c, "attempt"),
		.paths = paths_of(c),
		.target = call_text(c, "--target"),
		.seed = call_text(c, "--seed"),
		.commit = call_text(c, "--commit") };
	struct imported imported;
	int rc;

	if (kind)
		r.kind = (enum run_kind)word_find(&words_run_kind, kind);
	if ((rc = import_files(&imported, c->workspace, &r, c->arena)) < 0)
		return rc;
	c->table = report_table_new(c->arena, "import", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < imported.n; i++) {
		const struct imported_file *f = &imported.files[i];

		report_row(c->table);
		report_text(c->table, "file", f->name);
		report_text(c->table, "format", *f->format ? f->format : NULL);
		if (!f->left)
			report_integer(c->table, "size", f->size);
		report_text(c->table, "left", f->left);
	}
	if (!imported.run)
		report_note(c->table,
			"nothing was taken: none of these files reads as a curve or a log");
	else if (imported.already)
		report_note(c->table, "known already: run %s of %s", imported.run, r.subject);
	else
		report_note(c->table, "imported: run %s of %s, by %s", imported.run, r.subject,
			workspace_actor(c->workspace)->text);
	c->no = !imported.run;
	return 0;
}

static const struct argument import_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "whose they are: 7, or reference", true, false, NULL, NULL },
	{ "file", ARGUMENT_PATH, "logs, curve files, folders of them", true, true, NULL, NULL },
	{ "--target", ARGUMENT_TARGET, "where they were made", false, false, NULL, "elsewhere" },
	{ "--kind", ARGUMENT_WORD, "of the run that made them", false, false, "smoke full",
		"unknown" },
	{ "--seed", ARGUMENT_INTEGER, "its seed", false, false, NULL, "unknown" },
	{ "--commit", ARGUMENT_TEXT, "its commit", false, false, NULL, "unknown" },
	{ 0 },
};

const struct operation import_operations[] = {
	{ "import", NULL, 0, "attach logs and curve files that were made elsewhere",
		OPERATION_CLI | OPERATION_WRITES | OPERATION_LONG, import_arguments, import_run,
		0 },
	{ 0 },
};
