/*
 * log_scan_segment - the segments of a stream and their neighbours; see log_scan.h.
 *
 * Every search is bounded: forward by the buffer in steps that grow, backward by
 * LOG_CONTEXT, so that a log without an end of line costs no more than another.
 */
#include "config.h"

#include <string.h>

#include "evidence/log_scan_private.h"

enum { LOOK_FIRST = 256, NEXT_MAX = 3 * 1024 };

uint64_t segment_start(const struct log_scan *s, uint64_t at, uint64_t from)
{
	const char *p = scan_bytes(s, from), *end = scan_bytes(s, at);
	const char *newline = memrchr(p, '\n', (size_t)(end - p)), *cr;

	if (newline)
		p = newline + 1;
	cr = memrchr(p, '\r', (size_t)(end - p));
	if (cr)
		p = cr + 1;
	return s->base + (uint64_t)(p - s->text.s);
}

uint64_t segment_end(const struct log_scan *s, uint64_t at, bool *found)
{
	const char *p = scan_bytes(s, at), *all = s->text.s + s->text.n;
	size_t look = LOOK_FIRST;

	*found = false;
	while (p < all) {
		size_t n = (size_t)(all - p) < look ? (size_t)(all - p) : look;
		const char *newline = memchr(p, '\n', n);
		const char *cr = memchr(p, '\r', newline ? (size_t)(newline - p) : n);

		if (newline || cr) {
			*found = true;
			return s->base + (uint64_t)((cr ? cr : newline) - s->text.s);
		}
		p += n;
		look *= 4;
	}
	return scan_end(s);
}

uint64_t segment_after(const struct log_scan *s, uint64_t end)
{
	const char *p = scan_bytes(s, end);

	if (end >= scan_end(s))
		return end;
	return end + (*p == '\r' && end + 1 < scan_end(s) && p[1] == '\n' ? 2 : 1);
}

void segment_read(struct log_scan *s, struct log_segment *g)
{
	g->mark = 0;
	if (g->is_first) {
		const char *p = scan_bytes(s, g->from);
		size_t n = (size_t)(g->to - g->from);

		g->mark = log_rank_mark(p, n, &g->rank);
		g->boxed = log_is_boxed(p + g->mark, n - g->mark);
	} else if (s->at.has_head && s->at.head.start == g->start) {
		g->rank = s->at.head.rank;
		g->boxed = s->at.head.boxed;
	} else {
		const char *p = scan_bytes(s, g->start);
		size_t n = (size_t)(g->from - g->start), mark = log_rank_mark(p, n, &g->rank);

		g->boxed = log_is_boxed(p + mark, n - mark);
	}
	g->parts_n = log_parts(g->parts, scan_bytes(s, g->from) + g->mark,
		(size_t)(g->to - g->from) - g->mark);
}

/* ---- the segment before -------------------------------------------------------------- */

struct walk {
	uint64_t start, end;	/* of the segment that was found */
	bool ended_by_cr;
};

static bool walk_back(const struct log_scan *s, struct walk *w, uint64_t start, uint64_t limit)
{
	const char *p;

	if (start <= limit)
		return false;
	p = scan_bytes(s, start);
	w->ended_by_cr = p[-1] == '\r';
	w->end = start - 1;
	if (!w->ended_by_cr && w->end > limit && p[-2] == '\r')
		w->end--;
	w->start = segment_start(s, w->end, limit);
	/* Where the search ended the segment need not begin, but at the log's beginning. */
	return w->start > limit || limit == 0;
}

/* The last segment of RANK before START that holds anything, or an empty line. */
static bool find_before(
	const struct log_scan *s, struct walk *w, uint64_t start, int rank, size_t *mark)
{
	uint64_t limit = start > LOG_CONTEXT ? start - LOG_CONTEXT : 0;

	if (limit < s->base)
		limit = s->base;
	while (walk_back(s, w, start, limit)) {
		const char *p = scan_bytes(s, w->start);
		size_t n = (size_t)(w->end - w->start);
		struct log_part parts[LOG_PARTS_MAX];
		int other;

		start = w->start;
		*mark = log_rank_mark(p, n, &other);
		if (other != rank || (*mark == n && w->ended_by_cr))
			continue;
		if (log_parts(parts, p + *mark, n - *mark) > 0)
			return true;
	}
	return false;
}

/* Quoted source stands further in than its `File` line.  Where Python cannot read the
 * source it quotes none, and the exception itself follows, at the margin. */
static bool is_indented(const struct log_scan *s, uint64_t start)
{
	const char *p = scan_bytes(s, start);
	size_t n = (size_t)(scan_end(s) - start), mark;
	int rank;

	mark = log_rank_mark(p, n < LOG_JOIN ? n : LOG_JOIN, &rank);
	return mark < n && (p[mark] == ' ' || p[mark] == '\t');
}

bool segment_is_quoted(struct log_scan *s, uint64_t start, int rank)
{
	struct walk w;
	size_t mark;

	if (s->at.has_head && s->at.head.start == start)
		return s->at.head_quoted;
	return is_indented(s, start) && find_before(s, &w, start, rank, &mark) &&
		log_is_file_line(scan_bytes(s, w.start) + mark, (size_t)(w.end - w.start) - mark);
}

static void set_end_of(struct part_text *out, uint64_t from, uint64_t to)
{
	out->cut_begin = to - from > LOG_JOIN;
	out->cut_end = false;
	out->at = out->cut_begin ? to - LOG_JOIN : from;
	out->n = (size_t)(to - out->at);
}

static bool part_before_segment(
	struct log_scan *s, const struct log_segment *g, struct part_text *out)
{
	struct log_part parts[LOG_PARTS_MAX];
	struct walk w;
	const char *p;
	size_t mark, n, count;

	if (!g->is_first || !find_before(s, &w, g->start, g->rank, &mark))
		return false;
	p = scan_bytes(s, w.start) + mark;
	n = (size_t)(w.end - w.start) - mark;
	if (n == 0 || log_is_boxed(p, n) || log_is_file_line(p, n) ||
		segment_is_quoted(s, w.start, g->rank))
		return false;
	count = log_parts(parts, p, n);
	set_end_of(out, w.start + mark + parts[count - 1].from,
		w.start + mark + parts[count - 1].to);
	out->segment_start = w.start;
	return true;
}

bool part_before(
	struct log_scan *s, const struct log_segment *g, size_t part, struct part_text *out)
{
	uint64_t at = g->from + g->mark;

	if (part == 0)
		return part_before_segment(s, g, out);
	if (part == 1 && g->is_first && segment_is_quoted(s, g->start, g->rank))
		return false;
	set_end_of(out, at + g->parts[part - 1].from, at + g->parts[part - 1].to);
	out->segment_start = g->start;
	return true;
}

/* ---- the segment after ---------------------------------------------------------------- */

static void set_begin_of(struct part_text *out, uint64_t from, uint64_t to, bool cut)
{
	out->cut_begin = false;
	out->cut_end = cut || to - from > LOG_JOIN;
	out->at = from;
	out->n = (size_t)(to - from > LOG_JOIN ? LOG_JOIN : to - from);
}

/* 1 it is the one, 0 look further, -1 there is none. */
static int take_after(struct log_scan *s, const struct log_segment *g, uint64_t start,
	uint64_t *end, struct part_text *out)
{
	struct log_part parts[LOG_PARTS_MAX];
	const char *p = scan_bytes(s, start);
	bool ends, cut = false;
	size_t n, mark, count;
	int rank;

	*end = segment_end(s, start, &ends);
	n = (size_t)(*end - start);
	if (n > NEXT_MAX) {
		n = NEXT_MAX;
		cut = true;
	}
	mark = log_rank_mark(p, n, &rank);
	if (rank != g->rank)
		return cut ? -1 : 0;
	if (mark == n)
		return ends && *scan_bytes(s, *end) == '\r' ? 0 : -1;
	if (log_is_boxed(p + mark, n - mark))
		return -1;
	count = log_parts(parts, p + mark, n - mark);
	if (count == 0)
		return cut ? -1 : 0;
	set_begin_of(out, start + mark + parts[0].from, start + mark + parts[0].to,
		cut && mark + parts[0].to == n);
	out->segment_start = start;
	return 1;
}

bool part_after(
	struct log_scan *s, const struct log_segment *g, size_t part, struct part_text *out)
{
	uint64_t at = g->from + g->mark, start, limit = g->to + LOG_CONTEXT / 2;

	if (part + 1 < g->parts_n) {
		set_begin_of(out, at + g->parts[part + 1].from, at + g->parts[part + 1].to, false);
		out->segment_start = g->start;
		return true;
	}
	if (!g->is_last)
		return false;
	start = segment_after(s, g->to);
	while (start < limit && start < scan_end(s)) {
		uint64_t end;
		int taken = take_after(s, g, start, &end, out);

		if (taken)
			return taken > 0;
		start = segment_after(s, end);
		if (end >= scan_end(s))
			break;
	}
	return false;
}
