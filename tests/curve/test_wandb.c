/*
 * .wandb files: the same points however they arrive, damage that costs no more than
 * it must, and what a file holds beside its history.
 */
#include "config.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read_alike.h"

#include "base/err.h"
#include "base/fs.h"
#include "curve/run_files.h"
#include "curve/wandb.h"
#include "curve/wandb_folder.h"
#include "make_wandb.h"

/* ---- reading from memory ------------------------------------------------------------ */

struct reading {
	void *state;
	struct curve_options options;
	struct curve_sink sink;
	int64_t offset;
	int again;
};

static void begin(struct reading *r, bool ended)
{
	*r = (struct reading){ .options = { .ended = ended } };
	r->sink.options = &r->options;
	r->sink.budget_bytes = INT64_MAX / 2;
	r->sink.name = "sample";
	r->sink.changed_s = NAN;
	forget(&r->sink);
	r->state = wandb_format.new_state(&r->sink);
}

/* What there is are the first N bytes. */
static void read_to(struct reading *r, const char *p, size_t n)
{
	char *copy = xmalloc(n + 1);
	struct curve_source src;
	int64_t next;

	memcpy(copy, p, n);	/* so that the sanitizer sees its end */
	source_open_memory(&src, copy, n);
	while ((next = wandb_format.advance(r->state, &r->sink, &src, r->offset)) == CURVE_AGAIN) {
		forget(&r->sink);
		r->offset = 0;
		r->again++;
	}
	assert_true(next >= r->offset && next <= (int64_t)n);
	r->offset = next;
	r->sink.health.tail_bytes = (int64_t)n - next;
	if (r->options.ended)
		wandb_format.finish(r->state, &r->sink, &src, next);
	source_release(&src);
	free(copy);
}

static void end(struct reading *r)
{
	wandb_format.free_state(r->state);
	forget(&r->sink);
	run_series_free(r->sink.series);
	curve_notes_release(&r->sink.notes);
}

static void dump_reading(struct buf *out, const struct reading *r)
{
	buf_clear(out);
	buf_addf(out, "tail %" PRId64 "\n", r->sink.health.tail_bytes);
	dump(out, &r->sink);
}

static void dump_fresh(struct buf *out, const char *p, size_t n)
{
	struct reading r;

	begin(&r, false);
	read_to(&r, p, n);
	dump_reading(out, &r);
	end(&r);
}

static void assert_same(const char *what, size_t at, const struct buf *got, const struct buf *whole)
{
	if (strcmp(got->s, whole->s) != 0)
		fail_msg("%s, %zu:\n%s\nwhole:\n%s", what, at, got->s, whole->s);
}

static void load_sample(struct buf *out, const char *name)
{
	const char *srcdir = getenv("srcdir");
	char *path = xasprintf("%s/tests/curve/samples/wandb/%s", srcdir ? srcdir : ".", name);

	buf_init(out);
	assert_int_equal(fs_read(out, path, 0), 0);
	free(path);
}

/* ---- growing -------------------------------------------------------------------------- */

/* Everything that a file can hold, in a few kilobytes. */
static void write_rich_file(struct wandb_file *f)
{
	static const char *const printed[] = { "step 1 speed: 10 loss: 9\nste", "p 2 speed: 11\n",
		"Epoch 1/2:  50%|###  | 2/4 [00:01<00:01, 1.0it/s, mem=2.1]\r", "\n", "" };

	wandb_file_begin(f);
	wandb_file_run(f, "rich0001", 0);
	wandb_file_metric(f, "val.*", true, "epoch", 0);
	for (int i = 0; i < 12; i++) {
		char step[16], loss[32];

		snprintf(step, sizeof step, "%d", i % 7);
		snprintf(loss, sizeof loss, "%.12g", 3.0 / (1 + i));
		wandb_file_row(f, (const char *[]){ "loss", loss, "val.acc", i % 3 ? "0.5" : "null",
			"epoch", "1.5", "_step", step, "_timestamp", "1700000000.5", NULL });
		wandb_file_print(f, i % 2, printed[i % 5]);
		if (i % 4 == 0)
			wandb_file_stats(f, 1700000000 + i, "gpu", "{\"memory\": 4, \"busy\": 0.5}");
		if (i == 8)
			wandb_file_run(f, "rich0001", 5);
	}
	wandb_file_chunk(f, CHUNK_LAST, "lost", 4);
	wandb_file_chunk(f, CHUNK_FIRST, "lost", 4);
	wandb_file_row(f, (const char *[]){ "loss", "1", "_step", "9", NULL });
	wandb_file_row(f, (const char *[]){ "loss", "1", NULL });
}

static void every_length_grown_is_as_fresh(void **state)
{
	struct buf grown = BUF_INIT, fresh = BUF_INIT;
	struct wandb_file f;
	struct reading r;

	(void)state;
	write_rich_file(&f);
	begin(&r, false);
	for (size_t n = 0; n <= f.bytes.n; n++) {
		read_to(&r, f.bytes.s, n);
		dump_reading(&grown, &r);
		dump_fresh(&fresh, f.bytes.s, n);
		assert_same("grown", n, &grown, &fresh);
	}
	assert_int_equal(r.sink.health.malformed, 1);
	assert_int_equal(r.sink.health.orphans, 2);
	end(&r);
	wandb_file_release(&f);
	buf_release(&grown);
	buf_release(&fresh);
}

static void assert_split(const struct buf *bytes, size_t split, const struct buf *whole)
{
	struct buf parts = BUF_INIT;
	struct reading r;

	begin(&r, false);
	read_to(&r, bytes->s, split);
	read_to(&r, bytes->s, bytes->n);
	dump_reading(&parts, &r);
	assert_same("split", split, &parts, whole);
	end(&r);
	buf_release(&parts);
}

static void every_split_gives_what_one_read_gives(void **state)
{
	static const char *const samples[] = { "03-blocks/run-blocks01.wandb",
		"07b-tail/run-tail0002.wandb", "08-zero-block/run-zero0001.wandb" };
	struct buf whole = BUF_INIT, bytes;
	struct wandb_file f;

	(void)state;
	write_rich_file(&f);
	dump_fresh(&whole, f.bytes.s, f.bytes.n);
	for (size_t split = 0; split <= f.bytes.n; split++)
		assert_split(&f.bytes, split, &whole);
	wandb_file_release(&f);
	/* Long ones at the borders of their blocks, and here and there. */
	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		load_sample(&bytes, samples[i]);
		dump_fresh(&whole, bytes.s, bytes.n);
		for (size_t split = 0; split <= bytes.n; split++)
			if ((split + 12) % WANDB_BLOCK_BYTES < 24 || split % 397 == 0 ||
				split < 300)
				assert_split(&bytes, split, &whole);
		buf_release(&bytes);
	}
	buf_release(&whole);
}

/*
 * A record of a run may hold anything, also a chunk.  While it is not all there it
 * looks like damage in front of a good chunk; when it is, what was read is void.
 */
static void a_chunk_in_a_chunk_is_no_record(void **state)
{
	struct wandb_file inner, f;
	struct buf grown = BUF_INIT, fresh = BUF_INIT, text = BUF_INIT;
	struct reading r;
	size_t outer_end;

	(void)state;
	wandb_file_begin(&inner);
	wandb_file_row(&inner, (const char *[]){ "fake", "1", "_step", "1", NULL });
	wandb_file_begin(&f);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	buf_adds(&text, "a file of its own: ");
	buf_add(&text, inner.bytes.s, inner.bytes.n);
	buf_adds(&text, " and more\n");
	field_number(&fresh, 1, 1);
	field_buf(&fresh, 3, &text);
	wandb_file_record(&f, 13, &fresh);
	outer_end = f.bytes.n;
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "1", NULL });
	begin(&r, false);
	read_to(&r, f.bytes.s, outer_end - 1);
	assert_non_null(run_series_find(r.sink.series, "fake", -1));
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_int_equal(r.again, 1);
	assert_null(run_series_find(r.sink.series, "fake", -1));
	assert_int_equal(r.sink.health.bad_data, 0);
	dump_reading(&grown, &r);
	dump_fresh(&fresh, f.bytes.s, f.bytes.n);
	assert_same("grown", f.bytes.n, &grown, &fresh);
	end(&r);
	wandb_file_release(&inner);
	wandb_file_release(&f);
	buf_release(&grown);
	buf_release(&fresh);
	buf_release(&text);
}

/* A file may be made longer before it is written. */
static void zeros_at_the_end_are_a_tail(void **state)
{
	struct wandb_file f;
	struct buf longer = BUF_INIT;
	struct reading r;
	size_t written, all;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_row(&f, (const char *[]){ "loss", "2", "_step", "0", NULL });
	written = f.bytes.n;
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "1", NULL });
	all = f.bytes.n;
	buf_add(&longer, f.bytes.s, written);
	for (size_t i = 0; i < 100000; i++)
		buf_addc(&longer, 0);
	begin(&r, false);
	read_to(&r, longer.s, longer.n);
	assert_int_equal(r.sink.health.records, 1);
	assert_int_equal(r.sink.health.tail_bytes, 100000);
	assert_int_equal(r.sink.health.skipped_bytes, 0);
	memcpy(longer.s, f.bytes.s, all);
	read_to(&r, longer.s, longer.n);
	assert_int_equal(r.sink.health.records, 2);
	assert_int_equal(r.sink.health.bad_data, 0);
	end(&r);
	wandb_file_release(&f);
	buf_release(&longer);
}

/* ---- damage ------------------------------------------------------------------------------ */

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

/* ---- what a file holds -------------------------------------------------------------------- */

static const struct series *find(const struct reading *r, const char *name)
{
	const struct series *s = run_series_find(r->sink.series, name, AXIS_STEP);

	if (!s)
		fail_msg("%s is missing", name);
	return s;
}

static void define_metric_is_kept_with_the_series(void **state)
{
	struct wandb_file f;
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_metric(&f, "epoch", false, NULL, 0);
	wandb_file_metric(&f, "val/*", true, NULL, 1);		/* by the number of the metric */
	wandb_file_metric(&f, "val/acc", false, "samples", 0);
	wandb_file_row(&f, (const char *[]){ "val/loss", "1", "val/acc", "2", "late", "3", "plain",
		"4", "_step", "0", NULL });
	wandb_file_metric(&f, "late", false, "tokens", 0);
	wandb_file_metric(&f, "val/*", true, "other", 0);	/* the last pattern counts */
	wandb_file_metric(&f, "plain", false, "_step", 0);
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_string_equal(find(&r, "val/loss")->x_metric, "other");
	assert_string_equal(find(&r, "val/acc")->x_metric, "samples");
	assert_string_equal(find(&r, "late")->x_metric, "tokens");
	assert_null(find(&r, "plain")->x_metric);
	end(&r);
	wandb_file_release(&f);
}

static void the_epoch_stands_beside_the_step(void **state)
{
	struct wandb_file f;
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_row(&f,
		(const char *[]){ "loss", "1", "train/epoch", "0.25", "_step", "3", NULL });
	wandb_file_row(&f, (const char *[]){ "acc", "1", "_step", "4", "_runtime", "2.5", NULL });
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_true(series_epoch(find(&r, "loss"), 0) == 0.25);
	assert_true(isnan(series_epoch(find(&r, "acc"), 0)));
	/* A run time alone is no time of day: when the run began is not said. */
	assert_true(isnan(series_wall(find(&r, "acc"), 0)));
	end(&r);
	wandb_file_release(&f);
}

static void facts_of_the_run_are_read(void **state)
{
	struct wandb_file f;
	struct buf body = BUF_INIT, part = BUF_INIT, config = BUF_INIT, line = BUF_INIT;
	const struct wandb_facts *facts;
	struct curve_file file = { 0 };
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	field_item(&part, 1, "lr", "0.001", false);
	field_item(&part, 1, "optimizer", "{\"name\": \"adam\", \"betas\": [0.9, 0.999]}", false);
	field_item(&part, 1, "gone", "1", false);
	field_item(&part, 1, "_wandb", "{\"version\": 1}", false);
	field_text(&body, 1, "abc");
	field_text(&body, 3, "demo");
	field_buf(&body, 4, &part);
	field_text(&body, 13, "gpu-\x1b[31ma");
	field_time(&body, 17, 1700000000);
	buf_clear(&part);
	field_text(&part, 2, "0123456789abcdef");
	field_buf(&body, 21, &part);
	wandb_file_record(&f, 17, &body);
	field_item(&config, 1, "lr", "0.01", false);
	field_item(&config, 2, "gone", "", false);
	wandb_file_record(&f, 5, &config);
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "0", "_runtime", "2.5", NULL });
	buf_clear(&part);
	field_number(&part, 1, 137);
	wandb_file_record(&f, 18, &part);
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	file.state = r.state;
	facts = wandb_facts_of(&file);
	assert_string_equal(facts->run_id, "abc");
	assert_string_equal(facts->commit, "0123456789abcdef");
	assert_true(facts->exited);
	assert_int_equal(facts->exit_code, 137);
	assert_true(curve_notes_has(&r.sink.notes, "wandb-exit"));
	assert_true(series_wall(find(&r, "loss"), 0) == 1700000002.5);
	assert_string_equal(settings_find(&r.sink.settings, "lr"), "0.01");
	assert_string_equal(settings_find(&r.sink.settings, "optimizer.name"), "adam");
	assert_string_equal(settings_find(&r.sink.settings, "optimizer.betas"), "[0.9, 0.999]");
	assert_null(settings_find(&r.sink.settings, "gone"));
	assert_int_equal(r.sink.settings.n, 3);
	wandb_format.describe(&line, &file);
	assert_non_null(strstr(line.s, "run abc of demo, host gpu-"));
	assert_non_null(strstr(line.s, ", commit 0123456789, exit 137"));
	assert_null(strchr(line.s, '\x1b'));
	end(&r);
	wandb_file_release(&f);
	buf_release(&body);
	buf_release(&part);
	buf_release(&config);
	buf_release(&line);
}

/* A rewound run keeps the step that it was rewound to. */
static void a_branch_begins_behind_its_step(void **state)
{
	struct wandb_file f;
	struct buf body = BUF_INIT, branch = BUF_INIT;
	struct reading r;

	(void)state;
	wandb_file_begin(&f);
	field_text(&branch, 1, "other");
	field_varint(&branch, 2 << 3 | 1);
	buf_add(&branch, "\0\0\0\0\0\0\x44\x40", 8);	/* 40.0 */
	field_text(&branch, 3, "_step");
	field_text(&body, 1, "fork0001");
	field_buf(&body, 23, &branch);
	wandb_file_record(&f, 17, &body);
	wandb_file_row(&f, (const char *[]){ "loss", "1", "_step", "44", NULL });
	begin(&r, false);
	read_to(&r, f.bytes.s, f.bytes.n);
	assert_int_equal(find(&r, "loss")->segments[0].start, 41);
	assert_true(find(&r, "loss")->segments[0].marked);
	assert_true(curve_notes_has(&r.sink.notes, "wandb-fork"));
	end(&r);
	wandb_file_release(&f);
	buf_release(&body);
	buf_release(&branch);
}

/* ---- as files of a run ----------------------------------------------------------------------- */

static char *make_folder(void)
{
	char *folder = xstrdup("/tmp/portside-wandb-XXXXXX");

	assert_non_null(mkdtemp(folder));
	return folder;
}

static void put_file(const char *folder, const char *name, const struct buf *bytes)
{
	struct arena a = ARENA_INIT;
	char *path = fs_join(&a, folder, name);
	FILE *f;

	assert_int_equal(fs_mkdirs(fs_dirname(&a, path), 0700), 0);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes->s, 1, bytes->n, f), bytes->n);
	assert_int_equal(fclose(f), 0);
	arena_release(&a);
}

static void put_words(const char *folder, const char *name, const char *text)
{
	struct buf bytes = BUF_INIT;

	buf_adds(&bytes, text);
	put_file(folder, name, &bytes);
	buf_release(&bytes);
}

static void refresh(struct run_files *run)
{
	int result;

	do
		result = run_files_refresh(run, NULL);
	while (result == CURVE_MORE);
	if (result < 0)
		fail_msg("%s", err_text());
}

static void write_session(struct wandb_file *f, const char *id, int64_t first, int64_t last,
	int64_t starting_step, int64_t began)
{
	char step[16], time[32];

	wandb_file_begin(f);
	wandb_file_run(f, id, starting_step);
	for (int64_t i = first; i <= last; i++) {
		snprintf(step, sizeof step, "%" PRId64, i);
		snprintf(time, sizeof time, "%" PRId64 ".25", began + i);
		wandb_file_row(f,
			(const char *[]){ "loss", step, "_step", step, "_timestamp", time, NULL });
		wandb_file_stats(f, began + i, "cpu", step);
	}
}

/* Sessions are in the order of their beginning, though one was offline and one is a link. */
static void sessions_of_a_run_are_segments(void **state)
{
	char *folder = make_folder(), *link = xasprintf("%s/latest-run", folder);
	struct run_files *run = run_files_new(NULL);
	const struct series *s;
	struct wandb_file f;
	size_t *points;

	(void)state;
	write_session(&f, "abc", 0, 9, 0, 1700000000);
	put_file(folder, "run-20231114_221320-abc/run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	write_session(&f, "abc", 7, 14, 6, 1700000100);
	put_file(folder, "offline-run-20231114_223000-abc/run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	assert_int_equal(symlink("run-20231114_221320-abc", link), 0);
	assert_int_equal(run_files_add(run, folder), 0);
	assert_int_equal(run_files_add(run, link), 0);
	refresh(run);
	assert_int_equal(run->n, 2);
	s = run_series_find(run->series, "loss", AXIS_STEP);
	assert_non_null(s);
	assert_int_equal(s->n, 18);
	assert_int_equal(s->n_segments, 2);
	assert_int_equal(s->segments[1].start, 6);
	assert_int_equal(s->x[10], 7);
	assert_int_equal(series_current(s, SEGMENT_LATEST_WINS, &points), 6 + 8);
	free(points);
	/* The clock of the system goes on; nothing of the first session is superseded. */
	s = run_series_find(run->series, "system/cpu", AXIS_TIME);
	assert_non_null(s);
	assert_true(series_x(s, 9) == 9 && series_x(s, 10) == 107);
	assert_int_equal(series_current(s, SEGMENT_LATEST_WINS, &points), 18);
	free(points);
	assert_false(curve_notes_has(&run->notes, "concurrent-writers"));
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(link);
	free(folder);
}

static void runs_of_other_ids_are_told_apart(void **state)
{
	char *folder = make_folder();
	struct run_files *run;
	struct wandb_file f;

	(void)state;
	write_session(&f, "abc", 0, 2, 0, 1700000000);
	put_file(folder, "run-20231114_221320-abc/run-abc.wandb", &f.bytes);
	put_file(folder, "run-20231114_221330-def/run-def.wandb", &f.bytes);
	wandb_file_release(&f);
	assert_int_equal(run_files_load(&run, folder, NULL), 0);
	assert_int_equal(run_series_find(run->series, "abc/loss", AXIS_STEP)->n, 3);
	assert_int_equal(run_series_find(run->series, "def/loss", AXIS_STEP)->n, 3);
	assert_null(run_series_find(run->series, "loss", -1));
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

/* What the program logged beats what it printed; what it only printed is there too. */
static void printed_metrics_are_found(void **state)
{
	char *folder = make_folder();
	struct run_files *run = run_files_new(NULL);
	const struct series *loss, *speed;
	struct wandb_file f;

	(void)state;
	wandb_file_begin(&f);
	wandb_file_run(&f, "abc", 0);
	wandb_file_print(&f, true, "step 1 loss: 9 speed: 10\nstep 2 lo");
	wandb_file_print(&f, false, "a warning, step 77 speed: 1");
	wandb_file_print(&f, true, "ss: 8 speed: 11\n");
	put_file(folder, "run-abc.wandb", &f.bytes);
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	loss = run_series_find(run->series, "loss", AXIS_STEP);
	assert_int_equal(loss->n, 2);
	assert_true(loss->printed);
	assert_ptr_equal(run_files_format_of(run, loss), wandb_format.printed);
	wandb_file_row(&f, (const char *[]){ "loss", "2.5", "_step", "1", NULL });
	wandb_file_print(&f, true, "step 3 loss: 7 speed: 12\n");
	put_file(folder, "run-abc.wandb", &f.bytes);
	refresh(run);
	loss = run_series_find(run->series, "loss", AXIS_STEP);
	speed = run_series_find(run->series, "speed", AXIS_STEP);
	assert_int_equal(loss->n, 1);
	assert_true(series_value(loss, 0) == 2.5);
	assert_false(loss->printed);
	assert_ptr_equal(run_files_format_of(run, loss), &wandb_format);
	assert_int_equal(speed->n, 3);
	assert_int_equal(speed->x[2], 3);
	assert_true(series_value(speed, 1) == 11);
	assert_false(curve_notes_has(&run->notes, "duplicate-source"));
	wandb_file_release(&f);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

static void a_shorter_file_replaces_a_longer_one(void **state)
{
	char *folder = make_folder();
	struct run_files *run = run_files_new(NULL);
	struct wandb_file f;

	(void)state;
	write_session(&f, "abc", 0, 300, 0, 1700000000);
	put_file(folder, "run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	assert_int_equal(run_files_add(run, folder), 0);
	refresh(run);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 301);
	write_session(&f, "abc", 0, 4, 0, 1700000000);
	put_file(folder, "run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	refresh(run);
	assert_int_equal(run_series_find(run->series, "loss", AXIS_STEP)->n, 5);
	assert_int_equal(run->health.records, 11);
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

/* What W&B keeps beside the file is no curve of the run. */
static void only_the_file_is_taken(void **state)
{
	char *folder = make_folder();
	struct run_files *run;
	struct wandb_file f;

	(void)state;
	write_session(&f, "abc", 0, 4, 0, 1700000000);
	put_file(folder, "run-20231114_221320-abc/run-abc.wandb", &f.bytes);
	wandb_file_release(&f);
	put_words(folder, "run-20231114_221320-abc/files/wandb-summary.json",
		"{\"_step\": 4, \"loss\": 77, \"_runtime\": 5}\n");
	put_words(folder, "run-20231114_221320-abc/files/output.log", "step 4 loss: 77 speed: 3\n");
	put_words(folder, "run-20231114_221320-abc/files/requirements.txt", "step 3 x: 4\n");
	put_words(folder, "run-20231114_221320-abc/logs/debug.log", "step 9 loss: 3\n");
	put_words(folder, "train.log", "step 4 other: 5\n");
	assert_int_equal(run_files_load(&run, folder, NULL), 0);
	assert_int_equal(run->n, 2);
	assert_int_equal(run_series_find(run->series, "loss", -1)->n, 5);
	assert_int_equal(run_series_find(run->series, "other", -1)->n, 1);
	assert_null(run_series_find(run->series, "speed", -1));
	assert_null(run_series_find(run->series, "_runtime", -1));
	run_files_free(run);
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

static void names_of_files_are_understood(void **state)
{
	static const struct {
		const char *path, *id, *stamp;
		size_t home_n;
	} places[] = {
		{ "wandb/run-20231114_221320-abc/run-abc.wandb", "abc", "20231114_221320", 6 },
		{ "/w/offline-run-20231114_221320-a-b/run-a-b.wandb", "a-b", "20231114_221320", 3 },
		{ "run-x.wandb", "x", "", 0 },
		{ "runs/x.wandb", "x", "", 5 },
		{ "run-2023-x/run-x.wandb", "x", "", 11 },
		{ "run-.wandb", NULL, NULL, 0 },
		{ "run-x.log", NULL, NULL, 0 },
	};
	static const struct {
		const char *path;
		bool aside;
	} files[] = {
		{ "wandb/run-20231114_221320-abc/files/config.yaml", true },
		{ "wandb/run-20231114_221320-abc/files/wandb-summary.json", true },
		{ "wandb/run-20231114_221320-abc/files/media/table.csv", false },
		{ "wandb/run-20231114_221320-abc/logs/debug-internal.log", true },
		{ "wandb/run-20231114_221320-abc/run-abc.wandb", false },
		{ "wandb/latest-run/files/requirements.txt", true },
		{ "files/config.yaml", false },
		{ "run-1/logs/train.log", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct wandb_place place;

		assert_int_equal(wandb_place_read(&place, places[i].path), places[i].id != NULL);
		if (!places[i].id)
			continue;
		assert_int_equal(place.id_n, strlen(places[i].id));
		assert_memory_equal(place.id, places[i].id, place.id_n);
		assert_int_equal(place.stamp_n, strlen(places[i].stamp));
		assert_memory_equal(place.stamp, places[i].stamp, place.stamp_n);
		assert_int_equal(place.home_n, places[i].home_n);
	}
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		assert_int_equal(wandb_aside(files[i].path) != NULL, files[i].aside);
	assert_true(wandb_is_console_copy("/a/run-20231114_221320-abc/files/output.log"));
	assert_false(wandb_is_console_copy("/a/files/output.log"));
}

/* By content first; a name that promises what is not there is said. */
static void a_file_is_recognised_by_its_first_bytes(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t n;
		const char *format, *error;
	} files[] = {
		{ "a.bin", ":W&B\xe1\xbe\0", 7, "wandb", NULL },
		{ "b.wandb", ":W&B\xe1\xbe\0", 7, "wandb", NULL },
		{ "c.wandb", ":W", 2, "wandb", NULL },
		{ "d.wandb", "", 0, "wandb", NULL },
		{ "e.wandb", "{\"step\": 1, \"loss\": 2}\n", 23, NULL, "bad magic at offset 0" },
		{ "f.wandb", ":W&B\xe1\xbf\0", 7, NULL, "expected .wandb, bad magic at offset 4" },
		{ "g.bin", ":W&B\0\0\0", 7, NULL, "bad magic at offset 4" },
		{ "h.wandb", ":W&B\xe1\xbe\1", 7, NULL, "version 1 at offset 6" },
		{ "i.jsonl", "{\"step\": 1, \"loss\": 2}\n", 23, "jsonl", NULL },
	};
	char *folder = make_folder();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct buf bytes = BUF_INIT;
		char *path = xasprintf("%s/%s", folder, files[i].name);
		const struct curve_format *format;

		buf_add(&bytes, files[i].bytes, files[i].n);
		put_file(folder, files[i].name, &bytes);
		format = curve_format_recognise(path);
		if (files[i].format) {
			assert_non_null(format);
			assert_string_equal(format->name, files[i].format);
		} else {
			assert_null(format);
			assert_int_equal(err_code(), ERR_PARSE);
			assert_non_null(strstr(err_text(), files[i].error));
		}
		buf_release(&bytes);
		free(path);
	}
	assert_int_equal(fs_remove_tree(folder), 0);
	free(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_length_grown_is_as_fresh),
		cmocka_unit_test(every_split_gives_what_one_read_gives),
		cmocka_unit_test(a_chunk_in_a_chunk_is_no_record),
		cmocka_unit_test(zeros_at_the_end_are_a_tail),
		cmocka_unit_test(a_flipped_bit_costs_one_record),
		cmocka_unit_test(the_search_behind_damage_is_bounded),
		cmocka_unit_test(a_wrong_header_is_refused),
		cmocka_unit_test(a_hole_costs_what_it_touches),
		cmocka_unit_test(no_byte_is_lost_silently),
		cmocka_unit_test(bytes_of_padding_that_are_not_zero_are_skipped),
		cmocka_unit_test(an_open_record_of_an_ended_run_is_damage),
		cmocka_unit_test(a_huge_record_is_verified_and_not_looked_into),
		cmocka_unit_test(define_metric_is_kept_with_the_series),
		cmocka_unit_test(the_epoch_stands_beside_the_step),
		cmocka_unit_test(facts_of_the_run_are_read),
		cmocka_unit_test(a_branch_begins_behind_its_step),
		cmocka_unit_test(sessions_of_a_run_are_segments),
		cmocka_unit_test(runs_of_other_ids_are_told_apart),
		cmocka_unit_test(printed_metrics_are_found),
		cmocka_unit_test(a_shorter_file_replaces_a_longer_one),
		cmocka_unit_test(only_the_file_is_taken),
		cmocka_unit_test(names_of_files_are_understood),
		cmocka_unit_test(a_file_is_recognised_by_its_first_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
