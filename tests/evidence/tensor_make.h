/*
 * tensor_make - small files of tensors for tests, byte by byte.
 *
 * Files lie in a folder that tensor_make_begin() makes and tensor_make_end() removes.
 *
 *	tensor_make_begin();
 *	path = make_file("a.npy", bytes.s, bytes.n);
 */
#ifndef PORTSIDE_TESTS_TENSOR_MAKE_H
#define PORTSIDE_TESTS_TENSOR_MAKE_H

#include "tests/unit.h"

#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/fs.h"

static char make_folder[] = "/tmp/portside-tensors-XXXXXX";
static struct arena make_arena = ARENA_INIT;

static inline int tensor_make_begin(void **state)
{
	(void)state;
	return mkdtemp(make_folder) ? 0 : -1;
}

static inline int tensor_make_end(void **state)
{
	(void)state;
	arena_release(&make_arena);
	return fs_remove_tree(make_folder);
}

static inline const char *make_path(const char *name)
{
	return fs_join(&make_arena, make_folder, name);
}

static inline const char *make_file(const char *name, const void *p, size_t n)
{
	const char *path = make_path(name);
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(p, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	return path;
}

static inline void make_little(struct buf *b, uint64_t v, unsigned bytes)
{
	for (; bytes--; v >>= 8)
		buf_addc(b, (char)(v & 0xff));
}

/* Length, header, values. */
static inline const char *make_safetensors(const char *name, const char *header, const void *p,
	size_t n)
{
	struct buf b = BUF_INIT;
	const char *path;

	make_little(&b, strlen(header), 8);
	buf_adds(&b, header);
	buf_add(&b, p, n);
	path = make_file(name, b.s, b.n);
	buf_release(&b);
	return path;
}

/* A .npy of VERSION whose literal is HEADER. */
static inline void make_npy(struct buf *b, int version, const char *header, const void *p, size_t n)
{
	buf_add(b, "\x93NUMPY", 6);
	buf_addc(b, (char)version);
	buf_addc(b, 0);
	make_little(b, strlen(header), version == 1 ? 2 : 4);
	buf_adds(b, header);
	buf_add(b, p, n);
}

static inline const char *make_npy_file(const char *name, const char *header, const void *p,
	size_t n)
{
	struct buf b = BUF_INIT;
	const char *path;

	make_npy(&b, 1, header, p, n);
	path = make_file(name, b.s, b.n);
	buf_release(&b);
	return path;
}

/* What may be wrong with a member on purpose. */
struct make_member {
	const char *name, *local_name;	/* LOCAL_NAME NULL: the same */
	const char *bytes;		/* what is packed, N of it */
	size_t n;
	int method;			/* 0 or 8; others are written as stored */
	int flags;
	uint32_t crc_wrong;		/* is added */
	size_t claims_n;		/* 0: N */
	size_t cut;			/* bytes that are missing at the end of what is packed */
	int64_t local_at;		/* 0: where it is */
};

static inline void make_packed(struct buf *out, const struct make_member *m)
{
	z_stream z;
	unsigned char packed[65536];

	if (m->method != 8) {
		buf_add(out, m->bytes, m->n);
		return;
	}
	memset(&z, 0, sizeof z);
	assert_int_equal(
		deflateInit2(&z, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)m->bytes;
	z.avail_in = (uInt)m->n;
	do {
		z.next_out = packed;
		z.avail_out = sizeof packed;
		assert_true(deflate(&z, Z_FINISH) != Z_STREAM_ERROR);
		buf_add(out, packed, sizeof packed - z.avail_out);
	} while (!z.avail_out);
	deflateEnd(&z);
}

/* An archive of N members; ZIP64 writes sizes and places in extra fields. */
static inline const char *make_zip(const char *file, const struct make_member *members, size_t n,
	bool zip64)
{
	struct buf b = BUF_INIT, list = BUF_INIT, packed = BUF_INIT;
	uint64_t list_at, end_at;
	const char *path;

	for (size_t i = 0; i < n; i++) {
		const struct make_member *m = &members[i];
		const char *local = m->local_name ? m->local_name : m->name;
		uint64_t at = m->local_at ? (uint64_t)m->local_at : b.n;
		size_t claims = m->claims_n ? m->claims_n : m->n;
		uint32_t crc = (uint32_t)crc32(0, (const unsigned char *)m->bytes, (uInt)m->n) +
			m->crc_wrong;

		buf_clear(&packed);
		make_packed(&packed, m);
		buf_truncate(&packed, packed.n - m->cut);
		buf_adds(&b, "PK\3\4");
		make_little(&b, 20, 2);
		make_little(&b, (uint64_t)m->flags, 2);
		make_little(&b, (uint64_t)m->method, 2);
		make_little(&b, 0, 4);
		make_little(&b, crc, 4);
		make_little(&b, packed.n, 4);
		make_little(&b, claims, 4);
		make_little(&b, strlen(local), 2);
		make_little(&b, 0, 2);
		buf_adds(&b, local);
		buf_add(&b, packed.s, packed.n);

		buf_adds(&list, "PK\1\2");
		make_little(&list, 0x0014002d, 4);
		make_little(&list, (uint64_t)m->flags, 2);
		make_little(&list, (uint64_t)m->method, 2);
		make_little(&list, 0, 4);
		make_little(&list, crc, 4);
		make_little(&list, zip64 ? 0xffffffff : packed.n, 4);
		make_little(&list, zip64 ? 0xffffffff : claims, 4);
		make_little(&list, strlen(m->name), 2);
		make_little(&list, zip64 ? 28 : 0, 2);
		make_little(&list, 0, 2 + 2 + 2 + 4);
		make_little(&list, zip64 ? 0xffffffff : at, 4);
		buf_adds(&list, m->name);
		if (zip64) {
			make_little(&list, 1, 2);
			make_little(&list, 24, 2);
			make_little(&list, claims, 8);
			make_little(&list, packed.n, 8);
			make_little(&list, at, 8);
		}
	}
	list_at = b.n;
	buf_add(&b, list.s, list.n);
	end_at = b.n;
	if (zip64) {
		buf_adds(&b, "PK\6\6");
		make_little(&b, 44, 8);
		make_little(&b, 0x002d002d, 4);
		make_little(&b, 0, 8);
		make_little(&b, n, 8);
		make_little(&b, n, 8);
		make_little(&b, list.n, 8);
		make_little(&b, list_at, 8);
		buf_adds(&b, "PK\6\7");
		make_little(&b, 0, 4);
		make_little(&b, end_at, 8);
		make_little(&b, 1, 4);
	}
	buf_adds(&b, "PK\5\6");
	make_little(&b, 0, 4);
	make_little(&b, zip64 ? 0xffff : n, 2);
	make_little(&b, zip64 ? 0xffff : n, 2);
	make_little(&b, zip64 ? 0xffffffff : list.n, 4);
	make_little(&b, zip64 ? 0xffffffff : list_at, 4);
	make_little(&b, 0, 2);
	path = make_file(file, b.s, b.n);
	buf_release(&b);
	buf_release(&list);
	buf_release(&packed);
	return path;
}

#endif
