/* run_detail - see run_detail.h. */
#include "config.h"

#include "command/run_detail.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/redact.h"
#include "base/text.h"
#include "domain/cost.h"
#include "launch/run_directory.h"
#include "launch/verdict.h"
#include "workspace/run_start.h"
#include "workspace/state.h"

enum { TEXT_MAX = 1 << 20, FILES_MAX = 200, DEPTH_MAX = 6 };

/* Less is how a wall clock is kept right. */
#define CLOCK_JUMP_NS (2 * NS_PER_S)

struct detail {
	struct run_detail *out;
	struct arena *a;
	const char *section;
};

static void ATTR_PRINTF(4, 5)
	add(struct detail *d, enum run_fact_tone tone, const char *name, const char *fmt, ...)
{
	struct run_detail *out = d->out;
	struct buf b = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&b, fmt, ap);
	va_end(ap);
	if (out->n == out->cap) {
		size_t cap = out->cap ? out->cap * 2 : 64;
		struct run_fact *more = arena_alloc(d->a, cap * sizeof *more);

		if (out->n)
			memcpy(more, out->facts, out->n * sizeof *more);
		out->facts = more;
		out->cap = cap;
	}
	out->facts[out->n++] = (struct run_fact){ d->section, arena_strdup(d->a, name),
		arena_strndup(d->a, b.s, b.n), tone };
	buf_release(&b);
}

static void add_if(struct detail *d, const char *name, const char *value)
{
	if (value && *value)
		add(d, RUN_FACT_PLAIN, name, "%s", value);
}

static void add_duration(struct detail *d, const char *name, int64_t ns, const char *none)
{
	struct buf b = BUF_INIT;

	if (ns > 0)
		clock_add_duration(&b, ns);
	add(d, RUN_FACT_PLAIN, name, "%s", ns > 0 ? b.s : none);
	buf_release(&b);
}

static void add_money(
	struct detail *d, const char *name, bool known, int64_t nano_usd, const char *unknown)
{
	struct buf b = BUF_INIT;

	if (known)
		units_add_money(&b, nano_usd);
	add(d, known ? RUN_FACT_PLAIN : RUN_FACT_OPEN, name, "%s", known ? b.s : unknown);
	buf_release(&b);
}

static enum run_fact_tone tone_of(enum check_result r)
{
	if (r == CHECK_CONFIRMED)
		return RUN_FACT_GOOD;
	return r == CHECK_REFUTED ? RUN_FACT_BAD : RUN_FACT_OPEN;
}

static void add_check(struct detail *d, const char *name, enum check_result r)
{
	if (r != CHECK_NOT_APPLICABLE)
		add(d, tone_of(r), name, "%s", word_name(&words_check, (int)r));
}

/* ---- from the log ------------------------------------------------------------- */

/* A run that was brought from elsewhere may have a name of a target only. */
static void add_target(struct detail *d, const struct run_state *s)
{
	if (!s->target_kind) {
		add(d, RUN_FACT_OPEN, "target", "%s (kind and chips are not known)", s->target);
		return;
	}
	add(d, RUN_FACT_PLAIN, "target", "%s (%s, %lld chip%s%s)", s->target,
		word_name(&words_target_kind, (int)s->target_kind), (long long)s->chips,
		s->chips == 1 ? "" : "s",
		s->simulates ? ", a stand-in: never confirms L2 to L4" : "");
}

static void add_run(struct detail *d)
{
	const struct run_state *s = d->out->state;

	d->section = "run";
	add(d, RUN_FACT_PLAIN, "id", "%s", s->id);
	if (strcmp(s->attempt, RUN_UNASSIGNED) == 0)
		add(d, RUN_FACT_OPEN, "attempt",
			"%s: HEAD was no attempt's tip when it was started", s->attempt);
	else
		add(d, RUN_FACT_PLAIN, "attempt", "%s", s->attempt);
	add(d, s->kind ? RUN_FACT_PLAIN : RUN_FACT_OPEN, "kind", "%s%s", run_kind_text(s->kind),
		!s->kind               ? ": nobody said; --kind does when it is started"
			: *s->kind_from ? ", by its command"
					: "");
	add_target(d, s);
	add(d, RUN_FACT_PLAIN, "seed", "%s", *s->seed ? s->seed : "not declared");
	add(d, s->provenance == PROVENANCE_CLAIMED ? RUN_FACT_OPEN : RUN_FACT_PLAIN, "provenance",
		"%s", word_name(&words_provenance, (int)s->provenance));
	add_if(d, "asked for by", s->by);
	add_if(d, "label", s->label);
	add_if(d, "prepared", s->prepared.time);
}

/* Setting the wall clock moves the two moments apart, and not what the run took. */
static void add_clock(struct detail *d)
{
	const struct run_state *s = d->out->state;
	int64_t jump_ns = s->ended_ns - s->started_ns - s->elapsed_ns;
	struct buf b = BUF_INIT;

	if (!s->ended_ns || !s->started_ns || !s->elapsed_ns || llabs(jump_ns) < CLOCK_JUMP_NS)
		return;
	clock_add_duration(&b, llabs(jump_ns));
	add(d, RUN_FACT_OPEN, "clock",
		"was set %s by %s while it ran; what it took is by one that cannot be set",
		jump_ns < 0 ? "back" : "forward", b.s);
	buf_release(&b);
}

static void add_end(struct detail *d)
{
	const struct run_state *s = d->out->state;
	bool ended = run_status_ended(s->state);

	d->section = "end";
	add(d, s->state == RUN_EXITED_0 || !ended ? RUN_FACT_PLAIN : RUN_FACT_BAD, "state",
		"%s%s%s", word_name(&words_run_state, (int)s->state), *s->why ? ": " : "", s->why);
	add_if(d, "started", s->started);
	if (!ended)
		return;
	if (s->ended_ns)
		add(d, RUN_FACT_PLAIN, "ended", "%s", s->ended);
	else
		add(d, RUN_FACT_OPEN, "ended", "unknown; noticed %s", s->noticed);
	add_duration(d, "took", s->elapsed_ns, "unknown");
	add_clock(d);
	if (s->rc_known)
		add(d, RUN_FACT_PLAIN, "exit status", "%lld", (long long)s->rc);
	add_check(d, "ended with 0", s->exit);
	add_check(d, "end text", s->done);
	add_check(d, "all steps", s->steps);
	add_check(d, "artifact", s->artifact_seen);
	add_check(d, "no error in log", s->error_text);
	add(d, tone_of(s->l0), "L0", "%s: %s", word_name(&words_check, (int)s->l0), s->l0_why);
	if (s->ends_disagree)
		add(d, RUN_FACT_BAD, "records", "two records of its end disagree");
	if (s->corrected)
		add(d, RUN_FACT_OPEN, "records",
			"corrected by later evidence; portside events shows how");
}

static void add_limits(struct detail *d)
{
	const struct run_state *s = d->out->state;
	const struct price price = { s->price_nano_usd_hour, s->price_per_chip, s->price_known };
	int64_t most = s->limit_ns ? price_cost_nano_usd(&price, s->limit_ns, (int)s->chips) : -1;

	d->section = "limits";
	add_duration(d, "time limit", s->limit_ns, "none");
	if (s->budget_nano_usd)
		add_money(d, "budget", true, s->budget_nano_usd, "");
	else
		add(d, RUN_FACT_PLAIN, "budget", "none");
	add_money(d, s->price_per_chip ? "price per chip-hour" : "price per hour", s->price_known,
		s->price_nano_usd_hour, "unknown: the target has no price");
	if (most >= 0)
		add_money(d, "cost at the limit", true, most, "");
	add_money(d, "cost", s->cost_known, s->cost_nano_usd,
		run_status_ended(s->state) ? "unknown" : "not ended yet");
}

/* ---- from the directory ---------------------------------------------------------- */

static void add_now(struct detail *d)
{
	struct run_verdict v;

	if (run_status_ended(d->out->state->state))
		return;
	verdict_read(&v, d->out->rundir);
	d->section = "now";
	add(d, v.kind == RUN_VERDICT_RUNNING ? RUN_FACT_PLAIN : RUN_FACT_OPEN, "state", "%s: %s",
		verdict_word(v.kind), v.reason);
	if (v.has_status) {
		add(d, RUN_FACT_PLAIN, "process", "%ld on %s", (long)v.status.pid, v.status.host);
		add_if(d, "survive SIGKILL", v.status.stuck);
	}
}

static void add_code(struct detail *d, const struct run_spec *spec)
{
	const struct json *code = NULL, *untracked;
	struct buf text = BUF_INIT;

	d->section = "code";
	add(d, *spec->revision ? RUN_FACT_PLAIN : RUN_FACT_OPEN, "commit", "%s",
		*spec->revision ? spec->revision : "unknown");
	add(d, RUN_FACT_PLAIN, "folder", "%s", spec->cwd);
	if (!*spec->dirty_sha256) {
		add(d, RUN_FACT_PLAIN, "uncommitted changes", "none");
		return;
	}
	add(d, RUN_FACT_OPEN, "uncommitted changes",
		"yes: sha256 %.12s, kept in capture/dirty.patch without secrets",
		spec->dirty_sha256);
	if (fs_read(&text, fs_join(d->a, d->out->rundir, "capture/code.json"), TEXT_MAX) == 0 &&
	    json_parse(&code, d->a, text.s, text.n, JSON_STRICT) == 0) {
		untracked = json_get(code, "untracked");
		add(d, RUN_FACT_PLAIN, "untracked files", "%zu%s", untracked ? untracked->count : 0,
			json_bool(code, "untracked_cut", false) ? " and more" : "");
	}
	err_clear();
	buf_release(&text);
}

static void add_command(struct detail *d, const struct run_spec *spec)
{
	struct buf line = BUF_INIT;

	d->section = "command";
	for (const char *const *p = spec->argv; p && *p; p++)
		buf_addf(&line, "%s%s", line.n ? " " : "", *p);
	if (spec->script)
		buf_adds(&line, spec->script);
	buf_trim_end(&line);
	for (const char *s = line.s; ; ) {
		size_t n = strcspn(s, "\n");

		add(d, RUN_FACT_PLAIN, s == line.s ? "command" : "", "%.*s", (int)n, s);
		if (!s[n])
			break;
		s += n + 1;
	}
	buf_release(&line);
	add(d, RUN_FACT_PLAIN, "standard input", "/dev/null");
	add_if(d, "ends with text", spec->done);
	if (spec->steps)
		add(d, RUN_FACT_PLAIN, "ends after steps", "%lld", (long long)spec->steps);
	add_if(d, "leaves", spec->artifact);
}

static void add_environment(struct detail *d, const struct run_spec *spec)
{
	char **env;

	d->section = "environment";
	if (run_directory_read_env(&env, d->a, d->out->rundir) < 0) {
		add(d, RUN_FACT_OPEN, "recorded", "not readable: %s", err_text());
		err_clear();
		return;
	}
	for (; *env; env++) {
		size_t n = strcspn(*env, "=");

		add(d, RUN_FACT_PLAIN, arena_strndup(d->a, *env, n), "%s", *env + n + 1);
	}
	for (const char *const *p = spec->pass; p && *p; p++)
		add(d, RUN_FACT_PLAIN, *p, "passed on, never recorded");
	if (spec->inherit_env)
		add(d, RUN_FACT_PLAIN, "others",
			"the run had all of its caller's environment; only the names above are recorded");
}

/* The first line of a file of capture/, and how many there are. */
static void add_captured_file(struct detail *d, const char *name, const char *file, bool count)
{
	struct buf text = BUF_INIT;
	size_t lines = 0;

	if (fs_read(&text,
		    fs_join(d->a, d->out->rundir,
			    arena_printf(d->a, "capture/%s", fs_basename(file))),
		    TEXT_MAX) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < text.n; i++)
		lines += text.s[i] == '\n';
	if (count)
		add(d, RUN_FACT_PLAIN, name, "%zu, in capture/%s", lines, fs_basename(file));
	else
		for (char *save = NULL, *s = strtok_r(text.s, "\n", &save); s;
			s = strtok_r(NULL, "\n", &save))
			add(d, RUN_FACT_PLAIN, name, "%s", s);
	buf_release(&text);
}

static const struct json *read_json(struct detail *d, const char *file)
{
	const struct json *j = NULL;
	struct buf text = BUF_INIT;

	if (fs_read(&text, fs_join(d->a, d->out->rundir, file), TEXT_MAX) < 0 ||
	    json_parse(&j, d->a, text.s, text.n, JSON_TOLERANT) < 0) {
		err_clear();
		j = NULL;
	}
	buf_release(&text);
	return j;
}

static void add_host(struct detail *d)
{
	const struct json *host = read_json(d, "capture/host.json"),
			  *end = read_json(d, "capture/end.json");
	struct buf b = BUF_INIT;

	if (host) {
		add_if(d, "host", json_str(host, "host", ""));
		add_if(d, "kernel", json_str(host, "kernel", ""));
		units_add_bytes(&b, json_i64(host, "memory_bytes", 0));
		add(d, RUN_FACT_PLAIN, "cpu and memory", "%lld x %s, %s",
			(long long)json_i64(host, "cpus_online", 0),
			json_str(host, "cpu_model", "unknown"), b.s);
		add(d, RUN_FACT_PLAIN, "container", "%s",
			json_bool(host, "container", false) ? "yes" : "no");
	}
	if (json_i64(end, "peak_rss_bytes", 0) > 0) {
		buf_clear(&b);
		units_add_bytes(&b, json_i64(end, "peak_rss_bytes", 0));
		add(d, RUN_FACT_PLAIN, "peak memory", "%s, of the largest process", b.s);
	}
	buf_release(&b);
}

static void add_captured(struct detail *d, const struct run_spec *spec)
{
	const struct json *index = read_json(d, "capture/capture.json");

	d->section = "captured";
	if (spec->skip_capture)
		add(d, RUN_FACT_OPEN, "packages", "not asked for");
	else if (!index)
		add(d, RUN_FACT_OPEN, "packages", "not captured%s",
			run_status_ended(d->out->state->state) ? ": the run ended first" : " yet");
	for (const struct json *c = index ? index->first : NULL; c; c = c->next) {
		const char *result = json_str(c, "result", ""), *file = json_str(c, "file", "");

		if (c->type != JSON_OBJECT)
			continue;
		if (strcmp(result, "ok") == 0)
			add_captured_file(d, c->key, file, strcmp(c->key, "pip-freeze") == 0);
		else
			add(d, RUN_FACT_OPEN, c->key, "%s",
				strcmp(result, "ended") == 0 ? "not captured: the run ended first"
							     : result);
	}
	add_host(d);
}

/* A file may be named after what must not be shown. */
static const char *without_secrets(struct detail *d, const char *name)
{
	struct redact *secrets = redact_new();
	struct buf b = BUF_INIT;
	const char *shown;

	redact_add_environment(secrets, environ);
	redact_text(secrets, &b, name, strlen(name));
	shown = arena_strdup(d->a, b.s);
	buf_release(&b);
	redact_free(secrets);
	return shown;
}

static void add_artifacts(
	struct detail *d, const char *dir, const char *prefix, int depth, int *left)
{
	char **names;
	size_t n;

	if (depth > DEPTH_MAX || !fs_is_dir(dir) || fs_list(&names, &n, d->a, dir) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n && *left > 0; i++) {
		char *path = fs_join(d->a, dir, names[i]),
		     *name = arena_printf(d->a, "%s%s", prefix, names[i]);
		struct buf b = BUF_INIT;

		if (fs_is_dir(path)) {
			add_artifacts(d, path, arena_printf(d->a, "%s/", name), depth + 1, left);
			continue;
		}
		units_add_bytes(&b, fs_size(path));
		add(d, RUN_FACT_PLAIN, without_secrets(d, name), "%s", b.s);
		buf_release(&b);
		--*left;
	}
}

static void add_probe(struct detail *d, const struct run_spec *spec)
{
	const char *folder = run_directory_path(d->a, d->out->rundir, RUN_FILE_PROBE);
	char **names;
	size_t n = 0;

	if (!*spec->probe) {
		add(d, RUN_FACT_OPEN, "probe", "not asked for; --probe records what training really does");
		return;
	}
	if (!fs_is_dir(folder) || fs_list(&names, &n, d->a, folder) < 0)
		err_clear();
	if (n == 0)
		add(d, RUN_FACT_OPEN, "probe", "recorded nothing: no Python program made an optimizer");
	else
		add(d, RUN_FACT_PLAIN, "probe", "%zu file%s in probe/", n, n == 1 ? "" : "s");
}

static void add_files(struct detail *d)
{
	int64_t bytes = run_directory_log_bytes(d->out->rundir);
	struct buf b = BUF_INIT;
	int left = FILES_MAX;

	d->section = "files";
	if (bytes >= 0)
		units_add_bytes(&b, bytes);
	add(d, RUN_FACT_PLAIN, "folder", "%s", d->out->rundir);
	add(d, bytes < 0 ? RUN_FACT_OPEN : RUN_FACT_PLAIN, "log", "%s", bytes < 0 ? "none" : b.s);
	add_if(d, "log sha256", d->out->state->log_digest);
	add_artifacts(
		d, run_directory_path(d->a, d->out->rundir, RUN_FILE_ARTIFACTS), "", 0, &left);
	if (!left)
		add(d, RUN_FACT_OPEN, "...", "more than %d files", FILES_MAX);
	buf_release(&b);
}

static void add_cancel(struct detail *d)
{
	struct cancel_request c;

	if (!fs_exists(run_directory_path(d->a, d->out->rundir, RUN_FILE_CANCEL)))
		return;
	if (run_directory_read_cancel(&c, d->a, d->out->rundir) < 0) {
		err_clear();
		return;
	}
	d->section = "end";
	add(d, RUN_FACT_PLAIN, "cancelled by", "%s: %s", c.who, c.why);
}

static void add_directory(struct detail *d)
{
	struct run_spec spec = RUN_SPEC_INIT;

	add_now(d);
	/* Nobody here started an import: there is nothing that could have been written. */
	if (d->out->state->provenance == PROVENANCE_IMPORTED &&
		!fs_exists(run_directory_path(d->a, d->out->rundir, RUN_FILE_SPEC))) {
		d->section = "command";
		add(d, RUN_FACT_OPEN, "command", "not recorded, nor its environment: imported");
		add_files(d);
		return;
	}
	if (run_directory_read_spec(&spec, d->a, d->out->rundir) < 0) {
		d->section = "files";
		add(d, RUN_FACT_BAD, "spec.json", "%s", err_text());
		err_clear();
		return;
	}
	add_command(d, &spec);
	add_code(d, &spec);
	add_files(d);
	add_captured(d, &spec);
	add_probe(d, &spec);
	add_environment(d, &spec);
}

int run_detail_read(struct run_detail *out, struct workspace *ws, const char *run,
	const struct position *at, struct arena *a)
{
	struct detail d = { .out = out, .a = a };
	struct run_state *state;
	char *rundir;
	int rc;

	memset(out, 0, sizeof *out);
	if ((rc = state_run(ws, run, at, a, &state)) < 0)
		return rc;
	out->state = state;
	rundir = fs_join(a, workspace_path(ws, a, "runs"), state->id);
	out->rundir = fs_is_dir(rundir) ? rundir : NULL;
	add_end(&d);
	if (out->rundir)
		add_cancel(&d);
	add_run(&d);
	add_limits(&d);
	if (out->rundir) {
		add_directory(&d);
		return 0;
	}
	d.section = "code";
	add(&d, *state->commit ? RUN_FACT_PLAIN : RUN_FACT_OPEN, "commit", "%s",
		*state->commit ? state->commit : "unknown");
	d.section = "files";
	add(&d, RUN_FACT_OPEN, "folder",
		"its files are not on this machine: log, environment and results are unknown here");
	return 0;
}
