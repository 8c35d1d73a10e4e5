/* run_table - see run_table.h: columns, cells and their order.  Filters are in
 * run_table_filter.c, groups in run_table_group.c. */
#include "config.h"

#include "curve/run_table_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"

enum { WORDS_MAX = 12 };

static const char *const fields[RUN_FIELDS] = {
	[RUN_FIELD_RUN] = "run",
	[RUN_FIELD_ATTEMPT] = "attempt",
	[RUN_FIELD_KIND] = "kind",
	[RUN_FIELD_TARGET] = "target",
	[RUN_FIELD_SEED] = "seed",
	[RUN_FIELD_OUTCOME] = "outcome",
	[RUN_FIELD_STARTED] = "started",
	[RUN_FIELD_DURATION] = "duration",
	[RUN_FIELD_STEP] = "step",
	[RUN_FIELD_COST] = "cost",
};

static const char *const reducers[] = {
	[RUN_LAST] = "last",
	[RUN_FIRST] = "first",
	[RUN_MIN] = "min",
	[RUN_MAX] = "max",
	[RUN_MEAN] = "mean",
	[RUN_COUNT] = "count",
};

/* ---- words ---------------------------- */

bool run_words_add(struct run_words *w, struct arena *a, const char *s, size_t n, bool quoted)
{
	if (w->n == WORDS_MAX)
		return false;
	w->list[w->n] = arena_strndup(a, s, n);
	w->quoted[w->n++] = quoted;
	return true;
}

size_t run_word_length(const char *s)
{
	return *s == '"' ? strcspn(s + 1, "\"") + 1 + (strchr(s + 1, '"') != NULL)
			 : strcspn(s, " \t,\"");
}

/* Blanks part words; quotes hold one together.  False for too many, or an open quote. */
static bool split(struct run_words *w, struct arena *a, const char *s)
{
	w->n = 0;
	for (s += strspn(s, " \t"); *s; s += strspn(s, " \t")) {
		size_t n = run_word_length(s);
		bool quoted = *s == '"';

		if (!n || (quoted && (n < 2 || s[n - 1] != '"')) ||
			!run_words_add(w, a, s + quoted, n - 2 * quoted, quoted))
			return false;
		s += n;
	}
	return true;
}

static int find_word(const char *const *list, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], word) == 0)
			return (int)i;
	return -1;
}

int run_reduce_find(const char *word)
{
	return find_word(reducers, ARRAY_LEN(reducers), word);
}

/* ---- columns ---------------------------- */

void run_fields_add_names(struct buf *out)
{
	for (size_t i = 0; i < RUN_FIELDS; i++)
		buf_addf(out, "%s%s", i ? ", " : "", fields[i]);
}

static int refuse(const char *s)
{
	struct buf names = BUF_INIT;
	int rc;

	run_fields_add_names(&names);
	rc = err_set(ERR_USAGE,
		"\"%s\" is no column: write [last|first|min|max|mean|count] SERIES [@X] [as NAME], "
		"step of min SERIES, =KEY, or one of %s",
		s, names.s);
	buf_release(&names);
	return rc;
}

/* "@100" at the end. */
static bool take_at(struct run_column *c, struct run_words *w)
{
	const char *last = w->n > 1 && !w->quoted[w->n - 1] ? w->list[w->n - 1] : "";

	if (*last != '@')
		return true;
	c->has_at = true;
	w->n--;
	return text_to_double(last + 1, strlen(last + 1), &c->at) && isfinite(c->at);
}

/* "recall@5" as the last word: a series at 5, or one that is called so. */
static bool take_joined(struct run_column *c, struct run_words *w, struct arena *a)
{
	const char *last = w->list[w->n - 1], *at = strrchr(last, '@');

	if (c->has_at || w->quoted[w->n - 1] || *last == '=' || !at || at == last ||
		!text_to_double(at + 1, strlen(at + 1), &c->at) || !isfinite(c->at))
		return false;
	w->list[w->n - 1] = arena_strndup(a, last, (size_t)(at - last));
	if (find_word(fields, RUN_FIELDS, w->list[w->n - 1]) >= 0) {
		w->list[w->n - 1] = last;	/* what a run is has no steps */
		return false;
	}
	c->has_at = true;
	c->joined = last;
	return true;
}

static bool take_step_of(struct run_column *c, const struct run_words *w)
{
	int reduce = w->n == 4 ? run_reduce_find(w->list[2]) : -1;

	if (reduce < 0 || reduce > RUN_MAX || strcmp(w->list[0], "step") != 0 ||
		strcmp(w->list[1], "of") != 0)
		return false;
	c->kind = RUN_COLUMN_STEP_OF;
	c->reduce = (enum run_reduce)reduce;
	c->key = w->list[3];
	return true;
}

static bool take_config(struct run_column *c, const struct run_words *w)
{
	bool apart = w->n == 2 && strcmp(w->list[0], "=") == 0;

	if (w->quoted[0] || *w->list[0] != '=' || (!apart && (w->n != 1 || !w->list[0][1])))
		return false;
	c->kind = RUN_COLUMN_CONFIG;
	c->key = apart ? w->list[1] : w->list[0] + 1;
	return !c->has_at && *c->key;
}

static bool take_series(struct run_column *c, const struct run_words *w)
{
	int reduce = w->n == 2 && !w->quoted[0] ? run_reduce_find(w->list[0]) : -1;
	int field = w->n == 1 && !w->quoted[0] ? find_word(fields, RUN_FIELDS, w->list[0]) : -1;

	if (field >= 0) {
		c->kind = RUN_COLUMN_FIELD;
		c->field = (enum run_field)field;
		return !c->has_at;
	}
	c->kind = RUN_COLUMN_SERIES;
	c->reduce = reduce < 0 ? RUN_LAST : (enum run_reduce)reduce;
	c->is_exact = c->has_at && reduce < 0;
	c->key = w->list[w->n - 1];
	return *c->key && (w->quoted[w->n - 1] || !strchr("@=", *c->key)) && (reduce >= 0 || w->n == 1);
}

bool run_column_of_words(struct run_column *c, struct run_words *w, struct arena *a)
{
	if (!w->n || !take_at(c, w))
		return false;
	(void)take_joined(c, w, a);
	return take_step_of(c, w) || take_config(c, w) || take_series(c, w);
}

static const char *trimmed(struct arena *a, const char *s, size_t n)
{
	while (n && (*s == ' ' || *s == '\t')) {
		s++;
		n--;
	}
	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return arena_strndup(a, s, n);
}

int run_column_parse(struct run_column *out, struct arena *a, const char *s)
{
	struct run_words w;
	const char *as;

	*out = (struct run_column){ .kind = RUN_COLUMN_FIELD };
	out->text = out->name = trimmed(a, s, strlen(s));
	if (!split(&w, a, out->text))
		return refuse(out->text);
	if (w.n > 2 && !w.quoted[w.n - 2] && strcmp(w.list[w.n - 2], "as") == 0) {
		out->name = w.list[w.n - 1];
		as = strstr(out->text, " as ");
		for (const char *next; as && (next = strstr(as + 1, " as ")) != NULL;)
			as = next;
		out->text = trimmed(
			a, out->text, as ? (size_t)(as - out->text) : strlen(out->text));
		w.n -= 2;
	}
	return run_column_of_words(out, &w, a) ? 0 : refuse(s);
}

/* The length of one column of a list: up to a comma outside of quotes. */
static size_t item_length(const char *s)
{
	bool quoted = false;
	size_t n = 0;

	for (; s[n] && (quoted || s[n] != ','); n++)
		quoted ^= s[n] == '"';
	return n;
}

int run_columns_parse(struct run_column **out, size_t *n, struct arena *a, const char *list)
{
	*out = arena_alloc(a, RUN_COLUMNS_MAX * sizeof **out);
	*n = 0;
	for (const char *s = list; *s;) {
		size_t length = item_length(s);
		const char *item = trimmed(a, s, length);
		int rc;

		s += length + (s[length] == ',');
		if (!*item)
			continue;
		if (*n == RUN_COLUMNS_MAX)
			return err_set(ERR_USAGE, "more than %d columns", RUN_COLUMNS_MAX);
		if ((rc = run_column_parse(&(*out)[(*n)++], a, item)) < 0)
			return rc;
	}
	return 0;
}

bool run_columns_need_curves(const struct run_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (columns[i].kind != RUN_COLUMN_FIELD)
			return true;
	return false;
}

bool run_columns_need_points(const struct run_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (columns[i].has_at)
			return true;
	return false;
}

/* Where and how often are no values. */
static bool has_values(const struct run_column *c)
{
	return c->kind == RUN_COLUMN_SERIES && c->reduce != RUN_COUNT;
}

void run_columns_scale(struct run_column *columns, size_t n, const struct run_scale *scales,
	size_t n_scales)
{
	for (size_t i = 0; i < n; i++) {
		columns[i].scale = 0;
		columns[i].unit = NULL;
		for (size_t k = n_scales; k-- > 0 && has_values(&columns[i]);)
			if (text_glob(scales[k].series, columns[i].key)) {
				columns[i].scale = scales[k].scale;
				columns[i].unit = scales[k].unit;
			}
	}
}

/* ---- cells ---------------------------- */

static struct run_cell number_cell(double v)
{
	return (struct run_cell){ .type = RUN_CELL_NUMBER, .number = v };
}

static struct run_cell text_cell(const char *s)
{
	return s && *s ? (struct run_cell){ .type = RUN_CELL_TEXT, .text = s }
		       : (struct run_cell){ .type = RUN_CELL_ABSENT };
}

/* What a configuration says: 1e-4 and 0.0001 are one value. */
static struct run_cell setting_cell(const char *s)
{
	struct run_cell cell = text_cell(s);
	double v;

	if (cell.type == RUN_CELL_TEXT && text_to_double(s, strlen(s), &v) && isfinite(v)) {
		cell.type = RUN_CELL_NUMBER;
		cell.number = v;
	}
	return cell;
}

/* A series without points says nothing; without a finite one it has no least. */
static struct run_cell reduced(const struct series_summary *s, enum run_reduce reduce)
{
	bool finite = s->count > s->non_finite;

	switch (reduce) {
	case RUN_COUNT:
		return number_cell((double)s->count);
	case RUN_LAST:
		return s->count ? number_cell(s->last) : text_cell(NULL);
	case RUN_FIRST:
		return s->count ? number_cell(s->first) : text_cell(NULL);
	case RUN_MIN:
		return finite ? number_cell(s->min) : text_cell(NULL);
	case RUN_MAX:
		return finite ? number_cell(s->max) : text_cell(NULL);
	case RUN_MEAN:
		return finite ? number_cell(s->mean) : text_cell(NULL);
	}
	return text_cell(NULL);
}

static struct run_cell step_of(const struct series_summary *s, enum run_reduce reduce)
{
	const struct { double x; int64_t step; } places[] = {
		[RUN_MIN] = { s->min_x, s->min_step },
		[RUN_MAX] = { s->max_x, s->max_step },
		[RUN_LAST] = { s->last_x, s->last_step },
		[RUN_FIRST] = { s->first_x, s->first_step },
	};
	size_t place = reduce < ARRAY_LEN(places) ? reduce : RUN_FIRST;
	struct run_cell cell = number_cell(places[place].x);

	if (isnan(cell.number))
		return text_cell(NULL);
	cell.is_whole = series_axis_is_whole(s->axis);
	cell.whole = places[place].step;
	return cell;
}

/* The one over steps before others of that name. */
static const struct series_summary *find_series(const struct run_record *r, const char *name)
{
	const struct series_summary *found = NULL;

	for (size_t i = 0; i < r->n_series; i++)
		if (strcmp(r->series[i].name, name) == 0 &&
			(!found || (found->axis != AXIS_STEP && r->series[i].axis == AXIS_STEP)))
			found = &r->series[i];
	return found;
}

static bool is_called_so(const struct run_column *c, const struct run_record *r)
{
	return c->joined && !r->is_reading && find_series(r, c->joined);
}

bool run_columns_settle(struct run_column *columns, size_t n, const struct run_record *records,
	size_t n_records)
{
	bool changed = false;

	for (size_t i = 0; i < n; i++) {
		struct run_column *c = &columns[i];
		size_t k = 0;

		while (k < n_records && !is_called_so(c, &records[k]))
			k++;
		if (k == n_records)
			continue;
		c->key = c->joined;
		c->joined = NULL;
		c->has_at = c->is_exact = false;
		changed = true;
	}
	return changed;
}

static struct run_cell field_cell(const struct run_record *r, enum run_field field)
{
	double v;

	if (field != RUN_FIELD_DURATION && field != RUN_FIELD_STEP && field != RUN_FIELD_COST)
		return text_cell(r->fields[field]);
	v = field == RUN_FIELD_DURATION ? r->duration_s
		: field == RUN_FIELD_STEP ? r->last_step
					  : r->cost_usd;
	return isnan(v) ? text_cell(NULL) : number_cell(v);
}

static struct run_cell at_cell(const struct run_record *r, const char *text)
{
	for (size_t i = 0; i < r->n_at; i++)
		if (strcmp(r->at[i].text, text) == 0)
			return r->at[i].cell;
	return text_cell(NULL);
}

bool run_column_is_number(const struct run_column *c)
{
	return c->kind == RUN_COLUMN_SERIES || c->kind == RUN_COLUMN_STEP_OF ||
		(c->kind == RUN_COLUMN_FIELD &&
			(c->field == RUN_FIELD_DURATION || c->field == RUN_FIELD_STEP ||
				c->field == RUN_FIELD_COST));
}

/* 0.3137 times 100 is 31.37, as people see it, and not 31.369999999999997. */
static double scaled(double v, double scale)
{
	char text[40];

	if (!isfinite(v * scale))
		return v * scale;
	snprintf(text, sizeof text, "%.15g", v * scale);
	return strtod(text, NULL);
}

void run_cell_of(struct run_cell *out, const struct run_column *c, const struct run_record *r)
{
	const struct series_summary *s;

	*out = (struct run_cell){ .type = RUN_CELL_READING };
	if (c->kind == RUN_COLUMN_FIELD) {
		*out = field_cell(r, c->field);
	} else if (r->is_reading) {
		return;
	} else if (c->kind == RUN_COLUMN_CONFIG) {
		*out = setting_cell(r->config ? settings_find(r->config, c->key) : NULL);
	} else if (c->has_at && !is_called_so(c, r)) {
		*out = at_cell(r, c->text);
	} else {
		s = find_series(r, c->joined ? c->joined : c->key);
		*out = !s ? text_cell(NULL)
			: c->kind == RUN_COLUMN_STEP_OF ? step_of(s, c->reduce)
							: reduced(s, c->reduce);
	}
	if (c->scale > 0 && out->type == RUN_CELL_NUMBER)
		out->number = scaled(out->number, c->scale);
}

void run_cell_at(struct run_cell *out, const struct run_column *c, const struct run_series *points)
{
	const struct series *s = run_series_find(points, c->key, -1);
	struct series_summary sum;
	double v;

	*out = text_cell(NULL);
	if (!s)
		return;
	if (c->is_exact) {
		if (series_value_at(&v, s, c->at))
			*out = number_cell(v);
		return;
	}
	series_summarise(&sum, s, c->at);
	*out = c->kind == RUN_COLUMN_STEP_OF ? step_of(&sum, c->reduce) : reduced(&sum, c->reduce);
}

/* ---- order ---------------------------- */

static int rank_of(const struct run_cell *c)
{
	return c->type == RUN_CELL_NUMBER ? isnan(c->number) : c->type == RUN_CELL_TEXT ? 2 : 3;
}

int run_cell_compare(const struct run_cell *a, const struct run_cell *b, bool down)
{
	int x = rank_of(a), y = rank_of(b), order;

	/* What is not there, or is no number, does not change sides with the direction. */
	if (x != y)
		return x < y ? -1 : 1;
	if (x == 0 && a->is_whole && b->is_whole)
		order = a->whole < b->whole ? -1 : a->whole > b->whole;
	else if (x == 0)
		order = a->number < b->number ? -1 : a->number > b->number;
	else
		order = x == 2 ? text_compare_natural(a->text, b->text) : 0;
	return down ? -order : order;
}

int run_sorts_parse(struct run_sort **out, size_t *n, struct arena *a, const char *list,
	const struct run_column *columns, size_t n_columns)
{
	*out = arena_alloc(a, RUN_SORTS_MAX * sizeof **out);
	*n = 0;
	for (const char *s = list; *s;) {
		size_t length = item_length(s);
		const char *item = trimmed(a, s, length);
		struct run_sort *k = &(*out)[*n];
		const struct run_column *named = NULL;
		int rc;

		s += length + (s[length] == ',');
		if (!*item)
			continue;
		if ((*n)++ == RUN_SORTS_MAX)
			return err_set(ERR_USAGE, "more than %d keys to sort by", RUN_SORTS_MAX);
		k->down = *item == '-';
		item += k->down + strspn(item + k->down, " \t");
		for (size_t i = 0; i < n_columns; i++)
			if (strcmp(columns[i].name, item) == 0)
				named = &columns[i];
		if (named)
			k->column = *named;
		else if ((rc = run_column_parse(&k->column, a, item)) < 0)
			return rc;
	}
	return 0;
}

struct order { const struct run_record *records; const struct run_sort *sorts; size_t n; };

static int compare_rows(const void *left, const void *right, void *user)
{
	const struct order *o = user;
	size_t x = *(const size_t *)left, y = *(const size_t *)right;

	for (size_t i = 0; i < o->n; i++) {
		struct run_cell a, b;
		int order;

		run_cell_of(&a, &o->sorts[i].column, &o->records[x]);
		run_cell_of(&b, &o->sorts[i].column, &o->records[y]);
		order = run_cell_compare(&a, &b, o->sorts[i].down);
		if (order)
			return order;
	}
	return 0;
}

/* The place is the last key: equal rows stay in their order. */
struct placed { size_t row, place; };

static int compare_placed(const void *left, const void *right, void *user)
{
	const struct placed *a = left, *b = right;
	int order = compare_rows(&a->row, &b->row, user);

	return order ? order : a->place < b->place ? -1 : a->place > b->place;
}

void run_table_sort(size_t *rows, size_t n, const struct run_record *records,
	const struct run_sort *sorts, size_t n_sorts)
{
	struct order o = { records, sorts, n_sorts };
	struct placed *placed = xcalloc(n + 1, sizeof *placed);

	for (size_t i = 0; i < n; i++)
		placed[i] = (struct placed){ rows[i], i };
	qsort_r(placed, n, sizeof *placed, compare_placed, &o);
	for (size_t i = 0; i < n; i++)
		rows[i] = placed[i].row;
	free(placed);
}
