/*
 * wandb_chunk - the blocks and chunks of a .wandb file.
 *
 *	u32 CRC-32 | u16 length | u8 type | payload
 *
 * All numbers are little-endian; the checksum covers the type and the payload.  A
 * block has 32768 bytes, counted from the beginning of the file, and no chunk
 * crosses one.  Fewer than 7 bytes left in a block are padding.
 *
 * What is decided about a place depends on the bytes before the end of the file
 * alone, and more bytes never change it, with one exception: a chunk that is not
 * all there while a good one stands inside it.  Its reader must look at it again
 * when it is all there.
 */
#ifndef PORTSIDE_CURVE_WANDB_CHUNK_H
#define PORTSIDE_CURVE_WANDB_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/reader_source.h"

enum { WANDB_BLOCK_BYTES = 32768, CHUNK_HEADER_BYTES = 7 };

enum chunk_type { CHUNK_FULL = 1, CHUNK_FIRST = 2, CHUNK_MIDDLE = 3, CHUNK_LAST = 4 };

enum chunk_state {
	CHUNK_GOOD,
	CHUNK_INCOMPLETE,	/* the file ends inside */
	CHUNK_EMPTY,		/* a header of zeros: nothing was written here */
	CHUNK_BAD,		/* its checksum, type or length cannot be */
};

struct chunk {
	enum chunk_type type;
	const char *payload;	/* of a good one; borrowed until the source is asked again */
	size_t n;
	int64_t end;		/* where it ends, or would end when it is incomplete */
};

/* Offset of the next block. */
static inline int64_t chunk_block_end(int64_t offset)
{
	return offset - offset % WANDB_BLOCK_BYTES + WANDB_BLOCK_BYTES;
}

/* Where the chunk behind OFFSET begins: past padding. */
static inline int64_t chunk_begin(int64_t offset)
{
	int64_t end = chunk_block_end(offset);

	return end - offset < CHUNK_HEADER_BYTES ? end : offset;
}

/* The header at P and the payload behind it are there, and the checksum is right. */
bool chunk_is_sound(const char *p, size_t payload_n);

static inline size_t chunk_length(const char *p)
{
	return (size_t)(unsigned char)p[4] | (size_t)(unsigned char)p[5] << 8;
}

/* What stands at OFFSET, where no padding is. */
enum chunk_state chunk_judge(struct chunk *out, struct curve_source *src, int64_t offset);

/*
 * The way on from damage at OFFSET: of the good chunks behind it in its block the
 * one that ends first; else the next block, once this one is all there; else OFFSET.
 * The work is bounded: where all bytes look like headers of long chunks, as no
 * program writes them, a good chunk among them may be passed over.
 */
int64_t chunk_find(struct curve_source *src, int64_t offset);

#endif
