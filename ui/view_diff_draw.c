/* view_diff_draw - the panes of the diff view; see view_diff.h. */
#include "config.h"

#include "ui/view_diff.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ui/canvas_text.h"
#include "ui/layout.h"

enum {
	WIDE_COLS = 120,		/* the files stand left of the lines */
	FILES_COLS_MIN = 44, FILES_COLS_MAX = 56,
	FILES_ROWS_MAX = 7,		/* above the lines, with their heads */
	NARROW_ROWS = 12,		/* lower bodies show one pane at a time */
	HALVES_COLS_MIN = 60,
	MARK_COLS = 5,			/* "G-01 ", "G-01+" */
	NUMBER_COLS_MIN = 3,
	LONG_LINE = 64 << 10,		/* bytes of a line that are measured and wrapped */
};

/* What every row of the lines pane needs to know. */
struct pen {
	struct diff_view *d;
	struct canvas *c;
	const struct change_lines *lines;
	const struct scan_file *hits;	/* of the shown file; NULL: none */
	struct arena *scratch;
	int number_cols, mark_cols;
};

/* One side of a row: where its text stands, and the line. */
struct side {
	struct rect text;
	int64_t line;			/* -1: nothing on this side */
};

/* ---- text of a line ---------------------------------------------------------------------- */

static int width_of(const struct canvas *c, const char *s, size_t n)
{
	return canvas_width(c, s, n < LONG_LINE ? n : LONG_LINE);
}

static int rows_of_text(const struct canvas *c, const char *s, size_t n, int width, int most)
{
	size_t at = 0;
	int rows = 0;

	do {
		at = canvas_row_end(c, s, n, at, width);
		rows++;
	} while (at < n && rows < most);
	return rows;
}

/* Bytes [FROM, TO) of a part that starts at byte START and column COL get STYLE;
 * the marks of control characters keep theirs. */
static void restyle(struct canvas *c, struct rect r, int col, const char *s, size_t start,
	size_t from, size_t to, enum style style)
{
	int left, right;

	if (from < start)
		from = start;
	if (to <= from || from - start > LONG_LINE)
		return;
	left = col + canvas_width(c, s + start, from - start);
	right = col + width_of(c, s + start, to - start);
	for (int i = left > 0 ? left : 0; i < right && i < r.cols; i++) {
		struct cell *k = canvas_cell_at(c, r, 0, i);

		if (k && k->style != STYLE_CONTROL)
			k->style = (uint8_t)style;
	}
}

static const char *find(const char *s, size_t n, const char *needle, bool exact)
{
	size_t k = strlen(needle);

	for (size_t i = 0; k && i + k <= n; i++)
		if (exact ? memcmp(s + i, needle, k) == 0 : strncasecmp(s + i, needle, k) == 0)
			return s + i;
	return NULL;
}

static void mark_matches(
	const struct pen *p, struct rect r, int col, const char *s, size_t start, size_t end)
{
	const char *needle = p->d->search, *at = s + start,
		   *stop = s + (end - start > LONG_LINE ? start + LONG_LINE : end);
	bool exact = false;

	for (const char *k = needle; k && *k; k++)
		exact = exact || (*k >= 'A' && *k <= 'Z');
	while (needle && (at = find(at, (size_t)(stop - at), needle, exact)) != NULL) {
		size_t from = (size_t)(at - s);

		restyle(p->c, r, col, s, start, from, from + strlen(needle), STYLE_MATCH);
		at += strlen(needle);
	}
}

static enum style style_of(char origin)
{
	return origin == '+' ? STYLE_ADD : origin == '-' ? STYLE_DEL : STYLE_TEXT;
}

/* Bytes [START, END) of LINE in one row of R, scrolled LEFT cells away. */
static void put_part(
	const struct pen *p, struct rect r, int left, int64_t line, size_t start, size_t end)
{
	const struct diff_line *d = &p->lines->file->lines[line];
	struct word_range *ranges;
	size_t n;

	canvas_putn(p->c, r, 0, -left, style_of(d->origin), d->text + start, end - start);
	if (change_word_marks(&ranges, &n, p->scratch, p->lines, (size_t)line))
		for (size_t i = 0; i < n; i++)
			if (ranges[i].start < end)
				restyle(p->c, r, -left, d->text, start, ranges[i].start,
					ranges[i].start + ranges[i].n < end
						? ranges[i].start + ranges[i].n
						: end,
					d->origin == '+' ? STYLE_ADD_WORD : STYLE_DEL_WORD);
	mark_matches(p, r, -left, d->text, start, end);
}

static void put_cut(const struct pen *p, struct rect r, int64_t line, size_t n)
{
	const struct diff_line *d = &p->lines->file->lines[line];
	int left = p->d->sideways;

	put_part(p, r, left, line, 0, n);
	if (left && n)
		canvas_put_cell(p->c, r, 0, 0, STYLE_DIM, '<');
	if (n > (size_t)LONG_LINE || width_of(p->c, d->text, n) - left > r.cols)
		canvas_put_cell(p->c, r, 0, r.cols - 1, STYLE_DIM, '>');
}

static void put_wrapped(const struct pen *p, struct rect r, int64_t line, size_t n)
{
	const struct diff_line *d = &p->lines->file->lines[line];
	size_t from = 0;

	for (int row = 0; row < r.rows && (from < n || row == 0); row++) {
		size_t to = canvas_row_end(p->c, d->text, n, from, r.cols);

		put_part(p, rect_row(r, row), 0, line, from, to);
		from = to;
	}
}

/* ---- one side ------------------------------------------------------------------------------ */

static void put_number(const struct pen *p, struct rect *r, int32_t number)
{
	struct rect field = rect_cut_left(r, p->number_cols + 1);

	if (number)
		canvas_putf(p->c, field, 0, 0, STYLE_DIM, "%*d", p->number_cols, number);
}

/* The construct that the new side still has in this line. */
static void put_mark(const struct pen *p, struct rect *r, int64_t line)
{
	struct rect field = rect_cut_left(r, p->mark_cols);
	const struct diff_line *d = line >= 0 ? &p->lines->file->lines[line] : NULL;
	const struct scan_hit *hit;
	size_t n;

	if (!p->hits || !d || !d->new_line ||
		!(hit = scan_line(&p->d->left->tip, p->hits, d->new_line, &n)))
		return;
	canvas_putf(p->c, field, 0, 0, hit->construct->hint ? STYLE_NOTE : STYLE_WARN, "%s%s",
		hit->construct->id, n > 1 ? "+" : "");
}

static void put_text(const struct pen *p, struct rect r, int64_t line)
{
	const struct diff_line *d = &p->lines->file->lines[line];
	struct rect sign = rect_cut_left(&r, 1);
	size_t n = change_line_length(p->lines, (size_t)line);

	canvas_put_cell(p->c, sign, 0, 0, style_of(d->origin), (unsigned char)d->origin);
	if (p->d->wrap)
		put_wrapped(p, r, line, n);
	else
		put_cut(p, r, line, n);
	if (d->no_newline && !p->lines->preview && !p->lines->file->link) {
		int col = p->d->wrap ? canvas_width(p->c, d->text, n < LONG_LINE ? n : LONG_LINE) %
				(r.cols > 0 ? r.cols : 1)
				     : width_of(p->c, d->text, n) - p->d->sideways;

		canvas_put(p->c, r, 0, col + 1, STYLE_NOTE, "(no newline at the end)");
	}
}

static void put_unified(const struct pen *p, struct rect r, int64_t line)
{
	const struct diff_line *d = &p->lines->file->lines[line];

	put_mark(p, &r, line);
	if (!p->lines->preview)
		put_number(p, &r, d->old_line);
	put_number(p, &r, d->new_line);
	put_text(p, r, line);
}

static void put_half(const struct pen *p, struct rect r, int64_t line, bool is_new)
{
	const struct diff_line *d = line >= 0 ? &p->lines->file->lines[line] : NULL;

	if (is_new)
		put_mark(p, &r, line);
	if (!d)
		return;
	put_number(p, &r, is_new ? d->new_line : d->old_line);
	put_text(p, r, line);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool in_halves(const struct pen *p, struct rect r)
{
	return p->d->side_by_side && r.cols >= HALVES_COLS_MIN;
}

static void halves(struct rect r, struct rect *left, struct rect *right)
{
	*left = rect_cut_left(&r, (r.cols - 1) / 2);
	rect_cut_left(&r, 1);
	*right = r;
}

/* Cells left of the text: marks, numbers, sign. */
static int margin(const struct pen *p, bool half, bool is_new)
{
	int numbers = half || p->lines->preview ? 1 : 2;

	return numbers * (p->number_cols + 1) + 1 + (!half || is_new ? p->mark_cols : 0);
}

static int rows_of_line(const struct pen *p, int64_t line, int width, int most)
{
	const struct diff_line *d = line >= 0 ? &p->lines->file->lines[line] : NULL;

	return d ? rows_of_text(p->c, d->text, change_line_length(p->lines, (size_t)line),
			   width > 0 ? width : 1, most)
		 : 1;
}

static int rows_of(const struct pen *p, struct rect r, long i)
{
	const struct diff_view_row *row = &p->d->rows[i];
	struct rect left, right;
	int a, b;

	if (!p->d->wrap || row->kind != DIFF_ROW_LINES)
		return 1;
	if (!in_halves(p, r))
		return rows_of_line(
			p, row->a >= 0 ? row->a : row->b, r.cols - margin(p, false, true), r.rows);
	halves(r, &left, &right);
	a = rows_of_line(p, row->a, left.cols - margin(p, true, false), r.rows);
	b = rows_of_line(p, row->b, right.cols - margin(p, true, true), r.rows);
	return a > b ? a : b;
}

static void put_hunk(const struct pen *p, struct rect r, size_t h)
{
	const struct diff_hunk *k = &p->lines->file->hunks[h];

	if (p->lines->preview)
		canvas_put(p->c, r, 0, 0, STYLE_HUNK, k->heading);
	else
		canvas_putf(p->c, r, 0, 0, STYLE_HUNK, "@@ -%d,%d +%d,%d @@ %s", k->old_start,
			k->old_count, k->new_start, k->new_count, k->heading);
}

/* A narrow pane shows both sides of a side-by-side row one below the other. */
static void put_row(const struct pen *p, struct rect r, const struct diff_view_row *row)
{
	struct rect left, right;

	if (row->kind == DIFF_ROW_NOTE) {
		canvas_put_fit(
			p->c, r, 0, 0, r.cols, ALIGN_LEFT, STYLE_NOTE, p->lines->notes[row->a]);
	} else if (row->kind == DIFF_ROW_HUNK) {
		put_hunk(p, r, (size_t)row->a);
	} else if (!in_halves(p, r)) {
		put_unified(p, r, row->a >= 0 ? row->a : row->b);
	} else {
		halves(r, &left, &right);
		put_half(p, left, row->a, false);
		canvas_column_rule(p->c, r, left.cols, STYLE_FRAME);
		put_half(p, right, row->b, true);
	}
}

/* The top moves as little as it must for the current row to be in sight. */
static void keep_in_sight(const struct pen *p, struct rect r)
{
	struct diff_view *d = p->d;
	int need = 0;

	if (d->top > d->at)
		d->top = d->at;
	if (!d->wrap) {
		if (d->at >= d->top + r.rows)
			d->top = d->at - r.rows + 1;
		if (d->top > d->n_rows - r.rows)
			d->top = d->n_rows > r.rows ? d->n_rows - r.rows : 0;
		return;
	}
	for (long i = d->at; i >= d->top; i--) {
		need += rows_of(p, r, i);
		if (need > r.rows && i < d->at) {
			d->top = i + 1;
			return;
		}
	}
}

static void draw_rows(const struct pen *p, struct rect r)
{
	struct diff_view *d = p->d;
	int row = 0;

	d->page = r.rows > 0 ? r.rows : 1;
	keep_in_sight(p, r);
	for (long i = d->top; i < d->n_rows && row < r.rows; i++) {
		int rows = rows_of(p, r, i);
		struct rect at = { r.row + row, r.col, rows < r.rows - row ? rows : r.rows - row,
			r.cols };

		put_row(p, at, &d->rows[i]);
		if (i == d->at && d->focus == PANE_LINES) {
			canvas_set_ground(p->c, at, GROUND_SELECT);
			canvas_set_cursor(p->c, at, 0, 0);
		}
		row += rows;
	}
}

/* ---- lines pane ---------------------------------------------------------- */

static int digits_of(int64_t n)
{
	int digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits < NUMBER_COLS_MIN ? NUMBER_COLS_MIN : digits;
}

static int32_t last_number(const struct diff_file *f)
{
	int32_t most = 0;

	for (size_t h = 0; h < f->n_hunks; h++) {
		int32_t old = f->hunks[h].old_start + f->hunks[h].old_count,
			new = f->hunks[h].new_start + f->hunks[h].new_count;

		most = old > most ? old : most;
		most = new > most ? new : most;
	}
	return most;
}

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
	struct arena scratch = ARENA_INIT;
	struct pen p = { .d = d, .c = c, .lines = diff_view_lines(d), .scratch = &scratch };

	if (rect_is_empty(r))
		return;
	if (d->focus == PANE_LINES)
		canvas_set_cursor(c, r, 0, 0);
	if (!p.lines) {
		draw_nothing(d, c, r);
		return;
	}
	p.number_cols = digits_of(last_number(p.lines->file));
	p.hits = d->left && p.lines->file->status != 'D'
		? scan_find(&d->left->tip, p.lines->file->path)
		: NULL;
	p.mark_cols = p.hits && p.hits->n ? MARK_COLS : 0;
	draw_rows(&p, r);
	arena_release(&scratch);
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
