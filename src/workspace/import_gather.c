/* import_gather - what is there, and what of it can be read; see import.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/foreign_database.h"
#include "curve/run_root.h"
#include "curve/wandb.h"
#include "curve/wandb_folder.h"
#include "workspace/import_private.h"

enum { NAME_BYTES_MAX = 230 };	/* the end that a copy may get fits behind it */

/* A file of declared facts is no curve, and goes along. */
static const struct curve_format facts_format = {
	.name = "facts", .title = "declared facts", .shape = CURVE_STREAM, .rank = RANK_RECORDS
};

static const struct curve_format evidence_stand_in = {
	.name = "evidence", .title = "evidence", .shape = CURVE_STREAM, .rank = RANK_RECORDS
};

void import_work_release(struct import_work *w)
{
	free(w->sources);
	free(w->stores);
	store_runs_release(&w->runs);
}

/* ---- lists ---- */

size_t import_list(struct import_work *w, const char *name)
{
	ARRAY_GROW(w->out->files, w->out->n, w->cap_files);
	w->out->files[w->out->n] =
		(struct imported_file){ .name = text_sanitised(w->a, name), .format = "" };
	return w->out->n++;
}

void import_leave(struct import_work *w, size_t listed, const char *why)
{
	w->out->files[listed].left = arena_strdup(w->a, why);
}

void import_leave_with_error(struct import_work *w, size_t listed, const char *path)
{
	const char *why = err_text();

	if (text_starts(why, path)) {
		why += strlen(path);
		why += strspn(why, ": ");
	}
	import_leave(w, listed, why);
	err_clear();
}

void import_add_source(struct import_work *w, const struct import_source *s)
{
	ARRAY_GROW(w->sources, w->n, w->cap_sources);
	w->sources[w->n++] = *s;
	w->out->files[s->listed].size += s->size;
}

bool import_is_full(struct import_work *w)
{
	if (w->n < IMPORT_FILES_MAX && w->out->n < IMPORT_FILES_MAX)
		return false;
	if (!w->full)
		import_leave(w, import_list(w, "..."),
			"more files than one import takes; import the rest apart");
	w->full = true;
	return true;
}

void import_take(struct import_work *w, size_t listed)
{
	w->out->taken++;
	w->out->files[listed].left = NULL;
}

const char *import_unfit_name(const char *name)
{
	if (!utf8_valid(name, strlen(name)))
		return "its name is no UTF-8; rename it";
	for (const char *part = name; *part; part += strspn(part, "/")) {
		size_t n = strcspn(part, "/");

		if (n > NAME_BYTES_MAX)
			return "its name is longer than a copy of it may be; rename it";
		part += n;
	}
	return NULL;
}

/* ---- files and folders ---- */

static bool is_companion(struct import_work *w, const char *path)
{
	for (size_t i = 0; i < FOREIGN_COMPANIONS; i++) {
		size_t n = strlen(path), end = strlen(foreign_companions[i]);

		if (text_ends(path, foreign_companions[i]) &&
			fs_exists(arena_strndup(w->a, path, n - end)))
			return true;
	}
	return false;
}

static void say_contradiction(struct import_work *w, size_t listed, const char *path,
	const struct curve_format *format)
{
	const char *promised = curve_name_promises(fs_basename(path), format);

	if (promised)
		w->out->files[listed].said = arena_printf(
			w->a, "its name says %s; it holds %s", promised, format->title);
}

/* The name under which a file of W&B was taken already, by another way; NULL: it was not. */
static const char *taken_as(const struct import_work *w, const struct import_source *s)
{
	bool is_wandb = s->format == &wandb_format || wandb_is_console_copy(s->path);

	for (size_t i = 0; is_wandb && i < w->n; i++)
		if (w->sources[i].format == s->format &&
			memcmp(&w->sources[i].digest, &s->digest, sizeof s->digest) == 0)
			return w->sources[i].name;
	return NULL;
}

/* Sessions of one W&B run are told by their folders, whose names are kept. */
static const char *name_of_session(struct import_work *w, const struct import_source *s)
{
	struct wandb_place place;

	if (s->format != &wandb_format || strchr(s->name, '/') ||
		!wandb_place_read(&place, s->path) || !place.stamp_n)
		return s->name;
	return arena_strdup(w->a, s->path + place.home_n);
}

/* Beside which the log of a database lies. */
static const char *real_path(struct import_work *w, const char *path)
{
	char *real = realpath(path, NULL);
	const char *copy = arena_strdup(w->a, real ? real : path);

	free(real);
	return copy;
}

/* As a curve or a log, else as evidence; false, and it is left, for anything else. */
static bool recognise(struct import_work *w, struct import_source *s, bool named)
{
	const struct evidence_format *evidence;
	const char *base = fs_basename(s->path);

	s->format = strcmp(base, RUN_FACTS_FILE) == 0 ? &facts_format :
							curve_format_recognise(s->path);
	if (import_look_for_evidence(&evidence, w, s->path, base, s->listed) < 0)
		err_clear();
	if (evidence && import_is_evidence(w, s, evidence)) {
		s->is_evidence = true;
		s->format = &evidence_stand_in;
		err_clear();
		return true;
	}
	if (!s->format) {
		import_leave_with_error(w, s->listed, s->path);
		return false;
	}
	if (s->format->rank == RANK_TEXT && !named && !run_root_is_log_name(base)) {
		import_leave(w, s->listed,
			"text that is not named like a log; name the file to import it");
		return false;
	}
	return true;
}

/* NAMED: not found in a folder, but pointed at. */
static void take_file(struct import_work *w, const char *path, const char *name, bool named)
{
	struct import_source s = { .path = path, .name = name, .beside = SIZE_MAX };

	if (import_is_full(w))
		return;
	s.listed = import_list(w, name);
	if (import_unfit_name(name)) {
		import_leave(w, s.listed, import_unfit_name(name));
		return;
	}
	if (!named && wandb_aside(path) && !wandb_is_console_copy(path)) {
		import_leave(w, s.listed, wandb_aside(path));
		return;
	}
	if (!recognise(w, &s, named))
		return;
	if (s.format->list_runs) {
		(void)import_add_store(w, real_path(w, path), name, s.format, s.listed);
		return;
	}
	if (sha256_file(&s.digest, &s.size, s.path) < 0) {
		import_leave_with_error(w, s.listed, path);
		return;
	}
	if (taken_as(w, &s)) {
		import_leave(w, s.listed, arena_printf(w->a, "the same as %s", taken_as(w, &s)));
		return;
	}
	s.name = name_of_session(w, &s);
	if (!s.is_evidence)
		w->out->files[s.listed].format = s.format->title;
	if (!s.is_evidence)
		say_contradiction(w, s.listed, path, s.format);
	import_add_source(w, &s);
	import_take(w, s.listed);
}

/* Two folders of one name stay apart. */
static const char *store_name(struct import_work *w, const char *name)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->sources[i].is_part && text_starts(w->sources[i].name, name) &&
			w->sources[i].name[strlen(name)] == '/')
			return arena_printf(w->a, "import-%zu/%s", w->n + 1, name);
	return name;
}

/* The format of a folder that is one store, taken or put on the list; else NULL. */
static const struct curve_format *look_for_store(
	struct import_work *w, const char *dir, const char *name)
{
	const struct curve_format *format = curve_format_recognise(dir);
	struct import_store store = { dir, name, format, 0 };

	err_clear();
	if (!format || !format->holds)
		return NULL;
	store.name = store_name(w, fs_is_inside(name) ? name : "store");
	store.listed = import_list(w, name);
	if (format->list_runs)
		(void)import_add_store(w, dir, store.name, format, store.listed);
	else
		import_take_folder(w, &store);
	return format;
}

static void walk(struct import_work *w, const char *dir, const char *prefix, int depth,
	struct curve_enclosing outer)
{
	const struct curve_format *store =
		look_for_store(w, dir, *prefix ? prefix : fs_basename(dir));
	char **names;
	size_t n;

	outer = curve_enclosing_in(outer, store, prefix);
	if (depth > IMPORT_DEPTH_MAX || fs_list(&names, &n, w->a, dir) < 0) {
		size_t listed = import_list(w, *prefix ? prefix : dir);

		if (depth > IMPORT_DEPTH_MAX)
			import_leave(w, listed, "nested too deep");
		else
			import_leave_with_error(w, listed, dir);
		return;
	}
	for (size_t i = 0; i < n && !import_is_full(w); i++) {
		const char *path = fs_join(w->a, dir, names[i]);
		const char *name =
			*prefix ? arena_printf(w->a, "%s/%s", prefix, names[i]) : names[i];
		struct stat st;

		if (names[i][0] == '.' || lstat(path, &st) < 0 || is_companion(w, path) ||
			curve_enclosing_holds(&outer, name))
			continue;
		if (S_ISDIR(st.st_mode))
			walk(w, path, name, depth + 1, outer);
		else if (S_ISREG(st.st_mode))
			take_file(w, path, name, false);
		else
			import_leave(w, import_list(w, name),
				S_ISLNK(st.st_mode) ? "a link; name its file" : "no plain file");
	}
}

int import_gather(struct import_work *w)
{
	for (const char *const *p = w->request->paths; *p; p++) {
		char *path = fs_absolute(w->a, *p);

		if (!**p)
			return err_set(ERR_USAGE,
				"a name of a file is empty; was a variable not set?");
		if (!fs_exists(path))
			return err_set(ERR_NOT_FOUND, "%s does not exist", *p);
		if (fs_is_dir(path))
			walk(w, path, "", 0, (struct curve_enclosing){ NULL, 0 });
		else
			take_file(w, path, arena_strdup(w->a, fs_basename(path)), true);
	}
	return import_choose_run(w);
}
