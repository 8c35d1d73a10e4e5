/* view_runs_draw - cells of a row and lines of the facts; see view_runs.h. */
#include "config.h"

#include "ui/view_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

enum { NAME_CELLS = 18 };

enum column {
	COLUMN_SIGN,
	COLUMN_RUN,
	COLUMN_OF,
	COLUMN_KIND,
	COLUMN_TARGET,
	COLUMN_SEED,
	COLUMN_STATE,
	COLUMN_L0,
	COLUMN_STEP,
	COLUMN_TIME,
	COLUMN_COST,
	COLUMN_WHY,
	COLUMNS,
};

/* On a narrow screen the state and L0 go last. */
static const struct list_column columns[COLUMNS] = {
	[COLUMN_SIGN] = { "", 1, 0, 0, false },
	[COLUMN_RUN] = { "run", RUN_SHORT, 0, 0, false },
	[COLUMN_OF] = { "of", 9, 1, 2, false },
	[COLUMN_KIND] = { "kind", 5, 0, 6, false },
	[COLUMN_TARGET] = { "target", 9, 2, 5, false },
	[COLUMN_SEED] = { "seed", 4, 0, 8, true },
	[COLUMN_STATE] = { "state", 9, 2, 0, false },
	[COLUMN_L0] = { "L0", 11, 0, 1, false },
	[COLUMN_STEP] = { "step", 6, 0, 7, true },
	[COLUMN_TIME] = { "took/limit", 10, 0, 3, true },
	[COLUMN_COST] = { "cost", 7, 0, 4, true },
	[COLUMN_WHY] = { "why", 14, 6, 9, false },
};

static const struct run_row *row_at(void *user, long row)
{
	const struct runs_view *self = user;

	return &self->model->rows.rows[runs_table_row(&self->table, row)];
}

static long count_rows(void *user)
{
	const struct runs_view *self = user;

	return self->model ? (long)self->model->rows.n : 0;
}

static void key_of(void *user, long row, struct buf *out)
{
	buf_adds(out, row_at(user, row)->state->id);
}

/* What asks for a person: a mark, never a colour alone. */
static bool wants_person(const struct run_row *r)
{
	return r->mark == RUN_NOW_ORPHAN || r->mark == RUN_NOW_UNKILLABLE;
}

static void put_state(const struct run_row *r, struct list_cell *out)
{
	const struct run_state *s = r->state;
	const char *mark = run_mark_now_word(r->mark);

	if (wants_person(r)) {
		buf_addf(out->text, "! %s", mark);
		out->style = STYLE_ALARM;
		return;
	}
	buf_adds(out->text, r->live && *mark ? mark : word_name(&words_run_state, (int)s->state));
	if (r->live)
		out->style = r->mark == RUN_NOW_UNREACHABLE || r->mark == RUN_NOW_ELSEWHERE
			? STYLE_WARN
			: STYLE_LIVE;
	else if (s->state != RUN_EXITED_0)
		out->style = STYLE_BAD;
}

static void put_l0(const struct run_row *r, struct list_cell *out)
{
	/* L0 is judged at the end; until then the step tells how far it is. */
	if (r->live && r->has_step)
		buf_addf(out->text, "step %lld", (long long)r->step);
	else if (r->live)
		buf_addc(out->text, '-');
	if (r->live)
		return;
	switch (r->state->l0) {
	case CHECK_CONFIRMED:
		buf_adds(out->text, "+ confirmed");
		out->style = STYLE_GOOD;
		return;
	case CHECK_REFUTED:
		buf_adds(out->text, "! REFUTED");
		out->style = STYLE_BAD;
		return;
	case CHECK_NOT_CHECKED:
	case CHECK_UNKNOWN:
	case CHECK_NOT_APPLICABLE:
		break;
	}
	buf_addf(out->text, "? %s", word_name(&words_check, (int)r->state->l0));
	out->style = STYLE_WARN;
}

static void put_time(const struct run_row *r, struct buf *out)
{
	if (r->elapsed_ns < 0)
		buf_addc(out, r->live ? '-' : '?');
	else if (r->live && r->elapsed_ns < NS_PER_S)
		buf_adds(out, "0s");
	else
		clock_add_duration(out, r->elapsed_ns);
	if (!r->live || !r->limit_ns)
		return;
	buf_addc(out, '/');
	clock_add_duration(out, r->limit_ns);
}

static void put_money(int64_t nano_usd, struct list_cell *out)
{
	if (nano_usd >= 0) {
		units_add_money(out->text, nano_usd);
		return;
	}
	buf_addc(out->text, '?');
	out->style = STYLE_WARN;
}

static void put_sign(const struct run_row *r, struct list_cell *out)
{
	buf_adds(out->text, wants_person(r) || r->state->ends_disagree ? "!" : r->live ? ">" : "");
	out->style = wants_person(r) ? STYLE_ALARM : STYLE_LIVE;
}

static void put_step(const struct run_row *r, struct buf *out)
{
	if (r->has_step)
		buf_addf(out, "%lld", (long long)r->step);
	else
		buf_addc(out, '-');
}

static void put_usual(void *user, long row, int column, struct list_cell *out)
{
	const struct run_row *r = row_at(user, row);
	const struct run_state *s = r->state;
	struct arena a = ARENA_INIT;

	switch ((enum column)column) {
	case COLUMN_SIGN:
		put_sign(r, out);
		break;
	case COLUMN_RUN:
		buf_addf(out->text, "%.*s", RUN_SHORT, s->id);
		out->style = STYLE_IDENTIFIER;
		break;
	case COLUMN_OF:
		buf_adds(out->text, run_subject_text(&a, s));
		break;
	case COLUMN_KIND:
		buf_adds(out->text, s->kind ? run_kind_text(s->kind) : "?");
		break;
	case COLUMN_TARGET:
		buf_addf(out->text, "%s%s", s->target,
			s->provenance == PROVENANCE_OBSERVED ? "" : " *");
		break;
	case COLUMN_SEED:
		buf_adds(out->text, *s->seed ? s->seed : "-");
		break;
	case COLUMN_STATE:
		put_state(r, out);
		break;
	case COLUMN_L0:
		put_l0(r, out);
		break;
	case COLUMN_STEP:
		put_step(r, out->text);
		break;
	case COLUMN_TIME:
		put_time(r, out->text);
		break;
	case COLUMN_COST:
		put_money(r->cost_nano_usd, out);
		break;
	case COLUMN_WHY:
		buf_adds(out->text,
			r->live                            ? r->now
				: s->l0 == CHECK_CONFIRMED ? s->why
							   : s->l0_why);
		out->style = STYLE_DIM;
		break;
	case COLUMNS:
		break;
	}
	arena_release(&a);
}

static void put_cell(void *user, long row, int column, struct list_cell *out)
{
	const struct runs_view *self = user;

	if (self->table.n && column > COLUMN_SIGN)
		runs_table_cell(&self->table, row, column, out);
	else
		put_usual(user, row, column, out);
}

static int compare_numbers(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_rows(void *user, long left, long right, int column)
{
	const struct run_row *a = row_at(user, left), *b = row_at(user, right);
	struct buf s = BUF_INIT, t = BUF_INIT;
	struct list_cell ca = { &s, STYLE_TEXT }, cb = { &t, STYLE_TEXT };
	const struct runs_view *self = user;
	int order;

	if (self->table.n && column > COLUMN_SIGN)
		return runs_table_compare(
			&self->table, left, right, column, self->list.sort_down);
	if (column == COLUMN_STEP)
		return compare_numbers(a->has_step ? a->step : -1, b->has_step ? b->step : -1);
	if (column == COLUMN_TIME)
		return compare_numbers(a->elapsed_ns, b->elapsed_ns);
	if (column == COLUMN_COST)
		return compare_numbers(a->cost_nano_usd, b->cost_nano_usd);
	put_cell(user, left, column, &ca);
	put_cell(user, right, column, &cb);
	order = strcmp(s.s, t.s);
	buf_release(&s);
	buf_release(&t);
	return order;
}

static bool contains(void *user, long row, const char *text)
{
	const struct runs_view *self = user;
	struct buf b = BUF_INIT;
	bool found = false;

	for (int i = 0; i < self->table.source.n_columns && !found; i++) {
		struct list_cell cell = { &b, STYLE_TEXT };

		buf_clear(&b);
		put_cell(user, row, i, &cell);
		found = strcasestr(b.s, text) != NULL;
	}
	buf_release(&b);
	return found;
}

/* An expression over columns, or a text that stands in one of those that are shown. */
static bool passes(void *user, long row, const char *text)
{
	const struct runs_view *self = user;

	if (self->filter_off)
		return true;
	if (self->table.filter)
		return runs_table_passes(&self->table, row) == TRUTH_TRUE;
	return contains(user, row, text);
}

static const char *filter_trouble(void *user)
{
	const struct runs_view *self = user;

	const char *trouble = self->filter_off ? self->table.filter_trouble : NULL;

	return trouble && text_starts(trouble, "filter: ") ? trouble + strlen("filter: ") : trouble;
}

static bool is_anywhere(struct runs_view *self, const char *text)
{
	for (long i = 0; i < count_rows(self); i++)
		if (contains(self, i, text))
			return true;
	return false;
}

void runs_filter_rows(struct runs_view *self, const char *text)
{
	runs_table_set_filter(&self->table, text);
	self->filter_off = self->table.filter_trouble && strpbrk(text, "=<>~") &&
		!is_anywhere(self, text);
	list_set_filter(&self->list, text);
}

void runs_list_source(struct runs_view *self)
{
	self->table.source = (struct list_source){
		.columns = columns,
		.n_columns = COLUMNS,
		.count = count_rows,
		.cell = put_cell,
		.key = key_of,
		.compare = compare_rows,
		.passes = passes,
		.filter_trouble = filter_trouble,
		.empty =
			"No runs yet: the footer names the key that starts a smoke run of an attempt or of the reference; "
			"portside run -- COMMAND puts any command on record, wherever it is started.",
	};
	runs_table_fit(&self->table);
}

/* ---- facts ---------------------------------------------------------------------------- */

static bool begins_section(const struct run_detail *d, size_t i)
{
	return i == 0 || strcmp(d->facts[i - 1].section, d->facts[i].section) != 0;
}

/* A line for each fact, and one above each section. */
static long count_facts(void *user)
{
	const struct runs_view *self = user;
	long n = 0;

	if (!self->facts)
		return 0;
	for (size_t i = 0; i < self->facts->detail.n; i++)
		n += 1 + begins_section(&self->facts->detail, i);
	return n;
}

/* The fact of line AT; *HEADING: the line above its section. */
static const struct run_fact *fact_at(const struct run_detail *d, long at, bool *heading)
{
	for (size_t i = 0; i < d->n; i++) {
		*heading = begins_section(d, i) && at == 0;
		at -= 1 + begins_section(d, i);
		if (at < 0)
			return &d->facts[i];
	}
	return NULL;
}

static enum style style_of(enum run_fact_tone tone)
{
	static const enum style styles[] = {
		[RUN_FACT_PLAIN] = STYLE_TEXT,
		[RUN_FACT_GOOD] = STYLE_GOOD,
		[RUN_FACT_BAD] = STYLE_BAD,
		[RUN_FACT_OPEN] = STYLE_WARN,
	};

	return styles[tone];
}

static char sign_of(enum run_fact_tone tone)
{
	return tone == RUN_FACT_GOOD    ? '+'
		: tone == RUN_FACT_BAD  ? '!'
		: tone == RUN_FACT_OPEN ? '?'
					: 0;
}

static void put_fact(void *user, long i, struct text_line *out)
{
	struct runs_view *self = user;
	struct buf *b = &self->line;
	bool heading;
	const struct run_fact *f = fact_at(&self->facts->detail, i, &heading);

	buf_clear(b);
	if (f && heading) {
		buf_adds(b, f->section);
		out->style = STYLE_HUNK;
	} else if (f) {
		buf_addf(b, "%-*s ", NAME_CELLS, f->name);
		out->spans[0] = (struct text_span){ 0, b->n, STYLE_DIM };
		out->n_spans = 1;
		buf_adds(b, f->value);
		out->style = style_of(f->tone);
		out->gutter = sign_of(f->tone);
		out->gutter_style = style_of(f->tone);
	}
	out->s = b->s;
	out->n = b->n;
}

const struct text_source *runs_facts_source(void)
{
	static const struct text_source source = { count_facts, put_fact, "nothing is selected" };

	return &source;
}
