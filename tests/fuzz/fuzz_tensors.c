/* fuzz_tensors - any bytes as a file of tensors: headers, archives, values. */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "evidence/npy.h"
#include "evidence/safetensors.h"
#include "evidence/tensor_pairs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* The headers alone, which a file seldom reaches by chance. */
static void parse_headers(const char *p, size_t n)
{
	struct arena a = ARENA_INIT;
	struct tensor t = { 0 }, *rows;
	size_t rows_n;

	if (npy_parse(&t, &a, p, n, "input") == 0 && t.n_dimensions > TENSOR_DIMENSIONS_MAX)
		abort();
	if (safetensors_parse(&rows, &rows_n, &a, "input", p, n, 8, 1 << 20) == 0)
		for (size_t i = 0; i < rows_n; i++)
			if (rows[i].offset_bytes < 8 || rows[i].size_bytes > 1 << 20)
				abort();
	arena_release(&a);
}

/* A file beside itself: whatever it holds, nothing is refuted. */
static void compare_with_itself(const struct tensor_set *s)
{
	struct tensor_options o = { .ulp = 1 };
	struct tensor_pairs *p;

	if (tensor_pairs_new(&p, s, s, s, NULL, 0) < 0)
		abort();
	for (size_t i = 0; i < p->n; i++) {
		struct tensor_pair *row = &p->rows[i];

		if (row->reference->count > 1 << 20)
			continue;
		if (tensor_compare(&row->result, row->reference, row->attempt, row->third,
			    &o) < 0 ||
			row->result.verdict == TENSOR_REFUTED)
			abort();
	}
	tensor_pairs_conclude(p);
	if (p->n_only_reference || p->n_only_attempt || p->renamed || p->refuted)
		abort();
	tensor_pairs_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	struct tensor_set *s;
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, n) != (ssize_t)n)
		abort();
	parse_headers((const char *)data, n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (tensor_set_open(&s, path) == 0) {
		compare_with_itself(s);
		tensor_set_free(s);
	}
	close(fd);
	return 0;
}
