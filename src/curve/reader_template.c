/* reader_template - makes the template of a row. */
#include "config.h"

#include "curve/reader_template.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void template_release(struct row_template *t)
{
	free(t->pieces);
	free(t->numbers);
	*t = (struct row_template){ .n = 0 };
}

void template_begin(struct row_template *t, const char *p, size_t n)
{
	t->n_pieces = n ? (n + TEMPLATE_PIECE - 1) / TEMPLATE_PIECE : 1;
	if (t->cap_pieces < t->n_pieces) {
		free(t->pieces);
		t->pieces = xreallocarray(NULL, t->n_pieces, sizeof *t->pieces);
		t->cap_pieces = t->n_pieces;
	}
	memset(t->pieces, 0, t->n_pieces * sizeof *t->pieces);
	for (size_t i = 0; i < n; i++) {
		struct template_piece *piece = &t->pieces[i / TEMPLATE_PIECE];

		piece->text[i % TEMPLATE_PIECE] = (unsigned char)p[i];
		piece->mask[i % TEMPLATE_PIECE] = 0xff;
	}
	t->n = n;
	t->n_numbers = 0;
	ARRAY_GROW(t->numbers, t->n_numbers, t->cap_numbers);
}

void template_free_digits(struct row_template *t, const char *p, size_t at, size_t n)
{
	for (size_t i = at; i < at + n; i++) {
		struct template_piece *piece = &t->pieces[i / TEMPLATE_PIECE];

		if (!is_decimal_digit(p[i]))
			continue;
		piece->text[i % TEMPLATE_PIECE] = '0';
		piece->six[i % TEMPLATE_PIECE] = 6;
		piece->mask[i % TEMPLATE_PIECE] = 0xf0;
	}
}

struct template_number *template_add(struct row_template *t)
{
	struct template_number *number;

	ARRAY_GROW(t->numbers, t->n_numbers, t->cap_numbers);
	number = &t->numbers[t->n_numbers++];
	*number = (struct template_number){ .kind = TEMPLATE_JUDGED };
	return number;
}
