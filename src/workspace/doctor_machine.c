/* doctor_machine - what doctor sees of the machine and of the user. */
#include "config.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/library.h"
#include "base/program_run.h"
#include "base/text.h"
#include "store/store_library.h"
#include "workspace/actor.h"
#include "workspace/doctor_list.h"
#include "workspace/user_config.h"

extern char **environ;

enum { WORDS_MAX = 200 };
static const int64_t version_limit_ns = 10 * NS_PER_S;

/* Programs that some part needs; what misses without them. */
static const struct program {
	const char *name;
	bool needed;
	const char *version;	/* argument that makes it say its version; NULL: not asked */
	const char *without;
} programs[] = {
	{ "git", true, "--version",
		"install git: attempts are commits, and runs use clean checkouts" },
	{ "python3", false, "--version",
		"the demo trains with Python 3.9 or newer; install python3" },
};

/* The first line that PROGRAM prints; "" when it does not. */
static char *ask_version(struct arena *a, const char *program, const char *argument)
{
	char *const argv[] = { arena_strdup(a, program), arena_strdup(a, argument), NULL };
	struct program_run p = PROGRAM_RUN_INIT;
	char *copy;

	p.path = program;
	p.argv = argv;
	p.env = environ;
	p.out_max = WORDS_MAX;
	p.limit_ns = version_limit_ns;
	if (program_run(&p) < 0)
		err_clear();	/* that it says no version is the answer */
	buf_truncate(&p.out, strcspn(p.out.s, "\r\n"));
	copy = text_sanitised(a, p.out.s);
	program_run_release(&p);
	return copy;
}

static void look_at_programs(struct doctor_list *l)
{
	for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
		const struct program *p = &programs[i];
		const char *path = fs_find_program(l->a, p->name, getenv("PATH"), "."),
			   *version = "";

		if (!path) {
			doctor_add(l, "programs", p->name, p->needed ? DOCTOR_MISSING : DOCTOR_NOTE,
				"not found", p->without);
			continue;
		}
		if (p->version)
			version = ask_version(l->a, path, p->version);
		doctor_add(l, "programs", p->name, DOCTOR_OK,
			arena_printf(l->a, "%s%s%s", version, *version ? ", " : "", path), "");
	}
}

static void look_at_libraries(struct doctor_list *l)
{
	struct library base[BASE_LIBRARIES], store[STORE_LIBRARIES];

	base_libraries(base);
	store_libraries(store, l->a);
	for (size_t i = 0; i < STORE_LIBRARIES; i++)
		doctor_add(l, "libraries", store[i].name, DOCTOR_OK, store[i].version, "");
	for (size_t i = 0; i < BASE_LIBRARIES; i++)
		doctor_add(l, "libraries", base[i].name, DOCTOR_OK, base[i].version, "");
}

static void look_at_terminal(struct doctor_list *l)
{
	const char *term = getenv("TERM"), *codeset = nl_langinfo(CODESET);
	bool utf8 = strcasecmp(codeset, "UTF-8") == 0;

	if (!term || !*term || strcmp(term, "dumb") == 0)
		doctor_add(l, "terminal", "TERM", DOCTOR_NOTE, term && *term ? term : "not set",
			"the screen needs a terminal that can move its cursor; every command works without");
	else
		doctor_add(l, "terminal", "TERM", DOCTOR_OK, term, "");
	doctor_add(l, "terminal", "character set", utf8 ? DOCTOR_OK : DOCTOR_NOTE, codeset,
		utf8 ? "" : "lines are drawn with ASCII; for more set LC_ALL=C.UTF-8");
	doctor_add(l, "terminal", "input and output", DOCTOR_OK,
		isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)
			? "a terminal"
			: "no terminal: only commands, and nobody can decide",
		"");
}

static void look_at_user(struct doctor_list *l)
{
	struct actor actor = actor_establish(l->a, user_config_text(l->a, "user", "name"));
	char *path = user_config_path(l->a);
	struct conf conf = CONF_INIT;
	const char *wrong;

	if (actor.agent_marker)
		doctor_add(l, "user", "actor", DOCTOR_NOTE, actor.text,
			arena_printf(l->a,
				"%s is set, so this is taken for a coding agent: "
				"it may not decide, and what it says waits in the spool",
				actor.agent_marker));
	else
		doctor_add(l, "user", "actor", DOCTOR_OK, actor.text, "");
	if (!fs_exists(path)) {
		doctor_add(l, "user", "configuration", DOCTOR_OK,
			arena_printf(l->a, "none, which is fine (%s)", path), "");
	} else if (user_config_read(&conf) < 0) {
		doctor_add(l, "user", "configuration", DOCTOR_BROKEN, path,
			arena_strdup(l->a, err_text()));
		err_clear();
	} else {
		wrong = user_config_mistakes(l->a, &conf);
		doctor_add(l, "user", "configuration", *wrong ? DOCTOR_BROKEN : DOCTOR_OK, path,
			wrong);
	}
	conf_release(&conf);
}

void doctor_machine(struct doctor_list *l)
{
	char *data = fs_data_path(l->a, "brief.txt");
	bool there = fs_exists(data);

	doctor_add(l, "program", "portside", DOCTOR_OK, PACKAGE_VERSION, "");
	doctor_add(l, "program", "data files", there ? DOCTOR_OK : DOCTOR_MISSING,
		fs_dirname(l->a, data),
		there ? "" : "install again, or set PORTSIDE_DATA to the folder");
	look_at_libraries(l);
	look_at_programs(l);
	look_at_terminal(l);
	look_at_user(l);
}
