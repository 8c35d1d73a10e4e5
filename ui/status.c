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
		buf_addf(&right, "as of %s, F: now", s->position);
	else
		buf_adds(&right, "as of now");
	side = rect_cut_right(&left, canvas_width(c, right.s, right.n) + 2);
	if (left.cols > 2) {
		struct rect field = left;
		int col;

		rect_cut_right(&field, 1);
		col = canvas_put(c, field, 0, 1, STYLE_TITLE, s->title ? s->title : "");
		if (s->subject && *s->subject && col + 3 < field.cols)
			canvas_put_fit(c, field, 0, col + 3, field.cols - col - 3, ALIGN_LEFT, STYLE_TEXT,
				       s->subject);
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

/* An error, a word of what was done, or what is at work: the first that there is. */
void status_draw_message(const struct status_lines *s, struct canvas *c, struct rect row)
{
	struct buf work = BUF_INIT;
	struct rect left = row;
	const char *text = s->message;
	enum style style = s->message_is_error ? STYLE_BAD : STYLE_TEXT;

	if (s->right && *s->right) {
		int width = canvas_width(c, s->right, strlen(s->right));

		if (width + 20 < row.cols)
			canvas_put(c, rect_cut_right(&left, width + 2), 0, 1, STYLE_NOTE, s->right);
	}
	if (!text && s->work) {
		add_work(s, &work);
		text = work.s;
		style = STYLE_DIM;
	}
	if (text && s->message_is_error && left.cols > 3) {
		canvas_put(c, left, 0, 1, STYLE_BAD, "! ");
		canvas_put_fit(c, left, 0, 3, left.cols - 3, ALIGN_LEFT, style, text);
	} else if (text) {
		canvas_put_fit(c, left, 0, 1, left.cols - 1, ALIGN_LEFT, style, text);
	}
	buf_release(&work);
}

static int key_width(const struct canvas *c, const struct status_key *k)
{
	return canvas_width(c, k->key, strlen(k->key)) + 1 + canvas_width(c, k->what, strlen(k->what));
}

static int put_key(struct canvas *c, struct rect row, int col, const struct status_key *k)
{
	col = canvas_put(c, row, 0, col, STYLE_KEY, k->key);
	return canvas_put(c, row, 0, col + 1, STYLE_DIM, k->what);
}

void status_draw_footer(const struct status_lines *s, struct canvas *c, struct rect row)
{
	static const struct status_key help = { "?", "help" };
	int col = 1, last = row.cols - key_width(c, &help) - 1;

	for (int i = 0; i < s->n_keys; i++) {
		int end = col + key_width(c, &s->keys[i]);

		if (end > last - 2)
			break;
		put_key(c, row, col, &s->keys[i]);
		col = end + 2;
	}
	put_key(c, row, col, &help);
}
