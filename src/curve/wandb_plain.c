/* wandb_plain - one pass over records that are like earlier ones. */
#include "config.h"

#include "curve/wandb_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_decimal.h"
#include "curve/wandb_form.h"

enum {
	FORMS_KEPT = 8,
	RECORD_MAX = 64 * 1024,		/* no form is so long */
	CREDIT_FIRST = 64, CREDIT_MAX = 256, CREDIT_OF_LEARNING = 8, MISSES_A_TRIAL = 64,
};

/* Rows of one kind that were read and wait to be appended together. */
struct waiting {
	struct wandb_form *form;	/* NULL: none */
	size_t n;
	int64_t x[FORM_ROWS];
	double wall_s[FORM_ROWS];	/* where the rows have no timestamp */
};

struct wandb_plain {
	struct wandb_form *forms[FORMS_KEPT];
	size_t n, recent;
	uint64_t matches, misses;
	int credit;		/* learning pays as long as rows repeat */
	struct waiting waiting;
	struct buf room;	/* for a record at the end of what can be read */
};

struct wandb_plain *wandb_plain_new(void)
{
	struct wandb_plain *all = xcalloc(1, sizeof *all);

	all->credit = CREDIT_FIRST;
	buf_init(&all->room);
	return all;
}

void wandb_plain_forget(struct wandb_plain *all)
{
	for (size_t i = 0; i < all->n; i++)
		wandb_form_free(all->forms[i]);
	all->n = all->recent = 0;
	all->waiting.form = NULL;
	all->waiting.n = 0;
}

void wandb_plain_free(struct wandb_plain *all)
{
	if (!all)
		return;
	wandb_plain_forget(all);
	buf_release(&all->room);
	free(all);
}

uint64_t wandb_plain_count(const struct wandb_plain *all)
{
	return all->matches;
}

/* ---- rows that wait ------------------------------------------------------------------ */

static bool has_number(const double *values, size_t n)
{
	size_t numbers = 0;

	for (size_t i = 0; values && i < n; i++)
		numbers += !isnan(values[i]);
	return numbers > 0;
}

/* Of the times in WALL_S only the earliest and the latest count. */
static void tell_walls(struct curve_sink *sink, const double *wall_s, size_t n)
{
	double least = NAN, most = NAN;

	for (size_t i = 0; i < n; i++) {
		least = wall_s[i] < least || isnan(least) ? wall_s[i] : least;
		most = wall_s[i] > most || isnan(most) ? wall_s[i] : most;
	}
	curve_sink_wall(sink, least);
	curve_sink_wall(sink, most);
}

void wandb_plain_flush(struct wandb_plain *all, struct curve_sink *sink)
{
	struct waiting *w = &all->waiting;
	const struct wandb_form *form = w->form;
	struct series_rows rows = { .x = w->x, .n = w->n };
	bool any = false;

	if (!w->n)
		return;
	rows.wall_s = form->timestamp ? form->timestamp : w->wall_s;
	rows.has_wall = form->timestamp || has_number(w->wall_s, w->n);
	rows.epoch = form->epoch;
	rows.has_epoch = has_number(form->epoch, w->n);
	for (size_t i = 0; i < form->n_items; i++) {
		const struct form_item *item = &form->items[i];

		if (!item->series)
			continue;
		sink->health.non_finite +=
			(int64_t)series_append_rows(item->series, &rows, item->column);
		sink->health.points += (int64_t)w->n;
		any = true;
	}
	if (any && rows.has_wall)
		tell_walls(sink, rows.wall_s, w->n);
	sink->health.non_numeric += (int64_t)w->n * form->non_numeric;
	w->n = 0;
}

/* The waiting rows go, and the row behind them is the first that waits. */
static void flush_before(struct wandb_plain *all, struct curve_sink *sink)
{
	struct waiting *w = &all->waiting;
	size_t last = w->n;

	wandb_plain_flush(all, sink);
	for (size_t i = 0; i < w->form->n_items; i++)
		if (w->form->items[i].column)
			w->form->items[i].column[0] = w->form->items[i].column[last];
}

static void add_waiting(struct wandb_plain *all, const struct wandb_reader *r,
	struct curve_sink *sink, const struct wandb_form *form)
{
	struct waiting *w = &all->waiting;

	if (w->n && form->step < w->x[w->n - 1])
		flush_before(all, sink);
	w->x[w->n] = form->step;
	if (!form->timestamp)
		w->wall_s[w->n] = wandb_row_wall(
			r, NAN, form->runtime ? form->runtime[w->n] : NAN);
	if (++w->n == FORM_ROWS)
		wandb_plain_flush(all, sink);
}

/* Rows of one kind wait for each other only. */
static inline bool is_row(
	struct wandb_plain *all, struct curve_sink *sink, size_t i, const char *p, size_t n)
{
	struct waiting *w = &all->waiting;
	struct wandb_form *form = all->forms[i];

	if (!wandb_form_match(form, w->form == form ? w->n : 0, p, n))
		return false;
	if (w->form != form) {
		wandb_plain_flush(all, sink);
		w->form = form;
	}
	all->recent = i;
	form->used = ++all->matches;
	all->credit += all->credit < CREDIT_MAX;
	return true;
}

/* Rows come round: the one that followed last time is looked at first. */
static bool find_row(struct wandb_plain *all, struct curve_sink *sink, const char *p, size_t n)
{
	struct wandb_form *before = all->forms[all->recent];
	size_t next = before->next;

	if (is_row(all, sink, next, p, n))
		return true;
	for (size_t i = 0; i < all->n; i++)
		if (i != next && is_row(all, sink, i, p, n)) {
			before->next = i;
			return true;
		}
	return false;
}

/* A copy of the record, with bytes around it. */
static const char *with_room(struct buf *room, const char *p, size_t n)
{
	buf_clear(room);
	buf_pad(room, '\0', DECIMAL_BEFORE);
	buf_add(room, p, n);
	buf_pad(room, '\0', FORM_ROOM);
	return room->s + DECIMAL_BEFORE;
}

bool wandb_plain_take(struct wandb_plain *all, struct wandb_reader *r, struct curve_sink *sink,
	const char *p, size_t n, const char *limit)
{
	if (!all->n || n > RECORD_MAX)
		return false;
	if ((size_t)(limit - p) < n + FORM_ROOM)
		p = with_room(&all->room, p, n);
	if (!find_row(all, sink, p, n))
		return false;
	add_waiting(all, r, sink, all->waiting.form);
	return true;
}

/* ---- learning ------------------------------------------------------------------------ */

/* Learning costs what several matches save. */
static bool pays(struct wandb_plain *all)
{
	all->misses++;
	if (all->credit < CREDIT_OF_LEARNING)
		return all->misses % MISSES_A_TRIAL == 0;
	all->credit -= CREDIT_OF_LEARNING;
	return true;
}

static size_t place_of(struct wandb_plain *all)
{
	size_t least = 0;

	if (all->n < FORMS_KEPT)
		return all->n++;
	for (size_t i = 1; i < all->n; i++)
		if (all->forms[i]->used < all->forms[least]->used)
			least = i;
	wandb_form_free(all->forms[least]);
	return least;
}

static void keep(struct wandb_plain *all, struct wandb_form *form)
{
	size_t i = place_of(all);

	all->forms[i] = form;
	form->used = all->matches;
	form->next = i;
	if (all->recent < all->n)
		all->forms[all->recent]->next = i;
	all->recent = i;
}

void wandb_plain_learn(
	struct wandb_plain *all, struct wandb_reader *r, const char *p, size_t n)
{
	struct wandb_form *form;

	if (!pays(all))
		return;
	form = wandb_form_learn(r, p, n);
	if (form)
		keep(all, form);
}
