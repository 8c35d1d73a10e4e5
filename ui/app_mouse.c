/* app_mouse - clicks and the wheel, when the mouse is on; see app.h. */
#include "config.h"

#include "ui/app_private.h"

#include "command/key.h"
#include "command/keymap.h"

enum { LINES_A_NOTCH = 3 };

void app_spot_add(struct app *a, struct rect at, int view, const char *key)
{
	if (a->n_spots < APP_SPOTS_MAX)
		a->spots[a->n_spots++] = (struct app_spot){ at, view, key };
}

static const struct app_spot *spot_at(const struct app *a, int row, int col)
{
	for (int i = 0; i < a->n_spots; i++) {
		struct rect r = a->spots[i].at;

		if (row >= r.row && row < r.row + r.rows && col >= r.col && col < r.col + r.cols)
			return &a->spots[i];
	}
	return NULL;
}

/* A key of the footer is pressed by its default name: the row of the table counts. */
static void press(struct app *a, const char *were)
{
	const struct operation *o = keymap_operation(NULL, were, app_contexts(a));

	if (o)
		app_operate(a, o, "");
	else
		app_key(a, key_from_name(were));
}

static void click_view(struct app *a, int row, int col)
{
	const struct app_spot *spot = spot_at(a, row, col);
	struct view *v = app_view(a);

	app_clear_message(a);
	if (spot && spot->key)
		press(a, spot->key);
	else if (spot)
		app_go_view(a, spot->view, true);
	else if (v && v->type->click)
		v->type->click(v, row, col);
}

static void click_palette(struct app *a, struct palette *p, int row, int col)
{
	long before = list_selected(&p->list);

	if (list_click(&p->list, row, col) && before == list_selected(&p->list))
		app_key(a, K_ENTER);
}

void app_click(struct app *a, int row, int col)
{
	switch (a->layer) {
	case APP_VIEW:
		click_view(a, row, col);
		break;
	case APP_PALETTE:
		click_palette(a, &a->palette, row, col);
		break;
	case APP_HELP:
		click_palette(a, &a->help.palette, row, col);
		break;
	case APP_DIALOG:
		dialog_click(&a->dialog, row, col);
		break;
	case APP_PROMPT: case APP_TEXT:
		break;
	}
	app_touch(a);
}

/* The pane with the focus, or what lies above the view. */
static void turn(struct app *a, const struct term_event *e)
{
	enum motion motion = e->notch < 0 ? MOTION_UP : MOTION_DOWN;
	struct view *v = app_view(a);

	switch (a->layer) {
	case APP_VIEW:
		if (v && v->type->move)
			v->type->move(v, motion);
		break;
	case APP_PALETTE:
		list_move(&a->palette.list, motion);
		break;
	case APP_HELP:
		list_move(&a->help.palette.list, motion);
		break;
	case APP_TEXT:
		text_view_move(&a->text, motion);
		break;
	case APP_DIALOG:
		dialog_scroll(&a->dialog, e->notch);
		break;
	case APP_PROMPT:
		break;
	}
}

void app_wheel(struct app *a, const struct term_event *e)
{
	for (int i = 0; i < LINES_A_NOTCH; i++)
		turn(a, e);
	app_touch(a);
}
