/* wandb_plain - one pass over records that are like earlier ones. */
#include "config.h"

#include "curve/wandb_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_bytes.h"
#include "curve/reader_decimal.h"
#include "curve/reader_digits.h"

enum {
	ROWS_KEPT = 8,
	ITEMS_MAX = 96,
	ROWS_WAITING = 128,
	VALUE_MAX = 0x80,		/* bytes of an item: more has a length of two */
	CREDIT_FIRST = 64, CREDIT_MAX = 256, CREDIT_OF_LEARNING = 8, MISSES_A_TRIAL = 64,
	KEY_NUM = 0x08, KEY_HISTORY = 0x12, KEY_ITEM = 0x0a, KEY_STEP = 0x12,
	KEY_STEP_NUM = 0x08,
};

enum item_role {
	ITEM_VALUE, ITEM_STEP, ITEM_TIMESTAMP, ITEM_RUNTIME,
	ITEM_OWN,	/* W&B's, and whatever its value, nothing follows from it */
	ITEM_SAME,	/* with its value: a text, a word */
};

struct item {
	enum item_role role;
	size_t text_n;		/* bytes between its length and that of its value, or all */
	ptrdiff_t room;		/* bytes of it that may be looked at */
	struct series *series;	/* of a value; of ITEM_SAME when it gives a point */
	double *column;		/* of a number: its values in the rows that wait */
};

struct row {
	struct buf text;	/* in front of the history, of the items, behind the history */
	size_t head_n, tail_n;
	struct item items[ITEMS_MAX];
	size_t n_items;
	bool has_step_item, has_step_field;
	int64_t non_numeric;
	size_t next;		/* the row that came after it last time */
	uint64_t used;		/* when, in matches */

	/* the columns of these; NULL: the row has none */
	const double *timestamp, *runtime, *epoch;
	int64_t step;		/* of the record at hand */
};

/* Rows of one kind that were read and wait to be appended together. */
struct waiting {
	struct row *row;	/* NULL: none */
	size_t n;
	int64_t x[ROWS_WAITING];
	double wall_s[ROWS_WAITING], epoch[ROWS_WAITING];
};

struct wandb_plain {
	struct row *rows[ROWS_KEPT];
	size_t n, recent;
	uint64_t matches, misses;
	int credit;		/* learning pays as long as rows repeat */
	struct waiting waiting;
};

struct wandb_plain *wandb_plain_new(void)
{
	struct wandb_plain *all = xcalloc(1, sizeof *all);

	all->credit = CREDIT_FIRST;
	return all;
}

static void row_free(struct row *row)
{
	for (size_t i = 0; i < row->n_items; i++)
		free(row->items[i].column);
	buf_release(&row->text);
	free(row);
}

void wandb_plain_forget(struct wandb_plain *all)
{
	for (size_t i = 0; i < all->n; i++)
		row_free(all->rows[i]);
	all->n = all->recent = 0;
	all->waiting.row = NULL;
	all->waiting.n = 0;
}

void wandb_plain_free(struct wandb_plain *all)
{
	if (all)
		wandb_plain_forget(all);
	free(all);
}

uint64_t wandb_plain_count(const struct wandb_plain *all)
{
	return all->matches;
}

/* ---- matching ---------------------------------------------------------------------- */

/* Behind a number of at most four bytes; NULL for a longer one. */
static inline const char *take_varint(size_t *out, const char *p, const char *end)
{
	size_t v = 0;

	/* Most have two. */
	if (end - p >= 2 && (unsigned char)*p >= 0x80 && (unsigned char)p[1] < 0x80) {
		*out = ((size_t)*p & 0x7f) | (size_t)(unsigned char)p[1] << 7;
		return p + 2;
	}
	for (unsigned shift = 0; shift < 28 && p < end; shift += 7) {
		unsigned char byte = (unsigned char)*p++;

		v |= (size_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*out = v;
			return p;
		}
	}
	return NULL;
}

static inline bool is_step(int64_t *out, const char *p, const char *end)
{
	return take_whole(out, p, end) == end;
}

/* The same where DECIMAL_BEFORE bytes in front of the number can be read. */
static inline bool read_step(int64_t *out, const char *p, size_t n)
{
#ifdef __SSE2__
	uint64_t digits;

	if (n - 1 < DECIMAL_DIGITS) {
		if (!decimal_digits(&digits, p, n))
			return false;
		*out = (int64_t)digits;
		return true;
	}
#endif
	return is_step(out, p, p + n);
}

/* The whole of P[0..N), of which VALUE_MAX bytes can be read. */
static inline bool read_number(double *out, const char *p, size_t n)
{
	return n && (decimal_read(out, p, n) ||
			   number_scan_before(out, p, p + n, p + VALUE_MAX) == n);
}

/* The value P[0..N) of an item that is no number of the row AT. */
static bool take_other(struct row *row, const struct item *item, const char *p, size_t n)
{
	if (item->role == ITEM_STEP)
		return read_step(&row->step, p, n);
	return item->role == ITEM_OWN;
}

/*
 * Behind the item at P; NULL when it is another.  What is read lies before LIMIT; that
 * it lies in the record is seen when all items are behind.
 */
static inline const char *match_item(struct row *row, struct item *item, size_t at,
	const char *text, const char *p, const char *limit)
{
	size_t length, value_n;

	if (limit - p < item->room || *p != KEY_ITEM)
		return NULL;
	length = (unsigned char)p[1];
	p += 2;
	if (!is_same_text(p, text, item->text_n))
		return NULL;
	p += item->text_n;
	if (item->role == ITEM_SAME)
		return length == item->text_n ? p : NULL;
	value_n = (unsigned char)*p++;
	if (length >= VALUE_MAX || length != item->text_n + 1 + value_n)
		return NULL;
	if (item->column ? !read_number(&item->column[at], p, value_n)
			 : !take_other(row, item, p, value_n))
		return NULL;
	return p + value_n;
}

static bool match_step_field(int64_t *step, const char *p, const char *end)
{
	struct protobuf m = { (const unsigned char *)p + 2, (const unsigned char *)end };
	uint64_t number = 0;

	if (end - p < 2 || *p != KEY_STEP || (unsigned char)p[1] != end - p - 2)
		return false;
	if (m.p < m.end &&
		(*m.p++ != KEY_STEP_NUM || !protobuf_varint(&m, &number) || m.p != m.end))
		return false;
	*step = (int64_t)number;
	return true;
}

/* Where the history of a record begins, and where it ends; NULL when it is none. */
static inline const char *enter_history(
	const char **end, const char *p, size_t n, const char *head, size_t head_n)
{
	const char *record_end = p + n;
	size_t length;

	if (n < 2 || *p != KEY_NUM)
		return NULL;
	p = take_varint(&length, p + 1, record_end);
	if (!p || (size_t)(record_end - p) < head_n + 2 || !is_same_bytes(p, head, head_n))
		return NULL;
	p += head_n;
	if (*p != KEY_HISTORY)
		return NULL;
	p = take_varint(&length, p + 1, record_end);
	if (!p || length > (size_t)(record_end - p))
		return NULL;
	*end = p + length;
	return p;
}

/* The record P[0..N) into the waiting row AT. */
static bool is_match(struct row *row, size_t at, const char *p, size_t n, const char *limit)
{
	const char *record_end = p + n, *text = row->text.s, *end;
	struct item *last = row->items + row->n_items;
	int64_t by_field;

	p = enter_history(&end, p, n, text, row->head_n);
	text += row->head_n;
	for (struct item *item = row->items; p && item < last; item++) {
		p = match_item(row, item, at, text, p, limit);
		text += item->text_n;
	}
	if (!p || p > end)
		return false;
	if (row->has_step_field ? !match_step_field(&by_field, p, end) : p != end)
		return false;
	/* A run time counts only where the time of day is none. */
	if (row->timestamp && !number_is_wall_time(row->timestamp[at]))
		return false;
	if (!row->has_step_item)
		row->step = by_field;
	return (size_t)(record_end - end) == row->tail_n && is_same_bytes(end, text, row->tail_n);
}

/* ---- rows that wait ------------------------------------------------------------------ */

void wandb_plain_flush(struct wandb_plain *all, struct curve_sink *sink)
{
	struct waiting *w = &all->waiting;
	struct series_rows rows = { .x = w->x, .wall_s = w->wall_s, .epoch = w->epoch, .n = w->n };
	bool any = false;

	if (!w->n)
		return;
	for (size_t i = 0; i < w->n; i++) {
		rows.has_wall |= !isnan(w->wall_s[i]);
		rows.has_epoch |= !isnan(w->epoch[i]);
	}
	for (struct item *item = w->row->items; item < w->row->items + w->row->n_items; item++) {
		if (!item->series)
			continue;
		sink->health.non_finite +=
			(int64_t)series_append_rows(item->series, &rows, item->column);
		sink->health.points += (int64_t)w->n;
		any = true;
	}
	for (size_t i = 0; any && i < w->n; i++)
		curve_sink_wall(sink, w->wall_s[i]);
	sink->health.non_numeric += (int64_t)w->n * w->row->non_numeric;
	w->n = 0;
}

/* The waiting rows go, and the row behind them is the first that waits. */
static void flush_before(struct wandb_plain *all, struct curve_sink *sink)
{
	struct waiting *w = &all->waiting;
	size_t last = w->n;

	wandb_plain_flush(all, sink);
	for (size_t i = 0; i < w->row->n_items; i++)
		if (w->row->items[i].column)
			w->row->items[i].column[0] = w->row->items[i].column[last];
}

static double value_of(const double *column, size_t at)
{
	return column ? column[at] : NAN;
}

static void add_waiting(struct wandb_plain *all, const struct wandb_reader *r,
	struct curve_sink *sink, const struct row *row)
{
	struct waiting *w = &all->waiting;

	if (w->n && row->step < w->x[w->n - 1])
		flush_before(all, sink);
	w->x[w->n] = row->step;
	w->wall_s[w->n] = wandb_row_wall(
		r, value_of(row->timestamp, w->n), value_of(row->runtime, w->n));
	w->epoch[w->n] = value_of(row->epoch, w->n);
	if (++w->n == ROWS_WAITING)
		wandb_plain_flush(all, sink);
}

/* Rows of one kind wait for each other only. */
static bool is_row(struct wandb_plain *all, struct curve_sink *sink, size_t i, const char *p,
	size_t n, const char *limit)
{
	struct waiting *w = &all->waiting;
	struct row *row = all->rows[i];

	if (!is_match(row, w->row == row ? w->n : 0, p, n, limit))
		return false;
	if (w->row != row) {
		wandb_plain_flush(all, sink);
		w->row = row;
	}
	all->rows[all->recent]->next = i;
	all->recent = i;
	row->used = ++all->matches;
	all->credit += all->credit < CREDIT_MAX;
	return true;
}

/* Rows come round: the one that followed last time is looked at first. */
static bool find_row(struct wandb_plain *all, struct curve_sink *sink, const char *p, size_t n,
	const char *limit)
{
	size_t next;

	if (!all->n)
		return false;
	next = all->rows[all->recent]->next;
	if (is_row(all, sink, next, p, n, limit))
		return true;
	for (size_t i = 0; i < all->n; i++)
		if (i != next && is_row(all, sink, i, p, n, limit))
			return true;
	return false;
}

bool wandb_plain_take(struct wandb_plain *all, struct wandb_reader *r, struct curve_sink *sink,
	const char *p, size_t n, const char *limit)
{
	if (!find_row(all, sink, p, n, limit))
		return false;
	add_waiting(all, r, sink, all->waiting.row);
	return true;
}

/* ---- learning ------------------------------------------------------------------------ */

/* What is known while a row is learnt. */
struct lesson {
	struct row *row;
	struct wandb_reader *reader;
	size_t slots[ITEMS_MAX];	/* of the items; SIZE_MAX: none */
};

static bool is_other_message(const struct protobuf_field *f)
{
	return f->wire == WIRE_BYTES && f->number >= RECORD_HISTORY && f->number <= RECORD_EXIT &&
		f->number != 16;
}

/* The bytes around the history, which is the only message of the record. */
static bool learn_frame(struct row *row, struct protobuf *history, const char *p, size_t n)
{
	const char *end = p + n, *head;
	struct protobuf m;
	struct protobuf_field f;
	size_t number;

	if (n < 2 || *p != KEY_NUM || !(head = take_varint(&number, p + 1, end)))
		return false;
	for (m = (struct protobuf){ (const unsigned char *)head, (const unsigned char *)end };;) {
		const char *before = (const char *)m.p, *begin;

		if (protobuf_next(&m, &f) <= 0)
			break;
		if (!is_other_message(&f))
			continue;
		if (history->p || *before != KEY_HISTORY ||
			!(begin = take_varint(&number, before + 1, end)) ||
			begin != (const char *)f.bytes.p)
			return false;
		*history = f.bytes;
		row->head_n = (size_t)(before - head);
	}
	if (!history->p)
		return false;
	row->tail_n = (size_t)(end - (const char *)history->end);
	buf_add(&row->text, head, row->head_n);
	return true;
}

static bool has_role(const struct row *row, enum item_role role)
{
	for (size_t i = 0; i < row->n_items; i++)
		if (row->items[i].role == role)
			return true;
	return false;
}

static bool is_number(const struct wandb_item *item)
{
	double value;

	return item->json_n &&
		number_scan_value(&value, item->json, item->json + item->json_n) == item->json_n;
}

/* Of a value that is the same each time all are there. */
static void make_column(struct item *out, double value)
{
	out->column = xreallocarray(NULL, ROWS_WAITING, sizeof *out->column);
	for (size_t i = 0; i < ROWS_WAITING; i++)
		out->column[i] = value;
}

static bool learn_own(struct row *row, struct item *out, const struct wandb_item *item)
{
	static const struct {
		const char *name;
		enum item_role role;
	} own[] = {
		{ "_step", ITEM_STEP },
		{ "_timestamp", ITEM_TIMESTAMP },
		{ "_runtime", ITEM_RUNTIME },
	};
	int64_t step;

	out->role = ITEM_OWN;
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (item->name_n == strlen(own[i].name) &&
			memcmp(item->name, own[i].name, item->name_n) == 0)
			out->role = own[i].role;
	if (out->role == ITEM_OWN)
		return true;
	if (has_role(row, out->role))
		return false;
	row->has_step_item |= out->role == ITEM_STEP;
	if (out->role == ITEM_STEP)
		return is_step(&step, item->json, item->json + item->json_n);
	make_column(out, NAN);
	if (out->role == ITEM_TIMESTAMP)
		row->timestamp = out->column;
	else
		row->runtime = out->column;
	return is_number(item);
}

/* Each name once, and all values where their series are. */
static bool learn_value(struct lesson *l, struct item *out, struct wandb_item *item)
{
	struct slots *slots = &l->reader->slots;
	size_t slot = slots_find(slots, item->name, item->name_n);
	struct number number;

	for (size_t i = 0; i < l->row->n_items; i++)
		if (l->slots[i] == slot)
			return false;
	l->slots[l->row->n_items] = slot;
	if (slot == SIZE_MAX)
		return false;
	out->role = is_number(item) ? ITEM_VALUE : ITEM_SAME;
	switch (wandb_value_read(&number, &l->reader->values, item)) {
	case WANDB_NUMBER:
		make_column(out, number.value);
		out->series = slots->slots[slot].series[AXIS_STEP];
		if (wandb_name_is_epoch(item->name, item->name_n))
			l->row->epoch = out->column;
		return out->series;
	case WANDB_OTHER:
		l->row->non_numeric++;
		return true;
	case WANDB_ABSENT:
		return true;
	case WANDB_OBJECT:
		break;
	}
	return false;
}

/* The value stands last, behind its length; an item without one is the same each time. */
static bool learn_item(struct lesson *l, const char *p, const char *end)
{
	struct row *row = l->row;
	struct item *out = &row->items[row->n_items];
	struct wandb_item item;

	*out = (struct item){ .role = ITEM_SAME };
	l->slots[row->n_items] = SIZE_MAX;
	if (!wandb_item_read(&item, &l->reader->values,
		    (struct protobuf){ (const unsigned char *)p, (const unsigned char *)end }))
		return false;
	if (item.json_n &&
		(item.json + item.json_n != end || (unsigned char)item.json[-1] != item.json_n))
		return false;
	if (item.name_n && *item.name == '_' ? !item.json_n || !learn_own(row, out, &item)
					     : !learn_value(l, out, &item))
		return false;
	out->text_n = (size_t)((out->role == ITEM_SAME ? end : item.json - 1) - p);
	out->room = (ptrdiff_t)(2 + out->text_n + 1 + VALUE_MAX);
	buf_add(&row->text, p, out->text_n);
	return true;
}

/* The run time counts only where the time of day is none, and there is one. */
static void drop_runtime(struct row *row)
{
	for (size_t i = 0; i < row->n_items; i++) {
		struct item *item = &row->items[i];

		if (item->role != ITEM_RUNTIME)
			continue;
		item->role = ITEM_OWN;
		free(item->column);
		item->column = NULL;
	}
	row->runtime = NULL;
}

static bool learn_history(struct lesson *l, struct protobuf history)
{
	const char *p = (const char *)history.p, *end = (const char *)history.end;
	int64_t step;
	bool good;

	while (p < end && *p == KEY_ITEM) {
		size_t length;

		if (l->row->n_items == ITEMS_MAX || end - p < 2 || (unsigned char)p[1] >= 0x80)
			return false;
		length = (unsigned char)p[1];
		p += 2;
		if (length > (size_t)(end - p))
			return false;
		good = learn_item(l, p, p + length);
		l->row->n_items++;
		if (!good)
			return false;
		p += length;
	}
	if (l->row->timestamp)
		drop_runtime(l->row);
	l->row->has_step_field = p < end;
	return p == end ? l->row->has_step_item : match_step_field(&step, p, end);
}

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

	if (all->n < ROWS_KEPT)
		return all->n++;
	for (size_t i = 1; i < all->n; i++)
		if (all->rows[i]->used < all->rows[least]->used)
			least = i;
	row_free(all->rows[least]);
	return least;
}

static void keep(struct wandb_plain *all, struct row *row)
{
	size_t i = place_of(all);

	all->rows[i] = row;
	row->used = all->matches;
	row->next = i;
	if (all->recent < all->n)
		all->rows[all->recent]->next = i;
	all->recent = i;
}

void wandb_plain_learn(
	struct wandb_plain *all, struct wandb_reader *r, const char *p, size_t n)
{
	struct lesson l = { .reader = r };
	struct protobuf history = { NULL, NULL };

	if (!pays(all))
		return;
	l.row = xcalloc(1, sizeof *l.row);
	buf_init(&l.row->text);
	if (!learn_frame(l.row, &history, p, n) || !learn_history(&l, history)) {
		row_free(l.row);
		return;
	}
	buf_add(&l.row->text, history.end, l.row->tail_n);
	buf_pad(&l.row->text, '\0', SAME_TEXT_ROOM);
	keep(all, l.row);
}
