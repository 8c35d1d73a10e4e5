/* wandb_chunk - judges chunks by their checksums, and finds the next good one. */
#include "config.h"

#include "curve/wandb_chunk.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

#include "base/mem.h"

enum {
	CHECKS_PER_BYTE = 256,		/* a byte behind damage is summed so often, on average */
	WINDOW_BYTES = 64,
};

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

/*
 * Where the first good chunk to end begins, of those behind P that end beyond LOW and
 * not beyond HIGH; 0: there is none.  Candidates are taken by their ends, and what
 * was spent on them before, SPENT, is the same however much of the block is there.
 */
static size_t first_to_end(const char *p, size_t low, size_t high, size_t *spent)
{
	uint16_t *by_end, *next;
	size_t found = 0;

	if (high <= CHUNK_HEADER_BYTES)
		return 0;
	by_end = xcalloc(high - low + 1, sizeof *by_end);
	next = xcalloc(high, sizeof *next);
	/* Backwards, so that of those that end together the first to begin comes first. */
	for (size_t i = high - CHUNK_HEADER_BYTES; i; i--) {
		size_t end = i + CHUNK_HEADER_BYTES + chunk_length(p + i);

		if (!is_type(p[i + 6]) || end <= low || end > high)
			continue;
		next[i] = by_end[end - low];
		by_end[end - low] = (uint16_t)i;
	}
	for (size_t end = low + 1; !found && end <= high; end++)
		for (size_t i = by_end[end - low]; !found && i; i = next[i]) {
			if (*spent + (end - i) > CHECKS_PER_BYTE * end)
				continue;
			*spent += end - i;
			if (chunk_is_sound(p + i, chunk_length(p + i)))
				found = i;
		}
	free(by_end);
	free(next);
	return found;
}

int64_t chunk_find(struct curve_source *src, int64_t offset)
{
	size_t left = (size_t)(chunk_block_end(offset) - offset), n, found = 0, spent = 0;
	const char *p = source_bytes(src, offset, left, &n);

	n = n < left ? n : left;
	/* Most damage is short: a little is looked at first. */
	for (size_t low = 0, high = WINDOW_BYTES; !found && low < n; low = high, high *= 2)
		found = first_to_end(p, low, high < n ? high : n, &spent);
	if (found)
		return offset + (int64_t)found;
	return n == left ? offset + (int64_t)left : offset;
}
