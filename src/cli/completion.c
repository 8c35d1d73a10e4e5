/* completion - see completion.h. */
#include "config.h"

#include "cli/completion.h"

#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/help.h"
#include "command/candidates.h"
#include "command/operation.h"

/* ---- the scripts -------------------------------------------------------------------- */

/* bash splits words at "=", which the program takes as it comes. */
static const char bash_script[] =
	"# bash completion of portside; made by: portside completion bash\n"
	"_portside()\n"
	"{\n"
	"\tlocal current=${COMP_WORDS[COMP_CWORD]} line files=\n"
	"\tCOMPREPLY=()\n"
	"\twhile IFS= read -r line; do\n"
	"\t\tcase $line in\n"
	"\t\t$'\\tfiles') files=yes ;;\n"
	"\t\t*) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
	"\t\tesac\n"
	"\tdone < <(\"${COMP_WORDS[0]/#\\~/$HOME}\" complete -- \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
	"\t[ -n \"$files\" ] || return 0\n"
	"\tcompopt -o filenames 2>/dev/null\n"
	"\twhile IFS= read -r line; do\n"
	"\t\tCOMPREPLY+=(\"$line\")\n"
	"\tdone < <(compgen -f -- \"$current\")\n"
	"}\n"
	"complete -F _portside portside\n";

/* As a file of $fpath it is the function; read with eval it declares it. */
static const char zsh_script[] =
	"#compdef portside\n"
	"# zsh completion of portside; made by: portside completion zsh\n"
	"_portside()\n"
	"{\n"
	"\tlocal line word help files=\n"
	"\tlocal -a described\n"
	"\tfor line in \"${(@f)$(\"${(Q)words[1]/#\\~/$HOME}\" complete -- \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\"; do\n"
	"\t\t[[ -n $line ]] || continue\n"
	"\t\tword=${line%%$'\\t'*} help=${line#*$'\\t'}\n"
	"\t\tif [[ -z $word ]]; then\n"
	"\t\t\tfiles=yes\n"
	"\t\telse\n"
	"\t\t\tdescribed+=(\"${word//:/\\\\:}${help:+:$help}\")\n"
	"\t\tfi\n"
	"\tdone\n"
	"\t(( ${#described} )) && _describe portside described\n"
	"\t[[ -n $files ]] && _files\n"
	"\t(( ${#described} )) || [[ -n $files ]]\n"
	"}\n"
	"if [[ ${funcstack[1]:-} = _portside ]]; then\n"
	"\t_portside \"$@\"\n"
	"else\n"
	"\tcompdef _portside portside\n"
	"fi\n";

static const char fish_script[] =
	"# fish completion of portside; made by: portside completion fish\n"
	"function __portside_complete\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -l current (commandline -ct)\n"
	"\tset -l program $words[1]\n"
	"\tset -e words[1]\n"
	"\tfor line in (command $program complete -- $words \"$current\" 2>/dev/null)\n"
	"\t\tif test \"$line\" = \\tfiles\n"
	"\t\t\t__fish_complete_path \"$current\"\n"
	"\t\telse\n"
	"\t\t\tprintf '%s\\n' $line\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"complete -c portside -f -a '(__portside_complete)'\n";

int completion_script(struct buf *out, const char *shell)
{
	static const struct { const char *shell, *script; } scripts[] = {
		{ "bash", bash_script }, { "zsh", zsh_script }, { "fish", fish_script },
	};

	for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
		if (strcmp(scripts[i].shell, shell) == 0) {
			buf_adds(out, scripts[i].script);
			return 0;
		}
	}
	return err_set(ERR_USAGE, "completion: \"%s\" is none of: bash zsh fish", shell);
}

/* ---- what was typed ------------------------------------------------------------------- */

/* The words of a command line as far as they were typed. */
struct typed {
	struct candidates *c;
	const char *directory;			/* of -C */
	const struct cli_option *general;	/* whose value comes next; NULL */
	const char **words;			/* without general options */
	size_t n;
};

static const struct cli_option *general_find(const char *word, size_t n)
{
	size_t options_n;
	const struct cli_option *list = cli_options_list(&options_n);

	for (size_t i = 0; i < options_n; i++)
		if (strlen(list[i].name) == n && memcmp(list[i].name, word, n) == 0)
			return &list[i];
	return NULL;
}

/* Takes the general options out of what stands before the current word. */
static void read_general(struct typed *t, const char *const *words, size_t n, struct arena *a)
{
	bool rest = false;

	t->words = arena_alloc(a, (n + 1) * sizeof *t->words);
	for (size_t i = 0; i < n; i++) {
		const struct cli_option *o =
			rest ? NULL : general_find(words[i], strcspn(words[i], "="));
		const char *equals = strchr(words[i], '='), *value;

		rest = rest || strcmp(words[i], "--") == 0;
		if (strcmp(words[i], "=") == 0)		/* bash splits there */
			continue;
		if (!o) {
			t->words[t->n++] = words[i];
			continue;
		}
		if (!o->value)
			continue;
		if (!equals && i + 1 < n && strcmp(words[i + 1], "=") == 0)
			i++;
		if (!equals && i + 1 >= n) {
			t->general = o;
			return;
		}
		value = equals ? equals + 1 : words[++i];
		if (strcmp(o->name, "-C") == 0)
			t->directory = value;
	}
}

static bool is_offered(const struct operation *o)
{
	return o->flags & OPERATION_CLI && !(o->flags & OPERATION_INTERNAL);
}

/* The next word of commands that begin with the first N words. */
static void add_commands(struct typed *t, size_t n)
{
	struct arena *a = t->c->arena;
	const struct operation *o;
	struct buf before = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		buf_addf(&before, "%s ", t->words[i]);
	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		const char *rest = o->name + before.n;
		bool last;

		if (!is_offered(o) || (before.n && !text_starts(o->name, before.s)))
			continue;
		last = !strchr(rest, ' ');
		candidates_add(
			t->c, arena_strndup(a, rest, strcspn(rest, " ")), last ? o->help : "");
	}
	buf_release(&before);
}

static void add_general_options(struct typed *t)
{
	size_t n;
	const struct cli_option *list = cli_options_list(&n);

	for (size_t i = 0; i < n; i++)
		candidates_add(t->c, list[i].name, list[i].help);
}

static size_t match(const struct operation **out, const struct typed *t)
{
	struct buf name = BUF_INIT;
	size_t taken = 0;

	*out = NULL;
	for (size_t i = 0; i < t->n && t->words[i][0] != '-'; i++) {
		const struct operation *o;

		buf_addf(&name, "%s%s", i ? " " : "", t->words[i]);
		o = operation_find(name.s);
		if (o && is_offered(o)) {
			*out = o;
			taken = i + 1;
		}
	}
	buf_release(&name);
	return taken;
}

static const struct argument *option_find(const struct operation *o, const char *word, size_t n)
{
	for (const struct argument *arg = o->arguments; arg && arg->name; arg++)
		if (*arg->name == '-' && strlen(arg->name) == n && memcmp(arg->name, word, n) == 0)
			return arg;
	return NULL;
}

/* The positional argument that comes after SEEN of them. */
static const struct argument *positional_at(const struct operation *o, size_t seen)
{
	const struct argument *last = NULL;

	for (const struct argument *arg = o->arguments; arg && arg->name; arg++) {
		if (*arg->name == '-' || arg->type == ARGUMENT_REST)
			continue;
		if (!seen--)
			return arg;
		last = arg;
	}
	return last && last->repeats ? last : NULL;
}

static const struct argument *rest_of(const struct operation *o)
{
	for (const struct argument *arg = o->arguments; arg && arg->name; arg++)
		if (arg->type == ARGUMENT_REST)
			return arg;
	return NULL;
}

/* What the words behind the command leave for the current one: the value of an
 * option, a positional argument, or what is behind "--". */
static const struct argument *expected(
	bool *of_option, const struct operation *o, const char *const *words, size_t n)
{
	size_t seen = 0;

	*of_option = false;
	for (size_t i = 0; i < n; i++) {
		const struct argument *arg;

		if (strcmp(words[i], "--") == 0) {
			*of_option = true;	/* and no option any more */
			return rest_of(o);
		}
		if (*words[i] != '-') {
			seen++;
			continue;
		}
		arg = option_find(o, words[i], strcspn(words[i], "="));
		if (!arg || arg->type == ARGUMENT_FLAG || strchr(words[i], '='))
			continue;
		if (i + 1 >= n) {
			*of_option = true;
			return arg;
		}
		i++;
	}
	return positional_at(o, seen);
}

static bool was_given(const struct typed *t, const struct argument *arg)
{
	for (size_t i = 0; i < t->n; i++)
		if (!arg->repeats && strcmp(t->words[i], arg->name) == 0)
			return true;
	return false;
}

static void add_options(struct typed *t, const struct operation *o)
{
	for (const struct argument *arg = o->arguments; arg && arg->name; arg++)
		if (*arg->name == '-' && !was_given(t, arg))
			candidates_add(t->c, arg->name, arg->help);
	if (rest_of(o))
		candidates_add(t->c, "--", "a command follows");
}

/* "--kind=sm": values stand behind the name, which bash leaves out itself. */
static void add_value_of(struct typed *t, const struct argument *arg, size_t name_n)
{
	struct candidates values = { .arena = t->c->arena, .prefix = t->c->prefix + name_n + 1 };

	candidates_of_argument(&values, arg, t->directory);
	for (size_t i = 0; i < values.n; i++)
		candidates_add(t->c,
			arena_printf(t->c->arena, "%s=%s", arg->name, values.list[i].word),
			values.list[i].help);
}

static void complete_command(struct typed *t, const struct operation *o, size_t taken)
{
	size_t name_n = strcspn(t->c->prefix, "=");
	bool of_option, dash = t->c->prefix[0] == '-';
	const struct argument *arg = expected(&of_option, o, t->words + taken, t->n - taken), *own;

	if (arg && (of_option || !dash))
		candidates_of_argument(t->c, arg, t->directory);
	if (of_option)
		return;
	own = dash && t->c->prefix[name_n] ? option_find(o, t->c->prefix, name_n) : NULL;
	if (own)
		add_value_of(t, own, name_n);
	if (t->n == taken)
		add_commands(t, taken);
	if (dash || (!t->c->n && !t->c->files))
		add_options(t, o);
	if (dash)
		add_general_options(t);
}

static void complete_general(struct typed *t, const struct cli_option *o)
{
	if (o->choices)
		candidates_add_words(t->c, o->choices);
	else
		t->c->files = strcmp(o->name, "-C") == 0 || strcmp(o->name, "--config") == 0;
}

static void print(struct buf *out, const struct candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		buf_addf(out, "%s\t%s\n", c->list[i].word, c->list[i].help);
	if (c->files)
		buf_adds(out, "\tfiles\n");
}

void completion_answer(struct buf *out, const char *const *words, size_t n, struct arena *a)
{
	struct candidates c = { .arena = a,
		.prefix = n && strcmp(words[n - 1], "=") != 0 ? words[n - 1] : "" };
	struct typed t = { .c = &c, .directory = "." };
	const struct operation *o;
	size_t taken;

	read_general(&t, words, n ? n - 1 : 0, a);
	taken = match(&o, &t);
	if (t.general)
		complete_general(&t, t.general);
	else if (o)
		complete_command(&t, o, taken);
	else
		add_commands(&t, t.n);
	if (!t.general && !o && c.prefix[0] == '-' && !t.n)
		add_general_options(&t);
	print(out, &c);
}
