/* run_root - looks below a path for files and stores that hold curves. */
#include "config.h"

#include "curve/run_root.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/rotated.h"
#include "curve/terminal.h"
#include "curve/wandb.h"
#include "curve/wandb_folder.h"

enum { ROTATIONS_MAX = 20 };	/* of a followed log between two looks */

/* ---- names --------------------------------------------------------------------------- */

/* What a file in a folder must be called to be looked into. */
static const char *const candidate_names[] = {
	"*tfevents*",
	"*.csv",
	"*.tsv",
	"*.jsonl",
	"*.json",
	"*.ndjson",
	"*.log",
	"*.out",
	"*.err",
	"*.txt",
	"*.wandb",
	"*.db",
	"*.sqlite",
	"*.sqlite3",
	"stdout*",
	"stderr*",
	"output",
	"log",
};

/* Text in a folder is a log only under such a name. */
static const char *const log_names[] = { "*.log", "*.out", "*.err", "*.txt", "stdout*", "stderr*",
	"output", "log" };

/* Records a line, rotated like logs. */
static const char *const line_names[] = { "*.jsonl", "*.ndjson" };

static bool matches(const char *const *globs, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (text_glob(globs[i], name))
			return true;
	return false;
}

/* An older part of a log that was rotated: it is one where the name of the log is. */
static struct rotated rotated_log(const char *name)
{
	struct rotated r = rotated_of(name);
	char *base = xasprintf("%.*s", (int)r.base_n, name);

	if (r.age && !matches(log_names, ARRAY_LEN(log_names), fs_basename(base)) &&
		!matches(line_names, ARRAY_LEN(line_names), fs_basename(base)))
		r = (struct rotated){ strlen(name), 0 };
	free(base);
	return r;
}

bool run_root_is_log_name(const char *basename)
{
	return matches(log_names, ARRAY_LEN(log_names), basename) || rotated_log(basename).age;
}

/* ---- what was found -------------------------------------------------------------------- */

static bool is_known(const struct run_files *r, const char *path)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && strcmp(r->files[i].file->path, path) == 0)
			return true;
	return false;
}

static struct run_file *find_left(const struct run_files *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!r->files[i].file && strcmp(r->files[i].name, name) == 0)
			return &r->files[i];
	return NULL;
}

/* Recognising may take a copy of a database: once for each state of a file. */
static bool is_left_as_it_is(const struct run_files *r, const char *name, const char *path)
{
	const struct run_file *f = find_left(r, name);
	struct foreign_stamp now;

	return f && foreign_stamp_read(&now, path) == 0 && foreign_stamp_same(&f->left_at, &now);
}

static struct run_file *add_entry(struct run_files *r, const char *name, const char *path)
{
	struct rotated part = rotated_log(name);
	struct arena a = ARENA_INIT;
	struct run_file *f;

	ARRAY_GROW(r->files, r->n, r->cap);
	f = &r->files[r->n++];
	*f = (struct run_file){
		.name = xstrdup(name), .prefix = xstrdup(""),
		.group = xstrdup(fs_dirname(&a, path)),
		.order = xasprintf("%.*s", (int)part.base_n, name), .age = part.age
	};
	arena_release(&a);
	return f;
}

static void leave(struct run_files *r, const char *name, const char *path, const char *why)
{
	struct run_file *f = find_left(r, name);

	if (!f)
		f = add_entry(r, name, path);
	free(f->left);
	f->left = xstrdup(why);
	if (foreign_stamp_read(&f->left_at, path) < 0)
		f->left_at.settled = false;
}

/* A run that was resumed has a file for each session, in folders with their times. */
static void join_sessions(struct run_file *f, const char *path)
{
	struct wandb_place place;

	if (!wandb_place_read(&place, path))
		return;
	free(f->group);
	free(f->order);
	f->group = xasprintf("%.*s%.*s", (int)place.home_n, path, (int)place.id_n, place.id);
	f->order = xasprintf("%.*s %s", (int)place.stamp_n, place.stamp, f->name);
}

static void take_file(
	struct run_files *r, const char *name, const char *path, const struct curve_format *format)
{
	struct run_file *f = find_left(r, name);

	if (!f)
		f = add_entry(r, name, path);
	free(f->left);
	f->left = NULL;
	f->file = curve_file_new_as(path, format, &r->options);
	if (format == &wandb_format)
		join_sessions(f, path);
	if (format->shape != CURVE_STORE)
		return;
	free(f->group);
	f->group = xstrdup(path);
}

/* The same file by another way: through the link latest-run. */
static bool is_taken(const struct run_files *r, const char *path)
{
	struct stat own, other;

	if (stat(path, &own) < 0)
		return false;
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && r->files[i].file->format == &wandb_format &&
			stat(r->files[i].file->path, &other) == 0 && own.st_dev == other.st_dev &&
			own.st_ino == other.st_ino)
			return true;
	return false;
}

/* NAMED: the user pointed at the file; it is taken or listed whatever it is called. */
static void take_path(struct run_files *r, const char *name, const char *path, bool named)
{
	const struct curve_format *format;

	if (is_known(r, path) || r->n >= RUN_FILES_MAX || is_left_as_it_is(r, name, path))
		return;
	format = curve_format_recognise(path);
	if (format == &wandb_format && is_taken(r, path))
		return;
	if (format == &terminal_format && !named && !run_root_is_log_name(fs_basename(path)))
		return;
	if (format)
		take_file(r, name, path, format);
	else
		leave(r, name, path, err_text());
}

static int scan_folder(struct run_files *r, struct arena *a, const char *root, const char *name,
	int depth, struct curve_enclosing outer);

/* What lay in a checkout before the run began came with its commit. */
static bool is_older(const struct stat *st, int64_t since_ns)
{
	return since_ns > 0 &&
		(int64_t)st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec < since_ns;
}

/* None of its files was changed since. */
static bool is_older_store(struct run_files *r, struct arena *a, const char *path,
	const struct curve_format *store, const char *below, int depth)
{
	char **names;
	size_t n;
	bool older = true;

	if (r->options.changed_since_ns <= 0)
		return false;
	if (depth > RUN_FILES_DEPTH_MAX || fs_list(&names, &n, a, fs_join(a, path, below)) < 0)
		return true;
	for (size_t i = 0; older && i < n; i++) {
		const char *part = *below ? arena_printf(a, "%s/%s", below, names[i]) : names[i];
		struct stat st;

		if (lstat(fs_join(a, path, part), &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			older = is_older_store(r, a, path, store, part, depth + 1);
		else if (store->holds(part))
			older = is_older(&st, r->options.changed_since_ns);
	}
	return older;
}

static int scan_entry(struct run_files *r, struct arena *a, const char *root, const char *name,
	int depth, struct curve_enclosing outer)
{
	const char *path = fs_join(a, root, name);
	struct stat st;

	if (*fs_basename(name) == '.' || lstat(path, &st) < 0 ||
		curve_enclosing_holds(&outer, name))
		return 0;
	if (S_ISDIR(st.st_mode))
		return depth < RUN_FILES_DEPTH_MAX
			? scan_folder(r, a, root, name, depth + 1, outer)
			: 0;
	if (is_older(&st, r->options.changed_since_ns) ||
		strcmp(fs_basename(name), RUN_FACTS_FILE) == 0 || wandb_aside(path))
		return 0;
	if (S_ISREG(st.st_mode) &&
		(matches(candidate_names, ARRAY_LEN(candidate_names), fs_basename(name)) ||
			rotated_log(name).age))
		take_path(r, name, path, false);
	return 0;
}

/* A folder below that cannot be read is listed, not an error of the run. */
static int scan_folder(struct run_files *r, struct arena *a, const char *root, const char *name,
	int depth, struct curve_enclosing outer)
{
	const char *path = *name ? fs_join(a, root, name) : root;
	const struct curve_format *store = curve_format_recognise(path);
	char **names;
	size_t n;

	if (store && store->holds && !is_older_store(r, a, path, store, "", 0)) {
		take_path(r, *name ? name : fs_basename(path), path, true);
		outer = curve_enclosing_in(outer, store, name);
	}
	if (fs_list(&names, &n, a, path) < 0) {
		if (depth == 0)
			return err_code();
		leave(r, name, path, err_text());
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		const char *below = *name ? fs_join(a, name, names[i]) : names[i];

		(void)scan_entry(r, a, root, below, depth, outer);
	}
	return 0;
}

static const struct curve_file *find_path(const struct run_files *r, const char *path)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && strcmp(r->files[i].file->path, path) == 0)
			return r->files[i].file;
	return NULL;
}

/* A file that was followed by its name has another one now: it is not lost.  Of other
 * files beside it nobody spoke. */
static void take_rotated(struct run_files *r, const char *path)
{
	const struct curve_file *f = find_path(r, path);
	struct stat st;

	for (int i = 1; f && f->inode && i <= ROTATIONS_MAX; i++) {
		char *older = xasprintf("%s.%d", path, i);

		if (lstat(older, &st) == 0 && st.st_ino == f->inode && st.st_dev == f->device)
			take_path(r, fs_basename(older), older, true);
		free(older);
	}
}

int run_root_scan(struct run_files *r, const char *root)
{
	struct arena a = ARENA_INIT;
	int result = 0;

	if (!fs_exists(root))
		result = err_set(ERR_NOT_FOUND, "%s does not exist", root);
	else if (fs_is_dir(root))
		result = scan_folder(r, &a, root, "", 0, (struct curve_enclosing){ NULL, 0 });
	else
		take_path(r, fs_basename(root), root, true);
	if (result == 0)
		take_rotated(r, root);
	arena_release(&a);
	return result;
}
