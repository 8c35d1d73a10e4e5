/* wandb_plain - one pass over records that are like earlier ones. */
#include "config.h"

#include "curve/wandb_plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader_bytes.h"
#include "curve/reader_digits.h"

enum {
	ROWS_KEPT = 8,
	ITEMS_MAX = 96,
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
	bool is_epoch;
	size_t text_n;		/* bytes between its length and that of its value, or all */
	struct series *series;	/* of a value; of ITEM_SAME when it gives a point */
	double value;		/* of ITEM_SAME, or of the row at hand */
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

	int64_t step;		/* of the record at hand */
	double timestamp, runtime, epoch;
};

struct wandb_plain {
	struct row *rows[ROWS_KEPT];
	size_t n, recent;
	uint64_t matches, misses;
	int credit;		/* learning pays as long as rows repeat */
};

struct wandb_plain *wandb_plain_new(void)
{
	struct wandb_plain *all = xcalloc(1, sizeof *all);

	all->credit = CREDIT_FIRST;
	return all;
}

void wandb_plain_forget(struct wandb_plain *all)
{
	for (size_t i = 0; i < all->n; i++) {
		buf_release(&all->rows[i]->text);
		free(all->rows[i]);
	}
	all->n = all->recent = 0;
}

uint64_t wandb_plain_count(const struct wandb_plain *all)
{
	return all->matches;
}

void wandb_plain_free(struct wandb_plain *all)
{
	if (all)
		wandb_plain_forget(all);
	free(all);
}

/* ---- matching ---------------------------------------------------------------------- */

/* Behind a number of at most four bytes; NULL for a longer one. */
static inline const char *take_varint(size_t *out, const char *p, const char *end)
{
	size_t v = 0;

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

/* The value [P, END) of an item; no number goes on behind END if it ends there. */
static inline bool take_value(
	struct row *row, struct item *item, const char *p, const char *end, const char *limit)
{
	switch (item->role) {
	case ITEM_STEP:
		return is_step(&row->step, p, end);
	case ITEM_OWN:
		return true;
	case ITEM_SAME:
		return false;
	case ITEM_VALUE:
	case ITEM_TIMESTAMP:
	case ITEM_RUNTIME:
		break;
	}
	if (p == end || number_scan_before(&item->value, p, end, limit) != (size_t)(end - p))
		return false;
	if (item->role == ITEM_TIMESTAMP)
		row->timestamp = item->value;
	else if (item->role == ITEM_RUNTIME)
		row->runtime = item->value;
	else if (item->is_epoch)
		row->epoch = item->value;
	return true;
}

/* Behind the item at P; NULL when it is another. */
static inline const char *match_item(struct row *row, struct item *item, const char *text,
	const char *p, const char *end, const char *limit)
{
	size_t length, value_n;

	if ((size_t)(end - p) < 2 + item->text_n || *p != KEY_ITEM)
		return NULL;
	length = (unsigned char)p[1];
	p += 2;
	if (!is_same_bytes(p, text, item->text_n))
		return NULL;
	p += item->text_n;
	if (item->role == ITEM_SAME)
		return length == item->text_n ? p : NULL;
	if (p == end)
		return NULL;
	value_n = (unsigned char)*p++;
	if (length >= 0x80 || length != item->text_n + 1 + value_n ||
		value_n > (size_t)(end - p) ||
		!take_value(row, item, p, p + value_n, limit))
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

static bool is_match(struct row *row, const char *p, size_t n, const char *limit)
{
	const char *record_end = p + n, *text = row->text.s, *end;
	int64_t by_field;

	row->timestamp = row->runtime = row->epoch = NAN;
	p = enter_history(&end, p, n, text, row->head_n);
	text += row->head_n;
	for (struct item *item = row->items; p && item < row->items + row->n_items; item++) {
		p = match_item(row, item, text, p, end, limit);
		text += item->text_n;
	}
	if (!p || (row->has_step_field ? !match_step_field(&by_field, p, end) : p != end))
		return false;
	if (!row->has_step_item)
		row->step = by_field;
	return (size_t)(record_end - end) == row->tail_n && is_same_bytes(end, text, row->tail_n);
}

static void deliver(struct wandb_reader *r, struct curve_sink *sink, struct row *row)
{
	double wall_s = wandb_row_wall(r, row->timestamp, row->runtime);
	int64_t points = 0, non_finite = 0;

	for (const struct item *item = row->items; item < row->items + row->n_items; item++) {
		if (!item->series)
			continue;
		if (!series_append_next_row(
			    item->series, row->step, wall_s, item->value, row->epoch))
			series_append_row(item->series, row->step, wall_s, item->value, row->epoch);
		points++;
		non_finite += !isfinite(item->value);
	}
	sink->health.non_numeric += row->non_numeric;
	sink->health.points += points;
	sink->health.non_finite += non_finite;
	if (points)
		curve_sink_wall(sink, wall_s);
}

static struct row *found(struct wandb_plain *all, size_t i)
{
	all->rows[all->recent]->next = i;
	all->recent = i;
	all->rows[i]->used = ++all->matches;
	all->credit += all->credit < CREDIT_MAX;
	return all->rows[i];
}

/* Rows come round: the one that followed last time is looked at first. */
static struct row *find_row(struct wandb_plain *all, const char *p, size_t n, const char *limit)
{
	size_t next;

	if (!all->n)
		return NULL;
	next = all->rows[all->recent]->next;
	if (is_match(all->rows[next], p, n, limit))
		return found(all, next);
	for (size_t i = 0; i < all->n; i++)
		if (i != next && is_match(all->rows[i], p, n, limit))
			return found(all, i);
	return NULL;
}

bool wandb_plain_take(struct wandb_plain *all, struct wandb_reader *r, struct curve_sink *sink,
	const char *p, size_t n, const char *limit)
{
	struct row *row = find_row(all, p, n, limit);

	if (!row)
		return false;
	deliver(r, sink, row);
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
	return out->role == ITEM_STEP ? is_step(&step, item->json, item->json + item->json_n)
				      : is_number(item);
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
		out->value = number.value;
		out->series = slots->slots[slot].series[AXIS_STEP];
		out->is_epoch = wandb_name_is_epoch(item->name, item->name_n);
		return out->series && (out->role == ITEM_VALUE || !out->is_epoch);
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
	buf_add(&row->text, p, out->text_n);
	row->n_items++;
	return true;
}

static bool learn_history(struct lesson *l, struct protobuf history)
{
	const char *p = (const char *)history.p, *end = (const char *)history.end;
	int64_t step;

	while (p < end && *p == KEY_ITEM) {
		size_t length;

		if (l->row->n_items == ITEMS_MAX || end - p < 2 || (unsigned char)p[1] >= 0x80)
			return false;
		length = (unsigned char)p[1];
		p += 2;
		if (length > (size_t)(end - p) || !learn_item(l, p, p + length))
			return false;
		p += length;
	}
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
	buf_release(&all->rows[least]->text);
	free(all->rows[least]);
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
		buf_release(&l.row->text);
		free(l.row);
		return;
	}
	buf_add(&l.row->text, history.end, l.row->tail_n);
	keep(all, l.row);
}
