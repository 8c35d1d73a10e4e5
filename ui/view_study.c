/* view_study - view 9: the study's table, live, and what needs a person in any migration. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "command/operation.h"
#include "command/recent.h"
#include "command/screen_operation.h"
#include "command/study.h"
#include "ui/app.h"
#include "ui/job.h"
#include "ui/layout.h"
#include "ui/list.h"
#include "ui/view.h"

enum { DETAIL_ROWS = 6, TOTAL_ROWS = 5 };

struct study_model { struct arena arena; struct study_lines lines; };

struct study_view {
	struct list list;
	struct job_slot job;
	struct study_model *model;	/* NULL until the first answer */
	char *trouble;
	bool ascii;
};

/* Columns that no cell of the table has. */
enum { CELL_SIGN = -1, CELL_NEEDS = -2 };

/* Title, least width, weight, what goes first, number, and the cell of the row. */
#define COLUMNS(X) \
	X("", 1, 0, 0, false, CELL_SIGN) \
	X("project", 10, 1, 0, false, STUDY_PROJECT) \
	X("challenge", 10, 0, 9, false, STUDY_CHALLENGE) \
	X("metric", 6, 0, 10, false, STUDY_METRIC) \
	X("paper", 6, 0, 7, true, STUDY_PAPER) \
	X("gpu", 6, 0, 3, true, STUDY_GPU) \
	X("tpu", 6, 0, 3, true, STUDY_TPU) \
	X("att", 5, 0, 0, true, STUDY_ATTEMPTS) \
	X("ff", 2, 0, 4, true, STUDY_FF) \
	X("hum", 3, 0, 4, true, STUDY_HUMAN) \
	X("first", 5, 0, 8, false, STUDY_LEVEL_FIRST) \
	X("claim", 5, 0, 0, false, STUDY_LEVEL_CLAIMED) \
	X("measured", 8, 0, 0, false, STUDY_LEVEL_MEASURED) \
	X("sil", 4, 0, 4, true, STUDY_SILENT) \
	X("files", 5, 0, 11, true, STUDY_CHURN_FILES) \
	X("+", 5, 0, 11, true, STUDY_CHURN_ADDED) \
	X("-", 4, 0, 11, true, STUDY_CHURN_DELETED) \
	X("agent $", 7, 0, 5, true, STUDY_AGENT_USD) \
	X("h", 5, 0, 6, true, STUDY_AGENT_H) \
	X("gpu min", 8, 0, 12, true, STUDY_TIME_GPU_MIN) \
	X("tpu min", 8, 0, 12, true, STUDY_TIME_TPU_MIN) \
	X("gpu $", 6, 0, 13, true, STUDY_COST_GPU_USD) \
	X("tpu $", 6, 0, 13, true, STUDY_COST_TPU_USD) \
	X("needs you", 10, 2, 1, false, CELL_NEEDS)

#define AS_COLUMN(title, min, weight, drop, right, cell) { title, min, weight, drop, right },
#define AS_CELL(title, min, weight, drop, right, cell) cell,
static const struct list_column columns[] = { COLUMNS(AS_COLUMN) };
static const int cells[] = { COLUMNS(AS_CELL) };

/* ---- the worker ---------------------------------------------------------------------- */

static void model_free(void *p)
{
	struct study_model *m = p;

	if (!m)
		return;
	arena_release(&m->arena);
	free(m);
}

/* The migration of this screen first, then the others, each once. */
static int directories_of(const char ***out, size_t *n, const char *here, struct arena *a)
{
	const char **recent;
	size_t n_recent;
	int rc = recent_list(&recent, &n_recent, a);

	if (rc < 0)
		return rc;
	*out = arena_alloc(a, (n_recent + 1) * sizeof **out);
	*n = 0;
	(*out)[(*n)++] = fs_absolute(a, here);
	for (size_t i = 0; i < n_recent; i++)
		if (strcmp(recent[i], (*out)[0]) != 0)
			(*out)[(*n)++] = recent[i];
	return 0;
}

static int load_model(struct job *job, void *input, void **result)
{
	struct study_model *m = xcalloc(1, sizeof *m);
	struct study_request q = { .with_study = true, .cancel = job_cancel_flag(job) };
	const char **directories = NULL;
	int rc = directories_of(&directories, &q.n, input, &m->arena);

	q.directories = directories;
	if (rc == 0)
		rc = study_lines_read(&m->lines, &q, &m->arena);
	*result = m;
	return rc;
}

static void on_model(void *user, int code, void *result, const char *sentence)
{
	struct view *v = user;
	struct study_view *self = view_state(v);

	free(self->trouble);
	self->trouble = code < 0 ? xstrdup(sentence) : NULL;
	if (code >= 0) {
		model_free(self->model);
		self->model = result;
		list_reload(&self->list);
	}
	app_touch(v->app);
}

static void load(struct view *v)
{
	static const struct job_kind kind = { "the study", load_model, free, model_free,
		JOB_SCREEN };
	struct study_view *self = view_state(v);

	job_start(&self->job, v->app->loop, &kind, xstrdup(v->app->host.directory), on_model, v);
}

static enum view_rows rows(const struct view *v)
{
	const struct study_view *self = view_state(v);

	return self->model ? ROWS_THERE : self->trouble ? ROWS_FAILED : ROWS_AWAITED;
}

/* ---- the list --------------------------------------------------------------------------- */

/* One's own migrations come first, the rows of the study below them. */
static const struct study_line *line_at(const struct study_view *self, long row)
{
	const struct study_lines *s = &self->model->lines;
	size_t at = (size_t)row, own = s->n - s->n_study;

	return &s->lines[at < own ? s->n_study + at : at - own];
}

static const struct study_line *selected(const struct study_view *self)
{
	long row = list_selected(&self->list);

	return self->model && row >= 0 ? line_at(self, row) : NULL;
}

static long count(void *user)
{
	const struct study_view *self = user;

	return self->model ? (long)self->model->lines.n : 0;
}

static void add_marked(const struct study_view *self, const struct study_line *l,
	enum study_column c, struct buf *out)
{
	struct arena a = ARENA_INIT;

	buf_addf(out, "%s%s", l->row.cells[c],
		*l->row.cells[c] ? study_mark(&l->row, c, self->ascii, &a) : "");
	arena_release(&a);
}

static void add_needs(const struct study_line *l, struct buf *out)
{
	if (*l->error)
		buf_adds(out, "not read");
	else if (l->n_needs > 1)
		buf_addf(out, "%zu: %s", l->n_needs, l->needs[0].text);
	else if (l->n_needs)
		buf_adds(out, l->needs[0].text);
}

static void cell(void *user, long row, int column, struct list_cell *out)
{
	const struct study_view *self = user;
	const struct study_line *l = line_at(self, row);
	int which = cells[column];

	if (which == CELL_SIGN)
		buf_addc(out->text, *l->error ? '?' : l->n_needs ? '!' : ' ');
	else if (which == CELL_NEEDS)
		add_needs(l, out->text);
	else
		add_marked(self, l, (enum study_column)which, out->text);
	if (which < 0)
		out->style = *l->error ? STYLE_WARN : l->n_needs ? STYLE_ALARM : STYLE_TEXT;
	else if (which == STUDY_PROJECT && *l->directory)
		out->style = STYLE_STRONG;
}

static void key_of(void *user, long row, struct buf *out)
{
	const struct study_line *l = line_at(user, row);

	buf_adds(out, *l->directory ? l->directory : l->row.cells[STUDY_PROJECT]);
}

static const struct list_source source = {
	.columns = columns,
	.n_columns = ARRAY_LEN(columns),
	.count = count,
	.cell = cell,
	.key = key_of,
	.empty = "no migration was opened here yet",
};

/* ---- drawing ------------------------------------------------------------------------------ */

static void add_side(struct buf *b, const struct study_line *l, const char *name,
	enum study_column value, enum study_column minutes, enum study_column usd)
{
	if (!*l->row.cells[value] && !*l->row.cells[minutes])
		return;
	buf_addf(b, "%s %s", name, *l->row.cells[value] ? l->row.cells[value] : "value unknown");
	if (*l->row.cells[minutes])
		buf_addf(b, ", %s min", l->row.cells[minutes]);
	if (*l->row.cells[usd])
		buf_addf(b, ", $%s", l->row.cells[usd]);
	buf_adds(b, "   ");
}

static void add_detail(struct buf *b, const struct study_line *l)
{
	const char *const *c = l->row.cells;

	buf_addf(b, "%s%s%s", c[STUDY_PROJECT], *c[STUDY_SUB_EXPERIMENT] ? ": " : "",
		c[STUDY_SUB_EXPERIMENT]);
	if (*c[STUDY_METRIC])
		buf_addf(b, ", %s%s%s", c[STUDY_METRIC], *c[STUDY_PAPER] ? ", paper " : "",
			c[STUDY_PAPER]);
	if (*l->extra.configuration)
		buf_addf(b, "; measured on %s, attempt %s%s", l->extra.configuration, l->attempt,
			l->simulated ? " (a stand-in)" : "");
	buf_addc(b, '\n');
	if (*l->error)
		buf_addf(b, "not read: %s\n", l->error);
	add_side(b, l, "GPU", STUDY_GPU, STUDY_TIME_GPU_MIN, STUDY_COST_GPU_USD);
	add_side(b, l, "TPU", STUDY_TPU, STUDY_TIME_TPU_MIN, STUDY_COST_TPU_USD);
	if (*c[STUDY_CHURN_FILES])
		buf_addf(b, "%s file%s +%s -%s", c[STUDY_CHURN_FILES],
			strcmp(c[STUDY_CHURN_FILES], "1") == 0 ? "" : "s", c[STUDY_CHURN_ADDED],
			c[STUDY_CHURN_DELETED]);
	if (l->reference_misses)
		buf_adds(b,
			"\nthe GPU run itself misses the paper's value: a match is inherited, not earned");
	if (*c[STUDY_FOOTNOTES]) {
		buf_adds(b, "\nmarked: ");
		study_add_footnotes(b, c[STUDY_FOOTNOTES]);
	}
	for (size_t i = 0; i < l->n_needs; i++)
		buf_addf(b, "\n! %s", l->needs[i].text);
	if (*l->directory)
		buf_addf(b, "\n%s", l->directory);
}

static void draw_detail(struct study_view *self, struct canvas *c, struct rect r)
{
	const struct study_line *l = selected(self);
	struct buf b = BUF_INIT;

	if (!l)
		return;
	add_detail(&b, l);
	rect_cut_left(&r, 1);
	canvas_put_wrapped(c, r, 0, STYLE_TEXT, b.s);
	buf_release(&b);
}

/* All of it where the list leaves room. */
static int detail_rows(struct study_view *self, const struct canvas *c, struct rect r)
{
	const struct study_line *l = selected(self);
	struct buf b = BUF_INIT;
	int wanted, room = r.rows - (int)self->list.n_shown - 2;

	if (l)
		add_detail(&b, l);
	wanted = canvas_wrap(c, b.s, r.cols - 1, NULL, NULL) + 1;
	buf_release(&b);
	if (wanted > room)
		wanted = room;
	return wanted > DETAIL_ROWS ? wanted : DETAIL_ROWS;
}

static void draw_totals(struct study_view *self, struct canvas *c, struct rect r)
{
	struct buf b = BUF_INIT;

	study_add_totals(&b, &self->model->lines);
	canvas_rule(c, r, 0, STYLE_FRAME);
	rect_cut_top(&r, 1);
	rect_cut_left(&r, 1);
	canvas_put_wrapped(c, r, 0, STYLE_TEXT, b.s);
	buf_release(&b);
}

static int total_rows(struct study_view *self, const struct canvas *c, int width)
{
	struct buf b = BUF_INIT;
	int rows;

	study_add_totals(&b, &self->model->lines);
	rows = canvas_wrap(c, b.s, width, NULL, NULL) + 1;
	buf_release(&b);
	return rows;
}

static void draw_list(struct study_view *self, struct canvas *c, struct rect r)
{
	if (self->trouble)
		canvas_put_wrapped(c, r, 0, STYLE_BAD, self->trouble);
	else if (!self->model)
		canvas_put(c, r, 0, 0, STYLE_DIM, "reading the migrations ...");
	else
		list_draw(&self->list, c, r);
}

/* The totals go first when there is little room, then the detail. */
static void draw(struct view *v, struct canvas *c, struct rect r)
{
	struct study_view *self = view_state(v);
	struct rect totals = { 0 }, detail = { 0 };
	int row, col;

	self->ascii = c->ascii;
	if (self->model && r.rows >= TOTAL_ROWS + 8 && !v->app->zoomed)
		totals = rect_cut_bottom(&r, total_rows(self, c, r.cols - 1));
	if (self->model && r.rows >= DETAIL_ROWS + 6 && !v->app->zoomed)
		detail = rect_cut_bottom(&r, detail_rows(self, c, r));
	draw_list(self, c, r);
	row = c->cursor_row;
	col = c->cursor_col;
	if (!rect_is_empty(detail)) {
		canvas_rule(c, detail, 0, STYLE_FRAME);
		rect_cut_top(&detail, 1);
		draw_detail(self, c, detail);
	}
	if (!rect_is_empty(totals))
		draw_totals(self, c, totals);
	c->cursor_row = row;
	c->cursor_col = col;
}

/* ---- life and keys -------------------------------------------------------------------------- */

static void open_view(struct view *v)
{
	struct study_view *self = view_state(v);

	list_init(&self->list, &source, self);
	list_reload(&self->list);
}

static void close_view(struct view *v)
{
	struct study_view *self = view_state(v);

	job_cancel(&self->job);
	list_release(&self->list);
	model_free(self->model);
	free(self->trouble);
}

static bool move(struct view *v, enum motion motion)
{
	struct study_view *self = view_state(v);

	return list_move(&self->list, motion);
}

static bool operate(struct view *v, const struct operation *o)
{
	struct study_view *self = view_state(v);
	const struct study_line *l = selected(self);

	switch (o->screen) {
	case SCREEN_OPEN:
		if (l && *l->directory)
			app_say(v->app,
				"open it in a terminal of its own: portside -C %s (y copies the folder)",
				l->directory);
		else
			app_say(v->app, "a row of the study has no folder here");
		return true;
	case SCREEN_MARK:
		list_toggle_mark(&self->list);
		return true;
	case SCREEN_SORT:
		list_sort_next(&self->list);
		return true;
	case SCREEN_SORT_REVERSE:
		if (self->list.sort_column >= 0)
			list_sort(&self->list, self->list.sort_column);
		return true;
	default:
		return false;
	}
}

static void search(struct view *v, const char *text)
{
	struct study_view *self = view_state(v);

	list_set_search(&self->list, text);
}

static bool search_next(struct view *v, int direction)
{
	struct study_view *self = view_state(v);

	return list_search(&self->list, direction);
}

static void filter(struct view *v, const char *text)
{
	struct study_view *self = view_state(v);

	list_set_filter(&self->list, text);
}

static bool back(struct view *v)
{
	struct study_view *self = view_state(v);

	if (!self->list.filter)
		return false;
	list_set_filter(&self->list, NULL);
	return true;
}

static bool click(struct view *v, int row, int col)
{
	struct study_view *self = view_state(v);
	int head = list_head_at(&self->list, row, col);

	if (head >= 0)
		list_sort(&self->list, head);
	return head >= 0 || list_click(&self->list, row, col);
}

static void subject(struct view *v, struct buf *out)
{
	struct study_view *self = view_state(v);
	size_t needs = 0, own = self->model ? self->model->lines.n - self->model->lines.n_study : 0;

	for (size_t i = 0; self->model && i < self->model->lines.n; i++)
		needs += self->model->lines.lines[i].n_needs;
	buf_addf(out, "study: %zu migration%s beside the study's rows", own, own == 1 ? "" : "s");
	if (needs)
		buf_addf(out, ", %zu need%s you", needs, needs == 1 ? "s" : "");
}

static bool copy(struct view *v, struct buf *out)
{
	const struct study_line *l = selected(view_state(v));

	if (l && *l->directory)
		buf_adds(out, l->directory);
	else if (l)
		study_add_row(out, &l->row);
	return l != NULL;
}

static int keys(struct view *v, const struct status_key **out)
{
	static const struct status_key list[] = {
		{ "j k", "row" },
		{ "s", "sort" },
		{ "/", "search" },
		{ "&", "filter" },
		{ "y", "copy" },
		{ "z", "zoom" },
	};

	(void)v;
	*out = list;
	return ARRAY_LEN(list);
}

const struct view_type study_view = {
	.name = "study",
	.digit = '9',
	.title = "study",
	.answers = "many migrations side by side; what needs me in any of them?",
	.legend =
		"att attempts, ff fail-fast stops (alarms), hum interventions of people, first claim "
		"measured: level of the first attempt, claimed last, measured best, sil silent failures, "
		"files + - changed against the original, agent $ h its cost and hours, gpu min to tpu $ "
		"one full run  ~ simulated  ++ * the study's own marks",
	.contexts = CONTEXT_STUDY | CONTEXT_LIST,
	.reload_on = CHANGED_LOG,
	.size = sizeof(struct study_view),
	.open = open_view,
	.close = close_view,
	.load = load,
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
