/* Creating and reading the files of one run. */
#include "config.h"

#include "launch/run_directory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"

enum {
	CANCEL_WHO_BYTES = 200,
	CANCEL_WHY_BYTES = 2000,
	CANCEL_MAX_BYTES = 16 * 1024,
	ENV_MAX_BYTES = 4 * 1024 * 1024
};

static const char *const file_names[RUN_FILE_COUNT] = {
	[RUN_FILE_SPEC] = "spec.json",
	[RUN_FILE_ENV] = "env",
	[RUN_FILE_CMD] = "cmd",
	[RUN_FILE_LOCK] = "lock",
	[RUN_FILE_STATUS] = "status",
	[RUN_FILE_STATUS_NEXT] = "status.next",
	[RUN_FILE_LOG] = "log",
	[RUN_FILE_JOB] = "job.json",
	[RUN_FILE_RC] = "rc",
	[RUN_FILE_CANCEL] = "cancel",
	[RUN_FILE_SUP_LOG] = "sup.log",
	[RUN_FILE_CAPTURE] = "capture",
	[RUN_FILE_ARTIFACTS] = "artifacts",
	[RUN_FILE_PROBE] = "probe",
	[RUN_FILE_EVIDENCE] = "evidence",
};

const char *run_file_name(enum run_directory_file f)
{
	return file_names[f];
}

char *run_directory_path(struct arena *a, const char *rundir, enum run_directory_file f)
{
	return fs_join(a, rundir, file_names[f]);
}

static int write_file(struct arena *a, const char *rundir, enum run_directory_file f,
	const void *p, size_t n)
{
	return fs_write_new(run_directory_path(a, rundir, f), p, n, 0600);
}

static int write_files(struct arena *a, const char *rundir, const struct run_spec *spec,
	const struct buf *env, const char *cmd, size_t cmd_n)
{
	struct buf json = BUF_INIT;
	int bad;

	run_spec_write(&json, spec);
	bad = write_file(a, rundir, RUN_FILE_CMD, cmd, cmd_n);
	if (bad == 0)
		bad = write_file(a, rundir, RUN_FILE_ENV, env->s, env->n);
	if (bad == 0)
		bad = write_file(a, rundir, RUN_FILE_SPEC, json.s, json.n);
	buf_release(&json);
	return bad;
}

static void remove_files(struct arena *a, const char *rundir)
{
	static const enum run_directory_file written[] = {
		RUN_FILE_CMD, RUN_FILE_ENV, RUN_FILE_SPEC,
	};

	for (size_t i = 0; i < ARRAY_LEN(written); i++)
		(void)unlink(run_directory_path(a, rundir, written[i]));
	(void)rmdir(rundir);
}

static int check_disk(const char *runs)
{
	if (!fs_is_network(runs))
		return 0;
	return err_set(ERR_STATE,
		"%s is on a network disk, where a run started here cannot be locked or "
		"its end recorded safely; keep the repository's git directory on a local disk",
		runs);
}

int run_directory_create(char **out, struct arena *a, const char *runs, const struct run_spec *spec,
	const struct buf *env, const char *cmd, size_t cmd_n, bool need_local)
{
	char *rundir;
	int bad;

	if (!run_id_valid(spec->run_id))
		return err_set(ERR_USAGE, "\"%s\" is not a run id", spec->run_id);
	if (fs_mkdirs(runs, 0700) < 0 || (need_local && check_disk(runs) < 0))
		return err_code();
	rundir = fs_join(a, runs, spec->run_id);
	if (mkdir(rundir, 0700) < 0)
		return err_errno(errno == EEXIST ? ERR_EXISTS : ERR_IO, "%s", rundir);
	bad = write_files(a, rundir, spec, env, cmd, cmd_n);
	if (bad == 0)
		bad = fs_sync_folder(runs);
	if (bad == 0) {
		*out = rundir;
		return 0;
	}
	/* Half a directory would look like a run that was prepared. */
	bad = err_prefix("run directory: ");
	remove_files(a, rundir);
	return bad;
}

int run_directory_read_spec(struct run_spec *out, struct arena *a, const char *rundir)
{
	struct buf text = BUF_INIT;
	int bad = fs_read(&text, run_directory_path(a, rundir, RUN_FILE_SPEC), RUN_SPEC_MAX_BYTES);

	if (bad == 0)
		bad = run_spec_parse(out, a, text.s, text.n);
	if (bad < 0)
		bad = err_prefix("%s: ", fs_basename(rundir));
	buf_release(&text);
	return bad;
}

int run_directory_read_env(char ***out, struct arena *a, const char *rundir)
{
	struct buf text = BUF_INIT;
	size_t count = 0, n = 0;
	char **items, *copy;

	if (fs_read(&text, run_directory_path(a, rundir, RUN_FILE_ENV), ENV_MAX_BYTES) < 0) {
		buf_release(&text);
		return err_code();
	}
	copy = arena_memdup(a, text.s, text.n + 1);
	for (size_t i = 0; i < text.n; i++)
		count += copy[i] == '\0';
	items = arena_alloc(a, (count + 2) * sizeof *items);
	for (size_t i = 0; i < text.n; i += strlen(copy + i) + 1)
		if (strchr(copy + i, '='))
			items[n++] = copy + i;
	buf_release(&text);
	*out = items;
	return 0;
}

int run_directory_list(char ***out, size_t *n, struct arena *a, const char *runs)
{
	char **names;
	size_t all, kept = 0;

	*out = NULL;
	*n = 0;
	if (!fs_is_dir(runs))
		return 0;
	if (fs_list(&names, &all, a, runs) < 0)
		return err_code();
	for (size_t i = 0; i < all; i++)
		if (run_id_valid(names[i]))
			names[kept++] = names[i];
	*out = names;
	*n = kept;
	return 0;
}

int64_t run_directory_log_bytes(const char *rundir)
{
	struct arena a = ARENA_INIT;
	int64_t n = fs_size(run_directory_path(&a, rundir, RUN_FILE_LOG));

	arena_release(&a);
	return n;
}

static void add_cancel(struct buf *out, const struct cancel_request *c)
{
	struct json_writer w = { .out = out };
	struct buf why = BUF_INIT, who = BUF_INIT;

	text_sanitise(&why, c->why ? c->why : "", c->why ? strlen(c->why) : 0);
	text_sanitise(&who, c->who ? c->who : "", c->who ? strlen(c->who) : 0);
	json_begin_object(&w, NULL);
	json_put_i64(&w, "time_ns", c->time_ns);
	json_put_i64(&w, "grace_ns", c->grace_ns);
	json_put_strn(&w, "who", who.s, text_cut(who.s, who.n, CANCEL_WHO_BYTES));
	json_put_strn(&w, "why", why.s, text_cut(why.s, why.n, CANCEL_WHY_BYTES));
	json_end_object(&w);
	buf_addc(out, '\n');
	buf_release(&why);
	buf_release(&who);
}

int run_directory_write_cancel(const char *rundir, const struct cancel_request *c)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	int bad;

	add_cancel(&text, c);
	bad = write_file(&a, rundir, RUN_FILE_CANCEL, text.s, text.n);
	buf_release(&text);
	arena_release(&a);
	return bad;
}

int run_directory_read_cancel(struct cancel_request *out, struct arena *a, const char *rundir)
{
	struct buf text = BUF_INIT;
	const struct json *j;
	int bad = fs_read(&text, run_directory_path(a, rundir, RUN_FILE_CANCEL), CANCEL_MAX_BYTES);

	if (bad == 0)
		bad = json_parse(&j, a, text.s, text.n, JSON_TOLERANT);
	if (bad == 0)
		*out = (struct cancel_request) {
			.time_ns = json_i64(j, "time_ns", 0),
			.grace_ns = json_i64(j, "grace_ns", -1),
			.who = json_str(j, "who", ""),
			.why = json_str(j, "why", ""),
		};
	buf_release(&text);
	return bad;
}
