/* npy - the header of a .npy file, or of one array in an .npz archive. */
#include "config.h"

#include "evidence/npy.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/tensor_bytes.h"

static const char magic[] = "\x93NUMPY";

enum { MAGIC_BYTES = sizeof magic - 1, TYPE_MAX = 64 };

bool npy_recognise(const char *p, size_t n)
{
	return n >= MAGIC_BYTES && memcmp(p, magic, MAGIC_BYTES) == 0;
}

static size_t byte_at(const char *p, size_t i)
{
	return (unsigned char)p[i];
}

int npy_header_bytes(size_t *out, const char *p, size_t n, const char *path)
{
	size_t major, length;

	if (n < NPY_PREFIX_BYTES || !npy_recognise(p, n))
		return err_set(ERR_PARSE, "%s: no .npy header", path);
	major = byte_at(p, 6);
	if (major < 1 || major > 3 || byte_at(p, 7) != 0)
		return err_set(ERR_PARSE, "%s: version %zu.%zu of .npy is not known", path, major,
			byte_at(p, 7));
	length = byte_at(p, 8) | byte_at(p, 9) << 8;
	if (major > 1)
		length |= byte_at(p, 10) << 16 | byte_at(p, 11) << 24;
	*out = length + (major > 1 ? 12 : 10);
	if (*out > NPY_HEADER_MAX)
		return err_set(ERR_PARSE, "%s: a header of %zu bytes, more than %d are not read",
			path, *out, NPY_HEADER_MAX);
	return 0;
}

/* ---- the literal --------------------------------------------------------- */

/* What is left of it. */
struct literal {
	const char *p, *end;
};

static void skip_blanks(struct literal *l)
{
	while (l->p < l->end && (*l->p == ' ' || *l->p == '\t' || *l->p == '\n' || *l->p == '\r'))
		l->p++;
}

/* Takes C where it is next, after blanks. */
static bool take(struct literal *l, char c)
{
	skip_blanks(l);
	if (l->p == l->end || *l->p != c)
		return false;
	l->p++;
	return true;
}

static bool take_word(struct literal *l, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(l);
	if ((size_t)(l->end - l->p) < n || memcmp(l->p, word, n) != 0)
		return false;
	l->p += n;
	return true;
}

/* A string without escapes, cut into OUT. */
static bool take_string(struct literal *l, char *out, size_t size)
{
	const char *begin;
	char quote;

	skip_blanks(l);
	if (l->p == l->end || (*l->p != '\'' && *l->p != '"'))
		return false;
	quote = *l->p++;
	begin = l->p;
	while (l->p < l->end && *l->p != quote && *l->p != '\\' && *l->p >= ' ' && *l->p < 0x7f)
		l->p++;
	if (l->p == l->end || *l->p != quote || (size_t)(l->p - begin) >= size)
		return false;
	memcpy(out, begin, (size_t)(l->p - begin));
	out[l->p - begin] = '\0';
	l->p++;
	return true;
}

static bool take_count(struct literal *l, uint64_t *out)
{
	const char *begin;
	int64_t v;

	skip_blanks(l);
	begin = l->p;
	while (l->p < l->end && *l->p >= '0' && *l->p <= '9')
		l->p++;
	if (l->p == begin || !text_to_i64(begin, (size_t)(l->p - begin), &v))
		return false;
	if (l->p < l->end && *l->p == 'L')		/* as Python 2 wrote it */
		l->p++;
	*out = (uint64_t)v;
	return true;
}

/* (), (3,), (2, 3); one number in brackets without a comma is no tuple. */
static bool take_shape(struct tensor *t, struct arena *a, struct literal *l)
{
	uint64_t dimensions[TENSOR_DIMENSIONS_MAX];
	unsigned n = 0;
	bool comma = true;

	if (!take(l, '('))
		return false;
	while (!take(l, ')')) {
		if (!comma || n == TENSOR_DIMENSIONS_MAX || !take_count(l, &dimensions[n]))
			return false;
		n++;
		comma = take(l, ',');
	}
	if (n == 1 && !comma)
		return false;
	t->n_dimensions = n;
	t->dimensions = arena_memdup(a, dimensions, n * sizeof *dimensions);
	return true;
}

/* Steps over a bracketed list of strings, numbers and lists: a structure. */
static bool skip_list(struct literal *l)
{
	char skipped[TYPE_MAX * 4];
	int depth = 0;

	do {
		skip_blanks(l);
		if (l->p == l->end)
			return false;
		if (*l->p == '\'' || *l->p == '"') {
			if (!take_string(l, skipped, sizeof skipped))
				return false;
			continue;
		}
		if (*l->p == '[' || *l->p == '(')
			depth++;
		else if (*l->p == ']' || *l->p == ')')
			depth--;
		l->p++;
	} while (depth > 0);
	return true;
}

static const char *refusal(struct arena *a, const char *descr)
{
	static const struct {
		const char *kinds, *text;
	} refused[] = {
		{ "O", "it holds Python objects, which are never unpacked" },
		{ "V", "it holds bytes without a type (so is bfloat16 written); what they mean is not told" },
		{ "c", "complex numbers are not compared" },
		{ "SUa", "it holds text" },
		{ "mM", "it holds dates or durations" },
	};
	char kind = *descr && strchr("<>|=", *descr) ? descr[1] : *descr;

	for (size_t i = 0; kind && i < ARRAY_LEN(refused); i++)
		if (strchr(refused[i].kinds, kind))
			return arena_printf(a, "type \"%s\": %s", descr, refused[i].text);
	return arena_printf(a, "type \"%s\" is not one that is compared", descr);
}

static void set_type(struct tensor *t, struct arena *a, const char *descr)
{
	bool has_order = *descr && strchr("<>|=", *descr);

	t->type = tensor_type_of_npy(descr + has_order);
	t->type_name = arena_strdup(a, descr);
	/* "=" and no sign stand for the order of whoever wrote it, which numpy never writes. */
	if (t->type != TENSOR_UNKNOWN && tensor_type_facts(t->type)->size_bytes > 1 &&
		*descr != '<' && *descr != '>') {
		t->type = TENSOR_UNKNOWN;
		t->unread = arena_printf(a, "type \"%s\" does not tell the order of its bytes", descr);
	} else if (t->type == TENSOR_UNKNOWN) {
		t->unread = refusal(a, descr);
	}
	t->big_endian = *descr == '>';
}

static bool take_type(struct tensor *t, struct arena *a, struct literal *l)
{
	char descr[TYPE_MAX];

	if (take_string(l, descr, sizeof descr)) {
		set_type(t, a, descr);
		return true;
	}
	if (l->p == l->end || *l->p != '[' || !skip_list(l))
		return false;
	t->type_name = "a structure";
	t->unread = "it holds structures of several fields, which are not compared";
	return true;
}

static bool take_order(struct tensor *t, struct literal *l)
{
	t->fortran_order = take_word(l, "True");
	return t->fortran_order || take_word(l, "False");
}

enum { HAS_TYPE = 1, HAS_ORDER = 2, HAS_SHAPE = 4, HAS_ALL = 7 };

/* One key and its value; its bit, or 0 when it is no such thing. */
static unsigned take_item(struct tensor *t, struct arena *a, struct literal *l)
{
	char key[TYPE_MAX];

	if (!take_string(l, key, sizeof key) || !take(l, ':'))
		return 0;
	skip_blanks(l);
	if (strcmp(key, "descr") == 0)
		return take_type(t, a, l) ? HAS_TYPE : 0;
	if (strcmp(key, "fortran_order") == 0)
		return take_order(t, l) ? HAS_ORDER : 0;
	if (strcmp(key, "shape") == 0)
		return take_shape(t, a, l) ? HAS_SHAPE : 0;
	return 0;
}

static bool take_all(struct tensor *t, struct arena *a, struct literal *l)
{
	unsigned have = 0;

	if (!take(l, '{'))
		return false;
	while (!take(l, '}')) {
		unsigned item = take_item(t, a, l);

		if (!item || have & item)
			return false;
		have |= item;
		if (!take(l, ',')) {
			if (!take(l, '}'))
				return false;
			break;
		}
	}
	skip_blanks(l);
	return have == HAS_ALL && l->p == l->end;
}

int npy_parse(struct tensor *t, struct arena *a, const char *p, size_t n, const char *path)
{
	struct literal l;
	size_t whole;
	int rc = npy_header_bytes(&whole, p, n, path);

	if (rc < 0)
		return rc;
	if (whole > n)
		return err_set(ERR_PARSE, "%s: the .npy header is cut", path);
	l = (struct literal){ p + (byte_at(p, 6) > 1 ? 12 : 10), p + whole };
	if (!take_all(t, a, &l))
		return err_set(ERR_PARSE,
			"%s: the .npy header is no {'descr', 'fortran_order', 'shape'}", path);
	if (!tensor_measure(t))
		return err_set(ERR_PARSE, "%s: the shape has too many elements", path);
	return 0;
}

/* ---- a file -------------------------------------------------------------- */

static int read_header(struct tensor *t, struct arena *a, int fd, int64_t size, const char *path)
{
	char header[NPY_HEADER_MAX];
	size_t n;
	int rc;

	if (size < NPY_PREFIX_BYTES)
		return err_set(ERR_PARSE, "%s: too short for a .npy file", path);
	if ((rc = tensor_bytes_at(fd, header, NPY_PREFIX_BYTES, 0, path)) < 0 ||
		(rc = npy_header_bytes(&n, header, NPY_PREFIX_BYTES, path)) < 0)
		return rc;
	if ((int64_t)n > size)
		return err_set(ERR_PARSE, "%s: its header would end behind the file", path);
	if ((rc = tensor_bytes_at(fd, header, n, 0, path)) < 0 ||
		(rc = npy_parse(t, a, header, n, path)) < 0)
		return rc;
	t->offset_bytes = (int64_t)n;
	if (t->type != TENSOR_UNKNOWN && (int64_t)t->size_bytes != size - (int64_t)n)
		return err_set(ERR_PARSE,
			"%s: %" PRId64 " bytes of values, and shape and type need %" PRIu64
			"; it is damaged or was cut",
			path, size - (int64_t)n, t->size_bytes);
	return 0;
}

int npy_read(struct tensor *out, struct arena *a, const char *path)
{
	int64_t size;
	int fd = fs_open_file(path), rc;

	if (fd < 0)
		return fd;
	*out = (struct tensor){ .path = arena_strdup(a, path) };
	if ((rc = tensor_bytes_size(&size, fd, path)) == 0)
		rc = read_header(out, a, fd, size, path);
	close(fd);
	return rc;
}
