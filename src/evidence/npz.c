/* npz - an archive of arrays: a zip file whose members are .npy files. */
#include "config.h"

#include "evidence/npz.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/npy.h"
#include "evidence/tensor_bytes.h"
#include "evidence/tensor_stream.h"

/* Records of a zip file, and the bytes of each before what varies (APPNOTE 4.3). */
enum {
	LOCAL_BYTES = 30,
	CENTRAL_BYTES = 46,
	END_BYTES = 22,
	END64_BYTES = 56,
	LOCATOR64_BYTES = 20,
	COMMENT_MAX = 65535,
};

static const char local_sign[] = "PK\3\4", central_sign[] = "PK\1\2", end_sign[] = "PK\5\6",
		  end64_sign[] = "PK\6\6", locator64_sign[] = "PK\6\7";

enum { METHOD_STORED = 0, METHOD_DEFLATED = 8, FLAG_ENCRYPTED = 1 };

static uint64_t little(const char *p, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | (unsigned char)p[bytes];
	return v;
}

static bool signed_as(const char *p, const char *sign)
{
	return memcmp(p, sign, 4) == 0;
}

bool npz_recognise(const char *p, size_t n)
{
	return n >= 4 && (signed_as(p, local_sign) || signed_as(p, end_sign));
}

struct archive {
	const char *path;
	struct arena *a;
	int fd;
	int64_t size_bytes;
	uint64_t list_at, list_bytes, members;
};

struct member {
	const char *name;
	unsigned flags, method;
	uint32_t crc;
	uint64_t packed_bytes, bytes, header_at;
	uint64_t end_at;		/* behind its last packed byte */
};

static int refuse(const struct archive *z, const char *what)
{
	return err_set(ERR_PARSE, "%s: no .npz that can be read: %s", z->path, what);
}

/* ---- where the list is --------------------------------------------------- */

static int read_end64(struct archive *z, uint64_t locator_at)
{
	char locator[LOCATOR64_BYTES], end[END64_BYTES];
	uint64_t at;
	int rc = tensor_bytes_at(z->fd, locator, sizeof locator, (int64_t)locator_at, z->path);

	if (rc < 0)
		return rc;
	at = little(locator + 8, 8);
	if (!signed_as(locator, locator64_sign) || locator_at < END64_BYTES ||
		at > locator_at - END64_BYTES)
		return refuse(z, "its large directory is not where it says");
	if ((rc = tensor_bytes_at(z->fd, end, sizeof end, (int64_t)at, z->path)) < 0)
		return rc;
	if (!signed_as(end, end64_sign))
		return refuse(z, "its large directory is not where it says");
	z->members = little(end + 32, 8);
	z->list_bytes = little(end + 40, 8);
	z->list_at = little(end + 48, 8);
	return 0;
}

static int read_end(struct archive *z, const char *end, uint64_t at)
{
	bool several = little(end + 4, 2) || little(end + 6, 2);

	z->members = little(end + 10, 2);
	z->list_bytes = little(end + 12, 4);
	z->list_at = little(end + 16, 4);
	if ((z->members == 0xffff || z->list_bytes == 0xffffffff || z->list_at == 0xffffffff) &&
		at >= LOCATOR64_BYTES) {
		int rc = read_end64(z, at - LOCATOR64_BYTES);

		if (rc < 0)
			return rc;
	} else if (several) {
		return refuse(z, "it is one of several disks");
	}
	if (z->list_at > at || z->list_bytes > at - z->list_at)
		return refuse(z, "its directory is not where it says");
	if (z->list_bytes > NPZ_LIST_MAX || z->members > z->list_bytes / CENTRAL_BYTES)
		return refuse(z, "its directory does not hold what it says, or too much");
	return 0;
}

/* The record of the end is the last one whose comment ends with the file. */
static int find_list(struct archive *z)
{
	size_t n = z->size_bytes < END_BYTES + COMMENT_MAX ? (size_t)z->size_bytes
							   : END_BYTES + COMMENT_MAX;
	uint64_t from = (uint64_t)z->size_bytes - n;
	char *tail;
	int rc;

	if (n < END_BYTES)
		return refuse(z, "it is too short");
	tail = xmalloc(n);
	rc = tensor_bytes_at(z->fd, tail, n, (int64_t)from, z->path);
	for (size_t i = n - END_BYTES + 1; rc == 0 && i-- > 0;) {
		if (!signed_as(tail + i, end_sign) ||
			little(tail + i + 20, 2) != n - i - END_BYTES)
			continue;
		rc = read_end(z, tail + i, from + i);
		free(tail);
		return rc;
	}
	free(tail);
	return rc < 0 ? rc : refuse(z, "it has no directory at its end; was it cut?");
}

/* ---- the members --------------------------------------------------------- */

/* Sizes and place that do not fit into 32 bits stand in an extra field, in this order. */
static bool read_extra64(struct member *m, const char *p, size_t n)
{
	uint64_t *const wide[] = { &m->bytes, &m->packed_bytes, &m->header_at };

	while (n >= 4) {
		size_t id = little(p, 2), size = little(p + 2, 2);

		p += 4;
		n -= 4;
		if (size > n)
			return false;
		for (size_t i = 0, at = 0; id == 1 && i < ARRAY_LEN(wide); i++) {
			if (*wide[i] != 0xffffffff)
				continue;
			if (at + 8 > size)
				return false;
			*wide[i] = little(p + at, 8);
			at += 8;
		}
		p += size;
		n -= size;
	}
	return true;
}

static bool read_central(struct member *m, struct arena *a, const char **at, const char *end)
{
	const char *p = *at;
	size_t name, extra, comment;

	if (end - p < CENTRAL_BYTES || !signed_as(p, central_sign))
		return false;
	name = little(p + 28, 2);
	extra = little(p + 30, 2);
	comment = little(p + 32, 2);
	if ((size_t)(end - p) < CENTRAL_BYTES + name + extra + comment)
		return false;
	*m = (struct member){
		.flags = (unsigned)little(p + 8, 2),
		.method = (unsigned)little(p + 10, 2),
		.crc = (uint32_t)little(p + 16, 4),
		.packed_bytes = little(p + 20, 4),
		.bytes = little(p + 24, 4),
		.header_at = little(p + 42, 4),
		.name = arena_strndup(a, p + CENTRAL_BYTES, name),
	};
	*at = p + CENTRAL_BYTES + name + extra + comment;
	return strlen(m->name) == name &&
		read_extra64(m, p + CENTRAL_BYTES + name, extra);
}

/* The member's own header says how long it is; its name must be that of the list. */
static int read_local(struct tensor *t, struct member *m, const struct archive *z)
{
	char header[LOCAL_BYTES], *name;
	size_t n = strlen(m->name);
	uint64_t data_at;
	int rc;

	if (m->header_at > z->list_at || z->list_at - m->header_at < LOCAL_BYTES + n)
		return refuse(z, "a member lies outside of it");
	rc = tensor_bytes_at(z->fd, header, sizeof header, (int64_t)m->header_at, z->path);
	if (rc < 0)
		return rc;
	data_at = m->header_at + LOCAL_BYTES + little(header + 26, 2) + little(header + 28, 2);
	if (!signed_as(header, local_sign) || little(header + 26, 2) != n ||
		data_at > z->list_at || m->packed_bytes > z->list_at - data_at)
		return refuse(z, "a member is not where the directory says");
	name = xmalloc(n + 1);
	rc = tensor_bytes_at(z->fd, name, n, (int64_t)m->header_at + LOCAL_BYTES, z->path);
	if (rc == 0 && memcmp(name, m->name, n) != 0)
		rc = refuse(z, "a member has another name than in the directory");
	free(name);
	m->end_at = data_at + m->packed_bytes;
	t->offset_bytes = (int64_t)data_at;
	t->packed_bytes = (int64_t)m->packed_bytes;
	return rc;
}

static int header_of(struct tensor *t, struct arena *a, struct tensor_stream *s, uint64_t bytes)
{
	char header[NPY_HEADER_MAX];
	size_t n;
	int rc;

	if (bytes < NPY_PREFIX_BYTES)
		return err_set(ERR_PARSE, "%s: too short for an array", t->name);
	if ((rc = tensor_stream_read(s, header, NPY_PREFIX_BYTES)) < 0 ||
		(rc = npy_header_bytes(&n, header, NPY_PREFIX_BYTES, t->name)) < 0)
		return rc;
	if (n < NPY_PREFIX_BYTES || n > bytes)
		return err_set(ERR_PARSE, "%s: the .npy header is cut", t->name);
	if ((rc = tensor_stream_read(s, header + NPY_PREFIX_BYTES, n - NPY_PREFIX_BYTES)) < 0 ||
		(rc = npy_parse(t, a, header, n, t->name)) < 0)
		return rc;
	t->skip_bytes = n;
	if (t->type != TENSOR_UNKNOWN && t->size_bytes != bytes - n)
		return err_set(ERR_PARSE,
			"%s: %" PRIu64 " bytes of values, and shape and type need %" PRIu64,
			t->name, bytes - n, t->size_bytes);
	return 0;
}

/* What is wrong with one array is said there, and the others are read. */
static void read_array(struct tensor *t, struct arena *a, const struct member *m)
{
	struct tensor raw = *t;
	struct tensor_stream *s;
	int rc;

	raw.size_bytes = m->bytes;
	rc = tensor_stream_open_raw(&s, &raw);
	if (rc == 0) {
		rc = header_of(t, a, s, m->bytes);
		tensor_stream_free(s);
	}
	if (rc < 0)
		t->unread = arena_strdup(a, err_text());
}

static const char *unread_member(const struct member *m)
{
	if (m->flags & FLAG_ENCRYPTED)
		return "it is encrypted";
	if (m->method != METHOD_STORED && m->method != METHOD_DEFLATED)
		return "its compression is neither \"stored\" nor \"deflated\"";
	if (m->method == METHOD_STORED && m->packed_bytes != m->bytes)
		return "it is stored and has two sizes";
	if (m->bytes > INT64_MAX)
		return "its size is no size";
	return NULL;
}

static int read_member(struct tensor *t, struct member *m, const struct archive *z)
{
	size_t n = strlen(m->name);
	int rc;

	*t = (struct tensor){ .path = z->path, .crc = m->crc, .type_name = "unknown" };
	t->name = text_ends(m->name, ".npy") ? arena_strndup(z->a, m->name, n - 4) : m->name;
	t->packing = m->method == METHOD_STORED ? TENSOR_ZIPPED : TENSOR_DEFLATED;
	if ((rc = read_local(t, m, z)) < 0)
		return rc;
	t->unread = unread_member(m);
	if (!t->unread)
		read_array(t, z->a, m);
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return (x->header_at > y->header_at) - (x->header_at < y->header_at);
}

static int by_name(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int check_members(struct member *members, size_t n, const struct archive *z)
{
	qsort(members, n, sizeof *members, by_place);
	for (size_t i = 1; i < n; i++)
		if (members[i].header_at < members[i - 1].end_at)
			return refuse(z, "two members overlap");
	qsort(members, n, sizeof *members, by_name);
	for (size_t i = 1; i < n; i++)
		if (strcmp(members[i].name, members[i - 1].name) == 0)
			return refuse(z, "two members have one name");
	return 0;
}

static int read_list(struct tensor **out, size_t *n_out, const struct archive *z, const char *list)
{
	struct member *members = xcalloc(z->members + 1, sizeof *members);
	struct tensor *rows = arena_alloc(z->a, (z->members + 1) * sizeof *rows);
	const char *p = list, *end = list + z->list_bytes;
	int rc = 0;

	for (uint64_t i = 0; rc == 0 && i < z->members; i++) {
		if (!read_central(&members[i], z->a, &p, end))
			rc = refuse(z, "its directory is damaged");
		else
			rc = read_member(&rows[i], &members[i], z);
	}
	if (rc == 0)
		rc = check_members(members, z->members, z);
	free(members);
	*out = rows;
	*n_out = z->members;
	return rc;
}

int npz_read(struct tensor **out, size_t *n_out, struct arena *a, const char *path)
{
	struct archive z = { .a = a, .path = arena_strdup(a, path) };
	char *list = NULL;
	int rc;

	z.fd = fs_open_file(path);
	if (z.fd < 0)
		return z.fd;
	if ((rc = tensor_bytes_size(&z.size_bytes, z.fd, path)) == 0 && (rc = find_list(&z)) == 0) {
		list = xmalloc(z.list_bytes + 1);
		rc = tensor_bytes_at(z.fd, list, z.list_bytes, (int64_t)z.list_at, path);
	}
	if (rc == 0)
		rc = read_list(out, n_out, &z, list);
	free(list);
	close(z.fd);
	return rc;
}
