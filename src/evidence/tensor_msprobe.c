/* tensor_msprobe - what msProbe dumped of a step: dump.json and the tensors beside it. */
#include "config.h"

#include "evidence/tensor_msprobe.h"

#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "evidence/npy.h"
#include "evidence/tensor_head.h"

static const char data_folder[] = "dump_tensor_data";

bool tensor_msprobe_recognise(const char *head, size_t n)
{
	return tensor_head_begins(head, n, "task") && tensor_head_holds(head, n, "\"level\"") &&
		tensor_head_holds(head, n, "\"data\"");
}

struct dump {
	struct tensor_set *s;
	const char *path, *folder;
	const char *operation;
};

/* An object that stands for a tensor: others are numbers, None and the like. */
static bool is_tensor(const struct json *j)
{
	const char *type = json_str(j, "type", "");

	return json_get(j, "shape") && (text_ends(type, "Tensor") || text_ends(type, "Parameter"));
}

static void set_values(struct tensor *t, const struct dump *d, const struct json *j)
{
	struct arena *a = &d->s->arena;
	const char *file = json_str(j, "data_name", NULL);
	const char *name = t->name, *operation = t->operation, *inside;
	enum tensor_role role = t->role;

	if (!file || strcmp(file, "-1") == 0) {
		t->unread = "its values were not dumped (only statistics of them)";
		return;
	}
	if (!text_ends(file, ".npy")) {
		t->unread = "its values are a file of torch.save, which is never unpacked";
		return;
	}
	inside = arena_printf(a, "%s/%s", data_folder, file);
	if (!fs_is_inside(inside) || !fs_leads_inside(d->folder, inside)) {
		t->unread = arena_printf(a, "no file \"%s\" in %s", file, data_folder);
		return;
	}
	if (npy_read(t, a, fs_join(a, d->folder, inside)) < 0)
		t->unread = arena_strdup(a, err_text());
	t->name = name;
	t->operation = operation;
	t->role = role;
}

/* J, called NAME; lists and objects in it are walked, as deep as JSON goes. */
static void add_value(const struct dump *d, const struct json *j, const char *name,
	enum tensor_role role)
{
	struct arena *a = &d->s->arena;
	size_t i = 0;

	if (j->type == JSON_OBJECT && is_tensor(j)) {
		struct tensor *t = tensor_set_add(d->s);

		*t = (struct tensor){ .name = name, .operation = d->operation, .role = role,
			.path = d->path,
			.type_name = arena_strdup(a, json_str(j, "dtype", "unknown")) };
		set_values(t, d, j);
		return;
	}
	if (j->type != JSON_ARRAY && j->type != JSON_OBJECT)
		return;
	for (const struct json *c = j->first; c; c = c->next, i++)
		add_value(d, c,
			c->key ? arena_printf(a, "%s.%s", name, c->key)
			       : arena_printf(a, "%s.%zu", name, i),
			role);
}

static const struct {
	const char *key, *word;
	enum tensor_role role;
} parts[] = {
	{ "input_args", "input", TENSOR_INPUT },
	{ "input_kwargs", "input", TENSOR_INPUT },
	{ "input", "input", TENSOR_INPUT },
	{ "parameters", "parameters", TENSOR_INPUT },
	{ "output", "output", TENSOR_OUTPUT },
};

static void add_operation(struct dump *d, const struct json *j)
{
	struct arena *a = &d->s->arena;
	bool known = false;

	d->operation = arena_strdup(a, j->key);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const struct json *part = json_get(j, parts[i].key);

		if (!part)
			continue;
		known = true;
		add_value(d, part, arena_printf(a, "%s.%s", d->operation, parts[i].word),
			parts[i].role);
	}
	if (!known)			/* gradients of parameters: {"weight": [...]} */
		add_value(d, j, d->operation, TENSOR_OUTPUT);
}

int tensor_msprobe_read(struct tensor_set *s, const char *path)
{
	struct dump d = { .s = s, .path = arena_strdup(&s->arena, path) };
	struct buf text = BUF_INIT;
	struct arena scratch = ARENA_INIT;
	const struct json *root, *data = NULL;
	int rc = fs_read(&text, path, TENSOR_MSPROBE_MAX);

	d.folder = fs_dirname(&s->arena, path);
	if (rc == 0 && (rc = json_parse(&root, &scratch, text.s, text.n, JSON_TOLERANT)) < 0)
		rc = err_prefix("%s: ", path);
	if (rc == 0)
		data = json_get(root, "data");
	if (rc == 0 && (!data || data->type != JSON_OBJECT))
		rc = err_set(ERR_PARSE, "%s: no \"data\" of operations in it", path);
	for (const struct json *j = data ? data->first : NULL; j; j = j->next)
		if (j->type == JSON_OBJECT)
			add_operation(&d, j);
	s->in_execution_order = rc == 0;
	arena_release(&scratch);
	buf_release(&text);
	return rc;
}
