/* view_triage - see view_triage.h: keys, panes, going from finding to finding. */
#include "config.h"

#include "ui/view_triage.h"

#include <stdlib.h>
#include <string.h>

#include "command/screen_operation.h"
#include "ui/people_private.h"

/* ---- what is shown --------------------------------------------------------------- */

const struct triage_run *triage_run(const struct triage_view *self)
{
	const struct triage_subject *s = self->model ? &self->model->subject : NULL;

	return s && s->chosen >= 0 ? &s->runs[s->chosen] : NULL;
}

bool triage_is_hidden(const struct triage_view *self)
{
	return self->view->app->blind && self->model && !self->model->subject.own;
}

const struct finding *triage_row(const struct triage_view *self, long row)
{
	return &self->found->list[self->shown[row]];
}

/* Lines of reports that came to nothing are in no list. */
static void choose_rows(struct triage_view *self)
{
	const struct triage_findings *f = self->found;

	free(self->shown);
	self->shown = xcalloc((f ? f->n : 0) + 1, sizeof *self->shown);
	self->n_shown = self->n_counted = 0;
	for (size_t i = 0; f && i < f->n; i++) {
		if (f->list[i].reading == FINDING_COUNTED)
			self->n_counted++;
		else
			self->shown[self->n_shown++] = (long)i;
	}
}

static long row_of(const struct triage_view *self, long finding)
{
	for (size_t i = 0; i < self->n_shown; i++)
		if (self->shown[i] == finding)
			return (long)i;
	return -1;
}

static void go_to_row(struct triage_view *self, long row)
{
	if (row < 0 || triage_is_hidden(self))
		return;
	self->has_gone = true;
	list_select(&self->list, row);
	log_pane_go_amid(&self->log, triage_row(self, row)->place);
}

/* To the first error as soon as it is known, unless somebody reads elsewhere. */
static void go_to_first(struct triage_view *self)
{
	long first = self->found ? triage_findings_first(self->found) : -1;

	if (!self->has_gone && first >= 0)
		go_to_row(self, row_of(self, first));
}

void triage_findings_arrived(struct view *v)
{
	struct triage_view *self = view_state(v);

	choose_rows(self);
	list_reload(&self->list);
	triage_make_lines(self);
	log_pane_mark(&self->log);
	go_to_first(self);
	app_touch(v->app);
}

void triage_model_arrived(struct view *v)
{
	struct triage_view *self = view_state(v);

	triage_make_lines(self);
	log_pane_mark(&self->log);
	go_to_first(self);
	app_touch(v->app);
}

/* ---- life ------------------------------------------------------------------------ */

static void open_view(struct view *v)
{
	struct triage_view *self = view_state(v);

	self->view = v;
	self->path = xstrdup("");
	self->run = xstrdup("");
	self->silent_run = xstrdup("");
	choose_rows(self);
	list_init(&self->list, &triage_list_source, self);
	paragraphs_init(&self->lines);
	log_pane_init(&self->log, v->app);
	self->log.clean = true;
	self->log.mark = triage_mark_log;
	self->log.mark_user = self;
}

static void close_view(struct view *v)
{
	struct triage_view *self = view_state(v);

	triage_forget(self);
	log_pane_release(&self->log);
	list_release(&self->list);
	paragraphs_release(&self->lines);
	free(self->shown);
	free(self->trouble);
	free(self->path);
	free(self->run);
	free(self->silent_run);
}

static void changed(struct view *v, unsigned what)
{
	struct triage_view *self = view_state(v);

	/* A run that was chosen here is one of another attempt now. */
	if (what & (CHANGED_ATTEMPT | CHANGED_RUN))
		*self->run = '\0';
}

static enum view_rows rows(const struct view *v)
{
	const struct triage_view *self = view_state(v);

	return self->model ? ROWS_THERE : self->trouble ? ROWS_FAILED : ROWS_AWAITED;
}

/* ---- moving ---------------------------------------------------------------------- */

static bool move(struct view *v, enum motion motion)
{
	struct triage_view *self = view_state(v);

	self->has_gone = true;
	if (self->pane == TRIAGE_VERDICT)
		return text_view_move(&self->lines.text, motion);
	if (self->pane == TRIAGE_LOG)
		return log_pane_move(&self->log, motion);
	if (triage_is_hidden(self) || !list_move(&self->list, motion))
		return false;
	if (motion != MOTION_LEFT && motion != MOTION_RIGHT)
		go_to_row(self, list_selected(&self->list));
	return true;
}

/* The next finding from where the log stands; -1: there is none. */
static long next_row(const struct triage_view *self, int direction)
{
	int64_t at = log_pane_place(&self->log), goal = self->log.goal;
	long selected = list_selected(&self->list);

	/* The window with the one that was asked for last may still be on its way. */
	if (selected >= 0 && goal == triage_row(self, selected)->place)
		return direction > 0 && (size_t)selected + 1 < self->n_shown ? selected + 1
			: direction < 0						    ? selected - 1
										    : -1;
	if (direction > 0) {
		for (size_t i = 0; i < self->n_shown; i++)
			if (triage_row(self, (long)i)->place > at)
				return (long)i;
		return -1;
	}
	for (size_t i = self->n_shown; i-- > 0;)
		if (triage_row(self, (long)i)->place < at)
			return (long)i;
	return -1;
}

static void step(struct triage_view *self, int direction)
{
	struct app *a = self->view->app;
	long row;

	if (triage_is_hidden(self)) {
		log_pane_next_error(&self->log, direction);
		return;
	}
	if (!self->n_shown) {
		app_say(a, self->found && self->found->complete ? "nothing was found in this log" :
								  "nothing was found so far");
		return;
	}
	row = next_row(self, direction);
	if (row >= 0)
		go_to_row(self, row);
	else
		app_say(a, direction < 0		     ? "this is the first finding" :
			self->found && !self->found->complete ? "this is the last finding so far" :
								"this is the last finding");
}

static void next_run(struct view *v)
{
	struct triage_view *self = view_state(v);
	const struct triage_subject *s = self->model ? &self->model->subject : NULL;

	if (!s || s->n < 2) {
		app_say(v->app, s && s->n ? "this is its only run" : "it has no run");
		return;
	}
	free(self->run);
	self->run = xstrdup(s->runs[((size_t)s->chosen + 1) % s->n].id);
	triage_load(v);
}

/* ---- keys ------------------------------------------------------------------------ */

static void toggle_blind(struct view *v)
{
	struct app *a = v->app;

	a->blind = !a->blind;
	app_say_keys(a, a->blind ?
		"blind: labels and proposals are hidden until you have labelled an attempt: {C}" :
		"not blind any more: that you see the labels is on record");
	app_changed(a, CHANGED_ATTEMPT);
}

static void open_selected(struct view *v)
{
	struct triage_view *self = view_state(v);

	if (self->pane == TRIAGE_LOG)
		triage_read_place(v, log_pane_place(&self->log));
	else if (self->pane == TRIAGE_FINDINGS && self->n_shown && !triage_is_hidden(self))
		go_to_row(self, list_selected(&self->list));
	if (self->pane != TRIAGE_LOG)
		self->pane = TRIAGE_LOG;
}

void triage_place_arrived(struct view *v, const struct triage_place *p)
{
	struct app *a = v->app;

	if (!p->touched) {
		app_say(a, "%s", p->sentence);
		return;
	}
	app_select_place(a, p->path, p->line, p->since_original);
	if (app_show_view(a, "diff") < 0)
		app_complain(a, "the diff cannot be shown");
	else
		app_say(a, "%s", p->sentence);
}

static void on_report(void *user, struct app *a, const char *text)
{
	struct view *v = user;
	const struct triage_run *run = triage_run(view_state(v));
	const char *const options[] = { "--bug-report", text, NULL };
	const char *const positionals[] = { run ? run->id : "", NULL };

	if (!*text || !run)
		return;
	people_submit(a, "triage", options, positionals);
}

static void ask_report(struct view *v)
{
	const struct triage_run *run = triage_run(view_state(v));

	if (triage_is_hidden(view_state(v)))
		app_say(v->app, "a report tells what was found: label the attempt first");
	else if (!run || !*run->path)
		app_say(v->app, "there is no log here that a report could be of");
	else
		app_open_ask(v->app, "bug report to: ", "bug-report.md", on_report, v);
}

/* Nothing is filled in from the proposal, which stands below the fields. */
static void open_label(struct view *v)
{
	struct triage_view *self = view_state(v);
	struct arena a = ARENA_INIT;
	struct people_subject about = { .attempt = self->model ? self->model->subject.attempt : "" };

	if (self->found && self->found->complete)
		about.beside = arena_printf(&a, "proposed, not filled in: %s", self->found->text);
	people_open(v->app, SCREEN_LABEL, &about);
	arena_release(&a);
}

static bool operate(struct view *v, const struct operation *o)
{
	struct triage_view *self = view_state(v);

	switch (o->screen) {
	case SCREEN_LABEL:
		open_label(v);
		return true;
	case SCREEN_OPEN:
		open_selected(v);
		return true;
	case SCREEN_NEXT_PANE:
		self->pane = (enum triage_pane)((self->pane + 1) % TRIAGE_PANES);
		return true;
	case SCREEN_PREVIOUS_PANE:
		self->pane = (enum triage_pane)((self->pane + TRIAGE_PANES - 1) % TRIAGE_PANES);
		return true;
	case SCREEN_ZOOM:
		v->app->zoomed = !v->app->zoomed;
		return true;
	case SCREEN_WRAP:
		log_pane_wrap(&self->log);
		return true;
	case SCREEN_NEXT_SIGNATURE:
		step(self, 1);
		return true;
	case SCREEN_PREVIOUS_SIGNATURE:
		step(self, -1);
		return true;
	case SCREEN_TRIAGE_RUN:
		next_run(v);
		return true;
	case SCREEN_TRIAGE_REPORT:
		ask_report(v);
		return true;
	case SCREEN_TRIAGE_BLIND:
		toggle_blind(v);
		return true;
	default:
		return false;
	}
}

static bool back(struct view *v)
{
	struct triage_view *self = view_state(v);

	if (self->pane == TRIAGE_LOG)
		return false;
	self->pane = TRIAGE_LOG;
	return true;
}

static bool click(struct view *v, int row, int col)
{
	struct triage_view *self = view_state(v);

	if (triage_is_hidden(self) || !list_click(&self->list, row, col))
		return false;
	go_to_row(self, list_selected(&self->list));
	return true;
}

/* ---- searching ------------------------------------------------------------------- */

static void search(struct view *v, const char *text)
{
	struct triage_view *self = view_state(v);

	self->has_gone = true;
	if (self->pane == TRIAGE_VERDICT)
		text_view_set_search(&self->lines.text, text);
	else
		log_pane_set_search(&self->log, text);
}

/* Without a search n and N go from finding to finding. */
static bool search_next(struct view *v, int direction)
{
	struct triage_view *self = view_state(v);

	if (self->pane == TRIAGE_VERDICT && self->lines.text.search)
		return text_view_search(&self->lines.text, direction, 0);
	if (self->log.search)
		return log_pane_search(&self->log, direction);
	step(self, direction);
	return true;
}

/* ---- around it ------------------------------------------------------------------- */

static void subject(struct view *v, struct buf *out)
{
	const struct triage_view *self = view_state(v);
	const struct triage_subject *s = self->model ? &self->model->subject : NULL;

	if (!s || !s->state)
		return;
	buf_addf(out, "attempt %s: %s", s->attempt, s->subject);
	if (v->app->blind)
		buf_adds(out, " (blind)");
}

static bool copy(struct view *v, struct buf *out)
{
	const struct triage_view *self = view_state(v);
	const struct paragraph *current = paragraphs_current(&self->lines);

	if (self->pane == TRIAGE_VERDICT && current) {
		buf_adds(out, current->text);
		return true;
	}
	if (self->pane == TRIAGE_FINDINGS && self->n_shown && !triage_is_hidden(self)) {
		buf_adds(out, triage_row(self, list_selected(&self->list))->text);
		return true;
	}
	return log_pane_copy(&self->log, out);
}

static bool file(struct view *v, struct buf *path, long *line)
{
	const struct triage_view *self = view_state(v);
	long row = list_selected(&self->list);

	buf_adds(path, self->path);
	*line = row >= 0 && self->n_shown && !triage_is_hidden(self) ?
		(long)triage_row(self, row)->line : 1;
	return *self->path != '\0';
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key list[] = {
		{ "n N", "finding" },
		{ "Enter", "its diff" },
		{ "C", "label" },
		{ "Tab", "pane" },
		{ "r", "other run" },
		{ "w", "bug report" },
	};
	static const struct status_key blind[] = {
		{ "C", "label" },
		{ "J K", "next error" },
		{ "b", "end blind" },
		{ "r", "other run" },
	};

	*out = triage_is_hidden(view_state(v)) ? blind : list;
	return triage_is_hidden(view_state(v)) ? (int)ARRAY_LEN(blind) : (int)ARRAY_LEN(list);
}

const struct view_type triage_view = {
	.name = "triage",
	.digit = '6',
	.title = "triage",
	.answers = "why did it fail?",
	.legend =
		"! decides: the cause is proposed because of it  + secondary: an error, but not the "
		"first  . noted: decides nothing  ? look-alike: reads like an error and is none here  "
		"> wrapper: wraps the error that tells  ~ noise: follows from another failure. C0 not "
		"shown, C1 environment, C2 device, C3 library, C4 lazy tensors, C5 operators, C6 memory.",
	.contexts = CONTEXT_LIST | CONTEXT_TRIAGE,
	.reload_on = CHANGED_ATTEMPT | CHANGED_RUN | CHANGED_POSITION | CHANGED_LOG,
	.size = sizeof(struct triage_view),
	.open = open_view,
	.close = close_view,
	.load = triage_load,
	.leave = triage_stop_reading,
	.changed = changed,
	.draw = triage_draw,
	.rows = rows,
	.move = move,
	.operate = operate,
	.click = click,
	.back = back,
	.search = search,
	.search_next = search_next,
	.subject = subject,
	.copy = copy,
	.file = file,
	.keys = keys,
};
