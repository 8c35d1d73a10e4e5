/* run_silent_series - numbers of a run's curves and of its probe; see run_silent.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/series_role.h"
#include "evidence/probe_record.h"
#include "launch/run_directory.h"
#include "workspace/run_silent_private.h"

enum { NUMBERS_MAX = 20000, PROBE_FILES_MAX = 4096 };

/* ---- curves ---- */

static const struct series *find_by_part(const struct run_files *files, const char *const *parts)
{
	const struct series *best = NULL;

	for (; *parts && !best; parts++)
		for (size_t i = 0; i < files->series->n; i++) {
			const struct series *s = files->series->series[i];

			if (s->axis == AXIS_STEP && s->n && !series_is_evaluation(s->name) &&
				strcmp(series_last_part(s->name), *parts) == 0 &&
				(!best || s->n > best->n))
				best = s;
		}
	return best;
}

static const char *place_of(const struct run_files *files, const struct series *s, struct arena *a)
{
	size_t file = s->n_segments ? (size_t)s->segments[0].file : 0;

	return file < files->n ? arena_printf(a, "%s (%s)", files->files[file].name, s->name) : "";
}

/* Every value, or evenly fewer where there are more than a rule needs. */
static size_t stride_of(size_t n)
{
	return n / NUMBERS_MAX + 1;
}

static struct silent_numbers values_of(
	const struct run_files *files, const struct series *s, struct arena *a)
{
	size_t stride = stride_of(s->n);
	double *v = arena_alloc(a, (s->n / stride + 1) * sizeof *v);
	struct silent_numbers out = { v, 0, place_of(files, s, a) };

	for (size_t i = 0; i < s->n; i += stride)
		if (isfinite(series_value(s, i)) && series_value(s, i) > 0)
			v[out.n++] = series_value(s, i);
	return out;
}

/* A row may stand for several steps: their mean.  What lies between two sessions of a run
 * is no step. */
static struct silent_numbers between_rows(
	const struct run_files *files, const struct series *s, struct arena *a)
{
	double *v = arena_alloc(a, (s->n + 1) * sizeof *v);
	struct silent_numbers out = { v, 0, place_of(files, s, a) };

	for (size_t k = 0; k < s->n_segments; k++) {
		size_t first = s->segments[k].first, end = first + s->segments[k].n;

		for (size_t i = first + 1; i < end && out.n < NUMBERS_MAX; i++) {
			double steps = series_x(s, i) - series_x(s, i - 1),
			       seconds = series_wall(s, i) - series_wall(s, i - 1);

			if (steps > 0 && seconds > 0 && isfinite(seconds))
				v[out.n++] = seconds / steps;
		}
	}
	return out;
}

struct silent_numbers run_silent_step_times(const struct run_files *files, struct arena *a)
{
	static const char *const times[] = { "step_time", "step_time_s", "time_per_step",
		"seconds_per_step", "iter_time", NULL };
	static const char *const losses[] = { "loss", "train_loss", NULL };
	const struct series *s = find_by_part(files, times);

	if (s)
		return values_of(files, s, a);
	s = find_by_part(files, losses);
	if (s && series_has_wall(s))
		return between_rows(files, s, a);
	return (struct silent_numbers){ .n = 0 };
}

void run_silent_loss(struct silent_input *in, const struct run_files *files, struct arena *a)
{
	static const char *const losses[] = { "loss", "train_loss", NULL };
	static const char *const norms[] = { "grad_norm", "gradient_norm", "total_norm", NULL };
	const struct series *loss = find_by_part(files, losses), *norm = find_by_part(files, norms);
	size_t n, at = 0;
	double *v, *w;

	if (!loss)
		return;
	n = loss->n < NUMBERS_MAX ? loss->n : NUMBERS_MAX;
	v = arena_alloc(a, n * sizeof *v);
	w = arena_alloc(a, n * sizeof *w);
	for (size_t i = 0; i < n; i++) {
		v[i] = series_value(loss, i);
		w[i] = 0;
		while (norm && at < norm->n && norm->x[at] < loss->x[i])
			at++;
		/* A norm that was not logged there says nothing. */
		if (norm && at < norm->n && norm->x[at] == loss->x[i])
			w[i] = series_value(norm, at);
	}
	in->loss = (struct silent_numbers){ v, n, place_of(files, loss, a) };
	in->gradient_norm = (struct silent_numbers){ w, norm ? n : 0, NULL };
}

/* ---- memory ---- */

#define MIB 1048576.0
#define GIB 1073741824.0

/* Bytes of one of its units; 0: the name does not tell the unit. */
static const struct memory_name { const char *name; double unit_bytes; } memory_names[] = {
	{ "memory_bytes", 1 }, { "rss_bytes", 1 }, { "host_memory_bytes", 1 },
	{ "gpu_memory_bytes", 1 }, { "memory_mb", MIB }, { "memory_mib", MIB },
	{ "host_memory_mb", MIB }, { "host_memory_mib", MIB }, { "host_rss_mb", MIB },
	{ "host_rss_mib", MIB }, { "rss_mb", MIB }, { "rss_mib", MIB }, { "gpu_mem_mb", MIB },
	{ "gpu_mem_mib", MIB }, { "gpu_memory_mb", MIB }, { "memory_gb", GIB },
	{ "memory_gib", GIB }, { "host_memory_gb", GIB }, { "host_memory_gib", GIB },
	{ "host_rss_gb", GIB }, { "host_rss_gib", GIB }, { "rss_gb", GIB }, { "rss_gib", GIB },
	{ "gpu_mem_gb", GIB }, { "gpu_mem_gib", GIB }, { "gpu_memory_gb", GIB },
	{ "host_memory", 0 }, { "host_rss", 0 }, { "rss", 0 }, { "memory", 0 }, { "gpu_mem", 0 },
	{ "gpu_memory", 0 },
};

void run_silent_memory(struct silent_input *in, const struct run_files *files, struct arena *a)
{
	const struct series *s = NULL;
	size_t k = 0, stride, n = 0;
	double *x, *y;

	for (; !s && k < ARRAY_LEN(memory_names); k++) {
		const char *const parts[] = { memory_names[k].name, NULL };

		s = find_by_part(files, parts);
	}
	if (!s)
		return;
	stride = stride_of(s->n);
	x = arena_alloc(a, (s->n / stride + 1) * sizeof *x);
	y = arena_alloc(a, (s->n / stride + 1) * sizeof *y);
	for (size_t i = 0; i < s->n; i += stride)
		if (isfinite(series_value(s, i)) && series_value(s, i) > 0) {
			x[n] = series_x(s, i);
			y[n++] = series_value(s, i) *
				(memory_names[k - 1].unit_bytes > 0 ? memory_names[k - 1].unit_bytes
								    : 1);
		}
	in->memory_unit_unknown = memory_names[k - 1].unit_bytes <= 0;
	in->memory_x = (struct silent_numbers){ x, n, NULL };
	in->memory_bytes = (struct silent_numbers){ y, n, place_of(files, s, a) };
}

/* ---- the probe ---- */

static size_t probe_files(
	const char ***out, struct workspace *ws, const struct run_state *run, struct arena *a)
{
	const char *rundir = fs_join(a, workspace_path(ws, a, "runs"), run->id);
	const char *folder = run_directory_path(a, rundir, RUN_FILE_PROBE);
	char **names;
	size_t n, kept = 0;

	if (!fs_is_dir(folder) || fs_list(&names, &n, a, folder) < 0) {
		err_clear();
		return 0;
	}
	*out = arena_alloc(a, (n + 1) * sizeof **out);
	for (size_t i = 0; i < n && kept < PROBE_FILES_MAX; i++) {
		const char *path = fs_join(a, folder, names[i]);
		struct stat st;

		if (text_starts(names[i], "probe-") && text_ends(names[i], ".jsonl") &&
			lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			(*out)[kept++] = path;
	}
	return kept;
}

/* Of the first optimizer of rank 0, whose steps are those of training. */
static void take_steps(struct silent_input *in, const struct probe_record *r, struct arena *a)
{
	double *v = arena_alloc(a, (r->steps_n + 1) * sizeof *v);
	size_t n = 0;

	for (size_t i = 0; i < r->steps_n && n < NUMBERS_MAX; i++) {
		const struct probe_step *s = &r->steps[i];

		if (s->rank == 0 && s->optimizer == r->steps[0].optimizer && s->seconds > 0)
			v[n++] = s->seconds;
	}
	if (n)
		in->step_s = (struct silent_numbers){ v, n, "probe/ (steps)" };
}

static void take_memory(struct silent_input *in, const struct probe_record *r, struct arena *a)
{
	double *x = arena_alloc(a, (r->n + 1) * sizeof *x);
	double *y = arena_alloc(a, (r->n + 1) * sizeof *y);
	size_t n = 0;

	for (size_t i = 0; i < r->n && n < NUMBERS_MAX; i++) {
		const struct probe_line *l = &r->lines[i];
		double step = json_double(l->json, "first", json_double(l->json, "step", NAN)),
		       bytes = json_double(l->json, "memory_bytes", NAN);

		if (l->rank != 0 || !(bytes > 0) || !isfinite(bytes) || !isfinite(step) ||
			(n && step <= x[n - 1]))
			continue;
		x[n] = step;
		y[n++] = bytes;
	}
	if (!n)
		return;
	in->memory_unit_unknown = false;
	in->memory_x = (struct silent_numbers){ x, n, NULL };
	in->memory_bytes = (struct silent_numbers){ y, n, "probe/ (memory_bytes)" };
}

int run_silent_probe(
	struct silent_input *in, struct workspace *ws, const struct run_state *run, struct arena *a)
{
	struct probe_record *record = NULL;
	const char **paths;
	size_t n = probe_files(&paths, ws, run, a);
	int rc = n ? probe_record_read(&record, paths, n) : 0;

	if (rc == 0 && record) {
		if (record->steps_n)
			take_steps(in, record, a);
		take_memory(in, record, a);
	}
	probe_record_free(record);
	return rc;
}
