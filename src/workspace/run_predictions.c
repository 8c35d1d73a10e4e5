/* run_predictions - see run_predictions.h. */
#include "config.h"

#include "workspace/run_predictions.h"

#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "launch/run_directory.h"
#include "workspace/run_evidence.h"
#include "workspace/run_results.h"

enum { DEPTH_MAX = 8, FILES_MAX = 64, LOOKED_AT_MAX = 20000 };

struct search { struct arena *a; char **list; size_t n; int looked_at; };

static void look_below(struct search *s, const char *dir, int depth)
{
	char **names;
	size_t n;

	if (depth > DEPTH_MAX || fs_list(&names, &n, s->a, dir) < 0) {
		err_clear();
		return;
	}
	for (size_t i = 0; i < n && s->n < FILES_MAX && s->looked_at++ < LOOKED_AT_MAX; i++) {
		char *path = fs_join(s->a, dir, names[i]);
		struct stat st;

		if (names[i][0] == '.' || lstat(path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			look_below(s, path, depth + 1);
		else if (S_ISREG(st.st_mode) && curve_format_recognise(path) == &predictions_format)
			s->list[s->n++] = path;
		err_clear();
	}
}

int run_predictions_paths(
	char ***out, size_t *n, struct workspace *ws, const char *run, struct arena *a)
{
	struct search s = { .a = a, .list = arena_alloc(a, FILES_MAX * sizeof *s.list) };
	char **paths;
	size_t n_paths;
	bool live;
	int rc = run_results_paths(&paths, &n_paths, &live, ws, run, a);

	for (size_t i = 0; rc == 0 && i < n_paths; i++) {
		if (fs_is_dir(paths[i]))
			look_below(&s, paths[i], 0);
	}
	*out = s.list;
	*n = rc < 0 ? 0 : s.n;
	return rc;
}

/* ---- two runs ---- */

struct side { const char *run; char **paths; size_t n; bool *used; };

/* "artifacts/eval/p.csv" and "work/eval/p.csv": what both names end with, in parts. */
static size_t parts_in_common(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b), parts = 0;

	for (size_t i = 0; i < n && i < m && a[n - 1 - i] == b[m - 1 - i]; i++)
		if (a[n - 1 - i] == '/')
			parts++;
	return parts;
}

/* The file of the other run that goes with PATH: the same basename, else the only one. */
static size_t partner_of(const struct side *other, const char *path, bool only)
{
	size_t best = SIZE_MAX, most = 0;

	for (size_t i = 0; i < other->n; i++) {
		size_t parts = parts_in_common(other->paths[i], path);

		if (!other->used[i] && parts > most) {
			most = parts;
			best = i;
		}
	}
	return best == SIZE_MAX && only && other->n == 1 && !other->used[0] ? 0 : best;
}

/* Where both files come from. */
static int read_origin(struct run_predictions *out, struct workspace *ws, const struct side *r,
	const char *reference, const struct side *t, const char *attempt, struct arena *a)
{
	struct digest of_r, of_t;
	int64_t size;
	int rc;

	if ((rc = sha256_file(&of_r, &size, reference)) < 0 ||
		(rc = sha256_file(&of_t, &size, attempt)) < 0)
		return rc;
	out->same_bytes = digest_equal(&of_r, &of_t);
	if ((rc = run_evidence_bringer(&out->reference_by, ws, &of_r, r->run, a)) < 0)
		return rc;
	return run_evidence_bringer(&out->attempt_by, ws, &of_t, t->run, a);
}

static void compare_files(struct run_predictions *out, const char *reference, const char *attempt,
	const atomic_bool *cancel, struct arena *a)
{
	struct predictions *r = NULL, *t = NULL;

	if (predictions_read(&r, reference, cancel) == 0 &&
		predictions_read(&t, attempt, cancel) == 0)
		predictions_join(&out->pair, r, t);
	else
		out->missing = arena_strdup(a, err_text());
	predictions_free(r);
	predictions_free(t);
}

static int open_side(struct side *s, struct workspace *ws, const char *run, struct arena *a)
{
	int rc = run_predictions_paths(&s->paths, &s->n, ws, run, a);

	s->run = run;
	if (rc == ERR_NOT_FOUND) {
		err_clear();	/* elsewhere: it has none here */
		rc = 0;
	}
	s->used = arena_alloc(a, (s->n + 1) * sizeof *s->used);
	return rc;
}

int run_predictions_compare(struct run_predictions **out, size_t *n, struct workspace *ws,
	const char *reference_run, const char *attempt_run, struct arena *a,
	const atomic_bool *cancel)
{
	struct side r = { 0 }, t = { 0 };
	int rc = open_side(&r, ws, reference_run, a);

	*out = NULL;
	*n = 0;
	if (rc < 0 || (rc = open_side(&t, ws, attempt_run, a)) < 0)
		return rc;
	*out = arena_alloc(a, (r.n + t.n + 1) * sizeof **out);
	for (size_t i = 0; rc == 0 && i < r.n; i++) {
		struct run_predictions *row = &(*out)[(*n)++];
		size_t partner = partner_of(&t, r.paths[i], r.n == 1);

		row->name = fs_basename(r.paths[i]);
		if (partner == SIZE_MAX) {
			row->missing = "the attempt's run has no such file";
			continue;
		}
		t.used[partner] = true;
		compare_files(row, r.paths[i], t.paths[partner], cancel, a);
		if (!row->missing)
			rc = read_origin(row, ws, &r, r.paths[i], &t, t.paths[partner], a);
	}
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < t.n; i++)
		if (!t.used[i])
			(*out)[(*n)++] = (struct run_predictions){ .name = fs_basename(t.paths[i]),
				.missing = "the reference's run has no such file" };
	return cancel && atomic_load(cancel) ? err_set(ERR_CANCELLED, "comparing was stopped") : 0;
}
