/*
 * An event file that several threads read in pieces gives what one reader finds from
 * front to back: for any number of threads, any border, with damage, restarts,
 * sessions, metadata that comes late, records inside records, and as it grows.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "make_events.h"
#include "dump_run.h"

#include "base/err.h"
#include "base/fs.h"
#include "curve/parallel.h"
#include "curve/tfevents.h"

static char folder[] = "/tmp/portside-pieces-XXXXXX";

/* ---- files -------------------------------------------------------------------------- */

enum { METADATA_SCALAR, METADATA_OTHER, METADATA_NONE };

/* A tensor of one of a few tags that has metadata, or not yet. */
static void add_tensor(struct buf *event, size_t tag, int64_t at, int metadata)
{
	struct buf value = BUF_INIT, tensor = BUF_INIT, summary = BUF_INIT;

	buf_init(&value);
	buf_init(&tensor);
	buf_init(&summary);
	add_tag(&value, 40 + tag);
	buf_adds(&tensor, "\x08\x01\x2a\x04");
	add_le(&tensor, random_float(), 4);
	add_message(&value, 0x42, &tensor);
	if (metadata == METADATA_SCALAR)
		buf_adds(&value, "\x4a\x02\x20\x01");
	else if (metadata == METADATA_OTHER)
		buf_adds(&value, "\x4a\x02\x20\x02");
	add_message(&summary, 0x0a, &value);
	add_double(event, 0x09, random_wall(at));
	buf_addc(event, 0x10);
	add_varint(event, (uint64_t)at);
	add_message(event, 0x2a, &summary);
	buf_release(&value);
	buf_release(&tensor);
	buf_release(&summary);
}

/* A log message that holds a good record of its own: no border for anybody. */
static void add_record_inside(struct buf *event, int64_t at)
{
	struct buf inner = BUF_INIT, whole = BUF_INIT;

	buf_init(&inner);
	buf_init(&whole);
	for (size_t i = 1 + pick(4); i; i--) {
		buf_clear(&inner);
		add_event(&inner, pick(5), at, 0);
		add_record(&whole, &inner);
	}
	add_double(event, 0x09, 1.7e9);
	add_message(event, 0x32, &whole);
	buf_release(&inner);
	buf_release(&whole);
}

static void add_session(struct buf *event, int64_t at)
{
	add_double(event, 0x09, random_wall(at));
	buf_addc(event, 0x10);
	add_varint(event, (uint64_t)at);
	buf_adds(event, "\x3a\x02\x08\x01");
}

/* METADATA: how tensors speak of themselves: always, at first, late, or never. */
static void add_odd_event(struct buf *event, int64_t at, size_t i, size_t metadata)
{
	size_t tag = pick(3);
	int meaning = tag == 1 ? METADATA_OTHER : METADATA_SCALAR;

	switch (pick(5)) {
	case 0:
		add_record_inside(event, at);
		break;
	case 1:
		add_session(event, at);
		break;
	case 2:
		if (metadata == 3 || (metadata == 1 && i > 30) || (metadata == 2 && i < 300))
			meaning = METADATA_NONE;
		add_tensor(event, tag, at, meaning);
		break;
	default:
		add_event(event, pick(20), at, 1 + pick(8));
	}
}

static bool tensors_speak;		/* in the files at hand some have metadata */

static void write_odd_file(struct buf *file, size_t n, size_t odd)
{
	size_t n_tags = 1 + pick(5), tag = pick(14), metadata = pick(4);
	struct buf event = BUF_INIT;
	int64_t step = (int64_t)pick(3);

	tensors_speak |= metadata != 3;

	buf_init(&event);
	for (size_t i = 0; i < n; i++) {
		buf_clear(&event);
		step += i % n_tags == 0;
		if (pick(150) == 0)
			step = (int64_t)pick((size_t)step + 1);
		if (pick(odd) == 0)
			add_odd_event(&event, step, i, metadata);
		else
			add_event(&event, tag + i % n_tags, step, 0);
		add_record(file, &event);
	}
	buf_release(&event);
}

/* Bytes that are no record: zeros of a crash, or anything. */
static void add_rubbish(struct buf *file)
{
	size_t n = pick(3000);
	bool zeros = pick(2);

	for (size_t i = 0; i < n; i++)
		buf_addc(file, zeros ? 0 : (char)pick(256));
}

/* ---- reading ------------------------------------------------------------------------ */

static void write_parts(const char *const *paths, const struct buf *files, size_t n, bool all)
{
	for (size_t i = 0; i < n; i++) {
		size_t part = all ? files[i].n : files[i].n * 2 / 3;
		FILE *f = fopen(paths[i], "wb");

		assert_non_null(f);
		assert_int_equal(fwrite(files[i].s, 1, part, f), part);
		assert_int_equal(fclose(f), 0);
	}
}

/* Two thirds of the files first, then all of them. */
static void read_growing(struct buf out[2], const char *const *paths, const struct buf *files,
	size_t n, const struct curve_options *options)
{
	struct run_files *r;

	write_parts(paths, files, n, false);
	r = run_files_new(options);
	assert_int_equal(run_files_add(r, folder), 0);
	assert_int_equal(run_files_read(r, NULL), 0);
	dump_run(&out[0], r, tensors_speak);
	write_parts(paths, files, n, true);
	assert_int_equal(run_files_read(r, NULL), 0);
	dump_run(&out[1], r, tensors_speak);
	run_files_free(r);
}

static void assert_same_text(const struct buf *want, const struct buf *got, int threads,
	int64_t piece)
{
	size_t i = 0;

	if (strcmp(want->s, got->s) == 0)
		return;
	while (want->s[i] == got->s[i])
		i++;
	i = i > 200 ? i - 200 : 0;
	fail_msg("%d threads, pieces of %" PRId64
		 " bytes\nin order: ...%.400s\nin pieces: ...%.400s",
		threads, piece, want->s + i, got->s + i);
}

static void assert_pieces_alike(const char *const *paths, const struct buf *files, size_t n)
{
	struct curve_options in_order = { .threads = 1 };
	struct buf want[2] = { BUF_INIT, BUF_INIT }, got[2] = { BUF_INIT, BUF_INIT };

	read_growing(want, paths, files, n, &in_order);
	for (int i = 0; i < 3; i++) {
		/* Often not much longer than a record: most borders are beside one. */
		struct curve_options o = { .threads = 2 + (int)pick(3),
			.piece_bytes = (int64_t)(30 + pick(pick(4) ? 1500 : 60)) };

		read_growing(got, paths, files, n, &o);
		assert_same_text(&want[0], &got[0], o.threads, o.piece_bytes);
		assert_same_text(&want[1], &got[1], o.threads, o.piece_bytes);
	}
	for (int i = 0; i < 2; i++) {
		buf_release(&want[i]);
		buf_release(&got[i]);
	}
}

static void pieces_read_alike(void **state)
{
	struct buf files[2] = { BUF_INIT, BUF_INIT };
	char *paths[2];

	(void)state;
	for (size_t k = 0; k < 2; k++)
		paths[k] = xasprintf("%s/events.out.tfevents.%zu", folder, k);
	for (size_t i = 0; i < 25; i++) {
		size_t n = 1 + (pick(4) == 0);

		tensors_speak = false;
		for (size_t k = 0; k < 2; k++) {
			buf_clear(&files[k]);
			(void)unlink(paths[k]);
		}
		for (size_t k = 0; k < n; k++) {
			write_odd_file(&files[k], 100 + pick(600), 2 + pick(60));
			for (size_t d = pick(2) ? pick(5) : 0; d; d--)
				damage(&files[k]);
			if (pick(4) == 0)
				add_rubbish(&files[k]);
			if (pick(4) == 0)
				write_odd_file(&files[k], 100, 5);
		}
		assert_pieces_alike((const char *const *)paths, files, n);
	}
	for (size_t k = 0; k < 2; k++) {
		(void)unlink(paths[k]);
		free(paths[k]);
		buf_release(&files[k]);
	}
}

/* ---- threads ------------------------------------------------------------------------- */

struct sums {
	long slots[PARALLEL_SLOTS_MAX];
};

static void square(void *user, size_t piece, size_t slot)
{
	struct sums *s = user;

	s->slots[slot] = (long)(piece * piece);
}

static void pieces_come_in_order(void **state)
{
	(void)state;
	for (int threads = 1; threads <= PARALLEL_THREADS_MAX; threads++) {
		for (size_t n = 0; n < 60; n += 1 + n / 3) {
			struct sums sums = { { 0 } };
			struct parallel_job job = { square, &sums };
			struct parallel *p = parallel_new(&job, n, threads);
			size_t piece, count = 0;

			while (parallel_next(p, &piece)) {
				assert_int_equal(piece, count++);
				assert_int_equal(
					sums.slots[parallel_slot(p, piece)], piece * piece);
			}
			assert_int_equal(count, n);
			parallel_free(p);
		}
	}
}

/* Whoever has seen enough leaves; nothing is left running. */
static void pieces_may_be_left(void **state)
{
	struct sums sums = { { 0 } };
	struct parallel_job job = { square, &sums };
	struct parallel *p = parallel_new(&job, 1000, PARALLEL_THREADS_MAX);
	size_t piece;

	(void)state;
	assert_true(parallel_next(p, &piece));
	assert_true(parallel_next(p, &piece));
	assert_int_equal(piece, 1);
	parallel_free(p);
	assert_in_range(parallel_threads(0), 1, PARALLEL_THREADS_MAX);
	assert_int_equal(parallel_threads(100000), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_come_in_order),
		cmocka_unit_test(pieces_may_be_left),
		cmocka_unit_test(pieces_read_alike),
	};
	int failed;

	if (!mkdtemp(folder))
		return 99;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
