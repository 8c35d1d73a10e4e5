/* bench_tensors - how fast two tensors are compared, beside memcpy of the same bytes.
 *
 * bench_tensors FOLDER [MIB]: writes two .safetensors of MIB each (default 256) for f32
 * and bf16, whose numbers differ a little everywhere, and prints a line a type:
 *
 *	f32 OURS TWO MEMCPY
 *
 * Ours reads the two files, which the system still holds in memory, and compares them, with
 * one thread and with two; the peer copies the same bytes from memory to memory with one.
 * All in MB/s of both sides together: bytes that were read and compared, and bytes that
 * were copied, each of which is read and written.  By the time of the thread that worked
 * longest, best of seven, taking turns, so that what disturbs one disturbs the other.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"
#include "evidence/tensor_compare.h"
#include "evidence/tensor_set.h"

enum { TURNS = 7 };

static double clock_s(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static float number(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return (float)(*state >> 8) * 0x1p-23f - 1;
}

static void fill(enum tensor_type type, unsigned char *r, unsigned char *a, size_t n)
{
	float noise = type == TENSOR_F32 ? 1e-6f : 1e-3f;
	uint32_t state = 1;

	for (size_t i = 0; i < n; i++) {
		float x = number(&state), y = x * (1 + noise * number(&state));

		if (type == TENSOR_F32) {
			memcpy(r + 4 * i, &x, 4);
			memcpy(a + 4 * i, &y, 4);
		} else {
			memcpy(r + 2 * i, (const char *)&x + 2, 2);
			memcpy(a + 2 * i, (const char *)&y + 2, 2);
		}
	}
}

static void write_file(const char *path, enum tensor_type type, const void *p, size_t n)
{
	const struct tensor_type_facts *f = tensor_type_facts(type);
	FILE *file = fopen(path, "wb");
	char header[200];
	uint64_t length = (uint64_t)snprintf(header, sizeof header,
		"{\"w\":{\"dtype\":\"%s\",\"shape\":[%zu],\"data_offsets\":[0,%zu]}}",
		f->safetensors, n / f->size_bytes, n);

	if (!file || fwrite(&length, 8, 1, file) != 1 ||
		fwrite(header, length, 1, file) != 1 || fwrite(p, n, 1, file) != 1 || fclose(file))
		exit(3);
}

/* Seconds of one comparison, of the thread that worked longer. */
static double compare(const struct tensor *r, const struct tensor *a, int threads)
{
	struct tensor_options o = { .ulp = 1, .threads = threads };
	struct tensor_result result;
	double all = clock_s(CLOCK_PROCESS_CPUTIME_ID), own = clock_s(CLOCK_THREAD_CPUTIME_ID);

	if (tensor_compare(&result, r, a, NULL, &o) < 0 || !result.compared ||
		result.tally.ulp == 0)
		exit(4);
	own = clock_s(CLOCK_THREAD_CPUTIME_ID) - own;
	all = clock_s(CLOCK_PROCESS_CPUTIME_ID) - all;
	return own > all - own ? own : all - own;
}

static double copy(unsigned char *to, const unsigned char *r, const unsigned char *a, size_t n)
{
	double begin = clock_s(CLOCK_THREAD_CPUTIME_ID);

	memcpy(to, r, n);
	memcpy(to + n, a, n);
	return clock_s(CLOCK_THREAD_CPUTIME_ID) - begin;
}

struct sides {
	unsigned char *reference, *attempt, *copies;
	size_t n;			/* bytes a side */
};

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void measure(const struct tensor *r, const struct tensor *a, const struct sides *s)
{
	double one = 1e9, two = 1e9, theirs = 1e9, both_mb = 2 * (double)s->n / 1e6;

	for (int i = 0; i < TURNS; i++) {
		one = least(one, compare(r, a, 1));
		theirs = least(theirs, copy(s->copies, s->reference, s->attempt, s->n));
		two = least(two, compare(r, a, 2));
	}
	printf("%s %.1f %.1f %.1f\n", tensor_type_facts(r->type)->name, both_mb / one,
		both_mb / two, both_mb / theirs);
}

static int measure_type(const char *folder, enum tensor_type type, const struct sides *s)
{
	char *paths[2] = { xasprintf("%s/reference.safetensors", folder),
		xasprintf("%s/attempt.safetensors", folder) };
	struct tensor_set *sets[2];

	fill(type, s->reference, s->attempt, s->n / tensor_type_facts(type)->size_bytes);
	write_file(paths[0], type, s->reference, s->n);
	write_file(paths[1], type, s->attempt, s->n);
	for (int i = 0; i < 2; i++)
		if (tensor_set_open(&sets[i], paths[i]) < 0) {
			fprintf(stderr, "%s\n", err_text());
			return 3;
		}
	measure(&sets[0]->rows[0], &sets[1]->rows[0], s);
	for (int i = 0; i < 2; i++) {
		tensor_set_free(sets[i]);
		remove(paths[i]);
		free(paths[i]);
	}
	return 0;
}

int main(int argc, char **argv)
{
	long mib = argc > 2 ? strtol(argv[2], NULL, 10) : 256;
	struct sides s;
	int rc;

	if (argc < 2 || mib < 1 || mib > 4096) {
		fprintf(stderr, "usage: bench_tensors FOLDER [MIB]\n");
		return 2;
	}
	s.n = (size_t)mib << 20;
	s.reference = xmalloc(s.n);
	s.attempt = xmalloc(s.n);
	s.copies = xmalloc(2 * s.n);
	memset(s.copies, 1, 2 * s.n);
	rc = measure_type(argv[1], TENSOR_F32, &s);
	if (rc == 0)
		rc = measure_type(argv[1], TENSOR_BF16, &s);
	free(s.reference);
	free(s.attempt);
	free(s.copies);
	return rc;
}
