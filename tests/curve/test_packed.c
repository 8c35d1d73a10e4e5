/*
 * Packed columns: every bit comes back, whatever was put in, however it was put
 * in, and what a trainer writes takes few of them.
 */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "base/fs.h"
#include "curve/packed.h"
#include "curve/run_files.h"

enum { N = 5000 };

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state ^ *state >> 29;
}

static double unit(uint64_t *state)
{
	return (double)(next_random(state) >> 11) / 9007199254740992.0;
}

static double from_bits(uint64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

static double rounded(double v, double units)
{
	return (double)llround(v * units) / units;
}

/* What stands at I in a column of each kind. */
static double repeated(size_t i, uint64_t *state)
{
	(void)state;
	return (double)(i / 700);
}

static double even_epoch(size_t i, uint64_t *state)
{
	(void)state;
	return (double)(i * 10) / 1517;
}

static double printed_epoch(size_t i, uint64_t *state)
{
	(void)state;
	return rounded((double)i / 1517, 100);
}

static double even_time(size_t i, uint64_t *state)
{
	(void)state;
	return 1700000000.0 + (double)i * 0.1;
}

static double loose_time(size_t i, uint64_t *state)
{
	return 1700000000.123 + (double)i * 7 + unit(state) * 500;
}

static double printed_time(size_t i, uint64_t *state)
{
	return rounded(1700000000.0 + (double)i * 1.25 + unit(state), 1000);
}

static double sometimes(size_t i, uint64_t *state)
{
	return next_random(state) % 3 ? 1700000000.0 + (double)i : NAN;
}

static double never(size_t i, uint64_t *state)
{
	(void)i;
	(void)state;
	return NAN;
}

static double random_bits(size_t i, uint64_t *state)
{
	(void)i;
	return from_bits(next_random(state));
}

static double random_exponent(size_t i, uint64_t *state)
{
	return ldexp(i % 2 ? -unit(state) : unit(state), (int)(next_random(state) % 2000) - 1000);
}

/* Zeros of both signs, extremes, NaN of other bits, borders of the formats. */
static double odd(size_t i, uint64_t *state)
{
	static const double odds[] = {
		0.0,
		-0.0,
		1,
		-1,
		0.1,
		0.30000000000000004,
		1e300,
		-1e300,
		5e-324,
		INFINITY,
		-INFINITY,
		9007199254740992.0,
		9007199254740993.0,
		-9007199254740991.0,
		0.000000001,
		123456789.123456789,
	};
	uint64_t choice = next_random(state) % (ARRAY_LEN(odds) + 3);

	(void)i;
	if (choice < ARRAY_LEN(odds))
		return odds[choice];
	return choice == ARRAY_LEN(odds) ? (double)NAN
					 : from_bits(UINT64_C(0x7ff8000000000001) + (choice << 60));
}

/* Quiet for blocks, then something else. */
static double changing(size_t i, uint64_t *state)
{
	if (i / 300 % 2)
		return random_bits(i, state);
	return i / 600 % 2 ? NAN : (double)i / 4;
}

static const struct pattern {
	const char *name;
	double (*at)(size_t i, uint64_t *state);
	double bytes_max;	/* of a value, all kinds of room left out */
} patterns[] = {
	{ "repeated", repeated, 0.3 },
	{ "evenly spaced epochs", even_epoch, 1.7 },
	{ "printed epochs", printed_epoch, 0.6 },
	{ "evenly spaced times", even_time, 0.5 },
	{ "times with pauses", loose_time, 4.2 },
	{ "times with milliseconds", printed_time, 1.8 },
	{ "times that are missing", sometimes, 0.9 },
	{ "no times", never, 0.3 },
	{ "random bits", random_bits, 8.21 },
	{ "random exponents", random_exponent, 8.21 },
	{ "odd values", odd, 8.4 },
	{ "changing kinds", changing, 8.21 },
};

static void make(double *values, const struct pattern *p, uint64_t seed)
{
	for (size_t i = 0; i < N; i++)
		values[i] = p->at(i, &seed);
}

static void assert_same(const char *what, const double *a, const double *b, size_t n)
{
	if (memcmp(a, b, n * sizeof *a) != 0)
		fail_msg("%s: a bit got lost", what);
}

static void assert_holds(
	const char *what, const struct packed_column *p, const double *values, size_t n)
{
	double *out = xcalloc(n + 1, sizeof *out);

	assert_int_equal(packed_n(p), n);
	packed_read(p, 0, n, out);
	assert_same(what, out, values, n);
	for (size_t i = 0; i < n; i++)
		out[i] = packed_at(p, i);
	assert_same(what, out, values, n);
	for (size_t first = 0; first + 200 < n; first += 311) {
		packed_read(p, first, 200, out);
		assert_same(what, out, values + first, 200);
	}
	free(out);
}

static double used_bytes(const struct packed_column *p)
{
	return (double)(p->n_blocks * sizeof *p->blocks + p->n_words * sizeof *p->words) /
		(double)(p->n_blocks * PACKED_BLOCK);
}

static void every_bit_comes_back(void **state)
{
	double *values = xcalloc(N, sizeof *values);

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(patterns); k++) {
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct packed_column p = PACKED_INIT;

			make(values, &patterns[k], seed);
			for (size_t i = 0; i < N; i++)
				packed_append(&p, values[i]);
			assert_holds(patterns[k].name, &p, values, N);
			if (used_bytes(&p) > patterns[k].bytes_max)
				fail_msg(
					"%s: %.2f bytes a value", patterns[k].name, used_bytes(&p));
			packed_release(&p);
		}
	}
	free(values);
}

/* However it is put in, cut off and put in again, also where nothing is packed. */
static void the_way_in_does_not_matter(void **state)
{
	double *values = xcalloc(N, sizeof *values);
	uint64_t seed = 5;

	(void)state;
	for (size_t k = 0; k < 2 * ARRAY_LEN(patterns); k++) {
		struct packed_column p = { .used = true, .plain = k % 2 };
		size_t n = 0, part;

		make(values, &patterns[k / 2], seed + k);
		while (n < N) {
			part = next_random(&seed) % 4 ? next_random(&seed) % 10
						      : next_random(&seed) % 600;
			part = part < N - n ? part : N - n;
			packed_append_many(&p, values + n, part);
			n += part;
			if (next_random(&seed) % 16 == 0) {
				n = next_random(&seed) % (n + 1);
				packed_truncate(&p, n);
			}
			if (n && next_random(&seed) % 8 == 0 && p.n_tail) {
				packed_set_last(&p, 7);
				packed_set_last(&p, values[n - 1]);
			}
		}
		assert_holds(patterns[k / 2].name, &p, values, N);
		packed_clear(&p);
		packed_append_many(&p, values, 300);
		assert_holds(patterns[k / 2].name, &p, values, 300);
		packed_release(&p);
	}
	free(values);
}

/* Through a series, its splicing and the removal of a file. */
static void series_keep_time_and_epoch(void **state)
{
	struct run_series *run = run_series_new(), *piece = run_series_new();
	struct series *s = run_series_get(run, "a", 1, AXIS_STEP), *part;
	double *walls = xcalloc(N, sizeof *walls), *epochs = xcalloc(N, sizeof *epochs);
	uint64_t seed = 3;

	(void)state;
	piece->staging = true;
	part = run_series_get(piece, "a", 1, AXIS_STEP);
	make(walls, &patterns[4], 1);
	make(epochs, &patterns[11], 2);
	for (size_t i = 0; i < N;) {
		size_t n = next_random(&seed) % 700;

		for (; n && i < N; n--, i++)
			series_append_row(part, (int64_t)i, walls[i], (double)i, epochs[i]);
		series_splice(s, part, i < N / 2 ? 0 : 2);
		series_clear(part);
	}
	for (size_t i = 0; i < 100; i++)
		series_append_row(part, (int64_t)i, 5, 6, 7);
	series_splice(s, part, 1);
	assert_int_equal(s->n, N + 100);
	series_remove_file(s, 1);
	assert_int_equal(s->n, N);
	assert_holds("wall times of a series", &s->wall_s, walls, N);
	assert_holds("epochs of a series", &s->epoch, epochs, N);
	run_series_free(piece);
	run_series_free(run);
	free(walls);
	free(epochs);
}

/* Over the border where a column is mapped, and back to one that is not. */
static void columns_grow_and_shrink(void **state)
{
	size_t sizes[] = { 64, 4096, COLUMN_LARGE_BYTES - 1, COLUMN_LARGE_BYTES,
		3 * COLUMN_LARGE_BYTES + 5, 100 };
	unsigned char *p = NULL;
	size_t before = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		p = column_resize(p, before, sizes[i]);
		for (size_t k = 0; k < before && k < sizes[i]; k += 61)
			if (p[k] != (unsigned char)(k % 251))
				fail_msg("byte %zu of %zu changed", k, sizes[i]);
		for (size_t k = 0; k < sizes[i]; k++)
			p[k] = (unsigned char)(k % 251);
		before = sizes[i];
	}
	column_free(p, before);
	assert_int_equal(column_capacity(0, 1), 64);
	assert_int_equal(column_capacity(64, 65), 128);
	assert_int_equal(column_capacity(1 << 20, (1 << 20) + 1), (1 << 20) + (1 << 18));
}

enum { LARGE_ROWS = 150000, COLUMNS = 8 };

static void write_checkpoint(const char *folder, int step, int rows)
{
	char *path = xasprintf("%s/checkpoint-%d", folder, step), *name;
	FILE *f;

	assert_int_equal(mkdir(path, 0700), 0);
	name = xasprintf("%s/trainer_state.json", path);
	f = fopen(name, "w");
	assert_non_null(f);
	fprintf(f, "{\"global_step\": %d, \"log_history\": [{\"step\": 0, \"a\": 1}", step);
	for (int i = 1; i < rows; i++)
		fprintf(f,
			",{\"step\":%d,\"epoch\":%d.5,\"a\":%d,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8}",
			i, i / 1000, i);
	fputs("]}\n", f);
	assert_int_equal(fclose(f), 0);
	free(name);
	free(path);
}

static void assert_rows(const struct run_files *run, size_t n)
{
	const struct series *a = run_series_find(run->series, "a", AXIS_STEP);

	assert_int_equal(run->series->n, COLUMNS);
	assert_int_equal(a->n, n);
	assert_int_equal(a->n_segments, 1);
	assert_true(series_value(a, n - 1) == (double)(n - 1) &&
		series_epoch(a, n - 1) == (double)((n - 1) / 1000) + 0.5);
	assert_int_equal(run_series_find(run->series, "h", AXIS_STEP)->n, n - 1);
}

static size_t bytes_of(const struct run_series *r)
{
	size_t bytes = 0;

	for (size_t i = 0; i < r->n; i++)
		bytes += series_bytes(r->series[i]);
	return bytes;
}

/* The columns of a document with many points are those of the run. */
static void a_large_document_is_kept_once(void **state)
{
	char folder[] = "/tmp/large-document-XXXXXX";
	struct run_files *run = run_files_new(NULL);

	(void)state;
	assert_non_null(mkdtemp(folder));
	write_checkpoint(folder, 100, LARGE_ROWS);
	assert_int_equal(run_files_add(run, folder), 0);
	assert_int_equal(run_files_read(run, NULL), 0);
	assert_rows(run, LARGE_ROWS);
	assert_true(bytes_of(run->files[0].file->sink.series) < 1000000);
	assert_true(bytes_of(run->series) > 16u * LARGE_ROWS * COLUMNS);
	write_checkpoint(folder, 200, LARGE_ROWS + 500);
	assert_int_equal(run_files_rescan(run), 0);
	assert_int_equal(run_files_read(run, NULL), 0);
	assert_rows(run, LARGE_ROWS + 500);
	assert_int_equal(run->notes.n, 0);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
}

/* Columns of one file, of which the second is given the first one as its twin. */
static void a_twin_gives_the_same_values(void **state)
{
	enum { MANY = 5 * PACKED_BLOCK + 40 };
	double values[N], other[N];

	(void)state;
	for (size_t k = 0; k < ARRAY_LEN(patterns); k++) {
		for (size_t before = 0; before < 300; before += 33) {
			struct packed_column a = PACKED_INIT, b = PACKED_INIT, c = PACKED_INIT;
			struct packed_twin twin = { .column = &a, .values = values, .first = before,
				.n = MANY };

			make(values, &patterns[k], 7);
			memcpy(other, values, sizeof other);
			other[3 * PACKED_BLOCK + 1] = -77.5;
			packed_append_many(&a, values, before);
			packed_append_many(&a, values, MANY);
			/* other values before, and one in the middle */
			packed_append_nan(&b, before);
			packed_append_many_like(&b, other, MANY, &twin);
			/* at another place */
			packed_append_nan(&c, before + 1);
			packed_append_many_like(&c, values, MANY, &twin);
			for (size_t i = 0; i < MANY; i++) {
				double in_b = packed_at(&b, before + i),
				       in_c = packed_at(&c, before + 1 + i);

				assert_memory_equal(&in_b, &other[i], sizeof in_b);
				assert_memory_equal(&in_c, &values[i], sizeof in_c);
			}
			packed_release(&a);
			packed_release(&b);
			packed_release(&c);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_twin_gives_the_same_values),
		cmocka_unit_test(every_bit_comes_back),
		cmocka_unit_test(the_way_in_does_not_matter),
		cmocka_unit_test(series_keep_time_and_epoch),
		cmocka_unit_test(columns_grow_and_shrink),
		cmocka_unit_test(a_large_document_is_kept_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
