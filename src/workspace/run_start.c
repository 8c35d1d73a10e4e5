/* run_start - see run_start.h.  The gate before a full run is in run_gate.c. */
#include "config.h"

#include "workspace/run_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "launch/launch.h"
#include "launch/run_directory.h"
#include "store/worktree.h"
#include "workspace/accepted.h"
#include "workspace/changes.h"
#include "workspace/run_record.h"
#include "workspace/state.h"

extern char **environ;

enum { PATCH_LIMIT = 8 << 20, HASH_LIMIT = 64 << 20, DEFAULT_LOG_CAP = 1 << 30 };

int run_commit(char out[OID_HEX + 1], struct workspace *ws, const char *subject, struct arena *a)
{
	if (strcmp(subject, "reference") == 0)
		return changes_resolve(out, ws, "original", a);
	struct attempt_state *s;
	int rc = state_attempt(ws, subject, NULL, a, &s);

	if (rc < 0)
		return rc;
	if (!oid_is_valid(s->tip))
		return err_set(ERR_STATE, "attempt %s has no commit, so there is no code to run; "
			"wrap its command instead: portside run --attempt %s -- COMMAND", s->id, s->id);
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

static const char *target_names(const struct config *c, struct arena *a)
{
	struct buf b = BUF_INIT;
	const char *text;

	for (size_t i = 0; i < c->targets_n; i++)
		buf_addf(&b, "%s%s", i ? ", " : "", c->targets[i].name);
	text = arena_strdup(a, b.n ? b.s : "none; add a [target \"NAME\"] to portside.conf");
	buf_release(&b);
	return text;
}

static int choose(struct plan *p, const struct run_request *r)
{
	const struct config *c = &p->accepted.in_force;
	const char *kind = word_name(&words_run_kind, (int)r->kind);

	if (!p->accepted.has_accepted)
		return err_set(ERR_REFUSED, "nothing runs from a configuration that nobody accepted: %s",
			*p->accepted.sentence ? p->accepted.sentence : "portside config accept");
	p->target = config_target_find(c, r->target);
	if (!p->target)
		return err_set(ERR_NOT_FOUND, "no target \"%s\" in the accepted portside.conf; there are: %s", r->target,
			target_names(c, p->a));
	p->run = config_run_find(c, r->kind);
	if (!p->run || !p->run->command || !*p->run->command)
		return err_set(ERR_NOT_FOUND, "no [run \"%s\"] with a command in the accepted portside.conf", kind);
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
	list[n++] = arena_printf(p->a, "PORTSIDE_KIND=%s", word_name(&words_run_kind, (int)r->kind));
	list[n++] = arena_printf(p->a, "PORTSIDE_CHIPS=%lld", (long long)p->target->chips);
	list[n++] = arena_printf(p->a, "PORTSIDE_BACKEND=%s", p->target->backend ? p->target->backend : "");
	list[n++] = arena_printf(p->a, "PORTSIDE_SEED=%s", r->seed ? r->seed : "1");
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
	s->launcher = *p->target->launcher ? p->target->launcher : "local";
	s->script = script_of(p);
	s->cwd = p->checkout;
	s->limit_ns = p->run->limit_ns;
	s->log_cap_bytes = DEFAULT_LOG_CAP;
	s->budget_nano_usd = p->run->budget_nano_usd;
	s->price = p->target->price;
	s->chips = (int)p->target->chips;
	s->has_seed = true;
	s->seed = strtoll(r->seed ? r->seed : "1", NULL, 10);
	s->env = variables(p, r);
	s->pass = pass;
	s->revision = p->commit;
	s->done = p->run->done ? p->run->done : "";
	s->steps = p->run->steps;
	s->artifact = p->run->artifact ? p->run->artifact : "";
}

static int make_checkout(struct plan *p)
{
	struct repository *repo;
	int rc = workspace_repository(p->ws, &repo);
	char *parent = workspace_path(p->ws, p->a, "checkouts");

	if (rc < 0 || (rc = fs_mkdirs(parent, 0700)) < 0)
		return rc;
	run_id_new(p->spec.run_id);
	p->checkout = fs_join(p->a, parent, p->spec.run_id);
	if ((rc = worktree_add(repo, p->checkout, p->commit)) < 0)
		return err_prefix("checkout of %.7s: ", p->commit);
	for (size_t i = 0; i < p->run->links_n; i++)
		if ((rc = worktree_link(repo, p->checkout, p->run->links[i])) < 0)
			return err_prefix("link %s: ", p->run->links[i]);
	return 0;
}

static void remove_checkout(struct plan *p)
{
	struct repository *repo;
	char *sentence = xstrdup(err_text());
	int code = err_code();

	if (p->checkout && workspace_repository(p->ws, &repo) == 0 && worktree_remove(repo, p->checkout) < 0)
		err_clear();	/* the reason for the failed start is worth more */
	err_set(code, "%s", sentence);
	free(sentence);
}

static int start_prepared(struct run_started *out, struct workspace *ws, struct launch *l, const struct run_facts_of_start *facts,
			  const char *program, struct arena *a)
{
	struct launch_result result;
	int rc = run_record_prepared(ws, launch_spec(l), facts, a);

	out->run = arena_strdup(a, launch_run_id(l));
	out->rundir = arena_strdup(a, launch_rundir(l));
	if (rc < 0)
		return rc;
	if ((rc = launch_start(l, program, NULL, &result)) < 0) {
		char *sentence = arena_strdup(a, err_text());

		if (run_record_failed_start(ws, out->run, sentence, a) < 0)
			return err_prefix("run %s could not be started (%s), and that could not be recorded: ", out->run, sentence);
		return err_set(rc, "run %s could not be started: %s", out->run, sentence);
	}
	out->already = result.result == LAUNCHER_ALREADY;
	return run_record_started(ws, out->run, a);
}

static int carry_out(struct run_started *out, struct plan *p, const struct run_request *r)
{
	struct run_facts_of_start facts = {
		.subject = p->subject, .kind = r->kind, .target = p->target, .provenance = PROVENANCE_OBSERVED,
		.command = run_command_digest(p->target, p->run),
		.by = r->by ? r->by : workspace_actor(p->ws)->text,
	};
	struct launch *l;
	int rc = make_checkout(p);

	if (rc == 0) {
		fill_spec(p, r);
		rc = launch_prepare(&l, workspace_path(p->ws, p->a, "runs"), &p->spec, environ);
	}
	if (rc < 0) {
		remove_checkout(p);
		return rc;
	}
	rc = start_prepared(out, p->ws, l, &facts, r->program, p->a);
	launch_free(l);
	return rc;
}

int run_start(struct run_started *out, struct workspace *ws, const struct run_request *r, struct arena *a)
{
	struct plan p = { .ws = ws, .a = a, .spec = RUN_SPEC_INIT };
	const char *why_not = NULL;
	int rc = accepted_read(&p.accepted, ws, NULL);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	if (workspace_read_only(ws))
		rc = err_set(ERR_REFUSED, "opened read-only: no run is started");
	if (rc == 0)
		rc = choose(&p, r);
	if (rc == 0) {
		struct attempt_state *s;

		rc = strcmp(r->subject, "reference") == 0 ? 0 : state_attempt(ws, r->subject, NULL, a, &s);
		p.subject = rc == 0 && strcmp(r->subject, "reference") != 0 ? s->id : "reference";
	}
	if (rc == 0)
		rc = run_commit(p.commit, ws, p.subject, a);
	if (rc == 0)
		rc = run_gate(&why_not, ws, &p.accepted.in_force, r, p.commit, a);
	if (rc == 0 && why_not)
		rc = err_set(ERR_REFUSED, "%s", why_not);
	if (rc == 0)
		rc = carry_out(out, &p, r);
	accepted_release(&p.accepted);
	return rc;
}

/* ---- a wrapped command ------------------------------------------------------ */

/* The attempt whose tip HEAD is; work on top of a tip belongs to no attempt yet. */
static int find_subject(const char **out, struct workspace *ws, const char *head, struct arena *a)
{
	struct state_query q = { .type = "attempt" };
	const char *given = getenv("PORTSIDE_ATTEMPT");
	void **rows;
	size_t n;
	int rc;

	*out = given && *given ? given : "unassigned";
	if (given && *given)
		return 0;
	if (strcmp(head, changes_original(ws, a)) == 0) {
		*out = "reference";
		return 0;
	}
	if ((rc = state_list(ws, &q, a, &rows, &n)) < 0)
		return rc;
	for (size_t i = 0; i < n; i++)
		if (strcmp(((struct attempt_state *)rows[i])->tip, head) == 0)
			*out = ((struct attempt_state *)rows[i])->id;
	return 0;
}

struct code_state {
	char head[OID_HEX + 1];
	char dirty[DIGEST_HEX + 1];	/* "" when clean or unknown */
	struct buf patch;
};

/* What the work tree has changed: a clean one says so by an empty digest. */
static void inspect_code(struct code_state *out, struct workspace *ws)
{
	struct worktree_state state;
	struct repository *repo;

	memset(out, 0, sizeof *out);
	buf_init(&out->patch);
	if (workspace_repository(ws, &repo) < 0 || worktree_inspect(&state, repo, PATCH_LIMIT, HASH_LIMIT) < 0) {
		err_clear();
		return;
	}
	snprintf(out->head, sizeof out->head, "%s", state.head);
	if (state.dirty)
		digest_hex(out->dirty, &state.patch_digest);
	redact_text(NULL, &out->patch, state.patch.s, state.patch.n);
	worktree_state_release(&state);
}

static struct digest argv_digest(const char *const *argv)
{
	struct sha256 *h = sha256_new();

	for (; *argv; argv++)
		sha256_update(h, *argv, strlen(*argv) + 1);
	return sha256_final(h);
}

static void keep_patch(const char *rundir, const struct buf *patch, struct arena *a)
{
	char *capture = run_directory_path(a, rundir, RUN_FILE_CAPTURE);

	if (!patch->n)
		return;
	if (fs_mkdirs(capture, 0700) < 0 || fs_write_durable(fs_join(a, capture, "dirty.patch"), patch->s, patch->n, 0600) < 0)
		err_clear();	/* its digest is in the spec; the run matters more */
}

int run_wrap(struct run_started *out, struct workspace *ws, const struct run_wrap *r, struct arena *a)
{
	struct run_spec spec = RUN_SPEC_INIT;
	struct accepted accepted;
	struct code_state code;
	struct run_facts_of_start facts = { .kind = r->kind ? r->kind : RUN_KIND_SMOKE, .provenance = PROVENANCE_OBSERVED,
		.command = argv_digest(r->argv), .by = workspace_actor(ws)->text };
	struct attempt_state *attempt;
	struct launch *l;
	int rc = accepted_read(&accepted, ws, NULL);

	memset(out, 0, sizeof *out);
	if (rc < 0)
		return rc;
	inspect_code(&code, ws);
	facts.target = r->target ? config_target_find(&accepted.in_force, r->target) : NULL;
	facts.target_name = r->target ? r->target : "local";
	if (r->target && !facts.target)
		rc = err_set(ERR_NOT_FOUND, "no target \"%s\" in the accepted portside.conf; there are: %s", r->target,
			target_names(&accepted.in_force, a));
	if (rc == 0 && r->subject && strcmp(r->subject, "reference") != 0) {
		rc = state_attempt(ws, r->subject, NULL, a, &attempt);
		facts.subject = rc == 0 ? attempt->id : NULL;
	} else if (rc == 0 && r->subject) {
		facts.subject = "reference";
	} else if (rc == 0) {
		rc = find_subject(&facts.subject, ws, code.head, a);
	}
	if (rc < 0)
		goto out;
	spec.kind = word_name(&words_run_kind, (int)facts.kind);
	spec.subject = facts.subject;
	spec.target = facts.target_name;
	spec.target_kind = facts.target ? word_name(&words_target_kind, (int)facts.target->kind) : "cpu";
	spec.argv = r->argv;
	spec.cwd = fs_absolute(a, ".");
	spec.limit_ns = r->limit_ns;
	spec.log_cap_bytes = DEFAULT_LOG_CAP;
	spec.inherit_env = true;
	spec.revision = code.head;
	spec.dirty_sha256 = code.dirty;
	spec.done = r->done ? r->done : "";
	spec.artifact = r->artifact ? r->artifact : "";
	spec.steps = r->steps;
	if (facts.target) {
		spec.price = facts.target->price;
		spec.chips = (int)facts.target->chips;
	}
	if (r->seed) {
		spec.has_seed = true;
		spec.seed = strtoll(r->seed, NULL, 10);
	}
	if ((rc = launch_prepare(&l, workspace_path(ws, a, "runs"), &spec, environ)) < 0)
		goto out;
	keep_patch(launch_rundir(l), &code.patch, a);
	rc = start_prepared(out, ws, l, &facts, r->program, a);
	launch_free(l);
out:
	buf_release(&code.patch);
	accepted_release(&accepted);
	return rc;
}
