/* wandb_form_learn - how a form is made of a record that was read in full. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/wandb_form.h"

/* What is known while a row is learnt. */
struct lesson {
	struct wandb_form *form;
	struct wandb_reader *reader;
	size_t slots[FORM_ITEMS_MAX];	/* of the items; SIZE_MAX: none */
};

static bool is_other_message(const struct protobuf_field *f)
{
	return f->wire == WIRE_BYTES && f->number >= RECORD_HISTORY && f->number <= RECORD_EXIT &&
		f->number != 16;
}

/* The bytes around the history, which is the only message of the record. */
static bool learn_frame(struct wandb_form *form, struct protobuf *history, const char *p, size_t n)
{
	const char *end = p + n, *head;
	struct protobuf m;
	struct protobuf_field f;
	size_t number;

	if (n < 2 || *p != FORM_KEY_NUM || !(head = form_varint(&number, p + 1, end)))
		return false;
	for (m = (struct protobuf){ (const unsigned char *)head, (const unsigned char *)end };;) {
		const char *before = (const char *)m.p, *begin;

		if (protobuf_next(&m, &f) <= 0)
			break;
		if (!is_other_message(&f))
			continue;
		if (history->p || *before != FORM_KEY_HISTORY ||
			!(begin = form_varint(&number, before + 1, end)) ||
			begin != (const char *)f.bytes.p)
			return false;
		*history = f.bytes;
		form->head_n = (size_t)(before - head);
	}
	if (!history->p)
		return false;
	form->tail_n = (size_t)(end - (const char *)history->end);
	buf_add(&form->text, head, form->head_n);
	return true;
}

static bool has_role(const struct wandb_form *form, enum item_role role)
{
	for (size_t i = 0; i < form->n_items; i++)
		if (form->items[i].role == role)
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
static void make_column(struct form_item *out, double value)
{
	out->column = xreallocarray(NULL, FORM_ROWS, sizeof *out->column);
	for (size_t i = 0; i < FORM_ROWS; i++)
		out->column[i] = value;
}

static bool learn_own(struct wandb_form *form, struct form_item *out, const struct wandb_item *item)
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
	if (has_role(form, out->role))
		return false;
	form->has_step_item |= out->role == ITEM_STEP;
	if (out->role == ITEM_STEP)
		return take_whole(&step, item->json, item->json + item->json_n) ==
			item->json + item->json_n;
	make_column(out, NAN);
	if (out->role == ITEM_TIMESTAMP)
		form->timestamp = out->column;
	else
		form->runtime = out->column;
	return is_number(item);
}

/* Each name once, and all values where their series are. */
static bool learn_value(struct lesson *l, struct form_item *out, struct wandb_item *item)
{
	struct slots *slots = &l->reader->slots;
	size_t slot = slots_find(slots, item->name, item->name_n);
	struct number number;

	for (size_t i = 0; i < l->form->n_items; i++)
		if (l->slots[i] == slot)
			return false;
	l->slots[l->form->n_items] = slot;
	if (slot == SIZE_MAX)
		return false;
	out->role = is_number(item) ? ITEM_VALUE : ITEM_SAME;
	switch (wandb_value_read(&number, &l->reader->values, item)) {
	case WANDB_NUMBER:
		make_column(out, number.value);
		out->series = slots->slots[slot].series[AXIS_STEP];
		if (wandb_name_is_epoch(item->name, item->name_n))
			l->form->epoch = out->column;
		return out->series;
	case WANDB_OTHER:
		l->form->non_numeric++;
		return true;
	case WANDB_ABSENT:
		return true;
	case WANDB_OBJECT:
		break;
	}
	return false;
}

/* The value stands last, behind its length; an item without one is the same each time. */
/* The text of the item P up to END; its length, which is its second byte, is text only where
 * no value follows. */
static void keep_text(
	struct wandb_form *form, struct form_item *out, const char *p, const char *end)
{
	size_t begin_n;

	out->text_n = (size_t)(end - p);
	begin_n = out->text_n < MASKED_TEXT_BYTES ? out->text_n : MASKED_TEXT_BYTES;
	out->rest_n = out->text_n - begin_n;
	masked_text_set(&out->begin, p, begin_n);
	if (out->role != ITEM_SAME)
		masked_text_free(&out->begin, 1, FORM_VALUE_MAX - 1);
	buf_add(&form->text, p + begin_n, out->rest_n);
}

static bool learn_item(struct lesson *l, const char *p, const char *end)
{
	struct wandb_form *form = l->form;
	struct form_item *out = &form->items[form->n_items];
	struct wandb_item item;

	*out = (struct form_item){ .role = ITEM_SAME };
	l->slots[form->n_items] = SIZE_MAX;
	if (!wandb_item_read(&item, &l->reader->values,
		    (struct protobuf){ (const unsigned char *)p, (const unsigned char *)end }))
		return false;
	if (item.json_n &&
		(item.json + item.json_n != end || (unsigned char)item.json[-1] != item.json_n))
		return false;
	if (item.name_n && *item.name == '_' ? !item.json_n || !learn_own(form, out, &item)
					     : !learn_value(l, out, &item))
		return false;
	keep_text(form, out, p - 2, out->role == ITEM_SAME ? end : item.json - 1);
	return true;
}

/* The run time counts only where the time of day is none, and there is one. */
static void drop_runtime(struct wandb_form *form)
{
	for (size_t i = 0; i < form->n_items; i++) {
		struct form_item *item = &form->items[i];

		if (item->role != ITEM_RUNTIME)
			continue;
		item->role = ITEM_OWN;
		free(item->column);
		item->column = NULL;
	}
	form->runtime = NULL;
}

static bool learn_history(struct lesson *l, struct protobuf history)
{
	const char *p = (const char *)history.p, *end = (const char *)history.end;
	int64_t step;
	bool good;

	while (p < end && *p == FORM_KEY_ITEM) {
		size_t length;

		if (l->form->n_items == FORM_ITEMS_MAX || end - p < 2 ||
			(unsigned char)p[1] >= FORM_VALUE_MAX)
			return false;
		length = (unsigned char)p[1];
		p += 2;
		if (length > (size_t)(end - p))
			return false;
		good = learn_item(l, p, p + length);
		l->form->n_items++;
		if (!good)
			return false;
		p += length;
	}
	if (l->form->timestamp)
		drop_runtime(l->form);
	l->form->has_step_field = p < end;
	return p == end ? l->form->has_step_item : wandb_form_step_field(&step, p, end);
}

/* Where in the text the rest of each item stands, which moves no more. */
static void find_rests(struct wandb_form *form)
{
	const char *p = form->text.s + form->head_n;

	for (size_t i = 0; i < form->n_items; i++) {
		form->items[i].rest = p;
		p += form->items[i].rest_n;
	}
}

void wandb_form_free(struct wandb_form *form)
{
	for (size_t i = 0; i < form->n_items; i++)
		free(form->items[i].column);
	buf_release(&form->text);
	free(form);
}

struct wandb_form *wandb_form_learn(struct wandb_reader *r, const char *p, size_t n)
{
	struct lesson l = { .form = xcalloc(1, sizeof *l.form), .reader = r };
	struct protobuf history = { NULL, NULL };

	buf_init(&l.form->text);
	if (!learn_frame(l.form, &history, p, n) || !learn_history(&l, history)) {
		wandb_form_free(l.form);
		return NULL;
	}
	buf_add(&l.form->text, history.end, l.form->tail_n);
	buf_pad(&l.form->text, '\0', SAME_TEXT_ROOM);
	find_rests(l.form);
	return l.form;
}
