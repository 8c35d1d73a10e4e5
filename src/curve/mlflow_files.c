/* mlflow_files - lines of files as points, and the words of meta.yaml. */
#include "config.h"

#include "curve/mlflow_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/line_files.h"
#include "curve/reader_number.h"
#include "curve/store_runs.h"
#include "curve/yaml_flat.h"

enum { VALUE_BYTES_MAX = 64 * 1024, VALUES_MAX = 4096 };

struct mlflow_files { struct line_files metrics; bool settings_read; };

/* ---- a line ---- */

/* The next word of P[0..N), parted by blanks; false at the end. */
static bool next_word(const char **p, size_t *n, const char **word, size_t *word_n)
{
	while (*n && (**p == ' ' || **p == '\t'))
		(*p)++, (*n)--;
	*word = *p;
	while (*n && **p != ' ' && **p != '\t')
		(*p)++, (*n)--;
	*word_n = (size_t)(*p - *word);
	return *word_n > 0;
}

static bool read_word(struct number *out, const char **p, size_t *n)
{
	const char *word;
	size_t word_n;

	return next_word(p, n, &word, &word_n) && number_read(out, word, word_n);
}

bool mlflow_line_read(
	const char *p, size_t n, double *wall_s, double *value, int64_t *step, bool *has_step)
{
	struct number time, v, s;
	const char *word;
	size_t word_n;

	if (!read_word(&time, &p, &n) || !time.is_integer || !read_word(&v, &p, &n))
		return false;
	*wall_s = time.integer ? (double)time.integer / 1000 : NAN;
	*value = v.value;
	*step = 0;
	*has_step = next_word(&p, &n, &word, &word_n);
	if (!*has_step)
		return true;
	if (!number_read(&s, word, word_n) || !s.is_integer)
		return false;
	*step = s.integer;
	return true;
}

static void note_no_steps(struct curve_sink *sink)
{
	if (!curve_notes_has(&sink->notes, "no-steps"))
		curve_notes_add(&sink->notes, "no-steps",
			"%s: metrics were logged without a step; all their points are at step 0, and only their times tell them apart",
			sink->name);
}

static void take_line(
	void *user, struct curve_sink *sink, struct line_file *file, const struct line *line)
{
	double wall_s, value;
	int64_t step;
	bool has_step;

	(void)user;
	if (!line->n)
		return;
	if (!mlflow_line_read(line->p, line->n, &wall_s, &value, &step, &has_step)) {
		sink->health.malformed++;
		return;
	}
	if (!has_step)
		note_no_steps(sink);
	if (!file->series)
		file->series =
			run_series_get(sink->series, file->name, strlen(file->name), AXIS_STEP);
	curve_sink_point(sink, file->series, step, wall_s, value);
	sink->health.records++;
}

/* ---- meta.yaml, params, tags ---- */

/* Files named like the settings whose values they hold. */
static void read_values(struct settings *out, const char *run, const char *folder,
	const char *prefix)
{
	struct arena a = ARENA_INIT;
	const char *path = fs_join(&a, run, folder);
	struct buf text = BUF_INIT;
	char **names;
	size_t n = 0;

	if (!fs_is_dir(path) || fs_list(&names, &n, &a, path) < 0)
		err_clear();
	for (size_t i = 0; i < n && i < VALUES_MAX; i++) {
		const char *name = arena_printf(&a, "%s%s", prefix, names[i]);
		struct stat st;

		buf_clear(&text);
		if (lstat(fs_join(&a, path, names[i]), &st) < 0 || !S_ISREG(st.st_mode) ||
			fs_read(&text, fs_join(&a, path, names[i]), VALUE_BYTES_MAX) < 0) {
			err_clear();
			continue;
		}
		buf_trim_end(&text);
		settings_put(out, name, strlen(name), text.s, text.n);
	}
	buf_release(&text);
	arena_release(&a);
}

static int read_meta(struct settings *out, const char *run)
{
	struct arena a = ARENA_INIT;
	int rc = yaml_flat_load(out, "", fs_join(&a, run, "meta.yaml"));

	arena_release(&a);
	return rc;
}

static bool is_deleted(const struct settings *meta)
{
	const char *stage = settings_find(meta, "lifecycle_stage");

	return stage && strcmp(stage, "deleted") == 0;
}

/* In MLflow's own words, which its files have as numbers. */
static const char *status_of(const struct settings *meta)
{
	static const char *const words[] = { "", "RUNNING", "SCHEDULED", "FINISHED", "FAILED",
		"KILLED" };
	const char *status = settings_find(meta, "status");
	int64_t i;

	if (!status)
		return "";
	if (text_to_i64(status, strlen(status), &i) && i > 0 && i < (int64_t)ARRAY_LEN(words))
		return words[i];
	return status;
}

static void count_line(
	void *user, struct curve_sink *sink, struct line_file *file, const struct line *line)
{
	double wall_s, value;
	int64_t step;
	bool has_step;

	(void)sink;
	(void)file;
	*(int64_t *)user +=
		mlflow_line_read(line->p, line->n, &wall_s, &value, &step, &has_step);
}

/* -1 when its files cannot be read. */
static int64_t count_points(const char *metrics, const atomic_bool *cancel)
{
	struct line_files files = { 0 };
	struct curve_sink sink = { .health = HEALTH_INIT,
		.cancel = cancel,
		.budget_bytes = INT64_MAX / 2,
		.name = "" };
	int64_t n = 0;

	if (line_files_look(&files, metrics, "") < 0 ||
		line_files_read(&files, &sink, count_line, &n) < 0) {
		err_clear();
		n = -1;
	}
	curve_notes_release(&sink.notes);
	line_files_release(&files);
	return n;
}

static int mlflow_list_runs(struct store_runs *out, const char *path, const atomic_bool *cancel)
{
	struct settings meta = { 0 };
	struct arena a = ARENA_INIT;
	const char *id, *name;
	struct store_run *run;
	int rc = read_meta(&meta, path);

	if (rc == 0) {
		id = settings_find(&meta, "run_id");
		name = settings_find(&meta, "run_name");
		run = store_runs_add(out, id ? id : fs_basename(path), name);
		free(run->status);
		run->status = xstrdup(status_of(&meta));
		run->deleted = is_deleted(&meta);
		run->path = xstrdup(path);
		run->points = count_points(fs_join(&a, path, "metrics"), cancel);
	}
	settings_release(&meta);
	arena_release(&a);
	return rc;
}

/* ---- following ---- */

static bool is_named(const struct curve_sink *sink, const char *path)
{
	char *kept = store_choice_read(path);
	bool named = kept || sink->options->store_run;

	free(kept);
	return named;
}

/* Also again, since a run may be deleted while it is followed. */
static int read_settings(struct mlflow_files *m, struct curve_sink *sink, const char *path)
{
	struct settings meta = { 0 };
	int rc = read_meta(&meta, path);

	if (rc == 0 && is_deleted(&meta) && !is_named(sink, path))
		rc = err_set(
			ERR_STATE, "%s: deleted in MLflow; name the run to read it", sink->name);
	if (rc == 0 && !m->settings_read) {
		read_values(&sink->settings, path, "params", "");
		read_values(&sink->settings, path, "tags", "tags.");
	}
	m->settings_read = rc == 0;
	settings_release(&meta);
	return rc;
}

static int mlflow_refresh(void *state, struct curve_sink *sink, const char *path)
{
	struct mlflow_files *m = state;
	struct arena a = ARENA_INIT;
	int rc = read_settings(m, sink, path);

	if (rc == 0)
		rc = line_files_look(&m->metrics, fs_join(&a, path, "metrics"), "");
	if (rc == CURVE_SAME)
		rc = line_files_read(&m->metrics, sink, take_line, m);
	if (rc == CURVE_VOID)
		m->settings_read = false;
	arena_release(&a);
	return rc;
}

static void *mlflow_new(const struct curve_sink *sink)
{
	(void)sink;
	return xcalloc(1, sizeof(struct mlflow_files));
}

static void mlflow_free(void *state)
{
	struct mlflow_files *m = state;

	line_files_release(&m->metrics);
	free(m);
}

static bool mlflow_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	struct arena a = ARENA_INIT;
	struct stat st;
	bool is;

	(void)basename;
	(void)head;
	(void)n;
	is = fs_is_dir(fs_join(&a, path, "metrics")) &&
		lstat(fs_join(&a, path, "meta.yaml"), &st) == 0 && S_ISREG(st.st_mode);
	arena_release(&a);
	return is;
}

static bool mlflow_holds(const char *name)
{
	return strcmp(name, "meta.yaml") == 0 || text_starts(name, "metrics/") ||
		text_starts(name, "params/") || text_starts(name, "tags/");
}

const struct curve_format mlflow_files_format = {
	.name = "mlflow-files",
	.title = "MLflow (files)",
	.delay = "each value",
	.shape = CURVE_STORE,
	.rank = RANK_RECORDS,
	.recognise = mlflow_recognise,
	.new_state = mlflow_new,
	.free_state = mlflow_free,
	.refresh = mlflow_refresh,
	.list_runs = mlflow_list_runs,
	.holds = mlflow_holds,
};
