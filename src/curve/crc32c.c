/* crc32c - CRC-32C by instruction where the processor has one, by table elsewhere. */
#include "config.h"

#include "curve/crc32c.h"

#include <stdbool.h>
#include <string.h>

#if defined __aarch64__
#include <sys/auxv.h>
#endif

/*
 * The tables of the portable form are linear over bits: an entry is the xor of
 * the entries of its single bits, so that eight numbers make a table of 256.
 * Table k is table 0 moved on by k zero bytes (slicing by 8).
 */
#define BIT(i, b, v) (((i) >> (b) & 1) ? (v) : 0u)
#define BASIS_0(i)                                                                                 \
	(BIT(i, 0, 0xf26b8303u) ^ BIT(i, 1, 0xe13b70f7u) ^ BIT(i, 2, 0xc79a971fu) ^                \
		BIT(i, 3, 0x8ad958cfu) ^ BIT(i, 4, 0x105ec76fu) ^ BIT(i, 5, 0x20bd8edeu) ^         \
		BIT(i, 6, 0x417b1dbcu) ^ BIT(i, 7, 0x82f63b78u))
#define BASIS_1(i)                                                                                 \
	(BIT(i, 0, 0x13a29877u) ^ BIT(i, 1, 0x274530eeu) ^ BIT(i, 2, 0x4e8a61dcu) ^                \
		BIT(i, 3, 0x9d14c3b8u) ^ BIT(i, 4, 0x3fc5f181u) ^ BIT(i, 5, 0x7f8be302u) ^         \
		BIT(i, 6, 0xff17c604u) ^ BIT(i, 7, 0xfbc3faf9u))
#define BASIS_2(i)                                                                                 \
	(BIT(i, 0, 0xa541927eu) ^ BIT(i, 1, 0x4f6f520du) ^ BIT(i, 2, 0x9edea41au) ^                \
		BIT(i, 3, 0x38513ec5u) ^ BIT(i, 4, 0x70a27d8au) ^ BIT(i, 5, 0xe144fb14u) ^         \
		BIT(i, 6, 0xc76580d9u) ^ BIT(i, 7, 0x8b277743u))
#define BASIS_3(i)                                                                                 \
	(BIT(i, 0, 0xdd45aab8u) ^ BIT(i, 1, 0xbf672381u) ^ BIT(i, 2, 0x7b2231f3u) ^                \
		BIT(i, 3, 0xf64463e6u) ^ BIT(i, 4, 0xe964b13du) ^ BIT(i, 5, 0xd725148bu) ^         \
		BIT(i, 6, 0xaba65fe7u) ^ BIT(i, 7, 0x52a0c93fu))
#define BASIS_4(i)                                                                                 \
	(BIT(i, 0, 0x38116facu) ^ BIT(i, 1, 0x7022df58u) ^ BIT(i, 2, 0xe045beb0u) ^                \
		BIT(i, 3, 0xc5670b91u) ^ BIT(i, 4, 0x8f2261d3u) ^ BIT(i, 5, 0x1ba8b557u) ^         \
		BIT(i, 6, 0x37516aaeu) ^ BIT(i, 7, 0x6ea2d55cu))
#define BASIS_5(i)                                                                                 \
	(BIT(i, 0, 0xef306b19u) ^ BIT(i, 1, 0xdb8ca0c3u) ^ BIT(i, 2, 0xb2f53777u) ^                \
		BIT(i, 3, 0x6006181fu) ^ BIT(i, 4, 0xc00c303eu) ^ BIT(i, 5, 0x85f4168du) ^         \
		BIT(i, 6, 0x0e045bebu) ^ BIT(i, 7, 0x1c08b7d6u))
#define BASIS_6(i)                                                                                 \
	(BIT(i, 0, 0x68032cc8u) ^ BIT(i, 1, 0xd0065990u) ^ BIT(i, 2, 0xa5e0c5d1u) ^                \
		BIT(i, 3, 0x4e2dfd53u) ^ BIT(i, 4, 0x9c5bfaa6u) ^ BIT(i, 5, 0x3d5b83bdu) ^         \
		BIT(i, 6, 0x7ab7077au) ^ BIT(i, 7, 0xf56e0ef4u))
#define BASIS_7(i)                                                                                 \
	(BIT(i, 0, 0x493c7d27u) ^ BIT(i, 1, 0x9278fa4eu) ^ BIT(i, 2, 0x211d826du) ^                \
		BIT(i, 3, 0x423b04dau) ^ BIT(i, 4, 0x847609b4u) ^ BIT(i, 5, 0x0d006599u) ^         \
		BIT(i, 6, 0x1a00cb32u) ^ BIT(i, 7, 0x34019664u))

#define FOUR(t, i) t(i), t((i) + 1), t((i) + 2), t((i) + 3)
#define SIXTEEN(t, i) FOUR(t, i), FOUR(t, (i) + 4), FOUR(t, (i) + 8), FOUR(t, (i) + 12)
#define SIXTY_FOUR(t, i)                                                                           \
	SIXTEEN(t, i), SIXTEEN(t, (i) + 16), SIXTEEN(t, (i) + 32), SIXTEEN(t, (i) + 48)
#define TABLE(t) { SIXTY_FOUR(t, 0), SIXTY_FOUR(t, 64), SIXTY_FOUR(t, 128), SIXTY_FOUR(t, 192) }

static const uint32_t tables[8][256] = {
	TABLE(BASIS_0), TABLE(BASIS_1), TABLE(BASIS_2), TABLE(BASIS_3),
	TABLE(BASIS_4), TABLE(BASIS_5), TABLE(BASIS_6), TABLE(BASIS_7),
};

static uint64_t load_le64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v;
}

static uint32_t eight_bytes(uint64_t v)
{
	return tables[7][v & 255] ^ tables[6][v >> 8 & 255] ^ tables[5][v >> 16 & 255] ^
		tables[4][v >> 24 & 255] ^ tables[3][v >> 32 & 255] ^ tables[2][v >> 40 & 255] ^
		tables[1][v >> 48 & 255] ^ tables[0][v >> 56];
}

uint32_t crc32c_portable(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t c = ~crc;

	for (; n >= 8; n -= 8, p += 8)
		c = eight_bytes(load_le64(p) ^ c);
	for (; n; n--, p++)
		c = c >> 8 ^ tables[0][(c ^ *p) & 255];
	return ~c;
}

#if defined __x86_64__
CRC32C_INLINE static uint32_t by_instruction(uint32_t crc, const void *data, size_t n)
{
	return crc32c_inline(crc, data, n);
}

static bool has_instruction(void)
{
	return __builtin_cpu_supports("sse4.2");
}
#elif defined __aarch64__
__attribute__((target("+crc")))
static uint32_t by_instruction(uint32_t crc, const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t c = ~crc;

	for (; n >= 8; n -= 8, p += 8)
		c = __builtin_aarch64_crc32cx(c, load_le64(p));
	for (; n; n--, p++)
		c = __builtin_aarch64_crc32cb(c, *p);
	return ~c;
}

static bool has_instruction(void)
{
	return getauxval(AT_HWCAP) & 1ul << 7;	/* HWCAP_CRC32 */
}
#else
static uint32_t by_instruction(uint32_t crc, const void *data, size_t n)
{
	return crc32c_portable(crc, data, n);
}

static bool has_instruction(void)
{
	return false;
}
#endif

crc32c_fn *crc32c_best(void)
{
	return has_instruction() ? by_instruction : crc32c_portable;
}

uint32_t crc32c_bytes(const void *p, size_t n)
{
	return crc32c_best()(0, p, n);
}
