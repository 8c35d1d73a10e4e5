/*
 * churn_cache - churn by pair of revisions in one append-only file.
 *
 * "churn-1.cache" is a row of records {magic, bytes, crc32, payload}, numbers in
 * little endian.  A payload starts with the key, the two names in binary.
 * Whole records are appended with one write, so that processes may share the
 * file; the first record that does not verify ends the file, which is then
 * rewritten without the rest.
 */
#include "config.h"
#include "store/churn_internal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"

enum {
	OID_BYTES = OID_HEX / 2,
	KEY_BYTES = 2 * OID_BYTES,
	HEAD_BYTES = 12,
	RECORD_MAX = 64 << 20,
	FILE_MAX = 256 << 20,
	BATCH_BYTES = 256 << 10,	/* so much is written at a time */
	MAGIC = 0x31435450,		/* "PTC1" */
};

struct churn_cache {
	char *path;			/* NULL: keeps nothing */
	struct buf bytes;		/* the file, and what was added since */
	size_t written;			/* bytes that are in the file */
	size_t *slots;			/* offset of a payload plus one; 0 empty */
	size_t n, cap;
};

/* ---- numbers ---- */

static void put_u32(struct buf *b, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		buf_addc(b, (char)(v >> (8 * i)));
}

static void put_u64(struct buf *b, uint64_t v)
{
	put_u32(b, (uint32_t)v);
	put_u32(b, (uint32_t)(v >> 32));
}

static uint32_t get_u32(const char *s)
{
	const unsigned char *p = (const unsigned char *)s;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Reads a payload; a read beyond its end sets BAD and gives zeros. */
struct cursor {
	const char *s;
	size_t n;
	bool bad;
};

static const char *take(struct cursor *c, size_t n)
{
	const char *at = c->s;

	if (c->bad || n > c->n) {
		c->bad = true;
		return NULL;
	}
	c->s += n;
	c->n -= n;
	return at;
}

static uint32_t take_u32(struct cursor *c)
{
	const char *at = take(c, 4);

	return at != NULL ? get_u32(at) : 0;
}

static int64_t take_i64(struct cursor *c)
{
	uint64_t low = take_u32(c), high = take_u32(c);

	return (int64_t)(low | high << 32);
}

static const char *take_text(struct cursor *c, struct arena *a)
{
	size_t n = take_u32(c);
	const char *at = take(c, n);

	return at != NULL ? arena_strndup(a, at, n) : "";
}

static void put_text(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	put_u32(b, (uint32_t)n);
	buf_add(b, s, n);
}

/* An absent name is twenty zeros. */
static void put_oid(struct buf *b, const char *hex)
{
	char bytes[OID_BYTES] = { 0 };

	if (*hex != '\0')
		hex_decode(bytes, hex, OID_HEX);
	buf_add(b, bytes, sizeof bytes);
}

static void take_oid(char out[OID_HEX + 1], struct cursor *c)
{
	static const char none[OID_BYTES];
	const char *at = take(c, OID_BYTES);

	if (at == NULL || memcmp(at, none, OID_BYTES) == 0)
		out[0] = '\0';
	else
		hex_encode(out, at, OID_BYTES);
}

/* ---- payload ---- */

static void put_file(struct buf *b, const struct churn_file *f)
{
	buf_addc(b, f->status);
	buf_addc(b, f->binary ? 1 : 0);
	put_u32(b, (uint32_t)f->similarity);
	put_u32(b, f->old_mode);
	put_u32(b, f->new_mode);
	put_oid(b, f->old_oid);
	put_oid(b, f->new_oid);
	put_u64(b, (uint64_t)f->added);
	put_u64(b, (uint64_t)f->removed);
	put_text(b, f->path);
	put_text(b, f->old_path == f->path ? "" : f->old_path);
}

static void take_file(struct churn_file *f, struct cursor *c, struct arena *a)
{
	const char *flags = take(c, 2);

	if (flags == NULL)
		return;
	f->status = flags[0];
	f->binary = flags[1] != 0;
	f->similarity = (int)take_u32(c);
	f->old_mode = take_u32(c);
	f->new_mode = take_u32(c);
	take_oid(f->old_oid, c);
	take_oid(f->new_oid, c);
	f->added = take_i64(c);
	f->removed = take_i64(c);
	f->path = take_text(c, a);
	f->old_path = take_text(c, a);
	if (*f->old_path == '\0')
		f->old_path = f->path;
}

static void put_payload(struct buf *b, const struct churn_pair *pair, const struct churn *c)
{
	put_oid(b, pair->base);
	put_oid(b, pair->tip);
	put_text(b, c->reason);
	put_u32(b, (uint32_t)c->n);
	for (size_t i = 0; i < c->n; i++)
		put_file(b, &c->files[i]);
}

/* A file takes at least this many bytes, so a count is checked before room is
 * made for it. */
enum { FILE_BYTES_MIN = 2 + 12 + 2 * OID_BYTES + 16 + 8 };

static bool take_payload(struct churn *out, const char *s, size_t n)
{
	struct cursor c = { .s = s, .n = n };
	size_t files;

	take(&c, KEY_BYTES);
	out->reason = take_text(&c, &out->arena);
	files = take_u32(&c);
	if (c.bad || files > c.n / FILE_BYTES_MIN)
		return false;
	out->files = arena_alloc(&out->arena, (files + 1) * sizeof *out->files);
	for (size_t i = 0; i < files && !c.bad; i++)
		take_file(&out->files[i], &c, &out->arena);
	out->n = files;
	return !c.bad && c.n == 0;
}

/* ---- index ---- */

static void key_of(char key[KEY_BYTES], const struct churn_pair *pair)
{
	memset(key, 0, KEY_BYTES);
	if (*pair->base != '\0')
		hex_decode(key, pair->base, OID_HEX);
	if (*pair->tip != '\0')
		hex_decode(key + OID_BYTES, pair->tip, OID_HEX);
}

/* The keys are hashes already; both ends count. */
static size_t find_slot(const struct churn_cache *c, const char key[KEY_BYTES])
{
	size_t base, tip, i;

	memcpy(&base, key, sizeof base);
	memcpy(&tip, key + OID_BYTES, sizeof tip);
	for (i = (base * 31 + tip) & (c->cap - 1); c->slots[i] != 0; i = (i + 1) & (c->cap - 1))
		if (memcmp(c->bytes.s + c->slots[i] - 1, key, KEY_BYTES) == 0)
			break;
	return i;
}

static void grow(struct churn_cache *c)
{
	size_t *old = c->slots, n = c->cap;

	c->cap = n == 0 ? 256 : n * 2;
	c->slots = xcalloc(c->cap, sizeof *c->slots);
	for (size_t i = 0; i < n; i++)
		if (old[i] != 0)
			c->slots[find_slot(c, c->bytes.s + old[i] - 1)] = old[i];
	free(old);
}

static void index_payload(struct churn_cache *c, size_t offset)
{
	size_t i;

	if ((c->n + 1) * 2 > c->cap)
		grow(c);
	i = find_slot(c, c->bytes.s + offset);
	if (c->slots[i] == 0)
		c->n++;
	c->slots[i] = offset + 1;
}

/* Bytes of the record at OFFSET, 0 when it does not verify. */
static size_t check_record(const struct buf *b, size_t offset)
{
	const char *s = b->s + offset;
	size_t n;

	if (b->n - offset < HEAD_BYTES || get_u32(s) != MAGIC)
		return 0;
	n = get_u32(s + 4);
	if (n < KEY_BYTES || n > RECORD_MAX || n > b->n - offset - HEAD_BYTES)
		return 0;
	return crc32_bytes(s + HEAD_BYTES, n) == get_u32(s + 8) ? HEAD_BYTES + n : 0;
}

/* ---- file ---- */

static void load(struct churn_cache *c)
{
	size_t at = 0, used;

	if (fs_read(&c->bytes, c->path, FILE_MAX) < 0) {
		buf_clear(&c->bytes);
		unlink(c->path);
		err_clear();
	}
	while (at < c->bytes.n && (used = check_record(&c->bytes, at)) > 0) {
		index_payload(c, at + HEAD_BYTES);
		at += used;
	}
	if (at == c->bytes.n)
		return;
	buf_truncate(&c->bytes, at);
	if (fs_write_durable(c->path, c->bytes.s, c->bytes.n, 0600) < 0)
		err_clear();
}

/* What cannot be written is not kept: the next one counts it again. */
void churn_cache_flush(struct churn_cache *c)
{
	size_t start = c->written;
	int fd;

	c->written = c->bytes.n;
	if (c->path == NULL || start == c->bytes.n)
		return;
	fd = open(c->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return;
	if (fs_write_all(fd, c->bytes.s + start, c->bytes.n - start) < 0)
		err_clear();
	close(fd);
}

struct churn_cache *churn_cache_open(const char *folder)
{
	struct churn_cache *c = xcalloc(1, sizeof *c);

	buf_init(&c->bytes);
	grow(c);
	if (fs_mkdirs(folder, 0700) < 0) {
		err_clear();
		return c;
	}
	c->path = xasprintf("%s/churn-1.cache", folder);
	load(c);
	c->written = c->bytes.n;
	return c;
}

void churn_cache_free(struct churn_cache *c)
{
	if (c == NULL)
		return;
	churn_cache_flush(c);
	buf_release(&c->bytes);
	free(c->slots);
	free(c->path);
	free(c);
}

size_t churn_cache_count(const struct churn_cache *c)
{
	return c->n;
}

bool churn_cache_find(struct churn *out, struct churn_cache *cache, const struct churn_pair *pair)
{
	char key[KEY_BYTES];
	size_t offset;

	*out = (struct churn)CHURN_INIT;
	if (cache == NULL)
		return false;
	key_of(key, pair);
	offset = cache->slots[find_slot(cache, key)];
	if (offset == 0)
		return false;
	offset--;
	if (!take_payload(out, cache->bytes.s + offset, get_u32(cache->bytes.s + offset - 8))) {
		churn_release(out);
		return false;
	}
	churn_finish(out);
	out->origin = CHURN_FROM_CACHE;
	return true;
}

void churn_cache_keep(struct churn_cache *cache, const struct churn_pair *pair, const struct churn *c)
{
	struct buf payload = BUF_INIT;
	size_t start;

	if (cache == NULL || c->origin != CHURN_FROM_GIT)
		return;
	put_payload(&payload, pair, c);
	start = cache->bytes.n;
	if (payload.n <= RECORD_MAX && start + payload.n + HEAD_BYTES <= FILE_MAX) {
		put_u32(&cache->bytes, MAGIC);
		put_u32(&cache->bytes, (uint32_t)payload.n);
		put_u32(&cache->bytes, crc32_bytes(payload.s, payload.n));
		buf_add(&cache->bytes, payload.s, payload.n);
		index_payload(cache, start + HEAD_BYTES);
		if (cache->bytes.n - cache->written >= BATCH_BYTES)
			churn_cache_flush(cache);
	}
	buf_release(&payload);
}
