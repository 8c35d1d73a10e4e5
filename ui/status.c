/* status - see status.h. */
#include "config.h"

#include "ui/status.h"

#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/units.h"

void status_draw_title(const struct status_lines *s, struct canvas *c, struct rect row)
{
	struct buf right = BUF_INIT;
	struct rect left = row, side;

	if (s->writing_refused)
		buf_adds(&right, "read-only  ");
	if (s->position)
		buf_addf(&right, "as of %s, %s: now", s->position, s->now_key ? s->now_key : "F");
	else
		buf_adds(&right, "as of now");
	side = rect_cut_right(&left, canvas_width(c, right.s, right.n) + 2);
	if (left.cols > 2) {
		struct rect field = left;
		int col;

		rect_cut_right(&field, 1);
		col = canvas_put(c, field, 0, 1, STYLE_TITLE, s->title ? s->title : "");
		if (s->subject && *s->subject && col + 3 < field.cols)
			canvas_put_fit(c, field, 0, col + 3, field.cols - col - 3, ALIGN_LEFT,
				STYLE_TEXT, s->subject);
	}
	canvas_put(c, side, 0, 1, s->position ? STYLE_PAST : STYLE_DIM, right.s);
	buf_release(&right);
}

static void add_work(const struct status_lines *s, struct buf *out)
{
	buf_adds(out, s->work);
	if (s->work_total > 0) {
		buf_addc(out, ' ');
		units_add_count(out, s->work_done);
		buf_adds(out, " of ");
		units_add_count(out, s->work_total);
	} else if (s->work_done > 0) {
		buf_addc(out, ' ');
		units_add_count(out, s->work_done);
	}
	if (s->work_ns >= NS_PER_S) {
		buf_adds(out, ", ");
		clock_add_duration(out, s->work_ns);
	}
}

static void draw_sentence(
	const struct status_lines *s, struct canvas *c, struct rect r, const char *text)
{
	int indent = s->message_is_error ? 3 : 1, rows;
	struct rect words = r;

	rect_cut_left(&words, indent);
	rect_cut_right(&words, 1);
	rows = canvas_wrap(c, text, words.cols, NULL, NULL);
	r = rect_cut_bottom(&r, rows);
	words.row = r.row;
	words.rows = r.rows;
	canvas_fill(c, r, STYLE_TEXT, 0);
	if (s->message_is_error)
		canvas_put(c, r, 0, 1, STYLE_BAD, "!");
	canvas_put_wrapped(c, words, 0, s->message_is_error ? STYLE_BAD : STYLE_TEXT, text);
}

/* An error, a word of what was done, or what is at work: the first that there is. */
void status_draw_message(const struct status_lines *s, struct canvas *c, struct rect r)
{
	struct rect last = rect_row(r, r.rows - 1);
	struct buf work = BUF_INIT;

	if (s->message) {
		draw_sentence(s, c, r, s->message);
	} else if (s->work) {
		add_work(s, &work);
		canvas_put_fit(c, last, 0, 1, last.cols - 1, ALIGN_LEFT, STYLE_DIM, work.s);
	}
	buf_release(&work);
}

void status_draw_banner(struct canvas *c, struct rect *r, const char *text)
{
	int rows = canvas_wrap(c, text, r->cols - 2, NULL, NULL);
	struct rect words = rect_cut_top(r, rows < 2 ? 1 : 2), sign = rect_cut_left(&words, 2);

	canvas_put(c, sign, 0, 0, STYLE_ALARM, "!");
	canvas_put_wrapped(c, words, 0, STYLE_WARN, text);
}

static void add_key(const struct status_lines *s, const struct status_key *k, struct buf *out)
{
	buf_clear(out);
	if (s->key_name)
		s->key_name(s->user, k->key, out);
	else
		buf_adds(out, k->key);
}

static int key_width(const struct canvas *c, const struct buf *key, const struct status_key *k)
{
	return canvas_width(c, key->s, key->n) + 1 + canvas_width(c, k->what, strlen(k->what));
}

static int put_key(const struct status_lines *s, struct canvas *c, struct rect row, int col,
	const struct buf *key, const struct status_key *k)
{
	int from = col;

	col = canvas_put(c, row, 0, col, STYLE_KEY, key->s);
	col = canvas_put(c, row, 0, col + 1, STYLE_DIM, k->what);
	if (s->key_spot)
		s->key_spot(
			s->user, k->key, (struct rect){ row.row, row.col + from, 1, col - from });
	return col;
}

void status_draw_footer(const struct status_lines *s, struct canvas *c, struct rect row)
{
	static const struct status_key help = { "?", "help" };
	struct buf key = BUF_INIT;
	int col = 1, last = row.cols;

	add_key(s, &help, &key);
	if (!s->no_help)
		last -= key_width(c, &key, &help) + 3;
	for (int i = 0; i < s->n_keys; i++) {
		add_key(s, &s->keys[i], &key);
		if (col + key_width(c, &key, &s->keys[i]) > last)
			break;
		col = put_key(s, c, row, col, &key, &s->keys[i]) + 2;
	}
	add_key(s, &help, &key);
	if (!s->no_help)
		put_key(s, c, row, col, &key, &help);
	buf_release(&key);
}
