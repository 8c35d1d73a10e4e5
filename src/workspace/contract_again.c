/* contract_again - see contract_again.h. */
#include "config.h"

#include "workspace/contract_again.h"

#include <string.h>

#include "domain/check.h"
#include "domain/fold.h"
#include "domain/kind.h"
#include "workspace/state.h"

static const char output_check[] = "contract-output";

/* A run that never came to be shows nothing of what is there. */
static bool is_optimized_on(const struct run_brief *r, const char *configuration)
{
	return r->label == RUN_LABEL_OPTIMIZED && !r->struck && run_status_ended(r->state) &&
		r->state != RUN_LAUNCH_FAILED && strcmp(r->configuration, configuration) == 0;
}

static const struct run_brief *first_optimized(
	const struct attempt_state *s, const char *configuration)
{
	for (size_t i = 0; i < s->runs_n; i++)
		if (is_optimized_on(&s->runs[i], configuration))
			return &s->runs[i];
	return NULL;
}

static bool run_is_optimized(const struct attempt_state *s, const char *run)
{
	for (size_t i = 0; i < s->runs_n; i++)
		if (strcmp(s->runs[i].run, run) == 0)
			return s->runs[i].label == RUN_LABEL_OPTIMIZED;
	return false;
}

bool contract_again_counts(const struct contract_again *again, const struct check_entry *e)
{
	if (*e->entry.struck || e->claim)
		return false;
	if (!again->optimized)
		return true;
	if (*e->run)
		return run_is_optimized(again->attempt, e->run);
	return e->entry.lamport > again->optimized->prepared.lamport;
}

enum check_result contract_again_result(
	const struct contract_again *again, const struct check_state *s)
{
	enum check_result by[4] = { CHECK_NOT_CHECKED };

	for (size_t i = 0; s && i < s->entries_n; i++)
		if (contract_again_counts(again, &s->entries[i]))
			by[actor_class(s->entries[i].entry.who)] = s->entries[i].result;
	return check_combine(by[ACTOR_HUMAN], by[ACTOR_TOOL]);
}

/* ---- what is owed ---- */

static const char *owed_text(
	const struct contract_again *again, const char *configuration, struct arena *a)
{
	const char *id = again->attempt->id;
	enum check_result result = contract_again_result(again, again->output);

	if (!again->has_contract || result == CHECK_CONFIRMED)
		return "";
	if (result != CHECK_NOT_CHECKED)
		return arena_printf(a,
			"%s was optimized (run %s), and that its outputs satisfy the contract is "
			"%s: portside contract compare %s --configuration %s",
			configuration, again->optimized->id, word_name(&words_check, (int)result),
			id, configuration);
	return arena_printf(a,
		"%s was optimized (run %s), and the contract has no verdict there since: "
		"portside contract run %s --target %s --label optimized, then portside contract "
		"compare %s",
		configuration, again->optimized->id, id, again->optimized->target, id);
}

static int find_output(struct contract_again *out, struct workspace *ws,
	const char *configuration, const struct position *at, struct arena *a)
{
	void *state;
	int rc = state_get(ws, "check",
		check_object_id(a, out->attempt->id, configuration, output_check), at, a, &state);

	if (rc > 0)
		out->output = state;
	return rc < 0 ? rc : 0;
}

static int find_contract(struct contract_again *out, struct workspace *ws,
	const struct position *at, struct arena *a)
{
	struct migration_state *m;
	int rc = state_migration(ws, at, a, &m);

	out->has_contract = rc == 0 && (out->output || *m->contract_digest);
	return rc;
}

int contract_again_read(struct contract_again *out, struct workspace *ws,
	const struct attempt_state *attempt, const char *configuration,
	const struct position *at, struct arena *a)
{
	const struct run_brief *brief = first_optimized(attempt, configuration);
	struct run_state *run;
	int rc;

	*out = (struct contract_again){ .attempt = attempt, .owes = "" };
	if (!brief || strcmp(attempt->id, REFERENCE_ID) == 0)
		return 0;
	if ((rc = state_run(ws, brief->run, at, a, &run)) < 0)
		return rc;
	out->optimized = run;
	if ((rc = find_output(out, ws, configuration, at, a)) < 0 ||
		(rc = find_contract(out, ws, at, a)) < 0)
		return rc;
	out->owes = owed_text(out, configuration, a);
	return 0;
}
