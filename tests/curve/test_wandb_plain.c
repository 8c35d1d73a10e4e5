/*
 * Histories whose rows are taken by the bytes of an earlier one give what the general
 * reader finds in them: all kinds of rows, whole and damaged, in parts.
 */
#include "config.h"

#include <stdio.h>

#include "read_alike.h"

#include "curve/reader_decimal.h"
#include "curve/wandb.h"
#include "make_wandb.h"

static uint64_t seed = 11;

static size_t pick(size_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(seed >> 33) % n;
}

/* Values as programs write them, and the odd ones. */
static void random_json(char out[64], bool odd)
{
	static const char *const others[] = { "NaN", "Infinity", "-Infinity", "null", "true",
		"false",
		"\"NaN\"", "\"0.5\"", "\"text\"", "[1, 2]", "{\"a\": 1, \"b\": {\"c\": 2}}",
		"{\"_type\": \"image-file\"}", " 1.5 ", "+5", "1e999", "-0.0", "1.", ".5", "0x1F",
		"12345678901234567890", "1.7976931348623157e308", "5e-324", "" };

	if (odd)
		snprintf(out, 64, "%s", others[pick(ARRAY_LEN(others))]);
	else if (pick(4) == 0)
		snprintf(out, 64, "%zu", pick(100000));
	else if (pick(3) == 0)
		snprintf(out, 64, "%.3e", (double)pick(1000000) / 997);
	else
		snprintf(out, 64, "%.17g", (double)pick(1000000007) / 999983);
}

static const char *const names[] = { "loss", "train.loss", "lr", "epoch", "train/epoch", "a", "",
	"a name that is longer than any buffer of a few bytes and goes on for quite a while yet",
	"grad_norm", "eval.acc", "_wandb", "_runtime" };

struct kind {
	size_t first, n;		/* names of a row */
	bool nested, step_item, step_field, timestamp;
};

static struct kind random_kind(void)
{
	struct kind k = { pick(ARRAY_LEN(names)), 1 + pick(6), pick(2), pick(5) > 0, pick(3) == 0,
		pick(3) > 0 };

	k.step_field |= !k.step_item && pick(8);
	return k;
}

static void add_row(struct wandb_file *f, const struct kind *k, int64_t step, size_t odd)
{
	struct buf body = BUF_INIT, number = BUF_INIT;
	char json[64];

	for (size_t i = 0; i < k->n; i++) {
		random_json(json, pick(odd) == 0);
		field_item(&body, 1, names[(k->first + i) % ARRAY_LEN(names)], json, k->nested);
	}
	if (k->timestamp) {
		snprintf(json, sizeof json, "%.6f", 1.7e9 + (double)step * 0.25);
		field_item(&body, 1, "_timestamp", pick(odd) ? json : "\"soon\"", k->nested);
	}
	if (k->step_item) {
		snprintf(json, sizeof json, pick(odd) ? "%" PRId64 : "%" PRId64 ".0", step);
		field_item(&body, 1, "_step", pick(odd) ? json : "null", k->nested);
	}
	if (k->step_field) {
		if (step)
			field_number(&number, 1, (uint64_t)step + pick(2));
		field_buf(&body, 2, &number);
	}
	if (pick(odd) == 0)
		field_number(&body, 3, 7);	/* a field that nobody knows */
	wandb_file_record(f, 2, &body);
	buf_release(&body);
	buf_release(&number);
}

static void add_other(struct wandb_file *f, int64_t step)
{
	char text[80];

	switch (pick(6)) {
	case 0:
		snprintf(text, sizeof text, "step %" PRId64 " loss: %zu.5 speed: 3\n", step,
			pick(9));
		wandb_file_print(f, pick(2), text);
		break;
	case 1:
		wandb_file_stats(f, 1700000000 + step, "gpu", pick(3) ? "40.5" : "{\"a\": 1}");
		break;
	case 2:
		wandb_file_metric(f, pick(2) ? "loss" : "*.*", pick(2), "epoch", 0);
		break;
	case 3:
		wandb_file_run(f, "abc", pick(3) ? 0 : step);
		break;
	default:
		wandb_file_print(f, true, "nothing to see\n");
		break;
	}
}

static void damage(struct buf *file)
{
	size_t at = pick(file->n), hole = 1 + pick(60);

	if (pick(3)) {
		file->s[at] = (char)(file->s[at] ^ 1 << pick(8));
		return;
	}
	hole = hole < file->n - at ? hole : file->n - at;
	memmove(file->s + at, file->s + at + hole, file->n - at - hole);
	buf_truncate(file, file->n - hole);
}

/* Two kinds of rows in turn, some of them odd; now and then something else. */
static void write_file(struct wandb_file *f, size_t n, size_t odd)
{
	static const char other_tail[] = "\x9a\x01\x03" "abc";
	struct kind kinds[] = { random_kind(), random_kind(), random_kind() };
	int64_t step = (int64_t)pick(3);

	wandb_file_begin(f);
	for (size_t i = 0; i < n; i++) {
		step += pick(20) ? 1 : -(int64_t)pick(5);
		if (pick(12) == 0)
			add_other(f, step);
		if (pick(100) == 0)
			f->tail = other_tail, f->tail_n = sizeof other_tail - 1;
		add_row(f, &kinds[pick(9) ? i % 2 : 2], step, odd);
	}
}

static void histories_read_alike(void **state)
{
	(void)state;
	for (size_t i = 0; i < 150; i++) {
		struct wandb_file f;

		write_file(&f, 20 + pick(400), 2 + pick(80));
		for (size_t k = pick(2) ? pick(4) : 0; k; k--)
			damage(&f.bytes);
		assert_reads_alike(&wandb_format, &f.bytes, 0, 1 + pick(6));
		wandb_file_release(&f);
	}
}

static void set_checksum(char *chunk)
{
	uint32_t crc = libdeflate_crc32(0, chunk + 6, chunk_length(chunk) + 1);

	for (int i = 0; i < 4; i++)
		chunk[i] = (char)(crc >> 8 * i);
}

/* Lengths that lie, names that are others: whatever a bit changes in a row of a known form,
 * whose checksum is right. */
static void any_changed_bit_reads_alike(void **state)
{
	struct wandb_file f;
	size_t at = 0;
	char *chunk, step[8];

	(void)state;
	wandb_file_begin(&f);
	for (int i = 0; i < 5; i++) {
		at = i == 3 ? f.bytes.n : at;
		snprintf(step, sizeof step, "%d", 10 + i);
		wandb_file_row(&f, (const char *[]){ "loss", "0.25", "_step", step, "_timestamp",
					   "1700000000.5", NULL });
	}
	chunk = f.bytes.s + at;
	for (size_t bit = 0; bit < 8 * chunk_length(chunk); bit++) {
		char *byte = chunk + CHUNK_HEADER_BYTES + bit / 8;

		*byte = (char)(*byte ^ 1 << bit % 8);
		set_checksum(chunk);
		assert_reads_alike(&wandb_format, &f.bytes, 0, 1);
		*byte = (char)(*byte ^ 1 << bit % 8);
	}
	wandb_file_release(&f);
}

/* From 128 on a length has two bytes; one alone makes a record of another length. */
static void a_long_item_with_a_short_length_reads_alike(void **state)
{
	enum { LONG = 127 };
	struct wandb_file f;
	char digits[LONG + 1] = "";

	(void)state;
	memset(digits, '7', LONG);
	wandb_file_begin(&f);
	for (int i = 0; i < 4; i++) {
		struct buf item = BUF_INIT, body = BUF_INIT;
		char step[8];

		snprintf(step, sizeof step, "%d", i);
		field_text(&item, 2, "_extra");
		field_text(&item, 16, i < 3 ? "7" : digits);
		buf_addc(&body, 0x0a);
		buf_addc(&body, (char)item.n);
		buf_add(&body, item.s, item.n);
		field_item(&body, 1, "loss", "0.5", true);
		field_item(&body, 1, "_step", step, true);
		wandb_file_record(&f, 2, &body);
		buf_release(&item);
		buf_release(&body);
	}
	assert_reads_alike(&wandb_format, &f.bytes, 0, 1);
	wandb_file_release(&f);
}

/* The usual rows do take the short way: a row that was learnt is used again and again. */
static void usual_rows_are_learnt(void **state)
{
	struct curve_options options = { .no_shapes = false };
	struct curve_sink sink = { .options = &options, .name = "sample",
		.budget_bytes = INT64_MAX / 2 };
	struct wandb_file f;
	struct curve_source src;
	void *reader;
	char loss[32], step[32];

	(void)state;
	wandb_file_begin(&f);
	for (int i = 0; i < 5000; i++) {
		snprintf(loss, sizeof loss, "%.15g", 2.5 / (1 + i));
		snprintf(step, sizeof step, "%d", i);
		wandb_file_row(&f, (const char *[]){ "loss", loss, "note", "\"text\"",
					   "_step", step,
			"_timestamp", "1700000000.5", NULL });
	}
	forget(&sink);
	reader = wandb_format.new_state(&sink);
	source_open_memory(&src, f.bytes.s, f.bytes.n);
	assert_int_equal(wandb_format.advance(reader, &sink, &src, 0), f.bytes.n);
	assert_int_equal(sink.health.records, 5000);
	assert_int_equal(sink.health.non_numeric, 5000);
	assert_int_equal(sink.series->n, 1);
	assert_int_equal(sink.series->series[0]->n, 5000);
	assert_int_equal(sink.series->series[0]->x[4999], 4999);
	assert_true(series_value(sink.series->series[0], 4999) == 2.5 / 5000);
	assert_true(series_wall(sink.series->series[0], 17) == 1700000000.5);
	/* Rows that lie across a border are put together first: all but those. */
	assert_true(wandb_rows_by_bytes(reader) > 4900);
	wandb_format.free_state(reader);
	forget(&sink);
	run_series_free(sink.series);
	source_release(&src);
	wandb_file_release(&f);
}

/* A decimal that is taken has the bits that the C library gives; usual ones are taken. */
static void decimals_are_read_exactly(void **state)
{
	static const char *const usual[] = { "0.5", "1.25", "-3.75", "12", "100000",
		"1700000123.25",
		"0.4872364857236485", "123.4567890123456", "4.99950000000001e-05", "1.5e+10",
		"0.000012345678", "9.007199254740992", "9.007199254740993", "1.", ".5", "-.5",
		"-0.0",
		"0.12345678901234567", "12.345678901234567", "-0.012345678901234567", "2e-05",
		"2.3456789255142212", "1.2345678901234567e-05", "9999999999999999" };
	static const char *const others[] = { "-", ".", "-.", "+1", "e-05", "1e-5", "1.5e-305",
		"1..5", "1.5.", "nan", "Infinity", "0x10", "1.5e-0", "12345678901234567890",
		"1 ", "--1", "0.1234567890123456789", "1.2345678901234567.", "12345678901234567",
		".5.5", "1.5e-30" };
	size_t taken = 0;

	(void)state;
#ifndef __SSE2__
	skip();		/* every number takes the general way */
#endif
	for (size_t i = 0; i < 200000; i++) {
		char room[DECIMAL_BEFORE + 64], *text = room + DECIMAL_BEFORE;
		double v, exact;
		size_t n;

		memset(room, "x7.e-\n"[i % 6], sizeof room);
		if (i < ARRAY_LEN(usual))
			snprintf(text, 64, "%s", usual[i]);
		else if (i % 100 == 0)
			snprintf(text, 64, "%s", others[pick(ARRAY_LEN(others))]);
		else
			snprintf(text, 64, pick(2) ? "%.*g" : pick(2) ? "%.*f" : "%.*e",
				(int)(1 + pick(18)),
				((double)pick(1000000007) / 999983 - 300) /
					(double)(1u << pick(20)));
		n = strlen(text);
		text[n] = "x7.e-\n"[pick(6)];
		if (!decimal_read(&v, text, n)) {
			assert_true(i >= ARRAY_LEN(usual));
			continue;
		}
		text[n] = '\0';
		exact = strtod(text, NULL);
		if (memcmp(&v, &exact, sizeof v) != 0)
			fail_msg("%s is read as %.17g", text, v);
		taken++;
	}
	assert_true(taken > 100000);
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		char room[DECIMAL_BEFORE + 64] = { 0 };
		char *text = room + DECIMAL_BEFORE;
		double v;

		snprintf(text, 64, "%s", others[i]);
		assert_false(decimal_read(&v, text, strlen(text)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histories_read_alike),
		cmocka_unit_test(any_changed_bit_reads_alike),
		cmocka_unit_test(a_long_item_with_a_short_length_reads_alike),
		cmocka_unit_test(usual_rows_are_learnt),
		cmocka_unit_test(decimals_are_read_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
