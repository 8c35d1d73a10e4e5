/*
 * churn_cache - churn by pair of revisions, in "churn-1.cache".
 *
 * A key is the two names in binary, a value the files with their counts,
 * numbers in little endian; the file itself is store/record_cache.h.
 */
#include "config.h"
#include "store/churn_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/record_cache.h"

enum { OID_BYTES = OID_HEX / 2, KEY_BYTES = 2 * OID_BYTES };

struct churn_cache { struct record_cache *records; };

/* ---- numbers ---- */

static const char *take_text(struct bytes *c, struct arena *a)
{
	size_t n = bytes_take_u32(c);
	const char *at = bytes_take(c, n);

	return at != NULL ? arena_strndup(a, at, n) : "";
}

static void put_text(struct buf *b, const char *s)
{
	size_t n = strlen(s);

	bytes_put_u32(b, (uint32_t)n);
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

static void take_oid(char out[OID_HEX + 1], struct bytes *c)
{
	static const char none[OID_BYTES];
	const char *at = bytes_take(c, OID_BYTES);

	if (at == NULL || memcmp(at, none, OID_BYTES) == 0)
		out[0] = '\0';
	else
		hex_encode(out, at, OID_BYTES);
}

/* ---- value ---- */

static void put_file(struct buf *b, const struct churn_file *f)
{
	buf_addc(b, f->status);
	buf_addc(b, f->binary ? 1 : 0);
	bytes_put_u32(b, (uint32_t)f->similarity);
	bytes_put_u32(b, f->old_mode);
	bytes_put_u32(b, f->new_mode);
	put_oid(b, f->old_oid);
	put_oid(b, f->new_oid);
	bytes_put_i64(b, f->added);
	bytes_put_i64(b, f->removed);
	put_text(b, f->path);
	put_text(b, f->old_path == f->path ? "" : f->old_path);
}

static void take_file(struct churn_file *f, struct bytes *c, struct arena *a)
{
	const char *flags = bytes_take(c, 2);

	if (flags == NULL)
		return;
	f->status = flags[0];
	f->binary = flags[1] != 0;
	f->similarity = (int)bytes_take_u32(c);
	f->old_mode = bytes_take_u32(c);
	f->new_mode = bytes_take_u32(c);
	take_oid(f->old_oid, c);
	take_oid(f->new_oid, c);
	f->added = bytes_take_i64(c);
	f->removed = bytes_take_i64(c);
	f->path = take_text(c, a);
	f->old_path = take_text(c, a);
	if (*f->old_path == '\0')
		f->old_path = f->path;
}

static void put_value(struct buf *b, const struct churn *c)
{
	put_text(b, c->reason);
	bytes_put_u32(b, (uint32_t)c->n);
	for (size_t i = 0; i < c->n; i++)
		put_file(b, &c->files[i]);
}

/* A file takes at least this many bytes, so a count is checked before room is
 * made for it. */
enum { FILE_BYTES_MIN = 2 + 12 + 2 * OID_BYTES + 16 + 8 };

static bool take_value(struct churn *out, const char *s, size_t n)
{
	struct bytes c = { .s = s, .n = n };
	size_t files;

	out->reason = take_text(&c, &out->arena);
	files = bytes_take_u32(&c);
	if (c.bad || files > c.n / FILE_BYTES_MIN)
		return false;
	out->files = arena_alloc(&out->arena, (files + 1) * sizeof *out->files);
	for (size_t i = 0; i < files && !c.bad; i++)
		take_file(&out->files[i], &c, &out->arena);
	out->n = files;
	return !c.bad && c.n == 0;
}

/* ---- cache ---- */

static void key_of(char key[KEY_BYTES], const struct churn_pair *pair)
{
	memset(key, 0, KEY_BYTES);
	if (*pair->base != '\0')
		hex_decode(key, pair->base, OID_HEX);
	if (*pair->tip != '\0')
		hex_decode(key + OID_BYTES, pair->tip, OID_HEX);
}

static struct churn_cache *open_cache(const char *folder, bool read_only)
{
	struct churn_cache *c = xcalloc(1, sizeof *c);
	char *path = xasprintf("%s/churn-1.cache", folder);

	c->records = record_cache_open(path, KEY_BYTES, read_only);
	free(path);
	return c;
}

struct churn_cache *churn_cache_open(const char *folder)
{
	return open_cache(folder, false);
}

struct churn_cache *churn_cache_open_read_only(const char *folder)
{
	return open_cache(folder, true);
}

void churn_cache_free(struct churn_cache *c)
{
	if (c == NULL)
		return;
	record_cache_free(c->records);
	free(c);
}

void churn_cache_flush(struct churn_cache *c)
{
	record_cache_flush(c->records);
}

size_t churn_cache_count(const struct churn_cache *c)
{
	return record_cache_count(c->records);
}

bool churn_cache_find(struct churn *out, struct churn_cache *cache, const struct churn_pair *pair)
{
	char key[KEY_BYTES];
	const char *value;
	size_t n;

	*out = (struct churn)CHURN_INIT;
	if (cache == NULL)
		return false;
	key_of(key, pair);
	if (!record_cache_find(&value, &n, cache->records, key))
		return false;
	if (!take_value(out, value, n)) {
		churn_release(out);
		return false;
	}
	churn_finish(out);
	out->origin = CHURN_FROM_CACHE;
	return true;
}

void churn_cache_keep(
	struct churn_cache *cache, const struct churn_pair *pair, const struct churn *c)
{
	struct buf value = BUF_INIT;
	char key[KEY_BYTES];

	if (cache == NULL || c->origin != CHURN_FROM_GIT)
		return;
	key_of(key, pair);
	put_value(&value, c);
	record_cache_keep(cache->records, key, value.s, value.n);
	buf_release(&value);
}
