/*
 * bench_log - the event log and growing files, one figure a line.
 *
 *	bench_log append	events a second: one by one, in batches, plain SQLite
 *	bench_log kill		what a process that is killed while it writes loses
 *	bench_log sparse	a log of 10 GB, read in constant memory
 *	bench_log follow	100 logs that grow, read once a second
 *	bench_log idle PID SECONDS	wake-ups of a process and its threads
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/fs.h"
#include "curve/run_files.h"
#include "store/log.h"
#include "workspace/projector.h"

enum { SINGLE = 300, BATCHES = 25, BATCH = 400, LOGS = 100, FOLLOW_S = 5 };

static char folder[64];

static void die(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, err_text());
	exit(3);
}

static double seconds_since(int64_t start)
{
	return (double)(clock_boot_ns() - start) / (double)NS_PER_S;
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long largest_mb(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss / 1024;
}

static void line(const char *what, double ours, double peer, const char *unit)
{
	if (peer > 0)
		printf("%-44s %10.4g %-10s peer %10.4g  ratio %.2f\n", what, ours, unit, peer,
			ours / peer);
	else
		printf("%-44s %10.4g %-10s no peer\n", what, ours, unit);
	fflush(stdout);
}

/* ---- appending ------------------------------------------------------------ */

static struct event_draft draft(struct arena *a, int i)
{
	return (struct event_draft){
		.actor = "tool:bench",
		.kind = "run.started",
		.object = arena_printf(a, "ps-%d", i % 50),
		.data = event_data(
			a, "state", "running", "source", "status", "where", "host", NULL),
	};
}

static double append_single(struct log *log)
{
	int64_t start = clock_boot_ns();

	for (int i = 0; i < SINGLE; i++) {
		struct arena a = ARENA_INIT;
		struct event_draft d = draft(&a, i);

		if (log_append(log, &d, &a, NULL) < 0)
			die("append");
		arena_release(&a);
	}
	return SINGLE / seconds_since(start);
}

static double append_batches(struct log *log)
{
	int64_t start = clock_boot_ns();

	for (int b = 0; b < BATCHES; b++) {
		struct event_draft d[BATCH];
		struct arena a = ARENA_INIT;

		for (int i = 0; i < BATCH; i++)
			d[i] = draft(&a, i);
		if (log_append_many(log, d, BATCH, &a, NULL) < 0)
			die("append");
		arena_release(&a);
	}
	return BATCHES * BATCH / seconds_since(start);
}

static void plain(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
		fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
		exit(3);
	}
}

/* Rows of the size of an event's, durable as ours, without indexes and views. */
static double plain_sqlite(bool batches)
{
	char *path = xasprintf("%s/plain%d.db", folder, batches);
	int n = batches ? BATCHES * BATCH : SINGLE;
	int64_t start;
	sqlite3 *db;

	if (sqlite3_open(path, &db) != SQLITE_OK)
		exit(3);
	plain(db,
		"PRAGMA journal_mode=DELETE; PRAGMA synchronous=EXTRA; CREATE TABLE event(id BLOB PRIMARY KEY, body TEXT)");
	start = clock_boot_ns();
	for (int i = 0; i < n; i++) {
		if (batches && i % BATCH == 0)
			plain(db, "BEGIN IMMEDIATE");
		plain(db, "INSERT INTO event VALUES(randomblob(32), hex(randomblob(200)))");
		if (batches && i % BATCH == BATCH - 1)
			plain(db, "COMMIT");
	}
	sqlite3_close(db);
	free(path);
	return n / seconds_since(start);
}

static struct log *open_log(struct fold_projector *p)
{
	struct log_options o = { .create = true, .projector = fold_projector_table(p) };
	struct log *log;

	if (log_open(&log, folder, &o) < 0)
		die("log");
	return log;
}

static void bench_append(void)
{
	struct fold_projector *p = fold_projector_new();
	struct log *log = open_log(p);

	line("events a second, one by one", append_single(log), plain_sqlite(false), "1/s");
	line("events a second, 400 a transaction", append_batches(log), plain_sqlite(true), "1/s");
	log_close(log);
	fold_projector_free(p);
}

static void append_for_ever(int answers)
{
	struct fold_projector *p = fold_projector_new();
	struct log *log = open_log(p);

	for (int i = 0; ; i++) {
		struct arena a = ARENA_INIT;
		struct event_draft d = draft(&a, i);

		if (log_append(log, &d, &a, NULL) < 0 || write(answers, ".", 1) != 1)
			_exit(1);
		arena_release(&a);
	}
}

static void bench_kill(void)
{
	int64_t acknowledged = 0, found = 0;
	struct fold_projector *p;
	struct log *log;

	for (int i = 1; i <= 10; i++) {
		const struct timespec delay = { .tv_nsec = i * 37 * NS_PER_MS };
		char bytes[4096];
		int ends[2];
		ssize_t n;
		pid_t pid;

		if (pipe(ends) < 0)
			exit(3);
		pid = fork();
		if (pid == 0)
			append_for_ever(ends[1]);
		close(ends[1]);
		nanosleep(&delay, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		while ((n = read(ends[0], bytes, sizeof bytes)) > 0)
			acknowledged += n;
		close(ends[0]);
	}
	p = fold_projector_new();
	log = open_log(p);
	if (log_count(log, &found) < 0)
		die("count");
	log_close(log);
	fold_projector_free(p);
	line("acknowledged events lost by 10 kills",
		(double)(found < acknowledged ? acknowledged - found : 0), 0, "events");
	line("  of", (double)acknowledged, 0, "events");
}

/* ---- files ----------------------------------------------------------------- */

static void write_line(int fd, int64_t step)
{
	dprintf(fd, "{\"step\": %" PRId64 ", \"loss\": %.6f, \"lr\": 0.0001}\n", step,
		1.0 + 1.0 / (double)(step + 1));
}

static void bench_sparse(void)
{
	char *path = xasprintf("%s/train.jsonl", folder);
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	const int64_t size = INT64_C(10) << 30;
	struct curve_file *file;
	int64_t start;
	double s;
	int rc;

	write_line(fd, 0);
	if (fd < 0 || ftruncate(fd, size) < 0 || lseek(fd, 0, SEEK_END) < 0)
		exit(3);
	dprintf(fd, "\n");
	for (int i = 1; i < 1000; i++)
		write_line(fd, i);
	close(fd);
	start = clock_boot_ns();
	file = curve_file_new_as(path, curve_format_find("jsonl"), &(struct curve_options){ 0 });
	if (!file)
		die("sparse");
	while ((rc = curve_file_refresh(file, NULL)) == CURVE_MORE)
		;
	s = seconds_since(start);
	if (rc < 0)
		die("sparse");
	line("10 GB log, read to its end", (double)size / 1e9 / s, 0, "GB/s");
	line("10 GB log, largest memory", (double)largest_mb(), 0, "MB");
	curve_file_free(file);
	unlink(path);
	free(path);
}

static void grow_logs(void)
{
	const struct timespec pause = { .tv_nsec = 100 * NS_PER_MS };

	for (int64_t step = 0; ; step++) {
		for (int i = 0; i < LOGS; i++) {
			char *path = xasprintf("%s/run%d/train.jsonl", folder, i);
			int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

			write_line(fd, step);
			close(fd);
			free(path);
		}
		nanosleep(&pause, NULL);
	}
}

static void bench_follow(void)
{
	const struct timespec second = { .tv_sec = 1 };
	struct run_files *runs[LOGS];
	double before;
	pid_t pid;

	for (int i = 0; i < LOGS; i++) {
		char *path = xasprintf("%s/run%d", folder, i);

		if (fs_mkdirs(path, 0700) < 0)
			die("follow");
		free(path);
	}
	pid = fork();
	if (pid == 0)
		grow_logs();
	nanosleep(&second, NULL);
	for (int i = 0; i < LOGS; i++) {
		char *path = xasprintf("%s/run%d", folder, i);

		if (run_files_load(&runs[i], path, &(struct curve_options){ 0 }) < 0)
			die("follow");
		free(path);
	}
	before = cpu_s();
	for (int s = 0; s < FOLLOW_S; s++) {
		nanosleep(&second, NULL);
		for (int i = 0; i < LOGS; i++)
			if (run_files_refresh(runs[i], NULL) < 0)
				die("follow");
	}
	line("100 growing logs, one look a second", (cpu_s() - before) / FOLLOW_S * 100, 0,
		"% of a CPU");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (int i = 0; i < LOGS; i++)
		run_files_free(runs[i]);
}

/* ---- idle ------------------------------------------------------------------ */

/* Context switches of all threads of a process so far; -1 when it is gone. */
static long switches(const char *pid)
{
	char *path = xasprintf("/proc/%s/task", pid), text[128];
	DIR *tasks = opendir(path);
	const struct dirent *task;
	long sum = tasks ? 0 : -1, n;

	while (tasks && (task = readdir(tasks)) != NULL) {
		char *status = xasprintf("%s/%s/status", path, task->d_name);
		FILE *f = task->d_name[0] == '.' ? NULL : fopen(status, "re");

		while (f && fgets(text, sizeof text, f))
			if (sscanf(text, "voluntary_ctxt_switches: %ld", &n) == 1 ||
			    sscanf(text, "nonvoluntary_ctxt_switches: %ld", &n) == 1)
				sum += n;
		if (f)
			fclose(f);
		free(status);
	}
	if (tasks)
		closedir(tasks);
	free(path);
	return sum;
}

static void bench_idle(const char *pid, int seconds)
{
	const struct timespec t = { .tv_sec = seconds };
	long before = switches(pid);

	nanosleep(&t, NULL);
	line("wake-ups of an idle screen in 5 s", (double)(switches(pid) - before), 0, "switches");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const char *base = getenv("TMPDIR");

	if (strcmp(what, "idle") == 0 && argc == 4) {
		bench_idle(argv[2], atoi(argv[3]));
		return 0;
	}
	snprintf(folder, sizeof folder, "%s/portside-bench-XXXXXX",
		base && strlen(base) < 30 ? base : "/tmp");
	if (!mkdtemp(folder))
		return 3;
	if (strcmp(what, "append") == 0)
		bench_append();
	else if (strcmp(what, "kill") == 0)
		bench_kill();
	else if (strcmp(what, "sparse") == 0)
		bench_sparse();
	else if (strcmp(what, "follow") == 0)
		bench_follow();
	else
		fprintf(stderr,
			"usage: bench_log append | kill | sparse | follow | idle PID SECONDS\n");
	return fs_remove_tree(folder) < 0 ? 3 : 0;
}
