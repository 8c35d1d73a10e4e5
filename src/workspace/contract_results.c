/* contract_results - see contract_results.h; the checkpoints are in contract_checkpoint.c. */
#include "config.h"

#include "workspace/contract_results.h"

#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "workspace/check_record.h"
#include "workspace/contract_again.h"
#include "workspace/contract_run.h"
#include "workspace/run_evidence.h"
#include "workspace/state.h"

/* ---- which run ---- */

static bool is_candidate(const struct run_state *r, const char *configuration)
{
	return r->kind == RUN_KIND_CONTRACT && !*r->prepared.struck &&
		run_status_ended(r->state) && r->state != RUN_LAUNCH_FAILED &&
		(!configuration || strcmp(r->configuration, configuration) == 0 ||
			strcmp(r->target, configuration) == 0);
}

/* "" where RUN answers for what is there; else why it does not. */
static int owed_by(const char **owes, struct workspace *ws, const struct attempt_state *s,
	const struct run_state *run, const struct position *at, struct arena *a)
{
	struct contract_again again;
	int rc = contract_again_read(&again, ws, s, run->configuration, at, a);

	*owes = rc == 0 && again.optimized && run_label_of(run->label) != RUN_LABEL_OPTIMIZED
		? arena_printf(a, "run %s is of bring-up; %s", run->id,
			  *again.owes ? again.owes : "an optimized run answers since")
		: "";
	return rc;
}

/* The last one wins; before that one under the contract in force, and before that one
 * that answers for what is there. */
static bool is_preferred(const struct contract_results *old, bool owes, bool current)
{
	if (!old->run || owes != (*old->owes != '\0'))
		return !old->run || !owes;
	return current || old->earlier_contract;
}

static int choose_run(struct contract_results *out, struct workspace *ws,
	const struct contract_file *file, const char *subject, const char *configuration,
	const struct position *at)
{
	struct attempt_state *s;
	struct run_state **runs;
	const char *owes;
	size_t n;
	int rc = state_attempt(ws, subject, at, &out->arena, &s);

	if (rc == 0)
		rc = state_runs(&runs, &n, ws, s->id, at, &out->arena);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		bool current;

		if (!is_candidate(runs[i], configuration))
			continue;
		if ((rc = contract_run_is_of(&current, ws, file, runs[i], &out->arena)) < 0 ||
			(rc = owed_by(&owes, ws, s, runs[i], at, &out->arena)) < 0)
			return rc;
		if (!is_preferred(out, *owes != '\0', current))
			continue;
		out->run = runs[i];
		out->owes = owes;
		out->earlier_contract = !current;
	}
	return rc;
}

/* ---- judging ---- */

static void judge_cases(struct contract_results *r, const struct contract *c,
	const struct contract_places *places)
{
	r->cases = arena_alloc(&r->arena, (c->cases_n + 1) * sizeof *r->cases);
	r->cases_n = c->cases_n;
	for (size_t i = 0; i < c->cases_n; i++) {
		contract_judge(&r->cases[i], &c->cases[i], &r->outputs.cases[i], c, places,
			&r->arena);
		r->counts[r->cases[i].outcome]++;
	}
}

static int judge_file(struct contract_results *r, struct workspace *ws, const struct contract *c,
	const char *path)
{
	const char *conf = workspace_place(ws)->conf_path;
	const struct contract_places places = {
		.expected = conf ? fs_dirname(&r->arena, conf) : NULL,
		.outputs = fs_dirname(&r->arena, path),
	};
	struct buf text = BUF_INIT;
	int rc = fs_read(&text, path, CONTRACT_OUTPUTS_BYTES_MAX);

	if (rc == 0) {
		r->path = path;
		r->digest = sha256_bytes(text.s, text.n);
		rc = contract_outputs_read(&r->outputs, c, text.s, text.n);
	}
	buf_release(&text);
	if (rc == 0)
		judge_cases(r, c, &places);
	return rc;
}

static void begin(struct contract_results *out)
{
	*out = (struct contract_results){ .arena = ARENA_INIT,
		.path = "",
		.why_not = "",
		.owes = "",
		.brought_by = "",
		.outputs.arena = ARENA_INIT };
}

int contract_results_judge(struct contract_results *out, struct workspace *ws,
	const struct contract *c, const char *path)
{
	int rc;

	begin(out);
	rc = judge_file(out, ws, c, arena_strdup(&out->arena, path));
	contract_checkpoints_answer(out, c);
	if (rc < 0)
		contract_results_release(out);
	return rc;
}

/* A run without outputs is a result too: nothing of it was evaluated. */
static int judge_run(struct contract_results *out, struct workspace *ws, const struct contract *c)
{
	const char *path = contract_run_outputs(ws, out->run, c, &out->arena);
	int rc = judge_file(out, ws, c, path);

	if (rc == ERR_NOT_FOUND || rc == ERR_PARSE || rc == ERR_IO) {
		out->why_not = arena_printf(&out->arena, "%s", rc == ERR_NOT_FOUND
				? "it left no outputs, or they are not on this machine"
				: err_text());
		err_clear();
		return 0;
	}
	if (rc == 0 && out->run->provenance == PROVENANCE_IMPORTED)
		rc = run_evidence_bringer(
			&out->brought_by, ws, &out->digest, out->run->id, &out->arena);
	return rc;
}

int contract_results_read(struct contract_results *out, struct workspace *ws,
	const struct contract_file *file, const char *subject, const char *configuration,
	const struct position *at)
{
	int rc;

	begin(out);
	rc = choose_run(out, ws, file, subject, configuration, at);
	if (rc == 0 && out->run)
		rc = judge_run(out, ws, &file->in_force);
	contract_checkpoints_answer(out, &file->in_force);
	if (rc < 0)
		contract_results_release(out);
	return rc;
}

void contract_results_release(struct contract_results *r)
{
	contract_outputs_release(&r->outputs);
	arena_release(&r->arena);
	begin(r);
}

/* ---- on record ---- */

int contract_results_record(struct workspace *ws, const struct contract_results *r,
	size_t *recorded, struct arena *a)
{
	struct check_finding findings[CHECK_CONTRACT_ITEMS];
	size_t n = 0;

	*recorded = 0;
	for (size_t i = 0; r->run && r->cases && i < CHECK_CONTRACT_ITEMS; i++) {
		const struct contract_checkpoint *p = &r->checkpoints[i];

		if (p->result != CHECK_NOT_CHECKED)
			findings[n++] = (struct check_finding){ .check = p->check,
				.result = p->result,
				.text = p->text,
				.evidence = &r->digest,
				.evidence_n = 1,
				.run = r->run->id,
				.of_run = true,
				.version = 1 };
	}
	return n ? check_record(ws, r->run->attempt, r->run->configuration, findings, n, recorded,
			   a)
		 : 0;
}
