/* store_runs - lists runs, and finds the one that is meant. */
#include "config.h"

#include "curve/store_runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/mem.h"
#include "base/text.h"

enum { LISTED_MAX = 20, ID_SHOWN = 12, NAME_SHOWN = 60, CHOICE_BYTES_MAX = 4096 };

struct store_run *store_runs_add(struct store_runs *r, const char *id, const char *name)
{
	ARRAY_GROW(r->list, r->n, r->cap);
	r->list[r->n] = (struct store_run){ .id = xstrdup(id),
		.name = xstrdup(name ? name : ""),
		.status = xstrdup(""),
		.points = -1 };
	return &r->list[r->n++];
}

void store_runs_release(struct store_runs *r)
{
	for (size_t i = 0; i < r->n; i++) {
		free(r->list[i].id);
		free(r->list[i].name);
		free(r->list[i].status);
		free(r->list[i].path);
	}
	free(r->list);
	*r = (struct store_runs)STORE_RUNS_INIT;
}

static void add_run(struct buf *out, const struct store_run *run)
{
	if (*run->name) {
		text_sanitise(out, run->name, text_cut(run->name, strlen(run->name), NAME_SHOWN));
		if (strcmp(run->name, run->id) != 0) {
			buf_adds(out, " [");
			text_sanitise(out, run->id, text_cut(run->id, strlen(run->id), ID_SHOWN));
			buf_addc(out, ']');
		}
	} else {
		text_sanitise(out, run->id, text_cut(run->id, strlen(run->id), NAME_SHOWN));
	}
	if (run->points >= 0)
		buf_addf(out, " %" PRId64 " point%s", run->points, run->points == 1 ? "" : "s");
	if (*run->status) {
		buf_addc(out, ' ');
		text_sanitise(out, run->status, text_cut(run->status, strlen(run->status),
			NAME_SHOWN));
	}
}

void store_runs_add_list(struct buf *out, const struct store_runs *r)
{
	size_t listed = 0, hidden = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (r->list[i].deleted)
			continue;
		if (listed == LISTED_MAX) {
			hidden++;
			continue;
		}
		buf_adds(out, listed++ ? ", " : "");
		add_run(out, &r->list[i]);
	}
	if (hidden)
		buf_addf(out, " and %zu more", hidden);
}

/* WHAT goes before the list of the runs there are. */
static int refuse(const struct store_runs *r, enum err code, const char *what)
{
	struct buf list = BUF_INIT;
	int result;

	store_runs_add_list(&list, r);
	result = err_set(code, "%s: %s", what, list.n ? list.s : "none that is not deleted");
	buf_release(&list);
	return result;
}

static int choose_only(const struct store_runs *r, const char *store, const struct store_run **out)
{
	struct arena a = ARENA_INIT;
	size_t n = 0;
	int rc = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (r->list[i].deleted)
			continue;
		*out = &r->list[i];
		n++;
	}
	if (n == 0)
		rc = err_set(ERR_NOT_FOUND,
			r->n ? "%s: every run in it is deleted; --run of import names one all the same"
			     : "%s holds no run yet",
			store);
	else if (n > 1)
		rc = refuse(r, ERR_USAGE,
			arena_printf(
				&a, "%s holds %zu runs; name one with --run of import", store, n));
	arena_release(&a);
	return rc;
}

static bool has_id(const struct store_run *run, const char *wanted)
{
	return strcmp(run->id, wanted) == 0;
}

static bool has_name(const struct store_run *run, const char *wanted)
{
	return strcmp(run->name, wanted) == 0;
}

static bool has_first_letters(const struct store_run *run, const char *wanted)
{
	return text_starts(run->id, wanted);
}

/* In the order in which they are tried. */
static bool (*const meanings[])(const struct store_run *, const char *) = { has_id, has_name,
	has_first_letters };

/* How many runs WANTED means; *OUT is the last of them. */
static size_t find(const struct store_runs *r, const char *wanted, const struct store_run **out)
{
	size_t n = 0;

	for (size_t how = 0; *wanted && !n && how < ARRAY_LEN(meanings); how++)
		for (size_t i = 0; i < r->n; i++) {
			if (!meanings[how](&r->list[i], wanted))
				continue;
			*out = &r->list[i];
			n++;
		}
	return n;
}

int store_runs_choose(const struct store_runs *r, const char *store, const char *wanted,
	const struct store_run **out)
{
	struct arena a = ARENA_INIT;
	size_t n;
	int rc = 0;

	if (!wanted)
		return choose_only(r, store, out);
	n = find(r, wanted, out);
	if (n == 0)
		rc = refuse(r, ERR_NOT_FOUND,
			arena_printf(&a, "%s has no run \"%s\"; it has", store, wanted));
	else if (n > 1)
		rc = refuse(r, ERR_USAGE,
			arena_printf(&a, "%s has %zu runs \"%s\"; name one by its id", store, n,
				wanted));
	arena_release(&a);
	return rc;
}

/* ---- a choice that stays ---- */

char *store_choice_path(const char *path)
{
	return xasprintf("%s%s", path, STORE_CHOICE_END);
}

char *store_choice_read(const char *path)
{
	char *beside = store_choice_path(path);
	struct buf text = BUF_INIT;
	int rc = fs_exists(beside) ? fs_read(&text, beside, CHOICE_BYTES_MAX) : ERR_NOT_FOUND;

	free(beside);
	if (rc < 0) {
		buf_release(&text);
		return NULL;
	}
	buf_trim_end(&text);
	return buf_detach(&text);
}
