/*
 * hash - SHA-256 (OpenSSL), CRC-32 (zlib's polynomial), FNV-1a and hexadecimal.
 *
 * A digest is 32 bytes by value; as text it is 64 lower-case digits, and no other
 * spelling reads back.  All zero stands for "none".  The CRC finds accidents, the
 * digest also malice.
 *
 *	struct digest d = sha256_bytes(text, n);
 *	char hex[DIGEST_HEX + 1];
 *
 *	digest_hex(hex, &d);
 */
#ifndef PORTSIDE_BASE_HASH_H
#define PORTSIDE_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"

struct digest { unsigned char bytes[32]; };

enum { DIGEST_HEX = 64 };

struct sha256;

/* Streaming: sha256_new, update..., final frees.  What was begun must be ended. */
struct sha256 *sha256_new(void);
void sha256_update(struct sha256 *h, const void *p, size_t n);
struct digest sha256_final(struct sha256 *h);
struct digest sha256_bytes(const void *p, size_t n);

/* Hash and size of a file, read with bounded memory.  ERR_IO, ERR_NOT_FOUND. */
int sha256_file(struct digest *out, int64_t *size, const char *path) ATTR_MUST_USE;

uint32_t crc32_bytes(const void *p, size_t n);

/*
 * FNV-1a, for tables in memory only: whoever chooses the keys can make them collide, so
 * it proves nothing.  H is what went before, FNV1A_BEGIN at first.
 */
#define FNV1A_BEGIN UINT64_C(14695981039346656037)
static inline uint64_t fnv1a(uint64_t h, const void *p, size_t n)
{
	const unsigned char *bytes = p;

	for (size_t i = 0; i < n; i++)
		h = (h ^ bytes[i]) * UINT64_C(1099511628211);
	return h;
}

void hex_encode(char *out, const void *p, size_t n);		/* 2N + NUL bytes */
/* N hex digits -> N/2 bytes; lower case only */
bool hex_decode(void *out, const char *s, size_t n);
void digest_hex(char out[DIGEST_HEX + 1], const struct digest *d);
bool digest_from_hex(struct digest *out, const char *s);	/* exactly 64 digits */
bool digest_equal(const struct digest *a, const struct digest *b);
bool digest_is_zero(const struct digest *d);

/* N random bytes from the kernel; aborts when there are none. */
void random_bytes(void *out, size_t n);

#endif
