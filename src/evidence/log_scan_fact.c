/*
 * log_scan_fact - what a log tells besides signatures: steps, memory, batches, the end of
 * the last traceback, the rank that failed first; and what only quotes text.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evidence/log_scan_private.h"

enum {
	TRACEBACK_SEGMENTS = 256,
	NUMPY_SEGMENTS = 24,		/* between NumPy's warning and its traceback */
	BLOCK_BYTES_MAX = 64 * 1024,
	ROOT_SEGMENTS = 16,
	STEP_MARGIN = 64,		/* bytes in front of a step that must have been seen */
	SAMPLE_EVERY = 1 << 20,
};

static const char traceback[] = "Traceback (most recent call last)";
static const char ignored[] = "Exception ignored in: ";

static bool begins_with(const char *s, size_t n, const char *text)
{
	size_t length = strlen(text);

	return n >= length && memcmp(s, text, length) == 0;
}

/* ---- places -------------------------------------------------------------------------- */

int64_t newlines(const char *p, size_t n)
{
	int64_t count = 0;
	const char *end = p + n;

	/* Blocks that a compiler turns into vectors: long ones of a long text, and short
	 * ones of what is left, which is all of a line. */
	while (end - p >= 128) {
		unsigned char some = 0;

		for (int i = 0; i < 128; i++)
			some = (unsigned char)(some + (p[i] == '\n'));
		count += some;
		p += 128;
	}
	while (end - p >= 16) {
		unsigned char some = 0;

		for (int i = 0; i < 16; i++)
			some = (unsigned char)(some + (p[i] == '\n'));
		count += some;
		p += 16;
	}
	for (; p < end; p++)
		count += *p == '\n';
	return count;
}

uint64_t raw_offset(const struct log_scan *s, uint64_t at)
{
	size_t low = 0, high = s->cuts_n;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->cuts[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return at + (low ? s->cuts[low - 1].removed : 0);
}

int64_t line_at(struct log_scan *s, uint64_t at)
{
	struct stream *t = &s->at;

	if (at > t->counted) {
		const char *from = scan_bytes(s, t->counted);
		size_t n = (size_t)(at - t->counted);
		const char *last = memchr(from, '\n', n);

		if (last) {
			/* Most often AT is where the next line begins. */
			if (last + 1 == from + n) {
				t->line++;
			} else {
				t->line += newlines(last, n - (size_t)(last - from));
				last = memrchr(last, '\n', n - (size_t)(last - from));
			}
			t->line_offset = raw_offset(s, t->counted + (uint64_t)(last + 1 - from));
		}
		t->counted = at;
	}
	return t->line;
}

uint64_t earlier_line_offset(const struct log_scan *s, uint64_t at, uint64_t segment)
{
	uint64_t from = at > s->base + LOG_CONTEXT ? at - LOG_CONTEXT : s->base;
	const char *newline = memrchr(scan_bytes(s, from), '\n', (size_t)(at - from));

	if (newline)
		return raw_offset(s, from + (uint64_t)(newline + 1 - scan_bytes(s, from)));
	return from == 0 ? 0 : raw_offset(s, segment);
}

/* ---- blocks --------------------------------------------------------------------------- */

static void note_exception(struct log_scan *s, const struct block *b, const char *text, size_t n)
{
	struct gathered *g = s->into;

	g->f.last_exception_line = b->line;
	g->f.last_exception =
		arena_strndup(&g->arena, text, text_cut(text, n, LOG_TEXT_MAX));
}

/* One segment of the block's stream; true when the block ends with it. */
static bool block_take(struct log_scan *s, struct block *b, const char *text, size_t n)
{
	bool begins = begins_with(text, n, traceback);

	if (--b->segments_left < 0)
		return true;
	if (b->kind == BLOCK_NUMPY && !b->in_traceback) {
		if (begins) {
			b->in_traceback = true;
			b->segments_left = TRACEBACK_SEGMENTS;
		}
		return false;
	}
	if (n == 0 || *text == ' ' || *text == '\t' || begins) {
		b->has_frame |= n > 0 && !begins;
		return false;
	}
	if (b->kind == BLOCK_IGNORED && begins_with(text, n, ignored))
		return false;		/* the next one, of which the same is true */
	if (b->kind == BLOCK_TRACEBACK) {
		if (b->has_frame)
			note_exception(s, b, text, n);
	} else {
		s->at.last_ignored = b->cursor;
		s->at.has_last_ignored = true;
	}
	return true;
}

/* True when the block is over. */
static bool block_follow(struct log_scan *s, struct block *b, uint64_t up_to)
{
	while (b->cursor < up_to) {
		const char *p = scan_bytes(s, b->cursor);
		bool ends, over = false;
		uint64_t end = segment_end(s, b->cursor, &ends), after;
		size_t n = (size_t)(end - b->cursor), mark;
		int rank;

		if (!ends && !s->final && n <= LOG_WINDOW)
			return false;
		if (b->cursor - b->began > BLOCK_BYTES_MAX || n > LOG_WINDOW)
			return true;
		mark = log_rank_mark(p, n, &rank);
		if (rank == b->rank)
			over = block_take(s, b, p + mark, n - mark);
		after = segment_after(s, end);
		b->line += newlines(p, (size_t)(after - b->cursor));
		b->cursor = after;
		if (over || !ends)
			return over;
	}
	return false;
}

void blocks_follow(struct log_scan *s, uint64_t up_to)
{
	struct stream *t = &s->at;

	for (size_t i = 0; i < t->blocks_n;) {
		if (block_follow(s, &t->blocks[i], up_to))
			t->blocks[i] = t->blocks[--t->blocks_n];
		else
			i++;
	}
}

static void block_open(struct log_scan *s, const struct log_segment *g, enum block_kind kind)
{
	struct stream *t = &s->at;
	struct block *b;

	if (!g->is_last)
		return;
	blocks_follow(s, g->start);
	for (size_t i = 0; i < t->blocks_n; i++)
		if (t->blocks[i].rank == g->rank &&
			(t->blocks[i].kind != BLOCK_TRACEBACK || kind == BLOCK_TRACEBACK))
			return;		/* it is part of that one */
	if (t->blocks_n == LOG_RANKS_MAX)
		return;
	b = &t->blocks[t->blocks_n++];
	*b = (struct block){ .rank = g->rank,
		.kind = kind,
		.began = g->to,
		.cursor = segment_after(s, g->to),
		.segments_left = kind == BLOCK_NUMPY ? NUMPY_SEGMENTS : TRACEBACK_SEGMENTS };
	b->line = line_at(s, g->start) +
		newlines(scan_bytes(s, g->start), (size_t)(b->cursor - g->start));
}

bool is_ignored(struct log_scan *s, const struct log_segment *g)
{
	const struct stream *t = &s->at;

	blocks_follow(s, g->start);
	for (size_t i = 0; i < t->blocks_n; i++) {
		const struct block *b = &t->blocks[i];

		if (b->rank == g->rank && b->began < g->start &&
			(b->kind == BLOCK_IGNORED || (b->kind == BLOCK_NUMPY && b->in_traceback)))
			return true;
	}
	return false;
}

/* ---- steps ---------------------------------------------------------------------------- */

void step_look(struct log_scan *s, uint64_t limit, uint64_t to)
{
	struct stream *t = &s->at;
	uint64_t from = t->step_looked > limit ? t->step_looked : limit;
	int64_t step;
	size_t at;

	if (from < s->base)
		from = s->base;
	if (from >= to)
		return;
	if (log_step(scan_bytes(s, from), (size_t)(to - from), &step, &at) &&
		(from + at >= limit + STEP_MARGIN || limit == 0)) {
		t->has_step = true;
		t->step = step;
		t->step_at = from + at;
		s->into->f.last_step = step;
		s->into->f.last_step_offset = raw_offset(s, from + at);
	}
	t->step_looked = to;
}

int64_t step_near(struct log_scan *s, const struct log_segment *g)
{
	const struct stream *t = &s->at;
	uint64_t limit = g->start > LOG_CONTEXT ? g->start - LOG_CONTEXT : 0;

	if (!g->is_first)
		limit = g->from;
	step_look(s, limit, g->to);
	return t->has_step && (t->step_at >= limit + STEP_MARGIN || limit == 0) ? t->step : -1;
}

void steps_sample(struct log_scan *s, uint64_t at)
{
	struct stream *t = &s->at;

	for (; t->next_sample <= at; t->next_sample += SAMPLE_EVERY) {
		uint64_t limit = t->next_sample - LOG_CONTEXT;

		if (limit < s->base)
			limit = s->base;
		step_look(s, limit, t->next_sample);
	}
}

/* ---- facts of a part ------------------------------------------------------------------ */

static bool wants(const struct log_scan *s, enum fact f)
{
	size_t bit = s->n + (size_t)f;

	return s->wanted[bit / 64] >> (bit % 64) & 1;
}

/* "Counter: MarkStep" and below it "  Value: 320". */
static void take_mark_step(struct log_scan *s, const struct log_segment *g, size_t part)
{
	struct part_text next;
	const char *p;
	size_t n;
	int64_t v;

	if (!part_after(s, g, part, &next))
		return;
	p = scan_bytes(s, next.at);
	n = next.n;
	while (n && (*p == ' ' || *p == '\t')) {
		p++;
		n--;
	}
	if (!begins_with(p, n, "Value: ") || !text_to_i64(p + 7, n - 7, &v) || v < 0)
		return;
	s->into->f.mark_steps = v;
	s->into->marks_seen++;
}

/* "  rank      : 2 (local_rank: 2)" somewhere below. */
static void take_root_cause(struct log_scan *s, const struct log_segment *g)
{
	uint64_t start = segment_after(s, g->to), limit = g->to + LOG_CONTEXT / 2;

	for (int i = 0; i < ROOT_SEGMENTS && start < limit && start < scan_end(s); i++) {
		const char *p = scan_bytes(s, start);
		bool ends;
		uint64_t end = segment_end(s, start, &ends);
		size_t n = (size_t)(end - start), k = 0;
		int64_t rank;
		size_t digits = 0;

		if (n > LOG_CONTEXT / 4)
			return;
		while (k < n && p[k] == ' ')
			k++;
		if (begins_with(p + k, n - k, "rank")) {
			for (k += 4; k < n && (p[k] == ' ' || p[k] == ':'); k++)
				;
			while (k + digits < n && p[k + digits] >= '0' && p[k + digits] <= '9')
				digits++;
			if (digits && digits < 8 && text_to_i64(p + k, digits, &rank)) {
				s->into->f.root_rank = (int)rank;
				s->into->f.root_line = line_at(s, g->start);
			}
			return;
		}
		start = segment_after(s, end);
	}
}

bool memory_take(struct log_scan *s, uint64_t segment, uint64_t word, const char *end)
{
	const char *p = scan_bytes(s, segment);
	size_t n = (size_t)(end - p), mark;
	double value;
	bool has_unit;
	int rank;

	mark = log_rank_mark(p, n, &rank);
	if (segment + mark > word)
		return false;
	steps_sample(s, segment);
	if (log_rss(p, n, (size_t)(word - segment), &value, &has_unit))
		gathered_add_memory(s->into, rank, value, has_unit, line_at(s, segment));
	return true;
}

static void take_memory(struct log_scan *s, const struct log_segment *g, size_t part,
	const char *p, size_t n)
{
	uint64_t at = g->from + g->mark + g->parts[part].from;
	/* A window may begin inside of the word. */
	size_t from = s->first_rss > at ? (size_t)(s->first_rss - at) : 0;
	double value;
	bool has_unit;

	/* The kernel tells what it killed; that is no point of a series. */
	if ((wants(s, FACT_KILLED) && memmem(p, n, "Killed process", 14)) ||
		!log_rss(p, n, from, &value, &has_unit))
		return;
	gathered_add_memory(s->into, g->rank, value, has_unit, line_at(s, g->start));
}

void facts_take(struct log_scan *s, const struct log_segment *g, size_t part)
{
	const char *p = scan_bytes(s, g->from) + g->mark + g->parts[part].from;
	size_t n = g->parts[part].to - g->parts[part].from;

	if (wants(s, FACT_FENCE) && begins_with(p, n, "```"))
		s->at.in_fence = !s->at.in_fence;
	if (wants(s, FACT_BATCH)) {
		int64_t batch;

		if (log_batch_size(p, n, &batch) && batch > 0)
			s->at.batch = batch;
	}
	if (wants(s, FACT_RSS))
		take_memory(s, g, part, p, n);
	if (wants(s, FACT_MARK_STEP) && begins_with(p, n, "Counter: MarkStep"))
		take_mark_step(s, g, part);
	if (wants(s, FACT_ROOT_CAUSE) && g->is_last)
		take_root_cause(s, g);
	if (wants(s, FACT_TRACEBACK) && !is_ignored(s, g))
		block_open(s, g, BLOCK_TRACEBACK);
	if (wants(s, FACT_IGNORED) && part == 0 && begins_with(p, n, ignored))
		block_open(s, g, BLOCK_IGNORED);
	if (wants(s, FACT_NUMPY))
		block_open(s, g, BLOCK_NUMPY);
}
