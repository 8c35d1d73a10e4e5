/* fuzz_predictions - any bytes as predictions by example; see fuzz_reader.h. */
#include "config.h"

#include "curve/predictions.h"
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A file beside itself: whatever it holds, nothing differs. */
static void join_with_itself(const char *p, size_t n)
{
	struct predictions *own;
	struct predictions_pair pair;
	struct buf line = BUF_INIT;

	if (predictions_read_memory(&own, "input", p, n) < 0)
		return;
	predictions_join(&pair, own, own);
	if (pair.b || pair.c || pair.only_reference || pair.only_attempt || pair.other_label ||
		pair.n + pair.contradicting != pair.reference.examples)
		abort();
	for (size_t i = 0; predictions_statement(&line, &pair, i); i++)
		if (!line.n)
			abort();
	buf_release(&line);
	predictions_free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (n)
		join_with_itself((const char *)data + 1, n - 1);
	return fuzz_reader(&predictions_format, data, n);
}
