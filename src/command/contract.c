/*
 * contract - contract.json: what it says, accepting it, running it, and what came of it.
 */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/contract_export.h"
#include "command/groups.h"
#include "command/run_call.h"
#include "workspace/contract_results.h"
#include "workspace/contract_run.h"
#include "workspace/goal_checks.h"
#include "workspace/state.h"

/* ---- show ---- */

static const struct report_column case_columns[] = {
	{ .name = "case", .title = "case", .type = REPORT_TEXT },
	{ .name = "role", .title = "role", .type = REPORT_TEXT },
	{ .name = "kind", .title = "kind", .type = REPORT_TEXT },
	{ .name = "type", .title = "type", .type = REPORT_TEXT },
	{ .name = "tolerance", .title = "tolerance", .type = REPORT_TEXT },
	{ .name = "reason", .title = NULL, .type = REPORT_TEXT },
	{ .name = "why", .title = "why it is right", .type = REPORT_TEXT, .min_width = 16 },
};

/* As it stands in the contract; "by type" where nobody chose one. */
static const char *tolerance_text(const struct contract_case *c, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	contract_tolerance_add(&b, &c->tolerance);
	text = b.n ? arena_strdup(a, b.s)
		: c->kind == CONTRACT_NUMBER || c->kind == CONTRACT_TENSOR ? "by type"
									   : "exact";
	buf_release(&b);
	return text;
}

static void put_cases(struct report_table *t, const struct contract *c, struct arena *a)
{
	for (size_t i = 0; i < c->cases_n; i++) {
		const struct contract_case *one = &c->cases[i];

		report_row(t);
		report_text(t, "case", one->id);
		report_text(t, "role", word_name(&words_contract_role, (int)one->role));
		report_text(t, "kind", word_name(&words_contract_kind, (int)one->kind));
		report_text(t, "type", *one->type ? one->type : NULL);
		report_text(t, "tolerance", tolerance_text(one, a));
		report_text(t, "reason", *one->tolerance.reason ? one->tolerance.reason : NULL);
		report_text(t, "why", one->why);
	}
}

static void note_mistakes(struct report_table *t, const struct contract *c)
{
	for (size_t i = 0; i < c->errors_n; i++)
		report_note(t, "%s: %s", CONTRACT_FILE, c->errors[i]);
	if (c->errors_more)
		report_note(t, "and %zu more", c->errors_more);
}

static void note_history(struct report_table *t, const struct contract_file *f)
{
	if (f->late)
		report_note(t,
			"accepted after the first target run: nobody can tell "
			"whether it was made to fit");
	for (size_t i = 0; i < f->loosened_n; i++)
		report_note(t, "%s was loosened%s by %s, %s", f->loosened[i].key,
			f->loosened[i].after_failure ? " after failure" : "", f->loosened[i].who,
			f->loosened[i].time);
}

static void note_file(struct report_table *t, const struct contract_file *f)
{
	char hex[DIGEST_HEX + 1];

	if (f->has_accepted) {
		digest_hex(hex, &f->in_force_digest);
		report_note(t, "in force: %s", hex);
	}
	if (f->has_file && f->state != ACCEPTED_CURRENT) {
		digest_hex(hex, &f->file_digest);
		report_note(t, "the file: %s", hex);
	}
	if (*f->sentence)
		report_note(t, "%s", f->sentence);
	note_history(t, f);
	for (size_t i = 0; f->has_file && i < f->differences.n; i++)
		report_note(t, "%s%s",
			!f->differences.list[i].loosened ? ""
				: f->failed		 ? "LOOSENED AFTER FAILURE "
							 : "LOOSENED ",
			f->differences.list[i].text);
	if (f->has_file && f->state == ACCEPTED_INVALID)
		note_mistakes(t, &f->file);
}

static int show_run(struct call *c)
{
	struct contract_file f;
	const struct contract *shown;
	int rc = contract_file_read(&f, c->workspace, c->at);

	if (rc < 0)
		return rc;
	shown = f.has_accepted ? &f.in_force : &f.file;
	c->table = report_table_new(
		c->arena, "contract", case_columns, ARRAY_LEN(case_columns));
	put_cases(c->table, shown, c->arena);
	if (f.has_accepted || f.has_file)
		report_note(c->table, "%s; model %s; %s", shown->task, shown->model,
			shown->configuration);
	note_file(c->table, &f);
	c->no = f.state != ACCEPTED_CURRENT;
	contract_file_release(&f);
	return 0;
}

/* ---- check ---- */

static int check_run(struct call *c)
{
	static const struct report_column columns[] = {
		{ .name = "mistake", .title = "mistake", .type = REPORT_TEXT },
	};
	const char *path = call_text(c, "file");
	struct buf text = BUF_INIT;
	struct contract contract;
	int rc = fs_read(&text, path, CONTRACT_BYTES_MAX);

	if (rc == 0) {
		if (contract_read(&contract, text.s, text.n, contract_knows_type) < 0)
			err_clear();
		c->table = report_table_new(c->arena, "mistakes", columns, ARRAY_LEN(columns));
		for (size_t i = 0; i < contract.errors_n; i++) {
			report_row(c->table);
			report_text(c->table, "mistake", contract.errors[i]);
		}
		if (contract.errors_more)
			report_note(c->table, "and %zu more", contract.errors_more);
		if (!contract.errors_n)
			report_note(c->table,
				"%zu cases, no mistake; portside contract accept "
				"puts it in force",
				contract.cases_n);
		c->no = contract.errors_n > 0;
		contract_release(&contract);
	}
	buf_release(&text);
	return rc;
}

/* ---- accept ---- */

static int accept_run(struct call *c)
{
	struct contract_file f;
	int rc = contract_file_read(&f, c->workspace, NULL);

	if (rc < 0)
		return rc;
	for (size_t i = 0; f.has_file && i < f.differences.n && !c->from_screen && !c->wants_json;
		i++)
		buf_addf(&c->text, "%s%s\n",
			!f.differences.list[i].loosened ? ""
				: f.failed              ? "! LOOSENED AFTER FAILURE "
							: "! LOOSENED ",
			text_sanitised(c->arena, f.differences.list[i].text));
	rc = contract_accept(
		c->workspace, call_text(c, "--reason"), call_text(c, "--seen"), c->arena);
	if (rc == 0)
		c->message = f.differences.loosened
			? arena_printf(c->arena,
				  "contract.json is in force from here; %zu "
				  "loosened%s, marked for ever",
				  f.differences.loosened, f.failed ? " after failure" : "")
			: "contract.json is in force from here";
	contract_file_release(&f);
	return rc;
}

/* ---- run ---- */

static int bring(struct call *c, const struct contract_run_request *r, const char *path)
{
	const char *run;
	bool already;
	int rc = contract_import(&run, &already, c->workspace, r, path, c->arena);

	if (rc == 0)
		c->message = arena_printf(c->arena,
			already ? "the same outputs are there already, as run %s"
				: "run %s: outputs that were brought; portside contract "
				  "compare judges them",
			run);
	return rc;
}

static int run_run(struct call *c)
{
	const char *outputs = call_text(c, "--outputs"), *label = call_text(c, "--label");
	struct contract_run_request r = {
		.subject = call_text(c, "attempt"),
		.target = call_text(c, "--target"),
		.label = label ? run_label_of(label) : RUN_LABEL_NONE,
		.program = c->program,
		.again = call_flag(c, "--again"),
		.probe = call_flag(c, "--probe"),
	};
	struct run_started started;
	int rc;

	if (outputs)
		return bring(c, &r, outputs);
	if (!r.target)
		r.target = "";
	rc = contract_run(&started, c->workspace, &r, c->arena);
	if (rc == 0 && call_flag(c, "--wait") && c->out_fd >= 0)
		return run_call_follow(c, &started);
	if (rc == 0)
		c->message = arena_printf(c->arena,
			"run %s of the contract: %s on %s; when it has "
			"ended: portside contract compare %s",
			started.run, r.subject, r.target, r.subject);
	return rc;
}

/* ---- compare ---- */

static const struct report_column compare_columns[] = {
	{ .name = "case", .title = "case", .type = REPORT_TEXT },
	{ .name = "role", .title = NULL, .type = REPORT_TEXT },
	{ .name = "kind", .title = "kind", .type = REPORT_TEXT },
	{ .name = "outcome", .title = "outcome", .type = REPORT_TEXT },
	{ .name = "code", .title = "code", .type = REPORT_TEXT },
	{ .name = "reference", .title = "reference", .type = REPORT_TEXT },
	{ .name = "unsupported", .title = NULL, .type = REPORT_BOOL },
	{ .name = "text", .title = "what differs", .type = REPORT_TEXT, .min_width = 16 },
	{ .name = "tolerance", .title = NULL, .type = REPORT_TEXT },
	{ .name = "least", .title = "tolerance that would do", .type = REPORT_TEXT,
		.min_width = 12 },
};

static const char *outcome_of(const struct contract_results *r, size_t i)
{
	return r->cases ? word_name(&words_contract_outcome, (int)r->cases[i].outcome) : NULL;
}

static void put_results(struct call *c, const struct contract *contract,
	const struct contract_results *r, const struct contract_results *reference)
{
	for (size_t i = 0; r->cases && i < r->cases_n; i++) {
		const struct contract_case *one = &contract->cases[i];
		const struct contract_result *res = &r->cases[i];

		report_row(c->table);
		report_text(c->table, "case", one->id);
		report_text(c->table, "role", word_name(&words_contract_role, (int)one->role));
		report_text(c->table, "kind", word_name(&words_contract_kind, (int)one->kind));
		report_text(c->table, "outcome", outcome_of(r, i));
		report_text(c->table, "code",
			res->code ? word_name(&words_contract_code, (int)res->code) : NULL);
		report_text(c->table, "reference", outcome_of(reference, i));
		report_bool(c->table, "unsupported", res->unsupported);
		report_text(c->table, "text", *res->text ? res->text : NULL);
		report_text(c->table, "tolerance", tolerance_text(one, c->arena));
		report_text(c->table, "least", *res->least ? res->least : NULL);
	}
}

static void note_checkpoints(struct report_table *t, const struct contract_results *r)
{
	for (size_t i = 0; i < CHECK_CONTRACT_ITEMS; i++)
		report_note(t, "%zu %s: %s (%s)", i + 1, r->checkpoints[i].name,
			word_name(&words_check, (int)r->checkpoints[i].result),
			r->checkpoints[i].text);
	report_note(t, "reached: %zu of %d checkpoints%s", r->reached, CHECK_CONTRACT_ITEMS,
		r->reached && r->reached < CHECK_CONTRACT_ITEMS
			? "; passing one of them says nothing of the next"
			: "");
}

static void note_run(struct report_table *t, const struct contract_results *r)
{
	report_note(t, "%s @%s, run %s%s%s%s%s", r->run->attempt, r->run->configuration, r->run->id,
		*r->brought_by ? ", brought by " : "", r->brought_by,
		*r->why_not ? ": " : "", r->why_not);
	if (*r->owes)
		report_note(t, "%s", r->owes);
	if (r->earlier_contract)
		report_note(t,
			"the run was made under another text of the contract "
			"than the one in force");
	if (r->outputs.bad_lines)
		report_note(t,
			"%lld line%s of the outputs could not be used, the first "
			"is %lld: %s",
			(long long)r->outputs.bad_lines, r->outputs.bad_lines == 1 ? "" : "s",
			(long long)r->outputs.first_bad, r->outputs.bad_reason);
	for (size_t i = 0; i < r->outputs.foreign_n; i++)
		report_note(t, "an output of case \"%s\", which the contract does not have",
			r->outputs.foreign[i]);
}

static void note_parting(struct call *c, const struct contract *contract,
	const struct contract_results *reference, const struct contract_results *r)
{
	struct contract_parting p;

	contract_parting_find(&p, contract, reference, r, c->arena);
	if (p.parts)
		report_note(
			c->table, "earliest difference from the reference: %s: %s", p.what, p.text);
	else
		report_note(c->table,
			p.compared ? "no difference from the reference was observed in "
				     "what both say"
				   : "nothing could be compared with the reference: run "
				     "it too, portside contract run reference");
}

static void note_places(struct call *c, const struct contract_file *f)
{
	for (size_t i = 0; i < f->in_force.not_evaluated_n; i++)
		report_note(c->table, "not evaluated: %s", f->in_force.not_evaluated[i]);
	for (size_t i = 0; i < f->in_force.unresolved_n; i++)
		report_note(c->table, "open question: %s", f->in_force.unresolved[i]);
}

/* A handle that may not write has only looked. */
static int put_on_record(struct call *c, const struct contract_results *r)
{
	size_t recorded = 0;
	int rc;

	if (c->at || c->read_only || workspace_read_only(c->workspace) || r->earlier_contract) {
		report_note(c->table, "nothing was recorded by this");
		return 0;
	}
	rc = contract_results_record(c->workspace, r, &recorded, c->arena);
	/* What is claimed of speed rests on it. */
	if (rc == 0 && recorded)
		rc = goal_checks_record(c->workspace, r->run->attempt, c->progress.cancel, NULL,
			c->arena);
	if (rc == 0)
		report_note(c->table, "%zu answer%s put on record", recorded,
			recorded == 1 ? "" : "s");
	return rc;
}

static int compare_with(struct call *c, const struct contract_file *f,
	const struct contract_results *r, const struct contract_results *reference)
{
	c->table = report_table_new(
		c->arena, "contract results", compare_columns, ARRAY_LEN(compare_columns));
	put_results(c, &f->in_force, r, reference);
	note_run(c->table, r);
	note_checkpoints(c->table, r);
	note_parting(c, &f->in_force, reference, r);
	note_history(c->table, f);
	note_places(c, f);
	c->no = r->checkpoints[3].result != CHECK_CONFIRMED || *r->owes;
	return put_on_record(c, r);
}

static int compare_subject(struct call *c, const struct contract_file *f, const char *subject)
{
	const char *configuration = call_text(c, "--configuration");
	struct contract_results r, reference;
	int rc = contract_results_read(&r, c->workspace, f, subject, configuration, c->at);

	if (rc < 0)
		return rc;
	rc = contract_results_read(&reference, c->workspace, f, "reference", NULL, c->at);
	if (rc == 0) {
		if (r.run)
			rc = compare_with(c, f, &r, &reference);
		else
			rc = err_set(ERR_NOT_FOUND,
				"%s has no ended run of the contract%s%s: portside "
				"contract run %s --target NAME, or --outputs FILE",
				subject, configuration ? " on " : "",
				configuration ? configuration : "", subject);
		contract_results_release(&reference);
	}
	contract_results_release(&r);
	return rc;
}

static int compare_run(struct call *c)
{
	struct attempt_state *s;
	struct contract_file f;
	int rc = state_attempt(c->workspace, call_text(c, "attempt"), c->at, c->arena, &s);

	if (rc < 0 || (rc = contract_file_read(&f, c->workspace, c->at)) < 0)
		return rc;
	if (!f.has_accepted)
		rc = err_set(ERR_STATE, "there is no accepted contract: %s", f.sentence);
	else
		rc = compare_subject(c, &f, s->id);
	contract_file_release(&f);
	return rc;
}

/* ---- export ---- */

static int export_run(struct call *c)
{
	const char *path = call_text(c, "file");
	struct buf text = BUF_INIT;
	int rc;

	if (!text_ends(path, ".md") && !text_ends(path, ".json"))
		return err_set(ERR_USAGE, "%s: name a file that ends in .md or .json", path);
	rc = contract_export(&text, c->workspace, call_text(c, "attempt"),
		text_ends(path, ".json"), c->at, c->arena);
	if (rc == 0)
		rc = fs_write_new(path, text.s, text.n, 0644);
	if (rc == 0)
		c->message = arena_printf(c->arena, "%s: %zu bytes", path, text.n);
	buf_release(&text);
	return rc;
}

/* ---- table ---- */

static const struct argument check_arguments[] = {
	{ "file", ARGUMENT_PATH, "a contract.json", true, false, NULL, NULL },
	{ 0 },
};
static const struct argument accept_arguments[] = {
	{ "--reason", ARGUMENT_TEXT, "why; required when something is loosened", false, false, NULL,
		NULL },
	{ "--seen", ARGUMENT_TEXT, "refuse when the file is not the one with this SHA-256", false,
		false, NULL, NULL },
	{ 0 },
};
static const struct argument run_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "an attempt, or reference", true, false, NULL, NULL },
	{ "--target", ARGUMENT_TARGET, "where it runs, or ran", false, false, NULL, NULL },
	{ "--outputs", ARGUMENT_PATH, "outputs that exist, instead of a run", false, false, NULL,
		NULL },
	{ "--label", ARGUMENT_WORD, "what it is of; an optimized one owes its own", false, false,
		"bring-up optimized", "bring-up" },
	{ "--again", ARGUMENT_FLAG, "also when the same has run already", false, false, NULL,
		NULL },
	{ "--wait", ARGUMENT_FLAG, "show its output until it ends", false, false, NULL, NULL },
	{ "--probe", ARGUMENT_FLAG, "watch Python from within", false, false, NULL, NULL },
	{ 0 },
};
static const struct argument compare_arguments[] = {
	{ "attempt", ARGUMENT_ATTEMPT, "an attempt, or reference", true, false, NULL, NULL },
	{ "--configuration", ARGUMENT_TARGET, "the target whose run is judged", false, false, NULL,
		"that of the last one" },
	{ 0 },
};
static const struct argument export_arguments[] = {
	{ "file", ARGUMENT_PATH, "a new file, .md or .json", true, false, NULL, NULL },
	{ "attempt", ARGUMENT_ATTEMPT, "beside the reference", false, false, NULL, NULL },
	{ 0 },
};

const struct operation contract_operations[] = {
	{ "contract show", NULL, 0, "the contract in force, and what contract.json changes",
		OPERATION_CLI, NULL, show_run, 0 },
	{ "contract check", NULL, 0, "every mistake in a contract.json",
		OPERATION_CLI | OPERATION_NO_WORKSPACE, check_arguments, check_run, 0 },
	{ "contract accept", NULL, 0, "put contract.json in force, showing what changes",
		OPERATION_CLI | OPERATION_WRITES | OPERATION_PERSON, accept_arguments, accept_run,
		0 },
	{ "contract run", NULL, 0, "run the contract, or bring outputs that exist",
		OPERATION_CLI | OPERATION_WRITES, run_arguments, run_run, 0 },
	{ "contract compare", NULL, 0, "outputs against the contract, case by case",
		OPERATION_CLI, compare_arguments, compare_run, 0 },
	{ "contract export", NULL, 0, "the contract and its results for somebody else",
		OPERATION_CLI, export_arguments, export_run, 0 },
	{ 0 },
};
