/* tensor_set - the tensors of one side: of a file, or of a folder of files. */
#include "config.h"

#include "evidence/tensor_set.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/npy.h"
#include "evidence/npz.h"
#include "evidence/safetensors.h"
#include "evidence/tensor_bytes.h"
#include "evidence/tensor_folder.h"
#include "evidence/tensor_msprobe.h"
#include "evidence/tensor_polygraphy.h"

static const char *const format_names[TENSOR_FORMATS] = {
	[TENSOR_NO_FORMAT] = "unknown",
	[TENSOR_SAFETENSORS] = "safetensors",
	[TENSOR_NPY] = "npy",
	[TENSOR_NPZ] = "npz",
	[TENSOR_TORCH] = "torch.save",
	[TENSOR_MSPROBE] = "msProbe dump",
	[TENSOR_POLYGRAPHY] = "Polygraphy run results",
	[TENSOR_FOLDER] = "folder",
};

const char *tensor_format_name(enum tensor_format f)
{
	return format_names[f];
}

/* The name of the first member stands behind 30 bytes; torch.save begins with
 * NAME/data.pkl. */
static enum tensor_format zip_format(const char *head, size_t n)
{
	enum { NAME_AT = 30, LENGTH_AT = 26 };
	size_t length;

	if (n < NAME_AT)
		return TENSOR_NPZ;			/* an empty archive */
	length = (unsigned char)head[LENGTH_AT] | (size_t)(unsigned char)head[LENGTH_AT + 1] << 8;
	if (length > n - NAME_AT)
		return TENSOR_NO_FORMAT;
	head += NAME_AT;
	if (length >= 4 && memcmp(head + length - 4, ".npy", 4) == 0)
		return TENSOR_NPZ;
	return length >= 9 && memcmp(head + length - 9, "/data.pkl", 9) == 0 ? TENSOR_TORCH
									     : TENSOR_NO_FORMAT;
}

enum tensor_format tensor_bytes_recognise(const char *head, size_t n, int64_t size)
{
	if (npy_recognise(head, n))
		return TENSOR_NPY;
	if (npz_recognise(head, n))
		return zip_format(head, n);
	if (safetensors_recognise(head, n, size))
		return TENSOR_SAFETENSORS;
	if (tensor_msprobe_recognise(head, n))
		return TENSOR_MSPROBE;
	return tensor_polygraphy_recognise(head, n) ? TENSOR_POLYGRAPHY : TENSOR_NO_FORMAT;
}

static int recognise(enum tensor_format *out, const char *path)
{
	char head[TENSOR_HEAD_BYTES];
	int64_t size;
	size_t n;
	int fd = fs_open_file(path), rc;

	if (fd < 0)
		return fd;
	rc = tensor_bytes_size(&size, fd, path);
	if (rc == 0) {
		n = size < TENSOR_HEAD_BYTES ? (size_t)size : TENSOR_HEAD_BYTES;
		rc = tensor_bytes_at(fd, head, n, 0, path);
		if (rc == 0)
			*out = tensor_bytes_recognise(head, n, size);
	}
	close(fd);
	return rc;
}

enum tensor_format tensor_file_recognise(const char *path)
{
	enum tensor_format format = TENSOR_NO_FORMAT;

	if (fs_is_dir(path))
		return tensor_folder_has_tensors(path) ? TENSOR_FOLDER : TENSOR_NO_FORMAT;
	if (recognise(&format, path) < 0)
		err_clear();
	return format;
}

struct tensor *tensor_set_add(struct tensor_set *s)
{
	ARRAY_GROW(s->rows, s->n, s->cap);
	s->rows[s->n] = (struct tensor){ 0 };
	return &s->rows[s->n++];
}

void tensor_set_note(struct tensor_set *s, const char *fmt, ...)
{
	struct tensor_note *note = ARENA_NEW(&s->arena, struct tensor_note);
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	note->text = arena_strndup(&s->arena, text.s, text.n);
	buf_release(&text);
	*s->last_note = note;
	s->last_note = &note->next;
}

int tensor_set_add_file(struct tensor_set *s, enum tensor_format format, const char *path,
	const char *prefix)
{
	struct tensor *rows = NULL, one;
	size_t n = 0;
	int rc;

	if (format == TENSOR_NPY) {
		rc = npy_read(&one, &s->arena, path);
		one.name = prefix;
		rows = &one;
		n = 1;
	} else if (format == TENSOR_NPZ) {
		rc = npz_read(&rows, &n, &s->arena, path);
	} else {
		rc = safetensors_read(&rows, &n, &s->arena, path);
	}
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < n; i++) {
		struct tensor *t = tensor_set_add(s);

		*t = rows[i];
		if (format != TENSOR_NPY && *prefix)
			t->name = arena_printf(&s->arena, "%s/%s", prefix, t->name);
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static int check_names(const struct tensor_set *s)
{
	const char **names = xcalloc(s->n + 1, sizeof *names);
	int rc = 0;

	for (size_t i = 0; i < s->n; i++)
		names[i] = s->rows[i].name;
	qsort(names, s->n, sizeof *names, by_name);
	for (size_t i = 1; rc == 0 && i < s->n; i++)
		if (strcmp(names[i], names[i - 1]) == 0)
			rc = err_set(ERR_PARSE, "%s: two tensors are called \"%s\"", s->path,
				names[i]);
	free(names);
	return rc;
}

static int read_file(struct tensor_set *s)
{
	int rc = recognise(&s->format, s->path);

	if (rc < 0)
		return rc;
	switch (s->format) {
	case TENSOR_SAFETENSORS:
	case TENSOR_NPZ:
		return tensor_set_add_file(s, s->format, s->path, "");
	case TENSOR_NPY:
		return tensor_set_add_file(s, s->format, s->path, "array");
	case TENSOR_MSPROBE:
		return tensor_msprobe_read(s, s->path);
	case TENSOR_POLYGRAPHY:
		return tensor_polygraphy_read(s, s->path);
	case TENSOR_TORCH:
		return err_set(ERR_PARSE,
			"%s: a file of torch.save is a pickle and is never unpacked; save the tensors as .safetensors or .npz",
			s->path);
	case TENSOR_NO_FORMAT:
	case TENSOR_FOLDER:
	case TENSOR_FORMATS:
		break;
	}
	return err_set(ERR_PARSE,
		"%s: neither .safetensors, .npy, .npz, an msProbe dump.json nor Polygraphy run results",
		s->path);
}

int tensor_set_open(struct tensor_set **out, const char *path)
{
	struct tensor_set *s = xcalloc(1, sizeof *s);
	int rc;

	s->path = arena_strdup(&s->arena, path);
	s->last_note = &s->notes;
	if (fs_is_dir(path)) {
		s->format = TENSOR_FOLDER;
		rc = tensor_folder_read(s, path);
	} else {
		rc = read_file(s);
	}
	if (rc == 0)
		rc = check_names(s);
	if (rc == 0) {
		*out = s;
		return 0;
	}
	tensor_set_free(s);
	return rc;
}

void tensor_set_free(struct tensor_set *s)
{
	if (!s)
		return;
	free(s->rows);
	arena_release(&s->arena);
	free(s);
}
