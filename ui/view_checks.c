/* view_checks - see view_checks.h: rows, keys, panes. */
#include "config.h"

#include "ui/view_checks.h"

#include <stdlib.h>
#include <string.h>

#include "command/screen_operation.h"

enum { NAME_COLS = 16, CELL_COLS = 16 };

static const enum level levels[] = { LEVEL_L0, LEVEL_L2, LEVEL_L3, LEVEL_L4 };

/* ---- rows ------------------------------------------------------------------------------ */

const struct checks_row *checks_selected(const struct checks_view *self)
{
	long row = self->model ? list_selected(&self->list) : -1;

	return row >= 0 && (size_t)row < self->n_rows ? &self->rows[row] : NULL;
}

const struct checks_item *checks_item_of(
	const struct checks_configuration *c, const struct checks_row *row)
{
	for (size_t i = 0; i < c->items_n; i++)
		if (strcmp(c->items[i].check, row->check) == 0)
			return &c->items[i];
	return NULL;
}

static void add_row(struct checks_view *self, enum checks_row_kind kind, enum level level,
	const char *check)
{
	for (size_t i = 0; i < self->n_rows; i++)
		if (self->rows[i].kind == kind && self->rows[i].level == level &&
			strcmp(self->rows[i].check, check) == 0)
			return;		/* of another configuration, too */
	ARRAY_GROW(self->rows, self->n_rows, self->cap_rows);
	self->rows[self->n_rows++] = (struct checks_row){ kind, level, check };
}

static void add_items(struct checks_view *self, enum level level)
{
	const struct checks *checks = &self->model->checks;

	for (size_t i = 0; i < checks->n; i++)
		for (size_t k = 0; k < checks->configurations[i].items_n; k++) {
			const struct checks_item *item = &checks->configurations[i].items[k];

			if (item->item && strcmp(item->item->level, level_name(level)) == 0)
				add_row(self, CHECKS_ITEM, level, item->check);
		}
}

static void add_gaps(struct checks_view *self)
{
	const struct checks *checks = &self->model->checks;

	for (size_t i = 0; i < checks->n; i++)
		for (size_t k = 0; k < checks->configurations[i].gaps_n; k++)
			add_row(self, CHECKS_GAP, LEVEL_UNSET,
				checks->configurations[i].gaps[k].goal);
}

static void make_rows(struct checks_view *self)
{
	self->n_rows = 0;
	if (!self->model || !self->model->checks.n)
		return;
	add_row(self, CHECKS_EXPECTED, LEVEL_UNSET, "");
	add_row(self, CHECKS_CLAIMED, LEVEL_UNSET, "");
	add_row(self, CHECKS_MEASURED, LEVEL_UNSET, "");
	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		add_row(self, CHECKS_LEVEL, levels[i], "");
		add_items(self, levels[i]);
		if (levels[i] == LEVEL_L0)
			add_gaps(self);
	}
}

/* The intended configuration comes first and stays where there is little room. */
static void make_columns(struct checks_view *self)
{
	const struct checks *checks = self->model ? &self->model->checks : NULL;
	size_t n = checks ? checks->n : 0;

	if (n > CHECKS_COLUMNS_MAX)
		n = CHECKS_COLUMNS_MAX;
	self->columns[0] = (struct list_column){ .title = "question", .min = NAME_COLS };
	for (size_t i = 0; i < n; i++)
		self->columns[1 + i] = (struct list_column){
			.title = checks->configurations[i].name,
			.min = CELL_COLS, .weight = 1, .drop = (int)i };
	self->source.n_columns = 1 + (int)n;
}

static long count(void *user)
{
	const struct checks_view *self = user;

	return self->model ? (long)self->n_rows : 0;
}

static void key_of(void *user, long row, struct buf *out)
{
	const struct checks_view *self = user;
	const struct checks_row *r = &self->rows[row];

	buf_addf(out, "%d %d %s", (int)r->kind, (int)r->level, r->check);
}

void checks_arrived(struct view *v)
{
	struct checks_view *self = view_state(v);

	make_rows(self);
	make_columns(self);
	list_reload(&self->list);
	checks_make_lines(self);
	app_touch(v->app);
}

/* ---- life ------------------------------------------------------------------------------ */

static void open_view(struct view *v)
{
	struct checks_view *self = view_state(v);

	self->view = v;
	self->source = (struct list_source){
		.columns = self->columns,
		.count = count,
		.cell = checks_cell,
		.key = key_of,
		.empty = "nothing to check yet: portside run starts a run, and --probe makes the "
			 "evidence that L2 asks for",
	};
	make_columns(self);
	list_init(&self->list, &self->source, self);
	paragraphs_init(&self->details);
}

static void close_view(struct view *v)
{
	struct checks_view *self = view_state(v);

	checks_forget(self);
	list_release(&self->list);
	paragraphs_release(&self->details);
	free(self->rows);
	free(self->trouble);
}

static enum view_rows rows(const struct view *v)
{
	const struct checks_view *self = view_state(v);

	return self->model ? ROWS_THERE : self->trouble ? ROWS_FAILED : ROWS_AWAITED;
}

/* ---- keys ------------------------------------------------------------------------------- */

static bool move(struct view *v, enum motion motion)
{
	struct checks_view *self = view_state(v);

	if (self->pane == CHECKS_DETAIL)
		return text_view_move(&self->details.text, motion);
	if (!list_move(&self->list, motion))
		return false;
	paragraphs_go_first(&self->details);
	checks_make_lines(self);
	return true;
}

static bool operate(struct view *v, const struct operation *o)
{
	struct checks_view *self = view_state(v);

	switch (o->screen) {
	case SCREEN_OPEN:
		self->pane = CHECKS_DETAIL;
		return true;
	case SCREEN_NEXT_PANE:
	case SCREEN_PREVIOUS_PANE:
		self->pane = self->pane == CHECKS_LIST ? CHECKS_DETAIL : CHECKS_LIST;
		return true;
	case SCREEN_ZOOM:
		v->app->zoomed = !v->app->zoomed;
		return true;
	case SCREEN_CHECK_STATE:
		checks_open_statement(v);
		return true;
	case SCREEN_CHECK_SIGN:
		checks_open_signoff(v);
		return true;
	default:
		return false;
	}
}

static bool back(struct view *v)
{
	struct checks_view *self = view_state(v);

	if (self->pane == CHECKS_LIST)
		return false;
	self->pane = CHECKS_LIST;
	return true;
}

static bool click(struct view *v, int row, int col)
{
	struct checks_view *self = view_state(v);

	if (!list_click(&self->list, row, col))
		return false;
	paragraphs_go_first(&self->details);
	checks_make_lines(self);
	return true;
}

static void search(struct view *v, const char *text)
{
	struct checks_view *self = view_state(v);

	if (self->pane == CHECKS_DETAIL)
		text_view_set_search(&self->details.text, text);
	else
		list_set_search(&self->list, text);
}

static bool search_next(struct view *v, int direction)
{
	struct checks_view *self = view_state(v);
	bool found;

	if (self->pane == CHECKS_DETAIL)
		return text_view_search(&self->details.text, direction, 0);
	found = list_search(&self->list, direction);
	checks_make_lines(self);
	return found;
}

/* ---- around it --------------------------------------------------------------------------- */

static void subject(struct view *v, struct buf *out)
{
	const struct checks_view *self = view_state(v);
	const struct checks *checks = self->model ? &self->model->checks : NULL;

	if (!checks || !checks->n)
		return;
	buf_addf(out, "attempt %s", checks->attempt);
	if (checks->n)
		buf_addf(out, ": %s on %s", checks->configurations[0].measured,
			checks->configurations[0].name);
}

static bool copy(struct view *v, struct buf *out)
{
	const struct checks_view *self = view_state(v);

	return paragraphs_add_all(out, &self->details);
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key list[] = {
		{ "Enter", "evidence" },
		{ "t", "state" },
		{ "o", "sign off" },
		{ ", .", "attempt" },
		{ "z", "zoom" },
		{ "/", "search" },
	};

	(void)v;
	*out = list;
	return ARRAY_LEN(list);
}

const struct view_type checks_view = {
	.name = "checks",
	.digit = '5',
	.title = "checks",
	.answers = "what is proven, on which configuration?",
	.legend =
		"+ confirmed  ! REFUTED  ? unknown: looked at, cannot be told  . not checked: nobody "
		"looked  / not applicable. (now): not on record, the evidence here says so. *: it says "
		"something else than the record. !=: a person and a tool disagree. optional: not "
		"required. = comparable, x not, ? not known. A configuration's verdict is never one of another.",
	.contexts = CONTEXT_LIST | CONTEXT_CHECKS,
	.reload_on = CHANGED_ATTEMPT | CHANGED_POSITION | CHANGED_LOG | CHANGED_FILES,
	.size = sizeof(struct checks_view),
	.open = open_view,
	.close = close_view,
	.load = checks_read,
	.leave = checks_stop_reading,
	.draw = checks_draw,
	.rows = rows,
	.move = move,
	.operate = operate,
	.click = click,
	.back = back,
	.search = search,
	.search_next = search_next,
	.subject = subject,
	.copy = copy,
	.keys = keys,
};
