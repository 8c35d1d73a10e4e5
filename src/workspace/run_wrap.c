/* run_wrap - any command as a run, where the caller stands; see run_start.h. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "domain/kind.h"
#include "launch/run_directory.h"
#include "store/worktree.h"
#include "workspace/accepted.h"
#include "workspace/changes.h"
#include "workspace/run_begin.h"
#include "workspace/run_probe.h"
#include "workspace/state.h"

extern char **environ;

enum { PATCH_LIMIT = 8 << 20, HASH_LIMIT = 64 << 20 };

/* ---- whose run is it? -------------------------------------------------------------- */

/* The attempt whose tip HEAD is; work on top of a tip belongs to no attempt yet. */
static int subject_of_head(
	const char **out, struct workspace *ws, const char *head, struct arena *a)
{
	struct state_query q = { .type = "attempt" };
	void **rows;
	size_t n;
	int rc;

	*out = RUN_UNASSIGNED;
	if (!*head)
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

/* What an agent's environment says.  It may work on an attempt whose first
 * commit is still to come, so an unknown one is fine and a garbled one is not. */
static int subject_of_variable(
	const char **out, struct workspace *ws, const char *text, struct arena *a)
{
	struct attempt_state *s;
	const char *line;
	int64_t number;
	int rc = state_attempt(ws, text, NULL, a, &s);

	if (rc == 0) {
		*out = s->id;
		return 0;
	}
	if (rc != ERR_NOT_FOUND || !attempt_object_parse(&number, &line, a, text))
		return err_prefix("PORTSIDE_ATTEMPT: ");
	err_clear();
	*out = attempt_object_id(a, number, line);
	return 0;
}

static int find_subject(const char **out, struct workspace *ws, const struct run_wrap *r,
	const char *head, struct arena *a)
{
	const char *variable = getenv("PORTSIDE_ATTEMPT");
	struct attempt_state *s;
	int rc;

	*out = RUN_UNASSIGNED;
	if (r->subject && strcmp(r->subject, RUN_UNASSIGNED) == 0)
		return 0;
	if (!r->subject && variable && *variable)
		return subject_of_variable(out, ws, variable, a);
	if (!r->subject)
		return subject_of_head(out, ws, head, a);
	if ((rc = state_attempt(ws, r->subject, NULL, a, &s)) == 0)
		*out = s->id;
	return rc;
}

/* ---- what code is it? ---------------------------------------------------------------- */

struct code {
	struct worktree_state state;
	bool known;
	char dirty[DIGEST_HEX + 1];	/* "" when clean or unknown */
};

/* A clean work tree says so by an empty digest; an unknown one by no commit. */
static void inspect(struct code *out, struct workspace *ws)
{
	struct repository *repo;

	memset(out, 0, sizeof *out);
	if (workspace_repository(ws, &repo) < 0 ||
		worktree_inspect(&out->state, repo, PATCH_LIMIT, HASH_LIMIT) < 0) {
		err_clear();
		return;
	}
	out->known = true;
	if (out->state.dirty)
		digest_hex(out->dirty, &out->state.patch_digest);
}

static void code_release(struct code *c)
{
	if (c->known)
		worktree_state_release(&c->state);
}

static void describe(struct buf *out, const struct code *c, const struct redact *secrets)
{
	struct json_writer w = { .out = out, .indent = true };
	char hex[DIGEST_HEX + 1];

	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	json_put_str(&w, "head", c->state.head);
	json_put_str(&w, "patch_sha256", c->dirty);
	json_put_i64(&w, "patch_bytes", c->state.patch_bytes);
	json_put_bool(&w, "patch_cut", c->state.patch_cut);
	json_put_bool(&w, "untracked_cut", c->state.untracked_cut);
	json_begin_array(&w, "untracked");
	for (size_t i = 0; i < c->state.n_untracked; i++) {
		const struct untracked_file *f = &c->state.untracked[i];
		struct buf path = BUF_INIT;

		redact_text(secrets, &path, f->path, strlen(f->path));
		json_begin_object(&w, NULL);
		json_put_str(&w, "path", path.s);
		json_put_i64(&w, "size", f->size_bytes);
		if (f->hashed) {
			digest_hex(hex, &f->digest);
			json_put_str(&w, "sha256", hex);
		}
		json_end_object(&w);
		buf_release(&path);
	}
	json_end_array(&w);
	json_end_object(&w);
	buf_addc(out, '\n');
}

/* The difference without secrets; its digest, of all bytes, is in the spec. */
static int keep_code(const struct launch *l, const struct code *c, struct arena *a)
{
	char *capture = run_directory_path(a, launch_rundir(l), RUN_FILE_CAPTURE);
	struct buf text = BUF_INIT;
	int rc;

	if (!c->known || !c->state.dirty)
		return 0;
	rc = fs_mkdirs(capture, 0700);
	if (rc == 0) {
		describe(&text, c, launch_redact(l));
		rc = fs_write_durable(fs_join(a, capture, "code.json"), text.s, text.n, 0600);
	}
	buf_clear(&text);
	if (rc == 0) {
		redact_text(launch_redact(l), &text, c->state.patch.s, c->state.patch.n);
		rc = fs_write_durable(fs_join(a, capture, "dirty.patch"), text.s, text.n, 0600);
	}
	buf_release(&text);
	return rc < 0
		? err_prefix("the uncommitted changes could not be kept, so nothing was started: ")
		: 0;
}

/* ---- the run --------------------------------------------------------------------------- */

static struct digest argv_digest(const char *const *argv)
{
	struct sha256 *h = sha256_new();

	for (; *argv; argv++)
		sha256_update(h, *argv, strlen(*argv) + 1);
	return sha256_final(h);
}

static int fill(struct run_spec *spec, const struct run_wrap *r,
	const struct run_facts_of_start *facts, const struct code *code, struct arena *a)
{
	spec->kind = word_name(&words_run_kind, (int)facts->kind);
	spec->subject = facts->subject;
	spec->target = facts->target_name;
	spec->target_kind =
		facts->target ? word_name(&words_target_kind, (int)facts->target->kind) : "cpu";
	spec->argv = r->argv;
	spec->cwd = fs_absolute(a, ".");
	spec->limit_ns = r->limit_ns;
	spec->log_cap_bytes = RUN_LOG_CAP_BYTES;
	spec->inherit_env = true;
	spec->revision = code->state.head;
	spec->dirty_sha256 = code->dirty;
	spec->done = r->done ? r->done : "";
	spec->artifact = r->artifact ? r->artifact : "";
	spec->steps = r->steps;
	spec->skip_capture = r->skip_capture;
	if (facts->target) {
		spec->price = facts->target->price;
		spec->chips = (int)facts->target->chips;
	}
	spec->has_seed = r->seed != NULL;
	if (r->seed && !text_to_i64(r->seed, strlen(r->seed), &spec->seed))
		return err_set(ERR_USAGE, "seed \"%s\" is not a whole number", r->seed);
	return 0;
}

static int begin(struct run_started *out, struct workspace *ws, const struct run_wrap *r,
	const struct run_spec *spec, const struct run_facts_of_start *facts,
	const struct code *code, struct arena *a)
{
	struct run_spec asked = *spec;
	struct run_begin b;
	struct launch *l;
	int rc = r->probe ? run_probe_place(&asked.probe, ws, a) : 0;

	if (rc == 0)
		rc = launch_prepare(&l, workspace_path(ws, a, "runs"), &asked, environ);
	if (rc < 0)
		return rc;
	rc = run_begin(&b, ws, l);
	if (rc == 0)
		rc = keep_code(l, code, a);
	if (rc == 0)
		rc = run_begin_record(&b, facts, a);
	if (rc == 0)
		rc = run_begin_start(out, &b, r->program, a);
	run_begin_end(&b);
	launch_free(l);
	return rc;
}

/* ---- what kind is it? ---------------------------------------------------------------- */

/* Is ARGV what COMMAND of portside.conf says: word for word, or given to a shell? */
static bool is_command(const char *const *argv, const char *command, struct arena *a)
{
	size_t n = 0, words;
	char **list = text_words(a, command, &words);

	while (argv[n])
		n++;
	if (n == 3 && text_ends(argv[0], "sh") && strcmp(argv[1], "-c") == 0 &&
		strcmp(argv[2], command) == 0)
		return true;
	if (!n || n != words)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(argv[i], list[i]) != 0)
			return false;
	return true;
}

/* What nobody said is told by the command alone, and only where one kind has it. */
static void find_kind(struct run_facts_of_start *facts, const struct run_wrap *r,
	const struct config *c, struct arena *a)
{
	size_t found = 0;

	facts->kind = r->kind;
	for (size_t i = 0; !r->kind && i < c->runs_n; i++)
		if (c->runs[i].command && is_command(r->argv, c->runs[i].command, a)) {
			facts->kind = c->runs[i].kind;
			found++;
		}
	if (found > 1)
		facts->kind = RUN_KIND_NONE;
	facts->kind_by_command = found == 1;
}

static int find_target(struct run_facts_of_start *facts, const struct run_wrap *r,
	const struct config *c, struct arena *a)
{
	facts->target_name = r->target ? r->target : "local";
	facts->target = NULL;
	return r->target ? run_target_find(&facts->target, c, r->target, a) : 0;
}

int run_wrap(
	struct run_started *out, struct workspace *ws, const struct run_wrap *r, struct arena *a)
{
	struct run_facts_of_start facts = { .provenance = PROVENANCE_OBSERVED, .label = r->label,
		.command = argv_digest(r->argv),
		.by = workspace_actor(ws)->text };
	struct run_spec spec = RUN_SPEC_INIT;
	struct accepted accepted;
	struct code code;
	int rc;

	memset(out, 0, sizeof *out);
	if (workspace_read_only(ws))
		return err_set(ERR_REFUSED, "opened read-only: no run is started");
	if ((rc = accepted_read(&accepted, ws, NULL)) < 0)
		return rc;
	inspect(&code, ws);
	find_kind(&facts, r, &accepted.in_force, a);
	rc = find_target(&facts, r, &accepted.in_force, a);
	if (rc == 0)
		rc = find_subject(&facts.subject, ws, r, code.state.head, a);
	if (rc == 0)
		rc = fill(&spec, r, &facts, &code, a);
	if (rc == 0)
		rc = begin(out, ws, r, &spec, &facts, &code, a);
	if (rc == 0)
		out->subject = facts.subject;
	code_release(&code);
	accepted_release(&accepted);
	return rc;
}
