/* view_runs_choose - view 3: which columns, in which order, and what two marked runs were
 * started with; see view_runs.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "command/operation.h"
#include "command/preferences.h"
#include "command/screen_operation.h"
#include "ui/view_runs.h"

enum { SERIES_NAMED = 12, SERIES_IN_SET = 4 };

static const struct dialog_choice sets[] = {
	{ 'l', "last", "last values of the series that most runs have" },
	{ 'm', "min", "minima of them, and where they are" },
	{ 'u', "usual", "usual: state, L0, time, cost" },
};

/* ---- columns ---------------------------- */

/* A name that is more than a word stands in quotes. */
static void add_series(struct buf *out, const char *before, const char *name)
{
	bool plain = !name[strcspn(name, " ,\t=@\"")];

	buf_addf(out, plain ? ", %s%s" : ", %s\"%s\"", before, name);
}

/* The columns of SET, "" for those that were written; NULL and a sentence when there are
 * none yet. */
static char *columns_of_set(struct runs_table *t, const char *set, const char *own)
{
	const char *names[SERIES_IN_SET];
	struct buf b = BUF_INIT;
	size_t missing, n;

	if (!*set)
		return xstrdup(own);
	if (strcmp(set, "usual") == 0)
		return xstrdup("");
	n = runs_table_series(t, names, SERIES_IN_SET, &missing);
	if (!n) {
		(void)err_set(ERR_STATE, missing ? "the curves are still being read"
						 : "no run here has a curve");
		return NULL;
	}
	buf_adds(&b, "run, attempt, target, outcome");
	for (size_t i = 0; i < n; i++) {
		bool min = strcmp(set, "min") == 0;

		if (min && i == SERIES_IN_SET / 2)
			break;
		add_series(&b, min ? "min " : "last ", names[i]);
		if (min)
			add_series(&b, "step of min ", names[i]);
	}
	return buf_detach(&b);
}

/* A name that is written wrong would read as absent everywhere. */
static void tell_strangers(struct view *v)
{
	struct runs_view *self = view_state(v);
	const struct runs_table *t = &self->table;
	struct buf b = BUF_INIT;

	run_columns_add_strangers(&b, t->columns, t->n, t->records, t->rows ? t->rows->n : 0);
	if (b.n)
		app_complain(v->app, "%s", b.s);
	self->strangers_due = !b.n && runs_table_is_reading(t);
	buf_release(&b);
}

static void on_columns(void *user, struct app *a, struct dialog *d)
{
	struct view *v = user;
	struct runs_view *self = view_state(v);
	char *columns = columns_of_set(
		&self->table, dialog_text(d, "or"), dialog_text(d, "columns"));

	if (!columns || runs_table_set_columns(&self->table, columns) < 0) {
		dialog_complain(d, err_text());
		free(columns);
		return;
	}
	runs_table_changed(v);
	tell_strangers(v);
	if (!a->host.read_only && preferences_keep_run_columns(columns) < 0)
		app_complain(a, "these columns are not kept for next time: %s", err_text());
	free(columns);
}

static void describe_series(const struct runs_table *t, struct buf *b)
{
	const char *names[SERIES_NAMED + 1];
	size_t missing, n = runs_table_series(t, names, SERIES_NAMED + 1, &missing);

	buf_adds(b, "series: ");
	for (size_t i = 0; i < n && i < SERIES_NAMED; i++)
		buf_addf(b, "%s%s", i ? ", " : "", names[i]);
	if (n > SERIES_NAMED)
		buf_adds(b, ", ...");
	if (!n)
		buf_adds(b, missing ? "being read" : "none");
	else if (missing)
		buf_addf(b, " (%zu run%s still being read)", missing,
			missing == 1 ? " is" : "s are");
	buf_adds(b,
		"\nA column is [last|first|min|max|mean|count] SERIES [@X] [as NAME], step of min "
		"SERIES, =KEY of the configuration, or one of ");
	run_fields_add_names(b);
	buf_adds(b, "; commas part them.");
}

/* At the text at once, whatever is still being read: what is typed next is meant for it.
 * Without a choice below, what is written counts. */
static void open_columns(struct view *v)
{
	struct runs_view *self = view_state(v);
	struct dialog *d = app_new_dialog(v->app, "columns of the runs");
	struct buf b = BUF_INIT;

	self->table.names_wanted = true;
	runs_table_read(v);
	describe_series(&self->table, &b);
	dialog_add_info(d, b.s);
	dialog_add_text(d, "columns", "columns", self->table.text,
		DIALOG_FIRST);
	dialog_add_optional(d, "or", sets, (int)ARRAY_LEN(sets));
	d->keys = "Enter shows them, also next time; empty: the usual  Esc keeps them";
	app_open_dialog(v->app, on_columns, v);
	buf_release(&b);
}

/* A form that is open says what was read meanwhile. */
void runs_choose_when_read(struct view *v)
{
	const struct runs_view *self = view_state(v);
	struct app *a = v->app;
	struct buf b = BUF_INIT;

	if (self->strangers_due)
		tell_strangers(v);
	if (a->layer != APP_DIALOG || a->answer != on_columns)
		return;
	describe_series(&self->table, &b);
	dialog_set_info(&a->dialog, 0, b.s);
	buf_release(&b);
	app_touch(a);
}

/* ---- order ---------------------------- */

static void on_order(void *user, struct app *a, const char *text)
{
	struct view *v = user;
	struct runs_view *self = view_state(v);

	if (runs_table_set_order(&self->table, text) < 0) {
		app_complain(a, "%s", err_text());
		return;
	}
	runs_table_changed(v);
	if (*text)
		app_say(a, "in order of %s; what is absent is last", text);
	else
		app_say(a, "live runs first, then the newest");
}

/* ---- two runs beside each other ---------------------------- */

static const char *id_at(const struct runs_view *self, long i)
{
	return self->model->rows.rows[runs_table_row(&self->table, i)].state->id;
}

static void compare(struct view *v)
{
	struct runs_view *self = view_state(v);
	long rows[2];
	size_t n = self->model ? list_chosen_pair(&self->list, rows) : 0;

	if (n == 2)
		app_call(v->app, operation_find("runs diff"),
			(const char *[]){ id_at(self, rows[0]), id_at(self, rows[1]) }, 2);
	else if (n > 2)
		app_say(v->app, "%zu are marked; two runs stand beside each other", n);
	else
		app_say_keys(v->app,
			"{Space} marks two runs, then {c} shows what they were started with");
}

bool runs_choose(struct view *v, int screen)
{
	struct runs_view *self = view_state(v);

	switch (screen) {
	case SCREEN_RUN_COLUMNS:
		open_columns(v);
		return true;
	case SCREEN_RUN_ORDER:
		app_open_ask(v->app, "order by (-min loss, run; empty: as usual): ",
			self->table.order_text, on_order, v);
		return true;
	case SCREEN_RUN_DIFFERENCE:
		compare(v);
		return true;
	default:
		return false;
	}
}
