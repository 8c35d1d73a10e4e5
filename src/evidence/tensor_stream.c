/* tensor_stream - the values of one tensor from first to last, in constant memory. */
#include "config.h"

#include "evidence/tensor_stream.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/err.h"
#include "base/fs.h"
#include "evidence/tensor_bytes.h"
#include "evidence/tensor_reorder.h"

enum { PACKED_BYTES = 64 << 10 };

struct tensor_stream {
	const struct tensor *t;
	int fd;				/* -1: in memory */
	int64_t at_bytes;		/* in the file */
	uint64_t given_bytes;
	int64_t packed_left;		/* of a member */
	uint32_t crc;			/* of a member, so far */
	bool swaps;
	bool inflating, inflated;	/* Z is in use; its end has been seen */
	z_stream z;
	unsigned char *packed;
	struct tensor_reorder *reorder;	/* NULL: the order of the file */
};

static int read_stored(struct tensor_stream *s, void *p, size_t n)
{
	int rc = tensor_bytes_at(s->fd, p, n, s->at_bytes, s->t->path);

	s->at_bytes += (int64_t)n;
	return rc;
}

static int damaged(const struct tensor_stream *s, const char *what)
{
	return err_set(ERR_PARSE, "%s: member \"%s\" %s", s->t->path, s->t->name, what);
}

/* More packed bytes for inflate. */
static int refill(struct tensor_stream *s)
{
	size_t n = s->packed_left < PACKED_BYTES ? (size_t)s->packed_left : PACKED_BYTES;
	int rc;

	if (n == 0)
		return damaged(s, "is shorter than its array");
	if ((rc = read_stored(s, s->packed, n)) < 0)
		return rc;
	s->packed_left -= (int64_t)n;
	s->z.next_in = s->packed;
	s->z.avail_in = (uInt)n;
	return 0;
}

/* N bytes of output into P; fewer only at the end of the member. */
static int inflate_some(struct tensor_stream *s, void *p, size_t n, size_t *got)
{
	s->z.next_out = p;
	s->z.avail_out = (uInt)n;
	while (s->z.avail_out && !s->inflated) {
		int rc, state;

		if (!s->z.avail_in && (rc = refill(s)) < 0)
			return rc;
		state = inflate(&s->z, Z_NO_FLUSH);
		if (state == Z_STREAM_END)
			s->inflated = true;
		else if (state != Z_OK && state != Z_BUF_ERROR)
			return damaged(s, "is damaged: it does not decompress");
	}
	*got = n - s->z.avail_out;
	return 0;
}

static int read_member(struct tensor_stream *s, void *p, size_t n)
{
	size_t got = n;
	int rc;

	if (s->inflating)
		rc = inflate_some(s, p, n, &got);
	else
		rc = read_stored(s, p, n);
	if (rc < 0)
		return rc;
	if (got < n)
		return damaged(s, "is shorter than its array");
	s->crc = (uint32_t)crc32(s->crc, p, (uInt)n);
	return 0;
}

/* As they lie. */
static int read_bytes(struct tensor_stream *s, void *p, size_t n)
{
	switch (s->t->packing) {
	case TENSOR_STORED:
		return read_stored(s, p, n);
	case TENSOR_IN_MEMORY:
		memcpy(p, s->t->bytes + s->at_bytes, n);
		s->at_bytes += (int64_t)n;
		return 0;
	case TENSOR_ZIPPED:
	case TENSOR_DEFLATED:
		break;
	}
	while (n) {
		size_t part = n < PACKED_BYTES ? n : PACKED_BYTES;
		int rc = read_member(s, p, part);

		if (rc < 0)
			return rc;
		p = (char *)p + part;
		n -= part;
	}
	return 0;
}

static void swap_elements(unsigned char *p, size_t n, size_t size)
{
	for (size_t i = 0; i + size <= n; i += size)
		for (size_t k = 0; k < size / 2; k++) {
			unsigned char byte = p[i + k];

			p[i + k] = p[i + size - 1 - k];
			p[i + size - 1 - k] = byte;
		}
}

int tensor_stream_read(struct tensor_stream *s, void *p, size_t n)
{
	int rc;

	assert(n <= s->t->size_bytes - s->given_bytes);
	rc = s->reorder ? tensor_reorder_read(s->reorder, p, n) : read_bytes(s, p, n);
	if (rc < 0)
		return rc;
	s->given_bytes += n;
	if (s->swaps)
		swap_elements(p, n, tensor_type_facts(s->t->type)->size_bytes);
	return 0;
}

static int check_member_end(struct tensor_stream *s)
{
	unsigned char more;
	size_t got = 0;
	int rc = 0;

	if (s->inflating)
		rc = inflate_some(s, &more, 1, &got);
	if (rc < 0)
		return rc;
	if (got || s->packed_left || s->z.avail_in)
		return damaged(s, "is longer than its array");
	if (s->crc != s->t->crc)
		return damaged(s, "is damaged: its checksum is another");
	return 0;
}

int tensor_stream_end(struct tensor_stream *s)
{
	bool is_member = s->t->packing == TENSOR_ZIPPED || s->t->packing == TENSOR_DEFLATED;

	assert(s->given_bytes == s->t->size_bytes);
	return is_member && !s->reorder ? check_member_end(s) : 0;
}

static int open_file(struct tensor_stream *s)
{
	s->fd = fs_open_file(s->t->path);
	if (s->fd < 0)
		return s->fd;
	(void)posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	if (s->t->packing != TENSOR_DEFLATED)
		return 0;
	s->packed_left = s->t->packed_bytes;
	s->packed = xmalloc(PACKED_BYTES);
	if (inflateInit2(&s->z, -MAX_WBITS) != Z_OK)
		return err_set(ERR_STATE, "zlib cannot be started");
	s->inflating = true;
	return 0;
}

static int skip(struct tensor_stream *s, uint64_t n)
{
	char thrown[4096];
	int rc = 0;

	while (rc == 0 && n) {
		size_t part = n < sizeof thrown ? (size_t)n : sizeof thrown;

		rc = read_bytes(s, thrown, part);
		n -= part;
	}
	return rc;
}

int tensor_stream_open_raw(struct tensor_stream **out, const struct tensor *t)
{
	struct tensor_stream *s = xcalloc(1, sizeof *s);
	int rc = 0;

	s->t = t;
	s->fd = -1;
	s->at_bytes = t->packing == TENSOR_IN_MEMORY ? 0 : t->offset_bytes;
	s->crc = (uint32_t)crc32(0, NULL, 0);
	if (t->packing != TENSOR_IN_MEMORY)
		rc = open_file(s);
	if (rc == 0) {
		*out = s;
		return 0;
	}
	tensor_stream_free(s);
	return rc;
}

/* All of a member, whose order cannot be changed otherwise. */
static int read_held(void **out, const struct tensor *t)
{
	struct tensor_stream *s;
	char *p;
	int rc;

	if (t->size_bytes > TENSOR_REORDER_MAX)
		return err_set(ERR_STATE,
			"%s: member \"%s\" has the other order of dimensions and is too large "
			"to be turned; unpack it",
			t->path, t->name);
	if ((rc = tensor_stream_open_raw(&s, t)) < 0)
		return rc;
	p = xmalloc(t->size_bytes + 1);
	if ((rc = skip(s, t->skip_bytes)) == 0 && (rc = read_bytes(s, p, t->size_bytes)) == 0) {
		s->given_bytes = t->size_bytes;
		rc = tensor_stream_end(s);
	}
	tensor_stream_free(s);
	if (rc == 0) {
		*out = p;
		return 0;
	}
	free(p);
	return rc;
}

static int start_reorder(struct tensor_stream *s)
{
	void *held = NULL;
	int rc = 0;

	if (s->t->packing == TENSOR_ZIPPED || s->t->packing == TENSOR_DEFLATED)
		rc = read_held(&held, s->t);
	if (rc == 0)
		s->reorder = tensor_reorder_new(s->t, s->fd, held);
	return rc;
}

static bool has_several_dimensions(const struct tensor *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n_dimensions; i++)
		n += t->dimensions[i] > 1;
	return n > 1;
}

static bool machine_is_big_endian(void)
{
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

static bool needs_reorder(const struct tensor *t, bool last_dimension_fastest)
{
	return last_dimension_fastest && t->fortran_order && t->count && has_several_dimensions(t);
}

bool tensor_stream_seeks(const struct tensor *t, bool last_dimension_fastest)
{
	return (t->packing == TENSOR_STORED || t->packing == TENSOR_IN_MEMORY) &&
		!needs_reorder(t, last_dimension_fastest);
}

void tensor_stream_seek(struct tensor_stream *s, uint64_t n)
{
	assert(n <= s->t->size_bytes);
	s->at_bytes += (int64_t)n;
	s->given_bytes = n;
}

int tensor_stream_open(struct tensor_stream **out, const struct tensor *t,
	bool last_dimension_fastest)
{
	struct tensor_stream *s;
	int rc;

	if (t->unread)
		return err_set(ERR_STATE, "%s: \"%s\": %s", t->path, t->name, t->unread);
	if ((rc = tensor_stream_open_raw(&s, t)) < 0)
		return rc;
	s->swaps = t->big_endian != machine_is_big_endian() &&
		tensor_type_facts(t->type)->size_bytes > 1;
	if (needs_reorder(t, last_dimension_fastest))
		rc = start_reorder(s);
	else if (t->packing != TENSOR_STORED && t->packing != TENSOR_IN_MEMORY)
		rc = skip(s, t->skip_bytes);
	if (rc == 0) {
		*out = s;
		return 0;
	}
	tensor_stream_free(s);
	return rc;
}

void tensor_stream_free(struct tensor_stream *s)
{
	if (!s)
		return;
	if (s->inflating)
		inflateEnd(&s->z);
	if (s->fd >= 0)
		close(s->fd);
	tensor_reorder_free(s->reorder);
	free(s->packed);
	free(s);
}
