/* launcher_command - values into arguments, one by one. */
#include "config.h"

#include "launch/launcher_command.h"

#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "launch/template.h"

int launcher_command_make(struct launcher_command *out, const struct launcher_operation *o,
	const struct launcher_values *v, struct arena *a)
{
	struct buf text = BUF_INIT;
	size_t n = 0;
	bool empty;

	*out = (struct launcher_command){ 0 };
	out->argv = arena_alloc(a, (o->n_arguments + 1) * sizeof *out->argv);
	for (size_t i = 0; i < o->n_arguments; i++) {
		buf_clear(&text);
		template_expand(&text, o->arguments[i].text, launcher_value, v, &empty);
		if (!empty || !o->arguments[i].optional)
			out->argv[n++] = arena_strdup(a, text.s);
	}
	if (o->input) {
		buf_clear(&text);
		template_expand(&text, o->input, launcher_value, v, NULL);
		out->input = arena_strdup(a, text.s);
	}
	buf_release(&text);
	if (!n || !*out->argv[0])
		return err_set(ERR_USAGE, "%s:%d: the command of [%s] is empty", v->file->path,
			o->line, launcher_step_word(o->step));
	return 0;
}

static bool is_unset(const struct launcher_file *f, const char *name_value)
{
	size_t n = strcspn(name_value, "=");

	for (size_t i = 0; i < f->n_unset; i++)
		if (strlen(f->unset[i]) == n && memcmp(f->unset[i], name_value, n) == 0)
			return true;
	return false;
}

void launcher_command_environment(
	struct environment *out, const struct launcher_file *f, char *const *from)
{
	for (; from && *from; from++)
		if (!is_unset(f, *from))
			environment_put(out, *from);
	for (size_t i = 0; i < f->n_set; i++)
		environment_put(out, f->set[i]);
	environment_put(out, "LC_ALL=C");
}
