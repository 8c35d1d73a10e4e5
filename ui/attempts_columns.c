/* attempts_columns - cells and order of view 1; see attempts_view.h. */
#include "config.h"

#include "ui/attempts_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/units.h"

/* What was said is written out up to so many cells; one configuration with a long
 * name may take more. */
enum { SAID_CELLS = 12, SAID_CELLS_MOST = 20 };

const struct attempt_row *attempts_row(const struct attempts_view *self, long i)
{
	const struct attempt_rows *rows = self->board ? &self->board->status.attempts : NULL;

	return rows && i >= 0 && (size_t)i < rows->n ? &rows->rows[i] : NULL;
}

/* ---- columns ---------------------------------------------------------------- */

static void add_column(struct attempts_view *self, enum attempts_column what, size_t configuration,
	struct list_column column)
{
	int n = self->source.n_columns;

	if (n == LIST_COLUMNS_MAX)
		return;
	self->columns[n] = column;
	self->meaning[n].what = what;
	self->meaning[n].configuration = configuration;
	self->source.n_columns++;
}

static enum level claimed_level(const struct attempt_state *s, const char *configuration, bool *any)
{
	const struct claim *c = attempt_claimed(s, configuration);

	*any |= c != NULL;
	return c ? c->level : LEVEL_UNSET;
}

static enum level expected_level(
	const struct attempt_state *s, const char *configuration, bool *any)
{
	const struct expectation *e = attempt_expected(s, configuration);

	*any |= e != NULL;
	return e ? e->level : LEVEL_UNSET;
}

/* The highest level, and "@all", the one configuration, or how many. */
static void short_said(const struct attempts_view *self, const struct attempt_state *s, bool claim,
	struct buf *out)
{
	const struct attempt_rows *rows = &self->board->status.attempts;
	enum level highest = LEVEL_UNSET;
	const char *one = NULL;
	size_t n = 0, all = rows->n_configurations;
	bool any = false;

	for (size_t i = 0; i < all; i++) {
		const char *name = rows->configurations[i];
		bool here = false;
		enum level level = claim ? claimed_level(s, name, &here)
					 : expected_level(s, name, &here);

		any |= here;
		if (level_index(level) > level_index(highest)) {
			highest = level;
			n = 0;
		}
		if (here && level == highest) {
			one = name;
			n++;
		}
	}
	if (!any) {
		(claim ? attempt_add_claimed : attempt_add_expected)(out, s, NULL);
		return;
	}
	buf_adds(out, highest == LEVEL_UNSET ? "yes" : level_name(highest));
	if (highest == LEVEL_NONE)
		return;
	if (n == all && all > 1)
		buf_adds(out, "@all");
	else if (n == 1)
		buf_addf(out, "@%s", one);
	else
		buf_addf(out, "@%zu", n);
}

/* All of it where that is short, else briefly: a level whose configuration is cut
 * off says less than "@all". */
static void add_said(const struct attempts_view *self, const struct attempt_state *s, bool claim,
	struct buf *out)
{
	(claim ? attempt_add_claimed : attempt_add_expected)(out, s, NULL);
	if (out->n <= SAID_CELLS)
		return;
	buf_clear(out);
	short_said(self, s, claim, out);
}

typedef void attempts_add_fn(
	const struct attempts_view *self, const struct attempt_row *row, struct buf *out);

/* The widest text of a column, within bounds: nothing is wider than it must be. */
static int widest(struct attempts_view *self, int least, int most, attempts_add_fn *add)
{
	struct buf b = BUF_INIT;
	const struct attempt_row *row;

	for (long i = 0; least < most && (row = attempts_row(self, i)) != NULL; i++) {
		buf_clear(&b);
		add(self, row, &b);
		if ((int)b.n > least)
			least = (int)b.n;
	}
	buf_release(&b);
	return least < most ? least : most;
}

static void add_id(const struct attempts_view *self, const struct attempt_row *row, struct buf *out)
{
	(void)self;
	buf_adds(out, row->state->id);
}

static void add_short_claim(
	const struct attempts_view *self, const struct attempt_row *row, struct buf *out)
{
	short_said(self, row->state, true, out);
}

static void add_claim(
	const struct attempts_view *self, const struct attempt_row *row, struct buf *out)
{
	add_said(self, row->state, true, out);
}

static void add_expectation(
	const struct attempts_view *self, const struct attempt_row *row, struct buf *out)
{
	add_said(self, row->state, false, out);
}

static void add_change(
	const struct attempts_view *self, const struct attempt_row *row, struct buf *out)
{
	(void)self;
	attempt_add_changes(out, row->state, &row->changes.previous);
}

/* The intended configuration is the first one and stays longest; in a narrow
 * window the others are told by the detail below. */
static void add_configurations(struct attempts_view *self)
{
	const struct attempt_rows *rows = &self->board->status.attempts;

	for (size_t i = 0; i < rows->n_configurations; i++)
		add_column(self, COLUMN_CONFIGURATION, i, (struct list_column){
			.title = rows->configurations[i], .min = 14, .drop = i ? 20 + (int)i : 2 });
	if (!rows->n_configurations)
		add_column(self, COLUMN_CONFIGURATION, 0,
			(struct list_column){ .title = "measured", .min = 8, .drop = 2 });
}

void attempts_set_columns(struct attempts_view *self)
{
	int sort = self->list.sort_column;

	self->source.n_columns = 0;
	self->claim_cols[0] = widest(self, 8, 12, add_short_claim);
	self->claim_cols[1] = widest(self, 8, SAID_CELLS_MOST, add_claim);
	self->expected_cols = widest(self, 4, SAID_CELLS_MOST, add_expectation);
	add_column(self, COLUMN_NUMBER, 0,
		(struct list_column){ .title = "#", .min = widest(self, 3, 14, add_id) });
	add_column(self, COLUMN_SIGN, 0, (struct list_column){ .title = "", .min = 1 });
	add_column(self, COLUMN_CHANGE, 0,
		(struct list_column){
			.title = "change", .min = widest(self, 8, 12, add_change), .drop = 4 });
	add_column(self, COLUMN_EXPECTED, 0,
		(struct list_column){ .title = "exp", .min = 4, .weight = 1, .drop = 8 });
	add_column(self, COLUMN_CLAIMED, 0,
		(struct list_column){ .title = "claim", .min = 8, .weight = 2, .drop = 3 });
	add_configurations(self);
	add_column(self, COLUMN_OUTCOME, 0,
		(struct list_column){ .title = "outcome", .min = 8, .drop = 1 });
	add_column(self, COLUMN_CAUSE, 0,
		(struct list_column){
			.title = "cause you/agent", .min = 10, .weight = 1, .drop = 6 });
	add_column(self, COLUMN_RUNS, 0,
		(struct list_column){ .title = "runs", .min = 4, .drop = 12, .right = true });
	add_column(self, COLUMN_COST, 0,
		(struct list_column){ .title = "$", .min = 7, .drop = 7, .right = true });
	add_column(self, COLUMN_HUMAN, 0,
		(struct list_column){ .title = "human", .min = 5, .drop = 9, .right = true });
	add_column(self, COLUMN_SUBJECT, 0,
		(struct list_column){ .title = "subject", .min = 20, .weight = 6, .drop = 19 });
	if (sort >= self->source.n_columns)
		self->list.sort_column = -1;
}

void attempts_set_width(struct attempts_view *self, int cols)
{
	bool wide = cols >= ATTEMPTS_WIDE_COLS;

	self->cols = cols;
	for (int i = 0; i < self->source.n_columns; i++) {
		struct list_column *k = &self->columns[i];

		if (self->meaning[i].what == COLUMN_CAUSE) {
			k->title = wide ? "cause you/agent" : "you/agent";
			k->min = wide ? (int)strlen(k->title) : 10;
			k->weight = !wide;
		} else if (self->meaning[i].what == COLUMN_CLAIMED) {
			k->min = self->claim_cols[wide];
		} else if (self->meaning[i].what == COLUMN_EXPECTED) {
			k->min = wide ? self->expected_cols : 4;
		}
	}
}

/* ---- cells -------------------------------------------------------------------- */

static const char *configuration_name(const struct attempts_view *self, int column)
{
	const struct attempt_rows *rows = &self->board->status.attempts;
	size_t i = self->meaning[column].configuration;

	return i < rows->n_configurations ? rows->configurations[i] : NULL;
}

static void sign_cell(const struct attempt_state *s, struct list_cell *out)
{
	if (attempt_contradicts(s) || s->gone) {
		buf_addc(out->text, '!');
		out->style = STYLE_ALARM;
	} else if (s->runs_live) {
		buf_addc(out->text, '>');
		out->style = STYLE_LIVE;
	}
}

static void change_cell(const struct attempt_row *row, struct list_cell *out)
{
	if (!row->state->environment_only && !row->changes.previous.known) {
		buf_adds(out->text, "...");
		out->style = STYLE_DIM;
		return;
	}
	attempt_add_changes(out->text, row->state, &row->changes.previous);
}

static void said_cell(const struct attempts_view *self, const struct attempt_state *s, bool claim,
	struct list_cell *out)
{
	const struct expectation *e;

	if (claim && self->cols < ATTEMPTS_WIDE_COLS) {
		short_said(self, s, true, out->text);
	} else if (claim) {
		add_said(self, s, true, out->text);
	} else if (self->cols < ATTEMPTS_WIDE_COLS) {
		e = attempt_expected(s, self->board->status.attempts.intended);
		buf_adds(out->text, e && e->level != LEVEL_UNSET ? level_name(e->level) : "-");
	} else {
		add_said(self, s, false, out->text);
	}
	if (strcmp(out->text->s, "-") == 0)
		out->style = STYLE_DIM;
}

/* A run that lives says so where its result will stand. */
static const struct run_brief *live_run_on(const struct attempt_state *s, const char *configuration)
{
	for (size_t i = s->runs_n; s->runs_live && i-- > 0; )
		if (!run_status_ended(s->runs[i].state) &&
			strcmp(s->runs[i].configuration, configuration) == 0)
			return &s->runs[i];
	return NULL;
}

/* Is CONFIGURATION the head of a column that was left out of a narrow window? */
static bool is_left_out(const struct attempts_view *self, const char *configuration)
{
	for (int i = 0; i < self->source.n_columns; i++) {
		const char *name = self->meaning[i].what == COLUMN_CONFIGURATION
			? configuration_name(self, i)
			: NULL;

		if (name && strcmp(name, configuration) == 0)
			return !self->list.widths[i];
	}
	return true;
}

/* What was measured where no column is left for it: the first, and how many MORE. */
static const struct measured *measured_elsewhere(
	const struct attempts_view *self, const struct attempt_state *s, size_t *more)
{
	const struct measured *first = NULL;

	*more = 0;
	for (size_t i = 0; i < s->measured_n; i++) {
		if (!is_left_out(self, s->measured[i].configuration))
			continue;
		*more += first != NULL;
		first = first ? first : &s->measured[i];
	}
	return first;
}

/* "L0@local", "?@local +1". */
static void elsewhere_cell(
	const struct attempts_view *self, const struct attempt_state *s, struct list_cell *out)
{
	size_t more;
	const struct measured *first = measured_elsewhere(self, s, &more);

	out->style = STYLE_DIM;
	if (!first) {
		buf_addc(out->text, '-');
		return;
	}
	if (first->vector.l0 == CHECK_UNKNOWN || first->vector.l0 == CHECK_NOT_CHECKED)
		buf_addc(out->text, '?');
	else
		buf_adds(out->text, level_name(first->ladder.level));
	buf_addf(out->text, "@%s", first->configuration);
	if (more)
		buf_addf(out->text, " +%zu", more);
}

static void measured_cell(const struct attempts_view *self, const struct attempt_state *s,
	const char *configuration, struct list_cell *out)
{
	const struct measured *m = configuration ? attempt_measured(s, configuration) : NULL;
	const struct run_brief *live = configuration ? live_run_on(s, configuration) : NULL;
	size_t more;
	const struct measured *other = measured_elsewhere(self, s, &more);

	/* Nothing ran there: what ran elsewhere says more. */
	if (m && m->vector.l0 == CHECK_NOT_CHECKED && other &&
		other->vector.l0 != CHECK_NOT_CHECKED)
		m = NULL;
	if (live) {
		buf_addf(out->text, "> %s", live->kind ? run_kind_text(live->kind) : "runs");
		out->style = STYLE_LIVE;
		return;
	}
	if (!m) {
		elsewhere_cell(self, s, out);
		return;
	}
	attempt_add_measured_briefly(out->text, s, configuration);
	if (m->claim == CLAIM_OVER || m->vector.l0 == CHECK_REFUTED)
		out->style = STYLE_BAD;
	else if (m->ladder.level == m->ladder.upper && m->ladder.level != LEVEL_NONE)
		out->style = STYLE_GOOD;
	else
		out->style = STYLE_WARN;
}

static void outcome_cell(const struct attempt_state *s, struct list_cell *out)
{
	buf_adds(out->text, attempt_outcome_word(s));
	if (s->gone || s->outcome == OUTCOME_FAILURE)
		out->style = STYLE_BAD;
	else if (s->runs_live)
		out->style = STYLE_LIVE;
	else if (s->outcome == OUTCOME_SUCCESS)
		out->style = STYLE_GOOD;
	else
		out->style = STYLE_DIM;
}

static void cost_cell(const struct attempt_state *s, struct list_cell *out)
{
	/* What is on record beside runs is known. */
	int64_t other = s->other_cost_nano_usd != 0;

	if (s->runs_ended || other)
		cost_add_sum(out->text, s->run_cost_nano_usd + s->other_cost_nano_usd,
			s->runs_without_cost, s->runs_ended + other);
	else
		buf_addc(out->text, '-');
}

static void count_cell(int64_t n, struct list_cell *out)
{
	if (n)
		buf_addf(out->text, "%lld", (long long)n);
	else
		buf_addc(out->text, '-');
}

void attempts_cell(void *user, long i, int column, struct list_cell *out)
{
	const struct attempts_view *self = user;
	const struct attempt_row *row = attempts_row(self, i);
	const struct attempt_state *s;

	if (!row)
		return;
	s = row->state;
	switch (self->meaning[column].what) {
	case COLUMN_NUMBER:
		buf_adds(out->text, s->id);
		break;
	case COLUMN_SIGN:
		sign_cell(s, out);
		break;
	case COLUMN_CHANGE:
		change_cell(row, out);
		break;
	case COLUMN_EXPECTED:
		said_cell(self, s, false, out);
		break;
	case COLUMN_CLAIMED:
		said_cell(self, s, true, out);
		break;
	case COLUMN_CONFIGURATION:
		measured_cell(self, s, configuration_name(self, column), out);
		break;
	case COLUMN_OUTCOME:
		if (self->blind)
			buf_adds(out->text, "hidden");
		else
			outcome_cell(s, out);
		break;
	case COLUMN_CAUSE:
		if (self->blind)
			buf_adds(out->text, "hidden");
		else
			attempt_add_cause(out->text, s);
		break;
	case COLUMN_RUNS:
		count_cell((int64_t)s->runs_n, out);
		break;
	case COLUMN_COST:
		cost_cell(s, out);
		break;
	case COLUMN_HUMAN:
		count_cell(s->interventions, out);
		break;
	case COLUMN_SUBJECT:
		buf_adds(out->text, s->subject);
		break;
	}
}

/* ---- order ---------------------------------------------------------------------- */

static int by_number(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int64_t lines_of(const struct attempt_row *row)
{
	return row->changes.previous.added + row->changes.previous.removed;
}

/* What is written as a word is ordered as a number where it is one. */
int attempts_compare(void *user, long a, long b, int column)
{
	const struct attempts_view *self = user;
	const struct attempt_row *x = attempts_row(self, a), *y = attempts_row(self, b);
	struct buf left = BUF_INIT, right = BUF_INIT;
	struct list_cell one = { &left, STYLE_TEXT }, two = { &right, STYLE_TEXT };
	int order;

	switch (self->meaning[column].what) {
	case COLUMN_NUMBER:
		return by_number(a, b);
	case COLUMN_CHANGE:
		return by_number(lines_of(x), lines_of(y));
	case COLUMN_RUNS:
		return by_number((int64_t)x->state->runs_n, (int64_t)y->state->runs_n);
	case COLUMN_COST:
		return by_number(x->state->run_cost_nano_usd, y->state->run_cost_nano_usd);
	case COLUMN_HUMAN:
		return by_number(x->state->interventions, y->state->interventions);
	case COLUMN_SIGN: case COLUMN_EXPECTED: case COLUMN_CLAIMED: case COLUMN_CONFIGURATION:
	case COLUMN_OUTCOME: case COLUMN_CAUSE: case COLUMN_SUBJECT:
		break;
	}
	attempts_cell(user, a, column, &one);
	attempts_cell(user, b, column, &two);
	order = strcmp(left.s, right.s);
	buf_release(&left);
	buf_release(&right);
	return order;
}
