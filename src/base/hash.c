/* hash - see hash.h. */
#include "config.h"

#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* openssl/err.h has a type of the same name as one of our error codes. */
#define ERR_STATE openssl_err_state
#include <openssl/evp.h>
#undef ERR_STATE
#include <zlib.h>

#include "base/err.h"
#include "base/fs.h"

struct sha256 { EVP_MD_CTX *context; };

/* OpenSSL fails here only when it is out of memory or broken: a bug, not input. */
static void must(int ok)
{
	if (ok != 1)
		abort();
}

struct sha256 *sha256_new(void)
{
	struct sha256 *h = xmalloc(sizeof *h);

	h->context = EVP_MD_CTX_new();
	must(h->context != NULL);
	must(EVP_DigestInit_ex(h->context, EVP_sha256(), NULL));
	return h;
}

void sha256_update(struct sha256 *h, const void *p, size_t n)
{
	must(EVP_DigestUpdate(h->context, p, n));
}

struct digest sha256_final(struct sha256 *h)
{
	struct digest d;

	must(EVP_DigestFinal_ex(h->context, d.bytes, NULL));
	EVP_MD_CTX_free(h->context);
	free(h);
	return d;
}

struct digest sha256_bytes(const void *p, size_t n)
{
	struct sha256 *h = sha256_new();

	sha256_update(h, p, n);
	return sha256_final(h);
}

int sha256_file(struct digest *out, int64_t *size, const char *path)
{
	int fd = fs_open_file(path);
	enum { CHUNK = 256 * 1024 };
	struct sha256 *h;
	int64_t total = 0;
	char *chunk;
	ssize_t k;

	if (fd < 0)
		return fd;
	h = sha256_new();
	chunk = xmalloc(CHUNK);
	while ((k = read(fd, chunk, CHUNK)) != 0) {
		if (k < 0 && errno == EINTR)
			continue;
		if (k < 0)
			break;
		sha256_update(h, chunk, (size_t)k);
		total += k;
	}
	*out = sha256_final(h);
	free(chunk);
	if (k < 0) {
		int rc = err_errno(ERR_IO, "cannot read %s", path);

		close(fd);
		return rc;
	}
	close(fd);
	if (size)
		*size = total;
	return 0;
}

uint32_t crc32_bytes(const void *p, size_t n)
{
	return (uint32_t)crc32_z(0, p, n);
}

void hex_encode(char *out, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *b = p;

	for (size_t i = 0; i < n; i++) {
		*out++ = digits[b[i] >> 4];
		*out++ = digits[b[i] & 15];
	}
	*out = '\0';
}

/* Sixteen values, and 16 for what is no digit. */
static unsigned int nibble(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a' + 10) : 16;
}

bool hex_decode(void *out, const char *s, size_t n)
{
	unsigned char *b = out;
	unsigned int wrong = 0;

	if (n % 2)
		return false;
	for (size_t i = 0; i < n; i += 2) {
		unsigned int high = nibble(s[i]), low = nibble(s[i + 1]);

		wrong |= high | low;
		b[i / 2] = (unsigned char)(high << 4 | (low & 15));
	}
	return (wrong & 16) == 0;
}

void digest_hex(char out[DIGEST_HEX + 1], const struct digest *d)
{
	hex_encode(out, d->bytes, sizeof d->bytes);
}

bool digest_from_hex(struct digest *out, const char *s)
{
	return s && strlen(s) == DIGEST_HEX && hex_decode(out->bytes, s, DIGEST_HEX);
}

bool digest_equal(const struct digest *a, const struct digest *b)
{
	return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

bool digest_is_zero(const struct digest *d)
{
	static const struct digest zero;

	return digest_equal(d, &zero);
}

void random_bytes(void *out, size_t n)
{
	unsigned char *b = out;

	while (n) {
		ssize_t k = getrandom(b, n, 0);

		if (k < 0 && errno != EINTR)
			abort();
		if (k > 0) {
			b += k;
			n -= (size_t)k;
		}
	}
}
