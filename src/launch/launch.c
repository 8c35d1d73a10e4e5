/* Prepares and starts a run; finds its launcher to end it or watch it again. */
#include "config.h"

#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "launch/environment.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "launch/verdict.h"

struct launch {
	struct arena arena;
	struct run_spec spec;		/* as stored; strings in arena */
	char *rundir;
	char **argv;			/* as executed */
	struct environment env;		/* as executed, with secrets */
	struct redact *redact;
};

void launch_free(struct launch *l)
{
	if (!l)
		return;
	environment_release(&l->env);
	redact_free(l->redact);
	arena_release(&l->arena);
	free(l);
}

const char *launch_run_id(const struct launch *l)
{
	return l->spec.run_id;
}

const char *launch_rundir(const struct launch *l)
{
	return l->rundir;
}

const struct run_spec *launch_spec(const struct launch *l)
{
	return &l->spec;
}

const struct redact *launch_redact(const struct launch *l)
{
	return l->redact;
}

/* ---- preparing ------------------------------------------------------------ */

static const char *clean_text(struct launch *l, const char *s)
{
	struct buf b = BUF_INIT;
	const char *copy;

	redact_text(l->redact, &b, s, strlen(s));
	copy = arena_strndup(&l->arena, b.s, b.n);
	buf_release(&b);
	return copy;
}

static const char *clean_argument(struct launch *l, const char *before, const char *s)
{
	struct buf b = BUF_INIT;
	const char *copy;

	redact_argument(l->redact, &b, before, s);
	copy = arena_strndup(&l->arena, b.s, b.n);
	buf_release(&b);
	return copy;
}

static const char **copy_list(struct launch *l, const char *const *list, bool clean)
{
	const char **out;
	size_t n = 0;

	while (list && list[n])
		n++;
	out = arena_alloc(&l->arena, (n + 1) * sizeof *out);
	for (size_t i = 0; i < n; i++)
		out[i] = clean ? clean_argument(l, i ? list[i - 1] : NULL, list[i])
			       : arena_strdup(&l->arena, list[i]);
	return out;
}

/* The spec as stored: its own strings, without secrets. */
static void copy_spec(struct launch *l, const struct run_spec *from)
{
	struct run_spec *s = &l->spec;

	*s = *from;
	if (!s->run_id[0])
		run_id_new(s->run_id);
	s->prepared_ns = clock_wall_ns();
	s->kind = arena_strdup(&l->arena, from->kind);
	s->subject = clean_text(l, from->subject);
	s->target = arena_strdup(&l->arena, from->target);
	s->target_kind = arena_strdup(&l->arena, from->target_kind);
	s->launcher = arena_strdup(&l->arena, from->launcher);
	s->launcher_sha256 = arena_strdup(&l->arena, from->launcher_sha256);
	s->cwd = arena_strdup(&l->arena, from->cwd);
	s->revision = clean_text(l, from->revision);
	s->dirty_sha256 = arena_strdup(&l->arena, from->dirty_sha256);
	s->done = arena_strdup(&l->arena, from->done);
	s->artifact = arena_strdup(&l->arena, from->artifact);
	s->probe = arena_strdup(&l->arena, from->probe);
	s->script = arena_strdup(&l->arena, from->script);
	s->argv = from->argv ? copy_list(l, from->argv, true) : NULL;
	s->env = copy_list(l, from->env, false);
	s->env_allow = copy_list(l, from->env_allow, false);
	s->pass = copy_list(l, from->pass, false);
}

static int collect_secrets(struct launch *l, const struct run_spec *spec, char *const *from)
{
	struct environment all = ENVIRONMENT_INIT;
	int bad = 0;

	environment_capture(&all, from, NULL, true);
	for (const char *const *p = spec->pass; p && *p && bad == 0; p++) {
		const char *value = environment_get(&all, *p);

		if (value)
			redact_add(l->redact, *p, value);
		else
			bad = err_set(ERR_NOT_FOUND,
				"pass: %s is not set; export it, or take it out of portside.conf",
				*p);
	}
	/* Secrets that are not handed on may still be typed into a command. */
	redact_add_environment(l->redact, from);
	environment_release(&all);
	return bad;
}

static void add_own_variables(struct environment *e, const struct launch *l)
{
	char seed[24];

	for (const char *const *p = l->spec.env; p && *p; p++)
		environment_put(e, *p);
	environment_set(e, "PYTHONUNBUFFERED", "1");
	environment_set(e, "PORTSIDE_RUN_ID", l->spec.run_id);
	environment_set(e, "PORTSIDE_TARGET", l->spec.target);
	environment_set(e, "PORTSIDE_TARGET_KIND", l->spec.target_kind);
	if (!l->spec.has_seed)
		return;
	snprintf(seed, sizeof seed, "%lld", (long long)l->spec.seed);
	environment_set(e, "PORTSIDE_SEED", seed);
}

/* Python finds the probe first, then what it would have found without. */
static void add_probe(struct environment *e, const struct launch *l, const char *runs)
{
	struct arena a = ARENA_INIT;
	const char *before = environment_get(e, "PYTHONPATH");
	const char *rundir = fs_join(&a, runs, l->spec.run_id);

	if (*l->spec.probe) {
		environment_set(e, "PORTSIDE_PROBE", run_directory_path(&a, rundir, RUN_FILE_PROBE));
		environment_set(e, "PYTHONPATH",
			before && *before ? arena_printf(&a, "%s:%s", l->spec.probe, before)
					  : l->spec.probe);
	}
	arena_release(&a);
}

/* What the run gets, in memory, and in RECORDED what is stored of it. */
static void make_environment(
	struct launch *l, const char *runs, char *const *from, struct buf *recorded)
{
	struct environment kept = ENVIRONMENT_INIT, clean = ENVIRONMENT_INIT;
	struct environment all = ENVIRONMENT_INIT;

	environment_capture(&kept, from, l->spec.env_allow, false);
	add_own_variables(&kept, l);
	add_probe(&kept, l, runs);
	for (size_t i = 0; i < kept.n; i++)
		environment_put(&clean, clean_text(l, kept.items[i]));
	environment_write(recorded, &clean);

	environment_capture(&all, from, NULL, true);
	if (l->spec.inherit_env)
		environment_capture(&l->env, from, NULL, true);
	for (size_t i = 0; i < kept.n; i++)
		environment_put(&l->env, kept.items[i]);
	for (const char *const *p = l->spec.pass; p && *p; p++)
		environment_set(&l->env, *p, environment_get(&all, *p));
	environment_release(&kept);
	environment_release(&clean);
	environment_release(&all);
}

static void add_quoted(struct buf *out, const char *s)
{
	buf_addc(out, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

/* The file `cmd`: the script itself, or argv quoted as one line. */
static int make_cmd(struct launch *l, struct buf *out)
{
	const char *name;

	if (!l->spec.argv) {
		if (redact_finds(l->redact, l->spec.script, strlen(l->spec.script), &name))
			return err_set(ERR_REFUSED,
				"the command contains a secret (%s), which would be stored; "
				"name a variable in pass and write $NAME",
				name);
		buf_adds(out, l->spec.script);
		buf_addc(out, '\n');
		return 0;
	}
	buf_adds(out, "exec");
	for (const char *const *p = l->spec.argv; *p; p++) {
		buf_addc(out, ' ');
		add_quoted(out, *p);
	}
	buf_addc(out, '\n');
	return 0;
}

/* What is executed: ARGV with every byte as it was given, or NULL for `cmd`. */
static void make_argv(struct launch *l, const char *const *argv)
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	l->argv = arena_alloc(&l->arena, (n + 3) * sizeof *l->argv);
	for (size_t i = 0; i < n; i++)
		l->argv[i] = arena_strdup(&l->arena, argv[i]);
	if (n == 0) {
		l->argv[0] = arena_strdup(&l->arena, "/bin/sh");
		l->argv[1] = run_directory_path(&l->arena, l->rundir, RUN_FILE_CMD);
	}
}

static int prepare(
	struct launch *l, const char *runs, const struct run_spec *spec, char *const *from)
{
	struct buf recorded = BUF_INIT, cmd = BUF_INIT;
	const struct launcher *launcher;
	int bad;

	if (launcher_find(&launcher, spec->launcher) < 0)
		return err_prefix("target %s: ", spec->target);
	if (collect_secrets(l, spec, from) < 0)
		return err_code();
	copy_spec(l, spec);
	bad = make_cmd(l, &cmd);
	if (bad == 0) {
		make_environment(l, runs, from, &recorded);
		bad = run_directory_create(&l->rundir, &l->arena, runs, &l->spec, &recorded,
			cmd.s, cmd.n, !launcher->network_rundir);
	}
	if (bad == 0)
		make_argv(l, spec->argv);
	buf_release(&recorded);
	buf_release(&cmd);
	return bad;
}

int launch_prepare(
	struct launch **out, const char *runs, const struct run_spec *spec, char *const *from)
{
	struct launch *l;
	int bad = run_spec_check(spec);

	*out = NULL;
	if (bad < 0)
		return bad;
	l = xcalloc(1, sizeof *l);
	l->redact = redact_new();
	bad = prepare(l, runs, spec, from);
	if (bad < 0) {
		launch_free(l);
		return bad;
	}
	*out = l;
	return 0;
}

/* ---- starting and ending -------------------------------------------------- */

int launch_start(struct launch *l, const char *program, struct launch_result *out)
{
	struct payload payload = { .argv = l->argv, .env = l->env.items };
	struct launcher_job job = {
		.spec = &l->spec,
		.rundir = l->rundir,
		.program = program,
		.payload = &payload,
	};
	struct launcher_submitted submitted;
	const struct launcher *launcher;

	memset(out, 0, sizeof *out);
	if (launcher_find(&launcher, l->spec.launcher) < 0)
		return err_code();
	if (launcher_submit(launcher, &job, &submitted) < 0)
		return err_prefix("run %s: ", l->spec.run_id);
	out->result = submitted.result;
	memcpy(out->id, submitted.id, sizeof out->id);
	memcpy(out->state, submitted.state, sizeof out->state);
	return 0;
}

/* How the run was started is in its own folder; in A. */
static int find_job(const struct launcher **out, struct launcher_job *job, struct arena *a,
	const char *rundir, const char *program)
{
	struct run_spec *spec = ARENA_NEW(a, struct run_spec);

	if (run_directory_read_spec(spec, a, rundir) < 0)
		return err_code();
	*job = (struct launcher_job){ .spec = spec, .rundir = rundir, .program = program };
	return launcher_find(out, spec->launcher);
}

int launch_cancel(const char *rundir, const char *program, const char *who, const char *why,
	int64_t grace_ns)
{
	struct arena a = ARENA_INIT;
	const struct launcher *l;
	struct launcher_job job;
	int rc = find_job(&l, &job, &a, rundir, program);

	if (rc == 0)
		rc = launcher_cancel(l, &job, who, why, grace_ns);
	arena_release(&a);
	return rc;
}

int launch_adopt(const char *rundir, const char *program)
{
	struct arena a = ARENA_INIT;
	const struct launcher *l;
	struct launcher_job job;
	int rc = find_job(&l, &job, &a, rundir, program);

	if (rc == 0)
		rc = launcher_adopt(l, &job);
	arena_release(&a);
	return rc;
}

int launch_log_read(
	const char *rundir, int64_t offset, void *out, size_t n, size_t *got, int64_t *size)
{
	struct arena a = ARENA_INIT;
	const char *path = run_directory_path(&a, rundir, RUN_FILE_LOG);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), bad = 0;
	struct stat st;
	ssize_t r = 0;

	*got = 0;
	if (fd < 0) {
		bad = err_errno(errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s", path);
		arena_release(&a);
		return bad;
	}
	while (*got < n &&
		(r = pread(fd, (char *)out + *got, n - *got, offset + (int64_t)*got)) != 0) {
		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			break;
		*got += (size_t)r;
	}
	if (r < 0 || fstat(fd, &st) < 0)
		bad = err_errno(ERR_IO, "%s", path);
	else if (size)
		*size = st.st_size;
	close(fd);
	arena_release(&a);
	return bad;
}
