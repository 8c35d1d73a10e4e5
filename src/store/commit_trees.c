/*
 * commit_trees - see commit_trees.h.
 *
 * A pack's index (version 2): magic, version, 256 counts of names up to a first
 * byte, the sorted names, checksums, offsets of 31 bits, and 64-bit offsets for
 * those with the top bit set.  An object in the pack: a type and a size in
 * groups of bits, then its bytes deflated.
 */
#include "config.h"
#include "store/commit_trees.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/hash.h"
#include "base/text.h"

enum {
	OID_BYTES = OID_HEX / 2,
	BUCKETS = 256,
	HEAD_BYTES = 8 + 4 * BUCKETS,
	OBJECT_COMMIT = 1,
	/* "commit 1234567890" NUL "tree " and the name: this much decides. */
	BEGIN_BYTES = 96,
	/* Deflated text of that length is shorter; this much is read for it. */
	READ_BYTES = 256,
	WINDOW_BYTES = 32 << 10,
	LINE_BYTES = 5 + OID_HEX + 1,
};

struct pack {
	int index, file;
	uint64_t index_size;
	uint32_t until[BUCKETS];	/* how many names begin with at most this byte */
	unsigned char *names[BUCKETS];	/* of one first byte, read when first needed */
	unsigned char *offsets[BUCKETS];	/* of the same objects, four bytes each */
};

struct commit_trees {
	struct arena arena;
	const char *folder;
	struct pack *packs;
	size_t n, cap;
	/* What was read last of a pack: commits lie near each other. */
	unsigned char *window;
	size_t window_n;
	uint64_t window_at;
	int window_of;
	z_stream inflater;
	bool can_inflate;
};

static bool read_at(int fd, void *out, size_t n, uint64_t offset)
{
	return pread(fd, out, n, (off_t)offset) == (ssize_t)n;
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* ---- opening --------------------------------------------------------------- */

static void close_pack(struct pack *p)
{
	if (p->index >= 0)
		close(p->index);
	if (p->file >= 0)
		close(p->file);
	for (size_t i = 0; i < BUCKETS; i++) {
		free(p->names[i]);
		free(p->offsets[i]);
	}
}

static bool read_head(struct pack *p)
{
	static const unsigned char magic[8] = { 0xff, 't', 'O', 'c', 0, 0, 0, 2 };
	unsigned char head[HEAD_BYTES];
	struct stat st;

	if (fstat(p->index, &st) < 0 || !read_at(p->index, head, sizeof head, 0) ||
		memcmp(head, magic, 8) != 0)
		return false;
	p->index_size = (uint64_t)st.st_size;
	for (size_t i = 0; i < BUCKETS; i++) {
		p->until[i] = big_endian(head + 8 + 4 * i);
		if (i > 0 && p->until[i] < p->until[i - 1])
			return false;
	}
	return HEAD_BYTES + (uint64_t)p->until[BUCKETS - 1] * (OID_BYTES + 8) <= p->index_size;
}

static void add_pack(struct commit_trees *t, const char *folder, const char *index_name)
{
	struct pack p = { 0 };
	char *path = fs_join(&t->arena, folder, index_name);

	p.index = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	memcpy(path + strlen(path) - strlen("idx"), "pac", 3);
	path = arena_printf(&t->arena, "%sk", path);
	p.file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (p.index < 0 || p.file < 0 || !read_head(&p)) {
		close_pack(&p);
		return;
	}
	ARRAY_GROW(t->packs, t->n, t->cap);
	t->packs[t->n++] = p;
}

struct commit_trees *commit_trees_open(const char *objects_folder)
{
	struct commit_trees *t = xcalloc(1, sizeof *t);
	const char *folder = fs_join(&t->arena, objects_folder, "pack");
	char **names;
	size_t n = 0;

	t->folder = arena_strdup(&t->arena, objects_folder);
	t->window = xmalloc(WINDOW_BYTES);
	t->window_of = -1;
	t->can_inflate = inflateInit(&t->inflater) == Z_OK;
	if (fs_list(&names, &n, &t->arena, folder) < 0)
		err_clear();
	for (size_t i = 0; i < n; i++)
		if (text_ends(names[i], ".idx"))
			add_pack(t, folder, names[i]);
	return t;
}

void commit_trees_free(struct commit_trees *t)
{
	if (t == NULL)
		return;
	for (size_t i = 0; i < t->n; i++)
		close_pack(&t->packs[i]);
	free(t->packs);
	free(t->window);
	if (t->can_inflate)
		inflateEnd(&t->inflater);
	arena_release(&t->arena);
	free(t);
}

/* ---- looking up -------------------------------------------------------------- */

static uint32_t first_of(const struct pack *p, unsigned int bucket)
{
	return bucket > 0 ? p->until[bucket - 1] : 0;
}

static bool load_bucket(struct pack *p, unsigned int bucket)
{
	uint32_t first = first_of(p, bucket);
	uint64_t n = p->until[BUCKETS - 1], small = HEAD_BYTES + n * (OID_BYTES + 4);
	size_t many = p->until[bucket] - first;
	unsigned char *names, *offsets;

	if (p->names[bucket] != NULL)
		return true;
	names = xmalloc(many * OID_BYTES + 1);
	offsets = xmalloc(many * 4 + 1);
	if (!read_at(p->index, names, many * OID_BYTES, HEAD_BYTES + (uint64_t)first * OID_BYTES) ||
	    !read_at(p->index, offsets, many * 4, small + 4 * (uint64_t)first)) {
		free(names);
		free(offsets);
		return false;
	}
	p->names[bucket] = names;
	p->offsets[bucket] = offsets;
	return true;
}

static bool find_large_offset(uint64_t *out, const struct pack *p, uint64_t place)
{
	uint64_t n = p->until[BUCKETS - 1];
	unsigned char bytes[8];

	if (!read_at(p->index, bytes, 8, HEAD_BYTES + n * (OID_BYTES + 8) + 8 * place))
		return false;
	*out = (uint64_t)big_endian(bytes) << 32 | big_endian(bytes + 4);
	return *out <= INT64_MAX;
}

/* Where the object lies in the pack. */
static bool find_offset(uint64_t *out, struct pack *p, const unsigned char *name)
{
	size_t low = 0, high = p->until[name[0]] - first_of(p, name[0]);

	if (!load_bucket(p, name[0]))
		return false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = memcmp(name, p->names[name[0]] + middle * OID_BYTES, OID_BYTES);

		if (order == 0) {
			*out = big_endian(p->offsets[name[0]] + 4 * middle);
			return *out < UINT32_C(1) << 31 ||
				find_large_offset(out, p, *out & 0x7fffffff);
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

/* At most READ_BYTES of the pack from OFFSET on, borrowed until the next call. */
static unsigned char *look_at(
	size_t *n, struct commit_trees *t, const struct pack *p, uint64_t offset)
{
	if (t->window_of != p->file || offset < t->window_at ||
		offset + READ_BYTES > t->window_at + t->window_n) {
		ssize_t got = pread(p->file, t->window, WINDOW_BYTES, (off_t)offset);

		t->window_of = p->file;
		t->window_at = offset;
		t->window_n = got > 0 ? (size_t)got : 0;
	}
	*n = t->window_n - (size_t)(offset - t->window_at);
	if (*n > READ_BYTES)
		*n = READ_BYTES;
	return t->window + (offset - t->window_at);
}

/* The first bytes of what S holds deflated; how many. */
static size_t begin_of(struct commit_trees *t, char *out, size_t room, unsigned char *s, size_t n)
{
	z_stream *z = &t->inflater;

	if (!t->can_inflate || inflateReset(z) != Z_OK)
		return 0;
	z->next_in = s;
	z->avail_in = (uInt)n;
	z->next_out = (unsigned char *)out;
	z->avail_out = (uInt)room;
	/* That the input ends early is no error here. */
	if (inflate(z, Z_SYNC_FLUSH) < 0 && z->avail_out > 0)
		return 0;
	return room - z->avail_out;
}

static bool take_tree(char out[OID_HEX + 1], const char *s, size_t n)
{
	if (n < LINE_BYTES || memcmp(s, "tree ", 5) != 0 || s[LINE_BYTES - 1] != '\n')
		return false;
	memcpy(out, s + 5, OID_HEX);
	out[OID_HEX] = '\0';
	return oid_is_valid(out);
}

static bool find_in_pack(
	char out[OID_HEX + 1], struct commit_trees *t, struct pack *p, const unsigned char *name)
{
	char begin[BEGIN_BYTES];
	unsigned char *bytes;
	uint64_t offset;
	size_t n, at = 0;

	if (!find_offset(&offset, p, name))
		return false;
	bytes = look_at(&n, t, p, offset);
	if (n == 0 || (bytes[0] >> 4 & 7) != OBJECT_COMMIT)
		return false;
	while (at < n && bytes[at] & 0x80)
		at++;
	at++;
	return at < n &&
		take_tree(out, begin, begin_of(t, begin, sizeof begin, bytes + at, n - at));
}

static bool find_loose(char out[OID_HEX + 1], struct commit_trees *t, const char *commit)
{
	char path[4096], begin[BEGIN_BYTES];
	unsigned char bytes[READ_BYTES];
	const char *text;
	ssize_t n;
	size_t got;
	int fd;

	if (snprintf(path, sizeof path, "%s/%.2s/%s", t->folder, commit, commit + 2) >=
		(int)sizeof path)
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	n = pread(fd, bytes, sizeof bytes, 0);
	close(fd);
	got = n > 0 ? begin_of(t, begin, sizeof begin, bytes, (size_t)n) : 0;
	text = got > 7 && memcmp(begin, "commit ", 7) == 0 ? memchr(begin, '\0', got) : NULL;
	return text != NULL && take_tree(out, text + 1, got - (size_t)(text + 1 - begin));
}

bool commit_trees_find(char out[OID_HEX + 1], struct commit_trees *t, const char *commit)
{
	unsigned char name[OID_BYTES];

	if (!oid_is_valid(commit) || !hex_decode(name, commit, OID_HEX))
		return false;
	for (size_t i = 0; i < t->n; i++) {
		/* The pack that had the last one has most of the others. */
		if (find_in_pack(out, t, &t->packs[i], name)) {
			struct pack found = t->packs[i];

			t->packs[i] = t->packs[0];
			t->packs[0] = found;
			return true;
		}
	}
	return find_loose(out, t, commit);
}
