/* view_diff_pen - see view_diff_pen.h. */
#include "config.h"

#include "ui/view_diff_pen.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "ui/canvas_text.h"

enum {
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

void diff_pen_draw(struct diff_view *d, struct canvas *c, struct rect r)
{
	struct arena scratch = ARENA_INIT;
	struct pen p = { .d = d, .c = c, .lines = diff_view_lines(d), .scratch = &scratch };

	p.number_cols = digits_of(last_number(p.lines->file));
	p.hits = d->left && p.lines->file->status != 'D'
		? scan_find(&d->left->tip, p.lines->file->path)
		: NULL;
	p.mark_cols = p.hits && p.hits->n ? MARK_COLS : 0;
	draw_rows(&p, r);
	arena_release(&scratch);
}
