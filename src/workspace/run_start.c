/*
 * run_start - a configured run; see run_start.h.  The gate before a full run is
 * in run_gate.c, a wrapped command in run_wrap.c, the start itself in run_begin.c.
 */
#include "config.h"

#include "workspace/run_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "launch/launcher.h"
#include "workspace/accepted.h"
#include "workspace/changes.h"
#include "workspace/reconcile.h"
#include "workspace/run_begin.h"
#include "workspace/run_checkout.h"
#include "workspace/run_hold.h"
#include "workspace/run_probe.h"
#include "workspace/state.h"

extern char **environ;

int run_commit(char out[OID_HEX + 1], struct workspace *ws, const char *subject, struct arena *a)
{
	if (strcmp(subject, "reference") == 0)
		return changes_resolve(out, ws, "original", a);
	struct attempt_state *s;
	int rc = state_attempt(ws, subject, NULL, a, &s);

	if (rc < 0)
		return rc;
	if (!oid_is_valid(s->tip))
		return err_set(ERR_STATE,
			"attempt %s has no commit, so there is no code to run; "
			"wrap its command instead: portside run %s -- COMMAND",
			s->id, s->id);
	snprintf(out, OID_HEX + 1, "%s", s->tip);
	return 0;
}

/* ---- a configured run ------------------------------------------------------ */

struct plan {
	struct workspace *ws;
	struct arena *a;
	struct accepted accepted;
	const struct config_target *target;
	const struct config_run *run;
	const char *subject;
	char commit[OID_HEX + 1];
	const char *checkout;
	struct run_spec spec;
};

const char *run_target_names(const struct config *c, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < c->targets_n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", c->targets[i].name);
	text = arena_strdup(a, b.n ? b.s : "none; add a [target \"NAME\"] to portside.conf, then portside config accept");
	buf_release(&b);
	return text;
}

int run_target_find(const struct config_target **out, const struct config *c, const char *name,
	struct arena *a)
{
	*out = config_target_find(c, name);
	if (*out)
		return 0;
	return err_set(ERR_NOT_FOUND,
		"no target \"%s\" in the accepted portside.conf; there are: %s", name,
		run_target_names(c, a));
}

static int choose(struct plan *p, const struct run_request *r)
{
	const struct config *c = &p->accepted.in_force;
	const char *kind = word_name(&words_run_kind, (int)r->kind);
	const struct launcher *launcher;
	int rc;

	if (!p->accepted.has_accepted)
		return err_set(ERR_REFUSED,
			"nothing runs from a configuration that nobody accepted: %s",
			*p->accepted.sentence ? p->accepted.sentence : "portside config accept");
	if (!*r->target)
		return err_set(ERR_USAGE,
			"run: name the target: portside run %s --kind %s --target NAME; there are: "
			"%s",
			r->subject, kind, run_target_names(c, p->a));
	if ((rc = run_target_find(&p->target, c, r->target, p->a)) < 0)
		return rc;
	if ((rc = launcher_find(&launcher, word_name(&words_launcher, (int)p->target->launcher))) <
		0)
		return err_prefix("target %s: ", r->target);
	p->run = r->run ? r->run : config_run_find(c, r->kind);
	if (!p->run || !p->run->command || !*p->run->command)
		return err_set(ERR_NOT_FOUND,
			"no [run \"%s\"] with a command in the accepted portside.conf", kind);
	return 0;
}

/* Values reach the command through variables only; nothing is pasted into it. */
static const char *const *variables(struct plan *p, const struct run_request *r)
{
	const struct config_run *run = p->run;
	const char **list = arena_alloc(p->a, (run->environment_n + 8) * sizeof *list);
	size_t n = 0;

	for (size_t i = 0; i < run->environment_n; i++)
		list[n++] = run->environment[i];
	list[n++] = arena_printf(p->a, "PORTSIDE_ATTEMPT=%s", p->subject);
	list[n++] = arena_printf(p->a, "PORTSIDE_TARGET=%s", p->target->name);
	list[n++] =
		arena_printf(p->a, "PORTSIDE_KIND=%s", word_name(&words_run_kind, (int)r->kind));
	list[n++] = arena_printf(p->a, "PORTSIDE_CHIPS=%lld", (long long)p->target->chips);
	list[n++] = arena_printf(
		p->a, "PORTSIDE_BACKEND=%s", p->target->backend ? p->target->backend : "");
	list[n++] = arena_printf(p->a, "PORTSIDE_SEED=%lld", (long long)p->spec.seed);
	list[n++] = arena_printf(p->a, "PORTSIDE_COMMIT=%s", p->commit);
	return list;
}

/* Set-up comes first and stops the run when it fails. */
static const char *script_of(struct plan *p)
{
	struct buf b = BUF_INIT;
	const char *text;

	if (p->target->setup && *p->target->setup)
		buf_addf(&b, "{\n%s\n} || exit $?\n", p->target->setup);
	if (p->run->setup && *p->run->setup)
		buf_addf(&b, "{\n%s\n} || exit $?\n", p->run->setup);
	buf_addf(&b, "%s\n", p->run->command);
	text = arena_strdup(p->a, b.s);
	buf_release(&b);
	return text;
}

static void fill_spec(struct plan *p, const struct run_request *r)
{
	struct run_spec *s = &p->spec;
	const char **pass = arena_alloc(p->a, (p->run->pass_n + 1) * sizeof *pass);

	for (size_t i = 0; i < p->run->pass_n; i++)
		pass[i] = p->run->pass[i];
	s->kind = word_name(&words_run_kind, (int)r->kind);
	s->subject = p->subject;
	s->target = p->target->name;
	s->target_kind = word_name(&words_target_kind, (int)p->target->kind);
	s->launcher = word_name(&words_launcher, (int)p->target->launcher);
	s->script = script_of(p);
	s->cwd = p->checkout;
	s->limit_ns = p->run->limit_ns;
	s->log_cap_bytes = RUN_LOG_CAP_BYTES;
	s->budget_nano_usd = p->run->budget_nano_usd;
	s->price = p->target->price;
	s->chips = (int)p->target->chips;
	s->has_seed = true;
	s->env = variables(p, r);
	s->pass = pass;
	s->revision = p->commit;
	s->done = p->run->done ? p->run->done : "";
	s->steps = p->run->steps;
	s->artifact = p->run->artifact ? p->run->artifact : "";
	s->skip_capture = r->skip_capture;
}

/* Is the same run under way?  Who asks holds the lock of starts, so that of two
 * screens the second one sees the first one's run. */
static int refuse_twin(struct plan *p, const struct run_request *r)
{
	struct state_query q = { .type = "run", .parent = NULL };
	const char *seed = arena_printf(p->a, "%lld", (long long)p->spec.seed);
	void **rows;
	size_t n;
	int rc = state_list(p->ws, &q, p->a, &rows, &n);

	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct run_state *run = rows[i];
		bool ended = true;

		if (run_status_ended(run->state) || run->kind != r->kind ||
			strcmp(run->attempt, p->subject) != 0 ||
			strcmp(run->target, r->target) != 0 ||
			strcmp(run->commit, p->commit) != 0 || strcmp(run->seed, seed) != 0 ||
			!fs_is_dir(fs_join(p->a, workspace_path(p->ws, p->a, "runs"), run->id)))
			continue;
		rc = reconcile_run(&ended, p->ws, run->id, p->a);
		if (rc == 0 && !ended)
			rc = err_set(ERR_EXISTS,
				"this %s run of %s on %s with seed %s is under way already: %s; "
				"cancel it, or take "
				"another seed",
				word_name(&words_run_kind, (int)r->kind), p->subject, r->target,
				seed, run->id);
	}
	return rc;
}

static int prepare(struct launch **out, struct plan *p, const struct run_request *r)
{
	int rc;

	run_id_new(p->spec.run_id);
	if ((rc = run_checkout_make(&p->checkout, p->ws, p->spec.run_id, p->commit, p->run, p->a)) <
		0)
		return rc;
	fill_spec(p, r);
	if (r->probe)
		rc = run_probe_place(&p->spec.probe, p->ws, p->a);
	if (rc == 0)
		rc = launch_prepare(out, workspace_path(p->ws, p->a, "runs"), &p->spec, environ);
	if (rc < 0)
		run_checkout_undo(p->ws, p->checkout);
	return rc;
}

static int carry_out(
	struct run_started *out, struct plan *p, const struct run_request *r, int *hold)
{
	struct run_facts_of_start facts = {
		.subject = p->subject,
		.kind = r->kind,
		.label = r->label,
		.target = p->target,
		.provenance = PROVENANCE_OBSERVED,
		.command = run_command_digest(p->target, p->run),
		.by = r->by ? r->by : workspace_actor(p->ws)->text,
	};
	struct run_begin begin;
	struct launch *l;
	int rc = prepare(&l, p, r);

	if (rc < 0)
		return rc;
	out->subject = p->subject;
	rc = run_begin(&begin, p->ws, l);
	if (rc == 0)
		rc = run_begin_record(&begin, &facts, p->a);
	run_hold_release(*hold);
	*hold = -1;
	if (rc == 0)
		rc = run_begin_start(out, &begin, r->program, p->a);
	run_begin_end(&begin);
	launch_free(l);
	return rc;
}

static int find_subject(struct plan *p, const struct run_request *r)
{
	struct attempt_state *s;
	int rc = state_attempt(p->ws, r->subject, NULL, p->a, &s);

	if (rc < 0)
		return rc;
	p->subject = s->id;
	return run_commit(p->commit, p->ws, p->subject, p->a);
}

static int read_seed(int64_t *out, const char *seed)
{
	*out = 1;
	if (seed && !text_to_i64(seed, strlen(seed), out))
		return err_set(ERR_USAGE, "seed \"%s\" is not a whole number", seed);
	return 0;
}

/* Every check that can fail, before anything is written. */
static int check(struct plan *p, const struct run_request *r)
{
	struct run_request named = *r;
	const char *why_not = NULL;
	int rc = read_seed(&p->spec.seed, r->seed);

	if (rc < 0 || (rc = choose(p, r)) < 0 || (rc = find_subject(p, r)) < 0)
		return rc;
	named.subject = p->subject;
	if ((rc = run_gate(&why_not, p->ws, &p->accepted.in_force, &named, p->commit, p->a)) < 0)
		return rc;
	return why_not ? err_set(ERR_REFUSED, "%s", why_not) : 0;
}

int run_start(
	struct run_started *out, struct workspace *ws, const struct run_request *r, struct arena *a)
{
	struct plan p = { .ws = ws, .a = a, .spec = RUN_SPEC_INIT };
	int hold = -1, rc;

	memset(out, 0, sizeof *out);
	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED, "opened read-only: no run is started");
	if ((rc = accepted_read(&p.accepted, ws, NULL)) < 0)
		return rc;
	rc = check(&p, r);
	if (rc == 0)
		rc = hold = run_hold_start(ws, RUN_HOLD_WAIT);
	if (rc >= 0)
		rc = refuse_twin(&p, r);
	if (rc == 0)
		rc = carry_out(out, &p, r, &hold);
	run_hold_release(hold);
	accepted_release(&p.accepted);
	return rc;
}
