/* help - see help.h.  Nothing here knows a command by name. */
#include "config.h"

#include "cli/help.h"

#include <string.h>

#include "base/err.h"
#include "cli/output.h"

static int flush(struct buf *b)
{
	int rc = output_write(b);

	buf_release(b);
	return rc;
}

static void add_entry(struct buf *out, const char *left, const char *help)
{
	size_t n = strlen(left);

	buf_addf(out, "  %s", left);
	if (n < 26)
		buf_pad(out, ' ', 26 - n);
	else
		buf_adds(out, "\n                            ");
	buf_addf(out, "%s\n", help);
}

static void add_options(struct buf *out)
{
	const struct cli_option *list;
	size_t n;

	list = cli_options_list(&n);
	for (size_t i = 0; i < n; i++) {
		struct buf left = BUF_INIT;

		buf_addf(&left, "%s%s%s", list[i].name, list[i].value ? " " : "",
			list[i].value ? list[i].value : "");
		add_entry(out, left.s, list[i].help);
		buf_release(&left);
	}
}

static void add_all(struct buf *out)
{
	const struct operation *o;

	buf_adds(out,
		"portside - supervise a coding agent that migrates training code from GPUs to TPUs\n\n"
		"usage: portside [OPTION...]                      the workbench, on a terminal\n"
		"       portside [OPTION...] COMMAND [ARGUMENT...]\n\ncommands:\n");
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++)
		if (o->flags & OPERATION_CLI && !(o->flags & OPERATION_INTERNAL))
			add_entry(out, o->name, o->help);
	buf_adds(out, "\noptions, before or after the command:\n");
	add_options(out);
	buf_adds(out,
		"\nexit status: 0 yes or done, 1 a check said no, 2 usage, 3 the environment, 130 cancelled\n"
		"portside COMMAND --help tells more; see also portside(1) and portside-tutorial(7)\n");
}

static void add_one(struct buf *out, const struct operation *o)
{
	buf_addf(out, "%s\n\nusage: portside ", o->help);
	operation_add_usage(out, o);
	buf_adds(out, "\n");
	if (o->arguments && o->arguments->name)
		buf_adds(out, "\n");
	for (const struct argument *arg = o->arguments; arg && arg->name; arg++) {
		struct buf help = BUF_INIT;

		buf_adds(&help, arg->help);
		if (arg->choices)
			buf_addf(&help, ": %s", arg->choices);
		if (arg->otherwise)
			buf_addf(&help, " (default: %s)", arg->otherwise);
		add_entry(out, arg->name, help.s);
		buf_release(&help);
	}
	if (o->flags & OPERATION_PERSON)
		buf_adds(out,
			"\nNeeds a person at a terminal; refused when the environment shows a coding agent.\n");
	if (o->keys)
		buf_addf(out, "\non the screen: %s\n", o->keys);
}

int help_print(const struct operation *o)
{
	struct buf out = BUF_INIT;

	if (o)
		add_one(&out, o);
	else
		add_all(&out);
	return flush(&out);
}
