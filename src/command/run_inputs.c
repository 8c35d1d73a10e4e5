/* run_inputs - what a run was started with, from the log, its directory and the sources of
 * its curves; see run_difference.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "command/run_difference.h"
#include "curve/run_files.h"
#include "launch/run_directory.h"
#include "workspace/run_results.h"
#include "workspace/run_summary.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

enum { TEXT_MAX = 4 << 20, FACTS_DEPTH_MAX = 4 };

struct gather {
	struct run_inputs *out;
	struct run_input *heap;
	const char *rundir;		/* NULL: not on this machine */
	struct arena *a;
};

static void add(struct gather *g, enum run_section section, const char *name, const char *value)
{
	g->out->recorded[section] = true;
	if (!value || !*value)
		return;
	ARRAY_GROW(g->heap, g->out->n, g->out->cap);
	g->heap[g->out->n++] = (struct run_input){ section, arena_strdup(g->a, name),
		arena_strdup(g->a, value) };
}

static bool read_text(struct gather *g, struct buf *out, const char *file)
{
	bool read = fs_read(out, fs_join(g->a, g->rundir, file), TEXT_MAX) == 0;

	err_clear();
	return read;
}

static const struct json *read_json(struct gather *g, const char *file)
{
	struct buf text = BUF_INIT;
	const struct json *j = NULL;

	if (!read_text(g, &text, file) ||
		json_parse(&j, g->a, text.s, text.n, JSON_TOLERANT) < 0) {
		err_clear();
		j = NULL;
	}
	buf_release(&text);
	return j;
}

/* ---- from the log ---------------------------- */

static void add_state(struct gather *g)
{
	const struct run_state *s = g->out->state;

	add(g, RUN_SECTION_RUN, "attempt", s->attempt);
	add(g, RUN_SECTION_RUN, "kind", run_kind_text(s->kind));
	add(g, RUN_SECTION_RUN, "target", s->target);
	add(g, RUN_SECTION_RUN, "chips", arena_printf(g->a, "%lld", (long long)s->chips));
	add(g, RUN_SECTION_RUN, "seed", s->seed);
	if (*s->commit)
		add(g, RUN_SECTION_CODE, "commit", s->commit);
}

/* ---- from its directory ---------------------------- */

static void add_spec(struct gather *g)
{
	struct run_spec spec = RUN_SPEC_INIT;
	struct buf line = BUF_INIT;

	if (run_directory_read_spec(&spec, g->a, g->rundir) < 0) {
		err_clear();
		return;
	}
	if (*spec.revision)
		add(g, RUN_SECTION_CODE, "commit", *g->out->state->commit ? "" : spec.revision);
	add(g, RUN_SECTION_CODE, "uncommitted changes",
		*spec.dirty_sha256 ? arena_printf(g->a, "sha256 %.12s", spec.dirty_sha256) : "none");
	for (const char *const *p = spec.argv; p && *p; p++)
		buf_addf(&line, "%s%s", line.n ? " " : "", *p);
	if (spec.script)
		buf_adds(&line, spec.script);
	buf_trim_end(&line);
	add(g, RUN_SECTION_COMMAND, "command", line.s);
	add(g, RUN_SECTION_COMMAND, "ends with text", spec.done);
	if (spec.steps)
		add(g, RUN_SECTION_COMMAND, "ends after steps",
			arena_printf(g->a, "%lld", (long long)spec.steps));
	add(g, RUN_SECTION_COMMAND, "leaves", spec.artifact);
	buf_release(&line);
}

static void add_environment(struct gather *g)
{
	char **env;

	if (!fs_exists(run_directory_path(g->a, g->rundir, RUN_FILE_ENV)) ||
		run_directory_read_env(&env, g->a, g->rundir) < 0) {
		err_clear();
		return;
	}
	g->out->recorded[RUN_SECTION_ENVIRONMENT] = true;
	for (; *env; env++) {
		size_t n = strcspn(*env, "=");

		/* Each run has its own, whatever else is equal. */
		if (text_starts(*env, "PORTSIDE_RUN_ID="))
			continue;
		add(g, RUN_SECTION_ENVIRONMENT, arena_strndup(g->a, *env, n),
			(*env)[n] ? *env + n + 1 : "");
	}
}

/* "torch==2.5.1", "torch @ file:..." */
static void add_packages(struct gather *g)
{
	struct buf text = BUF_INIT;

	if (read_text(g, &text, "capture/pip-freeze.txt"))
		g->out->recorded[RUN_SECTION_PACKAGES] = true;
	for (char *save = NULL, *s = strtok_r(text.s, "\n", &save); text.n && s;
		s = strtok_r(NULL, "\n", &save)) {
		size_t name = strcspn(s, "=@ "), at = name + strspn(s + name, "=@ ");

		if (name)
			add(g, RUN_SECTION_PACKAGES, arena_strndup(g->a, s, name),
				s[at] ? s + at : "unknown");
	}
	buf_release(&text);
}

static void add_value(struct gather *g, enum run_section section, const char *name,
	const struct json *v)
{
	struct buf b = BUF_INIT;

	if (v->type == JSON_STRING)
		buf_add(&b, v->text, v->text_n);
	else
		json_canonical(&b, v);
	add(g, section, name, b.s);
	buf_release(&b);
}

/* Of the host what is its own, not what changes from hour to hour. */
static void add_machine(struct gather *g)
{
	static const char *const kept[] = { "host", "kernel", "cpu_model", "cpus_online",
		"memory_bytes", "container" };
	static const char *const lines[][2] = { { "python", "capture/python.txt" },
		{ "nvidia-smi", "capture/nvidia-smi.csv" }, { "tpu-info", "capture/tpu-info.txt" } };
	const struct json *host = read_json(g, "capture/host.json");

	for (size_t i = 0; host && i < ARRAY_LEN(kept); i++)
		if (json_get(host, kept[i]))
			add_value(g, RUN_SECTION_MACHINE, kept[i], json_get(host, kept[i]));
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct buf text = BUF_INIT;

		if (read_text(g, &text, lines[i][1])) {
			buf_trim_end(&text);
			for (char *s = text.s; *s; s++)
				*s = *s == '\n' ? ' ' : *s;
			add(g, RUN_SECTION_MACHINE, lines[i][0], text.s);
		}
		buf_release(&text);
	}
}

/* The files of declared facts that lie among the curves. */
static void find_facts(struct gather *g, const char *dir, int depth)
{
	char **names;
	size_t n;

	if (depth > FACTS_DEPTH_MAX || !fs_is_dir(dir) || fs_list(&names, &n, g->a, dir) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const char *path = fs_join(g->a, dir, names[i]);
		struct buf text = BUF_INIT;
		const struct json *j = NULL;

		if (fs_is_dir(path))
			find_facts(g, path, depth + 1);
		else if (strcmp(names[i], RUN_FACTS_FILE) == 0 &&
			fs_read(&text, path, TEXT_MAX) == 0 &&
			json_parse(&j, g->a, text.s, text.n, JSON_TOLERANT) == 0)
			for (const struct json *v = j->first; v; v = v->next)
				if (v->key)
					add_value(g, RUN_SECTION_FACTS, v->key, v);
		err_clear();
		buf_release(&text);
	}
}

static int add_config(struct gather *g, struct workspace *ws, const atomic_bool *cancel)
{
	struct run_summary s;
	int rc = run_summary_read(&s, ws, g->out->state->id, NULL, 0, cancel, g->a);

	for (size_t i = 0; rc == 0 && i < s.config.n; i++)
		add(g, RUN_SECTION_CONFIG, s.config.list[i].name, s.config.list[i].value);
	return rc;
}

/* ---- all of it ---------------------------- */

static int compare(const void *left, const void *right)
{
	const struct run_input *a = left, *b = right;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* One value a key: a later file of facts says no more than the first. */
static void sort(struct run_inputs *r)
{
	size_t kept = 0;

	if (r->n)
		qsort(r->list, r->n, sizeof *r->list, compare);
	for (size_t i = 0; i < r->n; i++)
		if (!kept || compare(&r->list[kept - 1], &r->list[i]) != 0)
			r->list[kept++] = r->list[i];
	r->n = kept;
}

int run_inputs_read(struct run_inputs *out, struct workspace *ws, const char *run,
	const struct position *at, const atomic_bool *cancel, struct arena *a)
{
	struct gather g = { .out = out, .a = a };
	struct run_state *state;
	char *rundir;
	int rc = state_run(ws, run, at, a, &state);

	*out = (struct run_inputs){ 0 };
	if (rc < 0)
		return rc;
	out->state = state;
	rundir = fs_join(a, workspace_path(ws, a, "runs"), state->id);
	g.rundir = fs_is_dir(rundir) ? rundir : NULL;
	add_state(&g);
	if (g.rundir) {
		add_spec(&g);
		add_environment(&g);
		add_packages(&g);
		add_machine(&g);
		find_facts(&g, run_directory_path(a, rundir, RUN_FILE_ARTIFACTS), 0);
		rc = add_config(&g, ws, cancel);
	}
	out->list = arena_memdup(a, g.heap, out->n * sizeof *g.heap);
	free(g.heap);
	sort(out);
	return rc;
}
