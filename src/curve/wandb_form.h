/*
 * wandb_form - the bytes of a row of the history around its numbers.
 *
 * Inside of wandb_plain alone, which keeps a few of them.  A form is learnt from a record
 * that the general reader took.  A record that has the same bytes but for lengths and
 * numbers is of the form, and its numbers go to columns, at a place that the caller names.
 */
#ifndef PORTSIDE_CURVE_WANDB_FORM_H
#define PORTSIDE_CURVE_WANDB_FORM_H

#include "base/buf.h"
#include "curve/reader_bytes.h"
#include "curve/reader_digits.h"
#include "curve/wandb_record.h"

enum {
	FORM_ITEMS_MAX = 96,
	FORM_ROWS = 128,		/* of a column */
	FORM_VALUE_MAX = 0x80,		/* bytes of an item: more has a length of two */
	FORM_ROOM = 3 * FORM_VALUE_MAX,	/* bytes behind a record that must be readable */
	FORM_KEY_NUM = 0x08, FORM_KEY_HISTORY = 0x12, FORM_KEY_ITEM = 0x0a, FORM_KEY_STEP = 0x12,
	FORM_KEY_STEP_NUM = 0x08,
};

enum item_role {
	ITEM_VALUE, ITEM_STEP, ITEM_TIMESTAMP, ITEM_RUNTIME,
	ITEM_OWN,	/* W&B's, and whatever its value, nothing follows from it */
	ITEM_SAME,	/* with its value: a text, a word */
};

struct form_item {
	struct masked_text begin;	/* its first bytes, but for its length */
	const char *rest;		/* those of its text behind them, in the form's TEXT */
	size_t rest_n;
	size_t text_n;			/* bytes before the length of its value, or all */
	enum item_role role;
	double *column;			/* of a number: its values in the rows that wait */
	struct series *series;		/* of a value; of ITEM_SAME when it gives a point */
};

struct wandb_form {
	struct buf text;	/* in front of the history, of the items, behind the history */
	size_t head_n, tail_n;
	struct form_item items[FORM_ITEMS_MAX];
	size_t n_items;
	bool has_step_item, has_step_field;
	int64_t non_numeric;
	size_t next;		/* the form that came after it last time */
	uint64_t used;		/* when, in matches */

	/* the columns of these; NULL: the row has none */
	const double *timestamp, *runtime, *epoch;
	int64_t step;		/* of the record at hand */
};

/* The form of the record P[0..N), which R took just now; NULL: it gets none. */
struct wandb_form *wandb_form_learn(struct wandb_reader *r, const char *p, size_t n);
void wandb_form_free(struct wandb_form *form);

/*
 * The record P[0..N) is of the form: its numbers stand at AT of the columns, and STEP is
 * its step.  Bytes around it are read: DECIMAL_BEFORE in front of it, FORM_ROOM behind.
 */
bool wandb_form_match(struct wandb_form *form, size_t at, const char *p, size_t n);

/* Behind a number of at most four bytes; NULL for a longer one. */
static inline const char *form_varint(size_t *out, const char *p, const char *end)
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

/* The step beside the items of a row, in P up to END. */
bool wandb_form_step_field(int64_t *step, const char *p, const char *end);

#endif
