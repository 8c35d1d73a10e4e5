/*
 * make_wandb - writes .wandb files for tests: records, chunks, blocks.
 *
 *	struct wandb_file f;
 *
 *	wandb_file_begin(&f);
 *	wandb_file_run(&f, "abc12345", 0);
 *	wandb_file_row(&f, (const char *[]){ "loss", "2.5", "_step", "0", NULL });
 *	...					f.bytes
 *	wandb_file_release(&f);
 */
#ifndef PORTSIDE_TESTS_MAKE_WANDB_H
#define PORTSIDE_TESTS_MAKE_WANDB_H

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <libdeflate.h>

#include "base/buf.h"
#include "curve/wandb_chunk.h"

struct wandb_file {
	struct buf bytes;
	uint64_t n_records;
	const char *tail;	/* encoded fields behind the message of a record */
	size_t tail_n;
};

static inline void field_varint(struct buf *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		buf_addc(b, (char)(v | 128));
	buf_addc(b, (char)v);
}

static inline void field_number(struct buf *b, unsigned field, uint64_t v)
{
	field_varint(b, (uint64_t)field << 3);
	field_varint(b, v);
}

static inline void field_bytes(struct buf *b, unsigned field, const void *p, size_t n)
{
	field_varint(b, (uint64_t)field << 3 | 2);
	field_varint(b, n);
	buf_add(b, p, n);
}

static inline void field_text(struct buf *b, unsigned field, const char *s)
{
	field_bytes(b, field, s, strlen(s));
}

static inline void field_buf(struct buf *b, unsigned field, const struct buf *m)
{
	field_bytes(b, field, m->s, m->n);
}

static inline void wandb_file_chunk(
	struct wandb_file *f, enum chunk_type type, const void *p, size_t n)
{
	size_t at = f->bytes.n;
	uint32_t crc;

	for (int i = 0; i < 4; i++)
		buf_addc(&f->bytes, 0);
	buf_addc(&f->bytes, (char)n);
	buf_addc(&f->bytes, (char)(n >> 8));
	buf_addc(&f->bytes, (char)type);
	buf_add(&f->bytes, p, n);
	crc = libdeflate_crc32(0, f->bytes.s + at + 6, n + 1);
	for (int i = 0; i < 4; i++)
		f->bytes.s[at + (size_t)i] = (char)(crc >> 8 * i);
}

/* Bytes that are left in the block at hand. */
static inline size_t wandb_file_left(const struct wandb_file *f)
{
	return WANDB_BLOCK_BYTES - f->bytes.n % WANDB_BLOCK_BYTES;
}

/* A record, in as many chunks as it takes. */
static inline void wandb_file_raw(struct wandb_file *f, const char *p, size_t n)
{
	enum chunk_type type = CHUNK_FIRST;

	if (wandb_file_left(f) < CHUNK_HEADER_BYTES)
		for (size_t left = wandb_file_left(f); left; left--)
			buf_addc(&f->bytes, 0);
	if (n + CHUNK_HEADER_BYTES <= wandb_file_left(f)) {
		wandb_file_chunk(f, CHUNK_FULL, p, n);
		return;
	}
	while (n + CHUNK_HEADER_BYTES > wandb_file_left(f)) {
		size_t part = wandb_file_left(f) - CHUNK_HEADER_BYTES;

		wandb_file_chunk(f, type, p, part);
		type = CHUNK_MIDDLE;
		p += part;
		n -= part;
	}
	wandb_file_chunk(f, CHUNK_LAST, p, n);
}

static inline void wandb_file_begin(struct wandb_file *f)
{
	static const char tail[] = "\x82\x01\x06\x42\x04" "1(@)";

	*f = (struct wandb_file){ .tail = tail, .tail_n = sizeof tail - 1 };
	buf_init(&f->bytes);
	buf_add(&f->bytes, ":W&B\xe1\xbe", 7);
}

static inline void wandb_file_release(struct wandb_file *f)
{
	buf_release(&f->bytes);
}

static inline void wandb_file_record(struct wandb_file *f, unsigned field, const struct buf *body)
{
	struct buf record = BUF_INIT;

	field_number(&record, 1, ++f->n_records);
	field_buf(&record, field, body);
	buf_add(&record, f->tail, f->tail_n);
	wandb_file_raw(f, record.s, record.n);
	buf_release(&record);
}

/* An item by its key, or by the parts of a name with dots. */
static inline void field_item(
	struct buf *b, unsigned field, const char *name, const char *json, bool nested)
{
	struct buf item = BUF_INIT;

	if (!nested) {
		field_text(&item, 1, name);
	} else {
		for (const char *dot; (dot = strchr(name, '.')); name = dot + 1)
			field_bytes(&item, 2, name, (size_t)(dot - name));
		field_text(&item, 2, name);
	}
	field_text(&item, 16, json);
	field_buf(b, field, &item);
	buf_release(&item);
}

/* A row of the history: names and values, ending with NULL. */
static inline void wandb_file_row(struct wandb_file *f, const char *const *items)
{
	struct buf body = BUF_INIT;

	for (; *items; items += 2)
		field_item(&body, 1, items[0], items[1], false);
	wandb_file_record(f, 2, &body);
	buf_release(&body);
}

/* A run that goes on at STARTING_STEP; 0: that begins. */
static inline void wandb_file_run(struct wandb_file *f, const char *id, int64_t starting_step)
{
	struct buf body = BUF_INIT;

	field_text(&body, 1, id);
	field_text(&body, 3, "demo");
	field_text(&body, 13, "gpu-a");
	if (starting_step) {
		field_number(&body, 14, (uint64_t)starting_step);
		field_number(&body, 18, 1);
	}
	wandb_file_record(f, 17, &body);
	buf_release(&body);
}

static inline void field_time(struct buf *b, unsigned field, int64_t seconds)
{
	struct buf time = BUF_INIT;

	field_number(&time, 1, (uint64_t)seconds);
	field_buf(b, field, &time);
	buf_release(&time);
}

static inline void wandb_file_stats(
	struct wandb_file *f, int64_t seconds, const char *name, const char *json)
{
	struct buf body = BUF_INIT;

	field_time(&body, 2, seconds);
	field_item(&body, 3, name, json, false);
	wandb_file_record(f, 7, &body);
	buf_release(&body);
}

/* Printed text; output_raw for standard output. */
static inline void wandb_file_print(struct wandb_file *f, bool is_output, const char *text)
{
	struct buf body = BUF_INIT;

	if (is_output)
		field_number(&body, 1, 1);
	field_time(&body, 2, 1700000000);
	field_text(&body, 3, text);
	wandb_file_record(f, 13, &body);
	buf_release(&body);
}

/* What define_metric() writes. */
static inline void wandb_file_metric(
	struct wandb_file *f, const char *name, bool is_glob, const char *x, unsigned index)
{
	struct buf body = BUF_INIT;

	field_text(&body, is_glob ? 2 : 1, name);
	if (x)
		field_text(&body, 4, x);
	if (index)
		field_number(&body, 5, index);
	wandb_file_record(f, 12, &body);
	buf_release(&body);
}

#endif
