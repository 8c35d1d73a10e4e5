/*
 * fuzz_wandb - any bytes as a .wandb file; see fuzz_reader.h.
 *
 * Behind the first byte stand a byte of options and one that says where in a block
 * the rest begins.  With REPAIR every chunk whose length fits gets the checksum that
 * its bytes have, so that what is changed in it is looked into; with FILLED a chunk
 * that leaves little of the first block stands in front.
 */
#include "config.h"

#include <libdeflate.h>

#include "curve/wandb.h"
#include "curve/wandb_chunk.h"
#include "fuzz_reader.h"

enum { REPAIR = 1, FILLED = 2, HEADER_BYTES = 7, OPTION_BYTES = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void add_checksum(uint8_t *chunk)
{
	uint32_t crc = libdeflate_crc32(0, chunk + 6, chunk_length((const char *)chunk) + 1);

	for (int i = 0; i < 4; i++)
		chunk[i] = (uint8_t)(crc >> 8 * i);
}

/* FILE begins at the header. */
static void repair(uint8_t *file, size_t n)
{
	size_t at = HEADER_BYTES, end;

	memcpy(file, ":W&B\xe1\xbe", HEADER_BYTES);
	while (at + CHUNK_HEADER_BYTES <= n) {
		int64_t begin = chunk_begin((int64_t)at);

		if (begin != (int64_t)at) {
			at = (size_t)begin;
			continue;
		}
		end = at + CHUNK_HEADER_BYTES + chunk_length((const char *)file + at);
		if (end > n || (int64_t)end > chunk_block_end((int64_t)at))
			break;
		add_checksum(file + at);
		at = end;
	}
}

/* A chunk behind the header that leaves LEFT bytes of the block. */
static size_t put_filler(uint8_t *file, size_t left)
{
	size_t length = WANDB_BLOCK_BYTES - HEADER_BYTES - CHUNK_HEADER_BYTES - left;

	memset(file, 0, WANDB_BLOCK_BYTES);
	memcpy(file, ":W&B\xe1\xbe", HEADER_BYTES);
	file[HEADER_BYTES + 4] = (uint8_t)length;
	file[HEADER_BYTES + 5] = (uint8_t)(length >> 8);
	file[HEADER_BYTES + 6] = CHUNK_FULL;
	add_checksum(file + HEADER_BYTES);
	return WANDB_BLOCK_BYTES - left;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t *input, options;
	size_t filled = 0;

	if (n < OPTION_BYTES + HEADER_BYTES)
		return 0;
	options = data[1];
	input = xcalloc(1, WANDB_BLOCK_BYTES + n);
	*input = *data;
	if (options & FILLED)
		filled = put_filler(input + 1, data[2]);
	memcpy(input + 1 + filled, data + OPTION_BYTES, n - OPTION_BYTES);
	n += filled - OPTION_BYTES;
	if (options & REPAIR)
		repair(input + 1, n);
	fuzz_reader(&wandb_format, input, n + 1);
	free(input);
	return 0;
}
