/* wandb_chunk - judges chunks by their checksums, and finds the next good one. */
#include "config.h"

#include "curve/wandb_chunk.h"

#include <string.h>

#include <libdeflate.h>

static uint32_t stored_checksum(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return (uint32_t)u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

bool chunk_is_sound(const char *p, size_t payload_n)
{
	return libdeflate_crc32(0, p + CHUNK_HEADER_BYTES - 1, payload_n + 1) == stored_checksum(p);
}

static bool is_type(char type)
{
	return type >= CHUNK_FULL && type <= CHUNK_LAST;
}

enum chunk_state chunk_judge(struct chunk *out, struct curve_source *src, int64_t offset)
{
	static const char zeros[CHUNK_HEADER_BYTES];
	size_t left = (size_t)(chunk_block_end(offset) - offset), n;
	const char *p = source_bytes(src, offset, CHUNK_HEADER_BYTES, &n);

	*out = (struct chunk){ .end = offset + CHUNK_HEADER_BYTES };
	if (n < CHUNK_HEADER_BYTES)
		return CHUNK_INCOMPLETE;
	if (memcmp(p, zeros, sizeof zeros) == 0)
		return CHUNK_EMPTY;
	out->n = chunk_length(p);
	if (!is_type(p[6]) || out->n > left - CHUNK_HEADER_BYTES)
		return CHUNK_BAD;
	out->type = (enum chunk_type)p[6];
	out->end += (int64_t)out->n;
	p = source_bytes(src, offset, CHUNK_HEADER_BYTES + out->n, &n);
	if (n < CHUNK_HEADER_BYTES + out->n)
		return CHUNK_INCOMPLETE;
	out->payload = p + CHUNK_HEADER_BYTES;
	return chunk_is_sound(p, out->n) ? CHUNK_GOOD : CHUNK_BAD;
}

int64_t chunk_find(struct curve_source *src, int64_t offset)
{
	size_t left = (size_t)(chunk_block_end(offset) - offset), n, found = 0, found_end;
	const char *p = source_bytes(src, offset, left, &n);

	n = n < left ? n : left;
	found_end = n + 1;
	/* The first to end: the answer is the same however much of the block is there. */
	for (size_t i = 1; i + CHUNK_HEADER_BYTES < found_end; i++) {
		size_t end;

		if (!is_type(p[i + 6]))
			continue;
		end = i + CHUNK_HEADER_BYTES + chunk_length(p + i);
		if (end >= found_end || !chunk_is_sound(p + i, chunk_length(p + i)))
			continue;
		found = i;
		found_end = end;
	}
	if (found)
		return offset + (int64_t)found;
	return n == left ? offset + (int64_t)left : offset;
}
