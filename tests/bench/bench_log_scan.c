/*
 * bench_log_scan - the whole catalogue over the log of a run, one figure a line.
 *
 *	bench_log_scan write FILE MB	a log as training writes it: rows, bars, few hits
 *	bench_log_scan patterns		the patterns, one a line, for other programs
 *	bench_log_scan scan FILE	MB a second of processor time, the best of three
 *	bench_log_scan hits		the same of a log in which every line is a hit
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

enum { TIMES = 3, HITS_BYTES = 64 << 20, PIECE = 1 << 20, PIECES = 4096 };

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
		buf_addf(out, "{'loss': %.4f, 'grad_norm': %.4f, 'learning_rate': %.3e, 'epoch': %.2f}\n",
			3 * x, 5 * x, 1e-4 * x, (double)i / 1000);
	else if (i % 10 < 6)
		buf_addf(out, "\r %d%%|######    | %d/100000 [%02d:%02d<10:11, %.2fit/s]",
			(int)(i % 100), (int)(i % 100000), minute, second, 20 * x);
	else if (i % 10 < 8)
		buf_addf(out, "2026-11-01 10:%02d:%02d,123 - INFO - train - step %d | loss %.4f | tokens/s %.1f\n",
			minute, second, (int)i, 3 * x, 20000 * x);
	else
		buf_addf(out, "iter %d: loss %.4f, time %.2fms, mfu %.2f%%\n", (int)i, 3 * x, 200 * x,
			60 * x);
}

static void write_log(const char *path, int64_t bytes)
{
	FILE *f = fopen(path, "w");
	struct buf text = BUF_INIT;

	if (!f)
		exit(3);
	for (int64_t i = 1, n = 0; n < bytes; i++) {
		buf_clear(&text);
		add_line(&text, i);
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

static void scan_hits(void)
{
	struct log_scan *s = log_scan_new(catalogue, 0);
	struct buf text = BUF_INIT;
	double start;
	size_t fed = 0;

	for (size_t i = 0; text.n < PIECE; i++) {
		size_t k = i % signature_catalogue_n(catalogue);

		buf_addf(&text, "[rank%d]: %s\n", (int)(i % 4), signature_at(catalogue, k)->example);
	}
	start = cpu_s();
	for (; fed < HITS_BYTES; fed += text.n)
		log_scan_feed(s, text.s, text.n);
	(void)log_scan_findings(s);
	printf("%.1f\n", (double)fed / 1e6 / (cpu_s() - start));
	buf_release(&text);
	log_scan_free(s);
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
	if (strcmp(what, "write") == 0 && argc == 4)
		write_log(argv[2], strtoll(argv[3], NULL, 10) * 1000000);
	else if (strcmp(what, "patterns") == 0)
		print_patterns();
	else if (strcmp(what, "scan") == 0 && argc == 3)
		scan_file(argv[2]);
	else if (strcmp(what, "hits") == 0)
		scan_hits();
	else if (strcmp(what, "memory") == 0)
		scan_long();
	else
		return 2;
	signature_catalogue_free(catalogue);
	arena_release(&a);
	return 0;
}
