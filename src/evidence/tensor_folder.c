/* tensor_folder - the files of tensors below a folder; see tensor_set.h. */
#include "config.h"

#include "evidence/tensor_folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "evidence/tensor_msprobe.h"

static const struct {
	const char *end;
	enum tensor_format format;
} ends[] = {
	{ ".npy", TENSOR_NPY },
	{ ".npz", TENSOR_NPZ },
	{ ".safetensors", TENSOR_SAFETENSORS },
	{ ".pt", TENSOR_TORCH },
	{ ".pth", TENSOR_TORCH },
	{ ".bin", TENSOR_TORCH },
	{ ".ckpt", TENSOR_TORCH },
	{ ".pkl", TENSOR_TORCH },
};

static enum tensor_format format_of(const char *name, const char **end)
{
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (text_ends(name, ends[i].end)) {
			*end = ends[i].end;
			return ends[i].format;
		}
	return TENSOR_NO_FORMAT;
}

/* A file that was found, in the order of the walk. */
struct found {
	const char *name;		/* below the folder */
	const char *prefix;		/* without its end, and without -00001-of-00002 */
	enum tensor_format format;
};

struct walk {
	struct tensor_set *s;
	const char *root;
	struct found *files;
	size_t n, cap;
	size_t torch;			/* files of torch.save, or of its name */
	const char *first_torch;
	bool too_many, too_deep;
};

static bool all_digits(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isdigit((unsigned char)p[i]))
			return false;
	return n > 0;
}

/* Length of "model" in "model-00001-of-00002". */
static size_t without_part(const char *p, size_t n)
{
	static const char of[] = "-of-";
	size_t digits = 5, tail = 1 + digits + sizeof of - 1 + digits;
	const char *t = p + n - tail;

	if (n <= tail || *t != '-' || memcmp(t + 1 + digits, of, sizeof of - 1) != 0 ||
		!all_digits(t + 1, digits) || !all_digits(p + n - digits, digits))
		return n;
	return n - tail;
}

static void add_file(struct walk *w, const char *name)
{
	const char *end = "";
	enum tensor_format format = format_of(name, &end);
	size_t n = strlen(name) - strlen(end);

	if (format == TENSOR_NO_FORMAT)
		return;
	if (format == TENSOR_TORCH) {
		if (!w->torch++)
			w->first_torch = name;
		return;
	}
	if (w->n == TENSOR_FILES_MAX) {
		w->too_many = true;
		return;
	}
	if (format == TENSOR_SAFETENSORS)
		n = without_part(name, n);
	ARRAY_GROW(w->files, w->n, w->cap);
	w->files[w->n++] =
		(struct found){ name, arena_strndup(&w->s->arena, name, n), format };
}

static int by_nature(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;
	int order = text_compare_natural(*x, *y);

	return order ? order : strcmp(*x, *y);
}

static int walk(struct walk *w, const char *below, int depth)
{
	struct arena *a = &w->s->arena;
	const char *folder = *below ? fs_join(a, w->root, below) : w->root;
	char **names;
	size_t n;
	int rc = fs_list(&names, &n, a, folder);

	if (rc < 0)
		return rc;
	qsort(names, n, sizeof *names, by_nature);
	for (size_t i = 0; i < n; i++) {
		const char *name = *below ? arena_printf(a, "%s/%s", below, names[i]) : names[i];
		struct stat st;

		if (lstat(fs_join(a, w->root, name), &st) < 0)
			continue;			/* gone meanwhile */
		if (!S_ISDIR(st.st_mode))
			add_file(w, name);
		else if (depth == TENSOR_FOLDER_DEPTH)
			w->too_deep = true;
		else if ((rc = walk(w, name, depth + 1)) < 0)
			return rc;
	}
	return 0;
}

/* One safetensors file, or the parts of one, needs no name before its tensors. */
static bool one_safetensors(const struct walk *w)
{
	for (size_t i = 0; i < w->n; i++)
		if (w->files[i].format != TENSOR_SAFETENSORS ||
			strcmp(w->files[i].prefix, w->files[0].prefix) != 0)
			return false;
	return true;
}

static void read_found(struct walk *w)
{
	bool plain = one_safetensors(w);

	for (size_t i = 0; i < w->n; i++) {
		const struct found *f = &w->files[i];
		const char *path = fs_join(&w->s->arena, w->root, f->name);
		struct tensor *t;

		if (tensor_set_add_file(w->s, f->format, path, plain ? "" : f->prefix) == 0)
			continue;
		t = tensor_set_add(w->s);
		*t = (struct tensor){ .name = f->name, .path = path, .type_name = "unknown" };
		t->unread = arena_strdup(&w->s->arena, err_text());
	}
}

/* How many parts the name "model-00001-of-00002.safetensors" promises; 0: it is no part. */
static int64_t parts_promised(const struct found *f)
{
	size_t n = strlen(f->name) - strlen(".safetensors");
	int64_t parts;

	if (f->format != TENSOR_SAFETENSORS || strlen(f->prefix) == n ||
		!text_to_i64(f->name + n - 5, 5, &parts))
		return 0;
	return parts;
}

/* Parts of one model stand together in the order of the walk. */
static void note_parts(struct walk *w)
{
	for (size_t i = 0, end; i < w->n; i = end) {
		int64_t promised = parts_promised(&w->files[i]);

		for (end = i + 1; end < w->n; end++)
			if (!promised || strcmp(w->files[end].prefix, w->files[i].prefix) != 0)
				break;
		if (promised > 0 && (size_t)promised != end - i)
			tensor_set_note(w->s, "%s: %zu of %lld parts of %s are there", w->root,
				end - i, (long long)promised, w->files[i].prefix);
	}
}

static void note_all(struct walk *w)
{
	note_parts(w);
	if (w->torch)
		tensor_set_note(w->s,
			"%zu %s of torch.save or of such a name in %s %s not read, since pickles are never unpacked: %s%s",
			w->torch, w->torch == 1 ? "file" : "files", w->root,
			w->torch == 1 ? "was" : "were", w->first_torch,
			w->torch == 1 ? "" : ", ...");
	if (w->too_many)
		tensor_set_note(w->s, "%s: only the first %d files were read", w->root,
			TENSOR_FILES_MAX);
	if (w->too_deep)
		tensor_set_note(w->s, "%s: folders more than %d deep were not read", w->root,
			TENSOR_FOLDER_DEPTH);
}

int tensor_folder_read(struct tensor_set *s, const char *path)
{
	struct walk w = { .s = s, .root = path };
	const char *dump = fs_join(&s->arena, path, "dump.json");
	int rc;

	if (tensor_file_recognise(dump) == TENSOR_MSPROBE) {
		s->format = TENSOR_MSPROBE;
		return tensor_msprobe_read(s, dump);
	}
	rc = walk(&w, "", 0);
	if (rc == 0) {
		read_found(&w);
		note_all(&w);
	}
	if (rc == 0 && !s->n)
		rc = err_set(ERR_NOT_FOUND,
			"%s: no .safetensors, .npy or .npz below this folder%s", path,
			w.torch ? "; files of torch.save are not read" : "");
	free(w.files);
	return rc;
}

bool tensor_folder_has_tensors(const char *path)
{
	struct arena a = ARENA_INIT;
	char **names;
	size_t n = 0;
	bool has = false;

	if (fs_list(&names, &n, &a, path) < 0)
		err_clear();
	for (size_t i = 0; i < n && !has; i++) {
		const char *end;
		enum tensor_format format = format_of(names[i], &end);

		has = format != TENSOR_NO_FORMAT && format != TENSOR_TORCH;
	}
	if (!has)
		has = tensor_file_recognise(fs_join(&a, path, "dump.json")) == TENSOR_MSPROBE;
	arena_release(&a);
	return has;
}
