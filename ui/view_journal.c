/* view_journal - view 7: what people and agents put on record, and writing more of it. */
#include "config.h"

#include "ui/view_journal.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/text.h"
#include "command/config_facts.h"
#include "command/operation.h"
#include "command/screen_operation.h"
#include "ui/app.h"
#include "ui/layout.h"
#include "ui/people.h"
#include "ui/view.h"

enum { LINES_AT_FIRST = 1000, DETAIL_ROWS = 8 };
enum column { COLUMN_SIGN, COLUMN_TIME, COLUMN_WHO, COLUMN_ABOUT, COLUMN_WHAT, COLUMN_WORDS };

static const struct list_column columns[] = {
	{ "", 1, 0, 0, false },
	{ "time", 12, 0, 3, false },
	{ "who", 13, 0, 2, false },
	{ "about", 8, 0, 1, false },
	{ "what", 28, 1, 0, false },
	{ "words", 10, 1, 4, false },
};

static enum view_rows rows(const struct view *v)
{
	const struct journal_view *self = view_state(v);

	return self->model ? ROWS_THERE : self->trouble ? ROWS_FAILED : ROWS_AWAITED;
}

/* ---- the list --------------------------------------------------------------------- */

static const struct journal_line *line_at(const struct journal_view *self, long row)
{
	return &self->model->journal.lines[row];
}

const struct journal_line *journal_view_line(const struct journal_view *self)
{
	long row = list_selected(&self->list);

	return self->model && row >= 0 ? line_at(self, row) : NULL;
}

bool journal_view_is_open(const struct journal_view *self, const struct journal_line *l)
{
	for (size_t i = 0; *l->alarm && i < self->model->n_alarms_open; i++)
		if (strcmp(self->model->alarms_open[i], l->alarm) == 0)
			return true;
	return false;
}

static long count(void *user)
{
	const struct journal_view *self = user;

	return self->model ? (long)self->model->journal.n : 0;
}

static void add_about(struct buf *out, const struct journal_line *l)
{
	if (*l->attempt)
		buf_addf(out, strcmp(l->attempt, "reference") == 0 ? "%s" : "#%s", l->attempt);
	else if (text_starts(l->kind, "run.") || text_starts(l->kind, "goal."))
		buf_addf(out, "%.10s", l->object);
	else if (*l->alarm && strcmp(l->kind, "alarm.raised") != 0)
		buf_adds(out, *l->alarm_words ? l->alarm_words : "alarm");
}

static void add_cell(const struct journal_view *self, const struct journal_line *l,
	enum column column, struct buf *out)
{
	int64_t when;

	switch (column) {
	case COLUMN_SIGN:
		buf_addc(out,
			*l->struck ? '~'
				: l->late ||
					(strcmp(l->kind, "alarm.raised") == 0 &&
						journal_view_is_open(self, l))
				? '!'
				: ' ');
		break;
	case COLUMN_TIME:
		if (clock_from_iso(&when, l->time))
			clock_add_short(out, when, clock_wall_ns());
		break;
	case COLUMN_WHO:
		buf_adds(out, text_starts(l->who, "human:") ? l->who + strlen("human:") : l->who);
		break;
	case COLUMN_ABOUT:
		add_about(out, l);
		break;
	case COLUMN_WHAT:
		buf_adds(out, l->headline);
		break;
	case COLUMN_WORDS:
		if (!strstr(l->headline, l->text))
			buf_addf(out, "%.200s", l->text);
		break;
	}
}

/* Struck words stay in their place, with a stroke through them. */
static void cell(void *user, long row, int column, struct list_cell *out)
{
	const struct journal_view *self = user;
	const struct journal_line *l = line_at(self, row);
	struct buf plain = BUF_INIT;

	add_cell(self, l, (enum column)column, &plain);
	for (size_t i = 0; i < plain.n; i++)
		if (plain.s[i] == '\n')
			plain.s[i] = ' ';
	if (*l->struck && column >= COLUMN_WHAT && plain.n)
		journal_view_add_struck(out->text, plain.s, self->ascii);
	else
		buf_add(out->text, plain.s, plain.n);
	if (*l->struck)
		out->style = STYLE_DIM;
	else if (strcmp(l->kind, "alarm.raised") == 0)
		out->style = journal_view_is_open(self, l) ? STYLE_ALARM : STYLE_WARN;
	else if (l->late)
		out->style = STYLE_WARN;
	else if (text_starts(l->who, "human:") && column == COLUMN_WHAT)
		out->style = STYLE_STRONG;
	buf_release(&plain);
}

static void key_of(void *user, long row, struct buf *out)
{
	buf_adds(out, line_at(user, row)->event);
}

static bool passes(void *user, long row, const char *text)
{
	const struct journal_view *self = user;

	(void)text;
	return journal_view_passes(self, line_at(self, row));
}

static const struct list_source source = {
	.columns = columns,
	.n_columns = ARRAY_LEN(columns),
	.count = count,
	.cell = cell,
	.key = key_of,
	.passes = passes,
	.empty = "nothing on record yet: notes, interventions and decisions will stand here",
};

/* The list only asks PASSES when there is some text. */
static void apply_filters(struct journal_view *self)
{
	struct buf b = BUF_INIT;

	journal_view_add_filter(&b, self);
	list_set_filter(&self->list, b.s);
	self->detail_top = 0;
	buf_release(&b);
}

/* ---- life ---------------------------------------------------------------------------- */

static void open_view(struct view *v)
{
	struct journal_view *self = view_state(v);

	self->limit = LINES_AT_FIRST;
	self->text = xstrdup("");
	list_init(&self->list, &source, self);
	self->list.tells_filter = true;		/* in the title */
	apply_filters(self);
}

static void close_view(struct view *v)
{
	struct journal_view *self = view_state(v);

	job_cancel(&self->job);
	list_release(&self->list);
	journal_model_free(self->model);
	free(self->trouble);
	free(self->text);
	free(self->attempt);
}

static void changed(struct view *v, unsigned what)
{
	struct journal_view *self = view_state(v);

	if (!(what & CHANGED_ATTEMPT) || !self->attempt)
		return;
	free(self->attempt);
	self->attempt = xstrdup(v->app->selection.attempt);
	apply_filters(self);
}

/* ---- drawing -------------------------------------------------------------------------- */

static void draw_list(struct journal_view *self, struct canvas *c, struct rect r)
{
	if (self->model && *self->model->config)
		status_draw_banner(c, &r, self->model->config);
	if (self->trouble)
		canvas_put_wrapped(c, r, 0, STYLE_BAD, self->trouble);
	else if (!self->model)
		canvas_put(c, r, 0, 0, STYLE_DIM, "reading the journal ...");
	else
		list_draw(&self->list, c, r);
}

static void draw(struct view *v, struct canvas *c, struct rect r)
{
	struct journal_view *self = view_state(v);
	struct split_layout l = layout_split(r, r.rows * 3 / 5);
	int row, col;

	self->ascii = c->ascii;
	if (self->blind != v->app->blind) {
		self->blind = v->app->blind;
		list_reload(&self->list);
	}
	if (v->app->zoomed) {
		l.main = self->in_detail ? (struct rect){ 0 } : r;
		l.detail = self->in_detail ? r : (struct rect){ 0 };
		l.rule = (struct rect){ 0 };
	}
	if (l.side_by_side)
		canvas_column_rule(c, l.rule, 0, STYLE_FRAME);
	else if (!rect_is_empty(l.rule))
		canvas_rule(c, l.rule, 0, STYLE_FRAME);
	if (!rect_is_empty(l.main))
		draw_list(self, c, l.main);
	row = c->cursor_row;
	col = c->cursor_col;
	if (!rect_is_empty(l.detail))
		journal_view_draw_detail(self, c, l.detail);
	if (!self->in_detail && !rect_is_empty(l.main)) {
		c->cursor_row = row;
		c->cursor_col = col;
	}
}

/* ---- keys ------------------------------------------------------------------------------ */

static void want_more(struct view *v)
{
	struct journal_view *self = view_state(v);
	long last = self->list.n_shown - 1;

	if (!self->model || !self->model->journal.more || self->list.selected < last)
		return;
	self->limit *= 4;
	journal_view_load(v);
	app_say(v->app, "reading older lines ...");
}

static bool move(struct view *v, enum motion motion)
{
	struct journal_view *self = view_state(v);
	bool moved;

	if (self->in_detail) {
		self->detail_top =
			(int)motion_apply(motion, self->detail_top, self->detail_rows, DETAIL_ROWS);
		return true;
	}
	moved = list_move(&self->list, motion);
	self->detail_top = 0;
	want_more(v);
	return moved;
}

/* Where the object of a line is looked at. */
static const struct { const char *kind, *view; } places[] = {
	{ "run.", "runs" }, { "goal.", "curves" }, { "", "attempts" },
};

static void go_to_object(struct view *v, const struct journal_line *l)
{
	struct journal_view *self = view_state(v);
	const char *place = "attempts";

	if (strcmp(l->kind, "event.superseded") == 0) {
		if (!list_select_key(&self->list, l->object))
			app_say(v->app, "the struck line is not in sight: Esc clears the filters");
		return;
	}
	if (journal_view_is_open(self, l) && v->app->selection.at_now) {
		decision_open(v->app, l->alarm);
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (text_starts(l->kind, places[i].kind)) {
			place = places[i].view;
			break;
		}
	if (*l->attempt)
		app_select_attempt(v->app, l->attempt);
	if (text_starts(l->kind, "run."))
		app_select_run(v->app, l->object);
	if (strcmp(l->kind, "goal.set") == 0)
		app_select_goal(v->app, l->object);
	if (app_show_view(v->app, place) < 0)
		app_complain(v->app, "%s", err_text());
}

static void go_to_time(struct view *v, const struct journal_line *l)
{
	struct buf b = BUF_INIT;
	int64_t when;

	buf_addf(&b, "event %lld", (long long)l->place);
	if (clock_from_iso(&when, l->time)) {
		buf_adds(&b, ", ");
		clock_add_short(&b, when, clock_wall_ns());
	}
	app_select_position(v->app, &l->position, b.s);
	buf_release(&b);
}

static void next_filter(struct view *v, int *which, int n)
{
	struct journal_view *self = view_state(v);
	struct buf b = BUF_INIT;

	*which = (*which + 1) % n;
	apply_filters(self);
	journal_view_add_filter(&b, self);
	app_say(v->app, "%s", b.s);
	buf_release(&b);
}

static void toggle_attempt(struct view *v)
{
	struct journal_view *self = view_state(v);
	const struct journal_line *l = journal_view_line(self);
	const char *attempt = l && *l->attempt ? l->attempt : v->app->selection.attempt;
	bool was = self->attempt != NULL;

	free(self->attempt);
	self->attempt = was || !*attempt ? NULL : xstrdup(attempt);
	apply_filters(self);
	if (self->attempt)
		app_say(v->app, "only attempt %s", self->attempt);
	else
		app_say(v->app, was ? "all attempts" : "no attempt is selected");
}

static bool operate(struct view *v, const struct operation *o)
{
	struct journal_view *self = view_state(v);
	const struct journal_line *l = journal_view_line(self);
	struct people_subject about = {
		.attempt = l && *l->attempt ? l->attempt : v->app->selection.attempt,
		.alarm = l ? l->alarm : "", .event = l ? l->event : "",
	};

	switch (o->screen) {
	case SCREEN_OPEN:
		if (l)
			go_to_object(v, l);
		return true;
	case SCREEN_GO_TO_TIME:
		if (l)
			go_to_time(v, l);
		return true;
	case SCREEN_JOURNAL_KIND:
		next_filter(v, &self->kind, journal_view_kinds());
		return true;
	case SCREEN_JOURNAL_WHO:
		next_filter(v, &self->who, journal_view_whos());
		return true;
	case SCREEN_JOURNAL_ATTEMPT:
		toggle_attempt(v);
		return true;
	case SCREEN_NEXT_PANE: case SCREEN_PREVIOUS_PANE:
		self->in_detail = !self->in_detail;
		return true;
	case SCREEN_ZOOM:
		return false;
	case SCREEN_MARK:
		list_toggle_mark(&self->list);
		return true;
	case SCREEN_DECIDE: /* an alarm that was decided is not decided by chance again */
		if (l && *l->alarm && !journal_view_is_open(self, l))
			about.alarm = "";
		break;
	default:
		break;
	}
	return people_open(v->app, o->screen, &about);
}

static bool back(struct view *v)
{
	struct journal_view *self = view_state(v);

	if (self->in_detail) {
		self->in_detail = false;
		return true;
	}
	if (!*self->text && !self->kind && !self->who && !self->attempt)
		return false;
	free(self->attempt);
	self->attempt = NULL;
	self->kind = self->who = 0;
	*self->text = '\0';
	apply_filters(self);
	return true;
}

static bool click(struct view *v, int row, int col)
{
	struct journal_view *self = view_state(v);
	bool taken = list_click(&self->list, row, col);

	if (taken) {
		self->in_detail = false;
		self->detail_top = 0;
	}
	return taken;
}

static void search(struct view *v, const char *text)
{
	struct journal_view *self = view_state(v);

	list_set_search(&self->list, text);
}

static bool search_next(struct view *v, int direction)
{
	struct journal_view *self = view_state(v);

	self->detail_top = 0;
	return list_search(&self->list, direction);
}

static void filter(struct view *v, const char *text)
{
	struct journal_view *self = view_state(v);

	free(self->text);
	self->text = xstrdup(text);
	apply_filters(self);
}

static void subject(struct view *v, struct buf *out)
{
	struct journal_view *self = view_state(v);

	buf_addf(
		out, "journal: %ld line%s", self->list.n_shown, self->list.n_shown == 1 ? "" : "s");
	if (self->model && self->model->journal.more)
		buf_adds(out, " of the newest");
	buf_adds(out, ", ");
	journal_view_add_filter(out, self);
}

static bool copy(struct view *v, struct buf *out)
{
	struct journal_view *self = view_state(v);
	const struct journal_line *l = journal_view_line(self);

	if (l)
		journal_view_add_detail(out, self, l);
	return l != NULL;
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key list[] = {
		{ "Enter", "open" },
		{ "i", "intervention" },
		{ "d", "decide" },
		{ "n", "note" },
		{ "u", "strike" },
		{ "f", "kind" },
	};

	(void)v;
	*out = list;
	return ARRAY_LEN(list);
}

const struct view_type journal_view = {
	.name = "journal",
	.digit = '7',
	.title = "journal",
	.answers = "what did people do and decide?",
	.contexts = CONTEXT_JOURNAL | CONTEXT_LIST,
	.reload_on = CHANGED_LOG | CHANGED_POSITION | CHANGED_FILES,
	.size = sizeof(struct journal_view),
	.open = open_view,
	.close = close_view,
	.load = journal_view_load,
	.changed = changed,
	.draw = draw,
	.rows = rows,
	.move = move,
	.operate = operate,
	.click = click,
	.back = back,
	.search = search,
	.search_next = search_next,
	.filter = filter,
	.subject = subject,
	.copy = copy,
	.keys = keys,
};
