/*
 * Event files whose plain records are taken in one pass give what the general
 * reader finds in them: all kinds of events, whole and damaged, in parts.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "make_events.h"
#include "read_alike.h"

#include "curve/tfevents.h"

static void files_read_alike(void **state)
{
	struct buf file = BUF_INIT;

	(void)state;
	buf_init(&file);
	for (size_t i = 0; i < 120; i++) {
		write_file(&file, 1 + pick(5), 2 + pick(60));
		for (size_t k = pick(2) ? pick(4) : 0; k; k--)
			damage(&file);
		assert_reads_alike(&tfevents_format, &file, 0, 1 + pick(6));
	}
	buf_release(&file);
}

/* The instruction and the tables of this processor find the same checksum. */
static void checksums_are_the_same(void **state)
{
	unsigned char bytes[600];

	(void)state;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)pick(256);
	for (size_t n = 0; n < 300; n++)
		for (size_t at = 0; at < 9; at++)
			assert_int_equal(
				crc32c_best()(0, bytes + at, n), crc32c_portable(0, bytes + at, n));
	assert_int_equal(crc32c_best()(crc32c_portable(0, bytes, 100), bytes + 100, 500),
		crc32c_portable(0, bytes, 600));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_read_alike),
		cmocka_unit_test(checksums_are_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
