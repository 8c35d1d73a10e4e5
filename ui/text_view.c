/* text_view - see text_view.h. */
#include "config.h"

#include "ui/text_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/key.h"
#include "ui/canvas_text.h"

enum { FIRST_PAGE = 10, SIDE_STEP = 8, WRAPPED_MAX = 2000 };

void text_view_init(struct text_view *v, const struct text_source *source, void *user)
{
	memset(v, 0, sizeof *v);
	v->source = source;
	v->user = user;
	v->page = FIRST_PAGE;
}

void text_view_release(struct text_view *v)
{
	free(v->search);
	memset(v, 0, sizeof *v);
}

static long count(const struct text_view *v)
{
	long n = v->source->count(v->user);

	return n > 0 ? n : 0;
}

void text_view_reload(struct text_view *v)
{
	long n = count(v);

	if (v->follow && n)
		v->at = n - 1;
	v->at = motion_apply(MOTION_NONE, v->at, n, v->page);
}

bool text_view_move(struct text_view *v, enum motion motion)
{
	long was = v->at;
	int left = v->left;

	if (motion == MOTION_LEFT)
		v->left = v->left > SIDE_STEP ? v->left - SIDE_STEP : 0;
	else if (motion == MOTION_RIGHT && !v->wrap)
		v->left += SIDE_STEP;
	else
		v->at = motion_apply(motion, v->at, count(v), v->page);
	if (motion == MOTION_LAST)
		v->follow = true;
	else if (v->at < was)
		v->follow = false;
	return v->at != was || v->left != left;
}

void text_view_go(struct text_view *v, long line)
{
	long n = count(v);

	v->follow = false;
	v->at = line < 0 ? 0 : line < n ? line : n ? n - 1 : 0;
}

/* ---- search ------------------------------------------------------------------ */

void text_view_set_search(struct text_view *v, const char *text)
{
	free(v->search);
	v->search = text && *text ? xstrdup(text) : NULL;
}

static void get_line(const struct text_view *v, long i, struct text_line *out)
{
	memset(out, 0, sizeof *out);
	v->source->line(v->user, i, out);
}

/* Where TEXT is in S[0..N), ignoring the case of ASCII; NULL: nowhere. */
static const char *find(const char *s, size_t n, const char *text)
{
	size_t k = strlen(text);

	for (size_t i = 0; k && i + k <= n; i++)
		if (strncasecmp(s + i, text, k) == 0)
			return s + i;
	return NULL;
}

bool text_view_search(struct text_view *v, int direction, long limit)
{
	long n = count(v), most = limit && limit < n ? limit : n;
	struct text_line line;

	for (long i = 1; v->search && i <= most; i++) {
		long at = (v->at + direction * i + n) % n;

		get_line(v, at, &line);
		if (find(line.s, line.n, v->search)) {
			text_view_go(v, at);
			return true;
		}
	}
	return false;
}

/* ---- drawing ------------------------------------------------------------------ */

static int digits_of(long n)
{
	int digits = 1;

	for (; n >= 10; n /= 10)
		digits++;
	return digits;
}

static int margin(const struct text_view *v, long n)
{
	return (v->gutter ? 2 : 0) + (v->numbers ? digits_of(n) + 1 : 0);
}

static void draw_margin(const struct text_view *v, struct canvas *c, struct rect row, long i,
			const struct text_line *line)
{
	int col = 0;

	if (v->gutter) {
		if (line->gutter)
			canvas_put_cell(
				c, row, 0, 0, line->gutter_style, (unsigned char)line->gutter);
		col = 2;
	}
	if (v->numbers)
		canvas_putf(c, row, 0, col, STYLE_DIM, "%*ld", digits_of(count(v)), i + 1);
}

static enum style style_at(const struct text_line *line, size_t byte, size_t *until)
{
	for (int i = 0; i < line->n_spans; i++) {
		const struct text_span *s = &line->spans[i];

		if (byte < s->from) {
			*until = s->from;
			return line->style;
		}
		if (byte < s->to) {
			*until = s->to;
			return s->style;
		}
	}
	*until = line->n;
	return line->style;
}

/* Puts bytes FROM..TO of LINE, each span in its style.  Tabs count from FROM. */
static void put_spans(struct canvas *c, struct rect row, int col, const struct text_line *line,
		      size_t from, size_t to)
{
	while (from < to && col < row.cols) {
		size_t until;
		enum style style = style_at(line, from, &until);

		if (until > to || until <= from)
			until = to;
		col = canvas_putn(c, row, 0, col, style, line->s + from, until - from);
		from = until;
	}
}

static void mark_matches(const struct text_view *v, struct canvas *c, struct rect row,
			 const struct text_line *line, size_t from, size_t to, int col)
{
	const char *end = line->s + to, *at = line->s + from, *found;

	while (v->search && at < end && (found = find(at, (size_t)(end - at), v->search))) {
		struct rect mark = row;
		size_t n = strlen(v->search);

		mark.col += col + canvas_width(c, line->s + from, (size_t)(found - line->s) - from);
		mark.cols = canvas_width(c, found, n);
		if (mark.col >= row.col && mark.col + mark.cols <= row.col + row.cols)
			canvas_set_style(c, mark, STYLE_MATCH);
		at = found + n;
	}
}

static void draw_part(const struct text_view *v, struct canvas *c, struct rect row, long i,
		      const struct text_line *line, size_t from, size_t to, bool first)
{
	struct rect text = row;
	int left = v->wrap ? 0 : v->left;

	if (first)
		draw_margin(v, c, row, i, line);
	rect_cut_left(&text, margin(v, count(v)));
	put_spans(c, text, -left, line, from, to);
	mark_matches(v, c, text, line, from, to, -left);
	if (!v->wrap && left && line->n)
		canvas_put_cell(c, text, 0, 0, STYLE_DIM, '<');
	if (!v->wrap &&
		canvas_width(c, line->s, line->n < 4096 ? line->n : 4096) - left > text.cols)
		canvas_put_cell(c, text, 0, text.cols - 1, STYLE_DIM, '>');
	if (i == v->at)
		canvas_set_ground(c, row, GROUND_SELECT);
}

static int rows_of(const struct text_view *v, const struct canvas *c, long i, int width)
{
	struct text_line line;
	size_t at = 0;
	int rows = 0;

	if (!v->wrap)
		return 1;
	get_line(v, i, &line);
	do {
		at = canvas_row_end(c, line.s, line.n, at, width);
		rows++;
	} while (at < line.n && rows < WRAPPED_MAX);
	return rows;
}

/* The top moves as little as it must for the current line to be in sight. */
static void keep_in_sight(struct text_view *v, const struct canvas *c, int rows, int width, long n)
{
	int need = 0;
	long first = v->at;

	if (v->top > v->at)
		v->top = v->at;
	while (first >= v->top) {
		need += rows_of(v, c, first, width);
		if (need > rows && first < v->at) {
			v->top = first + 1;
			return;
		}
		first--;
	}
	if (!v->wrap && v->top > n - rows)
		v->top = n > rows ? n - rows : 0;
}

static int draw_line(
	const struct text_view *v, struct canvas *c, struct rect r, int row, long i, int width)
{
	struct text_line line;
	size_t from = 0, to;

	get_line(v, i, &line);
	do {
		to = v->wrap ? canvas_row_end(c, line.s, line.n, from, width) : line.n;
		draw_part(v, c, rect_row(r, row), i, &line, from, to, from == 0);
		if (i == v->at && from == 0)
			canvas_set_cursor(c, r, row, 0);
		from = to;
		row++;
	} while (from < line.n && row < r.rows);
	return row;
}

void text_view_draw(struct text_view *v, struct canvas *c, struct rect r)
{
	long n = count(v);
	int width = r.cols - margin(v, n), row = 0;

	if (rect_is_empty(r))
		return;
	v->page = r.rows;
	if (!n) {
		canvas_put_wrapped(
			c, r, 0, STYLE_DIM, v->source->empty ? v->source->empty : "empty");
		canvas_set_cursor(c, r, 0, 0);
		return;
	}
	v->at = motion_apply(MOTION_NONE, v->at, n, v->page);
	keep_in_sight(v, c, r.rows, width > 0 ? width : 1, n);
	for (long i = v->top; i < n && row < r.rows; i++)
		row = draw_line(v, c, r, row, i, width > 0 ? width : 1);
}

enum outcome text_view_key(struct text_view *v, uint32_t key)
{
	enum motion motion = motion_of_key(key);

	if (key == 'W') {
		v->wrap = !v->wrap;
		v->left = 0;
		return OUTCOME_USED;
	}
	if (motion == MOTION_NONE)
		return OUTCOME_UNUSED;
	text_view_move(v, motion);
	return OUTCOME_USED;
}
