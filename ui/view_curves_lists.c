/* view_curves_lists - the series and the runs that can be chosen; see
 * view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- taking over ------------------------------------------------------------------ */

/* Where nobody moves about, the list stands on what is drawn. */
static void select_shown(struct curves_view *self)
{
	if (self->pane != PANE_METRICS && !self->overview)
		list_select_key(&self->metrics, self->metric_shown);
	for (size_t i = 0; i < self->n_runs; i++)
		if (self->pane != PANE_RUNS && self->run_rows[i].letter == 'A')
			list_select_key(&self->runs, self->run_rows[i].run);
}

static void copy_names(struct curves_view *self, const struct curve_scene *s)
{
	self->metric_names =
		arena_alloc(&self->names, (s->n_names + 1) * sizeof *self->metric_names);
	for (self->n_metrics = 0; self->n_metrics < s->n_names; self->n_metrics++) {
		const struct curve_name *from = &s->names[self->n_metrics];

		self->metric_names[self->n_metrics] = (struct curve_name){
			.name = arena_strdup(&self->names, from->name),
			.group = arena_strdup(&self->names, from->group),
			.only = arena_strdup(&self->names, from->only),
		};
	}
}

static void copy_rows(struct curves_view *self, const struct curve_scene *s)
{
	self->run_rows = arena_alloc(&self->names, (s->n_rows + 1) * sizeof *self->run_rows);
	for (self->n_runs = 0; self->n_runs < s->n_rows; self->n_runs++) {
		const struct curve_row *row = &s->rows[self->n_runs];

		self->run_rows[self->n_runs] = (struct curves_run){
			.run = arena_strdup(&self->names, row->run),
			.name = arena_strdup(&self->names, row->name),
			.state = arena_strdup(&self->names, row->state),
			.attempt = arena_strdup(&self->names, row->attempt),
			.letter = row->letter,
			.live = row->live,
		};
	}
}

void curves_lists_take(struct curves_view *self)
{
	const struct curve_scene *s = self->scene;

	arena_release(&self->names);
	self->n_metrics = self->n_runs = 0;
	self->metric_shown = "";
	if (s->pair) {
		copy_names(self, s);
		self->metric_shown = arena_strdup(&self->names, s->pair->metric);
	}
	copy_rows(self, s);
	list_reload(&self->metrics);
	list_reload(&self->runs);
	select_shown(self);
}

/* ---- series ----------------------------------------------------------------------------- */

static long count_metrics(void *user)
{
	struct curves_view *self = view_state(user);

	return (long)self->n_metrics;
}

static void put_metric(void *user, long row, int column, struct list_cell *out)
{
	struct curves_view *self = view_state(user);
	const struct curve_name *k = &self->metric_names[row];

	(void)column;
	buf_addf(out->text, "%c ", strcmp(k->name, self->metric_shown) == 0 ? '*' : ' ');
	text_sanitise(out->text, k->name, strlen(k->name));
	if (*k->only) {
		buf_addf(out->text, "  %s", k->only);
		out->style = STYLE_DIM;
	}
}

static void metric_key(void *user, long row, struct buf *out)
{
	struct curves_view *self = view_state(user);

	buf_adds(out, self->metric_names[row].name);
}

static bool metric_passes(void *user, long row, const char *text)
{
	struct curves_view *self = view_state(user);

	(void)text;
	return name_filter_passes(self->filter, self->metric_names[row].name);
}

void curves_filter_metrics(struct view *v, const char *text)
{
	struct curves_view *self = view_state(v);

	name_filter_free(self->filter);
	self->filter = text && *text ? name_filter_new(text) : NULL;
	list_set_filter(&self->metrics, text);
	if (self->filter && *name_filter_trouble(self->filter))
		app_say(v->app, "taken as plain text: %s", name_filter_trouble(self->filter));
	if (self->overview)
		curves_look_again(v);
}

/* The series that is asked for; it is shown once the worker is done. */
static const char *wanted(const struct curves_view *self)
{
	return *self->metric ? self->metric : self->metric_shown;
}

void curves_choose_metric(struct view *v, const char *name)
{
	struct curves_view *self = view_state(v);

	if (strcmp(name, wanted(self)) == 0)
		return;
	free(self->metric);
	self->metric = xstrdup(name);
	self->jump = 0;
	curves_look_again(v);
}

/* Through the list as it is filtered. */
void curves_step_metric(struct view *v, int by)
{
	struct curves_view *self = view_state(v);
	long n = self->metrics.n_shown, row;

	if (!n)
		return;
	list_select_key(&self->metrics, wanted(self));
	list_select(&self->metrics, self->metrics.shown[(self->metrics.selected + n + by) % n]);
	row = list_selected(&self->metrics);
	if (row >= 0)
		curves_choose_metric(v, self->metric_names[row].name);
}

/* ---- runs --------------------------------------------------------------------------------- */

static long count_runs(void *user)
{
	struct curves_view *self = view_state(user);

	return (long)self->n_runs;
}

enum { RUN_LETTER, RUN_NAME, RUN_VALUE, RUN_STATE };
enum { HEAD_OF_NAME = 3, LEAST_TAIL = 8 };	/* cells: "#8 ", then the mark of a cut */

/* What the run has where the read-out is: its last value while that follows. */
static void put_value(const struct curves_view *self, const struct curves_run *r, struct buf *out)
{
	const struct curve_scene *s = self->scene;
	struct plot_readout at;

	if (!r->letter || !s || !s->main || !isfinite(self->cursor_x))
		return;
	for (size_t i = 0; i < s->n_sides; i++) {
		if (s->sides[i].letter != r->letter || !s->main->lines[i].drawn)
			continue;
		plot_read_nearest(&at, s->main->lines[i].drawn, self->cursor_x);
		curves_add_value(out, s->pair, at.value);
	}
}

/* What it ran on, kind and seed tell runs of an attempt apart: of a name that is too long
 * the middle goes. */
static void put_name(struct buf *out, const char *name, size_t width)
{
	size_t n = strlen(name), head = strcspn(name, " ") + 1, from;

	if (n <= width || width < HEAD_OF_NAME + LEAST_TAIL) {
		text_sanitise(out, name, n);
		return;
	}
	head = text_cut(name, n, head < HEAD_OF_NAME ? head : HEAD_OF_NAME);
	for (from = n - (width - head - 1); ((unsigned char)name[from] & 0xc0) == 0x80;)
		from++;
	text_sanitise(out, name, head);
	buf_adds(out, "\xe2\x80\xa6");
	text_sanitise(out, name + from, n - from);
}

static void put_run(void *user, long row, int column, struct list_cell *out)
{
	struct curves_view *self = view_state(user);
	const struct curves_run *r = &self->run_rows[row];

	switch (column) {
	case RUN_LETTER:
		buf_addc(out->text, r->letter ? r->letter : ' ');
		out->style = r->letter ? curves_style(r->letter) : STYLE_TEXT;
		break;
	case RUN_NAME:
		put_name(out->text, r->name, (size_t)self->runs.widths[RUN_NAME]);
		break;
	case RUN_VALUE:
		put_value(self, r, out->text);
		break;
	case RUN_STATE:
		buf_adds(out->text, r->state);
		out->style = r->live ? STYLE_LIVE : STYLE_DIM;
		break;
	default:
		break;
	}
}

static void run_key(void *user, long row, struct buf *out)
{
	struct curves_view *self = view_state(user);

	buf_adds(out, self->run_rows[row].run);
}

void curves_choose_run(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->runs);
	const struct curves_run *r;

	if (row < 0)
		return;
	r = &self->run_rows[row];
	if (*r->attempt && strcmp(r->attempt, v->app->selection.attempt) != 0 &&
		*v->app->selection.attempt) {
		app_select_attempt(v->app, r->attempt);
		app_select_run(v->app, r->run);
		return;
	}
	if (*r->attempt) {
		app_select_run(v->app, r->run);
		return;
	}
	free(self->reference);
	self->reference = xstrdup(r->run);
	curves_load(v);
}

/* The place of RUN among the marked ones, else a free one; SCENE_FURTHER_MAX: none. */
static size_t place_of(const struct curves_view *self, const char *run)
{
	size_t room = SCENE_FURTHER_MAX;

	for (size_t i = SCENE_FURTHER_MAX; i-- > 0;) {
		if (self->further[i] && strcmp(self->further[i], run) == 0)
			return i;
		if (!self->further[i])
			room = i;
	}
	return room;
}

void curves_toggle_run(struct view *v)
{
	struct curves_view *self = view_state(v);
	long row = list_selected(&self->runs);
	const struct curves_run *r = row >= 0 ? &self->run_rows[row] : NULL;
	size_t place;

	if (self->pane != PANE_RUNS || !r) {
		app_say_keys(v->app, "{c} goes to the runs; {Space} there draws one more");
		return;
	}
	if (r->letter == 'A' || r->letter == 'R') {
		app_say_keys(v->app, "A and R are always drawn; {Enter} puts another run there");
		return;
	}
	place = place_of(self, r->run);
	if (place == SCENE_FURTHER_MAX) {
		app_say(v->app, "%d further runs at most; a mark taken off one makes room",
			SCENE_FURTHER_MAX);
		return;
	}
	if (self->further[place]) {
		free(self->further[place]);
		self->further[place] = NULL;
	} else {
		self->further[place] = xstrdup(r->run);
	}
	curves_load(v);
}

/* ---- both --------------------------------------------------------------------------------- */

void curves_lists_init(struct view *v)
{
	static const struct list_column metric_columns[] = { { "metric", 12, 1, 0, false } };
	static const struct list_column run_columns[] = {
		[RUN_LETTER] = { "", 1, 0, 0, false },
		[RUN_NAME] = { "run", 18, 1, 0, false },
		[RUN_VALUE] = { "value", 8, 0, 1, true },
		[RUN_STATE] = { "state", 9, 0, 2, false },
	};
	static const struct list_source metrics = {
		.columns = metric_columns,
		.n_columns = ARRAY_LEN(metric_columns),
		.count = count_metrics,
		.cell = put_metric,
		.key = metric_key,
		.passes = metric_passes,
		.empty = "no curve was read yet",
	};
	static const struct list_source runs = {
		.columns = run_columns,
		.n_columns = ARRAY_LEN(run_columns),
		.count = count_runs,
		.cell = put_run,
		.key = run_key,
		.empty = "no run yet",
	};
	struct curves_view *self = view_state(v);

	list_init(&self->metrics, &metrics, v);
	list_init(&self->runs, &runs, v);
	self->metrics.no_heads = self->runs.no_heads = true;	/* the pane's title says it */
}
