/* tensor_polygraphy - outputs of runners as Polygraphy saves them (RunResults, JSON). */
#include "config.h"

#include "evidence/tensor_polygraphy.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "evidence/npy.h"
#include "evidence/tensor_head.h"

bool tensor_polygraphy_recognise(const char *head, size_t n)
{
	return tensor_head_begins(head, n, "lst");
}

/* ---- base64 -------------------------------------------------------------- */

static int sextet(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* With its padding and without blanks, as Python writes it.  OUT has room for 3/4 N. */
static bool decode(unsigned char *out, size_t *n_out, const char *s, size_t n)
{
	size_t at = 0, padding = 0;

	if (n % 4)
		return false;
	while (padding < 2 && padding < n && s[n - 1 - padding] == '=')
		padding++;
	for (size_t i = 0; i < n; i += 4) {
		uint32_t bits = 0;

		for (size_t k = i; k < i + 4; k++) {
			int v = k >= n - padding ? 0 : sextet(s[k]);

			if (v < 0)
				return false;
			bits = bits << 6 | (uint32_t)v;
		}
		out[at++] = (unsigned char)(bits >> 16);
		out[at++] = (unsigned char)(bits >> 8);
		out[at++] = (unsigned char)bits;
	}
	*n_out = at - padding;
	return true;
}

/* ---- outputs ------------------------------------------------------------- */

/* The .npy in T->bytes, N of them. */
static int read_npy(struct tensor *t, struct arena *a, const unsigned char *bytes, size_t n)
{
	size_t header;
	int rc = npy_header_bytes(&header, (const char *)bytes, n, t->path);

	if (rc < 0 || (rc = npy_parse(t, a, (const char *)bytes, n, t->path)) < 0)
		return rc;
	if (t->type != TENSOR_UNKNOWN && t->size_bytes != n - header)
		return err_set(ERR_PARSE, "%s: output \"%s\" has %zu bytes of values, not %" PRIu64,
			t->path, t->name, n - header, t->size_bytes);
	t->packing = TENSOR_IN_MEMORY;
	t->bytes = bytes + header;
	return 0;
}

/* An array lies in itself, or in what wraps it. */
static const struct json *array_of(const struct json *j)
{
	const struct json *values = json_get(j, "values");
	const struct json *array = json_get(values ? values : j, "array");

	return array && array->type == JSON_STRING ? array : NULL;
}

static void read_output(struct tensor_set *s, const char *path, const char *name,
	const struct json *j)
{
	struct arena *a = &s->arena;
	struct tensor *t = tensor_set_add(s);
	const struct json *array = array_of(j);
	unsigned char *bytes;
	size_t n;

	*t = (struct tensor){ .name = name, .path = path, .type_name = "unknown",
		.role = TENSOR_OUTPUT };
	if (!array) {
		t->unread = "it holds no array";
		return;
	}
	bytes = arena_alloc(a, array->text_n / 4 * 3 + 8);
	if (!decode(bytes, &n, array->text, array->text_n))
		t->unread = "its array is not base64";
	else if (read_npy(t, a, bytes, n) < 0)
		t->unread = arena_strdup(a, err_text());
}

/* What comes before the names of one runner's outputs. */
static const char *name_of(struct arena *a, const char *runner, size_t iteration, bool several,
	const char *output)
{
	if (several)
		return runner ? arena_printf(a, "%s/%zu/%s", runner, iteration, output)
			      : arena_printf(a, "%zu/%s", iteration, output);
	return runner ? arena_printf(a, "%s/%s", runner, output) : arena_strdup(a, output);
}

/* ["runner", [iteration, ...]] */
static int read_runner(struct tensor_set *s, const char *path, const struct json *pair,
	bool several)
{
	const struct json *name = pair->first, *list = name ? name->next : NULL;
	size_t i = 0;

	if (!list || name->type != JSON_STRING || list->type != JSON_ARRAY)
		return err_set(ERR_PARSE, "%s: a runner is not [name, iterations]", path);
	for (const struct json *it = list->first; it; it = it->next, i++) {
		const struct json *outputs = json_get(it, "outputs");

		for (const struct json *o = outputs ? outputs->first : NULL; o; o = o->next)
			if (o->key)
				read_output(s, path,
					name_of(&s->arena, several ? name->text : NULL, i,
						list->count > 1, o->key),
					o);
	}
	return 0;
}

int tensor_polygraphy_read(struct tensor_set *s, const char *path)
{
	struct buf text = BUF_INIT;
	struct arena scratch = ARENA_INIT;
	const struct json *root, *list = NULL;
	int rc = fs_read(&text, path, TENSOR_POLYGRAPHY_MAX);

	if (rc == 0 && (rc = json_parse(&root, &scratch, text.s, text.n, JSON_TOLERANT)) < 0)
		rc = err_prefix("%s: ", path);
	if (rc == 0)
		list = json_get(root, "lst");
	if (rc == 0 && (!list || list->type != JSON_ARRAY))
		rc = err_set(ERR_PARSE, "%s: no list of runners in it", path);
	for (const struct json *p = list ? list->first : NULL; rc == 0 && p; p = p->next)
		rc = read_runner(s, path, p, list->count > 1);
	arena_release(&scratch);
	buf_release(&text);
	return rc;
}
