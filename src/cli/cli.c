/* cli - see cli.h.  Options first, then the longest operation name that fits. */
#include "config.h"

#include "cli/cli.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/output.h"
#include "command/open.h"
#include "command/preferences.h"

enum { EXIT_NO = 1, EXIT_USAGE = 2, EXIT_ENVIRONMENT = 3, EXIT_CANCELLED = 130 };

/* Set by ^C: commands look at it between two pieces of work. */
static atomic_bool cancelled;

static void on_interrupt(int signal_number)
{
	(void)signal_number;
	atomic_store(&cancelled, true);
}

int cli_exit_status(int err)
{
	if (err >= 0)
		return 0;
	if (err == ERR_USAGE)
		return EXIT_USAGE;
	return err == ERR_CANCELLED ? EXIT_CANCELLED : EXIT_ENVIRONMENT;
}

/* ---- options -------------------------------------------------------------- */

enum option {
	OPTION_DIRECTORY, OPTION_JSON, OPTION_FORMAT, OPTION_AT, OPTION_READ_ONLY, OPTION_COLOR,
	OPTION_ASCII, OPTION_CONFIG, OPTION_WIDTH, OPTION_HELP, OPTION_VERSION,
};

static const struct cli_option options[] = {
	{ "-C", "DIR", "the migration in DIR, a bundle file works too", OPTION_DIRECTORY, NULL },
	{ "--json", NULL, "typed values with a schema number", OPTION_JSON, NULL },
	{ "--format", "FORM", "text, json, csv or markdown", OPTION_FORMAT,
		"text json csv markdown" },
	{ "--at", "EVENT", "as of an event: its place, or its id's first digits", OPTION_AT, NULL },
	{ "--read-only", NULL, "write nothing at all", OPTION_READ_ONLY, NULL },
	{ "--color", "WHEN", "auto, always or never", OPTION_COLOR, "auto always never" },
	{ "--ascii", NULL, "no character beyond ASCII", OPTION_ASCII, NULL },
	{ "--config", "FILE", "your own configuration, in place of the usual one", OPTION_CONFIG,
		NULL },
	{ "--width", "COLUMNS", "width of text tables; 0 cuts nothing", OPTION_WIDTH, NULL },
	{ "--help", NULL, "this page, or the page of a command", OPTION_HELP, NULL },
	{ "--version", NULL, "the version", OPTION_VERSION, NULL },
};

const struct cli_option *cli_options_list(size_t *n)
{
	*n = ARRAY_LEN(options);
	return options;
}

static const struct cli_option *find_option(const char *word)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (strlen(options[i].name) == n && memcmp(options[i].name, word, n) == 0)
			return &options[i];
	return NULL;
}

struct parsed {
	struct cli_options options;
	bool help, version;
	const char **words;
	size_t n;
};

static int set_format(struct cli_options *o, const char *value)
{
	static const char *const names[] = { "text", "json", "csv", "markdown" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(names[i], value) == 0) {
			o->format = (enum cli_format)i;
			return 0;
		}
	}
	return err_set(ERR_USAGE, "--format: \"%s\" is none of: text json csv markdown", value);
}

static int set_width(struct cli_options *o, const char *value)
{
	int64_t width;

	if (!text_to_i64(value, strlen(value), &width) || width < 0 || width > 10000)
		return err_set(ERR_USAGE, "--width: \"%s\" is not a number of columns", value);
	o->width = (int)width;
	return 0;
}

static int set_color(struct cli_options *o, const char *value)
{
	if (strcmp(value, "auto") != 0 && strcmp(value, "always") != 0 &&
		strcmp(value, "never") != 0)
		return err_set(ERR_USAGE, "--color: \"%s\" is none of: auto always never", value);
	o->color = value;
	return 0;
}

static int apply(struct parsed *p, enum option option, const char *value)
{
	switch (option) {
	case OPTION_DIRECTORY:
		p->options.directory = value;
		return 0;
	case OPTION_JSON:
		p->options.format = FORMAT_JSON;
		return 0;
	case OPTION_FORMAT:
		return set_format(&p->options, value);
	case OPTION_AT:
		p->options.position = value;
		return 0;
	case OPTION_READ_ONLY:
		p->options.read_only = true;
		return 0;
	case OPTION_COLOR:
		return set_color(&p->options, value);
	case OPTION_ASCII:
		p->options.ascii = true;
		return 0;
	case OPTION_CONFIG:
		return setenv("PORTSIDE_CONFIG", value, 1) < 0 ? err_errno(ERR_IO, "--config") : 0;
	case OPTION_WIDTH:
		return set_width(&p->options, value);
	case OPTION_HELP:
		p->help = true;
		return 0;
	case OPTION_VERSION:
		p->version = true;
		return 0;
	}
	return 0;
}

/* General options may stand anywhere before --; what is not one stays a word. */
static int split(struct parsed *p, int argc, char **argv, struct arena *a)
{
	p->words = arena_alloc(a, ((size_t)argc + 1) * sizeof *p->words);
	for (int i = 1; i < argc; i++) {
		const struct cli_option *o = find_option(argv[i]);
		const char *equals = strchr(argv[i], '='), *value = "";
		int rc;

		if (strcmp(argv[i], "--") == 0) {
			while (i < argc)
				p->words[p->n++] = argv[i++];
			return 0;
		}
		if (!o) {
			p->words[p->n++] = argv[i];
			continue;
		}
		if (!o->value && equals)
			return err_set(ERR_USAGE, "%s takes no value", o->name);
		if (o->value && equals)
			value = equals + 1;
		else if (o->value && i + 1 < argc)
			value = argv[++i];
		else if (o->value)
			return err_set(ERR_USAGE, "%s needs a value: %s", o->name, o->value);
		if ((rc = apply(p, (enum option)o->id, value)) < 0)
			return rc;
	}
	return 0;
}

/* ---- finding the operation ------------------------------------------------- */

/* The longest run of words that names an operation; 0 when none does. */
static size_t match(const struct operation **out, const char *const *words, size_t n)
{
	struct buf name = BUF_INIT;
	size_t taken = 0;

	*out = NULL;
	for (size_t i = 0; i < n && i < 4 && words[i][0] != '-'; i++) {
		const struct operation *o;

		buf_addf(&name, "%s%s", i ? " " : "", words[i]);
		o = operation_find(name.s);
		if (o && o->flags & OPERATION_CLI) {
			*out = o;
			taken = i + 1;
		}
	}
	buf_release(&name);
	return taken;
}

static int unknown_command(const char *word)
{
	const struct operation *o, *best = NULL;
	int top = 0;

	for (size_t i = 0; (o = operation_at(i)) != NULL; i++) {
		int score = o->flags & OPERATION_CLI ? text_fuzzy_score(word, o->name) : -1;

		if (score > top) {
			top = score;
			best = o;
		}
	}
	if (best)
		return err_set(ERR_USAGE,
			"no command \"%s\"; did you mean: portside %s? portside --help lists all",
			word, best->name);
	return err_set(ERR_USAGE, "no command \"%s\"; portside --help lists all", word);
}

/* ---- running --------------------------------------------------------------- */

static int report_error(const struct cli_options *o, int rc)
{
	output_error(o, rc);
	return cli_exit_status(rc);
}

/* What is said next, an error too, starts on an empty line. */
static void progress_clear(bool stands)
{
	if (stands)
		fputs("\r\033[K", stderr);
}

/* One line that is written over; SHOWN: it stands there now. */
static void progress(void *shown, const char *what, int64_t done, int64_t total)
{
	if (total > 0)
		fprintf(stderr, "\r%s %lld of %lld\033[K", what, (long long)done, (long long)total);
	else
		fprintf(stderr, "\r%s %lld\033[K", what, (long long)done);
	*(bool *)shown = total <= 0 || done < total;
	progress_clear(!*(bool *)shown);
}

static int run(struct parsed *p, const struct operation *o, size_t taken,
	const struct cli_screen *screen, struct arena *a)
{
	struct open_options open = { .directory = p->options.directory,
		.read_only = p->options.read_only,
		.position = p->options.position };
	struct call call = {
		.directory = p->options.directory,
		.program = p->options.program,
		.arena = a,
		.out_fd = STDOUT_FILENO,
		.read_only = p->options.read_only,
		.wants_json = p->options.format == FORMAT_JSON,
		.wants_csv = p->options.format == FORMAT_CSV,
		.progress = { .cancel = &cancelled },
	};
	struct opened opened = { 0 };
	bool shown = false;
	int rc =
		operation_parse(&call.values, &call.n_values, a, o, p->words + taken, p->n - taken);

	buf_init(&call.text);
	if (isatty(STDERR_FILENO)) {
		call.progress.report = progress;
		call.progress.user = &shown;
	}
	if (rc == 0 && !(o->flags & OPERATION_NO_WORKSPACE))
		rc = open_migration(&opened, o, &open);
	call.workspace = opened.workspace;
	call.at = opened.has_position ? &opened.position : NULL;
	if (opened.note)
		output_note("portside: ", opened.note);
	if (rc == 0)
		rc = operation_call(o, &call);
	progress_clear(shown);
	if (rc == 0)
		rc = output_call(&p->options, &call);
	opened_release(&opened);
	buf_release(&call.text);
	if (rc < 0)
		return report_error(&p->options, rc);
	if (call.open_next) {
		p->options.directory = call.open_next;
		return screen->open(&p->options);
	}
	return call.exit_code ? call.exit_code : call.no ? EXIT_NO : 0;
}

/* The path that a supervisor is started from: this very program. */
static const char *own_path(struct arena *a, const char *argv0)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	if (n <= 0)
		return fs_absolute(a, argv0);
	return arena_strndup(a, self, (size_t)n);
}

static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		return 0;
	return size.ws_col;
}

static void answer_shell(struct call *c, struct arena *a)
{
	const char *const *words = call_rest(c, "word");
	size_t n = 0;

	while (words && words[n])
		n++;
	completion_answer(&c->text, words, n, a);
}

/* The commands that other layers perform: see command/program.c. */
static int run_here(struct parsed *p, const struct operation *o, size_t taken,
	const struct cli_screen *screen, struct arena *a)
{
	struct call call = { 0 };
	int rc =
		operation_parse(&call.values, &call.n_values, a, o, p->words + taken, p->n - taken);

	if (rc < 0)
		return report_error(&p->options, rc);
	if (strcmp(o->name, "show") == 0) {
		p->options.view = call_text(&call, "view");
		p->options.size = call_text(&call, "--size");
		return screen->show(&p->options);
	}
	buf_init(&call.text);
	if (strcmp(o->name, "complete") == 0)
		answer_shell(&call, a);
	else
		rc = completion_script(&call.text, call_text(&call, "shell"));
	if (rc == 0)
		rc = output_call(&p->options, &call);
	buf_release(&call.text);
	return rc < 0 ? report_error(&p->options, rc) : 0;
}

static int print_version(const struct cli_options *o)
{
	struct buf out = BUF_INIT;
	int rc;

	buf_addf(&out, "portside %s\n", PACKAGE_VERSION);
	rc = output_write(&out);
	buf_release(&out);
	return rc < 0 ? report_error(o, rc) : 0;
}

static int dispatch(struct parsed *p, const struct cli_screen *screen, struct arena *a)
{
	const struct operation *o;
	size_t taken = match(&o, p->words, p->n);
	int rc;

	if (p->version)
		return print_version(&p->options);
	if (p->help || (p->n && strcmp(p->words[0], "help") == 0)) {
		if (!p->help)
			taken = match(&o, p->words + 1, p->n - 1);
		return (rc = help_print(o)) < 0 ? report_error(&p->options, rc) : 0;
	}
	if (!p->n)
		return screen->open(&p->options);
	if (!o)
		return report_error(&p->options, unknown_command(p->words[0]));
	if (!o->run)
		return run_here(p, o, taken, screen, a);
	return run(p, o, taken, screen, a);
}

/* The command line counts before the user's configuration. */
static void prefer(struct cli_options *o, struct arena *a)
{
	struct preferences p = preferences_read(a);

	if (!o->color)
		o->color = p.color;
	o->ascii = o->ascii || p.ascii;
}

int cli_main(int argc, char **argv, const struct cli_screen *screen)
{
	struct arena a = ARENA_INIT;
	struct parsed p = { .options = { .directory = ".", .width = terminal_width() } };
	struct sigaction interrupt = { .sa_handler = on_interrupt };
	int rc;

	p.options.program = own_path(&a, argv[0]);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);	/* a limit on files reads like a full disk */
	rc = split(&p, argc, argv, &a);
	prefer(&p.options, &a);
	if (p.n)
		sigaction(SIGINT, &interrupt, NULL);
	rc = rc < 0 ? report_error(&p.options, rc) : dispatch(&p, screen, &a);
	arena_release(&a);
	return rc;
}
