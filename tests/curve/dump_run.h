/*
 * dump_run - all that a run holds as text: every bit of every point, segments with
 * their marks, counters, notes, offsets.
 */
#ifndef PORTSIDE_TESTS_DUMP_RUN_H
#define PORTSIDE_TESTS_DUMP_RUN_H

#include "read_alike.h"

#include "curve/run_files.h"

static inline int by_name(const void *a, const void *b)
{
	const struct series *x = *(struct series *const *)a, *y = *(struct series *const *)b;

	return x->name_n != y->name_n ? (x->name_n < y->name_n ? -1 : 1)
				      : memcmp(x->name, y->name, x->name_n);
}

/* Several files are read in turns, so that new names come as the turns do; a name whose
 * points became void keeps its place. */
static inline void sort_series(struct run_files *r, bool always)
{
	if ((r->n > 1 || always) && r->series->n)
		qsort(r->series->series, r->series->n, sizeof *r->series->series, by_name);
}

enum { DUMP_POINTS_MAX = 5000 };

static inline uint64_t mix_bits(uint64_t sum, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	return (sum ^ (isnan(v) ? UINT64_MAX : bits)) * UINT64_C(0x100000001b3);
}

/* Of a long series one number for all bits of all points. */
static inline void dump_long_series(struct buf *out, const struct series *s)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	buf_addf(out, "series \"%s\" %d %d %zu of %zu\n", s->name, (int)s->axis, s->x_derived,
		s->n_nonfinite, s->n);
	for (size_t k = 0; k < s->n_segments; k++)
		buf_addf(out, "segment %zu %zu %" PRId64 "\n", s->segments[k].first,
			s->segments[k].n, s->segments[k].start);
	for (size_t i = 0; i < s->n; i++) {
		sum = (sum ^ (uint64_t)s->x[i]) * UINT64_C(0x100000001b3);
		sum = mix_bits(sum, series_value(s, i));
		sum = mix_bits(sum, series_wall(s, i));
		sum = mix_bits(sum, series_epoch(s, i));
	}
	buf_addf(out, "%016" PRIx64 "\n", sum);
}

static inline void dump_run(struct buf *out, struct run_files *r, bool sorted)
{
	const struct health *h = &r->health;

	buf_clear(out);
	for (size_t i = 0; i < r->n; i++)
		buf_addf(out, "file %s %d at %" PRId64 "\n", r->files[i].name,
			r->files[i].concurrent, r->files[i].file->offset);
	buf_addf(out, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
		" %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
		h->records, h->points, h->bad_header, h->bad_data, h->malformed, h->skipped_bytes,
		h->tail_bytes, h->non_scalar, h->non_finite, h->first_bad_offset);
	dump_bits(out, h->last_wall_s);
	for (size_t i = 0; i < r->notes.n; i++)
		buf_addf(out, "\nnote %s", r->notes.notes[i].text);
	buf_addc(out, '\n');
	sort_series(r, sorted);
	for (size_t i = 0; i < r->series->n; i++) {
		const struct series *s = r->series->series[i];

		if (!s->n)
			continue;
		buf_addf(out, "%d %d:", r->n == 1 && s->no_metadata, (int)s->kind);
		for (size_t k = 0; k < s->n_segments; k++)
			buf_addf(out, " %d%d%d", s->segments[k].file, s->segments[k].marked,
				s->segments[k].concurrent);
		buf_addc(out, '\n');
		if (s->n > DUMP_POINTS_MAX)
			dump_long_series(out, s);
		else
			dump_series(out, s);
	}
}

#endif
