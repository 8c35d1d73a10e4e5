/*
 * How fast the readers are: writes a file of each kind into a temporary folder,
 * reads it with one thread, prints MB/s and the bytes a point takes.  Time is that of
 * the processor, so that other load counts less; what is left of it shows in the two
 * lines that bound every reader: how fast memory is copied, and each file alone is.
 * Each rate is also told as a share of the first of them, which was measured in the same
 * run, so that machines can be compared.  What two threads can reach at most, two readers
 * that share nothing, is measured beside it, since two processors are often one core.
 *
 *	bench_curve_read [MILLION_EVENTS [FORMAT]]	(default 10, all)
 *	bench_curve_read 0 growing			many logs that grow
 *	bench_curve_read rows N FORMAT >FILE		the rows that are read, for a peer
 *
 * Instructions a byte, which do not depend on what else the machine does:
 *	valgrind --tool=callgrind --toggle-collect=run_files_refresh bench_curve_read 1 jsonl
 */
#include "config.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <libdeflate.h>

#include "base/err.h"
#include "base/fs.h"
#include "curve/run_files.h"
#include "tests/bench/bench_events.h"

static double clock_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Time of this process, so that other load does not count; reads are from the cache. */
static double now_s(void)
{
	return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

/* With two threads the time of the one that worked longer: what a clock on the wall
 * would show where two processors are free. */
static double busier_s(double all, double own)
{
	return own > all - own ? own : all - own;
}

static size_t put_jsonl(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"{\"step\": %" PRId64 ", \"loss\": %.16g, \"grad_norm\": %.4f, \"lr\": 5e-05, "
		"\"epoch\": %.2f}\n",
		i, loss_at(i), loss_at(i + 7), (double)i / 1000);
}

static size_t put_hf(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"{'loss': %.4f, 'grad_norm': %.6f, 'learning_rate': 4.75e-05, 'epoch': %.2f}\n",
		loss_at(i), loss_at(i + 7), (double)i / 1000);
}

static size_t put_generic(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"2026-01-01 00:00:00 INFO train: step %" PRId64
		" loss: %.4f grad_norm: %.4f lr: 1e-04\n",
		i, loss_at(i), loss_at(i + 7));
}

static size_t put_megatron(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		" [2026-01-01 00:00:00] iteration %8" PRId64
		"/ 2500000 | consumed samples: %12" PRId64
		" | elapsed time per iteration (ms): 462.5 | learning rate: 1.827E-05 | lm "
		"loss: %.6E | grad norm: %.3f |\n",
		i, i * 4, loss_at(i), loss_at(i + 7));
}

static size_t put_maxtext(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"completed step: %" PRId64 ", seconds: 1.250, TFLOP/s/device: %.3f, "
		"Tokens/s/device: 13107.200, total_weights: 16384, loss: %.3f\n",
		i, loss_at(i + 7) * 10, loss_at(i));
}

static size_t put_maxtext_absl(char *p, int64_t i)
{
	size_t n = (size_t)sprintf(p,
		"I0101 %02d:%02d:%02d.%06d 140000000000001 metric_logger.py:181] ",
		(int)(i / 3600 % 24), (int)(i / 60 % 60), (int)(i % 60), (int)(i * 37 % 1000000));

	return n + put_maxtext(p + n, i);
}

static size_t put_maxtext_eval(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"Completed eval after train step %" PRId64 ", loss=%.3f, total_weights=16384\n", i,
		loss_at(i));
}

static size_t put_fairseq(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"2026-01-%02d %02d:%02d:%02d | INFO | train_inner | {\"epoch\": 1, \"update\": "
		"%.3f, "
		"\"loss\": \"%.3f\", \"ppl\": \"%.2f\", \"num_updates\": \"%" PRId64
		"\", \"lr\": \"4e-05\"}\n",
		(int)(1 + i / 86400 % 28), (int)(i / 3600 % 24), (int)(i / 60 % 60), (int)(i % 60),
		(double)i / 1000, loss_at(i), loss_at(i + 7), i);
}

static size_t put_fairseq_simple(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"epoch %03d:   %4d / 1000 loss=%.3f, ppl=%.2f, num_updates=%" PRId64 "\n",
		(int)(i / 1000 + 1), (int)(i % 1000), loss_at(i), loss_at(i + 7), i);
}

static size_t put_tqdm(char *p, int64_t i)
{
	static const char bar[] = "##########          ";
	int done = (int)(i % 1000);

	return (size_t)sprintf(p,
		"%sEpoch %d/9: %3d%%|%.10s| %d/1000 [%02d:%02d<%02d:%02d, 12.50it/s, "
		"loss=%.4f, lr=1e-05]",
		done ? "\r" : "\n", (int)(i / 1000 + 1), done / 10, bar + 10 - done / 100, done,
		done / 60, done % 60, (1000 - done) / 60, (1000 - done) % 60, loss_at(i));
}

static size_t put_xla(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"| Training Device=xla:0/%d Epoch=%d Step=%d Loss=%.5f Rate=%.2f "
		"GlobalRate=%.2f Time=21:07:%02d\n",
		(int)(i % 4), (int)(i / 4000 + 1), (int)(i / 4 % 1000), loss_at(i), loss_at(i + 7),
		loss_at(i + 9), (int)(i % 60));
}

static size_t put_timm(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"Train: %d [%4d/1000 (%3d%%)]  Loss:  %.4f (%.4f)  Time: 0.250s,  512.00/s  "
		"(0.260s,  %.2f/s)"
		"  LR: 1.000e-06  Data: 0.004 (0.021)\n",
		(int)(i / 1000), (int)(i % 1000), (int)(i % 1000 / 10), loss_at(i), loss_at(i + 7),
		loss_at(i) * 100);
}

static size_t put_nanogpt(char *p, int64_t i)
{
	return (size_t)sprintf(p, "iter %" PRId64 ": loss %.4f, time %.2fms, mfu 12.25%%\n", i,
		loss_at(i), loss_at(i + 7) * 10);
}

static size_t put_short_keys(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"step:%" PRId64 "/6200000 val_loss:%.4f train_time:%" PRId64 "ms step_avg:%.2fms\n",
		i, loss_at(i), i * 8, loss_at(i + 7));
}

static size_t put_keras(char *p, int64_t i)
{
	int done = (int)(i % 100) + 1;

	if (done == 1)
		return (size_t)sprintf(p,
			"\nEpoch %d/900\n 1/100 [>.........] - ETA: 3s - loss: %.4f - "
			"accuracy: %.4f",
			(int)(i / 100 + 1), loss_at(i), loss_at(i + 7));
	return (size_t)sprintf(p, "\r%2d/100 [=>........] - ETA: %ds - loss: %.4f - accuracy: %.4f",
		done, (100 - done) / 10, loss_at(i), loss_at(i + 7));
}

static size_t put_boosting(char *p, int64_t i)
{
	return (size_t)sprintf(p, "[%" PRId64 "]\ttrain-logloss:%.5f\tval-logloss:%.5f\n", i,
		loss_at(i), loss_at(i + 7));
}

static size_t put_word_pairs(char *p, int64_t i)
{
	return (size_t)sprintf(p, "step %" PRId64 " loss %.4f grad_norm %.4f lr 1e-04\n", i,
		loss_at(i), loss_at(i + 7));
}

static size_t put_words(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"%s: the quick brown fox number %d jumps over the lazy dog, again and again "
		"and again\n",
		i % 3 ? "INFO" : "WARNING", (int)mix((uint32_t)i) % 1000);
}

static size_t put_jsonl_time(char *p, int64_t i)
{
	return (size_t)sprintf(p,
		"{\"step\": %" PRId64 ", \"loss\": %.16g, \"time\": %.6f, \"epoch\": %.16g}\n", i,
		loss_at(i), 1.7e9 + (double)i * 0.25 + (double)(mix((uint32_t)i) % 1000) * 1e-4,
		(double)i / 1517);
}

static size_t put_csv(char *p, int64_t i)
{
	if (i == 0)
		return (size_t)sprintf(p, "epoch,step,train_loss,val_loss\n");
	return (size_t)sprintf(p, "%" PRId64 ",%" PRId64 ",%.16g,\n", i / 1000, i, loss_at(i));
}

static size_t put_trainer_state(char *p, int64_t i)
{
	size_t n = i ? 0 : (size_t)sprintf(p, "{\"log_history\": [{\"step\": 0}");

	return n +
		(size_t)sprintf(p + n,
			",\n{\"epoch\": %.16g, \"grad_norm\": %.16g, \"loss\": %.4f, \"step\": "
			"%" PRId64
			"}",
			(double)i / 1517, loss_at(i + 7), loss_at(i), i);
}

/* ---- W&B --------------------------------------------------------------------- */

static unsigned char *put_text(unsigned char *p, unsigned key, const char *s)
{
	size_t n = strlen(s);

	if (key > 15)
		p += put_varint(p, key << 3 | 2);
	else
		*p++ = (unsigned char)(key << 3 | 2);
	p += put_varint(p, n);
	memcpy(p, s, n);
	return p + n;
}

/* An item of one short name and value. */
static unsigned char *put_wandb_item(
	unsigned char *p, unsigned field, unsigned name_field, const char *name, const char *json)
{
	unsigned char *length;

	*p++ = (unsigned char)(field << 3 | 2);
	length = p++;
	p = put_text(p, name_field, name);
	p = put_text(p, 16, json);
	*length = (unsigned char)(p - length - 1);
	return p;
}

/* The record of MESSAGE as chunks for OFFSET of the file. */
static size_t put_wandb_record(unsigned char *p, int64_t offset, int64_t number, unsigned field,
	const unsigned char *message, size_t n)
{
	enum { BLOCK = 32768, HEADER = 7 };
	unsigned char record[1024], *q = record, *start = p;
	const unsigned char *rest = record;
	unsigned type = 1;

	*q++ = 0x08;
	q += put_varint(q, (uint64_t)number);
	*q++ = (unsigned char)(field << 3 | 2);
	q += put_varint(q, n);
	memcpy(q, message, n);
	q = put_text(q + n, 16, "\x42\x04" "1(@)");
	for (;;) {
		size_t left = BLOCK - (size_t)((offset + (p - start)) % BLOCK);
		size_t part = (size_t)(q - rest);
		uint32_t crc;

		if (left < HEADER) {
			memset(p, 0, left);
			p += left;
			continue;
		}
		if (part > left - HEADER) {
			part = left - HEADER;
			type = type == 1 ? 2 : 3;
		} else if (type != 1) {
			type = 4;
		}
		p[4] = (unsigned char)part;
		p[5] = (unsigned char)(part >> 8);
		p[6] = (unsigned char)type;
		memcpy(p + HEADER, rest, part);
		crc = libdeflate_crc32(0, p + 6, part + 1);
		memcpy(p, &crc, 4);
		p += HEADER + part;
		rest += part;
		if (type == 1 || type == 4)
			return (size_t)(p - start);
	}
}

static size_t put_wandb_output(unsigned char *p, int64_t offset, int64_t number, int64_t i)
{
	unsigned char message[256], *q = message;
	char line[128];

	snprintf(line, sizeof line, "{'loss': %.4f, 'epoch': %.2f}\n", loss_at(i),
		(double)i / 1000);
	*q++ = 0x08;
	*q++ = 0x01;
	q = put_text(q, 2, "\x08\x80\xe2\xcf\xaa\x06");
	q = put_text(q, 3, line);
	return put_wandb_record(p, offset, number, 13, message, (size_t)(q - message));
}

static size_t put_wandb_stats(unsigned char *p, int64_t offset, int64_t number, int64_t i)
{
	static const char *const names[] = { "cpu", "memory_percent", "gpu.0.gpu", "gpu.0.memory",
		"gpu.0.temp", "gpu.0.powerWatts" };
	unsigned char message[512], *q = message;
	char json[32];

	*q++ = 0x12;
	*q++ = 6;
	*q++ = 0x08;
	q += put_varint(q, (uint64_t)(1700000000 + i / 4));
	for (size_t k = 0; k < ARRAY_LEN(names); k++) {
		snprintf(json, sizeof json, "%.2f", 40 + loss_at(i + (int64_t)k));
		q = put_wandb_item(q, 3, 1, names[k], json);
	}
	return put_wandb_record(p, offset, number, 7, message, (size_t)(q - message));
}

/*
 * A row as the Trainer logs it; now and then a printed line, and what the system did.
 * Chunks end with the blocks of the file: where the next one stands is kept.
 */
static size_t put_wandb(char *out, int64_t i)
{
	static const char header[] = ":W&B\xe1\xbe";
	static int64_t offset;
	unsigned char message[768], *q = message, *p = (unsigned char *)out;
	const struct {
		const char *name;
		double value;
		int digits;
	} items[] = {
		{ "train/loss", loss_at(i), 5 },
		{ "train/grad_norm", loss_at(i + 7), 16 },
		{ "train/learning_rate", 5e-05 * (1 - (double)i / 1e7), 16 },
		{ "train/epoch", (double)i / 1517, 16 },
		{ "train/global_step", (double)i, 16 },
		{ "_timestamp", 1.7e9 + (double)i * 0.25, 16 },
		{ "_runtime", (double)i * 0.25, 16 },
		{ "_step", (double)i, 16 },
	};
	char json[32];

	if (i == 0) {
		offset = 0;
		memcpy(p, header, sizeof header);
		p += sizeof header;
	}
	for (size_t k = 0; k < ARRAY_LEN(items); k++) {
		snprintf(json, sizeof json, "%.*g", items[k].digits, items[k].value);
		q = put_wandb_item(q, 1, 2, items[k].name, json);
	}
	p += put_wandb_record(p, offset + (p - (unsigned char *)out), i, 2, message,
		(size_t)(q - message));
	if (i % 16 == 0)
		p += put_wandb_output(p, offset + (p - (unsigned char *)out), i, i);
	if (i % 64 == 0)
		p += put_wandb_stats(p, offset + (p - (unsigned char *)out), i, i);
	offset += p - (unsigned char *)out;
	return (size_t)(p - (unsigned char *)out);
}

enum { ATTEMPTS = 5 };

struct kind {
	const char *name, *file;
	int divisor;		/* text takes longer to write: fewer rows */
	int threads;
	size_t (*put)(char *p, int64_t i);
	const char *pattern;	/* of the user; NULL: none */
};

static size_t put_tfevents(char *p, int64_t i)
{
	return put_event((unsigned char *)p, i);
}

static const struct kind kinds[] = {
	{ "tfevents", "events.out.tfevents.1700000000.host.1.0", 1, 1, put_tfevents, NULL },
	{ "tfevents, two cores", "events.out.tfevents.1700000000.host.1.0", 1, 2, put_tfevents,
		NULL },
	{ "wandb", "run-bench.wandb", 4, 1, put_wandb, NULL },
	{ "jsonl", "metrics.jsonl", 4, 1, put_jsonl, NULL },
	{ "csv", "metrics.csv", 4, 1, put_csv, NULL },
	{ "jsonl, time", "metrics.jsonl", 4, 1, put_jsonl_time, NULL },
	{ "trainer_state", "trainer_state.json", 4, 1, put_trainer_state, NULL },
	{ "stdout, HF dict", "hf.log", 4, 1, put_hf, NULL },
	{ "stdout, generic", "train.log", 4, 1, put_generic, NULL },
	{ "stdout, Megatron", "megatron.log", 4, 1, put_megatron, NULL },
	{ "stdout, MaxText", "maxtext.log", 4, 1, put_maxtext, NULL },
	{ "stdout, MaxText absl", "absl.log", 4, 1, put_maxtext_absl, NULL },
	{ "stdout, MaxText eval", "eval.log", 4, 1, put_maxtext_eval, NULL },
	{ "stdout, fairseq", "fairseq.log", 4, 1, put_fairseq, NULL },
	{ "stdout, fairseq simple", "simple.log", 4, 1, put_fairseq_simple, NULL },
	{ "stdout, tqdm", "tqdm.log", 4, 1, put_tqdm, NULL },
	{ "stdout, torch_xla", "xla.log", 4, 1, put_xla, NULL },
	{ "stdout, timm", "timm.log", 4, 1, put_timm, NULL },
	{ "stdout, nanoGPT", "nanogpt.log", 4, 1, put_nanogpt, NULL },
	{ "stdout, short keys", "short.log", 4, 1, put_short_keys, NULL },
	{ "stdout, Keras", "keras.log", 4, 1, put_keras, NULL },
	{ "stdout, boosting", "boosting.log", 4, 1, put_boosting, NULL },
	{ "stdout, words", "words.log", 4, 1, put_word_pairs, NULL },
	{ "stdout, pattern", "pattern.log", 4, 1, put_generic,
		"step (?<step>\\d+) loss: (?<value>[-+.eE\\d]+)" },
	{ "stdout, no metrics", "prose.log", 4, 1, put_words, NULL },
};

static int64_t write_file(const struct kind *kind, const char *path, int64_t rows)
{
	enum { PIECE = 1 << 20, ROW_MAX = 2048 };
	char *buffer = xmalloc(PIECE);
	FILE *f = fopen(path, "wb");
	int64_t bytes = 0;
	size_t n = 0;

	if (!f)
		return -1;
	for (int64_t i = 0; i < rows; i++) {
		n += kind->put(buffer + n, i);
		if (n > PIECE - ROW_MAX || i + 1 == rows) {
			bytes += (int64_t)fwrite(buffer, 1, n, f);
			n = 0;
		}
	}
	free(buffer);
	return fclose(f) == 0 ? bytes : -1;
}

/* What no reader can do faster: the bytes of the file, in pieces as readers ask for. */
static int copy_once(const struct kind *kind, const char *path, int64_t bytes)
{
	double start = now_s(), took;
	char *window = xmalloc(SOURCE_READ_BYTES);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(ERR_IO, "%s", path);
	while (read(fd, window, SOURCE_READ_BYTES) > 0)
		continue;
	took = now_s() - start;
	close(fd);
	free(window);
	printf("copy: %-16s %7.1f MB  by the kernel alone in %.3f s  %6.0f MB/s\n", kind->name,
		(double)bytes / 1e6, took, (double)bytes / 1e6 / took);
	return 0;
}

/* A copy of what no cache holds, in MB/s. */
static double copy_memory(void)
{
	enum { BYTES = 128 * 1024 * 1024 };
	char *from = xmalloc(BYTES), *to = xmalloc(BYTES);
	double best = 0;

	memset(from, 1, BYTES);
	for (int i = 0; i < 5; i++) {
		double start = now_s(), rate;

		memcpy(to, from, BYTES);
		rate = BYTES / 1e6 / (now_s() - start);
		best = rate > best && to[i] ? rate : best;
	}
	printf("memory is copied with %.0f MB/s\n", best);
	free(from);
	free(to);
	return best;
}

/* ---- two readers that share nothing --------------------------------------------- */

struct lone_reader {
	pthread_t thread;
	const char *path;
	pthread_barrier_t *start;
	double took_s;
	int result;
};

static void *read_alone(void *user)
{
	struct lone_reader *r = user;
	struct curve_options options = { .ended = true, .threads = 1 };
	struct run_files *run = run_files_new(&options);
	double start;

	pthread_barrier_wait(r->start);
	start = clock_s(CLOCK_THREAD_CPUTIME_ID);
	r->result = run_files_add(run, r->path);
	while (r->result >= 0 && (r->result = run_files_refresh(run, NULL)) == CURVE_MORE)
		continue;
	r->took_s = clock_s(CLOCK_THREAD_CPUTIME_ID) - start;
	run_files_free(run);
	return NULL;
}

/* How fast a file was read, and what of the processors that took: RATE goes by the time
 * of the busier one, WORK is MB for a second of any. */
struct measured {
	double rate, work;
};

/* What the machine gives two readers of BYTES each, together. */
static int two_alone(struct measured *out, const char *path, int64_t bytes)
{
	struct lone_reader readers[2] = { { .path = path }, { .path = path } };
	pthread_barrier_t start;
	double slower = 0, both = 0;
	int result = 0;

	pthread_barrier_init(&start, NULL, ARRAY_LEN(readers));
	for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
		readers[i].start = &start;
		if (pthread_create(&readers[i].thread, NULL, read_alone, &readers[i]) != 0)
			abort();
	}
	for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
		pthread_join(readers[i].thread, NULL);
		slower = readers[i].took_s > slower ? readers[i].took_s : slower;
		both += readers[i].took_s;
		result = readers[i].result < 0 ? readers[i].result : result;
	}
	pthread_barrier_destroy(&start);
	out->rate = 2 * (double)bytes / 1e6 / slower;
	out->work = 2 * (double)bytes / 1e6 / both;
	return result;
}

/* MEMORY_RATE: MB/s of a copy. */
static int read_once(struct measured *out, const struct kind *kind, const char *path,
	int64_t bytes, double memory_rate)
{
	struct curve_options options = { .ended = true, .threads = kind->threads,
		.patterns = &kind->pattern, .n_patterns = kind->pattern != NULL };
	double start = now_s(), own = clock_s(CLOCK_THREAD_CPUTIME_ID), first = 0, took;
	double wall = clock_s(CLOCK_MONOTONIC);
	struct run_files *run = run_files_new(&options);
	size_t points = 0, memory = 0;
	int progress = run_files_add(run, path);

	if (progress < 0)
		return progress;
	do {
		progress = run_files_refresh(run, NULL);
		if (first <= 0)
			first = now_s() - start;
	} while (progress == CURVE_MORE);
	took = now_s() - start;
	out->work = (double)bytes / 1e6 / took;
	wall = clock_s(CLOCK_MONOTONIC) - wall;
	if (kind->threads > 1)
		took = busier_s(took, clock_s(CLOCK_THREAD_CPUTIME_ID) - own);
	for (size_t i = 0; i < run->series->n; i++) {
		points += run->series->series[i]->n;
		memory += series_bytes(run->series->series[i]);
	}
	out->rate = (double)bytes / 1e6 / took;
	printf("%-22s %7.1f MB %9zu points  %.3f s  %6.0f MB/s  (wall %.0f MB/s)  "
	       "%.3f of memcpy  first %.3f s  %.1f bytes/point\n",
		kind->name, (double)bytes / 1e6, points, took, out->rate,
		(double)bytes / 1e6 / wall,
		out->rate / memory_rate, first, (double)memory / (double)(points ? points : 1));
	run_files_free(run);
	return progress < 0 ? progress : 0;
}

static void keep_best(struct measured *best, const struct measured *m)
{
	best->rate = m->rate > best->rate ? m->rate : best->rate;
	best->work = m->work > best->work ? m->work : best->work;
}

/* Ours and the most that could be, in turn: both under the same load.  By the work alone
 * it does not count that another program held one of the threads up. */
static int compare_with_two_alone(
	const struct kind *kind, const char *path, int64_t bytes, double memory_rate)
{
	struct measured ours = { 0 }, most = { 0 }, m;
	int result = 0;

	for (int i = 0; i < ATTEMPTS && result >= 0; i++) {
		result = two_alone(&m, path, bytes);
		printf("%-22s two readers that share nothing  %6.0f MB/s\n", kind->name, m.rate);
		keep_best(&most, &m);
		if (result >= 0)
			result = read_once(&m, kind, path, bytes, memory_rate);
		keep_best(&ours, &m);
	}
	printf("%-22s %.3f of two readers that share nothing, %.3f by their work\n", kind->name,
		ours.rate / most.rate, ours.work / most.work);
	return result < 0 ? result : 0;
}

static int measure(const struct kind *kind, const char *folder, int64_t rows, double memory_rate)
{
	struct measured m;
	char *path = xasprintf("%s/%s", folder, kind->file);
	int64_t bytes = write_file(kind, path, rows / kind->divisor);
	int result = bytes < 0 ? err_set(ERR_IO, "%s cannot be written", path) : 0;

	for (int i = 0; i < 2 && result == 0; i++)
		result = copy_once(kind, path, bytes);
	if (result == 0 && kind->threads > 1)
		result = compare_with_two_alone(kind, path, bytes, memory_rate);
	for (int i = 0; i < ATTEMPTS && result == 0 && kind->threads == 1; i++)
		result = read_once(&m, kind, path, bytes, memory_rate);
	unlink(path);
	free(path);
	return result;
}

enum { LOGS = 100, SECONDS = 20, LOOKS_A_SECOND = 4, LINES_A_LOOK = 5 };

static int append_lines(const char *path, int64_t first)
{
	FILE *f = fopen(path, "ab");
	char line[256];

	if (!f)
		return err_set(ERR_IO, "%s cannot be written", path);
	for (int64_t i = first; i < first + LINES_A_LOOK; i++)
		fwrite(line, 1, put_generic(line, i), f);
	return fclose(f) == 0 ? 0 : err_set(ERR_IO, "%s cannot be written", path);
}

/* Logs that grow while each is looked at LOOKS_A_SECOND times: the share of a core. */
static int measure_growing(const char *folder)
{
	struct run_files *runs[LOGS] = { NULL };
	double took = 0;
	int result = 0;

	for (int64_t look = 0; look < SECONDS * LOOKS_A_SECOND && result >= 0; look++) {
		for (int k = 0; k < LOGS && result >= 0; k++) {
			char *path = xasprintf("%s/%d.log", folder, k);
			double start;

			result = append_lines(path, look * LINES_A_LOOK);
			start = now_s();
			if (result == 0 && !runs[k])
				result = run_files_add(runs[k] = run_files_new(NULL), path);
			if (result == 0)
				result = run_files_read(runs[k], NULL);
			took += now_s() - start;
			free(path);
		}
	}
	printf("%d growing logs, %d looks and %d lines a second each: %.2f %% of a core\n", LOGS,
		LOOKS_A_SECOND, LOOKS_A_SECOND * LINES_A_LOOK, took / SECONDS * 100);
	for (int k = 0; k < LOGS; k++) {
		char *path = xasprintf("%s/%d.log", folder, k);

		unlink(path);
		free(path);
		run_files_free(runs[k]);
	}
	return result;
}

static int print_rows(const char *format, int64_t rows)
{
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		if (strcmp(format, kinds[i].name) == 0)
			return write_file(&kinds[i], "/dev/stdout", rows) < 0;
	return 1;
}

int main(int argc, char **argv)
{
	char folder[] = "/tmp/bench-curve-XXXXXX";
	int64_t rows = (int64_t)((argc > 1 ? strtod(argv[1], NULL) : 10) * 1e6);
	struct rusage usage;
	double memory_rate;
	int result = 0;

	if (argc > 3 && strcmp(argv[1], "rows") == 0)
		return print_rows(argv[3], atoll(argv[2]));
	if (!mkdtemp(folder))
		return 1;
	memory_rate = copy_memory();
	for (size_t i = 0; i < ARRAY_LEN(kinds) && result == 0; i++)
		if (argc < 3 || strcmp(argv[2], kinds[i].name) == 0)
			result = measure(&kinds[i], folder, rows, memory_rate);
	if (result >= 0 && (argc < 3 || strcmp(argv[2], "growing") == 0))
		result = measure_growing(folder);
	if (result < 0)
		fprintf(stderr, "%s\n", err_text());
	getrusage(RUSAGE_SELF, &usage);
	printf("largest memory %ld MB\n", usage.ru_maxrss / 1024);
	rmdir(folder);
	return result < 0;
}
