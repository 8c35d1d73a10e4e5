/* view_diff - panes, keys and motions of the diff view; see view_diff.h. */
#include "config.h"

#include "ui/view_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "command/screen_operation.h"
#include "ui/view_diff_rows.h"

enum { CONTEXT_LINES = 3, CONTEXT_STEP = 2, CONTEXT_LINES_MAX = 1000, SIDE_STEP = 8 };

/* ---- where to stand ------------------------------------------------------------------ */

static void say_hidden_line(struct diff_view *d)
{
	struct arena a = ARENA_INIT;

	app_say_keys(d->app, arena_printf(&a,
		"line %d did not change and is not shown here: {+} shows more around a change, "
		"{e} opens your editor",
		(int)d->goal_line));
	arena_release(&a);
}

static void reach_goal(struct diff_view *d)
{
	bool exact = true;
	long row = -1;

	switch (d->goal) {
	case GOAL_NONE:
		return;
	case GOAL_FIRST_HUNK:
		row = diff_rows_next_hunk(d, -1, 1);
		break;
	case GOAL_LAST_HUNK:
		row = diff_rows_next_hunk(d, d->n_rows, -1);
		break;
	case GOAL_LINE:
		row = diff_rows_near(d, d->goal_line, &exact);
		break;
	case GOAL_CONSTRUCT:
		row = diff_rows_near(d, d->goal_line, &exact);
		if (!exact)
			say_hidden_line(d);
		break;
	}
	d->at = row >= 0 ? row : 0;
	d->goal = GOAL_NONE;
}

/* ---- the shown file ------------------------------------------------------------------- */

static void show_file(struct diff_view *d, long file, enum diff_goal goal)
{
	if (file != d->shown) {
		diff_view_leave_file(d);
		d->at = d->top = 0;
		d->sideways = 0;
	}
	d->shown = file;
	if (goal != GOAL_NONE)
		d->goal = goal;
	diff_rows_build(d);
	if (diff_view_lines(d))
		reach_goal(d);
	diff_view_read_lines(d);
}

static void select_file(struct diff_view *d, long file, enum diff_goal goal)
{
	list_select(&d->files, file);
	show_file(d, file, goal);
}

/* A line that another view asked for, once. */
static bool go_to_place(struct diff_view *d)
{
	struct selection *s = &d->app->selection;
	int64_t file = diff_find_file(&d->change->files, s->file);

	*s->file = '\0';
	if (file < 0)
		return false;
	d->shows_left = false;
	d->focus = PANE_LINES;
	d->goal_line = s->file_line;
	select_file(d, (long)file, GOAL_CONSTRUCT);
	return true;
}

void diff_view_arrived(struct diff_view *d)
{
	d->search_due = 0;
	d->shown = -1;
	d->n_rows = 0;
	list_reload(&d->files);
	/* An unknown selection means the last attempt: from here on it is selected. */
	if (!*d->app->selection.attempt && *d->change->attempt) {
		free(d->app->selection.attempt);
		d->app->selection.attempt = xstrdup(d->change->attempt);
	}
	diff_view_read_constructs(d);
	if (*d->app->selection.file && go_to_place(d))
		return;
	if (d->change->files.n)
		show_file(d, list_selected(&d->files), GOAL_NONE);
}

static bool search_files(struct diff_view *d, int direction);

void diff_view_lines_arrived(struct diff_view *d, long file)
{
	if (file == d->shown) {
		diff_rows_build(d);
		reach_goal(d);
		d->at = motion_apply(MOTION_NONE, d->at, d->n_rows, d->page);
	}
	if (d->search_due && d->search && d->shown >= 0 && !search_files(d, d->search_due))
		app_say(d->app, "not found: %s", d->search);
}

/* ---- life ----------------------------------------------------------------------------- */

static void open_view(struct view *v)
{
	struct diff_view *d = view_state(v);

	d->app = v->app;
	d->context = CONTEXT_LINES;
	d->shown = -1;
	d->page = 10;
	d->focus = PANE_LINES;
	list_init(&d->files, &diff_files_source, d);
	list_init(&d->left_list, &diff_left_source, d);
}

static void close_view(struct view *v)
{
	struct diff_view *d = view_state(v);

	diff_view_stop(d);
	diff_view_forget(d);
	list_release(&d->files);
	list_release(&d->left_list);
	free(d->rows);
	free(d->search);
	if (d->folder && fs_remove_tree(d->folder) < 0)
		err_clear();
	free(d->folder);
}

static void load(struct view *v)
{
	struct diff_view *d = view_state(v);
	bool has_other = *v->app->selection.other_attempt;

	/* A marked pair is compared; without one, OTHER is no base. */
	if (has_other && !d->against_chosen)
		d->against = AGAINST_OTHER;
	else if (!has_other && d->against == AGAINST_OTHER)
		d->against = AGAINST_PREVIOUS;
	if (!has_other)
		d->against_chosen = false;
	if (*v->app->selection.file)
		d->against = v->app->selection.file_since_original ? AGAINST_ORIGINAL :
								     AGAINST_PREVIOUS;
	diff_view_read(d);
}

static enum view_rows rows(const struct view *v)
{
	const struct diff_view *d = view_state(v);

	return d->change ? ROWS_THERE : d->trouble ? ROWS_FAILED : ROWS_AWAITED;
}

static void draw(struct view *v, struct canvas *c, struct rect r)
{
	diff_view_draw(view_state(v), c, r);
}

/* ---- moving ---------------------------------------------------------------------------- */

static bool move_lines(struct diff_view *d, enum motion motion)
{
	if (motion == MOTION_LEFT)
		d->sideways = d->sideways > SIDE_STEP ? d->sideways - SIDE_STEP : 0;
	else if (motion == MOTION_RIGHT && !d->wrap && d->sideways < CANVAS_SIDE_MAX)
		d->sideways += SIDE_STEP;
	else
		d->at = motion_apply(motion, d->at, d->n_rows, d->page);
	return true;
}

static bool move(struct view *v, enum motion motion)
{
	struct diff_view *d = view_state(v);

	d->search_due = 0;		/* nobody is taken away from where they went */
	if (d->shows_left)
		return list_move(&d->left_list, motion);
	if (d->focus == PANE_LINES || motion == MOTION_LEFT || motion == MOTION_RIGHT)
		return move_lines(d, motion);
	if (!list_move(&d->files, motion))
		return false;
	show_file(d, list_selected(&d->files), GOAL_NONE);
	return true;
}

/* The file DIRECTION files from the selected one in the order of the list; -1: none. */
static long neighbour(const struct diff_view *d, int direction)
{
	long at = d->files.selected + direction;

	return at >= 0 && at < d->files.n_shown ? d->files.shown[at] : -1;
}

static void step_file(struct diff_view *d, int direction, enum diff_goal goal)
{
	long file = neighbour(d, direction);

	if (file < 0)
		app_say(d->app, direction > 0 ? "this is the last file" : "this is the first file");
	else
		select_file(d, file, goal);
}

static void step_hunk(struct diff_view *d, int direction)
{
	long row = diff_rows_next_hunk(d, d->at, direction);

	d->shows_left = false;
	d->focus = PANE_LINES;
	if (row >= 0)
		d->at = row;
	else if (neighbour(d, direction) < 0)
		app_say(d->app, direction > 0 ? "this is the last hunk" : "this is the first hunk");
	else
		step_file(d, direction, direction > 0 ? GOAL_FIRST_HUNK : GOAL_LAST_HUNK);
}

/* ---- options --------------------------------------------------------------------------- */

/* Keeps the line under the cursor when rows are made anew. */
static void hold_line(struct diff_view *d)
{
	int64_t line = diff_rows_line(d, d->at);

	if (line < 0)
		return;
	d->goal_line = change_line_number(diff_view_lines(d), (size_t)line);
	d->goal = GOAL_LINE;
}

static void set_context(struct diff_view *d, int context)
{
	if (context < 0 || context > CONTEXT_LINES_MAX)
		return;
	d->context = context;
	hold_line(d);
	diff_view_read_lines_again(d);
	app_say(d->app, "%d line%s around a change", context, context == 1 ? "" : "s");
}

static void toggle_side_by_side(struct diff_view *d)
{
	hold_line(d);
	d->side_by_side = !d->side_by_side;
	d->sideways = 0;
	diff_rows_build(d);
	reach_goal(d);
}

static void next_base(struct diff_view *d)
{
	bool has_other = *d->app->selection.other_attempt;

	d->against = d->against == AGAINST_PREVIOUS ? AGAINST_ORIGINAL :
		     d->against == AGAINST_ORIGINAL && has_other ? AGAINST_OTHER : AGAINST_PREVIOUS;
	d->against_chosen = true;
	diff_view_read(d);
}

/* ---- constructs -------------------------------------------------------------------------- */

static const struct scan_hit *selected_hit(const struct diff_view *d)
{
	long row = list_selected(&d->left_list);

	return d->left && row >= 0 ? &d->left->tip.hits[row] : NULL;
}

static void toggle_left(struct diff_view *d)
{
	d->shows_left = !d->shows_left;
	if (d->shows_left && d->left_trouble)
		app_complain(d->app, "%s", d->left_trouble);
}

/* Enter on a construct: its line in the diff when the attempt touched the file. */
static void go_to_hit(struct diff_view *d)
{
	const struct scan_hit *hit = selected_hit(d);
	int64_t file = hit ? diff_find_file(&d->change->files, hit->path) : -1;

	if (!hit)
		return;
	if (file < 0) {
		app_say(d->app, "this attempt did not change the file; e opens it at line %d",
			hit->line);
		return;
	}
	d->shows_left = false;
	d->focus = PANE_LINES;
	d->search_due = 0;
	d->goal_line = hit->line;
	select_file(d, (long)file, GOAL_CONSTRUCT);
}

/* ---- editor and copies --------------------------------------------------------------------- */

static void edit(struct diff_view *d)
{
	const struct scan_hit *hit = d->shows_left ? selected_hit(d) : NULL;
	const struct change_lines *l = diff_view_lines(d);
	int64_t line = d->focus == PANE_LINES ? diff_rows_line(d, d->at) : -1;

	if (hit)
		diff_view_edit(d, -1, hit->path, hit->line);
	else if (l && l->file->n_lines)
		diff_view_edit(d, d->shown, "",
			change_line_number(l, line >= 0 ? (size_t)line : l->file->hunks[0].first));
	else if (d->shown >= 0 && !d->change->without_lines)
		diff_view_edit(d, d->shown, "", 1);
	else
		app_say(d->app, "there is no file here to edit");
}

static void copy_row(const struct diff_view *d, struct buf *out)
{
	const struct change_lines *l = diff_view_lines(d);
	const struct diff_view_row *row = &d->rows[d->at];
	int64_t line = diff_rows_line(d, d->at);

	if (row->kind == DIFF_ROW_NOTE)
		buf_adds(out, l->notes[row->a]);
	else if (row->kind == DIFF_ROW_HUNK)
		change_add_hunk(out, l, (size_t)row->a);
	else if (line >= 0)
		buf_add(out, l->file->lines[line].text, change_line_length(l, (size_t)line));
}

static bool copy(struct view *v, struct buf *out)
{
	struct diff_view *d = view_state(v);
	const struct scan_hit *hit = d->shows_left ? selected_hit(d) : NULL;

	if (hit)
		buf_addf(out, "%s:%d: %s", hit->path, hit->line, hit->text);
	else if (d->focus == PANE_LINES && d->at < d->n_rows)
		copy_row(d, out);
	else if (diff_view_file(d))
		buf_adds(out, diff_view_file(d)->path);
	return out->n > 0;
}

/* ---- finding ------------------------------------------------------------------------------- */

static void search(struct view *v, const char *text)
{
	struct diff_view *d = view_state(v);

	free(d->search);
	d->search = text && *text ? xstrdup(text) : NULL;
	d->search_due = 0;
	list_set_search(&d->left_list, text);
}

/* All that was read, as one diff; the rows stay where they are. */
static struct diff gather(const struct diff_view *d, struct arena *a, size_t *missing)
{
	struct diff all = { .files = arena_memdup(a, d->change->files.files,
				    d->change->files.n * sizeof *all.files),
		.n = d->change->files.n };

	*missing = 0;
	for (size_t i = 0; i < all.n; i++) {
		if (d->lines[i])
			all.files[i] = *d->lines[i]->file;
		*missing += !d->lines[i] && !d->troubles[i];
	}
	return all;
}

/* In the files that were read; the others are searched when they come. */
static bool search_files(struct diff_view *d, int direction)
{
	struct arena a = ARENA_INIT;
	struct diff_place place;
	struct diff all;
	size_t missing;
	int64_t line;
	bool found;

	all = gather(d, &a, &missing);
	line = diff_rows_line(d, d->at);
	place = (struct diff_place){ (size_t)d->shown, line >= 0 ? (size_t)line : 0 };
	found = diff_search(&place, &all, d->search, direction < 0);
	if (found) {
		d->focus = PANE_LINES;
		select_file(d, (long)place.file, GOAL_NONE);
		d->at = diff_rows_of_line(d, (int64_t)place.line);
	} else if (missing) {
		app_say(d->app, "not found so far: %zu of %zu files are not read yet", missing,
			all.n);
	}
	d->search_due = found || !missing ? 0 : direction;
	arena_release(&a);
	return found || missing;
}

static bool search_next(struct view *v, int direction)
{
	struct diff_view *d = view_state(v);

	if (d->shows_left)
		return list_search(&d->left_list, direction);
	return d->search && d->shown >= 0 && search_files(d, direction);
}

static void filter(struct view *v, const char *text)
{
	struct diff_view *d = view_state(v);

	list_set_filter(d->shows_left ? &d->left_list : &d->files, text);
	if (!d->shows_left && list_selected(&d->files) >= 0)
		show_file(d, list_selected(&d->files), GOAL_NONE);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static bool back(struct view *v)
{
	struct diff_view *d = view_state(v);

	if (d->shows_left)
		d->shows_left = false;
	else if (v->app->zoomed)
		v->app->zoomed = false;
	else if (d->files.filter)
		list_set_filter(&d->files, NULL);
	else
		return false;
	return true;
}

static bool open_selected(struct diff_view *d)
{
	if (d->shows_left)
		go_to_hit(d);
	else if (d->focus == PANE_FILES)
		d->focus = PANE_LINES;
	else
		app_say_keys(d->app,
			"this is its diff: {J} and {K} go from hunk to hunk, {)} and {(} from "
			"file to file, {e} opens your editor");
	return true;
}

static bool operate_lines(struct diff_view *d, int screen)
{
	switch (screen) {
	case SCREEN_NEXT_HUNK:
		step_hunk(d, 1);
		return true;
	case SCREEN_PREVIOUS_HUNK:
		step_hunk(d, -1);
		return true;
	case SCREEN_NEXT_FILE:
		step_file(d, 1, GOAL_NONE);
		return true;
	case SCREEN_PREVIOUS_FILE:
		step_file(d, -1, GOAL_NONE);
		return true;
	case SCREEN_MORE_CONTEXT:
		set_context(d, d->context + CONTEXT_STEP);
		return true;
	case SCREEN_LESS_CONTEXT:
		set_context(d, d->context > CONTEXT_STEP ? d->context - CONTEXT_STEP : 0);
		return true;
	case SCREEN_WHITE_SPACE:
		d->ignore_space = !d->ignore_space;
		hold_line(d);
		diff_view_read_lines_again(d);
		return true;
	case SCREEN_SIDE_BY_SIDE:
		toggle_side_by_side(d);
		return true;
	case SCREEN_WRAP:
		d->wrap = !d->wrap;
		d->sideways = 0;
		return true;
	default:
		return false;
	}
}

static bool operate(struct view *v, const struct operation *o)
{
	struct diff_view *d = view_state(v);

	d->search_due = 0;
	switch (o->screen) {
	case SCREEN_OPEN:
		return open_selected(d);
	case SCREEN_NEXT_PANE: case SCREEN_PREVIOUS_PANE:
		d->shows_left = false;
		d->focus = d->focus == PANE_FILES ? PANE_LINES : PANE_FILES;
		return true;
	case SCREEN_ZOOM:
		v->app->zoomed = !v->app->zoomed;
		return true;
	case SCREEN_BASE:
		next_base(d);
		return true;
	case SCREEN_CONSTRUCTS:
		toggle_left(d);
		return true;
	case SCREEN_EDIT:
		edit(d);
		return true;
	default:
		return d->change && operate_lines(d, o->screen);
	}
}

static void subject(struct view *v, struct buf *out)
{
	struct diff_view *d = view_state(v);

	if (!d->change || !*d->change->attempt)
		return;
	buf_addf(out, "attempt %s", d->change->attempt);
	if (!*d->change->missing)
		buf_addf(out, " against %s", d->change->base_name);
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key lines[] = {
		{ "J K", "hunk" },
		{ "( )", "file" },
		{ "s", "side by side" },
		{ "b", "base" },
		{ "C", "CUDA left" },
		{ "e", "editor" },
	};
	static const struct status_key left[] = {
		{ "Enter", "to the line" },
		{ "e", "editor" },
		{ "/", "search" },
		{ "C", "back to the diff" },
	};
	struct diff_view *d = view_state(v);

	*out = d->shows_left ? left : lines;
	return d->shows_left ? (int)ARRAY_LEN(left) : (int)ARRAY_LEN(lines);
}

const struct view_type diff_view = {
	.name = "diff",
	.digit = '2',
	.title = "diff",
	.answers = "what changed?",
	.contexts = CONTEXT_DIFF,
	.reload_on = CHANGED_ATTEMPT | CHANGED_POSITION | CHANGED_LOG | CHANGED_PLACE,
	.size = sizeof(struct diff_view),
	.open = open_view,
	.close = close_view,
	.load = load,
	.draw = draw,
	.rows = rows,
	.move = move,
	.operate = operate,
	.back = back,
	.search = search,
	.search_next = search_next,
	.filter = filter,
	.subject = subject,
	.copy = copy,
	.keys = keys,
};
