/* wandb_form - one pass over a record that may be of a form. */
#include "config.h"

#include "curve/wandb_form.h"

#include "curve/reader_decimal.h"

/* The whole of P[0..N), with DECIMAL_BEFORE bytes in front of it that can be read. */
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
	return take_whole(out, p, p + n) == p + n;
}

/* The whole of P[0..N), of which FORM_VALUE_MAX bytes can be read. */
static inline bool read_number(double *out, const char *p, size_t n)
{
	return n && (decimal_read(out, p, n) ||
			   number_scan_before(out, p, p + n, p + FORM_VALUE_MAX) == n);
}

/* The value P[0..N) of an item that is no number of the row. */
static inline bool take_other(
	struct wandb_form *form, const struct form_item *item, const char *p, size_t n)
{
	return item->role == ITEM_STEP ? read_step(&form->step, p, n) : item->role == ITEM_OWN;
}

/* Behind the item at P; NULL when it is another. */
static inline const char *match_item(
	struct wandb_form *form, const struct form_item *item, size_t at, const char *p)
{
	size_t length, value_n;

	if (!has_masked_text(&item->begin, p) ||
		(item->rest_n && !is_same_bytes(p + MASKED_TEXT_BYTES, item->rest, item->rest_n)))
		return NULL;
	length = (unsigned char)p[1];
	p += item->text_n;
	if (item->role == ITEM_SAME)
		return p;
	value_n = (unsigned char)*p++;
	if (length + 1 != item->text_n + value_n)
		return NULL;
	if (item->column ? !read_number(&item->column[at], p, value_n)
			 : !take_other(form, item, p, value_n))
		return NULL;
	return p + value_n;
}

bool wandb_form_step_field(int64_t *step, const char *p, const char *end)
{
	struct protobuf m = { (const unsigned char *)p + 2, (const unsigned char *)end };
	uint64_t number = 0;

	if (end - p < 2 || *p != FORM_KEY_STEP || (unsigned char)p[1] != end - p - 2)
		return false;
	if (m.p < m.end &&
		(*m.p++ != FORM_KEY_STEP_NUM || !protobuf_varint(&m, &number) || m.p != m.end))
		return false;
	*step = (int64_t)number;
	return true;
}

/* Behind the number at P, which has at most four bytes, all of which can be read; NULL for a
 * longer one. */
static inline const char *pass_number(const char *p)
{
	uint32_t four, last;

	memcpy(&four, p, sizeof four);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	four = __builtin_bswap32(four);
#endif
	last = ~four & 0x80808080;
	return last ? p + __builtin_ctz(last) / 8 + 1 : NULL;
}

/* Where the history of a record begins, and where it ends; NULL when it is none. */
static inline const char *enter_history(
	const char **end, const char *p, size_t n, const char *head, size_t head_n)
{
	const char *record_end = p + n;
	size_t length;

	if (n < 2 || *p != FORM_KEY_NUM)
		return NULL;
	p = pass_number(p + 1);
	if (!p || record_end - p < (ptrdiff_t)head_n + 2 || !is_same_bytes(p, head, head_n))
		return NULL;
	p += head_n;
	if (*p != FORM_KEY_HISTORY)
		return NULL;
	p = form_varint(&length, p + 1, record_end);
	if (!p || length > (size_t)(record_end - p))
		return NULL;
	*end = p + length;
	return p;
}

bool wandb_form_match(struct wandb_form *form, size_t at, const char *p, size_t n)
{
	const struct form_item *item = form->items, *last = item + form->n_items;
	const char *record_end = p + n, *end;
	int64_t by_field;

	p = enter_history(&end, p, n, form->text.s, form->head_n);
	if (!p)
		return false;
	for (; item < last; item++) {
		if (p >= end)
			return false;
		p = match_item(form, item, at, p);
		if (!p)
			return false;
	}
	if (p > end)
		return false;
	if (form->has_step_field ? !wandb_form_step_field(&by_field, p, end) : p != end)
		return false;
	/* A run time counts only where the time of day is none. */
	if (form->timestamp && !number_is_wall_time(form->timestamp[at]))
		return false;
	if (!form->has_step_item)
		form->step = by_field;
	return (size_t)(record_end - end) == form->tail_n &&
		is_same_bytes(end, form->text.s + form->text.n - SAME_TEXT_ROOM - form->tail_n,
			form->tail_n);
}
