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

		buf_addf(&left, "%s%s%s", list[i].name, list[i].value ? " " : "", list[i].value ? list[i].value : "");
		add_entry(out, left.s, list[i].help);
		buf_release(&left);
	}
}

static void add_all(struct buf *out)
{
	const struct operation *o;

	buf_adds(out, "portside - supervise a coding agent that migrates training code from GPUs to TPUs\n\n"
		"usage: portside [OPTION...]                      the workbench, on a terminal\n"
		"       portside [OPTION...] COMMAND [ARGUMENT...]\n\ncommands:\n");
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++)
		if (o->flags & OPERATION_CLI && !(o->flags & OPERATION_INTERNAL))
			add_entry(out, o->name, o->help);
	buf_adds(out, "\noptions, before or after the command:\n");
	add_options(out);
	buf_adds(out, "\nexit status: 0 yes or done, 1 a check said no, 2 usage, 3 the environment, 130 cancelled\n"
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
		buf_adds(out, "\nNeeds a person at a terminal; refused when the environment shows a coding agent.\n");
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

/* ---- completion ------------------------------------------------------------ */

static bool is_offered(const struct operation *o)
{
	return o->flags & OPERATION_CLI && !(o->flags & OPERATION_INTERNAL);
}

/* First words of commands, each once. */
static void add_first_words(struct buf *out)
{
	const struct operation *o;

	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		size_t n = strcspn(o->name, " ");
		bool seen = false;

		for (size_t k = 0; k < i && !seen; k++) {
			const struct operation *before = operation_at(k);

			seen = is_offered(before) && strcspn(before->name, " ") == n &&
			       memcmp(before->name, o->name, n) == 0;
		}
		if (is_offered(o) && !seen) {
			buf_add(out, o->name, n);
			buf_addc(out, ' ');
		}
	}
}

/* Words that may follow NAME: second words, then options and choices. */
static void add_candidates(struct buf *words, const char *name, size_t n)
{
	const struct operation *o;

	for (size_t k = 0; (o = operation_at(k)) != NULL; k++)
		if (is_offered(o) && strncmp(o->name, name, n) == 0 && o->name[n] == ' ')
			buf_addf(words, "%s ", o->name + n + 1);
	for (size_t k = 0; (o = operation_at(k)) != NULL; k++) {
		if (!is_offered(o) || strlen(o->name) != n || memcmp(o->name, name, n) != 0)
			continue;
		for (const struct argument *arg = o->arguments; arg && arg->name; arg++) {
			if (*arg->name == '-')
				buf_addf(words, "%s ", arg->name);
			else if (arg->choices)
				buf_addf(words, "%s ", arg->choices);
		}
	}
	buf_trim_end(words);
}

static void add_case(struct buf *out, const char *format, const char *name, size_t n)
{
	struct buf words = BUF_INIT;

	add_candidates(&words, name, n);
	if (words.n && strcmp(format, "case") == 0)
		buf_addf(out, "\t\"%.*s\") words=\"%s\" ;;\n", (int)n, name, words.s);
	else if (words.n)
		buf_addf(out, "complete -c portside -n '__fish_seen_subcommand_from %.*s' -a '%s'\n",
			(int)strcspn(name, " "), name, words.s);
	buf_release(&words);
}

/* "attempt" of "attempt list" is no command itself, and is completed too. */
static bool is_first_of_group(size_t i, size_t n)
{
	const struct operation *o = operation_at(i), *other;

	for (size_t k = 0; (other = operation_at(k)) != NULL; k++) {
		bool same = is_offered(other) && strncmp(other->name, o->name, n) == 0;

		if (same && (!other->name[n] || (other->name[n] == ' ' && k < i)))
			return false;
	}
	return true;
}

static void add_cases(struct buf *out, const char *format)
{
	const struct operation *o;

	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		size_t n = strcspn(o->name, " ");

		if (!is_offered(o))
			continue;
		if (o->name[n] && is_first_of_group(i, n))
			add_case(out, format, o->name, n);
		add_case(out, format, o->name, strlen(o->name));
	}
}

static void add_general(struct buf *out)
{
	const struct cli_option *list;
	size_t n;

	list = cli_options_list(&n);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s ", list[i].name);
}

static void add_bash(struct buf *out)
{
	buf_adds(out, "# bash completion of portside; made by: portside completion bash\n"
		"_portside()\n{\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} first=${COMP_WORDS[1]} second=${COMP_WORDS[2]} words=\n"
		"\tif [ \"$COMP_CWORD\" -eq 1 ]; then\n\t\twords=\"");
	add_first_words(out);
	add_general(out);
	buf_adds(out, "\"\n\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n\t\treturn\n\tfi\n"
		"\tlocal key=$first\n\t[ \"$COMP_CWORD\" -gt 2 ] && key=\"$first $second\"\n"
		"\tfor key in \"$key\" \"$first\"; do\n\tcase $key in\n");
	add_cases(out, "case");
	buf_adds(out, "\tesac\n\t[ -n \"$words\" ] && break\n\tdone\n"
		"\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
		"\t[ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$cur\"))\n}\n"
		"complete -o filenames -F _portside portside\n");
}

static void add_fish(struct buf *out)
{
	buf_adds(out, "# fish completion of portside; made by: portside completion fish\n"
		"complete -c portside -n __fish_use_subcommand -f -a '");
	add_first_words(out);
	buf_adds(out, "'\n");
	add_cases(out, "fish");
	for (size_t i = 0, n; i < (cli_options_list(&n), n); i++) {
		const struct cli_option *o = &cli_options_list(&n)[i];

		buf_addf(out, "complete -c portside %s %s%s -d '%s'\n", o->name[1] == '-' ? "-l" : "-s",
			o->name + (o->name[1] == '-' ? 2 : 1), o->value ? " -r" : "", o->help);
	}
}

int help_completion(struct buf *out, const char *shell)
{
	if (strcmp(shell, "bash") == 0)
		add_bash(out);
	else if (strcmp(shell, "fish") == 0)
		add_fish(out);
	else if (strcmp(shell, "zsh") == 0) {
		/* zsh reads bash's form through its own bridge. */
		buf_adds(out, "#compdef portside\nautoload -U +X bashcompinit && bashcompinit\n");
		add_bash(out);
	} else {
		return err_set(ERR_USAGE, "completion: \"%s\" is none of: bash zsh fish", shell);
	}
	return 0;
}
