/* Facts of the host, and the output of a few commands with a time limit. */
#include "config.h"

#include "launch/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/program_run.h"
#include "base/text.h"
#include "launch/run_directory.h"

static const char *const result_words[] = {
	[CAPTURE_OK] = "ok", [CAPTURE_MISSING] = "missing",
	[CAPTURE_FAILED] = "failed", [CAPTURE_TIMEOUT] = "timeout",
	[CAPTURE_ENDED] = "ended",
};

/* In these the first word stands for the interpreter of the run. */
static const char *const python_word = "python";
static const char *const freeze_argv[] = { "python", "-m", "pip", "freeze", "--all", NULL };
static const char *const version_argv[] = { "python", "-c",
	"import sys, platform; print(sys.executable); print(sys.version); print(platform.platform())",
	NULL };
static const char *const nvidia_argv[] = { "nvidia-smi",
	"--query-gpu=index,name,uuid,driver_version,memory.total,memory.used,utilization.gpu,power.draw",
	"--format=csv,noheader,nounits", NULL };
static const char *const tpu_argv[] = { "tpu-info", NULL };

static const struct capture_command commands[] = {
	{ "python", "python.txt", version_argv, false },
	{ "nvidia-smi", "nvidia-smi.csv", nvidia_argv, true },
	{ "tpu-info", "tpu-info.txt", tpu_argv, true },
	{ "pip-freeze", "pip-freeze.txt", freeze_argv, false },
};

/* ---- one command ----------------------------------------------------------- */

/* PATH of ENV, NULL: not set. */
static const char *search_path(char *const *env)
{
	for (; env && *env; env++)
		if (strncmp(*env, "PATH=", 5) == 0)
			return *env + 5;
	return NULL;
}

static bool is_over(int stop_fd)
{
	struct pollfd p = { .fd = stop_fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

enum capture_result capture_run(struct buf *out, int *rc, const char *const *argv, char *const *env,
	const char *cwd, int64_t limit_ns, int stop_fd)
{
	struct arena a = ARENA_INIT;
	struct program_run p = PROGRAM_RUN_INIT;
	int started;

	*rc = -1;
	p.path = fs_find_program(&a, argv[0], search_path(env), cwd);
	p.argv = (char *const *)(size_t)argv;
	p.env = env;
	p.folder = cwd;
	p.together = true;
	p.out_max = CAPTURE_MAX_BYTES;
	p.limit_ns = limit_ns;
	p.stop_fd = stop_fd;
	started = p.path ? program_run(&p) : ERR_NOT_FOUND;
	arena_release(&a);
	if (started == 0) {
		*rc = p.rc;
		buf_add(out, p.out.s, p.out.n);
	}
	program_run_release(&p);
	if (started < 0)
		return started == ERR_NOT_FOUND ? CAPTURE_MISSING : CAPTURE_FAILED;
	if (p.end == PROGRAM_LIMIT)
		return CAPTURE_TIMEOUT;
	if (p.end == PROGRAM_STOPPED)
		return CAPTURE_ENDED;
	return *rc == 0 ? CAPTURE_OK : CAPTURE_FAILED;
}

/* ---- the host --------------------------------------------------------------- */

/* The value of "KEY : VALUE" lines of a /proc file, and how many there are. */
static int find_line(char *out, size_t size, const struct buf *text, const char *key)
{
	size_t key_n = strlen(key);
	int count = 0;

	out[0] = '\0';
	for (const char *p = text->s, *next; p && *p; p = next ? next + 1 : NULL) {
		const char *colon = memchr(p, ':', strcspn(p, "\n"));

		next = strchr(p, '\n');
		if (!colon || strncmp(p, key, key_n) != 0 ||
			strspn(p + key_n, " \t") != (size_t)(colon - p) - key_n)
			continue;
		colon += 1 + strspn(colon + 1, " \t");
		if (count++ == 0)
			snprintf(out, size, "%.*s", (int)strcspn(colon, "\n"), colon);
	}
	return count;
}

static void put_cpu_and_memory(struct json_writer *w)
{
	struct buf text = BUF_INIT;
	char value[256];

	if (fs_read(&text, "/proc/cpuinfo", 16 * 1024 * 1024) == 0) {
		find_line(value, sizeof value, &text, "model name");
		json_put_str(w, "cpu_model", value[0] ? value : NULL);
	}
	json_put_i64(w, "cpus_online", sysconf(_SC_NPROCESSORS_ONLN));
	buf_clear(&text);
	if (fs_read(&text, "/proc/meminfo", 1024 * 1024) == 0) {
		if (find_line(value, sizeof value, &text, "MemTotal"))
			json_put_i64(w, "memory_bytes", strtoll(value, NULL, 10) * 1024);
		if (find_line(value, sizeof value, &text, "MemAvailable"))
			json_put_i64(w, "memory_available_bytes", strtoll(value, NULL, 10) * 1024);
	}
	buf_release(&text);
}

static void put_host(struct json_writer *w, const char *folder)
{
	struct utsname name;
	struct statvfs disk;
	double load[3];

	json_put_i64(w, "time_ns", clock_wall_ns());
	if (uname(&name) == 0) {
		json_put_str(w, "host", name.nodename);
		json_put_str(w, "kernel", name.release);
		json_put_str(w, "machine", name.machine);
	}
	put_cpu_and_memory(w);
	if (statvfs(folder, &disk) == 0) {
		json_put_i64(w, "disk_bytes", (int64_t)disk.f_blocks * (int64_t)disk.f_frsize);
		json_put_i64(w, "disk_free_bytes", (int64_t)disk.f_bavail * (int64_t)disk.f_frsize);
	}
	if (getloadavg(load, 3) == 3)
		json_put_double(w, "load_1min", load[0]);
	json_put_bool(w, "container", fs_exists("/.dockerenv") || fs_exists("/run/.containerenv"));
}

void capture_host(struct buf *out, const char *folder)
{
	struct json_writer w = { .out = out, .indent = true };

	json_begin_object(&w, NULL);
	put_host(&w, folder);
	json_end_object(&w);
	buf_addc(out, '\n');
}

/* ---- all of it -------------------------------------------------------------- */

static bool is_python(const char *word, size_t n)
{
	char name[64];
	const char *base;

	if (n == 0 || n >= sizeof name)
		return false;
	memcpy(name, word, n);
	name[n] = '\0';
	base = fs_basename(name);
	return text_starts(base, "python") && strspn(base + 6, "0123456789.") == strlen(base + 6);
}

/* The interpreter that the command names: a word of argv or of the script. */
static const char *find_python(struct arena *a, const char *rundir, const char *const *argv)
{
	const char *cmd = run_directory_path(a, rundir, RUN_FILE_CMD), *found = NULL;
	struct buf script = BUF_INIT;

	for (; *argv && !found; argv++)
		if (is_python(*argv, strlen(*argv)))
			found = *argv;
	if (!found && fs_read(&script, cmd, RUN_SPEC_MAX_BYTES) == 0)
		for (const char *p = script.s; *p && !found;) {
			size_t n = strcspn(p, " \t\n;|&()'\"`$<>=");

			if (is_python(p, n))
				found = arena_strndup(a, p, n);
			p += n + (p[n] != '\0');
		}
	buf_release(&script);
	return found ? found : "python3";
}

static int write_clean(const char *path, const struct buf *text, const struct redact *r)
{
	struct buf clean = BUF_INIT;
	int bad;

	redact_text(r, &clean, text->s, text->n);
	bad = fs_write_durable(path, clean.s, clean.n, 0600);
	buf_release(&clean);
	return bad;
}

static int capture_one(struct json_writer *w, const struct capture_command *c, struct arena *a,
	const char *folder, const char *python, char *const *env, const char *cwd,
	const struct redact *r, int stop_fd)
{
	const char *argv[8] = { NULL };
	int64_t start_ns = clock_boot_ns();
	struct buf text = BUF_INIT;
	enum capture_result result = CAPTURE_ENDED;
	int rc = -1, bad = 0;

	for (size_t i = 0; c->argv[i] && i + 1 < ARRAY_LEN(argv); i++)
		argv[i] = strcmp(c->argv[i], python_word) == 0 ? python : c->argv[i];
	if (!is_over(stop_fd))
		result = capture_run(
			&text, &rc, argv, env, cwd, CAPTURE_LIMIT_S * NS_PER_S, stop_fd);
	if (result == CAPTURE_ENDED)
		buf_clear(&text);	/* half a list of packages looks like a whole one */
	if (text.n)
		bad = write_clean(fs_join(a, folder, c->file), &text, r);
	json_begin_object(w, c->name);
	json_put_str(w, "result", result_words[result]);
	json_put_str(w, "program", argv[0]);
	if (rc >= 0)
		json_put_i64(w, "rc", rc);
	json_put_i64(w, "elapsed_ns", clock_boot_ns() - start_ns);
	if (text.n)
		json_put_str(w, "file", c->file);
	json_end_object(w);
	buf_release(&text);
	return bad;
}

static char *make_folder(struct arena *a, const char *rundir)
{
	char *folder = run_directory_path(a, rundir, RUN_FILE_CAPTURE);

	/* Not its parents: a run directory that was deleted stays deleted. */
	if (mkdir(folder, 0700) == 0 || errno == EEXIST)
		return folder;
	err_errno(ERR_IO, "%s", folder);
	return NULL;
}

int capture_start(const char *rundir, const char *const *argv, char *const *env, const char *cwd,
	const struct redact *r, int stop_fd)
{
	struct arena a = ARENA_INIT;
	struct buf host = BUF_INIT, index = BUF_INIT;
	struct json_writer w = { .out = &index, .indent = true };
	char *folder = make_folder(&a, rundir);
	const char *python = find_python(&a, rundir, argv);
	int bad = folder ? 0 : err_code();

	if (bad == 0) {
		capture_host(&host, cwd);
		bad = write_clean(fs_join(&a, folder, "host.json"), &host, r);
	}
	json_begin_object(&w, NULL);
	json_put_i64(&w, "schema", 1);
	for (size_t i = 0; i < ARRAY_LEN(commands) && bad == 0; i++)
		bad = capture_one(&w, &commands[i], &a, folder, python, env, cwd, r, stop_fd);
	json_end_object(&w);
	buf_addc(&index, '\n');
	if (bad == 0)
		bad = write_clean(fs_join(&a, folder, "capture.json"), &index, r);
	buf_release(&host);
	buf_release(&index);
	arena_release(&a);
	return bad;
}

/* Appends one sample; false when the command does not work here. */
static bool sample_device(const struct capture_command *c, const char *path, char *const *env,
	const char *cwd, const struct redact *r, int stop_fd)
{
	const int64_t limit_ns = CAPTURE_LIMIT_S * NS_PER_S;
	struct buf text = BUF_INIT, clean = BUF_INIT;
	char time[CLOCK_ISO_MAX];
	bool works;
	int rc, fd;

	works = capture_run(&text, &rc, c->argv, env, cwd, limit_ns, stop_fd) == CAPTURE_OK;
	fd = works ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
	if (fd >= 0) {
		clock_iso(time, clock_wall_ns());
		buf_addf(&clean, "@ %s\n", time);
		redact_text(r, &clean, text.s, text.n);
		if (fs_size(path) < CAPTURE_SAMPLES_MAX_BYTES)
			works = fs_write_all(fd, clean.s, clean.n) == 0;
		close(fd);
	}
	buf_release(&text);
	buf_release(&clean);
	return works && fd >= 0;
}

void capture_devices(const char *rundir, char *const *env, const char *cwd, const struct redact *r,
	int stop_fd)
{
	struct arena a = ARENA_INIT;
	const char *folder = run_directory_path(&a, rundir, RUN_FILE_CAPTURE);
	struct pollfd end = { .fd = stop_fd, .events = POLLIN };
	bool any;

	do {
		any = false;
		for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
			const struct capture_command *c = &commands[i];

			if (c->device && !is_over(stop_fd))
				any |= sample_device(c,
					fs_join(&a, folder,
						arena_printf(&a, "%s.samples", c->name)),
					env, cwd, r, stop_fd);
		}
		arena_release(&a);
		folder = run_directory_path(&a, rundir, RUN_FILE_CAPTURE);
	} while (any && poll(&end, 1, CAPTURE_SAMPLE_S * 1000) == 0);
	arena_release(&a);
}

int capture_end(const char *rundir, int64_t peak_rss_bytes)
{
	struct arena a = ARENA_INIT;
	struct buf text = BUF_INIT;
	struct json_writer w = { .out = &text, .indent = true };
	char *folder = make_folder(&a, rundir);
	int bad = folder ? 0 : err_code();

	json_begin_object(&w, NULL);
	put_host(&w, rundir);
	json_put_i64(&w, "peak_rss_bytes", peak_rss_bytes);
	json_end_object(&w);
	buf_addc(&text, '\n');
	if (bad == 0)
		bad = fs_write_durable(fs_join(&a, folder, "end.json"), text.s, text.n, 0600);
	buf_release(&text);
	arena_release(&a);
	return bad;
}
