/*
 * read_alike - a reader's short ways give what its plain way gives, to the bit.
 *
 * What was read is written out in full (every point, counter and note) once with
 * options.no_shapes and once without, from parts of the text.
 */
#ifndef PORTSIDE_TESTS_READ_ALIKE_H
#define PORTSIDE_TESTS_READ_ALIKE_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "curve/reader.h"

static inline void dump_bits(struct buf *out, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	buf_addf(out, " %016" PRIx64, isnan(v) ? UINT64_MAX : bits);
}

static inline void dump_series(struct buf *out, const struct series *s)
{
	buf_addf(out, "series \"%s\" %d %d %zu %s\n", s->name, (int)s->axis, s->x_derived,
		s->n_nonfinite, s->x_metric ? s->x_metric : "-");
	for (size_t k = 0; k < s->n_segments; k++)
		buf_addf(out, "segment %zu %zu %" PRId64 "\n", s->segments[k].first,
			s->segments[k].n, s->segments[k].start);
	for (size_t i = 0; i < s->n; i++) {
		buf_addf(out, "%" PRId64, s->x[i]);
		dump_bits(out, series_value(s, i));
		dump_bits(out, series_wall(s, i));
		dump_bits(out, series_epoch(s, i));
		buf_addc(out, '\n');
	}
}

static inline void dump(struct buf *out, const struct curve_sink *sink)
{
	const struct health *h = &sink->health;

	buf_addf(out,
		"%" PRId64 " records %" PRId64 " points %" PRId64 " malformed at %" PRId64
		", %" PRId64 " non-numeric, %" PRId64 " non-finite\n",
		h->records, h->points, h->malformed, h->first_bad_offset, h->non_numeric,
		h->non_finite);
	buf_addf(out,
		"damaged %" PRId64 " %" PRId64 " %" PRId64 ", skipped %" PRId64
		", no scalars %" PRId64 ", left out %" PRId64 "\n",
		h->bad_header, h->bad_data, h->orphans, h->skipped_bytes, h->non_scalar,
		h->left_out);
	dump_bits(out, h->last_wall_s);
	dump_bits(out, sink->first_wall_s);
	for (size_t i = 0; i < sink->notes.n; i++)
		buf_addf(out, "\nnote %s", sink->notes.notes[i].id);
	buf_addc(out, '\n');
	for (size_t i = 0; i < sink->series->n; i++)
		dump_series(out, sink->series->series[i]);
	for (size_t i = 0; sink->printed && i < sink->printed->n; i++)
		dump_series(out, sink->printed->series[i]);
	for (size_t i = 0; i < sink->settings.n; i++)
		buf_addf(out, "%s = %s\n", sink->settings.list[i].name, sink->settings.list[i].value);
}

/* As before the first byte. */
static inline void forget(struct curve_sink *sink)
{
	run_series_free(sink->series);
	run_series_free(sink->printed);
	settings_release(&sink->settings);
	sink->printed = NULL;
	sink->series = run_series_new();
	sink->series->staging = true;
	sink->health = (struct health)HEALTH_INIT;
	sink->first_wall_s = NAN;
}

/* Reads TEXT in PARTS parts, each from a copy that ends where it is cut. */
static inline void read_text(struct buf *out, const struct curve_format *format,
	const struct buf *text, const struct curve_options *options, size_t parts)
{
	struct curve_sink sink = {
		.options = options, .name = "sample", .budget_bytes = INT64_MAX / 2,
		.changed_s = text->n % 7 ? 1796000000 : (double)NAN,
	};
	void *state = format->new_state(&sink);
	int64_t offset = 0, next;

	forget(&sink);
	for (size_t i = 1; i <= parts; i++) {
		size_t n = text->n * i / parts;
		char *copy = xmalloc(n + 1);
		struct curve_source src;

		memcpy(copy, text->s, n);
		source_open_memory(&src, copy, n);
		while ((next = format->advance(state, &sink, &src, offset)) == CURVE_AGAIN) {
			forget(&sink);
			offset = 0;
		}
		offset = next;
		source_release(&src);
		free(copy);
	}
	buf_clear(out);
	dump(out, &sink);
	format->free_state(state);
	run_series_free(sink.series);
	run_series_free(sink.printed);
	settings_release(&sink.settings);
	curve_notes_release(&sink.notes);
}

static inline void assert_reads_alike_with(const struct curve_format *format,
	const struct buf *text, const struct curve_options *options, size_t parts)
{
	struct curve_options full = *options, quick = *options;
	struct buf a = BUF_INIT, b = BUF_INIT;

	full.no_shapes = true;
	quick.no_shapes = false;
	read_text(&a, format, text, &full, 1);
	read_text(&b, format, text, &quick, parts);
	if (strcmp(a.s, b.s) != 0) {
		size_t i = 0;

		while (a.s[i] == b.s[i])
			i++;
		fail_msg("in full: ...%.300s\nby the short way: ...%.300s",
			a.s + (i > 100 ? i - 100 : 0), b.s + (i > 100 ? i - 100 : 0));
	}
	buf_release(&a);
	buf_release(&b);
}

static inline void assert_reads_alike(const struct curve_format *format, const struct buf *text,
	double steps_per_epoch, size_t parts)
{
	struct curve_options options = { .steps_per_epoch = steps_per_epoch };

	assert_reads_alike_with(format, text, &options, parts);
}

#endif
