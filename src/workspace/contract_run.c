/* contract_run - see contract_run.h. */
#include "config.h"

#include "workspace/contract_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/run_directory.h"
#include "launch/run_id.h"
#include "workspace/run_evidence.h"
#include "workspace/run_record.h"
#include "workspace/state.h"

/* ---- what is run ---- */

static const char *digest_text(const struct contract_file *f, struct arena *a)
{
	char hex[DIGEST_HEX + 1];

	digest_hex(hex, &f->in_force_digest);
	return arena_strdup(a, hex);
}

/* Named by the contract, so two runs at the same time write the same bytes. */
static int write_inputs(
	const char **path, struct workspace *ws, const struct contract_file *f, struct arena *a)
{
	const struct contract *c = &f->in_force;
	char *folder = workspace_path(ws, a, "contract");
	struct buf lines = BUF_INIT;
	int rc = fs_mkdirs(folder, 0700);

	*path = fs_join(a, folder, arena_printf(a, "%s.jsonl", digest_text(f, a)));
	for (size_t i = 0; rc == 0 && i < c->cases_n; i++) {
		buf_adds(&lines, "{\"case\":");
		json_quote(&lines, c->cases[i].id, strlen(c->cases[i].id));
		buf_adds(&lines, ",\"input\":");
		json_canonical(&lines, c->cases[i].input);
		buf_adds(&lines, "}\n");
	}
	if (rc == 0)
		rc = fs_write_durable(*path, lines.s, lines.n, 0400);
	buf_release(&lines);
	return rc;
}

/* INPUTS NULL: only what its digest is made of. */
static void run_of(
	struct config_run *out, const struct contract_file *f, const char *inputs, struct arena *a)
{
	const struct contract *c = &f->in_force;
	const char **environment = arena_alloc(a, 3 * sizeof *environment);

	environment[0] = arena_printf(a, "PORTSIDE_CONTRACT=%s", digest_text(f, a));
	environment[1] = arena_printf(a, "PORTSIDE_CONTRACT_INPUTS=%s", inputs ? inputs : "");
	environment[2] = arena_printf(a, "PORTSIDE_CONTRACT_OUTPUTS=%s", c->outputs);
	*out = (struct config_run){
		.name = "contract",
		.kind = RUN_KIND_CONTRACT,
		.command = c->command,
		.setup = c->setup,
		.artifact = c->outputs,
		.limit_ns = c->limit_ns,
		.links = c->links,
		.links_n = c->links_n,
		.pass = c->pass,
		.pass_n = c->pass_n,
		.environment = environment,
		.environment_n = inputs ? 3 : 1,
	};
}

/* Of an imported file nobody knows the command: the contract alone. */
static struct digest imported_digest(const struct contract_file *f, struct arena *a)
{
	return sha256_bytes(digest_text(f, a), DIGEST_HEX);
}

int contract_run_is_of(bool *out, struct workspace *ws, const struct contract_file *file,
	const struct run_state *run, struct arena *a)
{
	const struct config_target *target;
	struct accepted accepted;
	char hex[DIGEST_HEX + 1] = "";
	struct config_run described;
	struct digest d;
	int rc;

	if (run->provenance == PROVENANCE_IMPORTED) {
		d = imported_digest(file, a);
		digest_hex(hex, &d);
		*out = strcmp(hex, run->command_digest) == 0;
		return 0;
	}
	if ((rc = accepted_read(&accepted, ws, NULL)) < 0)
		return rc;
	target = config_target_find(&accepted.in_force, run->target);
	if (target) {
		run_of(&described, file, NULL, a);
		d = run_command_digest(target, &described);
		digest_hex(hex, &d);
	}
	*out = strcmp(hex, run->command_digest) == 0;
	accepted_release(&accepted);
	return 0;
}

const char *contract_run_outputs(struct workspace *ws, const struct run_state *run,
	const struct contract *c, struct arena *a)
{
	char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run->id);
	const char *name = run->provenance == PROVENANCE_IMPORTED ? CONTRACT_OUTPUTS
		: *run->artifact				  ? run->artifact
								  : c->outputs;

	return fs_join(a, fs_join(a, rundir, "artifacts"),
		fs_is_inside(name) ? name : CONTRACT_OUTPUTS);
}

/* ---- running ---- */

static int check_contract(const struct contract_file *f)
{
	if (!f->has_accepted)
		return err_set(ERR_REFUSED, "nothing runs from a contract that nobody accepted: %s",
			*f->sentence ? f->sentence : "portside contract accept");
	if (!*f->in_force.command)
		return err_set(ERR_NOT_FOUND,
			"the contract has no run.command; bring outputs with --outputs FILE");
	return 0;
}

static bool is_optimized(enum run_label label)
{
	return label == RUN_LABEL_OPTIMIZED;
}

/* A run of a contract that has ended says the same again, for the same money. */
static int refuse_again(struct workspace *ws, const struct contract_file *f,
	const struct contract_run_request *r, struct arena *a)
{
	struct attempt_state *s;
	struct run_state **runs;
	char commit[OID_HEX + 1];
	size_t n;
	int rc = state_attempt(ws, r->subject, NULL, a, &s);

	if (rc < 0 || (rc = run_commit(commit, ws, s->id, a)) < 0 ||
		(rc = state_runs(&runs, &n, ws, s->id, NULL, a)) < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		bool same = false;

		if (runs[i]->kind != RUN_KIND_CONTRACT || runs[i]->state != RUN_EXITED_0 ||
			*runs[i]->prepared.struck || strcmp(runs[i]->target, r->target) != 0 ||
			is_optimized(run_label_of(runs[i]->label)) != is_optimized(r->label) ||
			strcmp(runs[i]->commit, commit) != 0)
			continue;
		rc = contract_run_is_of(&same, ws, f, runs[i], a);
		if (rc == 0 && same)
			rc = err_set(ERR_EXISTS,
				"%s has run this contract on %s already: %s; look at it "
				"(portside contract compare %s), or say --again",
				s->id, r->target, runs[i]->id, s->id);
	}
	return rc;
}

static int start(struct run_started *out, struct workspace *ws, const struct contract_file *f,
	const struct contract_run_request *r, struct arena *a)
{
	const char *inputs = "";
	struct config_run described;
	struct run_request request = {
		.subject = r->subject,
		.kind = RUN_KIND_CONTRACT,
		.target = r->target,
		.label = r->label,
		.program = r->program,
		.probe = r->probe,
		.run = &described,
	};
	int rc = check_contract(f);

	if (rc == 0 && !r->again)
		rc = refuse_again(ws, f, r, a);
	if (rc == 0)
		rc = write_inputs(&inputs, ws, f, a);
	if (rc < 0)
		return rc;
	run_of(&described, f, inputs, a);
	return run_start(out, ws, &request, a);
}

int contract_run(struct run_started *out, struct workspace *ws,
	const struct contract_run_request *r, struct arena *a)
{
	struct contract_file f;
	int rc;

	memset(out, 0, sizeof *out);
	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED, "opened read-only: no run is started");
	if ((rc = contract_file_read(&f, ws, NULL)) < 0)
		return rc;
	rc = start(out, ws, &f, r, a);
	contract_file_release(&f);
	return rc;
}

/* ---- outputs that exist ---- */

/* What is brought: outputs of SUBJECT, from a program of LABEL on TARGET. */
struct brought {
	const char *subject, *target;
	enum run_label label;
};

/* The same outputs for the same subject, label and contract give the same id. */
static void run_id_of(char out[RUN_ID_SIZE], const struct brought *b, const char *contract,
	const struct digest *outputs)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	const char *parts[] = { is_optimized(b->label) ? "optimized contract" : "contract",
		b->subject, b->target, contract };
	struct sha256 *h = sha256_new();
	struct digest d;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		sha256_update(h, parts[i], strlen(parts[i]) + 1);
	sha256_update(h, outputs->bytes, sizeof outputs->bytes);
	d = sha256_final(h);
	snprintf(out, RUN_ID_SIZE, "ps-");
	for (size_t i = 3; i < RUN_ID_SIZE - 1; i++)
		out[i] = letters[d.bytes[i] % 32];
	out[RUN_ID_SIZE - 1] = '\0';
}

static int record_import(struct workspace *ws, const struct contract_file *f, const char *run,
	const struct brought *b, struct arena *a)
{
	const char *lost = word_name(&words_run_state, RUN_LOST);
	struct run_facts_of_start facts = { .subject = b->subject,
		.kind = RUN_KIND_CONTRACT,
		.provenance = PROVENANCE_IMPORTED,
		.by = workspace_actor(ws)->text,
		.command = imported_digest(f, a),
		.label = b->label,
		.target_name = b->target };
	struct run_spec spec = RUN_SPEC_INIT;
	struct accepted accepted;
	int rc = accepted_read(&accepted, ws, NULL);

	if (rc < 0)
		return rc;
	facts.target = config_target_find(&accepted.in_force, b->target);
	snprintf(spec.run_id, sizeof spec.run_id, "%s", run);
	spec.target_kind = NULL;	/* nobody says */
	if (facts.target)
		spec.chips = (int)facts.target->chips;
	rc = run_record_prepared(ws, &spec, &facts, a);
	accepted_release(&accepted);
	if (rc == 0)
		rc = run_record_once(ws, run, "run.ended", lost,
			event_data(a, "state", lost, "source", "person", "why",
				"imported: nobody here saw how it ended", NULL),
			a);
	return rc < 0 ? rc : 0;
}

/* Before the run is on record, so that one without its file never is. */
static int keep_outputs(
	struct workspace *ws, const char *run, const char *from, struct arena *a)
{
	char *folder = fs_join(
		a, fs_join(a, workspace_path(ws, a, "runs"), run), "artifacts");
	char *to = fs_join(a, folder, CONTRACT_OUTPUTS);
	int rc = fs_mkdirs(folder, 0700);

	return rc < 0 || fs_exists(to) ? rc : fs_copy(from, to, 0400);
}

static int import_file(const char **run, bool *already, struct workspace *ws,
	const struct contract_file *f, const struct brought *b, const char *path, struct arena *a)
{
	char id[RUN_ID_SIZE];
	struct digest digest;
	int64_t size;
	void *state;
	int rc = sha256_file(&digest, &size, path);

	if (rc < 0)
		return rc;
	if (size > CONTRACT_BYTES_MAX * INT64_C(64))
		return err_set(ERR_PARSE, "%s: outputs of %" PRId64
			" bytes are more than a contract of few cases has", path, size);
	run_id_of(id, b, digest_text(f, a), &digest);
	*run = arena_strdup(a, id);
	if ((rc = state_get(ws, "run", id, NULL, a, &state)) < 0)
		return rc;
	*already = rc > 0;
	if ((rc = keep_outputs(ws, id, path, a)) < 0 ||
		(rc = record_import(ws, f, id, b, a)) < 0)
		return rc;
	return run_evidence_bring(ws, contract_run_outputs(ws,
			&(struct run_state){ .id = id, .provenance = PROVENANCE_IMPORTED,
				.artifact = "" }, &f->in_force, a),
		CONTRACT_OUTPUTS, "contract", id, a);
}

int contract_import(const char **run, bool *already, struct workspace *ws,
	const struct contract_run_request *r, const char *path, struct arena *a)
{
	struct brought b = { NULL, r->target ? r->target : "elsewhere", r->label };
	struct contract_file f;
	struct attempt_state *s;
	int rc;

	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED, "opened read-only: nothing is imported");
	if ((rc = state_attempt(ws, r->subject, NULL, a, &s)) < 0 ||
		(rc = contract_file_read(&f, ws, NULL)) < 0)
		return rc;
	b.subject = s->id;
	if (!f.has_accepted)
		rc = err_set(ERR_REFUSED, "outputs are held against an accepted contract: %s",
			*f.sentence ? f.sentence : "portside contract accept");
	else
		rc = import_file(run, already, ws, &f, &b, path, a);
	contract_file_release(&f);
	return rc;
}
