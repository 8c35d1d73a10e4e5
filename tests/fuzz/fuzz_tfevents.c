/* fuzz_tfevents - any bytes as a file of that format; see fuzz_reader.h.  Read in pieces,
 * joined as threads would, it gives the same. */
#include "config.h"

#include "curve/reader_pieces.h"
#include "curve/tfevents.h"
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void take(void *user)
{
	curve_file_taken(user);
}

/* False when what comes later changes what was read: all is read again then. */
static bool read_pieces(struct curve_file *f)
{
	int64_t next, budget;

	while (f->offset < f->source.size) {
		next = reader_pieces_advance(f, &budget);
		if (next == CURVE_AGAIN)
			return false;
		if (next < f->offset || next > f->source.size)
			abort();
		if (next == f->offset)
			break;
		f->offset = next;
	}
	return true;
}

static void compare_pieces(const struct fuzz_outcome *whole, const uint8_t *data, size_t n)
{
	struct curve_options options = { .threads = 1, .piece_bytes = 1 + data[0] };
	struct curve_file *f = curve_file_new_as("input", &tfevents_format, &options);
	const struct health *h = &f->sink.health;

	source_open_memory(&f->source, data + 1, n - 1);
	f->take = take;
	f->take_user = f;
	if (read_pieces(f) &&
		(h->points != whole->points || h->records != whole->records ||
			h->malformed != whole->malformed || h->bad_data != whole->bad_data ||
			h->skipped_bytes != whole->skipped_bytes ||
			h->non_scalar != whole->non_scalar ||
			h->non_finite != whole->non_finite ||
			(int64_t)n - 1 - f->offset != whole->tail_bytes))
		abort();
	curve_file_free(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_outcome whole;

	if (n > 1) {
		whole = fuzz_read(&tfevents_format, false, data + 1, 0, n - 1);
		compare_pieces(&whole, data, n);
	}
	return fuzz_reader(&tfevents_format, data, n);
}
