/* app_draw - the frame around a view, and what lies above it; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "ui/layout.h"

static void draw_too_small(struct canvas *c)
{
	char text[64];

	snprintf(text, sizeof text, "needs %dx%d, has %dx%d", LAYOUT_MIN_COLS, LAYOUT_MIN_ROWS,
		c->cols, c->rows);
	canvas_put_fit(c, canvas_all(c), 0, 0, c->cols, ALIGN_LEFT, STYLE_TEXT, text);
	canvas_set_cursor(c, canvas_all(c), 0, 0);
}

/* The digit, or what the person opens the view with instead. */
static int put_digit(const struct app *a, struct canvas *c, struct rect row, int col, char digit)
{
	const char were[] = { digit, '\0' };
	struct buf key = BUF_INIT;

	app_add_key(&key, a, were);
	col = canvas_putf(c, row, 0, col, STYLE_KEY, "%s ", key.s);
	buf_release(&key);
	return col;
}

static void draw_tabs(struct app *a, struct canvas *c, struct rect row)
{
	int col = 1;

	if (rect_is_empty(row))
		return;
	for (int i = 0; i < a->n_views && col < row.cols; i++) {
		const struct view_type *t = a->views[i].type;
		struct rect tab = row;
		int from = col;

		if (t->digit)
			col = put_digit(a, c, row, col, t->digit);
		col = canvas_put(
			c, row, 0, col, i == a->current ? STYLE_STRONG : STYLE_DIM, t->title);
		tab.col += from;
		tab.cols = col - from;
		if (i == a->current)
			canvas_set_ground(c, tab, GROUND_SELECT);
		app_spot_add(a, tab, i, NULL);
		col += 2;
	}
}

static void draw_top(struct app *a, struct canvas *c, const struct frame_layout *l)
{
	struct view *v = app_view(a);
	struct buf subject = BUF_INIT;
	struct status_lines s = { .title = a->host.title,
		.writing_refused = a->host.refusal != NULL };
	struct buf now = BUF_INIT;

	app_add_key(&now, a, "F");
	s.now_key = now.s;
	if (v && v->type->subject)
		v->type->subject(v, &subject);
	s.subject = subject.s;
	s.position = a->selection.at_now ? NULL : a->selection.position_text;
	status_draw_title(&s, c, l->title);
	draw_tabs(a, c, l->tabs);
	buf_release(&subject);
	buf_release(&now);
}

static void name_key(void *user, const char *key, struct buf *out)
{
	app_add_key(out, user, key);
}

static void name_fixed_key(void *user, const char *key, struct buf *out)
{
	(void)user;
	buf_adds(out, key);
}

/* Two keys beside each other are not one place to click. */
static void on_key_spot(void *user, const char *key, struct rect at)
{
	if (!strchr(key, ' '))
		app_spot_add(user, at, 0, key);
}

/* What lies above the view has keys of its own, the same for everybody. */
static void set_keys(struct app *a, struct status_lines *s)
{
	static const struct status_key palette[] = {
		{ "Enter", "run it" },
		{ "Tab", "complete" },
		{ "Up Down", "choose" },
		{ "Esc", "close" },
	};
	static const struct status_key help[] = { { "Enter", "run it" }, { "Up Down", "choose" },
		{ "Esc", "close" } };
	static const struct status_key text[] = {
		{ "j k", "line" },
		{ "PgDn", "page" },
		{ "h l", "sideways" },
		{ "W", "wrap" },
		{ "y", "copy" },
		{ "Esc", "close" },
	};
	static const struct status_key dialog[] = { { "Tab", "next field" },
		{ "S-Tab", "previous field" } };
	static const struct {
		const struct status_key *keys;
		int n;
	} layers[] = {
		[APP_PALETTE] = { palette, ARRAY_LEN(palette) },
		[APP_HELP] = { help, ARRAY_LEN(help) },
		[APP_DIALOG] = { dialog, ARRAY_LEN(dialog) },
		[APP_TEXT] = { text, ARRAY_LEN(text) },
	};
	struct view *v = app_view(a);

	s->user = a;
	if (a->layer == APP_VIEW || a->layer == APP_PROMPT) {
		s->key_name = name_key;
		s->key_spot = on_key_spot;
		s->n_keys = v && v->type->keys ? v->type->keys(v, &s->keys) : 0;
		return;
	}
	s->no_help = true;
	s->key_name = name_fixed_key;
	s->keys = layers[a->layer].keys;
	s->n_keys = layers[a->layer].n;
}

static void draw_bottom(struct app *a, struct canvas *c, const struct frame_layout *l)
{
	struct rect message = l->message;
	struct job_progress work;
	struct status_lines s = { .message = a->message, .message_is_error = a->message_is_error };

	if (a->loop && job_longest(a->loop, &work)) {
		s.work = work.name;
		s.work_done = work.done;
		s.work_total = work.total;
		s.work_ns = clock_boot_ns() - work.since_ns;
	}
	set_keys(a, &s);
	message.row -= l->body.rows / 2;
	message.rows += l->body.rows / 2;
	status_draw_message(&s, c, message);
	if (a->layer != APP_PROMPT)
		status_draw_footer(&s, c, l->footer);
}

static void draw_text(struct app *a, struct canvas *c, struct rect r)
{
	struct rect inside = rect_inset(r, 1);

	rect_cut_left(&inside, 1);
	rect_cut_right(&inside, 1);
	canvas_box(c, r, STYLE_FRAME, a->text_title);
	text_view_draw(&a->text, c, inside);
}

/* The prompt's candidates stand right above its line. */
static void draw_prompt(struct app *a, struct canvas *c, const struct frame_layout *l)
{
	struct rect above = l->body,
		    list = rect_cut_bottom(&above, prompt_candidate_rows(&a->prompt));

	canvas_fill(c, list, STYLE_TEXT, 0);
	prompt_draw_candidates(&a->prompt, c, list);
	prompt_draw(&a->prompt, c, l->footer);
}

static void draw_layer(struct app *a, struct canvas *c, const struct frame_layout *l)
{
	switch (a->layer) {
	case APP_VIEW:
		break;
	case APP_PROMPT:
		draw_prompt(a, c, l);
		break;
	case APP_PALETTE:
		palette_draw(&a->palette, c, l->body);
		break;
	case APP_HELP:
		help_draw(&a->help, c, l->body);
		break;
	case APP_DIALOG:
		dialog_draw(&a->dialog, c, l->body);
		break;
	case APP_TEXT:
		draw_text(a, c, l->body);
		break;
	}
}

void app_draw(struct app *a, struct canvas *c)
{
	struct frame_layout l = layout_frame(c->rows, c->cols);
	struct view *v = app_view(a);

	canvas_clear(c);
	a->columns = c->cols;
	a->n_spots = 0;
	if (l.too_small) {
		draw_too_small(c);
		return;
	}
	draw_top(a, c, &l);
	canvas_set_cursor(c, l.body, 0, 0);
	if (v)
		v->type->draw(v, c, l.body);
	draw_layer(a, c, &l);
	draw_bottom(a, c, &l);
}
