/* bundle_code - see bundle_code.h. */
#include "config.h"

#include "workspace/bundle_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "store/object_pack.h"
#include "workspace/bundle_writer.h"
#include "workspace/changes.h"
#include "workspace/state.h"
#include "workspace/workspace.h"

enum { FILE_LIMIT = 8 << 20, TOTAL_LIMIT = 128 << 20, PACK_MAX = 256 << 20, MARKS_MAX = 100000 };

/* ---- writing ------------------------------------------------------------------- */

static void add_pair(struct object_pair *pairs, size_t *n, const char *base, const char *tip)
{
	if (!oid_is_valid(tip) || (*base && !oid_is_valid(base)))
		return;
	snprintf(pairs[*n].base, sizeof pairs[*n].base, "%s", base);
	snprintf(pairs[*n].tip, sizeof pairs[*n].tip, "%s", tip);
	(*n)++;
}

static void list_pairs(struct object_pair *pairs, size_t *n, struct buf *marks,
	struct attempt_state *const *attempts, size_t n_attempts, const char *original)
{
	for (size_t i = 0; i < n_attempts; i++) {
		const struct attempt_state *s = attempts[i];

		if (s->n < 0 || !*s->tip)
			continue;
		add_pair(pairs, n, s->base, s->tip);
		if (*original)
			add_pair(pairs, n, original, s->tip);
		buf_addf(marks, "attempt/%s %s\n", s->id, s->tip);
	}
	if (*original)
		buf_addf(marks, "original %s\n", original);
}

static int put_pack(
	struct bundle_writer *w, const struct object_pair *pairs, size_t n, const struct buf *marks)
{
	struct object_pack_options o = { .file_limit_bytes = FILE_LIMIT,
		.total_limit_bytes = TOTAL_LIMIT,
		.cancel = w->options->cancel };
	struct object_pack_report report;
	struct buf pack = BUF_INIT;
	struct repository *repo;
	int rc = workspace_repository(w->ws, &repo);

	if (rc == 0)
		rc = object_pack_write(&pack, &report, repo, pairs, n, &o);
	if (rc == 0 && pack.n)
		rc = bundle_put_section(w, "code/repository.pack", pack.s, pack.n);
	if (rc == 0 && pack.n)
		rc = bundle_put_section(w, "code/marks", marks->s, marks->n);
	if (rc == 0 && report.files_left_out)
		bundle_leave_out(w, "code",
			arena_printf(w->a,
				"%zu changed files are larger than 8 MiB, or more than 128 MiB together",
				report.files_left_out));
	if (rc == 0 && report.files_missing)
		bundle_leave_out(w, "code",
			arena_printf(w->a, "%zu changed file%s not in this clone",
				report.files_missing,
				report.files_missing == 1 ? " is" : "s are"));
	if (rc == 0 && report.missing)
		bundle_leave_out(w, "code",
			arena_printf(w->a, "the commits of %zu comparison%s are not in this clone",
				report.missing, report.missing == 1 ? "" : "s"));
	buf_release(&pack);
	return rc;
}

int bundle_put_code(struct bundle_writer *w)
{
	struct state_query q = { .type = "attempt" };
	struct object_pair *pairs;
	struct buf marks = BUF_INIT;
	void **rows;
	size_t n, n_pairs = 0;
	int rc;

	if (w->options->without_code) {
		bundle_leave_out(w, "code", "left out on request; diffs need the clone");
		return 0;
	}
	if ((rc = state_list(w->ws, &q, w->a, &rows, &n)) < 0)
		return rc;
	pairs = xcalloc(n * 2 + 1, sizeof *pairs);
	list_pairs(pairs, &n_pairs, &marks, (struct attempt_state **)rows, n,
		changes_original(w->ws, w->a));
	if (n_pairs)
		rc = put_pack(w, pairs, n_pairs, &marks);
	buf_release(&marks);
	free(pairs);
	return rc;
}

/* ---- reading ------------------------------------------------------------------- */

char *bundle_code_path(struct arena *a, const char *folder)
{
	return fs_join(a, folder, "code/repository.git");
}

/* "attempt/3 COMMIT" a line; odd lines are left out. */
static struct object_mark *read_marks(size_t *n, struct buf *text, struct arena *a)
{
	struct object_mark *marks = NULL, *copy;
	size_t cap = 0;
	char *save, *line;

	*n = 0;
	for (line = strtok_r(text->s, "\n", &save); line && *n < MARKS_MAX;
		line = strtok_r(NULL, "\n", &save)) {
		char *blank = strrchr(line, ' ');

		if (!blank || !oid_is_valid(blank + 1))
			continue;
		*blank = '\0';
		ARRAY_GROW(marks, *n, cap);
		marks[(*n)++] =
			(struct object_mark){ arena_strdup(a, line), arena_strdup(a, blank + 1) };
	}
	copy = arena_memdup(a, marks, *n * sizeof *marks);
	free(marks);
	return copy;
}

int bundle_code_open(const char *folder)
{
	struct buf pack = BUF_INIT, text = BUF_INIT;
	struct arena a = ARENA_INIT;
	struct object_mark *marks;
	char *path = fs_join(&a, folder, "code/repository.pack");
	size_t n = 0;
	int rc = 0;

	if (!fs_exists(path)) {
		arena_release(&a);
		return 0;
	}
	rc = fs_read(&pack, path, PACK_MAX);
	if (rc == 0 && fs_read(&text, fs_join(&a, folder, "code/marks"), PACK_MAX) < 0)
		err_clear();
	if (rc == 0) {
		marks = read_marks(&n, &text, &a);
		rc = object_pack_open(bundle_code_path(&a, folder), pack.s, pack.n, marks, n);
	}
	buf_release(&pack);
	buf_release(&text);
	arena_release(&a);
	return rc;
}
