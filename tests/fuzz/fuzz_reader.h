/*
 * fuzz_reader - one input for a reader of curve files.
 *
 * The first byte chooses where the file is cut in two; the two reads must give
 * as many points and records as one read of the whole, and so must the plain way
 * of the reader alone.  An odd first byte gives patterns of a user, where a format has
 * any use for them.
 */
#ifndef PORTSIDE_TESTS_FUZZ_FUZZ_READER_H
#define PORTSIDE_TESTS_FUZZ_FUZZ_READER_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/reader.h"

struct fuzz_outcome {
	int64_t points, records, malformed, tail_bytes;
	int64_t bad_data, orphans, skipped_bytes, non_scalar, non_numeric, non_finite;
};

static inline void fuzz_forget(struct curve_sink *sink)
{
	run_series_free(sink->series);
	run_series_free(sink->printed);
	settings_release(&sink->settings);
	sink->printed = NULL;
	sink->series = run_series_new();
	sink->series->staging = true;	/* as those of a file */
	sink->health = (struct health)HEALTH_INIT;
	sink->first_wall_s = NAN;
}

static inline int64_t fuzz_advance(const struct curve_format *format, void *state,
	struct curve_sink *sink, const uint8_t *data, size_t n, int64_t offset)
{
	uint8_t *copy = xmalloc(n + 1);
	struct curve_source src;
	int64_t next;

	memcpy(copy, data, n);
	source_open_memory(&src, copy, n);
	while ((next = format->advance(state, sink, &src, offset)) == CURVE_AGAIN) {
		fuzz_forget(sink);
		offset = 0;
	}
	if (next < offset || next > (int64_t)n)
		abort();
	source_release(&src);
	free(copy);
	return next;
}

static inline struct fuzz_outcome fuzz_read_with(const struct curve_format *format,
	const struct curve_options *options, const uint8_t *data, size_t split, size_t n)
{
	struct curve_sink sink = {
		.options = options, .budget_bytes = INT64_MAX / 2, .name = "input"
	};
	struct fuzz_outcome outcome;
	int64_t offset = 0;
	void *state;

	fuzz_forget(&sink);
	state = format->new_state(&sink);
	if (split < n && format->shape == CURVE_STREAM)
		offset = fuzz_advance(format, state, &sink, data, split, 0);
	offset = fuzz_advance(format, state, &sink, data, n, offset);
	outcome = (struct fuzz_outcome){ sink.health.points, sink.health.records,
		sink.health.malformed, (int64_t)n - offset, sink.health.bad_data,
		sink.health.orphans, sink.health.skipped_bytes, sink.health.non_scalar,
		sink.health.non_numeric, sink.health.non_finite };
	format->free_state(state);
	run_series_free(sink.series);
	run_series_free(sink.printed);
	settings_release(&sink.settings);
	curve_notes_release(&sink.notes);
	return outcome;
}

static inline struct fuzz_outcome fuzz_read(const struct curve_format *format, bool no_shapes,
	const uint8_t *data, size_t split, size_t n)
{
	struct curve_options options = { .no_shapes = no_shapes };

	return fuzz_read_with(format, &options, data, split, n);
}

static inline int fuzz_reader(const struct curve_format *format, const uint8_t *data, size_t n)
{
	static const char *const patterns[] = {
		"step (?<step>\\d+) .*?loss[:=]? ?(?<value>[-+.,\\w]+)",
		"(?<name>\\w+)[:=] ?(?<value>[^ ,;]+)|(?:iter|epoch)\\w* \\[?(?<epoch>[\\d.]+)",
	};
	struct curve_options quick = { .patterns = patterns }, full;
	struct fuzz_outcome whole, parts, plain;

	if (n < 1)
		return 0;
	quick.n_patterns = *data % 2 ? ARRAY_LEN(patterns) : 0;
	full = quick;
	full.no_shapes = true;
	whole = fuzz_read_with(format, &quick, data + 1, n - 1, n - 1);
	parts = fuzz_read_with(format, &quick, data + 1, (n - 1) * *data / 256, n - 1);
	plain = fuzz_read_with(format, &full, data + 1, n - 1, n - 1);
	if (memcmp(&whole, &parts, sizeof whole) != 0 || memcmp(&whole, &plain, sizeof whole) != 0)
		abort();
	return 0;
}

#endif
