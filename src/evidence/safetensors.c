/* safetensors - the header of a .safetensors file. */
#include "config.h"

#include "evidence/safetensors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "evidence/tensor_bytes.h"

enum { LENGTH_BYTES = 8 };

static uint64_t length_of(const char *p)
{
	const unsigned char *b = (const unsigned char *)p;
	uint64_t v = 0;

	for (int i = LENGTH_BYTES - 1; i >= 0; i--)
		v = v << 8 | b[i];
	return v;
}

bool safetensors_recognise(const char *p, size_t n, int64_t size)
{
	uint64_t length;

	if (n < LENGTH_BYTES + 2 || size < LENGTH_BYTES + 2)
		return false;
	length = length_of(p);
	return length >= 2 && length <= (uint64_t)size - LENGTH_BYTES && p[LENGTH_BYTES] == '{' &&
		(p[LENGTH_BYTES + 1] == '"' || p[LENGTH_BYTES + 1] == '}');
}

/* One file while its header is read. */
struct reading {
	struct arena *a;
	const char *path;
	int64_t data_at, data_bytes;
};

static bool to_count(uint64_t *out, const struct json *j)
{
	int64_t v;

	if (j->type != JSON_NUMBER || !text_to_i64(j->text, j->text_n, &v) || v < 0)
		return false;
	*out = (uint64_t)v;
	return true;
}

static int read_shape(struct tensor *t, const struct reading *r, const struct json *shape)
{
	uint64_t *dimensions;
	unsigned n = 0;

	if (!shape || shape->type != JSON_ARRAY || shape->count > TENSOR_DIMENSIONS_MAX)
		return err_set(ERR_PARSE, "%s: tensor \"%s\" has no shape of at most %d numbers",
			r->path, t->name, TENSOR_DIMENSIONS_MAX);
	dimensions = arena_alloc(r->a, (shape->count + 1) * sizeof *dimensions);
	for (const struct json *j = shape->first; j; j = j->next)
		if (!to_count(&dimensions[n++], j))
			return err_set(ERR_PARSE,
				"%s: tensor \"%s\" has a dimension that is no count", r->path,
				t->name);
	t->dimensions = dimensions;
	t->n_dimensions = n;
	return 0;
}

static int read_offsets(struct tensor *t, const struct reading *r, const struct json *offsets)
{
	uint64_t begin, end;

	if (!offsets || offsets->type != JSON_ARRAY || offsets->count != 2 ||
		!to_count(&begin, offsets->first) || !to_count(&end, offsets->first->next))
		return err_set(ERR_PARSE, "%s: tensor \"%s\" has no pair of data_offsets", r->path,
			t->name);
	if (begin > end || end > (uint64_t)r->data_bytes)
		return err_set(ERR_PARSE,
			"%s: tensor \"%s\" lies at %" PRIu64 " to %" PRIu64
			", and the file has %" PRId64
			" bytes of values; it is damaged or was cut",
			r->path, t->name, begin, end, r->data_bytes);
	t->offset_bytes = r->data_at + (int64_t)begin;
	if (t->type != TENSOR_UNKNOWN && end - begin != t->size_bytes)
		return err_set(ERR_PARSE,
			"%s: tensor \"%s\" takes %" PRIu64
			" bytes, and its shape and type need %" PRIu64,
			r->path, t->name, end - begin, t->size_bytes);
	t->size_bytes = end - begin;
	return 0;
}

static int read_tensor(struct tensor *t, const struct reading *r, const struct json *j)
{
	const char *type = json_str(j, "dtype", NULL);
	int rc;

	*t = (struct tensor){ .path = r->path,
		.name = arena_strndup(r->a, j->key, j->key_n) };
	if (j->type != JSON_OBJECT || !type)
		return err_set(ERR_PARSE, "%s: tensor \"%s\" has no dtype", r->path, t->name);
	t->type = tensor_type_of_safetensors(type);
	t->type_name = arena_strdup(r->a, type);
	if (t->type == TENSOR_UNKNOWN)
		t->unread = arena_printf(r->a, "type \"%s\" is not one that is compared", type);
	if ((rc = read_shape(t, r, json_get(j, "shape"))) < 0)
		return rc;
	if (!tensor_measure(t))
		return err_set(ERR_PARSE, "%s: the shape of tensor \"%s\" has too many elements",
			r->path, t->name);
	return read_offsets(t, r, json_get(j, "data_offsets"));
}

static int by_offset(const void *a, const void *b)
{
	const struct tensor *x = a, *y = b;

	if (x->offset_bytes != y->offset_bytes)
		return x->offset_bytes < y->offset_bytes ? -1 : 1;
	if (x->size_bytes != y->size_bytes)
		return x->size_bytes < y->size_bytes ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Each begins where the one before ended, and the last ends with the file. */
static int check_ranges(const struct tensor *rows, size_t n, const struct reading *r)
{
	int64_t at = r->data_at;

	for (size_t i = 0; i < n; i++) {
		if (rows[i].offset_bytes != at)
			return err_set(ERR_PARSE, "%s: tensor \"%s\" %s the one before it", r->path,
				rows[i].name,
				rows[i].offset_bytes < at ? "overlaps" : "leaves a hole behind");
		at += (int64_t)rows[i].size_bytes;
	}
	if (at != r->data_at + r->data_bytes)
		return err_set(ERR_PARSE,
			"%s: %" PRId64 " bytes at its end belong to no tensor", r->path,
			r->data_at + r->data_bytes - at);
	return 0;
}

static int read_all(struct tensor **out, size_t *n_out, const struct reading *r,
	const struct json *root)
{
	struct tensor *rows = arena_alloc(r->a, (root->count + 1) * sizeof *rows);
	size_t n = 0;
	int rc;

	for (const struct json *j = root->first; j; j = j->next) {
		if (strcmp(j->key, "__metadata__") == 0)
			continue;
		if ((rc = read_tensor(&rows[n++], r, j)) < 0)
			return rc;
	}
	qsort(rows, n, sizeof *rows, by_offset);
	*out = rows;
	*n_out = n;
	return check_ranges(rows, n, r);
}

int safetensors_parse(struct tensor **out, size_t *n_out, struct arena *a, const char *path,
	const char *header, size_t n, int64_t data_at, int64_t data_bytes)
{
	struct reading r = { a, path, data_at, data_bytes };
	struct arena scratch = ARENA_INIT;
	const struct json *root;
	int rc = json_parse(&root, &scratch, header, n, JSON_STRICT);

	if (rc < 0)
		rc = err_prefix("%s: the header: ", path);
	else if (root->type != JSON_OBJECT)
		rc = err_set(ERR_PARSE, "%s: the header is no JSON object", path);
	else
		rc = read_all(out, n_out, &r, root);
	arena_release(&scratch);
	return rc;
}

static int read_header(struct buf *out, int fd, int64_t size, const char *path)
{
	char length[LENGTH_BYTES];
	uint64_t n;
	int rc;

	if (size < LENGTH_BYTES)
		return err_set(ERR_PARSE, "%s: too short for a safetensors file", path);
	if ((rc = tensor_bytes_at(fd, length, sizeof length, 0, path)) < 0)
		return rc;
	n = length_of(length);
	if (n > (uint64_t)size - LENGTH_BYTES)
		return err_set(ERR_PARSE, "%s: its header would end behind the file", path);
	if (n > SAFETENSORS_HEADER_MAX)
		return err_set(ERR_PARSE, "%s: its header has %" PRIu64 " bytes, more than %d are not read",
			path, n, SAFETENSORS_HEADER_MAX);
	buf_reserve(out, n);
	if ((rc = tensor_bytes_at(fd, out->s, n, LENGTH_BYTES, path)) < 0)
		return rc;
	out->n = n;
	return 0;
}

int safetensors_read(struct tensor **out, size_t *n_out, struct arena *a, const char *path)
{
	struct buf header = BUF_INIT;
	int64_t size, data_at;
	int fd = fs_open_file(path), rc;

	if (fd < 0)
		return fd;
	if ((rc = tensor_bytes_size(&size, fd, path)) == 0 &&
		(rc = read_header(&header, fd, size, path)) == 0) {
		data_at = LENGTH_BYTES + (int64_t)header.n;
		rc = safetensors_parse(
			out, n_out, a, path, header.s, header.n, data_at, size - data_at);
	}
	buf_release(&header);
	close(fd);
	return rc;
}
