/* view_curves - does it train the same?  See view_curves_private.h. */
#include "config.h"

#include "ui/view_curves_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/compare.h"

static void open_view(struct view *v)
{
	struct curves_view *self = view_state(v);

	self->metric = xstrdup("");
	self->reference = xstrdup("");
	self->metric_shown = "";
	self->fit = self->at_last = self->awaited = true;
	self->window = (struct plot_view)PLOT_VIEW_INIT;
	self->cursor_x = self->last_x = NAN;
	buf_init(&self->row);
	curves_lists_init(v);
	curves_table_init(v);
}

static void close_view(struct view *v)
{
	struct curves_view *self = view_state(v);

	job_cancel(&self->load_job);
	job_cancel(&self->work_job);
	curves_stop(self);
	if (self->timer)
		loop_timer_free(self->timer);
	curve_scene_free(self->scene);
	list_release(&self->metrics);
	list_release(&self->runs);
	name_filter_free(self->filter);
	text_view_release(&self->rows);
	buf_release(&self->row);
	arena_release(&self->names);
	if (self->has_picture)
		canvas_release(&self->picture);
	for (size_t i = 0; i < SCENE_FURTHER_MAX; i++)
		free(self->further[i]);
	free(self->metric);
	free(self->reference);
	free(self->complaint);
}

static void changed(struct view *v, unsigned what)
{
	struct curves_view *self = view_state(v);

	/* The lists are of what was selected before: keys wait for their rows. */
	if (what & (CHANGED_ATTEMPT | CHANGED_POSITION))
		self->awaited = true;
	/* Another goal is another metric; another attempt has other runs to mark. */
	if (what & CHANGED_GOAL && what != CHANGED_ALL)
		*self->metric = '\0';
	if (what & CHANGED_ATTEMPT && what != CHANGED_ALL)
		self->fit = self->at_last = true;
}

/* ---- the rest of the contract -------------------------------------------- */

static void draw(struct view *v, struct canvas *c, struct rect r)
{
	struct curves_view *self = view_state(v);

	curves_draw(v, c, r);
	self->work_due |= curves_grid_lacks(self);
	if (v->app->loop && !job_is_running(&self->load_job))
		curves_go_on(v);
}

static enum view_rows rows(const struct view *v)
{
	const struct curves_view *self = view_state(v);

	return self->complaint ? ROWS_FAILED : self->awaited ? ROWS_AWAITED : ROWS_THERE;
}

static void search(struct view *v, const char *text)
{
	struct curves_view *self = view_state(v);

	list_set_search(&self->metrics, text);
}

static bool search_next(struct view *v, int direction)
{
	struct curves_view *self = view_state(v);
	long row;

	if (!list_search(&self->metrics, direction) || (row = list_selected(&self->metrics)) < 0)
		return false;
	if (!self->overview)
		curves_choose_metric(v, self->metric_names[row].name);
	return true;
}

/* Of the runs where these have the focus, else of the series: in the grid the charts. */
static void filter(struct view *v, const char *text)
{
	struct curves_view *self = view_state(v);

	if (self->pane == PANE_RUNS) {
		list_set_filter(&self->runs, text);
		return;
	}
	if (!self->overview)
		self->pane = PANE_METRICS;
	curves_filter_metrics(v, text);
}

static void subject(struct view *v, struct buf *out)
{
	struct curves_view *self = view_state(v);

	if (self->overview)
		buf_adds(out, "all series");
	else if (*self->metric_shown)
		text_sanitise(out, self->metric_shown, strlen(self->metric_shown));
}

static bool copy(struct view *v, struct buf *out)
{
	struct curves_view *self = view_state(v);

	if (!self->scene || !self->scene->pair)
		return false;
	curves_add_readout(out, self);
	buf_addc(out, '\n');
	if (self->overview || !self->scene->pair->has_comparison)
		curves_add_shown(out, self);
	else
		curves_add_facts(out, self->scene, COMPARE_TEXT_COLUMNS);
	return true;
}

/* e: the curve file that A is read from. */
static bool file(struct view *v, struct buf *path, long *line)
{
	struct curves_view *self = view_state(v);
	const struct run_files *files =
		self->scene && self->scene->pair ? self->scene->pair->attempt.files : NULL;
	const struct series *s = files ? self->scene->pair->attempt.series : NULL;

	if (!s || !s->n_segments || s->segments[0].file < 0 ||
		(size_t)s->segments[0].file >= files->n || !files->files[s->segments[0].file].file)
		return false;
	buf_adds(path, files->files[s->segments[0].file].file->path);
	*line = 1;
	return true;
}

static bool click(struct view *v, int row, int col)
{
	return curves_grid_click(v, row, col);
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key plot[] = {
		{ "h l", "read-out" },
		{ "+ -", "zoom" },
		{ "o", "all charts" },
		{ "D", "first out" },
		{ "c", "runs" },
		{ "m", "smooth" },
		{ "t", "table" },
		{ "i", "facts" },
	};
	static const struct status_key grid[] = {
		{ "j k", "chart" },
		{ "Enter", "large" },
		{ "&", "filter" },
		{ "h l", "read-out" },
		{ "+ -", "zoom" },
		{ "c", "runs" },
		{ "m", "smooth" },
		{ "o", "one chart" },
	};
	static const struct status_key metrics[] = { { "Enter", "show" }, { "&", "filter" },
		{ "Tab", "runs" }, { "Esc", "curves" } };
	static const struct status_key runs[] = {
		{ "Space", "draw it too" },
		{ "Enter", "put at A or R" },
		{ "&", "filter" },
		{ "Esc", "curves" },
	};
	struct curves_view *self = view_state(v);

	switch (self->pane) {
	case PANE_METRICS:
		*out = metrics;
		return ARRAY_LEN(metrics);
	case PANE_RUNS:
		*out = runs;
		return ARRAY_LEN(runs);
	case PANE_PLOT: case PANE_COUNT:
		break;
	}
	*out = self->overview ? grid : plot;
	return self->overview ? ARRAY_LEN(grid) : ARRAY_LEN(plot);
}

const struct view_type curves_view = {
	.name = "curves",
	.digit = '4',
	.title = "curves",
	.answers = "does it train the same?",
	.legend =
		"R is the reference, the band behind it what its seeds cover. A is the attempt, "
		"B to Q are further runs; a letter stands on its line. N is a NaN, at the last "
		"finite height, I an infinity, at its edge; an arrow: values beyond the edge; a "
		"tick at the upper edge: a restart. Faint dots are raw values behind smoothed "
		"ones, or points that a restart went over again. d is A - R, dashes are the "
		"tolerance; ~ is a smoothed value. Without colours . is R, * or its letter an "
		"attempt, # where several stand, : a band, ' what is faint.",
	.contexts = CONTEXT_CURVES | CONTEXT_LIST,
	.reload_on = CHANGED_ATTEMPT | CHANGED_RUN | CHANGED_GOAL | CHANGED_POSITION | CHANGED_LOG |
		CHANGED_FILES,
	.size = sizeof(struct curves_view),
	.open = open_view,
	.close = close_view,
	.load = curves_load,
	.changed = changed,
	.draw = draw,
	.rows = rows,
	.move = curves_move,
	.operate = curves_operate,
	.click = click,
	.back = curves_back,
	.search = search,
	.search_next = search_next,
	.filter = filter,
	.subject = subject,
	.copy = copy,
	.file = file,
	.keys = keys,
};
