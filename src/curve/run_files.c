/* run_files - finds the files of a run, follows them, says what it left. */
#include "config.h"

#include "curve/run_files.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/run_cache.h"
#include "curve/rotated.h"
#include "curve/run_merge.h"
#include "curve/terminal.h"
#include "curve/trainer_state.h"
#include "curve/wandb.h"
#include "curve/wandb_folder.h"

enum { ROTATIONS_MAX = 20 };	/* of a followed log between two looks */

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

bool run_files_is_log_name(const char *basename)
{
	return matches(log_names, ARRAY_LEN(log_names), basename) || rotated_log(basename).age;
}

/* Copies of what the options borrow. */
static void keep_options(struct run_files *r)
{
	struct curve_options *o = &r->options;
	size_t n = o->n_patterns;

	r->patterns = n ? xcalloc(n, sizeof *r->patterns) : NULL;
	for (size_t i = 0; i < n; i++)
		r->patterns[i] = xstrdup(o->patterns[i]);
	o->patterns = (const char *const *)r->patterns;
	r->store_run = o->store_run ? xstrdup(o->store_run) : NULL;
	o->store_run = r->store_run;
}

static void drop_options(struct run_files *r)
{
	for (size_t i = 0; i < r->options.n_patterns; i++)
		free(r->patterns[i]);
	free(r->patterns);
	free(r->store_run);
}

struct run_files *run_files_new(const struct curve_options *options)
{
	struct run_files *r = xcalloc(1, sizeof *r);

	r->series = run_series_new();
	r->health = (struct health)HEALTH_INIT;
	if (options)
		r->options = *options;
	keep_options(r);
	r->owners = run_owners_new();
	return r;
}

static void release_file(struct run_file *f)
{
	free(f->name);
	free(f->prefix);
	free(f->group);
	free(f->order);
	free(f->left);
	curve_file_free(f->file);
}

void run_files_free(struct run_files *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		release_file(&r->files[i]);
	for (size_t i = 0; i < r->n_roots; i++)
		free(r->roots[i]);
	free(r->roots);
	free(r->files);
	free(r->cache);
	drop_options(r);
	run_owners_free(r->owners);
	run_series_free(r->series);
	curve_notes_release(&r->notes);
	settings_release(&r->settings);
	free(r);
}

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
	if (format == &terminal_format && !named && !run_files_is_log_name(fs_basename(path)))
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

static int scan_root(struct run_files *r, const char *root)
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

/* By path, so that files of a folder are in the order of their names. */
static int compare_files(const void *a, const void *b)
{
	const struct run_file *x = a, *y = b;
	int order = strcmp(x->group, y->group);

	if (!order)
		order = strcmp(x->order, y->order);
	return order ? order : (x->age < y->age) - (x->age > y->age);
}

static bool is_sorted(const struct run_files *r)
{
	for (size_t i = 1; i < r->n; i++)
		if (compare_files(&r->files[i - 1], &r->files[i]) > 0)
			return false;
	return true;
}

static bool has_other_folder(const struct run_files *r, const struct run_file *f)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && r->files[i].file->format == f->file->format &&
		    strcmp(r->files[i].group, f->group) != 0)
			return true;
	return false;
}

/* "eval/" when files of the format lie in several folders; checkpoints are one chain. */
static char *make_prefix(const struct run_files *r, const struct run_file *f)
{
	struct arena a = ARENA_INIT;
	const char *folder;
	char *prefix;

	if (!f->file || f->file->format->shape == CURVE_DOCUMENT || !has_other_folder(r, f))
		return xstrdup("");
	if (f->file->format->shape == CURVE_STORE)
		return xasprintf("%s/", f->name);
	if (f->file->format == &wandb_format)
		return xasprintf("%s/", fs_basename(f->group));
	if (!strchr(f->name, '/'))
		return xstrdup("");
	folder = fs_dirname(&a, f->name);
	prefix = xasprintf("%s/", folder);
	arena_release(&a);
	return prefix;
}

/* True when a name changed. */
static bool set_prefixes(struct run_files *r)
{
	bool changed = false;

	for (size_t i = 0; i < r->n; i++) {
		char *prefix = make_prefix(r, &r->files[i]);

		changed |= strcmp(prefix, r->files[i].prefix) != 0;
		free(r->files[i].prefix);
		r->files[i].prefix = prefix;
	}
	return changed;
}

/* The numbers or names of files changed: all points are read anew. */
static void read_anew(struct run_files *r)
{
	for (size_t i = 0; i < r->series->n; i++)
		series_clear(r->series->series[i]);
	run_owners_free(r->owners);
	r->owners = run_owners_new();
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file)
			curve_file_restart(r->files[i].file);
}

static void settle_files(struct run_files *r)
{
	bool sorted = is_sorted(r), renamed;

	if (!sorted)
		qsort(r->files, r->n, sizeof *r->files, compare_files);
	renamed = set_prefixes(r);
	if (!sorted || renamed)
		read_anew(r);
}

int run_files_add(struct run_files *r, const char *path)
{
	int result = scan_root(r, path);

	if (result < 0)
		return result;
	ARRAY_GROW(r->roots, r->n_roots, r->cap_roots);
	r->roots[r->n_roots++] = xstrdup(path);
	settle_files(r);
	return 0;
}

int run_files_rescan(struct run_files *r)
{
	int result = 0;

	for (size_t i = 0; i < r->n_roots; i++)
		if (fs_exists(r->roots[i]) && scan_root(r, r->roots[i]) < 0)
			result = err_code();
	settle_files(r);
	return result;
}

/* A trainer_state tells the steps of an epoch, which a log without steps needs. */
static bool share_steps_per_epoch(struct run_files *r)
{
	double steps = 0;
	bool changed = false;

	for (size_t i = 0; i < r->n; i++) {
		struct trainer_facts facts;

		if (!r->files[i].file || r->files[i].file->format != &trainer_state_format)
			continue;
		facts = trainer_state_facts(r->files[i].file);
		if (facts.steps_per_epoch > 0)
			steps = facts.steps_per_epoch;
	}
	for (size_t i = 0; steps > 0 && i < r->n; i++) {
		struct curve_file *f = r->files[i].file;

		if (!f || f->format != &terminal_format || f->options.steps_per_epoch > 0)
			continue;
		f->options.steps_per_epoch = steps;
		curve_file_restart(f);
		changed = true;
	}
	return changed;
}

static void sum_up(struct run_files *r)
{
	r->health = (struct health)HEALTH_INIT;
	settings_release(&r->settings);
	for (size_t i = 0; i < r->n; i++) {
		if (!r->files[i].file)
			continue;
		health_merge(&r->health, &r->files[i].file->sink.health);
		curve_notes_merge(&r->notes, &r->files[i].file->sink.notes);
		settings_merge(&r->settings, &r->files[i].file->sink.settings);
	}
}

struct taking {
	struct run_files *run;
	size_t i;
};

static void take_points(void *user)
{
	const struct taking *t = user;

	run_merge_file(t->run, t->i);
}

/* A large file hands its points over while it is read. */
static int refresh_file(struct run_files *r, size_t i, const atomic_bool *cancel)
{
	struct curve_file *f = r->files[i].file;
	struct taking taking = { r, i };
	int result;

	if (!f)
		return CURVE_SAME;
	if (run_cache_restore(r, i))
		return CURVE_CHANGED;
	if (f->format->shape == CURVE_STREAM) {
		f->take = take_points;
		f->take_user = &taking;
	}
	result = curve_file_refresh(f, cancel);
	f->take = NULL;
	f->take_user = NULL;
	return result;
}

int run_files_refresh(struct run_files *r, const atomic_bool *cancel)
{
	int progress = CURVE_SAME;
	bool documents = false;

	for (size_t i = 0; i < r->n; i++) {
		struct curve_file *f = r->files[i].file;
		int result = refresh_file(r, i, cancel);

		if (result == ERR_CANCELLED)
			return result;
		if (result <= CURVE_SAME)
			continue;
		if (f->format->shape == CURVE_DOCUMENT)
			documents = true;
		else
			run_merge_file(r, i);
		if (result > progress)
			progress = result;
	}
	if (documents)
		run_merge_documents(r);
	if (documents && share_steps_per_epoch(r))
		progress = CURVE_MORE;
	if (progress != CURVE_SAME) {
		run_merge_concurrent(r);
		sum_up(r);
	}
	return progress;
}

int run_files_read(struct run_files *r, const atomic_bool *cancel)
{
	int result;

	do
		result = run_files_refresh(r, cancel);
	while (result == CURVE_MORE);
	if (result < 0)
		return result;
	run_cache_keep(r);
	return 0;
}

void run_files_set_threads(struct run_files *r, int threads)
{
	r->options.threads = threads;
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file)
			r->files[i].file->options.threads = threads;
}

void run_files_use_cache(struct run_files *r, const char *folder, bool writes)
{
	free(r->cache);
	r->cache = xstrdup(folder);
	r->cache_writes = writes;
}

void run_files_end(struct run_files *r)
{
	r->options.ended = true;
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file)
			curve_file_end(r->files[i].file);
}

bool run_files_has_format(const struct run_files *r, const char *format_name)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->files[i].file && strcmp(r->files[i].file->format->name, format_name) == 0)
			return true;
	return false;
}

const struct curve_format *run_files_format_of(const struct run_files *r, const struct series *s)
{
	size_t best = 0;
	const struct curve_format *format = NULL;

	for (size_t k = 0; k < s->n_segments; k++) {
		const struct segment *g = &s->segments[k];

		if (g->n <= best || g->file < 0 || (size_t)g->file >= r->n ||
			!r->files[g->file].file)
			continue;
		best = g->n;
		format = r->files[g->file].file->format;
		if (s->printed && format->printed)
			format = format->printed;
	}
	return format;
}

static void describe(struct buf *out, const struct curve_file *f)
{
	struct buf text = BUF_INIT;

	if (f->format->describe)
		f->format->describe(&text, f);
	if (text.n)
		buf_addf(out, " | %s", text.s);
	buf_release(&text);
}

void run_files_add_lines(struct buf *out, const struct run_files *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct run_file *f = &r->files[i];

		text_sanitise(out, f->name, strlen(f->name));
		if (!f->file) {
			buf_adds(out, "  left: ");
			text_sanitise(out, f->left, strlen(f->left));
		} else {
			buf_addf(out, "  %s  ", f->file->format->title);
			health_add_line(out, &f->file->sink.health);
			describe(out, f->file);
		}
		if (f->file && f->file->error_text) {
			buf_adds(out, " | ");
			text_sanitise(out, f->file->error_text, strlen(f->file->error_text));
		}
		buf_addc(out, '\n');
	}
}

int run_files_load(struct run_files **out, const char *path, const struct curve_options *options)
{
	struct run_files *r = run_files_new(options);
	int result = run_files_add(r, path);

	if (result == 0)
		result = run_files_read(r, NULL);
	if (result < 0) {
		run_files_free(r);
		return result;
	}
	*out = r;
	return 0;
}
