/*
 * init - proposes portside.conf and starts the migration.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "command/groups.h"
#include "workspace/discover.h"
#include "workspace/init.h"

/* What was found stands beside the file for a person and a program alike. */
static void list_facts(struct call *c, const struct init_proposal *p)
{
	static const struct report_column columns[] = {
		{ .name = "what", .title = "what", .type = REPORT_TEXT },
		{ .name = "value", .title = "found", .type = REPORT_TEXT },
		{ .name = "where", .title = "where", .type = REPORT_TEXT },
	};

	c->table = report_table_new(c->arena, "init", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < p->n; i++) {
		report_row(c->table);
		report_text(c->table, "what", p->facts[i].what);
		if (*p->facts[i].value)
			report_text(c->table, "value", p->facts[i].value);
		else
			report_unknown(c->table, "value");
		report_text(c->table, "where", p->facts[i].where);
	}
}

static int start(struct call *c, const struct init_proposal *p)
{
	struct discover_options all = { .all = true, .cancel = c->progress.cancel };
	struct discovered d;
	const char *path;
	int rc = init_write(&path, c->workspace, p->text);

	if (rc < 0)
		return rc;
	list_facts(c, p);
	report_note(c->table, "written: %s", path);
	/* An agent may propose; what it finds is recorded by the next person. */
	if (!workspace_read_only(c->workspace)) {
		if ((rc = discover(&d, c->workspace, &all, c->arena)) < 0)
			return err_prefix("%s is written, but no attempt was looked for: ", path);
		report_note(c->table, "%zu attempt%s found. %s", d.attempts,
			d.attempts == 1 ? "" : "s", d.original);
	}
	report_note(
		c->table, "read it, fill in what has a semicolon, then: portside config accept");
	return 0;
}

static int init_run(struct call *c)
{
	struct init_proposal p;
	int rc;

	if (call_flag(c, "--write") && c->read_only)
		return err_set(ERR_REFUSED,
			"init --write writes portside.conf, and --read-only was given");
	rc = init_propose(&p, c->workspace, c->progress.cancel, c->arena);
	if (rc < 0)
		return rc;
	if (call_flag(c, "--write"))
		return start(c, &p);
	if (c->wants_json) {
		list_facts(c, &p);
		report_row(c->table);
		report_text(c->table, "what", "portside.conf");
		report_text(c->table, "value", p.text);
		report_text(c->table, "where", "proposal");
		return 0;
	}
	buf_adds(&c->text, p.text);
	c->message = arena_printf(c->arena,
		"%zu of %zu things were found, the others are lines to fill in. "
		"Nothing was written: portside init --write makes portside.conf",
		p.n - p.open, p.n);
	return 0;
}

static const struct argument init_arguments[] = {
	{ "--write", ARGUMENT_FLAG, "write portside.conf when there is none", false, false, NULL,
		NULL },
	{ 0 },
};

const struct operation init_operations[] = {
	{ "init", NULL, 0, "propose portside.conf from what the repository holds",
	  OPERATION_CLI | OPERATION_LONG, init_arguments, init_run, 0 },
	{ 0 },
};
