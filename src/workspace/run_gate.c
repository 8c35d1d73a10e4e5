/* run_gate - what must be there before a full run may cost money; see run_start.h. */
#include "config.h"

#include <string.h>

#include "base/err.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

struct digest run_command_digest(const struct config_target *target, const struct config_run *run)
{
	struct sha256 *h = sha256_new();
	const char *parts[] = { target->setup, run->setup, run->command };

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		sha256_update(h, parts[i] ? parts[i] : "", parts[i] ? strlen(parts[i]) + 1 : 1);
	/* Of a contract the whole of it is what was run: its digest is the first variable. */
	if (run->kind == RUN_KIND_CONTRACT && run->environment_n)
		sha256_update(h, run->environment[0], strlen(run->environment[0]) + 1);
	return sha256_final(h);
}

/* A decision counts for the commit that was there when it was made: it names
 * the attempt, and no tip was observed after it. */
static int decided_anyway(bool *out, struct workspace *ws, const char *subject, struct arena *a)
{
	struct state_query q = { .type = "decision", .descending = true };
	const char *wanted = arena_printf(a, "attempt:%s", subject);
	struct attempt_state *s = NULL;
	void **rows, *state;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	*out = false;
	if (rc < 0 || (rc = state_get(ws, "attempt", subject, NULL, a, &state)) < 0)
		return rc;
	if (rc > 0)
		s = state;
	for (size_t i = 0; i < n && !*out; i++) {
		struct decision_state *d = rows[i];
		const char *subject_of = d->subject;

		if (*d->entry.struck || d->choice != DECISION_FULL_RUN_ANYWAY)
			continue;
		if (strncmp(subject_of, "alarm:", 6) == 0 &&
		    state_get(ws, "alarm", subject_of + 6, NULL, a, &state) > 0)
			subject_of = arena_printf(
				a, "attempt:%s", ((struct alarm_state *)state)->attempt);
		*out = strcmp(subject_of, wanted) == 0;
		for (size_t k = 0; s && *out && k < s->observations_n; k++)
			if (strcmp(s->observations[k].entry.time, d->entry.time) > 0)
				*out = false;
	}
	return 0;
}

/* Ours from start to end, or followed by us: a story about a run opens no gate. */
static bool is_seen(const struct run_state *run)
{
	return run->provenance == PROVENANCE_OBSERVED || run->provenance == PROVENANCE_WATCHED;
}

static int find_smoke(bool *passed, const char **last, struct workspace *ws,
	const struct run_request *r, const char *commit, const char *command, struct arena *a)
{
	struct state_query q = { .type = "run" };
	void **rows;
	size_t n;
	int rc = state_list(ws, &q, a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n && !*passed; i++) {
		const struct run_state *run = rows[i];

		if (run->kind != RUN_KIND_SMOKE || !is_seen(run) ||
			strcmp(run->commit, commit) != 0 || strcmp(run->target, r->target) != 0 ||
			strcmp(run->command_digest, command) != 0)
			continue;
		*passed = run->l0 == CHECK_CONFIRMED;
		*last = run_status_ended(run->state)
			? arena_printf(a, "its smoke run %s reads L0 %s (%s)", run->id,
				  word_name(&words_check, (int)run->l0), run->l0_why)
			: arena_printf(a, "its smoke run %s has not ended yet", run->id);
	}
	return rc;
}

int run_gate_reason(const char **reason, struct workspace *ws, const struct config *config,
	const struct run_request *r, const char *commit, struct arena *a)
{
	const struct config_run *smoke = config_run_find(config, RUN_KIND_SMOKE);
	const struct config_target *target = config_target_find(config, r->target);
	const char *last = "no smoke run of this commit, target and command has passed";
	char command[DIGEST_HEX + 1];
	bool passed = false;
	struct digest d;
	int rc;

	*reason = NULL;
	if (r->kind != RUN_KIND_FULL)
		return 0;
	if ((rc = decided_anyway(&passed, ws, r->subject, a)) < 0 || passed)
		return rc;
	if (smoke && target) {
		d = run_command_digest(target, smoke);
		digest_hex(command, &d);
		rc = find_smoke(&passed, &last, ws, r, commit, command, a);
	} else {
		last = smoke ? "its target is not configured"
			     : "the accepted portside.conf has no [run \"smoke\"]";
	}
	*reason = passed ? NULL : last;
	return rc;
}

/* Repeating a smoke run whose end nobody declared would not help. */
static const char *advice(const struct config *config, const struct run_request *r, struct arena *a)
{
	const struct config_run *smoke = config_run_find(config, RUN_KIND_SMOKE);
	bool has_end = !smoke || smoke->steps || (smoke->done && *smoke->done) ||
		(smoke->artifact && *smoke->artifact);

	return arena_printf(a, "%s (portside run %s --kind smoke --target %s)",
		has_end ? "Run the smoke first"
			: "Declare steps, done or artifact in [run \"smoke\"] of portside.conf, "
				"accept it, and run the smoke again",
		r->subject, r->target);
}

int run_gate(const char **why_not, struct workspace *ws, const struct config *config,
	const struct run_request *r, const char *commit, struct arena *a)
{
	const char *reason;
	int rc = run_gate_reason(&reason, ws, config, r, commit, a);

	*why_not = NULL;
	if (rc < 0 || !reason)
		return rc;
	*why_not = arena_printf(a,
		"no full run of %s on %s yet: %s. %s, or record a decision: "
		"portside decide full-run-anyway --subject attempt:%s",
		r->subject, r->target, reason, advice(config, r, a), r->subject);
	return 0;
}
