/*
 * record_cache - see record_cache.h.
 */
#include "config.h"
#include "store/record_cache.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"

enum {
	HEAD_BYTES = 12,
	RECORD_MAX = 64 << 20,
	FILE_MAX = 256 << 20,
	BATCH_BYTES = 256 << 10,	/* so much is written at a time */
	MAGIC = 0x31435450,		/* "PTC1" */
};

struct record_cache {
	char *path;			/* NULL: keeps nothing */
	bool read_only;
	size_t key_bytes;
	struct buf bytes;		/* the file, and what was added since */
	size_t written;			/* bytes that are in the file */
	size_t *slots;			/* offset of a key plus one; 0 empty */
	size_t n, cap;
};

/* ---- index ---- */

/* The keys are hashes already; both ends of one count. */
static size_t find_slot(const struct record_cache *c, const char *key)
{
	size_t first, last, i;

	memcpy(&first, key, sizeof first);
	memcpy(&last, key + c->key_bytes - sizeof last, sizeof last);
	for (i = (first * 31 + last) & (c->cap - 1); c->slots[i] != 0; i = (i + 1) & (c->cap - 1))
		if (memcmp(c->bytes.s + c->slots[i] - 1, key, c->key_bytes) == 0)
			break;
	return i;
}

static void grow(struct record_cache *c)
{
	size_t *old = c->slots, n = c->cap;

	c->cap = n == 0 ? 256 : n * 2;
	c->slots = xcalloc(c->cap, sizeof *c->slots);
	for (size_t i = 0; i < n; i++)
		if (old[i] != 0)
			c->slots[find_slot(c, c->bytes.s + old[i] - 1)] = old[i];
	free(old);
}

static void index_payload(struct record_cache *c, size_t offset)
{
	size_t i;

	if ((c->n + 1) * 2 > c->cap)
		grow(c);
	i = find_slot(c, c->bytes.s + offset);
	if (c->slots[i] == 0)
		c->n++;
	c->slots[i] = offset + 1;
}

/* ---- file ---- */

/* Bytes of the record at OFFSET, 0 when it does not verify. */
static size_t check_record(const struct record_cache *c, size_t offset)
{
	const char *s = c->bytes.s + offset;
	size_t n, left = c->bytes.n - offset;

	if (left < HEAD_BYTES || bytes_u32(s) != MAGIC)
		return 0;
	n = bytes_u32(s + 4);
	if (n < c->key_bytes || n > RECORD_MAX || n > left - HEAD_BYTES)
		return 0;
	return crc32_bytes(s + HEAD_BYTES, n) == bytes_u32(s + 8) ? HEAD_BYTES + n : 0;
}

static void load(struct record_cache *c)
{
	size_t at = 0, used;

	if (fs_read(&c->bytes, c->path, FILE_MAX) < 0) {
		buf_clear(&c->bytes);
		if (!c->read_only)
			unlink(c->path);
		err_clear();
	}
	while (at < c->bytes.n && (used = check_record(c, at)) > 0) {
		index_payload(c, at + HEAD_BYTES);
		at += used;
	}
	if (at == c->bytes.n)
		return;
	buf_truncate(&c->bytes, at);
	if (!c->read_only && fs_write_durable(c->path, c->bytes.s, c->bytes.n, 0600) < 0)
		err_clear();
}

struct record_cache *record_cache_open(const char *path, size_t key_bytes, bool read_only)
{
	struct record_cache *c = xcalloc(1, sizeof *c);
	struct arena a = ARENA_INIT;
	bool usable = read_only || fs_mkdirs(fs_dirname(&a, path), 0700) == 0;

	c->key_bytes = key_bytes;
	c->read_only = read_only;
	buf_init(&c->bytes);
	grow(c);
	arena_release(&a);
	if (!usable) {
		err_clear();
		return c;
	}
	c->path = xstrdup(path);
	load(c);
	c->written = c->bytes.n;
	return c;
}

void record_cache_free(struct record_cache *c)
{
	if (c == NULL)
		return;
	record_cache_flush(c);
	buf_release(&c->bytes);
	free(c->slots);
	free(c->path);
	free(c);
}

/* What cannot be written is not kept: the next one makes it again. */
void record_cache_flush(struct record_cache *c)
{
	size_t start = c->written;
	int fd;

	c->written = c->bytes.n;
	if (c->path == NULL || c->read_only || start == c->bytes.n)
		return;
	fd = open(c->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	if (fs_write_all(fd, c->bytes.s + start, c->bytes.n - start) < 0)
		err_clear();
	close(fd);
}

size_t record_cache_count(const struct record_cache *c)
{
	return c->n;
}

bool record_cache_find(const char **value, size_t *n, const struct record_cache *c, const void *key)
{
	size_t offset = c->slots[find_slot(c, key)];
	const char *payload;

	if (offset == 0)
		return false;
	payload = c->bytes.s + offset - 1;
	*value = payload + c->key_bytes;
	*n = bytes_u32(payload - 8) - c->key_bytes;
	return true;
}

void record_cache_keep(struct record_cache *c, const void *key, const void *value, size_t n)
{
	size_t start = c->bytes.n, payload = c->key_bytes + n;

	if (payload > RECORD_MAX || start + payload + HEAD_BYTES > FILE_MAX)
		return;
	bytes_put_u32(&c->bytes, MAGIC);
	bytes_put_u32(&c->bytes, (uint32_t)payload);
	bytes_put_u32(&c->bytes, 0);
	buf_add(&c->bytes, key, c->key_bytes);
	buf_add(&c->bytes, value, n);
	bytes_set_u32(c->bytes.s + start + 8,
		crc32_bytes(c->bytes.s + start + HEAD_BYTES, payload));
	index_payload(c, start + HEAD_BYTES);
	if (c->bytes.n - c->written >= BATCH_BYTES)
		record_cache_flush(c);
}
