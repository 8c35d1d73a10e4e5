/* view_diff_load - the jobs of the diff view; see view_diff.h. */
#include "config.h"

#include "ui/view_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/open.h"

enum {
	BATCH_FILES = 32,		/* at most so many files in one job */
	BATCH_LINES = 20000,		/* and no further file from so many lines on */
};

/* What every job here needs for itself on its thread. */
struct request {
	struct arena arena;
	const char *directory;		/* of the host: lives as long as the program */
	bool read_only;
	/* a change */
	struct change_question question;
	struct position at;
	/* lines */
	struct diff_file *files;
	long *indexes;
	size_t n;
	struct diff_options options;
	/* constructs, and files for the editor */
	const char *tip, *original, *path, *folder;
	struct change named;		/* only its ends are set */
	long line;
};

static struct request *request_new(struct diff_view *d)
{
	struct request *r = xcalloc(1, sizeof *r);

	r->directory = d->app->host.directory;
	r->read_only = d->app->host.read_only;
	return r;
}

static void request_free(void *p)
{
	struct request *r = p;

	arena_release(&r->arena);
	free(r);
}

static int open_for(struct opened *opened, const struct request *r)
{
	struct open_options how = { .directory = r->directory, .read_only = r->read_only };

	return open_migration(opened, NULL, &how);
}

/* ---- which files ------------------------------------------------------------------- */

static void free_change(void *p)
{
	change_release(p);
	free(p);
}

static int run_change(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct opened opened = { 0 };
	struct change *c = xcalloc(1, sizeof *c);
	int rc = open_for(&opened, r);

	*result = c;
	if (rc == 0)
		rc = change_read(c, opened.workspace, &r->question, job_cancel_flag(job));
	opened_release(&opened);
	return rc;
}

static void free_lines_of(struct diff_view *d, size_t file)
{
	if (d->lines[file]) {
		d->held_lines -= (int64_t)d->lines[file]->file->n_lines;
		change_lines_release(d->lines[file]);
		free(d->lines[file]);
		d->lines[file] = NULL;
	}
	free(d->troubles[file]);
	d->troubles[file] = NULL;
}

static void forget_change(struct diff_view *d)
{
	for (size_t i = 0; d->change && i < d->change->files.n; i++)
		free_lines_of(d, i);
	free(d->lines);
	free(d->troubles);
	if (d->change)
		free_change(d->change);
	d->change = NULL;
	d->lines = NULL;
	d->troubles = NULL;
	d->held_lines = 0;
	d->is_old = false;
}

static bool is_same(const struct change *a, const struct change *b)
{
	return a && strcmp(a->attempt, b->attempt) == 0 && strcmp(a->base, b->base) == 0 &&
		strcmp(a->tip, b->tip) == 0 && strcmp(a->missing, b->missing) == 0 &&
		a->files.n == b->files.n;
}

/* Counts of the change that is shown already. */
static void on_counts(void *user, int code, void *result, const char *sentence)
{
	struct diff_view *d = user;
	struct change *c = result;

	if (code < 0) {
		app_complain(d->app, "counts are missing: %s", sentence);
		return;
	}
	for (size_t i = 0; is_same(d->change, c) && i < c->files.n; i++) {
		struct diff_file *to = &d->change->files.files[i], *from = &c->files.files[i];

		if (strcmp(to->path, from->path) != 0)
			continue;
		to->added = from->added;
		to->removed = from->removed;
		to->binary = from->binary;
	}
	if (is_same(d->change, c)) {
		d->change->added = c->added;
		d->change->removed = c->removed;
		d->change->binaries = c->binaries;
		d->change->counted = true;
		d->change->files.reason = arena_strdup(&d->change->arena, c->files.reason);
	}
	free_change(c);
}

static struct request *change_request(struct diff_view *d, bool names_only)
{
	const struct selection *s = &d->app->selection;
	struct request *r = request_new(d);

	r->question.attempt = arena_strdup(&r->arena, s->attempt);
	r->question.against = d->against;
	r->question.other = arena_strdup(&r->arena, s->other_attempt);
	r->question.names_only = names_only;
	if (!s->at_now) {
		r->at = s->position;
		r->question.at = &r->at;
	}
	return r;
}

/* The files are shown at once; counting large ones may take seconds. */
static void count_lines(struct diff_view *d)
{
	static const struct job_kind kind = { "counting lines", run_change, request_free,
		free_change, JOB_SCREEN };

	job_start(&d->count_job, d->app->loop, &kind, change_request(d, false), on_counts, d);
}

static void on_change(void *user, int code, void *result, const char *sentence)
{
	struct diff_view *d = user;
	struct change *c = result;

	d->is_reading = false;
	free(d->trouble);
	d->trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code < 0)
		return;
	if (is_same(d->change, c)) {
		free_change(c);
		if (!d->change->counted)
			count_lines(d);
		return;
	}
	job_cancel(&d->lines_job);
	job_cancel(&d->rest_job);
	forget_change(d);
	d->change = c;
	d->lines = xcalloc(c->files.n + 1, sizeof(*d->lines));
	d->troubles = xcalloc(c->files.n + 1, sizeof(*d->troubles));
	diff_view_arrived(d);
	if (!c->counted)
		count_lines(d);
}

void diff_view_read(struct diff_view *d)
{
	static const struct job_kind kind = { "reading the change", run_change, request_free,
		free_change, JOB_SCREEN };

	d->is_reading = true;
	job_cancel(&d->count_job);
	job_start(&d->change_job, d->app->loop, &kind, change_request(d, d->app->loop != NULL),
		on_change, d);
}

/* ---- lines of files ---------------------------------------------------------------- */

struct loaded {
	long *indexes;
	struct change_lines **lines;	/* NULL where one could not be read */
	char **troubles;
	size_t n;
};

static void free_loaded(void *p)
{
	struct loaded *l = p;

	for (size_t i = 0; i < l->n; i++) {
		if (l->lines[i]) {
			change_lines_release(l->lines[i]);
			free(l->lines[i]);
		}
		free(l->troubles[i]);
	}
	free(l->indexes);
	free(l->lines);
	free(l->troubles);
	free(l);
}

static int load_one(struct loaded *l, struct workspace *ws, const struct request *r, size_t i)
{
	struct change_lines *lines = xcalloc(1, sizeof *lines);
	int rc = change_load(lines, ws, &r->files[i], &r->options);

	l->indexes[l->n] = r->indexes[i];
	if (rc < 0) {
		l->troubles[l->n] = xstrdup(err_text());
		change_lines_release(lines);
		free(lines);
	} else {
		l->lines[l->n] = lines;
	}
	l->n++;
	return rc == ERR_CANCELLED ? rc : 0;
}

static int run_lines(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct opened opened = { 0 };
	struct loaded *l = xcalloc(1, sizeof *l);
	int64_t lines = 0;
	int rc = open_for(&opened, r);

	l->indexes = xcalloc(r->n, sizeof(*l->indexes));
	l->lines = xcalloc(r->n, sizeof(*l->lines));
	l->troubles = xcalloc(r->n, sizeof(*l->troubles));
	r->options.cancel = job_cancel_flag(job);
	for (size_t i = 0; i < r->n && rc == 0 && lines < BATCH_LINES; i++) {
		job_set_progress(job, (int64_t)i, (int64_t)r->n);
		rc = load_one(l, opened.workspace, r, i);
		if (rc == 0 && l->lines[i])
			lines += (int64_t)l->lines[i]->file->n_lines;
	}
	opened_release(&opened);
	*result = l;
	return rc;
}

static void add_wanted(struct request *r, const struct diff_view *d, long file)
{
	const struct diff_file *from = &d->change->files.files[file];
	struct diff_file *f = &r->files[r->n];

	*f = *from;
	f->path = arena_strdup(&r->arena, from->path);
	f->old_path = arena_strdup(&r->arena, from->old_path);
	r->indexes[r->n++] = file;
}

static struct request *lines_request(struct diff_view *d, size_t room)
{
	struct request *r = request_new(d);

	r->files = arena_alloc(&r->arena, room * sizeof *r->files);
	r->indexes = arena_alloc(&r->arena, room * sizeof *r->indexes);
	r->options = (struct diff_options)DIFF_OPTIONS_INIT;
	r->options.context = d->context;
	r->options.ignore_space = d->ignore_space;
	return r;
}

static bool is_loaded(const struct diff_view *d, long file)
{
	return (d->lines[file] || d->troubles[file]) && !(d->is_old && file == d->shown);
}

static void read_rest(struct diff_view *d);

static void take_loaded(struct diff_view *d, struct loaded *l)
{
	for (size_t i = 0; i < l->n; i++) {
		long file = l->indexes[i];

		if (is_loaded(d, file))
			continue;
		if (file == d->shown)
			d->is_old = false;
		free_lines_of(d, (size_t)file);
		d->lines[file] = l->lines[i];
		d->troubles[file] = l->troubles[i];
		l->lines[i] = NULL;
		l->troubles[i] = NULL;
		if (d->lines[file])
			d->held_lines += (int64_t)d->lines[file]->file->n_lines;
		diff_view_lines_arrived(d, file);
	}
	free_loaded(l);
}

static void on_lines(void *user, int code, void *result, const char *sentence)
{
	struct diff_view *d = user;

	if (code == 0) {
		take_loaded(d, result);
		read_rest(d);
	} else if (d->shown >= 0 && !is_loaded(d, d->shown)) {
		d->troubles[d->shown] = xstrdup(sentence);
	}
}

/* A file that fails is in its own result; an error here is one of opening. */
static void on_rest(void *user, int code, void *result, const char *sentence)
{
	struct diff_view *d = user;

	(void)sentence;
	if (code < 0)
		return;
	take_loaded(d, result);
	read_rest(d);
}

/* The next files behind the shown one, then those before it. */
static void read_rest(struct diff_view *d)
{
	static const struct job_kind kind = { "reading the diff", run_lines, request_free,
		free_loaded, JOB_BACKGROUND };
	long n = (long)d->change->files.n, from = d->shown > 0 ? d->shown : 0;
	struct request *r;

	if (job_is_running(&d->rest_job) || d->held_lines >= HELD_LINES_MAX || !d->app->loop)
		return;
	r = lines_request(d, BATCH_FILES);
	for (long i = 0; i < n && r->n < BATCH_FILES; i++)
		if (!is_loaded(d, (from + i) % n))
			add_wanted(r, d, (from + i) % n);
	if (r->n)
		job_start(&d->rest_job, d->app->loop, &kind, r, on_rest, d);
	else
		request_free(r);
}

/* Room for the selected file, whatever else was read. */
static void make_room(struct diff_view *d)
{
	for (long i = 0; d->held_lines >= HELD_LINES_MAX && i < (long)d->change->files.n; i++)
		if (i != d->shown)
			free_lines_of(d, (size_t)i);
}

void diff_view_leave_file(struct diff_view *d)
{
	if (d->is_old && d->shown >= 0)
		free_lines_of(d, (size_t)d->shown);
	d->is_old = false;
}

void diff_view_read_lines(struct diff_view *d)
{
	static const struct job_kind kind = { "reading the file", run_lines, request_free,
		free_loaded, JOB_SCREEN };
	struct request *r;

	if (d->shown < 0 || d->change->without_lines)
		return;
	if (is_loaded(d, d->shown)) {
		job_cancel(&d->lines_job);
		read_rest(d);
		return;
	}
	make_room(d);
	r = lines_request(d, 1);
	add_wanted(r, d, d->shown);
	job_start(&d->lines_job, d->app->loop, &kind, r, on_lines, d);
}

void diff_view_read_lines_again(struct diff_view *d)
{
	if (!d->change)
		return;
	job_cancel(&d->lines_job);
	job_cancel(&d->rest_job);
	/* What is shown stays until its new lines are there. */
	d->is_old = true;
	for (long i = 0; i < (long)d->change->files.n; i++)
		if (i != d->shown)
			free_lines_of(d, (size_t)i);
	diff_view_read_lines(d);
}

/* ---- what is left of CUDA ------------------------------------------------------------ */

static void free_left(void *p)
{
	constructs_release(p);
	free(p);
}

static void on_files_scanned(void *user, int64_t done, int64_t total)
{
	job_set_progress(user, done, total);
}

static int run_scan(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct opened opened = { 0 };
	struct scan_options o = { job_cancel_flag(job), on_files_scanned, job };
	struct constructs_left *left = xcalloc(1, sizeof *left);
	int rc = open_for(&opened, r);

	*result = left;
	if (rc == 0)
		rc = constructs_read(left, opened.workspace, r->tip, r->original, &o);
	opened_release(&opened);
	return rc;
}

static void on_scan(void *user, int code, void *result, const char *sentence)
{
	struct diff_view *d = user;

	free(d->left_trouble);
	d->left_trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code == 0)
		d->left = result;
	list_reload(&d->left_list);
	list_reload(&d->files);
}

static void forget_left(struct diff_view *d)
{
	if (d->left)
		free_left(d->left);
	free(d->left_trouble);
	d->left = NULL;
	d->left_trouble = NULL;
	d->left_tip[0] = '\0';
}

void diff_view_read_constructs(struct diff_view *d)
{
	static const struct job_kind kind = { "looking for CUDA constructs", run_scan, request_free,
		free_left, JOB_BACKGROUND };
	const struct change *c = d->change;
	struct request *r;

	if (strcmp(d->left_tip, c->tip) == 0 && *c->tip)
		return;
	job_cancel(&d->scan_job);
	forget_left(d);
	list_reload(&d->left_list);
	if (!*c->tip || c->without_lines)
		return;
	memcpy(d->left_tip, c->tip, sizeof d->left_tip);
	r = request_new(d);
	r->tip = arena_strdup(&r->arena, c->tip);
	r->original = arena_strdup(&r->arena, c->original);
	job_start(&d->scan_job, d->app->loop, &kind, r, on_scan, d);
}

/* ---- the editor ------------------------------------------------------------------- */

struct exported { struct buf path; bool is_copy; long line; };

static void free_exported(void *p)
{
	struct exported *e = p;

	buf_release(&e->path);
	free(e);
}

static int run_export(struct job *job, void *input, void **result)
{
	struct request *r = input;
	struct opened opened = { 0 };
	struct exported *e = xcalloc(1, sizeof *e);
	int rc = open_for(&opened, r);

	(void)job;
	buf_init(&e->path);
	e->line = r->line;
	*result = e;
	if (rc == 0 && r->n)
		rc = change_export(
			&e->path, &e->is_copy, opened.workspace, &r->named, r->files, r->folder);
	else if (rc == 0)
		rc = change_export_path(
			&e->path, &e->is_copy, opened.workspace, &r->named, r->path, r->folder);
	opened_release(&opened);
	return rc;
}

static void on_export(void *user, int code, void *result, const char *sentence)
{
	struct diff_view *d = user;
	struct exported *e = result;

	if (code < 0) {
		app_complain(d->app, "%s", sentence);
		return;
	}
	app_edit(d->app, e->path.s, e->line);
	if (e->is_copy)
		app_say(d->app,
			"a read-only copy of that revision was opened; the work tree has another content");
	free_exported(e);
}

/* Made when it is first needed; removed when the view is closed. */
static bool has_folder(struct diff_view *d)
{
	const char *parent = getenv("TMPDIR");
	char *template;

	if (d->folder)
		return true;
	template = xasprintf("%s/portside-XXXXXX", parent && *parent == '/' ? parent : "/tmp");
	if (!mkdtemp(template)) {
		app_complain(d->app,
			"%s cannot be made; set TMPDIR to a folder that can be written", template);
		free(template);
		return false;
	}
	d->folder = template;
	return true;
}

void diff_view_edit(struct diff_view *d, long file, const char *path, long line)
{
	static const struct job_kind kind = { "fetching the file", run_export, request_free,
		free_exported, JOB_SCREEN };
	struct request *r;

	if (!has_folder(d))
		return;
	r = lines_request(d, 1);
	if (file >= 0)
		add_wanted(r, d, file);
	r->path = arena_strdup(&r->arena, path);
	r->folder = arena_strdup(&r->arena, d->folder);
	memcpy(r->named.base, d->change->base, sizeof r->named.base);
	memcpy(r->named.tip, d->change->tip, sizeof r->named.tip);
	r->line = line;
	job_start(&d->export_job, d->app->loop, &kind, r, on_export, d);
}

/* ---- end -------------------------------------------------------------------------- */

void diff_view_stop(struct diff_view *d)
{
	job_cancel(&d->change_job);
	job_cancel(&d->count_job);
	job_cancel(&d->lines_job);
	job_cancel(&d->rest_job);
	job_cancel(&d->scan_job);
	job_cancel(&d->export_job);
}

void diff_view_forget(struct diff_view *d)
{
	forget_change(d);
	forget_left(d);
	free(d->trouble);
	d->trouble = NULL;
}
