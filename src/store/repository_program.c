/*
 * repository_program - one git process, fed and read by one poll loop.
 */
#include "config.h"
#include "store/repository_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/spawn.h"
#include "base/text.h"

extern char **environ;

enum {
	CANCEL_POLL_MS = 50,
	READ_BYTES = 256 * 1024,
	PIPE_BYTES = 1 << 20,	/* git goes on while its output waits */
	SETTINGS_BYTES_MAX = 64 * 1024,
};

/* Before the command: settings of a repository that would run something. */
static const char *const fixed_arguments[] = {
	"git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null",
	"-c", "submodule.recurse=false", "-c", "protocol.allow=never",
	"-c", "core.quotePath=true", "-c", "advice.detachedHead=false",
	"-c", "worktree.useRelativePaths=false",
};

static const char *const fixed_environment[] = {
	"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
	/* protocol.NAME.allow of a repository outweighs protocol.allow */
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C", "LANGUAGE=C",
};

/* Kept of the caller's GIT_*: where the user's configuration is. */
static const char *const kept_variables[] = {
	"GIT_CONFIG_GLOBAL=", "GIT_CONFIG_NOSYSTEM=", "GIT_CONFIG_SYSTEM="
};

static bool keeps_variable(const char *pair)
{
	if (text_starts(pair, "LC_ALL=") || text_starts(pair, "LANGUAGE="))
		return false;
	if (!text_starts(pair, "GIT_"))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(kept_variables); i++)
		if (text_starts(pair, kept_variables[i]))
			return true;
	return false;
}

/* NULL-terminated copies of pointers; the strings stay where they are. */
struct pointers {
	char **rows;
	size_t n, cap;
};

static void add_pointer(struct pointers *p, const char *s)
{
	ARRAY_GROW(p->rows, p->n, p->cap);
	memcpy(&p->rows[p->n++], &s, sizeof s);
}

/* ---- the repository's filters -------------------------------------------- */

static bool is_of_repository(const char *scope)
{
	return strcmp(scope, "local") == 0 || strcmp(scope, "worktree") == 0;
}

static const char *part_at(const struct buf *b, size_t *at)
{
	const char *part = b->s + *at;

	*at += *at < b->n ? strlen(part) + 1 : 0;
	return part;
}

/* "SCOPE NUL KEY newline VALUE NUL": each key again, without a value. A name
 * may hold '=', which a -c argument could not carry. */
static void switch_off(struct pointers *out, struct arena *a, const struct buf *settings)
{
	int n = 0;

	for (size_t at = 0; at < settings->n; ) {
		const char *scope = part_at(settings, &at), *pair = part_at(settings, &at);
		int length = (int)strcspn(pair, "\n");

		if (!is_of_repository(scope) || length == 0)
			continue;
		add_pointer(out, arena_printf(a, "GIT_CONFIG_KEY_%d=%.*s", n, length, pair));
		add_pointer(out, arena_printf(a, "GIT_CONFIG_VALUE_%d=", n++));
	}
	add_pointer(out, arena_printf(a, "GIT_CONFIG_COUNT=%d", n));
}

static int keep_settings(void *user, const char *bytes, size_t n)
{
	struct buf *b = user;

	if (b->n + n > SETTINGS_BYTES_MAX)
		return err_set(
			ERR_REFUSED, "the repository's configuration declares too many filters");
	buf_add(b, bytes, n);
	return 0;
}

/* Asked of git itself, which alone knows what its includes come to. */
static int read_settings(struct buf *settings, const char *folder, const atomic_bool *cancel)
{
	static const char *const argv[] = {
		"config",
		"-z",
		"--show-scope",
		"--get-regexp",
		"^filter\\..*\\.(clean|smudge|process|required)$",
		NULL,
	};
	struct git_program ask = { .folder = folder,
		.argv = argv,
		.output = keep_settings,
		.user = settings,
		.cancel = cancel };
	int rc = git_program_run(&ask);

	if (rc < 0 && ask.status == 1 && !*ask.words) {
		err_clear();	/* there are none */
		rc = 0;
	}
	return rc;
}

static int switch_filters_off(struct pointers *out, struct arena *a, const struct git_program *run)
{
	struct buf settings = BUF_INIT;
	int rc = read_settings(&settings, run->folder, run->cancel);

	if (rc == 0)
		switch_off(out, a, &settings);
	buf_release(&settings);
	return rc;
}

/* "filter.NAME.process" -> NAME, when it is not in OUT, "NAME, NAME, ", yet. */
static void add_name(struct buf *out, struct arena *a, const char *pair)
{
	const char *name = pair + strlen("filter."), *end = name + strcspn(name, "\n");
	char *entry;

	while (end > name && *end != '.')
		end--;
	entry = arena_printf(a, "%.*s, ", (int)(end - name), name);
	for (const char *at = out->s; (at = strstr(at, entry)) != NULL; at++)
		if (at == out->s || at[-1] == ' ')
			return;
	buf_adds(out, entry);
}

int git_program_filters(char **out, const char *folder, struct arena *a)
{
	struct buf settings = BUF_INIT, names = BUF_INIT;
	int rc = read_settings(&settings, folder, NULL);

	for (size_t at = 0; rc == 0 && at < settings.n; ) {
		const char *scope = part_at(&settings, &at), *pair = part_at(&settings, &at);

		if (is_of_repository(scope) && text_starts(pair, "filter."))
			add_name(&names, a, pair);
	}
	if (names.n)
		buf_truncate(&names, names.n - strlen(", "));
	*out = text_sanitised(a, names.s);
	buf_release(&settings);
	buf_release(&names);
	return rc;
}

/* ---- one process --------------------------------------------------------- */

static void build_environment(struct pointers *out, const struct pointers *settings)
{
	for (size_t i = 0; environ[i] != NULL; i++)
		if (keeps_variable(environ[i]))
			add_pointer(out, environ[i]);
	for (size_t i = 0; i < ARRAY_LEN(fixed_environment); i++)
		add_pointer(out, fixed_environment[i]);
	for (size_t i = 0; i < settings->n; i++)
		add_pointer(out, settings->rows[i]);
	add_pointer(out, NULL);
}

static void build_arguments(struct pointers *out, const struct git_program *run)
{
	for (size_t i = 0; i < ARRAY_LEN(fixed_arguments); i++)
		add_pointer(out, fixed_arguments[i]);
	add_pointer(out, "-C");
	add_pointer(out, run->folder);
	for (size_t i = 0; run->argv[i] != NULL; i++)
		add_pointer(out, run->argv[i]);
	add_pointer(out, NULL);
}

struct process {
	pid_t pid;
	int in, out, err;		/* our ends; -1 closed */
};

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int spawn_git(struct process *p, const struct git_program *run,
	const struct pointers *settings, const int theirs[3])
{
	struct pointers argv = { 0 }, env = { 0 };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int rc;

	build_arguments(&argv, run);
	build_environment(&env, settings);
	spawn_attributes_init(&attr, SPAWN_OWN_GROUP | SPAWN_STOPS_BLOCKED);
	posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&actions, theirs[i], i);
	rc = posix_spawnp(&p->pid, "git", &actions, &attr, argv.rows, env.rows);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	free(argv.rows);
	free(env.rows);
	return rc;
}

/* Standard input is a socket, since writing to one whose reader has ended can
 * be told not to raise SIGPIPE. */
static int start(struct process *p, const struct git_program *run, const struct pointers *settings)
{
	int in[2] = { -1, -1 }, out[2] = { -1, -1 }, err[2] = { -1, -1 };
	int rc = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) < 0 ||
	    pipe2(out, O_CLOEXEC) < 0 || pipe2(err, O_CLOEXEC) < 0)
		rc = err_errno(ERR_IO, "git cannot be started");
	if (rc == 0) {
		const int theirs[3] = { in[1], out[1], err[1] };
		int failed;

		fcntl(out[0], F_SETPIPE_SZ, PIPE_BYTES);
		failed = spawn_git(p, run, settings, theirs);

		if (failed == ENOENT)
			rc = err_set(ERR_NOT_FOUND, "there is no git program on PATH; install git");
		else if (failed != 0)
			rc = err_set(ERR_IO, "git cannot be started: %s", strerror(failed));
	}
	close_end(&in[1]);
	close_end(&out[1]);
	close_end(&err[1]);
	p->in = in[0];
	p->out = out[0];
	p->err = err[0];
	if (rc < 0) {
		close_end(&p->in);
		close_end(&p->out);
		close_end(&p->err);
	}
	return rc;
}

static void feed(struct process *p, const struct git_program *run, size_t *fed)
{
	const char *bytes = run->input;
	ssize_t n = send(p->in, bytes + *fed, run->input_n - *fed, MSG_NOSIGNAL | MSG_DONTWAIT);

	if (n > 0)
		*fed += (size_t)n;
	if (*fed == run->input_n || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_end(&p->in);
}

static void keep_words(struct process *p, struct git_program *run)
{
	char bytes[4096];
	ssize_t n = read(p->err, bytes, sizeof bytes);
	size_t had = strlen(run->words);
	size_t room = sizeof run->words - 1 - had;

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_end(&p->err);
	if (n <= 0)
		return;
	if ((size_t)n < room)
		room = (size_t)n;
	for (size_t i = 0; i < room; i++)
		run->words[had + i] = bytes[i] == '\n' || bytes[i] == '\0' ? ' ' : bytes[i];
	run->words[had + room] = '\0';
}

static int take_output(struct process *p, struct git_program *run, char *bytes)
{
	ssize_t n = read(p->out, bytes, READ_BYTES);

	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		close_end(&p->out);
	if (n <= 0 || run->output == NULL)
		return 0;
	return run->output(run->user, bytes, (size_t)n);
}

static int pump(struct process *p, struct git_program *run, char *bytes)
{
	size_t fed = 0;
	int rc = 0;

	if (run->input_n == 0)
		close_end(&p->in);
	while (rc == 0 && (p->out >= 0 || p->err >= 0)) {
		struct pollfd fds[3] = {
			{ .fd = p->in, .events = POLLOUT }, { .fd = p->out, .events = POLLIN },
			{ .fd = p->err, .events = POLLIN },
		};

		if (run->cancel != NULL && atomic_load(run->cancel))
			return err_set(ERR_CANCELLED, "cancelled");
		if (poll(fds, 3, run->cancel != NULL ? CANCEL_POLL_MS : -1) < 0 && errno != EINTR)
			return err_errno(ERR_IO, "git cannot be read");
		if (fds[0].revents != 0)
			feed(p, run, &fed);
		if (fds[2].revents != 0)
			keep_words(p, run);
		if (fds[1].revents != 0)
			rc = take_output(p, run, bytes);
	}
	return rc;
}

static int reap(struct process *p, struct git_program *run)
{
	int status = 0;

	while (waitpid(p->pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_errno(ERR_IO, "git has left no exit status");
	run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return 0;
}

static int start_without_filters(struct process *p, const struct git_program *run)
{
	struct arena a = ARENA_INIT;
	struct pointers settings = { 0 };
	int rc = run->touches_files ? switch_filters_off(&settings, &a, run) : 0;

	if (rc == 0)
		rc = start(p, run, &settings);
	free(settings.rows);
	arena_release(&a);
	return rc;
}

int git_program_run(struct git_program *run)
{
	struct process p = { .pid = -1, .in = -1, .out = -1, .err = -1 };
	char *bytes;
	int rc, reaped;

	run->status = -1;
	run->words[0] = '\0';
	if ((rc = start_without_filters(&p, run)) < 0)
		return rc;
	bytes = xmalloc(READ_BYTES);
	rc = pump(&p, run, bytes);
	free(bytes);
	close_end(&p.in);
	close_end(&p.out);
	close_end(&p.err);
	if (rc != 0)
		kill(-p.pid, SIGKILL);
	reaped = reap(&p, run);
	if (rc != 0 || reaped < 0)
		return rc != 0 ? rc : reaped;
	if (run->status != 0)
		return err_set(ERR_GIT, "git %s: %s", run->argv[0],
				run->words[0] != '\0' ? run->words : "failed without a word");
	return 0;
}
