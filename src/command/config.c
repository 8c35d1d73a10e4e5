/*
 * config - portside.conf: what it says, what rules, and accepting it.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "command/config_facts.h"
#include "command/groups.h"
#include "command/screen_operation.h"
#include "workspace/accepted.h"
#include "workspace/goal_checks.h"
#include "workspace/state.h"

/* ---- config keys ---------------------------------------------------------- */

static int config_keys_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "section", .title = "section", .type = REPORT_TEXT },
		{ .name = "key", .title = "key", .type = REPORT_TEXT },
		{ .name = "type", .title = "value", .type = REPORT_TEXT },
		{ .name = "default", .title = "default", .type = REPORT_TEXT },
		{ .name = "repeats", .title = NULL, .type = REPORT_BOOL },
		{ .name = "required", .title = NULL, .type = REPORT_BOOL },
		{ .name = "help", .title = "meaning", .type = REPORT_TEXT },
	};

	c->table = report_table_new(c->arena, "configuration keys", columns, ARRAY_LEN(columns));
	for (size_t i = 0; i < config_keys_n; i++) {
		const struct config_key *k = &config_keys[i];

		report_row(c->table);
		report_textf(c->table, "section", k->named ? "[%s \"NAME\"]" : "[%s]", k->section);
		report_text(c->table, "key", k->key);
		report_text(c->table, "type", config_type_help(k->type));
		report_text(c->table, "default", *k->otherwise ? k->otherwise : NULL);
		report_bool(c->table, "repeats", k->repeats);
		report_bool(c->table, "required", k->required);
		report_text(c->table, "help", k->help);
	}
	return 0;
}

/* ---- config --------------------------------------------------------------- */

static const char *const state_names[] = {
	[ACCEPTED_NO_FILE] = "no file",
	[ACCEPTED_NEVER] = "not accepted",
	[ACCEPTED_CURRENT] = "accepted",
	[ACCEPTED_CHANGED] = "changed since accepted",
	[ACCEPTED_INVALID] = "invalid",
	[ACCEPTED_GONE] = "file is gone, accepted text rules",
};

static int config_show_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "key", .title = "key", .type = REPORT_TEXT },
		{ .name = "text",
			.title = "what differs from the version in force",
			.type = REPORT_TEXT },
		{ .name = "loosened", .title = "loosened", .type = REPORT_BOOL },
	};
	/* Before the first acceptance there is nothing that could be loosened. */
	static const struct report_column first[] = {
		{ .name = "key", .title = "key", .type = REPORT_TEXT },
		{ .name = "text", .title = "what would be in force", .type = REPORT_TEXT },
		{ .name = "loosened", .title = NULL, .type = REPORT_BOOL },
	};
	struct accepted accepted;
	int rc = accepted_read(&accepted, c->workspace, c->at);

	if (rc < 0)
		return rc;
	c->table = report_table_new(c->arena, "configuration",
		accepted.has_accepted ? columns : first, ARRAY_LEN(columns));
	for (size_t i = 0; accepted.has_file && i < accepted.differences.n; i++) {
		report_row(c->table);
		report_text(c->table, "key", accepted.differences.list[i].key);
		report_text(c->table, "text", accepted.differences.list[i].text);
		report_bool(c->table, "loosened", accepted.differences.list[i].loosened);
	}
	report_note(c->table, "portside.conf: %s", state_names[accepted.state]);
	if (*accepted.sentence)
		report_note(c->table, "%s", accepted.sentence);
	for (size_t i = 0; accepted.has_file && i < accepted.file.errors_n; i++)
		report_note(c->table, "%s", accepted.file.errors[i].text);
	c->no = accepted.state != ACCEPTED_CURRENT;
	accepted_release(&accepted);
	return 0;
}

static const char *changes_text(struct arena *a, const struct config_facts *f)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < f->n; i++)
		buf_addf(&b, "%s%s\n",
			!f->changes[i].loosened    ? ""
				: f->after_failure ? "! LOOSENED AFTER FAILURE "
						   : "! LOOSENED ",
			f->changes[i].text);
	buf_trim_end(&b);
	text = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return text;
}

int config_facts_read(struct config_facts *out, struct workspace *ws, struct arena *a)
{
	struct migration_state *m;
	struct accepted accepted;
	char hex[DIGEST_HEX + 1] = "";
	int rc = accepted_read(&accepted, ws, NULL);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	if (accepted.has_file)
		digest_hex(hex, &accepted.file_digest);
	out->state = accepted.state;
	out->sentence = text_sanitised(a, accepted.sentence);
	out->n = accepted.has_file ? accepted.differences.n : 0;
	out->loosened = accepted.has_file ? accepted.differences.loosened : 0;
	out->changes = arena_alloc(a, out->n * sizeof *out->changes);
	for (size_t i = 0; i < out->n; i++) {
		out->changes[i].key = text_sanitised(a, accepted.differences.list[i].key);
		out->changes[i].text = text_sanitised(a, accepted.differences.list[i].text);
		out->changes[i].loosened = accepted.differences.list[i].loosened;
	}
	out->n_errors = accepted.has_file ? accepted.file.errors_n : 0;
	out->errors = arena_alloc(a, out->n_errors * sizeof *out->errors);
	for (size_t i = 0; i < out->n_errors; i++)
		out->errors[i] = text_sanitised(a, accepted.file.errors[i].text);
	accepted_release(&accepted);
	if ((rc = state_migration(ws, NULL, a, &m)) < 0)
		return rc;
	out->after_failure = m->counts.failures > 0;
	out->digest = arena_strdup(a, hex);
	out->text = changes_text(a, out);
	return 0;
}

/* What was put in force is told again, so that nobody accepts what they did not read. */
static int config_accept_run(struct call *c)
{
	struct config_facts f;
	int rc = config_facts_read(&f, c->workspace, c->arena);

	if (rc == 0)
		rc = accepted_accept_seen(c->workspace, NULL, call_text(c, "--reason"),
			call_text(c, "--seen"), c->arena);
	if (rc < 0)
		return rc;
	rc = goal_checks_record_all(c->workspace, c->progress.cancel, c->arena);
	if (rc < 0)
		return err_prefix(
			"portside.conf is in force, but its goals were not all held against the "
			"curves (portside check N does it): ");
	if (*f.text && !c->from_screen && !c->wants_json)
		buf_addf(&c->text, "%s\n", f.text);
	c->message = f.loosened
		? arena_printf(c->arena,
			  "portside.conf is in force from here; %zu loosened%s, marked for ever",
			  f.loosened, f.after_failure ? " after failure" : "")
		: "portside.conf is in force from here";
	return 0;
}

static const struct argument accept_arguments[] = {
	{ "--reason", ARGUMENT_TEXT, "why; required when something is loosened", false, false, NULL,
		NULL },
	{ "--seen", ARGUMENT_TEXT, "refuse when the file is not the one with this SHA-256", false,
		false, NULL, NULL },
	{ 0 },
};

const struct operation config_operations[] = {
	{ "config", NULL, 0, "what portside.conf says beside the version in force", OPERATION_CLI,
		NULL, config_show_run, 0 },
	{ "config accept", NULL, 0, "put portside.conf in force, after showing what changes",
		OPERATION_CLI | OPERATION_SCREEN | OPERATION_WRITES | OPERATION_PERSON |
			OPERATION_DIALOG,
		accept_arguments, config_accept_run, SCREEN_ACCEPT },
	{ "config keys", NULL, 0, "every key of portside.conf with type and default",
		OPERATION_CLI | OPERATION_NO_WORKSPACE, NULL, config_keys_run, 0 },
	{ 0 },
};
