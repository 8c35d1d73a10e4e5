/* list - see list.h: which rows, in which order, and the selection.  Drawing is in list_draw.c. */
#include "config.h"

#include "ui/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "command/key.h"

enum { FIRST_PAGE = 10 };

void list_init(struct list *l, const struct list_source *source, void *user)
{
	memset(l, 0, sizeof *l);
	l->source = source;
	l->user = user;
	l->page = FIRST_PAGE;
	l->sort_column = -1;
	l->range_from = -1;
	buf_init(&l->selected_key);
}

void list_release(struct list *l)
{
	free(l->shown);
	free(l->filter);
	free(l->search);
	free(l->marked);
	for (size_t i = 0; i < l->n_marked_keys; i++)
		free(l->marked_keys[i]);
	free(l->marked_keys);
	buf_release(&l->selected_key);
	memset(l, 0, sizeof *l);
}

/* ---- rows ---------------------------------------------------------------- */

static void add_key(const struct list *l, long row, struct buf *out)
{
	if (l->source->key)
		l->source->key(l->user, row, out);
	else
		buf_addf(out, "%ld", row);
}

static void cell_text(const struct list *l, long row, int column, struct buf *out)
{
	struct list_cell cell = { out, STYLE_TEXT };

	buf_clear(out);
	l->source->cell(l->user, row, column, &cell);
}

/* Does any column of ROW contain TEXT?  Case is ignored in ASCII. */
static bool row_contains(const struct list *l, long row, const char *text)
{
	struct buf b = BUF_INIT;
	bool found = false;

	for (int i = 0; i < l->source->n_columns && !found; i++) {
		cell_text(l, row, i, &b);
		found = strcasestr(b.s, text) != NULL;
	}
	buf_release(&b);
	return found;
}

static bool row_passes(const struct list *l, long row)
{
	if (!l->filter)
		return true;
	if (l->source->passes)
		return l->source->passes(l->user, row, l->filter);
	return row_contains(l, row, l->filter);
}

static int compare_text(const struct list *l, long a, long b)
{
	struct buf left = BUF_INIT, right = BUF_INIT;
	int order;

	cell_text(l, a, l->sort_column, &left);
	cell_text(l, b, l->sort_column, &right);
	order = text_compare_natural(left.s, right.s);
	buf_release(&left);
	buf_release(&right);
	return order;
}

static int compare_rows(const void *a, const void *b, void *user)
{
	const struct list *l = user;
	long x = *(const long *)a, y = *(const long *)b;
	int order = l->source->compare ? l->source->compare(l->user, x, y, l->sort_column) :
					 compare_text(l, x, y);

	if (l->sort_down)
		order = -order;
	if (order)
		return order;
	return x < y ? -1 : x > y;		/* stable */
}

static void keep_key(struct list *l)
{
	buf_clear(&l->selected_key);
	if (l->selected >= 0 && l->selected < l->n_shown)
		add_key(l, l->shown[l->selected], &l->selected_key);
}

bool list_select_key(struct list *l, const char *key)
{
	struct buf b = BUF_INIT;
	long found = -1;

	for (long i = 0; i < l->n_shown && found < 0; i++) {
		buf_clear(&b);
		add_key(l, l->shown[i], &b);
		if (strcmp(b.s, key) == 0)
			found = i;
	}
	buf_release(&b);
	if (found < 0)
		return false;
	l->selected = found;
	keep_key(l);
	return true;
}

static void choose_rows(struct list *l)
{
	free(l->shown);
	l->shown = xcalloc((size_t)l->n_rows, sizeof *l->shown);
	l->n_shown = 0;
	for (long row = 0; row < l->n_rows; row++)
		if (row_passes(l, row))
			l->shown[l->n_shown++] = row;
	if (l->sort_column >= 0)
		qsort_r(l->shown, (size_t)l->n_shown, sizeof *l->shown, compare_rows, l);
}

/* The selected row again, or else the one that took its place. */
static void arrange(struct list *l)
{
	char *key = l->selected_key.n ? xstrdup(l->selected_key.s) : NULL;

	choose_rows(l);
	if (!key || !list_select_key(l, key)) {
		l->selected = motion_apply(MOTION_NONE, l->selected, l->n_shown, l->page);
		keep_key(l);
	}
	free(key);
}

static void remember_marks(struct list *l)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < l->n_marked_keys; i++)
		free(l->marked_keys[i]);
	l->n_marked_keys = 0;
	for (long row = 0; row < l->n_rows; row++) {
		if (!l->marked[row])
			continue;
		buf_clear(&b);
		add_key(l, row, &b);
		ARRAY_GROW(l->marked_keys, l->n_marked_keys, l->cap_marked_keys);
		l->marked_keys[l->n_marked_keys++] = xstrdup(b.s);
	}
	buf_release(&b);
}

static bool was_marked(const struct list *l, const char *key)
{
	for (size_t i = 0; i < l->n_marked_keys; i++)
		if (strcmp(l->marked_keys[i], key) == 0)
			return true;
	return false;
}

/* A mark stays on its row, wherever that stands now. */
static void place_marks(struct list *l, long n)
{
	struct buf b = BUF_INIT;

	l->marked = xrealloc(l->marked, (size_t)n);
	if (n)
		memset(l->marked, 0, (size_t)n);
	for (long row = 0; l->n_marked_keys && row < n; row++) {
		buf_clear(&b);
		add_key(l, row, &b);
		l->marked[row] = was_marked(l, b.s);
	}
	buf_release(&b);
}

void list_reload(struct list *l)
{
	long n = l->source->count(l->user);

	if (n < 0)
		n = 0;
	place_marks(l, n);
	l->n_rows = n;
	arrange(l);
}

/* ---- selection ----------------------------------------------------------- */

bool list_move(struct list *l, enum motion motion)
{
	long was = l->selected;
	int left = l->left;

	if (motion == MOTION_LEFT && l->left > 0)
		l->left--;
	else if (motion == MOTION_RIGHT && l->left < l->source->n_columns - 2)
		l->left++;
	else
		l->selected = motion_apply(motion, l->selected, l->n_shown, l->page);
	keep_key(l);
	return l->selected != was || l->left != left;
}

void list_select(struct list *l, long row)
{
	for (long i = 0; i < l->n_shown; i++)
		if (l->shown[i] == row)
			l->selected = i;
	keep_key(l);
}

long list_selected(const struct list *l)
{
	return l->selected >= 0 && l->selected < l->n_shown ? l->shown[l->selected] : -1;
}

/* ---- filter, search, sort ------------------------------------------------ */

static void set_string(char **s, const char *text)
{
	free(*s);
	*s = text && *text ? xstrdup(text) : NULL;
}

void list_set_filter(struct list *l, const char *text)
{
	set_string(&l->filter, text);
	arrange(l);
}

void list_set_search(struct list *l, const char *text)
{
	set_string(&l->search, text);
}

bool list_search(struct list *l, int direction)
{
	if (!l->search)
		return false;
	for (long i = 1; i <= l->n_shown; i++) {
		long at = (l->selected + direction * i % l->n_shown + l->n_shown) % l->n_shown;

		if (row_contains(l, l->shown[at], l->search)) {
			l->selected = at;
			keep_key(l);
			return true;
		}
	}
	return false;
}

void list_sort(struct list *l, int column)
{
	l->sort_down = column == l->sort_column && !l->sort_down;
	l->sort_column = column < l->source->n_columns ? column : -1;
	arrange(l);
}

void list_sort_next(struct list *l)
{
	l->sort_down = false;
	l->sort_column++;
	if (l->sort_column >= l->source->n_columns)
		l->sort_column = -1;
	arrange(l);
}

/* ---- marks --------------------------------------------------------------- */

void list_toggle_mark(struct list *l)
{
	long row = list_selected(l);

	if (row < 0)
		return;
	l->marked[row] = !l->marked[row];
	remember_marks(l);
	list_move(l, MOTION_DOWN);
}

void list_toggle_range(struct list *l)
{
	long from = l->range_from < l->selected ? l->range_from : l->selected;
	long to = l->range_from < l->selected ? l->selected : l->range_from;

	if (l->range_from < 0) {
		l->range_from = l->selected;
		return;
	}
	l->range_from = -1;
	for (long i = from; i <= to && i < l->n_shown; i++)
		l->marked[l->shown[i]] = 1;
	remember_marks(l);
}

void list_clear_marks(struct list *l)
{
	if (l->n_rows)
		memset(l->marked, 0, (size_t)l->n_rows);
	remember_marks(l);
	l->range_from = -1;
}

bool list_is_marked(const struct list *l, long row)
{
	return row >= 0 && row < l->n_rows && l->marked[row];
}

long list_count_marked(const struct list *l)
{
	long n = 0;

	for (long row = 0; row < l->n_rows; row++)
		n += l->marked[row];
	return n;
}

size_t list_chosen_pair(const struct list *l, long rows[2])
{
	long at = list_selected(l);
	bool with_selected = list_count_marked(l) == 1 && !list_is_marked(l, at);
	size_t n = 0;

	for (long i = 0; i < l->n_rows; i++) {
		if (!list_is_marked(l, i) && !(with_selected && i == at))
			continue;
		if (n < 2)
			rows[n] = i;
		n++;
	}
	return n;
}

/* ---- keys ---------------------------------------------------------------- */

static enum outcome leave(struct list *l)
{
	if (l->range_from >= 0) {
		l->range_from = -1;
		return OUTCOME_USED;
	}
	if (l->filter) {
		list_set_filter(l, NULL);
		return OUTCOME_CHANGED;
	}
	if (list_count_marked(l)) {
		list_clear_marks(l);
		return OUTCOME_CHANGED;
	}
	return OUTCOME_UNUSED;
}

enum outcome list_key(struct list *l, uint32_t key)
{
	enum motion motion = motion_of_key(key);

	if (motion != MOTION_NONE) {
		list_move(l, motion);
		return OUTCOME_USED;
	}
	switch (key) {
	case ' ':
		list_toggle_mark(l);
		return OUTCOME_CHANGED;
	case 'v':
		list_toggle_range(l);
		return OUTCOME_CHANGED;
	case K_ENTER:
		return list_selected(l) >= 0 ? OUTCOME_ACCEPT : OUTCOME_USED;
	case K_ESC:
		return leave(l);
	default:
		return OUTCOME_UNUSED;
	}
}
