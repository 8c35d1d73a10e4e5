/* run_facts - see run_facts.h. */
#include "config.h"

#include "workspace/run_facts.h"

#include <math.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "curve/series_role.h"
#include "evidence/probe_check.h"
#include "launch/run_directory.h"

enum { STATE_BYTES_MAX = 64 << 20, FACTS_BYTES_MAX = 64 << 10 };

/* Names under which trainers log how many examples an evaluation had. */
static const char *const example_series[] = { "eval_samples", "eval_examples", "eval/samples",
	"num_eval_examples" };

/* Packages whose version may change what is computed. */
static const char *const packages[] = { "torch", "torch_xla", "torch-xla", "torch_tpu", "jax",
	"jaxlib", "libtpu", "flax", "transformers", "accelerate", "peft", "datasets", "tokenizers",
	"numpy", "tensorflow", "keras" };

/* Variables that change arithmetic, not only its speed. */
static const char *const numerics[] = { "XLA_USE_BF16", "XLA_DOWNCAST_BF16", "XLA_USE_FP16",
	"XLA_USE_F16", "JAX_DEFAULT_MATMUL_PRECISION", "JAX_ENABLE_X64",
	"TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "CUBLAS_WORKSPACE_CONFIG" };

/* What a run may declare: text facts and numbers. */
static const struct {
	const char *name;
	bool is_text;
	size_t offset;
} declared[] = {
	{ "batch", false, offsetof(struct run_facts, batch) },
	{ "checkpoint", true, offsetof(struct run_facts, checkpoint) },
	{ "clipping", false, offsetof(struct run_facts, clipping) },
	{ "data", true, offsetof(struct run_facts, data) },
	{ "dropout", false, offsetof(struct run_facts, dropout) },
	{ "environment", true, offsetof(struct run_facts, environment) },
	{ "evaluation", true, offsetof(struct run_facts, evaluation) },
	{ "examples", false, offsetof(struct run_facts, eval_examples) },
	{ "nan-filter", true, offsetof(struct run_facts, nan_filter) },
	{ "optimizer", true, offsetof(struct run_facts, optimizer) },
	{ "packages", true, offsetof(struct run_facts, packages) },
	{ "parameters", false, offsetof(struct run_facts, parameters) },
	{ "precision", true, offsetof(struct run_facts, precision) },
	{ "steps", false, offsetof(struct run_facts, steps) },
	{ "steps-per-epoch", false, offsetof(struct run_facts, steps_per_epoch) },
	{ "teacher", true, offsetof(struct run_facts, teacher) },
	{ "tokenizer", true, offsetof(struct run_facts, tokenizer) },
	{ "tokens-per-step", false, offsetof(struct run_facts, tokens_per_step) },
	{ "warm-up", false, offsetof(struct run_facts, warmup_steps) },
	{ "weights", true, offsetof(struct run_facts, weights) },
	{ "window", false, offsetof(struct run_facts, averaging_window) },
};

static double last_value(const struct run_series *all, const char *name)
{
	const struct series *s = run_series_find(all, name, -1);

	return s && s->n ? series_value(s, s->n - 1) : NAN;
}

static double largest_step(const struct run_series *all)
{
	double most = NAN;

	for (size_t i = 0; i < all->n; i++) {
		const struct series *s = all->series[i];
		double x = s->n && s->axis == AXIS_STEP ? series_x(s, s->n - 1) : NAN;

		if (isfinite(x) && !(most >= x))
			most = x;
	}
	return most;
}

/* NULL when it is not there or not JSON: its health line tells, here it only
 * stays unknown. */
static const struct json *read_json(struct arena *a, const char *path, int64_t limit)
{
	struct buf text = BUF_INIT;
	const struct json *j;
	bool read = fs_read(&text, path, limit) == 0 &&
		json_parse(&j, a, text.s, text.n, JSON_TOLERANT) == 0;

	buf_release(&text);
	if (read)
		return j;
	err_clear();
	return NULL;
}

/* The fields that Trainer writes beside log_history. */
static void read_trainer_state(struct run_facts *out, const char *path)
{
	struct arena a = ARENA_INIT;
	const struct json *j = read_json(&a, path, STATE_BYTES_MAX);

	if (j) {
		double epochs = json_double(j, "num_train_epochs", NAN);

		out->steps = json_double(j, "max_steps", NAN);
		out->batch = json_double(j, "train_batch_size", NAN);
		if (out->steps > 0 && epochs > 0)
			out->steps_per_epoch = out->steps / epochs;
	}
	arena_release(&a);
}

/* A number is a fact as text too: "data": 7. */
static const char *text_of(struct arena *a, const struct json *j, const char *name)
{
	const char *s = json_str(j, name, NULL);
	double v = json_double(j, name, NAN);

	if (s)
		return arena_strdup(a, s);
	return isnan(v) ? NULL : arena_printf(a, "%.15g", v);
}

static void read_declared(struct run_facts *out, const char *path, struct arena *a)
{
	struct arena own = ARENA_INIT;
	const struct json *j = read_json(&own, path, FACTS_BYTES_MAX);

	for (size_t i = 0; j && i < ARRAY_LEN(declared); i++) {
		void *fact = (char *)out + declared[i].offset;
		const char *text = declared[i].is_text ? text_of(a, j, declared[i].name) : NULL;
		double number = declared[i].is_text ? NAN : json_double(j, declared[i].name, NAN);

		if (text)
			*(const char **)fact = text;
		if (!isnan(number))
			*(double *)fact = number;
	}
	arena_release(&own);
}

static uint64_t mixed(uint64_t stamp, uint64_t v)
{
	return (stamp ^ v) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Facts may be written after the curves were first looked at. */
static uint64_t with_declared(uint64_t stamp, struct arena *a, const char *folder)
{
	struct stat st;

	if (stat(fs_join(a, folder, RUN_FACTS_FILE), &st) < 0)
		return mixed(stamp, 0);
	stamp = mixed(mixed(stamp, (uint64_t)st.st_ino), (uint64_t)st.st_size);
	return mixed(mixed(stamp, (uint64_t)st.st_mtim.tv_sec), (uint64_t)st.st_mtim.tv_nsec);
}

/* Only these files hold facts of their own. */
static uint64_t stamp_of(const struct run_files *files)
{
	struct arena a = ARENA_INIT;
	uint64_t stamp = files->n;

	for (size_t i = 0; i < files->n; i++) {
		const struct curve_file *f = files->files[i].file;

		if (f && f->format->shape == CURVE_DOCUMENT)
			stamp = mixed(mixed(stamp, (uint64_t)f->mtime_ns), (uint64_t)f->size);
		if (f)
			stamp = with_declared(stamp, &a, fs_dirname(&a, f->path));
	}
	for (size_t i = 0; i < files->n_roots; i++)
		stamp = with_declared(stamp, &a, files->roots[i]);
	arena_release(&a);
	return stamp;
}

static void read_files(struct run_facts *out, const struct run_files *files, struct arena *a)
{
	struct arena own = ARENA_INIT;

	for (size_t i = 0; i < files->n; i++) {
		const struct curve_file *f = files->files[i].file;

		if (f && strcmp(f->format->name, "trainer_state") == 0)
			read_trainer_state(out, f->path);
	}
	for (size_t i = 0; i < files->n_roots; i++)
		if (fs_is_dir(files->roots[i]))
			read_declared(out, fs_join(&own, files->roots[i], RUN_FACTS_FILE), a);
	for (size_t i = 0; i < files->n; i++)
		if (files->files[i].file)
			read_declared(out,
				fs_join(&own, fs_dirname(&own, files->files[i].file->path),
					RUN_FACTS_FILE),
				a);
	arena_release(&own);
}

/* "torch==2.5.1" or "torch @ file:..." of a list of packages, as "torch 2.5.1". */
static void add_package(struct buf *out, const char *line, size_t n)
{
	size_t name = strcspn(line, "=@ \n"), at = name;

	while (at < n && strchr("=@ ", line[at]))
		at++;
	for (size_t i = 0; i < ARRAY_LEN(packages) && name < n; i++)
		if (strlen(packages[i]) == name && strncasecmp(packages[i], line, name) == 0) {
			buf_addf(out, "%s%.*s ", out->n ? ", " : "", (int)name, line);
			text_sanitise(out, line + at, n - at);
		}
}

/* Only what an interpreter said itself; NULL when it was not asked. */
static const char *captured_packages(struct arena *a, const char *rundir)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	char *path = fs_join(a, rundir, "capture/pip-freeze.txt");
	const char *found = NULL;

	if (fs_exists(path) && fs_read(&text, path, STATE_BYTES_MAX) == 0) {
		for (const char *p = text.s; p < text.s + text.n; p += strcspn(p, "\n") + 1)
			add_package(&out, p, strcspn(p, "\n"));
		if (out.n)
			found = arena_strndup(a, out.s, out.n);
	}
	err_clear();
	buf_release(&text);
	buf_release(&out);
	return found;
}

/* NULL when the environment was not recorded, "" when none of them was set. */
static const char *recorded_numerics(struct arena *a, const char *rundir)
{
	struct buf out = BUF_INIT;
	const char *found;
	char **env;

	if (!fs_exists(run_directory_path(a, rundir, RUN_FILE_ENV)) ||
		run_directory_read_env(&env, a, rundir) < 0) {
		err_clear();
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_LEN(numerics); i++) {
		size_t n = strlen(numerics[i]);

		for (char **e = env; *e; e++)
			if (strncmp(*e, numerics[i], n) == 0 && (*e)[n] == '=')
				buf_addf(&out, "%s%s", out.n ? " " : "", *e);
	}
	found = arena_strndup(a, out.n ? out.s : "", out.n);
	buf_release(&out);
	return found;
}

/* ---- the probe ---- */

/* What is computed in: the format of autocast where it is on, else that of all
 * parameters; NULL where they have several. */
static const char *precision_of_probe(const struct probe_record *r, struct arena *a)
{
	const struct probe_line *forward = probe_record_next(r, NULL, "forward");
	const struct json *formats = forward ? json_get(forward->json, "dtypes") : NULL;
	const char *name = NULL;

	if (!forward)
		return NULL;
	if (json_bool(forward->json, "autocast", false))
		name = json_str(forward->json, "autocast_dtype", NULL);
	else if (json_bool(forward->json, "autocast_cpu", false))
		name = json_str(forward->json, "autocast_cpu_dtype", NULL);
	else if (formats && formats->type == JSON_OBJECT && formats->count == 1)
		name = formats->first->key;
	return name ? arena_strdup(a, name) : NULL;
}

static void take_probe(struct run_facts *out, const struct probe_record *r, struct arena *a)
{
	const struct probe_line *clip = probe_record_next(r, NULL, "clip");
	const struct probe_line *evaluated = probe_record_last(r, "evaluated", 0);
	int64_t batch = probe_check_batch(r);
	double examples = evaluated ? json_double(evaluated->json, "examples", NAN) : NAN;

	if (batch > 0)
		out->batch = (double)batch;
	if (clip)
		out->clipping = json_double(clip->json, "limit", NAN);
	if (examples > 0)
		out->eval_examples = examples;
	out->precision = precision_of_probe(r, a);
}

/* What the probe wrote in RUNDIR; what cannot be read says nothing. */
static void read_probe(struct run_facts *out, const char *rundir, struct arena *a)
{
	const char *folder = run_directory_path(a, rundir, RUN_FILE_PROBE), **paths;
	struct probe_record *record;
	char **names;
	size_t n, paths_n = 0;

	if (!fs_is_dir(folder) || fs_list(&names, &n, a, folder) < 0) {
		err_clear();
		return;
	}
	paths = arena_alloc(a, (n + 1) * sizeof *paths);
	for (size_t i = 0; i < n; i++)
		if (text_starts(names[i], "probe-") && text_ends(names[i], ".jsonl"))
			paths[paths_n++] = fs_join(a, folder, names[i]);
	if (paths_n && probe_record_read(&record, paths, paths_n) == 0) {
		take_probe(out, record, a);
		probe_record_free(record);
	}
	err_clear();
}

static const struct series *first_of(
	const struct run_files *files, const char *const *names)
{
	for (; *names; names++) {
		const struct series *s = run_series_find(files->series, *names, AXIS_STEP);

		if (s && s->n)
			return s;
	}
	return NULL;
}

struct axis_scale run_facts_scale(
	const struct run_facts *f, const struct run_files *files, enum align_axis axis)
{
	struct axis_scale scale = { .per_step = 0 };

	if (axis == ALIGN_SAMPLES) {
		scale.counter = first_of(files, series_sample_names);
		scale.per_step = f->batch > 0 ? f->batch : 0;
	} else if (axis == ALIGN_TOKENS) {
		scale.counter = first_of(files, series_token_names);
		scale.per_step = f->tokens_per_step > 0 ? f->tokens_per_step : 0;
	}
	return scale;
}

void run_facts_gather(struct run_facts *out, struct run_facts_cache *cache,
	const struct run_state *run, const struct run_files *files, const char *rundir,
	struct arena *a)
{
	uint64_t stamp = stamp_of(files);

	if (!cache->filled || cache->stamp != stamp) {
		cache->facts = (struct run_facts)RUN_FACTS_INIT;
		if (rundir) {
			cache->facts.packages = captured_packages(a, rundir);
			cache->facts.environment = recorded_numerics(a, rundir);
			read_probe(&cache->facts, rundir, a);
		}
		read_files(&cache->facts, files, a);
		cache->filled = true;
		cache->stamp = stamp;
	}
	*out = cache->facts;
	if (files->settings.n)
		run_facts_add_settings(out, &files->settings, a);
	if (out->precision)
		out->precision = run_facts_precision(out->precision);
	if (isnan(out->steps) && run->steps_declared > 0)
		out->steps = (double)run->steps_declared;
	if (isnan(out->steps) && run_status_ended(run->state))
		out->steps = largest_step(files->series);
	for (size_t i = 0; i < ARRAY_LEN(example_series) && isnan(out->eval_examples); i++)
		out->eval_examples = last_value(files->series, example_series[i]);
	if (*run->seed)
		out->seed = run->seed;
	out->device = run->configuration;
}
