/*
 * diff - the list of files from churn, and one file's hunks from libgit2.
 */
#include "config.h"
#include "store/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/units.h"
#include "store/churn.h"
#include "store/repository_internal.h"
#include "store/repository_tree.h"

/* xdiff goes on after a callback unless its answer is negative, so that a
 * positive one would bring lines of a hunk that was never taken. */
enum { MODE_LINK = 0120000, LIMIT_REACHED = -1001, CANCELLED = -1002 };

static int root_name(char out[OID_HEX + 1], struct repository *repo, const char *revision)
{
	git_tree *tree;
	int rc = repository_tree(&tree, repo, revision);

	out[0] = '\0';
	if (rc == 0 && tree != NULL)
		oid_hex(out, git_tree_id(tree));
	git_tree_free(tree);
	return rc;
}

static void add_file(struct diff *d, const struct churn_file *f)
{
	struct diff_file *file = &d->files[d->n++];
	bool same = f->old_path == f->path;

	*file = (struct diff_file){
		.status = f->status, .path = arena_strdup(&d->arena, f->path),
		.old_mode = f->old_mode, .new_mode = f->new_mode, .old_size = -1, .new_size = -1,
		.binary = f->binary, .submodule = f->submodule,
		.link = f->old_mode == MODE_LINK || f->new_mode == MODE_LINK,
		.note = "", .added = f->added, .removed = f->removed,
	};
	file->old_path = same ? file->path : arena_strdup(&d->arena, f->old_path);
	memcpy(file->old_oid, f->old_oid, sizeof file->old_oid);
	memcpy(file->new_oid, f->new_oid, sizeof file->new_oid);
}

static bool is_wanted(const struct churn_file *f, const char *path)
{
	return path == NULL || strcmp(f->path, path) == 0 || strcmp(f->old_path, path) == 0;
}

int diff_files(struct diff *out, struct repository *repo, const char *base, const char *tip,
		const struct diff_options *options)
{
	struct churn_options churn_options = { .cache = options->cache, .cancel = options->cancel,
		.cached_only = repo == NULL, .names_only = options->names_only };
	struct churn_pair pair;
	struct churn churn;
	int rc;

	*out = (struct diff){ .arena = ARENA_INIT, .reason = "" };
	if (repo != NULL && ((rc = root_name(out->old_tree, repo, base)) < 0 ||
			(rc = root_name(out->new_tree, repo, tip)) < 0))
		return rc;
	snprintf(pair.base, sizeof pair.base, "%s", base);
	snprintf(pair.tip, sizeof pair.tip, "%s", tip);
	if ((rc = churn_compute(&churn, repo, &pair, &churn_options)) < 0)
		return rc;
	out->files = arena_alloc(&out->arena, (churn.n + 1) * sizeof *out->files);
	for (size_t i = 0; i < churn.n; i++)
		if (is_wanted(&churn.files[i], options->path))
			add_file(out, &churn.files[i]);
	out->reason = arena_strdup(&out->arena, churn.reason);
	churn_release(&churn);
	return 0;
}

void diff_release(struct diff *d)
{
	arena_release(&d->arena);
	*d = (struct diff){ .arena = ARENA_INIT, .reason = "" };
}

int64_t diff_find_file(const struct diff *d, const char *path)
{
	for (size_t i = 0; i < d->n; i++)
		if (strcmp(d->files[i].path, path) == 0 || strcmp(d->files[i].old_path, path) == 0)
			return (int64_t)i;
	return -1;
}

/* ---- one file ---- */

/* Rows grow on the heap and are copied into the arena once they are all there,
 * since an arena gives nothing back. */
struct loader {
	struct diff_file *file;
	struct arena *arena;
	const struct diff_options *options;
	struct diff_hunk *hunks;
	struct diff_line *lines;
	size_t n_hunks, cap_hunks, n_lines, cap_lines;
};

static int take_binary(const git_diff_delta *delta, const git_diff_binary *binary, void *user)
{
	struct loader *l = user;

	(void)delta;
	(void)binary;
	l->file->binary = true;
	return 0;
}

/* What follows the second @@. */
static const char *heading_of(struct arena *a, const git_diff_hunk *h)
{
	const char *at = strstr(h->header, "@@");
	size_t n;

	at = at != NULL ? strstr(at + 2, "@@") : NULL;
	if (at == NULL)
		return "";
	at += 2 + strspn(at + 2, " ");
	n = strcspn(at, "\r\n");
	return arena_strndup(a, at, n);
}

static int take_hunk(const git_diff_delta *delta, const git_diff_hunk *h, void *user)
{
	struct loader *l = user;

	(void)delta;
	if (l->options->cancel != NULL && atomic_load(l->options->cancel))
		return CANCELLED;
	ARRAY_GROW(l->hunks, l->n_hunks, l->cap_hunks);
	l->hunks[l->n_hunks++] = (struct diff_hunk){
		.old_start = h->old_start, .old_count = h->old_lines,
		.new_start = h->new_start, .new_count = h->new_lines,
		.heading = heading_of(l->arena, h), .first = l->n_lines,
	};
	return 0;
}

static int take_line(const git_diff_delta *delta, const git_diff_hunk *hunk,
	const git_diff_line *line, void *user)
{
	struct loader *l = user;
	size_t n = line->content_len;
	struct diff_line *row;

	(void)delta;
	(void)hunk;
	/* Markers of a missing newline repeat what the line itself shows. */
	if (line->origin != ' ' && line->origin != '+' && line->origin != '-')
		return 0;
	if ((int64_t)l->n_lines >= l->options->line_limit)
		return LIMIT_REACHED;
	ARRAY_GROW(l->lines, l->n_lines, l->cap_lines);
	row = &l->lines[l->n_lines++];
	*row = (struct diff_line){
		.origin = line->origin, .no_newline = n == 0 || line->content[n - 1] != '\n',
		.old_line = line->old_lineno > 0 ? line->old_lineno : 0,
		.new_line = line->new_lineno > 0 ? line->new_lineno : 0,
	};
	row->n = row->no_newline ? n : n - 1;
	row->text = arena_strndup(l->arena, line->content, row->n);
	if (row->n > 0 && row->text[row->n - 1] == '\r')
		l->file->crlf = true;
	l->file->added += line->origin == '+';
	l->file->removed += line->origin == '-';
	l->hunks[l->n_hunks - 1].n++;
	return 0;
}

static void finish(struct loader *l)
{
	struct diff_file *f = l->file;

	f->hunks = arena_memdup(l->arena, l->hunks, l->n_hunks * sizeof *l->hunks);
	f->lines = arena_memdup(l->arena, l->lines, l->n_lines * sizeof *l->lines);
	f->n_hunks = l->n_hunks;
	f->n_lines = l->n_lines;
	free(l->hunks);
	free(l->lines);
}

static int compare_blobs(struct loader *l, const git_blob *old, const git_blob *new)
{
	const struct diff_file *f = l->file;
	git_diff_options options;
	int rc;

	git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
	options.context_lines = (uint32_t)(l->options->context > 0 ? l->options->context : 0);
	options.flags = GIT_DIFF_INDENT_HEURISTIC;
	options.max_size = 0;
	if (l->options->ignore_space)
		options.flags |= GIT_DIFF_IGNORE_WHITESPACE_CHANGE;
	rc = git_diff_blobs(old, f->old_path, new, f->path, &options, NULL, take_binary, take_hunk,
		take_line, l);
	if (rc == CANCELLED)
		return err_set(ERR_CANCELLED, "cancelled");
	if (rc == LIMIT_REACHED)
		l->file->note = arena_printf(l->arena, "only the first %lld lines are shown",
				(long long)l->options->line_limit);
	else if (rc < 0)
		return err_set(ERR_GIT, "%s cannot be compared: %s", f->path, git_words());
	return 0;
}

static int look_up_blob(git_blob **out, struct repository *repo, const char *oid, const char *path)
{
	git_oid id;
	int rc;

	*out = NULL;
	if (*oid == '\0')
		return 0;
	if (!oid_parse(&id, oid))
		return err_set(ERR_GIT, "%s has no object name", path);
	rc = git_blob_lookup(out, repo->git, &id);
	return rc < 0 ? repository_read_error(repo, rc, path) : 0;
}

static int load_text(struct loader *l, struct repository *repo)
{
	struct diff_file *f = l->file;
	git_blob *old = NULL, *new = NULL;
	int rc;

	f->added = f->removed = 0;
	if ((rc = look_up_blob(&old, repo, f->old_oid, f->old_path)) == 0 &&
	    (rc = look_up_blob(&new, repo, f->new_oid, f->path)) == 0)
		rc = compare_blobs(l, old, new);
	git_blob_free(old);
	git_blob_free(new);
	return rc;
}

/* A submodule's lines are the ones git makes up: the commit on each side. */
static void load_submodule(struct loader *l)
{
	struct diff_file *f = l->file;
	struct diff_hunk hunk = { .old_start = 1, .new_start = 1, .heading = "" };
	const char *sides[] = { f->old_oid, f->new_oid };

	f->note = "a submodule: the lines name its commits";
	for (int i = 0; i < 2; i++) {
		uint32_t mode = i == 0 ? f->old_mode : f->new_mode;
		struct diff_line *row;

		if (mode != 0160000)
			continue;
		ARRAY_GROW(l->lines, l->n_lines, l->cap_lines);
		row = &l->lines[l->n_lines++];
		*row = (struct diff_line){ .origin = i == 0 ? '-' : '+' };
		*(i == 0 ? &row->old_line : &row->new_line) = 1;
		*(i == 0 ? &hunk.old_count : &hunk.new_count) = 1;
		row->text = arena_printf(l->arena, "Subproject commit %s", sides[i]);
		row->n = strlen(row->text);
	}
	hunk.n = l->n_lines;
	ARRAY_GROW(l->hunks, l->n_hunks, l->cap_hunks);
	l->hunks[l->n_hunks++] = hunk;
}

static int read_size(int64_t *size, git_odb *odb, struct repository *repo, const char *oid,
	uint32_t mode, const char *path)
{
	git_object_t type;
	git_oid id;
	size_t n;
	int rc;

	*size = -1;
	if (mode == 0 || mode == 0160000 || !oid_parse(&id, oid))
		return 0;
	if ((rc = git_odb_read_header(&n, &type, odb, &id)) < 0)
		return repository_read_error(repo, rc, path);
	*size = (int64_t)n;
	return 0;
}

static int read_sizes(struct diff_file *f, struct repository *repo)
{
	git_odb *odb;
	int rc;

	if (git_repository_odb(&odb, repo->git) < 0)
		return err_set(ERR_GIT, "the object store cannot be opened: %s", git_words());
	rc = read_size(&f->old_size, odb, repo, f->old_oid, f->old_mode, f->old_path);
	if (rc == 0)
		rc = read_size(&f->new_size, odb, repo, f->new_oid, f->new_mode, f->path);
	git_odb_free(odb);
	return rc;
}

static void add_size(struct buf *b, int64_t size)
{
	if (size < 0)
		buf_adds(b, "nothing");
	else
		units_add_bytes(b, size);
}

static void note_sizes(struct diff *d, struct diff_file *f, const char *what)
{
	struct buf b = BUF_INIT;

	buf_addf(&b, "%s: ", what);
	add_size(&b, f->old_size);
	buf_adds(&b, " became ");
	add_size(&b, f->new_size);
	f->note = arena_strndup(&d->arena, b.s, b.n);
	buf_release(&b);
}

static bool is_too_large(const struct diff_file *f, const struct diff_options *options)
{
	return f->old_size > options->side_limit_bytes || f->new_size > options->side_limit_bytes;
}

int diff_load(
	struct diff *d, size_t index, struct repository *repo, const struct diff_options *options)
{
	struct diff_file *f = &d->files[index];
	struct loader l = { .file = f, .arena = &d->arena, .options = options };
	int rc = read_sizes(f, repo);

	f->n_hunks = f->n_lines = 0;
	f->note = "";
	if (rc < 0)
		return rc;
	if (f->submodule)
		load_submodule(&l);
	else if (is_too_large(f, options))
		note_sizes(d, f, "too large to compare here, its beginning can be read");
	else if (!f->binary)
		rc = load_text(&l, repo);
	if (f->binary)
		note_sizes(d, f, "binary");
	finish(&l);
	f->loaded = rc == 0;
	return rc;
}

int diff_all(struct diff *out, struct repository *repo, const char *base, const char *tip,
		const struct diff_options *options)
{
	struct diff_options rest = *options;
	int rc = diff_files(out, repo, base, tip, options);

	for (size_t i = 0; i < out->n && rc == 0; i++) {
		if (rest.line_limit <= 0) {
			out->files[i].note =
				"not loaded: the files before it fill the limit of lines";
			continue;
		}
		rc = diff_load(out, i, repo, &rest);
		rest.line_limit -= (int64_t)out->files[i].n_lines;
	}
	if (rc < 0)
		diff_release(out);
	return rc;
}

/* ---- beginning of a large file ---- */

static void split_preview(
	struct diff_line **lines, size_t *n, struct arena *a, const struct buf *text)
{
	const char *s = text->s, *end = text->s + text->n;
	size_t cap = 0;
	struct diff_line *rows = NULL;

	while (s < end) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		size_t used = newline != NULL ? (size_t)(newline - s) : (size_t)(end - s);

		ARRAY_GROW(rows, *n, cap);
		rows[*n] = (struct diff_line){ .origin = ' ',
			.no_newline = newline == NULL,
			.new_line = (int32_t)*n + 1,
			.text = arena_strndup(a, s, used),
			.n = used };
		(*n)++;
		s += used + (newline != NULL);
	}
	*lines = arena_memdup(a, rows, *n * sizeof *rows);
	free(rows);
}

int diff_preview(struct diff_line **lines, size_t *n, struct diff *d, size_t index,
	struct repository *repo, int64_t limit)
{
	const struct diff_file *f = &d->files[index];
	struct buf text = BUF_INIT;
	bool cut;
	int rc;

	*lines = NULL;
	*n = 0;
	if (f->submodule)
		return err_set(ERR_STATE, "%s is a submodule; its files are in another repository",
			f->path);
	rc = blob_read(&text, &cut, NULL, repo, f->new_mode != 0 ? f->new_oid : f->old_oid, limit);
	if (rc == 0)
		split_preview(lines, n, &d->arena, &text);
	buf_release(&text);
	return rc;
}

/* ---- search ---- */

static bool has_upper_case(const char *s)
{
	for (; *s != '\0'; s++)
		if (*s >= 'A' && *s <= 'Z')
			return true;
	return false;
}

static bool line_holds(const struct diff_line *l, const char *needle, size_t n, bool exact)
{
	for (size_t i = 0; i + n <= l->n; i++)
		if (exact ? memcmp(l->text + i, needle, n) == 0
			  : strncasecmp(l->text + i, needle, n) == 0)
			return true;
	return false;
}

static int64_t count_lines(const struct diff *d)
{
	int64_t n = 0;

	for (size_t i = 0; i < d->n; i++)
		n += (int64_t)d->files[i].n_lines;
	return n;
}

/* One line on, round the end; files without lines are passed over. */
static void advance(struct diff_place *at, const struct diff *d, bool backward)
{
	if (!backward && at->line + 1 < d->files[at->file].n_lines) {
		at->line++;
		return;
	}
	if (backward && at->line > 0) {
		at->line--;
		return;
	}
	do {
		at->file = backward ? (at->file + d->n - 1) % d->n : (at->file + 1) % d->n;
	} while (d->files[at->file].n_lines == 0);
	at->line = backward ? d->files[at->file].n_lines - 1 : 0;
}

bool diff_search(struct diff_place *at, const struct diff *d, const char *needle, bool backward)
{
	struct diff_place place = *at;
	int64_t left = count_lines(d);
	bool exact = has_upper_case(needle);
	size_t n = strlen(needle);

	if (left == 0 || n == 0 || at->file >= d->n)
		return false;
	while (left-- > 0) {
		advance(&place, d, backward);
		if (line_holds(&d->files[place.file].lines[place.line], needle, n, exact)) {
			*at = place;
			return true;
		}
	}
	return false;
}
