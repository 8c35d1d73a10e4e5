/* wandb - chunks to records, and the way back after damage. */
#include "config.h"

#include "curve/wandb.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/fs.h"
#include "base/text.h"
#include "curve/wandb_chunk.h"
#include "curve/wandb_console.h"
#include "curve/wandb_plain.h"
#include "curve/wandb_record.h"

enum {
	HEADER_BYTES = 7,
	MAGIC_AT = 4,
	VERSION_AT = 6,
	RECORD_BYTES_MAX = 16 * 1024 * 1024,	/* larger ones are verified, not looked into */
	/* that can be read around a record that was put together */
	MARGIN_BEFORE = 16, MARGIN_BEHIND = 256,
	DOUBTS_MAX = 64,
};

static const char header[HEADER_BYTES] = { ':', 'W', '&', 'B', '\xe1', '\xbe', 0 };

/* A record in several chunks, as far as they are there. */
struct assembly {
	int64_t start;		/* of its first chunk; -1: none is begun */
	int64_t next;		/* behind its last one */
	int64_t pieces;
	size_t n;		/* bytes of all pieces */
	struct buf bytes;	/* a margin, and the pieces up to RECORD_BYTES_MAX */
};

/* A chunk that was not all there, and was passed for a good one inside it. */
struct doubt {
	int64_t offset, end;
};

struct wandb {
	struct wandb_reader reader;
	struct assembly assembly;
	struct doubt doubts[DOUBTS_MAX];
	size_t n_doubts;
	int64_t zeros_from, zeros_to;	/* only zeros are between them: looked at once */
	bool refused;			/* the header is that of something else */
};

/* ---- the header ------------------------------------------------------------------- */

/* Where the first part begins that is not the header's; N when all are. */
static size_t first_wrong(const char *head, size_t n)
{
	size_t i = 0;

	while (i < n && i < HEADER_BYTES && head[i] == header[i])
		i++;
	if (i == n || i == HEADER_BYTES)
		return n;
	return i < MAGIC_AT ? 0 : i < VERSION_AT ? MAGIC_AT : VERSION_AT;
}

int wandb_check_head(const char *path, const char *head, size_t n)
{
	bool begins = n >= 4 && memcmp(head, header, 4) == 0;
	size_t wrong = first_wrong(head, n);

	if (wrong == n || !(begins || text_ends(fs_basename(path), ".wandb")))
		return 0;
	if (wrong == VERSION_AT)
		return err_set(ERR_PARSE, "%s: .wandb of version %d at offset %d, only 0 is known", path,
			(unsigned char)head[wrong], VERSION_AT);
	return err_set(ERR_PARSE, "%s: expected .wandb, bad magic at offset %zu", path, wrong);
}

/* Also what began well may be written anew as something else. */
static int64_t pass_header(struct wandb *w, struct curve_sink *sink, struct curve_source *src)
{
	size_t n, wrong;
	const char *p = source_bytes(src, 0, HEADER_BYTES, &n);

	n = n < HEADER_BYTES ? n : HEADER_BYTES;
	wrong = first_wrong(p, n);
	if (wrong == n)
		return n < HEADER_BYTES ? 0 : HEADER_BYTES;
	w->refused = true;
	curve_notes_add(&sink->notes, "bad-magic", "%s: expected .wandb, bad magic at offset %zu",
		sink->name, wrong);
	curve_sink_damage(sink, (int64_t)wrong);
	return 0;
}

/* ---- records ------------------------------------------------------------------------ */

static void take_record(struct wandb *w, struct curve_sink *sink, const char *p, size_t n,
	const char *limit, int64_t offset)
{
	sink->health.records++;
	if (wandb_reader_take(&w->reader, sink, p, n, limit))
		return;
	sink->health.malformed++;
	curve_sink_damage(sink, offset);
}

/* Takes whole records from P[0..N), which is at OFFSET; returns the bytes taken. */
static size_t take_good_records(
	struct wandb *w, struct curve_sink *sink, const char *p, size_t n, int64_t offset)
{
	size_t at = 0;

	while (n - at >= CHUNK_HEADER_BYTES) {
		const char *chunk = p + at;
		size_t left = (size_t)(chunk_block_end(offset + (int64_t)at) - offset) - at, length;

		if (left < CHUNK_HEADER_BYTES || chunk[6] != CHUNK_FULL)
			break;
		length = chunk_length(chunk);
		if (length > left - CHUNK_HEADER_BYTES || length > n - at - CHUNK_HEADER_BYTES ||
			!chunk_is_sound(chunk, length))
			break;
		take_record(w, sink, chunk + CHUNK_HEADER_BYTES, length, p + n,
			offset + (int64_t)at);
		at += CHUNK_HEADER_BYTES + length;
	}
	return at;
}

/* ---- damage -------------------------------------------------------------------------- */

static int64_t skip_to(struct curve_sink *sink, int64_t offset, int64_t next)
{
	sink->health.skipped_bytes += next - offset;
	curve_sink_damage(sink, offset);
	return next;
}

/* From OFFSET to the end of the source there are zeros alone. */
static bool is_zero_from(struct wandb *w, struct curve_source *src, int64_t offset)
{
	const char *p;
	size_t n;

	if (offset < w->zeros_from || offset > w->zeros_to)
		w->zeros_to = offset;
	w->zeros_from = offset;
	for (;;) {
		p = source_bytes(src, w->zeros_to, 1, &n);
		if (n == 0)
			return true;
		for (size_t i = 0; i < n; i++)
			if (p[i])
				return false;
		w->zeros_to += (int64_t)n;
	}
}

/* Behind what is no good chunk at OFFSET; OFFSET itself: more bytes must tell. */
static int64_t way_on(
	struct wandb *w, struct curve_source *src, int64_t offset, enum chunk_state state)
{
	int64_t next = chunk_find(src, offset);

	/* The file may have been made longer before anything was written there. */
	if (state == CHUNK_EMPTY && next == chunk_block_end(offset) && is_zero_from(w, src, offset))
		return offset;
	return next;
}

static int64_t pass_damage(struct wandb *w, struct curve_sink *sink, struct curve_source *src,
	int64_t offset, enum chunk_state state, const struct chunk *chunk)
{
	int64_t next = way_on(w, src, offset, state);

	if (next == offset)
		return offset;
	sink->health.bad_data += state != CHUNK_EMPTY;
	if (state == CHUNK_INCOMPLETE && w->n_doubts < DOUBTS_MAX)
		w->doubts[w->n_doubts++] = (struct doubt){ offset, chunk->end };
	return skip_to(sink, offset, next);
}

/* A chunk that was passed is all there now, and good: what was read instead is void. */
static bool was_wrong(struct wandb *w, struct curve_source *src)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->n_doubts; i++) {
		struct chunk chunk;

		if (w->doubts[i].end > src->size)
			w->doubts[kept++] = w->doubts[i];
		else if (chunk_judge(&chunk, src, w->doubts[i].offset) == CHUNK_GOOD)
			return true;
	}
	w->n_doubts = kept;
	return false;
}

/* ---- records in pieces ------------------------------------------------------------------ */

static void add_piece(struct assembly *a, const struct chunk *chunk)
{
	if (a->bytes.n + chunk->n <= RECORD_BYTES_MAX)
		buf_add(&a->bytes, chunk->payload, chunk->n);
	a->n += chunk->n;
	a->pieces++;
	a->next = chunk->end;
}

static void begin_record(struct assembly *a, int64_t offset, const struct chunk *first)
{
	buf_clear(&a->bytes);
	buf_pad(&a->bytes, '\0', MARGIN_BEFORE);
	a->start = offset;
	a->pieces = 0;
	a->n = 0;
	add_piece(a, first);
}

static int64_t drop_record(struct assembly *a, struct curve_sink *sink, int64_t next)
{
	int64_t offset = a->start;

	sink->health.orphans += a->pieces;
	a->start = -1;
	return skip_to(sink, offset, next);
}

static int64_t end_record(struct wandb *w, struct curve_sink *sink)
{
	struct assembly *a = &w->assembly;

	if (MARGIN_BEFORE + a->n == a->bytes.n) {
		buf_pad(&a->bytes, '\0', MARGIN_BEHIND);
		take_record(w, sink, a->bytes.s + MARGIN_BEFORE, a->n, a->bytes.s + a->bytes.n,
			a->start);
	} else {
		sink->health.records++;
		sink->health.left_out++;
	}
	a->start = -1;
	return a->next;
}

/* The record whose first chunk is at OFFSET: behind it, or OFFSET when it is not all there. */
static int64_t pass_pieces(struct wandb *w, struct curve_sink *sink, struct curve_source *src,
	int64_t offset, const struct chunk *first)
{
	struct assembly *a = &w->assembly;

	if (a->start != offset)
		begin_record(a, offset, first);
	while (!curve_sink_cancelled(sink)) {
		int64_t at = chunk_begin(a->next);
		struct chunk chunk;
		enum chunk_state state;

		if (at >= src->size)
			return offset;
		state = chunk_judge(&chunk, src, at);
		if (state != CHUNK_GOOD && way_on(w, src, at, state) == at)
			return offset;
		if (state != CHUNK_GOOD || chunk.type == CHUNK_FULL || chunk.type == CHUNK_FIRST)
			return drop_record(a, sink, at);
		add_piece(a, &chunk);
		if (chunk.type == CHUNK_LAST)
			return end_record(w, sink);
	}
	return offset;
}

static int64_t pass_good(struct wandb *w, struct curve_sink *sink, struct curve_source *src,
	int64_t offset, const struct chunk *chunk)
{
	switch (chunk->type) {
	case CHUNK_FULL:
		take_record(w, sink, chunk->payload, chunk->n, chunk->payload + chunk->n, offset);
		return chunk->end;
	case CHUNK_FIRST:
		return pass_pieces(w, sink, src, offset, chunk);
	case CHUNK_MIDDLE:
	case CHUNK_LAST:
		break;
	}
	sink->health.orphans++;
	return skip_to(sink, offset, chunk->end);
}

/* ---- the file ---------------------------------------------------------------------------- */

/* What should be zeros is counted when it is not. */
static int64_t pass_padding(struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	int64_t end = chunk_block_end(offset);
	size_t n, length = (size_t)(end - offset);
	const char *p = source_bytes(src, offset, length, &n);

	if (n < length)
		return offset;
	for (size_t i = 0; i < length; i++)
		if (p[i])
			return skip_to(sink, offset, end);
	return end;
}

/* What the quick loop did not take: returns OFFSET when it must wait. */
static int64_t pass_one(
	struct wandb *w, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct chunk chunk;
	enum chunk_state state;

	if (offset == 0)
		return pass_header(w, sink, src);
	if (chunk_begin(offset) != offset)
		return pass_padding(sink, src, offset);
	state = chunk_judge(&chunk, src, offset);
	return state == CHUNK_GOOD ? pass_good(w, sink, src, offset, &chunk)
				   : pass_damage(w, sink, src, offset, state, &chunk);
}

static void wandb_init(struct wandb *w)
{
	*w = (struct wandb){ .assembly = { .start = -1, .bytes = BUF_INIT } };
	wandb_reader_init(&w->reader);
}

static void wandb_release(struct wandb *w)
{
	wandb_reader_release(&w->reader);
	buf_release(&w->assembly.bytes);
}

static int64_t read_on(
	struct wandb *w, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	int64_t start = offset, next;

	while (offset < src->size && offset - start < sink->budget_bytes &&
		!curve_sink_cancelled(sink)) {
		size_t n, taken = 0;
		const char *p;

		if (offset) {
			p = source_bytes(src, offset, CHUNK_HEADER_BYTES, &n);
			taken = take_good_records(w, sink, p, n, offset);
		}
		next = taken ? offset + (int64_t)taken : pass_one(w, sink, src, offset);
		if (next == offset)
			break;
		offset = next;
	}
	return offset;
}

static int64_t wandb_advance(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct wandb *w = state;

	if (was_wrong(w, src)) {
		wandb_release(w);
		wandb_init(w);
		return CURVE_AGAIN;
	}
	if (!w->refused)
		offset = read_on(w, sink, src, offset);
	wandb_reader_flush(&w->reader, sink);
	if (w->refused) {
		sink->health.skipped_bytes += src->size - offset;
		offset = src->size;
	}
	return offset;
}

/* What was left open is damage when nothing follows any more. */
static void wandb_finish(
	void *state, struct curve_sink *sink, struct curve_source *src, int64_t offset)
{
	struct wandb *w = state;
	struct chunk chunk;

	if (offset < HEADER_BYTES || offset >= src->size || chunk_begin(offset) != offset)
		return;
	if (w->assembly.start == offset) {
		sink->health.orphans += w->assembly.pieces;
		curve_sink_damage(sink, offset);
	} else if (chunk_judge(&chunk, src, offset) == CHUNK_BAD) {
		sink->health.bad_data++;
		curve_sink_damage(sink, offset);
	}
}

static void *wandb_new(const struct curve_sink *sink)
{
	struct wandb *w = xmalloc(sizeof *w);

	(void)sink;
	wandb_init(w);
	return w;
}

static void wandb_free(void *state)
{
	wandb_release(state);
	free(state);
}

/* By the first bytes; an empty one, or one cut inside the header, by its name. */
static bool wandb_recognise(const char *path, const char *basename, const char *head, size_t n)
{
	(void)path;
	if (n >= 4)
		return first_wrong(head, n) == n;
	return text_ends(basename, ".wandb") && first_wrong(head, n) == n;
}

const struct wandb_facts *wandb_facts_of(const struct curve_file *f)
{
	const struct wandb *w = f->state;

	return &w->reader.facts;
}

uint64_t wandb_rows_by_bytes(const void *state)
{
	const struct wandb *w = state;

	return wandb_plain_count(w->reader.plain);
}

static void wandb_describe(struct buf *out, const struct curve_file *f)
{
	wandb_facts_add_line(out, wandb_facts_of(f));
}

const struct curve_format wandb_format = {
	.name = "wandb",
	.title = "W&B",
	.delay = "each 32 KiB block, at a flush or at the end",
	.shape = CURVE_STREAM,
	.step_bytes = CURVE_TEXT_STEP_BYTES,
	.rank = RANK_RECORDS,
	.recognise = wandb_recognise,
	.new_state = wandb_new,
	.free_state = wandb_free,
	.advance = wandb_advance,
	.finish = wandb_finish,
	.describe = wandb_describe,
	.printed = &wandb_console_format,
};
