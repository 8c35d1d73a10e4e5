/* export_rows - see export_rows.h. */
#include "config.h"

#include "curve/export_rows.h"

#include <stdlib.h>

#include "base/mem.h"

const struct comparison *export_rows_run(const struct export_comparison *e, size_t i)
{
	return i ? e->further[i - 1].comparison : e->comparison;
}

/* Steps beyond 2^53 differ where their doubles do not. */
static int compare_places(const struct align_pair *a, const struct align_pair *b, bool integer)
{
	if (integer)
		return (a->key > b->key) - (a->key < b->key);
	return (a->x > b->x) - (a->x < b->x);
}

/* The least place that any run still has; false when none has one. */
static bool least_place(
	struct align_pair *out, const struct export_comparison *e, const size_t *next, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct comparison *c = export_rows_run(e, i);
		struct align_pair p;

		if (!c || next[i] >= c->alignment.n)
			continue;
		p = align_pair_at(&c->alignment, next[i]);
		if (!any || compare_places(&p, out, e->comparison->alignment.integer) < 0)
			*out = p;
		any = true;
	}
	return any;
}

/* Takes what each run has at that place into a row. */
static void take_place(size_t *cells, const struct export_comparison *e, size_t *next, size_t n,
	const struct align_pair *place)
{
	for (size_t i = 0; i < n; i++) {
		const struct comparison *c = export_rows_run(e, i);
		struct align_pair p;

		cells[i] = SIZE_MAX;
		if (!c || next[i] >= c->alignment.n)
			continue;
		p = align_pair_at(&c->alignment, next[i]);
		if (compare_places(&p, place, e->comparison->alignment.integer) == 0)
			cells[i] = next[i]++;
	}
}

void export_rows_init(struct export_rows *out, const struct export_comparison *e)
{
	size_t n = 1 + e->n_further, most = 0, *next = xcalloc(n, sizeof *next);
	struct align_pair place = { .key = 0 };

	*out = (struct export_rows){ .columns = n };
	for (size_t i = 0; i < n; i++) {
		const struct comparison *c = export_rows_run(e, i);

		most += c ? c->alignment.n : 0;
	}
	out->cells = xreallocarray(NULL, most + 1, n * sizeof *out->cells);
	while (least_place(&place, e, next, n)) {
		take_place(out->cells + out->n * n, e, next, n, &place);
		out->n++;
	}
	free(next);
}

void export_rows_release(struct export_rows *rows)
{
	free(rows->cells);
	*rows = (struct export_rows){ .n = 0 };
}

const size_t *export_rows_cells(const struct export_rows *rows, size_t row)
{
	return rows->cells + row * rows->columns;
}
