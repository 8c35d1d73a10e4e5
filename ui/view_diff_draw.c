/* view_diff_draw - the panes of the diff view; see view_diff.h. */
#include "config.h"

#include "ui/view_diff.h"

#include <string.h>

#include "ui/layout.h"
#include "ui/view_diff_pen.h"

enum {
	WIDE_COLS = 120,		/* the files stand left of the lines */
	FILES_COLS_MIN = 44, FILES_COLS_MAX = 56,
	FILES_ROWS_MAX = 7,		/* above the lines, with their heads */
	NARROW_ROWS = 12,		/* lower bodies show one pane at a time */
};

/* ---- lines pane ---------------------------------------------------------- */

static void draw_nothing(const struct diff_view *d, struct canvas *c, struct rect r)
{
	const char *text = "reading ...";

	if (d->shown >= 0 && d->troubles[d->shown])
		text = d->troubles[d->shown];
	else if (d->change->without_lines)
		text = "The repository is not here: files and counts only. Open the clone to "
			"read the lines.";
	else if (!d->change->files.n)
		text = "Nothing changed: both ends have the same files.";
	canvas_put_wrapped(
		c, r, 0, d->shown >= 0 && d->troubles[d->shown] ? STYLE_BAD : STYLE_DIM, text);
}

static void draw_lines(struct diff_view *d, struct canvas *c, struct rect r)
{
	if (rect_is_empty(r))
		return;
	if (d->focus == PANE_LINES)
		canvas_set_cursor(c, r, 0, 0);
	if (diff_view_lines(d))
		diff_pen_draw(d, c, r);
	else
		draw_nothing(d, c, r);
}

static void add_hunk_place(struct buf *out, const struct diff_view *d)
{
	const struct change_lines *l = diff_view_lines(d);
	size_t hunk = 0;

	if (!l || !l->file->n_hunks || l->preview)
		return;
	for (long i = 0; i <= d->at && i < d->n_rows; i++)
		hunk += d->rows[i].kind == DIFF_ROW_HUNK;
	buf_addf(out, "hunk %zu of %zu", hunk ? hunk : 1, l->file->n_hunks);
}

/* The title of a pane; a double rule says that it has the keys. */
static void draw_title(
	struct canvas *c, struct rect r, bool has_focus, const char *text, const char *right)
{
	int width = canvas_width(c, text, strlen(text)),
	    right_width = canvas_width(c, right, strlen(right));

	if (width + right_width + 6 > r.cols)
		right_width = 0;
	canvas_fill(c, r, STYLE_FRAME, has_focus ? 0x2550 : 0x2500);
	if (width)
		canvas_put_cell(c, r, 0, 1, STYLE_FRAME, ' ');
	canvas_put_fit(c, r, 0, 2, width < r.cols - 2 ? width : r.cols - 2, ALIGN_LEFT,
		has_focus ? STYLE_STRONG : STYLE_TEXT, text);
	if (width)
		canvas_put_cell(c, r, 0, 2 + width, STYLE_FRAME, ' ');
	if (right_width)
		canvas_putf(c, r, 0, r.cols - right_width - 4, STYLE_TEXT, " %s ", right);
}

static void draw_lines_pane(struct diff_view *d, struct canvas *c, struct rect r)
{
	struct buf title = BUF_INIT, place = BUF_INIT;
	const struct diff_file *f = diff_view_file(d);

	if (f)
		change_add_path(&title, f, " \xe2\x86\x92 ");
	add_hunk_place(&place, d);
	draw_title(c, rect_cut_top(&r, 1), d->focus == PANE_LINES, title.s, place.s);
	draw_lines(d, c, r);
	buf_release(&title);
	buf_release(&place);
}

/* ---- files pane ---------------------------------------------------------- */

static void draw_files_pane(struct diff_view *d, struct canvas *c, struct rect r)
{
	int row = c->cursor_row, col = c->cursor_col;
	struct rect at;

	if (rect_is_empty(r))
		return;
	list_draw(&d->files, c, r);
	if (d->focus == PANE_FILES)
		return;
	/* Without the keys the selected file is marked, not laid in reverse. */
	canvas_set_ground(c, r, GROUND_NONE);
	at = rect_row(r, (int)(d->files.selected - d->files.top) + 1);
	if (d->files.n_shown)
		canvas_put_cell(c, at, 0, 0, STYLE_STRONG, 0x25b8);
	c->cursor_row = row;
	c->cursor_col = col;
}

/* ---- what is left -------------------------------------------------------- */

static void draw_left_pane(struct diff_view *d, struct canvas *c, struct rect r)
{
	struct buf title = BUF_INIT;
	long row = list_selected(&d->left_list);

	if (d->left)
		constructs_add_summary(&title, d->left);
	draw_title(c, rect_cut_top(&r, 1), true,
		d->left ? title.s : "CUDA constructs that are left", "");
	buf_release(&title);
	if (!d->left) {
		canvas_put_wrapped(c, r, 0, STYLE_DIM,
			d->left_trouble        ? d->left_trouble
				: *d->left_tip ? "looking at the files ..."
					       : "There is no tree to look at.");
		canvas_set_cursor(c, r, 0, 0);
		return;
	}
	if (row >= 0 && r.rows > 4) {
		const struct scan_hit *h = &d->left->tip.hits[row];
		struct rect below = rect_cut_bottom(&r, 1);

		canvas_putf(c, below, 0, 0, STYLE_NOTE, "%s %s; cause %s", h->construct->id,
			h->construct->meaning, h->construct->causes);
	}
	list_draw(&d->left_list, c, r);
}

/* ---- all ----------------------------------------------------------------- */

static void add_options(struct buf *out, const struct diff_view *d)
{
	if (d->ignore_space)
		buf_adds(out, "  white space ignored");
	if (d->context != 3)
		buf_addf(out, "  context %d", d->context);
	if (d->wrap)
		buf_adds(out, "  wrapped");
	if (d->files.filter)
		buf_addf(out, "  filter: %s", d->files.filter);
}

static void add_left(struct buf *out, const struct diff_view *d)
{
	if (!d->left)
		return;
	buf_addf(out, "  CUDA left: %zu", d->left->tip.cuda);
	if (d->left->has_original)
		buf_addf(out, " of %zu", d->left->original.cuda);
}

static void draw_head(const struct diff_view *d, struct canvas *c, struct rect r)
{
	const struct change *k = d->change;
	struct buf b = BUF_INIT;
	int col;

	buf_addf(&b, " %zu file%s", k->files.n, k->files.n == 1 ? "" : "s");
	col = canvas_put(c, r, 0, 0, STYLE_TEXT, b.s);
	if (k->counted) {
		col = canvas_putf(c, r, 0, col + 1, STYLE_ADD, "+%lld", (long long)k->added);
		col = canvas_putf(c, r, 0, col + 1, STYLE_DEL, "-%lld", (long long)k->removed);
	} else {
		col = canvas_put(c, r, 0, col, STYLE_DIM, ", counting lines ...");
	}
	buf_clear(&b);
	if (k->binaries)
		buf_addf(&b, "  %zu binary", k->binaries);
	add_left(&b, d);
	add_options(&b, d);
	if (d->is_reading)
		buf_adds(&b, "  reading another change ...");
	else if (*k->files.reason)
		buf_addf(&b, "  %s", k->files.reason);
	else if (*k->subject)
		buf_addf(&b, "  %s", k->subject);
	if (col < r.cols)
		canvas_put_fit(c, r, 0, col, r.cols - col, ALIGN_LEFT, STYLE_TEXT, b.s);
	buf_release(&b);
}

static void draw_sentence(struct canvas *c, struct rect r, enum style style, const char *text)
{
	canvas_put_wrapped(c, rect_inset(r, r.rows > 2 ? 1 : 0), 0, style, text);
	canvas_set_cursor(c, r, 0, 0);
}

static int files_rows(const struct diff_view *d, struct rect r)
{
	int wanted =
		(int)(d->files.n_shown < FILES_ROWS_MAX ? d->files.n_shown : FILES_ROWS_MAX) + 1;

	return wanted < r.rows / 2 ? wanted : r.rows / 2;
}

static void draw_panes(struct diff_view *d, struct canvas *c, struct rect r)
{
	bool one = d->app->zoomed || r.rows < NARROW_ROWS;
	struct rect files;

	if (d->shows_left && (one || r.cols < WIDE_COLS)) {
		draw_left_pane(d, c, r);
		return;
	}
	if (one && d->focus == PANE_FILES) {
		draw_files_pane(d, c, r);
		return;
	}
	if (!one && r.cols >= WIDE_COLS) {
		int cols = r.cols / 3;

		cols = cols < FILES_COLS_MIN    ? FILES_COLS_MIN
			: cols > FILES_COLS_MAX ? FILES_COLS_MAX
						: cols;
		files = rect_cut_left(&r, cols);
		canvas_column_rule(c, rect_cut_left(&r, 1), 0, STYLE_FRAME);
		draw_files_pane(d, c, files);
	} else if (!one) {
		files = rect_cut_top(&r, files_rows(d, r));
		draw_files_pane(d, c, files);
	}
	if (d->shows_left)
		draw_left_pane(d, c, r);
	else
		draw_lines_pane(d, c, r);
}

void diff_view_draw(struct diff_view *d, struct canvas *c, struct rect r)
{
	if (d->trouble) {
		draw_sentence(c, r, STYLE_BAD, d->trouble);
		return;
	}
	if (!d->change) {
		draw_sentence(c, r, STYLE_DIM, "reading ...");
		return;
	}
	if (*d->change->missing) {
		draw_sentence(c, r, STYLE_WARN, d->change->missing);
		return;
	}
	draw_head(d, c, rect_cut_top(&r, 1));
	draw_panes(d, c, r);
}
