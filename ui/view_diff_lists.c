/* view_diff_lists - the files of a change, and the constructs that are left; see view_diff.h. */
#include "config.h"

#include "ui/view_diff.h"

#include <string.h>

/* ---- files ------------------------------------------------------------------------------ */

enum { FILE_STATUS, FILE_PATH, FILE_ADDED, FILE_REMOVED, FILE_CUDA };

static const struct list_column file_columns[] = {
	[FILE_STATUS] = { "", 1, 0, 0, false },
	[FILE_PATH] = { "file", 12, 1, 0, false },
	[FILE_ADDED] = { "added", 6, 0, 0, true },
	[FILE_REMOVED] = { "removed", 7, 0, 0, true },
	[FILE_CUDA] = { "CUDA", 6, 0, 1, true },
};

static long count_files(void *user)
{
	const struct diff_view *d = user;

	return d->change ? (long)d->change->files.n : 0;
}

/* "+41", "+1234k": at most six cells up to a billion lines; "?" until it is counted. */
static void add_count(struct buf *out, char sign, int64_t n)
{
	if (n < 0)
		buf_addc(out, '?');
	else if (n < 100000)
		buf_addf(out, "%c%lld", sign, (long long)n);
	else if (n < 10000000)
		buf_addf(out, "%c%lldk", sign, (long long)n / 1000);
	else
		buf_addf(out, "%c%lldM", sign, (long long)n / 1000000);
}

static enum style status_style(char status)
{
	return status == 'A' ? STYLE_ADD : status == 'D' ? STYLE_DEL : STYLE_TEXT;
}

static void file_cell(void *user, long row, int column, struct list_cell *out)
{
	const struct diff_view *d = user;
	const struct diff_file *f = &d->change->files.files[row];

	switch (column) {
	case FILE_STATUS:
		buf_addc(out->text, f->status);
		out->style = status_style(f->status);
		break;
	case FILE_PATH:
		change_add_path(out->text, f, " \xe2\x86\x92 ");
		break;
	case FILE_ADDED:
		if (f->binary)
			buf_adds(out->text, "binary");
		else
			add_count(out->text, '+', f->added);
		out->style = STYLE_ADD;
		break;
	case FILE_REMOVED:
		if (!f->binary)
			add_count(out->text, '-', f->removed);
		out->style = STYLE_DEL;
		break;
	case FILE_CUDA:
		if (d->left)
			constructs_add_count(out->text, d->left, f->path, f->old_path);
		out->style = STYLE_WARN;
		break;
	}
}

static void file_key(void *user, long row, struct buf *out)
{
	const struct diff_view *d = user;

	buf_adds(out, d->change->files.files[row].path);
}

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_files(void *user, long a, long b, int column)
{
	const struct diff_view *d = user;
	const struct diff_file *x = &d->change->files.files[a], *y = &d->change->files.files[b];

	if (column == FILE_ADDED)
		return compare_numbers(x->added, y->added);
	if (column == FILE_REMOVED)
		return compare_numbers(x->removed, y->removed);
	return column == FILE_STATUS ? x->status - y->status : strcmp(x->path, y->path);
}

const struct list_source diff_files_source = {
	.columns = file_columns,
	.n_columns = ARRAY_LEN(file_columns),
	.count = count_files,
	.cell = file_cell,
	.key = file_key,
	.compare = compare_files,
	.empty = "no file changed",
};

/* ---- what is left --------------------------------------------------------------------------- */

enum { LEFT_PLACE, LEFT_ID, LEFT_TEXT, LEFT_MEANING };

static const struct list_column left_columns[] = {
	[LEFT_PLACE] = { "place", 22, 1, 0, false },
	[LEFT_ID] = { "id", 4, 0, 0, false },
	[LEFT_TEXT] = { "text", 24, 3, 0, false },
	[LEFT_MEANING] = { "what it is", 30, 2, 1, false },
};

static long count_left(void *user)
{
	const struct diff_view *d = user;

	return d->left ? (long)d->left->tip.n_hits : 0;
}

static void left_cell(void *user, long row, int column, struct list_cell *out)
{
	const struct diff_view *d = user;
	const struct scan_hit *h = &d->left->tip.hits[row];

	switch (column) {
	case LEFT_PLACE:
		buf_addf(out->text, "%s:%d", h->path, h->line);
		break;
	case LEFT_ID:
		buf_adds(out->text, h->construct->id);
		out->style = h->construct->hint ? STYLE_NOTE : STYLE_WARN;
		break;
	case LEFT_TEXT:
		buf_adds(out->text, h->text + strspn(h->text, " \t"));
		break;
	case LEFT_MEANING:
		buf_adds(out->text, h->construct->meaning);
		break;
	}
}

const struct list_source diff_left_source = {
	.columns = left_columns,
	.n_columns = ARRAY_LEN(left_columns),
	.count = count_left,
	.cell = left_cell,
	.empty = "no CUDA construct is left, and no hint",
};
