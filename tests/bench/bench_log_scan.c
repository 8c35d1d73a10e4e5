/*
 * bench_log_scan - the whole catalogue over the log of a run, one figure a line.
 *
 *	bench_log_scan write training FILE MB	a log as training writes it: rows, bars, few hits
 *	bench_log_scan write resident FILE MB	every line tells resident memory
 *	bench_log_scan write hits FILE MB	every line is a hit, each of another signature
 *	bench_log_scan write same FILE MB	every line is a hit of one signature, as a warning
 *						is that a loop prints
 *	bench_log_scan patterns		the patterns, one a line, for other programs
 *	bench_log_scan scan FILE	MB a second of processor time, the best of three
 *	bench_log_scan memory		largest memory for 4 GB of log, in MB
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/err.h"
#include "base/fs.h"
#include "evidence/log_scan.h"

enum { TIMES = 3, PIECE = 1 << 20, PIECES = 4096 };

static struct signature_catalogue *catalogue;

static void die(void)
{
	fprintf(stderr, "%s\n", err_text());
	exit(3);
}

static double cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Line I of a log as it is printed by trainers, bars and loggers side by side. */
static void add_line(struct buf *out, int64_t i)
{
	double x = (double)(i * 7919 % 9973) / 9973;
	int minute = (int)(i / 60 % 60), second = (int)(i % 60);

	if (i % 20011 == 0)
		buf_adds(out, "UserWarning: operator mm is experimental\n");
	else if (i % 10 < 4)
		buf_addf(out,
			"{'loss': %.4f, 'grad_norm': %.4f, 'learning_rate': %.3e, 'epoch': %.2f}\n",
			3 * x, 5 * x, 1e-4 * x, (double)i / 1000);
	else if (i % 10 < 6)
		buf_addf(out, "\r %d%%|######    | %d/100000 [%02d:%02d<10:11, %.2fit/s]",
			(int)(i % 100), (int)(i % 100000), minute, second, 20 * x);
	else if (i % 10 < 8)
		buf_addf(out,
			"2026-11-01 10:%02d:%02d,123 - INFO - train - step %d | loss %.4f | "
			"tokens/s %.1f\n",
			minute, second, (int)i, 3 * x, 20000 * x);
	else
		buf_addf(out, "iter %d: loss %.4f, time %.2fms, mfu %.2f%%\n", (int)i, 3 * x,
			200 * x, 60 * x);
}

static void add_resident(struct buf *out, int64_t i)
{
	double x = (double)(i * 7919 % 9973) / 9973;

	buf_addf(out, "step %d | loss %.4f | lr %.3e | step_time %.1f ms | host_rss %.2f GiB\n",
		(int)i, 3 * x, 1e-4 * x, 50 + x, 12 + (double)i / 1e6);
}

/* The example of the next signature that is looked for in logs, as a log holds it. */
static void add_hit(struct buf *out, int64_t i)
{
	const struct signature *sig =
		signature_at(catalogue, (size_t)i % signature_catalogue_n(catalogue));

	if (sig->kind == SIGNATURE_VERSION)
		return;
	buf_addf(out, "[rank%d]: ", (int)(i % 4));
	for (const char *p = sig->example; *p; p++) {
		bool newline = *p == '\\' && p[1] == 'n';

		if (newline)
			buf_addf(out, "\n[rank%d]: ", (int)(i % 4));
		else
			buf_addc(out, *p);
		p += newline;
	}
	buf_addc(out, '\n');
}

static void add_same(struct buf *out, int64_t i)
{
	buf_addf(out, "W1102 10:%02d:%02d.%06d 21877 torch/_dynamo/convert_frame.py:1355] [0/8] "
		"torch._dynamo hit config.recompile_limit (8) at step %d\n",
		(int)(i / 60 % 60), (int)(i % 60), (int)(i * 7919 % 999983), (int)i);
}

static const struct { const char *name; void (*add)(struct buf *out, int64_t i); } kinds[] = {
	{ "training", add_line }, { "resident", add_resident }, { "hits", add_hit },
	{ "same", add_same },
};

static void write_log(const char *kind, const char *path, int64_t bytes)
{
	FILE *f = fopen(path, "w");
	struct buf text = BUF_INIT;
	size_t k = 0;

	while (k < ARRAY_LEN(kinds) && strcmp(kinds[k].name, kind) != 0)
		k++;
	if (!f || k == ARRAY_LEN(kinds))
		exit(3);
	for (int64_t i = 1, n = 0; n < bytes; i++) {
		buf_clear(&text);
		kinds[k].add(&text, i);
		n += (int64_t)text.n;
		fwrite(text.s, 1, text.n, f);
	}
	fclose(f);
	buf_release(&text);
}

static void print_patterns(void)
{
	for (size_t i = 0; i < signature_catalogue_n(catalogue); i++)
		puts(signature_at(catalogue, i)->pattern);
}

static void scan_file(const char *path)
{
	double best = 0;

	for (int i = 0; i < TIMES; i++) {
		struct log_scan *s = log_scan_new(catalogue, 0);
		double start = cpu_s(), rate;

		if (log_scan_file(s, path, NULL, NULL) < 0)
			die();
		rate = (double)log_scan_findings(s)->bytes / 1e6 / (cpu_s() - start);
		best = rate > best ? rate : best;
		log_scan_free(s);
	}
	printf("%.1f\n", best);
}

static void scan_long(void)
{
	struct log_scan *s = log_scan_new(catalogue, 0);
	struct buf text = BUF_INIT;
	struct rusage usage;

	for (int64_t i = 1; text.n < PIECE; i++)
		add_line(&text, i);
	for (int i = 0; i < PIECES; i++)
		log_scan_feed(s, text.s, text.n);
	(void)log_scan_findings(s);
	getrusage(RUSAGE_SELF, &usage);
	printf("%.1f\n", (double)usage.ru_maxrss / 1024);
	buf_release(&text);
	log_scan_free(s);
}

int main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	const char *what = argc > 1 ? argv[1] : "";

	catalogue = signature_catalogue_new();
	if (signature_catalogue_add_folder(catalogue, fs_data_path(&a, "signatures")) < 0)
		die();
	if (strcmp(what, "write") == 0 && argc == 5)
		write_log(argv[2], argv[3], strtoll(argv[4], NULL, 10) * 1000000);
	else if (strcmp(what, "patterns") == 0)
		print_patterns();
	else if (strcmp(what, "scan") == 0 && argc == 3)
		scan_file(argv[2]);
	else if (strcmp(what, "memory") == 0)
		scan_long();
	else
		return 2;
	signature_catalogue_free(catalogue);
	arena_release(&a);
	return 0;
}
