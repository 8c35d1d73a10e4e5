/*
 * .wandb files that are damaged: it costs no more than it must, and all of it is told.
 */
#include "config.h"

#include <stdio.h>

#include "read_wandb.h"

#include "base/err.h"

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static struct health health_of(const char *p, size_t n)
{
	struct health health;
	struct reading r;

	begin(&r, true);
	read_to(&r, p, n);
	health = r.sink.health;
	end(&r);
	return health;
}

enum { LONG_ROWS = 1500 };

/* Rows across several blocks; SIZES of them, and a record of some blocks when NULL. */
static void write_long_file(struct wandb_file *f, size_t *sizes)
{
	char *text = xmalloc(70001), loss[32], step[16];
	size_t before;

	memset(text, 'y', 70000);
	text[70000] = '\0';
	wandb_file_begin(f);
	for (int i = 0; i < LONG_ROWS; i++) {
		snprintf(step, sizeof step, "%d", i);
		snprintf(loss, sizeof loss, "%.15g", 3.0 / (1 + i));
		before = f->bytes.n;
		wandb_file_row(f, (const char *[]){ "loss", loss, "_step", step, NULL });
		if (sizes)
			sizes[i] = f->bytes.n - before;
		else if (i == 500)
			wandb_file_print(f, true, text);
	}
	free(text);
}

static void flip_bits(struct buf *bytes, int times, int64_t whole)
{
	uint32_t seed = 1;

	for (int i = 0; i < times; i++) {
		size_t bit = 7 * 8 + next_random(&seed) % (bytes->n * 8 - 7 * 8);
		struct health h;

		bytes->s[bit / 8] ^= (char)(1 << bit % 8);
		h = health_of(bytes->s, bytes->n);
		if (h.records < whole - 1)
			fail_msg("bit %zu costs %" PRId64 " records", bit, whole - h.records);
		/* Lost or not, it is said. */
		if (!(h.bad_data || h.orphans || h.skipped_bytes || h.tail_bytes))
			fail_msg("bit %zu is not reported", bit);
		bytes->s[bit / 8] ^= (char)(1 << bit % 8);
	}
}

static void a_flipped_bit_costs_one_record(void **state)
{
	struct buf bytes;
	struct wandb_file f;

	(void)state;
	load_sample(&bytes, "01-simple/run-abc12345.wandb");
	assert_int_equal(health_of(bytes.s, bytes.n).records, 33);
	flip_bits(&bytes, 3000, 33);
	buf_release(&bytes);
	write_long_file(&f, NULL);
	assert_true(f.bytes.n > 4 * WANDB_BLOCK_BYTES);
	assert_int_equal(health_of(f.bytes.s, f.bytes.n).records, LONG_ROWS + 1);
	flip_bits(&f.bytes, 300, LONG_ROWS + 1);
	wandb_file_release(&f);
}

static int64_t found_in(const struct buf *bytes, size_t n)
{
	struct curve_source src;
	int64_t found;

	source_open_memory(&src, bytes->s, n);
	found = chunk_find(&src, 0);
	source_release(&src);
	return found;
}

/* N times FILL, a good chunk with PAYLOAD_N times FILL in it, and zeros to the end of the block. */
static void put_behind(struct wandb_file *f, char fill, size_t n, size_t payload_n)
{
	char *payload = xmalloc(payload_n);

	*f = (struct wandb_file){ .tail = "" };
	buf_init(&f->bytes);
	buf_pad(&f->bytes, fill, n);
	memset(payload, fill, payload_n);
	wandb_file_chunk(f, CHUNK_FULL, payload, payload_n);
	buf_pad(&f->bytes, '\0', wandb_file_left(f));
	free(payload);
}

/* Each byte may be the header of a long chunk: that costs a bounded time. */
static void the_search_behind_damage_is_bounded(void **state)
{
	static const struct { char fill; size_t n, payload_n; bool is_found; } blocks[] = {
		{ 'x', 1, 3000, true },
		{ 'x', 20000, 3000, true },
		{ '\0', 20000, 12000, true },
		{ '\1', 400, 100, true },
		{ '\4', 10, 300, true },
		{ '\4', 20000, 12000, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		size_t end = blocks[i].n + CHUNK_HEADER_BYTES + blocks[i].payload_n;
		struct wandb_file f;

		put_behind(&f, blocks[i].fill, blocks[i].n, blocks[i].payload_n);
		if (found_in(&f.bytes, WANDB_BLOCK_BYTES) !=
			(blocks[i].is_found ? (int64_t)blocks[i].n : WANDB_BLOCK_BYTES))
			fail_msg("block %zu: %" PRId64, i, found_in(&f.bytes, WANDB_BLOCK_BYTES));
		/* However much of it is there. */
		for (size_t n = 1; n < WANDB_BLOCK_BYTES; n += 1021)
			assert_int_equal(found_in(&f.bytes, n),
				blocks[i].is_found && n >= end ? (int64_t)blocks[i].n : 0);
		wandb_file_release(&f);
	}
}

/* In the header it is another file. */
static void a_wrong_header_is_refused(void **state)
{
	struct buf bytes, fresh = BUF_INIT;

	(void)state;
	load_sample(&bytes, "01-simple/run-abc12345.wandb");
	for (size_t bit = 0; bit < 7 * 8; bit++) {
		struct health h;

		bytes.s[bit / 8] ^= (char)(1 << bit % 8);
		h = health_of(bytes.s, bytes.n);
		assert_int_equal(h.records, 0);
		assert_int_equal(h.skipped_bytes, bytes.n);
		assert_int_equal(h.first_bad_offset, bit / 8 < 4 ? 0 : bit / 8 < 6 ? 4 : 6);
		dump_fresh(&fresh, bytes.s, bytes.n);
		assert_split(&bytes, 100, &fresh);
		bytes.s[bit / 8] ^= (char)(1 << bit % 8);
	}
	buf_release(&bytes);
	buf_release(&fresh);
}

/* How many chunks of a file of one block have a byte in [AT, AT + N). */
static int64_t chunks_touched(const struct buf *bytes, size_t at, size_t n)
{
	int64_t touched = 0;
	size_t end;

	for (size_t i = 7; i < bytes->n; i = end) {
		end = i + CHUNK_HEADER_BYTES + chunk_length(bytes->s + i);
		touched += i < at + n && at < end;
	}
	return touched;
}

static void a_hole_costs_what_it_touches(void **state)
{
	struct buf bytes;
	uint32_t seed = 7;

	(void)state;
	load_sample(&bytes, "01-simple/run-abc12345.wandb");
	for (int i = 0; i < 1000; i++) {
		size_t n = 1 + next_random(&seed) % 30,
		       at = 7 + next_random(&seed) % (bytes.n - 7 - n);
		char *cut = xmalloc(bytes.n);

		memcpy(cut, bytes.s, at);
		memcpy(cut + at, bytes.s + at + n, bytes.n - at - n);
		if (health_of(cut, bytes.n - n).records != 33 - chunks_touched(&bytes, at, n))
			fail_msg("a hole of %zu at %zu costs %" PRId64 " records", n, at,
				33 - health_of(cut, bytes.n - n).records);
		free(cut);
	}
	buf_release(&bytes);
}

/* Every byte of a file is in a record, skipped, in the tail, or padding. */
static void no_byte_is_lost_silently(void **state)
{
	size_t sizes[LONG_ROWS];
	struct wandb_file f;
	uint32_t seed = 5;

	(void)state;
	write_long_file(&f, sizes);
	for (int i = 0; i < 60; i++) {
		size_t n = 1 + next_random(&seed) % 500,
		       at = 7 + next_random(&seed) % (f.bytes.n - 600);
		int64_t blocks = (int64_t)f.bytes.n / WANDB_BLOCK_BYTES, known;
		struct buf bytes = BUF_INIT;
		const struct series *s;
		struct reading r;

		buf_add(&bytes, f.bytes.s, f.bytes.n);
		for (size_t k = 0; k < n; k++)
			bytes.s[at + k] = (char)next_random(&seed);
		begin(&r, true);
		read_to(&r, bytes.s, bytes.n);
		s = r.sink.series->series[0];
		known = 7 + r.sink.health.skipped_bytes + r.sink.health.tail_bytes;
		for (size_t k = 0; k < s->n; k++)
			known += (int64_t)sizes[s->x[k]];
		if (known > (int64_t)bytes.n || known < (int64_t)bytes.n - 6 * blocks)
			fail_msg("%zu at %zu: %" PRId64 " bytes of %zu are known", n, at, known,
				bytes.n);
		assert_true(s->n + 3 + n / 40 >= LONG_ROWS);
		end(&r);
		buf_release(&bytes);
	}
	wandb_file_release(&f);
}

static void bytes_of_padding_that_are_not_zero_are_skipped(void **state)
{
	struct wandb_file f;
	struct buf body = BUF_INIT;
	struct health h;
	size_t padding;

	(void)state;
	wandb_file_begin(&f);
	/* Five bytes are left in the block: a record is 18 bytes more than its text. */
	field_number(&body, 1, 1);
	field_varint(&body, 3 << 3 | 2);
	field_varint(&body, 32728);
	for (size_t i = 0; i < 32728; i++)
		buf_addc(&body, 'x');
	wandb_file_record(&f, 13, &body);
	padding = wandb_file_left(&f);
	assert_in_range(padding, 1, 6);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	h = health_of(f.bytes.s, f.bytes.n);
	assert_int_equal(h.records, 2);
	assert_int_equal(h.skipped_bytes, 0);
	f.bytes.s[WANDB_BLOCK_BYTES - 1] = 'x';
	h = health_of(f.bytes.s, f.bytes.n);
	assert_int_equal(h.records, 2);
	assert_int_equal(h.skipped_bytes, padding);
	wandb_file_release(&f);
	buf_release(&body);
}

/* What is open when the run has ended will not be completed. */
static void an_open_record_of_an_ended_run_is_damage(void **state)
{
	struct wandb_file f;
	struct health h;
	size_t whole;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	whole = f.bytes.n;
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "1", NULL });
	f.bytes.s[f.bytes.n - 1] ^= 1;
	h = health_of(f.bytes.s, f.bytes.n);
	assert_int_equal(h.bad_data, 1);
	assert_int_equal(h.tail_bytes, f.bytes.n - whole);
	h = health_of(f.bytes.s, f.bytes.n - 5);
	assert_int_equal(h.bad_data, 0);
	buf_truncate(&f.bytes, whole);
	wandb_file_chunk(&f, CHUNK_FIRST, "begun", 5);
	h = health_of(f.bytes.s, f.bytes.n);
	assert_int_equal(h.orphans, 1);
	wandb_file_release(&f);
}

static void a_huge_record_is_verified_and_not_looked_into(void **state)
{
	struct wandb_file f;
	struct buf body = BUF_INIT;
	struct health h;

	(void)state;
	wandb_file_begin(&f);
	buf_pad(&body, 'x', 17 << 20);
	wandb_file_record(&f, 2, &body);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	h = health_of(f.bytes.s, f.bytes.n);
	assert_int_equal(h.records, 2);
	assert_int_equal(h.left_out, 1);
	assert_int_equal(h.points, 1);
	assert_int_equal(h.malformed, 0);
	wandb_file_release(&f);
	buf_release(&body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flipped_bit_costs_one_record),
		cmocka_unit_test(the_search_behind_damage_is_bounded),
		cmocka_unit_test(a_wrong_header_is_refused),
		cmocka_unit_test(a_hole_costs_what_it_touches),
		cmocka_unit_test(no_byte_is_lost_silently),
		cmocka_unit_test(bytes_of_padding_that_are_not_zero_are_skipped),
		cmocka_unit_test(an_open_record_of_an_ended_run_is_damage),
		cmocka_unit_test(a_huge_record_is_verified_and_not_looked_into),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
